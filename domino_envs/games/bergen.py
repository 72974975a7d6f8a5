"""Bergen (Double-Header): a line opened by a double; who leaves one number at both ends scores a header.

Rules: https://www.pagat.com/domino/line/bergen.html; where sources differ, docs/games/bergen.md.
Options: `Options`. Actions: a tile on an arm of the line, `draw`, `pass`. State: core/state.py, and of each seat the tiles
it drew since it was shown to hold no double. Observation: core/observation.py, and likewise.

A hand has at most `num_players * (num_players * hand_size + drawable - num_players + 1) + drawable + 1 + num_players` moves:
those that `line_hand_bound` proves for a hand that begins with a tile, and one pass of each seat before it. The draws of
the opening are among the `drawable` ones; a hand that is dealt anew starts over and has had fewer.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from domino_envs.core import line_game, opening, redeal, turns
from domino_envs.core.game import Game
from domino_envs.core.jit import njit
from domino_envs.core.line import LEFT, RIGHT
from domino_envs.core.observation import observe_line, observe_no_double
from domino_envs.core.options import (
    DealOptions,
    DrawMode,
    FirstLeader,
    MatchOptions,
    NextLead,
    check_num_players,
    integer,
    make_options,
    with_player_defaults,
)
from domino_envs.core.scoring import NOBODY, hand_winner, lighter_seat, side_of
from domino_envs.core.spaces import Field
from domino_envs.core.tiles import PIPS, is_double, num_tiles

VERSION = 0
DOUBLE_HEADER, TRIPLE_HEADER = 2, 3  # points
BLOCKED_LOWEST_PIPS = 0  # of `blocked_rule`
ONE_DOUBLE = 10_000  # more than the pips of any set
NO_DOUBLE_MEANING = "shown to hold no double, by a pass in the opening: 1; k unknown tiles later 1 / (1 + k)"


@dataclass(frozen=True, kw_only=True)
class Options(MatchOptions, DealOptions):
    """The options of Bergen."""

    hand_size: int = integer(5, 1, 90)
    draw_mode: DrawMode = "until_playable"
    first_leader: FirstLeader = "lot"
    next_lead: NextLead = "rotation"
    target: int | None = integer(10, 1, 100_000)
    lead_rule: Literal["any_double", "highest_double", "lowest_double", "any_tile"] = "any_double"
    """What opens a hand: any double of the first seat in turn that has one, the highest or lowest double dealt, any tile."""
    opening_double_points: int = integer(2, 0, 3)
    """What a double that opens the line scores: 2, or 0 or 3."""
    fill_opening_double_first: bool = False
    """With one tile beside the opening double, only its free side may be played on."""
    near_target_cap: bool = False
    """A header is worth at most 2 to who needs 3 points, and 1 to who needs 2 or less."""
    round_bonus: int = integer(1, 0, 100)
    """What the winner of a hand scores."""
    blocked_rule: Literal["lowest_pips", "doubleless_first"] = "lowest_pips"
    """Who wins a blocked hand: the fewest pips; or of those without a double, else by the pips of the other tiles."""


@njit
def deal(state, rules):
    turns.deal_match(state, rules)
    opening.begin_opening(state, rules)


@njit
def legal_actions(state, rules, mask):
    if state.line_length == 0:
        opening.mark_opening(state, rules, mask)
    else:
        turns.mark_legal_actions(state, rules, mask)


@njit
def step(state, rules, action):
    turns.begin_step(state, rules, action)
    if state.line_length == 0 and not turns.is_placement(rules, action):
        opening.pass_or_draw(state, rules, action)
        return
    opening.follow_doubles(state, rules, action)
    turns.play_move(state, rules, action)
    if turns.is_placement(rules, action):
        turns.credit(state, rules, state.player, _capped(state, rules, header_points(state, rules)))
    if state.done:
        return
    if turns.hand_is_over(state, rules):
        turns.end_hand(state, rules, _round_winner(state, rules), rules.round_bonus)
        if not state.done:
            opening.begin_opening(state, rules)
    else:
        turns.end_turn(state, rules, action)


@njit
def header_points(state, rules):
    """Returns what the line scores: nothing unless both ends show one number, and more where a double shows it."""
    doubles = state.doubles[LEFT] + state.doubles[RIGHT]
    if state.line_length == 1:
        return rules.opening_double_points if doubles else 0
    if state.ends[LEFT] != state.ends[RIGHT]:
        return 0
    return TRIPLE_HEADER if doubles else DOUBLE_HEADER


@njit
def _capped(state, rules, points):
    """Returns what a header is worth to the player to move, by the points that it needs."""
    needed = rules.target - state.scores[side_of(rules, state.player)]
    if not rules.near_target_cap or needed > 3:
        return points
    return min(points, 2 if needed == 3 else 1)


@njit
def _round_winner(state, rules):
    """Returns the seat that is out, or who wins the block by `blocked_rule`, or `NOBODY`."""
    is_out = state.hand_sizes[state.player] == 0
    if is_out or rules.blocked_rule == BLOCKED_LOWEST_PIPS:
        return hand_winner(state, rules)
    best, tied = 0, False
    for side in range(1, rules.num_sides):
        more = _doubleless_weight(state, rules, side) - _doubleless_weight(state, rules, best)
        if more < 0:
            best, tied = side, False
        elif more == 0:
            tied = True
    return NOBODY if tied else lighter_seat(state, rules, best)


@njit
def _doubleless_weight(state, rules, side):
    """Returns the pips of a side's tiles but the doubles, and more than any pips where it holds a double."""
    pips, penalty = 0, 0
    for tile in range(len(state.owner)):
        if state.owner[tile] >= 0 and side_of(rules, state.owner[tile]) == side:
            if is_double(tile):
                penalty = ONE_DOUBLE
            else:
                pips += PIPS[tile]
    return pips + penalty


