"""How compiled code asks a simple player for a move: random, greedy or the rule player.

What such a player works in is a named tuple, and its class stands in the module that defines the player's `choose_action`.
Numba finds that function by the type, as it finds those of a game (`domino_envs.core.game`).
"""

import sys
from collections.abc import Callable
from typing import NamedTuple

from numba.extending import overload

from domino_envs.core.jit import INNER, entry


def _function_of(kind: type[NamedTuple]) -> Callable:
    return sys.modules[kind.__module__].choose_action


def choose_action(state, rules, mask, policy):
    """Returns a legal action of the player to move; `policy` is what its player works in."""
    return _function_of(type(policy))(state, rules, mask, policy)


@overload(choose_action, jit_options=INNER)
def _choose_action(state, rules, mask, policy):
    return _function_of(policy.instance_class).py_func


@entry
def choose_actions(tables, rules, action_mask, policy, actions):
    """Writes the action of every table into `actions[B]`."""
    for row in range(len(tables)):
        actions[row] = choose_action(tables[row], rules, action_mask[row], policy)
