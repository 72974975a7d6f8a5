"""What the rule player weighs in the line games: features of the position after a move.

All of them follow from what the mover may know. Where a hidden tile would decide, they take its chance: a seat holds an
unseen tile the more likely, the more of its tiles can be that one by what it drew and passed on.
"""

from typing import NamedTuple

import numpy as np

from domino_agents.weighing import best_action, expected_best, hand_is_over, points_ahead, weighed
from domino_envs.core import game as dispatch
from domino_envs.core.game import Game
from domino_envs.core.jit import njit
from domino_envs.core.line import NO_END
from domino_envs.core.sampling import count_legal, only_action
from domino_envs.core.scoring import side_of
from domino_envs.core.tiles import BONEYARD, HIGH, LOW, PIPS, is_double

FEATURES = (
    "points",  # own credit less the mean of the other sides'
    "shed",  # pips of the tile, share of the heaviest tile's
    "shed_late",  # the same, divided by the tiles in the smallest hand of the others
    "double",  # 1 for a double
    "fitting",  # own tiles that fit an open end, share of those left
    "covered",  # open ends that an own tile fits, share of them
    "stuck",  # 1 where no own tile fits
    "variety",  # numbers in the own hand, share of all
    "next_stuck",  # chance that the next seat cannot place
    "partner_stuck",  # chance that the partner cannot
    "others_stuck",  # chance that one of the other opponents cannot, their mean
    "reply",  # points that the next seat's best reply is expected to gain it
)
POINTS, SHED, SHED_LATE, DOUBLE, FITTING, COVERED, STUCK, VARIETY, NEXT, PARTNER, OTHERS, REPLY = range(len(FEATURES))
GAINS = 64  # replies that gain more points than this count as gaining so many


class LineWeigher(NamedTuple):
    """The weights of the features, and what actions are weighed in."""

    weights: np.ndarray  # float64[len(FEATURES)]
    tables: np.ndarray  # records[3]: after the move, after a reply, and one whose stream decides by lot
    chances: np.ndarray  # float64[num_players, num_tiles]
    gain_chances: np.ndarray  # float64[GAINS + 1]
    features: np.ndarray  # float64[num_actions, len(FEATURES)]
    worths: np.ndarray  # float64[num_actions]


def new_weigher(game: Game, weights: np.ndarray) -> LineWeigher:
    """Returns what weighs the actions of a game by some weights."""
    chances = np.zeros((game.num_players, *game.state_dtype["owner"].shape))
    features = np.zeros((game.num_actions, len(FEATURES)))
    return LineWeigher(weights, game.new_states(3), chances, np.zeros(GAINS + 1), features, np.zeros(game.num_actions))


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
    after, reply = weigher.tables[0:1], weigher.tables[1:2]
    find_chances(state, state.player, weigher.chances)
    for action in range(len(mask)):
        if mask[action]:
            features = weigher.features[action]
            after[0] = state
            dispatch.step(after[0], rules, action)
            line_features(state, after[0], rules, action, weigher.chances, reply, weigher.gain_chances, features)
            weigher.worths[action] = weighed(weigher.weights, features)


@njit
def find_chances(state, seat, chances):
    """Writes into `chances[num_players, num_tiles]` how likely each other seat holds each tile that `seat` cannot see."""
    for other in range(len(state.hand_sizes)):
        total = 0
        for tile in range(len(state.owner)):
            hidden = state.owner[tile] >= BONEYARD and state.owner[tile] != seat  # the others are places on the table
            places = _open_places(state, other, tile) if hidden and other != seat else 0
            chances[other, tile] = places
            total += places
        for tile in range(len(state.owner)):
            if chances[other, tile] > 0.0:
                chances[other, tile] = min(1.0, chances[other, tile] * state.hand_sizes[other] / total)


@njit
def _open_places(state, other, tile):
    """Returns how many tiles in the hand of `other` can be `tile`, as far as its draws and passes tell."""
    places = np.int64(state.hand_sizes[other])
    for number in (LOW[tile], HIGH[tile]):
        since = state.draws_since_missing[other, number]
        if since >= 0:
            places = min(places, since)
    return places


