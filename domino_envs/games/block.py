"""Block dominoes: match an open end or pass; first to go out, or the lowest hand, wins the others' pips.

Rules: https://www.pagat.com/domino/line/block.html
Options: `Options`. Actions: a tile on an arm of the line, `draw` (where `draw_mode` has it), `pass`.
State: core/state.py. Observation: core/observation.py.
"""

from dataclasses import dataclass
from typing import Any

from domino_envs.core import line_game, redeal, turns
from domino_envs.core.game import Game
from domino_envs.core.jit import njit
from domino_envs.core.observation import observe_line
from domino_envs.core.options import SpinnerOptions, check_num_players, make_options, pairs_of, with_player_defaults
from domino_envs.core.scoring import hand_winner, opponents_pips
from domino_envs.core.tiles import num_tiles

VERSION = 0


@dataclass(frozen=True, kw_only=True)
class Options(SpinnerOptions):
    """The options of Block and Draw."""

    deduct_own_pips: bool = True
    """The winner of a blocked hand scores the others' pips less its own."""


deal = turns.deal_match
legal_actions = turns.mark_legal_actions
observe = observe_line
redeal_hidden = redeal.redeal_hidden


@njit
def step(state, rules, action):
    turns.begin_step(state, rules, action)
    turns.play_move(state, rules, action)
    if turns.hand_is_over(state, rules):
        winner = hand_winner(state, rules)
        turns.end_hand(state, rules, winner, opponents_pips(state, rules, winner))
    else:
        turns.end_turn(state, rules, action)


def game(num_players: int = 2, *, name: str = "block", **options: Any) -> Game:
    """Returns Block for 2 to 4 players."""
    num_players = check_num_players(name, num_players, 2, 4)
    options = with_player_defaults({"hand_size": {2: 7, 3: 5, 4: 7 if pairs_of(options) else 5}}, num_players, options)
    checked = make_options(Options, name, options)
    return line_game.line_game(
        name,
        "block",
        VERSION,
        num_players,
        checked,
        ends_count=False,
        hand_bound=num_tiles(checked.max_pip) * checked.max_pip,
    )
