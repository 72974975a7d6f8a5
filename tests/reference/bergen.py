"""Bergen with every option: slow, plain Python, from the rules alone.

Tiles are `(low, high)`. Randomness is no rule: the caller deals, by `start_hand`. Actions are words, as in `line_games`:
`"6-4>L"`, `"draw"`, `"pass"`; the opening tile is played as `">L"`. Where no hand holds a double, and the boneyard yields none
either, `hand_over` is True with `redealing`: the caller deals the same round anew.

Rules: https://www.pagat.com/domino/line/bergen.html, https://www.gamecabinet.com/rules/Bergen.html
"""

from reference.line_layout import Layout, is_double
from reference.match import Match, pips

LAID_BY_RULE = ("highest_double", "lowest_double")
OPTIONS = {
    "reward": "win",
    "max_hands": 100,
    "max_pip": 6,
    "hand_size": None,  # six for two and three players, five for more
    "partnership": False,
    "target": "by players",  # fifteen for two, ten for more; None is no target
    "exact_target": False,
    "match_end": "immediate",
    "draw_mode": "until_playable",
    "reserve": 0,
    "first_leader": "lot",
    "next_lead": "rotation",
    "lead_rule": "any_double",
    "opening_double_points": 2,
    "near_target_cap": False,
    "fill_opening_double_first": False,
    "round_bonus": 1,
    "blocked_rule": "lowest_pips",
}
WORDS = {
    "reward": ("win", "points"),
    "match_end": ("immediate", "hand_end"),
    "draw_mode": ("none", "one_end", "one_then_play", "until_playable"),
    "first_leader": ("highest_double", "lot"),
    "next_lead": ("highest_double", "winner", "rotation"),
    "lead_rule": ("any_double", "highest_double", "lowest_double", "any_tile"),
    "opening_double_points": (0, 2, 3),
    "blocked_rule": ("lowest_pips", "doubleless_first"),
}


def complete(num_players, given):
    """Returns all options: those given, and the defaults of the others."""
    unknown = sorted(set(given) - set(OPTIONS))
    if unknown:
        raise TypeError(f"bergen has no option {', '.join(unknown)}")
    options = {**OPTIONS, **given}
    if options["target"] == "by players":
        options["target"] = 15 if num_players == 2 else 10
    if options["hand_size"] is None:
        options["hand_size"] = 6 if num_players <= 3 else 5
    for option, words in WORDS.items():
        if options[option] not in words:
            raise ValueError(f"{option}={options[option]!r}, expected one of {words}")
    if not 2 <= num_players <= (8 if options["max_pip"] >= 9 else 4):
        raise ValueError(f"num_players={num_players}, expected 2 to 4, or to 8 with max_pip 9 or more")
    if options["partnership"] and num_players != 4:
        raise ValueError(f"partnership needs 4 players, not {num_players}")
    for option in ("exact_target", "near_target_cap"):
        if options[option] and options["target"] is None:
            raise ValueError(f"{option} needs a target")
    return options


