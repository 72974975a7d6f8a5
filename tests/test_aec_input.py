"""The PettingZoo face: what it refuses, by name."""

import numpy as np
import pytest

from aec_games import NAMES, digest, every_name, over, random_move, returns_of
from domino_envs import make_aec


@every_name
def test_calls_out_of_order_are_refused_by_name(name):
    env = make_aec(name, 3, render_mode="ansi")
    for call in (lambda: env.step(0), env.last, lambda: env.observe("player_0"), env.state, env.render, env.get_state):
        with pytest.raises(RuntimeError, match=r"call reset\(\) before"):
            call()
    for attribute in ("agent_selection", "rewards", "terminations", "truncations", "infos"):
        with pytest.raises(AttributeError, match=r"call reset\(\) before reading"):
            getattr(env, attribute)
    returns_of(env, 1, np.random.default_rng(1))
    for call in (lambda: env.step(None), lambda: env.step(0), env.last):
        with pytest.raises(RuntimeError, match=r"the game is over: call reset\(\)"):
            call()


@every_name
def test_a_retired_seat_takes_no_action_but_none(name):
    env, rng = make_aec(name, 3), np.random.default_rng(8)
    env.reset(seed=8)
    with pytest.raises(TypeError, match="None by player_"):
        env.step(None)
    while not over(env):
        env.step(random_move(env, rng))
    before = digest(env)
    with pytest.raises(ValueError, match=r"over for player_0.*got 7"):
        env.step(7)
    assert digest(env) == before


@pytest.mark.parametrize("illegal", ["raise", "forfeit"])
def test_actions_are_integers_of_any_kind(illegal):
    torch = pytest.importorskip("torch")
    env = make_aec(NAMES[0], illegal=illegal)
    env.reset(seed=1)
    legal, ends = int(env.last()[0]["action_mask"].argmax()), set()
    kinds = [int, np.int8, np.int16, np.int32, np.int64, np.uint8, np.array, torch.tensor]
    for kind in kinds:
        twin = env.clone()
        twin.step(kind(legal))
        ends.add(digest(twin))
    assert len(ends) == 1
    before = digest(env)
    for wrong in (
        float(legal),
        True,
        np.True_,
        np.array([legal]),
        torch.tensor([legal]),
        torch.tensor(1.0),
        "1",
        None,
        [legal],
    ):
        with pytest.raises(TypeError, match=r"an action must be an integer.* by player_"):
            env.step(wrong)
    for wrong in (-1, env.game.num_actions, 2**70):
        with pytest.raises(
            ValueError, match=f"illegal action {wrong} by player_\\d, expected 0 to {env.game.num_actions - 1}; legal"
        ):
            env.step(wrong)
    assert digest(env) == before


@pytest.mark.parametrize(("seed", "error"), [(-1, ValueError), (1.5, TypeError), (True, TypeError), ("1", TypeError)])
def test_a_bad_seed_is_refused_and_the_game_goes_on(seed, error):
    env = make_aec(NAMES[0])
    env.reset(seed=1)
    before = digest(env)
    with pytest.raises(error, match="non-negative integer"):
        env.reset(seed=seed)
    assert digest(env) == before


@pytest.mark.parametrize("state", [None, {}, {"table": b""}])
def test_only_states_of_get_state_are_put_back(state):
    with pytest.raises(ValueError, match="a state must be a dict from get_state"):
        make_aec(NAMES[0]).set_state(state)


def saved_at(moves):
    """Returns an environment and its state after so many moves of a game, or after the game and so many retired seats."""
    env, rng = make_aec("block", 3, max_steps=500), np.random.default_rng(3)
    env.reset(seed=3)
    for _ in range(moves):
        env.step(random_move(env, rng))
    return env, env.get_state()


def refuses(env, state, match):
    before = digest(env)
    with pytest.raises(ValueError, match=match):
        env.set_state(state)
    assert digest(env) == before


