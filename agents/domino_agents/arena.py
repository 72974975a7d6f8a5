"""The arena: duplicate deals, so that the luck of the deal cancels.

A pairing plays every deal once for each seat of its first agent, the second agent in all other seats (in pairs: the
first agent's side against the other's). All pairings of a ranking play the same deals. The deal is the unit of every
statistic; its replays are never counted as independent. Agents decide where they have a choice; forced moves are played
inside the tables.
"""

import time
import zlib
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np

from domino_envs.core.game import Game
from domino_envs.core.state import copy_rows
from domino_envs.envs.opponents import visible_tables
from domino_envs.envs.vector import DominoVec

SPLITS = ("train", "dev", "test")
_SUITE = 1  # raise it and every deal stream is a new one
_CHUNK = 512  # deals played side by side; agents draw from one stream a chunk, whatever the number of workers


class DealResults(NamedTuple):
    """What every deal of a pairing gave the first agent, means over its replays."""

    deals: np.ndarray  # int64[K], the numbers of the deals in their split
    points: np.ndarray  # float64[K], own points less the mean of the other sides'
    wins: np.ndarray  # float64[K], share of the wins; a tie of k sides is a k-th
    illegal: np.ndarray  # int64[K, 2], illegal attempts of either agent; each forfeits its game
    decisions: np.ndarray  # int64[K, 2], decisions with a choice
    seconds: np.ndarray  # float64[2], time spent deciding, over all deals


@dataclass(frozen=True)
class DealStream:
    """The deals of a game in one split: fixed by numbers, never shared between splits.

    Attributes:
        split: `"train"`, `"dev"` or `"test"`.
        seed: another seed is another stream.
    """

    split: str = "dev"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.split not in SPLITS:
            raise ValueError(f"split must be one of {SPLITS}, got {self.split!r}")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise ValueError(f"seed must be a non-negative integer, got {self.seed!r}")

    def seeds(self, game: Game, deals: np.ndarray) -> list[int]:
        """Returns the seed of each deal."""
        key = self.key(game)
        return [int(np.random.SeedSequence([*key, int(deal)]).generate_state(1, np.uint64)[0]) for deal in deals]

    def key(self, game: Game) -> list[int]:
        """Returns the numbers that seeds of this stream begin with."""
        return [_SUITE, rules_hash(game), SPLITS.index(self.split), self.seed]


def rules_hash(game: Game) -> int:
    """Returns a number of the game, its players and its options, equal on every machine."""
    text = f"{game.id} {game.num_players} " + " ".join(
        f"{option.name}={getattr(game.options, option.name)!r}" for option in fields(game.options)
    )
    return zlib.crc32(text.encode())


def play_pair(game: Game, first: Any, second: Any, stream: DealStream, deals: int, start: int = 0) -> DealResults:
    """Plays a pairing over the deals `[start, start + deals)` of a stream.

    Raises:
        ValueError: an agent that sees hidden tiles, or no deals.
    """
    for agent in (first, second):
        if getattr(agent, "privileged", False):
            raise ValueError(f"{agent!r} sees hidden tiles and cannot be ranked")
    if deals < 1:
        raise ValueError(f"deals must be a positive integer, got {deals!r}")
    chunks = chunks_of(deals, start)
    return joined([play_chunk(game, first, second, stream, chunk) for chunk in chunks])


def chunks_of(deals: int, start: int = 0) -> list[np.ndarray]:
    """Returns the numbers of the deals in the chunks that are played side by side."""
    numbers = np.arange(start, start + deals)
    return [numbers[at : at + _CHUNK] for at in range(0, deals, _CHUNK)]


def joined(parts: list[DealResults]) -> DealResults:
    """Returns the results of several chunks as one."""
    *per_deal, seconds = zip(*parts, strict=True)
    return DealResults(*(np.concatenate(values) for values in per_deal), np.sum(seconds, axis=0))


def turned(results: DealResults) -> DealResults:
    """Returns the results of two sides as the second agent's."""
    illegal, decisions, seconds = results.illegal[:, ::-1], results.decisions[:, ::-1], results.seconds[::-1]
    return DealResults(results.deals, -results.points, 1.0 - results.wins, illegal, decisions, seconds)


