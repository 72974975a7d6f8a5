"""Estimates with 95 % intervals; the deal is the unit."""

from typing import NamedTuple

import numpy as np
from scipy.stats import bootstrap

RESAMPLES = 2_000
_MOST_CORRECTED = 1_000  # deals; the correction's work grows with their square, and what it corrects shrinks to nothing


class Estimate(NamedTuple):
    """A mean with its 95 % interval over `deals` deals."""

    mean: float
    low: float
    high: float
    deals: int

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def estimate(per_deal: np.ndarray, *, confidence: float = 0.95) -> Estimate:
    """Returns the mean of one number a deal with its bootstrap interval (scipy.stats.bootstrap).

    The interval is bias-corrected and accelerated up to a thousand deals, and of percentiles beyond. Where all deals are
    alike it is that point; it is unknown (infinite) for a single deal.

    Args:
        per_deal: `[K]`, one number a deal: the mean over its replays, which share its luck.
        confidence: of the interval.

    Raises:
        ValueError: not one number a deal.
    """
    per_deal = np.asarray(per_deal, float)
    if per_deal.ndim != 1 or len(per_deal) == 0:
        raise ValueError(f"per_deal must hold one number a deal, got shape {per_deal.shape}")
    mean, count = float(per_deal.mean()), len(per_deal)
    if count == 1:
        return Estimate(mean, -np.inf, np.inf, 1)
    if np.ptp(per_deal) == 0:
        return Estimate(mean, mean, mean, count)
    result = bootstrap(
        (per_deal,),
        np.mean,
        confidence_level=confidence,
        n_resamples=max(RESAMPLES, round(100 / (1 - confidence))),  # fifty beyond either end
        batch=100,
        vectorized=True,
        method="BCa" if count <= _MOST_CORRECTED else "percentile",
        rng=np.random.default_rng(0),
    )
    low, high = result.confidence_interval
    return Estimate(mean, float(low), float(high), count)
