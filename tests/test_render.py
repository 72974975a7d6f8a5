"""Tables as text."""

import random
from itertools import pairwise

import pytest
from pettingzoo.test import render_test

from domino_envs import game_names, load_game, make_aec, make_env
from domino_envs.core.tiles import tile_number
from domino_envs.render.line import layout
from domino_envs.render.text import WIDTH, hand_of, in_one_line, render_text
from domino_envs.table import Table
from domino_envs.testing import play, position, random_positions, set_deal
from worked import two_seats

NAMES = game_names()
LINE_NAMES = [name for name in NAMES if load_game(name).picture == "line"]


def test_a_hand_in_progress():
    table = Table(load_game("all_fives"), seed=0)
    set_deal(table, ["4-0 5-5 1-1", "5-0 6-5 3-3"], leader=0)
    play(table, "5-5>L", "5-0>L")
    assert render_text(table).splitlines() == [
        "all_fives_v0, hand 1: player_0 to move",
        "> player_0: 10 points, 2 tiles: 4-0 1-1",
        "  player_1: 10 points, 2 tiles: 6-5 3-3",
        "boneyard: 22 tiles",
        "line: [0-5][5-5]",
        "open ends: 0 left, 5 (double) right",
        "last moves: player_0 5-5>L, player_1 5-0>L",
    ]


def test_a_point_of_view_shows_one_hand_and_counts_the_others():
    table = set_deal(Table(load_game("block"), seed=0), ["4-0 5-5", "6-5"], leader=1)
    assert render_text(table, pov=0).splitlines() == [
        "block_v0, hand 1: player_1 to move",
        "  player_0: 0 points, 2 tiles: 5-5 4-0",
        "> player_1: 0 points, 1 tile",
        "boneyard: 25 tiles",
        "line: empty",
        "no move yet",
    ]


def test_after_a_hand_the_text_says_what_it_paid():
    table = position("block", ["6-6", "0-1 1-1"], ends=(2, 3))
    assert render_text(table).splitlines()[-3:] == [
        "line: 25 tiles, not on record",
        "open ends: 2 left, 3 right",
        "no move yet",
    ]
    play(table, "pass", "pass")
    assert render_text(table).splitlines()[-1] == "the last hand paid player_1 +9"
    assert "hand 2: player_1 to move" in render_text(table)
    table = play(position("block", ["5-1", "3-3"], ends=(2, 2)), "pass", "pass")
    assert render_text(table).splitlines()[-1] == "the last hand paid nobody"


def test_the_end_is_said_and_nobody_is_to_move():
    text = render_text(play(position("block", ["6-6", "0-1 1-1"], ends=(2, 3), max_hands=1), "pass", "pass"))
    assert text.splitlines()[0] == "block_v0, hand 1: the game is over"
    assert ">" not in text


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("name", LINE_NAMES)
def test_the_line_is_redrawn_as_it_lies(name):
    for table in random_positions(load_game(name, target=50), games=3):
        line, state = layout(table)["line"], table.state
        assert all(left[1] == right[0] for left, right in pairwise(line))
        on_table = {tile for tile, owner in enumerate(state.owner.tolist()) if owner == -2}
        if not table.done or len(line) == len(on_table):
            assert {tile_number(*tile) for tile in line} == on_table
        if line:
            assert [line[0][0], line[-1][1]] == state.ends[:2].tolist()
            assert "".join(f"[{a}-{b}]" for a, b in line) in render_text(table).replace("\n      ", "")


def test_a_long_line_goes_on_below_between_two_tiles():
    chance, table = random.Random(1), Table(load_game("draw", 2, target=None), seed=1)
    while table.state.line_length < 22:
        table.play(chance.choice(table.legal_actions()))
    lines = render_text(table).splitlines()
    rows = [line for line in lines if "[" in line]
    assert len(rows) > 1
    assert all(len(line) <= WIDTH and line.endswith("]") for line in rows)
    assert all(row.startswith("      [") for row in rows[1:])


