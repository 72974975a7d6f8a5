"""Estimates with 95 % intervals; the deal is the unit."""

from typing import NamedTuple

import numpy as np
from scipy.stats import bootstrap

RESAMPLES = 2_000


class Estimate(NamedTuple):
    """A mean with its 95 % interval over `deals` deals."""

    mean: float
    low: float
    high: float
    deals: int

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def estimate(per_deal: np.ndarray, seed: int = 0) -> Estimate:
    """Returns the mean of one number a deal with its bias-corrected bootstrap interval (scipy.stats.bootstrap, BCa).

    Where all deals are alike the interval is that point; it is unknown (infinite) for a single deal.

    Args:
        per_deal: `[K]`, one number a deal: the mean over its replays, which share its luck.
        seed: of the resampling.
    """
    per_deal = np.asarray(per_deal, float)
    mean, count = float(per_deal.mean()), len(per_deal)
    if count == 1:
        return Estimate(mean, -np.inf, np.inf, 1)
    if np.ptp(per_deal) == 0:
        return Estimate(mean, mean, mean, count)
    result = bootstrap(
        (per_deal,), np.mean, vectorized=True, n_resamples=RESAMPLES, batch=100, method="BCa", rng=np.random.default_rng(seed)
    )
    low, high = result.confidence_interval
    return Estimate(mean, float(low), float(high), count)
