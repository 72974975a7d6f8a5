"""The compiled games against their plain-Python twins, move by move."""

import random
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from domino_envs import game_names, load_game
from domino_envs.core.tiles import BONEYARD, FIRST_PILE, HIGH, LOW, SET_ASIDE, TABLE
from domino_envs.table import Table
from domino_envs.testing import deal_of
from reference.twins import twin_of

TILES = list(zip(LOW.tolist(), HIGH.tolist(), strict=True))
NUMBER = {tile: number for number, tile in enumerate(TILES)}

# Players, and options; together they hold every value of every option. Spinner and claims, which are the same functions in all
# games, are played at tables of two to four in All Fives.
OPTION_SETS = {
    "block": [
        ((2, 3, 4), {}),
        ((4,), {"partnership": True}),
        ((4,), {"partnership": True, "hand_size": 4, "next_lead": "rotation", "match_end": "hand_end", "reward": "points"}),
        ((2, 3, 4), {"max_hands": 1, "target": None, "reward": "points"}),
        ((2, 3, 4), {"spinner": "first_double"}),
        ((2, 3, 4), {"next_lead": "rotation", "first_leader": "lot", "deduct_own_pips": False, "match_end": "hand_end"}),
        ((2, 3, 4), {"next_lead": "highest_double", "target": 37, "exact_target": True, "reward": "points", "max_hands": 12}),
        ((2, 3, 4), {"next_lead": "highest_double", "lead_tile": "any", "hand_size": 3, "max_hands": 3, "target": None}),
        ((2,), {"max_pip": 9, "hand_size": 12, "target": 250}),
    ],
    "draw": [
        ((2, 3, 4), {}),
        ((2, 3, 4), {"spinner": "first_double", "first_leader": "lot", "lead_tile": "any"}),
        ((2, 3, 4), {"reserve": 2, "reward": "points", "target": 50}),
        ((2, 3, 4), {"draw_mode": "one_then_play", "reserve": 1, "first_leader": "lot", "lead_tile": "any"}),
        ((4,), {"draw_mode": "one_end", "partnership": True, "match_end": "hand_end"}),
        ((2, 3, 4), {"draw_mode": "one_end", "next_lead": "rotation", "deduct_own_pips": False, "reward": "points"}),
        ((2, 3, 4), {"hand_size": 2, "next_lead": "highest_double", "target": None, "max_hands": 2}),
        ((2,), {"max_pip": 9, "hand_size": 6}),
    ],
    "all_fives": [
        ((2, 3, 4), {}),
        ((2, 3, 4), {"reward": "points", "max_hands": 1}),
        ((2, 3, 4), {"hand_end_rounding": "none", "draw_mode": "until_playable", "reserve": 0, "next_lead": "winner"}),
        ((2, 3, 4), {"hand_end_rounding": "r5_sum", "draw_mode": "one_then_play", "lead_tile": "highest_double"}),
        ((2, 3, 4), {"draw_mode": "none", "next_lead": "rotation", "first_leader": "lot", "target": None, "max_hands": 3}),
        ((2, 3, 4), {"match_end": "hand_end", "target": 40, "hand_size": 7, "reward": "points"}),
        ((4,), {"partnership": True, "target": 60, "exact_target": True, "max_hands": 20}),
        (
            (4,),
            {
                "partnership": True,
                "hand_end_rounding": "r5_sum",
                "draw_mode": "none",
                "next_lead": "winner",
                "reward": "points",
            },
        ),
        ((2, 3), {"max_pip": 9, "hand_size": 7, "target": 200, "reward": "points"}),
        ((2, 3, 4), {"spinner": "first_double", "draw_mode": "until_playable", "reserve": 0, "hand_size": 7}),
        ((2, 3, 4), {"claim_mode": "muggins", "opening_threshold": 10, "target": 60}),
        (
            (2, 3, 4),
            {
                "claim_mode": "muggins",
                "false_claims": True,
                "false_claim_penalty": 3,
                "spinner": "first_double",
                "match_end": "hand_end",
                "reward": "points",
            },
        ),
        (
            (4,),
            {"partnership": True, "claim_mode": "muggins", "false_claims": True, "score_unit": "pips_over_5", "target": 20},
        ),
        ((2, 3), {"score_unit": "pips_over_5", "opening_threshold": 2, "target": 12, "exact_target": True}),
    ],
    "all_fives_and_threes": [
        ((2, 3, 4), {}),
        ((2,), {"ft_scoring": "face_once", "hand_end_rounding": "r5_each", "claim_mode": "muggins", "reward": "points"}),
        ((2,), {"ft_scoring": "units", "hand_end_rounding": "r5_sum", "spinner": "first_double", "target": 40}),
        (
            (4,),
            {
                "partnership": True,
                "claim_mode": "muggins",
                "false_claims": True,
                "false_claim_penalty": 2,
                "exact_target": True,
                "max_hands": 9,
            },
        ),
        ((2, 3), {"draw_mode": "none", "first_leader": "lot", "next_lead": "winner", "hand_size": 7}),
        ((2, 3), {"draw_mode": "one_then_play", "reserve": 0, "next_lead": "rotation", "match_end": "hand_end"}),
        ((2,), {"draw_mode": "until_playable", "lead_tile": "highest_double", "max_pip": 9}),
    ],
    "fives_and_threes": [
        ((2, 3, 4), {}),
        ((2, 3, 4), {"out_bonus": 3, "exact_target": False, "next_lead": "winner", "reward": "points"}),
        ((4,), {"partnership": True, "claim_mode": "muggins", "false_claims": True, "false_claim_penalty": 1}),
        ((2,), {"spinner": "first_double", "draw_mode": "one_end", "match_end": "hand_end", "exact_target": False}),
        ((2, 3), {"first_leader": "highest_double", "next_lead": "highest_double", "lead_tile": "highest_double"}),
        ((2,), {"draw_mode": "one_then_play", "max_pip": 9, "target": 41, "max_hands": 30}),
        ((2,), {"draw_mode": "until_playable", "hand_size": 5, "reserve": 2}),
    ],
    "bergen": [
        ((2, 3, 4), {}),
        ((2, 3), {"hand_size": 2, "reward": "points"}),
        ((2, 3), {"hand_size": 2, "reserve": 20, "next_lead": "winner", "max_hands": 5, "target": None}),
        ((2, 3), {"hand_size": 2, "lead_rule": "highest_double", "reserve": 19, "next_lead": "highest_double"}),
        ((2, 3), {"hand_size": 3, "draw_mode": "none", "lead_rule": "lowest_double", "blocked_rule": "doubleless_first"}),
        ((2, 3, 4), {"lead_rule": "highest_double", "near_target_cap": True, "opening_double_points": 3, "reserve": 2}),
        (
            (2, 3, 4),
            {
                "lead_rule": "any_tile",
                "first_leader": "highest_double",
                "next_lead": "winner",
                "draw_mode": "one_end",
                "fill_opening_double_first": True,
                "match_end": "hand_end",
                "reward": "points",
            },
        ),
        (
            (2, 3, 4),
            {
                "first_leader": "highest_double",
                "draw_mode": "one_then_play",
                "opening_double_points": 0,
                "fill_opening_double_first": True,
                "blocked_rule": "doubleless_first",
                "round_bonus": 2,
            },
        ),
        ((4,), {"partnership": True, "draw_mode": "none", "next_lead": "winner", "blocked_rule": "doubleless_first"}),
        ((4,), {"partnership": True, "hand_size": 3, "exact_target": True, "near_target_cap": True, "max_hands": 20}),
        ((5, 8), {"max_pip": 9, "next_lead": "winner"}),
    ],
    "high_fives": [
        (range(2, 9), {}),
        (range(2, 9), {"leftover": "short_hand", "capture": "optional", "max_claims": 2, "reward": "points"}),
        ((2, 5, 7), {"leftover": "discard", "relay_layout": "add", "max_claims": 4, "capture": "optional"}),
        ((3, 6, 7), {"leftover": "short_hand", "relay_layout": "replace", "target": 90, "reward": "points"}),
        ((2, 4, 8), {"relay_layout": "replace", "target": 60, "match_end": "hand_end", "max_games": 4}),
        ((4, 7), {"relay_layout": "add", "leftover": "short_hand", "max_claims": 0, "max_hands": 9, "target": 400}),
        ((3,), {"max_pip": 9, "layout_size": 7, "first_hand": 3, "later_hand": 2, "target": 50, "max_games": 2}),
    ],
}
CASES = [
    (name, players, options, len(counts))
    for name, sets in OPTION_SETS.items()
    for counts, options in sets
    for players in counts
]


