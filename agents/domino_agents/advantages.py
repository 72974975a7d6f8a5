"""Generalised advantage estimates over each seat's own decisions.

In a rollout of `T` steps of `N` tables, step `t` of a row is a decision of one seat, `players[t]`; the seats take turns in
any order, and a step pays every seat. What a seat's decision led to is all that the seat was paid from that step up to its
next decision in the row, and the value there:

    delta = (rewards from this decision to the seat's next) + gamma * V(next own decision) - V(this decision)
    advantage = delta + gamma * lam * advantage(next own decision)

An episode's end leaves no next decision: value and advantage 0. At the rollout's end the seat to move has a next decision,
whose value bootstraps. The other seats do not: what their last decision leads to is not seen yet, so it is marked as not
known, and left out of the update; its value still bootstraps the seat's decision before it.

Source: Schulman et al., "High-dimensional continuous control using generalized advantage estimation", 2016; by seat as in
self-play on turn-based games.
"""

import numpy as np

from domino_envs.core.jit import entry


@entry
def advantages_by_seat(rewards, ended, players, values, last_player, last_value, gamma, lam, scratch, advantages, known):
    """Writes `advantages[T, N]` and `known[T, N]`.

    Args:
        rewards: `[T, N, P]`, of all seats; `ended[T, N]`: the step ended its episode.
        players: `[T, N]`, who decided; `values[T, N]`: the value of the decision to who decided.
        last_player: `[N]`, who is to move after the rollout; `last_value[N]`.
        scratch: float32 `[3, P]`, one row's work.
    """
    steps, rows, seats = rewards.shape
    paid, next_value, next_advantage = scratch[0], scratch[1], scratch[2]
    for row in range(rows):
        unknown = (1 << seats) - 1 - (1 << np.int64(last_player[row]))  # seats whose next decision was not seen, as bits
        for seat in range(seats):
            paid[seat] = next_value[seat] = next_advantage[seat] = 0.0
        next_value[last_player[row]] = last_value[row]
        for t in range(steps - 1, -1, -1):
            if ended[t, row]:
                unknown = 0
                for seat in range(seats):
                    paid[seat] = next_value[seat] = next_advantage[seat] = 0.0
            for seat in range(seats):
                paid[seat] += rewards[t, row, seat]
            mover = np.int64(players[t, row])
            known[t, row] = (unknown >> mover) & 1 == 0
            advantage = paid[mover] + gamma * (next_value[mover] + lam * next_advantage[mover]) - values[t, row]
            if not known[t, row]:
                advantage = 0.0
            advantages[t, row] = advantage
            unknown &= ~(1 << mover)
            next_value[mover], next_advantage[mover], paid[mover] = values[t, row], advantage, 0.0
