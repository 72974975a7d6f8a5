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

_OUT = 1_000  # more than any hand's pips: a move that ends the hand sheds all


@njit
def _worth(state, before, rules, seat):
    """Returns what a move gained: points first, then pips shed."""
    side = seat % rules.num_sides
    gained = state.scores[side] - before.scores[side]
    if state.done or state.history_size == 0:
        return gained * 10_000 + _OUT
    return gained * 10_000 + hand_pips(before, seat) - hand_pips(state, seat)


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
            worth = float(_worth(scratch[0], tables[row], rules, seat))
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
