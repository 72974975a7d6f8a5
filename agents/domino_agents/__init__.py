"""Agents that play dominoes, the arena that compares them, and the `domino-envs` command."""

from importlib import import_module
from typing import Any

__all__ = [
    "GreedyAgent",
    "HumanAgent",
    "IsmctsAgent",
    "ModuleAgent",
    "PimcAgent",
    "PredictAgent",
    "RandomAgent",
    "RuleAgent",
    "agent_names",
    "load_agent",
    "play_pair",
    "rank",
]

_HOMES = {
    "GreedyAgent": "domino_agents.greedy",
    "HumanAgent": "domino_agents.human",
    "IsmctsAgent": "domino_agents.ismcts",
    "ModuleAgent": "domino_agents.adapters",
    "PimcAgent": "domino_agents.pimc",
    "PredictAgent": "domino_agents.adapters",
    "RandomAgent": "domino_agents.random_agent",
    "RuleAgent": "domino_agents.rule",
    "agent_names": "domino_agents.loading",
    "load_agent": "domino_agents.loading",
    "play_pair": "domino_agents.arena",
    "rank": "domino_agents.ranking",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
