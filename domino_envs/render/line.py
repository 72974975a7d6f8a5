"""The line of play as text."""

import textwrap

from domino_envs.core.line import ARM_NAMES, LEFT, NO_END, RIGHT
from domino_envs.core.scoring import NOBODY
from domino_envs.core.turns import NO_CLAIM, OWN_CLAIM, WINDOW
from domino_envs.render.text import WIDTH, count, history, points
from domino_envs.table import Table

Halves = tuple[int, int]  # of a tile as it lies


def layout(table: Table) -> dict[str, list[Halves]]:
    """Returns the tiles of the hand as they lie, redrawn from its history; none where that does not tell of all of them.

    `"line"` runs from the left end to the right, with the left half of a tile first; `"U"` and `"D"` hold what lies on a
    spinner's other arms, from the spinner outwards.
    """
    drawn: dict[str, list[Halves]] = {"line": [], "U": [], "D": []}
    line, placements = drawn["line"], [name for _, name in history(table) if ">" in name]
    for name in placements if len(placements) == table.state.line_length else []:
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


def in_one_line(table: Table) -> str:
    """Returns the line as `[6-4][4-4][4-1]`, and a spinner's other arms as `U[4-2]` behind it."""
    drawn = {arm: "".join(f"[{a}-{b}]" for a, b in tiles) for arm, tiles in layout(table).items()}
    if table.state.line_length and not drawn["line"]:
        return _not_on_record(table)
    return " ".join([drawn.pop("line"), *(f"{arm}{tiles}" for arm, tiles in drawn.items() if tiles)])


def picture(table: Table) -> list[str]:
    """Returns the line and a spinner's arms as lines of text, with the open ends and what is to be claimed below."""
    if table.state.line_length == 0:
        return ["line: empty"]
    drawn = layout(table)
    lines = [] if drawn["line"] else [f"line: {_not_on_record(table)}"]
    for arm, tiles in drawn.items():
        title = "line: " if arm == "line" else f"arm {arm} of [{table.state.spinner}-{table.state.spinner}]: "
        # Blanks only for wrapping: a break may stand between two tiles.
        text = textwrap.wrap(" ".join(f"[{a}-{b}]" for a, b in tiles), WIDTH - len(title)) if tiles else []
        lines += [(title if i == 0 else " " * len(title)) + part.replace(" ", "") for i, part in enumerate(text)]
    return [*lines, "open ends: " + ", ".join(_ends(table)), *_claims(table)]


def _not_on_record(table: Table) -> str:
    """Returns how many tiles lie on a table that was set up by hand."""
    return f"{count(table.state.line_length)}, not on record"


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
        lines.append(f"unclaimed: {points(state.silent_points)} of player_{state.silent_seat}{asked}")
    if state.tile_points != NO_CLAIM:
        asked = f": player_{table.player} decides" if state.phase == OWN_CLAIM and not table.done else ""
        lines.append(f"to claim: {points(state.tile_points)} of player_{state.mover}{asked}")
    return lines
