"""Uniform random assignment of tiles to slots, each with room for some tiles and a set of tiles that it may hold.

The ways to complete an assignment are counted by dynamic programming, then one is drawn tile by tile in proportion to
the counts: the recursive method (Nijenhuis and Wilf, "Combinatorial Algorithms", 1978, chapter 13; Flajolet, Zimmermann
and Van Cutsem, "A calculus for the random generation of labelled combinatorial structures", 1994). Three things keep the
counting short:

- A tile that only one slot may hold goes there at once.
- Slots that may hold the same tiles make one group; only the room of the groups is counted.
- A tile that every group may hold is free. Free tiles come last, when `n` of them fill the room that is left in
  `n! / product(room!)` ways.

Where the count would still be too long, the groups most alike are merged until it is not. What is drawn then is uniform
over a larger set of assignments, so one that breaks a slot's own limits is to be drawn again (`obeys_limits`).
"""

import numpy as np

from domino_envs.core.jit import njit
from domino_envs.core.rng import randint, random_unit
from domino_envs.core.tiles import LARGEST_PIP, num_tiles

UNKNOWN = -1  # value of `slot_of`: the tile is to be assigned
NO_GROUP = -1  # value of `group_of`: the slot is full

TILES = num_tiles(LARGEST_PIP)
SLOTS = TILES + 16  # one for each draw, and some for what was dealt to the seats and what is left
_INVERSE_FACTORIAL = 1.0 / np.cumprod([1.0, *range(1, TILES + 1)])

# Fields of a record that holds the problem, to be filled in, and the scratch of its solution. They have one size for
# every game, so that this module compiles once.
ASSIGNMENT_FIELDS = [
    ("num_tiles", np.int64),
    ("rng", np.uint64),  # not the first field, or Numba would take the record for an extended `STREAM`
    ("num_slots", np.int64),
    ("slot_of", np.int64, TILES),
    ("room", np.int64, SLOTS),  # for unknown tiles
    ("may_hold", np.int8, (SLOTS, TILES)),
    ("num_unknown", np.int64),
    ("num_bound", np.int64),
    ("num_groups", np.int64),
    ("num_states", np.int64),
    ("unknown", np.int64, TILES),  # the unknown tiles, the bound ones (those that are not free) first
    ("group_of", np.int64, SLOTS),
    ("group_room", np.int64, SLOTS),
    ("group_may_hold", np.int8, (SLOTS, TILES)),
    ("stride", np.int64, SLOTS),  # by group, what a place in it counts for in the number of a state
    ("room_left", np.int64, SLOTS),  # while an assignment is drawn
    ("group_room_left", np.int64, SLOTS),
]


@njit
def begin_assignment(plan):
    """Assigns the tiles that only one slot may hold."""
    _settle(plan)
    _list_unknown(plan)


@njit
def plan_assignment(plan, most_states):
    """Lays out the count of the ways to assign the other tiles."""
    _group_slots(plan)
    _number_states(plan)
    while plan.num_states > most_states:
        _merge_most_alike(plan)
        _number_states(plan)
    _put_free_tiles_last(plan)


@njit
def _settle(plan):
    """Assigns every tile that only one slot with room may hold."""
    settled = True
    while settled:
        settled = False
        for tile in range(plan.num_tiles):
            slot = _only_slot(plan, tile) if plan.slot_of[tile] == UNKNOWN else UNKNOWN
            if slot != UNKNOWN:
                plan.slot_of[tile] = slot
                plan.room[slot] -= 1
                settled = True


@njit
def _only_slot(plan, tile):
    only = UNKNOWN
    for slot in range(plan.num_slots):
        if plan.room[slot] > 0 and plan.may_hold[slot, tile]:
            if only != UNKNOWN:
                return UNKNOWN
            only = slot
    return only


@njit
def _list_unknown(plan):
    plan.num_unknown = 0
    for tile in range(plan.num_tiles):
        if plan.slot_of[tile] == UNKNOWN:
            plan.unknown[plan.num_unknown] = tile
            plan.num_unknown += 1


