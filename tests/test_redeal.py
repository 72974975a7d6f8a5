"""Dealing the hidden tiles anew: uniform over the deals that explain the record; nothing else is touched or read."""

from collections import Counter
from itertools import islice

import numpy as np
import pytest
from scipy.stats import chi2

from domino_envs import engine, load_game
from domino_envs.core.assignment import UNKNOWN, count_ways, draw_assignment, obeys_limits, plan_assignment
from domino_envs.core.jit import entry
from domino_envs.core.redeal import DEAL
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


def scramble(state, seat, chance):
    """Puts what a seat cannot see in any order, whether or not that explains the record."""
    hidden = np.flatnonzero((state.owner != TABLE) & (state.owner != seat))
    state.owner[hidden] = chance.permutation(state.owner[hidden])
    drawers = [
        drawer for drawer, action in zip(state.history_seats, state.history, strict=True) if action == len(state.owner) * 2
    ]
    own = [place for place, drawer in enumerate(drawers) if drawer == seat]
    ...


@pytest.mark.parametrize(("name", "players", "options"), SMALL_TABLES, ids=label)
def test_samples_are_uniform_over_the_deals_that_explain_the_record(name, players, options, count):
    game = load_game(name, players, max_pip=3, max_hands=2, target=None, **options)
    chance = np.random.default_rng(players)
    of_deals, of_holdings = np.zeros(2), np.zeros(2)
    for table, deal in positions(game, count(100), chance, share=0.3):
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
    assert chi2.sf(*of_deals) > 1e-4
    assert chi2.sf(*of_holdings) > 1e-4


@pytest.mark.parametrize(("name", "players", "options"), FULL_TABLES, ids=label)
def test_samples_explain_the_record_of_full_games(name, players, options, count):
    game = load_game(name, players, max_hands=3, **options)
    check_samples(game, count(200), share=0.3, samples=5)


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
def test_samples_depend_on_the_seed_and_on_what_the_seat_saw_alone(name, players, options, count):
    game = load_game(name, players, max_hands=3, **options)
    chance = np.random.default_rng(2)
    for table, _ in positions(game, count(200), chance, share=0.3):
        seat, seed = int(chance.integers(players)), int(chance.integers(2**32))
        twin = table.clone()
        scramble(twin, seat, chance)
        table, other = table.clone(), table.clone()
        for one in (table, twin):
            one.redeal_hidden(seat, seed)
        other.redeal_hidden(seat, seed + 1)
        assert twin.get_state() == table.get_state()
        assert other.get_state() != table.get_state()


def scramble(table, seat, chance):
    """Puts what a seat cannot see into any order, whether or not that explains the record."""
    state, draw = table.state, table.game.rules.draw_action
    hidden = np.flatnonzero((state.owner != TABLE) & (state.owner != seat))
    state.owner[hidden] = chance.permutation(state.owner[hidden])
    drawers = [state.history_seats[turn] for turn in range(state.history_size) if state.history[turn] == draw]
    own_draws = [state.boneyard_size + len(drawers) - 1 - number for number, drawer in enumerate(drawers) if drawer == seat]
    places = np.setdiff1d(np.arange(len(state.boneyard)), own_draws)
    state.boneyard[places] = chance.permutation(state.boneyard[places])
    state.rng = chance.integers(2**64, dtype=np.uint64)
    if state.line_length == 0 and state.leader != seat and state.opening_tile >= 0:
        state.opening_tile = chance.integers(len(state.owner))


@pytest.mark.parametrize(("name", "players", "options"), FULL_TABLES, ids=label)
def test_play_goes_on_from_a_sample(name, players, options, count):
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


def test_a_table_set_up_by_hand_has_its_hidden_tiles_shuffled():
    table = position("draw", ["6-6 5-4 3-1", "2-1 2-2"], ends=(3, 5), boneyard="0-0 1-0 6-5")
    play(table, "5-4>R")
    hands = {tuple(np.flatnonzero(state["owner"] == 1)) for state in samples_of(table, 0, 400, np.random.default_rng(0))}
    assert len(hands) == 10  # two tiles of five
    table.redeal_hidden(0, 1)
    assert table.state.ends.tolist() == [3, 4]


def test_a_leader_named_by_hand_need_not_have_the_best_tile():
    table = set_deal(
        Table(load_game("draw", 2, lead_tile="any"), seed=1),
        ["6-6 5-5 4-4 3-3 2-2 1-1 0-0", "1-0 2-0 3-0 4-0 5-0 6-0 2-1"],
        leader=1,
    )
    play(table, "6-0>L")
    table.redeal_hidden(0, 1)
    assert table.state.hand_sizes.tolist() == [7, 6]
    assert np.sum(table.state.owner == 1) == 6


@entry
def plan_one(plans):
    plan_assignment(plans[0])


@entry
def draw_until_right(plans, ways, slots_of):
    count_ways(plans[0], ways)
    for row in range(len(slots_of)):
        draw_assignment(plans[0], ways)
        while not obeys_limits(plans[0]):
            draw_assignment(plans[0], ways)
        for tile in range(plans[0].num_tiles):
            slots_of[row, tile] = plans[0].slot_of[tile]


def share_of_each_slot(may_hold):
    """Returns how often each tile (column) is in each slot of room for one, over all assignments; by sets of full slots."""
    slots = len(may_hold)
    full = np.arange(1 << slots)
    before, after = np.zeros((slots + 1, len(full))), np.zeros((slots + 1, len(full)))
    before[0, 0] = after[slots, -1] = 1
    for tile in range(slots):
        for slot in np.flatnonzero(may_hold[:, tile]):
            free = full[full >> slot & 1 == 0]
            before[tile + 1, free | 1 << slot] += before[tile, free]
    for tile in reversed(range(slots)):
        for slot in np.flatnonzero(may_hold[:, tile]):
            free = full[full >> slot & 1 == 0]
            after[tile, free] += after[tile + 1, free | 1 << slot]
    shares = np.zeros((slots, slots))
    for tile in range(slots):
        for slot in np.flatnonzero(may_hold[:, tile]):
            free = full[full >> slot & 1 == 0]
            shares[slot, tile] = before[tile, free] @ after[tile + 1, free | 1 << slot]
    return shares / after[0, 0]


def test_where_the_count_is_too_long_the_draw_stays_uniform():
    chance, size = np.random.default_rng(4), 14
    may_hold = (chance.random((size, size)) < 0.8) | np.eye(size, dtype=bool)
    plans = np.zeros(1, DEAL)
    plans["rng"], plans["num_tiles"], plans["num_slots"] = 7, size, size
    plans["room"], plans["slot_of"] = 1, UNKNOWN
    plans["may_hold"][0, :size, :size] = may_hold
    plan_one(plans)
    assert plans["num_groups"][0] < size
    slots_of = np.zeros((5000, size), np.int64)
    draw_until_right(plans, np.zeros((plans["num_bound"][0] + 1, plans["num_states"][0])), slots_of)
    for tile, shares in enumerate(share_of_each_slot(may_hold).T):
        counts = Counter(slots_of[:, tile].tolist())
        assert chi2.sf(*chi_square(counts, {slot: share for slot, share in enumerate(shares.tolist()) if share})) > 1e-5
