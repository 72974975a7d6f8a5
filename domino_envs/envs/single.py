"""The Gymnasium face: one learning seat, the other seats played by agents."""

from typing import Any

import gymnasium
import numpy as np

from domino_envs.envs.checks import RENDER_MODES, check_render_mode, check_reset_options, naming_settings
from domino_envs.envs.learner_face import LearnerFace, learner_spaces
from domino_envs.envs.learning_tables import LearningTables
from domino_envs.seeding import check_seed
from domino_envs.table import Table, action_number


class DominoEnv(LearnerFace, gymnasium.Env):
    """A domino game for one learner.

    The observation is `float32[D]`, the learner's view; `info["action_mask"]` is `int8[A]`, all zeros after the end, and
    `info["seat"]` the learner's seat; at the end `info["scores"]` is `int32[P]`, by seat. Reward and end are the learner's
    own, with all that it is paid while the others play. All arrays are fresh.

    Args:
        name: a game, as `"all_fives"` or `"all_fives_v0"`.
        num_players: seats.
        opponents: None for uniformly random legal play, an agent for all other seats, or a list of one (or None) for each
            of them, in turn order after the learner; see `domino_envs.envs.opponents`.
        seat: the learner's seat, or `"rotate"`: the first one follows from the seed, and it moves on with every episode.
        illegal: `"forfeit"` ends the game at -1 for the learner; `"raise"` raises ValueError and changes nothing.
        render_mode: None, `"ansi"` (`render` returns the table as text, as the learner may see it) or `"human"` (reset and
            every step print it).
        settings: `max_steps` (moves of all seats after which the episode is truncated), `skip_forced` (moves without a
            choice are played inside `step`), and the game's options.
    """

    def __init__(
        self,
        name: str,
        num_players: int = 2,
        *,
        opponents: Any = None,
        seat: int | str = 0,
        illegal: str = "forfeit",
        render_mode: str | None = None,
        **settings: Any,
    ):
        with naming_settings(DominoEnv):
            self._tables = LearningTables(name, 1, num_players, opponents=opponents, seat=seat, illegal=illegal, **settings)
        self.game = self._tables.game
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}
        self.render_mode = check_render_mode(render_mode)
        self.observation_space, self.action_space = learner_spaces(self.game)
        self._seat = int(self._tables.learners.seats[0])
        self._over = False

    @property
    def seat(self) -> int:
        """The learner's seat in this episode."""
        return self._seat

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        """Starts a game, of `seed` or the next one, and plays it to the learner's first decision; there are no options."""
        check_reset_options(options, ())
        if seed is not None:
            seed = check_seed(seed)
        super().reset(seed=seed)
        if seed is None and self._over:
            self._tables.begin(self.np_random)  # dealt already, when the last game ended
        else:
            self._tables.reset(None if seed is None else [seed], self.np_random)
        self._over = False
        self._seat = int(self._tables.learners.seats[0])
        self._show()
        return self._tables.now.observations[0].copy(), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict]:
        """Plays the learner's action, then the others' until the learner's next decision or the end.

        Raises:
            RuntimeError: before the first reset or after the end.
            TypeError: an action that is no integer.
            ValueError: no action has this number, or (under `illegal="raise"`) it is not legal; nothing has then changed.
        """
        if self._over:
            raise RuntimeError("the episode is over: call reset()")
        mask, number = self._tables.now.action_mask[0], action_number(action)
        if not 0 <= number < self.game.num_actions:
            raise ValueError(self.game.explain_illegal(mask, number, self._seat))
        step = self._tables.step([number], self.np_random, play_on=False)
        terminated, truncated = bool(step.terminated[0]), bool(step.truncated[0])
        self._over = terminated or truncated
        observations = step.final_observations if self._over else self._tables.now.observations
        self._show()
        return observations[0].copy(), float(step.rewards[0]), terminated, truncated, self._info()

    def _info(self) -> dict[str, Any]:
        info = {"action_mask": self.action_masks().astype(np.int8), "seat": self._seat}
        if self._over:
            info["scores"] = self._tables.learners.final_scores[0].copy()
        return info

    def action_masks(self) -> np.ndarray:
        """Returns the legal actions, `bool[A]`, as sb3-contrib asks for them; none after the end."""
        mask = self._tables.now.action_mask[0].astype(np.bool_)
        return np.zeros_like(mask) if self._over else mask

    @property
    def table(self) -> Table:
        """A copy of the table, hidden tiles included; after the end, the table as the game left it."""
        self._tables.check_ready()
        return self._final_table() if self._over else self._table_of(self._tables.batch.states.tobytes())

    def _table_of(self, state: bytes) -> Table:
        table = Table(self.game, seed=0)
        table.set_state(state)
        return table

    def _final_table(self) -> Table:
        """The batch has dealt anew: plays the last move, and the forced ones that it led to, once more."""
        state, action = self._tables.last_move
        table = self._table_of(state)
        legal = action in table.legal_actions()
        table.play(action) if legal else table.forfeit()
        final_view = self._tables.learners.final_observations[0]
        while not table.done and not np.array_equal(table.observation(self._seat), final_view):
            table.play(table.legal_actions()[0])
        return table

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Returns the table as text, or prints it with `render_mode="human"`; warns without a render mode."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode: make the environment with render_mode='ansi'")
            return None
        from domino_envs.render.text import show

        return show(self.table, self._seat, self.render_mode)


def make_env(name: str, num_players: int = 2, **settings: Any) -> DominoEnv:
    """Returns a game as a Gymnasium environment; the settings and the game's options are those of `DominoEnv`."""
    return DominoEnv(name, num_players, **settings)
