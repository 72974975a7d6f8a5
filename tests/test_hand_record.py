"""The record of a hand: taken back to the deal and played again, it leads to where it stood."""

import numpy as np
import pytest

from domino_envs import load_game
from domino_envs.core import game as dispatch
from domino_envs.core.hand_record import record_length, return_to_deal
from domino_envs.core.jit import entry
from domino_envs.table import Table
from domino_envs.testing import deal_of, play, position, random_positions, set_deal

TABLES = [
    ("block", 2, {}),
    ("draw", 2, {"draw_mode": "one_then_play", "lead_tile": "any", "first_leader": "lot"}),
    ("block", 4, {"partnership": True, "lead_tile": "any"}),
    ("all_fives", 2, {"spinner": "first_double", "draw_mode": "until_playable", "reserve": 0}),
    ("all_fives", 3, {"claim_mode": "muggins", "false_claims": True, "false_claim_penalty": 5}),
    ("bergen", 2, {}),
    ("bergen", 2, {"lead_rule": "highest_double"}),
    ("bergen", 2, {"lead_rule": "lowest_double", "fill_opening_double_first": True}),
]
NOT_ON_RECORD = ["scores", "hand_points"]  # with hands before this one
OF_THE_OPENING = ["draws_since_no_double"]


@entry
def _return_to_deal(tables, rules, record):
    """Takes the hand at a table back, and plays the actions of a record from the deal on."""
    return_to_deal(tables[0], rules)
    for turn in range(len(record)):
        dispatch.step(tables[0], rules, record[turn])


@entry
def _record_length(tables, rules):
    return record_length(tables[0], rules)


def back_at_the_deal(table, moves=0):
    """Returns the table's state with its hand taken back, and some of its moves played again."""
    states = table.states.copy()
    _return_to_deal(states, table.game.rules, table.states["history"][0, :moves].astype(np.int64))
    return states


@pytest.mark.parametrize(("name", "players", "options"), TABLES)
@pytest.mark.parametrize("max_hands", [1, 4])
def test_a_hand_played_again_leads_to_where_it_stood(name, players, options, max_hands):
    game, seen = load_game(name, players, max_hands=max_hands, **options), 0
    left_out = [*(NOT_ON_RECORD if max_hands > 1 else []), *OF_THE_OPENING]
    for table in random_positions(game, 8, seed=3):
        length = int(table.state.history_size)
        if table.done or length == 0:
            continue
        seen += 1
        states = back_at_the_deal(table)
        assert states["history_size"][0] == states["line_length"][0] == 0
        assert states["boneyard_size"][0] == deal_size(game)
        states = back_at_the_deal(table, length)
        for field in set(states.dtype.names) - set(left_out):
            assert states[field].tobytes() == table.states[field].tobytes(), field
    assert seen > 20


def deal_size(game):
    """Returns the number of tiles left in the boneyard after the deal."""
    return len(game.new_states(1)["owner"][0]) - game.num_players * game.options.hand_size


@pytest.mark.nojit
def test_what_was_drawn_goes_back_into_the_boneyard_in_its_order():
    # The second seat holds nothing to lay on 6-1, draws 0-0 and then 5-1, and lays it.
    table = set_deal(
        Table(load_game("draw", 2, lead_tile="any"), seed=0),
        ["6-1 6-2 6-3 6-4 6-5 6-6 1-1", "2-2 3-2 4-2 5-2 3-3 4-3 5-3"],
        "0-0 5-1 4-4 5-4 5-5 1-0 2-0 3-0 4-0 5-0 6-0 2-1 3-1 4-1",
    )
    dealt = deal_of(table)
    play(table, "6-1>L", "draw", "draw", "5-1>L")
    states = back_at_the_deal(table)
    table.states[:] = states
    assert deal_of(table) == dealt
    assert (table.states["player"][0], table.states["leader"][0]) == (0, 0)


@pytest.mark.nojit
def test_a_table_set_up_by_hand_has_no_record():
    table = position("block", ["6-1 2-0", "6-6"], ends=(1, 2))
    assert _record_length(table.states, table.game.rules) == 0
    play(table, "2-0>R")
    assert _record_length(table.states, table.game.rules) == 0  # one move does not account for the line
