"""Information-set Monte Carlo tree search, from the eyes of the seat to move; the tree is that of `search_tree.py`.

Source: Cowling, Powley, Whitehouse, "Information set Monte Carlo tree search", IEEE TCIAIG 4(2), 2012. On the true table
(`privileged`) no worlds are sampled, and the search is plain UCT. With playouts by a player that prefers some moves to others
that player moves for all other seats in the tree as well, where each knows its own tiles, and the search looks for the best
answer to it: Silver, Veness, "Monte-Carlo planning in large POMDPs", NIPS 2010.
"""

import time
from numbers import Real
from typing import NamedTuple

import numpy as np

from domino_agents.playouts import Playout, check_budget, new_playout, play_out, search_words
from domino_agents.policies import choose_action
from domino_agents.random_agent import Dice
from domino_agents.search_tree import (
    NONE,
    ROOT,
    begin_tree,
    book_outcome,
    follow,
    guided_node,
    most_visited,
    new_tree,
    next_node,
)
from domino_agents.weighing import hand_is_over, points_ahead
from domino_agents.worlds import new_inference, sample_worlds
from domino_envs.core import game as dispatch
from domino_envs.core.game import Game
from domino_envs.core.jit import entry, njit
from domino_envs.core.scoring import side_of
from domino_envs.envs.checks import check_flag

EXPLORATION = 1.2  # of UCB, in standard deviations of a playout's points
RIPE = 20  # visits after which a guided tree decides at a node
_SECONDS_ROOM = 200_000  # nodes of a search with a time budget; once they are used up the tree grows no more
_SECONDS_STEP = 32  # iterations between two looks at the clock


class Search(NamedTuple):
    """How to search, and the room that it takes beside the tree."""

    playout: Playout
    guided: bool  # by the player of the playouts, one that prefers some moves to others
    scratch: np.ndarray  # records[1], the world of an iteration
    tries: np.ndarray  # int64[A], of each action at the root in the worlds at hand


@njit
def _go_down(tree, world, rules, search, root, node):
    """Plays down the tree from a child of its root until a node that is new, or the hand is over; returns the moves made.

    Under guidance the tree decides for the seat to move at the root alone, and goes on only where visits are enough to know
    better than the player of the playouts.
    """
    playout, moves = search.playout, 0
    spread, enough = _spread(tree), RIPE if search.guided else 1
    tree.path[0] = ROOT
    while node != NONE:
        dispatch.step(world, rules, tree.nodes[node].action % len(playout.mask))
        moves += 1
        tree.path[moves] = node
        if tree.nodes[node].visits < enough or moves == playout.max_moves or hand_is_over(world, root.hands_played):
            break
        dispatch.legal_actions(world, rules, playout.mask)
        if not search.guided:
            node = next_node(tree, playout.mask, node, world, spread)
        elif world.player == root.player:
            node = guided_node(tree, playout.mask, node, world, spread, rules, playout.policy)
        else:
            action = choose_action(world, rules, playout.mask, playout.policy)
            node = follow(tree, node, world.player * len(playout.mask) + action)
    return moves


@njit
def _spread(tree):
    counts = tree.counts[0]
    return EXPLORATION * np.sqrt(counts.squares / max(counts.iterations, 1))


@entry
def _search(tree, tables, row, rules, worlds, search):
    """Makes as many iterations more as there are worlds of the table `tables[row]`.

    Under guidance the k-th try of each action here is in the same world, dice included, so that luck tells no action from
    another. Random playouts gained nothing by it, and take each world once.
    """
    root, world, playout = tables[row], search.scratch[0], search.playout
    search.tries[:] = 0
    for i in range(len(worlds)):
        dispatch.legal_actions(root, rules, playout.mask)
        first = next_node(tree, playout.mask, ROOT, worlds[i], _spread(tree))
        action = tree.nodes[first].action % len(playout.mask)
        search.scratch[0] = worlds[search.tries[action]] if search.guided else worlds[i]
        search.tries[action] += 1
        depth = _go_down(tree, world, rules, search, root, first)
        tree.counts[0].moves += play_out(world, rules, playout, root.hands_played, depth)
        for side in range(rules.num_sides):
            tree.outcome[side] = points_ahead(world, root, rules, side)
        book_outcome(tree, depth, side_of(rules, root.player))


def _new_search(game: Game, playout: Playout) -> Search:
    guided = not isinstance(playout.policy, Dice)
    return Search(playout, guided, game.new_states(1), np.zeros(game.num_actions, np.int64))


class IsmctsAgent:
    """Plays the action that its search visits most; see the module.

    Args:
        game: what it plays.
        iterations: of each search.
        seconds: time for each search, instead of `iterations`, which is then None; moves depend on the machine's speed.
        playout: who plays on below the tree, `"random"`, `"greedy"` or `"rule"`; the last two move for the others in it too.
        infer: draw worlds by what the others' moves tell, as if they were such players as play out; in line games alone.
        max_moves: moves after which an iteration stops; None goes to the end of the hand.
        privileged: searches the true table; for a ceiling that no honest agent can reach.

    Attributes:
        tree: of the last search; the count of its moves goes on over all of them.
    """

    needs_tables = True

    def __init__(
        self,
        game: Game,
        iterations: int = 500,
        *,
        seconds: float | None = None,
        playout: str = "random",
        infer: bool = False,
        max_moves: int | None = None,
        privileged: bool = False,
    ):
        self.game, self.seconds, self.privileged = game, seconds, check_flag("privileged", privileged)
        self.iterations = check_budget("iterations", iterations) if seconds is None else None
        if seconds is not None and (isinstance(seconds, (bool, np.bool_)) or not isinstance(seconds, Real)):
            raise TypeError(f"seconds must be a positive number, got {seconds!r}")
        if seconds is not None and not 0 < seconds < np.inf:
            raise ValueError(f"seconds must be a positive number, got {seconds!r}")
        budget = f"{iterations}" if seconds is None else f"{np.format_float_positional(seconds, trim='-')}s"
        kind = "omniscient" if privileged else "ismcts"
        self._search = _new_search(game, new_playout(game, playout, max_moves))
        self._inference = new_inference(game, self._search.playout, infer, privileged)
        self.name = f"{kind}-{budget}{search_words(playout, 'random', infer, max_moves)}"
        nodes = self.iterations + 1 if self.iterations else _SECONDS_ROOM
        self.tree = new_tree(game, nodes, self._search.playout.max_moves)

    def act(
        self, observations: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator, *, tables: np.ndarray
    ) -> np.ndarray:
        """Returns `actions[B]`; `tables[B]` have been through `redeal_hidden` for the seat to move, or are the true ones."""
        actions = np.argmax(action_mask, axis=1)
        for row in np.flatnonzero(np.count_nonzero(action_mask, axis=1) > 1):
            actions[row] = self._decide(tables, row, rng)
        return actions

    def _decide(self, tables: np.ndarray, row: int, rng: np.random.Generator) -> int:
        begin_tree(self.tree)
        if self.seconds is None:
            self._iterate(tables, row, self.iterations, rng)
        else:
            end, searched = time.perf_counter() + self.seconds, False
            while not searched or time.perf_counter() < end:
                self._iterate(tables, row, _SECONDS_STEP, rng)
                searched = True
        return most_visited(self.tree, self.game.num_actions)

    def _iterate(self, tables: np.ndarray, row: int, iterations: int, rng: np.random.Generator) -> None:
        worlds = sample_worlds(self, self.game, tables, row, iterations, rng, self._inference)
        _search(self.tree, tables, row, self.game.rules, worlds, self._search)
