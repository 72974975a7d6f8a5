"""The PettingZoo face: one game as an AEC environment.

The checks of order, bounds and legality are in here, not in wrappers: PettingZoo's usual stack of three wrappers costs
several times a whole compiled move. Its wrappers around this environment work all the same.
"""

import warnings
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from domino_envs.core.integers import check_integer
from domino_envs.envs.aec_state import SAVED, check_saved
from domino_envs.envs.checks import (
    RENDER_MODES,
    check_illegal,
    check_max_steps,
    check_render_mode,
    check_reset_options,
    naming_settings,
)
from domino_envs.games import load_game
from domino_envs.table import Table, action_number

MASK_PLACES = ("observation", "info")

_TOLD = (*SAVED, "agent_selection", "infos")  # what there is to read once a game is begun


class DominoAEC(AECEnv):
    """A domino game for PettingZoo.

    Observations are `{"observation": float32[D], "action_mask": int8[A]}`, fresh arrays every time; the mask of a seat
    that is not to move is all zeros. Every seat can be observed at any time after the first reset, also after the end.

    Args:
        name: a game, as `"all_fives"` or `"all_fives_v0"`.
        num_players: seats.
        mask_in: `"observation"`, or `"info"` for a plain observation `float32[D]` with the mask in `infos[agent]`.
        illegal: `"raise"` refuses an illegal action with a ValueError and changes nothing; `"forfeit"` ends the game:
            -1 for the offender's side, the other sides share +1.
        max_steps: moves after which all seats are truncated; None never.
        render_mode: None, `"ansi"` (`render` returns text) or `"human"` (reset and every step print it).
        pov: the seat whose knowledge is rendered; None renders everything.
        rules: the game's options.
    """

    def __init__(
        self,
        name: str,
        num_players: int = 2,
        *,
        mask_in: str = "observation",
        illegal: str = "raise",
        max_steps: int | None = None,
        render_mode: str | None = None,
        pov: int | None = None,
        **rules: Any,
    ):
        super().__init__()
        with naming_settings(DominoAEC):
            self.game = load_game(name, num_players, **rules)
        if mask_in not in MASK_PLACES:
            raise ValueError(f"mask_in must be one of {MASK_PLACES}, got {mask_in!r}")
        self.mask_in, self.illegal, self.max_steps = mask_in, check_illegal(illegal), check_max_steps(max_steps)
        self.render_mode, self.pov = check_render(render_mode, pov, self.game.num_players)
        self.metadata = {
            "name": self.game.id,
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
            "is_parallelizable": False,  # seats move in turn: `turn_based_aec_to_parallel`, not `aec_to_parallel`
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.num_players)]
        self.agents = self.possible_agents[:]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._table = Table(self.game)
        self._started = False
        self._make_spaces()

    def _make_spaces(self) -> None:
        game, agents = self.game, self.possible_agents
        self._action_spaces = {agent: spaces.Discrete(game.num_actions) for agent in agents}
        self._observation_spaces = {agent: self._new_observation_space() for agent in agents}
        hidden = np.zeros_like(_drawing_order(self._table.states))
        low = np.concatenate([*[game.observation_low] * game.num_players, hidden])
        high = np.concatenate([*[game.observation_high] * game.num_players, hidden + 1])
        self.state_space = spaces.Box(low, high, dtype=np.float32)

    def _new_observation_space(self) -> spaces.Space:
        box = spaces.Box(self.game.observation_low, self.game.observation_high, dtype=np.float32)
        if self.mask_in == "info":
            return box
        return spaces.Dict({"observation": box, "action_mask": spaces.Box(0, 1, (self.game.num_actions,), np.int8)})

    def observation_space(self, agent: str) -> spaces.Space:
        """Returns the space of an agent's observations, the same object each time."""
        self._seat(agent)
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Returns the space of an agent's actions, the same object each time."""
        self._seat(agent)
        return self._action_spaces[agent]

    def _seat(self, agent: str) -> int:
        try:
            return self._seats[agent]
        except (KeyError, TypeError):
            raise ValueError(f"no agent {agent!r}; the agents are {', '.join(self.possible_agents)}") from None

    def __getattr__(self, name: str) -> Any:
        if name in _TOLD:
            raise AttributeError(f"call reset() before reading {name}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _check_started(self, method: str) -> None:
        if not self._started:
            raise RuntimeError(f"call reset() before {method}()")

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Starts a game: of `seed`, or the next one of the environment's stream.

        There are no reset options: `options` is there for PettingZoo's own tests, which pass an invented one.
        """
        check_reset_options(options, None)
        self._table.reset(seed)
        self._started = True
        self._steps = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._take_up()
        self._show()

    def _take_up(self) -> None:
        """Sets all that follows from the table and from what is saved beside it: who is to move or to retire, and infos."""
        self.agent_selection, self._skip_agent_selection = self.possible_agents[self._table.player], None
        self._deads_step_first()
        self.infos = {agent: {} for agent in self.agents}
        self._tell_masks()

    def step(self, action: Any) -> None:
        """Plays an action of `agent_selection`; for a seat whose game is over, None retires it.

        Raises:
            RuntimeError: before the first reset, or after all seats are retired.
            TypeError: an action that is no integer.
            ValueError: a number out of range; an illegal action under `illegal="raise"`; an action after the end. Names
                agent, action and what was legal.
        """
        if not self._started or not self.agents:
            raise RuntimeError("the game is over: call reset()" if self._started else "call reset() before step()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._retire(agent, action)
            return
        number = self._number(action)
        if self._table.action_mask[number]:
            player, done, paid = self._table.play(number)
        elif self.illegal == "forfeit":
            player, done, paid = self._table.forfeit()
        else:
            raise ValueError(self._table.explain_illegal(number))
        self._steps += 1
        self._pay(agent, paid)
        self.agent_selection = self.possible_agents[player]
        if done or self._steps == self.max_steps:
            self._end(self.terminations if done else self.truncations)
        self._tell_masks()
        self._show()

    def _number(self, action: Any) -> int:
        """Returns an action as an int; raises unless it is the number of an action, legal or not."""
        try:
            number = action_number(action)
        except TypeError as error:
            raise TypeError(f"{error} by {self.agent_selection}") from None
        if not 0 <= number < self.game.num_actions:
            raise ValueError(self._table.explain_illegal(number))
        return number

    def _retire(self, agent: str, action: Any) -> None:
        if action is not None:
            raise ValueError(f"the game is over for {agent}: the only legal action is None, got {action!r}")
        self._was_dead_step(None)

    def _pay(self, agent: str, paid: bool) -> None:
        self._cumulative_rewards[agent] = 0.0
        if paid:
            self.rewards = dict(zip(self.agents, self._table.rewards.tolist(), strict=True))
            self._accumulate_rewards()
        else:
            self.rewards = dict.fromkeys(self.agents, 0.0)

    def _end(self, flags: dict[str, bool]) -> None:
        """Ends the game for all seats together; they are then retired one by one."""
        for agent in self.agents:
            flags[agent] = True
        self._deads_step_first()

    def _tell_masks(self) -> None:
        if self.mask_in == "info":
            self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}

    def _mask(self, agent: str) -> np.ndarray:
        """Returns `int8[A]`: what an agent may play now, nothing where it is not to move or its game is over."""
        if agent != self.agent_selection or self.terminations.get(agent, True) or self.truncations[agent]:
            return np.zeros(self.game.num_actions, np.int8)
        return self._table.action_mask.copy()

    def observe(self, agent: str) -> Any:
        """Returns what an agent may know, in fresh arrays."""
        self._check_started("observe")
        observation = self._table.observation(self._seat(agent))
        if self.mask_in == "info":
            return observation
        return {"observation": observation, "action_mask": self._mask(agent)}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict]:
        """Returns observation, reward since its last step, ends and info of `agent_selection`."""
        if not self._started or not self.agents:
            raise RuntimeError("the game is over: call reset()" if self._started else "call reset() before last()")
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def state(self) -> np.ndarray:
        """Returns the privileged view, `float32[P * D + T]`: every seat's observation, then the boneyard in drawing order.

        A tile of the boneyard is its number plus one, as a share of the set; 0 where no tile is left.
        """
        self._check_started("state")
        views = [self._table.observation(seat) for seat in range(self.game.num_players)]
        return np.concatenate([*views, _drawing_order(self._table.states)])

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Returns the table as text, or prints it with `render_mode="human"`; warns without a render mode."""
        if self.render_mode is None:
            warnings.warn("render() does nothing without a render_mode: make the environment with one", stacklevel=2)
            return None
        self._check_started("render")
        from domino_envs.render.text import show

        return show(self._table, self.pov, self.render_mode)

    def close(self) -> None:
        """Releases nothing: there is nothing to release."""

    def get_state(self) -> dict[str, Any]:
        """Returns the whole environment: the table with its randomness, the agents, what was paid, the steps so far."""
        self._check_started("get_state")
        return {"table": self._table.get_state(), **{name: _copied(getattr(self, name)) for name in SAVED}}

    def set_state(self, state: dict[str, Any]) -> None:
        """Puts back what `get_state` returned at an environment of an equal game.

        Raises:
            ValueError: naming the entry that is missing, unknown or damaged, or does not fit the others; nothing has changed.
        """
        if not isinstance(state, dict) or state.keys() != {"table", *SAVED}:
            got = list(state) if isinstance(state, dict) else repr(state)[:200]
            raise ValueError(f"a state must be a dict from get_state with the keys {['table', *SAVED]}, got {got}")
        table = self._table.clone()
        try:
            table.set_state(state["table"])
        except (TypeError, ValueError) as error:
            raise ValueError(f"table of a state: {error}") from None
        saved = check_saved(state, self.possible_agents, table.done, self.max_steps)
        self.__dict__.update(saved)
        self._table, self._started = table, True
        self._take_up()

    def __copy__(self) -> "DominoAEC":
        return self.clone()

    def clone(self) -> "DominoAEC":
        """Returns an equal environment that shares no game with this one; it shares the spaces, which never change."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._table = self._table.clone()
        for name in SAVED if self._started else ("agents",):
            setattr(twin, name, _copied(getattr(self, name)))
        if self._started:
            twin._take_up()
        return twin


def _drawing_order(states: np.ndarray) -> np.ndarray:
    """Returns `float32[T]`: the boneyard of a table, the next tile first; see `DominoAEC.state`."""
    boneyard, size = states["boneyard"][0], int(states["boneyard_size"][0])
    order = np.zeros(len(boneyard), np.float32)
    order[:size] = (boneyard[:size][::-1].astype(np.float32) + 1) / len(boneyard)  # NumPy 1 would add int8 in float16
    return order


def _copied(value: Any) -> Any:
    return value.copy() if isinstance(value, (dict, list)) else value


def check_render(render_mode: Any, pov: Any, num_players: int) -> tuple[str | None, int | None]:
    """Returns a render mode and point of view; raises TypeError or ValueError unless both are known."""
    seat = None if pov is None else check_integer("pov", pov, 0, num_players - 1, " or None")
    return check_render_mode(render_mode), seat


def make_aec(name: str, num_players: int = 2, **settings: Any) -> DominoAEC:
    """Returns a game as a PettingZoo AEC environment; the settings and the game's options are those of `DominoAEC`."""
    return DominoAEC(name, num_players, **settings)