@njit
def _group_slots(plan):
    """Puts the slots that may hold the same unknown tiles into one group."""
    plan.num_groups = 0
    for slot in range(plan.num_slots):
        plan.group_of[slot] = NO_GROUP
        if plan.room[slot] > 0:
            group = _group_like(plan, slot)
            if group == plan.num_groups:
                _open_group(plan, slot)
            plan.group_of[slot] = group
            plan.group_room[group] += plan.room[slot]


@njit
def _group_like(plan, slot):
    """Returns the group of slots that may hold the same unknown tiles, or the number of groups."""
    for group in range(plan.num_groups):
        alike = True
        for i in range(plan.num_unknown):
            tile = plan.unknown[i]
            alike &= plan.may_hold[slot, tile] == plan.group_may_hold[group, tile]
        if alike:
            return group
    return plan.num_groups


@njit
def _open_group(plan, slot):
    plan.group_room[plan.num_groups] = 0
    for tile in range(plan.num_tiles):
        plan.group_may_hold[plan.num_groups, tile] = plan.may_hold[slot, tile]
    plan.num_groups += 1


@njit
def _number_states(plan):
    """Sets the groups' strides and the number of states.

    A state is the room left in every group but the largest, as a number of mixed radix. What is left in the largest
    follows from the number of tiles; its stride is 0.
    """
    largest = 0
    for group in range(1, plan.num_groups):
        if plan.group_room[group] > plan.group_room[largest]:
            largest = group
    plan.num_states = 1
    for group in range(plan.num_groups):
        plan.stride[group] = 0
        if group != largest:
            plan.stride[group] = plan.num_states
            plan.num_states = min(plan.num_states * (plan.group_room[group] + 1), 1 << 40)  # it must not overflow


@njit
def _merge_most_alike(plan):
    """Merges the two groups whose tiles would least often be out of place."""
    least, best, best_other = -1, 0, 0
    for group in range(plan.num_groups):
        for other in range(group):
            misfits = _misfits(plan, group, other)
            if least < 0 or misfits < least:
                least, best, best_other = misfits, group, other
    _merge(plan, best_other, best)


@njit
def _misfits(plan, group, other):
    """Returns a measure of how many tiles a merged group would hold in the wrong part."""
    only_group, only_other = 0, 0
    for i in range(plan.num_unknown):
        tile = plan.unknown[i]
        only_group += plan.group_may_hold[group, tile] > plan.group_may_hold[other, tile]
        only_other += plan.group_may_hold[other, tile] > plan.group_may_hold[group, tile]
    return only_group * plan.group_room[other] + only_other * plan.group_room[group]


@njit
def _merge(plan, group, gone):
    """Merges group `gone` into `group`; the last group takes its number."""
    plan.num_groups -= 1
    last = plan.num_groups
    plan.group_room[group] += plan.group_room[gone]
    plan.group_room[gone] = plan.group_room[last]
    for tile in range(plan.num_tiles):
        plan.group_may_hold[group, tile] |= plan.group_may_hold[gone, tile]
        plan.group_may_hold[gone, tile] = plan.group_may_hold[last, tile]
    for slot in range(plan.num_slots):
        if plan.group_of[slot] == gone:
            plan.group_of[slot] = group
        elif plan.group_of[slot] == last:
            plan.group_of[slot] = gone


@njit
def _put_free_tiles_last(plan):
    """Sorts the tiles that every group may hold behind the others, which are bound."""
    plan.num_bound = 0
    for i in range(plan.num_unknown):
        tile = plan.unknown[i]
        free = True
        for group in range(plan.num_groups):
            free &= plan.group_may_hold[group, tile] == 1
        if not free:
            plan.unknown[i] = plan.unknown[plan.num_bound]
            plan.unknown[plan.num_bound] = tile
            plan.num_bound += 1


