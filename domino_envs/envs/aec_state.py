"""What a PettingZoo environment is beside its table, as `DominoAEC.get_state` gives it, and the check of what is put back."""

import math
from numbers import Real
from typing import Any

from domino_envs.core.integers import is_integer

SAVED = ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "_steps")


def check_saved(state: dict[str, Any], possible_agents: list[str], done: bool, max_steps: int | None) -> dict[str, Any]:
    """Returns copies of the entries `SAVED`; raises ValueError naming the first that no game can have led to.

    Args:
        state: what was given, with all keys.
        possible_agents: the agents that the entries may be of.
        done: whether the table's game is over.
        max_steps: the environment's limit.
    """
    agents = state["agents"]
    if not _are_some_of(agents, possible_agents):
        raise _wrong("agents", agents, f"a list of some of {possible_agents}, in this order")
    saved = {name: _checked_numbers(name, state[name], agents) for name in ("rewards", "_cumulative_rewards")}
    saved |= {name: _checked_flags(name, state[name], agents) for name in ("terminations", "truncations")}
    _check_end(saved, agents, possible_agents, done)
    _check_steps(state["_steps"], max_steps if agents and not _over(saved) else None)
    return {"agents": agents.copy(), **saved, "_steps": int(state["_steps"])}


def _wrong(name: str, value: Any, expected: str) -> ValueError:
    return ValueError(f"{name} of a state must be {expected}, got {repr(value)[:200]}")


def _are_some_of(agents: Any, possible_agents: list[str]) -> bool:
    if not isinstance(agents, list) or not all(isinstance(agent, str) for agent in agents):
        return False
    return agents == [agent for agent in possible_agents if agent in agents]


def _checked_numbers(name: str, values: Any, agents: list[str]) -> dict[str, float]:
    if not _are_of(values, agents, Real) or not all(-math.inf < value < math.inf for value in values.values()):
        raise _wrong(name, values, f"a dict with a finite number for each of {agents}")
    return {agent: values[agent] for agent in agents}


def _checked_flags(name: str, values: Any, agents: list[str]) -> dict[str, bool]:
    """Returns a copy of what tells which games are over: all or none, since they end together."""
    if not _are_of(values, agents, bool) or len(set(values.values())) > 1:
        raise _wrong(name, values, f"a dict with the same boolean for each of {agents}")
    return {agent: values[agent] for agent in agents}


def _are_of(values: Any, agents: list[str], kind: type) -> bool:
    """Tells whether there is a value of a kind for every agent; a boolean is no number."""
    known = isinstance(values, dict) and values.keys() == set(agents)
    return known and all(isinstance(value, kind) and isinstance(value, bool) == (kind is bool) for value in values.values())


def _over(saved: dict[str, Any]) -> bool:
    return any(saved["terminations"].values()) or any(saved["truncations"].values())


def _check_end(saved: dict[str, Any], agents: list[str], possible_agents: list[str], done: bool) -> None:
    """Raises ValueError where the ends fit neither each other nor the table; PettingZoo's wrapper may end a game both ways."""
    terminated, both = any(saved["terminations"].values()), _over(saved) and saved["terminations"] == saved["truncations"]
    if agents and terminated != done and not both:
        raise _wrong("terminations", saved["terminations"], f"{done}, as the table's game is {'' if done else 'not '}over")
    if agents and agents != possible_agents and not _over(saved):
        raise _wrong("agents", agents, f"all of {possible_agents}, as the game is not over")


def _check_steps(steps: Any, limit: int | None) -> None:
    """Raises ValueError unless `steps` can be the moves of a game; `limit` is the number at which it would be over."""
    if not is_integer(steps) or steps < 0 or (limit is not None and steps >= limit):
        raise _wrong("_steps", steps, "a non-negative integer" + ("" if limit is None else f" below max_steps={limit}"))
