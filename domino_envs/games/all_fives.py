"""All Fives (Muggins, The Five Game): a line whose open ends total a multiple of five scores it.

Rules: https://www.mastersofgames.com/rules/dominoes-rules.htm, section "All Fives"; doubles count both halves while
they lie exposed, and there is no spinner.
Options: `Options`. Actions: a tile on an arm of the line, `draw`, `pass`. State: core/state.py. Observation:
core/observation.py.
"""

from dataclasses import dataclass
from typing import Any, Literal

from domino_envs.core import line_game, turns
from domino_envs.core.game import Game
from domino_envs.core.jit import njit
from domino_envs.core.line import line_total
from domino_envs.core.options import LineOptions, check_num_players, integer, make_options
from domino_envs.core.scoring import hand_winner, multiple_of_five, rounded_differences
from domino_envs.core.tiles import num_tiles
from domino_envs.games.block import deal, legal_actions, observe, redeal_hidden

VERSION = 0


@dataclass(frozen=True, kw_only=True)
class Options(LineOptions):
    """The options of All Fives."""

    hand_size: int = integer(5, 1, 90)
    draw_mode: Literal["none", "one_end", "one_then_play", "until_playable"] = "one_end"
    reserve: int = integer(2, 0, 90)
    next_lead: Literal["highest_double", "winner", "rotation"] = "highest_double"
    lead_tile: Literal["any", "highest_double"] = "any"
    hand_end_rounding: Literal["none", "r5_each", "r5_sum"] = "r5_each"
    """How the winner's share of the others' pips is rounded to fives: not, each loser's, or their sum."""


@njit
def step(state, rules, action):
    turns.begin_step(state, rules, action)
    turns.play_move(state, rules, action)
    if turns.is_placement(rules, action):
        turns.credit(state, rules, state.player, multiple_of_five(line_total(state)))
    if state.done:
        return
    if turns.hand_is_over(state, rules):
        winner = hand_winner(state, rules)
        turns.end_hand(state, rules, winner, rounded_differences(state, rules, winner))
    else:
        turns.end_turn(state, rules, action)


def game(num_players: int = 2, **options: Any) -> Game:
    """Returns All Fives for 2 to 4 players."""
    num_players = check_num_players("all_fives", num_players, 2, 4)
    checked = make_options(Options, "all_fives", options)
    tiles = num_tiles(checked.max_pip)
    return line_game.line_game(
        "all_fives",
        "all_fives",
        VERSION,
        num_players,
        checked,
        ends_count=True,
        hand_bound=tiles * (checked.max_pip + 4 * checked.max_pip),  # the pips of all tiles, and a total per tile
        functions={
            "deal": deal,
            "legal_actions": legal_actions,
            "step": step,
            "observe": observe,
            "redeal_hidden": redeal_hidden,
        },
    )
