"""Makes a line game's `Game` from its options and functions: sizes, bounds, dtypes and the names of its actions."""

from collections.abc import Callable, Sequence
from typing import Any

from domino_envs.core.game import Game, functions_of
from domino_envs.core.line import ARM_NAMES
from domino_envs.core.observation import line_fields
from domino_envs.core.opening import OPEN_ANY_TILE
from domino_envs.core.options import check_line_options, option_features, rules_record
from domino_envs.core.spaces import Actions, Field, named_actions
from domino_envs.core.state import line_hand_bound, line_state_bounds, line_state_dtype
from domino_envs.core.tiles import num_tiles, tile_name

# Their numbers follow those of the placements.
SPECIAL_ACTIONS = {
    "draw": "take the next tile of the boneyard, where `draw_mode` has the player draw",
    "pass": "where no tile can be laid or drawn; in a decision about points: leave them",
    "claim": "take the points that are decided on, where points are claimed",
}
# What the kernels ask of every game, and not every game has as an option.
WITHOUT_OPTION = {"lead_tile": 0, "lead_rule": OPEN_ANY_TILE, "fill_opening_double_first": 0, "opening_threshold": 0}


def line_game(
    name: str,
    family: str,
    version: int,
    num_players: int,
    options: Any,
    *,
    ends_count: bool,
    hand_bound: int,
    tile_bound: int = 0,
    doubles_score: bool = False,
    opening_passes: int = 0,
    own_state: Sequence[tuple] = (),
    own_bounds: dict[str, tuple[int, int]] | None = None,
    own_observation: Sequence[Field] = (),
) -> Game:
    """Returns the `Game` of a line game.

    Args:
        family: the module in `games/` whose functions play it.
        options: a frozen dataclass of `DealOptions`, `MatchOptions` and the game's own.
        ends_count: whether the pips of the open ends score, so that an exposed double differs from a single.
        hand_bound: a bound on the points that one hand can pay to one side.
        tile_bound: a bound on the points that one tile can score in play.
        doubles_score: whether a double lying exposed scores by itself, 0-0 too.
        opening_passes: a bound on the passes of a hand before its first tile is laid.
        own_state, own_bounds, own_observation: of the fields of this game alone, as in `line_state_dtype`,
            `line_state_bounds` and `line_fields`.
    """
    check_line_options(options, num_players)
    tiles, boneyard = num_tiles(options.max_pip), num_tiles(options.max_pip) - num_players * options.hand_size
    drawable = max(0, boneyard - options.reserve) if options.draw_mode != "none" else 0
    # What only some line games offer.
    arms = 4 if getattr(options, "spinner", "none") == "first_double" else 2
    claims = getattr(options, "claim_mode", "auto") == "muggins"
    length = opening_passes + line_hand_bound(num_players, options.hand_size, drawable, claims)
    longest = opening_passes + line_hand_bound(num_players, 1, tiles - num_players, claims)  # of any options
    draw_action = tiles * arms
    num_actions = draw_action + len(SPECIAL_ACTIONS)
    scale = float(options.target or 100)
    derived = {
        **{key: value for key, value in WITHOUT_OPTION.items() if not hasattr(options, key)},
        "num_players": num_players,
        "num_sides": 2 if options.partnership else num_players,
        "ends_count": int(ends_count),
        "doubles_score": int(doubles_score),
        "draw_action": draw_action,
        "pass_action": draw_action + 1,
        "claim_action": draw_action + 2,
        "points_scale": scale,
        "never_drawn": boneyard - drawable,
        # Factors of the observation's fields.
        "hand_share": 1.0 / (options.hand_size + drawable),
        "draw_share": 1.0 / max(drawable, 1),
        "tile_share": 1.0 / tiles,
        "points_share": 1.0 / scale,
        "tile_points_share": 1.0 / max(tile_bound, 1),
        "match_share": 1.0 / options.max_hands,
    }
    most_hands = options.max_hands if options.target is None else 1 + options.target / hand_bound
    most_lost = tiles * getattr(options, "false_claim_penalty", 0) * options.max_hands
    score_bound = (hand_bound * (1 + most_hands) + most_lost) / scale
    fields = line_fields(
        num_players, options.max_pip, arms, len(option_features(options)), score_bound, claims, own_observation
    )
    to_string, to_action = action_names(options.max_pip, arms)
    return Game(
        name=name,
        version=version,
        num_players=num_players,
        num_actions=num_actions,
        max_hand_length=length,
        # With room for the longest hand all options share one state type, and its compiled code.
        state_dtype=line_state_dtype(family, num_players, options.max_pip, arms, longest, claims, own_state),
        state_bounds={**line_state_bounds(num_players, options.max_pip, num_actions, longest), **(own_bounds or {})},
        observation_fields=fields,
        actions=line_actions(tiles, arms),
        options=options,
        rules=rules_record(options, derived),
        picture="line",
        action_to_string=to_string,
        string_to_action=to_action,
        **functions_of(family),
    )


def line_actions(tiles: int, arms: int) -> tuple[Actions, ...]:
    """Returns what the actions mean, in the order of their numbers."""
    placements = tiles * arms
    meaning = f"lay a tile on an arm ({', '.join(ARM_NAMES[:arms])}): the tile's number times {arms}, plus the arm's"
    special = (Actions(placements + i, placements + i, what) for i, what in enumerate(SPECIAL_ACTIONS.values()))
    return (Actions(0, placements - 1, meaning), *special)


def action_names(max_pip: int, arms: int) -> tuple[Callable[[int], str], Callable[[str], int]]:
    """Returns the functions from an action to its name (`"6-4>L"`, `"draw"`, `"pass"`, `"claim"`) and back."""
    names = [f"{tile_name(tile)}>{ARM_NAMES[arm]}" for tile in range(num_tiles(max_pip)) for arm in range(arms)]
    names += SPECIAL_ACTIONS
    return named_actions(names, f"a placement like '6-4>L', or one of {tuple(SPECIAL_ACTIONS)}")
