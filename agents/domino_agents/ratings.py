"""Bradley-Terry ratings from the payoff matrix, in Elo units, with intervals over deals.

The fit is a batch fit (choix), so the order of the games plays no part; a small prior keeps unbeaten agents finite.
Source: Caron and Doucet, "Efficient Bayesian inference for generalized Bradley-Terry models", 2012.
"""

import choix
import numpy as np

ELO = 400.0 / np.log(10.0)
PRIOR = 0.01  # wins added to either side of every pairing, as a share of its deals
_RESAMPLES = 200


def bradley_terry(shares: np.ndarray) -> np.ndarray:
    """Returns ratings `[M]` in Elo units, the first agent's 0, from `shares[M, M]`: win share of row against column.

    A pairing that was not played is NaN both ways; agents of which no chain of pairings reaches the first are refused.
    """
    size = len(shares)
    played = np.isfinite(shares)
    _check_connected(played)
    wins = np.where(played, np.nan_to_num(shares) + PRIOR, 0.0)
    np.fill_diagonal(wins, 0.0)
    strengths = choix.ilsr_pairwise_dense(wins, alpha=0.0, initial_params=np.zeros(size))
    return (strengths - strengths[0]) * ELO


def _check_connected(played: np.ndarray) -> None:
    reached = {0}
    while True:
        more = {other for agent in reached for other in np.flatnonzero(played[agent])} - reached
        if not more:
            break
        reached |= more
    if len(reached) < len(played):
        lost = sorted(set(range(len(played))) - reached)
        raise ValueError(f"agents {lost} never met the others: their ratings cannot be compared")


def rate(wins: dict[tuple[int, int], np.ndarray], size: int, sides: int = 2, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns ratings `[M]` and their 95 % intervals by resampling deals, the same deals for all pairings.

    Args:
        wins: by pairing `(i, j)`, the win share of every deal of one i against `sides - 1` copies of j; all pairings of
            the same deals in the same order.
    """
    deals = len(next(iter(wins.values())))
    rng = np.random.default_rng(seed)
    ratings = bradley_terry(_shares(wins, size, sides, np.arange(deals)))
    resampled = np.array([bradley_terry(_shares(wins, size, sides, rng.integers(deals, size=deals))) for _ in range(_RESAMPLES)])
    low, high = np.percentile(resampled, [2.5, 97.5], axis=0)
    return ratings, low, high


def _shares(wins: dict[tuple[int, int], np.ndarray], size: int, sides: int, deals: np.ndarray) -> np.ndarray:
    """Returns two-sided win shares; of pairings that were played both ways, the mean."""
    found: dict[tuple[int, int], list[float]] = {}
    for (one, other), per_deal in wins.items():
        share = two_sided(float(per_deal[deals].mean()), sides)
        found.setdefault((one, other), []).append(share)
        found.setdefault((other, one), []).append(1.0 - share)
    shares = np.full((size, size), np.nan)
    for pairing, values in found.items():
        shares[pairing] = np.mean(values)
    return shares


def two_sided(share: float, sides: int) -> float:
    """Returns the share that an agent of equal strength would win of one opponent instead of `sides - 1`.

    By Plackett and Luce: strength a wins a / (a + (sides - 1) b), so that the odds against one are (sides - 1) times
    as good.
    """
    return share * (sides - 1) / (share * (sides - 1) + 1.0 - share)
