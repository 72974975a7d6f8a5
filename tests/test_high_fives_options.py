"""High Fives, worked by hand: every value of every option."""

import random

import numpy as np
import pytest

from domino_envs import load_game
from domino_envs.core.capture import CLAIM, PLAY, VALUE
from domino_envs.core.tiles import BONEYARD, SET_ASIDE, TABLE, num_tiles
from domino_envs.envs.vector import make_vec
from domino_envs.table import Table
from domino_envs.testing import capture_position, play
from domino_envs.testing.positions import tiles_of
from high_fives_hands import PLAYERS, in_place, pile, play_out
from worked import names


def hands_dealt(**options):
    """Returns for every hand of a game of three: tiles each, tiles that lie face up or were captured, tiles set aside."""
    dealt = []
    for table in play_out(Table(load_game("high_fives", 3, **options), seed=2), random.Random(2)):
        state = table.state
        if not table.done and len(dealt) == state.hands_played:
            up = int((state.owner <= TABLE).sum())
            dealt.append((state.hand_sizes.tolist()[0], up, int(state.boneyard_size)))
    return dealt, table


# Three players: 136 - 5 - 8 hands of 15 leaves 11.
LAST_FULL = (5, 5 + 7 * 15, 11)


def test_leftover_to_layout():
    dealt, table = hands_dealt(leftover="to_layout")
    assert dealt[-1] == (5, 5 + 7 * 15 + 11, 0)
    assert table.state.boneyard_size == 0


def test_leftover_discard_leaves_the_tiles_hidden():
    dealt, table = hands_dealt(leftover="discard")
    assert dealt[-1] == LAST_FULL
    assert (table.states["owner"] == BONEYARD).sum() == 11


def test_leftover_short_hand_deals_what_it_gives_each():
    dealt, _ = hands_dealt(leftover="short_hand")
    assert dealt[-2] == LAST_FULL
    assert dealt[-1] == (3, 5 + 8 * 15 + 2, 0)  # 11 = 3 * 3 + 2


@pytest.mark.parametrize(("players", "turns"), list(zip(PLAYERS, (130, 129, 128, 130, 126, 126, 128), strict=True)))
def test_turns_of_a_game_with_a_short_hand(players, turns):
    game, played = load_game("high_fives", players, leftover="short_hand"), 0
    for table in play_out(Table(game, seed=3), random.Random(3)):
        played += not table.done and table.state.phase == PLAY
    assert played == turns


def test_without_a_short_hand_the_rest_joins_the_last_full_one():
    game = load_game("high_fives", 2, leftover="short_hand")  # one tile is left: no hand for two
    for table in play_out(Table(game, seed=3), random.Random(3)):
        if table.state.hands_played == 12:
            break
    assert table.state.boneyard_size == 0


@pytest.mark.parametrize(("players", "left"), list(zip(PLAYERS, (1, 16, 11, 11, 20, 25, 12), strict=True)))
def test_laying_five_tiles_in_every_hand_leaves_as_many(players, left):
    *_, table = play_out(
        Table(load_game("high_fives", players, relay_layout="add", leftover="discard"), seed=1), random.Random(1)
    )
    assert table.state.boneyard_size == left


def test_relay_layout_none_lays_no_tile_in_a_later_hand():
    assert hands_dealt(relay_layout="none")[0][1] == (5, 5 + 15, 136 - 5 - 30)


def test_relay_layout_add_lays_five_more():
    dealt, table = hands_dealt(relay_layout="add")
    assert dealt[1] == (5, 5 + 15 + 5, 136 - 10 - 30)
    assert not in_place(table, SET_ASIDE)


def test_relay_layout_replace_sets_the_old_tiles_aside():
    before = None
    for table in play_out(Table(load_game("high_fives", 3, relay_layout="replace"), seed=5), random.Random(5)):
        if table.state.hands_played == 1:
            break
        before = table.clone()
    assert len(in_place(table, TABLE)) == 5
    aside = in_place(table, SET_ASIDE)
    assert aside & in_place(before, TABLE)
    assert not in_place(table, TABLE) & in_place(before, TABLE)
    assert table.observation_record(0)["set_aside"].sum() == len(aside)