def words(value):
    if isinstance(value, dict):
        return "-".join(f"{key}={word}" for key, word in value.items()) or "defaults"
    return str(value)


@pytest.mark.parametrize(("name", "players", "options", "share"), CASES, ids=words)
def test_compiled_game_plays_as_its_twin(name, players, options, share, count):
    play_beside_twin(name, players, options, hands=count(20_000) // share + 1)


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("name", OPTION_SETS)
def test_a_few_hands_play_as_the_twin(name):
    play_beside_twin(name, 2, {}, hands=12)


def test_every_game_has_a_twin():
    assert sorted(OPTION_SETS) == game_names()


KINDS = sorted({type(load_game(name).options) for name in OPTION_SETS}, key=lambda kind: kind.__module__)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__module__)
def test_every_word_of_every_option_is_played_beside_the_twin(kind):
    played = [load_game(name, players, **options).options for name, players, options, _ in CASES]
    played = [vars(options) for options in played if type(options) is kind]
    for option, hint in get_type_hints(kind).items():
        values = {values[option] for values in played}
        if hint is bool or get_origin(hint) is Literal:
            assert values == ({True, False} if hint is bool else set(get_args(hint))), option
        else:
            assert len(values) > 1, option


def play_beside_twin(name, players, options, hands):
    table, chance = Table(load_game(name, players, **options), seed=hands), random.Random(players)
    deal_to, compare_tiles = (deal_capture, compare_capture) if name == "high_fives" else (deal_line, compare_line)
    dealt = 0
    while dealt < hands:
        table.reset()
        twin = twin_of(name, players, options)
        while not twin.done:
            if twin.hand_over:
                deal_to(twin, table)
                dealt += 1
            names = [table.game.action_to_string(action) for action in table.legal_actions()]
            assert set(names) == twin.legal_actions()
            assert len(set(names)) == len(names)
            name_chosen = chance.choice(names)
            table.play(table.game.string_to_action(name_chosen))
            twin.step(name_chosen)
            compare(table, twin)
            if not twin.hand_over:  # else the table has dealt the next hand already
                compare_tiles(table, twin)


