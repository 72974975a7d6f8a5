"""What one seat may know in the line games: a record of float32 fields, own seat first, then in turn order."""

from collections.abc import Sequence

import numpy as np

from domino_envs.core.jit import njit
from domino_envs.core.options import OPTIONS_MEANING
from domino_envs.core.scoring import side_of
from domino_envs.core.spaces import Field
from domino_envs.core.tiles import TABLE, num_tiles
from domino_envs.core.turns import OWN_CLAIM, PLAY, WINDOW

CERTAINTY = np.concatenate([[0.0], 1.0 / np.arange(1, 128)]).astype(np.float32)  # by `draws_since_missing` + 1


def line_fields(
    num_players: int,
    max_pip: int,
    arms: int,
    num_features: int,
    score_bound: float,
    claims: bool = False,
    own: Sequence[Field] = (),
) -> tuple[Field, ...]:
    """Returns every field of the line games' observation; `own` are one game's alone.

    Fields of a spinner or of claims have no length in games without.
    """
    tiles, numbers, seats = num_tiles(max_pip), max_pip + 1, num_players
    claimants = seats if claims else 0
    return (
        Field("hand", (tiles,), 0, 1, "tiles this seat holds"),
        Field("table", (tiles,), 0, 1, "tiles on the table"),
        Field("ends", (arms, numbers), 0, 1, "open number of every arm, one-hot; zeros where nothing can be laid"),
        Field("exposed_doubles", (arms,), 0, 1, "whether a double lies exposed there"),
        Field("arms_begun", (arms,), 0, 1, "whether a tile lies on the arm beyond the opening tile or spinner"),
        Field("open_spinner", (numbers if arms > 2 else 0,), 0, 1, "the spinner while a side of it is free, one-hot"),
        Field("opening", (2,), 0, 1, "whether the line is empty; whether the tile that found the lead must open it"),
        Field("hand_sizes", (seats,), 0, 1, "tiles of every seat, share of the most that a hand can hold"),
        Field("boneyard", (1,), 0, 1, "tiles that can still be drawn, share of those at the deal"),
        Field("to_move", (seats,), 0, 1, "the seat to move, one-hot; zeros when the match is over"),
        Field("leader", (seats,), 0, 1, "who leads, or led, this hand, one-hot"),
        Field("missing", (seats, numbers), 0, 1, "numbers shown not to be held: 1; k unknown tiles later 1 / (1 + k)"),
        Field("passes", (seats,), 0, 1, "passes in this hand, share of the set"),
        Field("draws", (seats,), 0, 1, "draws in this hand, share of the tiles that can be drawn"),
        Field("passes_in_row", (1,), 0, 1, "passes in a row, share of those that block"),
        Field("claim", (2 if claims else 0,), 0, 1, "whether points are decided on: of the last tile; left unclaimed"),
        Field("turn", (claimants,), 0, 1, "whose turn it is, also while others decide; zeros after the match"),
        Field("tile_points", (1 if claims else 0,), 0, 1, "points that the tile's mover decides on, share of the most"),
        Field("unclaimed", (claimants,), 0, 1, "points that a seat left, while others may claim; share of the most"),
        Field("scores", (seats,), -score_bound, score_bound, "in units of the target, or of 100 without one"),
        Field("hands_left", (1,), 0, 1, "hands until `max_hands`, this one included, share of `max_hands`"),
        *own,
        Field("options", (num_features,), 0, 1, OPTIONS_MEANING),
    )


@njit
def observe_line(state, rules, player, observation):
    """Writes every field of what `player` may know."""
    _observe_tiles(state, player, observation)
    _observe_line_ends(state, observation)
    players = len(state.hand_sizes)
    for turn in range(players):
        seat = player + turn - (players if player + turn >= players else 0)
        observation.hand_sizes[turn] = state.hand_sizes[seat] * rules.hand_share
        observation.to_move[turn] = np.float32(seat == state.player and not state.done)
        observation.leader[turn] = np.float32(seat == state.leader)
        observation.passes[turn] = state.passes[seat] * rules.tile_share
        observation.draws[turn] = state.draws[seat] * rules.draw_share
        observation.scores[turn] = state.scores[side_of(rules, seat)] * rules.points_share
        for number in range(state.draws_since_missing.shape[1]):
            observation.missing[turn, number] = CERTAINTY[state.draws_since_missing[seat, number] + 1]
    observation.boneyard[0] = max(0, state.boneyard_size - rules.never_drawn) * rules.draw_share
    observation.passes_in_row[0] = np.float32(state.passes_in_row / players)
    observation.hands_left[0] = (rules.max_hands - state.hands_played) * rules.match_share
    if len(observation.claim) > 0:
        _observe_claims(state, rules, player, observation)
    for i in range(len(rules.features)):
        observation.options[i] = rules.features[i]


@njit
def observe_no_double(state, player, observation):
    """Writes how surely each seat holds no double, where one opens the line."""
    players = len(state.hand_sizes)
    for turn in range(players):
        seat = (player + turn) % players
        observation.no_double[turn] = CERTAINTY[state.draws_since_no_double[seat] + 1]


@njit
def _observe_tiles(state, player, observation):
    for tile in range(len(state.owner)):
        observation.hand[tile] = np.float32(state.owner[tile] == player)
    for tile in range(len(state.owner)):
        observation.table[tile] = np.float32(state.owner[tile] == TABLE)


@njit
def _observe_line_ends(state, observation):
    numbers = state.draws_since_missing.shape[1]
    open_spinner = state.spinner if state.spinner_sides < 2 else -1
    for number in range(len(observation.open_spinner)):
        observation.open_spinner[number] = np.float32(number == open_spinner)
    for arm in range(len(state.ends)):
        for number in range(numbers):
            observation.ends[arm, number] = np.float32(number == state.ends[arm])
        observation.exposed_doubles[arm] = np.float32(state.doubles[arm])
        observation.arms_begun[arm] = np.float32(state.arm_lengths[arm] > 0)
    empty = state.line_length == 0
    observation.opening[0] = np.float32(empty)
    observation.opening[1] = np.float32(empty and state.opening_tile >= 0)


@njit
def _observe_claims(state, rules, player, observation):
    players = len(state.hand_sizes)
    turn_of = state.player if state.phase == PLAY else state.mover
    for turn in range(players):
        seat = (player + turn) % players
        observation.turn[turn] = np.float32(seat == turn_of and not state.done)
        observation.unclaimed[turn] = state.silent_points * rules.tile_points_share if seat == state.silent_seat else 0.0
    observation.claim[0] = np.float32(state.phase == OWN_CLAIM and not state.done)
    observation.claim[1] = np.float32(state.phase == WINDOW and not state.done)
    observation.tile_points[0] = max(0, state.tile_points) * rules.tile_points_share
