"""Plackett-Luce ratings in Elo units, with intervals over deals; for two sides the model is Bradley and Terry's.

At a table of strengths `s`, a side wins with probability `s / sum of the table's s`. The fit (choix) takes all tables at
once, so the order of games plays no part; a small prior keeps unbeaten agents finite.

Sources: Luce, "Individual choice behavior", 1959; Maystre and Grossglauser, "Fast and accurate inference of Plackett-Luce
models", NeurIPS 2015 (the fit); Caron and Doucet, "Efficient Bayesian inference for generalized Bradley-Terry models", 2012
(the prior); Holm, "A simple sequentially rejective multiple test procedure", 1979.
"""

from itertools import pairwise
from typing import NamedTuple

import choix
import numpy as np

ELO = 400.0 / np.log(10.0)
PRIOR = 0.5  # deals that every side of every table is taken to have won besides: a draw with everybody
_RESAMPLES = 1_000
_RESAMPLES_A_STEP = (
    80  # the smallest p-value, 2 / (resamples + 1), times the number of steps is then half of what is claimed at
)
_MOST_ROUNDS = 500


class Ratings(NamedTuple):
    """The ratings of `M` agents, in Elo units."""

    elo: np.ndarray  # [M]
    low: np.ndarray  # [M], bounds of the 95 % intervals over deals
    high: np.ndarray  # [M]
    resampled: np.ndarray  # [B, M], from resampled deals, the same deals for all tables


class Step(NamedTuple):
    """A step down the ranking, from one agent to the next."""

    above: int
    below: int
    p: float  # that a difference as clear arises between equals, corrected by Holm for the number of steps

    @property
    def clear(self) -> bool:
        """Whether the order of the two may be claimed."""
        return self.p < 0.05


def plackett_luce(seats: np.ndarray, won: np.ndarray, near: np.ndarray | None = None, tolerance: float = 1e-9) -> np.ndarray:
    """Returns logarithms of strengths `[M]`, of mean 0: the maximum of the likelihood of who won at every table.

    Args:
        seats: `int[T, S]`, the agent on each of a table's sides; an agent may sit there more than once.
        won: `[T, S]`, how many deals each side won, the prior's included.
        near: logarithms to start from; they make the fit faster and change nothing.
        tolerance: the largest change of a logarithm at which the fit ends.

    Raises:
        ValueError: no chain of tables leads from one agent to another.
        RuntimeError: the fit does not converge.
    """
    size = int(seats.max()) + 1
    places = seats[:, :, None] == np.arange(size)
    wins, counts = (won[:, :, None] * places).sum(1), places.sum(1)
    beaten = wins[:, :, None] * counts[:, None, :] * (1 - np.eye(size))  # [T, M, M]: of the row against the column
    _check_connected(beaten.sum(0) + beaten.sum(0).T > 0)
    logs = np.zeros(size) if near is None else near
    for _ in range(_MOST_ROUNDS):
        strengths = np.exp(logs)
        # A table of many counts as a pair whose strengths add up to as much: choix then makes the step of its `top1` fit.
        wins_over = np.tensordot(1.0 / (counts @ strengths), beaten, 1) * (strengths[:, None] + strengths)
        last, logs = logs, choix.lsr_pairwise_dense(wins_over, initial_params=logs)
        if np.abs(logs - last).max() < tolerance:
            return logs
    raise RuntimeError(f"the ratings did not converge in {_MOST_ROUNDS} rounds")


def _check_connected(met: np.ndarray) -> None:
    reached = {0}
    while True:
        more = {other for agent in reached for other in np.flatnonzero(met[agent]).tolist()} - reached
        if not more:
            break
        reached |= more
    if len(reached) < len(met):
        lost = sorted(set(range(len(met))) - reached)
        raise ValueError(f"agents {lost} never met the others: their ratings cannot be compared")


def rate(seats: np.ndarray, wins: np.ndarray, anchor: int = 0, resamples: int | None = None) -> Ratings:
    """Returns ratings with 95 % intervals by resampling deals, the same deals for all tables.

    Args:
        seats: `int[T, S]`, the agent on each of a table's sides.
        wins: `[K, T, S]`, the win share of each side on every deal; all tables play the same deals.
        anchor: the agent whose rating is 0.
        resamples: how many; None takes as many as claims about every step down the ranking need.
    """
    deals = len(wins)
    logs = plackett_luce(seats, wins.sum(0) + PRIOR)
    rng = np.random.default_rng(0)
    resampled = np.zeros((resamples or max(_RESAMPLES, _RESAMPLES_A_STEP * (len(logs) - 1)), len(logs)))
    for row in range(len(resampled)):
        drawn = np.bincount(rng.integers(deals, size=deals), minlength=deals)
        resampled[row] = plackett_luce(seats, np.tensordot(drawn, wins, 1) + PRIOR, logs, tolerance=1e-5)
    elo, resampled = (ELO * (values - values[..., anchor, None]) for values in (logs, resampled))
    return Ratings(elo, *np.percentile(resampled, [2.5, 97.5], axis=0), resampled)


def expected_wins(seats: np.ndarray, elo: np.ndarray) -> np.ndarray:
    """Returns the win share `[T, S]` that ratings foretell for each side of every table."""
    strengths = np.exp((elo - elo.max()) / ELO)[seats]
    return strengths / strengths.sum(1, keepdims=True)


def tied(ratings: Ratings) -> np.ndarray:
    """Returns `bool[M, M]`: the 95 % interval of the difference of two ratings holds 0."""
    differences = ratings.resampled[:, :, None] - ratings.resampled[:, None, :]
    low, high = np.percentile(differences, [2.5, 97.5], axis=0)
    return (low <= 0) & (high >= 0)


def order(ratings: Ratings) -> list[int]:
    """Returns the agents by rating, best first; level ones by their number."""
    return np.argsort(-ratings.elo, kind="stable").tolist()


def steps(ratings: Ratings) -> list[Step]:
    """Returns the steps down the ranking, with Holm's correction for their number."""
    down = order(ratings)
    pairs = list(pairwise(down))
    differences = ratings.resampled[:, down[:-1]] - ratings.resampled[:, down[1:]]
    extremes = np.minimum((differences <= 0).sum(0), (differences >= 0).sum(0))
    raw = np.minimum(1.0, 2 * (extremes + 1) / (len(differences) + 1))
    return [Step(*pair, p) for pair, p in zip(pairs, holm(raw).tolist(), strict=True)]


def holm(p_values: np.ndarray) -> np.ndarray:
    """Returns p-values corrected so that the chance of even one false claim stays at the level tested."""
    count, sorting = len(p_values), np.argsort(p_values)
    stepped = np.maximum.accumulate(p_values[sorting] * np.arange(count, 0, -1))
    corrected = np.empty(count)
    corrected[sorting] = np.minimum(stepped, 1.0)
    return corrected
