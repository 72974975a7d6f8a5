"""Deals anew what a seat cannot see, uniformly over the complete deals that the hand's public record allows.

A complete deal is the initial hands and the order of the boneyard. Every tile has its slot in it: dealt to a seat, the
k-th one drawn, or still in the boneyard. The record is played again from the deal on, to find what each slot may hold:

- A tile that a seat laid was dealt to it, or drawn by it before.
- A seat that drew or passed held no tile that fitted, before the first tile no double (a claim, or a pass of one, tells
  nothing). Nor has one drawn such a tile whose turn ended with the draw under `one_then_play` or in the opening; one that
  kept the turn has drawn a tile that fits.
- Where the highest double led, nobody was dealt a tile that goes before the best one dealt to the leader. Likewise where
  one double is looked for to open with; and where all passed instead, nobody was dealt a double.

The tiles are then assigned to the slots uniformly (`core/assignment.py`), and again if somebody else would have led or
opened: rejection leaves the remaining deals equally likely. Where so many limits bear on the deal that hardly any draw
obeys them all, a walk over the deals that do takes over (`core/matching.py`), uniform but for how long it has walked.
Slots matter even for who holds what now: a hand is the likelier, the more ways it can have come about.
"""

import numpy as np

from domino_envs.core.assignment import (
    ASSIGNMENT_FIELDS,
    SLOTS,
    TILES,
    UNKNOWN,
    begin_assignment,
    count_ways,
    draw_assignment,
    obeys_limits,
    plan_assignment,
)
from domino_envs.core.claims import claims_are_made
from domino_envs.core.hand_record import record_length, take_back
from domino_envs.core.jit import njit, njit_with_heap
from domino_envs.core.line import fits, place
from domino_envs.core.matching import FIRST_STEPS, FURTHER_STEPS, MATCHING_FIELDS, find_matching, read_matching, walk
from domino_envs.core.opening import OPEN_HIGHEST_DOUBLE, looks_for_double
from domino_envs.core.rng import randint
from domino_envs.core.tiles import BONEYARD, PIPS, TABLE, is_double
from domino_envs.core.turns import DRAW_ONE_THEN_PLAY, FREE_OPENING, LEAD_HIGHEST_DOUBLE, is_placement

BY_LEAD = -1  # an order of tiles, beside the values of `lead_rule`
IN_BONEYARD, FIRST_DEALT = 0, 1  # slots: what is left of the boneyard, what was dealt to each seat, then each draw
NO_SLOT = -2  # value of `slot_of`: a tile on the table that the record does not tell of
MOST_STATES, MOST_TRIES = 4_096, 1_000  # of the count, and to draw a deal by it
MOST_LOOKS = 10_000  # at where the walk is, for the sake of tables set up by hand, whose record may fit no deal

DEAL = np.dtype(
    (
        np.record,
        [
            *ASSIGNMENT_FIELDS,
            *MATCHING_FIELDS,
            ("holder", np.int64, SLOTS),  # who got the slot's tiles: a seat or BONEYARD
            ("start", np.int64, SLOTS),  # the slot's first place in `boneyard`
            ("lead_slot", np.int64),  # what was dealt to the leader, if its best tile gave it the lead, or NO_SLOT
            ("opener_slot", np.int64),  # what was dealt to who must open with the double looked for, or NO_SLOT
        ],
    )
)


@njit
def redeal_hidden(state, rules, player, seed):
    _redeal(state, rules, player, seed)


@njit_with_heap
def _redeal(state, rules, player, seed):
    deals = np.empty(1, DEAL)
    _read_record(state, rules, player, seed, deals[0])
    plan_assignment(deals[0], MOST_STATES)
    ways = np.empty((deals[0].num_bound + 1, deals[0].num_states))
    if not _draw_deal(rules, deals[0], ways):
        _walk_to_deal(rules, deals[0])
    # A record does not keep the array alive that it stands in, so the last call takes the array.
    _write_deal(state, rules, player, deals)


@njit
def _read_record(state, rules, player, seed, deal):
    """Finds what each slot of the deal holds or may hold."""
    length = record_length(state, rules)
    deal.rng = seed
    deal.lead_slot = NO_SLOT
    deal.opener_slot = NO_SLOT
    _replay(state, rules, player, deal, length)
    if length > 0 or state.line_length == 0:
        if looks_for_double(rules):
            _limit_by_opening(state, rules, player, deal, length)
        if state.lead == LEAD_HIGHEST_DOUBLE:
            _limit_by_lead(state, rules, player, deal)
    begin_assignment(deal)


