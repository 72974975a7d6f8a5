"""Fives and Threes, the British pub game, worked by hand."""

import numpy as np
import pytest

from domino_envs import load_game
from domino_envs.render.text import hand_of
from domino_envs.table import Table
from domino_envs.testing import play, position
from domino_envs.testing.view_checks import observations_keep_their_bounds
from worked import credited, names


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize(
    ("moves", "units"),
    [
        ("6-6>L 6-3>L 3-3>L 6-0>R 5-3>L", [4, 5 + 3, 6, 2, 1]),  # 12, 15, 18, 6, 5
        ("4-4>L 5-4>L 5-5>L", [0, 0, 6]),  # 8, 13, 18
        ("5-5>L 5-0>L", [2, 2]),  # 10, 10
        ("4-4>L 6-4>L 6-6>L", [0, 0, 4]),  # 8, 14, 20
        ("0-0>L 3-0>L", [0, 1]),  # 0, 3
        ("6-3>L 6-6>R", [3, 8]),  # 9, 15
    ],
)
def test_fives_and_threes_are_counted_in_units(moves, units):
    assert credited("fives_and_threes", moves) == units


@pytest.mark.parametrize(
    ("score", "tile", "after"),
    [
        (60, "4-4", 60),  # 2 + 8 = 10 is two units: past 61
        (58, "4-0", 58),  # 2 + 0 = 2 scores nothing
        (58, "4-1", 59),  # 2 + 1 = 3 is one
        (54, "5-4", 54),  # 2 + 5 = 7 scores nothing
        (59, "4-4", 61),
    ],
)
def test_only_a_score_that_does_not_overshoot_is_counted(score, tile, after):
    table = position("fives_and_threes", [f"{tile} 1-0", "1-1"], ends=(2, 4), scores=[score, 0])
    play(table, f"{tile}>R")
    assert table.scores.tolist() == [after, 0]
    assert table.done == (after == 61)


def test_nine_from_58_wins_and_fifteen_from_54_is_not_counted():
    for score, ends, after in ((58, (3, 5), 61), (54, (3, 6), 54)):
        tile = "6-5" if ends == (3, 5) else "6-6"  # 3 + 6 = 9: three units; 3 + 12 = 15: eight
        table = position("fives_and_threes", [f"{tile} 1-0", "1-1"], ends=ends, scores=[score, 0])
        assert play(table, f"{tile}>R").scores.tolist() == [after, 0]
        assert table.done == (after == 61)


@pytest.mark.nojit
def test_a_large_bonus_stays_within_the_observations_bounds():
    game = load_game("fives_and_threes", 2, max_pip=1, hand_size=1, out_bonus=100, target=101, exact_target=False)
    observations_keep_their_bounds(game, games=20, seed=0)


def test_without_an_exact_target_the_score_may_pass_it():
    table = position("fives_and_threes", ["6-6 1-0", "1-1"], ends=(3, 6), scores=[54, 0], exact_target=False)
    assert play(table, "6-6>R").scores.tolist() == [62, 0]
    assert table.done


@pytest.mark.parametrize("bonus", [0, 1, 3])
def test_going_out_pays_the_bonus_and_no_pips(bonus):
    """3 + 4 = 7 does not score."""
    table = play(position("fives_and_threes", ["4-2", "6-6 5-5"], ends=(3, 2), out_bonus=bonus), "4-2>R")
    assert table.scores.tolist() == table.hand_points.tolist() == [bonus, 0]


def test_the_last_tile_scores_before_the_bonus():
    """3 + 2 = 5 is one unit."""
    assert play(position("fives_and_threes", ["5-2", "6-6"], ends=(3, 5)), "5-2>R").scores.tolist() == [2, 0]


def test_the_bonus_that_overshoots_is_not_counted():
    table = play(position("fives_and_threes", ["4-2", "6-6 5-5"], ends=(3, 2), scores=[60, 3], out_bonus=2), "4-2>R")
    assert table.scores.tolist() == [60, 3]
    assert table.hand_points.tolist() == [0, 0]


