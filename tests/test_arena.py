"""The arena: duplicate deals, every agent in every seat, illegal actions counted, hidden tiles kept hidden."""

import numpy as np
import pytest

from domino_agents import GreedyAgent, RandomAgent
from domino_agents.arena import CHUNK, DealStream, decision_times, play_pair, play_table, rules_hash
from domino_agents.intervals import estimate
from domino_envs import game_names, load_game, make_vec


def hand(name="all_fives", players=2, **options):
    return load_game(name, players, max_hands=1, **options)


class First:
    """Plays the lowest legal action."""

    def act(self, observations, action_mask, rng):
        return action_mask.argmax(1)


class Last:
    """Plays the highest legal action."""

    def act(self, observations, action_mask, rng):
        return action_mask.shape[1] - 1 - action_mask[:, ::-1].argmax(1)


class Seated(First):
    """Remembers in which seats it decided."""

    needs_tables = True

    def __init__(self):
        self.seats = []

    def act(self, observations, action_mask, rng, *, tables):
        self.seats += tables["player"].tolist()
        return super().act(observations, action_mask, rng)


class Outlaw:
    """Plays an action that is not legal."""

    def act(self, observations, action_mask, rng):
        return action_mask.argmin(1)


def test_greedy_beats_random_clearly():
    game = hand()
    result = play_pair(game, GreedyAgent(game), RandomAgent(), DealStream("dev"), 1_000)
    assert estimate(result.wins[:, 0]).low > 0.5
    assert estimate(result.points[:, 0]).low > 0
    assert not result.illegal.any()
    assert result.decisions.min() > 0


@pytest.mark.parametrize("name", game_names())
def test_no_seat_is_better_than_another(name):
    tables = make_vec(name, 2_000, max_hands=1, skip_forced=True)
    tables.reset(seed=1)
    over, scores = np.zeros(2_000, bool), np.zeros((2_000, 2))
    while not over.all():
        step = tables.step(tables.sample_actions(), rows=~over)
        scores[step.terminated] = step.final_scores[step.terminated]
        over |= step.terminated
    shares = np.where(scores == scores.max(1, keepdims=True), 1 / (scores == scores.max(1, keepdims=True)).sum(1)[:, None], 0)
    error = shares[:, 0].std() / np.sqrt(len(shares))
    assert abs(shares[:, 0].mean() - 0.5) < 4 * error


def test_an_agent_against_itself_is_even_within_the_interval_at_about_the_nominal_rate():
    repeats, deals = 100, 60
    wins = play_pair(hand("block"), RandomAgent(), RandomAgent(), DealStream("dev", seed=1), repeats * deals).wins[:, 0]
    found = [estimate(part) for part in wins.reshape(repeats, deals)]
    assert 0.88 <= np.mean([result.low <= 0.5 <= result.high for result in found]) <= 0.99


@pytest.mark.parametrize(("players", "options"), [(2, {}), (3, {}), (4, {}), (4, {"partnership": True})])
def test_a_deterministic_agent_is_exactly_even_with_itself(players, options):
    game = hand("block", players, **options)
    result = play_pair(game, First(), First(), DealStream("dev"), 50)
    np.testing.assert_allclose(result.wins, 1 / int(game.rules.num_sides))
    np.testing.assert_allclose(result.points, 0, atol=1e-9)


@pytest.mark.parametrize("players", [2, 3])
def test_the_sides_of_a_table_add_up(players):
    agents = [First(), Last(), First()][:players]
    results = play_table(hand("block", players), agents, DealStream("dev"), 60)
    np.testing.assert_allclose(results.wins.sum(1), 1)
    np.testing.assert_allclose(results.points.sum(1), 0, atol=1e-9)


def test_the_order_of_agents_at_a_table_of_two_changes_nothing():
    one = play_pair(hand(), First(), Last(), DealStream("dev"), 100)
    other = play_pair(hand(), Last(), First(), DealStream("dev"), 100)
    for mine, theirs in zip(one[1:], other[1:], strict=True):
        np.testing.assert_array_equal(mine, theirs[:, ::-1])


@pytest.mark.parametrize("seating", [(0,), (0, 0), (0, 1, 1), (0, 2)])
def test_seatings_that_do_not_fit_are_refused(seating):
    with pytest.raises(ValueError, match="seating must place 2 agents on 2 sides"):
        play_table(hand(), [First(), Last()], DealStream("dev"), 10, seating)


