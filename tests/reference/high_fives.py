"""High Fives with every option: slow, plain Python, from the rules alone.

Tiles are `(low, high)`. Randomness is no rule: whenever `hand_over` is True the caller deals, by `start_hand`, which asks for
the hands by seat, the tiles turned face up into the layout, and, in the first game, who leads by lot. How many tiles each must
be follows from the rules (`hands_of_a_game`), and the twin refuses a deal of other sizes, or of tiles no longer to be had. The
order of the boneyard never matters to it.

A turn is up to four kinds of decision, told apart by `phase`, all taken by `player`:

- "claim", while two layout tiles share a number and claims are left: `"skip"`, or one tile of such a pair, then (`phase` stays
  "claim", `picked` holds the first) a tile that matches it;
- "play": a tile of the hand;
- "partner", where several layout tiles match it, or any and captures are optional: one of them, or, if optional, `"skip"`.

Actions are words: `"skip"` and tiles such as `"15-10"`, the higher half first.

Rules: https://www.domino-play.com/Games/HighFives.htm
"""

from typing import NamedTuple

from reference.line_layout import is_double
from reference.match import Match

OPTIONS = {
    "reward": "win",
    "max_hands": None,
    "max_pip": 15,
    "layout_size": 5,
    "first_hand": None,  # by players, see `hand_sizes`
    "later_hand": None,
    "relay_layout": "none",
    "leftover": "to_layout",
    "capture": "mandatory",
    "max_claims": 1,
    "first_leader": "lot",
    "target": None,
    "match_end": "immediate",
    "max_games": 20,
}
WORDS = {
    "reward": ("win", "points"),
    "relay_layout": ("none", "add", "replace"),
    "leftover": ("to_layout", "discard", "short_hand"),
    "capture": ("mandatory", "optional"),
    "max_claims": (0, 1, 2, 3, 4),
    "first_leader": ("lot",),
    "match_end": ("immediate", "hand_end"),
}


class Deal(NamedTuple):
    """What a hand begins with: tiles for each seat, tiles turned up, and whether the layout before is set aside."""

    hand_size: int
    turned_up: int
    set_aside: bool = False


def hand_sizes(num_players):
    """Returns the sizes of the first and of the later hands."""
    if num_players <= 4:
        return 5, 5
    return 4, 4 if num_players <= 6 else 3


def complete(num_players, given):
    """Returns all options: those given, and the defaults of the others."""
    unknown = sorted(set(given) - set(OPTIONS))
    if unknown:
        raise TypeError(f"high_fives has no option {', '.join(unknown)}")
    if not 2 <= num_players <= 8:
        raise ValueError(f"num_players={num_players}, expected 2 to 8")
    options = {**OPTIONS, **given}
    for option, size in zip(("first_hand", "later_hand"), hand_sizes(num_players), strict=True):
        if options[option] is None:
            options[option] = size
    for option, words in WORDS.items():
        if options[option] not in words:
            raise ValueError(f"{option}={options[option]!r}, expected one of {words}")
    return options


