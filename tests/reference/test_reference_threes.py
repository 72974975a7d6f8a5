"""The twins of All Fives and Threes and of Fives and Threes against hands worked out by hand."""

import pytest

from reference.hands import deal, play, points_of
from reference.line_games import Reference, fives_and_threes
from reference.line_options import FIVES

SCORINGS = ("face_both", "face_once", "units")


def match(game, hands, scores=None, **options):
    twin = Reference(game, len(hands), **{"first_leader": "lot", "lead_tile": "any", **options})
    if scores:
        twin.scores = list(scores)
    return deal(twin, hands, leader=0)


@pytest.mark.parametrize(
    ("total", "points"),
    # Fifteen is five threes and three fives, thirty once for each.
    [
        (0, (0, 0, 0)),
        (3, (3, 3, 1)),
        (5, (5, 5, 1)),
        (6, (6, 6, 2)),
        (9, (9, 9, 3)),
        (10, (10, 10, 2)),
        (12, (12, 12, 4)),
        (15, (30, 15, 8)),
        (18, (18, 18, 6)),
        (20, (20, 20, 4)),
        *((total, (0, 0, 0)) for total in (1, 2, 4, 7, 8, 11, 13, 14, 16, 17, 22)),
    ],
)
def test_totals(total, points):
    assert tuple(fives_and_threes(total, scoring) for scoring in SCORINGS) == points


@pytest.mark.parametrize(
    ("hands", "moves", "points"),
    [
        # 6-6 is 12; 6-3 beside it 12 + 3; 3-3 there 12 + 6; 6-0 on the 6-6 0 + 6; 5-3 on the 3-3 0 + 5.
        (
            ["6-6 3-3 5-3 1-1", "6-3 6-0 1-0"],
            ["6-6>L", "6-3>L", "3-3>L", "6-0>R", "5-3>L"],
            ([12, 30, 18, 6, 5], [12, 15, 18, 6, 5], [4, 8, 6, 2, 1]),
        ),
        # 4-4 is 8; 5-4 beside it 8 + 5 = 13; 5-5 there 8 + 10.
        (["4-4 5-5 1-1", "5-4 1-0"], ["4-4>L", "5-4>L", "5-5>L"], ([0, 0, 18], [0, 0, 18], [0, 0, 6])),
        # 5-5 is 10, and 5-0 leaves 10 + 0: no multiple of three.
        (["5-5 1-1", "5-0 1-0"], ["5-5>L", "5-0>L"], ([10, 10], [10, 10], [2, 2])),
        # 6-4 is 10; 4-4 8 + 6 = 14; 6-6 8 + 12 = 20.
        (["6-4 6-6 1-1", "4-4 1-0"], ["6-4>L", "4-4>L", "6-6>R"], ([10, 0, 20], [10, 0, 20], [2, 0, 4])),
        (["0-0 1-1", "2-2 3-3"], ["0-0>L"], ([0], [0], [0])),
    ],
)
def test_lines_of_play(hands, moves, points):
    for scoring, due in zip(SCORINGS, points, strict=True):
        assert points_of(match("all_fives_and_threes", hands, ft_scoring=scoring), *moves) == due


@pytest.mark.parametrize(("scoring", "score", "done"), [("face_both", 102, True), ("face_once", 87, False)])
def test_fifteen_wins_from_seventy_two_only_where_both_divisors_count(scoring, score, done):
    twin = match("all_fives_and_threes", ["6-6 6-3 2-2", "3-3 1-1"], scores=[60, 40], ft_scoring=scoring)
    play(twin, "6-6>L", "pass", "6-3>L")  # 12, then 12 + 3
    assert (twin.scores, twin.done, twin.winners) == ([score, 40], done, [0] if done else [])


@pytest.mark.parametrize(("rounding", "points"), [("none", 13), ("r5_each", 15), ("r5_sum", 15)])
def test_hand_end_of_a_block(rounding, points):
    # 3 against 11, 6 and 5: differences 8, 3 and 2 are 13, rounded each 10 + 5 + 0, their sum 15.
    hands = ["6-6 2-1", "5-4 2-0", "4-2", "5-0"]
    twin = match("all_fives_and_threes", hands, hand_end_rounding=rounding)
    play(twin, "6-6>L", "pass", "pass", "pass", "pass")
    assert (twin.hand_points, twin.scores) == ([points, 0, 0, 0], [12 + points, 0, 0, 0])


