"""What the ladder is made of: the settings that are played, the steps in each, and the gates of a release.

A gate is passed where the lower end of a step's 95 % interval exceeds its number; over the rule player it is enough that one
search of a budget passes. The numbers stand four standard errors below what was measured, so that a sound build passes: in the
settings of the first build of such agents below what that one reached, in the others below what this ladder did.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from domino_envs import load_game
from domino_envs.core.game import Game

_COSTS = (
    "random",
    "greedy",
    "rule",
    "pimc",
    "omniscient",
    "ismcts-500",
    "ismcts-2000",
)  # an agent's decisions, cheapest first


@dataclass(frozen=True)
class Step:
    """One agent that should be ahead of another, over so many duplicate deals; `gate` is what its lower bound must exceed."""

    above: str
    below: str
    deals: int
    gate: float | None = None

    @property
    def name(self) -> str:
        """The step's key in the results."""
        return f"{self.above} > {self.below}"

    @property
    def ceiling(self) -> bool:
        """Whether the upper agent sees hidden tiles."""
        return self.above.startswith("omniscient")

    @property
    def cost(self) -> int:
        """The rank of the dearer agent's decisions."""
        return max(place for place, kind in enumerate(_COSTS) for name in (self.above, self.below) if name.startswith(kind))


@dataclass(frozen=True)
class Setting:
    """A game as it is played for the ladder."""

    name: str
    game: str
    num_players: int
    steps: tuple[Step, ...]
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def slug(self) -> str:
        """The name as part of a file's."""
        return self.name.lower().replace(" ", "-").replace(",", "")


def game_of(setting: Setting) -> Game:
    """Returns the game of a setting."""
    return load_game(setting.game, setting.num_players, **setting.options)


def _ladder(
    seats: int, gates: dict[str, float], by_rule: Sequence[str] = (), more: dict[str, int] | None = None
) -> tuple[Step, ...]:
    """Returns the steps of a ladder: fewer deals where a decision takes long.

    Args:
        gates: by the names of steps.
        by_rule: searches that take all others for rule players, to be played against it too; they are asked for the same
            gates as the others of their budget.
        more: deals of steps that need so many, as the agents are close.
    """
    deals = {
        "random > random": 20_000,
        "greedy > random": 4_000,
        "rule > greedy": 4_000,
        "pimc-100 > rule": 4_000,
        "ismcts-500 > rule": 1_500,
        **{f"{name} > rule": 1_500 for name in by_rule},
        **({"pimc-100 > greedy": 1_500} if "pimc-100 > greedy" in gates else {}),
        "ismcts-500 > pimc-100": 4_000 if seats == 2 else 2_000,
        "ismcts-2000 > ismcts-500": 2_000,
        "omniscient-500 > rule": 500 if seats == 2 else 250,
        **(more or {}),
    }
    gates = {**gates, **{f"{name} > rule": gates[f"{name.split('-rule')[0]} > rule"] for name in by_rule}}
    return tuple(Step(*name.split(" > "), count, gates.get(name)) for name, count in deals.items())


def _gates(greedy: float, rule: float, pimc: float, ismcts: float, pimc_over_greedy: float | None = None) -> dict[str, float]:
    over_greedy = {} if pimc_over_greedy is None else {"pimc-100 > greedy": pimc_over_greedy}
    return {
        "greedy > random": greedy,
        "rule > greedy": rule,
        "pimc-100 > rule": pimc,
        "ismcts-500 > rule": ismcts,
        **over_greedy,
    }


_HAND = {"max_hands": 1}
_LOT = {"max_hands": 1, "first_leader": "lot"}
_FREE = {**_LOT, "lead_tile": "any"}
_SPINNER = {**_LOT, "spinner": "first_double", "draw_mode": "until_playable", "reserve": 0}

_PIMC, _PIMC_INFERS, _ISMCTS_INFERS = "pimc-100-rule", "pimc-100-rule-infer", "ismcts-500-rule-infer"
_WHOLE_SET = {2: (0.94, 0.605), 4: (0.855, 0.295), 8: (0.44, 0.15)}  # High Fives: greedy > random, rule > greedy

