"""All complete deals that explain what one seat saw of a hand: slow, plain Python, from the rules alone.

Tiles are `(low, high)`; a boneyard lies in the order in which it is drawn.
"""

from itertools import combinations, permutations
from typing import NamedTuple

from reference.line_layout import Layout

ARMS = "LRUD"
DRAW, PASS = "draw", "pass"


class View(NamedTuple):
    """What a seat saw of a hand, and the rules that bear on it."""

    seat: int
    dealt: frozenset  # the seat's own tiles
    drawn: tuple  # likewise, in order
    record: tuple  # pairs of a seat and its move: DRAW, PASS, or a tile and the arm it was laid on (0 to 3); no claims
    to_move: int
    leader: int
    best_tile_led: bool  # the highest double, or the heaviest tile, found the leader
    best_tile_opens: bool
    draw_mode: str
    num_players: int
    hand_size: int
    max_pip: int
    spinner: str = "none"


def double_set(max_pip):
    return [(low, high) for high in range(max_pip + 1) for low in range(high + 1)]


def explaining_deals(view):
    """Yields every `(hands, boneyard)` from which the hand can have gone as the seat saw it go."""
    unknown = set(double_set(view.max_pip)) - view.dealt - set(view.drawn)
    open_numbers = numbers_open(view)
    for hands in dealt_hands(view, 0, unknown):
        rest = unknown.difference(*hands)
        for drawn in drawn_tiles(view, rest):
            if explains(view, hands, drawn, open_numbers):
                for left in permutations(rest - set(drawn)):
                    yield hands, (*drawn, *left)


def dealt_hands(view, seat, tiles):
    if seat == view.num_players:
        yield ()
        return
    own = seat == view.seat
    for hand in [view.dealt] if own else map(frozenset, combinations(sorted(tiles), view.hand_size)):
        for others in dealt_hands(view, seat + 1, tiles - hand):
            yield (hand, *others)


def drawn_tiles(view, rest):
    """Yields the tiles drawn so far; the seat knows its own."""
    drawers = [seat for seat, move in view.record if move == DRAW]
    hidden = len(drawers) - len(view.drawn)
    for tiles in permutations(sorted(rest), hidden):
        own, others = iter(view.drawn), iter(tiles)
        yield tuple(next(own if seat == view.seat else others) for seat in drawers)


def best_tile(hands):
    """Returns who was dealt the tile that leads, and the tile."""
    tiles = [(low == high, low + high, high, seat, (low, high)) for seat, hand in enumerate(hands) for low, high in hand]
    return max(tiles)[3:]


def numbers_open(view):
    """Returns the numbers open before every move on record; whose tiles they are has no part in it."""
    layout, numbers = Layout(), []
    for _, move in view.record:
        numbers.append({end["number"] for end in layout.ends().values()} if layout.line else set())
        if move not in (DRAW, PASS):
            layout = layout.with_tile(move[0], ARMS[move[1]], view.spinner)
    return numbers


def explains(view, hands, boneyard, open_numbers=None):
    """Tells whether the record can have come from this deal by legal play."""
    open_numbers = open_numbers or numbers_open(view)
    leader, opening = best_tile(hands)
    if view.best_tile_led and leader != view.leader:
        return False
    if view.best_tile_led and view.best_tile_opens and view.record and view.record[0][1][0] != opening:
        return False
    hands, drawn = [set(hand) for hand in hands], iter(boneyard)
    for turn, (seat, move) in enumerate(view.record):
        ends = open_numbers[turn]
        if move in (DRAW, PASS):
            if any(fits(tile, ends) for tile in hands[seat]):
                return False
            if move == DRAW:
                tile = next(drawn)
                hands[seat].add(tile)
                if view.draw_mode == "one_then_play" and fits(tile, ends) != (player_after(view, turn) == seat):
                    return False
            continue
        if move[0] not in hands[seat]:
            return False
        hands[seat].remove(move[0])
    return True


def player_after(view, turn):
    return view.record[turn + 1][0] if turn + 1 < len(view.record) else view.to_move


def fits(tile, ends):
    return bool(set(tile) & set(ends))


def holdings(view, hands, boneyard):
    """Returns the hands after the record, and what is left of the boneyard."""
    hands, drawn = [set(hand) for hand in hands], 0
    for seat, move in view.record:
        if move == DRAW:
            hands[seat].add(boneyard[drawn])
            drawn += 1
        elif move != PASS:
            hands[seat].remove(move[0])
    return tuple(map(frozenset, hands)), tuple(boneyard[drawn:])
