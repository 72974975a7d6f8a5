"""The PettingZoo face under PettingZoo's own tests, wrappers and conversions, and SuperSuit's."""

import functools
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.test.seed_test import parallel_seed_test
from pettingzoo.test.state_test import state_test
from pettingzoo.utils.conversions import aec_to_parallel, turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, BaseWrapper, OrderEnforcingWrapper

from aec_games import (
    NAMES,
    either_mask_place,
    every_game,
    every_name,
    mask_of,
    returns_of,
    usual_stack,
)
from domino_envs import make_aec


@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")  # at the end, by our contract
@either_mask_place
@every_game
def test_pettingzoos_tests_pass(name, players, mask_in):
    make = functools.partial(make_aec, name, players, mask_in=mask_in)
    api_test(make(), num_cycles=100)
    api_test(make(max_steps=9), num_cycles=100)
    seed_test(make, num_cycles=100)


@either_mask_place
@every_game
def test_pettingzoos_unmasked_tests_pass(name, players, mask_in):
    make = functools.partial(make_aec, name, players, mask_in=mask_in, illegal="forfeit")
    state_test(make(), turn_based_aec_to_parallel(make()))
    parallel_api_test(turn_based_aec_to_parallel(make()), num_cycles=50)
    parallel_seed_test(lambda: turn_based_aec_to_parallel(make()), num_cycles=50)


@pytest.mark.parametrize("wrap", [BaseWrapper, OrderEnforcingWrapper, AssertOutOfBoundsWrapper, usual_stack])
@either_mask_place
@every_name
def test_wrapped_games_are_the_same_games(name, mask_in, wrap):
    bare, wrapped = make_aec(name, 3, mask_in=mask_in), wrap(make_aec(name, 3, mask_in=mask_in))
    assert returns_of(wrapped, 5, np.random.default_rng(1)) == returns_of(bare, 5, np.random.default_rng(1))
    assert wrapped.agents == []
    assert str(wrapped.unwrapped) == str(bare)


@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")
@every_name
def test_pettingzoos_test_passes_wrapped(name):
    api_test(usual_stack(make_aec(name, 3)), num_cycles=100)


@either_mask_place
@every_name
def test_the_wrapper_that_ends_a_game_at_an_illegal_move_works(name, mask_in):
    env = usual_stack(make_aec(name, 3, mask_in=mask_in))
    env.reset(seed=1)
    observation, _, _, _, info = env.last()
    offender = env.agent_selection
    env.step(int(np.flatnonzero(mask_of(observation, info) == 0)[0]))
    assert all(env.terminations.values())
    if mask_in == "observation":
        assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents)
    returns = {}
    for agent in env.agent_iter():
        returns[agent] = env.last()[1]
        env.step(None)
    assert returns == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}


@either_mask_place
@every_game
def test_a_parallel_conversion_pays_the_same(name, players, mask_in):
    env = make_aec(name, players, mask_in=mask_in, reward="points")
    returns, actions = returns_of(env, 3, np.random.default_rng(2))
    parallel = turn_based_aec_to_parallel(make_aec(name, players, mask_in=mask_in, reward="points"))
    parallel.reset(seed=3)
    earned = dict.fromkeys(parallel.possible_agents, 0.0)
    for action in actions:
        _, rewards, *_ = parallel.step(dict.fromkeys(parallel.agents, action))
        earned = {agent: earned[agent] + rewards[agent] for agent in earned}
    assert parallel.agents == []
    assert earned == pytest.approx(returns, abs=1e-6)


def test_the_conversion_for_simultaneous_games_is_refused():
    with pytest.raises(AssertionError, match="not generally safe"):
        aec_to_parallel(make_aec(NAMES[0]))


@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")
@every_name
def test_supersuits_wrappers_take_the_form_with_the_mask_in_infos(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        supersuit = pytest.importorskip("supersuit")
    env = make_aec(name, 3, mask_in="info")
    for wrap in (supersuit.pad_observations_v0, supersuit.pad_action_space_v0, supersuit.flatten_v0):
        api_test(wrap(env), num_cycles=30)
    api_test(supersuit.dtype_v0(env, np.float64), num_cycles=30)
    api_test(supersuit.clip_reward_v0(env), num_cycles=30)
    stacked = supersuit.frame_stack_v1(env, 2)
    stacked.reset(seed=1)
    assert stacked.last()[0].shape == (2 * env.game.observation_size,)
