"""The options of the line games, their checks, and the records that kernels read them from."""

import math
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np

from domino_envs.core.integers import check_integer, is_integer
from domino_envs.core.tiles import num_tiles

OPTIONS_MEANING = "the options in their order: words one-hot, integers as share of their range on a logarithmic scale"


_LONG = 1_000  # where all sums of small steps are long reached

# The words of options that stand in several games, in the order of the kernels' numbers.
DrawMode = Literal["none", "one_end", "one_then_play", "until_playable"]
FirstLeader = Literal["highest_double", "lot"]
NextLead = Literal["highest_double", "winner", "rotation"]
LeadTile = Literal["any", "highest_double"]
MatchEnd = Literal["immediate", "hand_end"]
Reward = Literal["win", "points"]
Rounding = Literal["none", "r5_each", "r5_sum"]


def integer(default: int | None, low: int, high: int) -> Any:
    """Returns a dataclass field for an integer option in `[low, high]`; a None default may stay None."""
    return field(default=default, metadata={"low": low, "high": high})


@dataclass(frozen=True, kw_only=True)
class DealOptions:
    """Options of the deal and the lead; the values are plain words, listed in the order of the kernels' numbers."""

    max_pip: int = integer(6, 1, 12)
    """The highest number of the set: 6 is the double-six set."""
    hand_size: int = integer(7, 1, 90)
    """Tiles dealt to every seat."""
    partnership: bool = False
    """Four players in two pairs, partners opposite, one score for each pair."""
    draw_mode: DrawMode = "none"
    """What a player does who cannot place: pass, draw and end the turn, draw and play if it fits, or draw until it does."""
    reserve: int = integer(0, 0, 90)
    """Tiles of the boneyard that are never drawn."""
    first_leader: FirstLeader = "highest_double"
    """Who leads the first hand."""
    next_lead: NextLead = "winner"
    """Who leads a later hand; after a hand without a winner, `"winner"` rotates."""


@dataclass(frozen=True, kw_only=True)
class LeadTileOption:
    """What a lead that was found by a tile asks for."""

    lead_tile: LeadTile = "highest_double"
    """What a leader found by the highest double opens with."""


@dataclass(frozen=True, kw_only=True)
class MatchOptions:
    """Options of the match."""

    target: int | None = integer(100, 1, 100_000)
    """The score that ends the match; None plays `max_hands` hands."""
    exact_target: bool = False
    """A credit that overshoots the target is not counted."""
    match_end: MatchEnd = "immediate"
    """Whether the target ends the match at once or after the hand."""
    max_hands: int = integer(100, 1, 100_000)
    """Hands after which the match ends and the highest score wins; 1 makes an episode of one hand."""
    reward: Reward = "win"
    """What a step pays: the match's result at its end, or every point when it is earned."""


@dataclass(frozen=True, kw_only=True)
class LineOptions(MatchOptions, LeadTileOption, DealOptions):
    """The options of the line games, in the order of the bases from the last to the first."""


@dataclass(frozen=True, kw_only=True)
class SpinnerOptions(LineOptions):
    """Options of the line games whose first double may be a spinner."""

    spinner: Literal["none", "first_double"] = "none"
    """Whether both ends of the first double open as two more arms once both its sides have neighbours."""


@dataclass(frozen=True, kw_only=True)
class ClaimOptions(SpinnerOptions):
    """Options of the games that score in play; how points are claimed: core/claims.py."""

    claim_mode: Literal["auto", "muggins"] = "auto"
    """Whether points are credited at once, or have to be claimed, by their mover first, then by the others."""
    false_claims: bool = False
    """Whether a tile's mover may also claim where it scores nothing."""
    false_claim_penalty: int = integer(0, 0, 100)
    """Points that a wrong claim costs."""


def with_player_defaults(defaults: dict[str, dict[int, Any]], num_players: int, options: dict[str, Any]) -> dict[str, Any]:
    """Returns `options` with the defaults that depend on the number of players filled in."""
    by_players = {name: values[num_players] for name, values in defaults.items() if num_players in values}
    return {**by_players, **options}


def pairs_of(options: dict[str, Any]) -> bool:
    """Tells whether options, not checked yet, ask for pairs."""
    value = options.get("partnership", False)
    return isinstance(value, (bool, np.bool_)) and bool(value)


def check_num_players(name: str, num_players: Any, low: int, high: int) -> int:
    """Returns the number of players as an int; raises TypeError or ValueError."""
    if not is_integer(num_players):
        raise TypeError(f"num_players must be an integer, got {num_players!r}")
    if not low <= num_players <= high:
        raise ValueError(f"{name} is for {low} to {high} players, got num_players={num_players}")
    return int(num_players)


class UnknownOption(TypeError):
    """A name that is no option of the game; the faces add the names of their own settings."""

    def __init__(self, message: str):
        super().__init__(message)
        self.settings: set[str] = set()

    def __str__(self) -> str:
        settings = f"; the other settings are {', '.join(sorted(self.settings))}" if self.settings else ""
        return super().__str__() + settings


