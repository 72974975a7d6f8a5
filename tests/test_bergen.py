"""Bergen, worked by hand: headers, drawing, the end of a round, the match."""

import pytest

from bergen_hands import NOTHING_FITS, dealt, score_of
from domino_envs import load_game
from domino_envs.core.tiles import num_tiles, tile_name
from domino_envs.render.line import layout
from domino_envs.render.text import hand_of
from domino_envs.testing import play, position
from worked import names

# The line as it was laid | what its ends show, an exposed double as a double | what the last tile scored.
HEADERS = """
6-6>L 6-4>L | 4 6-6 | 0
2-2>L 6-2>L 2-1>R | 6 1 | 0
4-4>L 4-3>L 3-0>L 4-1>R | 0 1 | 0
5-5>L 5-2>L 6-5>R 2-1>L 6-4>R | 1 4 | 0
2-2>L 2-1>L 3-1>L 3-2>R 3-0>L 3-3>R | 0 3-3 | 0
3-3>L 6-3>L 6-4>L 3-2>R 4-1>L 1-0>L 4-2>R | 0 4 | 0
1-1>L 4-1>L 4-2>L 5-2>L 5-5>L 2-1>R 2-0>R 1-0>R | 5-5 1 | 0
0-0>L 1-0>L 4-1>L 4-4>L 5-0>R 6-5>R 6-2>R 5-4>L 2-0>R | 5 0 | 0
1-1>L 4-1>L 3-1>R 4-3>L | 3 3 | 2
3-3>L 3-2>L 2-1>L 3-1>R | 1 1 | 2
3-3>L 3-2>L 5-2>L 5-3>R | 5 5 | 2
3-3>L 3-0>L 5-3>R 1-0>L 5-1>L | 5 5 | 2
5-5>L 5-0>L 1-0>L 5-2>R 6-2>R 6-1>L | 6 6 | 2
5-5>L 5-1>L 5-0>R 1-1>L 6-0>R 6-1>L | 6 6 | 2
5-5>L 5-1>L 5-0>R 0-0>R 6-1>L 2-0>R 6-2>L | 2 2 | 2
1-1>L 6-1>L 2-1>R 5-2>R 5-1>R 6-6>L 6-0>L 1-0>R | 0 0 | 2
4-4>L 5-4>L 6-4>R 5-1>L 2-1>L 5-2>L 5-5>L 6-5>L | 6 6 | 2
3-3>L 6-3>L 6-6>L 6-4>L 4-3>R 4-2>L 3-2>L 3-1>L 4-1>L | 4 4 | 2
4-4>L 6-4>L 6-2>L 5-4>R 5-1>R 2-2>L 6-1>R 3-2>L 6-3>R | 3 3 | 2
5-5>L 5-0>L 2-0>L 5-2>R 6-2>L 6-4>L 5-4>L 5-1>L 2-1>L | 2 2 | 2
0-0>L 2-0>L 4-2>L 4-0>L | 0 0-0 | 3
3-3>L 4-3>L 4-1>L 3-1>L | 3 3-3 | 3
4-4>L 4-1>L 1-0>L 4-0>L | 4 4-4 | 3
4-4>L 5-4>L 5-2>L 4-2>L | 4 4-4 | 3
0-0>L 3-0>L 3-3>L 4-0>R 4-3>R | 3-3 3 | 3
5-5>L 5-4>L 5-1>R 1-1>R 4-1>L | 1 1-1 | 3
5-5>L 5-1>L 5-3>R 1-0>L 3-0>R 0-0>L | 0-0 0 | 3
5-5>L 5-2>L 5-0>R 0-0>R 2-2>L 2-0>R | 2-2 2 | 3
0-0>L 2-0>L 3-2>L 6-0>R 6-4>R 4-3>L 4-4>L | 4-4 4 | 3
5-5>L 5-1>L 1-0>L 0-0>L 6-0>L 6-6>L 6-5>R | 6-6 6 | 3
3-3>L 3-1>L 6-3>R 6-1>L 6-4>L 5-4>L 5-5>L 6-5>R | 5-5 5 | 3
4-4>L 5-4>L 5-5>L 4-1>R 3-1>R 3-2>R 2-2>R 5-2>L | 2 2-2 | 3
"""
# Hands, seat by seat, that are all blocked | who wins the round: by the pips, and where doubleless hands come first.
BLOCKS = """
3-2 / 1-1 / 5-4 1-0 | 5, 2, 10: to 1 | 5 without a double against 10: to 0
4-1 / 5-0 / 5-4 1-0 | 5, 5, 10: nobody | 5, 5, 10: nobody
1-1 / 2-2 / 6-5 | 2, 4, 11: to 0 | 11 alone has no double: to 2
1-1 5-0 / 2-2 2-1 / 6-6 4-3 | 7, 7, 19: nobody | all hold one; the others weigh 5, 3, 7: to 1
0-0 / 1-1 | 0, 2: to 0 | all hold one; no others: nobody
6-6 1-0 / 0-0 5-1 | 13, 6: to 1 | all hold one; the others weigh 1, 6: to 0
4-1 / 3-2 / 0-0 | 5, 5, 0: to 2 | 5, 5 without a double: nobody
6-5 / 4-4 / 6-4 / 0-0 | 11, 8, 10, 0: to 3 | 11, 10 without a double: to 2
"""
# Likewise for two pairs, seats 0 and 2 against 1 and 3, each with the tiles of both hands.
PAIR_BLOCKS = """
1-1 / 4-1 / 1-0 / 2-0 | 3, 7: to 0 | 7 without a double: to 1
1-1 4-0 / 6-6 / 1-0 / 2-0 | 7, 14: to 0 | both hold one; the others weigh 5, 2: to 1
4-1 / 5-0 / 2-0 / 1-1 | 7, 7: nobody | 7 alone has no double: to 0
"""


