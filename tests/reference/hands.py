"""Hands written as words such as "6-6 2-1", and moves one after another, for the tests of the twins."""


def tiles(words):
    return [tuple(sorted(int(half) for half in word.split("-"))) for word in words.split()]


def deal(twin, hands, boneyard="", leader=None):
    """Deals a hand, seat by seat; for High Fives the last words are the tiles turned up."""
    twin.start_hand([tiles(hand) for hand in hands], tiles(boneyard), leader)
    return twin


def play(twin, *actions):
    for action in actions:
        twin.step(action)
    return twin


def points_of(twin, *actions):
    """What each action credited to the seat that chose it."""
    credited = []
    for action in actions:
        seat = twin.player
        twin.step(action)
        credited.append(twin.credits[seat])
    return credited
