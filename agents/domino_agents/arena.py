"""The arena: duplicate deals, so that the luck of the deal cancels.

A table plays every deal once for each rotation of its agents over the sides (in pairs, a side is two seats). All tables of
a ranking play the same deals. The deal is the unit of every statistic; its replays are never counted as independent.
Agents decide where they have a choice; forced moves are played inside the tables.
"""

import time
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from domino_envs.core.game import Game
from domino_envs.core.integers import check_integer
from domino_envs.envs.opponents import ask_agent, check_game, tell_of_new_games
from domino_envs.envs.vector import DominoVec
from domino_envs.seeding import check_seed

SPLITS = ("train", "dev", "test")
SUITE = 1  # raise it and every deal stream is a new one
CHUNK = 100  # deals played side by side; agents draw from one stream a chunk, whatever the number of workers


class DealResults(NamedTuple):
    """What every deal gave each of a table's `R` agents, means over its replays and over the copies of the agent."""

    deals: np.ndarray  # int64[K], the numbers of the deals in their split
    points: np.ndarray  # float64[K, R], points of the side less the mean of the other sides'
    wins: np.ndarray  # float64[K, R], share of the wins of one copy; a tie of k sides is a k-th for each
    illegal: np.ndarray  # int64[K, R], illegal attempts, over all replays and copies; each forfeits its game
    decisions: np.ndarray  # int64[K, R], decisions with a choice, likewise


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
        object.__setattr__(self, "seed", check_seed(self.seed))

    def seeds(self, game: Game, deals: np.ndarray) -> list[int]:
        """Returns the seed of each deal."""
        key = self.key(game)
        return [int(np.random.SeedSequence([*key, int(deal)]).generate_state(1, np.uint64)[0]) for deal in deals]

    def key(self, game: Game) -> list[int]:
        """Returns the numbers that seeds of this stream begin with."""
        return [SUITE, rules_hash(game), SPLITS.index(self.split), self.seed]


def rules_hash(game: Game) -> int:
    """Returns a number of the game, its players and its options, equal on every machine."""
    # Not `Game.fingerprint`: the deals of all recorded results follow from these very numbers.
    options = " ".join(f"{name}={value!r}" for name, value in asdict(game.options).items())
    text = f"{game.id} {game.num_players} {options}"
    return zlib.crc32(text.encode())


def play_pair(
    game: Game, first: Any, second: Any, stream: DealStream, deals: int, start: int = 0, *, ceiling: bool = False
) -> DealResults:
    """Plays deals of a stream with one agent against another, or against copies on all sides; arguments as `play_table`."""
    return play_table(game, (first, second), stream, deals, (0,) + (1,) * (num_sides(game) - 1), start, ceiling=ceiling)


def play_table(
    game: Game,
    agents: Sequence[Any],
    stream: DealStream,
    deals: int,
    seating: Sequence[int] | None = None,
    start: int = 0,
    *,
    ceiling: bool = False,
) -> DealResults:
    """Plays deals of a stream, each in every rotation of the agents over the sides.

    Args:
        agents: `R` agents; their memory is cleared before they play.
        deals: how many.
        seating: for every side in turn order, which agent plays it before the rotation; None is one side for each.
        start: the number of the first one.
        ceiling: let agents play that see hidden tiles, to show what no honest one can reach.

    Raises:
        TypeError: deals that are no integer.
        ValueError: an agent that sees hidden tiles, plays another game or looks at tables of one with other options; no deals,
            or a seating that does not fit the game.
    """
    deals = check_integer("deals", deals, 1)
    seating = tuple(range(len(agents))) if seating is None else tuple(seating)
    if len(seating) != num_sides(game) or set(seating) != set(range(len(agents))):
        raise ValueError(f"the seating must place {len(agents)} agents on {num_sides(game)} sides, got {seating}")
    if not ceiling:
        check_unprivileged(agents)
    return joined([play_chunk(game, agents, stream, start + chunk, seating) for chunk in chunks_of(deals)])


def num_sides(game: Game) -> int:
    """Returns the number of sides: seats, or pairs."""
    return int(game.rules.num_sides)


