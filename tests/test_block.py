"""Block, worked by hand."""

import pytest

from domino_envs import load_game
from domino_envs.render.text import hand_of
from domino_envs.table import Table
from domino_envs.testing import play, position, random_positions, set_deal
from worked import assert_dealt

NOBODY = None
# Hands, seat by seat | the open ends | what the hand pays, and to whom. Seat 0 moves first; who has a tile that fits goes
# out with it, and where nobody has one the hand is blocked. "nobody" is followed by the pips of all.
ENDINGS = """
6-5 / 1-1 | 2 1 | 11 = 11 to 1
3-2 / 6-6 5-5 | 4 3 | 12 + 10 = 22 to 0
6-6 5-5 / 6-4 | 4 0 | 12 + 10 = 22 to 1
6-4 4-0 1-1 / 2-1 | 2 3 | 16 = 16 to 1
3-1 / 6-0 0-0 | 4 3 | 6 = 6 to 0
5-4 5-2 3-2 1-1 / 2-0 | 6 0 | 9 + 7 + 5 + 2 = 23 to 1
5-2 / 0-0 | 2 3 | 0 = 0 to 0
0-0 / 6-6 | 0 1 | 12 = 12 to 0
2-2 / 4-4 / 5-1 3-1 | 4 0 | 4 + 10 = 14 to 1
3-0 1-1 / 2-2 / 6-6 4-4 | 2 5 | 5 + 20 = 25 to 1
6-1 5-2 1-1 / 3-0 / 5-1 5-0 | 3 4 | 16 + 11 = 27 to 1
1-1 / 2-2 / 3-2 | 1 0 | 4 + 5 = 9 to 0
6-6 4-1 1-0 / 5-3 / 6-0 3-1 | 5 2 | 18 + 10 = 28 to 1
5-4 2-2 / 6-4 / 5-0 | 0 1 | 13 + 10 = 23 to 2
6-0 / 5-1 3-0 / 5-0 4-1 0-0 | 6 6 | 9 + 10 = 19 to 0
6-6 5-5 / 6-3 / 6-0 5-2 / 5-4 4-4 2-0 | 1 3 | 22 + 13 + 19 = 54 to 1
2-2 / 6-3 1-1 / 6-0 0-0 / 4-4 3-1 | 5 2 | 11 + 6 + 12 = 29 to 0
2-0 / 4-3 / 5-3 3-0 2-1 / 6-5 6-3 0-0 | 4 4 | 2 + 14 + 20 = 36 to 1
6-6 3-2 0-0 / 3-1 / 6-2 3-3 1-1 / 5-0 | 5 4 | 17 + 4 + 16 = 37 to 3
2-0 / 2-1 1-0 0-0 / 3-2 / 6-4 | 5 4 | 2 + 4 + 5 = 11 to 3
6-6 5-4 4-1 / 4-0 / 5-1 5-0 1-1 / 3-3 | 2 3 | 26 + 4 + 13 = 43 to 3
6-2 / 4-4 / 4-1 / 5-3 4-2 3-2 | 0 1 | 8 + 8 + 19 = 35 to 2
6-6 6-1 4-4 1-0 / 6-5 0-0 | 3 2 | 28 - 11 = 17 to 1
6-2 2-2 / 6-3 2-1 0-0 | 4 5 | nobody 12 12
5-3 5-1 2-2 2-0 / 5-2 3-0 1-1 | 4 6 | 20 - 12 = 8 to 1
6-0 / 6-5 | 3 1 | 11 - 6 = 5 to 0
5-5 5-2 2-0 / 6-5 4-0 2-2 | 3 1 | nobody 19 19
6-2 5-0 2-2 0-0 / 5-2 | 4 1 | 17 - 7 = 10 to 1
5-3 4-4 3-3 3-1 / 6-3 4-3 1-1 | 0 2 | 26 - 18 = 8 to 1
5-0 1-1 1-0 / 4-4 4-1 3-0 2-0 | 6 6 | 18 - 8 = 10 to 0
0-0 / 5-1 | 2 3 | 6 - 0 = 6 to 0
6-6 / 0-0 | 4 4 | 12 - 0 = 12 to 1
6-6 / 1-1 1-0 | 2 3 | 12 - 3 = 9 to 1
6-2 / 5-5 2-1 / 4-4 | 3 0 | nobody 8 13 8
2-2 1-1 / 6-0 4-1 2-0 / 4-2 | 3 5 | nobody 6 13 6
3-3 3-0 1-1 / 6-4 3-1 1-0 / 6-6 4-4 | 5 2 | 15 + 20 - 11 = 24 to 0
6-6 / 1-0 / 5-0 4-1 4-0 | 3 2 | 12 + 14 - 1 = 25 to 1
5-4 4-2 1-0 / 4-4 / 3-2 3-0 | 6 6 | nobody 16 8 8
6-6 3-0 / 6-5 6-3 1-0 / 3-3 3-1 1-1 | 4 2 | 15 + 21 - 12 = 24 to 2
6-2 4-4 / 5-3 3-2 / 3-3 | 1 0 | 16 + 13 - 6 = 23 to 2
6-1 5-5 2-2 / 5-3 3-1 / 6-4 3-3 3-2 | 0 0 | 21 + 21 - 12 = 30 to 1
6-6 5-4 / 6-4 2-2 / 4-3 | 1 0 | 21 + 14 - 7 = 28 to 2
5-1 / 4-2 / 3-3 | 0 0 | nobody 6 6 6
4-1 / 6-3 / 6-6 | 0 5 | 9 + 12 - 5 = 16 to 0
4-1 / 3-2 / 6-3 | 0 0 | nobody 5 5 9
0-0 / 1-1 / 6-6 | 5 4 | 2 + 12 - 0 = 14 to 0
5-1 5-0 / 5-2 3-2 2-0 / 6-5 / 3-1 3-0 | 4 4 | 11 + 14 + 11 - 7 = 29 to 3
5-1 / 4-4 4-2 1-1 / 6-5 4-1 / 6-0 | 3 3 | nobody 6 16 16 6
4-0 / 5-4 4-4 1-1 / 6-5 4-1 / 6-6 0-0 | 2 3 | 19 + 16 + 12 - 4 = 43 to 0
6-5 6-4 / 4-1 2-1 1-1 / 2-2 / 6-6 6-1 | 3 3 | 21 + 10 + 19 - 4 = 46 to 2
6-5 5-4 4-4 / 6-0 4-0 0-0 / 5-5 / 6-6 5-1 | 2 3 | nobody 28 10 10 18
3-0 2-2 / 6-6 5-3 / 6-3 2-0 / 3-2 | 1 4 | 7 + 20 + 11 - 5 = 33 to 3
6-5 5-5 5-3 / 6-2 5-0 2-0 / 5-2 / 6-0 3-2 2-2 | 1 4 | 29 + 15 + 15 - 7 = 52 to 2
4-4 4-1 2-0 / 1-1 1-0 / 4-0 2-2 0-0 / 5-1 | 3 6 | 15 + 8 + 6 - 3 = 26 to 1
6-6 / 5-5 4-0 1-0 / 6-4 / 6-5 4-4 | 3 2 | 12 + 15 + 19 - 10 = 36 to 2
"""
# Likewise for two pairs, seats 0 and 2 against 1 and 3: who is out leaves the pair at 0 whatever the partner holds.
PAIR_ENDINGS = """
5-5 5-3 0-0 / 6-3 4-4 3-0 / 2-2 / 6-5 5-0 4-3 | 1 2 | 20 + 23 = 43 to 0
6-4 3-0 / 0-0 / 6-6 6-0 5-3 / 4-2 | 2 1 | 13 + 26 = 39 to 1
6-5 / 3-2 / 4-3 / 4-0 0-0 | 5 6 | 5 + 4 = 9 to 0
2-2 / 6-0 / 2-1 1-1 0-0 / 5-1 | 6 3 | 4 + 5 = 9 to 1
5-4 4-4 / 6-5 6-4 4-1 / 5-5 3-3 / 5-0 | 2 0 | 17 + 16 = 33 to 1
4-4 1-1 / 6-4 5-4 4-1 / 0-0 / 4-2 | 3 2 | 10 + 0 = 10 to 1
4-1 0-0 / 6-6 5-5 1-0 / 5-1 3-1 / 5-0 1-1 | 2 2 | 23 + 7 - 5 - 10 = 15 to 0
5-0 / 2-2 1-0 / 2-1 2-0 1-1 / 5-3 5-1 3-0 | 4 6 | 5 + 17 - 5 - 7 = 10 to 0
5-4 5-1 3-1 / 5-5 / 4-4 / 4-3 3-3 | 6 2 | 19 + 8 - 10 - 13 = 4 to 1
0-0 / 6-6 / 5-5 / 6-5 | 4 3 | 12 + 11 - 0 - 10 = 13 to 0
5-1 / 4-4 / 6-2 / 6-0 | 3 3 | nobody 6 8 8 6
0-0 / 1-1 / 6-4 / 5-3 | 2 2 | nobody 0 2 10 8
"""


