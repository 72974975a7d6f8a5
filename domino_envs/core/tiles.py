"""Double-n sets, who owns each tile, drawing from the boneyard.

Tile `low-high` has the number `high * (high + 1) / 2 + low`, whatever the set: a bigger set only adds tiles at the end.
"""

import numpy as np

from domino_envs.core.jit import njit
from domino_envs.core.rng import GAMMA, below, mixed

LARGEST_PIP = 15
BONEYARD = -1  # values of `owner` that are not seats
TABLE = -2
SET_ASIDE = -3  # face up and out of play
FIRST_PILE = -4  # the pile of seat 0; the piles of the others count down from it

_PAIRS = [(low, high) for high in range(LARGEST_PIP + 1) for low in range(high + 1)]
LOW = np.array([low for low, _ in _PAIRS], np.int64)
HIGH = np.array([high for _, high in _PAIRS], np.int64)
PIPS = LOW + HIGH


def num_tiles(max_pip: int) -> int:
    """Returns the number of tiles of a double-`max_pip` set."""
    return (max_pip + 1) * (max_pip + 2) // 2


def tile_number(a: int, b: int) -> int:
    """Returns the number of the tile with halves `a` and `b`, in either order."""
    low, high = min(a, b), max(a, b)
    return high * (high + 1) // 2 + low


def tile_name(tile: int) -> str:
    """Returns the name of a tile, the higher half first: `"6-4"`."""
    return f"{HIGH[tile]}-{LOW[tile]}"


@njit
def is_double(tile):
    return LOW[tile] == HIGH[tile]


@njit
def pile_of(seat):
    """Returns the value of `owner` for a tile in a seat's pile of captured tiles."""
    return FIRST_PILE - seat


@njit
def shuffle(state):
    """Shuffles the whole set into `boneyard`."""
    # The stream stays out of memory: read back behind stores to places not yet known, it would wait for each of them.
    rng = state.rng
    for i in range(len(state.owner)):
        state.owner[i] = BONEYARD
        rng += GAMMA
        j = below(i + 1, mixed(rng))
        state.boneyard[i] = state.boneyard[j]
        state.boneyard[j] = i
    state.rng = rng
    state.boneyard_size = len(state.owner)


@njit
def shuffle_and_deal(state, rules):
    """Shuffles the set into `boneyard` and deals `hand_size` tiles from its end to every seat."""
    shuffle(state)
    size = len(state.owner)
    for seat in range(rules.num_players):
        state.hand_sizes[seat] = rules.hand_size
        for _ in range(rules.hand_size):
            size -= 1
            state.owner[state.boneyard[size]] = seat
    state.boneyard_size = size


@njit
def draw_tile(state):
    """Moves the next tile of the boneyard into the hand of the player to move and returns it."""
    state.boneyard_size -= 1
    tile = state.boneyard[state.boneyard_size]
    state.owner[tile] = state.player
    state.hand_sizes[state.player] += 1
    return tile


@njit
def hand_pips(state, seat):
    """Returns the pips left in a seat's hand."""
    pips = np.int64(0)
    for tile in range(len(state.owner)):
        pips += PIPS[tile] * np.int64(state.owner[tile] == seat)  # no branch: whose tile it is cannot be predicted
    return pips


@njit
def double_of(number):
    """Returns the double that bears a number twice."""
    return number * (number + 3) // 2


@njit
def highest_double(state, seat):
    """Returns the highest double in a seat's hand, or -1."""
    for number in range(HIGH[len(state.owner) - 1], -1, -1):
        tile = double_of(number)
        if state.owner[tile] == seat:
            return tile
    return -1


@njit
def heaviest_tile(state, seat):
    """Returns the tile with the most pips in a seat's hand, ties by the higher half."""
    best = -1
    for tile in range(len(state.owner)):
        # Tile numbers grow with the higher half, so a later tile of equal weight has the higher one.
        if state.owner[tile] == seat and (best < 0 or PIPS[tile] >= PIPS[best]):
            best = tile
    return best
