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
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import domino_envs
from domino_agents.arena import CHUNK, SUITE, DealResults, DealStream, rules_hash
from domino_agents.files import replace_text
from domino_agents.tournament import Task, Tournament
from domino_envs import load_game

COLUMNS = ("table", "deal", "agent", "points", "wins", "illegal", "decisions")
_LIBRARIES = ("domino-envs", "numpy", "numba", "scipy", "choix", "joblib", "torch")
_FIELDS: tuple[tuple[str, Callable[[Any], bool], str], ...] = (  # of a manifest: what each must be
    ("played", lambda value: isinstance(value, dict), "an object"),
    *((f"played.{name}", lambda value: isinstance(value, str), "a string") for name in ("game", "split", "code")),
    *((f"played.{name}", lambda value: isinstance(value, dict), "an object") for name in ("options", "budgets")),
    *(
        (f"played.{name}", lambda value: type(value) is int and value >= 0, "a non-negative integer")
        for name in ("num_players", "rules_hash", "seed", "suite", "chunk")
    ),
    (
        "played.agents",
        lambda value: isinstance(value, dict) and all(isinstance(identity, str) for identity in value.values()),
        "an object of names and what they stand for",
    ),
    ("deals", lambda value: type(value) is int and 2 <= value < 2**53, "an integer of 2 or more"),
    ("short", lambda value: value is None or (type(value) is int and 0 < value < 2**53), "null or a positive integer"),
    ("versions", lambda value: isinstance(value, dict), "an object"),
    (
        "earlier_versions",
        lambda value: isinstance(value, list) and all(isinstance(one, dict) for one in value),
        "a list of objects",
    ),
)
_BUDGETS = ("worlds", "iterations", "seconds")  # what agents that search call their budgets


def manifest(tournament: Tournament, deals: int) -> dict[str, Any]:
    """Returns what makes the numbers (`"played"`), how many deals were asked for, and with what it ran.

    `"short"` is how many deals were asked for before, where they ended in a chunk cut short that is yet to be played again.
    """
    return {
        "played": {
            "game": tournament.game.id,
            "num_players": tournament.game.num_players,
            "options": asdict(tournament.game.options),
            "rules_hash": rules_hash(tournament.game),
            "agents": tournament.identities,
            "budgets": {name: budget_of(tournament.loaded[name]) for name in tournament.agents},
            "split": tournament.stream.split,
            "seed": tournament.stream.seed,
            "suite": SUITE,
            "chunk": CHUNK,
            "code": code_hash(),
        },
        "deals": deals,
        "short": None,
        "date": time.strftime("%Y-%m-%d"),
        "versions": versions(),
        "earlier_versions": [],
    }


def versions() -> dict[str, str]:
    """Returns the versions of Python and of the libraries that numbers may depend on."""
    return {"python": platform.python_version(), **{name: version(name) for name in _LIBRARIES}}


def other_versions(then: dict[str, str], now: dict[str, str]) -> str:
    """Returns in words what had another version; nothing where all had the same."""
    return ", ".join(f"{name} {then.get(name)} (now {now[name]})" for name in now if then.get(name) != now[name])


def budget_of(agent: Any) -> dict[str, Any]:
    """Returns how much an agent may think, for agents that search."""
    return {name: getattr(agent, name) for name in _BUDGETS if getattr(agent, name, None) is not None}


@cache
def code_hash() -> str:
    """Returns a hash of the sources of this package and of the environments, and of the weights that they come with."""
    return hash_of(Path(domino_envs.__file__).parent, Path(__file__).parent)


def hash_of(*packages: Path) -> str:
    """Returns a hash of the sources and weights in the folders of packages."""
    digest = sha256()
    for root in packages:
        for source in sorted(path for path in root.rglob("*") if path.suffix in (".py", ".json")):
            digest.update(source.relative_to(root).as_posix().encode() + source.read_bytes())
    return digest.hexdigest()[:16]


