"""The layout of capture games: tiles face up, matched by a number they share, and taken in pairs into the players' piles."""

import numpy as np

from domino_envs.core.jit import njit
from domino_envs.core.state import packed_dtype
from domino_envs.core.tiles import FIRST_PILE, HIGH, LOW, PIPS, TABLE, num_tiles, pile_of

NO_TILE = -1
PHASES = ("claim", "play", "partner")  # what the next action is for, by the value of `phase`
CLAIM, PLAY, PARTNER = range(len(PHASES))
# A double counts one, and every five of a number of pips that five divides one more: 100 in the double-fifteen set.
VALUE = (LOW == HIGH) + np.where(PIPS % 5 == 0, PIPS // 5, 0)


def capture_state_dtype(family: str, num_players: int, max_pip: int, history_length: int) -> np.dtype:
    """Returns the aligned record of a table; its first field bears the name of the module whose functions play it."""
    tiles = num_tiles(max_pip)
    return packed_dtype(
        [
            (family, np.int64),  # the game's fingerprint; its name makes the type of this family's states its own
            ("done", np.int8),
            ("player", np.int8),  # the seat to move
            ("leader", np.int8),  # the seat that leads every hand of this game
            ("phase", np.int8),  # CLAIM, PLAY or PARTNER
            ("claims_made", np.int8),  # in this turn
            ("picked", np.int16),  # the tile that waits for its partner: the first of a claim, or the one played
            ("boneyard_size", np.int16),
            ("history_size", np.int16),
            ("hands_played", np.int32),  # of the match
            ("games_played", np.int32),  # of the match
            ("rng", np.uint64),
            ("rewards", np.float32, num_players),  # of the last step
            ("scores", np.int32, num_players),
            ("hand_points", np.int32, num_players),  # always 0: the end of a hand pays nothing
            ("hand_sizes", np.int8, num_players),
            ("layout_counts", np.int8, max_pip + 1),  # tiles of the layout that bear each number
            ("owner", np.int8, tiles),  # BONEYARD, TABLE (the layout), SET_ASIDE, a seat or a seat's pile
            ("boneyard", np.int16, tiles),  # the next tile drawn is boneyard[boneyard_size - 1]; then NO_TILE
            ("history", np.int16, history_length),  # the actions of this game
            ("history_seats", np.int8, history_length),
        ]
    )


def capture_state_bounds(num_players: int, max_pip: int, max_claims: int, history_length: int) -> dict[str, tuple[int, int]]:
    """Returns the lowest and the highest number of every field that kernels index or count by.

    A game in progress has room for another action: none has as many as `capture_bound` allows.
    """
    tiles, last_seat = num_tiles(max_pip), num_players - 1
    return {
        "done": (0, 1),
        "player": (0, last_seat),
        "leader": (0, last_seat),
        "phase": (0, len(PHASES) - 1),
        "claims_made": (0, max_claims),
        "picked": (NO_TILE, tiles - 1),
        "boneyard_size": (0, tiles),
        "history_size": (0, history_length - 1),
        "hand_sizes": (0, tiles),
        "layout_counts": (0, max_pip + 1),
        "owner": (FIRST_PILE - last_seat, last_seat),
        "boneyard": (NO_TILE, tiles - 1),
        "history": (0, tiles),
        "history_seats": (0, last_seat),
    }


@njit
def layout_size(state):
    """Returns the number of tiles in the layout."""
    count = np.int64(0)
    for tile in range(len(state.owner)):
        count += state.owner[tile] == TABLE
    return count


@njit
def clear_layout(state):
    """Makes the layout empty; whoever calls says where its tiles are."""
    for number in range(len(state.layout_counts)):
        state.layout_counts[number] = 0


@njit
def _count(state, tile, change):
    """Adds to the counts of a tile's numbers; a double bears one number."""
    state.layout_counts[LOW[tile]] += change
    if LOW[tile] != HIGH[tile]:
        state.layout_counts[HIGH[tile]] += change


@njit
def lay(state, tile):
    """Puts a tile into the layout."""
    state.owner[tile] = TABLE
    _count(state, tile, 1)


@njit
def take(state, tile, seat):
    """Moves a tile of the layout into a seat's pile."""
    state.owner[tile] = pile_of(seat)
    _count(state, tile, -1)


@njit
def count_partners(state, tile):
    """Returns how many tiles of the layout share a number with `tile`, which does not lie there.

    Two different tiles never share two numbers, so none is counted twice.
    """
    partners = state.layout_counts[LOW[tile]]
    if LOW[tile] != HIGH[tile]:
        partners += state.layout_counts[HIGH[tile]]
    return partners


@njit
def has_pair(state):
    """Tells whether two tiles of the layout share a number."""
    most = 0
    for number in range(len(state.layout_counts)):
        most = max(most, state.layout_counts[number])
    return most > 1


@njit
def _tile_of(a, b):
    return b * (b + 1) // 2 + a if a <= b else a * (a + 1) // 2 + b


@njit
def first_partner(state, tile):
    """Returns the tile of the layout, other than `tile`, that shares a number with it, the low number first; or NO_TILE."""
    for number in (LOW[tile], HIGH[tile]):
        for other in range(len(state.layout_counts)):
            partner = _tile_of(number, other)
            if partner != tile and state.owner[partner] == TABLE:
                return partner
    return NO_TILE


@njit
def mark_number(state, number, mask):
    """Marks the actions of the tiles of the layout that bear `number`; a tile's action is its number plus one."""
    for other in range(len(state.layout_counts)):
        tile = _tile_of(number, other)
        if state.owner[tile] == TABLE:
            mask[tile + 1] = 1


@njit
def mark_partners(state, tile, mask):
    """Marks the tiles of the layout, other than `tile`, that share a number with it."""
    mark_number(state, LOW[tile], mask)
    mark_number(state, HIGH[tile], mask)
    mask[tile + 1] = 0


@njit
def mark_pairs(state, mask):
    """Marks the tiles of the layout that share a number with another one."""
    for number in range(len(state.layout_counts)):
        if state.layout_counts[number] > 1:
            mark_number(state, number, mask)
