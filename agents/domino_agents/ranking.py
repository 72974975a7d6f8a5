"""A ranking: every pairing of some agents over the same deals, with intervals and ratings."""

import platform
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib.metadata import version
from itertools import permutations
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from domino_agents.arena import DealResults, DealStream, chunks_of, joined, play_chunk, rules_hash
from domino_agents.intervals import Estimate, estimate
from domino_agents.loading import load_agent
from domino_agents.ratings import rate
from domino_envs.core.game import Game


@dataclass(frozen=True)
class Pairing:
    """What one agent did against another: per duplicate deal, and in all."""

    first: str
    second: str
    wins: Estimate  # share of the wins; even is 1 / sides
    points: Estimate  # own points less the mean of the other sides'
    illegal: tuple[int, int]
    decisions: tuple[int, int]
    milliseconds: tuple[float, float]  # a decision
    results: DealResults = field(repr=False)


@dataclass(frozen=True)
class Ranking:
    """The pairings of some agents, and their ratings in Elo units with the first agent at 0."""

    game: Game
    agents: list[str]
    stream: DealStream
    deals: int
    pairings: list[Pairing]
    ratings: list[tuple[float, float, float]]  # rating and its 95 % interval, by agent

    @property
    def even(self) -> float:
        """The win share of equals."""
        return 1.0 / int(self.game.rules.num_sides)

    def manifest(self) -> dict[str, Any]:
        """Returns what the result was made from."""
        return {
            "game": self.game.id,
            "num_players": self.game.num_players,
            "options": asdict(self.game.options),
            "rules_hash": rules_hash(self.game),
            "deals": self.deals,
            "split": self.stream.split,
            "seed": self.stream.seed,
            "date": time.strftime("%Y-%m-%d"),
            "versions": {name: version(name) for name in ("domino-envs", "numpy", "numba")} | {"python": platform.python_version()},
        }


def pairings_of(agents: list[str], sides: int) -> list[tuple[int, int]]:
    """Returns the pairings to play: each once for two sides, and both ways round for more."""
    pairs = permutations(range(len(agents)), 2)
    return [pair for pair in pairs if sides > 2 or pair[0] < pair[1]]


def rank(
    game: Game,
    agents: list[str],
    deals: int = 1_000,
    stream: DealStream | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Ranking:
    """Plays all pairings and returns the ranking; the number of workers changes nothing but the time.

    Args:
        agents: two or more names or paths of checkpoints, all different; the first anchors the ratings.
        deals: duplicate deals for every pairing.
        stream: where the deals come from.
        progress: is told how many of how many chunks are done.

    Raises:
        ValueError: too few agents, a name twice, an unknown one, or no deals.
    """
    check_agents(agents)
    if isinstance(deals, bool) or not isinstance(deals, (int, np.integer)) or deals < 2:
        raise ValueError(f"deals must be an integer of 2 or more, got {deals!r}")
    for name in agents:
        if getattr(load_agent(name, game), "privileged", False):
            raise ValueError(f"{name} sees hidden tiles and cannot be ranked")
    stream = stream or DealStream()
    pairs, chunks = pairings_of(agents, int(game.rules.num_sides)), chunks_of(int(deals))
    tasks = [(pair, chunk) for pair in pairs for chunk in chunks]
    parts: dict[tuple[int, int], list[DealResults]] = {pair: [] for pair in pairs}
    work = Parallel(n_jobs=workers, return_as="generator")(
        delayed(_play)(game, agents[pair[0]], agents[pair[1]], stream, chunk) for pair, chunk in tasks
    )
    for done, ((pair, _), part) in enumerate(zip(tasks, work, strict=True), start=1):
        parts[pair].append(part)
        if progress:
            progress(done, len(tasks))
    pairings = [_pairing(agents[one], agents[other], joined(parts[one, other])) for one, other in pairs]
    wins = {pair: pairing.results.wins for pair, pairing in zip(pairs, pairings, strict=True)}
    ratings = list(zip(*(values.tolist() for values in rate(wins, len(agents), int(game.rules.num_sides))), strict=True))
    return Ranking(game, agents, stream, int(deals), pairings, ratings)


def check_agents(agents: list[str]) -> None:
    """Raises ValueError unless there are two or more different names."""
    if len(agents) < 2:
        raise ValueError(f"a ranking needs two or more agents, got {agents}")
    if len(set(agents)) < len(agents):
        raise ValueError(f"an agent is named twice: {agents}")


def _play(game: Game, first: str, second: str, stream: DealStream, chunk: np.ndarray) -> DealResults:
    return play_chunk(game, _ready_agent(game, first), _ready_agent(game, second), stream, chunk)


@lru_cache
def _ready_agent(game: Game, name: str) -> Any:
    """Returns an agent that has played once, so that the time of its decisions is not that of compiling it."""
    agent = load_agent(name, game)
    play_chunk(game, agent, agent, DealStream("train"), np.arange(1))
    return agent


def _pairing(first: str, second: str, results: DealResults) -> Pairing:
    per_decision = 1_000 * results.seconds / np.maximum(results.decisions, 1)
    return Pairing(
        first=first,
        second=second,
        wins=estimate(results.wins),
        points=estimate(results.points),
        illegal=tuple(results.illegal.tolist()),
        decisions=tuple(results.decisions.tolist()),
        milliseconds=tuple(per_decision.tolist()),
        results=results,
    )

