"""Information-set Monte Carlo tree search, from the eyes of the seat to move.

One tree over the actions as all see them; every iteration goes down it in a newly sampled world and uses the part of it
that is legal there. A child that was not available is not held to be neglected: UCB counts how often each could have been
chosen. Source: Cowling, Powley, Whitehouse, "Information set Monte Carlo tree search", IEEE TCIAIG 4(2), 2012, the
single-observer algorithm.

The seat to move may keep the turn, and may do so in one world alone: a child belongs to an action of a seat, and holds that
seat's points. On the true table (`privileged`) no worlds are sampled, and the search is plain UCT.
"""

import time
from typing import NamedTuple

import numpy as np

from domino_agents.greedy import hand_is_over
from domino_agents.playouts import check_positive, new_playout, play_out, points_ahead, sample_worlds
from domino_envs.core import game as dispatch
from domino_envs.core.game import Game, kernel_array
from domino_envs.core.jit import entry, njit
from domino_envs.engine import count_legal, sample_legal

EXPLORATION = 1.2  # of UCB, in standard deviations of a playout's points
_SECONDS_ROOM = 200_000  # nodes of a search with a time budget; once they are used up the tree grows no more
_SECONDS_STEP = 32  # iterations between two looks at the clock

_ROOT, _NONE = 0, -1
_NODE = np.dtype(
    [
        ("points", np.float64),  # summed over visits, of the side that moved here
        ("action", np.int64),  # seat * num_actions + action: the move that leads here
        ("first_child", np.int32),
        ("next_sibling", np.int32),
        ("visits", np.int32),
        ("available", np.int32),  # visits of the parent in which this move was legal
    ]
)
_COUNTS = np.dtype(
    [
        ("nodes", np.int64),  # in use
        ("iterations", np.int64),
        ("moves", np.int64),  # made in the tree and in playouts
        ("mean_points", np.float64),  # of the seat to move, over the iterations
        ("squares", np.float64),  # the sum of squared differences from it
    ]
)


class Tree(NamedTuple):
    """The room that a search takes; one search after the other uses it."""

    nodes: np.ndarray  # records[N]
    path: np.ndarray  # int64[M], the nodes of an iteration
    untried: np.ndarray  # int8[A], legal actions of a node without a child
    counts: np.ndarray  # records[1]


def _new_tree(game: Game, nodes: int, max_moves: int) -> Tree:
    return Tree(
        nodes=kernel_array(np.zeros(nodes, _NODE)),
        path=np.zeros(max_moves + 1, np.int64),
        untried=np.zeros(game.num_actions, np.int8),
        counts=kernel_array(np.zeros(1, _COUNTS)),
    )


@njit
def _clear_node(node, action):
    node.points = 0.0
    node.action = action
    node.first_child = _NONE
    node.next_sibling = _NONE
    node.visits = 0
    node.available = 1


@njit
def _list_untried(tree, mask, parent, first_action):
    """Fills `untried` with the legal actions that have no child, and counts the others as available; returns how many."""
    for action in range(len(mask)):
        tree.untried[action] = mask[action]
    child = tree.nodes[parent].first_child
    while child != _NONE:
        action = tree.nodes[child].action - first_action
        if 0 <= action < len(mask) and mask[action]:
            tree.untried[action] = 0
            tree.nodes[child].available += 1
        child = tree.nodes[child].next_sibling
    return count_legal(tree.untried)


@njit
def _add_child(tree, parent, action):
    child = tree.counts[0].nodes
    tree.counts[0].nodes += 1
    _clear_node(tree.nodes[child], action)
    tree.nodes[child].next_sibling = tree.nodes[parent].first_child
    tree.nodes[parent].first_child = child
    return child


@njit
def _best_child(tree, mask, parent, first_action):
    """Returns the available child with the highest upper confidence bound, or -1 where there is none."""
    counts, best, best_bound = tree.counts[0], _NONE, -np.inf
    spread = EXPLORATION * np.sqrt(counts.squares / max(counts.iterations, 1))
    child = tree.nodes[parent].first_child
    while child != _NONE:
        node = tree.nodes[child]
        action = node.action - first_action
        if 0 <= action < len(mask) and mask[action]:
            bound = node.points / node.visits + spread * np.sqrt(np.log(node.available) / node.visits)
            if bound > best_bound:
                best, best_bound = child, bound
        child = node.next_sibling
    return best


@njit
def _next_node(tree, mask, parent, world):
    """Returns the child to go on with: a new one at random while an action lacks one, or -1 where there is no room."""
    first_action = world.player * len(mask)
    untried = _list_untried(tree, mask, parent, first_action)
    if untried > 0 and tree.counts[0].nodes < len(tree.nodes):
        return _add_child(tree, parent, first_action + sample_legal(tree.untried, world))
    return _best_child(tree, mask, parent, first_action)


