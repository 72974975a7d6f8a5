"""Random games through the PettingZoo face, for its tests."""

import copy
import pickle

import numpy as np
import pytest
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from domino_envs import game_names, make_aec

NAMES = game_names()
# What the face does alike for every game: each with two players, and more seats in both families.
games_of_all_sizes = pytest.mark.parametrize(
    ("name", "players"), [*((name, 2) for name in NAMES), ("all_fives", 3), ("block", 4), ("high_fives", 3)]
)
every_game = pytest.mark.parametrize(("name", "players"), [(name, players) for name in NAMES for players in (2, 3, 4)])
every_name = pytest.mark.parametrize("name", NAMES)
either_mask_place = pytest.mark.parametrize("mask_in", ["observation", "info"])


def mask_of(observation, info):
    return info["action_mask"] if "action_mask" in info else observation["action_mask"]


def random_move(env, rng):
    """Returns a uniformly random legal action of the agent to move; None for one whose game is over."""
    observation, _, terminated, truncated, info = env.last()
    return None if terminated or truncated else int(rng.choice(np.flatnonzero(mask_of(observation, info))))


def over(env):
    return not env.agents or env.terminations[env.agent_selection] or env.truncations[env.agent_selection]


def positions(name, players, seed, games, every=7, **settings):
    """Yields an environment at every so manieth move of random games; what is done to it must leave its game alone."""
    rng = np.random.default_rng(seed)
    env = make_aec(name, players, **settings)
    for number in range(games):
        env.reset(seed=seed + number)
        step = 0
        while not over(env):
            if step % every == 0:
                yield env
            env.step(random_move(env, rng))
            step += 1


def returns_of(env, seed, rng):
    """Plays a random game by `agent_iter`; returns what every agent was told to have earned, and the actions."""
    env.reset(seed=seed)
    returns, actions = dict.fromkeys(env.agents, 0.0), []
    for agent in env.agent_iter():
        returns[agent] += env.last()[1]
        actions.append(random_move(env, rng))
        env.step(actions[-1])
    return returns, [action for action in actions if action is not None]


def digest(env):
    """Returns all that an environment is, in comparable form."""
    return pickle.dumps(copy.deepcopy(env.unwrapped.get_state()))


def usual_stack(env):
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(env, illegal_reward=-1)))
