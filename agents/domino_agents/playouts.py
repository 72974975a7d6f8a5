"""Playouts: a table played on to the end of its hand, and what the hand gave each side.

A search values a hand by its points, the mover's side against the mean of the others. In a match that is not all: near
the target a point more may mean nothing, or everything. Points are what every game has, and what leads to the target.
"""

from typing import Any, NamedTuple

import numpy as np

from domino_agents.greedy import new_room
from domino_agents.policies import choose_action
from domino_agents.random_agent import Dice
from domino_agents.rule import new_weigher
from domino_agents.weighing import hand_is_over
from domino_envs.core import game as dispatch
from domino_envs.core.game import Game
from domino_envs.core.integers import check_integer
from domino_envs.core.jit import njit

MOST = 1_000_000  # worlds, iterations or moves: more would not fit into memory
POLICIES = {"random": lambda game: Dice(), "greedy": new_room, "rule": new_weigher}  # and what each works in


class Playout(NamedTuple):
    """How to play out, and the room to do it in."""

    policy: Any  # what its player works in (`domino_agents.policies`)
    max_moves: int
    mask: np.ndarray  # int8[A], of the player to move


def new_playout(game: Game, policy: str, max_moves: int | None = None) -> Playout:
    """Returns a way to play out a game.

    Args:
        policy: `"random"`, `"greedy"` or `"rule"`, for all seats.
        max_moves: after which a playout stops, and the points so far count; None plays to the end of the hand.

    Raises:
        TypeError: `max_moves` is no integer.
        ValueError: no such policy, or `max_moves` is not positive.
    """
    if not isinstance(policy, str) or policy not in POLICIES:
        raise ValueError(f"a playout policy must be one of {', '.join(POLICIES)}, got {policy!r}")
    moves = game.max_hand_length if max_moves is None else check_budget("max_moves", max_moves)
    return Playout(POLICIES[policy](game), moves, np.zeros(game.num_actions, np.int8))


def check_budget(name: str, value: Any) -> int:
    """Returns a positive integer of at most `MOST` as an int; raises TypeError or ValueError."""
    number = check_integer(name, value, 1)
    if number > MOST:
        raise ValueError(f"{name} must be at most {MOST}, got {value!r}")
    return number


def search_words(playout: str, default: str, infer: bool, max_moves: int | None) -> str:
    """Returns the end of a search's name that tells how it imagines worlds and plays them out, where not its default way."""
    words = "" if playout == default else f"-{playout}"
    return words + ("-infer" if infer else "") + ("" if max_moves is None else f"-{max_moves}moves")


@njit
def play_out(state, rules, playout, hands_played, moves):
    """Plays on to the end of the hand or until `max_moves`, `moves` made before included; returns the moves then made."""
    while moves < playout.max_moves and not hand_is_over(state, hands_played):
        dispatch.legal_actions(state, rules, playout.mask)
        dispatch.step(state, rules, choose_action(state, rules, playout.mask, playout.policy))
        moves += 1
    return moves