def test_capture_mandatory_takes_the_sole_partner_at_once():
    table = play(capture_position("high_fives", ["2-5", "3-4"], layout="1-2 7-7", capture="mandatory"), "5-2")
    assert (table.player, pile(table)) == (1, {"1-2", "2-5"})


def test_capture_optional_lets_a_player_leave_the_pair_for_the_next_to_claim():
    table = capture_position("high_fives", ["2-5 0-0", "3-4 6-6"], layout="1-2 7-7", capture="optional")
    play(table, "5-2")
    assert names(table) == {"skip", "2-1"}
    left = play(table.clone(), "skip")
    assert (left.player, left.state.phase, names(left)) == (1, CLAIM, {"skip", "2-1", "5-2"})
    assert pile(play(left.clone(), "5-2", "2-1"), 1) == {"1-2", "2-5"}
    assert pile(play(table, "2-1")) == {"1-2", "2-5"}
    again = play(left, "skip", "4-3")  # a lap later the player may claim what he left
    assert names(again) == {"skip", "2-1", "5-2"}


@pytest.mark.parametrize("max_claims", range(5))
def test_max_claims(max_claims):
    pairs = ["0-0 0-1", "2-2 2-3", "4-4 4-5", "6-6 6-7", "8-8 8-9"]
    table = capture_position("high_fives", ["10-11 12-13", "14-14 14-15"], layout=" ".join(pairs), max_claims=max_claims)
    for number in range(max_claims):
        assert table.state.phase == CLAIM
        assert table.observation_record(0)["claims_left"] == 1 - number / max_claims
        one, other = (table.game.action_to_string(tile + 1) for tile in tiles_of(pairs[number]))
        play(table, one, other)
    assert table.state.phase == PLAY
    assert table.scores[0] == VALUE[[tile for pair in pairs[:max_claims] for tile in tiles_of(pair)]].sum()
    assert names(table) == {"11-10", "13-12"}


def test_claims_end_with_a_skip_and_have_no_way_back():
    table = capture_position("high_fives", ["10-11", "14-14"], layout="0-0 0-1 0-2 1-3", max_claims=4)
    assert names(table) == {"skip", "0-0", "1-0", "2-0", "3-1"}
    play(table, "1-0")
    assert names(table) == {"0-0", "2-0", "3-1"}
    play(table, "3-1")
    assert names(table) == {"skip", "0-0", "2-0"}
    play(table, "skip")
    assert (table.state.phase, table.player) == (PLAY, 0)


@pytest.mark.parametrize("layout", ["0-0 1-2 3-4", "5-5", ""])
def test_without_a_pair_there_is_no_claim(layout):
    assert capture_position("high_fives", ["10-11", "14-14"], layout=layout).state.phase == PLAY


def test_match_end_immediate_ends_within_a_turn():
    table = capture_position("high_fives", ["2-5 5-5", "3-4 6-6"], layout="10-15 15-15 7-7", scores=[8, 0], target=20)
    play(table, "15-15", "15-10")
    assert table.done
    assert table.scores.tolist() == [20, 0]
    assert table.rewards.tolist() == [1, -1]


def test_match_end_hand_end_looks_after_the_hand():
    options = {"target": 20, "match_end": "hand_end"}
    table = capture_position("high_fives", ["2-5", "3-4"], layout="10-15 15-15 7-7", scores=[8, 19], **options)
    play(table, "15-15", "15-10", "5-2")
    assert not table.done
    play(table, "4-3")
    assert table.done
    assert table.scores.tolist() == [20, 19]


def test_a_target_not_reached_starts_a_new_game_with_the_full_set_and_the_next_leader():
    table = capture_position("high_fives", ["2-5", "3-4", "0-1"], layout="7-7", scores=[8, 0, 0], to_move=2, target=20)
    play(table, "1-0", "5-2", "4-3")
    assert not table.done
    assert (table.player, table.state.leader) == (0, 0)  # to the left of seat 2
    assert (table.state.games_played, table.state.history_size) == (1, 0)
    assert table.scores.tolist() == [8, 0, 0]
    assert table.state.boneyard_size == 136 - 5 - 15
    assert not in_place(table, SET_ASIDE)


