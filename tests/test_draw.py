"""Draw, worked by hand: what a player does who cannot lay a tile."""

import pytest

from domino_envs import load_game
from domino_envs.render.text import hand_of
from domino_envs.table import Table
from domino_envs.testing import play, position

STUCK = ["0-0 1-0", "1-1 4-0"]  # of the open numbers 5 and 2 nobody has any


def names(table):
    return {table.game.action_to_string(action) for action in table.legal_actions()}


def stuck(draw_mode, boneyard, hands=STUCK, **options):
    return position("draw", hands, ends=(5, 2), boneyard=boneyard, draw_mode=draw_mode, max_hands=1, **options)


@pytest.mark.parametrize("draw_mode", ["one_end", "one_then_play", "until_playable"])
def test_no_tile_is_drawn_by_who_can_lay(draw_mode):
    assert names(stuck(draw_mode, "6-6 5-5", hands=["5-3 0-0", "1-1"])) == {"5-3>L"}


def test_draw_until_playable_draws_tile_by_tile_until_one_fits_and_lays_it():
    """Each draw is a move of its own, though there is no choice."""
    table = stuck("until_playable", "6-6 4-4 5-3 2-2")
    for _ in range(3):
        assert names(table) == {"draw"}
        play(table, "draw")
        assert table.player == 0
    assert names(table) == {"5-3>L"}
    assert play(table, "5-3>L").player == 1
    assert table.state.boneyard_size == 1


def test_draw_until_playable_passes_on_an_empty_boneyard():
    table = play(stuck("until_playable", "6-6 4-4"), "draw", "draw")
    assert names(table) == {"pass"}
    assert play(table, "pass").player == 1
    assert names(table) == {"pass"}


@pytest.mark.parametrize("drawn", ["6-6", "5-3"])
def test_draw_one_end_ends_the_turn_even_if_the_tile_fits(drawn):
    table = play(stuck("one_end", f"{drawn} 4-4"), "draw")
    assert table.player == 1
    assert drawn in hand_of(table, 0)


def test_draw_one_then_play_must_lay_the_tile_that_fits():
    table = play(stuck("one_then_play", "5-3 4-4"), "draw")
    assert table.player == 0
    assert names(table) == {"5-3>L"}


def test_draw_one_then_play_offers_both_ends_to_a_tile_that_fits_both():
    assert names(play(stuck("one_then_play", "5-2 4-4"), "draw")) == {"5-2>L", "5-2>R"}


def test_draw_one_then_play_ends_the_turn_without_a_pass_where_the_tile_does_not_fit():
    table = play(stuck("one_then_play", "6-6 4-4"), "draw")
    assert table.player == 1
    assert table.state.passes_in_row == 0
    assert names(table) == {"draw"}


def test_draw_none_passes_and_leaves_the_boneyard_alone():
    table = stuck("none", "5-5 2-2")
    assert names(table) == {"pass"}
    assert play(table, "pass", "pass").state.boneyard_size == 2


@pytest.mark.parametrize("draw_mode", ["one_end", "one_then_play", "until_playable"])
@pytest.mark.parametrize("reserve", [0, 1, 2, 3])
def test_as_many_tiles_as_the_reserve_are_never_drawn(draw_mode, reserve):
    table = stuck(draw_mode, "6-6 4-4 6-4", reserve=reserve)
    draws = 0
    while names(table) == {"draw"}:
        play(table, "draw")
        draws += 1
    assert draws == 3 - reserve
    assert names(table) == {"pass"}
    assert table.state.boneyard_size == reserve


def test_a_reserve_larger_than_the_boneyard_forbids_drawing():
    assert names(stuck("until_playable", "6-6 4-4", reserve=9)) == {"pass"}


def test_a_draw_between_passes_puts_the_block_off():
    """A hand is blocked by passes in a row, and who can draw does not pass."""
    table = play(stuck("one_end", "6-6"), "draw", "pass")
    assert not table.done
    assert table.player == 0
    assert play(table, "pass").done


def test_drawn_tiles_count_against_their_holder():
    """Seat 0 holds 0-0 1-0 and draws 6-6: 13 pips; seat 1 has 2 + 4 = 6 and wins 13 - 6 = 7."""
    table = play(stuck("until_playable", "6-6"), "draw", "pass", "pass")
    assert table.hand_points.tolist() == [0, 7]


def test_the_tiles_left_in_the_boneyard_count_for_nobody():
    """Seat 1 goes out; seat 0 holds 1 pip, and 6-6 stays in the reserve."""
    table = play(stuck("until_playable", "6-6", hands=["0-0 1-0", "5-1"], reserve=1), "pass", "5-1>L")
    assert table.hand_points.tolist() == [0, 1]


def test_who_goes_out_with_a_drawn_tile_scores_the_others_pips():
    """A hand of one tile draws 5-3, lays it, and later lays 1-0 on the 1; seat 1 is left with 6 + 6 pips."""
    table = stuck("until_playable", "5-3", hands=["1-0", "3-1 6-6"])
    play(table, "draw", "5-3>L", "3-1>L", "1-0>L")
    assert table.hand_points.tolist() == [12, 0]


@pytest.mark.parametrize(("players", "hand_size", "boneyard"), [(2, 7, 14), (3, 5, 13), (4, 5, 8)])
def test_the_deal(players, hand_size, boneyard):
    state = Table(load_game("draw", players), seed=1).state
    assert state.hand_sizes.tolist() == [hand_size] * players
    assert state.boneyard_size == boneyard


def test_draw_is_block_with_other_defaults():
    draw, block = load_game("draw", 3).options, load_game("block", 3).options
    assert type(draw) is type(block)
    assert {name for name in vars(draw) if vars(draw)[name] != vars(block)[name]} == {"draw_mode"}