def rows_of(text):
    return [tuple(part.strip() for part in line.split("|")) for line in text.strip().splitlines()]


def played_out(hands, ends, **options):
    """Returns a table whose hand has ended, each seat in turn having laid its tile that fits or passed."""
    ends = tuple(map(int, ends.split()))
    table = position("block", hands.split(" / "), ends=ends, target=None, max_hands=1, **options)
    while not table.done:
        play(table, table.game.action_to_string(table.legal_actions()[0]))
    return table


def arithmetic(result):
    """Returns the points, the winner and the pips that were taken off, from `"9 + 12 - 5 = 16 to 0"`."""
    if result.startswith("nobody"):
        return 0, NOBODY, 0
    terms, rest = result.split(" = ")
    points, winner = map(int, rest.split(" to "))
    numbers = [int(term) for term in terms.replace("- ", "-").replace("+ ", "").split()]
    assert sum(numbers) == points
    return points, winner, -sum(number for number in numbers if number < 0)


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize(("hands", "ends", "result"), rows_of(ENDINGS))
def test_a_hand_pays_the_others_pips_to_who_is_out_or_lightest(hands, ends, result):
    points, winner, taken_off = arithmetic(result)
    for deduct, due in ((True, points), (False, points + taken_off)):
        table = played_out(hands, ends, deduct_own_pips=deduct)
        assert table.hand_points.tolist() == [due if seat == winner else 0 for seat in range(table.game.num_players)]
        assert table.scores.tolist() == table.hand_points.tolist()


