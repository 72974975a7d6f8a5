"""What weighing positions by features takes in any game."""

import numpy as np

from domino_envs.core.jit import njit
from domino_envs.core.rng import randint
from domino_envs.core.scoring import side_of


@njit
def gained(before, after, rules, seat):
    """Returns what a seat's side was credited by a move, less the mean of the other sides'."""
    own, others = 0.0, 0.0
    for side in range(rules.num_sides):
        credit = after.scores[side] - before.scores[side]
        if side == side_of(rules, seat):
            own = credit
        else:
            others += credit
    return own - others / (rules.num_sides - 1)


@njit
def expected_best(gain_chances):
    """Returns the highest gain to expect; `gain_chances[gain]` is the chance that no tile has just that gain."""
    expected, nothing_better = 0.0, 1.0
    for gain in range(len(gain_chances) - 1, 0, -1):
        expected += gain * nothing_better * (1.0 - gain_chances[gain])
        nothing_better *= gain_chances[gain]
    return expected


@njit
def weighed(weights, features):
    worth = 0.0
    for feature in range(len(features)):
        worth += weights[feature] * features[feature]
    return worth


@njit
def best_action(mask, worths, lots):
    """Returns the legal action of the highest worth; `lots.rng` decides between those that are level."""
    best, chosen, level = -np.inf, -1, 0
    for action in range(len(mask)):
        if mask[action] and worths[action] >= best:
            level = level + 1 if worths[action] == best else 1
            best = worths[action]
            if level == 1 or randint(lots, level) == 0:
                chosen = action
    return chosen