def make_options(kind: type, name: str, values: dict[str, Any]) -> Any:
    """Returns `kind(**values)`, checked; unknown names raise UnknownOption, bad values TypeError or ValueError."""
    known = [option.name for option in fields(kind)]
    for key in values:
        if key not in known:
            raise UnknownOption(f"{name} has no option {key!r}; its options are {', '.join(known)}")
    options = kind(**{key: _checked(kind, key, value) for key, value in values.items()})
    return options


def _checked(kind: type, key: str, value: Any) -> Any:
    hint = get_type_hints(kind)[key]
    if get_origin(hint) is Literal:
        if not isinstance(value, str):
            raise TypeError(f"{key} must be one of {get_args(hint)}, got {value!r}")
        if value not in get_args(hint):
            raise ValueError(f"{key} must be one of {get_args(hint)}, got {value!r}")
        return str(value)
    if hint is bool:
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError(f"{key} must be True or False, got {value!r}")
        return bool(value)
    return _checked_integer(kind, key, value, hint)


def _checked_integer(kind: type, key: str, value: Any, hint: Any) -> int | None:
    if value is None and type(None) in get_args(hint):
        return None
    limits = next(option.metadata for option in fields(kind) if option.name == key)
    return check_integer(key, value, limits["low"], limits["high"])


def check_line_options(options: Any, num_players: int) -> None:
    """Raises ValueError where options contradict each other or the set is too small."""
    tiles = num_tiles(options.max_pip)
    dealt = num_players * options.hand_size
    if dealt > tiles:
        raise ValueError(
            f"hand_size={options.hand_size} for {num_players} players needs {dealt} tiles, "
            f"a set with max_pip={options.max_pip} has {tiles}"
        )
    if options.partnership and num_players != 4:
        raise ValueError(f"partnership=True needs num_players=4, got {num_players}")
    if options.exact_target and options.target is None:
        raise ValueError("exact_target=True needs a target, got target=None")


def check_exact_target(options: Any, steps: tuple[int, ...], least: int = 0) -> None:
    """Raises ValueError where no credits hit an exact target.

    Args:
        steps: numbers that every credit is a sum of.
        least: the least credit that counts while there is no score.
    """
    target = options.target
    if not options.exact_target or target is None:
        return
    penalty = getattr(options, "false_claim_penalty", 0)
    if penalty:  # from below zero there are more ways
        steps = (math.gcd(*steps, penalty),)
    sums = {0}
    for score in range(1, min(target, _LONG) + 1):
        if any(score - step in sums for step in steps):
            sums.add(score)
    hit = target in sums if target <= _LONG else target % math.gcd(*steps) == 0
    if not hit or target < least:
        raise ValueError(
            f"exact_target=True needs a target that can be reached, got target={target} where every credit is a sum of "
            f"{' and '.join(map(str, steps))}, and the first one at least {least}"
        )


def check_claim_options(options: ClaimOptions) -> None:
    """Raises ValueError where an option of the claims has nothing to act on."""
    if options.false_claims and options.claim_mode != "muggins":
        raise ValueError(f"false_claims=True needs claim_mode='muggins', got {options.claim_mode!r}")
    if options.false_claim_penalty and not options.false_claims:
        raise ValueError(f"false_claim_penalty={options.false_claim_penalty} needs false_claims=True")


def number_of(options: Any, key: str) -> int:
    """Returns the kernels' number of an option: its place among the words, 0 or 1, the integer, or 0 for None."""
    value = getattr(options, key)
    hint = get_type_hints(type(options))[key]
    return get_args(hint).index(value) if get_origin(hint) is Literal else int(value or 0)


def rules_record(options: Any, derived: dict[str, float]) -> np.record:
    """Returns the record `rules` of the kernels: every option as a number, what follows from them, and `features`."""
    numbers = {option.name: number_of(options, option.name) for option in fields(options)}
    features = np.array([value for _, value in option_features(options)], np.float32)
    names = [(key, np.float64 if isinstance(value, float) else np.int64) for key, value in {**numbers, **derived}.items()]
    dtype = np.dtype([*names, ("features", np.float32, len(features))], align=True)
    rules = np.zeros(1, dtype).view(np.recarray)
    for key, value in {**numbers, **derived, "features": features}.items():
        rules[key] = value
    return rules[0]


def option_features(options: Any) -> list[tuple[str, float]]:
    """Returns the options as named features in `[0, 1]` for the observation: words one-hot, integers by their range."""
    hints = get_type_hints(type(options))
    features = []
    for option in fields(options):
        value = getattr(options, option.name)
        if get_origin(hints[option.name]) is Literal:
            words = get_args(hints[option.name])
            features += [(f"{option.name}={word}", float(word == value)) for word in words]
        elif hints[option.name] is bool:
            features.append((option.name, float(value)))
        else:
            features.append((option.name, 0.0 if value is None else _share(value, option.metadata)))
    return features


def _share(value: int, limits: Any) -> float:
    """Returns an integer as a share of its range, on a logarithmic scale, so that small values stay apart."""
    return float(np.log1p(value - limits["low"]) / np.log1p(limits["high"] - limits["low"]))
