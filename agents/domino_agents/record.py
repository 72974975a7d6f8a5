"""The folder of a ranking: what was asked for, a row for every deal, and what the tables are made from.

`manifest.json` says what made the numbers, `deals.csv` holds a row for every deal and agent of every table, `times.csv` one
for every timed decision. All tables are made from these. A run that is interrupted leaves whole chunks of deals in its
folder; the same command goes on from there.
"""

import csv
import io
import json
import platform
import time
from collections.abc import Iterable
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import domino_envs
from domino_agents.arena import CHUNK, SUITE, DealResults, DealStream, rules_hash
from domino_agents.loading import load_agent
from domino_agents.tournament import Task, Tournament
from domino_envs import load_game

COLUMNS = ("table", "deal", "agent", "points", "wins", "illegal", "decisions")
_LIBRARIES = ("domino-envs", "numpy", "numba", "scipy", "choix", "joblib")
_BUDGETS = ("worlds", "iterations", "seconds")  # what agents that search call their budgets


def manifest(tournament: Tournament, deals: int) -> dict[str, Any]:
    """Returns what makes the numbers (`"played"`), how many deals were asked for, and where it all ran."""
    return {
        "played": {
            "game": tournament.game.id,
            "num_players": tournament.game.num_players,
            "options": asdict(tournament.game.options),
            "rules_hash": rules_hash(tournament.game),
            "agents": tournament.identities,
            "budgets": {name: budget_of(load_agent(name, tournament.game)) for name in tournament.agents},
            "split": tournament.stream.split,
            "seed": tournament.stream.seed,
            "suite": SUITE,
            "chunk": CHUNK,
            "code": code_hash(),
        },
        "deals": deals,
        "date": time.strftime("%Y-%m-%d"),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in _LIBRARIES},
    }


def budget_of(agent: Any) -> dict[str, Any]:
    """Returns how much an agent may think, for agents that search."""
    return {name: getattr(agent, name) for name in _BUDGETS if getattr(agent, name, None) is not None}


@cache
def code_hash() -> str:
    """Returns a hash of the sources of this package and of the environments."""
    digest = sha256()
    for root in (Path(domino_envs.__file__).parent, Path(__file__).parent):
        for source in sorted(root.rglob("*.py")):
            digest.update(source.relative_to(root).as_posix().encode() + source.read_bytes())
    return digest.hexdigest()[:16]


class Rows:
    """The results of every table, chunk by chunk; kept in a folder if there is one.

    Raises:
        ValueError: the folder holds another ranking, or one of more deals.
    """

    def __init__(self, tournament: Tournament, deals: int, folder: Path | None = None):
        self.tournament, self.folder = tournament, folder
        self.manifest = manifest(tournament, deals)
        self.parts: dict[tuple[int, int], DealResults] = {}
        if folder is None:
            return
        if (folder / "manifest.json").exists():
            check_continues(self.manifest, read_manifest(folder), folder)
            self.parts = read_parts(folder, tournament, deals)
        folder.mkdir(parents=True, exist_ok=True)
        _replace(folder / "manifest.json", json.dumps(self.manifest, indent=1) + "\n")
        order = sorted(self.parts, key=lambda key: (key[1], key[0]))  # as they are played
        texts = [_lines(table, tournament.players(table), self.parts[table, start]) for table, start in order]
        _replace(folder / "deals.csv", "".join([_text([COLUMNS]), *texts]))

    def missing(self) -> list[Task]:
        """Returns the chunks that are yet to be played."""
        tasks = self.tournament.tasks(self.manifest["deals"])
        return [task for task in tasks if (task.table, int(task.deals[0])) not in self.parts]

    def add(self, task: Task, results: DealResults) -> None:
        """Keeps the results of a chunk."""
        self.parts[task.table, int(task.deals[0])] = results
        if self.folder is not None:
            with (self.folder / "deals.csv").open("a", newline="") as file:
                file.write(_lines(task.table, self.tournament.players(task.table), results))

    def whole(self) -> list[list[DealResults]]:
        """Returns by table the chunks that all tables have played, in the order of the deals."""
        tables = range(len(self.tournament.tables))
        starts = sorted({start for _, start in self.parts})
        played = [start for start in starts if all((table, start) in self.parts for table in tables)]
        return [[self.parts[table, start] for start in played] for table in tables]


