"""The worlds that a search imagines: deals that the seat to move may be in, as far as it knows.

They are uniform over the deals that the public record allows (`redeal_hidden`), or drawn by what the others' moves tell
(inference): by how likely a player of some kind had made them in each world. What that player would not have done counts as
a mistake, whose chance of `MISTAKES` the other legal moves share, so no world on record is ever ruled out. Source of the
method: Solinas, Rebstock, Buro, "Improving search with supervised learning in trick-based card games", AAAI 2019, where a
network says how likely a move was.
"""

from typing import Any, NamedTuple

import numpy as np

from domino_agents.playouts import Playout
from domino_agents.policies import choose_action
from domino_agents.random_agent import Dice
from domino_agents.weighing import hand_is_over
from domino_envs.core import game as dispatch
from domino_envs.core.game import Game
from domino_envs.core.hand_record import record_length, return_to_deal
from domino_envs.core.jit import entry, njit
from domino_envs.core.sampling import count_legal
from domino_envs.core.state import copy_rows
from domino_envs.envs.checks import check_flag
from domino_envs.envs.opponents import visible_tables

MISTAKES = 0.2
CONTRADICTED = -1e9  # the logarithm for a world in which the record cannot have come about
CANDIDATES = 4  # worlds that the record allows, for each one that inference keeps


class Inference(NamedTuple):
    """What it takes to judge worlds by the others' moves."""

    playout: Playout  # whose player is the model of the others
    room: np.ndarray  # records[1], where a hand is played again


def new_inference(game: Game, playout: Playout, infer: bool = True, privileged: bool = False) -> Inference | None:
    """Returns what judges worlds by how likely the playout's player had moved as the others did; None without `infer`.

    Raises:
        TypeError: `infer` is neither True nor False.
        ValueError: a game whose record cannot be played again, as only that of a line game can; or a player that goes by
            lot, in whose eyes any move is as likely as another; or a search of the true table.
    """
    if not check_flag("infer", infer):
        return None
    if privileged:
        raise ValueError("infer draws worlds, and a privileged search knows the true one")
    if "line_length" not in game.state_dtype.names:
        raise ValueError(f"infer plays the record of a line game again, and {game.id} is none")
    if isinstance(playout.policy, Dice):
        raise ValueError("infer needs a playout policy that prefers some moves to others: 'greedy' or 'rule', not 'random'")
    return Inference(playout, game.new_states(1))


def sample_worlds(
    agent: Any,
    game: Game,
    tables: np.ndarray,
    row: int,
    count: int,
    rng: np.random.Generator,
    inference: Inference | None = None,
) -> np.ndarray:
    """Returns `count` worlds that the seat to move at `tables[row]` may be in: the true one each time for a privileged agent.

    Each has a stream of random numbers of its own. With `inference` several may be the same deal.
    """
    worlds = copy_rows(tables, np.full(count if inference is None else CANDIDATES * count, row))
    if getattr(agent, "privileged", False):
        worlds["rng"] = rng.integers(0, 2**64, len(worlds), np.uint64)
    worlds = visible_tables(agent, game, worlds, worlds["player"], rng)
    if inference is None:
        return worlds
    logs = np.zeros(len(worlds))
    _judge_worlds(worlds, tables, row, game.rules, inference, logs)
    worlds = copy_rows(worlds, _draw_by(np.exp(logs - logs.max()), count, rng))
    worlds["rng"] = rng.integers(0, 2**64, count, np.uint64)
    return worlds


def _draw_by(weights: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """Returns `count` indices drawn by weight, in any order: at even distances, so that luck adds little."""
    sums = np.cumsum(weights)
    marks = (np.arange(count) + rng.random()) / count * sums[-1]
    return rng.permutation(np.searchsorted(sums, marks, "right").clip(max=len(weights) - 1))


@entry
def _judge_worlds(worlds, tables, row, rules, inference, logs):
    """Writes the logarithm of how likely the others' moves on record are in every world of the table `tables[row]`."""
    root = tables[row]
    for i in range(len(worlds)):
        inference.room[0] = worlds[i]
        logs[i] = _log_chance(inference.room[0], root, rules, inference.playout)


@njit
def _log_chance(world, root, rules, playout):
    """Returns the logarithm of the chance; a record that no deal fits, on a table set up by hand, may lead astray."""
    chance, length = 0.0, record_length(root, rules)
    if length > 0:
        return_to_deal(world, rules)
    for turn in range(length):
        if world.done:  # scores count from the deal on, and may meet a target that they did not meet
            break
        action = root.history[turn]
        dispatch.legal_actions(world, rules, playout.mask)
        if hand_is_over(world, root.hands_played) or world.player != root.history_seats[turn] or not playout.mask[action]:
            return CONTRADICTED
        if world.player != root.player:  # the seat's own moves tell it nothing
            chance += _log_chance_of_move(world, rules, action, playout)
        dispatch.step(world, rules, action)
    return chance


@njit
def _log_chance_of_move(world, rules, action, playout):
    count = count_legal(playout.mask)
    if count < 2:
        return 0.0
    if choose_action(world, rules, playout.mask, playout.policy) == action:
        return np.log(1.0 - MISTAKES)
    return np.log(MISTAKES / (count - 1))
