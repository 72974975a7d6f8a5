"""Tables set up by hand: deals, positions, and moves by name."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from domino_envs.core.capture import CLAIM, NO_TILE, PLAY
from domino_envs.core.game import Game
from domino_envs.core.integers import check_integer
from domino_envs.core.tiles import BONEYARD, HIGH, LOW, SET_ASIDE, TABLE, tile_number
from domino_envs.core.turns import FREE_OPENING
from domino_envs.games import load_game
from domino_envs.table import Table

Tile = tuple[int, int]


def tiles_of(tiles: str | Iterable[Tile]) -> list[int]:
    """Returns the numbers of tiles, given as `"6-4 3-3"` or as pairs of halves, in either order."""
    pairs = [word.split("-") for word in tiles.split()] if isinstance(tiles, str) else tiles
    return [tile_number(int(a), int(b)) for a, b in pairs]


def deal_of(table: Table) -> tuple[list[list[Tile]], list[Tile]]:
    """Returns every hand, and the boneyard in the order in which it will be drawn, as tiles `(low, high)`."""
    owner, size = table.states["owner"][0], int(table.states["boneyard_size"][0])
    hands = [_pairs(np.flatnonzero(owner == seat)) for seat in range(table.game.num_players)]
    return hands, _pairs(table.states["boneyard"][0, :size][::-1])


def _pairs(tiles: np.ndarray) -> list[Tile]:
    return list(zip(LOW[tiles].tolist(), HIGH[tiles].tolist(), strict=True))


def set_deal(
    table: Table, hands: Sequence[str | Iterable[Tile]], boneyard: str | Iterable[Tile] | None = None, leader: int = 0
) -> Table:
    """Gives a table at the start of a hand another deal, and returns it.

    Args:
        table: its line must be empty.
        hands: one for each seat, as `"6-4 3-3"` or as pairs.
        boneyard: in the order in which it will be drawn; by default all other tiles, in the order of their numbers.
        leader: the seat that leads, with any tile.

    Raises:
        ValueError: no line game, the hand has begun, or the tiles are not the set; the table is as it was.
    """
    _check_kind(table.game, "line")
    if table.state.history_size:
        raise ValueError("set_deal needs a table at the start of a hand")
    check_integer("leader", leader, 0, table.game.num_players - 1)
    dealt = [tiles_of(hand) for hand in hands]
    rest = _others(table.game, dealt) if boneyard is None else tiles_of(boneyard)
    if _others(table.game, [*dealt, rest]):
        raise ValueError(f"hands and boneyard must hold the whole set, got {hands} and {boneyard}")
    _deal_out(table, dealt, rest)
    return _give_turn(table, leader, opening_tile=FREE_OPENING)


def position(
    game: str | Game,
    hands: Sequence[str | Iterable[Tile]],
    *,
    ends: tuple[int, int],
    exposed: tuple[bool, bool] = (False, False),
    boneyard: str | Iterable[Tile] = "",
    to_move: int = 0,
    scores: Sequence[int] | None = None,
    **options: Any,
) -> Table:
    """Returns a table in the middle of a hand of a line game; tiles that are named nowhere lie on the table.

    How they came to lie there is not on record: the history is empty.

    Args:
        game: a `Game`, or the name of one, made for as many seats as there are hands with the `options`.
        hands: one for each seat, as `"6-4 3-3"` or as pairs.
        ends: the numbers open at the left and the right end.
        exposed: whether a double lies exposed there.
        boneyard: in the order in which it will be drawn.
        scores: of every side.
    """
    game = load_game(game, len(hands), **options) if isinstance(game, str) else game
    _check_kind(game, "line")
    table = Table(game, seed=0)
    held = [tiles_of(hand) for hand in hands]
    _deal_out(table, held, tiles_of(boneyard))
    laid = _others(game, [*held, tiles_of(boneyard)])
    table.states["line_length"] = max(2, len(laid))  # a lone tile would be totalled as such
    table.states["ends"][0, :2] = ends
    table.states["doubles"][0, :2] = exposed
    if scores is not None:
        table.states["scores"][0, : len(scores)] = scores
    return _give_turn(table, to_move, opening_tile=laid[0] if laid else 0)


def capture_position(
    game: str | Game,
    hands: Sequence[str | Iterable[Tile]],
    *,
    layout: str | Iterable[Tile],
    boneyard: str | Iterable[Tile] = "",
    to_move: int = 0,
    scores: Sequence[int] | None = None,
    **options: Any,
) -> Table:
    """Returns a table at the start of a turn of a capture game; tiles that are named nowhere are set aside.

    Args:
        game: a `Game`, or the name of one, made for as many seats as there are hands with the `options`.
        hands: one for each seat, as `"6-4 3-3"` or as pairs.
        layout: the tiles that lie face up.
        boneyard: in the order in which it will be drawn.
        to_move: the seat that leads this hand and is to move.
        scores: of every seat.
    """
    game = load_game(game, len(hands), **options) if isinstance(game, str) else game
    _check_kind(game, "capture")
    table, laid, rest = Table(game, seed=0), tiles_of(layout), tiles_of(boneyard)
    held = [tiles_of(hand) for hand in hands]
    _deal_out(table, held, rest)
    if set(laid) & {tile for part in [*held, rest] for tile in part}:
        raise ValueError(f"a tile lies in one place, got hands {hands}, layout {layout} and boneyard {boneyard}")
    states, bearers = table.states, np.bincount([*LOW[laid], *HIGH[laid]], minlength=game.options.max_pip + 1)
    states["owner"][0, _others(game, [*held, rest, laid])] = SET_ASIDE
    states["boneyard"][0, len(rest) :] = NO_TILE
    states["layout_counts"] = bearers - [tile_number(number, number) in laid for number in range(len(bearers))]
    states["phase"] = CLAIM if game.options.max_claims and (states["layout_counts"] > 1).any() else PLAY
    if scores is not None:
        states["scores"][0] = scores
    states["leader"] = states["player"] = to_move
    table.set_state(table.get_state())  # fills the mask
    return table


def _check_kind(game: Game, kind: str) -> None:
    """Raises ValueError unless a game is of the kind that the tables are set up for."""
    if game.picture != kind:
        raise ValueError(f"the table must be of a {kind} game, got one of {game.id}")


def _others(game: Game, parts: Sequence[Sequence[int]]) -> list[int]:
    named = {tile for part in parts for tile in part}
    return [tile for tile in range(len(game.new_states(1)["owner"][0])) if tile not in named]


def _deal_out(table: Table, hands: Sequence[Sequence[int]], boneyard: Sequence[int]) -> None:
    """Puts the tiles in their places; those in neither lie on the table."""
    states = table.states
    named = [*boneyard, *(tile for hand in hands for tile in hand)]
    if len(hands) != table.game.num_players:
        raise ValueError(f"hands must be given for {table.game.num_players} seats, got {len(hands)}")
    if len(set(named)) != len(named) or not set(named) <= set(range(len(states["owner"][0]))):
        raise ValueError(f"tiles must be different ones of the set, got hands {hands} and boneyard {boneyard}")
    states["owner"] = TABLE
    for seat, hand in enumerate(hands):
        states["owner"][0, hand] = seat
        states["hand_sizes"][0, seat] = len(hand)
    states["owner"][0, boneyard] = BONEYARD
    states["boneyard"][0] = [*boneyard[::-1], *_others(table.game, [boneyard])]  # drawn from its end
    states["boneyard_size"] = len(boneyard)


def _give_turn(table: Table, seat: int, opening_tile: int) -> Table:
    table.states["leader"] = table.states["player"] = seat
    table.states["opening_tile"] = opening_tile
    table.set_state(table.get_state())  # fills the mask
    return table


def play(table: Table, *names: str) -> Table:
    """Plays actions by their names, and returns the table."""
    for name in names:
        table.step(table.game.string_to_action(name))
    return table


def perft(table: Table, depth: int) -> int:
    """Returns the number of sequences of `depth` legal actions from here; one that ends the game earlier counts once."""
    if depth == 0 or table.done:
        return 1
    count = 0
    for action in table.legal_actions():
        twin = table.clone()
        twin.play(action)
        count += perft(twin, depth - 1)
    return count