def rows_of(text):
    return [tuple(part.strip() for part in line.split("|")) for line in text.strip().splitlines()]


# Headers


def laid(moves, **options):
    """Returns a table of two seats that laid these tiles in turn but for the last."""
    spare = [tile_name(tile) for tile in range(num_tiles(6)) if tile_name(tile) not in " ".join(moves)]
    hands = [" ".join([*(move[:3] for move in moves[seat::2]), spare[seat]]) for seat in (0, 1)]  # so that nobody is out
    return play(dealt(hands, target=None, **options), *moves[:-1])


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize(("line", "ends", "points"), rows_of(HEADERS))
def test_ends_with_one_number_score_two_and_three_where_a_double_shows_it(line, ends, points):
    *before, last = line.split()
    table = laid([*before, last])
    assert score_of(table, last) == int(points)
    state = table.state
    shown = [f"{end}-{end}" if double else str(end) for end, double in zip(state.ends, state.doubles, strict=True)]
    assert shown == ends.split()


def test_bg_1_a_round_of_headers():
    """The tiles of BG-1, by the tile that each touches: either side of a lone 6-6 is one action, the left."""
    table = dealt(["6-6 6-4 2-2 1-0 3-0 4-0", "6-2 4-2 5-2 1-1 3-1 4-1"])
    assert score_of(table, "6-6>L") == 2
    assert score_of(table, "6-2>L") == 0  # ends 2 and 6-6
    assert score_of(table, "6-4>R") == 0  # 2 and 4
    assert score_of(table, "4-2>R") == 2  # 2 and 2
    assert score_of(table, "2-2>L") == 3  # 2-2 and 2
    assert score_of(table, "5-2>R") == 0  # 2-2 and 5
    assert table.scores.tolist() == [5, 2]


def test_bg_2_a_single_makes_a_triple_header_with_a_double_that_lay_there():
    table = dealt(["6-6 3-2 1-0", "6-2 6-3 1-1"])
    assert score_of(table, "6-6>L") == 2
    assert score_of(table, "6-2>L") == 0
    assert score_of(table, "3-2>L") == 0
    assert score_of(table, "6-3>L") == 3
    assert [layout(table)["line"][0][0], layout(table)["line"][-1]] == [6, (6, 6)]


