"""The tree of a search over information sets: what it holds, how a move is chosen in it, and how an outcome is booked.

One tree over the actions as all see them; every iteration goes down it in a newly sampled world and uses the part of it
that is legal there. A child that was not available is not held to be neglected: UCB counts how often each could have been
chosen. Source: Cowling, Powley, Whitehouse, "Information set Monte Carlo tree search", IEEE TCIAIG 4(2), 2012, the
single-observer algorithm.

The seat to move may keep the turn, and may do so in one world alone: a child belongs to an action of a seat, and holds that
seat's points.
"""

from typing import NamedTuple

import numpy as np

from domino_agents.arena import num_sides
from domino_agents.policies import choose_action
from domino_envs.core.game import Game, kernel_array
from domino_envs.core.jit import entry, njit
from domino_envs.core.sampling import count_legal, sample_legal

ROOT, NONE = 0, -1
WIDENING = 0.3  # children beside a player's choice that a node has room for, by the root of its visits
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
        ("lowest", np.float64),  # of its points and 0
        ("highest", np.float64),
    ]
)


class Tree(NamedTuple):
    """The room that a search takes; one search after the other uses it."""

    nodes: np.ndarray  # records[N]
    path: np.ndarray  # int64[M], the nodes of an iteration
    untried: np.ndarray  # int8[A], legal actions of a node without a child
    outcome: np.ndarray  # float64[S], each side's points of an iteration less the mean of the others'
    counts: np.ndarray  # records[1]


def new_tree(game: Game, nodes: int, max_moves: int, rows: tuple[int, ...] = ()) -> Tree:
    """Returns room for a tree; with `rows`, `(B,)`, for `B` of them, in arrays with an axis more in front."""
    return Tree(
        nodes=kernel_array(np.zeros((*rows, nodes), _NODE)),
        path=np.zeros((*rows, max_moves + 1), np.int64),
        untried=np.zeros((*rows, game.num_actions), np.int8),
        outcome=np.zeros((*rows, num_sides(game)), np.float64),
        counts=kernel_array(np.zeros((*rows, 1), _COUNTS)),
    )


@njit
def tree_of(trees, row):
    """Returns one of several trees."""
    return Tree(trees.nodes[row], trees.path[row], trees.untried[row], trees.outcome[row], trees.counts[row])


@njit
def _clear_node(node, action):
    node.points = 0.0
    node.action = action
    node.first_child = NONE
    node.next_sibling = NONE
    node.visits = 0
    node.available = 1


@entry
def begin_tree(tree):
    """Empties the tree but for its root."""
    _clear_node(tree.nodes[ROOT], NONE)
    counts = tree.counts[0]
    counts.nodes, counts.iterations, counts.mean_points, counts.squares = 1, 0, 0.0, 0.0
    counts.lowest, counts.highest = 0.0, 0.0


@njit
def _list_untried(tree, mask, parent, first_action):
    """Fills `untried` with the legal actions that have no child, and counts the others as available; returns how many."""
    for action in range(len(mask)):
        tree.untried[action] = mask[action]
    child = tree.nodes[parent].first_child
    while child != NONE:
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
def _best_child(tree, mask, parent, first_action, spread):
    """Returns the available child with the highest upper confidence bound, or -1 where there is none."""
    best, best_bound = NONE, -np.inf
    child = tree.nodes[parent].first_child
    while child != NONE:
        node = tree.nodes[child]
        action = node.action - first_action
        if 0 <= action < len(mask) and mask[action]:
            bound = node.points / node.visits + spread * np.sqrt(np.log(node.available) / node.visits)
            if bound > best_bound:
                best, best_bound = child, bound
        child = node.next_sibling
    return best


@njit
def next_node(tree, mask, parent, world, spread):
    """Returns the child to go on with: a new one at random while an action lacks one, or -1 where there is no room.

    Args:
        world: whose player moves, and whose random numbers are drawn.
        spread: what UCB's uncertainty is multiplied by, in points.
    """
    first_action = world.player * len(mask)
    untried = _list_untried(tree, mask, parent, first_action)
    if untried > 0 and tree.counts[0].nodes < len(tree.nodes):
        return _add_child(tree, parent, first_action + sample_legal(tree.untried, world))
    return _best_child(tree, mask, parent, first_action, spread)


@njit
def guided_node(tree, mask, parent, world, spread, rules, policy):
    """Returns the child to go on with, as `next_node`, where a player's choice comes first and others as visits allow.

    Progressive widening: Chaslot, Winands, van den Herik, Uiterwijk, Bouzy, "Progressive strategies for Monte-Carlo tree
    search", New Mathematics and Natural Computation 4(3), 2008.
    """
    first_action = world.player * len(mask)
    untried = _list_untried(tree, mask, parent, first_action)
    if untried > 0 and tree.counts[0].nodes < len(tree.nodes):
        tried, others = count_legal(mask) - untried, WIDENING * np.sqrt(tree.nodes[parent].visits)
        if tried < 1 + others:
            action = choose_action(world, rules, mask, policy)
            if tree.untried[action]:
                return _add_child(tree, parent, first_action + action)
        if tried < others:
            return _add_child(tree, parent, first_action + sample_legal(tree.untried, world))
    return _best_child(tree, mask, parent, first_action, spread)


@njit
def follow(tree, parent, action):
    """Returns the child of a move chosen by others, `seat * num_actions + action`, or -1 where there is no room for it."""
    child = tree.nodes[parent].first_child
    while child != NONE and tree.nodes[child].action != action:
        child = tree.nodes[child].next_sibling
    if child == NONE and tree.counts[0].nodes < len(tree.nodes):
        child = _add_child(tree, parent, action)
    return child


@njit
def book_outcome(tree, depth, side):
    """Books the outcome at every node of the path, as the points of the side that moved there.

    Args:
        depth: of the path's last node.
        side: to move at the root.
    """
    for i in range(depth + 1):
        node = tree.nodes[tree.path[i]]
        node.visits += 1
        if i > 0:
            seat = node.action // len(tree.untried)
            node.points += tree.outcome[seat % len(tree.outcome)]
    _count_iteration(tree.counts[0], tree.outcome[side])


@njit
def _count_iteration(counts, points):
    """Counts, and goes on with the mean and variance (Welford 1962)."""
    counts.iterations += 1
    difference = points - counts.mean_points
    counts.mean_points += difference / counts.iterations
    counts.squares += difference * (points - counts.mean_points)
    counts.lowest, counts.highest = min(counts.lowest, points), max(counts.highest, points)


@entry
def most_visited(tree, num_actions):
    """Returns the action at the root that was visited most, ties by the mean of its points."""
    best = child = tree.nodes[ROOT].first_child
    while child != NONE:
        node, best_node = tree.nodes[child], tree.nodes[best]
        level = node.visits == best_node.visits
        if node.visits > best_node.visits or (level and node.points > best_node.points):
            best = child
        child = node.next_sibling
    return tree.nodes[best].action % num_actions
