"""The peers, measured by the same loops; those that are not installed are left out."""

import importlib.util
import random

import numpy as np

from ours import Work, aec_loop


def available(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def open_spiel_block() -> Work:
    """OpenSpiel `python_block_dominoes`: random legal play with the observation tensor of the player to move."""
    import pyspiel
    from open_spiel.python.games import block_dominoes  # noqa: F401 (registers the game)

    game = pyspiel.load_game("python_block_dominoes")
    observer = game.make_py_observer()
    rng = np.random.default_rng(1)

    def work() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice([action for action, _ in state.chance_outcomes()]))
                continue
            observer.set_from(state, state.current_player())
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
        return decisions

    return work


def pypi_dominoes() -> Work:
    """PyPI `dominoes`: random legal play, no observation."""
    import dominoes

    generator = random.Random(1)

    def work() -> int:
        game, decisions = dominoes.Game.new(starting_player=0), 0
        while game.result is None:
            game.make_move(*generator.choice(game.valid_moves))
            decisions += 1
        return decisions

    return work


def pettingzoo_tictactoe() -> Work:
    """PettingZoo `tictactoe_v3.env()`: `last()` and `step()` with the first legal action."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic import tictactoe_v3
    return aec_loop(tictactoe_v3.env())
