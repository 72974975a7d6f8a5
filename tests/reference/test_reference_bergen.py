"""The twin of Bergen against rounds worked out by hand; tiles that a round does not need are left out."""

import pytest

from reference.bergen import Reference
from reference.hands import deal, play, points_of


def match(hands, boneyard="", leader=0, scores=None, **options):
    twin = Reference(len(hands), **options)
    if scores:
        twin.scores = list(scores)
    return deal(twin, hands, boneyard, leader)


# Headers. The second tile of a line lies on the left of an opening double, whose sides are alike.


def test_double_headers_and_triple_headers():
    twin = match(["6-6 6-4 2-2 0-0", "6-2 4-2 5-2 1-1"])
    # 6-6 alone; the ends 2 6; 2 4; 2 2 without a double; 2 2 with 2-2 on the left; 2 5.
    assert points_of(twin, "6-6>L", "6-2>L", "6-4>R", "4-2>R", "2-2>L", "5-2>R") == [2, 0, 0, 2, 3, 0]
    assert twin.scores == [5, 2]


def test_exposed_opening_double_makes_a_triple_header_of_a_single():
    twin = match(["6-6 3-2 0-0", "6-2 6-3 1-1"])
    # The ends 2 6, 3 6, then 6 6, of which the right is the double.
    assert points_of(twin, "6-6>L", "6-2>L", "3-2>L", "6-3>L") == [2, 0, 0, 3]


def test_four_of_a_single_against_a_four_is_a_double_header():
    twin = match(["6-6 6-2 0-0", "6-4 4-2 1-1"])
    # The ends 4 6, 4 2, then 4 4 by 4-2.
    assert points_of(twin, "6-6>L", "6-4>L", "6-2>R", "4-2>R") == [2, 0, 0, 2]


def test_blanks_are_a_number_like_others():
    twin = match(["0-0 5-0 1-1", "6-0 6-5 2-2"])
    assert points_of(twin, "0-0>L", "6-0>L", "5-0>R", "6-5>L") == [2, 0, 0, 2]


@pytest.mark.parametrize("points", [0, 2, 3])
def test_opening_double_is_worth_what_the_option_says(points):
    assert points_of(match(["5-5 1-0", "4-4"], opening_double_points=points), "5-5>L") == [points]


def test_single_that_opens_scores_nothing():
    assert points_of(match(["5-4 1-0", "4-4"], lead_rule="any_tile"), "5-4>L") == [0]


@pytest.mark.parametrize(
    ("score", "opening", "reply"),
    # A target of 15: from 11 four are needed, from 12 three, from 13 two, from 14 one.
    [(11, 2, 3), (12, 2, 2), (13, 1, 1), (14, 1, 1)],
)
def test_near_the_target_headers_are_worth_less(score, opening, reply):
    options = {"near_target_cap": True, "match_end": "hand_end"}
    assert points_of(match(["6-6 1-0", "4-4"], scores=[score, 0], **options), "6-6>L") == [opening]
    twin = match(["6-6 3-2 0-0", "6-2 6-3 1-1"], scores=[0, score], **options)
    assert points_of(twin, "6-6>L", "6-2>L", "3-2>L", "6-3>L") == [2, 0, 0, reply]


def test_cap_near_the_target_holds_for_an_opening_double_worth_three():
    options = {"near_target_cap": True, "opening_double_points": 3}
    assert points_of(match(["6-6 1-0", "4-4"], scores=[12, 0], **options), "6-6>L") == [2]


# Opening


def test_right_to_open_passes_left_to_a_seat_with_a_double():
    twin = match(["6-5 4-3", "6-4 2-1", "3-3 1-1"])
    assert (twin.player, twin.legal_actions()) == (0, {"pass"})
    play(twin, "pass", "pass")
    assert (twin.player, twin.legal_actions()) == (2, {"3-3>L", "1-1>L"})
    assert (play(twin, "1-1>L").player, twin.passes) == (0, 0)


def test_opening_passes_do_not_count_as_a_block():
    twin = match(["5-4 4-3", "3-3 6-2"])
    play(twin, "pass", "3-3>L", "4-3>L", "pass")
    assert not twin.hand_over
    play(twin, "5-4>L")
    assert twin.hand_over


def test_lead_rotates_from_the_seat_with_the_right_not_from_the_opener():
    hands = ["6-5 4-3", "6-4 2-1", "3-3"]
    twin = play(match(hands), "pass", "pass", "3-3>L")
    deal(twin, hands)
    assert (twin.leader, twin.player) == (1, 1)


def no_doubles(boneyard, **options):
    """Nobody holds a double; seat 1 has the right to open."""
    return play(match(["6-5 4-3", "6-4 2-1", "5-1"], boneyard, leader=1, **options), "pass", "pass", "pass")


