"""The Gymnasium face: the learner's own rewards and ends, whoever moves, and what Gymnasium's and SB3's tools ask for."""

import functools
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import FlattenObservation, RecordEpisodeStatistics, TimeLimit
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3.common.env_checker import check_env as check_env_for_sb3
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv

import domino_envs
from domino_envs import load_game
from domino_envs.envs.single import make_env
from domino_envs.registration import camel_case
from domino_envs.table import Table
from single_games import Highest, assert_same, choose, every_game, fewest, options_of, played, seatings

every_seating = pytest.mark.parametrize(("name", "players"), seatings())


def last_mover(env):
    """Returns the seat whose move ended the game, from the position before it."""
    table = Table(env.game)
    table.set_state(env._tables.last_move[0])
    return table.player


def expected(table, seat, rng):
    """Plays the same episode at a table, one move at a time; `paid` goes to the learner's last decision, or to its first."""
    observations, masks, rewards, paid = [], [], [], 0.0
    while not table.done:
        if table.player == seat:
            if observations:
                rewards.append(paid)
                paid = 0.0
            observations.append(table.observation(seat))
            masks.append(table.action_mask.copy())
            action = choose(table.action_mask, rng)
        else:
            action = table.legal_actions()[-1]
        table.play(action)
        paid += table.rewards[seat]
    return [*observations, table.observation(seat)], [*masks, np.zeros_like(table.action_mask)], [*rewards, paid]


@every_seating
@pytest.mark.parametrize("reward", ["win", "points"])
def test_an_episode_is_the_learners_share_of_the_tables_game(name, players, reward):
    rules = options_of(name, players, reward=reward)
    for seat in range(players):
        env = make_env(name, players, opponents=Highest(), seat=seat, **rules)
        table = Table(load_game(name, players, **rules), seed=seat)
        rngs = np.random.default_rng(5), np.random.default_rng(5)
        for episode in range(2):
            if episode:
                table.reset()
            observations, masks, rewards, ends = played(env, rngs[0], None if episode else seat)
            want_observations, want_masks, want_rewards = expected(table, seat, rngs[1])
            assert ends == (True, False)
            assert_same(observations, want_observations)
            assert_same(masks, want_masks)
            # A point carried from before the first decision is added to those after it in another order.
            np.testing.assert_allclose(rewards, want_rewards, atol=1e-6)
            for observation, mask in zip(observations, masks, strict=True):
                assert env.observation_space.contains(observation)
                assert mask.dtype == np.int8
            assert all(mask.any() for mask in masks[:-1])


@every_game
def test_returns_are_the_payoff_of_the_learners_seat_whoever_ends_the_game(name):
    players = fewest(name)
    rules = options_of(name, players, max_hands=1)
    for seat in range(players):
        env = make_env(name, players, seat=seat, **rules)
        signs, ended_by = set(), set()
        rng = np.random.default_rng(seat)
        for seed in range(60):
            _, _, rewards, _ = played(env, rng, seed)
            final = env.table
            assert final.done
            assert sum(rewards) == pytest.approx(float(final.rewards[seat]), abs=1e-6)
            signs.add(np.sign(sum(rewards)))
            ended_by.add(last_mover(env))
        assert {-1.0, 1.0} <= signs
        assert len(ended_by) > 1


