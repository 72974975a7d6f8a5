"""The plain-Python twin of the line games against hands worked out by hand; tiles that a hand does not need are left out."""

import itertools
import random

import pytest

from reference.hands import deal, play, points_of
from reference.line_games import Reference
from reference.line_options import GAMES


def match(game, hands, boneyard="", leader=None, scores=None, **options):
    twin = Reference(game, len(hands), **options)
    if scores:
        twin.scores = list(scores)
    return deal(twin, hands, boneyard, leader)


# All Fives: what the ends add up to


def test_fives_score_the_total_of_the_ends_and_both_halves_of_an_exposed_double():
    twin = match("all_fives", ["5-5 0-0 4-0 1-1", "5-0 6-5 2-2"])
    # 5-5 is 10; 5-0 on it leaves 0 + 10; 0-0 leaves 0 + 10; 6-5 on the 5-5 leaves 0 + 6, nothing; 4-0 leaves 4 + 6.
    assert points_of(twin, "5-5>L", "5-0>L", "0-0>L", "6-5>R", "4-0>L") == [10, 10, 10, 0, 10]
    assert twin.scores == [30, 10]


def test_fives_double_laid_on_an_end_counts_both_halves():
    twin = match("all_fives", ["6-6 6-3 0-0", "2-1 4-4"])
    # The line 3 6 counts 9; with 6-6 on its 6 it counts 3 + 12.
    assert points_of(twin, "6-3>L", "pass", "6-6>R") == [0, 0, 15]


@pytest.mark.parametrize(("reply", "points"), [("4-3>R", 5), ("4-4>R", 10)])
def test_fives_reply_to_a_lead_of_four_two(reply, points):
    twin = match("all_fives", ["5-5 4-2", "4-3 4-4"])
    # 4-2 counts 6. Then 2 + 3 = 5, or 2 + 8 = 10.
    assert points_of(twin, "4-2>L", reply) == [0, points]


@pytest.mark.parametrize(
    ("lead", "points"),
    # A single tile counts its two halves once: 6 + 4, 5 + 5, 3 + 2, 6 + 6 = 12, and 0, which is not above zero.
    [("6-4", 10), ("5-5", 10), ("3-2", 5), ("6-6", 0), ("0-0", 0)],
)
def test_fives_openings(lead, points):
    hand = f"{lead} 1-1 3-3 6-1"
    twin = match("all_fives", [hand, "5-1 4-1"])
    assert points_of(twin, f"{lead}>L") == [points]


def test_fives_total_can_reach_twenty():
    # 6-4 makes 10; 4-4 makes 8 + 6 = 14; 6-6 makes 8 + 12 = 20.
    twin = match("all_fives", ["6-6 6-4 1-1", "4-4 2-1"])
    assert points_of(twin, "6-4>L", "4-4>L", "6-6>R") == [10, 0, 20]


def test_fives_in_units_score_a_fifth_and_round_the_hand_end_down():
    twin = match("all_fives", ["6-6 6-4", "5-4 2-2 1-0"], score_unit="pips_over_5", hand_end_rounding="none")
    # 6-4: 10 / 5 = 2. 5-4: 5 + 6 = 11. 6-6: 5 + 12 = 17, and out. The other holds 4 + 1 = 5: 1 unit.
    assert points_of(twin, "6-4>L", "5-4>L", "6-6>R") == [2, 0, 1]
    assert (twin.scores, twin.hand_points) == ([3, 0], [1, 0])

    twin = match("all_fives", ["6-6", "5-4"], score_unit="pips_over_5", hand_end_rounding="none")
    assert points_of(twin, "6-6>L") == [1]  # 9 pips are 1 unit and a rest
    twin = match("all_fives", ["6-6", "5-4"], score_unit="pips_over_5")
    assert points_of(twin, "6-6>L") == [2]  # 9 pips are rounded to 10 first


# Hand end


def blocked_hand(game, *left, **options):
    """All hold what is `left` to them and no 6; the first leads 6-6, and all pass."""
    twin = match(game, [f"6-6 {left[0]}", *left[1:]], **options)
    return play(twin, "6-6>L", *["pass"] * len(left))


def test_fives_block_rounds_the_difference_to_each_loser():
    # 3 against 11, 6 and 5: differences 8, 3 and 2 go to 10, 5 and 0.
    assert blocked_hand("all_fives", "2-1", "5-4 2-0", "4-2", "5-0").hand_points == [15, 0, 0, 0]


@pytest.mark.parametrize(("rounding", "points"), [("r5_each", 0), ("r5_sum", 5), ("none", 6)])
def test_fives_hand_end_rounding(rounding, points):
    # 2 against 4, 4 and 4: three differences of 2 go to 0 each; their sum 6 goes to 5; unrounded it stays 6.
    twin = blocked_hand("all_fives", "2-0", "4-0", "3-1", "2-2", hand_end_rounding=rounding)
    assert twin.hand_points == [points, 0, 0, 0]


