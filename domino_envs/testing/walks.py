"""Random games, and what is compared along them."""

import random
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np

from domino_envs.core.game import Game
from domino_envs.envs.vector import DominoVec
from domino_envs.table import Table


def random_positions(game: Game, games: int, seed: int = 0, every: int = 1) -> Iterator[Table]:
    """Yields one table at every `every`-th move of random games and at their ends; it plays on when asked for the next."""
    chance = random.Random(seed)
    table = Table(game, seed=chance.getrandbits(32))
    for _ in range(games):
        table.reset()
        moves = 0
        while not table.done:
            if moves % every == 0:
                yield table
            table.play(chance.choice(table.legal_actions()))
            moves += 1
        yield table


def observations_of(table: Table) -> np.ndarray:
    """Returns what every seat may know, `float32[P, D]`."""
    return np.stack([table.observation(seat) for seat in range(table.game.num_players)])


def same_tables(one: Table, other: Table) -> bool:
    """Tells whether two tables are equal to the byte, masks included."""
    return one.get_state() == other.get_state() and np.array_equal(one.action_mask, other.action_mask)


def batch_of(game: Game, rows: int, **settings: Any) -> DominoVec:
    """Returns a batch of tables of a game with its options."""
    return DominoVec(game.name, rows, game.num_players, **settings, **asdict(game.options))
