"""The Gymnasium face: one learning seat, the other seats played by agents."""

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces

from domino_envs.envs.aec import RENDER_MODES, check_render
from domino_envs.envs.learner import LearnerTables
from domino_envs.table import Table, action_number


class DominoEnv(gym.Env):
    """A domino game for one learner.

    The observation is `float32[D]` of the learner's seat; `info["action_mask"]` is `int8[A]` and `action_masks()` the
    same as `bool[A]`. Reward and end are the learner's own, with all that is paid while the others play.

    Args:
        name: a game, as `"all_fives"` or `"all_fives_v0"`.
        num_players: seats.
        opponents: None for uniformly random legal play, an agent for all other seats, or one for each in turn order.
        seat: the learner's seat, or `"rotate"` for the next one with every episode.
        illegal: `"forfeit"` ends the game at -1 for the learner; `"raise"` raises ValueError and changes nothing.
        render_mode: None or `"ansi"`: the table as the learner sees it.
        settings: `max_steps`, `skip_forced`, and the game's options.
    """

    def __init__(
        self,
        name: str,
        num_players: int = 2,
        *,
        opponents: Any = None,
        seat: int | str = 0,
        illegal: str = "forfeit",
        render_mode: str | None = None,
        **settings: Any,
    ):
        self._learner = LearnerTables(name, 1, num_players, opponents=opponents, seat=seat, illegal=illegal, **settings)
        self.game = self._learner.game
        self.render_mode, _ = check_render(render_mode, None, self.game.num_players)
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}
        self.observation_space = spaces.Box(self.game.observation_low, self.game.observation_high, dtype=np.float32)
        self.action_space = spaces.Discrete(self.game.num_actions)
        self._mask = np.zeros(self.game.num_actions, np.int8)
        self._over = True

    @property
    def seat(self) -> int:
        """The learner's seat in this episode."""
        return int(self._learner.seats[0])

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        """Starts a game and plays it to the learner's first decision. There are no reset options."""
        super().reset(seed=seed)
        observations, masks = self._learner.reset(None if seed is None else [seed])
        self._mask, self._over = masks[0], False
        return observations[0], self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict]:
        """Plays the learner's action and the others' until the learner's next decision, or the end."""
        if self._over:
            raise RuntimeError("call reset() before step(): no game is being played")
        step = self._learner.step(np.array([action_number(action)], np.int64))
        terminated, truncated = bool(step.terminated[0]), bool(step.truncated[0])
        self._over = terminated or truncated
        self._mask = np.zeros_like(self._mask) if self._over else step.action_mask[0]
        observation = step.final_observations[0] if self._over else step.observations[0]
        return observation, float(step.rewards[0]), terminated, truncated, self._info()

    def _info(self) -> dict[str, np.ndarray]:
        return {"action_mask": self._mask.copy()}

    def action_masks(self) -> np.ndarray:
        """Returns the legal actions, `bool[A]`, as sb3-contrib asks for them."""
        return self._mask.astype(np.bool_)

    def render(self) -> str | None:
        """Returns the table as the learner sees it, as text."""
        if self.render_mode is None:
            gym.logger.warn("render() does nothing without a render_mode: make the environment with render_mode='ansi'")
            return None
        if self._over:
            raise RuntimeError("call reset() before render(): no game is being played")
        from domino_envs.render.text import render_text

        table = Table(self.game)
        table.set_state(self._learner.tables.states[:1].tobytes())
        return render_text(table, self.seat)


def make_env(name: str, num_players: int = 2, **settings: Any) -> DominoEnv:
    """Returns a game as a Gymnasium environment; the settings and the game's options are those of `DominoEnv`."""
    return DominoEnv(name, num_players, **settings)
