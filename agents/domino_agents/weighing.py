"""What weighing positions takes in any game."""

import numpy as np

from domino_envs.core.jit import njit
from domino_envs.core.rng import randint


@njit
def hand_is_over(state, hands_played):
    """Tells whether the hand before whose start `hands_played` were over has ended; the next one may have been dealt."""
    return state.done == 1 or state.hands_played != hands_played


@njit
def points_ahead(state, before, rules, side):
    """Returns the points that a side has made since `before`, less the mean of the others'."""
    total = 0
    for other in range(rules.num_sides):
        total += state.scores[other] - before.scores[other]
    own = state.scores[side] - before.scores[side]
    return own - (total - own) / (rules.num_sides - 1)


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
def best_action(mask, worths, state, lots):
    """Returns the legal action of the highest worth; those that are level go by the stream of `state`, copied to `lots`."""
    lots[0] = state
    best, chosen, level = -np.inf, -1, 0
    for action in range(len(mask)):
        if mask[action] and worths[action] >= best:
            level = level + 1 if worths[action] == best else 1
            best = worths[action]
            if level == 1 or randint(lots[0], level) == 0:
                chosen = action
    return chosen
