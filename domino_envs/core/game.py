"""The contract of a variant, and how compiled code reaches a variant's functions.

The kernels of the faces are written once, over the five functions below. Numba finds a game's own functions by the type
of its state: the first field of the record bears the name of the module in `games/` that defines them. The names are
looked up while compiling; a cached kernel starts without it.
"""

import functools
import hashlib
import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numba.extending import overload

from domino_envs.core.jit import INNER
from domino_envs.core.spaces import Actions, Field, observation_bounds, observation_dtype


@dataclass(frozen=True, eq=False)
class Game:
    """A variant for a number of players and a set of options.

    Attributes:
        name: the variant's name, as in its file; `version` grows when equal seeds and actions lead elsewhere.
        num_players: seats; `num_actions`: the actions of every seat and state; `max_hand_length`: a proven bound on
            the steps of one hand, or of what `history` holds where that is longer.
        state_dtype: an aligned record, all that a table is; `state_bounds`: the lowest and the highest number of every
            field that kernels index or count by.
        observation_fields: what one seat may know, `actions`: what the numbers of the actions mean; both in order.
        options: a frozen dataclass of plain words; `rules`: the same as a record for the kernels; `rules_array`: that in an
            array of one, which reaches compiled code ten times as fast.
        picture: the module in `render/` that draws what lies on its tables.
        deal(state, rules): starts a game; `state.rng` is its only input.
        legal_actions(state, rules, mask): fills `mask[num_actions]` for the player to move; zeros when the game is over.
        step(state, rules, action): plays one legal action; sets `player`, `done` and `rewards[num_players]`.
        observe(state, rules, player, observation): writes every field of what `player` may know.
        redeal_hidden(state, rules, player, seed): replaces all that `player` cannot see, and `state.rng`, from `seed`
            alone: uniform over the complete deals from which this hand's public record could have come by legal play.
    """

    name: str
    version: int
    num_players: int
    num_actions: int
    max_hand_length: int
    state_dtype: np.dtype
    state_bounds: dict[str, tuple[int, int]] = field(repr=False)
    observation_fields: tuple[Field, ...] = field(repr=False)
    actions: tuple[Actions, ...] = field(repr=False)
    options: Any
    rules: np.record = field(repr=False)
    rules_array: np.ndarray = field(init=False, repr=False)
    picture: str
    deal: Callable = field(repr=False)
    legal_actions: Callable = field(repr=False)
    step: Callable = field(repr=False)
    observe: Callable = field(repr=False)
    redeal_hidden: Callable = field(repr=False)
    action_to_string: Callable[[int], str] = field(repr=False)
    string_to_action: Callable[[str], int] = field(repr=False)

    def __post_init__(self):
        rules = np.frombuffer(bytearray(self.rules.tobytes()), _the_same(self.rules.dtype))
        for name, value in (("state_dtype", _the_same(self.state_dtype)), ("rules", rules[0]), ("rules_array", rules)):
            object.__setattr__(self, name, value)

    @property
    def id(self) -> str:
        """The versioned name: `"all_fives_v0"`."""
        return f"{self.name}_v{self.version}"

    @functools.cached_property
    def observation_dtype(self) -> np.dtype:
        """The observation's record of float32 fields."""
        return _the_same(observation_dtype(self.observation_fields))

    @functools.cached_property
    def observation_low(self) -> np.ndarray:
        """`[D]` finite lower bounds of the observation's tensor."""
        return observation_bounds(self.observation_fields)[0]

    @functools.cached_property
    def observation_high(self) -> np.ndarray:
        """`[D]` finite upper bounds of the observation's tensor."""
        return observation_bounds(self.observation_fields)[1]

    @property
    def observation_size(self) -> int:
        """The length `D` of the observation's tensor."""
        return self.observation_dtype.itemsize // 4

    def new_states(self, count: int) -> np.ndarray:
        """Returns `count` blank states, to be seeded and dealt; they bear the game's fingerprint."""
        states = np.zeros(count, self.state_dtype)
        states[self.state_dtype.names[0]] = self.fingerprint
        return kernel_array(states)

    @functools.cached_property
    def fingerprint(self) -> int:
        """A hash of game, version, players and options, by which a saved state is known again."""
        text = repr((self.id, self.num_players, self.options))
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little", signed=True)

    def check_states(self, states: np.ndarray) -> None:
        """Raises ValueError unless all states are of this game with these options, within the bounds that kernels rely on."""
        if (states[self.state_dtype.names[0]] != self.fingerprint).any():
            own = f"{self.id} for {self.num_players} players with {self.options}"
            raise ValueError(f"a state must be of an equal game, {own}; got one of another game or other options")
        for name, (low, high) in self.state_bounds.items():
            values = states[name]
            if values.size and (values.min() < low or values.max() > high):
                wrong = values[(values < low) | (values > high)][0]
                raise ValueError(f"{name} of a state must be from {low} to {high}, got {wrong}")

    def states_of(self, saved: bytes) -> np.ndarray:
        """Returns the states whose bytes were saved."""
        return kernel_array(np.frombuffer(bytearray(saved), self.state_dtype))

    @functools.cached_property
    def side_of_seat(self) -> np.ndarray:
        """`int64[P]`: partners sit opposite each other."""
        return np.arange(self.num_players) % int(self.rules.num_sides)

    def explain_illegal(self, mask: np.ndarray, action: int, seat: int) -> str:
        """Returns what is wrong with an action of a seat that its mask does not allow, and what was legal."""
        known = 0 <= action < self.num_actions
        name = f" ({self.action_to_string(action)})" if known else ""
        expected = "" if known else f", expected 0 to {self.num_actions - 1}"
        legal = ", ".join(f"{number} ({self.action_to_string(number)})" for number in np.flatnonzero(mask).tolist())
        return f"illegal action {action}{name} by player_{seat}{expected}; legal are {legal}"

    def __reduce__(self):
        return _load, (self.name, self.num_players, self.options)