@pytest.mark.parametrize(("left", "points"), [("2-0", 0), ("3-0", 5), ("4-3", 5), ("5-3", 10)])
def test_fives_nearest_five_of_two_three_seven_and_eight(left, points):
    twin = match("all_fives", ["6-6", left])
    assert play(twin, "6-6>L").hand_points == [points, 0]


def test_block_player_who_is_out_gets_the_pips_of_all_others():
    twin = match("block", ["6-6", "5-4", "4-0", "5-1"])
    assert play(twin, "6-6>L").hand_points == [19, 0, 0, 0]  # 9 + 4 + 6


@pytest.mark.parametrize(("deduct", "points"), [(True, 16), (False, 21)])
@pytest.mark.parametrize("game", ["block", "draw"])
def test_block_lowest_hand_wins_and_its_own_pips_come_off_once(game, deduct, points):
    # 5, 9 and 12: 9 + 12, less 5.
    assert blocked_hand(game, "4-1", "5-4", "5-2 3-2", deduct_own_pips=deduct).hand_points == [points, 0, 0]


def test_block_equal_lowest_hands_score_nothing_and_the_lead_rotates():
    twin = blocked_hand("block", "4-1", "5-0", "5-4")  # 5, 5 and 9
    assert (twin.hand_points, twin.scores, twin.hand_over) == ([0, 0, 0], [0, 0, 0], True)
    deal(twin, ["6-6", "5-5", "4-4"])
    assert twin.player == 1


def test_block_of_four_sevens_leaves_nothing_undealt():
    every_tile = list(itertools.combinations_with_replacement(range(7), 2))
    twin = Reference("block", 4, hand_size=7)
    twin.start_hand([every_tile[seat::4] for seat in range(4)], [])
    unseen = set(every_tile) - set(twin.hands[twin.player])
    others = [set(hand) for seat, hand in enumerate(twin.hands) if seat != twin.player]
    assert unseen == set().union(*others)


def test_block_player_who_is_out_wins_over_a_hand_of_blanks_for_no_points():
    twin = play(match("block", ["6-6", "0-0"]), "6-6>L")
    assert (twin.hand_points, twin.last_winner) == ([0, 0], 0)


# Drawing


def test_fives_stuck_player_draws_one_tile_instead_of_playing():
    twin = match("all_fives", ["6-6 5-4", "2-1"], boneyard="6-1 6-2 6-3")
    play(twin, "6-6>L")
    assert twin.legal_actions() == {"draw"}
    play(twin, "draw")  # 6-1 fits, yet the turn has ended
    assert (twin.player, len(twin.boneyard)) == (0, 2)
    assert twin.legal_actions() == {"pass"}  # the last two tiles are never drawn
    play(twin, "pass")
    assert twin.legal_actions() == {"6-1>L"}


def test_a_draw_is_not_a_pass_and_a_full_round_of_passes_ends_the_hand():
    twin = match("all_fives", ["6-6 5-4", "2-1", "3-1"], boneyard="5-1 6-2 6-3")
    play(twin, "6-6>L", "draw", "pass", "pass")
    assert not twin.hand_over
    assert play(twin, "pass").hand_over


def test_draw_goes_on_until_a_tile_fits_one_decision_each():
    # The ends are 3 and 5; the mover holds 6-6 and 6-1, and draws 4-2, 1-1 and 3-0, which goes to the 3.
    twin = match("draw", ["4-3 6-6 6-1", "5-4 2-2"], "4-2 1-1 3-0 6-2", leader=0, first_leader="lot")
    play(twin, "4-3>L", "5-4>R")
    for left in (3, 2, 1):
        assert (twin.player, twin.legal_actions()) == (0, {"draw"})
        play(twin, "draw")
        assert len(twin.boneyard) == left
    assert twin.legal_actions() == {"3-0>L"}
    assert len(play(twin, "3-0>L").hands[0]) == 4


def test_draw_until_playable_passes_only_when_the_boneyard_is_down_to_the_reserve():
    twin = match("draw", ["6-6 5-4", "2-1"], "3-1 6-2 6-3", reserve=2)
    play(twin, "6-6>L", "draw")
    assert (twin.player, twin.legal_actions()) == (1, {"pass"})


def test_one_then_play_obliges_to_play_a_drawn_tile_that_fits():
    twin = match("draw", ["6-6 5-4", "2-1"], "6-1 6-2", draw_mode="one_then_play")
    play(twin, "6-6>L", "draw")
    assert (twin.player, twin.legal_actions()) == (1, {"6-1>L"})


def test_one_then_play_ends_the_turn_when_the_drawn_tile_does_not_fit():
    twin = match("draw", ["6-6 5-4", "2-1"], "3-1 6-2", draw_mode="one_then_play")
    assert (play(twin, "6-6>L", "draw").player, twin.passes) == (0, 0)


