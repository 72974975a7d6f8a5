"""Makes a capture game's `Game` from its options and functions: sizes, bounds, dtypes and the names of its actions."""

from collections.abc import Callable
from typing import Any

from domino_envs.core.capture import VALUE, capture_state_bounds, capture_state_dtype
from domino_envs.core.capture_observation import capture_fields
from domino_envs.core.game import Game, functions_of
from domino_envs.core.options import option_features, rules_record
from domino_envs.core.spaces import Actions, named_actions
from domino_envs.core.tiles import num_tiles, tile_name

SKIP_NAME = "skip"
SKIP_MEANING = "claim no further pair; where `capture` is optional, leave the tile just played"
TILE_MEANING = "a tile, its number plus one: of a pair to claim, of the hand to play, or the partner, as the phase says"


def capture_game(name: str, family: str, version: int, num_players: int, options: Any) -> Game:
    """Returns the `Game` of a capture game.

    Args:
        family: the module in `games/` whose functions play it.
    """
    check_capture_options(options, num_players)
    tiles = num_tiles(options.max_pip)
    scale = float(options.target or 100)
    largest_hand = max(options.first_hand, options.later_hand + options.layout_size // num_players)
    derived = {
        "num_players": num_players,
        "num_sides": num_players,
        "points_scale": scale,
        # Factors of the observation's fields.
        "claim_share": 1.0 / max(options.max_claims, 1),
        "hand_share": 1.0 / largest_hand,
        "tile_share": 1.0 / tiles,
        "points_share": 1.0 / scale,
        "hands_share": 1.0 / options.max_hands if options.max_hands else 0.0,
        "games_share": 1.0 / options.max_games if options.target else 1.0,
    }
    # A score short of the target, and all that one more game can pay.
    highest_score = float((options.target or 0) + VALUE[:tiles].sum())
    fields = capture_fields(num_players, options.max_pip, len(option_features(options)), highest_score / scale)
    longest = capture_bound(tiles, tiles, tiles)  # of any options: they then share one state type, and its compiled code
    to_string, to_action = action_names(options.max_pip)
    return Game(
        name=name,
        version=version,
        num_players=num_players,
        num_actions=1 + tiles,
        max_hand_length=capture_bound(tiles, tiles - options.layout_size, options.max_claims),
        state_dtype=capture_state_dtype(family, num_players, options.max_pip, longest),
        state_bounds=capture_state_bounds(num_players, options.max_pip, options.max_claims, longest),
        observation_fields=fields,
        actions=(Actions(0, 0, SKIP_MEANING), Actions(1, tiles, TILE_MEANING)),
        options=options,
        rules=rules_record(options, derived),
        picture="capture",
        action_to_string=to_string,
        string_to_action=to_action,
        **functions_of(family),
    )


def check_capture_options(options: Any, num_players: int) -> None:
    """Raises ValueError where the set is too small for the first hand and the layout."""
    tiles = num_tiles(options.max_pip)
    needed = num_players * options.first_hand + options.layout_size
    if needed > tiles:
        raise ValueError(
            f"first_hand={options.first_hand} for {num_players} players and layout_size={options.layout_size} need "
            f"{needed} tiles, a set with max_pip={options.max_pip} has {tiles}"
        )


def capture_bound(tiles: int, turns: int, max_claims: int) -> int:
    """Returns a bound on the actions of one game of so many turns.

    A turn has a tile played, at most one partner picked, and either two picks for each of `max_claims` claims, or for
    fewer claims, and a `skip`. All the picks of a game's claims together are of different tiles.
    """
    return min((2 + 2 * max_claims) * turns, 3 * turns + tiles)


def action_names(max_pip: int) -> tuple[Callable[[int], str], Callable[[str], int]]:
    """Returns the functions from an action to its name (`"skip"`, `"6-4"`) and back."""
    names = [SKIP_NAME, *(tile_name(tile) for tile in range(num_tiles(max_pip)))]
    return named_actions(names, f"a tile like '6-4', the higher half first, or {SKIP_NAME!r}")
