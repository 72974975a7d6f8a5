"""The PettingZoo face, over every game and number of players."""

import importlib
import pickle
import subprocess
import sys

import numpy as np
import pettingzoo
import pytest
from numpy.testing import assert_array_equal

from aec_games import (
    NAMES,
    digest,
    either_mask_place,
    every_name,
    games_of_all_sizes,
    mask_of,
    over,
    positions,
    random_move,
    returns_of,
)
from domino_envs import make_aec, make_vec
from domino_envs.registration import camel_case, register_gymnasium, register_pettingzoo
from domino_envs.table import Table

# Rewards, ends and the order of the agents


@pytest.mark.parametrize("reward", ["win", "points"])
@games_of_all_sizes
def test_rewards_are_told_once_and_add_up_to_the_tables(name, players, reward, count):
    env, rng = make_aec(name, players, reward=reward), np.random.default_rng(players)
    for seed in range(count(300)):
        returns, actions = returns_of(env, seed, rng)
        table = Table(env.game, seed=seed)
        earned = np.zeros(players)
        for action in actions:
            table.step(action)
            earned += table.rewards
        assert table.done
        assert list(returns.values()) == pytest.approx(earned.tolist(), abs=1e-6)
        assert earned[: env.game.rules.num_sides].sum() == pytest.approx(0, abs=1e-6)


@every_name
def test_partners_earn_the_same(name, count):
    if not hasattr(make_aec(name, 4).game.options, "partnership"):
        pytest.skip("the game knows no pairs")
    env, rng = make_aec(name, 4, partnership=True, reward="points"), np.random.default_rng(1)
    for seed in range(count(200)):
        one, two, three, four = returns_of(env, seed, rng)[0].values()
        assert (one, two) == (three, four)
        assert one == pytest.approx(-two, abs=1e-6)


@either_mask_place
@games_of_all_sizes
def test_the_face_is_a_batch_of_one(name, players, mask_in, count):
    env, batch, rng = (
        make_aec(name, players, mask_in=mask_in, reward="points"),
        make_vec(name, 1, players, reward="points"),
        np.random.default_rng(3),
    )
    for seed in range(count(60)):
        env.reset(seed=seed)
        row = batch.reset(seed=[seed])
        while not over(env):
            observation, _, _, _, info = env.last()
            assert env.agent_selection == f"player_{row.player[0]}"
            assert_array_equal(mask_of(observation, info), row.action_mask[0])
            assert_array_equal(observation if mask_in == "info" else observation["observation"], row.observations[0])
            action = random_move(env, rng)
            env.step(action)
            batch.step(np.array([action]))
            assert list(env.rewards.values()) == row.rewards[0].tolist()
            assert over(env) == row.terminated[0]
        views = [env.observe(agent) for agent in env.possible_agents]
        assert_array_equal(views if mask_in == "info" else [view["observation"] for view in views], row.final_observations[0])


@pytest.mark.parametrize("illegal", ["raise", "forfeit"])
@games_of_all_sizes
def test_every_agent_is_retired_once_whatever_is_tried(name, players, illegal, count):
    env, rng = make_aec(name, players, illegal=illegal), np.random.default_rng(5)
    for seed in range(count(200)):
        env.reset(seed=seed)
        retired = []
        for agent in env.agent_iter():
            action = random_move(env, rng)
            if action is None:
                retired.append(agent)
            elif rng.random() < 0.05:
                wrong = int(rng.choice(np.flatnonzero(env.observe(agent)["action_mask"] == 0)))
                if illegal == "forfeit":
                    action = wrong
                else:
                    with pytest.raises(ValueError, match="illegal action"):
                        env.step(wrong)
            env.step(action)
        assert retired == env.possible_agents
        assert env.agents == []


@games_of_all_sizes
def test_all_seats_end_in_the_step_that_ends_the_game(name, players):
    env, rng = make_aec(name, players), np.random.default_rng(6)
    env.reset(seed=6)
    table = Table(env.game, seed=6)
    while not table.done:
        assert list(env.terminations.values()) == [False] * players
        action = random_move(env, rng)
        table.step(action)
        env.step(action)
        assert list(env.truncations.values()) == [False] * players
    assert list(env.terminations.values()) == [True] * players
    assert {type(flag) for flag in [*env.terminations.values(), *env.truncations.values()]} == {bool}