def test_without_doubles_each_seat_draws_one_tile_in_turn_until_one_appears():
    twin = no_doubles("6-1 5-2 6-3 2-2 4-4")
    for seat in (1, 2, 0, 1):
        assert (twin.player, twin.legal_actions()) == (seat, {"draw"})
        play(twin, "draw")
    assert (twin.player, twin.legal_actions()) == (1, {"2-2>L"})
    assert points_of(twin, "2-2>L") == [2]
    assert (twin.player, twin.passes, len(twin.boneyard)) == (2, 0, 1)


@pytest.mark.parametrize("rule", ["highest_double", "lowest_double"])
def test_drawn_double_opens_whatever_double_is_looked_for(rule):
    twin = play(no_doubles("2-2 4-4", lead_rule=rule), "draw")
    assert (twin.player, twin.legal_actions()) == (1, {"2-2>L"})


def test_boneyard_without_doubles_has_the_hands_dealt_anew_to_the_same_round():
    twin = play(no_doubles("6-1 5-2"), "draw")
    assert not twin.hand_over
    play(twin, "draw")
    assert (twin.hand_over, twin.redealing, twin.hands_played, twin.scores) == (True, True, 0, [0, 0, 0])
    assert twin.legal_actions() == set()
    deal(twin, ["6-6", "5-5", "4-4"], leader=2)
    assert (twin.leader, twin.player, twin.redealing) == (1, 1, False)


def test_tiles_of_the_reserve_are_not_drawn_for_the_opening():
    twin = play(no_doubles("6-1 2-2 3-3", reserve=2), "draw")
    assert twin.redealing


def test_hands_are_dealt_anew_after_the_passes_where_nothing_may_be_drawn():
    assert no_doubles("2-2 3-3", reserve=2).redealing
    assert no_doubles("2-2 3-3", draw_mode="none").redealing


def test_highest_double_is_looked_for_anew_when_hands_are_dealt_anew():
    twin = match(["6-5 4-3", "6-4 2-1"], first_leader="highest_double")
    assert twin.leader == 0  # the heaviest tile, for want of doubles
    play(twin, "pass", "pass")
    assert twin.redealing
    assert deal(twin, ["5-5", "6-6"]).leader == 1


@pytest.mark.parametrize(("rule", "opener", "tile"), [("highest_double", 2, "5-5"), ("lowest_double", 1, "0-0")])
def test_double_that_the_rule_names_opens_whatever_the_lot(rule, opener, tile):
    hands = ["4-4 6-5", "0-0 6-4", "5-5 1-1"]
    twin = match(hands, leader=0, lead_rule=rule)
    assert (twin.leader, twin.player, twin.legal_actions()) == (0, opener, {f"{tile}>L"})
    play(twin, f"{tile}>L")
    assert twin.player == (opener + 1) % 3


@pytest.mark.parametrize("rule", ["highest_double", "lowest_double"])
def test_double_that_the_rule_names_is_looked_for_in_every_round(rule):
    twin = play(match(["6-5 2-1", "4-4"], lead_rule=rule), "4-4>L")
    deal(twin, ["3-3 6-5", "4-2 2-1"])
    assert (twin.leader, twin.player, twin.legal_actions()) == (1, 0, {"3-3>L"})


def test_without_doubles_passes_begin_at_the_seat_that_has_the_right_by_rotation():
    twin = play(match(["6-5 2-1", "4-4"], lead_rule="highest_double"), "4-4>L")
    assert deal(twin, ["6-5 4-3", "6-4 2-1"], "1-1").player == 1
    assert play(twin, "pass", "pass", "draw").legal_actions() == {"1-1>L"}


def test_any_tile_may_open_where_the_rule_says_so():
    twin = match(["6-5 3-3", "6-4"], lead_rule="any_tile")
    assert twin.legal_actions() == {"6-5>L", "3-3>L"}


def test_holder_of_the_highest_double_has_the_right_to_open_with_any_double():
    twin = match(["4-4 6-5", "5-5 1-1"], first_leader="highest_double")
    assert (twin.player, twin.legal_actions()) == (1, {"5-5>L", "1-1>L"})


def test_winner_leads_the_next_round():
    twin = play(match(["6-6 5-4", "6-3", "4-2"], next_lead="winner"), "6-6>L", "6-3>L")
    assert twin.hand_over
    assert deal(twin, ["6-6", "5-5", "4-4"]).player == 1


# Placements


def test_lone_double_is_one_action_and_ends_alike_two_only_where_one_is_a_double():
    twin = match(["6-6 6-4 6-0 3-0 0-0", "6-5 6-1 5-4 4-1 1-0"])
    assert play(twin, "6-6>L").legal_actions() == {"6-5>L", "6-1>L"}
    play(twin, "6-5>L", "6-4>R", "5-4>L")  # the ends 4 4
    assert twin.legal_actions() == {"pass"}
    twin = match(["5-5 6-1 5-2", "6-5 5-1 5-3"])
    play(twin, "5-5>L", "6-5>L", "6-1>L", "5-1>L")  # the line 5-1 1-6 6-5 5-5
    assert twin.legal_actions() == {"5-2>L", "5-2>R"}


