"""The stable-baselines3 face of the batch: a `VecEnv` with one learning seat a table, and action masks."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from domino_envs.envs.learner_face import LearnerBatch, learner_spaces
from domino_envs.envs.learning_tables import LearningTables
from domino_envs.seeding import check_seed


class DominoVecEnv(LearnerBatch, VecEnv):
    """Many tables with one learner each, for stable-baselines3 and sb3-contrib.

    `env_method("action_masks")` returns all masks as one `bool[N, A]` array. A table whose game ends is dealt anew in the
    same step; `infos[row]` then holds `"terminal_observation"`, `"TimeLimit.truncated"`, and `"scores"` by seat. All
    arrays are fresh.

    Args:
        name: a game, as `"all_fives"` or `"all_fives_v0"`.
        num_envs: the number `N` of tables.
        num_players: seats at each.
        settings: those of `LearningTables`; the learner's seat rotates by default.
    """

    render_mode = None

    def __init__(self, name: str, num_envs: int, num_players: int = 2, **settings: Any):
        self._tables = LearningTables(name, num_envs, num_players, **settings)
        self.game = self._tables.game
        super().__init__(self._tables.num_envs, *learner_spaces(self.game))
        self._rng = np.random.default_rng()
        self._seed: int | None = None
        self._actions: Any = None

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Keeps a seed for the next reset, where row *i* gets the game of the *i*-th child of its `SeedSequence`."""
        self._seed = None if seed is None else check_seed(seed)
        return [self._seed] * self.num_envs

    def reset(self) -> np.ndarray:
        """Starts a game at every table: of the seed kept by `seed`, or the next one."""
        seed, self._seed, self._actions = self._seed, None, None
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._tables.reset(seed, self._rng)
        self._reset_options()
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return self._tables.now.observations.copy()

    def step_async(self, actions: np.ndarray) -> None:
        """Keeps the learners' `actions[N]` for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict]]:
        """Plays the learners' actions, then the others' until the learners' next decisions."""
        actions, self._actions = self._actions, None
        step = self._tables.step(actions, self._rng)
        infos: list[dict] = [{} for _ in range(self.num_envs)]
        ended = step.terminated | step.truncated
        for row in np.flatnonzero(ended):
            infos[row] = {
                "terminal_observation": step.final_observations[row].copy(),
                "TimeLimit.truncated": bool(step.truncated[row]),
                "scores": step.final_scores[row].copy(),
            }
        return self._tables.now.observations.copy(), step.rewards.copy(), ended, infos

    def action_masks(self) -> np.ndarray:
        """Returns all masks, `bool[N, A]`."""
        return self._tables.now.action_mask.astype(np.bool_)

    def close(self) -> None:
        """Ends the threads of the batch."""
        self._tables.batch.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Returns an attribute once for every chosen row, its own seat for `"seat"`."""
        rows = list(self._get_indices(indices))
        if attr_name == "seat":
            return self.seats[rows].tolist()
        return [getattr(self, attr_name)] * len(rows)

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets an attribute of all rows; they cannot differ."""
        if len(set(self._get_indices(indices))) != self.num_envs:
            raise ValueError(f"{attr_name} belongs to all rows together, and cannot be set at {indices!r} alone")
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> Any:
        """Returns `bool[n, A]` of the chosen rows for `"action_masks"`; rows have no other method."""
        if method_name != "action_masks":
            raise AttributeError(f"the tables of a batch have no method {method_name!r}; they have action_masks")
        return self.action_masks()[list(self._get_indices(indices))]

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Tells that no row is wrapped."""
        return [False for _ in self._get_indices(indices)]


def make_sb3(name: str, num_envs: int, num_players: int = 2, **settings: Any) -> DominoVecEnv:
    """Returns a batch as an SB3 `VecEnv`; the settings are those of `DominoVecEnv`."""
    return DominoVecEnv(name, num_envs, num_players, **settings)
