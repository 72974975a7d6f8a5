"""A ranking for people: two tables, a file, a picture."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

from domino_agents.intervals import Estimate
from domino_agents.ranking import Ranking


def short_names(agents: list[str]) -> dict[str, str]:
    """Returns a name for every agent that fits a table: of a checkpoint, its folder and file where that tells it apart."""
    short = {agent: "/".join(Path(agent).parts[-2:]) for agent in agents}
    return short if len(set(short.values())) == len(short) else {agent: agent for agent in agents}


def heading(ranking: Ranking) -> str:
    """Returns what was played, in one line."""
    unit = "single hands" if ranking.game.options.max_hands == 1 else "matches"
    deals = f"{ranking.deals} duplicate deals" + (f" of {ranking.asked} asked for" if ranking.deals < ranking.asked else "")
    return f"{ranking.game.id}, {ranking.game.num_players} players, {unit}, {deals}"


def pairings_table(ranking: Ranking) -> Table:
    """Returns the table of pairings: win share and points with 95 % intervals."""
    names = short_names(ranking.agents)
    sides = int(ranking.game.rules.num_sides)
    copies = "" if sides == 2 else f" (one against {sides - 1})"
    caption = f"An even win share is {ranking.even:.3f}{copies}; brackets are 95 % intervals over deals."
    table = Table(title=heading(ranking), caption=caption, min_width=76)
    for column in ("agent", "against"):
        table.add_column(column, overflow="fold")
    for column in ("win share", "points"):
        table.add_column(column, justify="right", no_wrap=True)
    for pairing in ranking.pairings:
        points = f"{pairing.points.mean:+.2f} [{pairing.points.low:+.2f}, {pairing.points.high:+.2f}]"
        table.add_row(names[pairing.first], names[pairing.second], _text(str(pairing.wins)), _text(points))
    return table


def ratings_table(ranking: Ranking) -> Table:
    """Returns the table of ratings, best first, with what every agent's play cost."""
    names = short_names(ranking.agents)
    title = f"Bradley-Terry ratings in Elo units, {names[ranking.anchor]} at 0"
    table = Table(title=title, caption="Illegal attempts must be 0.", min_width=76)
    for column in ("rank", "agent", "rating", "95 % interval", "illegal", "ms a decision"):
        table.add_column(column, justify="left" if column == "agent" else "right", overflow="fold")
    order = np.argsort([-rating for rating, _, _ in ranking.ratings], kind="stable")
    for place, index in enumerate(order.tolist(), start=1):
        (rating, low, high), agent = ranking.ratings[index], ranking.agents[index]
        illegal, _, milliseconds = ranking.effort(agent)
        interval = f"{low:+.0f} to {high:+.0f}" if agent != ranking.anchor else ""
        table.add_row(str(place), names[agent], f"{rating:+.0f}", interval, str(illegal), f"{milliseconds:.4f}")
    return table


def _text(words: str) -> str:
    """Returns words of which rich takes no bracket for markup."""
    return words.replace("[", "\\[")


