"""Uniform random assignment of tiles to slots, each with room for some tiles and a set of tiles that it may hold.

The ways to complete an assignment are counted by dynamic programming, then one is drawn tile by tile in proportion to
the counts: the recursive method (Nijenhuis and Wilf, "Combinatorial Algorithms", 1978, chapter 13; Flajolet, Zimmermann
and Van Cutsem, "A calculus for the random generation of labelled combinatorial structures", 1994). Three things keep the
counting short:

- A tile that only one slot may hold goes there at once.
- Slots that may hold the same tiles make one group; only the room of the groups is counted.
- A tile that every group may hold is free. Free tiles come last, when `n` of them fill `n` places in `n! / prod(room!)`
  ways.

Where the count would still be long, the groups most alike are merged until it is not. What is drawn then is uniform over
a larger set of assignments, so one that breaks a slot's own limits is to be drawn again (`obeys_limits`).
"""

from typing import NamedTuple

import numba
import numpy as np

from domino_envs.core.jit import njit
from domino_envs.core.rng import randint, random_unit
from domino_envs.core.tiles import LARGEST_PIP, num_tiles

UNKNOWN = -1  # value of `slot_of`
NO_GROUP = -1  # value of `group_of`: the slot is full
MOST_STATES = 4096  # of the count; more take longer than drawing again

_INVERSE_FACTORIAL = 1.0 / np.cumprod([1.0, *range(1, num_tiles(LARGEST_PIP) + 1)])


def njit_with_heap(function):
    """Compiles a function that compiled code calls and that allocates its scratch arrays."""
    return numba.njit(nogil=True, _nrt=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)(function)


class Slots(NamedTuple):
    """`S` slots for `N` tiles."""

    slot_of: np.ndarray  # int64[N]; UNKNOWN for the tiles to be assigned
    room: np.ndarray  # int64[S], how many unknown tiles the slot takes
    may_hold: np.ndarray  # bool[S, N], which of them


class Plan(NamedTuple):
    """How to assign the `T` unknown tiles to the slots."""

    tiles: np.ndarray  # int64[T], those that not every group may hold first
    may_hold: np.ndarray  # bool[S, N], by group
    group_of: np.ndarray  # int64[S]
    room: np.ndarray  # int64[S], by group; the first is the largest
    stride: np.ndarray  # int64[S], what a place in the group counts for in the number of a state
    room_left: np.ndarray  # int64[S], by group, while an assignment is drawn
    slot_room_left: np.ndarray  # int64[S], likewise by slot


@njit_with_heap
def make_plan(slots):
    """Assigns the tiles that only one slot may hold; returns the plan for the others, and the count of the ways."""
    _settle(slots)
    rows = np.zeros((5, len(slots.room)), np.int64)
    plan = Plan(
        tiles=np.empty(_count_unknown(slots), np.int64),
        may_hold=np.empty(slots.may_hold.shape, np.bool_),
        group_of=rows[0],
        room=rows[1],
        stride=rows[2],
        room_left=rows[3],
        slot_room_left=rows[4],
    )
    _list_unknown(slots, plan)
    groups = _group_slots(slots, plan)
    states = _number_states(plan, groups)
    while states > MOST_STATES:
        groups = _merge_most_alike(plan, groups)
        states = _number_states(plan, groups)
    ways = np.empty((_put_free_tiles_last(plan, groups) + 1, states))
    _count_ways(plan, groups, ways)
    return plan, ways


@njit
def _settle(slots):
    """Assigns every tile that only one slot with room may hold."""
    settled = True
    while settled:
        settled = False
        for tile in range(len(slots.slot_of)):
            slot = _only_slot(slots, tile) if slots.slot_of[tile] == UNKNOWN else UNKNOWN
            if slot != UNKNOWN:
                slots.slot_of[tile] = slot
                slots.room[slot] -= 1
                settled = True


@njit
def _only_slot(slots, tile):
    only = UNKNOWN
    for slot in range(len(slots.room)):
        if slots.room[slot] > 0 and slots.may_hold[slot, tile]:
            if only != UNKNOWN:
                return UNKNOWN
            only = slot
    return only


