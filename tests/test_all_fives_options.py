"""All Fives, worked by hand: drawing, the lead, the match, and every option."""

import pytest

from domino_envs import load_game
from domino_envs.render.text import hand_of
from domino_envs.table import Table
from domino_envs.testing import play, position, random_positions, set_deal
from worked import credited, names, two_seats

# Drawing


def test_who_cannot_lay_draws_one_tile_and_the_turn_ends_even_if_it_fits():
    table = position("all_fives", ["0-0", "1-1"], ends=(5, 2), boneyard="5-3 6-6 4-4")
    assert names(table) == {"draw"}
    play(table, "draw")
    assert table.player == 1
    assert hand_of(table, 0) == ["5-3", "0-0"]


def test_two_tiles_are_never_drawn_and_then_a_block_is_a_pass_of_all():
    table = position("all_fives", ["0-0", "1-1", "3-3"], ends=(5, 2), boneyard="6-3 6-6 4-4", max_hands=1)
    play(table, "draw")
    for _ in range(3):
        assert names(table) == {"pass"}
        play(table, "pass")
    assert table.done
    # Seat 1 holds 2 pips, the others 9 and 6: differences 7 and 4, rounded 5 and 5.
    assert table.hand_points.tolist() == [0, 10, 0]


# The lead and the match


@pytest.mark.parametrize("lead_tile", ["any", "highest_double"])
def test_the_highest_double_leads_every_hand(lead_tile):
    game = load_game("all_fives", 3, lead_tile=lead_tile, target=None, max_hands=6)
    for table in random_positions(game, games=15):
        if table.state.history_size == 0 and not table.done:
            doubles = {f"{pip}-{pip}": seat for pip in range(7) for seat in range(3) if f"{pip}-{pip}" in hand_of(table, seat)}
            if doubles:
                assert table.player == doubles[max(doubles)]
                opening = hand_of(table, table.player) if lead_tile == "any" else [max(doubles)]
                assert names(table) == {f"{tile}>L" for tile in opening}


@pytest.mark.parametrize(("next_lead", "leader"), [("winner", 2), ("rotation", 1)])
def test_other_leads_of_the_next_hand(next_lead, leader):
    """Seat 2 of three wins the block that seat 0 led."""
    table = position("all_fives", ["5-1", "4-3", "1-1"], ends=(2, 2), next_lead=next_lead)
    play(table, "pass", "pass", "pass")
    assert table.player == leader
    assert len(names(table)) == 5


@pytest.mark.parametrize(("match_end", "scores", "done"), [("immediate", [105, 0], True), ("hand_end", [105, 0], False)])
def test_the_target_may_end_the_match_within_a_hand(match_end, scores, done):
    """At 90, 6-6 on the 6 makes 3 + 12 = 15."""
    table = position("all_fives", ["6-6 1-0", "1-1"], ends=(3, 6), scores=[90, 0], match_end=match_end)
    play(table, "6-6>R")
    assert table.scores.tolist() == scores
    assert table.done == done
    assert table.hand_points.tolist() == [0, 0]
    assert table.rewards.tolist() == ([1, -1] if done else [0, 0])


def test_no_hand_end_points_once_the_target_is_reached():
    """95 and 10 for the last tile: 105, though seat 1 still holds 12 pips."""
    table = position("all_fives", ["6-3", "6-6"], ends=(4, 3), scores=[95, 0])
    play(table, "6-3>R")  # 4 + 6 = 10
    assert table.done
    assert table.scores.tolist() == [105, 0]


def test_with_match_end_hand_end_the_highest_score_at_the_target_wins():
    """Seat 0 passes the target first, but the end of the hand puts seat 1 ahead."""
    table = position("all_fives", ["6-6 5-5", "6-0"], ends=(3, 6), scores=[90, 99], match_end="hand_end")
    play(table, "6-6>R")  # 3 + 12 = 15: 105
    play(table, "6-0>R")  # 3 + 0; out, and 5-5 with 10 pips is left: 99 + 10 = 109
    assert table.done
    assert table.scores.tolist() == [105, 109]
    assert table.rewards.tolist() == [-1, 1]


