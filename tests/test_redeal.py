"""Dealing the hidden tiles anew: uniform over the deals that explain the record; nothing else is touched or read."""

from collections import Counter
from itertools import islice

import numpy as np
import pytest
from scipy.stats import chi2

from domino_envs import engine, load_game
from domino_envs.core.tiles import BONEYARD, HIGH, LOW, TABLE
from domino_envs.table import Table
from domino_envs.testing import deal_of
from reference.deals import DRAW, PASS, View, explaining_deals, explains, holdings

HIGHEST_OPENS = {"first_leader": "highest_double", "next_lead": "highest_double", "lead_tile": "highest_double"}
HIGHEST_LEADS = {"first_leader": "highest_double", "next_lead": "winner", "lead_tile": "any"}
LOT = {"first_leader": "lot", "next_lead": "highest_double", "lead_tile": "any"}
DRAWING = ("one_end", "one_then_play", "until_playable")
SMALL_TABLES = [
    ("block", 2, {"hand_size": 3, **HIGHEST_LEADS}),
    *(
        ("draw", 2, {"hand_size": 3, "draw_mode": mode, **lead})
        for mode in DRAWING
        for lead in (HIGHEST_OPENS, HIGHEST_LEADS, LOT)
    ),
    *(("draw", 3, {"hand_size": 2, "reserve": 1, "draw_mode": mode, **HIGHEST_LEADS}) for mode in DRAWING),
    *(("draw", 4, {"hand_size": 2, "draw_mode": mode, **HIGHEST_OPENS}) for mode in DRAWING),
]
MOST_DEALS = 2000  # of an enumeration
FULL_TABLES = [
    ("all_fives", 4, {}),
    ("draw", 3, {"next_lead": "highest_double"}),
    ("draw", 3, {"draw_mode": "one_then_play", "lead_tile": "any"}),
]


def label(value):
    return "-".join(map(str, value.values())) or "defaults" if isinstance(value, dict) else str(value)


def positions(game, games, chance, share):
    """Yields a share of the tables along random games and of their ends, each with the deal of its hand."""
    table = Table(game)
    for _ in range(games):
        table.reset(int(chance.integers(2**32)))
        while True:
            if table.state.history_size == 0:
                deal = deal_of(table)
            if chance.random() < share:
                yield table, deal
            if table.done:
                break
            table.play(int(chance.choice(table.legal_actions())))


def view_of(table, deal, seat):
    state, options = table.state, table.game.options
    record = tuple((int(state.history_seats[turn]), move_of(table, state.history[turn])) for turn in range(state.history_size))
    drawers = [drawer for drawer, move in record if move == DRAW]
    hands_before = state.hands_played - table.done
    return View(
        seat=seat,
        dealt=frozenset(deal[0][seat]),
        drawn=tuple(tile for drawer, tile in zip(drawers, deal[1], strict=False) if drawer == seat),
        record=record,
        to_move=table.player,
        leader=int(state.leader),
        best_tile_led=(options.next_lead if hands_before else options.first_leader) == "highest_double",
        best_tile_opens=options.lead_tile == "highest_double",
        draw_mode=options.draw_mode,
        num_players=table.game.num_players,
        hand_size=options.hand_size,
        max_pip=options.max_pip,
    )


def move_of(table, action):
    rules, arms = table.game.rules, len(table.state.ends)
    if action >= rules.draw_action:
        return DRAW if action == rules.draw_action else PASS
    return pair(action // arms), int(action % arms)


def pair(tile):
    return int(LOW[tile]), int(HIGH[tile])


def samples_of(table, seat, count, chance):
    states = np.repeat(table.states, count)
    engine.redeal_rows(states, table.game.rules, np.full(count, seat), chance.integers(2**64, size=count, dtype=np.uint64))
    return states


def tally(states):
    """Yields every `(owner, boneyard)` among the samples with its count."""
    tiles = states["owner"].shape[1]
    kinds, counts = np.unique(np.hstack([states["owner"], states["boneyard"]]), axis=0, return_counts=True)
    for kind, count in zip(kinds, counts.tolist(), strict=True):
        yield kind[:tiles], kind[tiles:], count


def sampled_deal(view, boneyard):
    """Returns the complete deal that a sample stands for: its dealt hands lie behind the boneyard, the first seat's last."""
    tiles = [pair(tile) for tile in boneyard[::-1]]
    dealt, size = view.num_players * view.hand_size, view.hand_size
    return tuple(frozenset(tiles[start : start + size]) for start in range(0, dealt, size)), tuple(tiles[dealt:])


def sampled_holdings(view, owner, boneyard):
    hands = tuple(frozenset(map(pair, np.flatnonzero(owner == seat))) for seat in range(view.num_players))
    return hands, tuple(map(pair, boneyard[: np.sum(owner == BONEYARD)][::-1]))


def chi_square(counts, weights):
    """Returns the statistic of the counts of outcomes against their weights, and its degrees of freedom."""
    assert set(counts) <= set(weights), "a sample that does not explain the record"
    scale = sum(counts.values()) / sum(weights.values())
    return np.array(
        [sum((counts[key] - scale * weight) ** 2 / (scale * weight) for key, weight in weights.items()), len(weights) - 1]
    )


@pytest.mark.parametrize(("name", "players", "options"), SMALL_TABLES, ids=label)
def test_samples_are_uniform_over_the_deals_that_explain_the_record(name, players, options, count):
    game = load_game(name, players, max_pip=3, max_hands=2, target=None, **options)
    chance = np.random.default_rng(players)
    of_deals, of_holdings = np.zeros(2), np.zeros(2)
    for table, deal in positions(game, count(200), chance, share=0.4):
        view = view_of(table, deal, int(chance.integers(players)))
        deals = list(islice(explaining_deals(view), MOST_DEALS + 1))
        if len(deals) <= MOST_DEALS:
            counts, held = Counter(), Counter()
            for owner, boneyard, samples in tally(samples_of(table, view.seat, 10 * len(deals), chance)):
                counts[sampled_deal(view, boneyard)] += samples
                held[sampled_holdings(view, owner, boneyard)] += samples
            of_deals += chi_square(counts, dict.fromkeys(deals, 1))
            of_holdings += chi_square(held, Counter(holdings(view, *one) for one in deals))
    assert of_deals[1] > 500
    print("P", chi2.sf(*of_deals), chi2.sf(*of_holdings), of_deals)
    assert chi2.sf(*of_deals) > 1e-4
    assert chi2.sf(*of_holdings) > 1e-4


@pytest.mark.parametrize(("name", "players", "options"), FULL_TABLES, ids=label)
def test_samples_explain_the_record_of_full_games(name, players, options, count):
    game = load_game(name, players, max_hands=3, **options)
    chance = np.random.default_rng(1)
    for table, deal in positions(game, count(200), chance, share=0.3):
        view = view_of(table, deal, int(chance.integers(players)))
        assert explains(view, *deal)
        for owner, boneyard, _ in tally(samples_of(table, view.seat, 5, chance)):
            hands, order = sampled_deal(view, boneyard)
            drawers = [drawer for drawer, move in view.record if move == DRAW]
            assert hands[view.seat] == view.dealt
            assert tuple(tile for drawer, tile in zip(drawers, order, strict=False) if drawer == view.seat) == view.drawn
            assert explains(view, hands, order)
            assert sampled_holdings(view, owner, boneyard) == holdings(view, hands, order)
            assert np.array_equal(owner == TABLE, table.state.owner == TABLE)
