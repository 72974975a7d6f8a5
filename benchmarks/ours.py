"""What is measured of this suite: each function makes a workload, `work() -> units done`."""

import multiprocessing
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from domino_envs import engine, make_aec, make_vec
from domino_envs.core.game import kernel_array
from domino_envs.envs.vector import DominoVec
from domino_envs.games import load_game
from domino_envs.table import Table

Work = Callable[[], int]
BATCH = 4096
TRAINING = Path(__file__).resolve().parent.parent / "train" / "ppo.py"


def _begun(name: str, num_players: int = 2, **settings: int) -> DominoVec:
    """Returns a batch in its first hands."""
    tables = make_vec(name, BATCH, num_players, **settings)
    tables.reset(seed=1)
    return tables


def vector_steps(name: str = "all_fives", threads: int = 1, num_players: int = 2) -> Work:
    """Random legal play of a batch: sampler, rules, observation, mask and autoreset."""
    tables = _begun(name, num_players, threads=threads)

    def work() -> int:
        for _ in range(10):
            tables.step(tables.sample_actions())
        return 10 * BATCH

    return work


def steps_of_two_processes(name: str = "all_fives") -> Work:
    """The same in two processes that share nothing: what two cores give together, whatever the threads do."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    context.Process(target=_work_on_demand, args=(there, name), daemon=True).start()
    own = vector_steps(name)
    own()

    def work() -> int:
        here.send(True)
        done = own()
        return done + here.recv()

    return work


def _work_on_demand(pipe: Connection, name: str) -> None:
    work = vector_steps(name)
    with suppress(EOFError):  # the other process has ended
        while pipe.recv():
            pipe.send(work())


def playout_moves(name: str = "all_fives", num_players: int = 2) -> Work:
    """Random legal moves inside one kernel, as a search plays them: no observation, no Python between moves."""
    game = load_game(name, num_players)
    tables = make_vec(name, 512, num_players)
    tables.reset(seed=1)
    masks = np.zeros((512, game.num_actions), np.int8)

    def work() -> int:
        engine.random_playouts(tables.states, game.rules, masks, 0, 512, 50)
        return 512 * 50

    return work


def sampled_rows(name: str = "all_fives") -> Work:
    """The sampler's part of a random step."""
    tables = _begun(name)

    def work() -> int:
        tables.sample_actions()
        return BATCH

    return work


def observed_rows(name: str = "all_fives") -> Work:
    """The observation's part of a step."""
    tables = _begun(name)
    seats, out = np.zeros(BATCH, np.int64), kernel_array(np.zeros(BATCH, tables.game.observation_dtype))

    def work() -> int:
        engine.observe_seats(tables.states, tables.game.rules, seats, out)
        return BATCH

    return work


def copied_rows(name: str = "all_fives") -> Work:
    """NumPy's copy of a batch's observations: what the memory alone takes to write them, and to read them once."""
    observations = make_vec(name, BATCH).reset(seed=1).observations
    target = np.zeros_like(observations)

    def work() -> int:
        np.copyto(target, observations)
        return BATCH

    return work


def batch_clones(name: str = "all_fives") -> Work:
    """Tables copied by the clone of a batch."""
    tables = _begun(name)

    def work() -> int:
        tables.clone()
        return BATCH

    return work


def aec_clones(name: str = "all_fives") -> Work:
    """Environments copied by `clone()`."""
    env = make_aec(name)
    env.reset(seed=1)

    def work() -> int:
        for _ in range(100):
            env.clone()
        return 100

    return work


def aec_steps(name: str = "all_fives", num_players: int = 2) -> Work:
    """`last()` and `step()` of the PettingZoo face with a ready policy."""
    return aec_loop(make_aec(name, num_players))


def aec_loop(env) -> Work:
    """Plays whole games of a PettingZoo AEC environment, the first legal action each time."""

    def work() -> int:
        env.reset()
        steps = 0
        while env.agents:
            observation, _, terminated, truncated, _ = env.last()
            env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
            steps += 1
        return steps

    return work


def single_table_steps(name: str = "all_fives") -> Work:
    """Random legal play of one `Table`, one observation a move."""
    table = Table(load_game(name), seed=1)

    def work() -> int:
        for _ in range(200):
            table.step(int(table.action_mask.argmax()))
            table.observation(table.player)
            if table.done:
                table.reset()
        return 200

    return work


_BARE = "pass"
_IMPORT = "import domino_envs"
_FIRST_STEP = (
    "from domino_envs import make_vec; v = make_vec('all_fives', 64); b = v.reset(seed=1); v.step(b.action_mask.argmax(1))"
)


def start_seconds(code: str, repeats: int = 5) -> float:
    """Returns the fastest wall time of a fresh process that runs `code`, after one that fills the caches."""
    return min([_process_seconds(code) for _ in range(repeats + 1)][1:])


def _process_seconds(code: str, **environment: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, **environment})
    return time.perf_counter() - start


def start_up() -> dict[str, float]:
    """Returns seconds of start-up: the bare interpreter's own are taken off the import, not off the first step."""
    bare = start_seconds(_BARE)
    with TemporaryDirectory() as folder:
        compiled = _process_seconds(_FIRST_STEP, NUMBA_CACHE_DIR=folder)
    return {"import": start_seconds(_IMPORT) - bare, "first_step": start_seconds(_FIRST_STEP), "compiled_first_step": compiled}


def training_outside_network(decisions: int = 400_000) -> float:
    """Returns the share of a training's time that is not the network's forward, backward and optimiser; kernels compiled."""
    with TemporaryDirectory() as folder:
        _train(f"{folder}/first", 20_000)
        return _train(f"{folder}/second", decisions)


def _train(out: str, decisions: int) -> float:
    command = [sys.executable, TRAINING, f"out={out}", f"total_decisions={decisions}", "evaluate_against=[]"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return float(re.search(r"outside the network: ([0-9.]+)%", told)[1]) / 100
