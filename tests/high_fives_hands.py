"""Where the tiles of High Fives are, and its play to the end."""

import numpy as np

from domino_envs.core.tiles import FIRST_PILE, HIGH, LOW

PLAYERS = range(2, 9)


def in_place(table, place):
    return {f"{LOW[tile]}-{HIGH[tile]}" for tile in np.flatnonzero(table.states["owner"][0] == place)}


def pile(table, seat=0):
    return in_place(table, FIRST_PILE - seat)


def play_out(table, chance):
    """Plays random moves to the end and yields the table before every move and at the end."""
    while not table.done:
        yield table
        table.play(chance.choice(table.legal_actions()))
    yield table