@every_game
@pytest.mark.parametrize("rotate", [False, True])
def test_an_episode_without_a_decision_is_dealt_again_and_counted(name, rotate):
    players = fewest(name)
    rules = options_of(name, players, reward="points")
    env = make_env(name, players, seat="rotate" if rotate else 1, max_steps=1, opponents=Highest(), **rules)
    table = Table(load_game(name, players, **rules), seed=3)
    env.reset(seed=3)
    seat, skipped, lost = env.seat, 0, 0
    for _ in range(60):
        while table.player != seat:
            table.play(table.legal_actions()[-1])
            lost += bool(table.rewards.any())
            table.reset()
            skipped += 1
        assert env.seat == seat
        assert env.skipped_episodes == skipped
        np.testing.assert_array_equal(env.action_masks(), table.action_mask)
        action = table.legal_actions()[0]
        table.play(action)
        observation, reward, terminated, truncated, _ = env.step(action)
        np.testing.assert_array_equal(observation, table.observation(seat))
        assert reward == table.rewards[seat]
        assert (terminated, truncated) == (table.done, not table.done)
        env.reset()
        table.reset()
        seat = (seat + rotate) % players
    assert skipped
    assert lost or name != "all_fives"  # an episode that was dealt again had paid something


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_what_others_earn_before_the_first_decision_belongs_to_the_first_step():
    env = make_env("all_fives", 3, seat=2, opponents=Highest(), reward="points")
    table = Table(env.game)
    early = 0
    for seed in range(40):
        table.reset(seed)
        paid = 0.0
        while table.player != 2:
            table.play(table.legal_actions()[-1])
            paid += table.rewards[2]
        early += paid != 0
        _, info = env.reset(seed=seed)
        action = int(info["action_mask"].argmax())
        _, reward, _, _, _ = env.step(action)
        table.play(action)
        paid += table.rewards[2]
        while table.player != 2 and not table.done:
            table.play(table.legal_actions()[-1])
            paid += table.rewards[2]
        assert reward == pytest.approx(paid, abs=1e-6)
    assert early


def test_a_seat_that_never_decides_is_an_error_not_a_hang(monkeypatch):
    monkeypatch.setattr("domino_envs.envs.learning_tables._MOST_MOVES", 3)
    env = make_env("draw", 4, max_steps=1)
    with pytest.raises(RuntimeError, match="max_steps=1"):  # noqa: PT012
        for seed in range(50):
            env.reset(seed=seed)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)


@every_game
def test_max_steps_truncates_and_pays_nothing_more(name):
    players = fewest(name)
    env = make_env(name, players, max_steps=5, opponents=Highest(), **options_of(name, players, reward="points"))
    table = Table(load_game(name, players, **options_of(name, players, reward="points")))
    for seed in range(5):
        _, masks, rewards, ends = played(env, np.random.default_rng(seed), seed)
        assert ends == (False, True)
        assert not masks[-1].any()
        table.reset(seed)
        rng, paid = np.random.default_rng(seed), 0.0
        for _ in range(5):
            table.play(choose(table.action_mask, rng) if table.player == 0 else table.legal_actions()[-1])
            paid += table.rewards[0]
        assert sum(rewards) == pytest.approx(paid, abs=1e-6)


@every_game
def test_skip_forced_asks_only_where_there_is_a_choice(name):
    players = fewest(name)
    env = make_env(name, players, skip_forced=True, opponents=Highest(), max_steps=400)
    observed = env.unwrapped.opponents.calls
    for seed in range(3):
        _, masks, _, _ = played(env, np.random.default_rng(seed), seed)
        assert all(mask.sum() > 1 for mask in masks[:-1])
        assert env.table.done or not masks[-1].any()
    assert all((mask.sum(1) > 1).all() for _, mask in observed)


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_an_illegal_action_forfeits_or_raises():
    game = load_game("block")
    forfeits, raises = make_env("block"), make_env("block", illegal="raise")
    forfeits.reset(seed=1)
    raises.reset(seed=1)
    illegal = int(np.flatnonzero(~raises.action_masks())[0])
    legal = int(np.flatnonzero(raises.action_masks())[0])
    before = pickle.dumps(raises)
    with pytest.raises(
        ValueError, match=rf"illegal action {illegal} .*player_0; legal are .*{legal} \({game.action_to_string(legal)}\)"
    ):
        raises.step(illegal)
    assert pickle.dumps(raises) == before
    _, reward, terminated, truncated, info = forfeits.step(illegal)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert not info["action_mask"].any()
    assert forfeits.table.done
    with pytest.raises(RuntimeError, match="over"):
        forfeits.step(legal)


@pytest.mark.parametrize("illegal", ["raise", "forfeit"])
def test_actions_are_integers_that_exist(illegal):
    env = make_env("block", illegal=illegal)
    env.reset(seed=2)
    legal = int(np.flatnonzero(env.action_masks())[0])
    before = pickle.dumps(env)
    for wrong in (1.0, True, np.bool_(True), np.array([legal]), np.array([True]), "0", None, torch.tensor([legal])):
        with pytest.raises(TypeError):
            env.step(wrong)
    for unknown in (-1, env.game.num_actions, 2**40, 2**70):
        expected = f"illegal action {unknown} by player_0, expected 0 to {env.game.num_actions - 1}; legal are .*{legal} "
        with pytest.raises(ValueError, match=expected):
            env.step(unknown)
    assert pickle.dumps(env) == before
    results = []
    for action in (legal, np.int8(legal), np.int64(legal), np.array(legal), torch.tensor(legal)):
        env.reset(seed=2)
        results.append(env.step(action)[0])
    assert_same(results, [results[0]] * 5)