def test_a_blocked_hand_pays_nothing():
    table = play(position("fives_and_threes", ["4-2", "6-6 5-5"], ends=(3, 3)), "pass", "pass")
    assert table.hand_points.tolist() == [0, 0]
    assert table.state.hands_played == 1


@pytest.mark.parametrize(("partner", "bonus"), [(0, [1, 0, 1, 0]), (2, [1, 0, 1, 0])])
def test_one_partner_out_earns_the_pair_the_bonus(partner, bonus):
    hands = ["5-5", "6-6", "5-5", "1-1"]
    hands[partner], hands[2 - partner] = "4-2", "5-0"
    table = play(position("fives_and_threes", hands, ends=(3, 2), to_move=partner, partnership=True), "4-2>R")
    assert table.scores.tolist() == bonus


@pytest.mark.parametrize(("players", "pairs", "size"), [(2, False, 7), (3, False, 5), (4, False, 5), (4, True, 6)])
def test_the_deal(players, pairs, size):
    state = Table(load_game("fives_and_threes", players, partnership=pairs), seed=1).state
    assert state.hand_sizes.tolist() == [size] * players
    assert state.boneyard_size == 28 - players * size


def test_who_cannot_lay_knocks_whatever_lies_undealt():
    assert names(position("fives_and_threes", ["0-0 1-1", "1-0"], ends=(5, 2), boneyard="5-3 6-5")) == {"pass"}


def test_any_tile_opens_the_first_leader_is_drawn_by_lot_and_the_lead_rotates():
    game = load_game("fives_and_threes", 3)
    leaders = [Table(game, seed=seed).player for seed in range(30)]
    assert set(leaders) == {0, 1, 2}
    table, chance = Table(game, seed=3), np.random.default_rng(0)
    for hand in range(4):
        assert names(table) == {f"{tile}>L" for tile in hand_of(table, table.player)}
        assert table.player == (leaders[3] + hand) % 3
        while table.state.hands_played == hand and not table.done:
            table.play(int(chance.choice(table.legal_actions())))
        assert not table.done


@pytest.mark.parametrize(("draw_mode", "legal"), [("one_end", "draw"), ("none", "pass")])
def test_drawing_can_be_played(draw_mode, legal):
    options = {"ends": (5, 2), "boneyard": "5-3 6-5", "draw_mode": draw_mode}
    assert names(position("fives_and_threes", ["0-0 1-1", "1-0"], **options)) == {legal}


def test_without_a_target_nothing_can_be_hit_exactly():
    assert not load_game("fives_and_threes", target=None).options.exact_target
    with pytest.raises(ValueError, match="exact_target"):
        load_game("fives_and_threes", target=None, exact_target=True)


def test_units_can_be_left_to_the_others():
    table = position("fives_and_threes", ["6-6 1-0", "3-1 5-5"], ends=(3, 6), claim_mode="muggins")
    assert play(table, "6-6>R", "pass", "3-1>L", "claim").scores.tolist() == [0, 8]


@pytest.mark.parametrize("penalty", [0, 2])
def test_a_wrong_claim_costs_the_penalty(penalty):
    options = {"claim_mode": "muggins", "false_claims": True, "false_claim_penalty": penalty}
    table = position("fives_and_threes", ["4-2 1-0", "6-6 5-5"], ends=(3, 2), **options)
    assert play(table, "4-2>R", "claim").scores.tolist() == [-penalty, 0]


@pytest.mark.parametrize(("spinner", "units"), [("first_double", [4, 4, 1, 0, 4]), ("none", [4, 4, 1])])
def test_a_spinner_counts_its_arms(spinner, units):
    """12; 0 + 12; 0 + 3; with a spinner 0 + 3 + 4 = 7; 0 + 3 + 4 + 5 = 12."""
    moves = ["6-6>L", "6-0>L", "6-3>R", "6-4>U", "6-5>D"][: len(units)]
    assert credited("fives_and_threes", " ".join(moves), spinner=spinner) == units
