"""Bergen, worked by hand: the lead, the opening, and the sides of the opening double."""

import pytest

from bergen_hands import NO_DOUBLES, dealt, doubles, opened_by_the_double_looked_for, score_of
from domino_envs import load_game
from domino_envs.core.tiles import num_tiles, tile_name
from domino_envs.render.text import hand_of, history
from domino_envs.table import Table
from domino_envs.testing import deal_of, play, position, random_positions, set_deal
from worked import names

# The lead and the opening


def test_any_double_opens():
    table = dealt(["6-6 0-0 3-3 6-5", "1-1 2-2"])
    assert names(table) == {"6-6>L", "0-0>L", "3-3>L"}
    assert play(table, "0-0>L").player == 1


def test_any_tile_opens_where_the_option_says_so():
    table = dealt(["6-4 0-0", "1-1 2-2"], lead_rule="any_tile")
    assert names(table) == {"6-4>L", "0-0>L"}
    table = dealt(NO_DOUBLES[:2], lead_rule="any_tile")
    assert names(table) == {f"{tile}>L" for tile in NO_DOUBLES[0].split()}


@pytest.mark.parametrize(("rule", "opener", "tile"), [("highest_double", 2, "5-5"), ("lowest_double", 1, "1-1")])
def test_the_double_looked_for_opens_whoever_has_the_right(rule, opener, tile):
    hands = ["6-5 3-3", "1-1 2-2", "4-4 5-5"]
    for leader in range(3):
        table = opened_by_the_double_looked_for(hands, leader=leader, lead_rule=rule)
        assert table.player == opener
        assert names(table) == {f"{tile}>L"}
        assert table.state.leader == leader
        play(table, f"{tile}>L")
        assert table.player == (opener + 1) % 3


@pytest.mark.parametrize("rule", ["highest_double", "lowest_double"])
def test_the_double_is_looked_for_in_every_round(rule):
    rounds = 0
    for table in random_positions(load_game("bergen", 3, lead_rule=rule, target=None, max_hands=10), games=10):
        if table.state.history_size == 0 and not table.done:
            held = {tile: seat for seat in range(3) for tile in doubles(hand_of(table, seat))}
            if held:
                tile = max(held) if rule == "highest_double" else min(held)
                assert (table.player, names(table)) == (held[tile], {f"{tile}>L"})
                rounds += 1
    assert rounds > 50


def test_who_has_no_double_passes_and_the_right_to_open_goes_on():
    table = dealt([NO_DOUBLES[0], "1-1 2-2", "3-3"])
    assert names(table) == {"pass"}
    play(table, "pass")
    assert table.player == 1
    assert names(table) == {"1-1>L", "2-2>L"}


@pytest.mark.parametrize("rule", ["any_double", "highest_double", "lowest_double"])
@pytest.mark.parametrize("leader", [0, 1, 2])
def test_where_nobody_has_a_double_all_pass_once_and_then_draw_one_each_until_a_double_appears(rule, leader):
    hands, boneyard = ["6-5", "6-4", "6-3"], "6-2 6-1 6-0 5-4 2-2"
    rest = [tile for tile in map(tile_name, range(num_tiles(6))) if tile not in f"{' '.join(hands)} {boneyard}"]
    table = opened_by_the_double_looked_for(hands, f"{boneyard} {' '.join(rest)}", leader, lead_rule=rule)
    order = [(leader + turn) % 3 for turn in range(3)]
    for move, seats in (("pass", order), ("draw", [*order, *order[:2]])):
        for seat in seats:
            assert (table.player, names(table)) == (seat, {move})
            play(table, move)
    opener = order[1]
    assert table.player == opener  # who has drawn 2-2 lays it at once
    assert names(table) == {"2-2>L"}
    assert score_of(table, "2-2>L") == 2
    assert table.player == order[2]
    assert hand_of(table, opener) == [hands[opener], "6-1"]


@pytest.mark.parametrize("mode", ["none", "one_end", "one_then_play", "until_playable"])
def test_draws_of_the_opening_are_one_each_in_every_draw_mode_that_draws(mode):
    table = dealt(["6-5 6-4", "6-3 6-2"], draw_mode=mode)
    play(table, "pass", "pass")
    if mode == "none":  # dealt anew
        assert table.state.history_size == 0
    else:
        assert play(table, "draw").player in (0, 1)
        assert table.state.hand_sizes.tolist() == [3, 2]


@pytest.mark.parametrize(("reserve", "draws"), [(20, 4), (22, 2), (24, 0)])
def test_where_no_double_can_be_drawn_the_hands_are_dealt_anew(reserve, draws):
    """24 tiles lie in the boneyard; the record starts over, the right to open stays."""
    order = "6-1 6-0 5-4 5-3"
    rest = [tile for tile in map(tile_name, range(num_tiles(6))) if tile not in f"6-5 6-4 6-3 6-2 {order}"]
    for leader in (0, 1):
        table = dealt(["6-5 6-4", "6-3 6-2"], f"{order} {' '.join(rest)}", leader, reserve=reserve, hand_size=2)
        play(table, "pass", "pass", *["draw"] * (draws - 1 if draws else 0))
        if draws:
            assert table.state.hand_sizes.sum() == 4 + draws - 1
            play(table, "draw")
        assert history(table) == []
        assert table.state.hands_played == 0
        assert table.state.hand_sizes.tolist() == [2, 2]
        assert table.state.boneyard_size == 24
        assert table.state.leader == table.player == leader
        assert table.scores.tolist() == [0, 0]
        assert deal_of(table)[0] != [[(4, 6), (5, 6)], [(2, 6), (3, 6)]]