@njit
def _draw_deal(rules, deal, ways):
    """Draws deals until one is right; tells whether one was."""
    count_ways(deal, ways)
    for _ in range(MOST_TRIES):
        draw_assignment(deal, ways)
        if (obeys_limits(deal) and _lead_is_right(rules, deal)) or ways[0, -1] == 0.0:
            return True
    return False


@njit
def _walk_to_deal(rules, deal):
    """Walks until the deal is right; leaves the last one drawn where no deal obeys the limits."""
    if not find_matching(deal):
        return
    walk(deal, FIRST_STEPS * deal.num_unknown)
    for _ in range(MOST_LOOKS):
        walk(deal, FURTHER_STEPS * deal.num_unknown)
        if read_matching(deal) and _lead_is_right(rules, deal):
            return


@njit
def _replay(state, rules, player, deal, length):
    """Plays the record again and limits what each slot may hold; leaves the state as it was."""
    mover, arms = state.player, len(state.ends)
    take_back(state, rules, length)
    _open_dealt_slots(state, rules, player, deal)
    for turn in range(length):
        state.player = state.history_seats[turn]
        action = state.history[turn]
        if claims_are_made(state) and state.history_claims[turn]:
            continue
        if is_placement(rules, action):
            _limit_to_seat(deal, state.player, action // arms)
            place(state, rules, action // arms, action % arms)
            continue
        _rule_out_fitting(state, rules, deal)
        if action == rules.draw_action:
            _open_drawn_slot(state, player, deal)
            if rules.draw_mode == DRAW_ONE_THEN_PLAY or state.line_length == 0:
                _judge_drawn_tile(state, rules, deal, mover if turn + 1 == length else state.history_seats[turn + 1])
    state.player = mover
    deal.room[IN_BONEYARD] = state.boneyard_size


@njit
def _open_dealt_slots(state, rules, player, deal):
    """Opens the slots of the boneyard and the dealt hands; own tiles count as dealt until a draw of theirs is met."""
    deal.num_tiles = len(state.owner)
    for tile in range(deal.num_tiles):
        deal.slot_of[tile] = UNKNOWN
        if state.owner[tile] == player:
            deal.slot_of[tile] = FIRST_DEALT + player
        elif state.owner[tile] == TABLE:
            deal.slot_of[tile] = NO_SLOT
    deal.num_slots = 0
    _open_slot(state, player, deal, BONEYARD, 0, 0)
    start = state.boneyard_size
    for seat in range(rules.num_players):
        start += state.hand_sizes[seat]
    for seat in range(rules.num_players):
        start -= state.hand_sizes[seat]
        _open_slot(state, player, deal, seat, start, state.hand_sizes[seat])


@njit
def _open_drawn_slot(state, player, deal):
    state.boneyard_size -= 1
    state.hand_sizes[state.player] += 1
    if state.player == player:
        deal.slot_of[state.boneyard[state.boneyard_size]] = deal.num_slots
    _open_slot(state, player, deal, state.player, state.boneyard_size, 1)


@njit
def _open_slot(state, player, deal, holder, start, room):
    """Opens the next slot, for unknown tiles that are not on the table yet; an own slot has no room for them."""
    slot = deal.num_slots
    deal.num_slots += 1
    deal.holder[slot] = holder
    deal.start[slot] = start
    deal.room[slot] = 0 if holder == player else room
    for tile in range(deal.num_tiles):
        deal.may_hold[slot, tile] = holder != player and deal.slot_of[tile] == UNKNOWN and state.owner[tile] != TABLE


@njit
def _limit_to_seat(deal, seat, tile):
    """A seat lays a tile: it was dealt to it or drawn by it."""
    for slot in range(deal.num_slots):
        if deal.holder[slot] != seat:
            deal.may_hold[slot, tile] = False


@njit
def _rule_out_fitting(state, rules, deal):
    """The mover cannot place: of the tiles that are not on the table yet, it holds none that fits."""
    for tile in range(deal.num_tiles):
        if state.owner[tile] != TABLE and fits(state, rules, tile):
            for slot in range(FIRST_DEALT, deal.num_slots):
                if deal.holder[slot] == state.player:
                    deal.may_hold[slot, tile] = False


@njit
def _judge_drawn_tile(state, rules, deal, next_player):
    """The mover has drawn a tile, and keeps the turn if it fits."""
    if next_player != state.player:
        _rule_out_fitting(state, rules, deal)
        return
    for tile in range(deal.num_tiles):
        if not fits(state, rules, tile):
            deal.may_hold[deal.num_slots - 1, tile] = False


@njit
def _rank(order, tile):
    """Returns a number that orders tiles by their right to lead or to open.

    `BY_LEAD` puts doubles first, then goes by weight, ties by the higher half; `OPEN_HIGHEST_DOUBLE` and
    `OPEN_LOWEST_DOUBLE` order doubles alone, other tiles are at -1.
    """
    if order == BY_LEAD:
        return (65536 if is_double(tile) else 0) + PIPS[tile] * 256 + tile
    if not is_double(tile):
        return -1
    return tile if order == OPEN_HIGHEST_DOUBLE else TILES - tile


@njit
def _limit_by_opening(state, rules, player, deal, length):
    """Nobody was dealt a double that goes before the one that opens, nor any where nobody had one to open with."""
    best = -1
    if state.opening_tile != FREE_OPENING and (length == 0 or is_placement(rules, state.history[0])):
        if length > 0 or state.player == player:
            best = _rank(rules.lead_rule, state.opening_tile)
        else:
            deal.opener_slot = FIRST_DEALT + state.player
            best = _best_rank(deal, rules.lead_rule, deal.opener_slot)
    _limit_dealt(rules, deal, rules.lead_rule, best)


@njit
def _limit_by_lead(state, rules, player, deal):
    """Nobody was dealt a tile that goes before the best one that the leader can have been dealt."""
    best = _best_rank(deal, BY_LEAD, FIRST_DEALT + state.leader)
    if rules.lead_tile and state.line_length > 0:
        best = _rank(BY_LEAD, state.opening_tile)
    if _best_rank(deal, BY_LEAD, FIRST_DEALT + player) > best:
        return  # a table set up by hand
    deal.lead_slot = FIRST_DEALT + state.leader
    _limit_dealt(rules, deal, BY_LEAD, best)


@njit
def _limit_dealt(rules, deal, order, best):
    """Nobody was dealt a tile that goes before the best one."""
    for tile in range(deal.num_tiles):
        if _rank(order, tile) > best:
            for seat in range(rules.num_players):
                deal.may_hold[FIRST_DEALT + seat, tile] = False


@njit
def _best_rank(deal, order, slot):
    """Returns the rank of the best tile that a slot holds or may hold, or -1."""
    best = -1
    for tile in range(deal.num_tiles):
        if deal.slot_of[tile] == slot or deal.may_hold[slot, tile]:
            best = max(best, _rank(order, tile))
    return best


@njit
def _best_dealt_tile(rules, deal, order):
    best, best_rank = 0, -1
    for tile in range(deal.num_tiles):
        dealt = FIRST_DEALT <= deal.slot_of[tile] < FIRST_DEALT + rules.num_players
        if dealt and _rank(order, tile) > best_rank:
            best, best_rank = tile, _rank(order, tile)
    return best


@njit
def _lead_is_right(rules, deal):
    return _gives(rules, deal, BY_LEAD, deal.lead_slot) and _gives(rules, deal, rules.lead_rule, deal.opener_slot)


@njit
def _gives(rules, deal, order, slot):
    """Tells whether the best of the dealt tiles lies in the slot, where there is one."""
    return slot == NO_SLOT or deal.slot_of[_best_dealt_tile(rules, deal, order)] == slot


@njit
def _write_deal(state, rules, player, deals):
    """Writes the deal into the state: dealt hands in the order of the set, the rest of the boneyard in any."""
    deal = deals[0]
    for tile in range(deal.num_tiles):
        slot = deal.slot_of[tile]
        if slot != NO_SLOT:
            state.boneyard[deal.start[slot]] = tile
            deal.start[slot] += 1
            if state.owner[tile] != TABLE:
                state.owner[tile] = deal.holder[slot]
    for i in range(state.boneyard_size - 1, 0, -1):
        j = randint(deal, i + 1)
        state.boneyard[i], state.boneyard[j] = state.boneyard[j], state.boneyard[i]
    # That a tile must open is public; which one it is, who opens alone knows.
    must_open = state.line_length == 0 and state.opening_tile != FREE_OPENING
    if must_open and state.player != player:
        if deal.opener_slot != NO_SLOT:
            state.opening_tile = _best_dealt_tile(rules, deal, rules.lead_rule)
        elif deal.lead_slot != NO_SLOT:
            state.opening_tile = _best_dealt_tile(rules, deal, BY_LEAD)
    state.rng = deal.rng
