"""The plain-Python twin of the line games: claims of points, in hands worked out by hand."""

from reference.hands import match, play


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
