"""Measures the suite, and its peers beside it in the same run, and writes the table of `docs/performance.md`.

    python benchmarks/throughput.py                # this suite
    python benchmarks/throughput.py --peers        # and the peers (make bench-peers installs them)
    python benchmarks/throughput.py --write        # and write docs/performance.md's table and benchmarks/results.json

All workloads take turns in short rounds, so that a busy machine slows them alike; a rate is the median over rounds, a
ratio the median of the rounds' ratios. The bracket is the range over rounds.
"""

import json
import os
import platform
import re
import statistics
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

import ours
import peers
from domino_envs import game_names

ROOT = Path(__file__).resolve().parent.parent
MARKS = ("<!-- throughput -->", "<!-- end of throughput -->")


def workloads(with_peers: bool) -> dict[str, ours.Work]:
    """Returns every workload by name."""
    chosen = {
        "batch, all_fives": ours.vector_steps(),
        "batch, all_fives, 2 threads": ours.vector_steps(threads=2),
        "batch, all_fives, 2 processes": ours.steps_of_two_processes(),
        "rows sampled, all_fives": ours.sampled_rows(),
        "rows observed, all_fives": ours.observed_rows(),
        "rows of observations copied by NumPy, all_fives": ours.copied_rows(),
        "playouts, all_fives": ours.playout_moves(),
        "clones in a batch": ours.batch_clones(),
        "clones, PettingZoo face": ours.aec_clones(),
        "PettingZoo face, all_fives": ours.aec_steps(),
        "one Table, all_fives": ours.single_table_steps(),
    }
    chosen.update({f"batch, {name}": ours.vector_steps(name) for name in game_names() if name != "all_fives"})
    if with_peers and peers.available("pyspiel"):
        chosen["OpenSpiel python_block_dominoes"] = peers.open_spiel_block()
    if with_peers and peers.available("dominoes"):
        chosen["PyPI dominoes"] = peers.pypi_dominoes()
    if with_peers and peers.available("pygame"):
        chosen["PettingZoo tictactoe_v3.env()"] = peers.pettingzoo_tictactoe()
    return chosen


RATIOS = [
    ("batch, all_fives", "OpenSpiel python_block_dominoes", 100.0),
    ("batch, all_fives, 2 threads", "batch, all_fives", 1.7),
    ("batch, all_fives, 2 processes", "batch, all_fives", None),
    ("batch, all_fives, 2 threads", "batch, all_fives, 2 processes", None),
    ("playouts, all_fives", "PyPI dominoes", 40.0),
    ("PettingZoo face, all_fives", "PettingZoo tictactoe_v3.env()", 3.0),
]
LEAST = {"batch, all_fives": 4e6, "playouts, all_fives": 8e6, "clones in a batch": 5e5, "clones, PettingZoo face": 5e4}


def rate(work: ours.Work, seconds: float) -> float:
    """Returns units per second over about `seconds`."""
    done, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        done += work()
    return done / elapsed


def measure(chosen: dict[str, ours.Work], rounds: int, seconds: float) -> dict[str, list[float]]:
    """Returns the rates of every workload, one a round."""
    for work in chosen.values():
        work()
    return_rates: dict[str, list[float]] = {name: [] for name in chosen}
    for _ in range(rounds):
        for name, work in chosen.items():
            return_rates[name].append(rate(work, seconds))
    return return_rates


def rows_of(rates: dict[str, list[float]]) -> list[tuple[str, str, str]]:
    """Returns `(what, measured, asked)` lines of the rates and ratios."""
    rows = [
        (name, f"{spread(values, '{:,.0f}')} /s", f"{LEAST[name]:,.0f} /s" if name in LEAST else "")
        for name, values in rates.items()
    ]
    for ours_name, peer, asked in RATIOS:
        if peer in rates:
            ratios = [a / b for a, b in zip(rates[ours_name], rates[peer], strict=True)]
            rows.append((f"{ours_name} : {peer}", spread(ratios, "{:.2f}"), "" if asked is None else f"{asked:g}"))
    return rows


def spread(values: list[float], form: str) -> str:
    """Returns the median and, in brackets, the range."""
    low, middle, high = (form.format(value) for value in (min(values), statistics.median(values), max(values)))
    return f"{middle} [{low} to {high}]"


def main(
    with_peers: Annotated[bool, typer.Option("--peers")] = False,
    write: Annotated[bool, typer.Option("--write")] = False,
    rounds: int = 7,
    seconds: float = 0.4,
) -> None:
    """Measures, prints, and with --write records."""
    rates = measure(workloads(with_peers), rounds, seconds)
    start, outside = ours.start_up(), ours.training_outside_network()
    rows = rows_of(rates)
    rows.append(("import domino_envs, beyond the interpreter", f"{start['import']:.3f} s", "0.2 s"))
    rows.append(("process to first step of make_vec, second run", f"{start['first_step']:.2f} s", "1.5 s"))
    rows.append(("the same with an empty cache, compiling", f"{start['compiled_first_step']:.1f} s", ""))
    rows.append(("wall time of train/ppo.py outside the network", f"{outside:.1%}", "20 %"))
    table = Table("what", "measured: median [range over rounds]", "asked: at least / at most")
    for row in rows:
        table.add_row(*row)
    Console(width=150).print(table)
    if write:
        record({"rates": rates, "start": start, "training_outside_network": outside}, rows)


def record(measured: dict[str, Any], rows: list[tuple[str, str, str]]) -> None:
    """Writes `benchmarks/results.json` and the table between the marks of `docs/performance.md`."""
    import numba
    import numpy

    machine = {
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "numba": numba.__version__,
        "cores": os.cpu_count(),
    }
    results = {"date": time.strftime("%Y-%m-%d"), "machine": machine, **measured}
    (ROOT / "benchmarks" / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    lines = ["| what | measured: median [range over rounds] | asked |", "|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    page = ROOT / "docs" / "performance.md"
    made_with = ", ".join(f"{name} {value}" for name, value in machine.items() if name != "cores")
    text = "\n".join([MARKS[0], f"Measured {results['date']} on {machine['cores']} cores, {made_with}.", "", *lines, MARKS[1]])
    page.write_text(re.sub(f"{MARKS[0]}.*{MARKS[1]}", lambda _: text, page.read_text(), flags=re.DOTALL))


if __name__ == "__main__":
    typer.run(main)
