"""Deals anew what a seat cannot see, uniformly over the complete deals that the hand's public record allows.

A complete deal is the initial hands and the order of the boneyard. Every tile has its slot in it: dealt to a seat, the
k-th one drawn, or still in the boneyard. The record is played again from the deal on, to find what each slot may hold:

- A tile that a seat laid was dealt to it, or drawn by it before.
- A seat that drew or passed held no tile that fitted. Nor has one drawn such a tile whose turn ended with the draw under
  `one_then_play`; one that kept the turn has drawn a tile that fits.
- Where the highest double led, nobody was dealt a tile that goes before the best one dealt to the leader.

The tiles are then assigned to the slots uniformly (`core/assignment.py`), and again if somebody else would have led:
rejection leaves the remaining deals equally likely. Slots matter even for who holds what now: a hand is the likelier, the
more ways it can have come about.
"""

from typing import NamedTuple

import numpy as np

from domino_envs.core.assignment import UNKNOWN, Slots, draw_assignment, make_plan, njit_with_heap, obeys_limits
from domino_envs.core.jit import njit
from domino_envs.core.line import clear_line, fits, place
from domino_envs.core.rng import randint
from domino_envs.core.tiles import BONEYARD, PIPS, TABLE, is_double
from domino_envs.core.turns import DRAW_ONE_THEN_PLAY, FREE_OPENING, LEAD_HIGHEST_DOUBLE, hand_is_over, is_placement

IN_BONEYARD, FIRST_DEALT = 0, 1  # slots: what is left of the boneyard, what was dealt to each seat, then each draw
NO_SLOT = -2  # value of `slot_of`: a tile on the table that the record does not tell of
MOST_TRIES = 1 << 20  # so that a table set up by hand, with a record that no deal fits, comes to an end


class Deal(NamedTuple):
    """A complete deal, as far as a seat knows it: `S` slots for `N` tiles."""

    player: int  # the seat
    slots: Slots
    holder: np.ndarray  # int64[S], who got the slot's tiles: a seat or BONEYARD
    start: np.ndarray  # int64[S], the slot's first place in `boneyard`


@njit
def redeal_hidden(state, rules, player, seed):
    state.rng = seed
    _redeal(state, rules, player)


@njit_with_heap
def _redeal(state, rules, player):
    length = _record_length(state, rules)
    tiles, size = len(state.owner), FIRST_DEALT + rules.num_players + _count_draws(state, rules, length)
    rows = np.empty((3, size), np.int64)
    slots = Slots(np.empty(tiles, np.int64), rows[0], np.empty((size, tiles), np.bool_))
    deal = Deal(player, slots, rows[1], rows[2])
    by_best_tile = _best_tile_led(state, rules, length)
    _read_record(state, rules, deal, length)
    if by_best_tile:
        _limit_by_lead(state, rules, slots)
    plan, ways = make_plan(slots)
    for _ in range(MOST_TRIES):
        draw_assignment(state, slots, plan, ways)
        if obeys_limits(slots, plan) and (not by_best_tile or _leader_has_best_tile(state, rules, slots)):
            break
    _write_deal(state, deal)
    if by_best_tile and rules.lead_tile and state.line_length == 0:
        state.opening_tile = _best_dealt_tile(rules, slots)


@njit
def _record_length(state, rules):
    """Returns the number of moves on record; none where they do not account for the line, on a table set up by hand."""
    laid = 0
    for turn in range(state.history_size):
        laid += is_placement(rules, state.history[turn])
    return state.history_size if laid == state.line_length else 0


@njit
def _count_draws(state, rules, length):
    draws = 0
    for turn in range(length):
        draws += state.history[turn] == rules.draw_action
    return draws


