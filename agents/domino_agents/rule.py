"""The rule player: weighs features of the position after every legal action, and plays the best.

It knows what a player at the table knows: it looks at tables in which all that its seat cannot see was dealt anew. What
is weighed stands in `rule_line.py` and `rule_capture.py`; the weights, fitted by `train/fit_rule.py`, in `rule_weights.json`.
"""

import functools
import json
from importlib import resources
from types import ModuleType
from typing import Any

import numpy as np

from domino_agents import rule_capture, rule_line
from domino_agents.arena import in_pairs
from domino_agents.policies import choose_actions
from domino_envs.core.game import Game

WEIGHTS_FILE = "rule_weights.json"


@functools.cache
def fitted() -> list[dict[str, Any]]:
    """Returns what was fitted: for each game and table its weights by feature, and how they were found."""
    return json.loads(resources.files("domino_agents").joinpath(WEIGHTS_FILE).read_text("utf-8"))["fits"]


def nearest_weights(game: Game) -> dict[str, float]:
    """Returns the weights fitted for a game, or for what is nearest to it: its name, then pairs, then seats.

    Raises:
        ValueError: nothing was fitted for positions like the game's.
    """

    def distance(fit: dict[str, Any]) -> tuple[bool, bool, int]:
        return fit["game"] != game.name, fit["partnership"] != in_pairs(game), abs(fit["num_players"] - game.num_players)

    alike = [fit for fit in fitted() if set(fit["weights"]) == set(features_of(game))]
    if not alike:
        raise ValueError(f"{WEIGHTS_FILE} has no weights for the features of {game.id}: {', '.join(features_of(game))}")
    return min(alike, key=distance)["weights"]


def kind_of(game: Game) -> ModuleType:
    """Returns the module that weighs the game's positions, by what a table of it has: a layout, or a line."""
    return rule_capture if "layout_counts" in game.state_dtype.names else rule_line


def features_of(game: Game) -> tuple[str, ...]:
    """Returns the names of the features that the game's positions have."""
    return kind_of(game).FEATURES


def new_weigher(game: Game, weights: dict[str, float] | None = None) -> tuple:
    """Returns what weighs the actions of a game, for compiled code (`domino_agents.policies`); arguments as `RuleAgent`."""
    names, weights = features_of(game), nearest_weights(game) if weights is None else weights
    if set(weights) != set(names):
        raise ValueError(f"weights must name the features {', '.join(names)}, got {', '.join(weights)}")
    return kind_of(game).new_weigher(game, np.array([weights[name] for name in names], np.float64))


class RuleAgent:
    """Weighs features of the position after every legal action; see the module.

    Args:
        weights: by the names of `features_of(game)`; by default what was fitted for the game, or for the nearest one.
    """

    name = "rule"
    needs_tables = True

    def __init__(self, game: Game, weights: dict[str, float] | None = None):
        self.game, self.weigher = game, new_weigher(game, weights)

    def act(
        self, observations: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator, *, tables: np.ndarray
    ) -> np.ndarray:
        """Returns `actions[B]`; `tables[B]` have been through `redeal_hidden` for the seat to move."""
        actions = np.zeros(len(tables), np.int64)
        choose_actions(tables, self.game.rules, np.ascontiguousarray(action_mask), self.weigher, actions)
        return actions
