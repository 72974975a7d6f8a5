"""A ranking: every pairing of some agents over the same deals, with intervals, ratings, and what ratings leave out."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from domino_agents import payoffs
from domino_agents.arena import DealResults, DealStream, decision_times, joined, num_sides
from domino_agents.files import locked
from domino_agents.intervals import Estimate, estimate
from domino_agents.ratings import Ratings, Step, expected_wins, order, rate, steps, tied
from domino_agents.record import Rows, write_times
from domino_agents.tournament import Tournament, gather, one_torch_thread, play_tasks
from domino_envs.core.game import Game
from domino_envs.core.integers import check_integer


class Pairing(NamedTuple):
    """What one agent did against another (where there are more than two sides: against copies of it on all the others)."""

    first: str
    second: str
    wins: Estimate  # share of the wins; even is 1 / sides
    points: Estimate  # own points less the mean of the other sides'


class Company(NamedTuple):
    """What an agent did at the mixed tables, where all sides are played by different agents."""

    agent: str
    tables: int
    wins: Estimate
    points: Estimate


class Effort(NamedTuple):
    """What an agent's play cost, and whether it kept to the rules."""

    illegal: int  # attempts, over all tables
    decisions: int
    mean_ms: float  # of a decision asked for alone
    p99_ms: float
    timed: int  # decisions


class Residual(NamedTuple):
    """Where the ratings foretell the results worst."""

    table: list[str]  # the agent on each side
    agent: str
    wins: Estimate
    expected: float


@dataclass(frozen=True)
class Ranking:
    """The results of a tournament and what follows from them; agents come best first.

    Attributes:
        tournament: what was played.
        results: by table, over the same deals.
        asked: deals asked for; more than `deals` where the ranking was interrupted.
        anchor: the agent whose rating is 0.
        times: by agent, seconds of single decisions.
        manifest: what made the numbers, and where.
    """

    tournament: Tournament
    results: list[DealResults]
    asked: int
    anchor: str
    times: dict[str, np.ndarray]
    manifest: dict[str, Any]

    @property
    def game(self) -> Game:
        """What was played."""
        return self.tournament.game

    @property
    def deals(self) -> int:
        """Deals that every table has played."""
        return len(self.results[0].deals)

    @property
    def even(self) -> float:
        """The win share of equals."""
        return 1.0 / num_sides(self.game)

    @cached_property
    def agents(self) -> list[str]:
        """The agents by rating, best first."""
        return [self.tournament.agents[place] for place in order(self._ratings)]

    @cached_property
    def _seats(self) -> np.ndarray:
        return np.array(self.tournament.tables)

    @cached_property
    def _ratings(self) -> Ratings:
        by_table = []
        for seats, results in zip(self.tournament.tables, self.results, strict=True):
            column = {agent: place for place, agent in enumerate(dict.fromkeys(seats))}
            by_table.append(results.wins[:, [column[agent] for agent in seats]])
        return rate(self._seats, np.stack(by_table, axis=1), self.tournament.agents.index(self.anchor))

    @cached_property
    def ratings(self) -> dict[str, tuple[float, float, float]]:
        """Rating and its 95 % interval in Elo units, by agent, best first."""
        rows = np.stack(self._ratings[:3], axis=1).tolist()
        return {agent: tuple(rows[self.tournament.agents.index(agent)]) for agent in self.agents}

    @cached_property
    def tied(self) -> dict[str, list[str]]:
        """By agent, the others whose rating does not differ from its own at 95 %."""
        level, number = tied(self._ratings), self.tournament.agents.index
        return {
            one: [other for other in self.agents if other != one and level[number(one), number(other)]] for one in self.agents
        }

    @cached_property
    def steps(self) -> list[tuple[str, str, Step]]:
        """The steps down the ranking: which of them may be claimed."""
        names = self.tournament.agents
        return [(names[step.above], names[step.below], step) for step in steps(self._ratings)]

    @cached_property
    def shares(self) -> dict[tuple[int, int], Estimate]:
        """The payoff matrix: win shares of one agent against another, both ways round, by their places in `agents`."""
        pairs = permutations(range(len(self.agents)), 2)
        return {pair: estimate(self._of_pair(pair, "wins")) for pair in pairs}

    def _of_pair(self, pair: tuple[int, int], what: str) -> np.ndarray:
        """Returns what every deal of a pairing gave its first agent, `[K]`."""
        one, other = (self.tournament.agents.index(self.agents[place]) for place in pair)
        seats, tables = (one, *[other] * (num_sides(self.game) - 1)), self.tournament.tables
        table, column = (tables.index(seats), 0) if seats in tables else (tables.index(seats[::-1]), 1)
        return getattr(self.results[table], what)[:, column]

    @cached_property
    def pairings(self) -> list[Pairing]:
        """The pairings, the better agent first; both ways round where there are more than two sides."""
        pairs = [pair for pair in self.shares if self.even < 0.5 or pair[0] < pair[1]]
        return [
            Pairing(*(self.agents[place] for place in pair), self.shares[pair], estimate(self._of_pair(pair, "points")))
            for pair in pairs
        ]

    @cached_property
    def company(self) -> list[Company]:
        """What every agent did at the mixed tables, if there are any."""
        found = []
        for agent in self.agents:
            place = self.tournament.agents.index(agent)
            own = [
                (results, seats.index(place))
                for seats, results in zip(self.tournament.tables, self.results, strict=True)
                if place in seats and len(set(seats)) == num_sides(self.game) > 2
            ]
            if own:
                wins = np.mean([results.wins[:, column] for results, column in own], axis=0)
                points = np.mean([results.points[:, column] for results, column in own], axis=0)
                found.append(Company(agent, len(own), estimate(wins), estimate(points)))
        return found

    @cached_property
    def effort(self) -> dict[str, Effort]:
        """What every agent's play cost."""
        found = {}
        for agent in self.agents:
            own = [
                (results, self.tournament.players(table).index(agent))
                for table, results in enumerate(self.results)
                if agent in self.tournament.players(table)
            ]
            illegal, decisions = (
                sum(int(getattr(results, name)[:, column].sum()) for results, column in own)
                for name in ("illegal", "decisions")
            )
            times = 1_000 * self.times[agent]
            found[agent] = Effort(illegal, decisions, float(times.mean()), float(np.percentile(times, 99)), len(times))
        return found

    @cached_property
    def leads(self) -> dict[tuple[int, int], Estimate]:
        """By places in `agents`, what the better-rated has over the other: half the difference of their win shares."""
        shares = {pair: self._of_pair(pair, "wins") for pair in self.shares}
        return payoffs.leads(shares, len(self.agents))

    @cached_property
    def cycles(self) -> list[tuple[str, ...]]:
        """Triples of which each beats the next and the last the first, each at 95 %."""
        found = payoffs.cycles(self.leads, len(self.agents))
        return [tuple(self.agents[place] for place in triple) for triple in found]

    @cached_property
    def mixture(self) -> dict[str, float]:
        """The mixture of agents that no agent beats, by the measured leads."""
        weights = payoffs.maxmin_mixture(payoffs.matrix(self.leads, len(self.agents)))
        return dict(zip(self.agents, weights.tolist(), strict=True))

    @cached_property
    def residual(self) -> Residual:
        """The side of a table whose win share is furthest from what the ratings foretell."""
        expected, worst = expected_wins(self._seats, self._ratings.elo), (0, 0, -1.0)
        for table, (seats, results) in enumerate(zip(self.tournament.tables, self.results, strict=True)):
            for column, agent in enumerate(dict.fromkeys(seats)):
                off = abs(results.wins[:, column].mean() - expected[table, seats.index(agent)])
                worst = max(worst, (table, column, off), key=lambda found: found[2])
        table, column, _ = worst
        seats, agent = self.tournament.tables[table], list(dict.fromkeys(self.tournament.tables[table]))[column]
        return Residual(
            table=[self.tournament.agents[seat] for seat in seats],
            agent=self.tournament.agents[agent],
            wins=estimate(self.results[table].wins[:, column]),
            expected=float(expected[table, seats.index(agent)]),
        )


