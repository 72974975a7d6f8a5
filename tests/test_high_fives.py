"""High Fives, worked by hand: arithmetic of the set and the deal, captures and claims, what is seen and shown."""

import random
from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest

from domino_envs import load_game
from domino_envs.core.capture import CLAIM, PARTNER, PLAY, VALUE
from domino_envs.core.tiles import BONEYARD, FIRST_PILE, HIGH, LOW, PIPS, TABLE, tile_number
from domino_envs.envs.vector import make_vec
from domino_envs.render.capture import in_one_line
from domino_envs.render.text import hand_of, render_text
from domino_envs.table import Table
from domino_envs.testing import capture_position, check_game, perft, play, random_positions
from domino_envs.testing.positions import tiles_of
from high_fives_hands import PLAYERS, in_place, pile, play_out
from worked import names

# By number of players: first hand, later hands, how many hands, tiles played, tiles left undealt.
DEALS = {
    2: (5, 5, 13, 130, 1),
    3: (5, 5, 8, 120, 11),
    4: (5, 5, 6, 120, 11),
    5: (4, 4, 6, 120, 11),
    6: (4, 4, 5, 120, 11),
    7: (4, 3, 5, 112, 19),
    8: (4, 3, 5, 128, 3),
}
GAMBITER = "0-1 1-2 7-7 8-9 10-15"  # the layout of gambiter's example
SMALL = {"max_pip": 3, "layout_size": 2, "first_hand": 2, "later_hand": 1}


def turns_of(table):
    """Returns every way to play the turn as a whole: the points it scores and the layout it leaves, one a sequence."""
    if table.player == 0:
        return [way for action in table.legal_actions() for way in turns_of(after(table, action))]
    return [(int(table.scores[0]), frozenset(in_place(table, TABLE)))]


def after(table, action):
    twin = table.clone()
    twin.play(action)
    return twin


# The 100 points


