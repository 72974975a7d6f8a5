"""Makes a line game's `Game` from its options and functions: sizes, bounds, dtypes and the names of its actions."""

from collections.abc import Callable

from domino_envs.core.game import Game
from domino_envs.core.line import ARM_NAMES
from domino_envs.core.observation import line_fields, observation_bounds, observation_dtype
from domino_envs.core.options import LineOptions, check_line_options, option_features, rules_record
from domino_envs.core.state import line_hand_bound, line_state_dtype
from domino_envs.core.tiles import num_tiles, tile_name

SPECIAL_ACTIONS = ("draw", "pass", "claim")  # their numbers follow those of the placements
ARMS = 2


def line_game(
    name: str,
    family: str,
    version: int,
    num_players: int,
    options: LineOptions,
    *,
    ends_count: bool,
    hand_bound: int,
    functions: dict[str, Callable],
) -> Game:
    """Returns the `Game` of a line game.

    Args:
        family: the module in `games/` whose functions play it.
        ends_count: whether the pips of the open ends score, so that an exposed double differs from a single.
        hand_bound: a bound on the points that one hand can pay to one side.
        functions: the five functions of the contract, by name.
    """
    check_line_options(options, num_players)
    tiles, boneyard = num_tiles(options.max_pip), num_tiles(options.max_pip) - num_players * options.hand_size
    drawable = max(0, boneyard - options.reserve) if options.draw_mode != "none" else 0
    length = line_hand_bound(num_players, options.hand_size, drawable)
    draw_action = tiles * ARMS
    scale = float(options.target or 100)
    derived = {
        "num_players": num_players,
        "num_sides": 2 if options.partnership else num_players,
        "ends_count": int(ends_count),
        "draw_action": draw_action,
        "pass_action": draw_action + 1,
        "points_scale": scale,
        "never_drawn": boneyard - drawable,
        # Factors of the observation's fields.
        "hand_share": 1.0 / (options.hand_size + drawable),
        "draw_share": 1.0 / max(drawable, 1),
        "tile_share": 1.0 / tiles,
        "points_share": 1.0 / scale,
        "match_share": 1.0 / options.max_hands,
    }
    most_hands = options.max_hands if options.target is None else 1 + options.target / hand_bound
    fields = line_fields(
        num_players, options.max_pip, ARMS, len(option_features(options)), hand_bound * (1 + most_hands) / scale
    )
    low, high = observation_bounds(fields)
    to_string, to_action = action_names(options.max_pip, ARMS)
    return Game(
        name=name,
        version=version,
        num_players=num_players,
        num_actions=draw_action + len(SPECIAL_ACTIONS),
        max_hand_length=length,
        # The longest hand of any options: they then share one state type, and its compiled code.
        state_dtype=line_state_dtype(
            family, num_players, options.max_pip, ARMS, line_hand_bound(num_players, 1, tiles - num_players)
        ),
        observation_dtype=observation_dtype(fields),
        observation_low=low,
        observation_high=high,
        options=options,
        rules=rules_record(options, derived),
        picture="line",
        action_to_string=to_string,
        string_to_action=to_action,
        **functions,
    )


def action_names(max_pip: int, arms: int) -> tuple[Callable[[int], str], Callable[[str], int]]:
    """Returns the functions from an action to its name (`"6-4>L"`, `"draw"`, `"pass"`, `"claim"`) and back."""
    names = [f"{tile_name(tile)}>{ARM_NAMES[arm]}" for tile in range(num_tiles(max_pip)) for arm in range(arms)]
    names += SPECIAL_ACTIONS
    actions = {name: action for action, name in enumerate(names)}

    def action_to_string(action: int) -> str:
        if not 0 <= action < len(names):
            raise ValueError(f"an action is from 0 to {len(names) - 1}, got {action}")
        return names[action]

    def string_to_action(name: str) -> int:
        if name not in actions:
            raise ValueError(f"no action {name!r}; expected a placement like '6-4>L', or one of {SPECIAL_ACTIONS}")
        return actions[name]

    return action_to_string, string_to_action