EVERYBODY = ["player_0", "player_1", "player_2"]
ZEROS, NOT_YET, AT_AN_END = (dict.fromkeys(EVERYBODY, value) for value in (0.0, False, True))


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("table", None, "must be bytes from get_state, got NoneType"),
        ("table", b"short", "bytes, got 5"),
        ("agents", None, "a list of some of .*, got None"),
        ("agents", tuple(EVERYBODY), "a list of some of .*, got \\('player_0'"),
        ("agents", EVERYBODY[::-1], "in this order"),
        ("agents", [*EVERYBODY, "player_2"], "a list of some of"),
        ("agents", [0, 1, 2], "a list of some of"),
        ("rewards", None, "a finite number for each"),
        ("rewards", {}, "a finite number for each"),
        ("rewards", {**ZEROS, "player_9": 0.0}, "a finite number for each"),
        ("rewards", {**ZEROS, "player_1": "much"}, "a finite number for each .*, got .*much"),
        ("rewards", {**ZEROS, "player_1": float("nan")}, "a finite number for each"),
        ("rewards", {**ZEROS, "player_1": True}, "a finite number for each"),
        ("_cumulative_rewards", {**ZEROS, "player_1": float("inf")}, "a finite number for each"),
        ("terminations", [False] * 3, "the same boolean for each"),
        ("terminations", {**NOT_YET, "player_0": 0}, "the same boolean for each"),
        ("terminations", {**NOT_YET, "player_0": True}, "the same boolean for each"),
        ("terminations", AT_AN_END, "False, as the table's game is not over"),
        ("truncations", {**NOT_YET, "player_2": True}, "the same boolean for each"),
        ("_steps", -1, "a non-negative integer"),
        ("_steps", 2.0, "a non-negative integer"),
        ("_steps", True, "a non-negative integer"),
        ("_steps", 500, "a non-negative integer below max_steps=500, got 500"),
    ],
)
def test_a_damaged_entry_of_a_state_is_named_and_nothing_changes(key, value, expected):
    env, state = saved_at(4)
    refuses(env, {**state, key: value}, f"^{key} of a state.* {expected}")


def test_entries_of_different_moments_do_not_go_together():
    env, state = saved_at(4)
    while not over(env):
        env.step(random_move(env, np.random.default_rng(1)))
    ended = env.get_state()
    refuses(env, {**ended, "table": state["table"]}, "terminations of a state must be False, as the table's game is not over")
    refuses(env, {**state, "table": ended["table"]}, "terminations of a state must be True, as the table's game is over")
    env.step(None)
    retired = env.get_state()
    assert retired["agents"] != EVERYBODY
    of_the_others = {key: {agent: state[key][agent] for agent in retired["agents"]} for key in ("terminations", "rewards")}
    refuses(env, {**retired, **of_the_others, "table": state["table"]}, "agents of a state must be all of")
    env.set_state(state)
    assert env.get_state() == state


@pytest.mark.parametrize(("field", "value", "most"), [("player", 3, 2), ("player", -1, 2), ("done", 2, 1)])
def test_a_table_whose_turn_is_nobodys_is_refused(field, value, most):
    env, state = saved_at(4)
    records = env.game.states_of(state["table"])
    records[field] = value
    refuses(
        env,
        {**state, "table": records.tobytes()},
        f"table of a state: {field} of a state must be from 0 to {most}, got {value}",
    )


def test_unknown_agents_are_named():
    env = make_aec(NAMES[0])
    env.reset(seed=1)
    for call in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(ValueError, match="no agent 'player_2'; the agents are player_0, player_1"):
            call("player_2")


def test_without_a_render_mode_rendering_warns_once_and_gives_nothing():
    env = make_aec(NAMES[0])
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode") as told:
        assert env.render() is None
    assert len(told) == 1


def test_a_point_of_view_is_a_seat():
    for wrong, kind in (("0", TypeError), (True, TypeError), (0.0, TypeError), (2, ValueError), (-1, ValueError)):
        with pytest.raises(kind, match=r"pov must be .* or None, got "):
            make_aec(NAMES[0], pov=wrong)


@pytest.mark.parametrize(
    "settings",
    [
        {"mask_in": "both"},
        {"mask_in": None},
        {"illegal": "ignore"},
        {"illegal": None},
        {"max_steps": 0},
        {"max_steps": 2.0},
        {"max_steps": True},
        {"render_mode": "hologram"},
        {"pov": 2},
        {"pov": -1},
        {"pov": "player_0"},
        {"num_players": 1},
        {"colour": "red"},
    ],
    ids=str,
)
def test_settings_are_checked_when_the_environment_is_made(settings):
    (setting,) = settings
    with pytest.raises((TypeError, ValueError), match=setting):
        make_aec(NAMES[0], **settings)


def test_reset_options_must_be_a_dict():
    with pytest.raises(TypeError, match="options must be None or a dict, got 3"):
        make_aec(NAMES[0]).reset(options=3)