def test_bg_4_the_target_ends_the_match_at_once_without_a_round_bonus():
    """At 14 of 15 a triple-header with the last tile: 14 + 3, and no point for going out."""
    table = play(position("bergen", ["4-2", "6-6"], ends=(4, 2), exposed=(True, False), scores=[14, 9]), "4-2>R")
    assert table.done
    assert table.scores.tolist() == [17, 9]
    assert table.hand_points.tolist() == [0, 0]
    assert table.rewards.tolist() == [1, -1]


def test_bg_6_who_is_out_wins_against_a_hand_without_pips():
    table = play(position("bergen", ["5-3", "0-0"], ends=(3, 1), max_hands=1), "5-3>L")
    assert table.scores.tolist() == [1, 0]


def test_bg_7_drawing_goes_on_until_a_tile_fits_which_must_be_laid():
    table = position("bergen", ["6-6 6-1", "5-5"], ends=(3, 5), boneyard="4-2 1-1 3-0 2-2")
    for _ in range(3):
        assert names(table) == {"draw"}
        play(table, "draw")
    assert names(table) == {"3-0>L"}
    play(table, "3-0>L")
    assert hand_of(table, 0) == ["6-6", "6-1", "4-2", "1-1"]
    assert table.player == 1


def test_bg_8_a_single_that_shows_the_number_of_the_other_end_is_a_double_header():
    """The other end shows a 4 and 4-2 is laid with its 4 outside: only two fours are open."""
    table = position("bergen", ["4-2 1-1", "6-6"], ends=(4, 2))
    assert score_of(table, "4-2>R") == 2


@pytest.mark.parametrize("points", [2, 0, 3])
def test_the_opening_double_scores(points):
    table = dealt(["3-3 0-0 6-5", "1-1"], opening_double_points=points)
    for tile in ("3-3>L", "0-0>L"):
        assert score_of(table.clone(), tile) == points
    single = dealt(["3-3 6-5", "1-1"], opening_double_points=points, lead_rule="any_tile")
    assert score_of(single.clone(), "3-3>L") == points
    assert score_of(single, "6-5>L") == 0


CAPPED = [(11, 2, 3), (12, 2, 2), (13, 1, 1), (14, 1, 1)]  # score; what a double- and a triple-header are worth at most


@pytest.mark.parametrize(("score", "double", "triple"), CAPPED)
def test_near_the_target_headers_are_worth_less_where_the_option_says_so(score, double, triple):
    for exposed, full, capped in ((False, 2, double), (True, 3, triple)):
        for cap, due in ((False, full), (True, capped)):
            table = position(
                "bergen", ["4-2 1-1", "6-6"], ends=(4, 2), exposed=(exposed, False), scores=[score, 0], near_target_cap=cap
            )
            assert score_of(table, "4-2>R") == due


@pytest.mark.parametrize(("score", "points", "due"), [(11, 3, 3), (12, 3, 2), (13, 3, 1), (13, 2, 1), (14, 2, 1), (14, 0, 0)])
def test_near_the_target_the_opening_double_is_worth_less_too(score, points, due):
    table = dealt(["3-3 6-5", "1-1"], opening_double_points=points, near_target_cap=True)
    table.states["scores"][0, 0] = score
    assert score_of(table, "3-3>L") == due


def test_the_round_bonus_is_no_header_and_is_not_capped():
    table = position("bergen", ["5-3", "0-0"], ends=(3, 1), scores=[12, 0], near_target_cap=True, round_bonus=3)
    assert play(table, "5-3>L").scores.tolist() == [15, 0]


