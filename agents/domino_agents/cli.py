"""The `domino-envs` command."""

import ast
from pathlib import Path
from typing import Annotated, Any

try:
    import typer
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Table
except ImportError as error:
    raise SystemExit(f"{error}: the command needs pip install 'domino-envs[agents]'") from None

from domino_envs import game_names, load_game

_WORDS = {"true": True, "false": False}  # as config files spell them

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Domino environments: list the games, rank agents.",
)


@app.command(name="list")
def list_games() -> None:
    """Lists the games with their defaults for two players."""
    from domino_agents.loading import agent_names

    console = Console()
    table = Table("game", "actions", "observation", "options")
    for name in game_names():
        game = load_game(name)
        options = ", ".join(f"{key}={value}" for key, value in vars(game.options).items())
        table.add_row(game.id, str(game.num_actions), str(game.observation_size), options)
    console.print(table)
    console.print(f"agents: {', '.join(agent_names())}, or the path of a checkpoint")


@app.command()
def rank(
    game: Annotated[str, typer.Argument(help="a game, as all_fives or all_fives_v0")],
    agents: Annotated[list[str], typer.Argument(help="two or more: names, or paths of checkpoints")],
    players: Annotated[int, typer.Option(help="seats")] = 2,
    deals: Annotated[int, typer.Option(help="duplicate deals for every pairing")] = 1000,
    split: Annotated[str, typer.Option(help="train, dev or test: deals that never overlap")] = "dev",
    seed: Annotated[int, typer.Option(help="another seed is another stream of deals")] = 0,
    matches: Annotated[bool, typer.Option("--matches", help="whole matches instead of single hands")] = False,
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="an option of the game, key=value")] = None,
    out: Annotated[Path, typer.Option(help="folder for the results")] = Path("runs/ranking"),
    workers: Annotated[int, typer.Option(help="processes; results do not depend on them")] = 1,
) -> None:
    """Ranks agents on duplicate deals; prints the tables, writes a JSON file, the deals and a picture.

    Interrupted, it ranks by the deals that all pairings have played.
    """
    from domino_agents import report
    from domino_agents.arena import DealStream
    from domino_agents.ranking import check_ranking
    from domino_agents.ranking import rank as rank_agents

    try:
        options = {**({} if matches else {"max_hands": 1}), **parse_options(option or [])}
        loaded, stream = load_game(game, players, **options), DealStream(split, seed)
        check_ranking(loaded, agents, deals, workers)
        out.mkdir(parents=True, exist_ok=True)
    except (ImportError, OSError, TypeError, ValueError) as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from None
    with _progress() as bar:
        task = bar.add_task("playing", total=None)
        ranking = rank_agents(
            loaded, agents, deals, stream, workers, lambda done, total: bar.update(task, completed=done, total=total)
        )
    console = Console()
    console.print(report.pairings_table(ranking), report.ratings_table(ranking), sep="\n")
    for what, path in report.write(ranking, out).items():
        typer.echo(f"{what}: {path}")


def _progress() -> Progress:
    columns = TextColumn("playing"), BarColumn(), TextColumn("{task.completed}/{task.total}"), TimeRemainingColumn()
    return Progress(*columns, console=Console(stderr=True), transient=True)


def parse_options(words: list[str]) -> dict[str, Any]:
    """Returns `key=value` words as a dict; values are read as Python literals where they are, else as words."""
    options = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise ValueError(f"an option must be key=value, got {word!r}")
        try:
            options[key] = _WORDS[value] if value in _WORDS else ast.literal_eval(value)
        except (ValueError, SyntaxError):
            options[key] = value
    return options


def main() -> None:
    """Runs the command."""
    app()


if __name__ == "__main__":
    main()
