"""The layout and the piles of a capture game as text."""

import textwrap

from domino_envs.core.capture import NO_TILE, PARTNER, PLAY, VALUE
from domino_envs.core.tiles import FIRST_PILE, SET_ASIDE, TABLE, tile_name
from domino_envs.render.text import WIDTH, count, points
from domino_envs.table import Table


def picture(table: Table) -> list[str]:
    """Returns the layout, every pile with what it scored, and what the next action is for, as lines of text."""
    lines = _wrapped("layout: ", _tiles(table, TABLE), "empty")
    for seat in range(table.game.num_players):
        pile = _tiles(table, FIRST_PILE - seat)
        lines += _wrapped(f"pile of player_{seat}: ", pile, "empty", f", {count(len(pile))}, {points(VALUE[pile].sum())}")
    if aside := _tiles(table, SET_ASIDE):
        lines += _wrapped("set aside: ", aside, "")
    return lines if table.done else [*lines, f"player_{table.player} {_task(table)}"]


def in_one_line(table: Table) -> str:
    """Returns the layout as `[6-4][4-4][15-10]`, in the order of the set."""
    return "".join(f"[{tile_name(tile)}]" for tile in _tiles(table, TABLE))


def _tiles(table: Table, place: int) -> list[int]:
    return [tile for tile, owner in enumerate(table.states["owner"][0].tolist()) if owner == place]


def _wrapped(title: str, tiles: list[int], nothing: str, after: str = "") -> list[str]:
    text = " ".join(map(tile_name, tiles)) + after if tiles else nothing
    return textwrap.wrap(title + text, WIDTH, subsequent_indent=" " * len(title), break_on_hyphens=False)


def _task(table: Table) -> str:
    """Returns what the player to move is to do."""
    phase, picked = table.state.phase, table.state.picked
    if phase == PLAY:
        return "plays a tile"
    if phase == PARTNER:
        return f"has played {tile_name(picked)} and picks its partner"
    return "may claim a pair" if picked == NO_TILE else f"claims {tile_name(picked)} and picks its partner"
