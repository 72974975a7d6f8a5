"""Writes what `docs/games/*.md` takes from the code: options, actions, observation, and a hand drawn as text.

    python docs/write_pages.py                     # make pages

Each part stands between two marks, `<!-- options -->` and `<!-- end of options -->`; the rest of a page is written by hand.
"""

import ast
import inspect
import random
import re
import textwrap
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import accumulate, pairwise
from math import prod
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from domino_envs import game_names, load_game
from domino_envs.core.game import Game
from domino_envs.core.options import option_features
from domino_envs.playthrough import player_counts
from domino_envs.render.text import LAST_MOVES, last_hand_paid, render_text
from domino_envs.table import Table

PAGES = Path(__file__).resolve().parent / "games"
SEED = 28  # of the hands drawn
PAIRS = "4 in pairs"


def main() -> None:
    """Writes the generated parts of every page."""
    for name in game_names():
        path = PAGES / f"{name}.md"
        path.write_text(filled(path.read_text(encoding="utf-8"), name), encoding="utf-8")


def filled(page: str, name: str) -> str:
    """Returns a variant's page with its generated parts as the code has them now; raises ValueError without a part's marks."""
    game = load_game(name)
    parts = {
        "options": option_lines(name),
        "actions": action_lines(game),
        "observation": observation_lines(game),
        "hand": hand_lines(load_game(name, max_hands=1)),
    }
    for part, lines in parts.items():
        start, end = f"<!-- {part} -->", f"<!-- end of {part} -->"
        text = "\n".join([start, *lines, end])
        page, found = re.subn(f"{start}.*?{end}", lambda _, text=text: text, page, flags=re.DOTALL)
        if found != 1:
            raise ValueError(f"the page of {name} must hold {start} and {end} once, got {found}")
    return page


def option_lines(name: str) -> Iterator[str]:
    """Yields the table of options, with their defaults by number of players and their places in the observation."""
    games = {str(players): load_game(name, players) for players in player_counts(name)}
    options = load_game(name).options
    if hasattr(options, "partnership"):
        games[PAIRS] = load_game(name, 4, partnership=True)
    kind, places = type(options), _places(options)
    hints, meanings = get_type_hints(kind), option_meanings(kind)
    yield from _head("option", "default (players)", "values", "meaning", "in `options`")
    for option in fields(kind):
        key = option.name
        defaults = {players: getattr(game.options, key) for players, game in games.items()}
        if key == "partnership" or defaults.get(PAIRS) == defaults.get("4"):
            defaults.pop(PAIRS, None)
        yield _row(f"`{key}`", _by_players(defaults), _values(hints[key], option.metadata), meanings[key], places[key])


def option_meanings(kind: type) -> dict[str, str]:
    """Returns the docstrings below the options of a dataclass, a base's where a class only sets another default."""
    meanings = {}
    for base in reversed([base for base in kind.__mro__ if is_dataclass(base)]):
        body = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0].body
        for option, text in pairwise(body):
            if isinstance(option, ast.AnnAssign) and isinstance(text, ast.Expr):
                meanings[option.target.id] = text.value.value
    return meanings


def _places(options: Any) -> dict[str, str]:
    """Returns where each option stands in the observation's field `options`."""
    places = defaultdict(list)
    for place, (feature, _) in enumerate(option_features(options)):
        places[feature.split("=")[0]].append(place)
    return {option: _span(found[0], len(found)) for option, found in places.items()}


def _by_players(defaults: dict[str, Any]) -> str:
    """Returns a default, or every default with the numbers of players that it is for."""
    players_of = defaultdict(list)
    for players, value in defaults.items():
        players_of[value].append(players)
    if len(players_of) == 1:
        return str(next(iter(players_of)))
    return ", ".join(f"{value} ({', '.join(players)})" for value, players in players_of.items())


def _values(hint: Any, limits: Any) -> str:
    if get_origin(hint) is Literal:
        return ", ".join(get_args(hint))
    if hint is bool:
        return "False, True"
    return f"{limits['low']} to {limits['high']}{', or None' if type(None) in get_args(hint) else ''}"


def action_lines(game: Game) -> Iterator[str]:
    """Yields the table of actions."""
    yield f"`Discrete({game.num_actions})` with the default options:"
    yield ""
    yield from _head("number", "name", "meaning")
    for first, last, meaning in game.actions:
        names = [f"`{game.action_to_string(action)}`" for action in dict.fromkeys((first, last))]
        yield _row(_span(first, last - first + 1), " to ".join(names), meaning)


def observation_lines(game: Game) -> Iterator[str]:
    """Yields the table of the observation's fields, in the order of the tensor."""
    low, high = f"{game.observation_low.min():.4g}", f"{game.observation_high.max():.4g}"
    yield f"`Box({low}, {high}, ({game.observation_size},), float32)` for {game.num_players} players with the default options:"
    yield ""
    yield from _head("field", "shape", "in the tensor", "low", "high", "meaning")
    sizes = [prod(field.shape) for field in game.observation_fields]
    for field, start in zip(game.observation_fields, accumulate(sizes, initial=0), strict=False):
        bounds = (f"{field.low:.4g}", f"{field.high:.4g}")
        shape = " × ".join(map(str, field.shape))
        yield _row(f"`{field.name}`", shape, _span(start, prod(field.shape)), *bounds, field.meaning)


def hand_lines(game: Game) -> Iterator[str]:
    """Yields one hand of random play: the deal, the table after every few moves, the end and what it paid."""
    table, chance = Table(game, seed=SEED), random.Random(SEED)
    yield f"Seed {SEED}, random play; the table at the deal, after every {LAST_MOVES} moves, and at the end of the hand:"
    yield ""
    yield from ("```text", render_text(table))
    moves = 0
    while not table.done:
        table.step(chance.choice(table.legal_actions()))
        moves += 1
        if table.done or moves % LAST_MOVES == 0:
            yield from ("", f"after {moves} moves", render_text(table))
    yield from (last_hand_paid(table), "```")


def _span(first: int, length: int) -> str:
    """Returns places as `first` to `last`, both included; a dash for none."""
    return {0: "–", 1: str(first)}.get(length, f"{first}–{first + length - 1}")


def _head(*titles: str) -> tuple[str, str]:
    return _row(*titles), "|" + "---|" * len(titles)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