def test_an_exact_target_counts_no_credit_past_it():
    """At 95 a 15 is not counted; at 85 it wins."""
    for score, after, done in ((95, 95, False), (85, 100, True)):
        table = position("all_fives", ["6-6 1-0", "1-1"], ends=(3, 6), scores=[score, 0], exact_target=True)
        play(table, "6-6>R")
        assert table.scores.tolist() == [after, 0]
        assert table.done == done


def test_an_uncounted_credit_pays_nothing():
    table = position("all_fives", ["6-6 1-0", "1-1"], ends=(3, 6), scores=[95, 0], exact_target=True, reward="points")
    assert play(table, "6-6>R").rewards.tolist() == [0, 0]


def test_points_are_paid_when_they_are_earned():
    """15 of 100 to seat 0, less the mean of nothing; to the two others nothing less the mean of 15 and 0."""
    table = position("all_fives", ["6-6 1-0", "1-1", "2-2"], ends=(3, 6), reward="points")
    assert play(table, "6-6>R").rewards.tolist() == pytest.approx([0.15, -0.075, -0.075])


# The unit and the threshold


@pytest.mark.parametrize(("unit", "paid"), [("pips", [10, 10, 10, 0, 10]), ("pips_over_5", [2, 2, 2, 0, 2])])
def test_points_are_pips_or_their_fifth_part(unit, paid):
    assert credited("all_fives", "5-5>L 5-0>L 0-0>L 6-5>R 4-0>L", score_unit=unit) == paid


@pytest.mark.parametrize(("rounding", "points"), [("none", 2), ("r5_each", 3), ("r5_sum", 3)])
def test_the_fifth_part_of_the_hand_end_is_rounded_down(rounding, points):
    """The winner holds 3, the others 11, 6 and 5: 8 + 3 + 2 = 13, rounded 10 + 5 + 0 or 15; a fifth of it."""
    options = {"hand_end_rounding": rounding, "score_unit": "pips_over_5"}
    table = position("all_fives", ["3-0", "6-5", "6-0", "5-0"], ends=(2, 2), max_hands=1, target=None, **options)
    assert play(table, *["pass"] * 4).hand_points.tolist() == [points, 0, 0, 0]


@pytest.mark.parametrize(
    ("score", "threshold", "after"), [(0, 0, 15), (0, 15, 15), (0, 16, 0), (-5, 16, -5), (-5, 10, 10), (5, 16, 20)]
)
def test_a_first_credit_must_reach_the_opening_threshold(score, threshold, after):
    """3 + 12 = 15."""
    table = position("all_fives", ["6-6 1-0", "1-1"], ends=(3, 6), scores=[score, 0], opening_threshold=threshold)
    assert play(table, "6-6>R").scores.tolist() == [after, 0]


@pytest.mark.parametrize(("unit", "after"), [("pips", 15), ("pips_over_5", 0)])
def test_the_opening_threshold_is_in_the_unit_of_the_score(unit, after):
    table = position("all_fives", ["6-6 1-0", "1-1"], ends=(3, 6), opening_threshold=4, score_unit=unit)
    assert play(table, "6-6>R").scores.tolist() == [after, 0]


@pytest.mark.parametrize(("threshold", "points"), [(10, 10), (11, 0)])
def test_the_opening_threshold_holds_for_the_hand_end_by_itself(threshold, points):
    """3-1 goes out on the 3: 4 + 1 = 5 does not open; then 6-2 with 8 pips rounds to 10."""
    table = play(position("all_fives", ["3-1", "6-2"], ends=(4, 3), opening_threshold=threshold), "3-1>R")
    assert table.scores.tolist() == table.hand_points.tolist() == [points, 0]


