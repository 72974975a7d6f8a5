"""The twin of High Fives against turns worked out by hand."""

import random
from collections import Counter

import pytest

from reference.hands import play, points_of, tiles
from reference.high_fives import OPTIONS, HighFives, full_set, hands_of_a_game, value

GAMBITER = "1-0 2-1 7-7 9-8 15-10"


def table(layout, *hands, scores=None, **options):
    """A turn of seat 0 with the layout and the hands named; the first hand's other tiles are left out."""
    twin = HighFives(2, max_hands=1, **options)
    dealt = iter(sorted(twin.boneyard - set(tiles(" ".join([layout, *hands])))))
    twin.start_hand([[next(dealt) for _ in range(5)] for _ in range(2)], [next(dealt) for _ in range(5)], leader=0)
    twin.hands = [tiles(hand) for hand in (*hands, "")[:2]]
    twin.layout = tiles(layout)
    twin.begin_turn(0)
    if scores:
        twin.scores = list(scores)
    return twin


def macros(layout, tile, **options):
    """Every way to play a tile: (claim and partner, points, layout after)."""
    found = set()

    def walk(moves):
        twin = play(table(layout, f"{tile} 4-0", "5-0", **options), *moves)
        if twin.player == 1 or twin.done:
            found.add((" ".join(moves), twin.scores[0], " ".join(sorted(f"{high}-{low}" for low, high in twin.layout))))
            return
        choices = twin.legal_actions() & {tile} if twin.phase == "play" else twin.legal_actions()
        for action in choices:
            walk((*moves, action))

    walk(())
    return found


def outcomes(layout, tile, **options):
    """The points and the layout after of every way to play a tile; the order in which a claim is picked makes no odds."""
    return sorted((points, after) for points, after in {macro[1:] for macro in macros(layout, tile, **options)})


# Values


def test_a_hundred_points_are_in_the_set():
    values = {tile: value(tile) for tile in full_set(15)}
    assert (len(values), sum(values.values())) == (136, 100)
    assert Counter(values.values()) == {0: 96, 1: 16, 2: 5, 3: 9, 4: 5, 5: 4, 7: 1}
    assert [values[tile, tile] for tile in (0, 5, 10, 15)] == [1, 3, 5, 7]
    assert [values[tile] for tile in ((10, 15), (9, 11), (7, 8), (0, 5), (1, 2))] == [5, 4, 3, 1, 0]


# Captures


def test_one_partner_is_chosen_and_a_claim_may_be_added():
    # 8-7 is worth 3, 7-7 one, 9-8 nothing.
    assert outcomes(GAMBITER, "8-7") == [
        (3, "1-0 15-10 2-1 7-7"),
        (3, "15-10 7-7"),
        (4, "1-0 15-10 2-1 9-8"),
        (4, "15-10 9-8"),
    ]
    assert len(outcomes(GAMBITER, "8-7", capture="optional")) == 6


def test_claim_may_take_the_only_partner_of_the_tile():
    assert outcomes(GAMBITER, "5-2") == [(0, "1-0 15-10 7-7 9-8"), (0, "15-10 5-2 7-7 9-8")]


def test_tile_without_partner_joins_the_layout():
    assert outcomes(GAMBITER, "4-3") == [(0, "1-0 15-10 2-1 4-3 7-7 9-8"), (0, "15-10 4-3 7-7 9-8")]


def test_double_matches_as_any_tile():
    # 3-3 is worth one, 12-3 three, 8-3 nothing.
    assert outcomes("8-3 12-3 9-7 14-1 10-2", "3-3") == [
        (1, "10-2 12-3 14-1 9-7"),
        (3, "10-2 14-1 3-3 9-7"),
        (4, "10-2 14-1 8-3 9-7"),
    ]
    assert outcomes("8-3 12-3 9-7 14-1 10-2", "9-6") == [(3, "10-2 12-3 14-1 8-3"), (6, "10-2 14-1")]


