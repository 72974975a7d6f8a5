"""The `gymnasium.vector` face of the batch: one learning seat a table, autoreset in the same step."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from domino_envs.envs.checks import check_flag, check_reset_options, naming_settings
from domino_envs.envs.learner_face import LearnerBatch, learner_spaces
from domino_envs.envs.learning_tables import LearningTables
from domino_envs.seeding import check_seed, check_seeds


class DominoVectorEnv(LearnerBatch, VectorEnv):
    """Many tables with one learner each, as a Gymnasium vector environment.

    Observations are `float32[N, D]`, rewards `float32[N]`; `infos["action_mask"]` is `int8[N, A]` and `infos["seat"]` the
    learners' seats. A table whose game ends is dealt anew in the same step: `infos["final_obs"]` and
    `infos["final_info"]` (its `scores` are `int32[N, P]`, by seat) belong to the ended game, at the rows of
    `infos["_final_obs"]` and `infos["_final_info"]`.

    Args:
        name: a game, as `"all_fives"` or `"all_fives_v0"`.
        num_envs: the number `N` of tables.
        num_players: seats at each.
        copy: return fresh observations and masks instead of ones that the next step overwrites.
        settings: those of `LearningTables`; the learner's seat rotates by default, where that of `make_env` is 0.
    """

    def __init__(self, name: str, num_envs: int, num_players: int = 2, *, copy: bool = True, **settings: Any):
        self.copy = check_flag("copy", copy)
        with naming_settings(DominoVectorEnv):
            self._tables = LearningTables(name, num_envs, num_players, **settings)
        self.game, self.num_envs = self._tables.game, self._tables.num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self.single_observation_space, self.single_action_space = learner_spaces(self.game)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(self, *, seed: int | Sequence[int] | None = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        """Starts a game at every table, or at those of `options["reset_mask"]`, `bool[N]`.

        Args:
            seed: an integer gives row *i* the game of the *i*-th child of its `SeedSequence`; a list gives every row the
                game of a single environment with that seed; None goes on from each table's stream.
        """
        rows = check_reset_options(options, ("reset_mask",)).get("reset_mask")
        if seed is None:
            rng, known_by = self.np_random, self.np_random_seed
        elif np.ndim(seed) == 0:
            rng, known_by = seeding.np_random(check_seed(seed))
        else:
            rng, known_by = np.random.default_rng(check_seeds(seed, self.num_envs)), -1  # Gymnasium's word for no one seed
        self._tables.reset(seed, rng, rows)
        self._np_random, self._np_random_seed = rng, known_by
        return self._observations(), self._infos()

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict]:
        """Plays the learners' `actions[N]`, then the others' until the learners' next decisions.

        Raises:
            RuntimeError: before the first reset.
            TypeError, ValueError: actions of a wrong type, shape or range, or (under `illegal="raise"`) an illegal one; no
                table has then moved.
        """
        seats = self.seats
        step = self._tables.step(actions, self.np_random)
        infos = self._infos()
        ended = step.terminated | step.truncated
        if ended.any():
            infos |= self._final_infos(ended, seats)
        return self._observations(), step.rewards.copy(), step.terminated.copy(), step.truncated.copy(), infos

    def _observations(self) -> np.ndarray:
        return self._tables.now.observations.copy() if self.copy else self._tables.now.observations

    def _infos(self) -> dict[str, Any]:
        mask = self._tables.now.action_mask.copy() if self.copy else self._tables.now.action_mask
        return {
            "action_mask": mask,
            "_action_mask": np.ones(self.num_envs, np.bool_),
            "seat": self.seats,
            "_seat": np.ones(self.num_envs, np.bool_),
        }

    def _final_infos(self, ended: np.ndarray, seats: np.ndarray) -> dict[str, Any]:
        """Returns what belongs to the ended games, in the form of Gymnasium's own vector environments."""
        learners = self._tables.learners
        views = np.full(self.num_envs, None, object)
        for row in np.flatnonzero(ended):
            views[row] = learners.final_observations[row].copy()
        info = {
            "action_mask": np.zeros((self.num_envs, self.game.num_actions), np.int8),
            "seat": np.where(ended, seats, 0),
            "scores": np.where(ended[:, None], learners.final_scores, 0),
        }
        info |= {f"_{key}": ended.copy() for key in info}
        return {"final_obs": views, "_final_obs": ended.copy(), "final_info": info, "_final_info": ended.copy()}

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads of the batch."""
        self._tables.batch.close()


def make_gym_vec(name: str, num_envs: int, num_players: int = 2, **settings: Any) -> DominoVectorEnv:
    """Returns a batch as a Gymnasium vector environment; the settings are those of `DominoVectorEnv`."""
    return DominoVectorEnv(name, num_envs, num_players, **settings)
