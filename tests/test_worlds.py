"""The worlds that searches imagine, and what the others' moves tell of them."""

import numpy as np
import pytest

from decisions import batch_of, decisions
from domino_agents.loading import load_agent
from domino_agents.playouts import new_playout
from domino_agents.worlds import CANDIDATES, CONTRADICTED, MISTAKES, _judge_worlds, new_inference, sample_worlds
from domino_envs import load_game
from domino_envs.core.state import copy_rows
from domino_envs.core.tiles import tile_number
from domino_envs.table import Table
from domino_envs.testing import deal_of, play, position, set_deal

FREE = {"max_hands": 1, "lead_tile": "any", "first_leader": "lot"}


def inference_of(game, policy):
    return new_inference(game, new_playout(game, policy))


def judged(worlds, table, inference):
    """Returns the logarithm of how likely the moves on record are in every world."""
    logs = np.zeros(len(worlds))
    _judge_worlds(worlds, table.states, 0, table.game.rules, inference, logs)
    return logs


def after_a_lead_of_the_second_heaviest():
    """The other seat has led 6-5; greedy play leads the heaviest tile, so it would have led 6-6."""
    table = Table(load_game("block", 2, **FREE), seed=0)
    set_deal(table, ["0-0 1-0 2-0 3-0 4-0 5-0 6-0", "6-5 1-1 2-1 3-1 4-1 5-1 6-1"], leader=1)
    return play(table, "6-5>L")


@pytest.mark.nojit
def test_a_world_is_judged_by_whether_the_move_was_the_players_choice():
    table = after_a_lead_of_the_second_heaviest()
    worlds = sample_worlds(None, table.game, table.states, 0, 200, np.random.default_rng(0))
    holds_heavier = worlds["owner"][:, tile_number(6, 6)] == 1
    assert 30 < holds_heavier.sum() < 100  # 6 of 20 unseen tiles are its own: 60 to expect
    logs = judged(worlds, table, inference_of(table.game, "greedy"))
    assert logs == pytest.approx(np.where(holds_heavier, np.log(0.2 / 6), np.log(0.8)))


def test_worlds_are_drawn_by_what_a_lead_tells():
    # 6-6 is in the other hand by 6 in 20; there the lead has a chance of 1/30, else of 4/5: 0.01 / (0.01 + 0.56).
    assert MISTAKES == 0.2
    table = after_a_lead_of_the_second_heaviest()
    inference, rng = inference_of(table.game, "greedy"), np.random.default_rng(1)
    worlds = sample_worlds(None, table.game, table.states, 0, 10_000, rng, inference)
    share = (worlds["owner"][:, tile_number(6, 6)] == 1).mean()
    assert share == pytest.approx(0.01 / 0.57, abs=0.005)
    assert len(np.unique(worlds["rng"])) == len(worlds) == 10_000
    # What the lead tells nothing of is as likely as before.
    assert (worlds["owner"][:, tile_number(3, 3)] == 1).mean() == pytest.approx(6 / 20, abs=0.02)


@pytest.mark.nojit
def test_nobody_is_judged_by_forced_moves_or_by_own_ones():
    # The seat to move led against the greedy player's choice; the reply was a pass.
    table = Table(load_game("block", 2, **FREE), seed=0)
    set_deal(table, ["0-0 1-0 2-0 3-0 4-0 5-0 6-0", "6-5 1-1 2-1 3-1 4-1 5-1 6-6"])
    play(table, "0-0>L", "pass")
    worlds = sample_worlds(None, table.game, table.states, 0, 20, np.random.default_rng(0))
    assert judged(worlds, table, inference_of(table.game, "greedy")).tolist() == [0.0] * 20


def test_a_table_set_up_by_hand_tells_nothing():
    table = position("block", ["6-1 2-0 3-3", "6-6 4-4"], ends=(1, 2), boneyard="5-5 1-1 4-3", **FREE)
    worlds = sample_worlds(None, table.game, table.states, 0, 5, np.random.default_rng(0))
    assert judged(worlds, table, inference_of(table.game, "greedy")).tolist() == [0.0] * 5


