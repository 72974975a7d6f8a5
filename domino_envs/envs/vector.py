"""The batch: thousands of tables stepped by one call, each row at the turn of its own player."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from domino_envs import engine
from domino_envs.core.batch import Batch, BatchStep
from domino_envs.core.game import kernel_array
from domino_envs.core.integers import check_integer
from domino_envs.core.rng import STREAM
from domino_envs.core.state import copy_rows
from domino_envs.envs.checks import (
    ILLEGAL_MODES,
    check_actions,
    check_flag,
    check_illegal,
    check_max_steps,
    naming_settings,
)
from domino_envs.envs.row_threads import RowThreads
from domino_envs.games import load_game
from domino_envs.seeding import streams_of

_SAMPLING = np.uint64(0x9E6C63D0876A9A47)  # keeps the sampler's streams apart from the tables'


class DominoVec:
    """A turn-based batch of tables with autoreset in the same step.

    Args:
        name: a game, as `"all_fives"` or `"all_fives_v0"`.
        num_envs: the number `N` of tables.
        num_players: seats at each.
        max_steps: moves after which an episode is truncated; None never does.
        illegal: `"raise"` refuses an illegal action with a ValueError before any table moves; `"forfeit"` ends the
            game against the offender.
        threads: threads that share the rows within a call; calls themselves must come from one thread at a time.
        skip_forced: play moves without a choice inside `step` and add up their rewards.
        copy: return fresh arrays instead of ones that the next step overwrites.
        check: check actions; without it an illegal action corrupts its table under `illegal="raise"`.
        rules: the game's options.

    Attributes:
        game: the `Game`; `num_envs`, `num_players`, `num_actions`, `observation_size`.
        states: the tables' records, for agents and tools that know the contract of `Game`.
    """

    def __init__(
        self,
        name: str,
        num_envs: int,
        num_players: int = 2,
        *,
        max_steps: int | None = None,
        illegal: str = "raise",
        threads: int = 1,
        skip_forced: bool = False,
        copy: bool = False,
        check: bool = True,
        **rules: Any,
    ):
        with naming_settings(DominoVec):
            self.game = load_game(name, num_players, **rules)
        self.num_envs = check_integer("num_envs", num_envs, 1)
        self.max_steps = check_max_steps(max_steps)
        self.illegal = check_illegal(illegal)
        self.skip_forced, self.copy = check_flag("skip_forced", skip_forced), check_flag("copy", copy)
        self.check = check_flag("check", check)
        self.threads = min(check_integer("threads", threads, 1), self.num_envs)
        self.num_players, self.num_actions = self.game.num_players, self.game.num_actions
        self.observation_size = self.game.observation_size
        try:
            self._hold(self._new_arrays())
        except (MemoryError, OverflowError, ValueError) as error:  # NumPy's, by how far it is too much
            gigabytes = self.num_envs * self._row_bytes() // 10**9
            raise ValueError(f"num_envs={num_envs} would take about {gigabytes:,} GB of memory: {error}") from error
        self._started = False

    def _row_bytes(self) -> int:
        """Returns what a table's state, mask and observations take; the other arrays are small beside them."""
        views = (1 + self.num_players) * self.game.observation_dtype.itemsize
        return self.game.state_dtype.itemsize + self.num_actions + views

    def _new_arrays(self) -> dict[str, np.ndarray]:
        """Returns all that changes from step to step, by name, empty."""
        rows, seats = self.num_envs, self.num_players
        return {
            "states": self.game.new_states(rows),
            "sampling": kernel_array(np.zeros(rows, STREAM)),
            "observations": self._records(rows),
            "action_mask": np.zeros((rows, self.num_actions), np.int8),
            "player": np.zeros(rows, np.int8),
            "rewards": np.zeros((rows, seats), np.float32),
            "terminated": np.zeros(rows, np.bool_),
            "truncated": np.zeros(rows, np.bool_),
            "final_scores": np.zeros((rows, seats), np.int32),
            "final_hand_points": np.zeros((rows, seats), np.int32),
            "final_observations": self._records(rows * seats).reshape(rows, seats),
            "steps": np.zeros(rows, np.int64),
            "carried": np.zeros((rows, seats), np.float32),
            "skipped_episodes": np.zeros(rows, np.int64),
        }

    def _hold(self, arrays: dict[str, np.ndarray]) -> None:
        """Makes the batch one of these arrays, which nobody else writes."""
        self.states, self._sampling = arrays["states"], arrays["sampling"]
        self._batch = Batch(*(arrays[name] for name in Batch._fields))
        self._out = BatchStep(
            self._numbers(self._batch.observations), *self._batch[1:8], self._numbers(self._batch.final_observations)
        )
        self._actions = np.zeros(self.num_envs, np.int64)
        self._sampled = np.zeros(self.num_envs, np.int64)
        bounds = np.linspace(0, self.num_envs, self.threads + 1).astype(int)
        self._slices = list(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True))
        self._row_threads: RowThreads | None = None  # made when it is needed, and again in a forked process
        self._threads_pid = 0

    def _records(self, count: int) -> np.ndarray:
        return kernel_array(np.zeros(count, self.game.observation_dtype))

    @staticmethod
    def _numbers(records: np.ndarray) -> np.ndarray:
        """Returns a view of observations as `float32[..., D]`."""
        return records.view(np.ndarray).view(np.float32).reshape(*records.shape, -1)

    @property
    def last(self) -> BatchStep:
        """What the last step returned, in the arrays that the next one overwrites."""
        return self._out

    @property
    def skipped_episodes(self) -> int:
        """Episodes without any decision that `skip_forced` dealt again."""
        return int(self._batch.skipped_episodes.sum())

    def reset(self, seed: int | Sequence[int] | None = None, *, rows: np.ndarray | None = None) -> BatchStep:
        """Starts a game at every table, or at those of `rows`, `bool[N]`.

        Args:
            seed: an integer gives row *i* the *i*-th child of its `SeedSequence`; a list gives every row the game of a
                single table with that seed; None goes on from each table's stream.
        """
        chosen = np.ones(self.num_envs, np.bool_) if rows is None else self._checked_rows(rows)
        if not self._started and not chosen.all():
            raise ValueError("the first reset must start every table: call reset() without rows")
        if seed is not None or not self._started:
            streams = streams_of(seed, self.num_envs)
            self._sampling["rng"][chosen] = streams[chosen] ^ _SAMPLING
        else:
            streams = np.zeros(self.num_envs, np.uint64)
        self._started = True
        engine.reset_rows(self.states, self.game.rules, streams, chosen, self._batch, self.max_steps or 0, self.skip_forced)
        return self._result()

    def _check_started(self, method: str) -> None:
        if not self._started:
            raise RuntimeError(f"call reset() before {method}()")

    def _checked_rows(self, rows: Any) -> np.ndarray:
        rows = np.asarray(rows)
        if rows.dtype != np.bool_ or rows.shape != (self.num_envs,):
            raise ValueError(f"rows must be bool[{self.num_envs}], got {rows.dtype}{list(rows.shape)}")
        return rows

    def step(self, actions: Any, rows: np.ndarray | None = None) -> BatchStep:
        """Plays one action at every table, `actions[N]`; tables whose episode ends are dealt anew at once.

        With `rows`, `bool[N]`, only those tables move; the others keep observation and mask, and are paid nothing.

        Raises:
            RuntimeError: before the first reset.
            TypeError, ValueError: actions of a wrong type or shape, or (under `illegal="raise"`) an illegal one; no
                table has then moved.
        """
        self._check_started("step")
        fits = isinstance(actions, np.ndarray) and actions.dtype == np.int64 and actions.shape == (self.num_envs,)
        if self.check or rows is not None or not fits:
            actions = self._checked_actions(actions, rows)
        illegal = ILLEGAL_MODES[self.illegal]
        arguments = (self.states, self.game.rules, actions, self._batch, self.max_steps or 0, self.skip_forced, illegal)
        self._share(engine.step_rows, *arguments)
        return self._result()

    def _share(self, kernel: Any, *arguments: Any) -> None:
        """Runs `kernel(*arguments, start, stop)` on the rows, in this thread and the others."""
        if self.threads == 1:
            kernel(*arguments, *self._slices[0])
            return
        if self._row_threads is None or self._threads_pid != os.getpid():
            self._row_threads, self._threads_pid = RowThreads(self.threads - 1), os.getpid()
        self._row_threads.run(kernel, arguments, self._slices)

    def _checked_actions(self, actions: Any, rows: np.ndarray | None) -> np.ndarray:
        waiting = None if rows is None else ~self._checked_rows(rows)
        check_actions(actions, self.num_actions, self._actions, waiting)
        if rows is not None:
            self._actions[waiting] = engine.WAIT
        row = engine.first_illegal(self._batch.action_mask, self._actions) if self.illegal == "raise" else -1
        if row >= 0:
            reason = self.game.explain_illegal(self._batch.action_mask[row], int(self._actions[row]), self._batch.player[row])
            raise ValueError(f"row {row}: {reason}")
        return self._actions

    def sample_actions(self) -> np.ndarray:
        """Returns a uniformly random legal action for every table, `int64[N]`, drawn by a kernel and its threads.

        The array is overwritten by the next call. The draws have streams of their own, which follow from the last seeded
        reset; the tables' deals do not depend on them.
        """
        self._check_started("sample_actions")
        self._share(engine.sample_actions, self._batch.action_mask, self._sampling, self._sampled)
        return self._sampled

    def _result(self) -> BatchStep:
        return BatchStep(*(array.copy() for array in self._out)) if self.copy else self._out

    def observe(self, seats: Any) -> np.ndarray:
        """Returns what seat `seats[row]` may know at every table, `float32[N, D]`, in a fresh array."""
        self._check_started("observe")
        given = np.asarray(seats)
        if given.dtype.kind not in "iu":
            raise TypeError(f"seats must be integers, got {seats!r}")
        if given.shape not in ((), (self.num_envs,)):
            raise ValueError(f"seats must be one, or have shape ({self.num_envs},), got shape {given.shape}")
        if (given < 0).any() or (given >= self.num_players).any():
            raise ValueError(f"seats must be from 0 to {self.num_players - 1}, got {seats!r}")
        seats = np.broadcast_to(given.astype(np.int64), (self.num_envs,))
        records = self._records(self.num_envs)
        engine.observe_seats(self.states, self.game.rules, seats, records)
        return self._numbers(records)

    def _arrays(self) -> dict[str, np.ndarray]:
        return {"states": self.states, "sampling": self._sampling, **self._batch._asdict()}

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns copies of all that the tables are, and of what the last step returned."""
        self._check_started("get_state")
        return self._copied_arrays()

    def _copied_arrays(self) -> dict[str, np.ndarray]:
        return {name: copy_rows(array) if array.dtype.names else array.copy() for name, array in self._arrays().items()}

    def set_state(self, state: dict[str, np.ndarray]) -> None:
        """Puts back what `get_state` returned at a batch of equal game and size.

        Raises:
            ValueError: naming what is not as `get_state` returns it, or does not fit the tables; nothing has changed.
        """
        current = self._arrays()
        if not isinstance(state, dict) or state.keys() != current.keys():
            raise ValueError(f"a state must be a dict from get_state with the keys {sorted(current)}")
        for name, array in current.items():
            given = state[name]
            if not isinstance(given, np.ndarray) or given.shape != array.shape or given.dtype != array.dtype:
                got = f"{given.dtype}{list(given.shape)}" if isinstance(given, np.ndarray) else repr(given)
                raise ValueError(f"{name} must be as get_state of a batch of equal game and size returned it, got {got[:200]}")
        self.game.check_states(state["states"])
        _check_fit(state)
        for name, array in current.items():
            as_bytes = np.dtype((np.void, array.dtype.itemsize))  # whole records: field by field takes thirty times as long
            array.view(np.ndarray).view(as_bytes)[...] = np.ascontiguousarray(state[name]).view(np.ndarray).view(as_bytes)
        self._started = True

    def clone(self) -> "DominoVec":
        """Returns an equal batch that shares nothing with this one."""
        twin = object.__new__(type(self))
        twin.__setstate__(self.__getstate__())
        return twin

    def __deepcopy__(self, memo: dict) -> "DominoVec":
        return self.clone()

    def __getstate__(self) -> dict:
        settings = {key: value for key, value in self.__dict__.items() if not key.startswith("_") and key != "states"}
        return {"settings": settings, "tables": self._copied_arrays(), "started": self._started}

    def __setstate__(self, saved: dict) -> None:
        self.__dict__.update(saved["settings"])
        observation = self.game.observation_dtype
        known = {"states": self.game.state_dtype, "sampling": STREAM, "observations": observation}
        known["final_observations"] = observation
        # What was unpickled has equal dtypes, but others: Numba would compare them field by field on every call.
        records = {name: kernel_array(saved["tables"][name].view(np.ndarray).view(dtype)) for name, dtype in known.items()}
        self._hold({**saved["tables"], **records})
        self._started = saved["started"]

    def close(self) -> None:
        """Ends the threads; a later step starts them again."""
        if self._row_threads is not None:
            self._row_threads.close()
        self._row_threads = None


def _check_fit(state: dict[str, np.ndarray]) -> None:
    """Raises ValueError where what a step would go by does not fit the tables."""
    tables, mask = state["states"], state["action_mask"]
    for name, wrong, expected in (
        ("done", tables["done"] != 0, "0, as a table that ends is dealt anew"),
        ("player", state["player"] != tables["player"], "the player of the table"),
        ("action_mask", ((mask != 0) & (mask != 1)).any(1) | ~mask.any(1), "1 for at least one action and 0 for the others"),
        ("steps", state["steps"] < 0, "a non-negative integer"),
    ):
        if wrong.any():
            raise ValueError(f"{name} of a state must be {expected}, got another at row {int(wrong.argmax())}")


def make_vec(name: str, num_envs: int, num_players: int = 2, **settings: Any) -> DominoVec:
    """Returns a batch of `num_envs` tables; the settings and the game's options are those of `DominoVec`."""
    return DominoVec(name, num_envs, num_players, **settings)
