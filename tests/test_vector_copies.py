"""The batch: copies, states that are put back, and states that are refused."""

import copy
import pickle

import numpy as np
import pytest

from batches import ROWS, assert_same, play
from domino_envs import make_vec
from domino_envs.envs.vector import DominoVec


@pytest.mark.parametrize(
    "copied", [lambda tables: tables.clone(), copy.deepcopy, lambda tables: pickle.loads(pickle.dumps(tables))]
)
def test_copies_go_on_alike_and_apart(copied):
    tables = make_vec("draw", ROWS, 3, threads=2, skip_forced=True, max_steps=40)
    tables.reset(seed=1)
    play(tables, 10)
    twin = copied(tables)
    before = tables.get_state()
    mine = play(twin, 60)
    for name, array in tables.get_state().items():
        assert array.tobytes() == before[name].tobytes(), name
    assert_same(mine, play(tables, 60))


def test_a_state_can_be_put_back():
    tables = make_vec("all_fives", ROWS)
    tables.reset(seed=1)
    state = tables.get_state()
    first = play(tables, 50)
    tables.set_state(state)
    assert_same(first, play(tables, 50))
    for wrong in (None, {}, {**state, "player": state["player"][:-1]}):
        with pytest.raises(ValueError, match=r"a state must be|player must be as get_state"):
            tables.set_state(wrong)


def test_a_state_of_another_game_is_refused():
    tables, other = make_vec("block", 2), make_vec("block", 2, target=5)
    tables.reset(seed=1)
    other.reset(seed=1)
    before = tables.states.copy()
    for wrong in (other.get_state(), {**tables.get_state(), "states": None}):
        with pytest.raises(ValueError, match=r"a state must be of an equal game|states must be as get_state"):
            tables.set_state(wrong)
    narrow = {**tables.get_state(), "rewards": tables.last.rewards.astype(np.int32)}
    with pytest.raises(ValueError, match="rewards must be as get_state"):
        tables.set_state(narrow)
    assert (tables.states == before).all()


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("name", "damage", "match"),
    [
        ("player", lambda arrays: 1 - arrays["player"], "player of a state must be the player of the table"),
        ("action_mask", lambda arrays: 0 * arrays["action_mask"], "action_mask of a state must be 1 for at least one action"),
        ("action_mask", lambda arrays: 2 * arrays["action_mask"], "action_mask of a state must be 1 for at least one action"),
        ("steps", lambda arrays: arrays["steps"] - 9, "steps of a state must be a non-negative integer"),
        ("states", lambda arrays: with_field(arrays["states"], "done", 1), "done of a state must be 0"),
        (
            "states",
            lambda arrays: with_field(arrays["states"], "history_size", 30_000),
            "history_size of a state must be from 0",
        ),
    ],
)
def test_a_damaged_state_is_refused(name, damage, match):
    tables = make_vec("block", 2)
    tables.reset(seed=1)
    before, state = tables.states.copy(), tables.get_state()
    with pytest.raises(ValueError, match=match):
        tables.set_state({**state, name: damage(state)})
    assert (tables.states == before).all()


def with_field(states, field, value):
    damaged = states.copy()
    damaged[field] = value
    return damaged


@pytest.mark.nojit
def test_only_a_batch_that_has_begun_has_a_state_and_any_can_be_copied():
    tables = make_vec("block", 2)
    with pytest.raises(RuntimeError, match=r"call reset\(\) before get_state\(\)"):
        tables.get_state()
    for twin in (tables.clone(), copy.copy(tables), pickle.loads(pickle.dumps(tables))):
        with pytest.raises(RuntimeError, match="reset"):
            twin.step([0, 0])
        twin.reset(seed=1)


class OwnVec(DominoVec):
    """A batch of a user's own."""


@pytest.mark.parametrize("copied", [lambda tables: tables.clone(), copy.copy, copy.deepcopy])
def test_a_copy_is_of_the_same_class(copied):
    assert type(copied(OwnVec("block", 2))) is OwnVec


def test_kernels_know_an_unpickled_batch_at_a_glance():
    """Numba compares equal dtypes field by field on every call, unless they are one object."""
    batch = make_vec("all_fives", ROWS)
    twin = pickle.loads(pickle.dumps(batch))
    for name in ("states", "_sampling"):
        assert getattr(twin, name).dtype is getattr(batch, name).dtype
    assert twin._batch.observations.dtype is batch._batch.observations.dtype
    assert twin.game.rules.dtype is batch.game.rules.dtype