@games_of_all_sizes
def test_a_step_limit_truncates_and_pays_nothing(name, players):
    free, limited = make_aec(name, players, reward="points"), make_aec(name, players, reward="points", max_steps=5)
    rng = np.random.default_rng(7)
    for seed in range(5):
        free.reset(seed=seed)
        limited.reset(seed=seed)
        while not over(limited):
            action = random_move(free, rng)
            free.step(action)
            limited.step(action)
            assert limited.rewards == free.rewards
            assert limited._cumulative_rewards == free._cumulative_rewards
        assert list(limited.truncations.values()) == [True] * players
        assert list(limited.terminations.values()) == [False] * players


def test_a_game_that_ends_at_the_step_limit_is_terminated():
    length = len(returns_of(make_aec(NAMES[0]), 1, np.random.default_rng(1))[1])
    env, rng = make_aec(NAMES[0], max_steps=length), np.random.default_rng(1)
    env.reset(seed=1)
    while not over(env):
        env.step(random_move(env, rng))
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.truncations == {"player_0": False, "player_1": False}


# Masks and actions


@either_mask_place
@games_of_all_sizes
def test_exactly_the_masked_actions_are_taken(name, players, mask_in):
    for env in positions(name, players, seed=10, games=1, every=11, mask_in=mask_in):
        observation, _, _, _, info = env.last()
        mask, agent, before = mask_of(observation, info), env.agent_selection, digest(env)
        assert mask.dtype == np.int8
        assert mask.shape == (env.game.num_actions,)
        assert mask.any()
        for action in range(-1, len(mask) + 1):
            if 0 <= action < len(mask) and mask[action]:
                env.clone().step(action)
            else:
                with pytest.raises(ValueError, match=f"illegal action {action} .*by {agent}.*; legal are "):
                    env.step(action)
        assert digest(env) == before
        assert mask[env.action_space(agent).sample(mask)]


@either_mask_place
@games_of_all_sizes
def test_seats_that_are_not_to_move_have_empty_masks(name, players, mask_in):
    rng = np.random.default_rng(11)
    env = make_aec(name, players, mask_in=mask_in)
    env.reset(seed=11)
    while env.agents:
        for agent in env.possible_agents:
            info = env.infos.get(agent, {"action_mask": np.zeros(1)} if mask_in == "info" else {})
            to_move = agent == env.agent_selection and not over(env)
            assert mask_of(env.observe(agent), info).any() == to_move
        env.step(random_move(env, rng))
    assert not any(mask_of(env.observe(agent), {"action_mask": np.zeros(1)}).any() for agent in env.possible_agents)


@every_name
def test_a_forfeit_costs_the_offender_and_pays_the_others(name):
    for players in (2, 3, 4):
        env = make_aec(name, players, illegal="forfeit")
        env.reset(seed=players)
        offender = env.agent_selection
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
        assert all(env.terminations.values())
        share = pytest.approx(1 / (players - 1))
        assert env.rewards == {agent: -1.0 if agent == offender else share for agent in env.agents}


# Hidden information


@games_of_all_sizes
def test_a_seat_learns_nothing_hidden_from_observations_or_text(name, players):
    differ = 0
    for env in positions(name, players, seed=13, games=1, every=5, render_mode="ansi"):
        for seat, agent in enumerate(env.possible_agents):
            twin, saved, table = env.clone(), env.get_state(), Table(env.game, seed=1)
            table.set_state(saved["table"])
            table.redeal_hidden(seat, 99)
            twin.set_state({**saved, "table": table.get_state()})
            for key, array in env.observe(agent).items():
                assert_array_equal(array, twin.observe(agent)[key])
            env.pov = twin.pov = seat
            assert env.render() == twin.render()
            differ += not np.array_equal(env.state(), twin.state())
    assert differ


