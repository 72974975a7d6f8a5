"""Writes what the ladder measured: the tables of `docs/ladder.md`, and their picture."""

import re
from pathlib import Path
from typing import Any

from ladder_steps import SETTINGS, Setting, Step, game_of

DOCS = Path(__file__).resolve().parent.parent / "docs"
MARKS = ("<!-- ladder -->", "<!-- end of ladder -->")
LEVEL = 0.01  # this close to even, two agents count as level


def even_share(setting: Setting) -> float:
    """Returns the win share of equals."""
    return 1.0 / int(game_of(setting).rules.num_sides)


def verdict(wins: dict[str, float], even: float) -> str:
    """Returns what a step's interval says of its sign."""
    if wins["low"] > even:
        return "ahead"
    if wins["high"] < even:
        return "behind"
    return "level within 1 point" if even - LEVEL < wins["low"] and wins["high"] < even + LEVEL else "open"


def gate_words(step: Step, wins: dict[str, float]) -> str:
    """Returns a step's gate and whether it is passed."""
    if step.gate is None:
        return ""
    return f"{step.gate:g}: {'passed' if wins['low'] > step.gate else 'missed'}"


def rows_of(setting: Setting, entry: dict[str, Any]) -> list[list[str]]:
    """Returns the lines of a setting's table, of the steps that are measured."""
    rows = []
    for step in setting.steps:
        if step.name not in entry["steps"]:
            continue
        wins, points = (entry["steps"][step.name][key] for key in ("wins", "points"))
        milliseconds = entry["milliseconds"].get(step.above)
        share = f"{wins['mean']:.3f} [{wins['low']:.3f}, {wins['high']:.3f}]"
        by = f"{points['mean']:+.2f} [{points['low']:+.2f}, {points['high']:+.2f}]"
        outcome = verdict(wins, even_share(setting))
        time = "" if milliseconds is None else f"{milliseconds:.2g}"
        rows.append([step.name, share, by, str(wins["deals"]), outcome, gate_words(step, wins), time])
    return rows


def section(setting: Setting, entry: dict[str, Any]) -> list[str]:
    """Returns the lines of the page on one setting."""
    words = ", ".join(f"`{key}={value!r}`" for key, value in setting.options.items()) or "as it is"
    heads = ["step", "win share of the first", "points a deal", "deals", "the first is", "gate", "ms a decision"]
    lines = [
        f"### {setting.name}",
        "",
        f"`{setting.game}`, {setting.num_players} seats, {words}; even is {even_share(setting):g}.",
        "",
        f"| {' | '.join(heads)} |",
        f"|{'---|' * len(heads)}",
    ]
    return [*lines, *(f"| {' | '.join(row)} |" for row in rows_of(setting, entry)), ""]


def write_page(results: dict[str, Any]) -> None:
    """Writes the part of the page between the marks, and the picture."""
    found = [(setting, results[setting.name]) for setting in SETTINGS if setting.name in results]
    missing = sum(
        step.name not in results.get(setting.name, {"steps": {}})["steps"] for setting in SETTINGS for step in setting.steps
    )
    lines = [line for setting, entry in found for line in section(setting, entry)]
    note = [f"Not measured yet: {missing} steps.", ""] if missing else []
    text = "\n".join([MARKS[0], "", *note, *lines, MARKS[1]])
    page = DOCS / "ladder.md"
    page.write_text(re.sub(f"{MARKS[0]}.*{MARKS[1]}", lambda _: text, page.read_text(), flags=re.DOTALL))
    draw(found, DOCS / "ladder.png")


def draw(found: list[tuple[Setting, dict[str, Any]]], path: Path) -> None:
    """Draws every step of every setting: how far the win share is from even, with its interval."""
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(step.name for setting, entry in found for step in setting.steps if step.name in entry["steps"]))
    figure = Figure(figsize=(2.1 * len(names) + 2.5, 0.32 * len(found) + 1.4), layout="constrained")
    axes = figure.subplots(1, len(names), sharey=True, squeeze=False)[0]
    for panel, name in zip(axes, names, strict=True):
        panel.axvline(0, color="0.6", linewidth=0.8)
        panel.set_title(name.replace(" > ", "\nover "), fontsize=8)
        panel.tick_params(labelsize=7)
        for place, (setting, entry) in enumerate(found):
            if name in entry["steps"]:
                wins, even = entry["steps"][name]["wins"], even_share(setting)
                panel.plot([100 * (wins["low"] - even), 100 * (wins["high"] - even)], [place, place], color="C0")
                panel.plot(100 * (wins["mean"] - even), place, "o", color="C0", markersize=3)
    axes[0].set_yticks(range(len(found)), [setting.name for setting, _ in found], fontsize=7)
    axes[0].invert_yaxis()
    figure.supxlabel("points of win share over even, with 95 % intervals", fontsize=8)
    figure.savefig(path, dpi=130)
