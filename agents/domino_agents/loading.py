"""From a name or a file to an agent."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from domino_agents.greedy import GreedyAgent
from domino_agents.random_agent import RandomAgent
from domino_envs.core.game import Game

_BY_NAME: dict[str, Callable[[Game], Any]] = {"random": lambda game: RandomAgent(), "greedy": GreedyAgent}


def agent_names() -> list[str]:
    """Returns the names that `load_agent` knows; it takes paths of checkpoints too."""
    return sorted(_BY_NAME)


def load_agent(name: str, game: Game) -> Any:
    """Returns an agent for a game, by its name or by the path of a checkpoint.

    Raises:
        ValueError: no such agent or file, or a checkpoint of another game.
    """
    if name in _BY_NAME:
        return _BY_NAME[name](game)
    path = Path(name)
    if not path.is_file():
        raise ValueError(f"no agent {name!r}; expected one of {', '.join(agent_names())}, or the path of a checkpoint")
    from domino_agents.network import load_checkpoint

    return load_checkpoint(path, game)
