"""One table: what it refuses, and that it tells its own states from others'."""

import random

import numpy as np
import pytest
from numba import config

from domino_envs import game_names, load_game
from domino_envs.core.tiles import TABLE
from domino_envs.table import Table


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
