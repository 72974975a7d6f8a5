"""What one seat may know in capture games: a record of float32 fields, own seat first, then in turn order."""

import numpy as np

from domino_envs.core.capture import NO_TILE, PHASES
from domino_envs.core.jit import njit
from domino_envs.core.options import OPTIONS_MEANING
from domino_envs.core.spaces import Field
from domino_envs.core.tiles import HIGH, LOW, SET_ASIDE, TABLE, num_tiles, pile_of


def capture_fields(num_players: int, max_pip: int, num_features: int, score_bound: float) -> tuple[Field, ...]:
    """Returns every field of the observation."""
    tiles, seats = num_tiles(max_pip), num_players
    phases = ", ".join(PHASES)
    return (
        Field("hand", (tiles,), 0, 1, "tiles this seat holds"),
        Field("layout", (tiles,), 0, 1, "tiles face up, a tile just played among them"),
        Field("piles", (seats, tiles), 0, 1, "tiles captured by every seat"),
        Field("set_aside", (tiles,), 0, 1, "tiles that lay face up and are out of play"),
        Field("phase", (len(PHASES),), 0, 1, f"what the next action is for: {phases}; zeros when the match is over"),
        Field("picked", (2, max_pip + 1), 0, 1, "low and high half of the tile that waits for its partner, one-hot"),
        Field("claims_left", (1,), 0, 1, "claims still allowed in this turn, share of those of a turn"),
        Field("hand_sizes", (seats,), 0, 1, "tiles of every seat, share of the largest hand that is dealt"),
        Field("boneyard", (1,), 0, 1, "tiles of the boneyard, share of the set"),
        Field("to_move", (seats,), 0, 1, "the seat to move, one-hot; zeros when the match is over"),
        Field("leader", (seats,), 0, 1, "who leads every hand of this game, one-hot"),
        Field("scores", (seats,), 0, score_bound, "in units of the target, or of 100 without one"),
        Field("hands_left", (1,), 0, 1, "hands until `max_hands`, this one included, share of them; 1 without"),
        Field("games_left", (1,), 0, 1, "games until the last one of the match, this one included, share of them"),
        Field("options", (num_features,), 0, 1, OPTIONS_MEANING),
    )


@njit
def observe_capture(state, rules, player, observation):
    """Writes every field of what `player` may know."""
    _observe_places(state, rules, player, observation)
    _observe_turn(state, rules, observation)
    for turn in range(rules.num_players):
        seat = (player + turn) % rules.num_players
        observation.hand_sizes[turn] = state.hand_sizes[seat] * rules.hand_share
        observation.to_move[turn] = np.float32(seat == state.player and not state.done)
        observation.leader[turn] = np.float32(seat == state.leader)
        observation.scores[turn] = state.scores[seat] * rules.points_share
    observation.boneyard[0] = state.boneyard_size * rules.tile_share
    observation.hands_left[0] = 1.0 - state.hands_played * rules.hands_share
    observation.games_left[0] = 1.0 - state.games_played * rules.games_share
    for i in range(len(rules.features)):
        observation.options[i] = rules.features[i]


@njit
def _observe_places(state, rules, player, observation):
    for tile in range(len(state.owner)):
        observation.hand[tile] = np.float32(state.owner[tile] == player)
    for tile in range(len(state.owner)):
        observation.layout[tile] = np.float32(state.owner[tile] == TABLE)
    for tile in range(len(state.owner)):
        observation.set_aside[tile] = np.float32(state.owner[tile] == SET_ASIDE)
    for turn in range(rules.num_players):
        pile = pile_of((player + turn) % rules.num_players)
        for tile in range(len(state.owner)):
            observation.piles[turn, tile] = np.float32(state.owner[tile] == pile)


@njit
def _observe_turn(state, rules, observation):
    for phase in range(len(observation.phase)):
        observation.phase[phase] = np.float32(phase == state.phase and not state.done)
    low = high = -1
    if state.picked != NO_TILE:
        low, high = LOW[state.picked], HIGH[state.picked]
    for number in range(len(state.layout_counts)):
        observation.picked[0, number] = np.float32(number == low)
        observation.picked[1, number] = np.float32(number == high)
    observation.claims_left[0] = 1.0 - state.claims_made * rules.claim_share
