"""What the rule player weighs in the capture games: features of the position after a move.

A move that begins a pair is worth what its best completion is. Hands and boneyard are dealt alike: every seat holds an
unseen tile with the same chance in proportion to its hand.
"""

from typing import NamedTuple

import numpy as np

from domino_agents.weighing import best_action, expected_best, hand_is_over, points_ahead, weighed
from domino_envs.core import game as dispatch
from domino_envs.core.capture import CLAIM, NO_TILE, VALUE
from domino_envs.core.game import Game
from domino_envs.core.jit import njit
from domino_envs.core.sampling import count_legal, only_action
from domino_envs.core.scoring import side_of
from domino_envs.core.tiles import BONEYARD, HIGH, LOW, TABLE

FEATURES = (
    "points",  # own credit less the mean of the other seats'
    "pair_left",  # value of the best pair that can be claimed in the layout
    "layout",  # value of all its tiles
    "laid",  # value of the own tile that was played and not taken
    "capture_now",  # value of the best pair that an own tile makes with the layout, while the own turn goes on
    "capture_later",  # the same, once it has passed
    "kept",  # value of the tiles left in the own hand
    "reply",  # value that the next seat is expected to take with the best tile of its hand
)
POINTS, PAIR_LEFT, LAYOUT, LAID, CAPTURE_NOW, CAPTURE_LATER, KEPT, REPLY = range(len(FEATURES))
NO_VALUE = -1
GAINS = 64  # captures worth more count as worth so much


class CaptureWeigher(NamedTuple):
    """The weights of the features, and what actions are weighed in."""

    weights: np.ndarray  # float64[len(FEATURES)]
    tables: np.ndarray  # records[3]: after the move, after its completion, and one whose stream decides by lot
    mask: np.ndarray  # int8[num_actions]
    best_two: np.ndarray  # int64[num_numbers, 2]
    gain_chances: np.ndarray  # float64[GAINS + 1]
    features: np.ndarray  # float64[num_actions, len(FEATURES)]
    trial: np.ndarray  # float64[len(FEATURES)]
    worths: np.ndarray  # float64[num_actions]


def new_weigher(game: Game, weights: np.ndarray) -> CaptureWeigher:
    """Returns what weighs the actions of a game by some weights."""
    best_two = np.zeros((*game.state_dtype["layout_counts"].shape, 2), np.int64)
    mask, worths = np.zeros(game.num_actions, np.int8), np.zeros(game.num_actions)
    features, trial = np.zeros((game.num_actions, len(FEATURES))), np.zeros(len(FEATURES))
    return CaptureWeigher(weights, game.new_states(3), mask, best_two, np.zeros(GAINS + 1), features, trial, worths)


@njit
def choose_action(state, rules, mask, policy):
    """Returns the action whose position is worth most."""
    if count_legal(mask) == 1:
        return only_action(mask)
    weigh_actions(state, rules, mask, policy)
    return best_action(mask, policy.worths, state, policy.tables[2:3])


@njit
def weigh_actions(state, rules, mask, weigher):
    """Writes the features and the worth of every legal action."""
    after = weigher.tables[0:1]
    for action in range(len(mask)):
        if mask[action]:
            after[0] = state
            dispatch.step(after[0], rules, action)
            weigher.worths[action] = _worth(state, after[0], rules, action, weigher)


@njit
def _worth(before, after, rules, action, weigher):
    """Returns what a move is worth, or its best completion where a tile now waits for its partner."""
    features, trial, complete = weigher.features[action], weigher.trial, weigher.tables[1:2]
    if after.done or after.picked == NO_TILE:
        capture_features(before, after, rules, action, weigher.best_two, weigher.gain_chances, features)
        return weighed(weigher.weights, features)
    best = -np.inf
    dispatch.legal_actions(after, rules, weigher.mask)
    for partner in range(len(weigher.mask)):
        if weigher.mask[partner]:
            complete[0] = after
            dispatch.step(complete[0], rules, partner)
            capture_features(before, complete[0], rules, action, weigher.best_two, weigher.gain_chances, trial)
            worth = weighed(weigher.weights, trial)
            if worth > best:
                best = worth
                for feature in range(len(trial)):
                    features[feature] = trial[feature]
    return best