def test_ends_alike_without_a_double_are_one_action():
    twin = match(["6-6 6-4 4-0 0-0", "6-5 5-4 1-1"])
    play(twin, "6-6>L", "6-5>L", "6-4>R", "5-4>L")
    assert twin.legal_actions() == {"4-0>L"}


def test_both_sides_of_the_opening_double_come_first_where_the_option_says_so():
    hands = ["6-6 5-2 4-1 6-0", "6-5 5-3 6-1"]
    assert play(match(hands), "6-6>L", "6-5>L").legal_actions() == {"5-2>L", "6-0>R"}
    twin = play(match(hands, fill_opening_double_first=True), "6-6>L", "6-5>L")
    assert twin.legal_actions() == {"6-0>R"}
    assert play(twin, "6-0>R").legal_actions() == {"5-3>L"}


def test_free_side_of_the_opening_double_decides_who_is_stuck():
    options = {"fill_opening_double_first": True, "draw_mode": "one_then_play"}
    twin = play(match(["6-6 5-2 4-1", "6-5 3-3"], "5-4 6-4", **options), "6-6>L", "6-5>L")
    assert twin.legal_actions() == {"draw"}
    assert play(twin, "draw").player == 1  # 5-4 fits the 5, which is not to be played on
    assert (play(twin, "draw").player, twin.legal_actions()) == (1, {"6-4>R"})


def test_later_doubles_and_an_opening_single_need_not_be_filled():
    twin = match(["6-6 6-4 5-0", "6-5 5-5 4-4"], fill_opening_double_first=True)
    play(twin, "6-6>L", "6-5>L", "6-4>R", "5-5>L")
    assert twin.legal_actions() == {"5-0>L"}
    twin = match(["6-5 5-4 6-0", "5-5 1-1"], fill_opening_double_first=True, lead_rule="any_tile")
    assert play(twin, "6-5>L", "5-5>L").legal_actions() == {"5-4>L", "6-0>R"}


# Drawing


def test_draw_goes_on_until_a_tile_fits_which_must_be_played():
    # The ends are 3 and 5; 4-2 and 1-1 do not fit, 3-0 does.
    twin = match(["4-3 6-6 6-1", "5-4 2-2"], "4-2 1-1 3-0", lead_rule="any_tile")
    play(twin, "4-3>L", "5-4>R")
    for _ in range(3):
        assert (twin.player, twin.legal_actions()) == (0, {"draw"})
        play(twin, "draw")
    assert twin.legal_actions() == {"3-0>L"}
    assert len(play(twin, "3-0>L").hands[0]) == 4


def test_stuck_player_passes_when_the_boneyard_is_down_to_the_reserve():
    twin = match(["6-6 5-4", "2-1 3-1"], "0-0 1-0 2-0", reserve=2)
    play(twin, "6-6>L")
    assert twin.legal_actions() == {"draw"}
    assert play(twin, "draw").legal_actions() == {"pass"}


@pytest.mark.parametrize(("mode", "player", "actions"), [("one_end", 0, {"draw"}), ("one_then_play", 1, {"6-1>L"})])
def test_draw_modes(mode, player, actions):
    twin = play(match(["6-6 5-4", "2-1 3-1"], "6-1 4-4 3-3", draw_mode=mode), "6-6>L", "draw")
    assert (twin.player, twin.legal_actions()) == (player, actions)


def test_without_drawing_the_stuck_player_passes():
    assert play(match(["6-6 5-4", "2-1"], "6-1", draw_mode="none"), "6-6>L").legal_actions() == {"pass"}


# The end of a round


def blocked(*left, **options):
    """All hold what is `left` to them and no 6; the first leads 6-6, and all pass."""
    twin = match([f"6-6 {left[0]}", *left[1:]], **options)
    return play(twin, "6-6>L", *["pass"] * len(left))