def test_without_drawing_a_stuck_player_passes_and_who_can_play_must():
    twin = match("block", ["6-6 5-4", "2-1", "6-1 3-1"], "6-2 6-3")
    play(twin, "6-6>L")
    assert twin.legal_actions() == {"pass"}
    assert play(twin, "pass").legal_actions() == {"6-1>L"}


# Placements


def two_ends_of_the_same_number(game, double, singles, **options):
    """The ends are a single half on the left and the double of the same number on the right."""
    hands = [f"{double} {singles[1]} {singles[3]} 4-3", f"{singles[0]} {singles[2]} {singles[4]}"]
    twin = match(game, hands, **options)
    return play(twin, f"{double}>L", f"{singles[0]}>L", f"{singles[1]}>L", f"{singles[2]}>L")


FIVES_AT_BOTH_ENDS = ("5-5", ("6-5", "6-1", "5-1", "5-2", "5-3"))  # the line 5-1 1-6 6-5 5-5


def test_ends_alike_are_one_action_unless_one_of_them_counts_as_a_double():
    assert two_ends_of_the_same_number("block", *FIVES_AT_BOTH_ENDS).legal_actions() == {"5-2>L"}
    assert two_ends_of_the_same_number("all_fives", *FIVES_AT_BOTH_ENDS).legal_actions() == {"5-2>L", "5-2>R"}


def test_double_blank_counts_no_more_than_a_single_blank():
    twin = two_ends_of_the_same_number("all_fives", "0-0", ("6-0", "6-1", "1-0", "2-0", "3-0"))
    assert twin.legal_actions() == {"2-0>L"}


def test_tile_that_fits_two_numbers_is_two_actions():
    twin = match("block", ["6-2 2-1", "6-1 3-3"], leader=0, first_leader="lot")
    play(twin, "6-2>L", "6-1>R")  # the opening tile's low half, 2, lies on the left
    assert twin.legal_actions() == {"2-1>L", "2-1>R"}


def test_tile_fits_both_sides_of_a_lone_double_as_one_action():
    assert play(match("block", ["6-6 2-1", "6-1 3-3"]), "6-6>L").legal_actions() == {"6-1>L"}


# Spinner


def spinner_match(game="all_fives"):
    return match(game, ["5-5 5-3 5-1 1-1", "5-0 5-2 2-2 4-4"], spinner="first_double")


def test_spinner_arms_open_once_both_its_sides_have_neighbours():
    twin = play(spinner_match(), "5-5>L", "5-0>L")
    assert twin.legal_actions() == {"5-3>R", "5-1>R"}
    play(twin, "5-3>R")
    assert twin.legal_actions() == {"5-2>U"}  # U and D leave the same layout
    play(twin, "5-2>U")
    assert twin.legal_actions() == {"5-1>D"}


def test_spinner_covered_and_arms_empty_count_nothing():
    # 10; 0 + 10; 0 + 3 with the spinner covered; 0 + 3 + 2; 0 + 3 + 2 + 1 = 6; 0 + 3 + 4 + 1 = 8 with 2-2 on its arm.
    credited = points_of(spinner_match(), "5-5>L", "5-0>L", "5-3>R", "5-2>U", "5-1>D", "2-2>U")
    assert credited == [10, 10, 0, 5, 0, 0]


def test_spinner_totals_of_each_layout():
    twin, totals = spinner_match(), []
    for action in ("5-5>L", "5-0>L", "5-3>R", "5-2>U", "5-1>D", "2-2>U"):
        totals.append(play(twin, action).layout.total())
    assert totals == [10, 10, 3, 5, 6, 8]


def test_spinner_is_the_first_double_wherever_it_lies_and_later_doubles_are_none():
    options = {"leader": 0, "first_leader": "lot", "spinner": "first_double"}
    twin = match("all_fives", ["6-5 6-2 5-5 6-0", "6-6 6-1 5-4 6-4 3-3"], **options)
    play(twin, "6-5>L", "6-6>R", "6-2>R")  # the line 5-6 6-6 6-2
    assert twin.legal_actions() == {"6-1>U", "6-4>U", "5-4>L"}
    play(twin, "6-1>U", "5-5>L", "5-4>L")  # 5-5 is covered on both sides and opens nothing
    assert twin.layout.spinner == (6, 6)
    assert set(twin.layout.ends) == {"L", "R", "U", "D"}
    assert twin.legal_actions() == {"6-0>D"}


@pytest.mark.parametrize(("spinner", "actions"), [("first_double", {"5-2>L", "5-2>R"}), ("none", {"5-2>L"})])
def test_spinner_that_still_opens_arms_is_an_action_of_its_own(spinner, actions):
    assert two_ends_of_the_same_number("block", *FIVES_AT_BOTH_ENDS, spinner=spinner).legal_actions() == actions


