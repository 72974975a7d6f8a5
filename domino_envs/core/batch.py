"""The arrays that the batched kernels write, and what they are called."""

from typing import NamedTuple

import numpy as np


class Batch(NamedTuple):
    """The arrays of `N` tables that a step writes; `P` seats, `A` actions."""

    observations: np.ndarray  # records[N]
    action_mask: np.ndarray  # int8[N, A]
    player: np.ndarray  # int8[N]
    rewards: np.ndarray  # float32[N, P]
    terminated: np.ndarray  # bool[N]
    truncated: np.ndarray  # bool[N]
    final_scores: np.ndarray  # int32[N, P]
    final_hand_points: np.ndarray  # int32[N, P]
    final_observations: np.ndarray  # records[N, P]
    steps: np.ndarray  # int64[N], moves of the episode so far, forced ones included
    carried: np.ndarray  # float32[N, P], rewards earned before an episode's first decision
    skipped_episodes: np.ndarray  # int64[N], episodes without a decision, dealt again


class BatchStep(NamedTuple):
    """What `reset` and `step` return: `N` rows, `P` seats, `D` features, `A` actions.

    The `final_*` arrays hold the ended episode of a row where `terminated` or `truncated` is set, and are stale in
    other rows. All arrays are overwritten by the next step unless the batch was made with `copy=True`.
    """

    observations: np.ndarray  # float32[N, D], of the row's `player`
    action_mask: np.ndarray  # int8[N, A], of the row's `player`
    player: np.ndarray  # int8[N], the seat to move
    rewards: np.ndarray  # float32[N, P], of this step, all seats
    terminated: np.ndarray  # bool[N]
    truncated: np.ndarray  # bool[N]
    final_scores: np.ndarray  # int32[N, P]
    final_hand_points: np.ndarray  # int32[N, P]
    final_observations: np.ndarray  # float32[N, P, D], every seat's


class Learners(NamedTuple):
    """The learning seats of `N` tables, and what the last step brought them; the next step overwrites it."""

    seats: np.ndarray  # int8[N]
    rewards: np.ndarray  # float32[N], all that the seat was paid since its last decision
    terminated: np.ndarray  # bool[N]
    truncated: np.ndarray  # bool[N]
    final_observations: np.ndarray  # float32[N, D], the seat's last view of an ended episode; stale in other rows
    final_scores: np.ndarray  # int32[N, P], by seat, likewise
    actions: np.ndarray  # int64[N], the next move of every table, or `WAIT`
    opening: np.ndarray  # bool[N], the learner has not decided anything yet in this episode
    carried: np.ndarray  # float32[N], what it was paid all the same: part of its first step
    skipped_episodes: np.ndarray  # int64[N], episodes that ended before a decision and were dealt again
    streams: np.ndarray  # records[N] with a field `rng`, of opponents that play at random
