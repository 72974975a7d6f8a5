"""What the learner-facing faces share beside their tables: the spaces, the agents that can be exchanged, copies."""

import copy
from typing import Any

import numpy as np
from gymnasium import spaces

from domino_envs.core.game import Game
from domino_envs.envs.learning_tables import LearningTables


def learner_spaces(game: Game) -> tuple[spaces.Box, spaces.Discrete]:
    """Returns the spaces of one learner's observations and actions."""
    return spaces.Box(game.observation_low, game.observation_high, dtype=np.float32), spaces.Discrete(game.num_actions)


class LearnerFace:
    """A face of learning tables."""

    _tables: LearningTables

    @property
    def opponents(self) -> Any:
        """The other seats' agents; may be set, also between two steps."""
        return self._tables.opponents

    @opponents.setter
    def opponents(self, opponents: Any) -> None:
        self._tables.opponents = opponents

    @property
    def skipped_episodes(self) -> int:
        """Episodes that ended before a decision of the learner and were dealt again."""
        return self._tables.skipped_episodes

    def __copy__(self) -> "LearnerFace":
        """A shallow copy would share the games."""
        return copy.deepcopy(self)


class LearnerBatch(LearnerFace):
    """A face of many."""

    @property
    def seats(self) -> np.ndarray:
        """The learners' seats in their present episodes, `int64[N]`."""
        return self._tables.learners.seats.astype(np.int64)