def rank(
    game: Game,
    agents: list[str],
    deals: int = 1_000,
    stream: DealStream | None = None,
    *,
    workers: int = 1,
    ray: str | None = None,
    out: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Ranking:
    """Plays all tables and returns the ranking; neither workers nor the order of agents change anything.

    Args:
        agents: two or more names or paths of checkpoints, all different; `random`, or else the first, has rating 0.
        deals: duplicate deals for every table.
        stream: where the deals come from.
        workers: processes.
        ray: the address of a Ray cluster that runs them; None runs them here.
        out: a folder for the rows, written as they are played; where it holds the same ranking already, that is gone on with.
        progress: is told how many of how many chunks are done.

    Raises:
        TypeError: deals or workers that are no integers.
        ValueError: too few agents, a name twice, one that is unknown, privileged or a person, too few deals or workers, or a
            folder that holds another ranking.
        BlockingIOError: another process writes in the folder.
        KeyboardInterrupt: before every table has played a chunk; a later one ranks by the deals that all have played.
    """
    deals, workers = check_integer("deals", deals, 1), check_integer("workers", workers, 1)
    if deals < 2:
        raise ValueError(f"deals must be 2 or more, for there to be an interval, got {deals}")
    tournament = Tournament(game, tuple(agents), stream or DealStream())
    with nullcontext() if out is None else locked(out):
        rows = _played(tournament, deals, out, workers, ray, progress or (lambda done, total: None))
        whole = rows.whole()
        if not whole[0]:
            raise KeyboardInterrupt("before every table had played")
        times = _times(tournament)
        if out is not None:
            write_times(out, times)
    anchor = "random" if "random" in tournament.agents else tournament.first
    return Ranking(tournament, [joined(parts) for parts in whole], deals, anchor, times, rows.manifest)


def _played(
    tournament: Tournament,
    deals: int,
    out: Path | None,
    workers: int,
    ray: str | None,
    tell: Callable[[int, int], None],
) -> Rows:
    """Returns the results of every table that are there and those that are played now, until all are or Ctrl-C."""
    rows, asked = Rows(tournament, deals, out), len(tournament.tasks(deals))

    def keep(task, results):
        rows.add(task, results)
        tell(len(rows.parts), asked)

    tell(len(rows.parts), asked)
    gather(play_tasks(tournament, rows.missing(), workers, ray), keep)
    return rows


def _times(tournament: Tournament) -> dict[str, np.ndarray]:
    """Returns by agent the seconds of single decisions, on one thread."""
    try:
        with one_torch_thread():
            return {name: decision_times(tournament.game, tournament.loaded[name]) for name in tournament.agents}
    except KeyboardInterrupt:
        raise KeyboardInterrupt("while decisions were timed") from None
