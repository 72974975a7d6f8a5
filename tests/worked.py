"""What the worked hands of several games share."""

from domino_envs import load_game
from domino_envs.core.tiles import tile_name
from domino_envs.table import Table
from domino_envs.testing import play, set_deal


def names(table):
    return {table.game.action_to_string(action) for action in table.legal_actions()}


def two_seats(name, moves, **options):
    """Returns a table whose two seats hold the tiles that these moves lay in turn, and two more each that none lays."""
    laid = [move.split(">")[0] for move in moves.split()]
    others = [tile_name(tile) for tile in range(28) if tile_name(tile) not in laid]
    hands = [" ".join([*laid[seat::2], *others[seat:4:2]]) for seat in (0, 1)]
    return set_deal(Table(load_game(name, **{"target": None, **options}), seed=0), hands)


def credited(name, moves, **options):
    """Returns what each of the moves credits, the seats laying in turn."""
    table, paid = two_seats(name, moves, **options), []
    for move in moves.split():
        before = int(table.scores.sum())
        paid.append(int(play(table, move).scores.sum()) - before)
    return paid


def assert_dealt(name, players, options, hand_size, boneyard):
    state = Table(load_game(name, players, **options), seed=1).state
    assert state.hand_sizes.tolist() == [hand_size] * players
    assert state.boneyard_size == boneyard