@njit
def _go_down(tree, world, rules, playout, hands_played):
    """Plays down the tree until a new node is met, or the hand is over; returns the moves made."""
    node, moves = _ROOT, 0
    tree.path[0] = _ROOT
    while moves < playout.max_moves and not hand_is_over(world, hands_played):
        dispatch.legal_actions(world, rules, playout.mask)
        node = _next_node(tree, playout.mask, node, world)
        if node == _NONE:
            break
        dispatch.step(world, rules, tree.nodes[node].action % len(playout.mask))
        moves += 1
        tree.path[moves] = node
        if tree.nodes[node].visits == 0:
            break
    return moves


@njit
def _credit_path(tree, world, rules, root, depth):
    """Books the outcome at every node of the path, as the points of the side that moved there."""
    for i in range(depth + 1):
        node = tree.nodes[tree.path[i]]
        node.visits += 1
        if i > 0:
            seat = node.action // len(tree.untried)
            node.points += points_ahead(world, root, rules, seat % rules.num_sides)


@njit
def _count_iteration(counts, moves, points):
    """Counts, and goes on with the mean and variance (Welford 1962)."""
    counts.moves += moves
    counts.iterations += 1
    difference = points - counts.mean_points
    counts.mean_points += difference / counts.iterations
    counts.squares += difference * (points - counts.mean_points)


@entry
def _begin(tree):
    _clear_node(tree.nodes[_ROOT], _NONE)
    counts = tree.counts[0]
    counts.nodes, counts.iterations, counts.mean_points, counts.squares = 1, 0, 0.0, 0.0


@entry
def _search(tree, tables, row, rules, worlds, playout):
    """Makes an iteration more in each of some worlds of the table `tables[row]`; the worlds are played on."""
    root = tables[row]
    for i in range(len(worlds)):
        world = worlds[i]
        depth = _go_down(tree, world, rules, playout, root.hands_played)
        moves = play_out(world, rules, playout, root.hands_played, depth)
        _credit_path(tree, world, rules, root, depth)
        _count_iteration(tree.counts[0], moves, points_ahead(world, root, rules, root.player % rules.num_sides))


@entry
def _most_visited(tree, num_actions):
    """Returns the action at the root that was visited most, ties by the mean of its points."""
    best = child = tree.nodes[_ROOT].first_child
    while child != _NONE:
        node, best_node = tree.nodes[child], tree.nodes[best]
        level = node.visits == best_node.visits
        if node.visits > best_node.visits or (level and node.points > best_node.points):
            best = child
        child = node.next_sibling
    return tree.nodes[best].action % num_actions


class IsmctsAgent:
    """Plays the action that its search visits most; see the module.

    Args:
        game: what it plays.
        iterations: of each search.
        seconds: time for each search, instead of a number of iterations; moves then depend on the machine's speed.
        playout: who plays on below the tree, `"random"` or `"greedy"`.
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
        max_moves: int | None = None,
        privileged: bool = False,
    ):
        self.game, self.seconds, self.privileged = game, seconds, privileged
        self.iterations = check_positive("iterations", iterations)
        if seconds is not None and not 0 < seconds < np.inf:
            raise ValueError(f"seconds must be a positive number, got {seconds!r}")
        budget = f"{iterations}" if seconds is None else f"{np.format_float_positional(seconds, trim='-')}s"
        self.name = f"{'omniscient' if privileged else 'ismcts'}-{budget}" + ("" if playout == "random" else f"-{playout}")
        self._playout = new_playout(game, playout, max_moves)
        self.tree = _new_tree(game, iterations + 1 if seconds is None else _SECONDS_ROOM, self._playout.max_moves)

    def act(
        self, observations: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator, *, tables: np.ndarray
    ) -> np.ndarray:
        """Returns `actions[B]`; `tables[B]` have been through `redeal_hidden` for the seat to move, or are the true ones."""
        actions = np.argmax(action_mask, axis=1)
        for row in np.flatnonzero(np.count_nonzero(action_mask, axis=1) > 1):
            actions[row] = self._decide(tables, row, rng)
        return actions

    def _decide(self, tables: np.ndarray, row: int, rng: np.random.Generator) -> int:
        _begin(self.tree)
        if self.seconds is None:
            self._search(tables, row, self.iterations, rng)
        else:
            end = time.perf_counter() + self.seconds
            while time.perf_counter() < end:
                self._search(tables, row, _SECONDS_STEP, rng)
        return _most_visited(self.tree, self.game.num_actions)

    def _search(self, tables: np.ndarray, row: int, iterations: int, rng: np.random.Generator) -> None:
        worlds = sample_worlds(self, self.game, tables, row, iterations, rng)
        _search(self.tree, tables, row, self.game.rules, worlds, self._playout)