@every_name
def test_the_text_of_the_environment_shows_no_hand(name):
    env = make_aec(name, 3)
    env.reset(seed=1)
    assert str(env) == env.game.id
    assert repr(env).startswith("<domino_envs.envs.aec.DominoAEC object at")


# Spaces, rendering, settings, registration


@either_mask_place
@games_of_all_sizes
def test_observations_lie_in_spaces_known_before_the_reset(name, players, mask_in):
    env, rng = make_aec(name, players, mask_in=mask_in), np.random.default_rng(21)
    assert env.agents == env.possible_agents == [f"player_{seat}" for seat in range(players)]
    kept = {agent: (env.observation_space(agent), env.action_space(agent)) for agent in env.possible_agents}
    box = env.observation_space("player_0")
    box = box if mask_in == "info" else box["observation"]
    for space in (box, env.state_space):
        assert np.isfinite(space.low).all()
        assert np.isfinite(space.high).all()
    env.reset(seed=21)
    while True:
        for agent in env.possible_agents:
            assert kept[agent] == (env.observation_space(agent), env.action_space(agent))
            assert kept[agent][1] is env.action_space(agent)
            assert kept[agent][0].contains(env.observe(agent))
        assert env.state_space.contains(env.state())
        if not env.agents:
            break
        env.step(random_move(env, rng))
        for told in (env.rewards, env.terminations, env.truncations, env.infos, env._cumulative_rewards):
            assert list(told) == env.agents


def test_action_spaces_can_be_seeded():
    env = make_aec(NAMES[0])
    env.action_space("player_0").seed(1)
    first = [env.action_space("player_0").sample() for _ in range(9)]
    env.action_space("player_0").seed(1)
    assert [env.action_space("player_0").sample() for _ in range(9)] == first


@games_of_all_sizes
def test_a_rendered_game_prints_nothing(name, players, capfd):
    env, rng = make_aec(name, players, render_mode="ansi"), np.random.default_rng(22)
    env.reset(seed=22)
    while not over(env):
        assert isinstance(env.render(), str)
        env.step(random_move(env, rng))
    assert isinstance(env.render(), str)
    env.close()
    assert capfd.readouterr() == ("", "")


@every_name
def test_versioned_modules_offer_the_game(name):
    game_id = make_aec(name).game.id
    module = importlib.import_module(f"domino_envs.{game_id}")
    for factory in (module.env, module.raw_env):
        assert factory().metadata["name"] == game_id
        assert factory(num_players=3, max_steps=4).possible_agents == ["player_0", "player_1", "player_2"]
        assert pickle.loads(pickle.dumps(factory)) is factory


@every_name
def test_the_registries_know_the_games_and_are_told_once(name):
    import gymnasium

    register_gymnasium()
    register_pettingzoo()
    assert gymnasium.spec(f"domino_envs/{camel_case(name)}-v0").kwargs == {"name": f"{name}_v0"}
    if hasattr(pettingzoo, "register"):
        for spelling in (f"domino_envs/{name}_v0", f"domino_envs/{name}-v0", f"domino_envs/{name}"):
            env = pettingzoo.make("aec", spelling, num_players=3, mask_in="info")
            assert (env.game.name, env.max_num_agents, env.mask_in) == (name, 3, "info")


@pytest.mark.parametrize(
    "imports",
    [
        "import domino_envs, gymnasium, pettingzoo",
        "import pettingzoo, gymnasium, domino_envs",
        "import importlib.util, domino_envs; importlib.util.find_spec('gymnasium'); import pettingzoo, gymnasium",
    ],
)
def test_registration_needs_no_game_and_no_order_of_imports(imports):
    code = f"""
import sys
import domino_envs
assert not {{"numba", "numpy", "gymnasium", "pettingzoo", "torch", "pygame"}} & sys.modules.keys()
{imports}
assert "numba" not in sys.modules
gymnasium.spec("domino_envs/{camel_case(NAMES[0])}-v0")
assert not hasattr(pettingzoo, "register") or pettingzoo.spec("aec", "domino_envs/{NAMES[0]}_v0")
"""
    if imports.startswith("import pettingzoo"):
        code = code.replace("import domino_envs\nassert not", "assert not")
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
