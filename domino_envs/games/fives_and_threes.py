"""Fives and Threes, the British pub game: fives and threes in the total of the open ends, to exactly 61, without drawing.

Rules: https://www.gambiter.com/domino/western/fives_and_threes.html
Options: `Options`. Actions, state and observation are those of All Fives.
"""

from dataclasses import dataclass
from typing import Any

from domino_envs.core import claims, turns
from domino_envs.core.game import Game
from domino_envs.core.jit import njit
from domino_envs.core.line import line_total
from domino_envs.core.options import (
    ClaimOptions,
    FirstLeader,
    LeadTile,
    NextLead,
    check_num_players,
    integer,
    make_options,
    pairs_of,
    with_player_defaults,
)
from domino_envs.core.scoring import SCORE_UNITS, hand_winner, multiples_of_five_and_three
from domino_envs.games.all_fives import deal, fives_game, legal_actions, observe, redeal_hidden

__all__ = ["deal", "game", "legal_actions", "observe", "redeal_hidden", "step"]

VERSION = 0


@dataclass(frozen=True, kw_only=True)
class Options(ClaimOptions):
    """The options of Fives and Threes."""

    first_leader: FirstLeader = "lot"
    next_lead: NextLead = "rotation"
    lead_tile: LeadTile = "any"
    target: int | None = integer(61, 1, 100_000)
    exact_target: bool = True
    out_bonus: int = integer(1, 0, 100)
    """Points for going out; a blocked hand pays nothing."""


@njit
def step(state, rules, action):
    if claims.play(state, rules, action):
        claims.score_tile(state, rules, multiples_of_five_and_three(line_total(state), SCORE_UNITS))
    if claims.hand_is_over(state, rules, action):
        out = state.hand_sizes[state.player] == 0
        turns.end_hand(state, rules, hand_winner(state, rules), rules.out_bonus if out else 0)


def game(num_players: int = 2, **options: Any) -> Game:
    """Returns Fives and Threes for 2 to 4 players."""
    num_players = check_num_players("fives_and_threes", num_players, 2, 4)
    options = with_player_defaults({"hand_size": {2: 7, 3: 5, 4: 6 if pairs_of(options) else 5}}, num_players, options)
    if options.get("target", 61) is None:
        options = {"exact_target": False, **options}
    checked = make_options(Options, "fives_and_threes", options)
    return fives_game("fives_and_threes", VERSION, num_players, checked, most_of_total=8 / 15, end_bound=checked.out_bonus)