@njit
def count_ways(plan, ways):
    """Fills `ways[num_bound + 1, num_states]`.

    `ways[i, state]` is the number of ways to fill the room of the state with the unknown tiles from the i-th on, but for
    a factor that all have in common.
    """
    _count_ways_of_free_tiles(plan, ways[plan.num_bound])
    for i in range(plan.num_bound - 1, -1, -1):
        row, following = ways[i], ways[i + 1]
        for state in range(plan.num_states):
            row[state] = 0.0
        for group in range(plan.num_groups):
            if plan.group_may_hold[group, plan.unknown[i]]:
                _add_ways_with_tile_in(plan, group, row, following)


@njit
def _add_ways_with_tile_in(plan, group, row, following):
    """Adds the ways that go on with one place less in the group."""
    stride = plan.stride[group]
    block = stride * (plan.group_room[group] + 1) if stride > 0 else plan.num_states
    for start in range(0, plan.num_states, block):
        for state in range(start + stride, start + block):
            row[state] += following[state - stride]


@njit
def _count_ways_of_free_tiles(plan, row):
    for state in range(plan.num_states):
        rest, in_largest, product = state, plan.num_unknown - plan.num_bound, 1.0
        for group in range(plan.num_groups - 1, -1, -1):
            if plan.stride[group] > 0:
                left = rest // plan.stride[group]
                rest -= left * plan.stride[group]
                in_largest -= left
                product *= _INVERSE_FACTORIAL[left]
        row[state] = product * _INVERSE_FACTORIAL[in_largest] if in_largest >= 0 else 0.0


@njit
def draw_assignment(plan, ways):
    """Draws an assignment of the unknown tiles, uniform over all that the groups allow."""
    for i in range(plan.num_slots):
        plan.room_left[i] = plan.room[i]
        plan.group_room_left[i] = plan.group_room[i]
    state = plan.num_states - 1
    for i in range(plan.num_bound):
        group = _draw_group(plan, plan.unknown[i], ways[i + 1], state)
        state -= plan.stride[group]
        plan.slot_of[plan.unknown[i]] = _draw_slot_of_group(plan, group)
        plan.group_room_left[group] -= 1
    for i in range(plan.num_bound, plan.num_unknown):
        plan.slot_of[plan.unknown[i]] = _draw_slot(plan, plan.num_unknown - i)


@njit
def _draw_group(plan, tile, following, state):
    """Draws the group of a tile in proportion to the ways that are left after it."""
    total = 0.0
    for group in range(plan.num_groups):
        total += _ways_with_tile_in(plan, group, tile, following, state)
    target = random_unit(plan) * total
    chosen = NO_GROUP
    for group in range(plan.num_groups):
        ways = _ways_with_tile_in(plan, group, tile, following, state)
        # Where there are no ways at all, the first group with room does.
        if plan.group_room_left[group] > 0 and (ways > 0.0 or chosen == NO_GROUP):
            chosen = group
            if target < ways:
                break
            target -= ways
    return chosen


@njit
def _ways_with_tile_in(plan, group, tile, following, state):
    if plan.group_room_left[group] == 0 or not plan.group_may_hold[group, tile]:
        return 0.0
    return following[state - plan.stride[group]]


@njit
def _draw_slot_of_group(plan, group):
    """Draws one of the places left in a group's slots."""
    place = randint(plan, plan.group_room_left[group])
    slot = 0
    while plan.group_of[slot] != group or place >= plan.room_left[slot]:
        if plan.group_of[slot] == group:
            place -= plan.room_left[slot]
        slot += 1
    plan.room_left[slot] -= 1
    return slot


@njit
def _draw_slot(plan, places):
    """Draws one of the places left in all slots."""
    place = randint(plan, places)
    slot = 0
    while place >= plan.room_left[slot]:
        place -= plan.room_left[slot]
        slot += 1
    plan.room_left[slot] -= 1
    return slot


@njit
def obeys_limits(plan):
    """Tells whether every slot may hold the tiles drawn for it; it is always so where no groups were merged."""
    for i in range(plan.num_unknown):
        tile = plan.unknown[i]
        if not plan.may_hold[plan.slot_of[tile], tile]:
            return False
    return True
