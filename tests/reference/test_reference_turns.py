"""The plain-Python twin of the line games: who may do what, in hands worked out by hand."""

import pytest

from reference.hands import blocked_hand, deal, match, play, points_of
from reference.line_games import Reference

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
