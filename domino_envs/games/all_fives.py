"""All Fives (Muggins, The Five Game): a line whose open ends total a multiple of five scores it.

Rules: https://www.mastersofgames.com/rules/dominoes-rules.htm, section "All Fives"; doubles count both halves while
they lie exposed, and there is no spinner unless the option says so. Spinner, units and claims:
https://www.pagat.com/tile/wdom/all_fives.html
Options: `Options`. Actions: a tile on an arm of the line, `draw`, `pass`, `claim`. State: core/state.py. Observation:
core/observation.py.
"""

from dataclasses import dataclass
from typing import Any, Literal

from domino_envs.core import claims, line_game, turns
from domino_envs.core.game import Game
from domino_envs.core.jit import njit
from domino_envs.core.line import line_total
from domino_envs.core.options import (
    ClaimOptions,
    DrawMode,
    LeadTile,
    NextLead,
    Rounding,
    check_claim_options,
    check_exact_target,
    check_num_players,
    integer,
    make_options,
)
from domino_envs.core.scoring import hand_winner, in_score_unit, multiple_of_five, rounded_differences
from domino_envs.core.tiles import num_tiles
from domino_envs.games.block import deal, observe, redeal_hidden

__all__ = ["FivesOptions", "deal", "fives_game", "game", "legal_actions", "observe", "redeal_hidden", "step"]

VERSION = 0


@dataclass(frozen=True, kw_only=True)
class FivesOptions(ClaimOptions):
    """Options that All Fives shares with All Fives and Threes."""

    hand_size: int = integer(5, 1, 90)
    draw_mode: DrawMode = "one_end"
    reserve: int = integer(2, 0, 90)
    next_lead: NextLead = "highest_double"
    lead_tile: LeadTile = "any"
    hand_end_rounding: Rounding = "r5_each"
    """How the winner's share of the others' pips is rounded to fives: not, each loser's, or their sum."""


@dataclass(frozen=True, kw_only=True)
class Options(FivesOptions):
    """The options of All Fives."""

    score_unit: Literal["pips", "pips_over_5"] = "pips"
    """Whether points are pips or their fifth part, rounded down at the end of a hand."""
    opening_threshold: int = integer(0, 0, 100)
    """The least credit that counts while the score is 0 or less."""


legal_actions = claims.mark_legal_actions


@njit
def step(state, rules, action):
    if claims.play(state, rules, action):
        claims.score_tile(state, rules, in_score_unit(rules, multiple_of_five(line_total(state))))
    if claims.hand_is_over(state, rules, action):
        winner = hand_winner(state, rules)
        turns.end_hand(state, rules, winner, in_score_unit(rules, rounded_differences(state, rules, winner)))


def game(num_players: int = 2, **options: Any) -> Game:
    """Returns All Fives for 2 to 4 players."""
    num_players = check_num_players("all_fives", num_players, 2, 4)
    checked = make_options(Options, "all_fives", options)
    all_in_fives = checked.score_unit == "pips" and checked.hand_end_rounding != "none"
    check_exact_target(checked, (5,) if all_in_fives else (1,), checked.opening_threshold)
    return fives_game(
        "all_fives", VERSION, num_players, checked, most_of_total=1.0, end_bound=pips_bound(checked, num_players)
    )


def pips_bound(options: ClaimOptions, num_players: int) -> int:
    """Returns a bound on the pips that a hand's end pays: all of the set, and what each difference is rounded up."""
    return num_tiles(options.max_pip) * options.max_pip + num_players


def fives_game(
    name: str, version: int, num_players: int, options: ClaimOptions, *, most_of_total: float, end_bound: int
) -> Game:
    """Returns a game that scores the total of the open ends.

    Args:
        most_of_total: bounds what a total scores as a multiple of it.
        end_bound: bounds what the end of a hand pays.
    """
    check_claim_options(options)
    arms = 2 if options.spinner == "none" else 4
    tile_bound = int(arms * 2 * options.max_pip * most_of_total)
    return line_game.line_game(
        name,
        name,
        version,
        num_players,
        options,
        ends_count=True,
        hand_bound=num_tiles(options.max_pip) * tile_bound + end_bound,
        tile_bound=tile_bound,
    )
