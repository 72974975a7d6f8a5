"""The PettingZoo face: seeds, copies, states and pickles."""

import copy
import importlib
import pickle
import random
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from aec_games import digest, either_mask_place, every_name, games_of_all_sizes, over, positions, random_move, usual_stack
from domino_envs import make_aec
from domino_envs.envs.aec import DominoAEC
from domino_envs.table import Table


@either_mask_place
@games_of_all_sizes
def test_a_reset_in_mid_game_leaves_nothing_behind(name, players, mask_in):
    for env in positions(name, players, seed=4, games=1, every=25, mask_in=mask_in, reward="points"):
        used, fresh = env.clone(), make_aec(name, players, mask_in=mask_in, reward="points")
        used.reset(seed=9)
        fresh.reset(seed=9)
        assert digest(used) == digest(fresh)
        assert not any([*used.rewards.values(), *used._cumulative_rewards.values()])
        assert not any([*used.terminations.values(), *used.truncations.values()])


@either_mask_place
@every_name
def test_returned_arrays_are_nobody_elses(name, mask_in):
    env, rng = make_aec(name, 3, mask_in=mask_in), np.random.default_rng(12)
    env.reset(seed=12)

    def arrays():
        views = [env.observe(agent) for agent in env.possible_agents]
        return [array for view in views for array in (view.values() if isinstance(view, dict) else [view])] + [env.state()]

    kept = arrays()
    copies = [array.copy() for array in kept]
    for _ in range(10):
        env.step(random_move(env, rng))
        assert not any(np.shares_memory(old, new) for old in kept for new in arrays())
    for array, twin in zip(kept, copies, strict=True):
        assert_array_equal(array, twin)
    before = arrays()
    for array in arrays():
        array[:] = 1
    for array, twin in zip(arrays(), before, strict=True):
        assert_array_equal(array, twin)


@games_of_all_sizes
def test_the_state_is_every_view_and_the_order_of_the_boneyard(name, players):
    for env in positions(name, players, seed=14, games=1, every=9):
        views = [env.observe(agent)["observation"] for agent in env.possible_agents]
        state, size = env.state(), players * env.game.observation_size
        assert_array_equal(state[:size], np.concatenate(views))
        assert env.state_space.contains(state)
        table = Table(env.game, seed=1)
        table.set_state(env.get_state()["table"])
        tiles, most = table.state.boneyard[: table.state.boneyard_size][::-1].tolist(), np.float32(len(table.state.boneyard))
        assert_array_equal(state[size : size + len(tiles)], [np.float32(tile + 1) / most for tile in tiles])
        assert not state[size + len(tiles) :].any()


def trajectory(env, seed, rng):
    """Returns the digests of a random game, one a move; yields between moves so that games can be interleaved."""
    env.reset(seed=seed)
    while not over(env):
        yield digest(env)
        env.step(random_move(env, rng))
    yield digest(env)


@every_name
def test_equal_seeds_are_equal_games_whatever_happens_around_them(name):
    alone = list(trajectory(make_aec(name, 3), 15, np.random.default_rng(1)))
    beside = trajectory(make_aec(name, 3), 16, np.random.default_rng(2))
    disturbed = []
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002 (that it has no effect is what is checked)
    states = random.getstate(), np.random.get_state()[1].tobytes()  # noqa: NPY002
    for step in trajectory(make_aec(name, 3), 15, np.random.default_rng(1)):
        disturbed.append(step)
        next(beside, None)
    assert disturbed == alone
    assert (random.getstate(), np.random.get_state()[1].tobytes()) == states  # noqa: NPY002


@every_name
def test_resets_without_a_seed_go_on_from_the_stream(name):
    lists = []
    for _ in range(2):
        env = make_aec(name)
        env.reset(seed=17)
        deals = []
        for _ in range(100):
            env.reset()
            deals.append(digest(env))
        lists.append(deals)
    assert lists[0] == lists[1]
    assert len(set(lists[0])) >= 99
    one, other = make_aec(name), make_aec(name)
    one.reset()
    other.reset()
    assert digest(one) != digest(other)


