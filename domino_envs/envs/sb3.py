"""The stable-baselines3 face of the batch: a `VecEnv` with one learning seat a row, and action masks."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from domino_envs.envs.learner import LearnerTables


class DominoVecEnv(VecEnv):
    """Many tables with one learner each, for stable-baselines3 and sb3-contrib.

    `env_method("action_masks")` returns all masks as one `bool[N, A]` array. Ended games are dealt anew in the same
    step; `infos[i]["terminal_observation"]` holds the learner's last view.

    Args:
        settings: those of `LearnerTables`; the learner's seat rotates by default.
    """

    def __init__(self, name: str, num_envs: int, num_players: int = 2, **settings: Any):
        self._learner = LearnerTables(name, num_envs, num_players, **{"seat": "rotate", **settings})
        self.game = self._learner.game
        self.render_mode = None
        space = spaces.Box(self.game.observation_low, self.game.observation_high, dtype=np.float32)
        super().__init__(self._learner.num_envs, space, spaces.Discrete(self.game.num_actions))
        self._mask = np.zeros((self.num_envs, self.game.num_actions), np.int8)
        self._seed: int | None = None
        self._actions: Any = None

    def seed(self, seed: int | None = None) -> Sequence[None | int]:
        """Keeps a seed for the next reset; row *i* then plays the game of the seed's *i*-th child."""
        self._seed = seed
        return [seed] * self.num_envs

    def reset(self) -> np.ndarray:
        """Starts a game at every table."""
        observations, self._mask = self._learner.reset(self._seed)
        self._seed = None
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        """Keeps the learners' actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict]]:
        """Plays the learners' actions and the others' until the learners' next decisions."""
        step = self._learner.step(self._actions)
        self._mask = step.action_mask
        ended = step.terminated | step.truncated
        infos: list[dict] = [{"TimeLimit.truncated": bool(cut)} for cut in step.truncated & ~step.terminated]
        for row in np.flatnonzero(ended):
            infos[row]["terminal_observation"] = step.final_observations[row]
            infos[row]["final_scores"] = step.final_scores[row]
        return step.observations, step.rewards, ended, infos

    def action_masks(self) -> np.ndarray:
        """Returns all masks, `bool[N, A]`."""
        return self._mask.astype(np.bool_)

    def close(self) -> None:
        """Ends the threads of the batch."""
        self._learner.tables.close()

    def has_attr(self, attr_name: str) -> bool:
        """Tells whether the tables have an attribute; `action_masks` among them."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Returns an attribute once for every chosen row."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets an attribute of all rows; they cannot differ."""
        if len(list(self._get_indices(indices))) != self.num_envs:
            raise ValueError(f"{attr_name} belongs to all rows together and cannot be set for {indices!r} alone")
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """Calls a method for the chosen rows; `action_masks` gives one array, `bool[n, A]`."""
        if method_name == "action_masks":
            return self.action_masks()[list(self._get_indices(indices))]
        return [getattr(self, method_name)(*args, **kwargs)] * len(list(self._get_indices(indices)))

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Tells that no row is wrapped."""
        return [False for _ in self._get_indices(indices)]


def make_sb3(name: str, num_envs: int, num_players: int = 2, **settings: Any) -> DominoVecEnv:
    """Returns a batch as an SB3 `VecEnv`; the settings and the game's options are those of `LearnerTables`."""
    return DominoVecEnv(name, num_envs, num_players, **settings)
