"""Pips, multiples, rounding, and the settlement of a hand."""

from domino_envs.core.jit import njit
from domino_envs.core.tiles import hand_pips

NOBODY = -1
ROUND_NONE, ROUND_EACH, ROUND_SUM = 0, 1, 2  # values of `hand_end_rounding`
UNIT_PIP, UNIT_FIVE_PIPS = 0, 1  # values of `score_unit`
SCORE_FACE_BOTH, SCORE_FACE_ONCE, SCORE_UNITS = 0, 1, 2  # values of `ft_scoring`


@njit
def round_to_five(pips):
    """Returns the nearest multiple of five of `pips >= 0`; an integer is never half way."""
    return 5 * ((pips + 2) // 5)


@njit
def multiple_of_five(total):
    """Returns `total` where five divides it, else 0."""
    return total if total % 5 == 0 else 0


@njit
def multiple_of_three(total):
    """Returns `total` where three divides it, else 0."""
    return total if total % 3 == 0 else 0


@njit
def in_score_unit(rules, pips):
    """Returns pips in the unit of `score_unit`, rounded down."""
    return pips // 5 if rules.score_unit == UNIT_FIVE_PIPS else pips


@njit
def multiples_of_five_and_three(total, scoring):
    """Returns what a total scores where five or three divides it, by the kind of `ft_scoring`."""
    fives, threes = multiple_of_five(total), multiple_of_three(total)
    if scoring == SCORE_UNITS:
        return fives // 5 + threes // 3
    return max(fives, threes) if scoring == SCORE_FACE_ONCE else fives + threes


@njit
def side_of(rules, seat):
    """Returns the side that a seat plays for: itself, or its pair (seats 0+2 and 1+3)."""
    return seat % rules.num_sides


@njit
def side_pips(state, rules, side):
    """Returns the pips left in all hands of a side; 0 when a member is out."""
    pips = 0
    for seat in range(side, rules.num_players, rules.num_sides):
        if state.hand_sizes[seat] == 0:
            return 0
        pips += hand_pips(state, seat)
    return pips


@njit
def hand_winner(state, rules):
    """Returns the seat that won the hand: who is out, else the strictly lightest side's lighter seat, or `NOBODY`."""
    for seat in range(rules.num_players):
        if state.hand_sizes[seat] == 0:
            return seat
    best, lightest, tied = NOBODY, 0, False
    for side in range(rules.num_sides):
        pips = side_pips(state, rules, side)
        if best == NOBODY or pips < lightest:
            best, lightest, tied = side, pips, False
        elif pips == lightest:
            tied = True
    return NOBODY if tied else lighter_seat(state, rules, best)


@njit
def lighter_seat(state, rules, side):
    """Returns the seat of a side with the fewest pips, the lower one where they are level."""
    best = side
    for seat in range(side + rules.num_sides, rules.num_players, rules.num_sides):
        if hand_pips(state, seat) < hand_pips(state, best):
            best = seat
    return best


@njit
def opponents_pips(state, rules, winner):
    """Returns the other sides' pips, less the winner's own once where `deduct_own_pips` (Block and Draw)."""
    if winner == NOBODY:
        return 0
    points = 0
    for side in range(rules.num_sides):
        if side != side_of(rules, winner):
            points += side_pips(state, rules, side)
    if rules.deduct_own_pips:
        points -= side_pips(state, rules, side_of(rules, winner))
    return points


@njit
def rounded_differences(state, rules, winner):
    """Returns the sum over the other sides of their pips less the winner's, rounded by `hand_end_rounding` (the fives)."""
    if winner == NOBODY:
        return 0
    own = side_pips(state, rules, side_of(rules, winner))
    points = 0
    for side in range(rules.num_sides):
        if side != side_of(rules, winner):
            difference = side_pips(state, rules, side) - own
            points += round_to_five(difference) if rules.hand_end_rounding == ROUND_EACH else difference
    return round_to_five(points) if rules.hand_end_rounding == ROUND_SUM else points
