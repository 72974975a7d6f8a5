"""Playing a sample of a ranking's deals again, to see that they come out as recorded."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from domino_agents.arena import DealResults, rules_hash
from domino_agents.record import code_hash, other_versions, read_manifest, read_parts, read_tournament, versions
from domino_agents.tournament import Task, Tournament, play_tasks
from domino_envs.core.integers import check_integer


class Verification(NamedTuple):
    """What a replay found."""

    deals: int  # replayed, over all tables
    tables: int  # replayed
    different: list[str]  # what came out otherwise
    left_out: list[str]  # agents that cannot be replayed
    notes: list[str]  # what differs between now and then, and may explain it


def verify(folder: Path, deals: int = 100, seed: int = 0, workers: int = 1) -> Verification:
    """Replays some deals of every table, in whole chunks, and compares.

    Args:
        folder: of a ranking.
        deals: of each table, rounded up to whole chunks, chosen at random.
        seed: of the choice.
        workers: processes.

    Raises:
        TypeError: deals or workers that are no integers.
        ValueError: no ranking in the folder, no whole chunk in it, or agents that are not here.
    """
    deals, workers = check_integer("deals", deals, 1), check_integer("workers", workers, 1)
    manifest, tournament = read_manifest(folder), read_tournament(folder)
    parts = read_parts(folder, tournament, manifest)
    if not parts:
        raise ValueError(f"{folder / 'deals.csv'} holds no whole chunk of the {manifest['deals']} deals of its manifest.json")
    hurried = [name for name in tournament.agents if _has_a_clock(tournament.loaded[name])]
    tables = [table for table in range(len(tournament.tables)) if not set(hurried) & set(tournament.players(table))]
    tasks = _sample(parts, tables, -(-deals // manifest["played"]["chunk"]), np.random.default_rng(seed))
    different = []
    for task, results in play_tasks(tournament, tasks, workers):
        recorded = parts[task.table, int(task.deals[0])]
        names = " and ".join(tournament.players(task.table))
        different += [f"{names}: {words}" for words in _differences(recorded, results)]
    played = sum(len(task.deals) for task in tasks)
    return Verification(played, len({task.table for task in tasks}), different, hurried, _notes(manifest, tournament))


def _has_a_clock(agent: Any) -> bool:
    """Tells whether an agent thinks for a time: its moves then depend on the machine's speed."""
    return getattr(agent, "seconds", None) is not None


def _sample(parts: dict, tables: list[int], count: int, rng: np.random.Generator) -> list[Task]:
    tasks = []
    for table in tables:
        own = [key for key in sorted(parts) if key[0] == table]
        for place in sorted(rng.permutation(len(own))[:count].tolist()):
            tasks.append(Task(table, parts[own[place]].deals))
    return tasks


def _differences(recorded: DealResults, replayed: DealResults) -> list[str]:
    """Returns the first deal whose numbers are not exactly the recorded ones, for each kind of number."""
    found = []
    for name in ("points", "wins", "illegal", "decisions"):
        then, now = getattr(recorded, name), getattr(replayed, name)
        rows = np.flatnonzero((then != now).any(1))
        if len(rows):
            deal = int(recorded.deals[rows[0]])
            values = f"{then[rows[0]].tolist()} recorded, {now[rows[0]].tolist()} now"
            found.append(f"{name} of {len(rows)} deals, first of deal {deal}: {values}")
    return found


def _notes(manifest: dict, tournament: Tournament) -> list[str]:
    played, notes = manifest["played"], []
    for name, identity in tournament.identities.items():
        if played["agents"][name] != identity:
            notes.append(f"{name} is not the file that was ranked")
    if played["rules_hash"] != rules_hash(tournament.game):
        notes.append("the game has an option more or less than it had")
    if played["code"] != code_hash():
        notes.append("the package's code has changed since")
    for then in [*manifest["earlier_versions"], manifest["versions"]]:
        if others := other_versions(then, versions()):
            notes.append(f"played with {others}")
    return notes
