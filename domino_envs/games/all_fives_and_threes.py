"""All Fives and Threes: All Fives in which totals that three divides score as well.

Rules: https://www.mastersofgames.com/rules/dominoes-rules.htm, section "All Fives and Threes"; a total that both divide
scores twice: https://www.dominorules.com/threes-and-fives
Options: `Options`. Actions, state and observation are those of All Fives.
"""

from dataclasses import dataclass
from typing import Any, Literal

from domino_envs.core import claims, turns
from domino_envs.core.game import Game
from domino_envs.core.jit import njit
from domino_envs.core.line import line_total
from domino_envs.core.options import Rounding, check_exact_target, check_num_players, make_options
from domino_envs.core.scoring import hand_winner, multiples_of_five_and_three, rounded_differences
from domino_envs.games.all_fives import FivesOptions, deal, fives_game, legal_actions, observe, pips_bound, redeal_hidden

__all__ = ["deal", "game", "legal_actions", "observe", "redeal_hidden", "step"]

VERSION = 0


@dataclass(frozen=True, kw_only=True)
class Options(FivesOptions):
    """The options of All Fives and Threes."""

    hand_end_rounding: Rounding = "none"
    ft_scoring: Literal["face_both", "face_once", "units"] = "face_both"
    """What a total scores: itself for each divisor, itself once, or how often five goes into it and how often three."""


@njit
def step(state, rules, action):
    if claims.play(state, rules, action):
        claims.score_tile(state, rules, multiples_of_five_and_three(line_total(state), rules.ft_scoring))
    if claims.hand_is_over(state, rules, action):
        winner = hand_winner(state, rules)
        turns.end_hand(state, rules, winner, rounded_differences(state, rules, winner))


def game(num_players: int = 2, **options: Any) -> Game:
    """Returns All Fives and Threes for 2 to 4 players."""
    num_players = check_num_players("all_fives_and_threes", num_players, 2, 4)
    checked = make_options(Options, "all_fives_and_threes", options)
    face_alone = checked.ft_scoring != "units" and checked.hand_end_rounding != "none"
    check_exact_target(checked, (3, 5) if face_alone else (1,))
    end_bound = pips_bound(checked, num_players)
    return fives_game("all_fives_and_threes", VERSION, num_players, checked, most_of_total=2.0, end_bound=end_bound)