# The spinner


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize(
    ("moves", "paid"),
    [
        # 10; 0 + 10; 0 + 3 with the spinner covered; 0 + 3 + 2; 0 + 3 + 2 + 1 = 6; 0 + 3 + 4 + 1 = 8.
        ("5-5>L 5-0>L 5-3>R 5-2>U 5-1>D 2-2>U", [10, 10, 0, 5, 0, 0]),
        # 11; 5 + 12; 5 + 2 with 6-6 covered; 5 + 2 + 1 = 8; 10 + 2 + 1 = 13; 4 + 2 + 1 = 7: 5-5 opens nothing.
        ("6-5>L 6-6>R 6-2>R 6-1>U 5-5>L 5-4>L", [0, 0, 0, 0, 0, 0]),
        # 6-6 covered on one side only: 12; 12 + 3 = 15; 12 + 4 = 16.
        ("6-6>L 6-3>L 4-3>L", [0, 15, 0]),
    ],
)
def test_the_first_double_opens_two_arms_that_score_once_begun(moves, paid):
    assert credited("all_fives", moves, spinner="first_double") == paid


def test_the_arms_of_a_spinner_open_once_both_its_sides_have_neighbours():
    hands = ["5-5 5-3 5-1 1-1", "5-0 5-2 2-2 4-4"]
    table = set_deal(Table(load_game("all_fives", spinner="first_double"), seed=0), hands)
    play(table, "5-5>L", "5-0>L")
    assert names(table) == {"5-3>R", "5-1>R"}
    assert names(play(table, "5-3>R")) == {"5-2>U"}  # U and D leave one layout
    assert names(play(table, "5-2>U")) == {"5-1>D"}


@pytest.mark.parametrize(
    ("moves", "legal"),
    [
        ("6-5>L 6-6>R 6-1>R 5-1>R 5-4>L 4-2>L 6-2>L", {"6-0>L", "6-0>U"}),  # 0 and 5, or 6 and 5 and 0 on an arm
        ("5-5>L 6-5>L 6-1>L 5-1>L", {"5-2>L", "5-2>R"}),  # the spinner with a side free, and a 5
    ],
)
def test_an_arm_or_a_spinner_beside_an_end_of_its_number_is_an_action_of_its_own(moves, legal):
    tile = next(iter(legal))[:3]
    table = two_seats("all_fives", f"{moves} {tile}>L", spinner="first_double")
    play(table, *moves.split())
    assert {name for name in names(table) if name.startswith(tile)} == legal


def test_without_a_spinner_a_double_has_two_sides():
    table = play(two_seats("all_fives", "5-5>L 5-0>L 5-3>R 5-2>U"), "5-5>L", "5-0>L", "5-3>R")
    assert not [name for name in names(table) if name.startswith("5-2")]
    assert table.game.num_actions == 2 * 28 + 3
    assert load_game("all_fives", spinner="first_double").num_actions == 4 * 28 + 3


# Bad options


@pytest.mark.parametrize(
    "options",
    [
        {"false_claims": True},
        {"claim_mode": "muggins", "false_claim_penalty": 5},
        {"claim_mode": "muggins", "false_claims": True, "false_claim_penalty": -1},
        {"claim_mode": "silent"},
        {"spinner": "every_double"},
        {"score_unit": "fives"},
        {"opening_threshold": -1},
    ],
)
def test_options_that_make_no_game_are_refused(options):
    with pytest.raises(ValueError, match=next(reversed(options))):
        load_game("all_fives", **options)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("all_fives", {"target": 61}),
        ("all_fives", {"target": 61, "hand_end_rounding": "r5_sum"}),
        ("all_fives", {"target": 99_999}),
        ("all_fives", {"target": 5, "opening_threshold": 10}),
        ("all_fives_and_threes", {"target": 7, "hand_end_rounding": "r5_each"}),
    ],
)
def test_an_exact_target_out_of_reach_is_refused(name, options):
    with pytest.raises(ValueError, match=rf"needs a target that can be reached, got target={options['target']}"):
        load_game(name, exact_target=True, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"hand_end_rounding": "none"},
        {"score_unit": "pips_over_5"},
        {"claim_mode": "muggins", "false_claims": True, "false_claim_penalty": 3},
    ],
)
def test_an_exact_target_may_be_any_number_that_can_be_reached(options):
    assert load_game("all_fives", target=61, exact_target=True, **options).options.target == 61
