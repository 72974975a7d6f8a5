"""All complete deals that explain what one seat saw of a hand: slow, plain Python, from the rules alone.

Tiles are `(low, high)`; a boneyard lies in the order in which it is drawn.
"""

from functools import lru_cache
from itertools import combinations, permutations
from typing import NamedTuple

from reference.line_layout import Layout, is_double

ARMS = "LRUD"
DRAW, PASS = "draw", "pass"


class View(NamedTuple):
    """What a seat saw of a hand, and the rules that bear on it."""

    seat: int
    dealt: frozenset  # the seat's own tiles
    drawn: tuple  # likewise, in order
    record: tuple  # pairs of a seat and its move: DRAW, PASS, or a tile and the number of its arm; claims say nothing of tiles
    to_move: int
    leader: int
    best_tile_led: bool  # the highest double, or the heaviest tile, found the leader
    best_tile_opens: bool
    draw_mode: str
    num_players: int
    hand_size: int
    max_pip: int
    spinner: str = "none"
    lead_rule: str = ""  # Bergen's, where `leader` is the seat with the right to open
    fill_opening_double_first: bool = False
    double_found: bool | None = None  # whether the double that `lead_rule` looks for was dealt; None where nobody has said


def double_set(max_pip):
    return [(low, high) for high in range(max_pip + 1) for low in range(high + 1)]


def explaining_deals(view):
    """Yields every `(hands, boneyard)` from which the hand can have gone as the seat saw it go."""
    tiles = set(double_set(view.max_pip))
    for hands, drawn in explaining_draws(view):
        for left in permutations(tiles.difference(*hands, drawn)):
            yield hands, (*drawn, *left)


def explaining_draws(view):
    """Yields every `(hands, drawn tiles)` of these deals; the rest of the boneyard may lie in any order."""
    unknown = set(double_set(view.max_pip)) - view.dealt - set(view.drawn)
    for hands in dealt_hands(view, 0, unknown):
        for drawn in drawn_tiles(view, unknown.difference(*hands)):
            if explains(view, hands, drawn):
                yield hands, drawn


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


def explains(view, hands, boneyard):
    """Tells whether the record can have come from this deal by legal play."""
    if not explains_lead(view, hands):
        return False
    hands, drawn = [set(hand) for hand in hands], iter(boneyard)
    for turn, (seat, move) in enumerate(view.record):
        numbers = open_numbers(view)[turn]
        if move in (DRAW, PASS) and any(playable(tile, numbers) for tile in hands[seat]):
            return False
        if move == DRAW:
            tile = next(drawn)
            hands[seat].add(tile)
            goes_on_if_playable = numbers is None or view.draw_mode == "one_then_play"
            if goes_on_if_playable and playable(tile, numbers) != (player_after(view, turn) == seat):
                return False
        elif move != PASS:
            if move[0] not in hands[seat]:
                return False
            hands[seat].remove(move[0])
    return True


def explains_lead(view, hands):
    """Tells whether the tiles that find a leader, or name an opening, were dealt as the lead says."""
    leader, best = best_tile(hands)
    if view.best_tile_led and leader != view.leader:
        return False
    opener, opening = view.leader, best if view.best_tile_led and view.best_tile_opens else None
    doubles = [(tile, seat) for seat, hand in enumerate(hands) for tile in hand if is_double(tile)]
    if view.lead_rule in ("highest_double", "lowest_double"):
        if view.double_found is not None and view.double_found != bool(doubles):
            return False
        if doubles:
            opening, opener = max(doubles) if view.lead_rule == "highest_double" else min(doubles)
    if not view.record:
        return view.to_move == opener
    return view.record[0][0] == opener and (opening is None or view.record[0][1][0] == opening)


def player_after(view, turn):
    return view.record[turn + 1][0] if turn + 1 < len(view.record) else view.to_move


@lru_cache(maxsize=8)
def open_numbers(view):
    """Returns what could be played on at every turn of the record: None before the opening."""
    layout, opening, numbers = Layout(), None, []
    for _, move in view.record:
        numbers.append(numbers_of(view, layout, opening))
        if move not in (DRAW, PASS):
            opening = opening or move[0]
            layout = layout.with_tile(move[0], ARMS[move[1]], view.spinner)
    return numbers


def numbers_of(view, layout, opening):
    """An opening double with a free side may have to be covered first."""
    line = layout.line
    if not line:
        return None
    if view.fill_opening_double_first and is_double(opening) and opening in (line[0], line[-1]):
        return set(opening)
    return {end["number"] for end in layout.ends.values()}


def playable(tile, numbers):
    """Who passes or draws before the opening, in Bergen alone, holds no double."""
    return is_double(tile) if numbers is None else bool(set(tile) & numbers)


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
