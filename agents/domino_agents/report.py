"""A ranking for people: tables, a file, a picture."""

import json
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from domino_agents.exploit import Probe
from domino_agents.files import replace_text
from domino_agents.intervals import Estimate
from domino_agents.picture import draw
from domino_agents.ranking import Ranking
from domino_agents.record import other_versions


def short_names(agents: list[str]) -> dict[str, str]:
    """Returns a name for every agent that fits a table: of a checkpoint, its folder and file where that tells it apart."""
    short = {agent: "/".join(Path(agent).parts[-2:]) for agent in agents}
    return short if len(set(short.values())) == len(short) else {agent: agent for agent in agents}


def heading(ranking: Ranking) -> str:
    """Returns what was played, in one line."""
    unit = "single hands" if ranking.game.options.max_hands == 1 else "matches"
    deals = f"{ranking.deals} duplicate deals" + (f" of {ranking.asked} asked for" if ranking.deals < ranking.asked else "")
    return f"{ranking.game.id}, {ranking.game.num_players} players, {unit}, {deals}"


def tables(ranking: Ranking) -> list[Table]:
    """Returns the tables of a ranking: pairings, mixed tables where there are any, ratings."""
    company = [company_table(ranking)] if ranking.company else []
    return [pairings_table(ranking), *company, ratings_table(ranking)]


def pairings_table(ranking: Ranking) -> Table:
    """Returns the table of pairings: win share and points with 95 % intervals."""
    names = short_names(ranking.agents)
    copies = "" if ranking.even == 0.5 else f" (one against {round(1 / ranking.even) - 1} copies)"
    caption = f"An even win share is {ranking.even:.3f}{copies}; brackets are 95 % intervals over {ranking.deals} deals."
    table = _table(heading(ranking), caption, words=["agent", "against"], numbers=["win share", "points"])
    for pairing in ranking.pairings:
        _add(table, names[pairing.first], names[pairing.second], pairing.wins, _points(pairing.points))
    return table


def company_table(ranking: Ranking) -> Table:
    """Returns the table of mixed tables: win share and points with 95 % intervals."""
    names = short_names(ranking.agents)
    caption = f"Every side a different agent; an even win share is {ranking.even:.3f}; {ranking.deals} deals a table."
    table = _table("Mixed tables", caption, words=["agent"], numbers=["tables", "win share", "points"])
    for row in ranking.company:
        _add(table, names[row.agent], row.tables, row.wins, _points(row.points))
    return table


def ratings_table(ranking: Ranking) -> Table:
    """Returns the table of ratings, best first, with what every agent's play cost."""
    names = short_names(ranking.agents)
    model = "Bradley-Terry" if ranking.even == 0.5 else "Plackett-Luce"
    title = f"{model} ratings in Elo units, {names[ranking.anchor]} at 0"
    caption = "Ties by rank, at 95 %. Illegal attempts must be 0. Times are of single decisions, on one thread."
    numbers = ["rating", "95 %", "tied with", "illegal", "ms", "p99"]
    table = _table(title, caption, words=["agent"], numbers=numbers)
    for place, (agent, (rating, low, high)) in enumerate(ranking.ratings.items(), start=1):
        effort, ties = ranking.effort[agent], [ranking.agents.index(other) + 1 for other in ranking.tied[agent]]
        interval = f"{low:+.0f}, {high:+.0f}" if agent != ranking.anchor else ""
        cells = f"{rating:+.0f}", interval, " ".join(map(str, ties)), effort.illegal
        _add(table, f"{place}. {names[agent]}", *cells, f"{effort.mean_ms:.2g}", f"{effort.p99_ms:.2g}")
    return table


def probes_table(probes: list[Probe], title: str) -> Table:
    """Returns the table of what responses gain against an agent."""
    together = f"Over {probes[0].wins.deals} deals; all intervals, of shares and points, hold together at 95 % (Bonferroni)."
    caption = f"{together} The lower bound on exploitability is the highest of the lower ends."
    table = _table(title, caption, words=["response"], numbers=["win share", "points"])
    for row in probes:
        _add(table, row.response, row.wins, _points(row.points))
    return table


def _table(title: str, caption: str, words: list[str], numbers: list[str]) -> Table:
    table = Table(title=escape(title), caption=escape(caption), min_width=76)
    for column in words:
        table.add_column(column, overflow="fold")
    for column in numbers:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _add(table: Table, *cells: Any) -> None:
    """Adds a row of texts in which no bracket is markup."""
    table.add_row(*(escape(str(cell)) for cell in cells))


def _points(value: Estimate) -> str:
    return f"{value.mean:+.2f} [{value.low:+.2f}, {value.high:+.2f}]"


def findings(ranking: Ranking) -> list[str]:
    """Returns what the tables do not show: which order may be claimed, and where the ratings fall short."""
    names, residual = short_names(ranking.agents), ranking.residual
    order = [names[ranking.agents[0]]]
    for _, below, step in ranking.steps:
        order.append(f"{'>' if step.clear else '~'} {names[below]} (p {step.p:.2g})")
    others = " v ".join(names[agent] for agent in residual.table)
    cycles = [" > ".join(names[agent] for agent in (*triple, triple[0])) for triple in ranking.cycles]
    mixture = ", ".join(f"{names[agent]} {weight:.2f}" for agent, weight in ranking.mixture.items() if weight > 0.005)
    manifest = ranking.manifest
    changes = [other_versions(then, manifest["versions"]) for then in manifest["earlier_versions"]]
    return [
        *(f"part of it was played with {change}" for change in changes if change),
        f"order (> at 95 %, Holm): {' '.join(order)}",
        f"worst fit: {names[residual.agent]} at {others}: {residual.wins}, ratings foretell {residual.expected:.3f}",
        f"cycles at 95 %: {'; '.join(cycles) or 'none'}",
        f"mixture that nobody beats: {mixture}",
    ]


def write(ranking: Ranking, folder: Path) -> dict[str, Path]:
    """Writes `ranking.json` and `ranking.png`; returns where."""
    paths = {"results": folder / "ranking.json", "picture": folder / "ranking.png"}
    replace_text(paths["results"], json.dumps(as_dict(ranking), indent=1, allow_nan=False) + "\n")
    draw(ranking, short_names(ranking.agents), heading(ranking), paths["picture"])
    return paths


def as_dict(ranking: Ranking) -> dict[str, Any]:
    """Returns the ranking as plain values: what it was made from, every pairing, every rating, every finding."""
    pairings = [
        {"first": first, "second": second, "win_share": wins._asdict(), "points": points._asdict()}
        for first, second, wins, points in ranking.pairings
    ]
    company = [
        {"agent": agent, "tables": tables, "win_share": wins._asdict(), "points": points._asdict()}
        for agent, tables, wins, points in ranking.company
    ]
    ratings = {
        agent: {"elo": elo, "low": low, "high": high, "tied_with": ranking.tied[agent], **ranking.effort[agent]._asdict()}
        for agent, (elo, low, high) in ranking.ratings.items()
    }
    steps = [{"above": above, "below": below, "p_holm": step.p, "clear": step.clear} for above, below, step in ranking.steps]
    return {
        "manifest": ranking.manifest,
        "deals": ranking.deals,
        "anchor": ranking.anchor,
        "ratings": ratings,
        "order": steps,
        "pairings": pairings,
        "mixed_tables": company,
        "worst_fit": {**ranking.residual._asdict(), "wins": ranking.residual.wins._asdict()},
        "cycles": ranking.cycles,
        "mixture": ranking.mixture,
    }