@pytest.mark.parametrize(("game", "actions"), [("all_fives", {"5-3>L", "5-3>U"}), ("block", {"5-3>L"})])
def test_empty_arm_is_an_action_of_its_own_where_pips_count(game, actions):
    twin = two_ends_of_the_same_number(game, *FIVES_AT_BOTH_ENDS, spinner="first_double")
    # 5-2 covers the spinner: the left end counts 5, the arms show 5 and count nothing.
    assert play(twin, "5-2>R").legal_actions() == actions


def test_without_spinner_no_double_opens_arms():
    twin = match("all_fives", ["5-5 5-3 1-1", "5-0 5-2 4-4"])
    play(twin, "5-5>L", "5-0>L", "5-3>R")
    assert twin.legal_actions() == {"pass"}


# Leading


@pytest.mark.parametrize(("lead_tile", "actions"), [("any", {"4-4>L", "6-5>L", "1-0>L"}), ("highest_double", {"4-4>L"})])
def test_holder_of_the_highest_double_leads(lead_tile, actions):
    twin = match("block", ["3-3 6-4", "4-4 6-5 1-0", "2-2 5-4"], lead_tile=lead_tile)
    assert (twin.player, twin.legal_actions()) == (1, actions)


@pytest.mark.parametrize(
    ("hands", "leader", "tile"),
    [(["6-2 1-0", "5-4 2-1"], 1, "5-4>L"), (["5-4 1-0", "6-3 2-1"], 1, "6-3>L"), (["6-5 6-4", "6-3 2-1"], 0, "6-5>L")],
)
def test_without_doubles_the_heaviest_tile_leads_ties_by_the_higher_half(hands, leader, tile):
    twin = match("block", hands)
    assert (twin.player, twin.legal_actions()) == (leader, {tile})
    assert len(match("block", hands, lead_tile="any").legal_actions()) == 2


def test_winner_leads_the_next_hand_freely():
    twin = play(match("block", ["6-6 5-4", "6-1"]), "6-6>L", "6-1>L")
    deal(twin, ["6-6 5-4", "6-1 3-3"])
    assert (twin.player, twin.legal_actions()) == (1, {"6-1>L", "3-3>L"})


def test_winner_of_a_block_leads_the_next_hand():
    twin = blocked_hand("all_fives", "5-4", "2-1", "5-3", next_lead="winner")
    deal(twin, ["6-6 5-4", "6-1 3-3", "4-4 2-1"])
    assert twin.player == 1


def test_after_a_tie_the_lead_rotates_from_the_leader_of_the_tied_hand():
    twin = blocked_hand("block", "4-1", "5-4", "5-0")  # 5, 9 and 5, led by seat 0
    deal(twin, ["4-1 3-3", "5-4 2-2", "5-0"])
    assert twin.player == 1
    play(twin, "5-4>L", "5-0>R")  # seat 2 is out, and leads as the winner
    deal(twin, ["4-1 3-3", "5-4 2-2", "5-0"])
    assert twin.player == 2


@pytest.mark.parametrize("first", [0, 1, 2])
def test_rotation_goes_left_from_the_leader_whoever_won_and_opens_freely(first):
    hands = ["6-1 2-2"] * 3
    twin = match("block", hands, leader=first, first_leader="lot", next_lead="rotation", target=None)
    for hand in range(1, 5):
        while not twin.hand_over:
            twin.step(min(twin.legal_actions()))
        deal(twin, hands)
        assert twin.player == (first + hand) % 3
        assert twin.legal_actions() == {"6-1>L", "2-2>L"}


def test_leader_by_lot_is_told_and_opens_freely():
    twin = match("block", ["6-6 5-4", "6-1 3-3"], leader=1, first_leader="lot")
    assert (twin.player, twin.legal_actions()) == (1, {"6-1>L", "3-3>L"})
    with pytest.raises(ValueError, match="lot"):
        match("block", ["6-6", "6-1"], first_leader="lot")


def test_highest_double_is_looked_for_and_opens_in_every_hand_where_the_option_says_so():
    twin = play(match("block", ["6-6 5-4", "6-1"], next_lead="highest_double"), "6-6>L", "6-1>L")
    deal(twin, ["6-6 5-4", "6-1 3-3"])
    assert (twin.player, twin.legal_actions()) == (0, {"6-6>L"})


# Partnership


def test_pair_is_out_with_one_partner_and_gets_the_pips_of_both_opponents():
    twin = match("block", ["6-6", "5-4", "3-3 4-3", "5-1"], partnership=True)
    play(twin, "6-6>L")
    assert twin.hand_points == [15, 0, 15, 0]  # 9 + 6; the partner's 13 pips do not count
    assert twin.scores == [15, 0, 15, 0]


