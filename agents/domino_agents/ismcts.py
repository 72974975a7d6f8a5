"""Information-set Monte Carlo tree search, from the eyes of the seat to move; the tree is that of `search_tree.py`.

Source: Cowling, Powley, Whitehouse, "Information set Monte Carlo tree search", IEEE TCIAIG 4(2), 2012. On the true table
(`privileged`) no worlds are sampled, and the search is plain UCT.
"""

import time

import numpy as np

from domino_agents.playouts import check_budget, new_playout, play_out, search_words
from domino_agents.random_agent import Dice
from domino_agents.search_tree import NONE, ROOT, begin_tree, book_outcome, guided_node, most_visited, new_tree, next_node
from domino_agents.weighing import hand_is_over, points_ahead
from domino_agents.worlds import new_inference, sample_worlds
from domino_envs.core import game as dispatch
from domino_envs.core.game import Game
from domino_envs.core.jit import entry, njit
from domino_envs.core.scoring import side_of

EXPLORATION = 1.2  # of UCB, in standard deviations of a playout's points
_SECONDS_ROOM = 200_000  # nodes of a search with a time budget; once they are used up the tree grows no more
_SECONDS_STEP = 32  # iterations between two looks at the clock


@njit
def _go_down(tree, world, rules, playout, guided, hands_played):
    """Plays down the tree until a new node is met, or the hand is over; returns the moves made.

    What a player would do that goes by more than the dice is tried first, but at the root, where everything is.
    """
    node, moves, counts = ROOT, 0, tree.counts[0]
    spread = EXPLORATION * np.sqrt(counts.squares / max(counts.iterations, 1))
    tree.path[0] = ROOT
    while moves < playout.max_moves and not hand_is_over(world, hands_played):
        dispatch.legal_actions(world, rules, playout.mask)
        if guided and node != ROOT:
            node = guided_node(tree, playout.mask, node, world, spread, rules, playout.policy)
        else:
            node = next_node(tree, playout.mask, node, world, spread)
        if node == NONE:
            break
        dispatch.step(world, rules, tree.nodes[node].action % len(playout.mask))
        moves += 1
        tree.path[moves] = node
        if tree.nodes[node].visits == 0:
            break
    return moves


@entry
def _search(tree, tables, row, rules, worlds, playout, guided):
    """Makes an iteration more in each of some worlds of the table `tables[row]`; the worlds are played on."""
    root = tables[row]
    for i in range(len(worlds)):
        world = worlds[i]
        depth = _go_down(tree, world, rules, playout, guided, root.hands_played)
        tree.counts[0].moves += play_out(world, rules, playout, root.hands_played, depth)
        for side in range(rules.num_sides):
            tree.outcome[side] = points_ahead(world, root, rules, side)
        book_outcome(tree, depth, side_of(rules, root.player))


class IsmctsAgent:
    """Plays the action that its search visits most; see the module.

    Args:
        game: what it plays.
        iterations: of each search.
        seconds: time for each search, instead of `iterations`, which is then None; moves depend on the machine's speed.
        playout: who plays on below the tree, `"random"`, `"greedy"` or `"rule"`; the last two also guide the tree's growth.
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
        self.game, self.seconds, self.privileged = game, seconds, privileged
        self.iterations = check_budget("iterations", iterations) if seconds is None else None
        if seconds is not None and not 0 < seconds < np.inf:
            raise ValueError(f"seconds must be a positive number, got {seconds!r}")
        budget = f"{iterations}" if seconds is None else f"{np.format_float_positional(seconds, trim='-')}s"
        kind = "omniscient" if privileged else "ismcts"
        self._playout = new_playout(game, playout, max_moves)
        self._guided = not isinstance(self._playout.policy, Dice)
        self._inference = new_inference(game, self._playout, infer, privileged)
        self.name = f"{kind}-{budget}{search_words(playout, 'random', infer, max_moves)}"
        self.tree = new_tree(game, iterations + 1 if seconds is None else _SECONDS_ROOM, self._playout.max_moves)

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
            self._search(tables, row, self.iterations, rng)
        else:
            end, searched = time.perf_counter() + self.seconds, False
            while not searched or time.perf_counter() < end:
                self._search(tables, row, _SECONDS_STEP, rng)
                searched = True
        return most_visited(self.tree, self.game.num_actions)

    def _search(self, tables: np.ndarray, row: int, iterations: int, rng: np.random.Generator) -> None:
        worlds = sample_worlds(self, self.game, tables, row, iterations, rng, self._inference)
        _search(self.tree, tables, row, self.game.rules, worlds, self._playout, self._guided)
