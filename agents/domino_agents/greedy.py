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
from domino_envs.engine import count_legal, only_action

_POINT = 10_000.0  # in pips: more than any hand holds, so that points come first


@njit
def hand_is_over(state, hands_played):
    """Tells whether the hand before whose start `hands_played` were over has ended; the next one may have been dealt."""
    return state.done == 1 or state.hands_played != hands_played


@njit
def _worth(state, before, rules, seat):
    """Returns what a move gained: points first, then pips shed; less than nothing for a tile drawn."""
    side = seat % rules.num_sides
    gained = state.scores[side] - before.scores[side]
    left = 0 if hand_is_over(state, before.hands_played) else hand_pips(state, seat)  # all is shed with the hand
    return gained * _POINT + hand_pips(before, seat) - left


@njit
def greedy_action(state, rules, mask, scratch):
    """Returns the best legal action by its worth, the lowest number of those that are level; `scratch` is a table's room."""
    if count_legal(mask) == 1:
        return only_action(mask)
    best, chosen = -np.inf, -1
    for action in range(len(mask)):
        if mask[action]:
            scratch[0] = state
            dispatch.step(scratch[0], rules, action)
            worth = _worth(scratch[0], state, rules, state.player)
            if worth > best:
                best, chosen = worth, action
    return chosen


@entry
def _choose(tables, rules, action_mask, scratch, actions):
    for row in range(len(tables)):
        actions[row] = greedy_action(tables[row], rules, action_mask[row], scratch)


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
