"""The opening of a hand that a double opens: who lays it, and what happens while nobody can.

The leader has the right to open. Who holds no double passes, and the right goes on in turn; once all have passed, each
draws a tile in the same order, until one draws a double and lays it at once. When no tile can be drawn any more the hands
are dealt anew, with a record of their own. Where one double is looked for, who was dealt it opens, whoever leads; all pass
only where nobody was dealt a double.
"""

from domino_envs.core import turns
from domino_envs.core.jit import njit
from domino_envs.core.scoring import NOBODY
from domino_envs.core.tiles import double_of, draw_tile, is_double
from domino_envs.core.turns import FREE_OPENING, LEAD_AGAIN, LEAD_HIGHEST_DOUBLE, NO_EVIDENCE

OPEN_ANY_DOUBLE, OPEN_HIGHEST_DOUBLE, OPEN_LOWEST_DOUBLE, OPEN_ANY_TILE = 0, 1, 2, 3  # values of `lead_rule`


@njit
def looks_for_double(rules):
    return rules.lead_rule == OPEN_HIGHEST_DOUBLE or rules.lead_rule == OPEN_LOWEST_DOUBLE


@njit
def begin_opening(state, rules):
    """Begins a hand just dealt: the leader is to open, or who was dealt the double that is looked for."""
    for seat in range(rules.num_players):
        state.draws_since_no_double[seat] = NO_EVIDENCE
    if looks_for_double(rules):
        tile = _first_dealt_double(state, rules)
        if tile >= 0:
            state.opening_tile = tile
            state.player = state.owner[tile]


@njit
def _first_dealt_double(state, rules):
    """Returns the highest, or the lowest, double that was dealt, or -1."""
    for i in range(rules.max_pip + 1):
        number = i if rules.lead_rule == OPEN_LOWEST_DOUBLE else rules.max_pip - i
        tile = double_of(number)
        if state.owner[tile] >= 0:
            return tile
    return -1


@njit
def mark_opening(state, rules, mask):
    """Fills `mask[num_actions]` before the first tile: what may open, or else the one forced pass or draw."""
    turns.clear_mask(mask)
    if state.done:
        return
    if rules.lead_rule == OPEN_ANY_TILE or state.opening_tile != FREE_OPENING:
        turns.mark_openings(state, mask)
    elif _mark_doubles(state, rules, mask) == 0:
        mask[rules.pass_action if state.passes[state.player] == 0 else rules.draw_action] = 1


@njit
def _mark_doubles(state, rules, mask):
    count = 0
    for number in range(rules.max_pip + 1):
        tile = double_of(number)
        if state.owner[tile] == state.player:
            mask[tile * len(state.ends)] = 1
            count += 1
    return count


@njit
def pass_or_draw(state, rules, action):
    """Plays a pass, or a draw, for want of a double to open with."""
    if action == rules.draw_action:
        state.draws[state.player] += 1
        state.drew = is_double(draw_tile(state))
        if state.drew:
            return  # and lays it
    else:
        state.passes[state.player] += 1
        state.draws_since_no_double[state.player] = 0
    state.player = (state.player + 1) % rules.num_players
    all_passed = state.passes[state.player] > 0
    if all_passed and not turns.can_draw(state, rules):
        _deal_anew(state, rules)


@njit
def _deal_anew(state, rules):
    """Deals the hands anew: the leader stays, unless its tiles found it."""
    turns.deal_hand(state, rules, LEAD_HIGHEST_DOUBLE if state.lead == LEAD_HIGHEST_DOUBLE else LEAD_AGAIN, NOBODY)
    begin_opening(state, rules)


@njit
def follow_doubles(state, rules, action):
    """Counts the unknown tiles that a seat, shown to hold no double, has drawn since; to be called before the move.

    A tile drawn in the opening is known to be no double, or is laid at once. A tile laid straight after a draw is the drawn
    one; another double was drawn since.
    """
    since = state.draws_since_no_double[state.player]
    if since == NO_EVIDENCE or state.line_length == 0:
        return
    if action == rules.draw_action:
        state.draws_since_no_double[state.player] += 1
    elif turns.is_placement(rules, action) and since > 0 and (state.drew or is_double(action // len(state.ends))):
        state.draws_since_no_double[state.player] -= 1
