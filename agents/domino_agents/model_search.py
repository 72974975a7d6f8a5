"""A search that knows how its opponent plays: an approximate best response.

Source: Timbers et al., "Approximate exploitability: learning a best response", IJCAI 2022 (ISMCTS-BR).
"""

from dataclasses import asdict
from typing import Any

import numpy as np

from domino_agents.arena import ahead, check_made_for, num_sides
from domino_agents.playouts import check_budget
from domino_agents.search_tree import ROOT, Tree, begin_tree, book_outcome, follow, most_visited, new_tree, next_node, tree_of
from domino_envs import engine
from domino_envs.core.game import Game
from domino_envs.core.jit import entry, njit
from domino_envs.core.state import copy_rows
from domino_envs.envs.opponents import ask_agent
from domino_envs.envs.vector import DominoVec

# Of UCB, in ranges of an iteration's points, as in UCB1 (Auer et al., Machine Learning 47, 2002). Their standard deviation
# would fade once the search has settled on a line of play where nothing is hidden: it would never look at another.
_EXPLORATION = 2**0.5
_MOST_NODES = 2_000_000  # of the trees that are searched side by side


class ModelSearch:
    """Information-set tree search against an agent that it knows: an approximate best response.

    The tree decides for the searcher's own side. In the worlds that it imagines the agent decides for all others, and for
    everybody below the tree. Forced moves are skipped, so the tree holds decisions alone. The worlds are drawn without
    regard to what the agent's choices tell. The model answers for all tables at once, and is taken to remember nothing.

    Args:
        game: what it plays, in single hands: the values are the points at an episode's end.
        model: the agent that it is up against.
        iterations: of each search.

    Raises:
        TypeError: iterations that are no integer.
        ValueError: a model of another game or other options, episodes of several hands, or too few or many iterations.
    """

    needs_tables = True

    def __init__(self, game: Game, model: Any, iterations: int = 100):
        self.iterations = check_budget("iterations", iterations)
        check_made_for(model, game)
        if game.options.max_hands != 1:
            raise ValueError(f"a search that knows its opponent plays single hands, got max_hands={game.options.max_hands}")
        self.game, self.model = game, model

    def act(
        self, observations: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator, *, tables: np.ndarray
    ) -> np.ndarray:
        """Returns `actions[B]`; `tables[B]` have been through `redeal_hidden` for the seat to move."""
        step = max(1, _MOST_NODES // (self.iterations + 1))
        parts = [slice(start, start + step) for start in range(0, len(tables), step)]
        return np.concatenate([self._search(tables[part], action_mask[part], rng) for part in parts])

    def _search(self, tables: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Makes every iteration at all tables side by side."""
        count, roots = len(tables), copy_rows(tables)
        seeds = rng.integers(0, 2**64, (count, self.iterations + 1), np.uint64)  # of a table's worlds, and of its tree
        roots["rng"] = seeds[:, -1]
        vec = DominoVec(
            self.game.name, count, self.game.num_players, skip_forced=True, check=False, **asdict(self.game.options)
        )
        vec.reset(seed=0)  # for what a state holds beside the tables
        start = {**vec.get_state(), "action_mask": action_mask, "player": roots["player"]}
        trees = new_tree(self.game, self.iterations + 1, self.game.max_hand_length, rows=(count,))
        _begin(trees)
        first, tries = np.zeros((2, count), np.int64)
        for _ in range(self.iterations):
            _choose_first(trees, roots, action_mask, first, tries)
            worlds = copy_rows(roots)
            engine.redeal_rows(worlds, self.game.rules, roots["player"].astype(np.int64), seeds[np.arange(count), tries])
            vec.set_state({**start, "states": worlds})
            self._play(trees, vec, first, tries > 0, rng)
        actions = np.zeros(count, np.int64)
        _most_visited(trees, actions)
        return actions

    def _play(self, trees: Tree, vec: DominoVec, actions: np.ndarray, inside: np.ndarray, rng: np.random.Generator) -> None:
        """Plays the first `actions[B]` and on to the end of every hand, down the tree where it is still `inside[B]`."""
        sides = vec.last.player % num_sides(self.game)
        depths, playing = np.ones(len(sides), np.int64), np.ones(len(sides), np.bool_)
        while True:
            last = vec.step(actions, rows=playing)
            trees.outcome[last.terminated] = ahead(last.final_scores[last.terminated, : num_sides(self.game)])
            playing &= ~last.terminated
            if not playing.any():
                break
            inside &= playing
            own = last.player % num_sides(self.game) == sides
            asked = np.flatnonzero(playing & ~(own & inside))
            if len(asked):
                actions[asked] = ask_agent(self.model, self.game, vec.states, last, asked, rng)
            _go_down(trees, vec.states, last.action_mask, own, inside, depths, actions)
        _book(trees, depths, sides)


@entry
def _begin(trees):
    for row in range(len(trees.nodes)):
        begin_tree(tree_of(trees, row))


@njit
def _spread(tree):
    counts = tree.counts[0]
    return _EXPLORATION * max(1.0, counts.highest - counts.lowest)


@entry
def _choose_first(trees, tables, action_mask, actions, tries):
    """Writes every tree's first action, and how often it was tried before.

    The k-th try of each action is in the same world, so that luck tells no action from another.
    """
    for row in range(len(tables)):
        tree, mask = tree_of(trees, row), action_mask[row]
        node = next_node(tree, mask, ROOT, tables[row], _spread(tree))
        tree.path[1] = node
        actions[row] = tree.nodes[node].action % len(mask)
        tries[row] = tree.nodes[node].visits


@entry
def _go_down(trees, worlds, action_mask, own, inside, depths, actions):
    """Goes a move further in every tree that a world is still inside, and writes the own sides' moves into `actions`.

    A world is outside once it has met a new node, so that an iteration adds one at most.
    """
    for row in range(len(worlds)):
        if not inside[row]:
            continue
        tree, world, mask = tree_of(trees, row), worlds[row], action_mask[row]
        node = tree.path[depths[row]]
        if own[row]:
            node = next_node(tree, mask, node, world, _spread(tree))
            actions[row] = tree.nodes[node].action % len(mask)
        else:
            node = follow(tree, node, world.player * len(mask) + actions[row])
        depths[row] += 1
        tree.path[depths[row]] = node
        inside[row] = tree.nodes[node].visits > 0


@entry
def _book(trees, depths, sides):
    for row in range(len(depths)):
        book_outcome(tree_of(trees, row), depths[row], sides[row])


@entry
def _most_visited(trees, actions):
    for row in range(len(actions)):
        actions[row] = most_visited(tree_of(trees, row), trees.untried.shape[1])