@pytest.mark.parametrize(("hands", "ends", "result"), rows_of(PAIR_ENDINGS))
def test_pairs_count_as_one_player_with_both_hands(hands, ends, result):
    points, winner, taken_off = arithmetic(result)
    for deduct, due in ((True, points), (False, points + taken_off)):
        table = played_out(hands, ends, deduct_own_pips=deduct, partnership=True)
        assert table.hand_points.tolist() == [due if winner is not NOBODY and seat % 2 == winner else 0 for seat in range(4)]


# Placing


def test_the_opening_tile_lies_with_its_low_half_to_the_left():
    table = set_deal(Table(load_game("block"), seed=0), ["6-4 5-5", "6-6 4-4"])
    play(table, "6-4>L")
    assert table.state.ends.tolist() == [4, 6]
    assert names(table) == {"4-4>L", "6-6>R"}


def test_a_tile_is_laid_with_equal_halves_touching():
    table = position("block", ["6-3 0-0", "1-1"], ends=(3, 5))
    assert names(table) == {"6-3>L"}
    assert play(table, "6-3>L").state.ends.tolist() == [6, 5]


def test_a_tile_that_fits_both_ends_may_be_laid_on_either():
    table = position("block", ["6-3 0-0", "1-1"], ends=(3, 6))
    assert names(table) == {"6-3>L", "6-3>R"}


@pytest.mark.parametrize("exposed", [(False, False), (True, False), (False, True)])
def test_two_ends_with_one_number_are_one_action_the_left_one(exposed):
    """A double lying exposed makes no difference in Block, where the ends do not score."""
    table = position("block", ["5-3 5-5 0-0", "1-1"], ends=(5, 5), exposed=exposed)
    assert names(table) == {"5-3>L", "5-5>L"}


def test_a_player_who_can_lay_must():
    table = position("block", ["5-3 0-0", "1-1"], ends=(5, 2))
    assert names(table) == {"5-3>L"}


def test_a_player_who_cannot_lay_passes_and_never_draws():
    table = position("block", ["0-0", "1-1"], ends=(5, 2), boneyard="5-5 2-2")
    assert names(table) == {"pass"}
    assert play(table, "pass").player == 1


# The end of a hand


def test_a_hand_ends_with_the_last_tile_of_a_hand():
    table = position("block", ["5-3", "3-1 1-1"], ends=(5, 2), max_hands=1)
    assert play(table, "5-3>L").done


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_block_is_as_many_passes_in_a_row_as_there_are_players(players):
    table = position("block", ["0-0", "1-1", "6-6", "4-4"][:players], ends=(5, 2), max_hands=1)
    for _ in range(players):
        assert not table.done
        play(table, "pass")
    assert table.done