@every_game
def test_gymnasiums_checker_has_nothing_to_say(name):
    env = gymnasium.make(f"domino_envs/{camel_case(name)}-v0", num_players=fewest(name), render_mode="ansi")
    check_env(env.unwrapped)


@every_game
def test_sb3s_checker_has_nothing_to_say(name):
    check_env_for_sb3(make_env(name, fewest(name)))


def test_masks_are_reached_through_wrappers():
    def masked(env):
        return ActionMasker(env, lambda wrapped: wrapped.unwrapped.action_masks())

    stacks = [
        lambda env: RecordEpisodeStatistics(TimeLimit(FlattenObservation(env), 500)),
        lambda env: masked(Monitor(env)),
        lambda env: Monitor(masked(RecordEpisodeStatistics(env))),
        lambda env: DummyVecEnv([lambda: Monitor(env)]),
    ]
    for stack in stacks:
        bare = make_env("draw")
        env = stack(bare)
        env.reset()
        assert is_masking_supported(env)
        np.testing.assert_array_equal(np.squeeze(get_action_masks(env)), bare.action_masks())


def test_registered_ids_make_it():
    env = gymnasium.make("domino_envs/Block-v0", num_players=3, seat=2, max_hands=1)
    _, info = env.reset(seed=0)
    assert info["seat"] == 2
    assert env.unwrapped.game.options.max_hands == 1
    env.reset(seed=1)
    assert env.unwrapped.game.options.max_hands == 1
    assert domino_envs.make_env is make_env


def test_wrong_settings_are_refused():
    for wrong, kind in (({"seat": 2}, ValueError), ({"seat": True}, TypeError), ({"seat": "first"}, TypeError)):
        with pytest.raises(kind, match="seat"):
            make_env("block", **wrong)
    with pytest.raises(TypeError, match="act"):
        make_env("block", opponents="random")
    with pytest.raises(ValueError, match="list of 2"):
        make_env("block", 3, opponents=[Highest()])
    with pytest.raises(ValueError, match="illegal"):
        make_env("block", illegal="ignore")
    with pytest.raises(ValueError, match="max_steps"):
        make_env("block", max_steps=0)
    with pytest.raises(ValueError, match="render_mode"):
        make_env("block", render_mode="hologram")
    for key, value in (("check", False), ("copy", True), ("num_envs", 3)):
        with pytest.raises(TypeError, match=f"{key} is no setting here, got {key}={value}; it is one of make_vec"):
            make_env("block", **{key: value})
    env = make_env("block")
    for call in (env.action_masks, functools.partial(env.step, 0), lambda: env.table):
        with pytest.raises(RuntimeError, match="reset"):
            call()
    for seed, kind in ((-1, ValueError), (1.5, TypeError), (True, TypeError)):
        with pytest.raises(kind, match="seed"):
            env.reset(seed=seed)
    with pytest.raises(ValueError, match="a reset has no option 'sead'; its options are none"):
        env.reset(options={"sead": 1})


@every_game
def test_render_shows_what_the_learner_may_see(name):
    players = fewest(name)
    env = make_env(name, players, seat=1, render_mode="ansi", **options_of(name, players, max_hands=1))
    with pytest.raises(RuntimeError, match="reset"):
        env.render()
    env.reset(seed=0)
    assert isinstance(env.render(), str)
    played(env, np.random.default_rng(0))
    assert env.table.done
    from domino_envs.render.text import render_text

    assert env.render() == render_text(env.table, pov=1)
    silent = make_env(name, players)
    silent.reset()
    with pytest.warns(UserWarning, match="render_mode"):
        assert silent.render() is None


def test_playing_prints_nothing_and_warns_of_nothing(capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        played(make_env("draw", 3), np.random.default_rng(0), seed=0)
    assert capsys.readouterr() == ("", "")
