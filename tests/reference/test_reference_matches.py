"""The plain-Python twin of the line games: random matches under random options."""

import itertools
import random

import pytest

from reference.line_games import Reference
from reference.line_options import GAMES

CHOICES = {
    "reward": ["win", "points"],
    "max_hands": [1, 3, 100],
    "max_pip": [6, 9],
    "hand_size": [3, 5],
    "partnership": [False, True],
    "target": [None, 20, 100],
    "match_end": ["immediate", "hand_end"],
    "draw_mode": ["none", "one_end", "one_then_play", "until_playable"],
    "reserve": [0, 2],
    "first_leader": ["highest_double", "lot"],
    "next_lead": ["highest_double", "winner", "rotation"],
    "lead_tile": ["any", "highest_double"],
    "spinner": ["none", "first_double"],
    "deduct_own_pips": [False, True],
    "score_unit": ["pips", "pips_over_5"],
    "ft_scoring": ["face_both", "face_once", "units"],
    "out_bonus": [0, 1],
    "opening_threshold": [0, 10],
    "hand_end_rounding": ["none", "r5_each", "r5_sum"],
    "claim_mode": ["auto", "muggins"],
    "false_claims": [False, True],
    "false_claim_penalty": [0, 5],
    "exact_target": [False, True],
}


def random_match(game, chance):
    num_players = chance.choice([2, 3, 4])
    known = Reference(game, num_players).options
    options = {option: chance.choice(values) for option, values in CHOICES.items() if option in known}
    options["partnership"] = options["partnership"] and num_players == 4
    options["exact_target"] = options["exact_target"] and options["target"] is not None
    options["max_hands"] = min(options["max_hands"], 3) if options["target"] is None else options["max_hands"]
    return Reference(game, num_players, **options)


def deal_at_random(twin, chance):
    everything = list(itertools.combinations_with_replacement(range(twin.options["max_pip"] + 1), 2))
    chance.shuffle(everything)
    count, size = twin.num_players, twin.options["hand_size"]
    hands = [everything[seat * size : (seat + 1) * size] for seat in range(count)]
    twin.start_hand(hands, everything[count * size :], leader=chance.randrange(count))


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("game", GAMES)
def test_random_matches_end_and_rewards_sum_to_zero_over_sides(game, seed):
    chance = random.Random(f"{game} {seed}")
    twin = random_match(game, chance)
    while not twin.done:
        if twin.hand_over:
            deal_at_random(twin, chance)
        twin.step(chance.choice(sorted(twin.legal_actions())))
        assert abs(sum(twin.rewards[side[0]] for side in twin.sides)) < 1e-6
        assert tiles_in_play(twin) == (twin.options["max_pip"] + 1) * (twin.options["max_pip"] + 2) // 2
        for side in twin.sides:
            assert len({twin.scores[seat] for seat in side}) == len({twin.rewards[seat] for seat in side}) == 1
    check_returns(twin)


def tiles_in_play(twin):
    laid = len(twin.layout.line) + sum(len(arm) for arm in twin.layout.arms.values())
    return sum(len(hand) for hand in twin.hands) + len(twin.boneyard) + laid


def check_returns(twin):
    """Points add up to the final scores; a match is won once."""
    for seat in range(twin.num_players):
        others = [twin.scores[side[0]] for side in twin.sides if seat not in side]
        lead = (twin.scores[seat] - sum(others) / len(others)) / (twin.options["target"] or 100)
        if twin.options["reward"] == "points":
            assert twin.returns[seat] == pytest.approx(lead, abs=1e-6)
        else:
            assert -1 <= twin.returns[seat] <= 1
            assert (twin.returns[seat] > 0) <= (seat in twin.winners)
