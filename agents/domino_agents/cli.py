"""The `domino-envs` command."""

import ast
import os
import shlex
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
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

_WORDS = {"true": True, "false": False, "null": None}  # as config files spell them

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Domino environments: list the games, play one, rank agents, verify a ranking, exploit an agent.",
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
    typer.echo(f"agents: {', '.join(agent_names())}, or the path of a checkpoint")


@app.command()
def play(
    game: Annotated[str, typer.Argument(help="a game, as all_fives or all_fives_v0")],
    opponent: Annotated[str, typer.Option(help="who plays the other seats: a name, or the path of a checkpoint")] = "greedy",
    players: Annotated[int, typer.Option(help="seats")] = 2,
    seat: Annotated[int, typer.Option(help="yours, from 0")] = 0,
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="an option of the game, key=value")] = None,
    seed: Annotated[int | None, typer.Option(help="of the deal; by default another one every time")] = None,
) -> None:
    """Plays a game against an agent, here in the terminal: answer with the number of an action, or with its name."""
    from domino_agents.human import HumanAgent, play_game
    from domino_agents.loading import load_agent
    from domino_envs.core.integers import check_integer
    from domino_envs.render.text import render_text

    with refusals():
        loaded = load_game(game, players, **parse_options(option or []))
        agents = [load_agent(opponent, loaded)] * players
        agents[check_integer("seat", seat, 0, players - 1)] = HumanAgent(loaded)
        typer.echo(f"\n{render_text(play_game(loaded, agents, seed))}")


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
    out: Annotated[str | None, typer.Option(help="folder; one that holds this ranking already is gone on with")] = None,
    workers: Annotated[int, typer.Option(help="processes; results do not depend on them")] = 1,
    ray: Annotated[str | None, typer.Option(help="run the processes on the Ray cluster at this address, or auto")] = None,
) -> None:
    """Ranks agents on duplicate deals; prints the tables, writes every deal, a JSON file and a picture.

    Interrupted, it ranks by the deals that all tables have played; the same command goes on from there, and with more deals
    it adds to those that there are.
    """
    from domino_agents import report
    from domino_agents.arena import DealStream
    from domino_agents.ranking import rank as rank_agents

    with refusals("; the same command goes on"):
        options = {**({} if matches else {"max_hands": 1}), **parse_options(option or [])}
        loaded, stream = load_game(game, players, **options), DealStream(split, seed)
        folder = _folder(loaded, agents, stream) if out is None else named_folder(out)
        with _progress() as progress:
            ranking = rank_agents(loaded, agents, deals, stream, workers=workers, ray=ray, out=folder, progress=progress)
        Console().print(*report.tables(ranking), sep="\n")
        for line in report.findings(ranking):
            typer.echo(line)
        for what, path in report.write(ranking, folder).items():
            typer.echo(f"{what}: {path}")
    if ranking.deals < ranking.asked:
        typer.echo(f"interrupted; go on with the same command, or with --out {shlex.quote(str(folder))}")


def _folder(game: Any, agents: list[str], stream: Any) -> Path:
    """Returns a folder that is the same for the same ranking, and another for another: of other files or code too."""
    from domino_agents.arena import rules_hash
    from domino_agents.record import code_hash
    from domino_agents.tournament import Tournament

    identities = sorted(Tournament(game, tuple(agents), stream).identities.items())
    words = f"{identities} {stream} {rules_hash(game)} {code_hash()}"
    return Path("runs/ranking") / f"{game.id}-{zlib.crc32(words.encode()):08x}"


def named_folder(word: str) -> Path:
    """Returns a folder; raises ValueError for the empty word, which would be the working directory."""
    if not word:
        raise ValueError(f"expected the name of a folder, got {word!r}")
    return Path(word)


@app.command()
def verify(
    result: Annotated[str, typer.Argument(help="the folder of a ranking")],
    deals: Annotated[int, typer.Option(help="deals of every table to replay, in whole chunks")] = 100,
    seed: Annotated[int, typer.Option(help="of the choice of deals")] = 0,
    workers: Annotated[int, typer.Option(help="processes")] = 1,
) -> None:
    """Plays a sample of a ranking's deals again and compares; exit code 1 if anything came out otherwise."""
    from domino_agents.verify import verify as verify_result

    with refusals():
        found = verify_result(named_folder(result), deals, seed, workers)
    for name in found.left_out:
        typer.echo(f"not replayed: {name} thinks for a time, so its moves depend on the machine's speed")
    for line in [*found.notes, *found.different]:
        typer.echo(line)
    if not found.deals:
        typer.echo("nothing to replay")
        raise typer.Exit(1)
    typer.echo(f"replayed {found.deals} deals at {found.tables} tables: {'different' if found.different else 'all equal'}")
    if found.different:
        raise typer.Exit(1)


@app.command(add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def exploit(context: typer.Context) -> None:
    """Trains opponents against an agent: a lower bound on its exploitability (train/exploit.py, from a checkout)."""
    script = Path(__file__).resolve().parents[2] / "train" / "exploit.py"
    if not script.is_file():
        typer.echo("error: exploit trains, and training runs from a checkout of the project", err=True)
        raise typer.Exit(2)
    # In place of this process, so that Ctrl-C reaches the training alone, which saves before it ends.
    os.execv(sys.executable, [sys.executable, str(script), *context.args])


@contextmanager
def refusals(go_on: str = "") -> Iterator[None]:
    """Turns what a user got wrong into one line and exit code 2, and Ctrl-C into one that ends with `go_on`."""
    try:
        yield
    except (ImportError, OSError, TypeError, ValueError) as error:
        typer.echo(f"error: {' '.join(str(error).split())}", err=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt as interrupt:
        typer.echo(" ".join(["interrupted", *map(str, interrupt.args)]) + go_on, err=True)
        raise typer.Exit(130) from None
    except EOFError:
        typer.echo("the input has ended", err=True)
        raise typer.Exit(2) from None


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """Gives a function that shows how many of how many chunks are done; nothing is shown before its first call."""
    columns = TextColumn("playing"), BarColumn(), TextColumn("{task.completed}/{task.total}"), TimeRemainingColumn()
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task("playing", total=None)

    with ExitStack() as shown:

        def show(done: int, total: int) -> None:
            if not bar.live.is_started:
                shown.enter_context(bar)
            bar.update(task, completed=done, total=total)

        yield show


def parse_options(words: list[str]) -> dict[str, Any]:
    """Returns `key=value` words as a dict; values are read as Python literals where they are, else as words.

    Raises:
        ValueError: a word without key or value, or a key twice.
    """
    options = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise ValueError(f"an option must be key=value, got {word!r}")
        if key in options:
            raise ValueError(f"option {key!r} is given twice")
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
