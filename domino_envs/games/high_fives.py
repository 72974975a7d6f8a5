"""High Fives: play a tile into the layout and take it with one that shares a number; doubles and multiples of five score.

Rules: David Galt for Cardinal Industries, 1996; https://www.domino-play.com/Games/HighFives.htm and
https://gambiter.com/domino/western/high5s.html. Every turn plays one tile, so that all hands run out together; nobody draws
or passes. Before it the player may claim a pair that lies in the layout.
Options: `Options`. Actions: `skip`, or a tile; the phase says what for. State: core/capture.py. Observation:
core/capture_observation.py.
"""

from dataclasses import dataclass
from typing import Any, Literal

from domino_envs.core import capture, turns
from domino_envs.core.capture import CLAIM, NO_TILE, PARTNER, PLAY, VALUE
from domino_envs.core.capture_deal import deal_game, deal_hand, next_hand, redeal_unseen
from domino_envs.core.capture_game import capture_game
from domino_envs.core.capture_observation import observe_capture
from domino_envs.core.game import Game
from domino_envs.core.jit import njit
from domino_envs.core.options import MatchEnd, Reward, check_num_players, integer, make_options, with_player_defaults
from domino_envs.core.rng import randint

VERSION = 0
FIRST_HAND = {2: 5, 3: 5, 4: 5, 5: 4, 6: 4, 7: 4, 8: 4}
LATER_HAND = {2: 5, 3: 5, 4: 5, 5: 4, 6: 4, 7: 3, 8: 3}

SKIP = 0  # the action of no tile; a tile's action is its number plus one
OPTIONAL = 1  # value of `capture`


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of High Fives; the values are plain words, listed in the order of the kernels' numbers."""

    max_pip: int = integer(15, 1, 15)
    """The highest number of the set: 15 is the double-fifteen set."""
    layout_size: int = integer(5, 0, 90)
    """Tiles laid face up when a game begins."""
    first_hand: int = integer(5, 1, 60)
    """Tiles dealt to every seat in the first hand of a game."""
    later_hand: int = integer(5, 1, 60)
    """Tiles dealt to every seat in a later hand."""
    leftover: Literal["to_layout", "discard", "short_hand"] = "to_layout"
    """Tiles too few for another hand: they join the layout with the last one, stay hidden, or make one more, shorter hand."""
    capture: Literal["mandatory", "optional"] = "mandatory"
    """Whether a played tile that matches must be taken with one partner, or may be left."""
    max_claims: int = integer(1, 0, 4)
    """Pairs of the layout that a player may claim in a turn, before he plays."""
    relay_layout: Literal["none", "add", "replace"] = "none"
    """What a later hand does with the layout: leaves it, adds `layout_size` tiles, or lays so many in its place."""
    first_leader: Literal["lot"] = "lot"
    """Who leads the first game; the lead passes to the left from game to game."""
    target: int | None = integer(None, 1, 100_000)
    """The score that ends the match: games follow until it is reached; None plays one game."""
    match_end: MatchEnd = "immediate"
    """Whether the target ends the match at once or after the hand."""
    max_hands: int | None = integer(None, 1, 100_000)
    """Hands after which the match ends and the highest score wins; 1 makes an episode of one hand, None is no such end."""
    max_games: int = integer(20, 1, 100_000)
    """Games after which a match to a target ends and the highest score wins."""
    reward: Reward = "win"
    """What a step pays: the match's result at its end, or every point when it is earned."""


@njit
def deal(state, rules):
    """Starts a match: no scores, a leader by lot, the first game."""
    turns.begin_match(state, rules)
    state.games_played = 0
    deal_game(state, rules)
    state.leader = randint(state, rules.num_players)
    state.picked = NO_TILE
    start_turn(state, rules, state.leader)


@njit
def start_turn(state, rules, seat):
    state.player = seat
    state.claims_made = 0
    state.phase = CLAIM if may_claim(state, rules) else PLAY


@njit
def may_claim(state, rules):
    return state.claims_made < rules.max_claims and capture.has_pair(state)