@njit
def _read_record(state, rules, deal, length):
    """Plays the record again and limits what each slot may hold; leaves the state as it was."""
    mover, arms = state.player, len(state.ends)
    _take_back(state, rules, length)
    _open_dealt_slots(state, rules, deal)
    next_slot = FIRST_DEALT + rules.num_players
    for turn in range(length):
        state.player = state.history_seats[turn]
        action = state.history[turn]
        if is_placement(rules, action):
            _limit_to_mover(state, deal, action // arms)
            place(state, rules, action // arms, action % arms)
            continue
        _rule_out_fitting(state, deal, next_slot)
        if action == rules.draw_action:
            _open_drawn_slot(state, deal, next_slot)
            next_slot += 1
            if rules.draw_mode == DRAW_ONE_THEN_PLAY:
                _judge_drawn_tile(state, deal, next_slot, mover if turn + 1 == length else state.history_seats[turn + 1])
    state.player = mover
    deal.slots.room[IN_BONEYARD] = state.boneyard_size


@njit
def _take_back(state, rules, length):
    """Takes the moves on record back, as far as they are public: who drew which tile stays open."""
    if length > 0:
        clear_line(state)
    for turn in range(length):
        seat = state.history_seats[turn]
        if is_placement(rules, state.history[turn]):
            state.owner[state.history[turn] // len(state.ends)] = seat
            state.hand_sizes[seat] += 1
        elif state.history[turn] == rules.draw_action:
            state.hand_sizes[seat] -= 1
            state.boneyard_size += 1


@njit
def _open_dealt_slots(state, rules, deal):
    """Opens the slots of the boneyard and the dealt hands; the own tiles count as dealt until a draw says otherwise."""
    for tile in range(len(state.owner)):
        owner = state.owner[tile]
        known = FIRST_DEALT + deal.player if owner == deal.player else NO_SLOT
        deal.slots.slot_of[tile] = known if owner == deal.player or owner == TABLE else UNKNOWN
    _open_slot(state, deal, IN_BONEYARD, BONEYARD, 0, 0)
    start = state.boneyard_size
    for seat in range(rules.num_players - 1, -1, -1):
        _open_slot(state, deal, FIRST_DEALT + seat, seat, start, state.hand_sizes[seat])
        start += state.hand_sizes[seat]


@njit
def _open_drawn_slot(state, deal, slot):
    state.boneyard_size -= 1
    state.hand_sizes[state.player] += 1
    if state.player == deal.player:
        deal.slots.slot_of[state.boneyard[state.boneyard_size]] = slot
    _open_slot(state, deal, slot, state.player, state.boneyard_size, 1)


@njit
def _open_slot(state, deal, slot, holder, start, room):
    """Opens a slot for unknown tiles that are not on the table yet; a slot of the seat's own has no room for them."""
    own = holder == deal.player
    deal.holder[slot] = holder
    deal.start[slot] = start
    deal.slots.room[slot] = 0 if own else room
    for tile in range(len(state.owner)):
        unknown = deal.slots.slot_of[tile] == UNKNOWN and state.owner[tile] != TABLE
        deal.slots.may_hold[slot, tile] = unknown and not own


@njit
def _limit_to_mover(state, deal, tile):
    """The mover lays a tile: it was dealt to it or drawn by it."""
    for slot in range(len(deal.holder)):
        if deal.holder[slot] != state.player:
            deal.slots.may_hold[slot, tile] = False


@njit
def _rule_out_fitting(state, deal, next_slot):
    """The mover cannot place: its slots so far hold no tile that fits and is not on the table."""
    if state.player == deal.player:
        return
    for tile in range(len(state.owner)):
        if state.owner[tile] != TABLE and fits(state, tile):
            for slot in range(FIRST_DEALT, next_slot):
                if deal.holder[slot] == state.player:
                    deal.slots.may_hold[slot, tile] = False


@njit
def _judge_drawn_tile(state, deal, next_slot, next_mover):
    """The mover has drawn one tile and keeps the turn if it fits."""
    if next_mover != state.player:
        _rule_out_fitting(state, deal, next_slot)
        return
    for tile in range(len(state.owner)):
        if not fits(state, tile):
            deal.slots.may_hold[next_slot - 1, tile] = False


@njit
def _best_tile_led(state, rules, length):
    """Tells whether the leader was found by the highest double, or the heaviest tile, of the dealt ones."""
    if length == 0 and state.line_length > 0:
        return False
    hands_before = state.hands_played - (1 if state.done and hand_is_over(state, rules) else 0)
    return (rules.first_leader if hands_before == 0 else rules.next_lead) == LEAD_HIGHEST_DOUBLE


@njit
def _lead_rank(tile):
    """Returns a number that orders tiles by their right to lead: doubles first, then by weight, ties by the higher half."""
    return (65536 if is_double(tile) else 0) + PIPS[tile] * 256 + tile


@njit
def _limit_by_lead(state, rules, slots):
    """Nobody was dealt a tile that goes before the best one that the leader can have been dealt."""
    leader_slot = FIRST_DEALT + state.leader
    best = -1
    for tile in range(len(state.owner)):
        if slots.slot_of[tile] == leader_slot or slots.may_hold[leader_slot, tile]:
            best = max(best, _lead_rank(tile))
    if rules.lead_tile and state.line_length > 0:
        best = _lead_rank(state.opening_tile)
    for tile in range(len(state.owner)):
        if _lead_rank(tile) > best:
            for seat in range(rules.num_players):
                slots.may_hold[FIRST_DEALT + seat, tile] = False


@njit
def _best_dealt_tile(rules, slots):
    best, best_rank = -1, -1
    for tile in range(len(slots.slot_of)):
        dealt = FIRST_DEALT <= slots.slot_of[tile] < FIRST_DEALT + rules.num_players
        if dealt and _lead_rank(tile) > best_rank:
            best, best_rank = tile, _lead_rank(tile)
    return best


@njit
def _leader_has_best_tile(state, rules, slots):
    return slots.slot_of[_best_dealt_tile(rules, slots)] == FIRST_DEALT + state.leader


@njit
def _write_deal(state, deal):
    """Writes the deal into `boneyard` and `owner`, dealt hands in the order of the set, what is left shuffled."""
    for tile in range(len(state.owner)):
        slot = deal.slots.slot_of[tile]
        if slot != NO_SLOT:
            state.boneyard[deal.start[slot]] = tile
            deal.start[slot] += 1
            if state.owner[tile] != TABLE:
                state.owner[tile] = deal.holder[slot]
    for i in range(state.boneyard_size - 1, 0, -1):
        j = randint(state, i + 1)
        state.boneyard[i], state.boneyard[j] = state.boneyard[j], state.boneyard[i]