def test_without_a_target_a_match_is_one_game():
    table = play(capture_position("high_fives", ["2-5", "3-4"], layout="7-7", scores=[8, 30]), "5-2", "4-3")
    assert table.done
    assert table.rewards.tolist() == [-1, 1]


@pytest.mark.parametrize("max_games", [1, 2])
def test_max_games_end_the_match(max_games):
    *_, table = play_out(Table(load_game("high_fives", target=1000, max_games=max_games), seed=1), random.Random(1))
    assert table.state.games_played == max_games
    assert 80 * max_games < table.scores.sum() <= 100 * max_games


@pytest.mark.parametrize("max_hands", [1, 2, 14])
def test_max_hands_end_the_match(max_hands):
    *_, table = play_out(Table(load_game("high_fives", max_hands=max_hands, target=1000), seed=1), random.Random(1))
    assert table.state.hands_played == max_hands
    assert table.state.games_played == max_hands // 13


def test_reward_points_pays_every_capture():
    options = {"reward": "points", "target": 50}
    table = capture_position("high_fives", ["15-15 0-0", "1-2", "3-4"], layout="10-15", **options)
    play(table, "15-15")
    assert table.rewards.tolist() == pytest.approx([12 / 50, -6 / 50, -6 / 50])
    table = capture_position("high_fives", ["15-15 0-0", "1-2"], layout="10-15", reward="points")
    assert play(table, "15-15").rewards.tolist() == pytest.approx([0.12, -0.12])


def test_reward_win_is_shared_by_those_level_at_the_top():
    table = capture_position("high_fives", ["2-5", "3-4", "0-1"], layout="7-7", scores=[8, 8, 2])
    play(table, "5-2", "4-3", "1-0")
    assert table.rewards.tolist() == pytest.approx([0.25, 0.25, -0.5])


def test_the_lot_gives_every_seat_the_lead_equally_often(count):
    games = count(40_000)
    batch = make_vec("high_fives", games, 4)
    batch.reset(1)
    leaders = np.bincount(batch.states["leader"], minlength=4)
    assert np.abs(leaders - games / 4).max() < 5 * np.sqrt(games * 3 / 16)


@pytest.mark.parametrize(("option", "size"), [("layout_size", 0), ("layout_size", 15), ("first_hand", 1), ("first_hand", 60)])
def test_the_first_deal_is_as_large_as_asked_for(option, size):
    table = Table(load_game("high_fives", **{option: size}), seed=1)
    sizes = {"layout_size": len(in_place(table, TABLE)), "first_hand": int(table.state.hand_sizes[0])}
    assert sizes[option] == size


def test_a_later_hand_is_as_large_as_asked_for():
    assert [size for size, _, _ in hands_dealt(first_hand=2, later_hand=41)[0]] == [2, 41]  # 136 - 5 - 6 - 123 leaves 2


@pytest.mark.parametrize("max_pip", [1, 2, 6, 15])
def test_max_pip_makes_the_set_and_the_actions(max_pip):
    game = load_game("high_fives", 2, max_pip=max_pip, layout_size=1, first_hand=1, later_hand=1)
    assert game.num_actions == 1 + num_tiles(max_pip)
    *_, table = play_out(Table(game, seed=1), random.Random(1))
    assert table.scores.sum() <= VALUE[: num_tiles(max_pip)].sum()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"num_players": 1}, ValueError),
        ({"num_players": 9}, ValueError),
        ({"max_pip": 16}, ValueError),
        ({"max_pip": 3}, ValueError),  # ten tiles: too few for five and two hands of five
        ({"layout_size": -1}, ValueError),
        ({"first_hand": 0}, ValueError),
        ({"first_hand": 5.0}, TypeError),
        ({"later_hand": None}, TypeError),
        ({"max_claims": 5}, ValueError),
        ({"capture": "sometimes"}, ValueError),
        ({"relay_layout": False}, TypeError),
        ({"first_leader": "highest_double"}, ValueError),
        ({"max_games": 0}, ValueError),
        ({"hand_size": 5}, TypeError),
    ],
)
def test_what_is_not_an_option_is_refused(options, error):
    with pytest.raises(error, match=next(iter(options))):
        load_game("high_fives", **options)
