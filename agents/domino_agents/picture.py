"""A ranking as a picture: the payoff matrix as a heat map, and the ratings with their intervals."""

from pathlib import Path
from typing import Any

import numpy as np

from domino_agents.ranking import Ranking


def draw(ranking: Ranking, names: dict[str, str], title: str, path: Path) -> None:
    """Draws payoff matrix and ratings side by side, an agent's row at one height in both."""
    from matplotlib.figure import Figure

    size = len(ranking.agents)
    figure = Figure(figsize=(7 + 1.6 * size, 2.8 + 0.8 * size), layout="constrained")
    matrix, ratings = figure.subplots(1, 2, width_ratios=[1.2, 1])
    _draw_matrix(ranking, names, matrix)
    _draw_ratings(ranking, names, ratings)
    figure.suptitle(title)
    figure.savefig(path, dpi=130)


def _draw_matrix(ranking: Ranking, names: dict[str, str], axes: Any) -> None:
    shares = ranking.shares
    means = np.full((len(ranking.agents),) * 2, np.nan)
    for cell, wins in shares.items():
        means[cell] = wins.mean
    reach = max(0.1, float(np.nanmax(np.abs(means - ranking.even))))
    axes.imshow(means, cmap="RdBu", vmin=ranking.even - reach, vmax=ranking.even + reach)
    for (row, column), wins in shares.items():
        dark = abs(wins.mean - ranking.even) > 0.6 * reach
        text = f"{wins.mean:.3f}\n[{wins.low:.3f}, {wins.high:.3f}]"
        axes.text(column, row, text, ha="center", va="center", fontsize=8, color="white" if dark else "black")
    axes.set_xticks(range(len(names)), [names[agent] for agent in ranking.agents], rotation=20, ha="right")
    axes.set_yticks(range(len(names)), [names[agent] for agent in ranking.agents])
    axes.set_title(f"win share of the row against the column\n(even is {ranking.even:.3f})", fontsize=10)


def _draw_ratings(ranking: Ranking, names: dict[str, str], axes: Any) -> None:
    for place, (rating, low, high) in enumerate(ranking.ratings.values()):
        reach = [[max(rating - low, 0)], [max(high - rating, 0)]]
        axes.errorbar(rating, place, xerr=reach, fmt="o", color="tab:blue", capsize=4)
    axes.set_yticks(range(len(names)), [names[agent] for agent in ranking.agents])
    axes.axvline(0, color="grey", linewidth=0.8)
    axes.set_ylim(len(names) - 0.5, -0.5)  # best on top, each in the row of the matrix
    axes.margins(x=0.12)
    axes.set_xlabel("Elo units, 95 % interval over deals")
    axes.set_title(f"rating ({names[ranking.anchor]} at 0)", fontsize=10)