@njit
def _count_unknown(slots):
    count = 0
    for tile in range(len(slots.slot_of)):
        count += slots.slot_of[tile] == UNKNOWN
    return count


@njit
def _list_unknown(slots, plan):
    count = 0
    for tile in range(len(slots.slot_of)):
        if slots.slot_of[tile] == UNKNOWN:
            plan.tiles[count] = tile
            count += 1


@njit
def _group_slots(slots, plan):
    """Puts the slots that may hold the same unknown tiles into one group; returns the number of groups."""
    groups = 0
    for slot in range(len(slots.room)):
        plan.group_of[slot] = NO_GROUP
        if slots.room[slot] == 0:
            continue
        group = 0
        while group < groups and not _may_hold_the_same(slots, slot, plan, group):
            group += 1
        if group == groups:
            for tile in range(slots.may_hold.shape[1]):
                plan.may_hold[group, tile] = slots.may_hold[slot, tile]
            groups += 1
        plan.group_of[slot] = group
        plan.room[group] += slots.room[slot]
    return groups


@njit
def _may_hold_the_same(slots, slot, plan, group):
    for i in range(len(plan.tiles)):
        if slots.may_hold[slot, plan.tiles[i]] != plan.may_hold[group, plan.tiles[i]]:
            return False
    return True


@njit
def _number_states(plan, groups):
    """Sets the groups' strides; returns the number of states.

    A state is the room left in every group but the largest, as a number of mixed radix. What is left in the largest
    follows from the number of tiles.
    """
    _put_largest_first(plan, groups)
    states = 1
    for group in range(1, groups):
        plan.stride[group] = states
        states = min(states * (plan.room[group] + 1), 1 << 40)  # large enough; it must not overflow
    return states


@njit
def _put_largest_first(plan, groups):
    largest = 0
    for group in range(1, groups):
        if plan.room[group] > plan.room[largest]:
            largest = group
    if largest != 0:
        _swap_groups(plan, 0, largest)


@njit
def _swap_groups(plan, a, b):
    plan.room[a], plan.room[b] = plan.room[b], plan.room[a]
    for tile in range(plan.may_hold.shape[1]):
        plan.may_hold[a, tile], plan.may_hold[b, tile] = plan.may_hold[b, tile], plan.may_hold[a, tile]
    for slot in range(len(plan.group_of)):
        if plan.group_of[slot] == a:
            plan.group_of[slot] = b
        elif plan.group_of[slot] == b:
            plan.group_of[slot] = a


@njit
def _merge_most_alike(plan, groups):
    """Merges the two groups whose tiles would least often be out of place; returns the new number of groups."""
    best, best_other, least = 1, 0, _misfits(plan, 1, 0)
    for group in range(2, groups):
        for other in range(group):
            misfits = _misfits(plan, group, other)
            if misfits < least:
                best, best_other, least = group, other, misfits
    _swap_groups(plan, best, groups - 1)
    _merge_last(plan, best_other, groups - 1)
    return groups - 1


@njit
def _misfits(plan, group, other):
    """Returns a measure of how many tiles a merged group would hold in the wrong half."""
    only_group, only_other = 0, 0
    for i in range(len(plan.tiles)):
        tile = plan.tiles[i]
        only_group += plan.may_hold[group, tile] and not plan.may_hold[other, tile]
        only_other += plan.may_hold[other, tile] and not plan.may_hold[group, tile]
    return only_group * plan.room[other] + only_other * plan.room[group]


@njit
def _merge_last(plan, group, last):
    plan.room[group] += plan.room[last]
    plan.room[last] = 0
    for tile in range(plan.may_hold.shape[1]):
        plan.may_hold[group, tile] |= plan.may_hold[last, tile]
    for slot in range(len(plan.group_of)):
        if plan.group_of[slot] == last:
            plan.group_of[slot] = group


@njit
def _put_free_tiles_last(plan, groups):
    """Sorts the tiles that every group may hold behind the others; returns the number of the others."""
    bound = 0
    for i in range(len(plan.tiles)):
        if not _is_free(plan, groups, plan.tiles[i]):
            plan.tiles[bound], plan.tiles[i] = plan.tiles[i], plan.tiles[bound]
            bound += 1
    return bound


