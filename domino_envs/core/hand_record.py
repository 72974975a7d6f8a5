"""The record of a hand in the line games: taking it back, as far as all know it, or to the deal that a state holds."""

from domino_envs.core import turns
from domino_envs.core.jit import njit
from domino_envs.core.line import clear_line
from domino_envs.core.opening import looks_for_double
from domino_envs.core.tiles import BONEYARD
from domino_envs.core.turns import FREE_OPENING, LEAD_HIGHEST_DOUBLE, is_placement


@njit
def record_length(state, rules):
    """Returns the number of moves on record; none where they do not account for the line, on a table set up by hand."""
    laid = 0
    for turn in range(state.history_size):
        laid += is_placement(rules, state.history[turn])
    return state.history_size if laid == state.line_length else 0


@njit
def take_back(state, rules, length):
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
def return_to_deal(state, rules):
    """Takes a hand back to its deal, as the state has it, to be played again by its record; it must account for the line.

    Scores count from the deal on: those before it are not on record. Where credits depend on the score, as with a target or a
    threshold, they may come out otherwise than they did. A record that fits no deal, on a table set up by hand, may call for
    moves that are not legal.
    """
    player, opening_tile, tile_must_open = state.player, state.opening_tile, _tile_must_open(state, rules)
    if state.history_size > 0:
        player = state.history_seats[0]
    take_back(state, rules, state.history_size)
    for i in range(state.boneyard_size):
        state.owner[state.boneyard[i]] = BONEYARD
    turns.clear_hand(state, rules)
    for side in range(rules.num_sides):
        state.scores[side] = 0
    state.player = player
    state.opening_tile = opening_tile if tile_must_open else FREE_OPENING


@njit
def _tile_must_open(state, rules):
    """Tells whether who opened, or is to open, had to do so with one tile."""
    if state.history_size == 0 or not is_placement(rules, state.history[0]):
        return state.line_length == 0 and state.opening_tile != FREE_OPENING
    return looks_for_double(rules) or (rules.lead_tile and state.lead == LEAD_HIGHEST_DOUBLE)
