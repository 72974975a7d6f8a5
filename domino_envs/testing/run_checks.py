"""What whole runs of every game must keep: seeds, streams, copies, and batches equal to single tables."""

import copy
import pickle
import random
from math import factorial, log, prod

import numpy as np

from domino_envs.core.batch import BatchStep
from domino_envs.core.game import Game
from domino_envs.engine import MOST_REDEALS
from domino_envs.table import Table
from domino_envs.testing.walks import batch_of, observations_of, random_positions, same_tables

_MOVES_OF_A_COPY = 40


def equal_seeds_are_equal_games(game: Game, games: int, seed: int) -> None:
    """Tables with one seed are equal at every move, though played in turns; other seeds give other deals."""
    deals = set()
    for number in range(games):
        chance = random.Random(number)
        one, other = Table(game, seed=seed + number), Table(game)
        other.reset(seed=seed + number)
        deals.add(_deal(one))
        while not one.done:
            action = chance.choice(one.legal_actions())
            one.play(action)
            other.play(action)
            assert same_tables(one, other), f"two tables with the seed {seed + number} differ"
    _assert_mostly_different(deals, games, game)


def later_deals_differ(game: Game, games: int, seed: int) -> None:
    """The hands of a match and the games of a stream are dealt anew, and again the same from the same seed."""
    runs = []
    for _ in range(2):
        chance, table, deals = random.Random(seed), Table(game, seed=seed), []
        for _ in range(games):
            hand = -1
            while not table.done:
                if table.state.hands_played != hand:
                    hand = int(table.state.hands_played)
                    deals.append(_deal(table))
                table.play(chance.choice(table.legal_actions()))
            table.reset()
        runs.append(deals)
    assert runs[0] == runs[1], "later deals are not a function of the seed"
    _assert_mostly_different(set(runs[0]), len(runs[0]), game)


def _deal(table: Table) -> bytes:
    return table.states["owner"][0].tobytes() + table.states["boneyard"][0].tobytes()


def _assert_mostly_different(deals: set, count: int, game: Game) -> None:
    """Fails where more deals repeat earlier ones, each with a chance below `count / ways`, than once in a million times."""
    places = np.unique(Table(game, seed=0).states["owner"][0], return_counts=True)[1]
    ways = factorial(int(places.sum())) // prod(factorial(tiles) for tiles in places.tolist())
    expected = count * count / ways
    many = next((many for many in range(1, count) if many * (1 + log(expected / many)) < log(1e-6)), count)  # Chernoff
    assert len(deals) > count - many, f"only {len(deals)} of {count} deals differ"


