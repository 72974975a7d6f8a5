"""Measures the searching agents: time for a decision, and playout moves a second and core inside the tree search.

    python benchmarks/search.py

Times are the processor's, of this process alone, so that a busy machine does not lengthen them.
"""

import time
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from domino_agents.loading import load_agent
from domino_envs import game_names, load_game
from domino_envs.core.game import Game
from domino_envs.testing import random_positions

AGENTS = ["pimc-100", "ismcts-500", "ismcts-2000"]
GAMES = 6  # random games whose decisions are searched


def decisions(game: Game) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns observations, masks and tables of the decisions with a choice in some random hands."""
    found = [table.clone() for table in random_positions(game, GAMES, seed=0) if table.action_mask.sum() > 1]
    views = np.stack([table.observation(table.player) for table in found])
    masks = np.stack([table.action_mask for table in found])
    return views, masks, np.concatenate([table.states for table in found])


def measure(agent: Any, views: np.ndarray, masks: np.ndarray, tables: np.ndarray) -> tuple[float, float | None]:
    """Returns milliseconds a decision, and moves a second where the agent counts them."""
    agent.act(views[:1], masks[:1], np.random.default_rng(0), tables=tables[:1])  # compiles
    before = moves_of(agent)
    start = time.process_time()
    agent.act(views, masks, np.random.default_rng(0), tables=tables)
    seconds = time.process_time() - start
    return 1_000 * seconds / len(views), None if before is None else (moves_of(agent) - before) / seconds


def moves_of(agent: Any) -> int | None:
    """Returns the moves that an agent's searches have made so far."""
    return int(agent.tree.counts["moves"][0]) if hasattr(agent, "tree") else None


def main() -> None:
    """Measures every agent in every game for two players."""
    table = Table("game", "agent", "ms a decision", "moves/s")
    for name in game_names():
        game = load_game(name, 2, max_hands=1)
        batch = decisions(game)
        for agent in AGENTS:
            milliseconds, rate = measure(load_agent(agent, game), *batch)
            table.add_row(name, agent, f"{milliseconds:.2f}", "" if rate is None else f"{rate:,.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
