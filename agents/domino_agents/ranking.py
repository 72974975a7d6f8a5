"""A ranking: every pairing of some agents over the same deals, with intervals and ratings."""

import platform
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib.metadata import version
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from domino_agents.arena import DealResults, DealStream, chunks_of, joined, play_chunk, rules_hash, turned
from domino_agents.intervals import Estimate, estimate
from domino_agents.loading import load_agent
from domino_agents.ratings import rate
from domino_envs.core.game import Game


@dataclass(frozen=True)
class Pairing:
    """What one agent did against another (where there are more than two sides: against copies of it on all the others)."""

    first: str
    second: str
    wins: Estimate  # share of the wins; even is 1 / sides
    points: Estimate  # own points less the mean of the other sides'
    illegal: tuple[int, int]  # attempts, by either agent
    decisions: tuple[int, int]
    seconds: tuple[float, float]  # spent deciding
    results: DealResults = field(repr=False)


@dataclass(frozen=True)
class Ranking:
    """The pairings of some agents, and their ratings in Elo units."""

    game: Game
    agents: list[str]
    anchor: str  # the agent whose rating is 0
    stream: DealStream
    asked: int
    deals: int  # fewer than asked for where the ranking was interrupted
    pairings: list[Pairing]
    ratings: list[tuple[float, float, float]]  # rating and its 95 % interval, by agent

    @property
    def even(self) -> float:
        """The win share of equals."""
        return 1.0 / int(self.game.rules.num_sides)

    def effort(self, agent: str) -> tuple[int, int, float]:
        """Returns an agent's illegal attempts, decisions and milliseconds a decision, over all its pairings."""
        roles = [
            (pairing, role) for pairing in self.pairings for role in (0, 1) if (pairing.first, pairing.second)[role] == agent
        ]
        illegal = sum(pairing.illegal[role] for pairing, role in roles)
        decisions = sum(pairing.decisions[role] for pairing, role in roles)
        seconds = sum(pairing.seconds[role] for pairing, role in roles)
        return illegal, decisions, 1_000 * seconds / max(decisions, 1)

    def manifest(self) -> dict[str, Any]:
        """Returns what the result was made from."""
        return {
            "game": self.game.id,
            "num_players": self.game.num_players,
            "options": asdict(self.game.options),
            "rules_hash": rules_hash(self.game),
            "deals": self.deals,
            "deals_asked": self.asked,
            "split": self.stream.split,
            "seed": self.stream.seed,
            "date": time.strftime("%Y-%m-%d"),
            "versions": {name: version(name) for name in ("domino-envs", "numpy", "numba")}
            | {"python": platform.python_version()},
        }


def pairings_of(agents: list[str], sides: int) -> list[tuple[int, int]]:
    """Returns the pairings to play: each once for two sides, and both ways round for more."""
    pairs = permutations(range(len(agents)), 2)
    return [(one, other) for one, other in pairs if sides > 2 or one < other]


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
        agents: two or more names or paths of checkpoints, all different; `random`, or else the first, has rating 0.
        deals: duplicate deals for every pairing.
        stream: where the deals come from.
        workers: processes.
        progress: is told how many of how many chunks are done.

    Raises:
        ValueError: too few agents, a name twice, an unknown or privileged one, too few deals or workers.
        KeyboardInterrupt: before every pairing has played a chunk; a later one ranks by the deals that all have played.
    """
    check_ranking(game, agents, deals, workers)
    stream = stream or DealStream()
    sides = int(game.rules.num_sides)
    pairs = pairings_of(agents, sides)
    tasks = [(pair, chunk) for chunk in chunks_of(int(deals)) for pair in pairs]
    parts = _played(game, agents, stream, tasks, workers, progress)
    pairings = [_pairing(agents[one], agents[other], joined(parts[one, other])) for one, other in pairs]
    wins = {pair: pairing.results.wins for pair, pairing in zip(pairs, pairings, strict=True)}
    anchor = agents.index("random") if "random" in agents else 0
    bounds = rate(wins, len(agents), sides, anchor)
    ratings = list(zip(*(values.tolist() for values in bounds), strict=True))
    return Ranking(game, agents, agents[anchor], stream, int(deals), pairings[0].wins.deals, pairings, ratings)


def check_ranking(game: Game, agents: list[str], deals: int, workers: int = 1) -> None:
    """Raises ValueError unless `rank` can play this."""
    if len(agents) < 2:
        raise ValueError(f"a ranking needs two or more agents, got {agents}")
    if len(set(agents)) < len(agents):
        raise ValueError(f"an agent is named twice: {agents}")
    for name, value, least in (("deals", deals, 2), ("workers", workers, 1)):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
            raise ValueError(f"{name} must be an integer of {least} or more, got {value!r}")
    for name in agents:
        if getattr(load_agent(name, game), "privileged", False):
            raise ValueError(f"{name} sees hidden tiles and cannot be ranked")


def _played(
    game: Game, agents: list[str], stream: DealStream, tasks: list, workers: int, progress: Callable[[int, int], None] | None
) -> dict[tuple[int, int], list[DealResults]]:
    """Returns the results of every pairing, chunk by chunk; of an interrupted run, the chunks that all have played."""
    parts: dict[tuple[int, int], list[DealResults]] = {pair: [] for pair, _ in tasks}
    work = Parallel(n_jobs=workers, return_as="generator")(
        delayed(_play)(game, agents[one], agents[other], stream, chunk) for (one, other), chunk in tasks
    )
    try:
        for done, ((pair, _), part) in enumerate(zip(tasks, work, strict=True), start=1):
            parts[pair].append(part)
            if progress:
                progress(done, len(tasks))
    except KeyboardInterrupt:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # joblib's, of the tasks that it gives up
            work.close()
        whole = min(len(chunks) for chunks in parts.values())
        if whole == 0:
            raise
        parts = {pair: chunks[:whole] for pair, chunks in parts.items()}
    return parts


def _play(game: Game, first: str, second: str, stream: DealStream, chunk: np.ndarray) -> DealResults:
    """Plays a chunk; two sides in the order of their names, so that the order in which agents are listed changes nothing."""
    if int(game.rules.num_sides) == 2 and first > second:
        return turned(_play(game, second, first, stream, chunk))
    return play_chunk(game, _ready_agent(game, first), _ready_agent(game, second), stream, chunk)


def _ready_agent(game: Game, name: str) -> Any:
    path = Path(name)
    return _warm_agent(game, name, path.stat().st_mtime_ns if path.is_file() else 0)


@lru_cache(maxsize=64)
def _warm_agent(game: Game, name: str, written: int) -> Any:
    """Returns an agent that has played once, so that the time of its decisions is not that of compiling it."""
    agent = load_agent(name, game)
    play_chunk(game, agent, agent, DealStream("train"), np.arange(1))
    return agent


def _pairing(first: str, second: str, results: DealResults) -> Pairing:
    return Pairing(
        first=first,
        second=second,
        wins=estimate(results.wins),
        points=estimate(results.points),
        illegal=tuple(results.illegal.sum(0).tolist()),
        decisions=tuple(results.decisions.sum(0).tolist()),
        seconds=tuple(results.seconds.tolist()),
        results=results,
    )
