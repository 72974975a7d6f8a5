"""The plain-Python twin of the line games: what tiles and hand ends score, in hands worked out by hand."""

import itertools

import pytest

from reference.hands import blocked_hand, deal, match, play, points_of
from reference.line_games import Reference

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
