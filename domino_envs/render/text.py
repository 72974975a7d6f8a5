"""A table as text: scores and hands, the boneyard, what lies on the table, the last moves."""

import importlib
from types import ModuleType

from domino_envs.core.tiles import HIGH, PIPS, tile_name
from domino_envs.table import Table

WIDTH = 100  # columns after which a line of text goes on below
LAST_MOVES = 6


def render_text(table: Table, pov: int | None = None) -> str:
    """Returns a table as text; with `pov`, a seat, nothing that this seat may not know."""
    lines = [_headline(table)]
    lines += [_seat(table, seat, pov in (None, seat)) for seat in range(table.game.num_players)]
    lines += [f"boneyard: {count(table.state.boneyard_size)}", *_drawer(table).picture(table), _last_moves(table)]
    return "\n".join(lines)


def show(table: Table, pov: int | None, render_mode: str) -> str | None:
    """Returns a table as text, as `render_text` does, or prints it where the render mode is `"human"`."""
    text = render_text(table, pov)
    return print(text) if render_mode == "human" else text


def history(table: Table) -> list[tuple[int, str]]:
    """Returns `(seat, name of the action)` of every move on record: those of the hand, or of the game."""
    state, size = table.state, int(table.state.history_size)
    moves = zip(state.history_seats[:size].tolist(), state.history[:size].tolist(), strict=True)
    return [(seat, table.game.action_to_string(action)) for seat, action in moves]


def hand_of(table: Table, seat: int) -> list[str]:
    """Returns the names of the tiles that a seat holds, the heaviest first."""
    tiles = [tile for tile, owner in enumerate(table.states["owner"][0].tolist()) if owner == seat]
    return [tile_name(tile) for tile in sorted(tiles, key=lambda tile: (PIPS[tile], HIGH[tile]), reverse=True)]


def in_one_line(table: Table) -> str:
    """Returns what lies on the table in one line of text, empty where nothing does."""
    return _drawer(table).in_one_line(table)


def _drawer(table: Table) -> ModuleType:
    """Returns the module beside this one that draws what lies on the table of such a game."""
    return importlib.import_module(f"domino_envs.render.{table.game.picture}")


def _headline(table: Table) -> str:
    state = table.state
    turn = "the game is over" if table.done else f"player_{table.player} to move"
    return f"{table.game.id}, hand {state.hands_played + (0 if table.done else 1)}: {turn}"


def _seat(table: Table, seat: int, is_open: bool) -> str:
    mark = ">" if seat == table.player and not table.done else " "
    tiles = " ".join(hand_of(table, seat)) if is_open else ""
    size = count(table.state.hand_sizes[seat])
    return f"{mark} player_{seat}: {points(table.scores[seat])}, {size}{': ' if tiles else ''}{tiles}"


def count(tiles: int) -> str:
    """Returns a number of tiles in words."""
    return f"{tiles} tile" if tiles == 1 else f"{tiles} tiles"


def points(number: int) -> str:
    """Returns a number of points in words."""
    return f"{number} point" if number == 1 else f"{number} points"


def _last_moves(table: Table) -> str:
    moves = history(table)[-LAST_MOVES:]
    if moves:
        return "last moves: " + ", ".join(f"player_{seat} {name}" for seat, name in moves)
    return last_hand_paid(table) if table.state.hands_played else "no move yet"


def last_hand_paid(table: Table) -> str:
    """Returns what the end of the last hand paid, in words."""
    paid = [f"player_{seat} {points:+d}" for seat, points in enumerate(table.hand_points.tolist()) if points]
    return f"the last hand paid {', '.join(paid) or 'nobody'}"