def test_a_placement_between_passes_puts_the_block_off():
    table = position("block", ["0-0", "5-1 1-1", "6-6"], ends=(5, 2), max_hands=1)
    play(table, "pass", "5-1>L", "pass", "pass")
    assert not table.done
    assert names(table) == {"1-1>L"}


# The lead


@pytest.mark.parametrize("lead_tile", ["highest_double", "any"])
def test_the_highest_double_leads_the_first_hand(lead_tile):
    """And opens, where `lead_tile` says so; else any tile of that hand does."""
    for seed in range(200):
        table = Table(load_game("block", 3, lead_tile=lead_tile), seed=seed)
        double = max((pip for pip in range(7) for seat in range(3) if f"{pip}-{pip}" in hand_of(table, seat)), default=None)
        if double is None:
            continue
        assert f"{double}-{double}" in hand_of(table, table.player)
        opening = {f"{double}-{double}"} if lead_tile == "highest_double" else set(hand_of(table, table.player))
        assert names(table) == {f"{tile}>L" for tile in opening}


def test_where_nobody_holds_a_double_the_heaviest_tile_leads_and_opens():
    """Equal weights are decided by the higher half: 6-3 goes before 5-4."""
    ties = 0
    for seed in range(4_000):
        table = Table(load_game("block", 2, hand_size=3), seed=seed)
        tiles = {tile: seat for seat in range(2) for tile in hand_of(table, seat)}
        if any(tile[0] == tile[2] for tile in tiles):
            continue
        ranked = sorted(tiles, key=lambda tile: (int(tile[0]) + int(tile[2]), tile[0]))
        ties += sum(map(int, ranked[-1].split("-"))) == sum(map(int, ranked[-2].split("-")))
        assert table.player == tiles[ranked[-1]]
        assert names(table) == {f"{ranked[-1]}>L"}
    assert ties > 20


def test_a_leader_by_lot_opens_freely():
    leaders = set()
    for seed in range(40):
        table = Table(load_game("block", 4, first_leader="lot"), seed=seed)
        leaders.add(table.player)
        assert len(table.legal_actions()) == 5
    assert leaders == {0, 1, 2, 3}


# Hands blocked at once, all open numbers being 2: pips, and so who wins.
WON_BY_2 = ["5-1", "4-3", "1-1"]  # 6, 7, 2
WON_BY_NOBODY = ["5-1", "3-3", "6-6"]  # 6, 6, 12


def next_hand(hands, to_move=0, **options):
    """Returns a table that has dealt the hand after one led by seat `to_move` and blocked at once."""
    table = position("block", hands, ends=(2, 2), to_move=to_move, **options)
    return play(table, *["pass"] * len(hands))


def test_the_winner_of_a_hand_leads_the_next_with_any_tile():
    """Of a block too."""
    table = next_hand(WON_BY_2)
    assert table.player == 2
    assert names(table) == {f"{tile}>L" for tile in hand_of(table, 2)}


@pytest.mark.parametrize(("leader", "after"), [(0, 1), (1, 2), (2, 0)])
def test_after_a_hand_without_a_winner_the_lead_rotates(leader, after):
    assert next_hand(WON_BY_NOBODY, to_move=leader).player == after


@pytest.mark.parametrize(("leader", "after"), [(0, 1), (1, 2), (2, 0)])
def test_rotation_follows_the_last_leader_whoever_won(leader, after):
    table = next_hand(WON_BY_2, to_move=leader, next_lead="rotation")
    assert table.player == after
    assert len(names(table)) == 5


@pytest.mark.parametrize(
    ("hands", "leader"),
    [
        (["0-0", "6-6", "1-1", "5-5"], 0),  # 0 + 2 against 12 + 10; seat 0 is lighter than its partner
        (["1-1", "6-6", "0-0", "5-5"], 2),
        (["6-6", "3-1", "5-5", "4-0"], 1),  # 12 + 10 against 4 + 4: level partners, the lower seat
        (["5-1", "6-0", "1-0", "5-5"], 2),  # 6 + 1 against 6 + 10
    ],
)
def test_after_a_block_the_lighter_partner_of_the_winning_pair_leads(hands, leader):
    assert next_hand(hands, partnership=True).player == leader


def test_the_highest_double_may_lead_every_hand():
    game = load_game("block", 3, next_lead="highest_double", target=None, max_hands=8)
    for table in random_positions(game, games=10):
        if table.state.history_size == 0 and not table.done:
            double = max(
                (pip for pip in range(7) for seat in range(3) if f"{pip}-{pip}" in hand_of(table, seat)), default=None
            )
            assert double is None or names(table) == {f"{double}-{double}>L"}