_DTYPES: dict[np.dtype, np.dtype] = {}


def _the_same(dtype: np.dtype) -> np.dtype:
    """Returns one object for equal dtypes: Numba knows it at a glance, and compares others field by field on every call."""
    return _DTYPES.setdefault(dtype, dtype)


def kernel_array(records: np.ndarray) -> np.ndarray:
    """Returns records whose rows give their fields as attributes where kernels run uncompiled."""
    from numba import config

    return records.view(np.recarray) if config.DISABLE_JIT else records


def _load(name: str, num_players: int, options: Any) -> Game:
    from dataclasses import asdict

    from domino_envs.games import load_game

    return load_game(name, num_players, **asdict(options))


def functions_of(family: str) -> dict[str, Callable]:
    """Returns the functions of the contract, by name, of the module in `games/` that plays a family of games."""
    module = importlib.import_module(f"domino_envs.games.{family}")
    return {name: getattr(module, name) for name in ("deal", "legal_actions", "step", "observe", "redeal_hidden")}


def _function_of(state: Any, name: str) -> Callable:
    """Returns a game's own function, by the first field of its state (a NumPy record, or Numba's type of one)."""
    fields = state.fields if hasattr(state, "fields") else state.dtype.names
    return functions_of(next(iter(fields)))[name]


def deal(state, rules):
    return _function_of(state, "deal")(state, rules)


@overload(deal, jit_options=INNER)
def _deal(state, rules):
    return _function_of(state, "deal").py_func


def legal_actions(state, rules, mask):
    return _function_of(state, "legal_actions")(state, rules, mask)


@overload(legal_actions, jit_options=INNER)
def _legal_actions(state, rules, mask):
    return _function_of(state, "legal_actions").py_func


def step(state, rules, action):
    return _function_of(state, "step")(state, rules, action)


@overload(step, jit_options=INNER)
def _step(state, rules, action):
    return _function_of(state, "step").py_func


def observe(state, rules, player, observation):
    return _function_of(state, "observe")(state, rules, player, observation)


@overload(observe, jit_options=INNER)
def _observe(state, rules, player, observation):
    return _function_of(state, "observe").py_func


def redeal_hidden(state, rules, player, seed):
    return _function_of(state, "redeal_hidden")(state, rules, player, seed)


@overload(redeal_hidden, jit_options=INNER)
def _redeal_hidden(state, rules, player, seed):
    return _function_of(state, "redeal_hidden").py_func
