"""The agents: legal, deterministic where they say so, and blind to what a player cannot see."""

import re
import subprocess
import sys

import numpy as np
import pytest

from domino_agents import GreedyAgent, RandomAgent, RuleAgent, load_agent, play_pair
from domino_agents.arena import DealStream
from domino_agents.model_search import ModelSearch
from domino_envs import engine, game_names, load_game, make_env
from domino_envs.envs.gym_vector import make_gym_vec
from domino_envs.testing import capture_position, play, position, random_positions


def ask(agent, table, seed=0):
    """Asks an agent as a face does: with a table in which all that the seat cannot see was dealt anew."""
    rng = np.random.default_rng(seed)
    views = table.observation(table.player)[None], table.action_mask[None].copy()
    if not getattr(agent, "needs_tables", False):
        return int(agent.act(*views, rng)[0])
    states = table.states.copy()
    if not getattr(agent, "privileged", False):
        engine.redeal_rows(states, table.game.rules, np.array([table.player]), rng.integers(0, 2**64, 1, np.uint64))
    return int(agent.act(*views, rng, tables=states)[0])


class Peeker:
    """Cheats: goes by the tiles of the next seat."""

    needs_tables = privileged = True

    def act(self, observations, action_mask, rng, *, tables):
        held = [(row["owner"] == (row["player"] + 1) % 2).nonzero()[0].sum() for row in tables]
        return np.array([np.flatnonzero(mask)[hidden % mask.sum()] for hidden, mask in zip(held, action_mask, strict=True)])


def depends_on_hidden_tiles(agent, game):
    """Tells whether two worlds with one view and one rng ever get different moves."""
    for number, table in enumerate(random_positions(game, 15, seed=4, every=2)):
        if table.done:
            continue
        twin = table.clone()
        twin.redeal_hidden(twin.player, seed=number)
        if ask(agent, table, number) != ask(agent, twin, number):
            return True
    return False


@pytest.mark.parametrize("agent", ["random", "greedy", "rule"])
@pytest.mark.parametrize("name", game_names())
def test_honest_agents_play_alike_in_worlds_that_look_alike(name, agent):
    game = load_game(name, 2, max_hands=1)
    assert not depends_on_hidden_tiles(load_agent(agent, game), game)


def test_a_cheating_agent_is_found_out():
    assert depends_on_hidden_tiles(Peeker(), load_game("all_fives", 2, max_hands=1))


@pytest.mark.parametrize(("name", "players"), [*((name, 2) for name in game_names()), ("block", 3)])
def test_agents_play_legal_actions(name, players):
    game = load_game(name, players)
    for agent in (RandomAgent(), GreedyAgent(game), RuleAgent(game)):
        for table in random_positions(game, 2, seed=players):
            if not table.done:
                assert table.action_mask[ask(agent, table)]


def test_greedy_draws_where_it_must():
    # A drawn tile makes the hand heavier: less than nothing, and still the one legal action.
    table = position("draw", ["6-6 5-5", "0-0 1-1"], ends=(2, 3), boneyard="6-5 6-4 6-1")
    assert table.game.action_to_string(ask(GreedyAgent(table.game), table)) == "draw"


def test_greedy_takes_the_points_before_the_weight():
    # Ends 3 and 6. 6-6 makes 3 + 12 = 15; 3-4 makes 4 + 6 = 10; 6-5 makes 3 + 5 = 8, nothing.
    table = position("all_fives", ["6-6 4-3 6-5", "0-0 1-1"], ends=(3, 6), boneyard="2-2 1-0 2-0 2-1")
    assert table.game.action_to_string(ask(GreedyAgent(table.game), table)) == "6-6>R"


def test_greedy_sheds_the_heaviest_tile_where_nothing_scores():
    # Ends 1 and 2. 1-1 makes 2 + 2 = 4, 2-0 makes 1 + 0 = 1, 6-2 makes 1 + 6 = 7: nothing scores, and 6-2 weighs most.
    table = position("all_fives", ["1-1 2-0 6-2", "0-0 4-4"], ends=(1, 2), boneyard="3-3 1-0 5-5 3-0")
    assert table.game.action_to_string(ask(GreedyAgent(table.game), table)) == "6-2>R"


def test_greedy_asks_for_each_table_by_itself():
    game = load_game("all_fives", 2)
    tables = [table.clone() for table in random_positions(game, 2, seed=1, every=5) if not table.done]
    agent = GreedyAgent(game)
    states, masks = np.concatenate([table.states for table in tables]), np.stack([table.action_mask for table in tables])
    views = np.stack([table.observation(table.player) for table in tables])
    together = agent.act(views, masks, np.random.default_rng(0), tables=states)
    alone = [agent.act(views[[i]], masks[[i]], np.random.default_rng(0), tables=states[[i]])[0] for i in range(len(tables))]
    assert together.tolist() == alone


def test_random_plays_every_legal_action_alike():
    table = next(random_positions(load_game("block"), 1, seed=3))
    legal = np.flatnonzero(table.action_mask)
    masks = np.repeat(table.action_mask[None], 9_000, axis=0)
    counts = np.bincount(RandomAgent().act(None, masks, np.random.default_rng(0)), minlength=len(table.action_mask))
    assert counts[legal].sum() == 9_000
    # Five standard deviations of a count.
    share = 1 / len(legal)
    assert abs(counts[legal] - 9_000 * share).max() <= 5 * (9_000 * share * (1 - share)) ** 0.5


