"""What `make demo` runs: trains on All Fives for about a minute, ranks the result, and says where everything is.

    python train/demo.py [KEY=VALUE ...]      # settings of configs/ppo.yaml
"""

import subprocess
import sys
from pathlib import Path

from rich.console import Console

from domino_agents import report
from domino_agents.arena import DealStream
from domino_agents.ranking import rank
from domino_envs import load_game

ROOT = Path(__file__).resolve().parent.parent
OUT = Path("runs/demo")
SETTINGS = [
    "game=all_fives",
    "total_decisions=1000000",
    "evaluate_every=10",
    "evaluation_deals=300",
    "evaluate_against=[random,greedy]",
]
DEALS = 2_000


def main() -> None:
    """Trains, ranks, and tells."""
    console = Console()
    for stale in ("training.pt", "checkpoint.pt"):
        (OUT / stale).unlink(missing_ok=True)
    console.print("[bold]1. Self-play on All Fives[/bold]: a million decisions, about a minute on two cores")
    command = [sys.executable, str(ROOT / "train" / "ppo.py"), *SETTINGS, f"out={OUT}", *sys.argv[1:]]
    subprocess.run(command, check=True)
    console.print(f"[bold]2. Ranking[/bold]: {DEALS} duplicate deals for every pairing, of a split that training never saw")
    checkpoint = str(OUT / "checkpoint.pt")
    game = load_game("all_fives", max_hands=1)
    ranking = rank(game, ["random", "greedy", checkpoint], DEALS, DealStream("test"))
    console.print(report.pairings_table(ranking))
    console.print(report.ratings_table(ranking))
    paths = report.write(ranking, OUT)
    console.print("[bold]3. Look[/bold]")
    console.print(f"  learning curve    {OUT / 'curve.png'}\n  ranking           {paths['picture']}\n  numbers           {paths['results']}")
    console.print("[bold]4. Go on[/bold]")
    console.print(
        f"  train longer      .venv/bin/python train/ppo.py game=all_fives total_decisions=10000000 out=runs/longer\n"
        f"  rank it           .venv/bin/domino-envs rank all_fives random greedy {checkpoint} runs/longer/checkpoint.pt\n"
        f"  watch a training  .venv/bin/tensorboard --logdir runs",
        highlight=False,
    )


if __name__ == "__main__":
    main()
