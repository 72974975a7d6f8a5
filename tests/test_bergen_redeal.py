"""Bergen's hidden tiles dealt anew, against every deal that explains the record: tiny sets, enumerated in plain Python."""

from collections import Counter
from itertools import islice

import numpy as np
import pytest
from scipy.stats import chi2

from domino_envs import load_game
from domino_envs.core.turns import FREE_OPENING
from domino_envs.table import Table
from domino_envs.testing import deal_of, play, set_deal
from reference.deals import DRAW, explaining_draws, explains, holdings
from test_redeal import chi_square, label, positions, sampled_deal, sampled_holdings, samples_of, tally, view_of

HIGHEST_LEADS = {"first_leader": "highest_double", "next_lead": "highest_double"}
LOOKED_FOR = ((2, 1, {}), (2, 2, HIGHEST_LEADS), (3, 1, HIGHEST_LEADS), (3, 1, {"draw_mode": "one_then_play"}))
SMALL_TABLES = [
    (2, {"hand_size": 1}),
    (2, {"hand_size": 3, "fill_opening_double_first": True}),
    (3, {"hand_size": 1, "draw_mode": "one_end", "next_lead": "winner"}),
    (3, {"hand_size": 1, "draw_mode": "one_then_play", "fill_opening_double_first": True}),
    (3, {"hand_size": 2, "reserve": 1}),
    (3, {"hand_size": 1, "reserve": 5}),  # often dealt anew
    (4, {"hand_size": 1, "draw_mode": "none"}),  # likewise
    (2, {"hand_size": 2, **HIGHEST_LEADS}),
    (3, {"hand_size": 1, "reserve": 4, **HIGHEST_LEADS}),
    *(
        (players, {"hand_size": size, "lead_rule": f"{kind}_double", **lead})
        for kind in ("highest", "lowest")
        for players, size, lead in (
            (2, 1, {}),
            (2, 2, HIGHEST_LEADS),
            (3, 1, HIGHEST_LEADS),
            (3, 2, {"draw_mode": "one_then_play"}),
        )
    ),
    (3, {"hand_size": 2, "lead_rule": "any_tile", **HIGHEST_LEADS}),
    (2, {"hand_size": 3, "lead_rule": "any_tile", "fill_opening_double_first": True}),
]
MOST_DEALS = 400  # of an enumeration


@pytest.mark.parametrize(("players", "options"), SMALL_TABLES, ids=label)
def test_samples_are_uniform_over_the_deals_that_explain_the_record(players, options, count):
    game = load_game("bergen", players, max_pip=3, max_hands=2, target=None, **options)
    chance = np.random.default_rng(players)
    fits, in_opening = [], 0
    for table, deal in positions(game, count(200), chance, share=0.5):
        view = view_of(table, deal, int(chance.integers(players)))
        deals = list(islice(explaining_draws(view), MOST_DEALS + 1))
        assert deals
        if 1 < len(deals) <= MOST_DEALS:
            fits += fits_of_samples(view, deals, samples_of(table, view.seat, 500 + 10 * len(deals), chance))
            in_opening += table.state.line_length == 0 and table.state.history_size > 0
    assert len(fits) > 4
    # With more than one tile each it is seldom that nobody holds a double.
    assert in_opening > 0 or options["hand_size"] > 1 or options.get("lead_rule") == "any_tile"
    assert chi2.sf(*np.sum(fits, axis=0)) > 1e-4
    assert min(chi2.sf(*fit) for fit in fits) > 1e-6


def fits_of_samples(view, deals, states):
    """Returns the fits of the deals among the samples, as far as they were drawn, and of what everybody holds."""
    counts, held = Counter(), Counter()
    drawn = sum(move == DRAW for _, move in view.record)
    for owner, boneyard, samples in tally(states):
        hands, order = sampled_deal(view, boneyard)
        counts[hands, order[:drawn]] += samples
        held[sampled_holdings(view, owner, boneyard)[0]] += samples
    ways = Counter(holdings(view, *deal)[0] for deal in deals)
    return [chi_square(counts, dict.fromkeys(deals, 1))] + ([chi_square(held, ways)] if len(ways) > 1 else [])