def hands_of_a_game(num_players, options):
    """Returns the `Deal` of every hand that the set gives.

    Full hands follow while everybody can be dealt one, and the layout its tiles where it is laid anew. What is left after
    them is turned up with the last hand, or stays in the boneyard, or makes one short hand, and its remainder is turned up.
    """
    left = len(full_set(options["max_pip"])) - options["layout_size"] - num_players * options["first_hand"]
    if left < 0:
        raise ValueError(f"the set does not give {num_players} first hands of {options['first_hand']} and a layout")
    relaid = 0 if options["relay_layout"] == "none" else options["layout_size"]
    hands = [Deal(options["first_hand"], options["layout_size"])]
    while left >= num_players * options["later_hand"] + relaid:
        hands.append(Deal(options["later_hand"], relaid, options["relay_layout"] == "replace"))
        left -= num_players * options["later_hand"] + relaid
    if options["leftover"] == "short_hand" and left >= num_players:
        hands.append(Deal(left // num_players, 0))
        left %= num_players
    if options["leftover"] != "discard":
        hands[-1] = hands[-1]._replace(turned_up=hands[-1].turned_up + left)
    return hands


def full_set(max_pip):
    return {(low, high) for high in range(max_pip + 1) for low in range(high + 1)}


def value(tile):
    """A fifth of a sum that is a multiple of five, and one point for a double; 5-5 is both."""
    return (sum(tile) // 5 if sum(tile) % 5 == 0 else 0) + is_double(tile)


def share_a_number(one, other):
    return bool(set(one) & set(other))


class HighFives(Match):
    """One match. `captured` holds every seat's tiles of this game; `set_aside` the layouts that count for nobody."""

    def __init__(self, num_players=2, **options):
        super().__init__(num_players, complete(num_players, options))
        self.deals = hands_of_a_game(num_players, self.options)
        self.games_played = 0
        self.begin_game()

    def begin_game(self):
        self.deals_to_come = list(self.deals)
        self.boneyard = full_set(self.options["max_pip"])
        self.hands = [[] for _ in range(self.num_players)]
        self.layout = []
        self.played = None  # the tile that has left its hand, until it is decided what it captures
        self.set_aside = []
        self.captured = [[] for _ in range(self.num_players)]

    def start_hand(self, hands, turned_up, leader=None):
        """`leader` counts in the first hand of the first game; it leads every hand, and its left neighbour the next game."""
        self.check_may_deal()
        if self.leader is None and leader is None:
            raise ValueError("the lead comes by lot: start_hand needs a leader")
        hands = [[tuple(sorted(tile)) for tile in hand] for hand in hands]
        turned_up = [tuple(sorted(tile)) for tile in turned_up]
        self.check_deal(hands, turned_up)
        if self.deals_to_come.pop(0).set_aside:
            self.set_aside += self.layout
            self.layout = []
        self.hands = hands
        self.layout += turned_up
        self.boneyard -= {tile for hand in [*hands, turned_up] for tile in hand}
        self.hand_over = False
        self.leader = leader if self.leader is None else self.leader
        self.begin_turn(self.leader)

    def check_deal(self, hands, turned_up):
        due = self.deals_to_come[0]
        sizes = [*(len(hand) for hand in hands), len(turned_up)]
        if sizes != [due.hand_size] * self.num_players + [due.turned_up]:
            raise ValueError(f"hands and tiles turned up are {sizes}, expected {due} for {self.num_players} players")
        dealt = [tile for hand in [*hands, turned_up] for tile in hand]
        if len(set(dealt)) != len(dealt) or not set(dealt) <= self.boneyard:
            raise ValueError("dealt are tiles that are not in the boneyard, or one twice")

    # A turn: claims, a tile, a capture

    def begin_turn(self, seat):
        self.player = seat
        self.claims = 0
        self.begin_claim()

    def begin_claim(self):
        """Goes on to the play when nothing may be claimed."""
        self.picked = None
        self.phase = "claim" if self.claims < self.options["max_claims"] and self.claimable() else "play"

    def claimable(self):
        """The layout tiles that match another, or the one picked."""
        first = [self.picked] if self.picked else self.layout
        return [tile for tile in self.layout if any(share_a_number(tile, other) for other in first if other != tile)]

    def partners(self):
        return [tile for tile in self.layout if share_a_number(tile, self.played)]

    def legal_actions(self):
        if self.done or self.hand_over:
            return set()
        if self.phase == "play":
            return names(self.hands[self.player])
        if self.phase == "claim":
            return names(self.claimable()) | (set() if self.picked else {"skip"})
        return names(self.partners()) | ({"skip"} if self.options["capture"] == "optional" else set())

    def step(self, action):
        self.begin_step(action)
        tile = None if action == "skip" else tuple(sorted(int(half) for half in action.split("-")))
        {"claim": self.claim, "play": self.play, "partner": self.choose_partner}[self.phase](tile)
        self.pay()

    def claim(self, tile):
        if tile is None:
            self.phase = "play"
        elif self.picked is None:
            self.picked = tile
        else:
            self.claims += 1
            self.capture(self.picked, tile)
            if not self.done:
                self.begin_claim()

    def play(self, tile):
        """The tile joins the layout only when it captures nothing."""
        self.hands[self.player].remove(tile)
        self.played = tile
        partners = self.partners()
        if len(partners) > 1 or (partners and self.options["capture"] == "optional"):
            self.phase = "partner"
        else:
            self.choose_partner(partners[0] if partners else None)

    def choose_partner(self, tile):
        if tile is None:
            self.layout.append(self.played)
        else:
            self.capture(self.played, tile)
        self.played = None
        self.end_turn()

    def capture(self, *pair):
        """Takes a pair, from the layout or from the layout and the hand, and scores it at once."""
        self.layout = [tile for tile in self.layout if tile not in pair]
        self.captured[self.player] += pair
        self.credit(self.player, sum(value(tile) for tile in pair))

    def end_turn(self):
        if self.done:
            return
        if any(self.hands):
            self.begin_turn((self.player + 1) % self.num_players)
        else:
            self.end_hand()

    # The end of a hand, a game, a match

    def end_hand(self):
        """A game goes through the set; others follow while there is a target and nobody has reached it."""
        self.pay_hand(None, 0)
        self.go_on_or_end()
        if not self.done and not self.deals_to_come:
            self.games_played += 1
            if self.options["target"] is None or self.games_played == self.options["max_games"]:
                self.hand_over = False
                self.end_match()
            else:
                self.leader = (self.leader + 1) % self.num_players
                self.begin_game()


def names(tiles):
    return {f"{high}-{low}" for low, high in tiles}
