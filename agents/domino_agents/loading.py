"""From a name or a file to an agent."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from domino_agents.greedy import GreedyAgent
from domino_agents.random_agent import RandomAgent
from domino_agents.rule import RuleAgent
from domino_envs import load_game
from domino_envs.core.game import Game


def _pimc(game: Game, worlds: str | None, playout: str | None, infer: str | None) -> Any:
    from domino_agents.pimc import PimcAgent

    return PimcAgent(game, int(worlds or 100), playout or "greedy", infer=infer is not None)


def _ismcts(game: Game, iterations: str | None, seconds: str | None, playout: str | None, infer: str | None) -> Any:
    from domino_agents.ismcts import IsmctsAgent

    limit = float(seconds) if seconds else None
    way = {"playout": playout or "random", "infer": infer is not None}
    return IsmctsAgent(game, int(iterations or 500), seconds=limit, **way)


def _omniscient(game: Game, iterations: str | None) -> Any:
    from domino_agents.ismcts import IsmctsAgent

    return IsmctsAgent(game, int(iterations or 500), privileged=True)


def _human(game: Game) -> Any:
    from domino_agents.human import HumanAgent

    return HumanAgent(game)


class _Known(NamedTuple):
    """A kind of agent: its name as it is shown, the pattern of names, and what makes one from the pattern's groups."""

    shown: str
    pattern: str
    make: Any


_WAY = r"(?:-(random|greedy|rule))?(-infer)?"
_KNOWN = [
    _Known("greedy", r"greedy", GreedyAgent),
    _Known("human", r"human", _human),
    _Known("ismcts[-ITERATIONS|-SECONDSs][-PLAYOUT][-infer]", r"ismcts(?:-([0-9]+)|-([0-9]+\.?[0-9]*)s)?" + _WAY, _ismcts),
    _Known("omniscient[-ITERATIONS]", r"omniscient(?:-([0-9]+))?", _omniscient),
    _Known("pimc[-WORLDS][-PLAYOUT][-infer]", r"pimc(?:-([0-9]+))?" + _WAY, _pimc),
    _Known("random", r"random", lambda game: RandomAgent()),
    _Known("rule", r"rule", RuleAgent),
]


def game_of(settings: Mapping[str, Any]) -> Game:
    """Returns the game that the settings of a training describe: `game.options` outweigh what `episode` presets."""
    game = settings["game"]
    return load_game(game["name"], game["num_players"], **{**settings["episode"], **game["options"]})


def agent_names() -> list[str]:
    """Returns the names that `load_agent` knows, with what may follow them in brackets; it takes paths of checkpoints too."""
    return [known.shown for known in _KNOWN]


def load_agent(name: str | Path, game: Game) -> Any:
    """Returns an agent for a game, by its name (`"greedy"`, `"pimc-100"`, `"ismcts-0.1s"`) or by the path of a checkpoint.

    Raises:
        TypeError: `name` is neither a string nor a path, or `game` is not a `Game`.
        ValueError: no such agent or file, a parameter out of range, or a checkpoint of another game.
    """
    if not isinstance(name, (str, Path)):
        raise TypeError(f"an agent is loaded by its name or by the path of a checkpoint, got {name!r}")
    if not isinstance(game, Game):
        raise TypeError(f"game must be a Game, as load_game returns it, got {game!r}")
    for known in _KNOWN:
        if match := re.fullmatch(known.pattern, str(name)):
            try:
                return known.make(game, *match.groups())
            except ValueError as error:
                raise ValueError(f"agent {str(name)!r}: {error}") from None
    path = Path(name)
    if not path.is_file():
        raise ValueError(f"no agent {str(name)!r}; expected one of {', '.join(agent_names())}, or the path of a checkpoint")
    from domino_agents.network import load_checkpoint

    return load_checkpoint(path, game)
