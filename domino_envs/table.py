"""One table: a state and its game, as the single-table faces and tools share it."""

import operator
import re
from typing import Any

import numpy as np

from domino_envs import engine
from domino_envs.core.game import Game
from domino_envs.core.integers import check_integer, is_integer
from domino_envs.seeding import check_seed, stream_of

_INTEGER_DTYPE = re.compile(r"\bu?int\d+\b")  # of NumPy's, or "torch.int64"


def action_number(action: Any) -> int:
    """Returns an action as an int.

    Arrays and tensors of no dimension will do: anything with an `ndim` of 0 and an integer `dtype`. Both are looked at
    before `operator.index`, which would take booleans and one-element tensors.

    Raises:
        TypeError: a float, a boolean, an array with dimensions, or no number at all.
    """
    if type(action) is int:
        return action
    if is_integer(action):
        return int(action)
    if getattr(action, "ndim", None) != 0 or not _INTEGER_DTYPE.search(str(getattr(action, "dtype", ""))):
        raise TypeError(f"an action must be an integer, got {action!r}")
    return operator.index(action.item() if hasattr(action, "item") else action)


class Table:
    """A table of one game, in Python's hands.

    Attributes:
        game: the `Game`.
        states: the table's record, an array of one.
        action_mask: `int8[A]` of the player to move; overwritten by every step.
    """

    def __init__(self, game: Game, seed: int | None = None):
        if not isinstance(game, Game):
            raise TypeError(f"game must be a Game from load_game, got {game!r}")
        self.game = game
        self._allocate(game.new_states(1))
        self.states["rng"] = stream_of(seed)
        self.reset()

    def _allocate(self, states: np.ndarray) -> None:
        self.states = states
        self.action_mask = np.zeros(self.game.num_actions, np.int8)
        self._tensor = None  # made by the first observation, overwritten by each; what is returned is a copy

    def reset(self, seed: int | None = None) -> None:
        """Starts a game: of `seed`, or the next one of the table's stream."""
        if seed is not None:
            self.states["rng"] = stream_of(seed)
        engine.deal_table(self.states, self.game.rules_array, self.action_mask)

    @property
    def state(self) -> np.record:
        """The table's record, by name: `table.state.boneyard_size`."""
        return self.states.view(np.recarray)[0]

    @property
    def player(self) -> int:
        """The seat to move."""
        return int(self.states["player"][0])  # twenty times as fast as by the record

    @property
    def done(self) -> bool:
        return bool(self.states["done"][0])

    @property
    def rewards(self) -> np.ndarray:
        """`float32[P]`, of the last step."""
        return self.states["rewards"][0].copy()

    @property
    def scores(self) -> np.ndarray:
        """`int32[P]`, by seat; partners have the same."""
        return self._by_seat(self.states["scores"][0])

    @property
    def hand_points(self) -> np.ndarray:
        """`int32[P]`, by seat: what the end of the last hand paid; 0 where the match ended before the hand did."""
        return self._by_seat(self.states["hand_points"][0])

    def _by_seat(self, by_side: np.ndarray) -> np.ndarray:
        return by_side[self.game.side_of_seat]

    def legal_actions(self) -> list[int]:
        """Returns the legal actions of the player to move, none once the game is over."""
        return np.flatnonzero(self.action_mask).tolist()

    def check_legal(self, action: Any) -> int:
        """Returns an action as an int; raises TypeError or ValueError, naming what was legal, unless it is legal."""
        number = action_number(action)
        if not 0 <= number < self.game.num_actions or not self.action_mask[number]:
            raise ValueError(self.explain_illegal(number))
        return number

    def explain_illegal(self, action: int) -> str:
        """Returns what is wrong with an action that is not legal."""
        if self.done:
            return f"illegal action {action}: the game is over"
        return self.game.explain_illegal(self.action_mask, action, self.player)

    def step(self, action: Any) -> None:
        """Plays a legal action; an illegal one raises and changes nothing."""
        self.play(self.check_legal(action))

    def play(self, action: int) -> tuple[int, bool, bool]:
        """Plays an action known to be legal; returns the seat to move, the end, and whether any seat was paid."""
        return engine.step_table(self.states, self.game.rules_array, action, self.action_mask)

    def forfeit(self) -> tuple[int, bool, bool]:
        """Ends the game against the player to move; returns the same as `play`."""
        if self.done:
            raise ValueError("nobody can forfeit: the game is over")
        return engine.forfeit_table(self.states, self.game.rules_array, self.action_mask)

    def observation(self, seat: int) -> np.ndarray:
        """Returns what a seat may know, `float32[D]`, in a fresh array."""
        seat = check_integer("seat", seat, 0, self.game.num_players - 1)
        if self._tensor is None:
            self._tensor = np.zeros(self.game.observation_size, np.float32)
            self._record = self._tensor.view(self.game.observation_dtype).view(type(self.states))
        engine.observe_table(self.states, self.game.rules_array, seat, self._record)
        return self._tensor.copy()

    def observation_record(self, seat: int) -> np.ndarray:
        """Returns what a seat may know as one record of named fields, in a fresh array of one."""
        return self.observation(seat).view(self.game.observation_dtype).view(type(self.states))

    def redeal_hidden(self, seat: int, seed: int) -> None:
        """Replaces all that a seat cannot see, from `seed` alone; see `Game.redeal_hidden`."""
        seat = check_integer("seat", seat, 0, self.game.num_players - 1)
        seats, seeds = np.array([seat], np.int64), np.array([stream_of(check_seed(seed))], np.uint64)
        engine.redeal_rows(self.states, self.game.rules, seats, seeds)
        engine.legal_table(self.states, self.game.rules_array, self.action_mask)

    def get_state(self) -> bytes:
        """Returns the whole table, randomness included."""
        return self.states.tobytes()

    def set_state(self, state: bytes) -> None:
        """Puts back what `get_state` returned at a table of an equal game."""
        expected = self.game.state_dtype.itemsize
        if not isinstance(state, bytes):
            raise TypeError(f"a state must be bytes from get_state, got {type(state).__name__}")
        if len(state) != expected:
            raise ValueError(f"a state of this game has {expected} bytes, got {len(state)}")
        self.game.check_states(self.game.states_of(state))
        self.states.view(np.uint8)[:] = np.frombuffer(state, np.uint8)
        engine.legal_table(self.states, self.game.rules_array, self.action_mask)

    def clone(self) -> "Table":
        """Returns an equal table that shares nothing with this one."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._allocate(self.game.states_of(self.get_state()))
        twin.action_mask[:] = self.action_mask
        return twin

    def __deepcopy__(self, memo: dict) -> "Table":
        return self.clone()

    def __getstate__(self) -> dict:
        return {"game": self.game, "state": self.get_state()}

    def __setstate__(self, saved: dict) -> None:
        game = saved["game"]
        self.game = game
        self._allocate(game.new_states(1))
        self.set_state(saved["state"])
