"""Dealing the hidden tiles anew: uniform over the deals that explain the record; nothing else is touched or read."""

from collections import Counter
from itertools import islice

import numpy as np
import pytest
from scipy.stats import chi2

from domino_envs import engine, load_game
from domino_envs.core.tiles import BONEYARD, HIGH, LOW, TABLE
from domino_envs.core.turns import FREE_OPENING
from domino_envs.table import Table
from domino_envs.testing import deal_of, play, position, set_deal
from reference.deals import DRAW, PASS, View, explaining_deals, explains, holdings

HIGHEST_OPENS = {"first_leader": "highest_double", "next_lead": "highest_double", "lead_tile": "highest_double"}
HIGHEST_LEADS = {"first_leader": "highest_double", "next_lead": "winner", "lead_tile": "any"}
MUGGINS = {"claim_mode": "muggins", "false_claims": True}
LOT = {"first_leader": "lot", "next_lead": "highest_double", "lead_tile": "any"}
DRAWING = ("one_end", "one_then_play", "until_playable")
SMALL_TABLES = [
    ("block", 2, {"hand_size": 3, **HIGHEST_LEADS}),
    ("draw", 2, {"hand_size": 3, "draw_mode": "one_end", **LOT}),
    *(("draw", 2, {"hand_size": 3, "draw_mode": mode, **lead}) for mode in DRAWING for lead in (HIGHEST_OPENS, HIGHEST_LEADS)),
    *(("draw", 3, {"hand_size": 2, "reserve": 1, "draw_mode": mode, **HIGHEST_LEADS}) for mode in DRAWING),
    *(("draw", 4, {"hand_size": 2, "draw_mode": mode, **HIGHEST_OPENS}) for mode in DRAWING),
    ("draw", 2, {"hand_size": 3, "spinner": "first_double", **HIGHEST_OPENS}),
    ("all_fives", 3, {"hand_size": 2, "draw_mode": "one_then_play", "reserve": 1, **MUGGINS, **HIGHEST_LEADS}),
    ("fives_and_threes", 2, {"hand_size": 4, "spinner": "first_double", "exact_target": False, **MUGGINS, **HIGHEST_LEADS}),
]
MOST_DEALS = 500  # of an enumeration
FULL_TABLES = [
    ("all_fives", 4, {}),
    ("draw", 3, {"next_lead": "highest_double"}),
    ("draw", 3, {"draw_mode": "one_then_play", "lead_tile": "any"}),
    ("all_fives", 3, {"spinner": "first_double", "draw_mode": "one_then_play", **MUGGINS}),
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
    claims = state.history_claims if len(state.history_claims) else np.zeros(state.history_size)
    record = tuple(
        (int(state.history_seats[turn]), move_of(table, state.history[turn]))
        for turn in range(state.history_size)
        if not claims[turn]
    )
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
        best_tile_opens=getattr(options, "lead_tile", "any") == "highest_double",
        draw_mode=options.draw_mode,
        num_players=table.game.num_players,
        hand_size=options.hand_size,
        max_pip=options.max_pip,
        spinner=getattr(options, "spinner", "none"),
        lead_rule=getattr(options, "lead_rule", ""),
        fill_opening_double_first=getattr(options, "fill_opening_double_first", False),
        double_found=None if record else bool(state.opening_tile != FREE_OPENING),
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
    fits = []
    for table, deal in positions(game, count(200), chance, share=0.3):
        view = view_of(table, deal, int(chance.integers(players)))
        deals = list(islice(explaining_deals(view), MOST_DEALS + 1))
        if 1 < len(deals) <= MOST_DEALS:
            fits += fits_of_samples(view, deals, samples_of(table, view.seat, 2000 + 10 * len(deals), chance))
    assert len(fits) > 10
    assert chi2.sf(*np.sum(fits, axis=0)) > 1e-4
    assert min(chi2.sf(*fit) for fit in fits) > 1e-6


def fits_of_samples(view, deals, states):
    """Returns the fits of the complete deals among the samples, and of what everybody holds, to the deals possible."""
    counts, held = Counter(), Counter()
    for owner, boneyard, samples in tally(states):
        counts[sampled_deal(view, boneyard)] += samples
        held[sampled_holdings(view, owner, boneyard)] += samples
    ways = Counter(holdings(view, *deal) for deal in deals)
    return [chi_square(counts, dict.fromkeys(deals, 1))] + ([chi_square(held, ways)] if len(ways) > 1 else [])


@pytest.mark.parametrize(("name", "players", "options"), FULL_TABLES, ids=label)
def test_samples_explain_the_record_of_full_games(name, players, options, count):
    check_samples(load_game(name, players, max_hands=3, **options), count(200), share=0.3, samples=5)


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("mode", DRAWING)
def test_samples_explain_the_record_of_a_few_small_games(mode):
    check_samples(load_game("draw", 2, max_pip=3, hand_size=3, draw_mode=mode, max_hands=2), games=2, share=0.5, samples=2)


def check_samples(game, games, share, samples):
    """Holds every sample against the record, what the seat saw, and what lies on the table."""
    chance = np.random.default_rng(games)
    for table, deal in positions(game, games, chance, share):
        view = view_of(table, deal, int(chance.integers(game.num_players)))
        drawers = [drawer for drawer, move in view.record if move == DRAW]
        assert explains(view, *deal)
        for owner, boneyard, _ in tally(samples_of(table, view.seat, samples, chance)):
            hands, order = sampled_deal(view, boneyard)
            assert hands[view.seat] == view.dealt
            assert tuple(tile for drawer, tile in zip(drawers, order, strict=False) if drawer == view.seat) == view.drawn
            assert explains(view, hands, order)
            assert sampled_holdings(view, owner, boneyard) == holdings(view, hands, order)
            assert np.array_equal(owner == TABLE, table.state.owner == TABLE)


@pytest.mark.parametrize(("name", "players", "options"), FULL_TABLES, ids=label)
def test_a_sample_depends_on_the_seed_and_on_what_the_seat_saw_alone(name, players, options, count):
    game = load_game(name, players, max_hands=3, **options)
    chance = np.random.default_rng(2)
    for table, _ in positions(game, count(200), chance, share=0.3):
        seat, seed = int(chance.integers(players)), int(chance.integers(2**32))
        world, other, scrambled = table.clone(), table.clone(), table.clone()
        scramble(scrambled, seat, chance)
        world.redeal_hidden(seat, seed)
        other.redeal_hidden(seat, seed + 1)
        scrambled.redeal_hidden(seat, seed)
        assert scrambled.get_state() == world.get_state()
        assert other.get_state() != world.get_state()


def scramble(table, seat, chance):
    """Puts what a seat cannot see into any order, whether or not that explains the record."""
    state, draw = table.state, table.game.rules.draw_action
    hidden = np.flatnonzero((state.owner != TABLE) & (state.owner != seat))
    state.owner[hidden] = chance.permutation(state.owner[hidden])
    drawers = [state.history_seats[turn] for turn in range(state.history_size) if state.history[turn] == draw]
    own = [state.boneyard_size + len(drawers) - 1 - number for number, drawer in enumerate(drawers) if drawer == seat]
    others = np.setdiff1d(np.arange(len(state.boneyard)), own)
    state.boneyard[others] = chance.permutation(state.boneyard[others])
    state.rng = chance.integers(2**64, dtype=np.uint64)
    if state.line_length == 0 and state.leader != seat and state.opening_tile >= 0:
        state.opening_tile = chance.integers(len(state.owner))


@pytest.mark.parametrize(("name", "players", "options"), FULL_TABLES, ids=label)
def test_a_sample_looks_the_same_to_the_seat_and_can_be_played_to_the_end(name, players, options, count):
    game = load_game(name, players, max_hands=3, **options)
    chance = np.random.default_rng(3)
    for table, _ in positions(game, count(200), chance, share=0.1):
        seat, world = int(chance.integers(players)), table.clone()
        world.redeal_hidden(seat, int(chance.integers(2**32)))
        assert np.array_equal(world.observation(seat), table.observation(seat))
        assert seat != table.player or np.array_equal(world.action_mask, table.action_mask)
        for field in set(game.state_dtype.names) - {"owner", "boneyard", "rng", "opening_tile"}:
            assert np.array_equal(world.states[field], table.states[field]), field
        while not world.done:
            world.play(int(chance.choice(world.legal_actions())))


def test_who_must_open_with_a_tile_holds_it_in_every_sample():
    table = Table(load_game("draw", 3, next_lead="highest_double"), seed=3)
    seat = (int(table.state.leader) + 1) % 3
    samples = samples_of(table, seat, 200, np.random.default_rng(0))
    rows = np.arange(len(samples))
    assert len(np.unique(samples["opening_tile"])) > 1
    assert np.all(samples["owner"][rows, samples["opening_tile"]] == table.state.leader)


def test_a_table_set_up_by_hand_has_its_hidden_tiles_shuffled():
    small = {"max_pip": 3, "hand_size": 3}
    table = play(position("draw", ["3-3 2-1 1-0", "2-2 1-1"], ends=(3, 2), boneyard="0-0 2-0 3-0", **small), "2-1>R")
    hands = {tuple(np.flatnonzero(state["owner"] == 1)) for state in samples_of(table, 0, 400, np.random.default_rng(0))}
    assert len(hands) == 10  # two tiles of five
    table.redeal_hidden(0, 1)
    assert table.state.ends.tolist() == [3, 1]
    assert table.state.hand_sizes.tolist() == [2, 2]


def test_a_leader_named_by_hand_need_not_have_been_dealt_the_best_tile():
    table = Table(load_game("draw", 2, max_pip=3, hand_size=3), seed=1)
    set_deal(table, ["3-3 2-2 1-1", "1-0 2-0 3-0"], leader=1)
    for seat in range(2):
        world = table.clone()
        world.redeal_hidden(seat, 1)
        assert np.array_equal(world.observation(seat), table.observation(seat))
    play(table, "3-0>L").redeal_hidden(0, 1)
    assert np.sum(table.state.owner == 1) == table.state.hand_sizes[1] == 2