def test_a_hand_dealt_anew_looks_for_its_highest_double_anew():
    game = load_game("bergen", 2, hand_size=2, draw_mode="none", first_leader="highest_double", next_lead="highest_double")
    leaders = set()
    for seed in range(40):
        table = set_deal(Table(game, seed=seed), ["6-5 6-4", "6-3 6-2"])
        table.states["lead"] = 0
        play(table, "pass", "pass")
        held = {tile: seat for seat in range(2) for tile in doubles(hand_of(table, seat))}
        if held:
            assert table.player == held[max(held)]
            leaders.add(table.player)
    assert leaders == {0, 1}


@pytest.mark.parametrize("passes", [0, 1, 2])
def test_passes_of_the_opening_are_no_part_of_a_block(passes):
    """Of three seats the last to pass in the opening is followed by passes of the other two: all three, but no block."""
    hands = ["6-5", "6-4", "6-3"]
    hands[passes] = "1-1 5-4"
    table = dealt(hands, draw_mode="none", max_hands=1)
    play(table, *["pass"] * passes, "1-1>L", "pass", "pass")
    assert not table.done
    assert play(table, "pass").done


def test_rotation_counts_from_who_had_the_right_to_open():
    """Seat 0 has the right, seat 2 opens, and lays its only tile; seat 1 has the next right."""
    table = play(dealt(["6-5", "6-4", "1-1"]), "pass", "pass", "1-1>L")
    assert table.state.hands_played == 1
    assert table.state.leader == 1


@pytest.mark.parametrize(("next_lead", "leader"), [("winner", 2), ("rotation", 1)])
def test_the_right_to_open_the_next_round(next_lead, leader):
    """Seat 0 had it; seat 2 wins the block."""
    table = position("bergen", ["5-1", "4-3", "1-1"], ends=(2, 2), next_lead=next_lead)
    assert play(table, "pass", "pass", "pass").state.leader == leader


def test_after_a_round_without_a_winner_the_right_rotates():
    table = position("bergen", ["5-1", "4-2", "6-6"], ends=(0, 0), next_lead="winner")
    assert play(table, "pass", "pass", "pass").state.leader == 1


@pytest.mark.parametrize("option", ["first_leader", "next_lead"])
def test_the_highest_double_may_give_the_right_to_open_with_any_double(option):
    game = load_game("bergen", 3, hand_size=3, target=None, max_hands=6, **{option: "highest_double"})
    seen = 0
    for table in random_positions(game, games=20):
        if table.state.history_size == 0 and not table.done and (table.state.hands_played > 0) == (option == "next_lead"):
            held = {tile: seat for seat in range(3) for tile in doubles(hand_of(table, seat))}
            if held:
                assert table.player == held[max(held)]
                assert names(table) == {f"{tile}>L" for tile in held if held[tile] == table.player}
                seen += 1
            else:  # then the heaviest tile, ties by the higher half
                heaviest = max((sum(tile), max(tile), seat) for seat, hand in enumerate(deal_of(table)[0]) for tile in hand)
                assert table.player == heaviest[2]
    assert seen > 15


def test_the_first_right_is_by_lot():
    assert {Table(load_game("bergen", 4), seed=seed).player for seed in range(40)} == {0, 1, 2, 3}


# The opening double's sides


def test_its_free_side_comes_first_where_the_option_says_so():
    hands = ["6-6 4-3 2-0 1-1", "6-4 6-2 5-5"]
    table = play(dealt(hands), "6-6>L", "6-4>L")
    assert names(table) == {"4-3>L"}
    table = play(dealt(hands, fill_opening_double_first=True), "6-6>L", "6-4>L")
    assert names(table) == {"draw"}  # 4-3 does not go on the 6


def test_both_ends_are_open_once_the_opening_double_has_two_neighbours():
    hands = ["6-6 6-5 4-3 1-1", "6-4 4-2 5-2"]
    table = play(dealt(hands, fill_opening_double_first=True), "6-6>L", "6-4>L")
    assert names(table) == {"6-5>R"}
    play(table, "6-5>R")
    assert names(table) == {"4-2>L", "5-2>R"}


def test_a_single_that_opened_has_no_side_to_be_filled_first():
    table = dealt(["6-5 4-3", "6-4 5-5"], fill_opening_double_first=True, lead_rule="any_tile")
    assert names(play(table, "6-5>L", "6-4>R")) == {"4-3>R"}


def test_who_cannot_fill_the_side_shows_to_lack_its_number_alone():
    hands = ["6-6 4-3 2-0 1-1", "6-4 6-2 5-5"]
    table = play(dealt(hands, draw_mode="none", fill_opening_double_first=True), "6-6>L", "6-4>L", "pass")
    assert [int(number) for number in range(7) if table.state.draws_since_missing[0, number] >= 0] == [6]


def test_with_one_then_play_a_drawn_tile_must_go_on_the_free_side():
    hands = ["6-6 1-0 2-0 1-1", "6-4 6-2 5-5"]
    for boneyard, keeps in (("6-3", True), ("4-3", False)):
        rest = [tile for tile in map(tile_name, range(num_tiles(6))) if tile not in f"{' '.join(hands)} {boneyard}"]
        table = dealt(hands, f"{boneyard} {' '.join(rest)}", draw_mode="one_then_play", fill_opening_double_first=True)
        play(table, "6-6>L", "6-4>L", "draw")
        assert table.player == (0 if keeps else 1)
        assert not keeps or names(table) == {"6-3>R"}
