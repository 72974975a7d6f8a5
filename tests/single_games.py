"""Agents and random games for the tests of the Gymnasium face."""

import numpy as np
import pytest

from domino_envs import game_names, load_game


class Highest:
    """Plays the legal action with the highest number, and keeps what it was asked."""

    def __init__(self):
        self.calls = []
        self.resets = []

    def act(self, observations, action_mask, rng, *, rows):
        assert len(rows) == len(observations)
        self.calls.append((observations, action_mask))
        return action_mask.shape[1] - 1 - action_mask[:, ::-1].argmax(1)

    def reset(self, rows):
        self.resets.append(rows.tolist())


class Seated:
    """Plays the lowest legal action, and writes its name into a list."""

    def __init__(self, name, log):
        self.name, self.log = name, log

    def act(self, observations, action_mask, rng):
        self.log.append(self.name)
        return action_mask.argmax(1)


def seatings():
    """Returns `(name, players)` of all games, for as many players up to 4 as they take."""
    pairs = []
    for name in game_names():
        for players in (2, 3, 4):
            try:
                load_game(name, players)
            except ValueError:
                continue
            pairs.append((name, players))
    return pairs


def fewest(name):
    return next(players for other, players in seatings() if other == name)


every_game = pytest.mark.parametrize("name", game_names())


def options_of(name, players, **wanted):
    """Returns those of the wanted options that a game has."""
    options = load_game(name, players).options
    return {key: value for key, value in wanted.items() if hasattr(options, key)}


def choose(mask, rng):
    return int(rng.choice(np.flatnonzero(mask)))


def played(env, rng, seed=None):
    """Plays an episode at random; returns the observations, masks, rewards, and the last `(terminated, truncated)`."""
    observation, info = env.reset(seed=seed)
    observations, masks, rewards = [observation], [info["action_mask"]], []
    while True:
        observation, reward, terminated, truncated, info = env.step(choose(info["action_mask"], rng))
        observations.append(observation)
        masks.append(info["action_mask"])
        rewards.append(reward)
        if terminated or truncated:
            return observations, masks, rewards, (terminated, truncated)


def assert_same(one, other):
    assert len(one) == len(other)
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)