@pytest.mark.nojit
def test_worlds_that_contradict_the_record_count_least():
    # The second seat leads, though the first holds the doubles: no deal fits, and a drawn tile may seem to keep the turn.
    game = load_game("draw", 2, draw_mode="one_then_play", lead_tile="any")
    table = set_deal(
        Table(game, seed=0),
        ["3-2 4-2 2-0 3-0 4-4 5-5 6-4", "6-5 0-0 5-4 1-0 5-3 6-2 4-3"],
        "3-1 6-3 2-2 6-0 5-1 5-0 2-1 4-0 5-2 6-1 6-6 3-3 1-1 4-1",
        leader=1,
    )
    moves = "6-5>L 5-5>L 6-2>R 3-2>R 5-3>L 3-0>L 4-3>R 2-0>L 5-4>R 4-2>L draw 6-4>L draw 6-3>L draw 3-1>L draw 1-0>L "
    play(table, *(moves + "6-0>L draw 5-1>R draw draw 2-1>R 2-2>R draw draw 5-2>R draw 6-1>L 5-0>R").split())
    worlds = sample_worlds(None, game, table.states, 0, 40, np.random.default_rng(0))
    logs = judged(worlds, table, inference_of(game, "greedy"))
    assert (logs == CONTRADICTED).any()
    assert np.isfinite(logs).all()
    assert len(sample_worlds(None, game, table.states, 0, 10, np.random.default_rng(0), inference_of(game, "greedy"))) == 10


def judged_by_hand(world, record, agent, player):
    """Plays a world's hand again with Python's eyes: the deal from where the tiles are and who laid or drew them."""
    game, moves = world.game, [(int(action), int(seat)) for action, seat in record]
    hands, boneyard = deal_of(world)
    drawn = []
    for action, seat in moves:
        name = game.action_to_string(action)
        if name == "draw":
            size = int(world.states["boneyard_size"][0]) + sum(m[0] == action for m in moves)
            tile = int(world.states["boneyard"][0][size - len(drawn) - 1])
            drawn.append((tile, seat))
        elif name != "pass":
            high, low = name[:3].split("-")
            hands[seat].append((int(low), int(high)))
    tiles = [(low, high) for high in range(7) for low in range(high + 1)]
    back = [tiles[tile] for tile, _ in drawn]
    hands = [[tile for tile in hand if tile not in back] for hand in hands]
    table = set_deal(Table(game, seed=0), hands, back + boneyard, leader=moves[0][1])
    chance = 1.0
    for action, seat in moves:
        assert table.player == seat
        if seat != player and table.action_mask.sum() > 1:
            views, masks, states = batch_of([table])
            agreed = int(agent.act(views, masks, np.random.default_rng(0), tables=states)[0]) == action
            chance *= 0.8 if agreed else 0.2 / (table.action_mask.sum() - 1)
        table.step(action)
    return np.log(chance)


@pytest.mark.parametrize("name", ["block", "draw"])
def test_the_record_is_judged_as_a_hand_played_again_move_by_move(name):
    game, checked = load_game(name, 2, **FREE), 0
    agent, inference = load_agent("greedy", game), inference_of(game, "greedy")
    for table in decisions(game, 6, seed=5, every=4):
        length = int(table.state.history_size)
        if length == 0:
            continue
        record = list(zip(table.state.history[:length], table.state.history_seats[:length], strict=True))
        worlds = sample_worlds(None, game, table.states, 0, 4, np.random.default_rng(checked))
        expected = []
        for world in range(len(worlds)):
            seen = table.clone()
            seen.states[:] = worlds[world : world + 1]
            expected.append(judged_by_hand(seen, record, agent, int(table.player)))
        assert judged(worlds, table, inference) == pytest.approx(np.array(expected))
        checked += 1
    assert checked > 5


@pytest.mark.parametrize("name", ["block", "all_fives", "bergen"])
def test_every_world_drawn_is_one_that_the_record_allows(name):
    game = load_game(name, 2)
    inference = inference_of(game, "rule")
    for table in decisions(game, 2, seed=7):
        given = table.states.copy()
        worlds = sample_worlds(None, game, table.states, 0, 20, np.random.default_rng(0), inference)
        assert table.states.tobytes() == given.tobytes()
        seat, public = int(table.player), ["ends", "history", "hand_sizes", "boneyard_size", "scores"]
        assert all((worlds[field] == table.states[field]).all() for field in public)
        assert ((worlds["owner"] == seat) == (table.states["owner"] == seat)).all()


def test_the_worlds_are_some_of_the_candidates():
    # With one world wanted, it is one of `CANDIDATES` deals that the same random numbers give without inference.
    table = after_a_lead_of_the_second_heaviest()
    inference = inference_of(table.game, "greedy")
    drawn = sample_worlds(None, table.game, table.states, 0, 1, np.random.default_rng(2), inference)
    allowed = sample_worlds(None, table.game, table.states, 0, CANDIDATES, np.random.default_rng(2))
    assert drawn["owner"][0].tolist() in allowed["owner"].tolist()
    assert (copy_rows(table.states, np.zeros(1, np.int64))["rng"] != drawn["rng"]).all()
