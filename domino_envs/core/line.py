"""The line of play: open ends, fitting, placing, doubles, and the arms of a spinner.

`ends[arm]` is the number open at the left (0) and right (1) end and, with a spinner, on its third and fourth arm (2, 3);
-1 where nothing can be laid. `doubles[arm]` is 1 while the outermost tile there is a double lying exposed. The opening
tile lies with its low half to the left, and is outermost on both sides.
"""

import numpy as np

from domino_envs.core.jit import njit
from domino_envs.core.tiles import HIGH, LOW, PIPS, TABLE, is_double

LEFT, RIGHT = 0, 1
ARM_NAMES = "LRUD"
NO_END = -1


@njit
def clear_line(state):
    state.line_length = 0
    state.spinner = -1
    state.spinner_sides = 0
    for arm in range(len(state.ends)):
        state.ends[arm] = NO_END
        state.doubles[arm] = 0
        state.arm_lengths[arm] = 0


@njit
def is_open(state, rules, arm):
    """Tells whether a tile can be laid on an arm now."""
    if state.ends[arm] == NO_END:
        return False
    # With one tile beside the opening double, that double's free side comes first.
    waits = rules.fill_opening_double_first and state.line_length == 2 and is_double(state.opening_tile)
    return not (waits and state.arm_lengths[arm] > 0)


@njit
def fits(state, rules, tile):
    """Tells whether `tile` can be laid on any open end; on the empty table, for want of a double, only a double can."""
    if state.line_length == 0:
        return is_double(tile)
    for arm in range(len(state.ends)):
        if (state.ends[arm] == LOW[tile] or state.ends[arm] == HIGH[tile]) and is_open(state, rules, arm):
            return True
    return False


@njit
def end_pips(state, arm):
    """Returns the pips that an end counts: both halves of an exposed double, nothing on an empty arm."""
    if state.ends[arm] == NO_END or (arm > RIGHT and state.arm_lengths[arm] == 0):
        return 0
    return state.ends[arm] * (1 + state.doubles[arm])


@njit
def line_total(state):
    """Returns the total of the open ends; a lone tile counts its pips once."""
    if state.line_length == 1:
        return PIPS[state.opening_tile]
    total = np.int64(0)
    for arm in range(len(state.ends)):
        total += end_pips(state, arm)
    return total


@njit
def _opens_arms(state, arm):
    """Tells whether the tile exposed on `arm` is the spinner with a side still free."""
    return state.spinner >= 0 and arm <= RIGHT and state.doubles[arm] == 1 and state.spinner == state.ends[arm]


@njit
def same_end(state, rules, arm, other):
    """Tells whether laying a tile on either of two ends leaves the same layout, for the score and for later play."""
    if state.ends[arm] != state.ends[other]:
        return False
    if rules.ends_count and end_pips(state, arm) != end_pips(state, other):
        return False
    if rules.doubles_score and state.doubles[arm] != state.doubles[other]:
        return False
    return len(state.ends) == 2 or _opens_arms(state, arm) == _opens_arms(state, other)


@njit
def stands_for_itself(state, rules, arm):
    """Tells whether no lower arm offers the same placements as `arm`."""
    for other in range(arm):
        if same_end(state, rules, other, arm):
            return False
    return True


@njit
def mark_placements(state, rules, mask):
    """Marks every placement of the player to move, equal ones once on the lowest arm; returns how many there are."""
    arms, numbers = len(state.ends), state.draws_since_missing.shape[1]
    count = 0
    for arm in range(arms):
        number = np.int64(state.ends[arm])  # uncompiled, small integers do not grow
        if not is_open(state, rules, arm) or not stands_for_itself(state, rules, arm):
            continue
        # Tiles with this number: number-0 ... number-number lie together, then one in each higher row of the set.
        tile = number * (number + 1) // 2
        for other in range(numbers):
            held = np.int8(state.owner[tile] == state.player)  # no branch: whose tile it is cannot be predicted
            mask[tile * arms + arm] = held
            count += held
            tile += 1 if other < number else other + 1
    return count


@njit
def place(state, rules, tile, arm):
    """Lays a tile of the player to move on an arm (the opening tile: on any)."""
    state.owner[tile] = TABLE
    state.hand_sizes[state.player] -= 1
    state.line_length += 1
    if state.line_length == 1:
        _lay_opening_tile(state, tile)
    else:
        _extend(state, tile, arm)


@njit
def _lay_opening_tile(state, tile):
    state.opening_tile = tile
    state.ends[LEFT] = LOW[tile]
    state.ends[RIGHT] = HIGH[tile]
    state.doubles[LEFT] = is_double(tile)
    state.doubles[RIGHT] = is_double(tile)
    if len(state.ends) > 2 and is_double(tile):
        state.spinner = LOW[tile]


@njit
def _extend(state, tile, arm):
    number = state.ends[arm]
    covers_spinner = _opens_arms(state, arm)
    state.ends[arm] = LOW[tile] + HIGH[tile] - number
    state.doubles[arm] = is_double(tile)
    state.arm_lengths[arm] += 1
    if len(state.ends) > 2:
        if covers_spinner:
            _cover_spinner(state, number)
        elif state.spinner < 0 and is_double(tile):
            state.spinner = number
            state.spinner_sides = 1


@njit
def _cover_spinner(state, number):
    """The spinner's third and fourth arm open once both its sides have neighbours."""
    state.spinner_sides += 1
    if state.spinner_sides == 2:
        for arm in range(2, len(state.ends)):
            state.ends[arm] = number