class Forgetful(First):
    """Remembers which tables it was told to forget, and what it held at its last decision at each other."""

    def __init__(self):
        self.forgotten, self.held, self.kept = [], {}, 0

    def act(self, observations, action_mask, rng, *, rows):
        assert len(rows) == len(observations)
        for row, hand_now in zip(rows.tolist(), (observations[:, :28] > 0).tolist(), strict=True):
            if row in self.held:  # block: nobody draws
                assert all(before or not now for before, now in zip(self.held[row], hand_now, strict=True))
                self.kept += 1
            self.held[row] = hand_now
        return super().act(observations, action_mask, rng)

    def reset(self, rows):
        self.forgotten.append(rows.tolist())
        for row in rows.tolist():
            self.held.pop(row, None)


def test_an_agent_that_remembers_is_told_which_tables_it_sits_at():
    agent = Forgetful()
    play_pair(hand("block", 3), agent, First(), DealStream("dev"), CHUNK + 5)
    assert agent.forgotten == [list(range(3 * CHUNK)), list(range(3 * 5))]
    assert agent.kept > CHUNK


def test_decisions_are_timed_one_at_a_time():
    agent = Alone()
    times = decision_times(hand("block"), agent, most=20)
    assert len(times) == 20
    assert (times > 0).all()
    assert agent.calls == [1] * 21  # the first is not timed
    assert len(decision_times(hand("block"), agent, most=20, seconds=0.0)) == 1


class Alone(First):
    """Remembers how many decisions it was asked for at a time."""

    def __init__(self):
        self.calls = []

    def act(self, observations, action_mask, rng):
        self.calls.append(len(observations))
        return super().act(observations, action_mask, rng)


@pytest.mark.parametrize(("players", "options"), [(2, {}), (3, {}), (4, {"partnership": True})])
def test_either_agent_takes_every_seat(players, options):
    agents = Seated(), Seated()
    play_pair(hand("block", players, **options), *agents, DealStream("dev"), 10)
    assert [set(agent.seats) for agent in agents] == [set(range(players))] * 2


def test_more_deals_begin_with_the_same_deals():
    game = hand()
    few = play_pair(game, First(), First(), DealStream("dev"), 30)
    many = play_pair(game, First(), First(), DealStream("dev"), 60)
    np.testing.assert_array_equal(few.points, many.points[:30])


def test_splits_and_games_share_no_deals():
    seeds = set()
    games = [hand(), hand(players=3), hand(target=50), hand("block")]
    for game in games:
        for split in ("train", "dev", "test"):
            for seed in (0, 1):
                seeds.update(DealStream(split, seed).seeds(game, np.arange(200)))
    assert len(seeds) == len(games) * 3 * 2 * 200  # nor does a stream repeat one
    assert len({rules_hash(game) for game in games}) == len(games)


def test_illegal_attempts_are_counted_and_lose():
    game = hand()
    result = play_pair(game, Outlaw(), First(), DealStream("dev"), 20)
    np.testing.assert_array_equal(result.illegal, [[2, 0]] * 20)
    np.testing.assert_array_equal(result.wins, [[0, 1]] * 20)
    assert (result.points[:, 0] <= 0).all()


@pytest.mark.parametrize("number", [-1, 10_000, -(2**63)])
def test_numbers_of_no_action_are_illegal_too(number):
    agent = First()
    agent.act = lambda observations, action_mask, rng: np.full(len(action_mask), number)
    result = play_pair(hand("block", 3), First(), agent, DealStream("dev"), 5)
    assert result.illegal[:, 0].sum() == 0
    assert result.illegal[:, 1].tolist() == [3] * 5
    np.testing.assert_array_equal(result.wins, [[0.5, 0.25]] * 5)  # a copy forfeits, and the two others share the win


@pytest.mark.parametrize("answer", [np.zeros(3), np.zeros((1, 1), int), np.zeros(0, int)])
def test_answers_that_are_no_actions_raise(answer):
    agent = First()
    agent.act = lambda observations, action_mask, rng: answer
    with pytest.raises(ValueError, match="must return integer actions"):
        play_pair(hand(), agent, First(), DealStream("dev"), 5)


def test_agents_that_see_hidden_tiles_are_refused():
    agent = First()
    agent.privileged = True
    with pytest.raises(ValueError, match="sees hidden tiles"):
        play_pair(hand(), agent, First(), DealStream("dev"), 10)


def test_a_stream_takes_any_integer_as_its_seed():
    assert DealStream("dev", np.int64(3)) == DealStream("dev", 3)
    assert type(DealStream("dev", np.int64(3)).seed) is int
    with pytest.raises(TypeError, match="a seed must be a non-negative integer, got True"):
        DealStream("dev", True)
    with pytest.raises(ValueError, match="a seed must be a non-negative integer, got -1"):
        DealStream("dev", -1)


def test_unknown_splits_are_refused():
    with pytest.raises(ValueError, match="split must be one of"):
        DealStream("training")
