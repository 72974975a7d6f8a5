"""The tools for authors of variants: tables set up by hand, and checks that notice what is wrong."""

import os
import random

import numpy as np
import pytest

from domino_envs import load_game
from domino_envs.games import block
from domino_envs.table import Table
from domino_envs.testing import CHECKS, capture_position, check_game, deal_of, perft, play, position, run_checks, set_deal

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT") == "1"

# Tables set up by hand


@pytest.mark.parametrize("name", ["block", "draw", "all_fives"])
def test_a_deal_can_be_taken_from_one_table_and_set_at_another(name):
    one, other = (Table(load_game(name, 3), seed=seed) for seed in (1, 2))
    hands, boneyard = deal_of(one)
    assert deal_of(other) != (hands, boneyard)
    set_deal(other, hands, boneyard, leader=2)
    assert deal_of(other) == (hands, boneyard)
    assert other.player == 2
    assert len(other.legal_actions()) == 5


def test_the_boneyard_is_drawn_in_the_order_given():
    table = position("draw", ["0-0", "1-1"], ends=(5, 2), boneyard="6-6 4-4 5-3")
    play(table, "draw", "draw", "draw")
    assert deal_of(table)[0][0] == [(0, 0), (4, 4), (3, 5), (6, 6)]
    table = set_deal(Table(load_game("draw"), seed=0), ["6-6", "1-0"])
    assert deal_of(table)[1][:3] == [(0, 0), (1, 1), (0, 2)]


def test_tiles_named_nowhere_lie_on_the_table():
    table = position("block", ["6-6", "0-1 1-1"], ends=(2, 3), boneyard="5-5")
    assert (table.state.owner == -2).sum() == 24
    assert table.state.line_length == 24


@pytest.mark.parametrize(
    "make",
    [
        lambda: position("block", ["6-6", "6-6"], ends=(2, 3)),  # a tile in two hands
        lambda: position("block", ["7-6", "6-6"], ends=(2, 3)),  # not in the set
        lambda: position(load_game("block", 3), ["6-6", "5-5"], ends=(2, 3)),  # a hand is missing
        lambda: set_deal(Table(load_game("block"), seed=0), ["6-6", "5-5"], boneyard="4-4"),  # tiles are left
        lambda: set_deal(play(position("draw", ["0-0", "1-1"], ends=(5, 2), boneyard="4-4"), "draw"), ["6-6", "5-5"]),  # begun
    ],
)
def test_what_cannot_be_set_up_is_refused(make):
    with pytest.raises(ValueError):
        make()


@pytest.mark.nojit
@pytest.mark.parametrize("hands", [["6-6", "5-5"], ["6-6", "6-6"], ["6-6"], ["7-6", "5-5"]], ids=str)
def test_a_deal_that_is_refused_leaves_the_table_as_it_was(hands):
    table = Table(load_game("block"), seed=0)
    before = table.get_state()
    with pytest.raises(ValueError):
        set_deal(table, hands, boneyard="4-4")
    for leader, kind in ((2, ValueError), ("0", TypeError)):
        with pytest.raises(kind, match="leader must be"):
            set_deal(table, ["6-6", "5-5"], leader=leader)
    assert table.get_state() == before


def test_tables_are_set_up_for_the_kind_of_game_that_they_are_of():
    for make in (
        lambda: set_deal(Table(load_game("high_fives"), seed=0), ["6-6", "5-5"]),
        lambda: position("high_fives", ["6-6", "5-5"], ends=(2, 3)),
    ):
        with pytest.raises(ValueError, match="of a line game, got one of high_fives_v0"):
            make()
    with pytest.raises(ValueError, match="of a capture game, got one of block_v0"):
        capture_position("block", ["6-6", "5-5"], layout="4-4")


def test_play_refuses_what_is_not_legal():
    table = set_deal(Table(load_game("block"), seed=0), ["6-6 1-0", "5-5"])
    before = table.get_state()
    for name in ("5-5>L", "pass", "draw", "6-6>R"):
        with pytest.raises(ValueError, match="legal are"):
            play(table, name)
    assert table.get_state() == before


def test_perft_counts_sequences_of_moves_and_leaves_the_table_alone():
    """Seat 0 lays 3-2 on either end, or 2-2; then seat 1 can only pass."""
    table = position("block", ["3-2 2-2", "6-6 5-5"], ends=(2, 3), max_hands=1)
    before = table.get_state()
    assert [perft(table, depth) for depth in range(3)] == [1, 3, 3]
    assert table.get_state() == before


def test_check_game_names_the_game_and_what_it_does_not_keep(monkeypatch):
    def nothing_is_kept(game, games, seed):
        raise AssertionError("for the test")

    monkeypatch.setattr("domino_envs.testing.invariants.CHECKS", (nothing_is_kept,))
    with pytest.raises(AssertionError, match="block_v0 for 2: nothing_is_kept: for the test"):
        check_game(load_game("block"))


def test_a_game_without_decisions_is_checked_too():
    run_checks.skipping_forced_moves_changes_no_game(load_game("block", 2, hand_size=1, max_hands=1), games=2, seed=0)