def global_randomness_has_no_part(game: Game, games: int, seed: int) -> None:
    """The random states of Python and NumPy are neither read nor moved."""
    before = random.getstate(), np.random.get_state()  # noqa: NPY002 (that it does not move is what is checked)
    ends = set()
    for number in range(2):
        random.seed(number)
        np.random.seed(number)  # noqa: NPY002 (that it has no part is what is checked)
        started = random.getstate(), np.random.get_state()[1].tobytes()  # noqa: NPY002
        ends.add(b"".join(table.get_state() for table in random_positions(game, max(1, games // 4), seed)))
        assert started == (random.getstate(), np.random.get_state()[1].tobytes()), "a global random state moved"  # noqa: NPY002
    random.setstate(before[0])
    np.random.set_state(before[1])  # noqa: NPY002
    assert len(ends) == 1, "a global random state was read"


def copies_go_their_own_way(game: Game, games: int, seed: int) -> None:
    """Clones, deep copies, pickles and restored states go on alike, and leave the original alone."""
    chance = random.Random(seed)
    for table in random_positions(game, games, seed, every=5):
        restored, before = Table(game, seed=seed), table.get_state()
        restored.set_state(before)
        twins = [table.clone(), copy.deepcopy(table), pickle.loads(pickle.dumps(table)), restored]
        for twin in twins:
            assert same_tables(twin, table), "a copy differs"
            assert twin.game.options == game.options, "a copy has other options"
        for _ in range(_MOVES_OF_A_COPY):
            if twins[0].done:
                break
            action = chance.choice(twins[0].legal_actions())
            for twin in twins:
                twin.play(action)
            assert all(same_tables(twin, twins[0]) for twin in twins), "a copy goes on differently"
        assert table.get_state() == before, "a copy's moves changed the original"


def batch_rows_are_tables(game: Game, games: int, seed: int) -> None:
    """Rows of a batch are single tables to the byte, past their ends too, whatever the batch's size and threads."""
    for rows, threads in ((1, 1), (5, 1), (5, 3)):
        tables = [Table(game, seed=seed + row) for row in range(rows)]
        chances = [random.Random(row) for row in range(rows)]
        batch = batch_of(game, rows, threads=threads)
        batch.reset([seed + row for row in range(rows)])
        for _ in range(games * 12):
            actions = [chance.choice(table.legal_actions()) for chance, table in zip(chances, tables, strict=True)]
            step = batch.step(np.array(actions))
            for row, action in enumerate(actions):
                tables[row].play(action)
                _assert_same_step(step, row, tables[row])
                if tables[row].done:
                    tables[row].reset()
            _assert_same_views(step, batch.states, tables)
        batch.close()


def _assert_same_step(step: BatchStep, row: int, table: Table) -> None:
    """Compares what a step paid and ended, before a table that ended is dealt anew."""
    assert np.array_equal(step.rewards[row], table.rewards), (
        f"row {row} was paid {step.rewards[row]}, its table {table.rewards}"
    )
    assert step.terminated[row] == table.done, f"row {row} terminated={step.terminated[row]}, its table {table.done}"
    if table.done:
        assert np.array_equal(step.final_observations[row], observations_of(table)), f"row {row} has other final observations"
        assert np.array_equal(step.final_scores[row], table.scores), f"row {row} has other final scores"
        assert np.array_equal(step.final_hand_points[row], table.hand_points), f"row {row} has other final hand points"


def _assert_same_views(step: BatchStep, states: np.ndarray, tables: list[Table]) -> None:
    assert states.tobytes() == b"".join(table.get_state() for table in tables), "a row's state differs from its table's"
    assert step.player.tolist() == [table.player for table in tables], "a row's player differs from its table's"
    assert np.array_equal(step.action_mask, [table.action_mask for table in tables]), "a row's mask differs from its table's"
    views = [table.observation(table.player) for table in tables]
    assert np.array_equal(step.observations, views), "a row's observation differs from its table's"


def skipping_forced_moves_changes_no_game(game: Game, games: int, seed: int) -> None:
    """`skip_forced` plays the same games, the moves without a choice by itself with their rewards added up.

    Nothing is compared where chance deals no decision in so many games that the batch looks for none either.
    """
    chance, table, batch = random.Random(seed), Table(game, seed=seed), batch_of(game, 1, skip_forced=True)
    batch.reset([seed])
    paid = _to_next_choice(table, np.zeros(game.num_players))
    for _ in range(games * 8):
        for _ in range(MOST_REDEALS):
            if table.done:  # an episode without any decision is dealt again
                table.reset()
                paid = _to_next_choice(table, np.zeros(game.num_players))
        if table.done:
            return
        assert batch.states.tobytes() == table.get_state(), "the row is elsewhere than its table"
        action = chance.choice(table.legal_actions())
        step = batch.step([action])
        table.play(action)
        paid = _to_next_choice(table, paid + table.rewards)
        assert np.allclose(step.rewards[0], paid, atol=1e-6), f"the row was paid {step.rewards[0]}, its table {paid}"
        assert step.terminated[0] == table.done, f"terminated={step.terminated[0]}, its table {table.done}"
        assert step.action_mask[0].sum() > 1, "a move without a choice was left to the player"
        paid = np.zeros(game.num_players)


def _to_next_choice(table: Table, paid: np.ndarray) -> np.ndarray:
    """Plays moves without a choice and returns `paid` with their rewards."""
    while not table.done and len(table.legal_actions()) == 1:
        table.play(table.legal_actions()[0])
        paid = paid + table.rewards
    return paid