class Reference(Match):
    """One match. `leader` is the seat with the right to open, from which the lead rotates; `player` is to move.

    `phase` is "opening" until a tile is laid, then "play".
    """

    def __init__(self, num_players=2, **options):
        super().__init__(num_players, complete(num_players, options))
        self.redealing = False

    # The deal and the opening

    def start_hand(self, hands, boneyard, leader=None):
        """`boneyard` lies in the order in which it will be drawn; `leader` counts only where the lead comes by lot.

        The lot is cast once a match: the seat that had the right to open keeps it when the hands are dealt anew.
        """
        self.check_may_deal()
        self.hands = [[tuple(sorted(tile)) for tile in hand] for hand in hands]
        self.boneyard = [tuple(sorted(tile)) for tile in boneyard]
        self.layout = Layout()
        self.opening_double = None
        self.passes = 0
        self.leader = self.find_leader(leader)
        self.hand_over = self.redealing = False
        self.phase = "opening"
        self.player = self.find_opener()

    def find_leader(self, by_lot):
        rule = self.options["first_leader"] if self.hands_played == 0 else self.options["next_lead"]
        if rule == "highest_double":
            return self.holder_of_the_best_tile()
        if self.redealing:
            return self.leader
        if rule == "lot":
            if by_lot is None:
                raise ValueError("the lead comes by lot: start_hand needs a leader")
            return by_lot
        if rule == "winner" and self.last_winner is not None:
            return self.last_winner
        return (self.leader + 1) % self.num_players  # rotation, and after a tie

    def holder_of_the_best_tile(self):
        """Of the highest double; without doubles of the heaviest tile, ties by the higher half."""
        dealt = [(is_double(tile), sum(tile), tile[1], seat) for seat, hand in enumerate(self.hands) for tile in hand]
        return max(dealt)[3]

    def find_opener(self):
        """A double that the lead rule names opens from whatever hand it is in; otherwise its leader begins."""
        doubles = [(tile, seat) for seat, hand in enumerate(self.hands) for tile in hand if is_double(tile)]
        if self.options["lead_rule"] not in LAID_BY_RULE or not doubles:
            return self.leader
        choose = max if self.options["lead_rule"] == "highest_double" else min
        self.opening_double, seat = choose(doubles)
        return seat

    def openings(self):
        """The tiles of the player to move that may open: doubles, but where the lead rule allows any tile."""
        hand = self.hands[self.player]
        if self.options["lead_rule"] == "any_tile":
            return hand
        return [tile for tile in hand if is_double(tile) and self.opening_double in (None, tile)]

    def all_have_passed(self):
        return self.passes == self.num_players

    def pass_on_opening(self):
        """The right to open goes left. Once all have passed each draws one tile in turn, if any may be drawn."""
        self.passes += 1
        self.player = (self.player + 1) % self.num_players
        self.deal_anew_if_stuck()

    def draw_for_opening(self):
        """Who draws a double stays to move, and must lay it."""
        self.hands[self.player].append(self.boneyard.pop(0))
        if not self.openings():
            self.player = (self.player + 1) % self.num_players
            self.deal_anew_if_stuck()

    def deal_anew_if_stuck(self):
        if self.all_have_passed() and not self.may_draw():
            self.hand_over = self.redealing = True

    # Moves

    def legal_actions(self):
        if self.done or self.hand_over:
            return set()
        if self.phase == "opening":
            names = {f"{high}-{low}>L" for low, high in self.openings()}
            return names or ({"draw"} if self.all_have_passed() else {"pass"})
        names = {f"{high}-{low}>{arm}" for (low, high), arm in self.placements()}
        return names or ({"draw"} if self.may_draw() else {"pass"})

    def placements(self):
        """Every (tile, arm) that fits; two ends alike are one, the left, unless exactly one of them is a double."""
        ends = self.open_ends()
        if len(ends) == 2 and ends["L"] == ends["R"]:
            del ends["R"]
        return [(tile, arm) for tile in self.hands[self.player] for arm, (number, _) in ends.items() if number in tile]

    def open_ends(self):
        """The number shown, and whether a double shows it, by arm. The opening double may have to be covered first."""
        line = self.layout.line
        ends = {"L": (line[0][0], is_double(line[0])), "R": (line[-1][1], is_double(line[-1]))}
        if self.options["fill_opening_double_first"] and is_double(self.opening_tile) and len(line) > 1:
            for arm, outermost in (("L", line[0]), ("R", line[-1])):
                if outermost == self.opening_tile:
                    return {arm: ends[arm]}
        return ends

    def may_draw(self):
        return self.options["draw_mode"] != "none" and len(self.boneyard) > self.options["reserve"]

    def step(self, action):
        self.begin_step(action)
        if action == "draw":
            self.draw_for_opening() if self.phase == "opening" else self.draw()
        elif action == "pass":
            self.pass_on_opening() if self.phase == "opening" else self.pass_turn()
        else:
            self.place(action)
        self.pay()

    def pass_turn(self):
        self.passes += 1
        self.end_turn()

    def draw(self):
        """One tile; whether the turn goes on is the draw mode's matter. A draw is not a pass."""
        tile = self.boneyard.pop(0)
        self.hands[self.player].append(tile)
        self.passes = 0
        fits = any(number in tile for number, _ in self.open_ends().values())
        mode = self.options["draw_mode"]
        if mode == "one_end" or (mode == "one_then_play" and not fits):
            self.end_turn()

    def place(self, action):
        word, arm = action.split(">")
        tile = tuple(sorted(int(half) for half in word.split("-")))
        self.hands[self.player].remove(tile)
        if self.phase == "opening":
            self.opening_tile, self.phase = tile, "play"
        self.layout = self.layout.with_tile(tile, arm, "none")
        self.passes = 0
        self.credit(self.player, self.header(self.player))
        self.end_turn()

    def header(self, seat):
        """Ends alike are a double-header of 2 points, with a double at one of them a triple-header of 3."""
        line = self.layout.line
        if line[0][0] != line[-1][1]:
            return 0
        points = 3 if is_double(line[0]) or is_double(line[-1]) else 2
        if len(line) == 1:
            points = self.options["opening_double_points"]
        return min(points, self.most_for_a_header(seat))

    def most_for_a_header(self, seat):
        """Near the target a header may be worth less."""
        if not self.options["near_target_cap"]:
            return 3
        needed = self.options["target"] - self.scores[seat]
        return 1 if needed <= 2 else min(needed - 1, 3)

    def end_turn(self):
        if self.done:
            return
        if self.hands[self.player] and not self.all_have_passed():
            self.player = (self.player + 1) % self.num_players
        else:
            winner = self.hand_winner()
            self.pay_hand(winner, self.options["round_bonus"])
            self.go_on_or_end()

    # The end of a round

    def block_weight(self, side):
        """Hands without doubles may come first, and doubles then do not count."""
        if self.options["blocked_rule"] == "lowest_pips":
            return super().block_weight(side)
        tiles = [tile for seat in side for tile in self.hands[seat]]
        return (any(is_double(tile) for tile in tiles), pips(tile for tile in tiles if not is_double(tile)))