def test_pair_blocked_counts_both_hands():
    # Seats 0 and 2 hold 3 + 9, seats 1 and 3 hold 4 + 5: 12 - 9 = 3, though seat 0 is lightest of all.
    twin = blocked_hand("block", "2-1", "4-0", "5-4", "5-0", partnership=True)
    assert twin.hand_points == [0, 3, 0, 3]


@pytest.mark.parametrize(
    ("left", "leader"),
    [(("5-4", "5-0", "5-1", "2-1"), 3), (("5-4", "2-1", "5-1", "5-0"), 1), (("5-4", "4-0", "5-1", "3-1"), 1)],
)
def test_pair_that_wins_a_block_leads_with_the_lighter_partner_and_on_a_tie_with_the_lower_seat(left, leader):
    twin = blocked_hand("block", *left, partnership=True)
    deal(twin, ["6-6"] * 4)
    assert twin.player == leader


def test_pairs_round_once():
    # 0 against 2 + 5 = 7: one rounding, to 5; seat by seat 0 + 5.
    twin = match("all_fives", ["6-6", "2-0", "1-1", "3-2"], partnership=True)
    assert play(twin, "6-6>L").hand_points == [5, 0, 5, 0]
    # 0 against 2 + 2 = 4: to 5, where seat by seat it were nothing.
    twin = match("all_fives", ["6-6", "2-0", "1-0", "1-1"], partnership=True)
    assert play(twin, "6-6>L").hand_points == [5, 0, 5, 0]


def test_pairs_equally_heavy_score_nothing():
    assert blocked_hand("block", "2-1", "4-1", "5-1", "4-0", partnership=True).hand_points == [0, 0, 0, 0]


def test_pair_shares_one_score_and_its_reward():
    options = {"partnership": True, "target": 10}
    twin = play(match("all_fives", ["6-6 6-4", "5-4 2-1", "1-1", "3-1"], **options), "6-4>L")
    assert (twin.scores, twin.rewards, twin.winners) == ([10, 0, 10, 0], [1, -1, 1, -1], [0, 2])


# Claims


def muggins(hands, boneyard="", **options):
    return match("all_fives", hands, boneyard, claim_mode="muggins", **options)


def left_silent(**options):
    """Seat 1 makes 5 of seat 0's 4-2 and does not claim it; seat 2, to move, holds 2-1."""
    twin = muggins(["5-5 4-2 1-0", "4-3 6-0", "2-1 6-6 1-1"], leader=0, first_leader="lot", **options)
    return play(twin, "4-2>L", "4-3>R", "pass")


def test_claims_mover_takes_his_points_or_stays_silent():
    twin = muggins(["5-5 4-2", "4-3 6-0"])
    play(twin, "4-2>L", "4-3>R")  # 6 opens no decision; 2 + 3 = 5 does
    assert (twin.phase, twin.player, twin.legal_actions(), twin.scores) == ("claim", 1, {"claim", "pass"}, [0, 0])
    play(twin, "claim")
    assert (twin.phase, twin.player, twin.scores) == ("play", 0, [0, 5])


def test_claims_open_to_the_others_when_the_next_tile_is_laid():
    twin = left_silent()
    assert (twin.phase, twin.player) == ("play", 2)
    play(twin, "2-1>L")  # the ends 1 and 3; from the silent player's left: seat 2, who has just laid, then seat 0
    assert (twin.phase, twin.player) == ("claim", 2)
    play(twin, "claim")
    assert (twin.phase, twin.player, twin.scores) == ("play", 0, [0, 0, 5])


def test_claims_pass_on_in_seat_order_and_close_for_good():
    twin = play(left_silent(), "2-1>L", "pass")
    assert (twin.phase, twin.player) == ("claim", 0)
    assert play(left_silent(), "2-1>L", "pass", "claim").scores == [5, 0, 0]
    play(twin, "pass")
    assert (twin.phase, twin.player, twin.scores) == ("play", 0, [0, 0, 0])
    play(twin, "1-0>L")
    assert (twin.phase, twin.player) == ("play", 1)


def test_claims_wait_through_draws_and_passes():
    hands = ["4-2 2-0 5-5", "4-3 6-0", "1-0 6-6", "1-1 5-4"]
    twin = muggins(hands, "6-4 6-1 6-2", leader=0, first_leader="lot")
    play(twin, "4-2>L", "4-3>R", "pass")  # the ends 2 and 3: seat 1 is silent about his 5
    play(twin, "draw", "pass")
    assert (twin.phase, twin.player) == ("play", 0)
    play(twin, "2-0>L")
    assert [(twin.phase, twin.player), play(twin, "pass").player, play(twin, "pass").player] == [("claim", 2), 3, 0]


