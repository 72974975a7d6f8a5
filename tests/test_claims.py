"""Claims in All Fives ("Muggins!"), worked by hand."""

import pytest

from domino_envs import load_game
from domino_envs.testing import play, position, random_positions
from worked import names

MUGGINS = {"claim_mode": "muggins"}
ANY_CLAIM = {**MUGGINS, "false_claims": True}


def left_unclaimed(**options):
    """Returns a table of three where seat 0 has laid 4-3 for 2 + 3 = 5 and stays silent."""
    hands = ["4-3 6-6", "2-1 5-5", "0-0 6-5"]
    table = play(position("all_fives", hands, ends=(2, 4), **{**MUGGINS, **options}), "4-3>R")
    assert names(table) == {"claim", "pass"}
    assert table.player == 0
    return play(table, "pass")


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_points_left_silent_go_to_the_first_who_claims_once_the_next_tile_is_laid():
    """Seat 1 lays 2-1, 1 + 3, and may claim first, though it laid the tile."""
    table = left_unclaimed()
    assert table.scores.tolist() == [0, 0, 0]
    assert names(table) == {"2-1>L"}
    play(table, "2-1>L")
    assert names(table) == {"claim", "pass"}
    assert table.player == 1
    play(table, "claim")
    assert table.scores.tolist() == [0, 5, 0]
    assert table.player == 2
    assert names(table) == {"pass"}  # nothing fits, and the boneyard is empty


def test_the_window_goes_round_the_others_and_closes_for_good():
    table = play(left_unclaimed(), "2-1>L", "pass")
    assert table.player == 2
    assert play(table.clone(), "claim").scores.tolist() == [0, 0, 5]
    play(table, "pass")
    assert table.scores.tolist() == [0, 0, 0]
    assert table.player == 2
    assert names(table) == {"pass"}  # its turn: nothing fits, and the boneyard is empty


def test_a_claim_of_the_mover_is_credited_at_once():
    table = play(position("all_fives", ["6-6 1-0", "1-1"], ends=(3, 6), **MUGGINS), "6-6>R")
    assert table.scores.tolist() == [0, 0]
    assert play(table, "claim").scores.tolist() == [15, 0]
    assert table.player == 1


def test_points_are_credited_without_a_call_by_default():
    assert play(position("all_fives", ["6-6 1-0", "1-1"], ends=(3, 6)), "6-6>R").scores.tolist() == [15, 0]


def test_draws_and_passes_neither_open_nor_close_the_window():
    hands, options = ["4-3 6-6", "6-0 5-5", "2-1 6-5"], {"boneyard": "1-1 0-0 4-4"}
    table = play(position("all_fives", hands, ends=(2, 4), **MUGGINS, **options), "4-3>R", "pass")
    play(table, "draw")
    assert table.player == 2
    assert names(table) == {"2-1>L"}
    play(table, "2-1>L")
    assert table.player == 1  # left of the silent seat
    assert play(table, "claim").scores.tolist() == [0, 5, 0]


def test_where_both_are_due_the_mover_decides_after_the_window():
    table = position("all_fives", ["5-0 6-6", "5-5 2-1"], ends=(5, 5), **MUGGINS)
    play(table, "5-0>L", "pass", "5-5>R")  # 0 + 5 = 5 left silent; 0 + 10 = 10
    assert table.player == 1
    play(table, "claim")
    assert table.scores.tolist() == [0, 5]
    assert table.player == 1
    assert names(table) == {"claim", "pass"}
    play(table, "claim")
    assert table.scores.tolist() == [0, 15]
    assert table.player == 0


def test_a_claim_passes_no_turn_and_counts_as_no_pass():
    table = play(left_unclaimed(), "2-1>L", "pass", "pass")
    assert table.state.passes.tolist() == [0, 0, 0]
    assert table.state.passes_in_row == 0
    assert (table.state.draws_since_missing == -1).all()


def test_the_window_opens_before_a_blocked_hand_is_settled():
    """4-3 scores 2 + 3, and then nobody can lay: 12, 10 and 11 pips."""
    hands = ["4-3 6-6", "5-5", "6-5"]
    table = play(position("all_fives", hands, ends=(2, 4), max_hands=1, target=None, **MUGGINS), "4-3>R", "pass")
    play(table, "pass", "pass", "pass")
    assert not table.done
    assert table.player == 1
    play(table, "pass", "claim")
    assert table.done
    assert table.hand_points.tolist() == [0, 0, 0]  # 12 - 10 = 2 and 11 - 10 = 1 round to nothing
    assert table.scores.tolist() == [0, 0, 5]


def test_the_window_opens_before_the_hand_of_who_is_out_is_settled():
    """3-1 goes out on the 3: 4 + 1 = 5, left silent; then 6-2 with 8 pips rounds to 10."""
    table = play(position("all_fives", ["3-1", "6-2"], ends=(4, 3), **MUGGINS), "3-1>R", "pass")
    assert table.player == 1
    assert play(table, "claim").scores.tolist() == [10, 5]
    assert table.state.hands_played == 1