def test_the_arms_of_a_spinner_are_drawn_apart():
    moves = "6-6>L 6-5>L 6-4>R 6-3>U 3-1>U 6-2>D"
    drawn = render_text(play(two_seats("block", moves, spinner="first_double"), *moves.split())).splitlines()
    assert drawn[4:8] == [
        "line: [5-6][6-6][6-4]",
        "arm U of [6-6]: [6-3][3-1]",
        "arm D of [6-6]: [6-2]",
        "open ends: 5 left, 4 right, 1 U, 2 D",
    ]


def test_a_line_that_is_not_all_on_record_is_counted():
    """Nothing is known of the tiles between those laid since, which do not touch."""
    table = play(position("block", ["6-2 6-6", "3-1 1-1"], ends=(2, 3)), "6-2>L", "3-1>R")
    assert render_text(table).splitlines()[-3:] == [
        "line: 26 tiles, not on record",
        "open ends: 6 left, 1 right",
        "last moves: player_0 6-2>L, player_1 3-1>R",
    ]
    assert in_one_line(table) == "26 tiles, not on record"


# Rendering for people: printed as the game goes on


@pytest.mark.nojit
def test_for_people_the_pettingzoo_face_prints_the_table_at_every_reset_and_step(capsys):
    env = make_aec("block", render_mode="human", pov=0)
    twin = make_aec("block", render_mode="ansi", pov=0)
    for face in (env, twin):
        face.reset(seed=1)
    assert capsys.readouterr().out == twin.render() + "\n"
    while not any(env.terminations.values()):
        action = int(env.last()[0]["action_mask"].argmax())
        for face in (env, twin):
            face.step(action)
        assert capsys.readouterr().out == twin.render() + "\n"
    assert env.render() is None
    assert capsys.readouterr().out == twin.render() + "\n"
    env.step(None)  # to retire a seat shows nothing new
    assert capsys.readouterr().out == ""


@pytest.mark.nojit
def test_for_people_the_gymnasium_face_prints_the_table_at_every_reset_and_step(capsys):
    env, twin = (make_env("block", render_mode=mode, max_hands=1) for mode in ("human", "ansi"))
    for face in (env, twin):
        _, info = face.reset(seed=1)
    ended = False
    while not ended:
        assert capsys.readouterr().out == twin.render() + "\n"
        action = int(info["action_mask"].argmax())
        for face in (env, twin):
            _, _, ended, _, info = face.step(action)
    assert "the game is over" in capsys.readouterr().out
    assert env.render() is None


@pytest.mark.parametrize("name", NAMES)
def test_pettingzoos_test_of_rendering_has_nothing_to_say(name):
    render_test(lambda render_mode: make_aec(name, render_mode=render_mode))


def test_what_is_to_be_claimed_is_told():
    hands = ["4-3 6-6", "2-1 5-5", "0-0 6-5"]
    table = play(position("all_fives", hands, ends=(2, 4), claim_mode="muggins"), "4-3>R")
    assert "to claim: 5 points of player_0: player_0 decides" in render_text(table).splitlines()
    assert "unclaimed: 5 points of player_0" in render_text(play(table, "pass")).splitlines()
    assert "unclaimed: 5 points of player_0: player_1 decides" in render_text(play(table, "2-1>L")).splitlines()
    assert "claim" not in render_text(play(table, "pass", "pass")).replace("claimed", "").split("last moves")[0]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_hidden_shows_from_a_point_of_view(name, players):
    chance = random.Random(players)
    for table in random_positions(load_game(name, players, max_hands=2), games=2, seed=players):
        for seat in range(players):
            twin = table.clone()
            twin.redeal_hidden(seat, chance.getrandbits(32))
            text = render_text(table, pov=seat)
            assert render_text(twin, pov=seat) == text
            others = [hand_of(table, other) for other in range(players) if other != seat]
            tiles = " ".join(text.splitlines()[1 : 1 + players]).split()
            assert not any(tile in tiles for hand in others for tile in hand)


def test_without_a_point_of_view_every_hand_is_shown():
    table = Table(load_game("draw", 4), seed=3)
    text = render_text(table)
    assert all(" ".join(hand_of(table, seat)) in text for seat in range(4))


def test_drawing_a_table_leaves_it_as_it_was():
    table = Table(load_game("draw"), seed=3)
    before = table.get_state()
    render_text(table, pov=1)
    assert table.get_state() == before