# The match. Seat 1, with 3 pips, wins 12 - 3 = 9 when both pass.
NINE_TO_1 = ["6-6", "1-1 1-0"]


def nine_to_1(scores, **options):
    return play(position("block", NINE_TO_1, ends=(2, 3), scores=scores, **options), "pass", "pass")


@pytest.mark.parametrize("match_end", ["immediate", "hand_end"])
def test_the_match_ends_at_the_target(match_end):
    assert not nine_to_1([0, 90], match_end=match_end).done
    table = nine_to_1([99, 91], match_end=match_end)
    assert table.done
    assert table.scores.tolist() == [99, 100]
    assert table.rewards.tolist() == [-1, 1]


def test_a_credit_past_an_exact_target_is_not_counted():
    table = nine_to_1([0, 92], exact_target=True)
    assert table.scores.tolist() == [0, 92]
    assert table.hand_points.tolist() == [0, 0]
    assert not table.done
    assert table.player == 1  # it has won the hand all the same


def test_an_exact_target_is_won_by_reaching_it():
    table = nine_to_1([0, 91], exact_target=True)
    assert table.scores.tolist() == [0, 100]
    assert table.done


@pytest.mark.parametrize(
    ("hands", "scores", "rewards"),
    [
        (NINE_TO_1, [0, 0], [-1, 1]),
        (NINE_TO_1, [10, 0], [1, -1]),  # 10 to 9
        (NINE_TO_1, [9, 0], [0, 0]),  # level
        (WON_BY_NOBODY, [0, 0, 0], [0, 0, 0]),
        (WON_BY_NOBODY, [7, 3, 7], [0.25, -0.5, 0.25]),  # two share the payoffs +1 and -1/2
        (WON_BY_NOBODY, [3, 7, 3], [-0.5, 1, -0.5]),
    ],
)
def test_at_the_cap_on_hands_the_highest_score_wins(hands, scores, rewards):
    table = position("block", hands, ends=(2, 2) if len(hands) == 3 else (2, 3), scores=scores, max_hands=1)
    play(table, *["pass"] * len(hands))
    assert table.done
    assert table.rewards.tolist() == rewards


def test_a_match_without_a_target_plays_all_its_hands():
    table = nine_to_1([0, 900], target=None, max_hands=2)
    assert not table.done
    assert table.state.hands_played == 1


@pytest.mark.parametrize(
    ("target", "hands", "rewards"),
    [
        (100, NINE_TO_1, [-0.09, 0.09]),
        (50, NINE_TO_1, [-0.18, 0.18]),
        (None, NINE_TO_1, [-0.09, 0.09]),  # in units of 100 where there is no target
        (100, WON_BY_2, [-0.055, -0.055, 0.11]),  # 6 + 7 - 2 = 11, less the mean of 0 and 11 for the others
        (100, WON_BY_NOBODY, [0, 0, 0]),
    ],
)
def test_points_are_paid_as_own_less_the_mean_of_the_others(target, hands, rewards):
    table = position("block", hands, ends=(2, 2) if len(hands) == 3 else (2, 3), target=target, reward="points")
    play(table, *["pass"] * len(hands))
    assert table.rewards.tolist() == pytest.approx(rewards)


@pytest.mark.parametrize("reward", ["win", "points"])
def test_partners_are_paid_alike(reward):
    hands = ["0-0", "6-6", "1-1", "5-5"]  # 22 - 2 = 20 to seats 0 and 2
    table = position("block", hands, ends=(2, 2), partnership=True, max_hands=1, reward=reward)
    play(table, *["pass"] * 4)
    paid = 1 if reward == "win" else 0.2
    assert table.rewards.tolist() == pytest.approx([paid, -paid, paid, -paid])


# The deal


@pytest.mark.parametrize(
    ("players", "options", "hand_size", "boneyard"),
    [
        (2, {}, 7, 14),
        (3, {}, 5, 13),
        (4, {}, 5, 8),
        (4, {"partnership": True}, 7, 0),
        (4, {"hand_size": 7}, 7, 0),
        (3, {"hand_size": 9}, 9, 1),
        (2, {"max_pip": 9}, 7, 41),
        (2, {"max_pip": 3, "hand_size": 5}, 5, 0),
    ],
)
def test_the_deal(players, options, hand_size, boneyard):
    assert_dealt("block", players, options, hand_size, boneyard)


def names(table):
    return {table.game.action_to_string(action) for action in table.legal_actions()}
