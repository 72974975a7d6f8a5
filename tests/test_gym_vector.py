"""The `gymnasium.vector` face: every row is a single environment, whatever the other rows do."""

import copy
import functools
import itertools
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import domino_envs
from domino_envs import game_names, load_game
from domino_envs.envs.gym_vector import DominoVectorEnv, make_gym_vec
from domino_envs.envs.single import make_env
from single_games import seatings


class Lowest:
    """Plays the lowest legal action, and keeps how many rows it was asked for at a time."""

    def __init__(self):
        self.rows = []
        self.resets = []

    def act(self, observations, action_mask, rng, *, rows):
        assert action_mask.any(1).all()
        assert len(set(rows.tolist())) == len(action_mask)
        self.rows.append(len(action_mask))
        return action_mask.argmax(1)

    def reset(self, rows):
        self.resets.append(rows.tolist())


class Dice(Lowest):
    """Plays at random from the generator that it is given."""

    def act(self, observations, action_mask, rng, *, rows):
        return (action_mask * rng.random(action_mask.shape)).argmax(1)


def chosen(masks, rngs):
    """Returns a random legal action of every row, each from its own generator."""
    return np.array([rng.choice(np.flatnonzero(mask)) for mask, rng in zip(masks, rngs, strict=True)])


def generators(count):
    return [np.random.default_rng(row) for row in range(count)]


def walk(envs, steps, seed):
    """Returns all that a batch gives in `steps` random steps after a reset, a list of arrays."""
    observations, infos = envs.reset(seed=seed)
    rngs = generators(envs.num_envs)
    seen = [observations, infos["action_mask"], infos["seat"]]
    for _ in range(steps):
        observations, rewards, terminated, truncated, infos = envs.step(chosen(infos["action_mask"], rngs))
        seen += [observations, rewards, terminated, truncated, infos["action_mask"], infos["seat"]]
    return seen


def assert_same(one, other):
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)


def assert_same_infos(ours, theirs):
    """The same keys, arrays, types and masks, at every depth."""
    assert ours.keys() == theirs.keys()
    for key, value in ours.items():
        if isinstance(value, dict):
            assert_same_infos(value, theirs[key])
        elif value.dtype == object:
            for one, other in zip(value, theirs[key], strict=True):
                assert (one is None) == (other is None)
                np.testing.assert_array_equal(one, other)
        else:
            assert value.dtype == theirs[key].dtype, key
            np.testing.assert_array_equal(value, theirs[key], err_msg=key)


@pytest.mark.parametrize(("name", "players"), seatings())
@pytest.mark.parametrize("settings", [{}, {"skip_forced": True, "max_steps": 25}], ids=["plain", "skipping"])
def test_rows_are_single_environments_in_gymnasiums_own_batch(name, players, settings):
    rows, seeds = 3, [5, 6, 7]
    envs = make_gym_vec(name, rows, players, **settings)
    make = functools.partial(make_env, name, players, seat="rotate", **settings)
    reference = SyncVectorEnv([make] * rows, autoreset_mode=AutoresetMode.SAME_STEP)
    observations, infos = envs.reset(seed=seeds)
    their_observations, their_infos = reference.reset(seed=seeds)
    rngs = generators(rows)
    ends = 0
    for _ in range(400):
        np.testing.assert_array_equal(observations, their_observations)
        assert_same_infos(infos, their_infos)
        assert infos["action_mask"].any(1).all()
        assert envs.single_observation_space.contains(observations[0])
        actions = chosen(infos["action_mask"], rngs)
        observations, *outcome, infos = envs.step(actions)
        their_observations, *their_outcome, their_infos = reference.step(actions)
        assert_same(outcome, their_outcome)
        ends += int(outcome[1].sum() + outcome[2].sum())
        if ends >= 3 * rows:
            break
    assert ends >= rows


@pytest.mark.parametrize("opponents", [None, Lowest()], ids=["random", "agent"])
def test_neither_batch_size_nor_threads_change_a_row(opponents):
    def rows(size, seed, **settings):
        envs = make_gym_vec("draw", size, 3, opponents=opponents, max_steps=40, **settings)
        return [array[:3] for array in walk(envs, 40, seed)]

    few = rows(3, 9)
    assert_same(few, rows(8, 9))
    assert_same(few, rows(8, 9, threads=2))
    assert_same(few, rows(3, 9))
    assert_same([array[:2] for array in rows(3, [1, 2, 3])], [array[:2] for array in rows(3, [1, 2, 8])])


def test_rows_and_neighbouring_seeds_share_no_games():
    envs = make_gym_vec("draw", 64, seat=0)
    views = {row.tobytes() for seed in range(20) for row in envs.reset(seed=seed)[0]}
    assert len(views) >= 20 * 64 - 2


