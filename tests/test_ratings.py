"""The statistics: honest intervals, ratings that no order can change, cycles and mixtures that a hand can check."""

import choix
import numpy as np
import pytest

from domino_agents.intervals import Estimate, estimate
from domino_agents.payoffs import cycles, maxmin_mixture
from domino_agents.ratings import ELO, expected_wins, holm, order, plackett_luce, rate, steps, tied

PAIRS = np.array([[0, 1], [0, 2], [1, 2]])


def simulated(rng, deals, shares=(0.5, 0.5, 0.5)):
    """Returns wins `[deals, 3 pairs, 2]`: two replays of a deal share its luck, so that their mean is one observation."""
    wins = np.zeros((deals, len(shares), 2))
    for pair, share in enumerate(shares):
        luck = rng.random(deals)
        replays = [luck < share, 1 - luck < share]  # what helps one agent in one replay helps the other in the next
        wins[:, pair, 0] = np.mean(replays, axis=0)
    wins[:, :, 1] = 1 - wins[:, :, 0]
    return wins


def test_intervals_of_paired_deals_cover_the_truth(count):
    # Agents with a known edge: a replay is won where edge and noise outweigh the deal's luck; truth .52.
    rng, covered, tournaments = np.random.default_rng(0), 0, count(20_000)
    for _ in range(tournaments):
        luck = rng.normal(size=150)
        replays = [luck * sign + rng.normal(size=150) > -0.0709 for sign in (1, -1)]
        result = estimate(np.mean(replays, axis=0))
        covered += result.low <= 0.52 <= result.high
    assert 0.93 <= covered / tournaments <= 0.97


def test_intervals_that_count_replays_as_deals_would_be_too_wide_or_too_narrow():
    # The two replays of a deal undo each other's luck: counted as two observations the interval is too wide.
    rng = np.random.default_rng(0)
    luck = rng.normal(size=2_000)
    replays = np.array([luck * sign + 0.5 * rng.normal(size=2_000) > 0 for sign in (1, -1)], float)
    paired, pooled = estimate(replays.mean(0)), estimate(replays.ravel())
    assert paired.high - paired.low < 0.8 * (pooled.high - pooled.low)


@pytest.mark.parametrize("values", [[0, 0, 0, 1], [0, 1], [0.5] * 500 + [1.0], [0.1] * 3, [1e-12, 0, 0], [-7, -7, -7, 90]])
def test_intervals_are_numbers_around_the_mean(values):
    result = estimate(np.array(values))
    assert np.isfinite(result).all()
    assert result.low <= result.mean + 1e-9
    assert result.mean - 1e-9 <= result.high


def test_equal_deals_give_a_point_and_one_deal_gives_nothing():
    assert estimate(np.full(20, 0.5)) == (0.5, 0.5, 0.5, 20)
    assert estimate(np.array([1.0])) == (1.0, -np.inf, np.inf, 1)


@pytest.mark.parametrize("values", [np.zeros((3, 2)), np.zeros(0), np.float64(1)])
def test_what_is_not_one_number_a_deal_has_no_interval(values):
    with pytest.raises(ValueError, match="one number a deal"):
        estimate(values)


def test_the_fit_is_that_of_choix_on_the_single_games():
    # Tables of three with copies and without: every game's winner and losers, as choix counts them.
    rng = np.random.default_rng(0)
    seats = np.array([[0, 1, 1], [1, 0, 0], [0, 2, 2], [2, 1, 1], [0, 1, 2], [0, 2, 1]])
    won = rng.integers(3, 30, seats.shape)
    games = [
        (table[side], [*table[:side], *table[side + 1 :]])
        for table, counts in zip(seats.tolist(), won.tolist(), strict=True)
        for side, count in enumerate(counts)
        for _ in range(count)
    ]
    np.testing.assert_allclose(plackett_luce(seats, won), choix.ilsr_top1(3, games), atol=1e-6)


def test_of_two_sides_the_fit_is_bradley_and_terrys():
    won = np.array([[30, 10], [20, 25], [4, 40]])
    matrix = np.array([[0, 30, 20], [10, 0, 4], [25, 40, 0]])
    np.testing.assert_allclose(plackett_luce(PAIRS, won), choix.ilsr_pairwise_dense(matrix), atol=1e-6)


def test_ratings_do_not_depend_on_the_order_of_tables_or_agents():
    wins = simulated(np.random.default_rng(0), 200, (0.4, 0.35, 0.45))
    ratings = rate(PAIRS, wins, resamples=2).elo
    for shuffle in ([2, 0, 1], [1, 0, 2]):
        np.testing.assert_allclose(ratings, rate(PAIRS[shuffle], wins[:, shuffle], resamples=2).elo, atol=1e-6)
    turned = rate(2 - PAIRS, wins, anchor=2, resamples=2).elo
    np.testing.assert_allclose(ratings, turned[::-1], atol=1e-6)
    np.testing.assert_allclose(ratings, rate(PAIRS, wins[::-1], resamples=2).elo, atol=1e-6)  # nor of the games


def test_unbeaten_agents_have_finite_ratings_and_level_ones_equal():
    wins = np.tile([[0.0, 1.0], [0.0, 1.0], [0.5, 0.5]], (100, 1, 1))
    ratings = rate(PAIRS, wins, resamples=10)
    assert np.isfinite(ratings.resampled).all()
    assert ratings.elo[1] == pytest.approx(ratings.elo[2], abs=1e-6)
    assert ratings.elo[1] > 100
    np.testing.assert_allclose(rate(PAIRS, np.full((50, 3, 2), 0.5), resamples=2).elo, 0, atol=1e-6)