def deal_line(twin, table):
    """Deals the table's hand to its twin, which finds the leader by itself unless the lot decides."""
    leader = int(table.state.leader)
    twin.start_hand(*deal_of(table), leader=leader)
    assert twin.leader == leader
    assert table.player == twin.player


def deal_capture(twin, table):
    """Likewise; the tiles turned up are those that the layout did not hold before."""
    hands = [tiles_at(table, seat) for seat in range(twin.num_players)]
    twin.start_hand(hands, tiles_at(table, TABLE) - set(twin.layout), leader=int(table.state.leader))
    assert table.player == twin.player == twin.leader == int(table.state.leader)
    compare_capture(table, twin)


def compare(table, twin):
    assert table.done == twin.done
    assert table.scores.tolist() == twin.scores
    assert table.hand_points.tolist() == twin.hand_points
    assert all(abs(paid - due) < 1e-6 for paid, due in zip(table.rewards.tolist(), twin.rewards, strict=True))
    assert twin.done or twin.hand_over or table.player == twin.player


def compare_line(table, twin):
    owner, size = table.states["owner"][0].tolist(), int(table.states["boneyard_size"][0])
    assert table.states["hand_sizes"][0].tolist() == [len(hand) for hand in twin.hands]
    for seat, hand in enumerate(twin.hands):
        assert all(owner[NUMBER[tile]] == seat for tile in hand)
    boneyard = table.states["boneyard"][0, :size].tolist()
    assert boneyard[::-1] == [NUMBER[tile] for tile in twin.boneyard]


def compare_capture(table, twin):
    """Every tile in its place, but one that is about to capture: it is on its way."""
    places = {TABLE: twin.layout, SET_ASIDE: twin.set_aside, BONEYARD: twin.boneyard}
    places.update(enumerate(twin.hands))
    places.update((FIRST_PILE - seat, pile) for seat, pile in enumerate(twin.captured))
    place_of = dict(zip(TILES, table.states["owner"][0].tolist(), strict=False))
    place_of.pop(twin.played, None)
    assert {tile: place for place, tiles in places.items() for tile in tiles} == place_of
    assert sum(map(len, places.values())) == len(place_of)


def tiles_at(table, place):
    owner = table.states["owner"][0].tolist()
    return {tile for tile, holder in zip(TILES, owner, strict=False) if holder == place}