@njit
def legal_actions(state, rules, mask):
    turns.clear_mask(mask)
    if state.done:
        return
    if state.phase == PLAY:
        for tile in range(len(state.owner)):
            mask[tile + 1] = state.owner[tile] == state.player
    elif state.picked != NO_TILE:
        capture.mark_partners(state, state.picked, mask)
        mask[SKIP] = state.phase == PARTNER and rules.capture == OPTIONAL
    else:
        capture.mark_pairs(state, mask)
        mask[SKIP] = 1


@njit
def step(state, rules, action):
    turns.begin_step(state, rules, action)
    if state.phase == CLAIM:
        claim(state, rules, action)
    elif state.phase == PLAY:
        play_tile(state, rules, action - 1)
    else:
        if action != SKIP:
            take_pair(state, rules, state.picked, action - 1)
        end_turn(state, rules)


@njit
def claim(state, rules, action):
    """Picks the first or the second tile of a pair of the layout, or ends the claims of this turn."""
    if action == SKIP:
        state.phase = PLAY
    elif state.picked == NO_TILE:
        state.picked = action - 1
    else:
        take_pair(state, rules, state.picked, action - 1)
        state.claims_made += 1
        if not may_claim(state, rules):
            state.phase = PLAY


@njit
def play_tile(state, rules, tile):
    """Lays a tile of the hand; a sole partner is taken with it at once where it must be."""
    partners = capture.count_partners(state, tile)
    state.hand_sizes[state.player] -= 1
    capture.lay(state, tile)
    if partners > 1 or (partners == 1 and rules.capture == OPTIONAL):
        state.picked = tile
        state.phase = PARTNER
        return
    if partners == 1:
        take_pair(state, rules, tile, capture.first_partner(state, tile))
    end_turn(state, rules)


@njit
def take_pair(state, rules, one, other):
    """Moves two tiles of the layout into the mover's pile and scores them; ends the match at an immediate target."""
    capture.take(state, one, state.player)
    capture.take(state, other, state.player)
    state.picked = NO_TILE
    turns.change_score(state, rules, state.player, VALUE[one] + VALUE[other])
    if rules.match_end == turns.MATCH_END_IMMEDIATE and turns.target_reached(state, rules):
        turns.finish_match(state, rules)


@njit
def end_turn(state, rules):
    """Passes the turn on; the hand is over when the next player has no tile, for all play equally many."""
    state.picked = NO_TILE
    if state.done:
        return
    seat = (state.player + 1) % rules.num_players
    if state.hand_sizes[seat] > 0:
        start_turn(state, rules, seat)
    else:
        end_hand(state, rules)


@njit
def end_hand(state, rules):
    """Ends the match, or deals the next hand of the game or the next game."""
    state.hands_played += 1
    size = next_hand(state, rules)
    state.games_played += size == 0
    if match_is_over(state, rules, size):
        turns.finish_match(state, rules)
        return
    if size > 0:
        deal_hand(state, rules, size)
    else:
        state.leader = (state.leader + 1) % rules.num_players
        deal_game(state, rules)
    start_turn(state, rules, state.leader)


@njit
def match_is_over(state, rules, size):
    """A match ends at its target, after `max_hands` or `max_games`, and without a target with its game."""
    if turns.target_reached(state, rules) or state.hands_played == rules.max_hands:
        return True
    return size == 0 and (rules.target == 0 or state.games_played == rules.max_games)


observe = observe_capture
redeal_hidden = redeal_unseen  # any tile may be played at any time: what was played says nothing of what is held


def game(num_players: int = 2, **options: Any) -> Game:
    """Returns High Fives for 2 to 8 players."""
    num_players = check_num_players("high_fives", num_players, 2, 8)
    options = with_player_defaults({"first_hand": FIRST_HAND, "later_hand": LATER_HAND}, num_players, options)
    return capture_game(
        "high_fives",
        "high_fives",
        VERSION,
        num_players,
        make_options(Options, "high_fives", options),
    )