def write(ranking: Ranking, folder: Path) -> dict[str, Path]:
    """Writes `ranking.json`, `deals.npz` (every deal of every pairing) and `ranking.png`; returns where."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {"results": folder / "ranking.json", "deals": folder / "deals.npz", "picture": folder / "ranking.png"}
    paths["results"].write_text(json.dumps(as_dict(ranking), indent=1, allow_nan=False) + "\n")
    rows = {}
    for number, pairing in enumerate(ranking.pairings):
        for field in ("points", "wins", "illegal", "decisions"):
            rows[f"{number}_{field}"] = getattr(pairing.results, field)
    np.savez_compressed(paths["deals"], deals=ranking.pairings[0].results.deals, **rows)
    draw(ranking, paths["picture"])
    return paths


def as_dict(ranking: Ranking) -> dict[str, Any]:
    """Returns the ranking as plain values: what it was made from, every pairing, every rating.

    The pairings come in the order of their numbers in `deals.npz`.
    """
    pairings = [
        {
            "first": pairing.first,
            "second": pairing.second,
            "win_share": pairing.wins._asdict(),
            "points": pairing.points._asdict(),
            "illegal": pairing.illegal,
            "decisions": pairing.decisions,
            "seconds_deciding": pairing.seconds,
        }
        for pairing in ranking.pairings
    ]
    ratings = {
        agent: {"elo": elo, "low": low, "high": high}
        for agent, (elo, low, high) in zip(ranking.agents, ranking.ratings, strict=True)
    }
    return {
        "manifest": ranking.manifest(),
        "agents": ranking.agents,
        "anchor": ranking.anchor,
        "pairings": pairings,
        "ratings": ratings,
    }


def draw(ranking: Ranking, path: Path) -> None:
    """Draws the payoff matrix and the ratings with their intervals."""
    from matplotlib.figure import Figure

    size = len(ranking.agents)
    figure = Figure(figsize=(7 + 1.6 * size, 2.8 + 0.8 * size), layout="constrained")
    matrix, ratings = figure.subplots(1, 2, width_ratios=[1.2, 1])
    order = np.argsort([-rating for rating, _, _ in ranking.ratings], kind="stable").tolist()
    _draw_matrix(ranking, order, matrix)
    _draw_ratings(ranking, order, ratings)
    figure.suptitle(heading(ranking))
    figure.savefig(path, dpi=130)


def _shares(ranking: Ranking) -> dict[tuple[str, str], Estimate]:
    """Returns the win shares both ways round: those of two sides add up to 1."""
    shares = {(pairing.first, pairing.second): pairing.wins for pairing in ranking.pairings}
    turned = {
        (other, one): Estimate(1 - wins.mean, 1 - wins.high, 1 - wins.low, wins.deals) for (one, other), wins in shares.items()
    }
    return shares if int(ranking.game.rules.num_sides) > 2 else {**turned, **shares}


def _draw_matrix(ranking: Ranking, order: list[int], axes: Any) -> None:
    names = short_names(ranking.agents)
    agents = [ranking.agents[index] for index in order]
    shares = {(agents.index(one), agents.index(other)): wins for (one, other), wins in _shares(ranking).items()}
    means = np.full((len(agents), len(agents)), np.nan)
    for cell, wins in shares.items():
        means[cell] = wins.mean
    reach = max(0.1, float(np.nanmax(np.abs(means - ranking.even))))
    axes.imshow(means, cmap="RdBu", vmin=ranking.even - reach, vmax=ranking.even + reach)
    for (row, column), wins in shares.items():
        dark = abs(wins.mean - ranking.even) > 0.6 * reach
        text = f"{wins.mean:.3f}\n[{wins.low:.3f}, {wins.high:.3f}]"
        axes.text(column, row, text, ha="center", va="center", fontsize=8, color="white" if dark else "black")
    axes.set_xticks(range(len(agents)), [names[agent] for agent in agents], rotation=20, ha="right")
    axes.set_yticks(range(len(agents)), [names[agent] for agent in agents])
    axes.set_title(f"win share of the row against the column\n(even is {ranking.even:.3f})", fontsize=10)


def _draw_ratings(ranking: Ranking, order: list[int], axes: Any) -> None:
    names = short_names(ranking.agents)
    for place, index in enumerate(order):
        rating, low, high = ranking.ratings[index]
        axes.errorbar(
            rating, place, xerr=[[max(rating - low, 0)], [max(high - rating, 0)]], fmt="o", color="tab:blue", capsize=4
        )
    axes.set_yticks(range(len(order)), [names[ranking.agents[index]] for index in order])
    axes.axvline(0, color="grey", linewidth=0.8)
    axes.set_ylim(len(order) - 0.5, -0.5)  # best on top, each in the row of the matrix
    axes.margins(x=0.12)
    axes.set_xlabel("Elo units, 95 % interval over deals")
    axes.set_title(f"Bradley-Terry rating\n({names[ranking.anchor]} at 0)", fontsize=10)
