"""Tables with one learning seat each, whose other seats agents play."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from domino_envs import engine
from domino_envs.core.batch import BatchStep, Learners
from domino_envs.core.game import kernel_array
from domino_envs.core.integers import check_integer
from domino_envs.core.rng import STREAM
from domino_envs.engine import WAIT
from domino_envs.envs.checks import check_actions, check_illegal, naming_settings
from domino_envs.envs.opponents import ask_agent, group_opponents, tell_of_new_games
from domino_envs.envs.vector import DominoVec
from domino_envs.seeding import streams_of

_SALT = np.uint64(0xA0761D6478BD642F)  # parts the streams of random opponents from those of the games
_NOT_FOR_LEARNERS = ("check", "copy", "num_envs")  # settings of the batch that `LearningTables` decides
_MOST_MOVES = 100_000  # between two decisions of a learner


def _new_learners(rows: int, players: int, features: int) -> Learners:
    return Learners(
        seats=np.zeros(rows, np.int8),
        rewards=np.zeros(rows, np.float32),
        terminated=np.zeros(rows, np.bool_),
        truncated=np.zeros(rows, np.bool_),
        final_observations=np.zeros((rows, features), np.float32),
        final_scores=np.zeros((rows, players), np.int32),
        actions=np.full(rows, WAIT, np.int64),
        opening=np.ones(rows, np.bool_),
        carried=np.zeros(rows, np.float32),
        skipped_episodes=np.zeros(rows, np.int64),
        streams=kernel_array(np.zeros(rows, STREAM)),
    )


class LearningTables:
    """A batch whose every table stands at a decision of its learning seat.

    Rewards earned before an episode's first decision belong to its first step. An episode that ends before the learner
    decided anything is dealt again, and counted in `skipped_episodes`.

    Args:
        name: a game, as `"all_fives"` or `"all_fives_v0"`.
        num_envs: the number `N` of tables.
        num_players: seats at each.
        opponents: None for uniformly random legal play, an agent for all other seats, or a list of one (or None) for each
            of them, in turn order after the learner.
        seat: the learner's seat, or `"rotate"`: the first one follows from the seed, and it moves on with every episode.
        illegal: `"forfeit"` ends the game at -1 for the learner; `"raise"` raises ValueError before any table moves.
        settings: `max_steps` (moves of all seats), `skip_forced`, `threads`, and the game's options.
    """

    def __init__(
        self,
        name: str,
        num_envs: int,
        num_players: int = 2,
        /,
        *,
        opponents: Any = None,
        seat: int | str = "rotate",
        illegal: str = "forfeit",
        **settings: Any,
    ):
        self.illegal = check_illegal(illegal)
        for setting in _NOT_FOR_LEARNERS:
            if setting in settings:
                raise TypeError(f"{setting} is no setting here, got {setting}={settings[setting]!r}; it is one of make_vec")
        # The learners' and agents' actions are checked here: the batch itself sees legal ones, and forfeits.
        with naming_settings(LearningTables, but=_NOT_FOR_LEARNERS):
            self.batch = DominoVec(name, num_envs, num_players, illegal="forfeit", check=False, **settings)
        self.game, self.num_envs = self.batch.game, self.batch.num_envs
        self.learners = _new_learners(self.num_envs, self.game.num_players, self.game.observation_size)
        self.rotate = isinstance(seat, str) and seat == "rotate"
        if not self.rotate:
            self.learners.seats[:] = check_integer("seat", seat, 0, self.game.num_players - 1, " or 'rotate'")
        self.last_move: tuple[bytes, int] | None = None
        self._started = self._ready = False
        self.opponents = opponents

    @property
    def opponents(self) -> Any:
        """The other seats' agents, as they were given; others may be put in their place, and then remember nothing."""
        return self._opponents

    @opponents.setter
    def opponents(self, opponents: Any) -> None:
        self._groups = group_opponents(opponents, self.game)
        self._opponents = opponents
        if self._started:
            self._forget(np.arange(self.num_envs))

    @property
    def skipped_episodes(self) -> int:
        """Episodes that ended before a decision of the learner and were dealt again."""
        return self.batch.skipped_episodes + int(self.learners.skipped_episodes.sum())

    def check_ready(self) -> None:
        """Raises RuntimeError before the first reset, and after an error in the middle of a step."""
        if not self._ready:
            raise RuntimeError("call reset() first")

    @property
    def now(self) -> BatchStep:
        """What the learners see: `observations` and `action_mask`, which the next step overwrites."""
        self.check_ready()
        return self.batch.last

    def reset(self, seed: int | Sequence[int] | None, rng: np.random.Generator, rows: np.ndarray | None = None) -> None:
        """Starts a game at every table, or at those of `rows`, `bool[N]`; seeds are those of `DominoVec.reset`."""
        self.batch.reset(seed, rows=rows)
        chosen = np.arange(self.num_envs) if rows is None else np.flatnonzero(rows)
        if seed is not None or not self._started:
            self._seed(streams_of(seed, self.num_envs), chosen)
        elif self.rotate:
            self.learners.seats[chosen] = (self.learners.seats[chosen] + 1) % self.game.num_players
        for array in (self.learners.rewards, self.learners.terminated, self.learners.truncated, self.learners.carried):
            array[chosen] = 0
        self.learners.opening[chosen] = True
        self._started = True
        self._forget(chosen)
        self.begin(rng)

    def _seed(self, streams: np.ndarray, chosen: np.ndarray) -> None:
        self.learners.streams["rng"][chosen] = streams[chosen] ^ _SALT
        if self.rotate:
            self.learners.seats[chosen] = (streams[chosen] >> np.uint64(32)) % np.uint64(self.game.num_players)

    def begin(self, rng: np.random.Generator) -> None:
        """Plays on to the learners' decisions where tables wait after an end or a reset."""
        self.learners.actions[:] = WAIT
        self._play(rng, True)

    def step(self, actions: Any, rng: np.random.Generator, play_on: bool = True) -> Learners:
        """Plays the learners' `actions[N]`, then the other seats until every learner has a decision again.

        Args:
            rng: what agents draw from.
            play_on: go on to the first decision of a new episode; otherwise `begin` does.
        """
        masks = self.now.action_mask
        numbers = check_actions(actions, self.game.num_actions, np.empty(self.num_envs, np.int64))
        if self.illegal == "raise":
            self._refuse_illegal(masks, numbers)
        learners = self.learners
        learners.actions[:] = numbers
        learners.rewards[:] = learners.carried
        for array in (learners.carried, learners.terminated, learners.truncated, learners.opening):
            array[:] = 0
        self._move()
        self._play(rng, play_on)
        return learners

    def _refuse_illegal(self, masks: np.ndarray, actions: np.ndarray) -> None:
        row = engine.first_illegal(masks, actions)
        if row >= 0:
            place = f"row {row}: " if self.num_envs > 1 else ""
            raise ValueError(place + self.game.explain_illegal(masks[row], int(actions[row]), self.learners.seats[row]))

    def _play(self, rng: np.random.Generator, play_on: bool) -> None:
        """Lets the other seats move until every table waits for its learner."""
        self._ready = False
        for _ in range(_MOST_MOVES):
            if not engine.book_moves(self.learners, self.batch.last, self.rotate, play_on):
                self._ready = True
                return
            if self._groups:
                self._ask_agents(rng)
            self._move()
        raise RuntimeError(
            f"a learner had no decision in {_MOST_MOVES} moves: max_steps={self.batch.max_steps} may be too few"
        )

    def _move(self) -> None:
        if self.num_envs == 1:  # for the face of a single table, which shows how the game ended
            self.last_move = self.batch.states.tobytes(), int(self.learners.actions[0])
        last = self.batch.step(self.learners.actions)
        if self._groups:
            self._forget(np.flatnonzero(last.terminated | last.truncated))

    def _forget(self, rows: np.ndarray) -> None:
        for agent, _ in self._groups:
            if len(rows):
                tell_of_new_games(agent, rows)

    def _ask_agents(self, rng: np.random.Generator) -> None:
        """Overwrites the random moves of tables where an agent sits."""
        learners = self.learners
        turns = (self.batch.last.player - learners.seats) % self.game.num_players
        for agent, plays in self._groups:
            rows = np.flatnonzero((learners.actions != WAIT) & plays[turns])
            if len(rows):
                learners.actions[rows] = self._ask(agent, rows, rng)

    def _ask(self, agent: Any, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        last = self.batch.last
        masks, players = last.action_mask[rows], last.player[rows]
        actions = ask_agent(agent, self.game, self.batch.states, last, rows, rng)
        actions = check_actions(actions, self.game.num_actions, np.empty(len(rows), np.int64))
        place = engine.first_illegal(masks, actions)
        if place >= 0:
            reason = self.game.explain_illegal(masks[place], int(actions[place]), players[place])
            raise ValueError(f"opponent {agent!r}: {reason}")
        return actions
