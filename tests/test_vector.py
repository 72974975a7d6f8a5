"""The batch: seeds, rows, threads, forced moves and wrong input; that rows are tables is in `domino_envs.testing`."""

import gc
import multiprocessing
import pickle
import signal
import threading
import time
import warnings

import numpy as np
import pytest
from scipy import stats

from batches import ROWS, assert_same, play
from domino_envs import make_vec
from domino_envs.envs.row_threads import RowThreads
from domino_envs.table import Table

# Seeds and rows


def test_the_seed_decides_the_games_and_the_sampled_actions():
    runs = []
    for threads in (1, 2, 100):
        tables = make_vec("all_fives", ROWS, threads=threads)
        tables.reset(seed=5)
        runs.append(play(tables, 80))
        tables.close()
    assert_same(runs[0], runs[1])
    assert_same(runs[0], runs[2])


def test_rows_of_neighbouring_seeds_share_no_deals():
    deals = set()
    for seed in range(20):
        tables = make_vec("block", ROWS)
        tables.reset(seed=seed)
        deals |= {row.tobytes() for row in tables.states["owner"]}
    assert len(deals) == 20 * ROWS


def test_a_batch_of_another_size_begins_with_the_same_games():
    small, large = make_vec("draw", 3), make_vec("draw", 9)
    np.testing.assert_array_equal(small.reset(seed=2).observations, large.reset(seed=2).observations[:3])


def test_a_list_of_seeds_gives_single_tables():
    tables = make_vec("block", 3)
    tables.reset(seed=[4, 9, 4])
    assert tables.states.tobytes() == b"".join(Table(tables.game, seed=seed).get_state() for seed in (4, 9, 4))


def test_only_the_chosen_rows_start_anew():
    tables = make_vec("block", 3)
    blank = pickle.dumps(tables)
    with pytest.raises(ValueError, match="first reset must start every table"):
        tables.reset(seed=1, rows=np.array([True, False, True]))
    assert pickle.dumps(tables) == blank
    tables.reset(seed=1)
    play(tables, 3)
    before = tables.states.copy()
    tables.reset(seed=8, rows=np.array([True, False, True]))
    assert tables.states[1] == before[1]
    assert tables.states["history_size"].tolist() == [0, before["history_size"][1], 0]
    with pytest.raises(ValueError, match="rows must be bool"):
        tables.reset(rows=np.array([0, 1, 0]))


def test_only_the_chosen_rows_move():
    tables = make_vec("block", 3)
    tables.reset(seed=1)
    before, shown = tables.states.copy(), tables.last.observations.copy()
    rows = np.array([False, True, False])
    actions = tables.sample_actions().copy()
    actions[~rows] = 10**6  # not looked at
    tables.step(actions, rows)
    assert (tables.states == before).tolist() == [True, False, True]
    np.testing.assert_array_equal(tables.last.observations[~rows], shown[~rows])


@pytest.mark.nojit
def test_actions_for_the_chosen_rows_are_checked_as_for_all():
    tables = make_vec("block", 3)
    good = tables.reset(seed=1).action_mask.argmax(1)
    before, rows = tables.states.copy(), np.array([False, True, False])
    for wrong, kind in ((good > 0, TypeError), (good * 1.0, TypeError), (0, ValueError), (good[1:2], ValueError)):
        with pytest.raises(kind, match="actions must"):
            tables.step(wrong, rows=rows)
    assert (tables.states == before).all()


def test_a_later_reset_goes_on_from_the_stream():
    one, other = make_vec("block", ROWS), make_vec("block", ROWS)
    for tables in (one, other):
        tables.reset(seed=1)
    first = one.last.observations.copy()
    np.testing.assert_array_equal(one.reset().observations, other.reset().observations)
    assert (one.last.observations != first).any(1).all()


# The sampler


def test_sampled_actions_are_legal_uniform_and_move_no_table():
    tables = make_vec("block", 4000, lead_tile="any")
    tables.reset(seed=3)
    alike = tables.get_state()
    for name in ("states", "action_mask", "player"):
        alike[name][:] = alike[name][0]
    tables.set_state(alike)
    counts = np.bincount(tables.sample_actions(), minlength=tables.num_actions)
    assert tables.states.tobytes() == alike["states"].tobytes()
    legal = alike["action_mask"][0] == 1
    assert legal.sum() == 7
    assert counts[legal].sum() == 4000
    assert stats.chisquare(counts[legal]).pvalue > 1e-4


