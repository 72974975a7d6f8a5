"""Tiles assigned to slots at random, against all ways to assign them."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chi2

from domino_envs.core.assignment import (
    UNKNOWN,
    begin_assignment,
    count_ways,
    draw_assignment,
    obeys_limits,
    plan_assignment,
)
from domino_envs.core.jit import entry
from domino_envs.core.matching import FIRST_STEPS, find_matching, read_matching, walk
from domino_envs.core.redeal import DEAL
from test_redeal import chi_square


@entry
def plan(plans, most_states):
    begin_assignment(plans[0])
    plan_assignment(plans[0], most_states)


@entry
def draw_until_right(plans, ways, slots_of):
    count_ways(plans[0], ways)
    for row in range(len(slots_of)):
        draw_assignment(plans[0], ways)
        while not obeys_limits(plans[0]):
            draw_assignment(plans[0], ways)
        for tile in range(plans[0].num_tiles):
            slots_of[row, tile] = plans[0].slot_of[tile]


@entry
def walk_to_matchings(plans, slots_of):
    """Writes what each of many walks of `FIRST_STEPS` comes to, from the same start on; returns whether there was one."""
    begin_assignment(plans[0])
    if not find_matching(plans[0]):
        return False
    for row in range(len(slots_of)):
        walk(plans[0], FIRST_STEPS * plans[0].num_unknown)
        while not read_matching(plans[0]):
            walk(plans[0], plans[0].num_unknown)
        for tile in range(plans[0].num_tiles):
            slots_of[row, tile] = plans[0].slot_of[tile]
    return True


def new_plans(may_hold, seed):
    """Returns a problem with a tile for each slot."""
    plans, size = np.zeros(1, DEAL), len(may_hold)
    plans["rng"], plans["num_tiles"], plans["num_slots"] = seed, size, size
    plans["room"], plans["slot_of"] = 1, UNKNOWN
    plans["may_hold"][0, :size, :size] = may_hold
    return plans


def some_limits(size, share, seed):
    """Returns `may_hold[slot, tile]` at random, with one assignment at least."""
    return (np.random.default_rng(seed).random((size, size)) < share) | np.eye(size, dtype=bool)


def windows(size, width):
    """Returns limits as the record of a hand makes them: a tile may have come in some draws next to each other."""
    slots, tiles = np.indices((size, size))
    return (tiles - width <= slots) & (slots <= tiles + 1)


@pytest.mark.parametrize("most_states", [50, 400, 4000])
def test_merging_slots_leaves_the_draw_uniform(most_states):
    may_hold = some_limits(10, 0.7, seed=4)
    plans = new_plans(may_hold, seed=most_states)
    plan(plans, most_states)
    assert plans["num_states"][0] <= most_states
    slots_of = np.zeros((5000, len(may_hold)), np.int64)
    draw_until_right(plans, np.zeros((plans["num_bound"][0] + 1, plans["num_states"][0])), slots_of)
    assert_shares(slots_of, may_hold)


LIMITS = [some_limits(10, 0.3, seed=1), some_limits(9, 0.5, seed=2), windows(12, 2), windows(10, 4)]


@pytest.mark.parametrize("may_hold", LIMITS, ids=["few", "half", "narrow", "wide"])
def test_a_walk_comes_to_every_assignment_equally_often(may_hold, count):
    slots_of = np.zeros((count(40_000), len(may_hold)), np.int64)
    assert walk_to_matchings(new_plans(may_hold, seed=3), slots_of)
    assert_shares(slots_of, may_hold)


def test_there_is_no_walk_where_no_assignment_obeys_the_limits():
    may_hold = np.ones((4, 4), bool)
    may_hold[:, :2] = False
    may_hold[0, :2] = True  # two tiles for one place
    assert not walk_to_matchings(new_plans(may_hold, seed=1), np.zeros((1, 4), np.int64))


def assert_shares(slots_of, may_hold):
    """Every tile lies in every slot as often as over all assignments."""
    for tile, shares in enumerate(share_of_each_slot(may_hold).T.tolist()):
        expected = {slot: share for slot, share in enumerate(shares) if share}
        statistic, freedom = chi_square(Counter(slots_of[:, tile].tolist()), expected)
        assert freedom == 0 or chi2.sf(statistic, freedom) > 1e-5


def share_of_each_slot(may_hold):
    """Returns `shares[slot, tile]` over all assignments of one tile to each slot, counted by the sets of full slots."""
    size = len(may_hold)
    full = np.arange(1 << size)
    before, after = np.zeros((size + 1, len(full))), np.zeros((size + 1, len(full)))
    before[0, 0] = after[size, -1] = 1
    moves = [(tile, slot, full[full >> slot & 1 == 0]) for tile in range(size) for slot in np.flatnonzero(may_hold[:, tile])]
    for tile, slot, free in moves:
        before[tile + 1, free | 1 << slot] += before[tile, free]
    for tile, slot, free in reversed(moves):
        after[tile, free] += after[tile + 1, free | 1 << slot]
    shares = np.zeros((size, size))
    for tile, slot, free in moves:
        shares[slot, tile] = before[tile, free] @ after[tile + 1, free | 1 << slot] / after[0, 0]
    return shares
