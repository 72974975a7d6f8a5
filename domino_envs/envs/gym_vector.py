"""The `gymnasium.vector` face of the batch: one learning seat a row, autoreset in the same step."""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from domino_envs.envs.learner import LearnerTables


class DominoVectorEnv(VectorEnv):
    """Many tables with one learner each, as a Gymnasium vector environment.

    `infos["action_mask"]` is `int8[N, A]`. Where games ended, `infos["final_obs"]` holds the learners' last views and
    `infos["final_info"]["scores"]` the final scores by seat, at the rows of `infos["_final_obs"]`. Returned arrays are
    copies.

    Args:
        settings: those of `LearnerTables`; the learner's seat rotates by default.
    """

    def __init__(self, name: str, num_envs: int, num_players: int = 2, **settings: Any):
        self._learner = LearnerTables(name, num_envs, num_players, **{"seat": "rotate", **settings})
        self.game, self.num_envs = self._learner.game, self._learner.num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self.single_observation_space = spaces.Box(self.game.observation_low, self.game.observation_high, dtype=np.float32)
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    @property
    def seats(self) -> np.ndarray:
        """The learners' seats, `int[N]`."""
        return self._learner.seats.copy()

    def reset(self, *, seed: Any = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        """Starts a game at every table; seeds are those of `DominoVec.reset`. There are no reset options."""
        observations, masks = self._learner.reset(seed)
        return observations, self._masks(masks)

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict]:
        """Plays the learners' actions and the others' until the learners' next decisions."""
        step = self._learner.step(actions)
        infos = self._masks(step.action_mask)
        ended = step.terminated | step.truncated
        if ended.any():
            infos["final_obs"], infos["_final_obs"] = step.final_observations, ended
            infos["final_info"] = {"scores": step.final_scores, "_scores": ended.copy()}
            infos["_final_info"] = ended.copy()
        return step.observations, step.rewards, step.terminated, step.truncated, infos

    def _masks(self, masks: np.ndarray) -> dict[str, Any]:
        return {"action_mask": masks, "_action_mask": np.ones(self.num_envs, np.bool_)}


def make_gym_vec(name: str, num_envs: int, num_players: int = 2, **settings: Any) -> DominoVectorEnv:
    """Returns a batch as a Gymnasium vector environment; the settings and the game's options are those of `LearnerTables`."""
    return DominoVectorEnv(name, num_envs, num_players, **settings)