FULL_TABLES = [
    (2, {}),
    (3, {"lead_rule": "highest_double", "draw_mode": "one_then_play", **HIGHEST_LEADS}),
    (4, {"hand_size": 2, "lead_rule": "lowest_double", "fill_opening_double_first": True}),
    (5, {"max_pip": 9, "hand_size": 2, "draw_mode": "one_end"}),
    (8, {"max_pip": 9, "hand_size": 2}),
]


@pytest.mark.parametrize(("players", "options"), FULL_TABLES, ids=label)
def test_samples_explain_the_record_and_show_a_seat_what_it_saw(players, options, count):
    game = load_game("bergen", players, max_hands=3, target=None, **options)
    chance = np.random.default_rng(players)
    share = 0.3 if players < 5 else 0.05  # large tables take long to explain
    for table, deal in positions(game, count(100), chance, share):
        view = view_of(table, deal, int(chance.integers(players)))
        assert explains(view, *deal)
        for owner, boneyard, _ in tally(samples_of(table, view.seat, 3, chance)):
            hands, order = sampled_deal(view, boneyard)
            assert explains(view, hands, order)
            assert hands[view.seat] == view.dealt
            assert sampled_holdings(view, owner, boneyard) == holdings(view, hands, order)
        world = table.clone()
        world.redeal_hidden(view.seat, int(chance.integers(2**32)))
        assert np.array_equal(world.observation(view.seat), table.observation(view.seat))


CROWDED = (  # after 88 moves hardly any deal of this hand explains them all
    "pass pass pass 9-9>L draw draw draw 9-7>L draw 7-7>L draw 9-0>R draw draw draw draw draw 8-0>R 8-2>R 4-2>R 8-4>R draw "
    "draw draw draw draw draw draw draw draw draw 8-1>R 3-1>R 7-2>L draw 5-3>R 5-1>R 2-1>L draw 1-0>L 1-1>R draw draw 6-0>L "
    "6-5>L 4-1>R draw draw 5-4>L draw 9-4>L 9-6>L draw 6-4>L draw 4-3>L 3-2>L 5-2>L draw draw draw draw 8-5>L draw 8-7>L "
    "7-1>L 9-1>L draw draw 9-3>L draw 6-3>L 7-4>R 7-0>R 0-0>R 6-2>L draw draw 4-0>R draw draw 4-4>R draw 2-2>L 9-2>L 9-5>L"
)


def test_samples_explain_a_record_that_leaves_few_deals():
    game = load_game("bergen", 5, max_pip=9, hand_size=2, draw_mode="one_end")
    boneyard = (
        "6-6 8-4 9-0 8-2 9-4 8-0 6-0 0-0 1-1 9-6 3-2 3-1 6-4 6-5 4-3 8-1 8-3 7-2 1-0 6-2 9-3 2-2 3-3 7-3 8-6 8-5 8-7 5-2 6-1 "
        "7-0 3-0 7-1 9-1 7-5 7-4 4-0 5-5 4-4 5-0 9-2 9-5 7-6 8-8 2-0 9-8"
    )
    table = set_deal(Table(game, seed=1), ["4-1 5-3", "5-1 6-3", "2-1 9-7", "5-4 9-9", "4-2 7-7"], boneyard)
    deal = deal_of(table)
    play(table, *CROWDED.split())
    for seat in range(5):
        view = view_of(table, deal, seat)
        assert explains(view, *deal)
        for owner, order, _ in tally(samples_of(table, seat, 20, np.random.default_rng(seat))):
            assert explains(view, *sampled_deal(view, order))
            assert sampled_holdings(view, owner, order) == holdings(view, *sampled_deal(view, order))


def test_who_must_open_with_a_double_looked_for_holds_it_in_every_sample():
    for rule in ("highest_double", "lowest_double"):
        game = load_game("bergen", 3, lead_rule=rule)
        for table, _ in positions(game, 20, np.random.default_rng(1), share=1):
            if table.state.line_length == 0 and table.state.opening_tile != FREE_OPENING:
                samples = samples_of(table, (table.player + 1) % 3, 50, np.random.default_rng(0))
                rows = np.arange(len(samples))
                assert np.all(samples["owner"][rows, samples["opening_tile"]] == table.player)