def test_agents_load_no_heavy_package():
    code = "import sys, domino_agents.cli, domino_agents.loading; print({'torch', 'matplotlib', 'hydra'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_unknown_agents_are_refused():
    with pytest.raises(ValueError, match=r"no agent 'clever'.*greedy.*random"):
        load_agent("clever", load_game("block"))


@pytest.mark.parametrize("name", [None, 5, b"greedy", ["greedy"]])
def test_what_is_neither_name_nor_path_is_refused(name):
    with pytest.raises(TypeError, match=rf"name or by the path of a checkpoint, got {re.escape(repr(name))}"):
        load_agent(name, load_game("block"))


def test_an_agent_is_loaded_for_a_game():
    with pytest.raises(TypeError, match=r"game must be a Game, .* got 'block'"):
        load_agent("greedy", "block")


def test_parameters_out_of_range_name_the_agent():
    for name in ("pimc-0", "pimc-99999999999999999999", "ismcts-1000001", "omniscient-0", "ismcts-0s"):
        with pytest.raises(ValueError, match=f"agent '{name}': "):
            load_agent(name, load_game("block"))


def test_a_checkpoint_is_loaded_by_its_path(tmp_path):
    from domino_agents.network import ActorCritic, save_checkpoint

    game, path = load_game("block"), tmp_path / "agent.pt"
    save_checkpoint(path, ActorCritic(game.observation_size, game.num_actions, 4), game, 0)
    assert load_agent(path, game).name == load_agent(str(path), game).name == str(path)
    with pytest.raises(ValueError, match="no agent"):
        load_agent(tmp_path / "other.pt", game)


@pytest.mark.parametrize("other", [("draw", 2, {}), ("block", 3, {}), ("block", 2, {"max_pip": 9})])
def test_an_agent_of_another_game_is_refused(other):
    name, players, options = other
    game, agent = load_game("block", 2), GreedyAgent(load_game(name, players, **options))
    faces = [
        lambda: make_env("block", opponents=agent),
        lambda: setattr(make_env("block").unwrapped, "opponents", agent),
        lambda: make_gym_vec("block", 2, opponents=agent),
        lambda: play_pair(game, agent, RandomAgent(), DealStream(), 2),
        lambda: ModelSearch(game, agent),
    ]
    for take_on in faces:
        with pytest.raises(ValueError, match=f"greedy plays {name}_v. with {players} players .*, not block_v0 with 2 players"):
            take_on()


def test_an_agent_may_play_its_game_with_other_options():
    make_env("block", opponents=GreedyAgent(load_game("block", 2, max_hands=1)))


def test_the_arena_asks_for_an_agent_made_for_its_options():
    game = load_game("all_fives", 2, max_hands=1)
    for agent in (
        GreedyAgent(load_game("all_fives", 2, max_hands=1, target=50)),
        load_agent("pimc-2", load_game("all_fives")),
    ):
        with pytest.raises(ValueError, match=f"{agent.name} was made for (target=50, not 100|max_hands=100, not 1)$"):
            play_pair(game, agent, RandomAgent(), DealStream(), 2)


def test_a_file_that_is_no_checkpoint_is_refused(tmp_path):
    path = tmp_path / "agent.pt"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(ValueError, match="is not a checkpoint"):
        load_agent(str(path), load_game("block"))


def test_greedy_looks_to_the_end_of_its_turn():
    """In High Fives a claim, and the choice of a partner, score with a later decision of the same turn."""
    game = load_game("high_fives", 2)
    table = capture_position(game, ["15-15 1-0", "2-1 4-3"], layout="15-10 11-9 14-11 2-0 6-3")
    moves = []
    while table.player == 0 and table.state.hands_played == 0 and table.scores[0] < 21:
        moves.append(game.action_to_string(int(ask(GreedyAgent(game), table, 0))))
        play(table, moves[-1])
    assert set(moves[:2]) == {"11-9", "14-11"}  # 4 + 5
    assert moves[2:] == ["15-15"]  # 7 and 5 with its only partner
    assert table.scores.tolist() == [21, 0]


@pytest.mark.nojit
def test_greedy_takes_a_pair_where_no_turn_scores():
    # 7-4 takes 7-6, and 3-1 nothing; neither these nor 12-9 are worth a point.
    table = capture_position("high_fives", ["3-1 7-4", "2-1 4-3"], layout="12-9 7-6")
    assert table.game.action_to_string(int(ask(GreedyAgent(table.game), table, 0))) == "7-4"


def test_greedy_decides_by_lot_between_turns_that_are_level():
    # Nothing matches, and nothing scores: every tile is as good as another.
    table = capture_position("high_fives", ["3-1 7-4 8-6 14-13", "2-1 4-3 5-2 9-0"], layout="12-11")
    agent = GreedyAgent(table.game)
    chosen = [table.game.action_to_string(int(ask(agent, table, seed))) for seed in range(200)]
    assert {tile: chosen.count(tile) > 25 for tile in chosen} == dict.fromkeys(["3-1", "7-4", "8-6", "14-13"], True)


def test_greedy_lays_a_tile_whose_points_it_can_claim():
    table = position("all_fives", ["4-3 6-6 6-4", "5-5 1-1"], ends=(2, 4), claim_mode="muggins")
    assert table.game.action_to_string(int(ask(GreedyAgent(table.game), table, 0))) == "4-3>R"
