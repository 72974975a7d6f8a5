"""A table as text: scores, the line of play, the hands that the point of view may see, the last moves."""

import textwrap

from domino_envs.core.tiles import HIGH, LOW, tile_name
from domino_envs.table import Table

WIDTH = 100
LAST_MOVES = 6


def render_text(table: Table, pov: int | None = None) -> str:
    """Returns a table as text; with `pov`, a seat, only what that seat may know."""
    lines = [_headline(table), *_seats(table, pov), f"boneyard: {table.state.boneyard_size} tiles"]
    lines += _line(table)
    moves = history(table)[-LAST_MOVES:]
    if moves:
        lines.append("last moves: " + ", ".join(f"player_{seat} {name}" for seat, name in moves))
    return "\n".join(lines)


def history(table: Table) -> list[tuple[int, str]]:
    """Returns `(seat, action's name)` of every action of the hand."""
    state = table.state
    actions = state.history[: state.history_size].tolist()
    seats = state.history_seats[: state.history_size].tolist()
    return [(seat, table.game.action_to_string(action)) for seat, action in zip(seats, actions, strict=True)]


def layout(table: Table) -> dict[str, list[str]]:
    """Returns the tiles of the hand as they lie, drawn as `[6|4]`, by arm.

    `"L"` holds the main line from its left end to its right end; `"U"` and `"D"` hold a spinner's other arms, outwards.
    """
    line: list[tuple[int, int]] = []
    arms: dict[str, list[tuple[int, int]]] = {"U": [], "D": []}
    for _, name in history(table):
        if ">" not in name:
            continue
        high, low = (int(half) for half in name.split(">")[0].split("-"))
        arm = name[-1]
        if not line:
            line.append((low, high))
        elif arm == "L":
            line.insert(0, _turned(low, high, inner=line[0][0])[::-1])
        elif arm == "R":
            line.append(_turned(low, high, inner=line[-1][1]))
        else:
            inner = arms[arm][-1][1] if arms[arm] else int(table.state.spinner)
            arms[arm].append(_turned(low, high, inner=inner))
    drawn = {"L": line, **arms}
    return {arm: [f"[{a}|{b}]" for a, b in tiles] for arm, tiles in drawn.items() if tiles}


def _turned(low: int, high: int, inner: int) -> tuple[int, int]:
    """Returns a tile's halves, the one that touches `inner` first."""
    return (low, high) if low == inner else (high, low)


def _headline(table: Table) -> str:
    state, game = table.state, table.game
    turn = "the match is over" if table.done else f"player_{table.player} to move"
    return f"{game.id}, hand {state.hands_played + (not table.done)}: {turn}"


def _seats(table: Table, pov: int | None) -> list[str]:
    scores = table.scores
    lines = []
    for seat in range(table.game.num_players):
        tiles = hand(table, seat) if pov is None or pov == seat else [f"{table.state.hand_sizes[seat]} tiles"]
        marker = ">" if seat == table.player and not table.done else " "
        lines.append(f"{marker} player_{seat}  {scores[seat]:4d} points  {' '.join(tiles)}")
    return lines


def hand(table: Table, seat: int) -> list[str]:
    """Returns the names of the tiles that a seat holds, heaviest first."""
    tiles = [tile for tile, owner in enumerate(table.state.owner.tolist()) if owner == seat]
    return [tile_name(tile) for tile in sorted(tiles, key=lambda tile: (-(LOW[tile] + HIGH[tile]), -tile))]


def _line(table: Table) -> list[str]:
    drawn = layout(table)
    if not drawn:
        return ["line: empty"]
    lines = []
    for arm, tiles in drawn.items():
        title = "line: " if arm == "L" else f"from the spinner, arm {arm}: "
        lines += textwrap.wrap(title + " ".join(tiles), WIDTH, subsequent_indent="      ")
    return lines