@pytest.mark.parametrize(
    ("ends", "exposed", "legal"),
    [
        ((5, 5), (False, False), {"5-3>L"}),
        ((5, 5), (True, False), {"5-3>L", "5-3>R"}),  # a double stays exposed, or does not
        ((5, 5), (False, True), {"5-3>L", "5-3>R"}),
        ((5, 5), (True, True), {"5-3>L"}),  # a lone 5-5
        ((5, 3), (False, False), {"5-3>L", "5-3>R"}),
    ],
)
def test_placements_are_one_action_where_they_leave_one_layout(ends, exposed, legal):
    assert names(position("bergen", ["5-3 1-1", "2-2"], ends=ends, exposed=exposed)) == legal


def test_an_exposed_double_blank_differs_from_a_blank():
    assert names(position("bergen", ["3-0 1-1", "2-2"], ends=(0, 0), exposed=(True, False))) == {"3-0>L", "3-0>R"}
    assert names(position("bergen", ["3-0 1-1", "2-2"], ends=(0, 0))) == {"3-0>L"}


# Drawing


@pytest.mark.parametrize(
    ("mode", "legal", "after"),
    [
        ("none", {"pass"}, None),
        ("one_end", {"draw"}, 1),
        ("one_then_play", {"draw"}, 1),
        ("until_playable", {"draw"}, 0),
    ],
)
def test_who_cannot_lay(mode, legal, after):
    """The tile drawn does not fit."""
    table = position("bergen", ["6-6 6-1", "5-5"], ends=(3, 5), boneyard="4-2 3-0", draw_mode=mode)
    assert names(table) == legal
    assert after is None or play(table, "draw").player == after


def test_a_fitting_tile_drawn_by_one_then_play_must_be_laid():
    table = position("bergen", ["6-6 6-1", "5-5"], ends=(3, 5), boneyard="3-0 4-2", draw_mode="one_then_play")
    assert names(play(table, "draw")) == {"3-0>L"}


@pytest.mark.parametrize(("reserve", "draws"), [(0, 3), (2, 1)])
def test_the_boneyard_may_be_emptied_but_for_the_reserve(reserve, draws):
    table = position("bergen", ["6-6 6-1", "5-5"], ends=(3, 5), boneyard="4-2 1-1 2-0", reserve=reserve)
    play(table, *["draw"] * draws)
    assert names(table) == {"pass"}


# The end of a round


@pytest.mark.parametrize("bonus", [1, 0, 2])
def test_the_winner_of_a_round_scores_the_bonus(bonus):
    options = {"round_bonus": bonus, "max_hands": 1}
    out = play(position("bergen", ["5-3", "6-6"], ends=(3, 1), **options), "5-3>L")
    assert out.hand_points.tolist() == [bonus, 0]
    block = play(position("bergen", ["5-3", "1-0"], ends=(6, 6), **options), "pass", "pass")
    assert block.hand_points.tolist() == [0, bonus]


def check_block(hands, by_pips, doubleless, sides, **options):
    for rule, text in (("lowest_pips", by_pips), ("doubleless_first", doubleless)):
        table = position("bergen", hands.split(" / "), ends=NOTHING_FITS, max_hands=1, blocked_rule=rule, **options)
        play(table, *["pass"] * len(table.scores))
        winner = None if text.endswith("nobody") else int(text[-1])
        assert table.hand_points.tolist() == [int(seat % sides == winner) for seat in range(len(table.scores))], rule


@pytest.mark.parametrize("row", rows_of(BLOCKS), ids=lambda row: row[0])
def test_bg_5_a_block_is_won_by(row):
    check_block(*row, sides=len(row[0].split(" / ")))


@pytest.mark.parametrize("row", rows_of(PAIR_BLOCKS), ids=lambda row: row[0])
def test_a_pair_wins_a_block_by_both_hands(row):
    check_block(*row, sides=2, partnership=True)


@pytest.mark.parametrize("rule", ["lowest_pips", "doubleless_first"])
def test_going_out_wins_by_either_rule(rule):
    """Against a hand without a double, of no pips but one."""
    table = position("bergen", ["5-5", "1-0"], ends=(5, 3), max_hands=1, blocked_rule=rule)
    assert play(table, "5-5>L").hand_points.tolist() == [1, 0]


