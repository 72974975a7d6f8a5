"""A learning curve as a picture."""

import csv
from pathlib import Path


def draw_curve(source: Path, path: Path, even: float = 0.5) -> None:
    """Draws the win share by decisions of a `curve.csv`, with 95 % intervals, one line an opponent."""
    from matplotlib.figure import Figure

    with source.open() as file:
        rows = list(csv.DictReader(file))
    figure = Figure(figsize=(7.5, 4.5), layout="constrained")
    axes = figure.subplots()
    for opponent in dict.fromkeys(row["opponent"] for row in rows):
        own = [row for row in rows if row["opponent"] == opponent]
        decisions = [int(row["decisions"]) for row in own]
        share, low, high = ([float(row[key]) for row in own] for key in ("win_share", "low", "high"))
        line = axes.plot(decisions, share, marker="o", label=f"against {opponent}")[0]
        axes.fill_between(decisions, low, high, alpha=0.2, color=line.get_color())
    axes.axhline(even, color="grey", linewidth=0.8, label="even")
    axes.set_xlabel("decisions in self-play")
    axes.set_ylabel("win share per duplicate deal")
    axes.set_title("Learning curve; bands are 95 % intervals over deals")
    figure.legend(loc="outside lower center", ncols=4)  # beside the curves, not on them
    figure.savefig(path, dpi=130)