def test_units_leave_the_hand_end_in_pips():
    twin = play(match("all_fives_and_threes", ["6-6", "5-4"], ft_scoring="units"), "6-6>L")
    assert (twin.hand_points, twin.scores) == ([9, 0], [4 + 9, 0])


def test_threes_open_claims_too():
    twin = play(match("all_fives_and_threes", ["6-3 1-1", "6-1 2-2"], claim_mode="muggins"), "6-3>L")
    assert (twin.phase, twin.player) == ("claim", 0)
    assert play(twin, "claim").scores == [9, 0]


# Fives and Threes


def test_pub_game_has_its_defaults():
    twin = Reference("fives_and_threes", 2)
    due = {"target": 61, "exact_target": True, "draw_mode": "none", "first_leader": "lot", "next_lead": "rotation"}
    assert {option: twin.options[option] for option in due} == due


@pytest.mark.parametrize(
    ("start", "lead", "score", "done"),
    # Two units overshoot from 60. Three units from 58 hit 61. Eight (5 threes, 3 fives) from 54 would make 62.
    [(60, "6-4", 60, False), (58, "6-3", 61, True), (59, "5-5", 61, True), (60, "6-6", 60, False)],
)
def test_pub_game_is_won_by_exactly_sixty_one(start, lead, score, done):
    twin = play(match("fives_and_threes", [f"{lead} 1-0", "2-2 3-3"], scores=[start, 0]), f"{lead}>L")
    assert (twin.scores, twin.done, twin.winners) == ([score, 0], done, [0] if done else [])


def test_pub_game_fifteen_from_fifty_four_is_not_counted():
    twin = match("fives_and_threes", ["6-6 1-1", "6-3 2-2"], scores=[0, 54])
    assert points_of(twin, "6-6>L", "6-3>L") == [4, 0]
    assert (twin.scores, twin.done) == ([4, 54], False)


@pytest.mark.parametrize(("bonus", "score"), [(1, 3), (0, 2)])
def test_pub_game_pays_a_bonus_for_going_out_and_no_pips(bonus, score):
    twin = play(match("fives_and_threes", ["6-4", "5-4 2-2"], out_bonus=bonus), "6-4>L")
    assert (twin.scores, twin.hand_points) == ([score, 0], [bonus, 0])


def test_pub_game_pays_no_bonus_for_a_block_which_still_has_a_winner():
    twin = match("fives_and_threes", ["6-6 5-4", "2-1"], next_lead="winner")
    play(twin, "6-6>L", "pass", "pass")
    assert (twin.scores, twin.hand_points, twin.last_winner) == ([4, 0], [0, 0], 1)
    assert deal(twin, ["6-6 5-4", "2-1"]).player == 1


def test_pub_game_bonus_that_overshoots_is_not_counted():
    # 4-1 is one unit, to 61; with the end looked for after the hand, the bonus would make 62.
    twin = play(match("fives_and_threes", ["4-1", "5-4"], scores=[60, 0], match_end="hand_end"), "4-1>L")
    assert (twin.scores, twin.hand_points, twin.done, twin.winners) == ([61, 0], [0, 0], True, [0])


def test_pub_game_leads_rotate_and_never_draw():
    twin = match("fives_and_threes", ["6-4", "5-3"])
    play(twin, "6-4>L")
    deal(twin, ["6-4 2-2", "5-3 1-1"], "0-0 1-0")
    play(twin, "5-3>L")
    assert (twin.leader, twin.player, twin.legal_actions()) == (1, 0, {"pass"})


def test_pub_game_in_pairs_is_out_with_one_partner():
    twin = play(match("fives_and_threes", ["6-4", "5-4", "2-2", "3-3"], partnership=True), "6-4>L")
    assert (twin.scores, twin.hand_points) == ([3, 0, 3, 0], [1, 0, 1, 0])


@pytest.mark.parametrize("game", FIVES)
def test_every_game_of_fives_counts_an_exposed_double_twice_in_its_actions(game):
    hands = ["5-5 6-1 5-2 4-3", "6-5 5-1 5-3"]
    twin = play(match(game, hands), "5-5>L", "6-5>L", "6-1>L", "5-1>L")  # the line 5-1 1-6 6-5 5-5
    assert twin.legal_actions() == {"5-2>L", "5-2>R"}