class Rows:
    """The results of every table, chunk by chunk; kept in a folder if there is one.

    A chunk that an earlier number of deals cut short counts until it was played again with all its deals.

    Raises:
        ValueError: the folder holds another ranking, or more deals than are asked for.
    """

    def __init__(self, tournament: Tournament, deals: int, folder: Path | None = None):
        self.tournament, self.folder = tournament, folder
        self.manifest = manifest(tournament, deals)
        self.parts: dict[tuple[int, int], DealResults] = {}
        self.short: dict[tuple[int, int], DealResults] = {}
        if folder is None:
            return
        if (folder / "manifest.json").exists():
            self._go_on(read_manifest(folder))
        self._write_rows()  # first: rows of fewer deals are read under either manifest
        self._write_manifest()

    def _go_on(self, found: dict[str, Any]) -> None:
        """Takes over what the folder holds."""
        check_continues(self.manifest, found, self.folder)
        parts, deals = read_parts(self.folder, self.tournament, found), self.manifest["deals"]
        played = max((int(part.deals[-1]) + 1 for part in parts.values()), default=0)
        if deals < played:
            raise ValueError(f"{self.folder} holds {played} deals: ask for as many or more, or choose another folder")
        for (table, start), part in parts.items():
            whole = len(part.deals) == min(CHUNK, deals - start)
            (self.parts if whole else self.short)[table, start] = part
        if self.short:
            self.manifest["short"] = max(int(part.deals[-1]) + 1 for part in self.short.values())
        self.manifest["earlier_versions"] = found["earlier_versions"]
        if other_versions(found["versions"], self.manifest["versions"]):
            self.manifest["earlier_versions"] = [*found["earlier_versions"], found["versions"]]

    def _write_manifest(self) -> None:
        replace_text(self.folder / "manifest.json", json.dumps(self.manifest, indent=1) + "\n")

    def _write_rows(self) -> None:
        parts = {**self.short, **self.parts}
        order = sorted(parts, key=lambda key: (key[1], key[0]))  # as they are played
        texts = [_lines(table, self.tournament.players(table), parts[table, start]) for table, start in order]
        replace_text(self.folder / "deals.csv", "".join([_text([COLUMNS]), *texts]))

    def missing(self) -> list[Task]:
        """Returns the chunks that are yet to be played."""
        tasks = self.tournament.tasks(self.manifest["deals"])
        return [task for task in tasks if (task.table, int(task.deals[0])) not in self.parts]

    def add(self, task: Task, results: DealResults) -> None:
        """Keeps the results of a chunk."""
        key = task.table, int(task.deals[0])
        self.parts[key] = results
        if self.short.pop(key, None) is not None:
            self._write_rows()
            if not self.short:
                self.manifest["short"] = None
                self._write_manifest()
        elif self.folder is not None:
            with (self.folder / "deals.csv").open("a", newline="") as file:
                file.write(_lines(task.table, self.tournament.players(task.table), results))

    def whole(self) -> list[list[DealResults]]:
        """Returns by table the chunks that all tables have played with the same deals, in the order of the deals."""
        tables, parts = range(len(self.tournament.tables)), {**self.short, **self.parts}
        starts = sorted({start for _, start in parts})
        sizes = {
            start: {len(parts[table, start].deals) if (table, start) in parts else 0 for table in tables} for start in starts
        }
        played = [start for start in starts if len(sizes[start]) == 1]
        return [[parts[table, start] for start in played] for table in tables]


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


def read_manifest(folder: Path) -> dict[str, Any]:
    """Returns the manifest of a folder; raises ValueError where there is none, or one with a field missing or damaged."""
    path = folder / "manifest.json"
    try:
        found = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise ValueError(f"{folder} holds no ranking: {path}: {error}") from None
    for name, fits, expected in _FIELDS:
        value = found
        for key in name.split("."):
            value = value.get(key) if isinstance(value, dict) else None
        if not fits(value):
            raise ValueError(f"{path}: {name} must be {expected}, got {value!r}")
    return found


def check_continues(asked: dict[str, Any], found: dict[str, Any], folder: Path) -> None:
    """Raises ValueError unless what is asked for is what a folder holds, or more of it."""
    for key, value in asked["played"].items():
        before = found["played"].get(key)
        if before != value:
            raise ValueError(f"{folder} holds a ranking with another {key}: {before!r}, not {value!r}; choose another folder")