def _lines(table: int, agents: list[str], results: DealResults) -> str:
    deals, *columns = (values.tolist() for values in results)
    rows = (
        (table, deal, agent, *(column[place][role] for column in columns))
        for place, deal in enumerate(deals)
        for role, agent in enumerate(agents)
    )
    return _text(rows)


def _text(rows: Iterable[Iterable[Any]]) -> str:
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    return buffer.getvalue()


def _replace(path: Path, text: str) -> None:
    """Writes a file so that an interruption leaves the old one or the new one."""
    beside = path.with_name(path.name + ".part")
    beside.write_text(text, newline="")
    beside.replace(path)


def read_manifest(folder: Path) -> dict[str, Any]:
    """Returns the manifest of a folder; raises ValueError where there is none."""
    try:
        found = json.loads((folder / "manifest.json").read_text())
        found["played"]["agents"], found["deals"]
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{folder} holds no ranking: {error}") from None
    return found


def check_continues(asked: dict[str, Any], found: dict[str, Any], folder: Path) -> None:
    """Raises ValueError unless what is asked for goes on with what a folder holds."""
    for key, value in asked["played"].items():
        before = found["played"].get(key)
        if before != value:
            raise ValueError(f"{folder} holds a ranking with another {key}: {before!r}, not {value!r}; choose another folder")
    if asked["deals"] < found["deals"]:
        raise ValueError(
            f"{folder} holds a ranking of {found['deals']} deals: ask for as many or more, or choose another folder"
        )


def read_tournament(folder: Path) -> Tournament:
    """Returns what was played for the ranking in a folder; raises ValueError where that is not known here."""
    played = read_manifest(folder)["played"]
    for key, value in (("suite", SUITE), ("chunk", CHUNK)):
        if played[key] != value:
            raise ValueError(f"{folder} was recorded with {key} {played[key]}, this version has {value}")
    game = load_game(played["game"], played["num_players"], **played["options"])
    return Tournament(game, tuple(played["agents"]), DealStream(played["split"], played["seed"]))


def read_parts(folder: Path, tournament: Tournament, deals: int) -> dict[tuple[int, int], DealResults]:
    """Returns the whole chunks in a folder's rows, by table and first deal; what an interruption tore is left out."""
    path = folder / "deals.csv"
    text = path.read_text() if path.exists() else ""
    lines = csv.reader(text[: text.rfind("\n") + 1].splitlines()[1:])
    rows: dict[tuple[int, int], list[list[str]]] = {}
    for line in lines:
        rows.setdefault((int(line[0]), int(line[1]) // CHUNK * CHUNK), []).append(line)
    parts = {}
    for task in tournament.tasks(deals):
        key, players = (task.table, int(task.deals[0])), tournament.players(task.table)
        found = rows.get(key, [])
        if len(found) == len(task.deals) * len(players):
            columns = np.array([line[3:] for line in found], float).reshape(len(task.deals), len(players), 4)
            points, wins, illegal, decisions = np.moveaxis(columns, 2, 0)
            parts[key] = DealResults(task.deals, points, wins, illegal.astype(int), decisions.astype(int))
    return parts


def write_times(folder: Path, times: dict[str, np.ndarray]) -> None:
    """Writes the seconds of every timed decision, `times.csv`."""
    rows = [(agent, seconds) for agent, values in times.items() for seconds in values.tolist()]
    _replace(folder / "times.csv", _text([("agent", "seconds"), *rows]))
