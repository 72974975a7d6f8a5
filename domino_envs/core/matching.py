"""A random assignment of tiles to slots by a walk, for where the ways to assign them are too many to be counted.

Every slot has a place for each tile that it has room for, and every tile that is to be assigned gets a place that may
hold it: a perfect matching. The walk goes over these and over the matchings that leave out one tile and one place. From
each of them it goes to each neighbour with the chance that it would come back with, so in the long run all are equally
likely; and by leaving one tile out every matching can be reached. Source: Broder, "How hard is it to marry at random?",
STOC 1986; Jerrum and Sinclair, "Approximating the permanent", SIAM Journal on Computing 18(6), 1989.
"""

import numpy as np

from domino_envs.core.jit import njit
from domino_envs.core.rng import randint
from domino_envs.core.tiles import LARGEST_PIP, num_tiles

NONE = -1
FIRST_STEPS, FURTHER_STEPS = 1_000, 10  # for every tile: until the first look at where the walk is, and until each other

# Fields of a record beside those of `core/assignment.py`. A tile is its index in `unknown`.
MATCHING_FIELDS = [
    ("slot_of_place", np.int64, num_tiles(LARGEST_PIP)),
    ("place_of", np.int64, num_tiles(LARGEST_PIP)),  # by tile, or NONE
    ("tile_at", np.int64, num_tiles(LARGEST_PIP)),  # by place, or NONE
    ("reached_from", np.int64, num_tiles(LARGEST_PIP)),  # by place: the tile that was to go there, or NONE
    ("waiting", np.int64, num_tiles(LARGEST_PIP)),  # tiles for which a place is looked for
    ("loose_tile", np.int64),  # the tile that the matching leaves out, or NONE
    ("free_place", np.int64),  # likewise its place
]


@njit
def find_matching(plan):
    """Gives every unknown tile a place that may hold it; tells whether there is one for all."""
    _list_places(plan)
    plan.loose_tile, plan.free_place = NONE, NONE
    for tile in range(plan.num_unknown):
        if not _find_place(plan, tile):
            return False
    return True


@njit
def _list_places(plan):
    places = 0
    for slot in range(plan.num_slots):
        for _ in range(plan.room[slot]):
            plan.slot_of_place[places] = slot
            places += 1
    for i in range(plan.num_unknown):
        plan.place_of[i], plan.tile_at[i] = NONE, NONE


@njit
def _may_lie(plan, tile, place):
    return plan.may_hold[plan.slot_of_place[place], plan.unknown[tile]]


@njit
def _find_place(plan, tile):
    """Gives the tile a place, for which others may have to move on (Berge 1957)."""
    for place in range(plan.num_unknown):
        plan.reached_from[place] = NONE
    plan.waiting[0], first, waiting = tile, 0, 1
    while first < waiting:
        for place in range(plan.num_unknown):
            if plan.reached_from[place] == NONE and _may_lie(plan, plan.waiting[first], place):
                plan.reached_from[place] = plan.waiting[first]
                if plan.tile_at[place] == NONE:
                    _move_on(plan, place)
                    return True
                plan.waiting[waiting] = plan.tile_at[place]
                waiting += 1
        first += 1
    return False


@njit
def _move_on(plan, place):
    """Fills a place with the tile that was to go there, that tile's with the next, and so on."""
    while place != NONE:
        tile = plan.reached_from[place]
        left = plan.place_of[tile]
        _lay(plan, tile, place)
        place = left


@njit
def _lay(plan, tile, place):
    plan.place_of[tile] = place
    plan.tile_at[place] = tile


@njit
def walk(plan, steps):
    """Goes on from matching to matching."""
    for _ in range(steps):
        if plan.loose_tile == NONE:
            plan.loose_tile = randint(plan, plan.num_unknown)
            plan.free_place = plan.place_of[plan.loose_tile]
        elif randint(plan, 2) == 0:
            _place_loose_tile(plan, randint(plan, plan.num_unknown))
        else:
            _fill_free_place(plan, randint(plan, plan.num_unknown))


@njit
def _place_loose_tile(plan, place):
    """Lays the loose tile there, if it may lie there; the tile that it drives out is loose then."""
    if not _may_lie(plan, plan.loose_tile, place):
        return
    driven_out = NONE if place == plan.free_place else plan.tile_at[place]
    _lay(plan, plan.loose_tile, place)
    plan.loose_tile = driven_out
    if driven_out == NONE:
        plan.free_place = NONE


@njit
def _fill_free_place(plan, tile):
    """Lays a tile at the free place, if it may lie there; the place that it leaves is free then."""
    if not _may_lie(plan, tile, plan.free_place):
        return
    left = NONE if tile == plan.loose_tile else plan.place_of[tile]
    _lay(plan, tile, plan.free_place)
    plan.free_place = left
    if left == NONE:
        plan.loose_tile = NONE


@njit
def read_matching(plan):
    """Enters into `slot_of` where every tile lies; False where the walk has left one out."""
    if plan.loose_tile != NONE:
        return False
    for tile in range(plan.num_unknown):
        plan.slot_of[plan.unknown[tile]] = plan.slot_of_place[plan.place_of[tile]]
    return True
