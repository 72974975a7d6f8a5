"""Hands written as words such as "6-6 2-1", and moves one after another, for the tests of the twins."""

from reference.line_games import Reference


def tiles(words):
    return [tuple(sorted(int(half) for half in word.split("-"))) for word in words.split()]


def deal(twin, hands, boneyard="", leader=None):
    """Deals a hand, seat by seat; for High Fives the last words are the tiles turned up."""
    twin.start_hand([tiles(hand) for hand in hands], tiles(boneyard), leader)
    return twin


def match(game, hands, boneyard="", leader=None, scores=None, **options):
    """Starts a match of a line game with these hands; tiles that they do not need are left out."""
    twin = Reference(game, len(hands), **options)
    if scores:
        twin.scores = list(scores)
    return deal(twin, hands, boneyard, leader)


def play(twin, *actions):
    for action in actions:
        twin.step(action)
    return twin


def blocked_hand(game, *left, **options):
    """All hold what is `left` to them and no 6; the first leads 6-6, and all pass."""
    twin = match(game, [f"6-6 {left[0]}", *left[1:]], **options)
    return play(twin, "6-6>L", *["pass"] * len(left))


def points_of(twin, *actions):
    """What each action credited to the seat that chose it."""
    credited = []
    for action in actions:
        seat = twin.player
        twin.step(action)
        credited.append(twin.credits[seat])
    return credited
