"""Greedy play: score most in this turn; then shed the heaviest tile, or, in the capture games, take the most tiles.

It plays every legal action on a copy of its table with the game's own `step`, and on to the end of the turn where that takes
more decisions (the partner of a captured tile, a claim), so it knows any game. Its table is one that a player could
imagine: what the seat cannot see was dealt anew. The points of going out depend on that deal, as a player's guess at them
would.
"""

from typing import NamedTuple

import numpy as np

from domino_agents.policies import choose_actions
from domino_agents.weighing import best_action, hand_is_over
from domino_envs.core import game as dispatch
from domino_envs.core.capture import layout_size
from domino_envs.core.game import Game
from domino_envs.core.jit import njit
from domino_envs.core.sampling import count_legal, only_action
from domino_envs.core.tiles import hand_pips

_POINT = 10_000.0  # in pips or tiles: more than any hand holds, so that points come first
_DEPTH = 4  # decisions of a turn that are looked at: two picks of a claim, a tile, its partner


class Room(NamedTuple):
    """What a turn is tried in."""

    tables: np.ndarray  # records[_DEPTH], after each decision
    masks: np.ndarray  # int8[_DEPTH, A], of the next one
    tried: np.ndarray  # int64[_DEPTH], the action of it under trial
    worths: np.ndarray  # float64[A], of every action's turn
    lots: np.ndarray  # records[1], whose stream decides by lot
    line: bool  # whether what is left in hand counts, in pips, as where a hand can be blocked, or in the layout, in tiles


def new_room(game: Game) -> Room:
    """Returns room to try the turns of a game in."""
    masks, tried = np.zeros((_DEPTH, game.num_actions), np.int8), np.zeros(_DEPTH, np.int64)
    worths, line = np.zeros(game.num_actions), "line_length" in game.state_dtype.names
    return Room(game.new_states(_DEPTH), masks, tried, worths, game.new_states(1), line)


@njit
def _worth(state, before, rules, seat, line):
    """Returns what a turn gained: points first, then the more, the less it left."""
    side = seat % rules.num_sides
    gained = state.scores[side] - before.scores[side]
    if not line:
        left = layout_size(state)
    else:
        left = 0 if hand_is_over(state, before.hands_played) else hand_pips(state, seat)  # all is shed with the hand
    return gained * _POINT - left


@njit
def _next_action(mask, action):
    """Returns the first legal action after `action`, or -1."""
    for other in range(action + 1, len(mask)):
        if mask[other]:
            return other
    return -1


@njit
def _best_of_turn(before, rules, room):
    """Returns the most that the turn can gain from `room.tables[0]` on, where its first action was played."""
    seat, best, depth = before.player, -np.inf, 0
    room.tried[0] = -1
    while depth >= 0:
        table = room.tables[depth]
        goes_on = table.player == seat and not hand_is_over(table, before.hands_played) and depth + 1 < len(room.tables)
        if not goes_on:
            best = max(best, _worth(table, before, rules, seat, room.line))
            depth -= 1
            continue
        if room.tried[depth] < 0:
            dispatch.legal_actions(table, rules, room.masks[depth])
        room.tried[depth] = _next_action(room.masks[depth], room.tried[depth])
        if room.tried[depth] < 0:
            depth -= 1
            continue
        room.tables[depth + 1] = table
        dispatch.step(room.tables[depth + 1], rules, room.tried[depth])
        depth += 1
        room.tried[depth] = -1
    return best


@njit
def choose_action(state, rules, mask, policy):
    """Returns the best legal action by what its turn is worth.

    Of those that are level, the lowest number in the line games; by lot in the capture games, where most turns are level and
    low numbers would be a strength of their own. The lot is the state's stream's, which stays as it is.
    """
    if count_legal(mask) == 1:
        return only_action(mask)
    for action in range(len(mask)):
        if mask[action]:
            policy.tables[0] = state
            dispatch.step(policy.tables[0], rules, action)
            policy.worths[action] = _best_of_turn(state, rules, policy)
        else:
            policy.worths[action] = -np.inf
    return np.argmax(policy.worths) if policy.line else best_action(mask, policy.worths, state, policy.lots)


class GreedyAgent:
    """Scores most in this turn, then sheds the heaviest tile; see the module."""

    name = "greedy"
    needs_tables = True

    def __init__(self, game: Game):
        self.game = game
        self._room = new_room(game)

    def act(
        self, observations: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator, *, tables: np.ndarray
    ) -> np.ndarray:
        """Returns `actions[B]`; `tables[B]` have been through `redeal_hidden` for the seat to move."""
        actions = np.zeros(len(tables), np.int64)
        choose_actions(tables, self.game.rules, np.ascontiguousarray(action_mask), self._room, actions)
        return actions
