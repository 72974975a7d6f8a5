"""The compiled games against their plain-Python twins, move by move."""

import numpy as np
import pytest
from reference.line_games import Reference

from domino_envs import load_game
from domino_envs.table import Table
from domino_envs.testing import deal_of

OPTION_SETS = {
    "block": [
        {},
        {"partnership": True},
        {"max_hands": 1, "target": None, "reward": "points"},
        {"next_lead": "rotation", "first_leader": "lot", "lead_tile": "any", "deduct_own_pips": False, "match_end": "hand_end"},
        {"next_lead": "highest_double", "target": 37, "exact_target": True, "reward": "points", "max_hands": 12},
        {"hand_size": 3, "max_hands": 3, "target": None},
    ],
    "draw": [
        {},
        {"reserve": 2, "reward": "points", "target": 50},
        {"draw_mode": "one_then_play", "reserve": 1, "first_leader": "lot", "lead_tile": "any"},
        {"draw_mode": "one_end", "partnership": True, "match_end": "hand_end"},
        {"draw_mode": "none", "max_hands": 2},
        {"max_pip": 9, "hand_size": 6},
    ],
    "all_fives": [
        {},
        {"reward": "points", "max_hands": 1},
        {"hand_end_rounding": "none", "draw_mode": "until_playable", "reserve": 0, "next_lead": "winner"},
        {"hand_end_rounding": "r5_sum", "draw_mode": "one_then_play", "lead_tile": "highest_double", "match_end": "hand_end"},
        {"draw_mode": "none", "next_lead": "rotation", "first_leader": "lot", "target": None, "max_hands": 3},
        {"partnership": True, "target": 61, "exact_target": True, "max_hands": 20},
        {"max_pip": 9, "hand_size": 7, "target": 200, "reward": "points"},
    ],
}
CASES = [
    (name, players, options)
    for name, sets in OPTION_SETS.items()
    for options in sets
    for players in (2, 3, 4)
    if players == 4 or not options.get("partnership")
]


def words(options):
    return "-".join(f"{key}={value}" for key, value in options.items()) or "defaults"


@pytest.mark.parametrize(("name", "players", "options"), CASES, ids=lambda value: words(value) if isinstance(value, dict) else str(value))
def test_compiled_game_plays_as_its_twin(name, players, options, count):
    play_beside_twin(name, players, options, hands=count(20_000) // 3)


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("name", OPTION_SETS)
def test_a_few_hands_play_as_the_twin(name):
    play_beside_twin(name, 2, {}, hands=5)


def play_beside_twin(name, players, options, hands):
    table = Table(load_game(name, players, **options), seed=hands)
    rng = np.random.default_rng(players)
    dealt = 0
    while dealt < hands:
        table.reset()
        twin = Reference(name, players, **options)
        while not twin.done:
            if twin.hand_over:
                twin.start_hand(*deal_of(table), leader=int(table.state.leader))
                dealt += 1
                assert twin.leader == table.state.leader
            actions = table.legal_actions()
            names = [table.game.action_to_string(action) for action in actions]
            assert set(names) == twin.legal_actions()
            choice = rng.integers(len(actions))
            table.play(actions[choice])
            twin.step(names[choice])
            compare(table, twin)


def compare(table, twin):
    assert table.done == twin.done
    assert table.scores.tolist() == twin.scores
    np.testing.assert_allclose(table.rewards, twin.rewards, atol=1e-6)
    if twin.done or twin.hand_over:
        assert table.hand_points.tolist() == twin.hand_points
        return
    assert table.player == twin.player
    hands, boneyard = deal_of(table)
    assert hands == [sorted(hand, key=lambda tile: (tile[1], tile[0])) for hand in twin.hands]
    assert boneyard == twin.boneyard
