"""The stable-baselines3 face, and the Gymnasium face inside SB3's own batches."""

import functools

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecMonitor, VecNormalize

import domino_envs
from domino_envs import game_names
from domino_envs.envs.gym_vector import make_gym_vec
from domino_envs.envs.sb3 import make_sb3
from domino_envs.envs.single import make_env
from single_games import fewest


class Lowest:
    def act(self, observations, action_mask, rng):
        return action_mask.argmax(1)


@pytest.mark.parametrize("name", game_names())
def test_it_plays_the_same_games_as_the_gymnasium_batch(name):
    players, settings = fewest(name), {"max_steps": 30}
    envs, reference = make_sb3(name, 4, players, **settings), make_gym_vec(name, 4, players, **settings)
    envs.seed(5)
    observations, (want, infos) = envs.reset(), reference.reset(seed=5)
    ends = 0
    for _ in range(60):
        np.testing.assert_array_equal(observations, want)
        masks = envs.env_method("action_masks")
        assert masks.dtype == np.bool_
        assert masks.any(1).all()
        np.testing.assert_array_equal(masks, infos["action_mask"].astype(bool))
        actions = masks.argmax(1)
        observations, rewards, dones, dicts = envs.step(actions)
        want, want_rewards, terminated, truncated, infos = reference.step(actions)
        np.testing.assert_array_equal(rewards, want_rewards)
        np.testing.assert_array_equal(dones, terminated | truncated)
        for row in range(4):
            assert ("terminal_observation" in dicts[row]) == dones[row]
            if dones[row]:
                np.testing.assert_array_equal(dicts[row]["terminal_observation"], infos["final_obs"][row])
                np.testing.assert_array_equal(dicts[row]["scores"], infos["final_info"]["scores"][row])
                assert dicts[row]["TimeLimit.truncated"] is bool(truncated[row])
                ends += 1
    assert ends


def test_the_array_of_masks_is_what_sb3_contrib_stacks():
    envs = make_sb3("block", 3)
    with pytest.raises(RuntimeError, match="reset"):
        envs.action_masks()
    envs.reset()
    assert is_masking_supported(envs)
    assert is_masking_supported(VecMonitor(envs))
    for stacked in (get_action_masks(envs), get_action_masks(VecMonitor(envs))):
        assert stacked.shape == (3, envs.game.num_actions)
        np.testing.assert_array_equal(stacked, envs.action_masks())
    np.testing.assert_array_equal(envs.env_method("action_masks", indices=1), envs.action_masks()[[1]])
    with pytest.raises(AttributeError, match="no method 'close'"):
        envs.env_method("close")


@pytest.mark.parametrize("monitored", [False, True])
def test_maskable_ppo_learns_on_it_and_plays_only_legal_actions(monitored):
    envs = make_sb3("block", 4, illegal="raise", max_steps=100)  # an illegal action would raise
    envs = VecMonitor(envs) if monitored else envs
    model = MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=64, n_epochs=1, seed=0, device="cpu")
    model.learn(384)
    if monitored:
        assert model.ep_info_buffer
        assert all(-1 <= episode["r"] <= 1 for episode in model.ep_info_buffer)
    observations = envs.reset()
    for _ in range(20):
        masks = get_action_masks(envs)
        actions, _ = model.predict(observations, action_masks=masks)
        assert masks[np.arange(4), actions].all()
        observations, _, _, _ = envs.step(actions)
    mean, _ = evaluate_policy(model, VecMonitor(make_sb3("block", 2, illegal="raise", opponents=Lowest())), n_eval_episodes=4)
    assert -1 <= mean <= 1


def test_learning_repeats_with_the_seed():
    def parameters():
        envs = make_sb3("block", 4, max_steps=100)
        model = MaskablePPO("MlpPolicy", envs, n_steps=16, batch_size=64, n_epochs=1, seed=3, device="cpu")
        return model.learn(64).policy.state_dict()

    one, other = parameters(), parameters()
    assert all((one[key] == other[key]).all() for key in one)


def test_seeds_hold_for_one_reset_and_leave_numpys_generator_alone():
    envs = make_sb3("draw", 3)
    np.random.seed(1)  # noqa: NPY002
    state = np.random.get_state()[1].tolist()  # noqa: NPY002
    assert len(envs.seed(7)) == 3
    first, second = envs.reset(), envs.reset()
    envs.seed(7)
    np.testing.assert_array_equal(envs.reset(), first)
    np.testing.assert_array_equal(envs.reset(), second)
    envs.seed(None)
    assert not np.array_equal(envs.reset(), first)
    assert np.random.get_state()[1].tolist() == state  # noqa: NPY002


def test_attributes_belong_to_all_rows_together():
    envs = make_sb3("block", 3, 3)
    envs.seed(0)
    envs.reset()
    agent = Lowest()
    envs.set_attr("opponents", agent)
    assert envs.get_attr("opponents", [0, 2]) == [agent, agent]
    assert envs.get_attr("render_mode") == [None] * 3
    assert envs.get_attr("seat") == envs.seats.tolist()
    assert envs.env_is_wrapped(Monitor) == [False] * 3
    assert not envs.has_attr("nothing_of_this_name")
    with pytest.raises(ValueError, match="all rows"):
        envs.set_attr("opponents", None, indices=1)
    envs.close()


def test_arrays_are_the_callers_own_and_wrappers_may_change_them():
    envs = make_sb3("block", 3, max_steps=10)
    steps = [(envs.reset(),)]
    snapshots = [steps[0][0].copy()]
    for _ in range(12):
        steps.append(envs.step(envs.action_masks().argmax(1)))
        snapshots.append(steps[-1][0].copy())
    for step, snapshot in zip(steps, snapshots, strict=True):
        np.testing.assert_array_equal(step[0], snapshot)
    normalized = VecNormalize(make_sb3("block", 3, max_steps=10))
    normalized.reset()
    for _ in range(12):
        normalized.step(get_action_masks(normalized).argmax(1))


def test_a_step_needs_actions():
    envs = make_sb3("block", 2)
    envs.reset()
    with pytest.raises(ValueError, match="actions"):
        envs.step_wait()
    envs.step(envs.action_masks().argmax(1))


@pytest.mark.parametrize(
    "batch", [DummyVecEnv, functools.partial(SubprocVecEnv, start_method="spawn")], ids=["same process", "spawned"]
)
def test_single_environments_work_in_sb3s_own_batches(batch):
    envs = batch([functools.partial(make_env, "block", opponents=Lowest(), max_steps=40)] * 2)
    try:
        model = MaskablePPO("MlpPolicy", VecMonitor(envs), n_steps=16, batch_size=32, n_epochs=1, seed=0, device="cpu")
        model.learn(32)
        observations = envs.reset()
        for _ in range(5):
            masks = get_action_masks(envs)
            actions, _ = model.predict(observations, action_masks=masks)
            assert masks[np.arange(2), actions].all()
            observations, _, _, _ = envs.step(actions)
    finally:
        envs.close()


def test_settings_that_it_decides_itself_and_too_many_tables_are_refused():
    with pytest.raises(TypeError, match="copy is no setting here, got copy=True; it is one of make_vec"):
        make_sb3("block", 2, copy=True)
    with pytest.raises(ValueError, match=r"num_envs=1000000000000 would take about .* GB of memory"):
        make_sb3("block", 10**12)


def test_it_is_exported():
    assert domino_envs.make_sb3 is make_sb3
