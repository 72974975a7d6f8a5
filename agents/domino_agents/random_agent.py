"""Uniformly random legal play: the floor of every ranking."""

from typing import NamedTuple

import numpy as np

from domino_envs import engine
from domino_envs.core.game import kernel_array
from domino_envs.core.jit import njit
from domino_envs.core.rng import STREAM
from domino_envs.core.sampling import sample_legal


class Dice(NamedTuple):
    """Random play needs nothing but the table's own stream of random numbers."""


@njit
def choose_action(state, rules, mask, policy):
    """Returns a uniformly random legal action, drawn from `state.rng`."""
    return sample_legal(mask, state)


class RandomAgent:
    """Plays a uniformly random legal action."""

    name = "random"

    def act(self, observations: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Returns `actions[B]`."""
        streams = kernel_array(np.zeros(len(action_mask), STREAM))
        streams["rng"] = rng.integers(0, 2**64, len(action_mask), np.uint64)
        actions = np.zeros(len(action_mask), np.int64)
        engine.sample_actions(np.ascontiguousarray(action_mask), streams, actions, 0, len(actions))
        return actions
