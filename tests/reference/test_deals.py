"""The deals that explain a record against those on which the twins can play it."""

import random
from itertools import combinations_with_replacement, permutations

import pytest

from reference import bergen
from reference.deals import ARMS, DRAW, PASS, View, dealt_hands, double_set, explaining_deals
from reference.line_games import Reference

NUM_PLAYERS = 2
LEADS = ("any_double", "highest_double", "lowest_double", "any_tile")
MODES = ("one_end", "one_then_play", "until_playable")
CASES = [
    *(("draw", {"draw_mode": mode, "lead_tile": tile}) for mode in MODES for tile in ("any", "highest_double")),
    ("draw", {"first_leader": "lot", "spinner": "first_double"}),
    ("all_fives", {"claim_mode": "muggins", "false_claims": True, "spinner": "first_double"}),
    *(("bergen", {"lead_rule": rule, "draw_mode": mode}) for rule in LEADS for mode in MODES),
    *(("bergen", {"lead_rule": rule, "first_leader": "highest_double"}) for rule in LEADS),
    ("bergen", {"fill_opening_double_first": True, "reserve": 1}),
]


def new_twin(game, options):
    options = {"target": None, **options}
    return bergen.Reference(NUM_PLAYERS, **options) if game == "bergen" else Reference(game, NUM_PLAYERS, **options)


def random_deal(chance, max_pip, hand_size, without_doubles):
    """Of hands without a double there are too few to wait for them."""
    tiles = list(combinations_with_replacement(range(max_pip + 1), 2))
    while True:
        chance.shuffle(tiles)
        dealt = tiles[: NUM_PLAYERS * hand_size]
        if not without_doubles or all(low != high for low, high in dealt):
            break
    hands = [dealt[seat * hand_size : (seat + 1) * hand_size] for seat in range(NUM_PLAYERS)]
    return hands, tiles[NUM_PLAYERS * hand_size :]


def play_a_while(twin, chance, moves):
    """Returns the moves made, claims among them, each with its seat and whether it was a claim decision."""
    made = []
    while len(made) < moves and not (twin.hand_over or twin.done):
        action = chance.choice(sorted(twin.legal_actions()))
        made.append((twin.player, action, twin.phase == "claim"))
        twin.step(action)
    return made


def view_of(twin, seat, made, hands, boneyard, leader):
    record = tuple((mover, move_of(action)) for mover, action, claim in made if not claim)
    drawers = [mover for mover, move in record if move == DRAW]
    return View(
        seat=seat,
        dealt=frozenset(hands[seat]),
        drawn=tuple(tile for drawer, tile in zip(drawers, boneyard, strict=False) if drawer == seat),
        record=record,
        to_move=twin.player,
        leader=leader,
        best_tile_led=twin.options["first_leader"] == "highest_double",
        best_tile_opens=twin.options.get("lead_tile") == "highest_double",
        draw_mode=twin.options["draw_mode"],
        num_players=NUM_PLAYERS,
        hand_size=twin.options["hand_size"],
        max_pip=twin.options["max_pip"],
        spinner=twin.options.get("spinner", "none"),
        lead_rule=twin.options.get("lead_rule", ""),
        fill_opening_double_first=twin.options.get("fill_opening_double_first", False),
    )


def move_of(action):
    if action in (DRAW, PASS):
        return action
    word, arm = action.split(">")
    return tuple(sorted(int(half) for half in word.split("-"))), ARMS.index(arm)


def all_deals(view):
    """Yields every deal that gives the seat its own tiles."""
    unknown = set(double_set(view.max_pip)) - view.dealt
    for hands in dealt_hands(view, 0, unknown):
        for boneyard in permutations(sorted(unknown.difference(*hands))):
            yield hands, boneyard


def plays_as_recorded(twin, view, made, hands, boneyard):
    """Tells whether a twin that is dealt these tiles can make all the moves, each by its seat, with the seat's own draws."""
    twin.start_hand(hands, boneyard, leader=view.leader)
    if twin.leader != view.leader:
        return False
    for mover, action, claim in made:
        if (twin.player, twin.phase == "claim") != (mover, claim) or action not in twin.legal_actions():
            return False
        twin.step(action)
    drawers = [mover for mover, move in view.record if move == DRAW]
    drawn = tuple(tile for drawer, tile in zip(drawers, boneyard, strict=False) if drawer == view.seat)
    return not twin.hand_over and twin.player == view.to_move and drawn == view.drawn


@pytest.mark.parametrize(("max_pip", "hand_size", "without_doubles", "views"), [(3, 3, False, 5), (2, 1, True, 30)])
@pytest.mark.parametrize(("game", "options"), CASES)
def test_deals_that_explain_a_record_are_those_on_which_it_can_be_played(
    game, options, max_pip, hand_size, without_doubles, views
):
    chance, options = random.Random(f"{game} {options}"), {"max_pip": max_pip, "hand_size": hand_size, **options}
    while views:
        hands, boneyard = random_deal(chance, max_pip, hand_size, without_doubles)
        twin = new_twin(game, options)
        twin.start_hand(hands, boneyard, leader=chance.randrange(NUM_PLAYERS))
        leader, made = twin.leader, play_a_while(twin, chance, moves=chance.randrange(9))
        if twin.hand_over or twin.done:
            continue
        views -= 1
        view = view_of(twin, chance.randrange(NUM_PLAYERS), made, hands, boneyard, leader)
        possible = {deal for deal in all_deals(view) if plays_as_recorded(new_twin(game, options), view, made, *deal)}
        assert set(explaining_deals(view)) == possible
        assert (tuple(map(frozenset, hands)), tuple(boneyard)) in possible