def test_the_set_holds_a_hundred_points():
    tens = {pips: np.flatnonzero(pips == PIPS) for pips in range(5, 31, 5)}
    assert {pips: len(tiles) for pips, tiles in tens.items()} == {5: 3, 10: 6, 15: 8, 20: 6, 25: 3, 30: 1}
    assert sum(len(tiles) * pips // 5 for pips, tiles in tens.items()) == 84
    assert np.count_nonzero(LOW == HIGH) == 16
    assert VALUE.sum() == 100
    assert Counter(VALUE.tolist()) == {0: 96, 1: 16, 2: 5, 3: 9, 4: 5, 5: 4, 7: 1}


@pytest.mark.parametrize(
    ("tile", "points"),
    [
        ("0-0", 1),
        ("1-1", 1),
        ("5-5", 3),
        ("10-10", 5),
        ("15-15", 7),
        ("1-4", 1),
        ("3-7", 2),
        ("5-15", 4),
        ("14-14", 1),
        ("0-1", 0),
    ],
)
def test_a_tile_scores_as_a_double_and_by_its_fives(tile, points):
    assert VALUE[tiles_of(tile)[0]] == points


def test_two_tiles_never_share_two_numbers():
    sharing = [pair for pair in combinations(range(136), 2) if {LOW[pair[0]], HIGH[pair[0]]} & {LOW[pair[1]], HIGH[pair[1]]}]
    assert len(sharing) == 1920
    assert len(list(combinations(range(136), 2))) == 9180
    assert all(len({LOW[a], HIGH[a]} & {LOW[b], HIGH[b]}) == 1 for a, b in sharing)
    assert max(VALUE[a] + VALUE[b] for a, b in sharing) == 12


# The deal


@pytest.mark.parametrize("players", PLAYERS)
def test_a_game_deals_its_set_out_hand_by_hand(players):
    first, later, hands, played, left = DEALS[players]
    table = Table(load_game("high_fives", players), seed=players)
    assert table.state.boneyard_size == 136 - 5 - players * first
    assert (table.states["owner"] == TABLE).sum() == 5
    sizes, turns, leaders, turned_up = [], 0, set(), 0
    for position in play_out(table, random.Random(players)):
        state = position.state
        if not position.done and len(sizes) == state.hands_played:
            sizes.append(state.hand_sizes.tolist())
            leaders.add((int(state.leader), position.player))
            if len(sizes) == hands:  # the last hand: all that was left lies face up
                seen = (state.owner == TABLE).sum() + (state.owner <= FIRST_PILE).sum()
                turned_up = seen - 5 - (turns + (state.phase == PARTNER))
                assert state.boneyard_size == 0
            else:
                assert state.boneyard_size > 0
        turns += not position.done and state.phase == PLAY
    assert sizes == [[first] * players] + [[later] * players] * (hands - 1)
    assert (turns, turned_up) == (played, left)
    assert played == players * (first + later * (hands - 1))
    assert left == 131 - played
    assert len(leaders) == 1, "one seat leads every hand, and moves first in it"


@pytest.mark.parametrize("players", PLAYERS)
def test_at_the_end_every_tile_is_captured_or_in_the_layout(players):
    for seed in range(3):
        *_, table = play_out(Table(load_game("high_fives", players), seed=seed), random.Random(seed))
        owner = table.states["owner"][0]
        captured, layout = owner <= FIRST_PILE, owner == TABLE
        assert captured.sum() + layout.sum() == 136
        assert layout.sum() % 2 == 0
        assert table.scores.sum() == 100 - VALUE[:136][layout].sum()
        assert table.scores.tolist() == [VALUE[:136][owner == FIRST_PILE - seat].sum() for seat in range(players)]


def test_the_layout_stays_within_its_bound(count):
    """Under mandatory capture: five tiles over three numbers and one for each other number, and what is turned up."""
    for players in PLAYERS:
        for table in random_positions(load_game("high_fives", players), count(20), players):
            waiting = not table.done and table.state.phase == PARTNER
            turned_up = DEALS[players][4] if table.state.hands_played == DEALS[players][2] - 1 or table.done else 0
            assert (table.states["owner"] == TABLE).sum() - waiting <= 18 + turned_up


def test_random_play_captures_nearly_all(count):
    games = count(400)
    batch = make_vec("high_fives", games)
    step, ended = batch.reset(1), np.zeros(games, bool)
    totals = np.zeros(games)
    while not ended.all():
        step = batch.step(batch.sample_actions())
        over = step.terminated & ~ended
        totals[over] = step.final_scores[over].sum(axis=1)
        ended |= over
    assert 94 < totals.mean() < 99


# Worked turns


def test_hf1_the_player_picks_among_several_partners():
    table = capture_position("high_fives", ["7-8 0-3", "3-4 4-4"], layout=GAMBITER)
    assert names(table) == {"skip", "1-0", "2-1"}
    play(table, "skip", "8-7")
    assert (table.player, table.state.phase) == (0, PARTNER)
    assert names(table) == {"7-7", "9-8"}
    assert play(table.clone(), "7-7").scores.tolist() == [4, 0]
    assert play(table.clone(), "9-8").scores.tolist() == [3, 0]
    claimed = play(capture_position("high_fives", ["7-8 0-3", "3-4 4-4"], layout=GAMBITER), "1-0", "2-1", "8-7", "7-7")
    assert claimed.scores.tolist() == [4, 0]
    assert pile(claimed) == {"0-1", "1-2", "7-8", "7-7"}


@pytest.mark.parametrize(("capture", "macros"), [("mandatory", 4), ("optional", 6)])
def test_hf1_the_ways_to_play_the_tile(capture, macros):
    table = capture_position("high_fives", ["7-8", "3-4"], layout=GAMBITER, capture=capture)
    assert len(set(turns_of(table))) == macros
    assert len(turns_of(table)) == macros * 3 // 2  # the two tiles of the claim come in either order


def test_hf2_a_claim_may_take_the_only_partner_and_three_are_never_taken():
    table = capture_position("high_fives", ["2-5 0-3", "3-4 4-4"], layout=GAMBITER)
    forced = play(table.clone(), "skip", "5-2")
    assert (forced.player, pile(forced), forced.scores.tolist()) == (1, {"2-5", "1-2"}, [0, 0])
    assert in_place(forced, TABLE) == {"0-1", "7-7", "8-9", "10-15"}
    claimed = play(table, "2-1", "1-0", "5-2")
    assert (claimed.player, pile(claimed), claimed.scores.tolist()) == (1, {"0-1", "1-2"}, [0, 0])
    assert in_place(claimed, TABLE) == {"7-7", "8-9", "10-15", "2-5"}


def test_hf2_a_tile_that_matches_nothing_stays():
    table = capture_position("high_fives", ["3-4 0-3", "5-6 4-4"], layout=GAMBITER)
    assert len(set(turns_of(play(table.clone(), "skip")))) == 2  # 3-4 stays, 0-3 takes 0-1
    play(table, "skip", "4-3")
    assert in_place(table, TABLE) == {"0-1", "1-2", "7-7", "8-9", "10-15", "3-4"}
    assert not pile(table)


def test_hf4_a_double_is_a_tile_like_any_other():
    layout = "3-8 3-12 7-9 1-14 2-10"
    double = capture_position("high_fives", ["3-3", "5-6"], layout=layout)
    assert sorted({points for points, _ in turns_of(double)}) == [1, 3, 4]
    assert play(double.clone(), "skip", "3-3", "8-3").scores[0] == 1
    assert play(double.clone(), "skip", "3-3", "12-3").scores[0] == 4
    claimed = play(double.clone(), "8-3", "12-3", "3-3")
    assert claimed.scores[0] == 3
    assert "3-3" in in_place(claimed, TABLE)
    other = capture_position("high_fives", ["6-9", "5-6"], layout=layout)
    assert {points for points, _ in turns_of(other)} == {3, 6}


def test_hf5_the_most_that_a_turn_can_score():
    table = capture_position("high_fives", ["15-15 0-0", "5-6 4-4"], layout="10-15 9-11 11-14 0-2 3-6")
    assert play(table.clone(), "skip", "15-15").scores[0] == 12
    assert play(table, "11-9", "14-11", "15-15").scores[0] == 21


@pytest.mark.parametrize(("players", "left"), [(2, 1), (7, 19), (8, 3)])
def test_hf7_what_is_left_joins_the_layout_when_the_last_hand_is_dealt(players, left):
    before = None
    for table in play_out(Table(load_game("high_fives", players), seed=1), random.Random(1)):
        if table.state.hands_played == DEALS[players][2] - 1:
            break
        before = table.clone()
    assert before.state.boneyard_size == players * DEALS[players][1] + left
    assert table.state.boneyard_size == 0
    added = in_place(table, TABLE) - in_place(before, TABLE)
    assert len(added) in {left, left + 1}  # and the last tile played, where it stayed


def test_every_turn_agrees_with_a_slow_search(count):
    """All that a turn can do, by trying pairs of the layout and partners, against the phases."""
    for table in random_positions(load_game("high_fives", 3, capture="optional"), count(40), 1, every=7):
        if table.done or table.state.picked >= 0 or table.state.phase == PARTNER or table.state.hand_sizes.sum() == 1:
            continue  # not before a turn's first decision, or its end lays other tiles out
        twin = table.clone()
        twin.states["scores"] = 0
        layout = np.flatnonzero(twin.states["owner"][0] == TABLE).tolist()
        claims = [()] + [pair for pair in combinations(layout, 2) if shares(*pair)] * int(twin.state.phase == CLAIM)
        expected = Counter()
        for pair in claims:
            rest = [tile for tile in layout if tile not in pair]
            for tile in np.flatnonzero(twin.states["owner"][0] == twin.player).tolist():
                for partner in [None, *(other for other in rest if shares(tile, other))]:
                    taken = (*pair, *((tile, partner) if partner is not None else ()))
                    expected[sum(VALUE[list(taken)]), tuple(sorted({*layout, tile} - set(taken)))] += 2 if pair else 1
        assert Counter(ways(twin, twin.player, twin.state.hands_played)) == expected


def shares(one, other):
    return bool({LOW[one], HIGH[one]} & {LOW[other], HIGH[other]})


def ways(table, seat, hand):
    for action in table.legal_actions():
        twin = after(table, action)
        if twin.player == seat and not twin.done and twin.state.hands_played == hand:
            yield from ways(twin, seat, hand)
        elif twin.state.hands_played == hand:
            yield int(twin.scores[seat]), tuple(np.flatnonzero(twin.states["owner"][0] == TABLE).tolist())


# Dealing the unseen tiles anew


@pytest.mark.parametrize("players", [2, 3])
def test_redealing_is_uniform_over_the_unseen_tiles(players, count):
    """Chi-square against all assignments of the unseen tiles to the other hands and the boneyard's order."""
    game = load_game("high_fives", players, max_pip=2 if players == 2 else 3, layout_size=1, first_hand=1, later_hand=1)
    table = Table(game, seed=4)
    if players == 3:
        play(table, next(table.game.action_to_string(action) for action in table.legal_actions()))
    seat = table.player
    owner, size = table.states["owner"][0].copy(), int(table.state.boneyard_size)
    unseen = [tile for tile in range(len(owner)) if owner[tile] == BONEYARD or (owner[tile] >= 0 and owner[tile] != seat)]
    hidden = [other for other in range(players) if other != seat for _ in range(table.state.hand_sizes[other])]
    expected = {tuple(order) for order in permutations(unseen)}
    counts, samples = Counter(), max(20_000, count(400_000))
    for seed in range(samples):
        table.redeal_hidden(seat, seed)
        held = [int(np.flatnonzero(table.states["owner"][0] == other)[0]) for other in hidden]
        counts[(*held, *table.states["boneyard"][0, :size].tolist())] += 1
    assert set(counts) <= expected
    mean = samples / len(expected)
    chi_square = sum((counts[order] - mean) ** 2 for order in expected) / mean
    freedom = len(expected) - 1
    assert abs(chi_square - freedom) < 5 * np.sqrt(2 * freedom)


def test_redealing_leaves_what_is_public_and_keeps_the_sizes():
    chance = random.Random(1)
    for table in random_positions(load_game("high_fives", 4, relay_layout="replace", capture="optional"), 1, 1, every=9):
        seat, twin = chance.randrange(4), table.clone()
        twin.redeal_hidden(seat, chance.getrandbits(32))
        seen = (table.states["owner"] <= TABLE) | (table.states["owner"] == seat)
        assert np.array_equal(seen, (twin.states["owner"] <= TABLE) | (twin.states["owner"] == seat))
        assert np.array_equal(table.states["owner"][seen], twin.states["owner"][seen])
        assert twin.state.hand_sizes.tolist() == [int((twin.states["owner"] == other).sum()) for other in range(4)]


# Contract and picture


@pytest.mark.parametrize(
    "options",
    [
        {"relay_layout": "replace", "capture": "optional", "max_claims": 4, "leftover": "discard", "reward": "points"},
        {"target": 30, "max_games": 3, "match_end": "hand_end", "max_claims": 0, "leftover": "short_hand"},
    ],
)
def test_all_that_every_game_must_keep_with_other_options(options):
    check_game(load_game("high_fives", 2, **options), games=1, seed=1)


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_a_small_set_keeps_all_that_every_game_must_keep():
    check_game(load_game("high_fives", 2, **SMALL, capture="optional", target=9), games=4, seed=1)


def test_the_longest_game_is_within_the_bound():
    for max_claims in (0, 1, 4):
        game = load_game("high_fives", 2, max_claims=max_claims, capture="optional")
        assert game.max_hand_length == {0: 2 * 131, 1: 4 * 131, 4: 3 * 131 + 136}[max_claims]
        assert game.max_hand_length <= len(game.new_states(1)["history"][0])
        longest = 0
        for seed in range(3):  # always the last legal action: never a skip while another is left
            table = Table(game, seed=seed)
            while not table.done:
                table.play(table.legal_actions()[-1])
            longest = max(longest, int(table.state.history_size))
        assert 130 < longest <= game.max_hand_length


def test_the_tree_of_moves_is_as_large_as_counted_by_hand():
    """2-5 takes 1-2 or stays, 3-4 takes 4-4 or stays, with captures optional: no pair to claim at first."""
    table = capture_position("high_fives", ["2-5", "3-4"], layout="1-2 4-4", capture="optional", max_claims=0)
    assert [perft(table, depth) for depth in (1, 2, 3, 4)] == [1, 2, 2, 4]


def test_a_table_as_text():
    table = capture_position("high_fives", ["7-8 0-3", "3-4 4-4"], layout=GAMBITER, boneyard="0-0 1-1")
    assert render_text(play(table, "1-0", "2-1", "8-7"), pov=0).splitlines() == [
        "high_fives_v0, hand 1: player_0 to move",
        "> player_0: 0 points, 1 tile: 3-0",
        "  player_1: 0 points, 2 tiles",
        "boneyard: 2 tiles",
        "layout: 7-7 8-7 9-8 15-10",
        "pile of player_0: 1-0 2-1, 2 tiles, 0 points",
        "pile of player_1: empty",
        *render_text(table).splitlines()[7:-2],  # the many tiles of the set that this table was set up without
        "player_0 has played 8-7 and picks its partner",
        "last moves: player_0 1-0, player_0 2-1, player_0 8-7",
    ]
    assert in_one_line(table) == "[7-7][8-7][9-8][15-10]"


def test_every_phase_says_what_is_to_be_done():
    table = capture_position("high_fives", ["2-5 0-0", "3-4 6-6"], layout="1-2 2-3 7-7")
    assert "player_0 may claim a pair" in render_text(table)
    assert "player_0 claims 2-1 and picks its partner" in render_text(play(table.clone(), "2-1"))
    assert "player_0 plays a tile" in render_text(play(table.clone(), "skip"))


@pytest.mark.parametrize("players", [2, 8])
def test_nothing_hidden_shows_in_the_text(players):
    chance = random.Random(1)
    for table in random_positions(load_game("high_fives", players, max_hands=2), 1, 1, every=5):
        seat, twin = chance.randrange(players), table.clone()
        twin.redeal_hidden(seat, chance.getrandbits(32))
        assert render_text(twin, pov=seat) == render_text(table, pov=seat)
        assert " ".join(hand_of(table, seat)) in render_text(table, pov=seat)


def test_the_observation_shows_every_pile_and_the_tile_that_waits():
    table = capture_position("high_fives", ["7-8 0-3", "3-4 4-4"], layout=GAMBITER)
    play(table, "1-0", "2-1", "8-7")
    for seat in (0, 1):
        view = table.observation_record(seat)
        assert np.flatnonzero(view["piles"][0, (0 - seat) % 2]).tolist() == sorted(tiles_of("0-1 1-2"))
        assert view["piles"][0, (1 - seat) % 2].sum() == 0
        assert np.flatnonzero(view["layout"][0]).tolist() == sorted(tiles_of("7-7 7-8 8-9 10-15"))
        assert [int(half.argmax()) for half in view["picked"][0]] == [7, 8]
        assert view["phase"][0].tolist() == [0, 0, 1]
    assert view["hand"].sum() == 2


def test_tiles_are_named_by_both_halves_the_higher_first():
    game = load_game("high_fives")
    assert game.action_to_string(0) == "skip"
    assert game.action_to_string(tile_number(10, 15) + 1) == "15-10"
    with pytest.raises(ValueError, match="10-15"):
        game.string_to_action("10-15")