def test_claims_for_an_older_silent_score_come_before_the_movers_own():
    # 5-5 scores 10, silent. 5-0 scores 10 too: seats 1 and 2 may claim the first, then seat 1 the second.
    twin = muggins(["5-5 1-1", "5-0 2-1", "3-2"])
    play(twin, "5-5>L", "pass", "5-0>L")
    assert [twin.player, play(twin, "pass").player, play(twin, "pass").player] == [1, 2, 1]
    assert play(twin, "claim").scores == [0, 10, 0]
    assert (twin.phase, twin.player, twin.silent) == ("play", 2, None)


def test_claims_closed_by_a_claim_leave_the_movers_own_decision():
    twin = muggins(["5-5 1-1", "5-0 2-1", "3-2"])
    play(twin, "5-5>L", "pass", "5-0>L", "claim")  # seat 1 takes the first 10; seat 2 is not asked
    assert (twin.phase, twin.player, twin.scores) == ("claim", 1, [0, 10, 0])
    play(twin, "pass")
    assert (twin.phase, twin.player, twin.silent) == ("play", 2, (1, 10))


def test_claims_of_a_score_that_the_last_tile_left_silent_come_before_the_hand_end():
    twin = muggins(["5-5", "5-0 2-1"])
    play(twin, "5-5>L", "pass")
    assert (twin.phase, twin.player, twin.hand_over) == ("claim", 1, False)
    play(twin, "claim")  # 10; then seat 0, who is out, gets 5 + 3 = 8, rounded to 10
    assert (twin.scores, twin.hand_points, twin.hand_over) == ([10, 10], [10, 0], True)


def test_claims_of_a_silent_score_come_before_the_end_of_a_blocked_hand():
    twin = muggins(["5-5 2-1", "4-3"])
    play(twin, "5-5>L", "pass", "pass", "pass")
    assert (twin.phase, twin.player, twin.hand_over) == ("claim", 1, False)
    play(twin, "pass")
    assert (twin.hand_over, twin.hand_points) == (True, [5, 0])  # 7 - 3 = 4, rounded to 5


def test_claims_on_a_silent_score_are_open_to_the_partner():
    twin = muggins(["5-5 1-1", "5-0 2-1", "3-2", "4-2"], partnership=True)
    play(twin, "5-5>L", "pass", "5-0>L")
    assert [twin.player, play(twin, "pass").player] == [1, 2]
    play(twin, "claim")
    assert twin.scores == [10, 0, 10, 0]


def test_claim_that_reaches_the_target_ends_the_match_at_once():
    twin = play(left_silent(target=5), "2-1>L", "pass", "claim")
    assert (twin.done, twin.winners, twin.hand_points) == (True, [0], [0, 0, 0])
    assert twin.legal_actions() == set()


def test_false_claims_ask_after_every_tile_and_cost_the_penalty():
    twin = muggins(["6-6 1-0 2-2", "6-1 3-3"], false_claims=True, false_claim_penalty=7)
    play(twin, "6-6>L")  # 12 scores nothing
    assert (twin.phase, twin.player) == ("claim", 0)
    play(twin, "claim")
    assert (twin.scores, twin.phase, twin.player) == ([-7, 0], "play", 1)
    play(twin, "6-1>L", "pass")  # 12 + 1; neither a wrong claim nor silence opens a window
    assert (twin.scores, twin.phase, twin.player) == ([-7, 0], "play", 0)


def test_false_claims_off_asks_only_after_tiles_that_score():
    assert play(muggins(["6-6 1-0", "6-1 3-3"]), "6-6>L").phase == "play"


def test_claim_decisions_open_on_the_raw_score_and_thresholds_hold_for_the_claimant():
    # Five is below the ten to get in: the claim of seat 2, at 0, counts nothing, that of seat 0, at 20, counts.
    twin = left_silent(opening_threshold=10)
    assert play(twin, "2-1>L", "claim").scores == [0, 0, 0]
    assert (twin.phase, twin.player) == ("play", 0)  # the window has closed all the same
    twin = left_silent(opening_threshold=10)
    twin.scores = [20, 0, 0]
    assert play(twin, "2-1>L", "pass", "claim").scores == [25, 0, 0]


def test_penalty_points_count_in_point_rewards():
    options = {"false_claims": True, "false_claim_penalty": 7, "reward": "points"}
    twin = play(muggins(["6-6 1-0", "6-1 3-3"], **options), "6-6>L", "claim")
    assert twin.rewards == [-0.07, 0.07]


# Scores that do not count


@pytest.mark.parametrize(("start", "score"), [(0, 0), (-3, -3), (1, 6)])
def test_opening_threshold_asks_of_every_credit_while_the_score_is_not_above_zero(start, score):
    twin = match("all_fives", ["5-5 3-2", "4-3 1-1"], opening_threshold=10, scores=[start, 0])
    assert play(twin, "3-2>L").scores == [score, 0]