def test_a_claim_that_reaches_the_target_ends_the_match():
    table = play(left_unclaimed(scores=[0, 96, 0]), "2-1>L", "claim")
    assert table.done
    assert table.rewards.tolist() == [-0.5, 1, -0.5]
    assert not table.legal_actions()


def test_a_partner_may_claim():
    hands = ["4-3 6-6", "2-1 5-5", "0-0 6-5", "6-0 5-0"]
    table = play(position("all_fives", hands, ends=(2, 4), partnership=True, **MUGGINS), "4-3>R", "pass", "2-1>L", "pass")
    assert table.player == 2
    assert play(table, "claim").scores.tolist() == [5, 0, 5, 0]


@pytest.mark.parametrize(
    ("options", "scores"),
    [({"opening_threshold": 10}, [20, 0, 0]), ({"exact_target": True}, [20, 100 - 4, 0])],
)
def test_whether_a_credit_counts_is_looked_at_for_who_claims(options, scores):
    """Five points would count for the silent seat, not for seat 1."""
    table = play(left_unclaimed(scores=scores, **options), "2-1>L", "claim")
    assert table.scores.tolist() == scores
    assert table.player == 2  # the window has closed


def test_only_a_tile_that_scores_asks_unless_any_may_be_claimed():
    for options, asked in ((MUGGINS, False), (ANY_CLAIM, True)):
        table = play(position("all_fives", ["4-2 6-6", "1-1 0-0"], ends=(3, 4), **options), "4-2>R")  # 3 + 2 = 5
        assert names(table) == {"claim", "pass"}
        table = play(position("all_fives", ["4-1 6-6", "1-1 0-0"], ends=(3, 4), **options), "4-1>R")  # 3 + 1 = 4
        assert (names(table) == {"claim", "pass"}) == asked


@pytest.mark.parametrize("penalty", [0, 5])
def test_a_wrong_claim_costs_the_penalty_and_opens_no_window(penalty):
    options = {**ANY_CLAIM, "false_claim_penalty": penalty, "reward": "points"}
    table = play(position("all_fives", ["4-1 6-6", "1-1 0-0"], ends=(3, 4), **options), "4-1>R", "claim")
    assert table.scores.tolist() == [-penalty, 0]
    assert table.rewards.tolist() == pytest.approx([-penalty / 100, penalty / 100])
    play(table, "1-1>R")  # 3 + 2 = 5: its mover is asked, and nobody before
    assert table.player == 1
    assert play(table, "claim").scores.tolist() == [-penalty, 5]


def test_a_tile_that_scores_nothing_leaves_nothing_to_the_others():
    table = play(position("all_fives", ["4-1 6-6", "1-0 1-1"], ends=(3, 4), **ANY_CLAIM), "4-1>R", "pass", "1-0>R")
    assert table.player == 1  # 3 + 0: its own decision
    assert table.state.silent_seat < 0


def test_a_claim_that_is_pending_is_seen_by_all():
    table = left_unclaimed()
    for seat in range(3):
        view = table.observation_record(seat)[0]
        silent = [float(other == 0) * 5 / 24 for other in (seat, (seat + 1) % 3, (seat + 2) % 3)]
        assert view["unclaimed"].tolist() == pytest.approx(silent)
        assert view["claim"].tolist() == [0, 0]
    play(table, "2-1>L")
    for seat in range(3):
        view = table.observation_record(seat)[0]
        assert view["claim"].tolist() == [0, 1]
        assert view["turn"].tolist() == view["to_move"].tolist() == [float((seat + turn) % 3 == 1) for turn in range(3)]
    play(table, "pass")
    assert table.observation_record(2)[0]["turn"].tolist() == [0, 0, 1]
    assert table.observation_record(2)[0]["to_move"].tolist() == [1, 0, 0]


def test_the_movers_own_decision_is_seen_with_its_points():
    table = play(position("all_fives", ["6-6 1-0", "1-1"], ends=(3, 6), **MUGGINS), "6-6>R")
    for seat in range(2):
        assert table.observation_record(seat)[0]["claim"].tolist() == [1, 0]
        assert table.observation_record(seat)[0]["tile_points"].tolist() == pytest.approx([15 / 24])


def test_games_without_claims_and_spinner_show_nothing_of_them():
    dtype = load_game("all_fives").observation_dtype
    assert all(dtype[field].itemsize == 0 for field in ("claim", "turn", "tile_points", "unclaimed", "open_spinner"))


def test_what_was_decided_on_claims_is_marked_in_the_history():
    offered, table = [], None
    for table in random_positions(load_game("all_fives", 3, max_hands=1, **ANY_CLAIM), games=3):
        state = table.state
        if state.history_size == 0:
            offered = []
        assert state.history_claims[: state.history_size].tolist() == offered
        offered.append("claim" in names(table))
