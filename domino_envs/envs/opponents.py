"""Agents, and how they are asked.

An agent is `act(observations[B, D], action_mask[B, A], rng) -> actions[B]`, with `rng` a `np.random.Generator`. One with
`needs_tables = True` also gets `tables=`, the `B` states with all that the seat to move cannot see dealt anew; one with
`privileged = True` gets copies of the true ones. One with `reset(rows)` remembers: it is told which of the `N` tables start a
new game, and gets `rows=`, which of them it is asked about, both `int64[B]`.
"""

from typing import Any

import numpy as np

from domino_envs import engine
from domino_envs.core.batch import BatchStep
from domino_envs.core.game import Game
from domino_envs.core.state import copy_rows


def ask_agent(agent: Any, game: Game, states: np.ndarray, last: BatchStep, rows: np.ndarray, rng: np.random.Generator) -> Any:
    """Returns what an agent answers in some rows of a batch, unchecked; what it is given are copies.

    Args:
        states: the tables of all rows; agents that need them get those of `rows`, as they may see them.
        last: what the batch's last step returned.
        rng: what the agent draws from.
    """
    extra = {}
    if getattr(agent, "needs_tables", False) or getattr(agent, "privileged", False):
        extra["tables"] = visible_tables(agent, game, copy_rows(states, rows), last.player[rows], rng)
    if hasattr(agent, "reset"):
        extra["rows"] = rows
    return agent.act(last.observations[rows], last.action_mask[rows], rng, **extra)


def tell_of_new_games(agent: Any, rows: np.ndarray) -> None:
    """Lets an agent that remembers forget what it saw at some tables."""
    if hasattr(agent, "reset"):
        agent.reset(rows)


def visible_tables(agent: Any, game: Game, states: np.ndarray, seats: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Returns states as an agent may see them: as they are if it is privileged, else with what is hidden dealt anew in place.

    Args:
        seats: `int[B]`, whose knowledge is kept.
        rng: gives the seeds of the new deals.
    """
    if not getattr(agent, "privileged", False):
        seeds = rng.integers(0, 2**64, len(states), np.uint64)
        engine.redeal_rows(states, game.rules, seats.astype(np.int64), seeds)
    return states


def check_game(agent: Any, game: Game) -> None:
    """Raises ValueError where an agent has a `game` and it is not the one to be played; the options may differ."""
    own = getattr(agent, "game", None)
    if not isinstance(own, Game):
        return
    if (own.id, own.num_players, own.state_dtype) != (game.id, game.num_players, game.state_dtype):
        raise ValueError(f"{getattr(agent, 'name', agent)} plays {_described(own)}, not {_described(game)}")


def _described(game: Game) -> str:
    return f"{game.id} with {game.num_players} players (states of {game.state_dtype.itemsize} bytes)"


def group_opponents(opponents: Any, game: Game) -> list[tuple[Any, np.ndarray]]:
    """Returns every agent with the turns after the learner, `bool[P]`, that it plays; none plays where nobody is named."""
    several, num_players = isinstance(opponents, (list, tuple)), game.num_players
    agents = list(opponents) if several else [opponents] * (num_players - 1)
    if len(agents) != num_players - 1:
        raise ValueError(f"opponents must be one agent, or a list of {num_players - 1}, got a list of {len(agents)}")
    for agent in agents:
        if agent is not None and not callable(getattr(agent, "act", None)):
            raise TypeError(f"an opponent must have a method act(observations, action_mask, rng), got {agent!r}")
        check_game(agent, game)
    unique = {id(agent): agent for agent in agents if agent is not None}
    return [(agent, np.array([False, *(other is agent for other in agents)])) for agent in unique.values()]