def test_ratings_are_those_of_the_win_shares():
    # 400 log10(0.75 / 0.25) = 190.8; half a deal more for either side: 400 log10(75.5 / 25.5) = 188.6 of a hundred.
    for deals, elo in ((100_000, 190.8), (100, 188.6)):
        wins = np.tile([[0.25, 0.75]], (deals, 1, 1))
        assert rate(np.array([[0, 1]]), wins, resamples=1).elo[1] == pytest.approx(elo, abs=0.1)


def test_one_among_three_of_equal_strength_wins_a_quarter():
    # Strength 3 against three of strength 1 wins 3 of 6: 400 log10(3) = 190.8.
    won = np.array([[50.0, 50 / 3, 50 / 3, 50 / 3]])
    assert ELO * np.subtract(*plackett_luce(np.array([[0, 1, 1, 1]]), won)) == pytest.approx(190.8, abs=0.1)
    np.testing.assert_allclose(
        expected_wins(np.array([[0, 1, 1, 1]]), np.array([190.85, 0.0]))[0], [1 / 2, *[1 / 6] * 3], atol=1e-4
    )


def test_agents_that_never_met_are_not_compared():
    with pytest.raises(ValueError, match="never met"):
        plackett_luce(np.array([[0, 1], [2, 3]]), np.full((2, 2), 10.0))


def test_intervals_of_ratings_cover_the_truth(count):
    # Strengths 1, 1.2 and 1.5: the shares of a pair are those that the model foretells.
    rng, strengths, covered = np.random.default_rng(0), np.array([1.0, 1.2, 1.5]), []
    truth = ELO * np.log(strengths / strengths[0])
    shares = [strengths[i] / (strengths[i] + strengths[j]) for i, j in PAIRS]
    for _ in range(count(2_000)):
        ratings = rate(PAIRS, simulated(rng, 200, shares), resamples=150)
        covered += ((ratings.low <= truth) & (truth <= ratings.high))[1:].tolist()
    slack = 0.02 + 2.5 * np.sqrt(0.05 * 0.95 / (len(covered) / 2))
    assert 0.95 - slack <= np.mean(covered) <= 0.95 + slack


def test_ties_and_claims():
    # 0 and 1 are equals, 2 is far above both.
    ratings = rate(PAIRS, simulated(np.random.default_rng(1), 400, (0.5, 0.2, 0.2)))
    assert tied(ratings).tolist() == [[True, True, False], [True, True, False], [False, False, True]]
    assert order(ratings)[0] == 2
    assert [step.clear for step in steps(ratings)] == [True, False]
    assert steps(ratings)[0].above == 2


def test_equals_are_seldom_told_apart(count):
    rng, tournaments = np.random.default_rng(0), count(1_000)
    claims = [any(step.clear for step in steps(rate(PAIRS, simulated(rng, 100), resamples=100))) for _ in range(tournaments)]
    # At a level of 5 % for the largest of the steps, whose place is chosen by the results: somewhat more than 5 %.
    assert np.mean(claims) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / tournaments)


def test_every_step_of_a_long_ranking_can_be_claimed():
    # A chain of 30, each of which beats the next nine times in ten.
    chain = np.column_stack([np.arange(29), np.arange(1, 30)])
    wins = np.tile([[0.9, 0.1]], (50, 29, 1))
    wins[:5] = wins[:5, :, ::-1]
    assert all(step.clear for step in steps(rate(chain, wins)))


def test_holm_multiplies_the_smallest_by_their_number_and_stays_in_order():
    # Sorted .01, .03, .04 times 3, 2, 1 are .03, .06, .04; the last may not fall below the one before.
    np.testing.assert_allclose(holm(np.array([0.04, 0.01, 0.03])), [0.06, 0.03, 0.06])
    np.testing.assert_allclose(holm(np.array([0.9, 0.8])), [1.0, 1.0])


def test_rock_paper_scissors_is_a_cycle_and_its_mixture_even():
    payoffs = np.array([[0.0, 0.1, -0.1], [-0.1, 0.0, 0.1], [0.1, -0.1, 0.0]])
    pairs = {(i, j): Estimate(payoffs[i, j], payoffs[i, j] - 0.01, payoffs[i, j] + 0.01, 100) for i, j in PAIRS.tolist()}
    assert cycles(pairs, 3) == [(0, 1, 2)]
    np.testing.assert_allclose(maxmin_mixture(payoffs), 1 / 3, atol=1e-9)
    unclear = {pair: wins._replace(low=-0.2, high=0.2) for pair, wins in pairs.items()}
    assert cycles(unclear, 3) == []


def test_the_mixture_weighs_by_what_the_others_threaten():
    # Paper against rock counts double: 2 p = s, 2 r = s and r = p make every column 0.
    payoffs = np.array([[0.0, -2.0, 1.0], [2.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
    mixture = maxmin_mixture(payoffs)
    np.testing.assert_allclose(mixture, [0.25, 0.25, 0.5], atol=1e-9)
    assert (mixture @ payoffs >= -1e-9).all()


def test_who_beats_all_is_the_whole_mixture():
    payoffs = np.array([[0.0, 0.1, 0.2], [-0.1, 0.0, 0.1], [-0.2, -0.1, 0.0]])
    np.testing.assert_allclose(maxmin_mixture(payoffs), [1, 0, 0], atol=1e-9)
