"""One table: what it refuses, and that it tells its own states from others'."""

import copy
import random
from enum import IntEnum

import numpy as np
import pytest
from numba import config

from domino_envs import game_names, load_game
from domino_envs.core.tiles import TABLE
from domino_envs.table import Table, action_number


@pytest.mark.parametrize(
    ("seat", "error"),
    [
        (2, ValueError),
        (-1, ValueError),
        (10**9, ValueError),
        (0.0, TypeError),
        (True, TypeError),
        ("0", TypeError),
        (None, TypeError),
    ],
)
def test_wrong_seats_are_refused(seat, error):
    table = Table(load_game("block"), seed=1)
    before = table.get_state()
    with pytest.raises(error, match="seat must be"):
        table.observation(seat)
    with pytest.raises(error, match="seat must be"):
        table.redeal_hidden(seat, 1)
    assert table.get_state() == before


class Place(IntEnum):
    FIRST = 1


class Pointer:
    """No integer, whatever its name holds."""

    def __index__(self):
        return 1


@pytest.mark.nojit
def test_an_action_is_an_integer_by_type_or_by_dtype():
    for action in (1, Place.FIRST, np.int8(1), np.uint64(1), np.array(1), np.array(1, np.uint8)):
        assert action_number(action) == 1
        assert type(action_number(action)) is int
    for action in (Pointer(), np.timedelta64(1), True, np.True_, 1.0, np.array(1.0), np.array([1]), np.array(True), "1", None):
        with pytest.raises(TypeError, match="an action must be an integer, got "):
            action_number(action)


@pytest.mark.nojit
def test_hidden_tiles_are_dealt_anew_from_a_seed():
    table = Table(load_game("block"), seed=1)
    before = table.get_state()
    for seed, kind in ((None, TypeError), (1.5, TypeError), (-1, ValueError)):
        with pytest.raises(kind, match="a seed must be a non-negative integer"):
            table.redeal_hidden(0, seed)
    assert table.get_state() == before


DAMAGES = [
    ("block", "history_size", 30_000),
    ("block", "history_size", -1),
    ("block", "boneyard_size", 29),
    ("block", "line_length", 29),
    ("block", "hand_sizes", -1),
    ("block", "owner", 2),
    ("block", "boneyard", 28),
    ("block", "ends", 7),
    ("block", "history", 999),
    ("block", "draws_since_missing", 100),
    ("bergen", "draws_since_no_double", 100),
    ("high_fives", "picked", 136),
    ("high_fives", "layout_counts", 17),
    ("high_fives", "boneyard", -2),
    ("high_fives", "owner", -6),
    ("high_fives", "history_size", 30_000),
]


@pytest.mark.nojit
@pytest.mark.parametrize(("name", "field", "value"), DAMAGES)
def test_a_state_out_of_its_bounds_is_refused(name, field, value):
    table = Table(load_game(name), seed=1)
    before, damaged = table.get_state(), table.states.copy()
    damaged[field] = value
    with pytest.raises(ValueError, match=f"{field} of a state must be from -?\\d+ to \\d+, got {value}"):
        table.set_state(damaged.tobytes())
    assert table.get_state() == before


class OwnTable(Table):
    """A table of a user's own."""


@pytest.mark.parametrize("copied", [lambda table: table.clone(), copy.copy, copy.deepcopy])
def test_a_copy_is_of_the_same_class_and_of_its_own(copied):
    table = OwnTable(load_game("block"), seed=1)
    before, twin = table.get_state(), copied(table)
    twin.step(twin.legal_actions()[0])
    assert type(twin) is OwnTable
    assert table.get_state() == before


def test_a_table_is_of_a_game():
    with pytest.raises(TypeError, match="game must be a Game from load_game, got 'block'"):
        Table("block")


@pytest.mark.parametrize("other", [("draw", 2, {}), ("block", 2, {"target": 5}), ("block", 3, {})], ids=str)
def test_a_state_of_another_game_is_refused(other):
    name, players, options = other
    table = Table(load_game("block"), seed=1)
    before = table.get_state()
    with pytest.raises(ValueError, match="a state"):
        table.set_state(Table(load_game(name, players, **options), seed=1).get_state())
    with pytest.raises(ValueError, match="a state must be of an equal game"):
        table.set_state(bytes(len(before)))
    assert table.get_state() == before


def test_nobody_forfeits_a_game_that_is_over():
    table = Table(load_game("block", max_hands=1), seed=1)
    table.forfeit()
    with pytest.raises(ValueError, match="the game is over"):
        table.forfeit()


@pytest.mark.parametrize("action", [True, 1.0, "54", None])
@pytest.mark.parametrize("name", game_names())
def test_actions_that_are_no_integers_have_no_name(name, action):
    with pytest.raises(TypeError, match="an action must be an integer"):
        load_game(name).action_to_string(action)


@pytest.mark.nojit
@pytest.mark.skipif(not config.DISABLE_JIT, reason="compiled, all integers are large")
@pytest.mark.parametrize("options", [{"max_pip": 12}, {"max_pip": 8, "spinner": "first_double"}], ids=str)
def test_large_sets_are_played_by_the_same_numbers_uncompiled(options):
    """Uncompiled, the state's small integers do not grow: what is reckoned from them must."""
    game, chance = load_game("block", 4, hand_size=4, max_hands=1, **options), random.Random(1)
    for seed in range(4):
        table = Table(game, seed=seed)
        while not table.done:
            owner, player, action = table.states["owner"][0].copy(), table.player, chance.choice(table.legal_actions())
            table.play(action)
            if action < game.rules.draw_action and not table.done:
                tile = action // len(table.states["ends"][0])
                assert owner[tile] == player
                assert table.states["owner"][0][tile] == TABLE


def test_versions_are_written_in_one_way():
    for name in ("block_v00", "block_v٠", "block_v1"):
        with pytest.raises(ValueError, match=r"no (game|version)"):
            load_game(name)
    assert load_game("block_v0") is load_game("block")
    assert np.int64(load_game("block").fingerprint) == load_game("block").fingerprint
