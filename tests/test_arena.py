"""The arena and its statistics: duplicate deals, honest intervals, ratings that no order can change."""

import numpy as np
import pytest

from domino_agents import GreedyAgent, RandomAgent, arena, loading
from domino_agents.arena import DealStream, play_pair, rules_hash, turned
from domino_agents.intervals import estimate
from domino_agents.ranking import rank
from domino_agents.ratings import bradley_terry, rate, two_sided
from domino_envs import game_names, load_game


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
    assert estimate(result.wins).low > 0.5
    assert estimate(result.points).low > 0
    assert not result.illegal.any()
    assert result.decisions.min() > 0
    assert (result.seconds > 0).all()


@pytest.mark.parametrize("name", game_names())
def test_random_is_even_with_itself(name):
    result = play_pair(hand(name), RandomAgent(), RandomAgent(), DealStream("dev", seed=1), 1_500)
    low, high = estimate(result.wins)[1:3]
    # Twice the 95 % interval: this must hold whatever the seed.
    middle, half = (low + high) / 2, high - low
    assert abs(middle - 0.5) < half


@pytest.mark.parametrize(("players", "options"), [(2, {}), (3, {}), (4, {}), (4, {"partnership": True})])
def test_a_deterministic_agent_is_exactly_even_with_itself(players, options):
    game = hand("block", players, **options)
    result = play_pair(game, First(), First(), DealStream("dev"), 50)
    np.testing.assert_allclose(result.wins, 1 / int(game.rules.num_sides))
    np.testing.assert_allclose(result.points, 0, atol=1e-9)


def test_two_sides_add_up():
    game = hand()
    one = play_pair(game, First(), Last(), DealStream("dev"), 100)
    other = turned(play_pair(game, Last(), First(), DealStream("dev"), 100))
    for mine, theirs in zip(one[:5], other[:5], strict=True):
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize(("players", "options"), [(2, {}), (3, {}), (4, {"partnership": True})])
def test_either_agent_takes_every_seat(players, options):
    agents = Seated(), Seated()
    play_pair(hand("block", players, **options), *agents, DealStream("dev"), 10)
    assert [set(agent.seats) for agent in agents] == [set(range(players))] * 2


def outcome(ranking):
    """Returns all that a ranking found, by the names of its agents, whichever of two sides was named first."""
    pairings = {}
    for pairing in ranking.pairings:
        first, second, results = pairing.first, pairing.second, pairing.results
        if ranking.even == 0.5 and first > second:
            first, second, results = second, first, turned(results)
        pairings[first, second] = results.points.tolist(), results.wins.tolist(), results.decisions.tolist()
    return pairings, dict(zip(ranking.agents, ranking.ratings, strict=True))


def test_results_do_not_depend_on_workers(monkeypatch):
    monkeypatch.setattr(arena, "_CHUNK", 20)
    game = hand()
    alone = outcome(rank(game, ["random", "greedy"], deals=50, workers=1))
    assert alone == outcome(rank(game, ["random", "greedy"], deals=50, workers=2))


def test_results_do_not_depend_on_order_or_company(monkeypatch):
    monkeypatch.setitem(loading._BY_NAME, "first", lambda game: First())
    game = hand()
    pairings, ratings = outcome(rank(game, ["random", "greedy", "first"], deals=60))
    turned, turned_ratings = outcome(rank(game, ["first", "greedy", "random"], deals=60))
    assert pairings == turned
    assert ratings["random"] == (0, 0, 0)
    for agent, rating in ratings.items():
        assert rating == pytest.approx(turned_ratings[agent], abs=1e-5)
    alone, _ = outcome(rank(game, ["greedy", "random"], deals=60))
    assert alone["greedy", "random"] == pairings["greedy", "random"]


def test_an_interrupted_ranking_has_the_deals_that_all_have_played(monkeypatch):
    def interrupt(done, total):
        if done == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(arena, "_CHUNK", 20)
    game = hand("block", 3)  # two pairings, three chunks
    short = rank(game, ["random", "greedy"], deals=50, progress=interrupt)
    assert (short.asked, short.deals) == (50, 20)
    assert outcome(short) == outcome(rank(game, ["random", "greedy"], deals=20))


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
    np.testing.assert_array_equal(result.wins, 0)
    assert (result.points <= 0).all()


