"""Perfect-information Monte Carlo: every legal action tried in sampled worlds, each played out once.

The worlds are those of `worlds.py`. The action with the best mean wins. Source of the method: Ginsberg, "GIB: Steps toward
an expert-level bridge-playing program", IJCAI 1999; when it works: Long, Sturtevant, Buro, Furtak, "Understanding the
success of perfect information Monte Carlo sampling in game tree search", AAAI 2010.
"""

import numpy as np

from domino_agents.playouts import check_budget, new_playout, play_out, search_words
from domino_agents.weighing import points_ahead
from domino_agents.worlds import new_inference, sample_worlds
from domino_envs.core import game as dispatch
from domino_envs.core.game import Game
from domino_envs.core.jit import entry
from domino_envs.core.scoring import side_of


@entry
def _try_actions(tables, row, rules, mask, worlds, playout, scratch, points):
    """Adds to `points[A]` what every legal action at the table `tables[row]` brings the mover in all worlds."""
    root, branch = tables[row], scratch[0]
    for world in range(len(worlds)):
        for action in range(len(mask)):
            if mask[action]:
                scratch[0] = worlds[world]  # its stream of random numbers too: luck is the same for all actions
                dispatch.step(branch, rules, action)
                play_out(branch, rules, playout, root.hands_played, 1)
                points[action] += points_ahead(branch, root, rules, side_of(rules, root.player))


class PimcAgent:
    """Plays the action with the best mean over sampled worlds, the lowest number of those that are level; see the module.

    Args:
        game: what it plays.
        worlds: how many are sampled for each decision.
        playout: who plays on in them: `"greedy"`, `"random"`, or `"rule"`, which is stronger and takes several times as long.
        infer: draw worlds by what the others' moves tell, as if they were such players as play out; in line games alone.
        max_moves: moves after which a playout stops; None plays to the end of the hand.

    Attributes:
        points: `float64[B, A]`, the sums over the worlds at the last call, of the mover's points less the mean of the
            others' in this hand; 0 for illegal actions, and where only one is legal.
    """

    needs_tables = True

    def __init__(
        self,
        game: Game,
        worlds: int = 100,
        playout: str = "greedy",
        *,
        infer: bool = False,
        max_moves: int | None = None,
    ):
        self.game, self.worlds = game, check_budget("worlds", worlds)
        self._playout = new_playout(game, playout, max_moves)
        self._inference = new_inference(game, self._playout, infer)
        self.name = f"pimc-{worlds}{search_words(playout, 'greedy', infer, max_moves)}"
        self._scratch = game.new_states(1)

    def act(
        self, observations: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator, *, tables: np.ndarray
    ) -> np.ndarray:
        """Returns `actions[B]`; `tables[B]` have been through `redeal_hidden` for the seat to move."""
        masks = np.ascontiguousarray(action_mask)
        self.points = np.zeros(masks.shape)
        for row in np.flatnonzero(np.count_nonzero(masks, axis=1) > 1):
            worlds = sample_worlds(self, self.game, tables, row, self.worlds, rng, self._inference)
            fixed = self.game.rules, masks[row], worlds, self._playout, self._scratch
            _try_actions(tables, row, *fixed, self.points[row])
        return np.argmax(np.where(masks == 1, self.points, -np.inf), axis=1)
