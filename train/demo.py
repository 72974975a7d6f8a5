"""What `make demo` runs: trains on All Fives for about a minute, ranks the result, and says where everything is.

python train/demo.py [KEY=VALUE ...]      # settings of configs/ppo.yaml
"""

import shlex
import sys
from pathlib import Path

from hydra import compose, initialize_config_dir
from hydra.errors import HydraException
from rich.console import Console
from rich.markup import escape

from domino_agents import report
from domino_agents.arena import DealStream
from domino_agents.files import locked
from domino_agents.ranking import rank
from ppo import Trainer, check_changes, check_settings, start, train
from ppo import report as report_training

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


def prepared(words: list[str]) -> Trainer:
    """Returns the run that the demo starts; once that is certain, what an earlier demo left in its own folder is removed."""
    changes = [word for word in words if not word.startswith("resume=")]
    try:
        check_changes(changes)
        with initialize_config_dir(str(ROOT / "configs"), version_base="1.3"):
            config = compose("ppo", overrides=[*SETTINGS, *words])
        if config.resume is not None or Path(config.out) != OUT:
            return start(config, changes)
        check_settings(config)
        trainer = Trainer(config)
        with locked(OUT):
            remove_last()
        return trainer
    except (HydraException, OSError, TypeError, ValueError) as error:
        sys.exit(f"error: {error}")


def remove_last() -> None:
    """Removes what an earlier demo left in its folder."""
    for pattern in ("training.pt", "checkpoint*.pt", "events.out.tfevents.*"):
        for stale in OUT.glob(pattern):
            stale.unlink()


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
    training, ranking = commands(trainer, checkpoint)
    console.print(
        f"[bold]3. Look[/bold]\n"
        f"  learning curve    {escape(str(trainer.out / 'curve.png'))}\n"
        f"  ranking           {escape(str(paths['picture']))}\n"
        f"  numbers           {escape(str(paths['results']))}\n"
        f"[bold]4. Go on[/bold]\n"
        f"  train longer      {escape(training)}\n"
        f"  rank it           {escape(ranking)}\n"
        f"  watch a training  .venv/bin/tensorboard --logdir runs",
        soft_wrap=True,
    )


def commands(trainer: Trainer, checkpoint: str) -> tuple[str, str]:
    """Returns the commands that train longer on the same game, and that rank the result."""
    game, players = trainer.game.name, trainer.game.num_players
    options = [f"{key}={'null' if value is None else value}" for key, value in trainer.config.game.options.items()]
    words = [f"game={game}", f"game.num_players={players}", *(f"+game.options.{option}" for option in options)]
    training = [".venv/bin/python", "train/ppo.py", *words, "total_decisions=10000000", "out=runs/longer"]
    agents = ["random", "greedy", checkpoint, "runs/longer/checkpoint.pt"]
    chosen = [word for option in options for word in ("-o", option)]
    ranking = [".venv/bin/domino-envs", "rank", game, *agents, "--players", str(players), *chosen]
    return shlex.join(training), shlex.join(ranking)


if __name__ == "__main__":
    main()
