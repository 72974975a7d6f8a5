"""Bradley-Terry ratings from the payoff matrix, in Elo units, with intervals over deals.

The fit is a batch fit (choix), so the order of the games plays no part; a small prior keeps unbeaten agents finite.
Source: Caron and Doucet, "Efficient Bayesian inference for generalized Bradley-Terry models", 2012.
"""

import choix
import numpy as np

ELO = 400.0 / np.log(10.0)
PRIOR = 0.5  # deals that either side of every pairing is taken to have won besides: a draw with everybody
_RESAMPLES = 1_000


def bradley_terry(shares: np.ndarray, deals: int, anchor: int = 0, near: np.ndarray | None = None) -> np.ndarray:
    """Returns ratings `[M]` in Elo units from `shares[M, M]`: win share of row against column over `deals` deals.

    Args:
        shares: NaN both ways for a pairing that was not played, and for an agent against itself.
        deals: how many each pairing played; they outweigh the prior.
        anchor: the agent whose rating is 0.
        near: ratings to start from; they make the fit faster and change nothing.

    Raises:
        ValueError: no chain of pairings leads from one agent to another.
    """
    played = np.isfinite(shares)
    _check_connected(played)
    wins = np.where(played, np.nan_to_num(shares) * deals + PRIOR, 0.0)
    np.fill_diagonal(wins, 0.0)
    start = np.zeros(len(shares)) if near is None else near / ELO
    strengths = choix.ilsr_pairwise_dense(wins, alpha=0.0, initial_params=start)
    return (strengths - strengths[anchor]) * ELO


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


def rate(
    wins: dict[tuple[int, int], np.ndarray], size: int, sides: int = 2, anchor: int = 0, seed: int = 0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns ratings `[M]` and the bounds of their 95 % intervals, by resampling deals, the same deals for all pairings.

    Args:
        wins: by pairing `(i, j)`, the win share of every deal of one i against `sides - 1` copies of j; all pairings of
            the same deals in the same order.
        size: the number `M` of agents.
        sides: of the game.
        anchor: the agent whose rating is 0.
        seed: of the resampling.
    """
    deals = len(next(iter(wins.values())))
    rng = np.random.default_rng(seed)
    ratings = bradley_terry(_shares(wins, size, sides, np.arange(deals)), deals, anchor)
    samples = (rng.integers(deals, size=deals) for _ in range(_RESAMPLES))
    resampled = [bradley_terry(_shares(wins, size, sides, sample), deals, anchor, near=ratings) for sample in samples]
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