def in_pairs(game: Game) -> bool:
    """Tells whether a side is two seats."""
    return num_sides(game) < game.num_players


def ahead(scores: np.ndarray) -> np.ndarray:
    """Returns every side's points less the mean of the others', `[N, sides]`."""
    return scores - (scores.sum(1, keepdims=True) - scores) / (scores.shape[1] - 1)


def chunks_of(deals: int) -> list[np.ndarray]:
    """Returns the numbers of the deals in the chunks that are played side by side."""
    return [np.arange(start, min(start + CHUNK, deals)) for start in range(0, deals, CHUNK)]


def joined(parts: Sequence[DealResults]) -> DealResults:
    """Returns the results of several chunks as one."""
    return DealResults(*(np.concatenate(values) for values in zip(*parts, strict=True)))


def play_chunk(
    game: Game,
    agents: Sequence[Any],
    stream: DealStream,
    deals: np.ndarray,
    seating: Sequence[int],
    keys: Sequence[int] | None = None,
) -> DealResults:
    """Plays every deal in every rotation, one episode each; `keys` tell the agents' random numbers apart."""
    for agent in agents:
        check_made_for(agent, game)
    sides = num_sides(game)
    rotations = np.array([np.roll(seating, by) for by in range(sides)])
    seeds = np.repeat(np.array(stream.seeds(game, deals), np.uint64), sides)
    tables = _Tables(game, seeds, np.tile(rotations, (len(deals), 1)), len(agents))
    keys = range(len(agents)) if keys is None else keys
    rngs = [np.random.default_rng([*stream.key(game), int(deals[0]), key]) for key in keys]
    for agent in agents:
        tell_of_new_games(agent, np.arange(tables.rows))
    while not tables.over.all():
        for role, (agent, rng) in enumerate(zip(agents, rngs, strict=True)):
            rows = tables.waiting_for(role)
            if len(rows):
                tables.play(rows, role, tables.ask(agent, rows, rng))
    return DealResults(deals, *tables.by_deal(len(deals)))


def check_made_for(agent: Any, game: Game) -> None:
    """Raises ValueError where an agent plays another game, or would plan by the rules of other options."""
    check_game(agent, game)
    own = getattr(agent, "game", None)
    if not (getattr(agent, "needs_tables", False) and isinstance(own, Game)) or own.fingerprint == game.fingerprint:
        return
    options = asdict(own.options)
    other = [
        f"{name}={options[name]!r}, not {value!r}" for name, value in asdict(game.options).items() if options[name] != value
    ]
    raise ValueError(f"{getattr(agent, 'name', agent)} was made for {'; '.join(other)}")


def check_unprivileged(agents: Sequence[Any]) -> None:
    """Raises ValueError where an agent sees hidden tiles."""
    for agent in agents:
        if getattr(agent, "privileged", False):
            raise ValueError(f"{getattr(agent, 'name', agent)} sees hidden tiles, as no player does")


def check_unattended(agents: Sequence[Any]) -> None:
    """Raises ValueError where an agent asks a person."""
    for agent in agents:
        if getattr(agent, "interactive", False):
            raise ValueError(f"{agent.name} asks a person for every move, and would be asked for thousands")


def decision_times(game: Game, agent: Any, most: int = 200, seconds: float = 5.0) -> np.ndarray:
    """Returns the seconds that an agent took for each of some decisions, asked one at a time at a single table.

    Args:
        most: decisions to time, after one more that is not, since it may compile.
        seconds: no further decision is timed after so long.
    """
    rng, times, stop = np.random.default_rng(0), [], np.inf
    for seed in DealStream("train").seeds(game, np.arange(most + 1)):
        table = _Tables(game, np.array([seed], np.uint64), np.zeros((1, num_sides(game)), int), 1)
        tell_of_new_games(agent, np.arange(1))
        while not table.over.all() and len(times) <= most and time.perf_counter() < stop:
            start = time.perf_counter()
            actions = table.ask(agent, np.arange(1), rng)
            times.append(time.perf_counter() - start)
            stop = min(stop, time.perf_counter() + seconds)
            table.play(np.arange(1), 0, actions)
    return np.array(times[1:] or times)


