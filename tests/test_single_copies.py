"""The Gymnasium face: seeds, copies, arrays of one's own."""

import copy
import pickle
import random

import numpy as np
import pytest

from domino_envs.envs.single import make_env
from single_games import assert_same, choose, played


class Dice:
    """Plays at random from the generator that it is given."""

    def act(self, observations, action_mask, rng):
        return (action_mask * rng.random(action_mask.shape)).argmax(1)


def test_equal_seeds_give_equal_games_and_nothing_global_is_read_or_moved():
    episodes = []
    for noise in (1, 2):
        env = make_env("draw", opponents=Dice())
        random.seed(noise)
        np.random.seed(noise)  # noqa: NPY002
        state = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
        episodes.append([played(env, np.random.default_rng(0), seed)[0] for seed in (7, None, None)])
        assert (random.getstate(), np.random.get_state()[1].tolist()) == state  # noqa: NPY002
    for one, other in zip(*episodes, strict=True):
        assert_same(one, other)
    assert len({episode[0].tobytes() for episode in episodes[0]}) == 3


def test_resets_without_a_seed_deal_new_games():
    env = make_env("block")
    views = {env.reset(seed=4 if not i else None)[0].tobytes() for i in range(100)}
    assert len(views) >= 99


def test_environments_stepped_in_turn_do_not_touch_each_other():
    def walk(envs):
        infos = [env.reset(seed=seed)[1] for seed, env in enumerate(envs)]
        views = [[] for _ in envs]
        for _ in range(30):
            for place, env in enumerate(envs):
                step = env.step(int(infos[place]["action_mask"].argmax()))
                infos[place] = env.reset()[1] if step[2] or step[3] else step[4]
                views[place].append(step[0])
        return views

    together = walk([make_env("draw"), make_env("draw", 3)])
    alone = walk([make_env("draw")])[0], walk([make_env("draw"), make_env("draw", 3)])[1]
    for one, other in zip(together, alone, strict=True):
        assert_same(one, other)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_keep_a_game_in_progress(copied):
    env = make_env("draw", 3, opponents=[Dice(), None], seat="rotate")
    played(env, np.random.default_rng(0), seed=1)
    for _ in range(4):
        twin = copied(env)
        one, other = (played(which, np.random.default_rng(3)) for which in (env, twin))
        assert_same(one[0], other[0])
        _, info = env.reset()
        env.step(choose(info["action_mask"], np.random.default_rng(1)))
        _, twin_info = twin.reset()
        np.testing.assert_array_equal(twin_info["action_mask"], info["action_mask"])


def test_returned_arrays_are_the_callers_own():
    env = make_env("block")
    kept = [env.reset(seed=0)]
    mask = env.action_masks()
    for _ in range(4):
        kept.append(env.step(int(env.action_masks().argmax())))
    arrays = [mask, *(array for step in kept for array in (step[0], step[-1]["action_mask"]))]
    for place, array in enumerate(arrays):
        assert not any(np.shares_memory(array, other) for other in arrays[place + 1 :])
    legal = env.action_masks()
    for array in arrays:
        array[:] = 1
    np.testing.assert_array_equal(env.action_masks(), legal)