def test_best_turn_is_worth_twenty_one():
    layout = "15-10 11-9 14-11 2-0 6-3"
    assert {(points, after) for points, after in outcomes(layout, "15-15")} == {(12, "11-9 14-11 2-0 6-3"), (21, "2-0 6-3")}


def test_single_partner_is_taken_without_a_choice():
    twin = table("9-8 1-0", "8-7 5-5", "2-2")
    assert (twin.phase, twin.legal_actions()) == ("play", {"8-7", "5-5"})  # no two layout tiles match
    assert points_of(twin, "8-7") == [3]
    assert (twin.player, twin.phase, twin.captured[0]) == (1, "play", [(7, 8), (8, 9)])


def test_optional_capture_may_be_declined():
    twin = play(table("9-8 1-0", "8-7", "9-1", capture="optional"), "8-7")
    assert (twin.player, twin.phase, twin.legal_actions()) == (0, "partner", {"9-8", "skip"})
    assert play(twin, "skip").layout == tiles("9-8 1-0 8-7")
    assert (twin.player, twin.phase) == (1, "claim")  # a pair left by another, to be claimed
    assert points_of(twin, "9-8", "8-7") == [0, 3]


# Claims


def test_claim_is_two_picks_in_either_order_without_way_back():
    twin = table(GAMBITER, "5-2 3-3")
    assert (twin.phase, twin.legal_actions()) == ("claim", {"1-0", "2-1", "skip"})
    assert play(twin, "2-1").legal_actions() == {"1-0"}
    assert (play(twin, "1-0").phase, twin.captured[0]) == ("play", [(1, 2), (0, 1)])


def test_skip_ends_claiming():
    twin = play(table(GAMBITER, "5-2 3-3", max_claims=4), "skip")
    assert (twin.phase, twin.legal_actions()) == ("play", {"5-2", "3-3"})


@pytest.mark.parametrize(("claims", "phases"), [(0, ["play"]), (1, ["claim", "play"]), (2, ["claim", "claim", "play"])])
def test_claims_in_a_turn_are_counted(claims, phases):
    twin = table("1-0 2-1 4-3 5-4 7-6 8-7", "5-2 3-3", "9-9", max_claims=claims)
    seen = [twin.phase]
    for pair in (("1-0", "2-1"), ("4-3", "5-4")):
        if twin.phase == "claim":
            seen.append(play(twin, *pair).phase)
    assert seen == phases


def test_claims_end_when_no_pair_is_left():
    assert play(table(GAMBITER, "5-2 3-3", max_claims=4), "1-0", "2-1").phase == "play"


def test_claim_is_offered_anew_in_the_next_turn():
    twin = play(table(GAMBITER, "4-3", "5-3"), "skip", "4-3")
    assert (twin.player, twin.phase) == (1, "claim")
    assert twin.legal_actions() == {"1-0", "2-1", "skip"}


# Hands


def deals(num_players, **options):
    return hands_of_a_game(num_players, HighFives(num_players, **options).options)


@pytest.mark.parametrize(
    ("num_players", "hands", "turns", "left"),
    [(2, 13, 130, 1), (3, 8, 120, 11), (4, 6, 120, 11), (5, 6, 120, 11), (6, 5, 120, 11), (7, 5, 112, 19), (8, 5, 128, 3)],
)
def test_full_hands_of_a_set(num_players, hands, turns, left):
    full = deals(num_players)
    assert len(full) == hands
    assert num_players * sum(deal.hand_size for deal in full) == turns
    assert [deal.turned_up for deal in full] == [5, *[0] * (hands - 2), left]
    assert sum(deal.turned_up for deal in deals(num_players, leftover="discard")) == 5


