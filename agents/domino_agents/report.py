"""A ranking for people: a table, a file, a picture."""

import json
from pathlib import Path

import numpy as np
from rich.table import Table

from domino_agents.intervals import Estimate
from domino_agents.ranking import Ranking


def short_name(agent: str) -> str:
    """Returns a name that fits a table: of a checkpoint, its folder's."""
    path = Path(agent)
    return f"{path.parent.name}/{path.name}" if path.suffix else agent


def pairings_table(ranking: Ranking) -> Table:
    """Returns the table of pairings: win share and points with 95 % intervals, over how many deals."""
    options = ranking.game.options
    unit = "hand" if options.max_hands == 1 else "match"
    title = f"{ranking.game.id}, {ranking.game.num_players} players, {ranking.deals} duplicate deals, per {unit}"
    table = Table(title=title, caption=f"even is {ranking.even:.3f}; brackets are 95 % intervals over deals")
    for heading in ("agent", "against", "win share", "points", "illegal", "ms a decision"):
        table.add_column(heading, justify="left" if heading in ("agent", "against") else "right")
    for pairing in ranking.pairings:
        table.add_row(
            short_name(pairing.first),
            short_name(pairing.second),
            str(pairing.wins),
            f"{pairing.points.mean:+.2f} [{pairing.points.low:+.2f}, {pairing.points.high:+.2f}]",
            f"{pairing.illegal[0]} / {pairing.illegal[1]}",
            f"{pairing.milliseconds[0]:.3f} / {pairing.milliseconds[1]:.3f}",
        )
    return table


def ratings_table(ranking: Ranking) -> Table:
    """Returns the table of ratings, best first."""
    table = Table(title=f"Bradley-Terry ratings in Elo units; {short_name(ranking.agents[0])} is 0")
    for heading in ("rank", "agent", "rating", "95 % interval"):
        table.add_column(heading, justify="left" if heading == "agent" else "right")
    order = np.argsort([-rating for rating, _, _ in ranking.ratings], kind="stable")
    for place, index in enumerate(order.tolist(), start=1):
        rating, low, high = ranking.ratings[index]
        table.add_row(str(place), short_name(ranking.agents[index]), f"{rating:+.0f}", f"{low:+.0f} to {high:+.0f}")
    return table


def write(ranking: Ranking, folder: Path) -> dict[str, Path]:
    """Writes `ranking.json`, `deals.npz` (every deal of every pairing) and `ranking.png`; returns where."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {"results": folder / "ranking.json", "deals": folder / "deals.npz", "picture": folder / "ranking.png"}
    paths["results"].write_text(json.dumps(as_dict(ranking), indent=1) + "\n")
    rows = {}
    for number, pairing in enumerate(ranking.pairings):
        rows[f"{number}_points"], rows[f"{number}_wins"] = pairing.results.points, pairing.results.wins
    np.savez_compressed(paths["deals"], deals=ranking.pairings[0].results.deals, **rows)
    draw(ranking, paths["picture"])
    return paths


def as_dict(ranking: Ranking) -> dict:
    """Returns the ranking as plain values: what it was made from, every pairing, every rating."""
    pairings = [
        {
            "first": pairing.first,
            "second": pairing.second,
            "win_share": pairing.wins._asdict(),
            "points": pairing.points._asdict(),
            "illegal": pairing.illegal,
            "decisions": pairing.decisions,
            "milliseconds_a_decision": pairing.milliseconds,
        }
        for pairing in ranking.pairings
    ]
    ratings = {name: dict(zip(("elo", "low", "high"), rating, strict=True)) for name, rating in zip(ranking.agents, ranking.ratings, strict=True)}
    return {"manifest": ranking.manifest(), "agents": ranking.agents, "pairings": pairings, "ratings": ratings}


def draw(ranking: Ranking, path: Path) -> None:
    """Draws the payoff matrix and the ratings with their intervals."""
    from matplotlib.figure import Figure

    size = len(ranking.agents)
    figure = Figure(figsize=(5.5 + 1.6 * size, 2.6 + 0.8 * size), layout="constrained")
    matrix, ratings = figure.subplots(1, 2, width_ratios=[1.3, 1])
    _draw_matrix(ranking, matrix)
    _draw_ratings(ranking, ratings)
    options = "single hands" if ranking.game.options.max_hands == 1 else "matches"
    figure.suptitle(f"{ranking.game.id}, {ranking.game.num_players} players, {options}, {ranking.deals} duplicate deals")
    figure.savefig(path, dpi=130)


def _draw_matrix(ranking: Ranking, axes) -> None:
    size, names = len(ranking.agents), [short_name(agent) for agent in ranking.agents]
    shares, texts = np.full((size, size), np.nan), {}
    for pairing in ranking.pairings:
        one, other = ranking.agents.index(pairing.first), ranking.agents.index(pairing.second)
        shares[one, other], texts[one, other] = pairing.wins.mean, pairing.wins
        if ranking.even == 0.5:
            flipped = Estimate(1 - pairing.wins.mean, 1 - pairing.wins.high, 1 - pairing.wins.low, pairing.wins.deals)
            shares[other, one], texts[other, one] = flipped.mean, flipped
    reach = max(0.1, float(np.nanmax(np.abs(shares - ranking.even))))
    axes.imshow(shares, cmap="RdBu", vmin=ranking.even - reach, vmax=ranking.even + reach)
    for (row, column), share in texts.items():
        dark = abs(share.mean - ranking.even) > 0.7 * reach
        text = f"{share.mean:.3f}\n[{share.low:.3f}, {share.high:.3f}]"
        axes.text(column, row, text, ha="center", va="center", fontsize=8, color="white" if dark else "black")
    axes.set_xticks(range(size), names, rotation=20, ha="right")
    axes.set_yticks(range(size), names)
    axes.set_title("win share of the row against the column")


def _draw_ratings(ranking: Ranking, axes) -> None:
    order = np.argsort([rating for rating, _, _ in ranking.ratings], kind="stable").tolist()
    for place, index in enumerate(order):
        rating, low, high = ranking.ratings[index]
        axes.errorbar(rating, place, xerr=[[max(rating - low, 0)], [max(high - rating, 0)]], fmt="o", color="tab:blue", capsize=4)
    axes.set_yticks(range(len(order)), [short_name(ranking.agents[index]) for index in order])
    axes.axvline(0, color="grey", linewidth=0.8)
    axes.set_ylim(-0.6, len(order) - 0.4)
    axes.set_xlabel("Elo units, 95 % interval over deals")
    axes.set_title("Bradley-Terry rating")
