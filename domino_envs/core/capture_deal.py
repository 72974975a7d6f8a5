"""Dealing the hands of capture games, all from one set until it gives no other hand; and dealing the unseen tiles anew."""

import numpy as np

from domino_envs.core.capture import NO_TILE, clear_layout, lay
from domino_envs.core.jit import njit
from domino_envs.core.rng import randint
from domino_envs.core.tiles import BONEYARD, SET_ASIDE, TABLE, shuffle

# Values of the options, in the order in which the games list them.
TO_LAYOUT, DISCARD, SHORT_HAND = 0, 1, 2  # `leftover`
RELAY_NONE, RELAY_ADD, RELAY_REPLACE = 0, 1, 2  # `relay_layout`


@njit
def deal_game(state, rules):
    """Shuffles the whole set and deals the first hand of a game."""
    shuffle(state)
    clear_layout(state)
    state.history_size = 0
    for i in range(len(state.history)):
        state.history[i] = 0
        state.history_seats[i] = 0
    deal_hand(state, rules, rules.first_hand)


@njit
def next_hand(state, rules):
    """Returns how many tiles the next hand of the game gives each seat: 0 where the boneyard gives no other hand."""
    if state.boneyard_size >= rules.num_players * rules.later_hand + _relaid(rules):
        return rules.later_hand
    return state.boneyard_size // rules.num_players if rules.leftover == SHORT_HAND else 0


@njit
def _relaid(rules):
    """Returns how many tiles a later hand lays face up."""
    return rules.layout_size if rules.relay_layout != RELAY_NONE else 0


@njit
def deal_hand(state, rules, size):
    """Deals `size` tiles to every seat, seat by seat, then lays tiles face up as the hand asks for."""
    is_first = state.boneyard_size == len(state.owner)
    is_full = is_first or state.boneyard_size >= rules.num_players * rules.later_hand + _relaid(rules)
    for seat in range(rules.num_players):
        state.hand_sizes[seat] = size
        for _ in range(size):
            state.owner[_from_boneyard(state)] = seat
    if is_first:
        _lay_from_boneyard(state, rules.layout_size)
    elif is_full and rules.relay_layout != RELAY_NONE:
        if rules.relay_layout == RELAY_REPLACE:
            _set_layout_aside(state)
        _lay_from_boneyard(state, rules.layout_size)
    if rules.leftover != DISCARD and next_hand(state, rules) == 0:
        _lay_from_boneyard(state, state.boneyard_size)


@njit
def _from_boneyard(state):
    """Takes the next tile off the boneyard; whoever calls says where it goes."""
    state.boneyard_size -= 1
    tile = state.boneyard[state.boneyard_size]
    state.boneyard[state.boneyard_size] = NO_TILE
    return tile


@njit
def _lay_from_boneyard(state, count):
    """Lays the next `count` tiles of the boneyard face up."""
    for _ in range(count):
        lay(state, _from_boneyard(state))


@njit
def _set_layout_aside(state):
    """Takes the whole layout out of play; its tiles stay known."""
    for tile in range(len(state.owner)):
        if state.owner[tile] == TABLE:
            state.owner[tile] = SET_ASIDE
    clear_layout(state)


@njit
def redeal_unseen(state, rules, player, seed):
    """Deals all that `player` has not seen anew, where the record excludes nothing: uniform over all assignments.

    Every unseen tile goes to a place with a chance in proportion to the room that is left there.
    """
    state.rng = seed
    room = np.int64(state.boneyard_size)
    for seat in range(rules.num_players):
        room += 0 if seat == player else state.hand_sizes[seat]
    laid = 0
    for tile in range(len(state.owner)):
        if state.owner[tile] != BONEYARD and (state.owner[tile] < 0 or state.owner[tile] == player):
            continue
        seat = _seat_with_room(state, rules, player, randint(state, room) - (state.boneyard_size - laid))
        state.owner[tile] = seat
        room -= 1
        if seat == BONEYARD:
            state.boneyard[laid] = tile
            laid += 1
        else:
            state.hand_sizes[seat] -= 1  # the room left, until all hands are full again
    _count_hands(state, player)
    for i in range(state.boneyard_size - 1, 0, -1):
        j = randint(state, i + 1)
        state.boneyard[i], state.boneyard[j] = state.boneyard[j], state.boneyard[i]


@njit
def _seat_with_room(state, rules, player, place):
    """Returns the hidden hand in which the `place`-th free place is, or BONEYARD below 0."""
    if place < 0:
        return BONEYARD
    for seat in range(rules.num_players):
        if seat != player:
            if place < state.hand_sizes[seat]:
                return seat
            place -= state.hand_sizes[seat]
    return BONEYARD


@njit
def _count_hands(state, player):
    for tile in range(len(state.owner)):
        seat = state.owner[tile]
        if seat >= 0 and seat != player:
            state.hand_sizes[seat] += 1