@pytest.mark.parametrize(("num_players", "turns"), [(2, 130), (3, 129), (4, 128), (5, 130), (6, 126), (7, 126), (8, 128)])
def test_short_hand_shares_out_what_is_left_and_turns_up_its_remainder(num_players, turns):
    dealt = deals(num_players, leftover="short_hand")
    assert num_players * sum(deal.hand_size for deal in dealt) == turns
    assert dealt[-1].turned_up == 136 - 5 - turns
    assert len(dealt) == len(deals(num_players)) + (num_players in range(3, 8))


@pytest.mark.parametrize("relay", ["add", "replace"])
@pytest.mark.parametrize(("num_players", "left"), list(zip(range(2, 9), (1, 16, 11, 11, 20, 25, 12), strict=True)))
def test_layout_laid_anew_takes_five_tiles_of_every_hand(num_players, left, relay):
    dealt = deals(num_players, relay_layout=relay)
    assert [deal.turned_up for deal in dealt] == [5] * (len(dealt) - 1) + [5 + left]
    assert [deal.set_aside for deal in dealt] == [False] + [relay == "replace"] * (len(dealt) - 1)


def play_hands(twin, chance, hands=1):
    for _ in range(hands):
        deal_at_random(twin, chance)
        while not (twin.hand_over or twin.done):
            twin.step(chance.choice(sorted(twin.legal_actions())))
    return twin


def deal_at_random(twin, chance):
    due, stock = twin.deals_to_come[0], sorted(twin.boneyard)
    chance.shuffle(stock)
    hands = [[stock.pop() for _ in range(due.hand_size)] for _ in range(twin.num_players)]
    twin.start_hand(hands, [stock.pop() for _ in range(due.turned_up)], leader=chance.randrange(twin.num_players))


@pytest.mark.parametrize(("relay", "kept"), [("none", True), ("add", True), ("replace", False)])
def test_layout_stays_joins_or_is_set_aside(relay, kept):
    chance = random.Random(1)
    twin = play_hands(HighFives(2, relay_layout=relay), chance)
    before = set(twin.layout)
    deal_at_random(twin, chance)
    assert before
    assert before <= set(twin.layout if kept else twin.set_aside)
    assert len(twin.layout) == len(before) * kept + (0 if relay == "none" else 5)


def test_same_seat_leads_every_hand_and_its_left_neighbour_the_next_game():
    chance = random.Random(2)
    twin = HighFives(8, target=1000, max_games=2)
    deal_at_random(twin, chance)
    leader = twin.leader
    leaders = [leader]
    while not twin.done:
        if twin.hand_over:
            deal_at_random(twin, chance)
            assert twin.player == twin.leader
            leaders.append(twin.leader)
        twin.step(chance.choice(sorted(twin.legal_actions())))
    assert leaders == [leader] * 5 + [(leader + 1) % 8] * 5


def test_deal_of_another_size_or_of_tiles_out_of_play_is_refused():
    twin = HighFives(2)
    stock = sorted(twin.boneyard)
    with pytest.raises(ValueError, match="expected Deal"):
        twin.start_hand([stock[:5], stock[5:9]], stock[10:15], leader=0)
    with pytest.raises(ValueError, match="boneyard"):
        twin.start_hand([stock[:5], stock[:5]], stock[10:15], leader=0)
    with pytest.raises(ValueError, match="lot"):
        twin.start_hand([stock[:5], stock[5:10]], stock[10:15])


@pytest.mark.parametrize("num_players", range(2, 9))
def test_a_game_ends_with_its_set_and_what_lies_uncaptured_counts_for_nobody(num_players):
    twin = HighFives(num_players)
    play_hands(twin, random.Random(num_players), hands=len(twin.deals))
    taken = [tile for pile in twin.captured for tile in pile]
    assert twin.done
    assert not twin.boneyard
    assert len(taken) + len(twin.layout) == 136
    assert len(twin.layout) % 2 == 0
    assert sum(twin.scores) == 100 - sum(value(tile) for tile in twin.layout)
    assert twin.scores == [sum(value(tile) for tile in pile) for pile in twin.captured]


# The match