SETTINGS = (
    Setting(
        "Block", "block", 2, _ladder(2, _gates(0.565, 0.525, 0.515, 0.52, 0.577), (_PIMC, _PIMC_INFERS, _ISMCTS_INFERS)), _FREE
    ),
    Setting(
        "Draw",
        "draw",
        2,
        _ladder(
            2,
            _gates(0.50, 0.60, 0.55, 0.575, 0.684),
            (_PIMC, _PIMC_INFERS, _ISMCTS_INFERS),
            more={"pimc-100 > rule": 20_000, "ismcts-500-rule-infer > rule": 4_000},
        ),
        _FREE,
    ),
    Setting(
        "All Fives", "all_fives", 2, _ladder(2, _gates(0.595, 0.535, 0.49, 0.50), more={"ismcts-500 > pimc-100": 8_000}), _HAND
    ),
    Setting(
        "All Fives with a spinner",
        "all_fives",
        2,
        _ladder(2, _gates(0.70, 0.58, 0.53, 0.52, 0.631), (_PIMC, _ISMCTS_INFERS), more={"ismcts-500 > pimc-100": 8_000}),
        {**_SPINNER, "hand_size": 7},
    ),
    Setting(
        "All Fives and Threes",
        "all_fives_and_threes",
        2,
        _ladder(
            2,
            _gates(0.63, 0.51, 0.49, 0.505),
            more={"ismcts-500 > rule": 4_000, "ismcts-500 > pimc-100": 12_000, "ismcts-2000 > ismcts-500": 6_000},
        ),
        _HAND,
    ),
    Setting(
        "Fives and Threes",
        "fives_and_threes",
        2,
        _ladder(2, _gates(0.75, 0.53, 0.49, 0.505), more={"ismcts-500 > pimc-100": 8_000}),
        _HAND,
    ),
    Setting(
        "Bergen",
        "bergen",
        2,
        (
            *_ladder(2, _gates(0.56, 0.51, 0.515, 0.535), more={"ismcts-2000 > ismcts-500": 6_000}),
            Step("ismcts-500", "greedy", 1_500, 0.61),
        ),
        _HAND,
    ),
    Setting(
        "High Fives",
        "high_fives",
        2,
        tuple(
            step
            for step in _ladder(2, _gates(0.715, 0.515, 0.485, 0.485), more={"ismcts-500 > rule": 4_000})
            if step.above != "ismcts-2000"
        ),
        _HAND,
    ),
    *(
        Setting(
            f"High Fives, whole set, {seats} seats",
            "high_fives",
            seats,
            (Step("greedy", "random", 4_000, greedy), Step("rule", "greedy", 4_000, rule)),
        )
        for seats, (greedy, rule) in _WHOLE_SET.items()
    ),
    Setting(
        "Block in pairs",
        "block",
        4,
        _ladder(
            4,
            _gates(0.505, 0.57, 0.56, 0.59, 0.691),
            (_PIMC_INFERS, _ISMCTS_INFERS),
            more={"pimc-100 > rule": 12_000, "ismcts-500 > pimc-100": 6_000},
        ),
        {**_FREE, "partnership": True},
    ),
    Setting(
        "Block, 4 seats",
        "block",
        4,
        _ladder(
            4,
            _gates(0.26, 0.305, 0.235, 0.24),
            more={"ismcts-500 > rule": 4_000, "ismcts-500 > pimc-100": 8_000, "ismcts-2000 > ismcts-500": 6_000},
        ),
        _FREE,
    ),
    Setting(
        "Draw, 4 seats",
        "draw",
        4,
        _ladder(4, _gates(0.24, 0.32, 0.24, 0.245), more={"ismcts-500 > pimc-100": 4_000}),
        {**_FREE, "hand_size": 5},
    ),
    Setting(
        "All Fives, 4 seats",
        "all_fives",
        4,
        _ladder(
            4, _gates(0.265, 0.285, 0.255, 0.245), more={"ismcts-500 > pimc-100": 4_000, "ismcts-2000 > ismcts-500": 4_000}
        ),
        _HAND,
    ),
    Setting(
        "All Fives and Threes, 4 seats",
        "all_fives_and_threes",
        4,
        _ladder(4, _gates(0.295, 0.27, 0.26, 0.25), more={"ismcts-2000 > ismcts-500": 6_000}),
        _HAND,
    ),
    Setting(
        "Fives and Threes in pairs",
        "fives_and_threes",
        4,
        _ladder(
            4,
            _gates(0.78, 0.52, 0.495, 0.485),
            more={"pimc-100 > rule": 20_000, "ismcts-500 > pimc-100": 12_000, "ismcts-2000 > ismcts-500": 6_000},
        ),
        {**_HAND, "partnership": True},
    ),
    Setting(
        "Bergen, 4 seats",
        "bergen",
        4,
        _ladder(4, _gates(0.315, 0.26, 0.255, 0.255), more={"ismcts-2000 > ismcts-500": 4_000}),
        _HAND,
    ),
)
