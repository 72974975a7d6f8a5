"""Golden games: random games as text that a person can check, and that a test replays line by line.

`python -m domino_envs.playthrough` writes one file for every game and number of players; read them before you keep them.
"""

import argparse
import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from domino_envs.core.game import Game
from domino_envs.core.tiles import PIPS, tile_name, tile_number
from domino_envs.games import game_names, load_game
from domino_envs.render.text import hand_of, in_one_line
from domino_envs.table import Table

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "playthroughs"  # in a checkout
MOST_PLAYERS = 8
# By number of players, so that whole matches, both kinds of reward and the cap on hands are seen.
SETTINGS: dict[int, dict[str, Any]] = {
    2: {"target": 50},
    3: {"reward": "points", "max_hands": 3},
    4: {"reward": "points", "max_hands": 2},
    6: {"reward": "points", "max_hands": 2},
    7: {"max_hands": 2},
    8: {"reward": "points", "max_hands": 1},
}

# Games with house rules that add decisions or arms, by the end of the file's name.
HOUSE_RULES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "spinner": ("all_fives", 2, {"spinner": "first_double", "target": 50}),
    "muggins": ("all_fives", 3, {"claim_mode": "muggins", "false_claims": True, "false_claim_penalty": 5, "max_hands": 2}),
}


def main() -> None:
    """Writes the playthrough of every game and number of players, and of some house rules."""
    parser = argparse.ArgumentParser(prog="python -m domino_envs.playthrough", description=main.__doc__)
    if FOLDER.is_dir():
        parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help=f"where to write (default: {FOLDER})")
    else:
        parser.add_argument("folder", type=Path, help="where to write")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for stem, game in golden_games().items():
        path = folder / f"{stem}.txt"
        path.write_text("\n".join(playthrough(game, seed=game.num_players)) + "\n", encoding="utf-8")
        print(path)


def golden_games() -> dict[str, Game]:
    """Returns what is played through, by the name of its file without the ending."""
    games = {
        f"{name}_{num_players}": load_game(name, num_players, **SETTINGS.get(num_players, {}))
        for name in game_names()
        for num_players in player_counts(name)
    }
    for rule, (name, num_players, options) in HOUSE_RULES.items():
        games[f"{name}_{num_players}_{rule}"] = load_game(name, num_players, **options)
    return games


def player_counts(name: str) -> list[int]:
    """Returns the numbers of players that a game is for, with its default options."""
    counts = []
    for num_players in range(2, MOST_PLAYERS + 1):
        try:
            load_game(name, num_players)
        except ValueError:
            continue
        counts.append(num_players)
    return counts


def playthrough(game: Game, seed: int, actions: list[str] | None = None) -> Iterator[str]:
    """Yields the lines of one game: of the given actions, or of random ones."""
    table, chance = Table(game, seed=seed), random.Random(seed)
    yield from head(game, seed)
    hand, move = -1, 0
    while not table.done:
        if table.state.hands_played != hand or table.state.history_size == 0:
            hand = int(table.state.hands_played)
            yield from _deal(table)
        chosen = game.action_to_string(chance.choice(table.legal_actions())) if actions is None else actions[move]
        yield from _move(table, chosen, move := move + 1)
    yield f"the game is over: scores {_numbers(table.scores)}"


def head(game: Game, seed: int) -> Iterator[str]:
    """Yields the lines that name a game, its options, and the seed of what follows."""
    yield from (f"game: {game.id}", f"players: {game.num_players}", f"seed: {seed}", "options:")
    yield from (f"  {name}: {json.dumps(value)}" for name, value in asdict(game.options).items())


def replay(text: str) -> Iterator[tuple[str, str]]:
    """Yields every line of a playthrough beside the one that its game gives now; a missing line is empty."""
    lines = text.splitlines()
    header = dict(line.strip().split(": ", 1) for line in lines[: lines.index("")] if ": " in line)
    name, num_players, seed = header.pop("game"), int(header.pop("players")), int(header.pop("seed"))
    game = load_game(name, num_players, **{option: json.loads(value) for option, value in header.items()})
    actions = [line.split()[2] for line in lines if line[:4].strip().isdigit()]
    again = list(playthrough(game, seed, actions))
    for number in range(max(len(lines), len(again))):
        yield lines[number] if number < len(lines) else "", again[number] if number < len(again) else ""


def _deal(table: Table) -> Iterator[str]:
    """Yields the head of a hand: who leads, every hand, and the boneyard in the order in which it will be drawn."""
    state = table.state
    yield from ("", f"hand {state.hands_played + 1}: player_{state.leader} leads")
    for seat in range(table.game.num_players):
        yield f"  player_{seat}: {' '.join(hand_of(table, seat))}"
    order = state.boneyard[: state.boneyard_size][::-1].tolist()
    yield f"  boneyard: {' '.join(map(tile_name, order)) or 'empty'}"
    if on_table := in_one_line(table):
        yield f"  on the table: {on_table}"


def _move(table: Table, action: str, number: int) -> Iterator[str]:
    """Plays a move and yields its line, and what it ended."""
    seat, hand = table.player, int(table.state.hands_played)
    held, left, line = hand_of(table, seat), _hands_after(table, action), in_one_line(table)
    table.step(table.game.string_to_action(action))
    ended = table.state.hands_played != hand
    if not ended:
        line = in_one_line(table)
    elif "-" in action:
        line = f"{line} and {action}" if _tile_of(action) in held else f"{line}: {action} is taken"
    paid = f"  rewards {_numbers(table.rewards)}" if table.rewards.any() else ""
    yield f"{number:4} player_{seat} {action:6} scores {_numbers(table.scores)}{paid}  #{_digest(table)}  {line or 'empty'}"
    if ended:
        yield f"  hand points {_numbers(table.hand_points)}; left are {', '.join(left)}"


def _tile_of(action: str) -> str:
    """Returns the tile that an action names, without the arm; another word as it is."""
    return action.split(">")[0]


def _hands_after(table: Table, action: str) -> list[str]:
    """Returns what every seat holds once the player to move has laid the tile of `action`, with the pips."""
    hands = []
    for seat in range(table.game.num_players):
        tiles = [tile for tile in hand_of(table, seat) if tile != _tile_of(action)]
        pips = sum(int(PIPS[tile_number(*map(int, tile.split("-")))]) for tile in tiles)
        hands.append(f"player_{seat} {' '.join(tiles) or 'nothing'} ({pips})")
    return hands


def _numbers(values: np.ndarray) -> str:
    return " ".join(f"{value:g}" for value in np.round(values.astype(float), 4))


def _digest(table: Table) -> str:
    """Returns a short hash of the mask and all observations, rounded so that the last bit has no part in it."""
    views = [np.rint(table.observation(seat) * 4096).astype("<i4").tobytes() for seat in range(table.game.num_players)]
    return hashlib.sha256(b"".join([table.action_mask.tobytes(), *views])).hexdigest()[:8]


if __name__ == "__main__":
    main()
