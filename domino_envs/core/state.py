"""The state record of the line games: one table, whole."""

from collections.abc import Sequence

import numpy as np

from domino_envs.core.tiles import TABLE, num_tiles


def line_state_dtype(
    family: str,
    num_players: int,
    max_pip: int,
    arms: int,
    history_length: int,
    claims: bool = False,
    own: Sequence[tuple] = (),
) -> np.dtype:
    """Returns the aligned record of a table; its first field bears the name of the module whose functions play it.

    `claims` tells whether points are claimed; without, `history_claims` has no length, by which compiled code knows.
    `own` are the fields of that family alone.
    """
    tiles = num_tiles(max_pip)
    return packed_dtype(
        [
            (family, np.int64),  # the game's fingerprint; its name makes the type of this family's states its own
            *own,
            ("done", np.int8),
            ("player", np.int8),  # the seat to move
            ("leader", np.int8),  # the seat that leads, or led, this hand
            ("lead", np.int8),  # how that seat was found: LEAD_HIGHEST_DOUBLE and so on
            ("passes_in_row", np.int8),
            ("drew", np.int8),  # 1 while the player to move has drawn in this turn
            ("opening_tile", np.int16),  # before the lead: the tile that must open, or -1; then the one that did
            ("line_length", np.int16),
            ("boneyard_size", np.int16),
            ("history_size", np.int16),
            ("spinner", np.int8),  # the number of the double that opens arms, or -1
            ("spinner_sides", np.int8),  # how many of its two sides have neighbours
            ("phase", np.int8),  # what the player to move decides: PLAY, or a claim: OWN_CLAIM, WINDOW
            ("mover", np.int8),  # during a claim, the seat whose turn it is
            ("tile_points", np.int16),  # of the tile just laid, until its mover has decided on the claim; or NO_CLAIM
            ("silent_seat", np.int8),  # the seat that has left points unclaimed, or NOBODY
            ("silent_points", np.int16),
            ("hands_played", np.int32),
            ("rng", np.uint64),
            ("ends", np.int8, arms),
            ("doubles", np.int8, arms),
            ("arm_lengths", np.int8, arms),
            ("rewards", np.float32, num_players),  # of the last step
            ("scores", np.int32, num_players),  # by side
            ("hand_points", np.int32, num_players),  # by side: what the last hand's end paid; 0 if the match ended in play
            ("hand_sizes", np.int8, num_players),
            ("passes", np.int16, num_players),  # in this hand
            ("draws", np.int16, num_players),  # in this hand
            # -1: no evidence; k: the seat held none of this number, and has drawn k unknown tiles since
            ("draws_since_missing", np.int8, (num_players, max_pip + 1)),
            ("owner", np.int8, tiles),  # BONEYARD, TABLE or a seat
            ("boneyard", np.int8, tiles),  # the next tile drawn is boneyard[boneyard_size - 1]
            ("history", np.int16, history_length),  # the actions of this hand
            ("history_seats", np.int8, history_length),
            ("history_claims", np.int8, (history_length if claims else 0,)),  # 1 where the action decided on a claim
        ]
    )


def line_state_bounds(num_players: int, max_pip: int, num_actions: int, history_length: int) -> dict[str, tuple[int, int]]:
    """Returns the lowest and the highest number of every field that kernels index or count by.

    A hand in progress has room for another action: `line_hand_bound` counts passes that never follow the last placement.
    """
    tiles, last_seat = num_tiles(max_pip), num_players - 1
    return {
        "done": (0, 1),
        "player": (0, last_seat),
        "leader": (0, last_seat),
        "lead": (0, 4),
        "passes_in_row": (0, num_players),
        "drew": (0, 1),
        "opening_tile": (-1, tiles - 1),
        "line_length": (0, tiles),
        "boneyard_size": (0, tiles),
        "history_size": (0, history_length - 1),
        "spinner": (-1, max_pip),
        "spinner_sides": (0, 2),
        "phase": (0, 2),
        "mover": (0, last_seat),
        "silent_seat": (-1, last_seat),
        "ends": (-1, max_pip),
        "doubles": (0, 1),
        "arm_lengths": (0, tiles),
        "hand_sizes": (0, tiles),
        "draws_since_missing": (-1, tiles),
        "owner": (TABLE, last_seat),
        "boneyard": (0, tiles - 1),
        "history": (0, num_actions - 1),
        "history_seats": (0, last_seat),
        "history_claims": (0, 1),
    }


def packed_dtype(fields: list[tuple]) -> np.dtype:
    """Returns an aligned record without holes: the first field, then the others by alignment, then filling bytes.

    NumPy does not copy the holes of a record, so equal tables would differ by their bytes.
    """
    ordered = [fields[0], *sorted(fields[1:], key=lambda field: -np.dtype(field[1]).alignment)]
    used = sum(np.dtype(field[1:] if len(field) > 2 else field[1]).itemsize for field in ordered)
    ordered.append(("filling", np.int8, -used % 8 or 8))
    return np.dtype(ordered, align=True)


def line_hand_bound(num_players: int, hand_size: int, drawable: int, claims: bool = False) -> int:
    """Returns a bound on the steps of one hand.

    At most `dealt + drawable - (num_players - 1)` tiles are laid: when somebody goes out the others hold one each. A
    pass needs an empty boneyard (or no drawing), at most `num_players - 1` passes follow a placement without ending the
    hand, and one more blocks it. On the points of each tile laid, every player may decide once.
    """
    placements = num_players * hand_size + drawable - (num_players - 1)
    decisions = num_players * placements if claims else 0
    return num_players * placements + drawable + 1 + decisions


def copy_rows(states: np.ndarray, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
    """Returns copies of some states, as whole records: NumPy's own way, field by field, takes thirty times as long."""
    records = states.view(np.ndarray).view(np.dtype((np.void, states.dtype.itemsize)))
    return records[rows].copy().view(states.dtype).view(type(states))