@every_name
def test_settings_outlive_resets_and_copies(name):
    env = make_aec(name, 3, max_steps=3, illegal="forfeit", mask_in="info", reward="points")
    env.reset(seed=1)
    for twin in (env, env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        twin.reset(seed=2)
        assert twin.game.options == env.game.options
        assert (twin.max_steps, twin.illegal, twin.mask_in) == (3, "forfeit", "info")
        while not over(twin):
            twin.step(int(twin.last()[4]["action_mask"].argmax()))
        assert all(twin.truncations.values())


def restored(env):
    twin = make_aec(env.game.name, env.game.num_players, mask_in=env.mask_in)
    twin.set_state(env.get_state())
    return twin


@pytest.mark.parametrize(
    "make_twin", [lambda env: env.clone(), copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)), restored]
)
@either_mask_place
@games_of_all_sizes
def test_a_copy_goes_its_own_way(name, players, mask_in, make_twin):
    for env in positions(name, players, seed=18, games=1, every=40, mask_in=mask_in):
        before, twin = digest(env), make_twin(env)
        assert digest(twin) == before
        rng, other_rng = np.random.default_rng(1), np.random.default_rng(1)
        first = make_twin(env)
        while twin.agents:
            twin.step(random_move(twin, rng))
            first.step(random_move(first, other_rng))
            assert digest(twin) == digest(first)
        assert digest(env) == before


class OwnAEC(DominoAEC):
    """An environment of a user's own."""


@pytest.mark.parametrize("copied", [lambda env: env.clone(), copy.copy, copy.deepcopy])
def test_a_copy_is_of_the_same_class(copied):
    assert type(copied(OwnAEC("block"))) is OwnAEC


@every_name
def test_a_wrapped_game_can_be_copied_in_progress(name):
    env, rng = usual_stack(make_aec(name)), np.random.default_rng(1)
    env.reset(seed=1)
    for _ in range(5):
        env.step(random_move(env, rng))
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert digest(twin) == digest(env)
        twin.step(random_move(twin, rng))
        assert digest(twin) != digest(env)


@every_name
def test_a_walk_forth_and_back_ends_where_it_began(name):
    env, rng = make_aec(name, 3), np.random.default_rng(19)
    env.reset(seed=19)
    saved = []
    while env.agents:
        saved.append((env.get_state(), digest(env)))
        env.step(random_move(env, rng))
    for state, before in reversed(saved):
        env.set_state(state)
        assert digest(env) == before


@pytest.mark.parametrize("mask_in", ["observation", "info"])
def test_a_state_is_put_back_wherever_its_mask_is_told(mask_in):
    env = make_aec("block", mask_in="observation")
    env.reset(seed=1)
    other = make_aec("block", mask_in=mask_in)
    other.set_state(env.get_state())
    told = other.infos[other.agent_selection] if mask_in == "info" else other.last()[0]
    assert_array_equal(told["action_mask"], env.last()[0]["action_mask"])


def test_a_game_that_pettingzoos_wrapper_ended_is_put_back():
    env = usual_stack(make_aec("block", 3))
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    env.step(None)
    twin = restored(env.unwrapped)
    assert digest(twin) == digest(env)
    assert (twin.agents, twin.agent_selection) == (env.agents, env.agent_selection)


@every_name
def test_environment_and_factory_reach_another_process(name):
    env, rng = make_aec(name, 3), np.random.default_rng(1)
    env.reset(seed=20)
    for _ in range(5):
        env.step(random_move(env, rng))
    code = """
import pickle, sys
factory, env = pickle.load(sys.stdin.buffer)
env.step(int(env.last()[0]["action_mask"].argmax()))
fresh = factory(num_players=3)
fresh.reset(seed=20)
sys.stdout.buffer.write(pickle.dumps([env.get_state(), fresh.get_state()]))
"""
    factory = importlib.import_module(f"domino_envs.{env.game.id}").env
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps((factory, env)), capture_output=True, check=True)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    there, fresh = pickle.loads(done.stdout)
    assert there == env.get_state()
    env.reset(seed=20)
    assert fresh == env.get_state()
