"""The plain-Python twin of Bergen: random matches under random options."""

import itertools
import random

import pytest

from reference.bergen import OPTIONS, Reference

CHOICES = {
    "reward": ["win", "points"],
    "max_hands": [1, 3, 100],
    "max_pip": [6, 9],
    "hand_size": [1, 3, 5],
    "target": [None, 10, 15],
    "exact_target": [False, True],
    "match_end": ["immediate", "hand_end"],
    "draw_mode": ["none", "one_end", "one_then_play", "until_playable"],
    "reserve": [0, 2, 20],
    "first_leader": ["highest_double", "lot"],
    "next_lead": ["highest_double", "winner", "rotation"],
    "lead_rule": ["any_double", "highest_double", "lowest_double", "any_tile"],
    "opening_double_points": [0, 2, 3],
    "near_target_cap": [False, True],
    "fill_opening_double_first": [False, True],
    "round_bonus": [1, 2],
    "blocked_rule": ["lowest_pips", "doubleless_first"],
}


def random_match(chance):
    options = {option: chance.choice(values) for option, values in CHOICES.items()}
    num_players = chance.choice([2, 3, 4] if options["max_pip"] == 6 else range(2, 9))
    options["partnership"] = num_players == 4 and chance.random() < 0.5
    if options["target"] is None:
        options.update(exact_target=False, near_target_cap=False, max_hands=3)
    assert set(options) == set(OPTIONS)
    return Reference(num_players, **options)


@pytest.mark.parametrize("seed", range(150))
def test_random_matches_end_and_rewards_sum_to_zero_over_sides(seed):
    chance = random.Random(seed)
    twin = random_match(chance)
    everything = list(itertools.combinations_with_replacement(range(twin.options["max_pip"] + 1), 2))
    count, size = twin.num_players, twin.options["hand_size"]
    while not twin.done:
        if twin.hand_over:
            chance.shuffle(everything)
            hands = [everything[seat * size : (seat + 1) * size] for seat in range(count)]
            twin.start_hand(hands, everything[count * size :], leader=chance.randrange(count))
        else:
            twin.step(chance.choice(sorted(twin.legal_actions())))
        assert abs(sum(twin.rewards[side[0]] for side in twin.sides)) < 1e-6
        assert sum(map(len, twin.hands)) + len(twin.boneyard) + len(twin.layout.line) == len(everything)
