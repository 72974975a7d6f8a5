"""Which twin plays which game."""

from reference import bergen, line_games
from reference.high_fives import HighFives


def twin_of(name, players, options):
    """Returns the plain-Python twin of a game."""
    if name == "high_fives":
        return HighFives(players, **options)
    if name == "bergen":
        return bergen.Reference(players, **options)
    return line_games.Reference(name, players, **options)