def test_unseeded_resets_go_on():
    envs = make_gym_vec("draw", 4, 3)
    one = [envs.reset(seed=3), envs.reset(), envs.reset()]
    two = [envs.reset(seed=3), envs.reset(), envs.reset()]
    for (views, infos), (other_views, other_infos) in zip(one, two, strict=True):
        np.testing.assert_array_equal(views, other_views)
        np.testing.assert_array_equal(infos["seat"], other_infos["seat"])
    assert len({views.tobytes() for views, _ in one}) == 3
    np.testing.assert_array_equal(one[1][1]["seat"], (one[0][1]["seat"] + 1) % 3)


def test_agents_that_draw_from_the_generator_repeat_with_the_seed():
    envs = make_gym_vec("draw", 5, opponents=Dice(), max_steps=40)
    first = walk(envs, 40, 4)
    assert_same(first, walk(envs, 40, 4))
    assert_same(first, walk(make_gym_vec("draw", 5, opponents=Dice(), max_steps=40), 40, 4))
    assert any((a != b).any() for a, b in zip(first, walk(envs, 40, 6), strict=True))


@pytest.mark.parametrize("name", game_names())
def test_returns_sum_to_nothing_over_the_seats_of_one_game(name):
    players = next(players for other, players in seatings() if other == name)
    rewards = {"reward": "points"} if hasattr(load_game(name, players).options, "reward") else {}
    totals = []
    for seat in range(players):
        # All seats play the lowest action, the learner too: the same games, seen from every seat.
        envs = make_gym_vec(name, 16, players, seat=seat, opponents=Lowest(), **rewards)
        _, infos = envs.reset(seed=2)
        paid, over = np.zeros(16), np.zeros(16, bool)
        while not over.all():
            _, reward, terminated, truncated, infos = envs.step(infos["action_mask"].argmax(1))
            paid += np.where(over, 0, reward)
            over |= terminated | truncated
        totals.append(paid)
    np.testing.assert_allclose(np.sum(totals, axis=0), 0, atol=1e-4)
    assert np.abs(totals).max(0).all()


def test_arrays_are_the_callers_own_unless_asked_otherwise():
    for copied in (True, False):
        envs = make_gym_vec("block", 3, copy=copied, max_steps=6)
        step = envs.reset(seed=1)
        kept, snapshots = [], []
        for _ in range(8):
            kept.append(step)
            snapshots.append(copy.deepcopy(step))
            step = envs.step(step[-1]["action_mask"].argmax(1))
        shared = [np.shares_memory(a[0], b[0]) for a, b in itertools.pairwise(kept)]
        assert any(shared) != copied
        if copied:
            for one, other in zip(kept, snapshots, strict=True):
                assert_same(one[:-1], other[:-1])
                assert_same_infos(one[-1], other[-1])
            kept[-1][0][:] = 9
            kept[-1][-1]["action_mask"][:] = 0
            assert step[-1]["action_mask"].any(1).all()


def test_wrappers_of_gymnasium_understand_it():
    envs = make_gym_vec("block", 4, max_steps=30)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert envs.observation_space.shape == (4, envs.game.observation_size)
    assert envs.action_space.shape == (4,)
    assert envs.single_action_space.n == envs.game.num_actions
    wrapped = DictInfoToList(RecordEpisodeStatistics(envs))
    _, infos = wrapped.reset(seed=0)
    returns, seen = np.zeros(4), 0
    for _ in range(60):
        _, rewards, terminated, truncated, infos = wrapped.step(np.array([info["action_mask"].argmax() for info in infos]))
        returns += rewards
        for row in np.flatnonzero(terminated | truncated):
            assert infos[row]["episode"]["r"] == pytest.approx(returns[row])
            assert infos[row]["final_obs"].shape == (envs.game.observation_size,)
            assert infos[row]["final_info"]["scores"].shape == (2,)
            returns[row] = 0
            seen += 1
        assert all(("final_obs" in info) == bool(end) for info, end in zip(infos, terminated | truncated, strict=True))
    assert seen > 4
    wrapped.close()


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_some_rows_can_be_reset_alone():
    envs = make_gym_vec("draw", 4, max_steps=50)
    _, infos = envs.reset(seed=1)
    for _ in range(3):
        observations, _, _, _, infos = envs.step(infos["action_mask"].argmax(1))
    mask = np.array([False, True, False, True])
    after, _ = envs.reset(options={"reset_mask": mask})
    np.testing.assert_array_equal(after[~mask], observations[~mask])
    assert (after[mask] != observations[mask]).any(1).all()
    with pytest.raises(ValueError, match="rows must be bool"):
        envs.reset(options={"reset_mask": np.ones(3, bool)})
    _, _, terminated, truncated, _ = envs.step(envs.reset(seed=1)[1]["action_mask"].argmax(1))
    assert not (terminated | truncated).any()


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_a_wrong_action_moves_no_table():
    envs = make_gym_vec("block", 3, illegal="raise")
    with pytest.raises(RuntimeError, match="reset"):
        envs.step(np.zeros(3, np.int64))
    _, infos = envs.reset(seed=1)
    good = infos["action_mask"].argmax(1)
    before = pickle.dumps(envs)
    bad = good.copy()
    bad[1] = infos["action_mask"][1].argmin()
    with pytest.raises(ValueError, match=rf"row 1: illegal action {bad[1]} .* by player_{infos['seat'][1]}; legal are "):
        envs.step(bad)
    for wrong, kind in (
        (good.astype(float), TypeError),
        (good > 0, TypeError),
        (good[:2], ValueError),
        (good[:, None], ValueError),
        (good - 1000, ValueError),
        (good + 1000, ValueError),
        (np.full(3, np.iinfo(np.int64).min), ValueError),
        (np.full(3, np.iinfo(np.uint64).max, np.uint64), ValueError),
    ):
        with pytest.raises(kind, match="actions"):
            envs.step(wrong)
    assert pickle.dumps(envs) == before
    forfeits = make_gym_vec("block", 3)
    forfeits.reset(seed=1)
    _, rewards, terminated, _, infos = forfeits.step(bad)
    assert rewards[1] == -1
    assert terminated.tolist() == [False, True, False]
    assert infos["_final_obs"].tolist() == [False, True, False]