@pytest.mark.parametrize(
    ("left", "rule", "points"),
    [
        (("3-2", "1-1", "5-4 1-0"), "lowest_pips", [0, 1, 0]),  # 5, 2 and 10
        (("3-2", "1-1", "5-4 1-0"), "doubleless_first", [1, 0, 0]),  # 5 without a double, and 10
        (("3-2", "4-1", "5-4 1-0"), "lowest_pips", [0, 0, 0]),  # 5, 5 and 10
        (("3-2", "4-1", "1-1"), "doubleless_first", [0, 0, 0]),  # 5 and 5 without a double
        (("4-4 2-0", "0-0 3-0", "1-1 5-0"), "doubleless_first", [1, 0, 0]),  # all hold doubles: 2, 3 and 5 besides
        (("4-4 2-0", "0-0 3-0", "1-1 5-0"), "lowest_pips", [0, 1, 0]),  # 10, 3 and 7
        (("4-4 2-0", "0-0 1-1", "3-3 2-1"), "doubleless_first", [0, 1, 0]),  # nothing besides, against 2 and 3
    ],
)
def test_blocked_round_goes_to_the_best_hand(left, rule, points):
    twin = blocked(*left, blocked_rule=rule)
    assert (twin.hand_points, twin.hand_over) == (points, True)
    assert twin.scores == [points[0] + 2, *points[1:]]


def test_going_out_wins_over_a_hand_of_blanks():
    twin = play(match(["6-6", "0-0"]), "6-6>L")
    assert (twin.scores, twin.hand_points, twin.last_winner) == ([3, 0], [1, 0], 0)


def test_round_bonus_is_an_option():
    assert play(match(["6-6", "0-0"], round_bonus=2), "6-6>L").hand_points == [2, 0]


def test_after_a_tie_the_lead_rotates_from_the_seat_with_the_right():
    twin = blocked("3-2", "4-1", "5-4", next_lead="winner")
    assert deal(twin, ["6-6", "5-5", "4-4"]).player == 1


def test_pairs_share_points_and_are_compared_by_both_hands():
    # 5 + 9 against 4 + 7: the second pair wins, and its lighter partner leads.
    twin = blocked("3-2", "4-3", "5-4", "4-0", partnership=True, next_lead="winner")
    assert (twin.scores, twin.hand_points) == ([2, 1, 2, 1], [0, 1, 0, 1])
    assert deal(twin, ["6-6", "5-5", "4-4", "3-3"]).player == 3


def test_pair_is_doubleless_only_when_both_partners_are():
    # 0-0 in the first pair's hands: it loses to 17 pips without doubles.
    assert blocked("3-2", "5-4", "0-0", "5-3", partnership=True, blocked_rule="doubleless_first").hand_points == [0, 1, 0, 1]


# The match


@pytest.mark.parametrize(("num_players", "max_pip", "target"), [(2, 6, 15), (3, 6, 10), (4, 6, 10), (8, 9, 10)])
def test_targets_and_hands_by_players(num_players, max_pip, target):
    options = Reference(num_players, max_pip=max_pip).options
    assert (options["target"], options["hand_size"]) == (target, 6 if num_players < 4 else 5)


def test_target_ends_the_match_at_once_and_no_bonus_is_added():
    twin = match(["6-6", "6-2 1-1"], scores=[14, 9])
    play(twin, "6-6>L")
    assert (twin.done, twin.scores, twin.hand_points, twin.winners) == (True, [16, 9], [0, 0], [0])
    twin = match(["6-6 6-4 2-2", "6-2 4-2 5-2 1-1"], scores=[12, 9])
    play(twin, "6-6>L", "6-2>L", "6-4>R", "4-2>R", "2-2>L")
    assert (twin.done, twin.scores, twin.rewards) == (True, [17, 11], [1, -1])


def test_match_end_looked_for_after_the_round_adds_the_bonus():
    twin = play(match(["6-6", "6-2"], scores=[14, 9], match_end="hand_end"), "6-6>L")
    assert (twin.done, twin.scores) == (True, [17, 9])


@pytest.mark.parametrize(("start", "score", "done"), [(13, 15, True), (14, 15, True), (12, 15, True)])
def test_exact_target_counts_no_credit_beyond_it(start, score, done):
    # From 13 the two points of the opening make it; from 14 they overshoot and the bonus makes it; from 12 both together.
    twin = play(match(["6-6", "6-2"], scores=[start, 0], exact_target=True), "6-6>L")
    assert (twin.scores, twin.done) == ([score, 0], done)


def test_max_hands_ends_the_match():
    twin = play(match(["6-6", "5-4", "2-1"], max_hands=1), "6-6>L")
    assert (twin.done, twin.rewards) == (True, [1, -0.5, -0.5])


def test_points_are_rewarded_as_a_share_of_the_target():
    twin = play(match(["6-6 1-0", "5-4", "2-1"], reward="points"), "6-6>L")
    assert twin.rewards == pytest.approx([0.2, -0.1, -0.1])


@pytest.mark.parametrize(
    "options",
    [{"lead_rule": "any"}, {"opening_double_points": 1}, {"partnership": True}, {"near_target_cap": True, "target": None}],
)
def test_option_value_that_cannot_be_is_refused(options):
    with pytest.raises(ValueError):
        Reference(2, **options)


def test_option_of_another_game_is_unknown():
    with pytest.raises(TypeError, match="spinner"):
        Reference(2, spinner="none")
