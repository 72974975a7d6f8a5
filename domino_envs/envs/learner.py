"""Tables with one learning seat each, the other seats played by agents: what the learner-facing faces share.

An agent is `act(observations[B, D], action_mask[B, A], rng) -> actions[B]`. One with `needs_tables = True` also gets
`tables=`, the `B` states with all that the seat to move cannot see dealt anew; one with `privileged = True` gets the
true ones. One with `reset(rows)` is told which of the `N` rows start a new game.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from domino_envs import engine
from domino_envs.envs.vector import DominoVec
from domino_envs.seeding import check_seed, streams_of

_OPPONENTS_SALT = np.uint64(0xA0761D6478BD642F)  # parts the opponents' streams from the games'


class LearnerStep(NamedTuple):
    """What one decision of every learner led to: `N` rows, fresh arrays."""

    observations: np.ndarray  # float32[N, D], at the learner's next decision (of a new game where this one ended)
    action_mask: np.ndarray  # int8[N, A], likewise
    rewards: np.ndarray  # float32[N], all that the learner's seat was paid since its last decision
    terminated: np.ndarray  # bool[N]
    truncated: np.ndarray  # bool[N]
    final_observations: np.ndarray  # float32[N, D], the learner's last view where a game ended; else zeros
    final_scores: np.ndarray  # int32[N, P], by seat where a game ended; else zeros


class LearnerTables:
    """A batch that always stands at a decision of the learner.

    Rewards earned before an episode's first decision belong to its first step; an episode that ends before the
    learner decided anything is dealt again, and counted in `skipped_episodes`.

    Args:
        opponents: None for uniformly random legal play; an agent for all other seats; or one agent for each, in turn
            order after the learner.
        seat: the learner's seat, or `"rotate"`: row *i* starts in seat `i % P` and moves on with every episode.
        settings: those of `DominoVec`, and the game's options.
    """

    def __init__(self, name: str, num_envs: int, num_players: int = 2, *, opponents: Any = None, seat: Any = 0, **settings: Any):
        self.tables = DominoVec(name, num_envs, num_players, **{"illegal": "forfeit", **settings, "copy": False})
        self.game, self.num_envs = self.tables.game, self.tables.num_envs
        self.opponents = check_opponents(opponents, self.game.num_players)
        self.rotate, self.seats = self._first_seats(seat)
        self.skipped_episodes = 0
        self._streams = np.zeros(num_envs, np.dtype([("rng", np.uint64)]))
        self._carried = np.zeros(num_envs, np.float32)
        self._rows = np.arange(num_envs)
        self._rng = np.random.default_rng()
        self._started = False

    def _first_seats(self, seat: Any) -> tuple[bool, np.ndarray]:
        players = self.game.num_players
        if isinstance(seat, str) and seat == "rotate":
            return True, np.arange(self.num_envs) % players
        if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < players:
            raise ValueError(f"seat must be 'rotate' or from 0 to {players - 1}, got {seat!r}")
        return False, np.full(self.num_envs, seat)

    def reset(self, seed: int | Sequence[int] | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Starts a game at every table; returns the learners' observations and masks. Seeds are those of `DominoVec`."""
        if seed is None and not self._started:
            seed = int(np.random.SeedSequence().entropy)
        if seed is not None:
            self._streams["rng"] = streams_of(seed, self.num_envs) ^ _OPPONENTS_SALT
            self._rng = np.random.default_rng(check_seed(seed) if np.ndim(seed) == 0 else [check_seed(one) for one in seed])
            self.rotate, self.seats = (True, self._rows % self.game.num_players) if self.rotate else (False, self.seats)
        elif self.rotate:
            self.seats = (self.seats + 1) % self.game.num_players
        self._started = True
        self.tables.reset(seed)
        self._carried[:] = 0.0
        self._forget(np.ones(self.num_envs, np.bool_))
        result = self._blank_step()
        self._advance(np.ones(self.num_envs, np.bool_), result)
        return self._views()

    def step(self, actions: Any) -> LearnerStep:
        """Plays the learners' actions and then the other seats until every learner has a decision again."""
        if not self._started:
            raise RuntimeError("call reset() before step()")
        everybody = np.ones(self.num_envs, np.bool_)
        self.tables.step(actions)
        result = self._blank_step()
        result.rewards[:] = self._carried
        self._carried[:] = 0.0
        over = np.zeros(self.num_envs, np.bool_)
        self._account(everybody, over, result)
        self._advance(over, result)
        observations, action_mask = self._views()
        return result._replace(observations=observations, action_mask=action_mask)

    def _blank_step(self) -> LearnerStep:
        rows, size = self.num_envs, self.game.observation_size
        flags = np.zeros((2, rows), np.bool_)
        scores = np.zeros((rows, self.game.num_players), np.int32)
        return LearnerStep(None, None, np.zeros(rows, np.float32), flags[0], flags[1], np.zeros((rows, size), np.float32), scores)

    def _views(self) -> tuple[np.ndarray, np.ndarray]:
        return self.tables.last.observations.copy(), self.tables.last.action_mask.copy()

    def _advance(self, over: np.ndarray, result: LearnerStep) -> None:
        """Lets the other seats play until every row stands at its learner; `over[N]`: this step's episode has ended."""
        while (moving := self.tables.last.player != self.seats).any():
            self.tables.step(self._opponents_actions(moving), rows=moving)
            self._account(moving, over, result)

    def _account(self, moved: np.ndarray, over: np.ndarray, result: LearnerStep) -> None:
        """Books what the last move paid, and the episodes that it ended; updates `over`."""
        batch = self.tables.last
        paid = batch.rewards[self._rows, self.seats]
        result.rewards[~over] += paid[~over]
        self._carried[over] += paid[over]
        ended = moved & (batch.terminated | batch.truncated)
        if not ended.any():
            return
        self._carried[ended & over] = 0.0
        self.skipped_episodes += int((ended & over).sum())
        news = ended & ~over
        result.terminated[news] = batch.terminated[news]
        result.truncated[news] = batch.truncated[news]
        result.final_observations[news] = batch.final_observations[news, self.seats[news]]
        result.final_scores[news] = batch.final_scores[news]
        over |= ended
        if self.rotate:
            self.seats = np.where(news, (self.seats + 1) % self.game.num_players, self.seats)
        self._forget(ended)

    def _forget(self, rows: np.ndarray) -> None:
        for agent in {id(agent): agent for agent in self.opponents or []}.values():
            if hasattr(agent, "reset"):
                agent.reset(np.flatnonzero(rows))

    def _opponents_actions(self, moving: np.ndarray) -> np.ndarray:
        batch = self.tables.last
        actions = np.zeros(self.num_envs, np.int64)
        if self.opponents is None:
            engine.sample_actions(batch.action_mask, self._streams, actions)
            return actions
        turns = (batch.player - self.seats) % self.game.num_players - 1
        for turn, agent in enumerate(self.opponents):
            rows = np.flatnonzero(moving & (turns == turn))
            if len(rows):
                actions[rows] = self._ask(agent, rows)
        return actions

    def _ask(self, agent: Any, rows: np.ndarray) -> np.ndarray:
        batch = self.tables.last
        views = batch.observations[rows], batch.action_mask[rows]
        if getattr(agent, "needs_tables", False) or getattr(agent, "privileged", False):
            tables = visible_tables(agent, self.game, self.tables.states[rows], batch.player[rows], self._rng)
            actions = agent.act(*views, self._rng, tables=tables)
        else:
            actions = agent.act(*views, self._rng)
        actions = np.asarray(actions, np.int64)
        if actions.shape != (len(rows),):
            raise ValueError(f"an agent must return actions[{len(rows)}], got shape {actions.shape} from {agent!r}")
        row = engine.first_illegal(views[1], actions)
        if row >= 0:
            raise ValueError(f"illegal action {actions[row]} by the opponent {agent!r}; legal are {np.flatnonzero(views[1][row])}")
        return actions


def visible_tables(agent: Any, game: Any, states: np.ndarray, seats: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Returns the tables that an agent may see: the true ones if privileged, else with all that is hidden dealt anew."""
    if not getattr(agent, "privileged", False):
        seeds = rng.integers(0, 2**64, len(states), np.uint64)
        engine.redeal_rows(states, game.rules, seats.astype(np.int64), seeds)
    return states


def check_opponents(opponents: Any, num_players: int) -> list | None:
    """Returns one agent for each other seat, or None for random play; raises TypeError or ValueError."""
    if opponents is None:
        return None
    agents = list(opponents) if isinstance(opponents, (list, tuple)) else [opponents] * (num_players - 1)
    if len(agents) != num_players - 1:
        raise ValueError(f"opponents must be one agent, or {num_players - 1} for the other seats, got {len(agents)}")
    for agent in agents:
        if not callable(getattr(agent, "act", None)):
            raise TypeError(f"an opponent must have a method act(observations, action_mask, rng), got {agent!r}")
    return agents