def play_chunk(game: Game, first: Any, second: Any, stream: DealStream, deals: np.ndarray) -> DealResults:
    """Plays every deal with the first agent in each of the game's sides, one episode each."""
    replays = int(game.rules.num_sides)
    seeds = np.repeat(np.array(stream.seeds(game, deals), np.uint64), replays)
    table = _Tables(game, seeds, np.tile(np.arange(replays), len(deals)))
    rngs = [np.random.default_rng([*stream.key(game), int(deals[0]), role]) for role in (0, 1)]
    for agent in (first, second):
        if hasattr(agent, "reset"):
            agent.reset(np.arange(table.rows))
    while not table.over.all():
        for role, agent in enumerate((first, second)):
            table.play(agent, role, rngs[role])
    shape = (len(deals), replays)
    points, wins = (values.reshape(shape).mean(1) for values in table.outcome())
    illegal, decisions = (values.reshape(*shape, 2).sum(1) for values in (table.illegal, table.decisions))
    return DealResults(deals, points, wins, illegal, decisions, table.seconds)


class _Tables:
    """The tables of a chunk, one episode each; `sides[row]` is the first agent's side."""

    def __init__(self, game: Game, seeds: np.ndarray, sides: np.ndarray):
        self.game, self.rows, self.sides = game, len(seeds), sides
        options = {option.name: getattr(game.options, option.name) for option in fields(game.options)}
        self.vec = DominoVec(game.name, self.rows, game.num_players, skip_forced=True, illegal="forfeit", **options)
        self.vec.reset(seeds.tolist())
        self.over = np.zeros(self.rows, np.bool_)
        self.scores = np.zeros((self.rows, game.num_players), np.int64)
        self.forfeits = np.full(self.rows, -1)  # the side that played an illegal action
        self.illegal, self.decisions = np.zeros((self.rows, 2), np.int64), np.zeros((self.rows, 2), np.int64)
        self.seconds = np.zeros(2)

    def play(self, agent: Any, role: int, rng: np.random.Generator) -> None:
        """Lets an agent decide wherever its side is to move."""
        batch, sides = self.vec.last, int(self.game.rules.num_sides)
        to_move = batch.player % sides
        rows = np.flatnonzero(~self.over & ((to_move == self.sides) == (role == 0)))
        if len(rows) == 0:
            return
        actions = self._ask(agent, role, rows, rng)
        known = (actions >= 0) & (actions < batch.action_mask.shape[1])
        legal = known & (batch.action_mask[rows, np.where(known, actions, 0)] == 1)
        self.decisions[rows, role] += 1
        self.illegal[rows[~legal], role] += 1
        self.forfeits[rows[~legal]] = to_move[rows[~legal]]
        moves, moved = np.zeros(self.rows, np.int64), np.zeros(self.rows, np.bool_)
        moves[rows], moved[rows] = np.where(legal, actions, -1), True
        step = self.vec.step(moves, rows=moved)
        ended = step.terminated & moved
        self.scores[ended] = step.final_scores[ended]
        self.over |= ended

    def _ask(self, agent: Any, role: int, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        batch = self.vec.last
        views = batch.observations[rows], batch.action_mask[rows]
        start = time.perf_counter()
        if getattr(agent, "needs_tables", False):
            tables = visible_tables(agent, self.game, copy_rows(self.vec.states, rows), batch.player[rows], rng)
            actions = agent.act(*views, rng, tables=tables)
        else:
            actions = agent.act(*views, rng)
        self.seconds[role] += time.perf_counter() - start
        actions = np.asarray(actions)
        if actions.shape != (len(rows),) or not np.issubdtype(actions.dtype, np.integer):
            raise ValueError(f"{agent!r} must return integer actions[{len(rows)}], got {actions.dtype}{list(actions.shape)}")
        return actions.astype(np.int64)

    def outcome(self) -> tuple[np.ndarray, np.ndarray]:
        """Returns the first agent's points less the mean of the others', and its share of the win, by row.

        Who forfeits loses, and keeps no lead in points.
        """
        sides = int(self.game.rules.num_sides)
        scores, rows = self.scores[:, :sides].astype(float), np.arange(self.rows)
        own = scores[rows, self.sides]
        points = own - (scores.sum(1) - own) / (sides - 1)
        best = scores.max(1, keepdims=True)
        wins = np.where(own == best[:, 0], 1.0 / (scores == best).sum(1), 0.0)
        offended = self.forfeits >= 0
        lost = self.forfeits == self.sides
        wins = np.where(offended, np.where(lost, 0.0, 1.0 / (sides - 1)), wins)
        points = np.where(offended, np.where(lost, np.minimum(points, 0.0), np.maximum(points, 0.0)), points)
        return points, wins