@pytest.mark.parametrize(("hands", "leader"), [(["1-1", "6-5", "2-0", "6-4"], 0), (["3-1", "6-5", "2-0", "6-4"], 2)])
def test_after_a_block_the_lighter_partner_of_the_winning_pair_has_the_right_to_open(hands, leader):
    rule = "doubleless_first" if leader == 2 else "lowest_pips"
    table = position("bergen", hands, ends=NOTHING_FITS, partnership=True, next_lead="winner", blocked_rule=rule)
    assert play(table, *["pass"] * 4).state.leader == leader


def test_partners_score_together():
    table = position("bergen", ["4-2 1-1", "6-6", "5-5", "3-3"], ends=(4, 2), partnership=True, reward="points")
    play(table, "4-2>R")
    assert table.scores.tolist() == [2, 0, 2, 0]
    assert table.rewards.tolist() == pytest.approx([0.2, -0.2, 0.2, -0.2])


# The match


@pytest.mark.parametrize(("players", "max_pip", "target"), [(2, 6, 15), (3, 6, 10), (4, 6, 10), (5, 9, 10), (8, 12, 10)])
def test_the_target(players, max_pip, target):
    assert load_game("bergen", players, max_pip=max_pip).options.target == target


@pytest.mark.parametrize(("match_end", "done"), [("immediate", True), ("hand_end", False)])
def test_the_match_ends_at_the_target_or_with_the_hand(match_end, done):
    table = position("bergen", ["4-2 1-1", "6-2"], ends=(4, 2), scores=[13, 14], match_end=match_end)
    assert play(table, "4-2>R").scores.tolist() == [15, 14]
    assert table.done == done


def test_with_match_end_hand_end_the_highest_score_at_the_target_wins():
    """Seat 0 is first at 15, seat 1 makes a double-header with its last tile: 14 + 2 + 1."""
    table = position("bergen", ["4-2 1-1", "5-4"], ends=(4, 2), scores=[13, 14], match_end="hand_end")
    play(table, "4-2>R")
    table.states["ends"][0] = (4, 5)
    table.set_state(table.get_state())
    play(table, "5-4>L")
    assert table.done
    assert table.scores.tolist() == [15, 17]
    assert table.rewards.tolist() == [-1, 1]


@pytest.mark.parametrize(("score", "after", "done"), [(13, 15, True), (14, 14, False)])
def test_an_exact_target_counts_no_credit_past_it(score, after, done):
    table = position("bergen", ["4-2 1-1", "6-2"], ends=(4, 2), scores=[score, 0], exact_target=True)
    assert play(table, "4-2>R").scores.tolist() == [after, 0]
    assert table.done == done


def test_a_capped_header_may_reach_an_exact_target():
    table = position("bergen", ["4-2 1-1", "6-2"], ends=(4, 2), scores=[14, 0], exact_target=True, near_target_cap=True)
    assert play(table, "4-2>R").scores.tolist() == [15, 0]


def test_at_the_cap_on_hands_the_highest_score_wins():
    table = position("bergen", ["5-3", "6-6"], ends=(3, 1), scores=[3, 5], max_hands=1)
    play(table, "5-3>L")
    assert table.done
    assert table.rewards.tolist() == [-1, 1]


def test_without_a_target_all_hands_are_played():
    table = play(position("bergen", ["5-3", "6-6"], ends=(3, 1), scores=[300, 5], target=None, max_hands=2), "5-3>L")
    assert not table.done


def test_points_are_paid_when_they_are_earned():
    """3 of 10 to seat 0, less the mean of nothing; to the two others nothing less the mean of 3 and 0."""
    table = position("bergen", ["4-2 1-1", "6-6", "5-5"], ends=(4, 2), exposed=(True, False), reward="points")
    assert play(table, "4-2>R").rewards.tolist() == pytest.approx([0.3, -0.15, -0.15])