def test_agents_are_asked_for_many_rows_at_once_and_can_be_exchanged():
    agent, other = Lowest(), Lowest()
    envs = make_gym_vec("block", 32, 3, opponents=agent, max_steps=60, seat=1)
    _, infos = envs.reset(seed=0)
    for _ in range(10):
        _, _, terminated, truncated, infos = envs.step(infos["action_mask"].argmax(1))
    assert max(agent.rows) > 16
    assert agent.resets[0] == list(range(32))
    asked = len(agent.rows)
    envs.opponents = [other, None]
    for _ in range(30):
        _, _, terminated, truncated, infos = envs.step(infos["action_mask"].argmax(1))
        if (terminated | truncated).any():
            assert other.resets[-1]
    assert len(agent.rows) == asked
    assert other.rows
    assert other.resets[0] == list(range(32))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))])
def test_copies_keep_games_in_progress(copied):
    envs = make_gym_vec("draw", 4, 3, opponents=[Dice(), None], max_steps=30, skip_forced=True)
    _, infos = envs.reset(seed=3)
    for _ in range(5):
        _, _, _, _, infos = envs.step(infos["action_mask"].argmax(1))
    twin = copied(envs)
    masks = twin_masks = infos["action_mask"]
    for _ in range(20):
        *one, infos = envs.step(masks.argmax(1))
        *other, twin_infos = twin.step(twin_masks.argmax(1))
        assert_same(one, other)
        masks, twin_masks = infos["action_mask"], twin_infos["action_mask"]


def test_settings_that_it_decides_itself_and_too_many_tables_are_refused():
    with pytest.raises(TypeError, match="check is no setting here, got check=True; it is one of make_vec"):
        make_gym_vec("block", 2, check=True)
    with pytest.raises(ValueError, match=r"num_envs=1000000000000 would take about .* GB of memory"):
        make_gym_vec("block", 10**12)


@pytest.mark.nojit
def test_gymnasiums_make_vec_makes_it():
    envs = gymnasium.make_vec("domino_envs/Block-v0", num_envs=2, max_hands=1)
    assert type(envs) is DominoVectorEnv
    _, infos = envs.reset(seed=1)
    seats, ends = {*infos["seat"].tolist()}, 0
    while ends < 4:
        _, _, terminated, truncated, infos = envs.step(infos["action_mask"].argmax(1))
        assert infos["action_mask"].any(1).all()
        ends += int((terminated | truncated).sum())
        seats |= {*infos["seat"].tolist()}
    assert seats == {0, 1}


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        ({"seed": [1, 2]}, ValueError),
        ({"seed": [1, None, 2]}, TypeError),
        ({"seed": [1, 2, -3]}, ValueError),
        ({"seed": 5, "options": {"reset_mask": np.ones(2, bool)}}, ValueError),
        ({"seed": 5, "options": {"mask": np.ones(3, bool)}}, ValueError),
    ],
    ids=str,
)
def test_a_wrong_reset_changes_nothing(wrong, kind):
    envs = make_gym_vec("block", 3)
    envs.reset(seed=1)
    before = pickle.dumps(envs)
    with pytest.raises(kind, match=r"seed|rows must be bool|a reset has no option 'mask'; its options are reset_mask"):
        envs.reset(**wrong)
    assert pickle.dumps(envs) == before
    with pytest.raises(ValueError, match="seed must have one entry for each of the 2 rows"):
        make_gym_vec("block", 2).reset(seed=[1, 2, 3])


def test_a_seed_is_told_as_gymnasium_tells_it():
    envs = make_gym_vec("block", 2)
    envs.reset(seed=7)
    assert envs.np_random_seed == 7
    envs.reset()
    assert envs.np_random_seed == 7
    envs.reset(seed=[1, 2])
    assert envs.np_random_seed == -1


def test_copy_is_a_switch():
    with pytest.raises(TypeError, match="copy must be True or False, got 'no'"):
        make_gym_vec("block", 2, copy="no")


def test_it_is_exported():
    assert domino_envs.make_gym_vec is make_gym_vec
