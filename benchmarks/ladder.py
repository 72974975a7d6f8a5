"""Measures the ladder of the agents, from random play to long searches, in every variant, and its release gates.

    python benchmarks/ladder.py                    # goes on where it was interrupted; many hours on one core
    python benchmarks/ladder.py --only bergen      # the settings whose name contains the word
    python benchmarks/ladder.py --steps greedy     # the steps whose names contain the word
    python benchmarks/ladder.py --again            # plays anew what other code or weights were measured with
    python benchmarks/ladder.py --times            # times all decisions anew, one after the other on one machine
    python benchmarks/ladder.py --page             # plays nothing: writes the page from what was measured

Every step plays duplicate deals of the `test` split, which no fit and no choice of a setting has seen. Results go to
`benchmarks/ladder.json`, with the tables of `docs/ladder.md` and the picture beside it; the deals one by one to `runs/ladder`,
a file for each state of the code: an interrupted step goes on with the same agents, or starts anew.
"""

import json
import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from joblib import Parallel, delayed
from tqdm import tqdm

from domino_agents.arena import CHUNK, DealStream, chunks_of, decision_times, play_pair, rules_hash
from domino_agents.files import replace_text
from domino_agents.intervals import estimate
from domino_agents.loading import load_agent
from domino_agents.record import code_hash
from domino_envs.core.game import Game
from ladder_page import write_page
from ladder_steps import SETTINGS, Setting, Step, game_of

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "ladder.json"
ROWS = ROOT / "runs" / "ladder"
STREAM = DealStream("test")


def play(setting: Setting, step: Step, chunk: np.ndarray) -> np.ndarray:
    """Returns wins and points of the upper agent for some deals, `[K, 2]`."""
    game = game_of(setting)
    above, below = (load_agent(name, game) for name in (step.above, step.below))
    results = play_pair(game, above, below, STREAM, len(chunk), int(chunk[0]), ceiling=step.ceiling)
    if results.illegal.any():
        raise RuntimeError(f"{step} in {setting.name}: illegal actions")
    return np.stack([results.wins[:, 0], results.points[:, 0]], axis=1)


def played(path: Path) -> np.ndarray:
    """Returns the rows of the whole chunks in a step's file, `[K, 2]`; what an interruption tore is taken off the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = path.read_text().splitlines(keepends=True) if path.exists() else []
    whole = lines[: sum(line.endswith("\n") for line in lines) // CHUNK * CHUNK]
    path.write_text("".join(whole))
    return np.array([[float(value) for value in line.split(",")] for line in whole]).reshape(-1, 2)


def measure(setting: Setting, step: Step, workers: int) -> dict[str, Any]:
    """Plays what a step lacks, and returns its entry of the results."""
    game = game_of(setting)
    path = ROWS / f"{setting.slug}-{rules_hash(game):08x}-{step.above}-{step.below}-{code_hash()}.csv"
    rows = [played(path)]
    chunks = [chunk for chunk in chunks_of(step.deals) if chunk[0] >= len(rows[0])]
    work = Parallel(n_jobs=workers, return_as="generator")(delayed(play)(setting, step, chunk) for chunk in chunks)
    with path.open("a") as file, tqdm(total=step.deals, initial=len(rows[0]), unit=" deals", leave=False) as bar:
        bar.set_description(f"{setting.name}: {step.name}")
        for chunk in work:
            rows.append(chunk)
            file.writelines(f"{wins!r},{points!r}\n" for wins, points in chunk.tolist())
            file.flush()
            bar.update(len(chunk))
    wins, points = np.concatenate(rows)[: step.deals].T
    return {
        "date": time.strftime("%Y-%m-%d"),
        "rules": f"{rules_hash(game):08x}",
        "code": code_hash(),
        "wins": estimate(wins)._asdict(),
        "points": estimate(points)._asdict(),
    }


def measured(results: dict[str, Any], setting: Setting, step: Step, again: bool = False) -> bool:
    """Tells whether a step is in the results, by these rules and with so many deals; `again` asks for this code too."""
    entry = results.get(setting.name, {}).get("steps", {}).get(step.name)
    known = entry is not None and entry["rules"] == f"{rules_hash(game_of(setting)):08x}"
    return known and entry["wins"]["deals"] >= step.deals and not (again and entry.get("code") != code_hash())


def milliseconds(game: Game, agent: str) -> float:
    """Returns the median time of a decision."""
    return 1_000 * float(np.median(decision_times(game, load_agent(agent, game), most=60)))


def time_decisions(results: dict[str, Any]) -> None:
    """Times the decisions of all agents of all settings that are in the results."""
    for setting in tqdm([setting for setting in SETTINGS if setting.name in results], unit=" settings"):
        agents = dict.fromkeys(name for step in setting.steps if not step.ceiling for name in (step.above, step.below))
        game = game_of(setting)
        results[setting.name]["milliseconds"] = {agent: milliseconds(game, agent) for agent in agents}


def main(
    only: Annotated[str, typer.Option(help="settings whose name contains this")] = "",
    steps: Annotated[str, typer.Option(help="steps whose name contains this")] = "",
    again: Annotated[bool, typer.Option("--again", help="play anew what other code was measured with")] = False,
    times: Annotated[bool, typer.Option("--times", help="play nothing, time all decisions anew")] = False,
    page: Annotated[bool, typer.Option("--page", help="play nothing, write the page")] = False,
    workers: Annotated[int, typer.Option(help="processes; results do not depend on them")] = 1,
) -> None:
    """Measures what is missing, cheap steps of all settings first."""
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    todo = [(setting, step) for setting in SETTINGS for step in setting.steps if only in setting.name and steps in step.name]
    if times:
        time_decisions(results)
        replace_text(RESULTS, json.dumps(results, indent=1) + "\n")
    for setting, step in sorted(todo, key=lambda pair: pair[1].cost) if not (page or times) else []:
        if measured(results, setting, step, again):
            continue
        entry = results.setdefault(setting.name, {"steps": {}, "milliseconds": {}})
        entry["steps"][step.name] = measure(setting, step, workers)
        for agent in (step.above, step.below):
            if agent not in entry["milliseconds"] and not step.ceiling:
                entry["milliseconds"][agent] = milliseconds(game_of(setting), agent)
        replace_text(RESULTS, json.dumps(results, indent=1) + "\n")
    write_page(results)


if __name__ == "__main__":
    typer.run(main)
