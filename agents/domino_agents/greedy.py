"""Greedy play: score most now, then shed the heaviest tile.

It plays every legal action on a copy of its table with the game's own `step`, so it knows any game. Its table is one
that a player could imagine: what the seat cannot see was dealt anew. The points of going out depend on that deal, as a
player's guess at them would.
"""

import numpy as np

from domino_envs.core import game as dispatch
from domino_envs.core.game import Game
from domino_envs.core.jit import entry, njit
from domino_envs.core.tiles import hand_pips

_POINT = 10_000.0  # in pips: more than any hand holds, so that points come first


@njit
def _worth(state, before, rules, seat):
    """Returns what a move gained: points first, then pips shed; less than nothing for a tile drawn."""
    side = seat % rules.num_sides
    gained = state.scores[side] - before.scores[side]
    hand_is_over = state.done or state.history_size == 0  # and the next one perhaps dealt: all is shed
    left = 0 if hand_is_over else hand_pips(state, seat)
    return gained * _POINT + hand_pips(before, seat) - left


@entry
def _choose(tables, rules, action_mask, scratch, actions):
    """Writes the best action of every table; the lowest number of those that are level."""
    for row in range(len(tables)):
        best, seat = -np.inf, tables[row].player
        for action in range(action_mask.shape[1]):
            if not action_mask[row, action]:
                continue
            scratch[0] = tables[row]
            dispatch.step(scratch[0], rules, action)
            worth = _worth(scratch[0], tables[row], rules, seat)
            if worth > best:
                best, actions[row] = worth, action


class GreedyAgent:
    """Scores most now, then sheds the heaviest tile; see the module."""

    name = "greedy"
    needs_tables = True

    def __init__(self, game: Game):
        self.game = game
        self._scratch = game.new_states(1)

    def act(
        self, observations: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator, *, tables: np.ndarray
    ) -> np.ndarray:
        """Returns `actions[B]`; `tables[B]` have been through `redeal_hidden` for the seat to move."""
        actions = np.zeros(len(tables), np.int64)
        _choose(tables, self.game.rules, np.ascontiguousarray(action_mask), self._scratch, actions)
        return actions
