"""Bergen's tables and bounds, options that do not go together, what seats see and read."""

import pytest

from bergen_hands import dealt, opened_by_the_double_looked_for
from domino_envs import load_game
from domino_envs.core.tiles import num_tiles, tile_name
from domino_envs.playthrough import player_counts
from domino_envs.render.text import render_text
from domino_envs.testing import check_game, play
from worked import assert_dealt


@pytest.mark.parametrize(
    ("players", "options", "hand_size", "boneyard"),
    [
        (2, {}, 6, 16),
        (3, {}, 6, 10),
        (4, {}, 5, 8),
        (4, {"partnership": True}, 5, 8),
        (5, {"max_pip": 9}, 5, 30),
        (8, {"max_pip": 9}, 5, 15),
        (8, {"max_pip": 12, "hand_size": 11}, 11, 3),
    ],
)
def test_the_deal(players, options, hand_size, boneyard):
    assert_dealt("bergen", players, options, hand_size, boneyard)


@pytest.mark.parametrize(("players", "length"), [(2, 73), (3, 92), (4, 113)])
def test_a_hand_has_at_most_as_many_moves(players, length):
    assert load_game("bergen", players).max_hand_length == length


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (5, {"max_pip": 6}, "max_pip of 9 or more, got 6"),
        (9, {"max_pip": 12}, "2 to 8 players"),
        (1, {}, "2 to 8 players"),
        (2, {"opening_double_points": 1}, "0, 2 or 3, got 1"),
        (2, {"opening_double_points": 4}, "from 0 to 3, got 4"),
        (2, {"near_target_cap": True, "target": None}, "needs a target"),
        (2, {"exact_target": True, "target": None}, "needs a target"),
        (2, {"exact_target": True, "target": 1, "round_bonus": 2}, "no credit is 1"),
        (2, {"partnership": True}, "num_players=4"),
        (2, {"lead_rule": "none"}, "any_double"),
        (2, {"blocked_rule": "none"}, "doubleless_first"),
        (3, {"hand_size": 10}, "28"),
    ],
)
def test_options_that_do_not_go_together_raise(players, options, message):
    with pytest.raises(ValueError, match=message):
        load_game("bergen", players, **options)


@pytest.mark.parametrize("option", ["lead_tile", "spinner", "deduct_own_pips"])
def test_options_of_other_games_raise(option):
    with pytest.raises(TypeError, match=f"no option '{option}'"):
        load_game("bergen", 2, **{option: "any"})


def test_more_than_four_play_with_a_larger_set():
    assert player_counts("bergen") == [2, 3, 4, 5, 6, 7, 8]
    assert [load_game("bergen", players).options.max_pip for players in range(2, 9)] == [6, 6, 6, 9, 9, 9, 9]


def test_a_pass_of_the_opening_shows_a_hand_without_a_double_until_it_draws():
    rest = "4-4 3-0 2-1 5-5 0-0"
    hands = ["6-5 6-4", "1-1 6-3"]
    others = [tile for tile in map(tile_name, range(num_tiles(6))) if tile not in f"{' '.join(hands)} {rest}"]
    table = dealt(hands, f"{rest} {' '.join(others)}")
    shown = []
    for move in ("pass", "1-1>L", "draw", "draw", "draw", "2-1>L"):
        shown.append(table.observation_record(1)["no_double"][0].tolist())
        play(table, move)
    shown.append(table.observation_record(1)["no_double"][0].tolist())
    # Of the three tiles drawn one is laid at once; 4-4 and 3-0 stay unknown to seat 1.
    assert [seats[1] for seats in shown] == pytest.approx([0, 1, 1, 1 / 2, 1 / 3, 1 / 4, 1 / 3])
    assert [seats[0] for seats in shown] == [0] * 7


def test_a_double_laid_later_was_drawn_since():
    table = dealt(["6-5 6-4", "1-1 6-3"], draw_mode="one_end")
    table = play(table, "pass", "1-1>L", "draw")
    assert table.state.draws_since_no_double.tolist() == [1, -1]


def test_draws_of_the_opening_leave_no_doubt():
    boneyard = "6-1 6-0 2-2"
    rest = [tile for tile in map(tile_name, range(num_tiles(6))) if tile not in f"6-5 6-4 6-3 6-2 {boneyard}"]
    table = dealt(["6-5 6-4", "6-3 6-2"], f"{boneyard} {' '.join(rest)}")
    play(table, "pass", "pass", "draw", "draw", "draw", "2-2>L")
    assert table.state.draws_since_no_double.tolist() == [0, 0]


def test_the_opening_is_seen_and_read():
    table = dealt(["6-5 6-4", "1-1 6-3"])
    assert table.observation_record(0)["opening"].tolist() == [[1, 0]]
    assert table.observation_record(1)["leader"].tolist() == [[0, 1]]
    play(table, "pass")
    assert table.observation_record(0)["to_move"].tolist() == [[0, 1]]
    assert table.observation_record(0)["leader"].tolist() == [[1, 0]]
    assert "last moves: player_0 pass" in render_text(table)
    looked_for = opened_by_the_double_looked_for(["6-5 6-4", "1-1 6-3"], lead_rule="lowest_double")
    assert looked_for.observation_record(0)["opening"].tolist() == [[1, 1]]


OTHER_TABLES = [
    (2, {"lead_rule": "highest_double", "hand_size": 2, "reserve": 8, "draw_mode": "one_then_play"}),
    (3, {"lead_rule": "lowest_double", "hand_size": 2, "next_lead": "highest_double", "near_target_cap": True}),
    (3, {"hand_size": 2, "draw_mode": "none", "exact_target": True, "max_hands": 30, "reward": "points"}),
    (2, {"lead_rule": "any_tile", "next_lead": "winner", "draw_mode": "one_end", "match_end": "hand_end"}),
    (4, {"partnership": True, "blocked_rule": "doubleless_first", "fill_opening_double_first": True, "hand_size": 2}),
]


@pytest.mark.parametrize(("players", "options"), OTHER_TABLES, ids=str)
def test_house_rules_keep_what_every_game_keeps(players, options, count):
    check_game(load_game("bergen", players, **options), count(60), players)