def test_opening_threshold_holds_for_hand_end_points_too():
    twin = play(match("all_fives", ["6-6", "3-2"], opening_threshold=10), "6-6>L")
    assert (twin.scores, twin.hand_points) == ([0, 0], [0, 0])


@pytest.mark.parametrize(("target", "score", "done"), [(60, 60, True), (59, 50, False), (61, 60, False)])
def test_exact_target_does_not_count_a_credit_that_overshoots(target, score, done):
    twin = match("all_fives", ["6-4 1-1", "4-3 0-0"], target=target, exact_target=True, scores=[50, 0])
    play(twin, "6-4>L")
    assert (twin.scores, twin.done) == ([score, 0], done)


def test_exact_target_holds_for_hand_end_points_too():
    twin = play(match("block", ["6-6", "5-4"], target=8, exact_target=True), "6-6>L")
    assert (twin.scores, twin.hand_points, twin.done) == ([0, 0], [0, 0], False)


# The end of the match


def test_match_ends_at_once_when_the_target_is_reached_and_no_hand_end_points_are_added():
    twin = play(match("all_fives", ["6-4", "6-6 5-4"], leader=0, first_leader="lot", scores=[95, 0]), "6-4>L")
    assert (twin.done, twin.scores, twin.hand_points) == (True, [105, 0], [0, 0])
    assert (twin.winners, twin.rewards, twin.legal_actions()) == ([0], [1, -1], set())


def test_hand_cut_short_by_the_end_of_the_match_has_paid_nothing():
    twin = play(match("all_fives", ["6-6", "5-4"], target=20), "6-6>L")
    assert (twin.scores, twin.hand_points) == ([10, 0], [10, 0])  # 9 pips, rounded
    deal(twin, ["5-5 6-4", "5-4 1-0"])
    play(twin, "5-5>L")
    assert (twin.done, twin.scores, twin.hand_points) == (True, [20, 0], [0, 0])


def test_match_end_looked_for_at_the_end_of_a_hand_gives_it_to_the_highest():
    options = {"match_end": "hand_end", "leader": 0, "first_leader": "lot", "scores": [95, 90]}
    twin = match("all_fives", ["6-4 1-1", "5-4"], **options)
    play(twin, "6-4>L")
    assert (twin.done, twin.scores) == (False, [105, 90])
    play(twin, "5-4>L")  # 5 + 6 = 11; out, for 2 pips, which go to 0
    assert (twin.done, twin.winners, twin.scores) == (True, [0], [105, 90])


def test_match_ends_with_hand_end_points():
    twin = play(match("block", ["6-6", "5-4"], scores=[91, 99]), "6-6>L")
    assert (twin.done, twin.scores, twin.hand_points, twin.winners) == (True, [100, 99], [9, 0], [0])


def test_max_hands_ends_the_match_and_the_highest_score_wins():
    twin = play(match("block", ["6-6", "5-4"], max_hands=1, target=None), "6-6>L")
    assert (twin.done, twin.hand_over, twin.winners, twin.rewards) == (True, False, [0], [1, -1])


def test_all_level_at_the_last_hand_is_a_draw():
    twin = blocked_hand("block", "4-1", "5-0", "3-2", max_hands=1)
    assert (twin.done, twin.rewards, twin.winners) == (True, [0, 0, 0], [0, 1, 2])


@pytest.mark.parametrize(
    ("scores", "rewards"),
    # Places pay 1, -1/2, -1/2; two at the top share (1 - 1/2) / 2.
    [([5, 0, 0], [1, -0.5, -0.5]), ([5, 5, 0], [0.25, 0.25, -0.5]), ([5, 0, 5], [0.25, -0.5, 0.25])],
)
def test_ties_share_the_mean_of_the_payoffs_they_cover(scores, rewards):
    twin = match("block", ["6-6 4-1", "5-0", "3-2"], scores=scores, max_hands=1)
    play(twin, "6-6>L", "pass", "pass", "pass")  # 5 pips each
    assert (twin.done, twin.rewards) == (True, rewards)


# Rewards


@pytest.mark.parametrize(("target", "unit"), [(50, 50), (None, 100)])
def test_point_rewards_are_own_points_less_the_others_mean_as_a_share_of_the_target(target, unit):
    twin = match("all_fives", ["6-4 6-6", "5-4 1-1", "3-3"], reward="points", target=target)
    play(twin, "6-4>L")
    assert twin.rewards == pytest.approx([10 / unit, -5 / unit, -5 / unit])


def test_win_rewards_pay_nothing_before_the_end_of_the_match():
    assert play(match("all_fives", ["6-4 6-6", "5-4 1-1"]), "6-4>L").rewards == [0, 0]


# Options


