"""Tables of Bergen set up by hand."""

from domino_envs import load_game
from domino_envs.core.jit import entry
from domino_envs.core.line import NO_END
from domino_envs.core.opening import begin_opening
from domino_envs.table import Table
from domino_envs.testing import play, set_deal

NO_DOUBLES = ["6-5 6-4 6-3 6-2 6-1 6-0", "5-4 5-3 5-2 5-1 5-0 4-3", "4-2 4-1 4-0 3-2 3-1 3-0"]
NOTHING_FITS = (NO_END, NO_END)


def doubles(hand):
    return [tile for tile in hand if tile[0] == tile[2]]


def dealt(hands, boneyard=None, leader=0, **options):
    """Returns a table of Bergen with this deal, at its start."""
    table = Table(load_game("bergen", len(hands), **options), seed=0)
    return set_deal(table, hands, boneyard, leader)


@entry
def _begin_opening(states, rules):
    begin_opening(states[0], rules[0])


def opened_by_the_double_looked_for(hands, boneyard=None, leader=0, **options):
    table = dealt(hands, boneyard, leader, **options)
    _begin_opening(table.states, table.game.rules_array)
    table.set_state(table.get_state())  # fills the mask
    return table


def score_of(table, action):
    """Plays an action; returns what it scored for the seat that played it."""
    seat, before = table.player, table.scores
    return int((play(table, action).scores - before)[seat])
