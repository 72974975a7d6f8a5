"""What a ranking plays, and playing it: in this process, in several, or on a Ray cluster, with the same results."""

import sys
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed, parallel_config
from joblib.parallel import get_active_backend

from domino_agents.arena import DealResults, DealStream, check_unattended, check_unprivileged, chunks_of, num_sides, play_chunk
from domino_agents.loading import load_agent
from domino_envs.core.game import Game

_ROUND = 4  # tasks a worker and round, on backends that answer a round at a time


class Task(NamedTuple):
    """A chunk of deals to be played at a table."""

    table: int
    deals: np.ndarray  # int64[K], their numbers


@dataclass(frozen=True)
class Tournament:
    """Who plays what: every agent against every other, and with more than two sides at mixed tables too.

    Attributes:
        game: what is played.
        agents: names or paths of checkpoints, in any order: none of the numbers depends on it. Kept sorted, each by the one
            name that all ways of writing it have (`one_name`).
        stream: where the deals come from.
        loaded: the agents by name.
        first: the agent that was named first.

    Raises:
        ValueError: too few agents, a name twice, an unknown agent, one that sees hidden tiles or asks a person.
    """

    game: Game
    agents: tuple[str, ...]
    stream: DealStream

    def __post_init__(self) -> None:
        if len(self.agents) < 2:
            raise ValueError(f"a ranking needs two or more agents, got {list(self.agents)}")
        agents = [load_agent(name, self.game) for name in self.agents]
        loaded = {one_name(name, agent): agent for name, agent in zip(self.agents, agents, strict=True)}
        if len(loaded) < len(agents):
            raise ValueError(f"an agent is named twice: {list(self.agents)}")
        check_unprivileged(agents)
        check_unattended(agents)
        for name, value in (("agents", tuple(sorted(loaded))), ("loaded", loaded), ("first", next(iter(loaded)))):
            object.__setattr__(self, name, value)

    def __getstate__(self) -> dict[str, Any]:
        # Other processes load the agents once for themselves; what they are was found out here.
        return {name: value for name, value in {"identities": self.identities, **vars(self)}.items() if name != "loaded"}

    @cached_property
    def tables(self) -> list[tuple[int, ...]]:
        """The agent on each side of every table, before the rotations, as its place in `agents`."""
        sides, everybody = num_sides(self.game), range(len(self.agents))
        if sides == 2:
            return list(combinations(everybody, 2))
        focal = [(one, *[other] * (sides - 1)) for one, other in permutations(everybody, 2)]
        return focal + [seats for chosen in combinations(everybody, sides) for seats in _circles(chosen)]

    @cached_property
    def identities(self) -> dict[str, str]:
        """What every agent is: a name that stands for itself, or the hash of a checkpoint's file."""
        return {name: identity_of(name, self.loaded[name]) for name in self.agents}

    def tasks(self, deals: int) -> list[Task]:
        """Returns the work, such that all tables come to the same deals at about the same time."""
        return [Task(table, chunk) for chunk in chunks_of(deals) for table in range(len(self.tables))]

    def players(self, table: int) -> list[str]:
        """Returns the agents of a table, each once: those that the columns of its results belong to."""
        return [self.agents[agent] for agent in dict.fromkeys(self.tables[table])]

    def play(self, task: Task) -> DealResults:
        """Plays a chunk at a table; torch computes in one thread."""
        seats, names = self.tables[task.table], self.players(task.table)
        seating = [list(dict.fromkeys(seats)).index(agent) for agent in seats]
        agents, keys = [self._ready(name) for name in names], [zlib.crc32(self.identities[name].encode()) for name in names]
        with one_torch_thread():
            return play_chunk(self.game, agents, self.stream, task.deals, seating, keys)

    def _ready(self, name: str) -> Any:
        """Returns an agent, loaded here or in the process that made this tournament."""
        return self.loaded[name] if "loaded" in vars(self) else _ready_agent(self.game, name, self.identities[name])


def _circles(chosen: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Returns the orders of some agents around a table: both of three, and one of more, or there were too many."""
    first, *others = chosen
    return [(first, *order) for order in permutations(others)] if len(others) == 2 else [chosen]


def one_name(name: str | Path, agent: Any) -> str:
    """Returns the one name of an agent: `"pimc-05"` and `"pimc-5-greedy"` are `"pimc-5"`."""
    return getattr(agent, "name", str(name))


def identity_of(name: str, agent: Any) -> str:
    """Returns what an agent is known by: its name, or the hash of the file that it was loaded from."""
    return getattr(agent, "identity", name)


@lru_cache(maxsize=64)
def _ready_agent(game: Game, name: str, identity: str) -> Any:
    agent = load_agent(name, game)
    if identity_of(name, agent) != identity:
        raise ValueError(f"{name} is not the file that the ranking began with")
    return agent


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """Lets torch, where it is loaded, compute in one thread: equal sums on every machine, and fair times."""
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def play_tasks(
    tournament: Tournament, tasks: list[Task], workers: int = 1, ray: str | None = None
) -> Iterator[tuple[Task, DealResults]]:
    """Plays tasks and yields their results in order; closing the iterator gives the rest up.

    Args:
        workers: processes; results do not depend on them.
        ray: the address of a Ray cluster that runs them, as `ray.init` takes it; None runs them on this machine.

    Raises:
        ImportError: Ray is asked for and not installed.
    """
    with _backend(ray):
        streams = get_active_backend()[0].supports_return_generator
        size = len(tasks) if streams else workers * _ROUND
        parallel = Parallel(n_jobs=workers, return_as="generator" if streams else "list")
        for start in range(0, len(tasks), max(size, 1)):
            these = tasks[start : start + size]
            yield from _closing(these, parallel(delayed(tournament.play)(task) for task in these))


def _closing(tasks: list[Task], work: Iterable[DealResults]) -> Iterator[tuple[Task, DealResults]]:
    try:
        yield from zip(tasks, work, strict=True)
    finally:
        if hasattr(work, "close"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # joblib's, of the tasks that it gives up
                work.close()


@contextmanager
def _backend(ray: str | None) -> Iterator[None]:
    if ray is None:
        yield
        return
    try:
        import ray as cluster
        from ray.util.joblib import register_ray
    except ImportError as error:
        raise ImportError(f"{error}: a Ray cluster needs pip install 'domino-envs[ray]'") from None
    cluster.init(address=ray, ignore_reinit_error=True)
    register_ray()
    with parallel_config(backend="ray"):
        yield


def gather(work: Iterator[tuple[Task, DealResults]], keep: Callable[[Task, DealResults], None]) -> None:
    """Hands every result to `keep` as it comes; the first Ctrl-C gives the rest up."""
    try:
        for task, results in work:
            keep(task, results)
    except KeyboardInterrupt:
        work.close()