@pytest.mark.parametrize("number", [-1, 10_000, -(2**63)])
def test_numbers_of_no_action_are_illegal_too(number):
    agent = First()
    agent.act = lambda observations, action_mask, rng: np.full(len(action_mask), number)
    result = play_pair(hand("block", 3), First(), agent, DealStream("dev"), 5)
    assert result.illegal[:, 0].sum() == 0
    assert result.illegal[:, 1].tolist() == [3] * 5
    np.testing.assert_array_equal(result.wins, 0.5)  # shared with the other copy


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


@pytest.mark.parametrize(
    ("agents", "deals", "wrong"),
    [(["random"], 10, "two or more"), (["random", "random"], 10, "twice"), (["random", "greedy"], 0, "deals")],
)
def test_bad_rankings_are_refused(agents, deals, wrong):
    with pytest.raises(ValueError, match=wrong):
        rank(hand(), agents, deals=deals)


def test_unknown_splits_are_refused():
    with pytest.raises(ValueError, match="split must be one of"):
        DealStream("training")


def test_intervals_of_paired_deals_cover_the_truth(count):
    # Two replays of a deal share its luck: their mean is one observation. Truth .52, strong correlation.
    rng = np.random.default_rng(0)
    covered = []
    for _ in range(count(2_000)):
        luck = rng.normal(size=150)
        replays = [(luck * sign + rng.normal(size=150) > -0.0709).astype(float) for sign in (1, -1)]
        result = estimate(np.mean(replays, axis=0))
        covered.append(result.low <= 0.52 <= result.high)
    assert 0.89 <= np.mean(covered) <= 0.99


@pytest.mark.parametrize("values", [[0, 0, 0, 1], [0, 1], [0.5] * 500 + [1.0], [0.1] * 3, [1e-12, 0, 0], [-7, -7, -7, 90]])
def test_intervals_are_numbers_around_the_mean(values):
    result = estimate(np.array(values))
    assert np.isfinite(result).all()
    assert result.low <= result.mean + 1e-9
    assert result.mean - 1e-9 <= result.high


def test_equal_deals_give_a_point_and_one_deal_gives_nothing():
    assert estimate(np.full(20, 0.5)) == (0.5, 0.5, 0.5, 20)
    assert estimate(np.array([1.0])) == (1.0, -np.inf, np.inf, 1)


def test_ratings_do_not_depend_on_the_order_of_pairings_or_agents():
    rng = np.random.default_rng(0)
    wins = {
        pair: rng.choice([0, 0.5, 1], 200, p=p)
        for pair, p in {(0, 1): [0.3, 0.2, 0.5], (0, 2): [0.2, 0.3, 0.5], (1, 2): [0.4, 0.2, 0.4]}.items()
    }
    ratings = rate(wins, 3)[0]
    np.testing.assert_allclose(ratings, rate(dict(reversed(wins.items())), 3)[0], atol=1e-6)
    turned = rate({(2 - one, 2 - other): values for (one, other), values in wins.items()}, 3)[0]
    np.testing.assert_allclose(ratings - ratings[2], turned[::-1], atol=1e-6)


def test_unbeaten_agents_have_finite_ratings_and_level_ones_equal():
    shares = np.array([[np.nan, 0.0, 0.0], [1.0, np.nan, 0.5], [1.0, 0.5, np.nan]])
    ratings = bradley_terry(shares, deals=100)
    assert np.isfinite(ratings).all()
    assert ratings[1] == pytest.approx(ratings[2], abs=1e-6)
    assert ratings[1] > 100
    np.testing.assert_allclose(bradley_terry(np.full((3, 3), 0.5), deals=100), 0, atol=1e-6)


def test_ratings_are_those_of_the_win_shares():
    # 400 log10(0.75 / 0.25) = 190.8; half a deal more for either side: 400 log10(75.5 / 25.5) = 188.6 of a hundred.
    shares = np.array([[np.nan, 0.25], [0.75, np.nan]])
    assert bradley_terry(shares, deals=100_000)[1] == pytest.approx(190.8, abs=0.1)
    assert bradley_terry(shares, deals=100)[1] == pytest.approx(188.6, abs=0.1)


def test_agents_that_never_met_are_not_compared():
    shares = np.full((3, 3), np.nan)
    shares[0, 1], shares[1, 0] = 0.4, 0.6
    with pytest.raises(ValueError, match="never met"):
        bradley_terry(shares, deals=10)


def test_a_fair_share_of_many_is_even():
    assert two_sided(0.25, 4) == pytest.approx(0.5)
    assert two_sided(0.5, 2) == 0.5
