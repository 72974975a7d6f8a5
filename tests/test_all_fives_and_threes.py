"""All Fives and Threes, worked by hand."""

import pytest

from domino_envs import load_game
from domino_envs.testing import play, position
from worked import credited, names

KINDS = ("face_both", "face_once", "units")

# Moves | the totals of the ends | what each scores by face for both divisors, by face once, in fives and threes.
LINES = """
6-6>L 6-3>L 3-3>L 6-0>R 5-3>L | 12 15 18 6 5 | 12 30 18 6 5 | 12 15 18 6 5 | 4 8 6 2 1
4-4>L 5-4>L 5-5>L | 8 13 18 | 0 0 18 | 0 0 18 | 0 0 6
5-5>L 5-0>L | 10 10 | 10 10 | 10 10 | 2 2
4-4>L 6-4>L 6-6>L | 8 14 20 | 0 0 20 | 0 0 20 | 0 0 4
0-0>L 3-0>L 6-3>L | 0 3 6 | 0 3 6 | 0 3 6 | 0 1 2
6-3>L 6-6>R | 9 15 | 9 30 | 9 15 | 3 8
4-3>L 6-4>R | 7 9 | 0 9 | 0 9 | 0 3
"""


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("row", LINES.strip().splitlines())
def test_totals_that_five_or_three_divides_score(row):
    moves, totals, *scores = row.split(" | ")
    for kind, paid in zip(KINDS, scores, strict=True):
        assert credited("all_fives_and_threes", moves, ft_scoring=kind) == list(map(int, paid.split()))
        for total, score in zip(totals.split(), paid.split(), strict=True):
            assert (int(score) > 0) == (int(total) > 0 and (int(total) % 5 == 0 or int(total) % 3 == 0))


@pytest.mark.parametrize(("scoring", "after", "done"), [("face_both", 102, True), ("face_once", 87, False)])
def test_a_fifteen_from_72_wins_only_where_it_counts_twice(scoring, after, done):
    """Ends 3 and 6, and 6-6 on the 6: 3 + 12 = 15."""
    options = {"ends": (3, 6), "scores": [72, 40], "ft_scoring": scoring}
    table = play(position("all_fives_and_threes", ["6-6 1-0", "1-1"], **options), "6-6>R")
    assert table.scores.tolist() == [after, 40]
    assert table.done == done


@pytest.mark.parametrize(("rounding", "points"), [("none", 13), ("r5_each", 15), ("r5_sum", 15)])
def test_a_blocked_hand_pays_the_differences(rounding, points):
    """The winner holds 3, the others 11, 6 and 5: 8 + 3 + 2, rounded 10 + 5 + 0."""
    hands = ["3-0", "6-5", "6-0", "5-0"]
    options = {"ends": (2, 2), "exposed": (True, False), "max_hands": 1, "target": None, "hand_end_rounding": rounding}
    table = play(position("all_fives_and_threes", hands, **options), *["pass"] * 4)
    assert table.hand_points.tolist() == [points, 0, 0, 0]


def test_the_pips_of_the_hand_end_are_plain_by_default_in_units_too():
    """Seat 0 goes out: 3 + 4 = 7 does not score; 6-5 and 6-1 are left, 18."""
    table = position("all_fives_and_threes", ["4-2", "6-5 6-1"], ends=(3, 2), ft_scoring="units")
    assert play(table, "4-2>R").scores.tolist() == [18, 0]
    assert table.hand_points.tolist() == [18, 0]


def test_lead_deal_draw_and_reserve_are_those_of_all_fives():
    ours, theirs = load_game("all_fives_and_threes", 3).options, load_game("all_fives", 3).options
    for option in ("hand_size", "draw_mode", "reserve", "first_leader", "next_lead", "lead_tile", "target", "exact_target"):
        assert getattr(ours, option) == getattr(theirs, option)


def test_a_fifteen_can_be_left_to_the_others():
    table = position("all_fives_and_threes", ["6-6 1-0", "3-1 5-5"], ends=(3, 6), claim_mode="muggins")
    play(table, "6-6>R", "pass", "3-1>L")  # 1 + 12 = 13
    assert names(table) == {"claim", "pass"}
    assert play(table, "claim").scores.tolist() == [0, 30]


@pytest.mark.parametrize(("penalty", "after"), [(0, 0), (7, -7)])
def test_a_wrong_claim_costs_the_penalty(penalty, after):
    """4 + 3 = 7."""
    options = {"claim_mode": "muggins", "false_claims": True, "false_claim_penalty": penalty}
    table = position("all_fives_and_threes", ["4-2 1-0", "6-6 5-5"], ends=(3, 2), **options)
    assert play(table, "4-2>R", "claim").scores.tolist() == [after, 0]
    assert table.player == 1


def test_a_spinner_counts_its_arms():
    """6-6: 12; 0 + 12 = 12; 0 + 3 = 3, the spinner covered; 0 + 3 + 4 = 7; 0 + 3 + 4 + 5 = 12."""
    moves = "6-6>L 6-0>L 6-3>R 6-4>U 6-5>D"
    assert credited("all_fives_and_threes", moves, spinner="first_double") == [12, 12, 3, 0, 12]


def test_units_and_the_opening_threshold_are_options_of_all_fives_alone():
    for option in ("score_unit", "opening_threshold", "out_bonus"):
        with pytest.raises(TypeError, match=option):
            load_game("all_fives_and_threes", **{option: 1})