@pytest.mark.nojit
@pytest.mark.skipif(not UNCOMPILED, reason="compiled, it takes a minute for a state of its own")
@pytest.mark.parametrize("check", [run_checks.equal_seeds_are_equal_games, run_checks.later_deals_differ])
def test_chance_may_repeat_deals_of_three_tiles(check):
    check(load_game("block", 2, max_pip=1, hand_size=1, max_hands=2), games=6, seed=0)


# Deliberate faults, put into the functions of Block, and the check that must notice each


def shows_the_others_hand(original):
    def observe(state, rules, player, observation):
        original(state, rules, player, observation)
        observation.table[0] = state.owner[0] == 1 - player

    return "observe", observe


def forgets_passes(original):
    def observe(state, rules, player, observation):
        original(state, rules, player, observation)
        for name in ("missing", "passes", "draws", "passes_in_row", "to_move", "boneyard", "hand_sizes"):
            observation[name] = 0

    return "observe", observe


def hides_the_ends(original):
    def observe(state, rules, player, observation):
        original(state, rules, player, observation)
        for name in ("hand", "table", "ends", "missing", "options", "hand_sizes"):
            observation[name] = 0

    return "observe", observe


def observes_large_numbers(original):
    def observe(state, rules, player, observation):
        original(state, rules, player, observation)
        observation.hands_left[0] = 2

    return "observe", observe


def lets_nobody_move(original):
    def legal_actions(state, rules, mask):
        original(state, rules, mask)
        mask[rules.pass_action] = 0

    return "legal_actions", legal_actions


def offers_equal_moves_twice(original):
    def legal_actions(state, rules, mask):
        original(state, rules, mask)
        if state.line_length and state.ends[0] == state.ends[1]:
            mask[1 : rules.draw_action : 2] |= mask[0 : rules.draw_action : 2]

    return "legal_actions", legal_actions


def leaves_old_marks(original):
    def legal_actions(state, rules, mask):
        before = mask.copy()
        original(state, rules, mask)
        mask |= before

    return "legal_actions", legal_actions


def favours_the_first_seat(original):
    def legal_actions(state, rules, mask):
        original(state, rules, mask)
        if state.player == 0 and mask.sum() > 1:
            mask[mask.argmax()] = 0

    return "legal_actions", legal_actions


def pays_the_mover(original):
    def step(state, rules, action):
        original(state, rules, action)
        state.rewards[state.player] += 1

    return "step", step


def loses_a_tile(original):
    def step(state, rules, action):
        original(state, rules, action)
        state.owner[int(state.history_size) % 3] = -2

    return "step", step


def records_nothing(original):
    def step(state, rules, action):
        original(state, rules, action)
        state.history[:] = 0

    return "step", step


def deals_by_global_chance(original):
    def deal(state, rules):
        state.rng = np.uint64(random.getrandbits(60))
        original(state, rules)

    return "deal", deal


def deals_always_alike(original):
    def deal(state, rules):
        state.rng = np.uint64(1)
        original(state, rules)

    return "deal", deal


def redeals_by_what_is_hidden(original):
    def redeal_hidden(state, rules, player, seed):
        hidden = np.uint64(np.flatnonzero(state.owner == 1 - player).sum())
        original(state, rules, player, np.uint64(seed) + hidden)

    return "redeal_hidden", redeal_hidden


FAULTS = [
    (shows_the_others_hand, "hidden_tiles_do_not_show"),
    (forgets_passes, "a_draw_or_pass_is_seen"),
    (hides_the_ends, "observation_decides_the_mask"),
    (observes_large_numbers, "observations_keep_their_bounds"),
    (lets_nobody_move, "someone_can_always_move"),
    (offers_equal_moves_twice, "equal_moves_are_one_action"),
    (leaves_old_marks, "masks_are_written_whole_and_bind"),
    (favours_the_first_seat, "seats_are_alike"),
    (pays_the_mover, "rewards_follow_the_scores"),
    (loses_a_tile, "tiles_are_in_one_place"),
    (records_nothing, "hands_end_within_the_bound"),
    (deals_by_global_chance, "equal_seeds_are_equal_games"),
    (deals_by_global_chance, "global_randomness_has_no_part"),
    (deals_always_alike, "later_deals_differ"),
    (redeals_by_what_is_hidden, "redealing_reads_nothing_hidden"),
]


@pytest.mark.nojit
@pytest.mark.skipif(not UNCOMPILED, reason="functions can be exchanged only where they run uncompiled")
@pytest.mark.parametrize(("fault", "noticed_by"), FAULTS, ids=lambda value: getattr(value, "__name__", value))
def test_checks_notice_faults(fault, noticed_by, monkeypatch):
    checks = {check.__name__: check for check in CHECKS}
    game = load_game("block", 2, max_pip=3, hand_size=3, max_hands=2)
    for name in ("deal", "legal_actions", "step", "observe", "redeal_hidden"):
        if fault(getattr(block, name))[0] == name:
            monkeypatch.setattr(block, *fault(getattr(block, name)))
            break
    with pytest.raises(AssertionError):
        checks[noticed_by](game, 12, 1)
