"""Tools for those who add a variant: tables set up by hand, and every invariant that a game must keep."""

from domino_envs.testing.invariants import CHECKS, check_game
from domino_envs.testing.positions import capture_position, deal_of, perft, play, position, set_deal
from domino_envs.testing.walks import random_positions

__all__ = ["CHECKS", "capture_position", "check_game", "deal_of", "perft", "play", "position", "random_positions", "set_deal"]