def test_most_points_win_and_ties_share():
    twin = play(table("9-8 1-0", "8-7", "", scores=[0, 3]), "8-7")
    assert (twin.done, twin.scores, twin.winners, twin.rewards) == (True, [3, 3], [0, 1], [0, 0])


def test_target_ends_the_match_at_once_even_by_a_claim():
    twin = play(table("9-8 8-7 1-0", "1-1", "2-2", target=20, scores=[17, 0]), "9-8", "8-7")
    assert (twin.done, twin.scores, twin.winners, twin.legal_actions()) == (True, [20, 0], [0], set())


def test_target_looked_for_after_the_hand_goes_to_the_highest():
    options = {"target": 20, "match_end": "hand_end", "scores": [17, 18]}
    twin = play(table("9-8 15-15", "8-7", "15-0", **options), "8-7")
    assert (twin.done, twin.scores) == (False, [20, 18])
    assert (play(twin, "15-0").done, twin.scores, twin.winners) == (True, [20, 28], [1])


def test_target_not_reached_starts_another_game_with_the_full_set_until_the_last():
    twin, chance = HighFives(7, target=1000, max_games=2, leftover="discard"), random.Random(3)
    play_hands(twin, chance, hands=5)
    assert (twin.done, twin.games_played, twin.hand_over) == (False, 1, True)
    assert (len(twin.boneyard), twin.layout, sum(map(len, twin.captured))) == (136, [], 0)
    scores = list(twin.scores)
    play_hands(twin, chance, hands=5)
    assert twin.done
    assert all(after >= before for before, after in zip(scores, twin.scores, strict=True))
    assert [seat for seat in range(7) if twin.scores[seat] == max(twin.scores)] == twin.winners


def test_points_are_rewarded_as_a_share_of_the_target_or_of_a_hundred():
    for target, unit in ((None, 100), (50, 50)):
        twin = play(table("9-8 1-0", "8-7 1-1", "2-2", reward="points", target=target), "8-7")
        assert twin.rewards == pytest.approx([3 / unit, -3 / unit])


# Options and random matches


@pytest.mark.parametrize("options", [{"leftover": "burn"}, {"capture": "never"}, {"max_claims": 5}, {"first_hand": 66}])
def test_option_value_that_cannot_be_is_refused(options):
    with pytest.raises(ValueError):
        HighFives(2, **options)


def test_option_of_another_game_is_unknown():
    with pytest.raises(TypeError, match="reserve"):
        HighFives(2, reserve=0)


CHOICES = {
    "reward": ["win", "points"],
    "max_hands": [None, 1, 7],
    "max_pip": [15, 12],
    "layout_size": [5, 0, 9],
    "first_hand": [None, 3],
    "later_hand": [None, 2],
    "relay_layout": ["none", "add", "replace"],
    "leftover": ["to_layout", "discard", "short_hand"],
    "capture": ["mandatory", "optional"],
    "max_claims": [0, 1, 2, 3, 4],
    "first_leader": ["lot"],
    "target": [None, 30, 150],
    "match_end": ["immediate", "hand_end"],
    "max_games": [1, 3],
}


@pytest.mark.parametrize("seed", range(60))
def test_random_matches_end_and_keep_every_tile_in_one_place(seed):
    chance = random.Random(seed)
    options = {option: chance.choice(values) for option, values in CHOICES.items()}
    assert set(options) == set(OPTIONS)
    twin = HighFives(chance.randrange(2, 9), **options)
    while not twin.done:
        if twin.hand_over:
            deal_at_random(twin, chance)
        twin.step(chance.choice(sorted(twin.legal_actions())))
        assert abs(sum(twin.rewards)) < 1e-6
        in_play = [twin.played] if twin.played else []
        places = [*twin.hands, *twin.captured, twin.layout, twin.set_aside, in_play, twin.boneyard]
        assert sorted(tile for place in places for tile in place) == sorted(full_set(options["max_pip"]))
