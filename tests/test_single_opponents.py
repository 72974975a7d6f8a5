"""The Gymnasium face: the agents of the other seats."""

import itertools

import numpy as np
import pytest

from domino_envs import engine
from domino_envs.envs.single import make_env
from single_games import Highest, Seated, played


@pytest.mark.parametrize("players", [2, 3])
def test_a_rotating_seat_moves_on_with_every_episode(players):
    env = make_env("block", players, seat="rotate", max_steps=9)
    rng = np.random.default_rng(0)
    seats = []
    for _ in range(7):
        _, _, _, _ = played(env, rng, None if seats else 11)
        seats.append(env.seat)
    assert seats == [(seats[0] + i) % players for i in range(7)]
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(20)} == set(range(players))
    seat = env.seat
    env.reset()
    assert env.seat == (seat + 1) % players


def test_a_list_of_opponents_plays_in_turn_order_after_the_learner():
    log = []
    env = make_env(
        "block", 4, opponents=[Seated("next", log), Seated("across", log), Seated("before", log)], seat=2, max_hands=1
    )
    played(env, np.random.default_rng(0), seed=0)
    order = ["next", "across", "before"]
    starts = log.index("next")
    assert log[:starts] == order[3 - starts :]
    rest = log[starts:]
    assert all(after == order[(order.index(name) + 1) % 3] for name, after in itertools.pairwise(rest))


def test_agents_are_told_which_games_start_and_see_the_seat_to_move():
    agent = Highest()
    env = make_env("draw", opponents=agent, seat=0, max_steps=20)
    played(env, np.random.default_rng(0), seed=0)
    played(env, np.random.default_rng(0))
    assert agent.resets[:2] == [[0], [0]]
    assert all(mask.any(1).all() and views.shape == (1, env.game.observation_size) for views, mask in agent.calls)


@pytest.mark.parametrize("flag", ["needs_tables", "privileged"])
def test_tables_for_agents_hide_what_their_seat_cannot_see(flag):
    class Looks(Highest):
        def act(self, observations, action_mask, rng, *, tables, rows):
            seen = np.zeros(1, env.game.observation_dtype)
            engine.observe_seats(tables, env.game.rules, np.array([1]), seen)
            np.testing.assert_array_equal(seen.view(np.float32), observations[0])
            assert (tables.tobytes() == env._tables.batch.states.tobytes()) == (flag == "privileged")
            tables["player"] = 0  # an agent's to spoil
            return super().act(observations, action_mask, rng, rows=rows)

    agent = Looks()
    setattr(agent, flag, True)
    env = make_env("block", opponents=agent)
    for seed in range(5):
        played(env, np.random.default_rng(seed), seed)
    assert agent.calls


def test_an_opponents_illegal_action_is_an_error():
    class Cheat:
        def act(self, observations, action_mask, rng):
            return action_mask.argmin(1)

        def __repr__(self):
            return "Cheat"

    env = make_env("block", opponents=Cheat())
    with pytest.raises(ValueError, match=r"opponent Cheat: illegal action \d+ .* by player_1; legal are "):  # noqa: PT012
        for seed in range(9):
            played(env, np.random.default_rng(seed), seed)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)
    env.opponents = None
    played(env, np.random.default_rng(0))