@njit
def line_features(before, after, rules, action, chances, scratch, gain_chances, features):
    """Writes what the move `action` from `before` to `after` is weighed by; of a draw, a pass or a hand's end, its points."""
    seat = before.player
    for feature in range(len(features)):
        features[feature] = 0.0
    features[POINTS] = points_ahead(after, before, rules, side_of(rules, seat))
    if action >= rules.draw_action or hand_is_over(after, before.hands_played):
        return
    tile = action // len(before.ends)
    features[SHED] = PIPS[tile] / (2 * rules.max_pip)
    features[SHED_LATE] = features[SHED] / _smallest_hand(after, seat)
    features[DOUBLE] = is_double(tile)
    open_numbers = _open_numbers(after)
    _weigh_hand(after, seat, open_numbers, features)
    _weigh_others(after, rules, seat, open_numbers, chances, features)
    features[REPLY] = _expected_reply(
        after, rules, seat, open_numbers, chances[(seat + 1) % rules.num_players], scratch, gain_chances
    )


@njit
def _smallest_hand(state, seat):
    smallest = len(state.owner)
    for other in range(len(state.hand_sizes)):
        if other != seat:
            smallest = min(smallest, state.hand_sizes[other])
    return max(smallest, 1)


@njit
def fits_arm(state, arm, tile):
    return state.ends[arm] != NO_END and (state.ends[arm] == LOW[tile] or state.ends[arm] == HIGH[tile])


@njit
def _bits(tile):
    """Returns a tile's numbers as a set: bit k is number k."""
    one = np.int64(1)  # uncompiled, small integers do not grow
    return (one << LOW[tile]) | (one << HIGH[tile])


@njit
def _open_numbers(state):
    """Returns the numbers of the ends as a set of bits."""
    numbers = np.int64(0)
    for arm in range(len(state.ends)):
        if state.ends[arm] != NO_END:
            numbers |= np.int64(1) << state.ends[arm]
    return numbers


@njit
def _weigh_hand(state, seat, open_numbers, features):
    """Weighs how the tiles left in the own hand go with the open ends."""
    fitting = covered = open_ends = variety = 0
    held = np.int64(0)
    for tile in range(len(state.owner)):
        if state.owner[tile] == seat:
            held |= _bits(tile)
            fitting += (_bits(tile) & open_numbers) != 0
    for arm in range(len(state.ends)):
        if state.ends[arm] != NO_END:
            open_ends += 1
            covered += (held >> state.ends[arm]) & 1
    numbers = state.draws_since_missing.shape[1]
    for number in range(numbers):
        variety += (held >> number) & 1
    features[FITTING] = fitting / max(state.hand_sizes[seat], 1)
    features[COVERED] = covered / max(open_ends, 1)
    features[STUCK] = fitting == 0
    features[VARIETY] = variety / numbers


@njit
def _weigh_others(state, rules, seat, open_numbers, chances, features):
    """Weighs how likely each other seat cannot place on the open ends."""
    others = 0
    for turn in range(1, rules.num_players):
        other = (seat + turn) % rules.num_players
        stuck = _chance_stuck(open_numbers, chances[other])
        if side_of(rules, other) == side_of(rules, seat):
            features[PARTNER] = stuck
        elif turn == 1:
            features[NEXT] = stuck
        else:
            features[OTHERS] += stuck
            others += 1
    features[OTHERS] /= max(others, 1)


@njit
def _chance_stuck(open_numbers, chances):
    stuck = 1.0
    for tile in range(len(chances)):
        if chances[tile] > 0.0 and _bits(tile) & open_numbers:
            stuck *= 1.0 - chances[tile]
    return stuck


@njit
def _expected_reply(state, rules, seat, open_numbers, chances, scratch, gain_chances):
    """Returns the points that the next seat expects of the best tile it holds, were it to go by points alone."""
    replier = (seat + 1) % rules.num_players
    # Where the line scores nothing, only the hand's end pays.
    pays = rules.ends_count or rules.doubles_score or state.hand_sizes[replier] == 1
    if state.player != replier or not pays:
        return 0.0
    for gain in range(GAINS + 1):
        gain_chances[gain] = 1.0
    for tile in range(len(state.owner)):
        if chances[tile] > 0.0 and _bits(tile) & open_numbers:
            gain_chances[_best_gain(state, rules, replier, tile, scratch)] *= 1.0 - chances[tile]
    return expected_best(gain_chances)


@njit
def _best_gain(state, rules, replier, tile, scratch):
    """Returns the most points that a seat gains by laying `tile`, were it in its hand; from 0 to `GAINS`."""
    best = 0
    for arm in range(len(state.ends)):
        if fits_arm(state, arm, tile):
            scratch[0] = state
            scratch[0].owner[tile] = replier
            dispatch.step(scratch[0], rules, tile * len(state.ends) + arm)
            best = max(best, np.int64(points_ahead(scratch[0], state, rules, side_of(rules, replier))))
    return min(best, GAINS)