def read_tournament(folder: Path) -> Tournament:
    """Returns what was played for the ranking in a folder; raises ValueError where that is not known here."""
    played, path = read_manifest(folder)["played"], folder / "manifest.json"
    for key, value in (("suite", SUITE), ("chunk", CHUNK)):
        if played[key] != value:
            raise ValueError(f"{folder} was recorded with {key} {played[key]}, this version has {value}")
    try:
        game = load_game(played["game"], played["num_players"], **played["options"])
        tournament = Tournament(game, tuple(played["agents"]), DealStream(played["split"], played["seed"]))
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error
    if tournament.agents != tuple(sorted(played["agents"])):
        raise ValueError(f"{path}: played.agents must be {list(tournament.agents)}, got {sorted(played['agents'])}")
    return tournament


def read_parts(folder: Path, tournament: Tournament, manifest: dict[str, Any]) -> dict[tuple[int, int], DealResults]:
    """Returns the chunks in a folder's rows, by table and first deal; what an interruption tore is left out.

    Raises:
        ValueError: a line that is not what the tournament writes in its place; names file, line and what was expected.
    """
    path, deals, short = folder / "deals.csv", manifest["deals"], manifest["short"] or 0
    try:
        text = path.read_text() if path.exists() else ""
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not text: {error}") from None
    found: dict[tuple[int, int], list[list[float]]] = {}
    lines = csv.reader(text.split("\n")[:-1])  # a last line without its end is torn
    try:
        for line in lines:
            if lines.line_num == 1:
                _check(tuple(line) == COLUMNS, ",".join(COLUMNS), ",".join(line))
            else:
                _take(line, tournament, deals, found)
    except (csv.Error, ValueError) as error:
        raise ValueError(f"{path}, line {lines.line_num}: {error}") from None
    parts = {key: _part(key, rows, tournament, (deals, short)) for key, rows in found.items()}
    return {key: part for key, part in parts.items() if part is not None}


def _take(line: list[str], tournament: Tournament, deals: int, found: dict[tuple[int, int], list[list[float]]]) -> None:
    """Adds the values of a line to those of its chunk; raises ValueError unless the line is the next of the chunk."""
    _check(len(line) == len(COLUMNS), f"{len(COLUMNS)} values", line)
    table = _whole("table", line[0], len(tournament.tables) - 1)
    start = _whole("deal", line[1], deals - 1) // CHUNK * CHUNK
    rows, players = found.setdefault((table, start), []), tournament.players(table)
    place, role = divmod(len(rows), len(players))
    _check(place < CHUNK, f"no more of table {table} and deals {start} to {start + CHUNK - 1}", line)
    _check(int(line[1]) == start + place, f"deal {start + place}", line[1])
    _check(line[2] == players[role], f"agent {players[role]}", line[2])
    points, wins = _real("points", line[3]), _real("wins", line[4], 0, 1)
    rows.append([points, wins, _whole("illegal", line[5]), _whole("decisions", line[6])])


def _check(holds: bool, expected: str, got: Any) -> None:
    if not holds:
        raise ValueError(f"expected {expected}, got {got!r}")


def _whole(name: str, word: str, most: int = 2**53) -> int:
    """Returns a word as an integer from 0 to `most`."""
    _check(word.isascii() and word.isdigit() and len(word) < 20 and int(word) <= most, f"{name} from 0 to {most}", word)
    return int(word)


def _real(name: str, word: str, least: float = -1e9, most: float = 1e9) -> float:
    """Returns a word as a number from `least` to `most`."""
    try:
        value = float(word)
    except ValueError:
        value = np.nan
    _check(least <= value <= most, f"{name} from {least:g} to {most:g}", word)
    return value


def _part(key: tuple[int, int], rows: list[list[float]], tournament: Tournament, ends: tuple[int, int]) -> DealResults | None:
    """Returns the results of a chunk that is whole, or cut short by one of the `ends` of the deals; else None."""
    table, start = key
    players = len(tournament.players(table))
    for end in ends:
        numbers = np.arange(start, min(start + CHUNK, end))
        if 0 < len(numbers) * players == len(rows):
            points, wins, illegal, decisions = np.moveaxis(np.array(rows).reshape(len(numbers), players, 4), 2, 0)
            return DealResults(numbers, points, wins, illegal.astype(int), decisions.astype(int))
    return None


def write_times(folder: Path, times: dict[str, np.ndarray]) -> None:
    """Writes the seconds of every timed decision, `times.csv`."""
    rows = [(agent, seconds) for agent, values in times.items() for seconds in values.tolist()]
    replace_text(folder / "times.csv", _text([("agent", "seconds"), *rows]))