# Forced moves


@pytest.mark.parametrize("settings", [{"hand_size": 1}, {"max_steps": 1}], ids=["no choice ever", "forced and truncated"])
def test_a_game_without_decisions_does_not_hang(settings):
    tables = make_vec("block", 3, skip_forced=True, max_hands=1, **settings)
    tables.reset(seed=1)
    assert tables.skipped_episodes == 3 * 1000
    assert tables.last.action_mask.sum(1).tolist() == [1, 1, 1]
    step = tables.step(tables.last.action_mask.argmax(1))
    assert (step.terminated | step.truncated).all()


def test_rewards_sum_to_zero_and_episodes_end_in_one_way():
    for settings in ({}, {"skip_forced": True}, {"max_steps": 9}):
        tables = make_vec("all_fives", 64, 3, reward="points", **settings)
        tables.reset(seed=0)
        for *_, rewards, terminated, truncated, _, _, _ in play(tables, 300):
            assert np.abs(rewards.sum(1)).max() < 1e-6
            assert not (terminated & truncated).any()


# Processes and threads


def step_in_child(tables, queue):
    queue.put(tables.step(tables.sample_actions()).observations.tobytes())


def test_a_forked_process_has_threads_of_its_own():
    tables = make_vec("block", 8, threads=2)
    tables.reset(seed=1)
    tables.step(tables.sample_actions())
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=step_in_child, args=(tables, queue))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking with threads, from Python 3.12 on
        child.start()
    assert queue.get(timeout=60) == tables.step(tables.sample_actions()).observations.tobytes()
    child.join(60)
    assert child.exitcode == 0


def test_a_closed_batch_starts_its_threads_again():
    tables = make_vec("block", 8, threads=3)
    tables.reset(seed=1)
    tables.close()
    tables.close()
    assert tables.step(tables.sample_actions()).player.shape == (8,)


def test_results_are_overwritten_unless_copies_are_asked_for():
    for keeps in (False, True):
        tables = make_vec("block", ROWS, copy=keeps)
        first = tables.reset(seed=1).observations
        kept = first.copy()
        tables.step(tables.sample_actions())
        assert np.array_equal(first, kept) == keeps


# Wrong input


def test_wrong_actions_move_no_table():
    tables = make_vec("block", 3)
    for call in (tables.sample_actions, lambda: tables.step([0, 0, 0])):
        with pytest.raises(RuntimeError, match="reset"):
            call()
    good = tables.reset(seed=1).action_mask.argmax(1)
    before = tables.states.copy()
    bad = good.copy()
    bad[1] = tables.last.action_mask[1].argmin()
    with pytest.raises(ValueError, match=rf"row 1: illegal action {bad[1]} .* by player_\d; legal are "):
        tables.step(bad)
    for wrong, kind in (
        (good.astype(float), TypeError),
        (good > 0, TypeError),
        (["a", "b", "c"], TypeError),
        (good[:2], ValueError),
        (good[:, None], ValueError),
        (good - 1000, ValueError),
        (good + 1000, ValueError),
        (np.full(3, np.iinfo(np.int64).min), ValueError),
        (np.full(3, np.iinfo(np.uint64).max, np.uint64), ValueError),
    ):
        for illegal in ("raise", "forfeit"):
            tables.illegal = illegal
            with pytest.raises(kind, match="actions must"):
                tables.step(wrong)
        tables.illegal = "raise"
    assert (tables.states == before).all()


def test_an_illegal_action_forfeits_where_it_may():
    tables = make_vec("block", 3, 3, illegal="forfeit")
    actions = tables.reset(seed=1).action_mask.argmax(1)
    offender = int(tables.last.player[1])
    actions[1] = tables.last.action_mask[1].argmin()
    step = tables.step(actions)
    assert step.terminated.tolist() == [False, True, False]
    np.testing.assert_allclose(step.rewards[1], [-1 if seat == offender else 0.5 for seat in range(3)])