@njit
def capture_features(before, after, rules, action, best_two, gain_chances, features):
    """Writes what the move `action` from `before` to `after` is weighed by."""
    seat = before.player
    for feature in range(len(features)):
        features[feature] = 0.0
    features[POINTS] = points_ahead(after, before, rules, side_of(rules, seat))
    if after.done:
        return
    _find_best_two(after, best_two)
    features[PAIR_LEFT] = _best_pair(best_two) if rules.max_claims > 0 else 0
    features[LAYOUT] = _total(after, TABLE)
    features[LAID] = _laid(before, after, action)
    features[REPLY] = _expected_reply(after, rules, seat, best_two, gain_chances)
    if not hand_is_over(after, before.hands_played):  # else hands that nobody has seen are dealt
        features[CAPTURE_NOW if after.player == seat else CAPTURE_LATER] = _best_capture(after, seat, best_two)
        features[KEPT] = _total(after, seat)


@njit
def _find_best_two(state, best_two):
    """Writes the two highest values of the layout's tiles that bear each number into `best_two[numbers, 2]`."""
    for number in range(len(best_two)):
        best_two[number, 0] = best_two[number, 1] = NO_VALUE
    for tile in range(len(state.owner)):
        if state.owner[tile] == TABLE:
            _enter(best_two[LOW[tile]], VALUE[tile])
            if HIGH[tile] != LOW[tile]:
                _enter(best_two[HIGH[tile]], VALUE[tile])


@njit
def _enter(best, value):
    if value > best[0]:
        best[1] = best[0]
        best[0] = value
    elif value > best[1]:
        best[1] = value


@njit
def _best_pair(best_two):
    best = 0
    for number in range(len(best_two)):
        if best_two[number, 1] > NO_VALUE:
            best = max(best, best_two[number, 0] + best_two[number, 1])
    return best


@njit
def _capture(tile, best_two):
    """Returns the value of the best pair that a tile makes with the layout, 0 where it makes none."""
    partner = max(best_two[LOW[tile], 0], best_two[HIGH[tile], 0])
    return VALUE[tile] + partner if partner > NO_VALUE else 0


@njit
def _total(state, place):
    total = 0
    for tile in range(len(state.owner)):
        if state.owner[tile] == place:
            total += VALUE[tile]
    return total


@njit
def _laid(before, after, action):
    """Returns the value of the own tile that this move, or the one before it, has played and that still lies there."""
    if before.phase == CLAIM:
        return 0
    tile = action - 1 if before.picked == NO_TILE else before.picked
    return VALUE[tile] if after.owner[tile] == TABLE else 0


@njit
def _best_capture(state, seat, best_two):
    best = 0
    for tile in range(len(state.owner)):
        if state.owner[tile] == seat:
            best = max(best, _capture(tile, best_two))
    return best


@njit
def _unseen(state, seat, tile):
    return state.owner[tile] == BONEYARD or (state.owner[tile] >= 0 and state.owner[tile] != seat)


@njit
def _expected_reply(state, rules, seat, best_two, gain_chances):
    """Returns the value that the next seat expects of the best capture by a tile of its hand."""
    unseen = 0
    for tile in range(len(state.owner)):
        unseen += _unseen(state, seat, tile)
    if unseen == 0:
        return 0.0
    lacks = 1.0 - min(1.0, state.hand_sizes[(seat + 1) % rules.num_players] / unseen)
    for gain in range(len(gain_chances)):
        gain_chances[gain] = 1.0
    for tile in range(len(state.owner)):
        if _unseen(state, seat, tile):
            gain_chances[min(_capture(tile, best_two), len(gain_chances) - 1)] *= lacks
    return expected_best(gain_chances)
