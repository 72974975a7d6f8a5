"""What `make demo` runs: trains on All Fives for about a minute, ranks the result, and says where everything is.

python train/demo.py [KEY=VALUE ...]      # settings of configs/ppo.yaml
"""

import sys
from pathlib import Path

from hydra import compose, initialize_config_dir
from hydra.errors import HydraException
from rich.console import Console

from domino_agents import report
from domino_agents.arena import DealStream
from domino_agents.ranking import rank
from ppo import report as report_training
from ppo import start, train

ROOT = Path(__file__).resolve().parent.parent
OUT = Path("runs/demo")
SETTINGS = [
    "game=all_fives",
    "total_decisions=1500000",
    "evaluate_every=10",
    "evaluation_deals=300",
    "evaluate_against=[random,greedy]",
    f"out={OUT}",
]
DEALS = 2_000

console = Console(highlight=False)


def prepared(words: list[str]):
    """Returns the run that the demo starts; what an earlier demo left in its own folder is removed."""
    try:
        with initialize_config_dir(str(ROOT / "configs"), version_base="1.3"):
            config = compose("ppo", overrides=[*SETTINGS, *words])
        if Path(config.out) == OUT:
            for pattern in ("training.pt", "checkpoint*.pt", "events.out.tfevents.*"):
                for stale in OUT.glob(pattern):
                    stale.unlink()
        return start(config)
    except (HydraException, ValueError, TypeError) as error:
        sys.exit(f"error: {error}")


def main() -> None:
    """Trains, ranks, and tells."""
    trainer = prepared(sys.argv[1:])
    console.print(
        f"[bold]1. Self-play on {trainer.game.id}[/bold]: {trainer.config.total_decisions} decisions, about a minute"
    )
    train(trainer)
    report_training(trainer)
    if not trainer.finished:
        return
    console.print(f"[bold]2. Ranking[/bold]: {DEALS} duplicate deals for every pairing, of a split that training never saw")
    checkpoint = str(trainer.out / "checkpoint.pt")
    ranking = rank(trainer.game, ["random", "greedy", checkpoint], DEALS, DealStream("test"))
    console.print(*report.tables(ranking), sep="\n")
    tell_where(trainer, checkpoint, report.write(ranking, trainer.out))


def tell_where(trainer, checkpoint: str, paths: dict[str, Path]) -> None:
    """Says where the pictures and numbers are, and how to go on."""
    game = trainer.game.name
    console.print(
        f"[bold]3. Look[/bold]\n"
        f"  learning curve    {trainer.out / 'curve.png'}\n"
        f"  ranking           {paths['picture']}\n"
        f"  numbers           {paths['results']}\n"
        f"[bold]4. Go on[/bold]\n"
        f"  train longer      .venv/bin/python train/ppo.py game={game} total_decisions=10000000 out=runs/longer\n"
        f"  rank it           .venv/bin/domino-envs rank {game} random greedy {checkpoint} runs/longer/checkpoint.pt\n"
        f"  watch a training  .venv/bin/tensorboard --logdir runs",
        soft_wrap=True,
    )


if __name__ == "__main__":
    main()