@pytest.mark.parametrize(
    ("game", "option"),
    [("block", "out_bonus"), ("draw", "hand_end_rounding"), ("block", "claim_mode"), ("all_fives", "deduct_own_pips")],
)
def test_option_of_another_game_is_unknown(game, option):
    with pytest.raises(TypeError, match=option):
        Reference(game, 2, **{option: 0})


@pytest.mark.parametrize(
    "options", [{"partnership": True}, {"exact_target": True, "target": None}, {"draw_mode": "two"}, {"max_pip": 13}]
)
def test_option_value_that_cannot_be_is_refused(options):
    with pytest.raises(ValueError):
        Reference("block", 2, **options)


@pytest.mark.parametrize(
    ("game", "sizes"),
    [
        ("block", [7, 5, 5, 7]),
        ("draw", [7, 5, 5, 5]),
        ("all_fives", [5, 5, 5, 5]),
        ("all_fives_and_threes", [5, 5, 5, 5]),
        ("fives_and_threes", [7, 5, 5, 6]),
    ],
)
def test_hand_size_by_game_and_players(game, sizes):
    tables = [(2, False), (3, False), (4, False), (4, True)]
    assert [Reference(game, count, partnership=pairs).options["hand_size"] for count, pairs in tables] == sizes


def test_illegal_action_is_refused():
    with pytest.raises(ValueError, match="pass"):
        match("block", ["6-6", "5-4"]).step("pass")


# Random matches

CHOICES = {
    "reward": ["win", "points"],
    "max_hands": [1, 3, 100],
    "max_pip": [6, 9],
    "hand_size": [3, 5],
    "partnership": [False, True],
    "target": [None, 20, 100],
    "match_end": ["immediate", "hand_end"],
    "draw_mode": ["none", "one_end", "one_then_play", "until_playable"],
    "reserve": [0, 2],
    "first_leader": ["highest_double", "lot"],
    "next_lead": ["highest_double", "winner", "rotation"],
    "lead_tile": ["any", "highest_double"],
    "spinner": ["none", "first_double"],
    "deduct_own_pips": [False, True],
    "score_unit": ["pips", "pips_over_5"],
    "ft_scoring": ["face_both", "face_once", "units"],
    "out_bonus": [0, 1],
    "opening_threshold": [0, 10],
    "hand_end_rounding": ["none", "r5_each", "r5_sum"],
    "claim_mode": ["auto", "muggins"],
    "false_claims": [False, True],
    "false_claim_penalty": [0, 5],
    "exact_target": [False, True],
}


def random_match(game, chance):
    num_players = chance.choice([2, 3, 4])
    known = Reference(game, num_players).options
    options = {option: chance.choice(values) for option, values in CHOICES.items() if option in known}
    options["partnership"] = options["partnership"] and num_players == 4
    options["exact_target"] = options["exact_target"] and options["target"] is not None
    options["max_hands"] = min(options["max_hands"], 3) if options["target"] is None else options["max_hands"]
    return Reference(game, num_players, **options)


def deal_at_random(twin, chance):
    everything = list(itertools.combinations_with_replacement(range(twin.options["max_pip"] + 1), 2))
    chance.shuffle(everything)
    count, size = twin.num_players, twin.options["hand_size"]
    hands = [everything[seat * size : (seat + 1) * size] for seat in range(count)]
    twin.start_hand(hands, everything[count * size :], leader=chance.randrange(count))


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("game", GAMES)
def test_random_matches_end_and_rewards_sum_to_zero_over_sides(game, seed):
    chance = random.Random(f"{game} {seed}")
    twin = random_match(game, chance)
    while not twin.done:
        if twin.hand_over:
            deal_at_random(twin, chance)
        twin.step(chance.choice(sorted(twin.legal_actions())))
        assert abs(sum(twin.rewards[side[0]] for side in twin.sides)) < 1e-6
        assert tiles_in_play(twin) == (twin.options["max_pip"] + 1) * (twin.options["max_pip"] + 2) // 2
        for side in twin.sides:
            assert len({twin.scores[seat] for seat in side}) == len({twin.rewards[seat] for seat in side}) == 1
    check_returns(twin)


def tiles_in_play(twin):
    laid = len(twin.layout.line) + sum(len(arm) for arm in twin.layout.arms.values())
    return sum(len(hand) for hand in twin.hands) + len(twin.boneyard) + laid


def check_returns(twin):
    """Points add up to the final scores; a match is won once."""
    for seat in range(twin.num_players):
        others = [twin.scores[side[0]] for side in twin.sides if seat not in side]
        lead = (twin.scores[seat] - sum(others) / len(others)) / (twin.options["target"] or 100)
        if twin.options["reward"] == "points":
            assert twin.returns[seat] == pytest.approx(lead, abs=1e-6)
        else:
            assert -1 <= twin.returns[seat] <= 1
            assert (twin.returns[seat] > 0) <= (seat in twin.winners)
