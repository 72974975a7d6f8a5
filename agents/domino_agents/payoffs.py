"""What a rating leaves out: the payoff matrix, cycles, the mixture that nobody beats.

Sources: Balduzzi et al., "Re-evaluating evaluation", NeurIPS 2018 (mixtures over agents as a game); Balduzzi et al.,
"Open-ended learning in symmetric zero-sum games", ICML 2019 (cycles).
"""

from itertools import combinations

import numpy as np
from scipy.optimize import linprog

from domino_agents.intervals import Estimate, estimate


def lead(wins: np.ndarray, against: np.ndarray) -> np.ndarray:
    """Returns half the difference of two agents' win shares, a deal each: what one has over the other.

    Args:
        wins: `[K]`, of the one against the other (where there are more sides: against copies of it).
        against: `[K]`, of the other against the one.
    """
    return (np.asarray(wins) - np.asarray(against)) / 2


def leads(shares: dict[tuple[int, int], np.ndarray], size: int) -> dict[tuple[int, int], Estimate]:
    """Returns by pair `(i, j)`, `i < j`, what `i` has over `j`; `shares[i, j][K]` are win shares, both ways round."""
    return {(i, j): estimate(lead(shares[i, j], shares[j, i])) for i, j in combinations(range(size), 2)}


def cycles(pairs: dict[tuple[int, int], Estimate], size: int) -> list[tuple[int, int, int]]:
    """Returns the triples in which each agent beats the next and the last the first, each at 95 %."""
    beats = np.zeros((size, size), bool)
    for (one, other), ahead in pairs.items():
        beats[one, other], beats[other, one] = ahead.low > 0, ahead.high < 0
    found = []
    for one, two, three in combinations(range(size), 3):
        for triple in ((one, two, three), (one, three, two)):
            if all(beats[a, b] for a, b in zip(triple, (*triple[1:], triple[0]), strict=True)):
                found.append(triple)
    return found


def maxmin_mixture(payoffs: np.ndarray) -> np.ndarray:
    """Returns the mixture over agents, `[M]`, whose worst mean payoff against any agent is best (a linear program).

    Args:
        payoffs: `[M, M]`, antisymmetric, of the row against the column: the mixture's worst payoff is then 0.
    """
    size = len(payoffs)
    # Maximise v over mixtures x and v, such that x's payoff against every column is v or more.
    result = linprog(
        c=[*[0.0] * size, -1.0],
        A_ub=np.column_stack([-payoffs.T, np.ones(size)]),
        b_ub=np.zeros(size),
        A_eq=[[*[1.0] * size, 0.0]],
        b_eq=[1.0],
        bounds=[*[(0, None)] * size, (None, None)],
    )
    if not result.success:
        raise RuntimeError(f"the linear program of the mixture failed: {result.message}")
    return np.clip(result.x[:size], 0.0, None)


def matrix(pairs: dict[tuple[int, int], Estimate], size: int) -> np.ndarray:
    """Returns the antisymmetric payoff matrix `[M, M]` of `leads`."""
    payoffs = np.zeros((size, size))
    for (one, other), ahead in pairs.items():
        payoffs[one, other], payoffs[other, one] = ahead.mean, -ahead.mean
    return payoffs