class _Tables:
    """The tables of a chunk, one episode each; `roles[row, side]` is the number of the agent that plays the side."""

    def __init__(self, game: Game, seeds: np.ndarray, roles: np.ndarray, agents: int):
        self.game, self.rows, self.roles = game, len(seeds), roles
        options = asdict(game.options)
        self.vec = DominoVec(game.name, self.rows, game.num_players, skip_forced=True, illegal="forfeit", **options)
        self.vec.reset(seeds.tolist())
        self.over = np.zeros(self.rows, np.bool_)
        self.scores = np.zeros((self.rows, game.num_players), np.int64)
        self.forfeits = np.full(self.rows, -1)  # the side that played an illegal action
        self.illegal, self.decisions = np.zeros((2, self.rows, agents), np.int64)

    def _sides_to_move(self) -> np.ndarray:
        return self.vec.last.player % self.roles.shape[1]

    def waiting_for(self, role: int) -> np.ndarray:
        """Returns the rows in which an agent is to move."""
        movers = self.roles[np.arange(self.rows), self._sides_to_move()]
        return np.flatnonzero(~self.over & (movers == role))

    def ask(self, agent: Any, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Returns an agent's actions, legal or not, `int64[len(rows)]`."""
        actions = np.asarray(ask_agent(agent, self.game, self.vec.states, self.vec.last, rows, rng))
        if actions.shape != (len(rows),) or not np.issubdtype(actions.dtype, np.integer):
            raise ValueError(f"{agent!r} must return integer actions[{len(rows)}], got {actions.dtype}{list(actions.shape)}")
        return actions.astype(np.int64)

    def play(self, rows: np.ndarray, role: int, actions: np.ndarray) -> None:
        """Plays an agent's actions; an illegal one ends its game."""
        mask = self.vec.last.action_mask
        known = (actions >= 0) & (actions < mask.shape[1])
        legal = known & (mask[rows, np.where(known, actions, 0)] == 1)
        self.decisions[rows, role] += 1
        self.illegal[rows[~legal], role] += 1
        self.forfeits[rows[~legal]] = self._sides_to_move()[rows[~legal]]
        moves, moved = np.zeros(self.rows, np.int64), np.zeros(self.rows, np.bool_)
        moves[rows], moved[rows] = np.where(legal, actions, mask[rows].argmin(1)), True  # numbers of no action are illegal too
        step = self.vec.step(moves, rows=moved)
        ended = step.terminated & moved
        self.scores[ended] = step.final_scores[ended]
        self.over |= ended

    def by_deal(self, deals: int) -> tuple[np.ndarray, ...]:
        """Returns points, wins, illegal attempts and decisions, each `[deals, agents]`."""
        agents = self.illegal.shape[1]
        plays = self.roles[:, :, None] == np.arange(agents)
        means = [((values[:, :, None] * plays).sum(1) / plays.sum(1)) for values in self._outcome()]
        points, wins = (values.reshape(deals, -1, agents).mean(1) for values in means)
        illegal, decisions = (values.reshape(deals, -1, agents).sum(1) for values in (self.illegal, self.decisions))
        return points, wins, illegal, decisions

    def _outcome(self) -> tuple[np.ndarray, np.ndarray]:
        """Returns every side's points less the mean of the others', and its share of the win, `[rows, sides]`.

        Who forfeits loses, and keeps no lead in points.
        """
        sides = self.roles.shape[1]
        scores = self.scores[:, :sides]
        points = ahead(scores)
        best = scores == scores.max(1, keepdims=True)
        wins = best / best.sum(1, keepdims=True)
        offended, lost = self.forfeits[:, None] >= 0, self.forfeits[:, None] == np.arange(sides)
        wins = np.where(offended, np.where(lost, 0.0, 1.0 / (sides - 1)), wins)
        points = np.where(offended, np.where(lost, np.minimum(points, 0.0), np.maximum(points, 0.0)), points)
        return points, wins
