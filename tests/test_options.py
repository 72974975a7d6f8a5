"""Options: the kernels' numbers of their words, defaults for pairs, and names that are none."""

from typing import Literal, get_args, get_origin, get_type_hints

import numpy as np
import pytest

from domino_envs import game_names, load_game, make_aec, make_env, make_gym_vec, make_sb3, make_vec
from domino_envs.core import capture_deal, opening, scoring, turns
from domino_envs.games import bergen, high_fives

pytestmark = pytest.mark.nojit

# What the kernels compare an option's number with.
NUMBERS = {
    "draw_mode": {
        "none": turns.DRAW_NONE,
        "one_end": turns.DRAW_ONE_END,
        "one_then_play": turns.DRAW_ONE_THEN_PLAY,
        "until_playable": turns.DRAW_UNTIL_PLAYABLE,
    },
    "first_leader": {"lot": turns.FIRST_LEADER_LOT},
    "next_lead": {
        "highest_double": turns.LEAD_HIGHEST_DOUBLE,
        "winner": turns.LEAD_WINNER,
        "rotation": turns.LEAD_ROTATION,
    },
    "lead_tile": {"any": 0, "highest_double": 1},
    "match_end": {"immediate": turns.MATCH_END_IMMEDIATE, "hand_end": turns.MATCH_END_HAND_END},
    "reward": {"win": turns.REWARD_WIN, "points": turns.REWARD_POINTS},
    "lead_rule": {
        "any_double": opening.OPEN_ANY_DOUBLE,
        "highest_double": opening.OPEN_HIGHEST_DOUBLE,
        "lowest_double": opening.OPEN_LOWEST_DOUBLE,
        "any_tile": opening.OPEN_ANY_TILE,
    },
    "blocked_rule": {"lowest_pips": bergen.BLOCKED_LOWEST_PIPS},
    "hand_end_rounding": {"none": scoring.ROUND_NONE, "r5_each": scoring.ROUND_EACH, "r5_sum": scoring.ROUND_SUM},
    "score_unit": {"pips": scoring.UNIT_PIP, "pips_over_5": scoring.UNIT_FIVE_PIPS},
    "ft_scoring": {
        "face_both": scoring.SCORE_FACE_BOTH,
        "face_once": scoring.SCORE_FACE_ONCE,
        "units": scoring.SCORE_UNITS,
    },
    "leftover": {
        "to_layout": capture_deal.TO_LAYOUT,
        "discard": capture_deal.DISCARD,
        "short_hand": capture_deal.SHORT_HAND,
    },
    "relay_layout": {
        "none": capture_deal.RELAY_NONE,
        "add": capture_deal.RELAY_ADD,
        "replace": capture_deal.RELAY_REPLACE,
    },
    "capture": {"optional": high_fives.OPTIONAL},
}
NO_NUMBER = {"spinner", "claim_mode"}  # the state's type tells


@pytest.mark.parametrize("name", game_names())
def test_the_kernels_number_the_words_as_the_options_list_them(name):
    for option, hint in get_type_hints(type(load_game(name).options)).items():
        words = get_args(hint)
        if get_origin(hint) is not Literal or option in NO_NUMBER or (name, option) == ("high_fives", "first_leader"):
            continue
        assert {word: words.index(word) for word in NUMBERS[option]} == NUMBERS[option], option


@pytest.mark.parametrize("name", ["block", "fives_and_threes"])
def test_pairs_have_their_defaults_whichever_kind_of_boolean_asks_for_them(name):
    assert load_game(name, 4, partnership=np.True_).options == load_game(name, 4, partnership=True).options
    assert load_game(name, 4, partnership=np.False_).options == load_game(name, 4).options
    with pytest.raises(TypeError, match="partnership must be True or False, got 1"):
        load_game(name, 4, partnership=1)


LEARNERS = "illegal, max_steps, opponents, seat, skip_forced, threads"


@pytest.mark.parametrize(
    ("make", "settings"),
    [
        (lambda **wrong: make_vec("block", 4, **wrong), "check, copy, illegal, max_steps, skip_forced, threads"),
        (lambda **wrong: make_gym_vec("block", 4, **wrong), f"copy, {LEARNERS}"),
        (lambda **wrong: make_sb3("block", 4, **wrong), LEARNERS),
        (lambda **wrong: make_env("block", **wrong), LEARNERS.replace("seat", "render_mode, seat")),
        (lambda **wrong: make_aec("block", **wrong), "illegal, mask_in, max_steps, pov, render_mode"),
    ],
    ids=["batch", "gymnasium.vector", "sb3", "gymnasium", "pettingzoo"],
)
def test_a_misspelt_setting_is_told_what_there_is(make, settings):
    with pytest.raises(
        TypeError, match=f"block has no option 'thread'; its options are max_pip, .*; the other settings are {settings}$"
    ):
        make(thread=2)


def test_a_game_alone_has_its_options_alone():
    with pytest.raises(TypeError, match=r"block has no option 'thread'; its options are [a-z_, ]*$"):
        load_game("block", thread=2)