@njit
def observe(state, rules, player, observation):
    observe_line(state, rules, player, observation)
    observe_no_double(state, player, observation)


redeal_hidden = redeal.redeal_hidden


def game(num_players: int = 2, **options: Any) -> Game:
    """Returns Bergen for 2 to 8 players; with more than 4 the set is double-nine or larger."""
    num_players = check_num_players("bergen", num_players, 2, 8)
    defaults = {"hand_size": {2: 6, 3: 6}, "target": {2: 15}, "max_pip": dict.fromkeys(range(5, 9), 9)}
    checked = make_options(Options, "bergen", with_player_defaults(defaults, num_players, options))
    _check(checked, num_players)
    return line_game.line_game(
        "bergen",
        "bergen",
        VERSION,
        num_players,
        checked,
        ends_count=False,
        doubles_score=True,
        hand_bound=num_tiles(checked.max_pip) * TRIPLE_HEADER + checked.round_bonus,
        opening_passes=num_players,
        own_state=[("draws_since_no_double", np.int8, num_players)],  # -1: not shown; else unknown tiles drawn since
        own_bounds={"draws_since_no_double": (-1, num_tiles(checked.max_pip))},
        own_observation=[Field("no_double", (num_players,), 0, 1, NO_DOUBLE_MEANING)],
    )


def _check(options: Options, num_players: int) -> None:
    """Raises ValueError where options do not go together."""
    if num_players > 4 and options.max_pip < 9:
        raise ValueError(f"bergen for {num_players} players needs max_pip of 9 or more, got {options.max_pip}")
    if options.opening_double_points == 1:
        raise ValueError("opening_double_points must be 0, 2 or 3, got 1")
    if options.near_target_cap and options.target is None:
        raise ValueError("near_target_cap=True needs a target, got target=None")
    if options.exact_target and options.target == 1 and options.round_bonus != 1 and not options.near_target_cap:
        raise ValueError(f"no credit is 1: exact_target=True cannot reach target=1 with round_bonus={options.round_bonus}")
