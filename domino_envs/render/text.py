"""A table as text: scores and hands, the boneyard, the line of play, the last moves."""

import textwrap

from domino_envs.core.line import ARM_NAMES, LEFT, NO_END, RIGHT
from domino_envs.core.scoring import NOBODY
from domino_envs.core.tiles import HIGH, PIPS, tile_name
from domino_envs.core.turns import NO_CLAIM, OWN_CLAIM, WINDOW
from domino_envs.table import Table

WIDTH = 100  # columns after which a line of text goes on below
LAST_MOVES = 6

Halves = tuple[int, int]  # of a tile as it lies


def render_text(table: Table, pov: int | None = None) -> str:
    """Returns a table as text; with `pov`, a seat, nothing that this seat may not know."""
    lines = [_headline(table)]
    lines += [_seat(table, seat, pov in (None, seat)) for seat in range(table.game.num_players)]
    lines += [f"boneyard: {_count(table.state.boneyard_size)}", *_line(table), *_claims(table), _last_moves(table)]
    return "\n".join(lines)


def history(table: Table) -> list[tuple[int, str]]:
    """Returns `(seat, name of the action)` of every move of the hand."""
    state, size = table.state, int(table.state.history_size)
    moves = zip(state.history_seats[:size].tolist(), state.history[:size].tolist(), strict=True)
    return [(seat, table.game.action_to_string(action)) for seat, action in moves]


def layout(table: Table) -> dict[str, list[Halves]]:
    """Returns the tiles of the hand as they lie, redrawn from its history.

    `"line"` runs from the left end to the right, with the left half of a tile first; `"U"` and `"D"` hold what lies on a
    spinner's other arms, from the spinner outwards.
    """
    drawn: dict[str, list[Halves]] = {"line": [], "U": [], "D": []}
    line = drawn["line"]
    for _, name in history(table):
        if ">" not in name:
            continue
        tile, arm = name.split(">")
        high, low = map(int, tile.split("-"))
        if not line:
            line.append((low, high))
        elif arm == "L":
            line.insert(0, _turned(low, high, line[0][0])[::-1])
        elif arm == "R":
            line.append(_turned(low, high, line[-1][1]))
        else:
            inner = drawn[arm][-1][1] if drawn[arm] else int(table.state.spinner)
            drawn[arm].append(_turned(low, high, inner))
    return drawn


def _turned(low: int, high: int, inner: int) -> Halves:
    """Returns a tile's halves, first the one that touches `inner`."""
    return (low, high) if low == inner else (high, low)


def hand_of(table: Table, seat: int) -> list[str]:
    """Returns the names of the tiles that a seat holds, the heaviest first."""
    tiles = [tile for tile, owner in enumerate(table.states["owner"][0].tolist()) if owner == seat]
    return [tile_name(tile) for tile in sorted(tiles, key=lambda tile: (PIPS[tile], HIGH[tile]), reverse=True)]


def drawn_line(table: Table) -> str:
    """Returns the main line as `[6-4][4-4][4-1]`."""
    return "".join(f"[{a}-{b}]" for a, b in layout(table)["line"])


def _headline(table: Table) -> str:
    state = table.state
    turn = "the game is over" if table.done else f"player_{table.player} to move"
    return f"{table.game.id}, hand {state.hands_played + (0 if table.done else 1)}: {turn}"


def _seat(table: Table, seat: int, is_open: bool) -> str:
    mark = ">" if seat == table.player and not table.done else " "
    tiles = " ".join(hand_of(table, seat)) if is_open else ""
    size = _count(table.state.hand_sizes[seat])
    return f"{mark} player_{seat}: {_points(table.scores[seat])}, {size}{': ' if tiles else ''}{tiles}"


def _count(tiles: int) -> str:
    return f"{tiles} tile" if tiles == 1 else f"{tiles} tiles"


def _points(points: int) -> str:
    return f"{points} point" if points == 1 else f"{points} points"


def _line(table: Table) -> list[str]:
    """Returns the line and a spinner's arms as lines of text, with the open ends below."""
    if table.state.line_length == 0:
        return ["line: empty"]
    drawn = layout(table)
    lines = [] if drawn["line"] else [f"line: {_count(table.state.line_length)}, not on record"]
    for arm, tiles in drawn.items():
        title = "line: " if arm == "line" else f"arm {arm} of [{table.state.spinner}-{table.state.spinner}]: "
        # Blanks only for wrapping: a break may stand between two tiles.
        text = textwrap.wrap(" ".join(f"[{a}-{b}]" for a, b in tiles), WIDTH - len(title)) if tiles else []
        lines += [(title if i == 0 else " " * len(title)) + part.replace(" ", "") for i, part in enumerate(text)]
    return [*lines, "open ends: " + ", ".join(_ends(table))]


def _ends(table: Table) -> list[str]:
    state, words = table.state, {LEFT: "left", RIGHT: "right"}
    return [
        f"{state.ends[arm]}{' (double)' if state.doubles[arm] else ''} {words.get(arm, ARM_NAMES[arm])}"
        for arm in range(len(state.ends))
        if state.ends[arm] != NO_END
    ]


def _claims(table: Table) -> list[str]:
    """Returns what is to be claimed: points of the tile just laid, and points that its mover left to the others."""
    state, lines = table.state, []
    if state.silent_seat != NOBODY:
        asked = f": player_{table.player} decides" if state.phase == WINDOW and not table.done else ""
        lines.append(f"unclaimed: {_points(state.silent_points)} of player_{state.silent_seat}{asked}")
    if state.tile_points != NO_CLAIM:
        asked = f": player_{table.player} decides" if state.phase == OWN_CLAIM and not table.done else ""
        lines.append(f"to claim: {_points(state.tile_points)} of player_{state.mover}{asked}")
    return lines


def _last_moves(table: Table) -> str:
    moves = history(table)[-LAST_MOVES:]
    if moves:
        return "last moves: " + ", ".join(f"player_{seat} {name}" for seat, name in moves)
    paid = [f"player_{seat} {points:+d}" for seat, points in enumerate(table.hand_points.tolist()) if points]
    if table.state.hands_played:
        return "the last hand paid " + (", ".join(paid) or "nobody")
    return "no move yet"