@pytest.mark.parametrize(
    ("arguments", "settings", "kind", "match"),
    [
        (("block", 0), {}, ValueError, "num_envs"),
        (("block", 2.0), {}, TypeError, "num_envs"),
        (("block", True), {}, TypeError, "num_envs"),
        (("block", 10**12), {}, ValueError, r"num_envs=1000000000000 would take about \d{1,3},\d{3},\d{3} GB of memory"),
        (("block", 2**70), {}, ValueError, rf"num_envs={2**70} would take about .* GB of memory"),
        (("block", 2, 9), {}, ValueError, "2 to 4 players"),
        (("chess", 2), {}, ValueError, "no game 'chess'"),
        (("block", 2), {"max_steps": 0}, ValueError, "max_steps"),
        (("block", 2), {"threads": -1}, ValueError, "threads"),
        (("block", 2), {"illegal": "ignore"}, ValueError, "illegal"),
        (("block", 2), {"rule": 1}, TypeError, "no option 'rule'"),
        (("block", 2), {"max_steps": 2**63}, ValueError, "max_steps must be at most"),
        (("block", 2), {"skip_forced": "no"}, TypeError, "skip_forced must be True or False"),
        (("block", 2), {"copy": None}, TypeError, "copy must be True or False"),
    ],
)
def test_wrong_settings_are_named(arguments, settings, kind, match):
    with pytest.raises(kind, match=match):
        make_vec(*arguments, **settings)


def test_wrong_seeds_and_seats_are_named():
    tables = make_vec("block", 2)
    for seed, kind in (
        (-1, ValueError),
        (1.5, TypeError),
        (True, TypeError),
        ([1], ValueError),
        ("ab", TypeError),
        ({1, 2}, TypeError),
        ({1: 1, 2: 2}, TypeError),
        (np.array(5), TypeError),
    ):
        with pytest.raises(kind, match="seed"):
            tables.reset(seed=seed)
    with pytest.raises(
        TypeError, match=r"a list of seeds must name one for every row, got \[1, None\]; rows can be reset alone"
    ):
        tables.reset(seed=[1, None])
    with pytest.raises(RuntimeError, match="reset"):
        tables.observe(0)
    tables.reset(seed=1)
    for seats in (2, -1, [0, 5], [0, 1, 0]):
        with pytest.raises(ValueError, match="seats must be"):
            tables.observe(seats)
    for seats in (1.5, "0", True, None, [0.7, 0.7], 10**30):
        with pytest.raises(TypeError, match="seats must be"):
            tables.observe(seats)


def test_without_checks_the_shape_of_actions_is_still_looked_at():
    tables = make_vec("block", 4, check=False)
    tables.reset(seed=1)
    for actions in (np.zeros(3, np.int64), np.zeros((4, 1), np.int64)):
        with pytest.raises(ValueError, match="actions must have shape"):
            tables.step(actions)


def test_what_a_thread_raises_comes_out_once_all_are_done():
    done = []

    def kernel(start, stop):
        if start == 2:
            raise ValueError(f"rows {start} to {stop}")
        done.append((start, stop))

    workers = RowThreads(2)
    for _ in range(2):  # the helper goes on
        with pytest.raises(ValueError, match="rows 2 to 4"):
            workers.run(kernel, (), [(0, 2), (2, 4), (4, 6)])
    assert sorted(done) == [(0, 2), (0, 2), (4, 6), (4, 6)]


@pytest.mark.nojit
def test_an_interrupt_waits_until_no_thread_writes():
    done = []

    def kernel(start, stop):
        if start:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            time.sleep(0.2)
            done.append(start)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            RowThreads(2).run(kernel, (), [(0, 2), (2, 4), (4, 6)])
    finally:
        signal.signal(signal.SIGINT, before)
    assert sorted(done) == [2, 4]


def test_the_threads_of_a_batch_end_with_it():
    known = set(threading.enumerate())
    tables = make_vec("block", 8, threads=3)
    tables.reset(seed=1)
    tables.step(tables.sample_actions())
    helpers = set(threading.enumerate()) - known
    assert len(helpers) == 2
    del tables
    gc.collect()
    for helper in helpers:
        helper.join(10)
        assert not helper.is_alive()