@njit
def _is_free(plan, groups, tile):
    for group in range(groups):
        if not plan.may_hold[group, tile]:
            return False
    return True


@njit
def _count_ways(plan, groups, ways):
    """Fills `ways[i, state]`: in how many ways the tiles from the i-th on can fill what is left, but for a factor."""
    bound = len(ways) - 1
    _count_ways_of_free_tiles(plan, groups, ways[bound], len(plan.tiles) - bound)
    for i in range(bound - 1, -1, -1):
        tile, row, following = plan.tiles[i], ways[i], ways[i + 1]
        in_largest = 1.0 if plan.may_hold[0, tile] else 0.0
        for state in range(len(row)):
            row[state] = in_largest * following[state]
        for group in range(1, groups):
            if plan.may_hold[group, tile]:
                _add_ways_with_tile_in(row, following, plan.stride[group], plan.room[group])


@njit
def _add_ways_with_tile_in(row, following, stride, room):
    block = stride * (room + 1)
    for start in range(0, len(row), block):
        for state in range(start + stride, start + block):
            row[state] += following[state - stride]


@njit
def _count_ways_of_free_tiles(plan, groups, row, free):
    for state in range(len(row)):
        rest, in_largest, product = state, free, 1.0
        for group in range(groups - 1, 0, -1):
            left = rest // plan.stride[group]
            rest -= left * plan.stride[group]
            in_largest -= left
            product *= _INVERSE_FACTORIAL[left]
        row[state] = product * _INVERSE_FACTORIAL[in_largest] if in_largest >= 0 else 0.0


@njit
def draw_assignment(state, slots, plan, ways):
    """Draws an assignment of the unknown tiles, uniform over all that the groups allow."""
    for i in range(len(plan.room)):
        plan.room_left[i] = plan.room[i]
        plan.slot_room_left[i] = slots.room[i]
    bound, count = len(ways) - 1, len(plan.tiles)
    index = ways.shape[1] - 1
    for i in range(bound):
        group = _draw_group(state, plan, plan.tiles[i], ways[i + 1], index)
        index -= plan.stride[group]
        slots.slot_of[plan.tiles[i]] = _draw_slot_of_group(state, plan, group)
        plan.room_left[group] -= 1
    for i in range(bound, count):
        slots.slot_of[plan.tiles[i]] = _draw_slot(state, plan, count - i)


@njit
def _draw_group(state, plan, tile, following, index):
    """Draws the group of a tile in proportion to the ways that are left after it."""
    total = 0.0
    for group in range(len(plan.room)):
        total += _ways_with_tile_in(plan, group, tile, following, index)
    target = random_unit(state) * total
    chosen = NO_GROUP
    for group in range(len(plan.room)):
        ways = _ways_with_tile_in(plan, group, tile, following, index)
        if plan.room_left[group] > 0 and (ways > 0.0 or chosen == NO_GROUP):
            chosen = group
            if target < ways:
                break
            target -= ways
    return chosen


@njit
def _ways_with_tile_in(plan, group, tile, following, index):
    if plan.room_left[group] == 0 or not plan.may_hold[group, tile]:
        return 0.0
    return following[index - plan.stride[group]]


@njit
def _draw_slot_of_group(state, plan, group):
    place = randint(state, plan.room_left[group])
    slot = 0
    while plan.group_of[slot] != group or place >= plan.slot_room_left[slot]:
        if plan.group_of[slot] == group:
            place -= plan.slot_room_left[slot]
        slot += 1
    plan.slot_room_left[slot] -= 1
    return slot


@njit
def _draw_slot(state, plan, room_left):
    place = randint(state, room_left)
    slot = 0
    while place >= plan.slot_room_left[slot]:
        place -= plan.slot_room_left[slot]
        slot += 1
    plan.slot_room_left[slot] -= 1
    return slot


@njit
def obeys_limits(slots, plan):
    """Tells whether every slot may hold the tiles drawn for it; always so where no groups were merged."""
    for i in range(len(plan.tiles)):
        tile = plan.tiles[i]
        if not slots.may_hold[slots.slot_of[tile], tile]:
            return False
    return True
