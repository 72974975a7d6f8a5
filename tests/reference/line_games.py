"""Block, Draw and All Fives once more: slow, plain Python, from the rules alone.

Tiles are `(low, high)`. The test deals, for randomness is no rule: `start_hand(hands, boneyard)`. Actions are words:
`"6-4>L"`, `"draw"`, `"pass"`. The opening tile is played as `">L"` and lies with its low half to the left.
"""

DEFAULTS = {
    "max_pip": 6,
    "partnership": False,
    "reserve": 0,
    "draw_mode": "none",
    "first_leader": "highest_double",
    "next_lead": "winner",
    "lead_tile": "highest_double",
    "target": 100,
    "exact_target": False,
    "match_end": "immediate",
    "max_hands": 100,
    "reward": "win",
}
BLOCK = {**DEFAULTS, "deduct_own_pips": True}
GAMES = {
    "block": BLOCK,
    "draw": {**BLOCK, "draw_mode": "until_playable"},
    "all_fives": {
        **DEFAULTS,
        "draw_mode": "one_end",
        "reserve": 2,
        "next_lead": "highest_double",
        "lead_tile": "any",
        "hand_end_rounding": "r5_each",
    },
}


def default_hand_size(game, players, partnership):
    if game == "all_fives":
        return 5
    return 7 if players == 2 or (game == "block" and players == 4 and partnership) else 5


def pips(tiles):
    return sum(low + high for low, high in tiles)


def name(tile):
    return f"{tile[1]}-{tile[0]}"


def nearest_five(number):
    """The nearest multiple of five; 2 rounds down and 3 up, and no integer lies half way."""
    below = number - number % 5
    return below if number - below <= 2 else below + 5


class Reference:
    """One match. `hand_over` is True when a hand has ended and the match has not: deal the next one."""

    def __init__(self, game, num_players=2, **options):
        unknown = set(options) - set(GAMES[game]) - {"hand_size"}
        if unknown:
            raise TypeError(f"unknown options {unknown}")
        self.game, self.players = game, num_players
        self.options = {**GAMES[game], **options}
        self.options.setdefault("hand_size", default_hand_size(game, num_players, self.options["partnership"]))
        self.sides = [[0, 2], [1, 3]] if self.options["partnership"] else [[seat] for seat in range(num_players)]
        self.scores = [0] * num_players
        self.returns = [0.0] * num_players
        self.rewards = [0.0] * num_players
        self.hand_points = [0] * num_players
        self.hands_played = 0
        self.leader = None
        self.last_winner = None
        self.done = False
        self.hand_over = True
        self.winners = []

    # The deal and the lead

    def start_hand(self, hands, boneyard, leader=None):
        """`boneyard` lies in the order in which it will be drawn; `leader` is told where the lead comes by lot."""
        self.hands = [list(hand) for hand in hands]
        self.boneyard = list(boneyard)
        self.line = []
        self.passes = 0
        self.must_open = None
        self.hand_over = False
        self.leader = self._find_leader(leader)
        self.player = self.leader

    def _find_leader(self, told):
        rule = self.options["first_leader"] if self.hands_played == 0 else self.options["next_lead"]
        if rule == "lot":
            return told
        if rule == "winner" and self.last_winner is not None:
            return self.last_winner
        if rule in ("winner", "rotation"):
            return (self.leader + 1) % self.players
        doubles = [(tile, seat) for seat, hand in enumerate(self.hands) for tile in hand if tile[0] == tile[1]]
        everything = [(sum(tile), tile[1], tile, seat) for seat, hand in enumerate(self.hands) for tile in hand]
        tile, seat = max(doubles) if doubles else max(everything)[2:]
        if self.options["lead_tile"] == "highest_double":
            self.must_open = tile
        return seat

    # The line

    def ends(self):
        """The two open ends as (number, whether a double lies exposed there)."""
        left, right = self.line[0], self.line[-1]
        return {"L": (left[0], left[0] == left[1]), "R": (right[1], right[0] == right[1])}

    def total(self):
        if len(self.line) == 1:
            return sum(self.line[0])
        return sum(number * (2 if double else 1) for number, double in self.ends().values())

    def placements(self):
        """Every (tile, side) of the player to move; two that leave the same layout are one, on the left."""
        hand = self.hands[self.player]
        if not self.line:
            return [(tile, "L") for tile in hand if self.must_open in (None, tile)]
        found, layouts = [], []
        for tile in hand:
            for side, (number, _) in self.ends().items():
                if number in tile:
                    layout = self._layout_after(tile, side)
                    if (tile, layout) not in layouts:
                        layouts.append((tile, layout))
                        found.append((tile, side))
        return found

    def _layout_after(self, tile, side):
        """The open ends that a placement leaves, as far as this game tells them apart."""
        before = self.line
        self.line = self._laid(tile, side)
        ends = self.ends().values()
        scored = self.game == "all_fives"
        layout = sorted((number, number * (2 if double else 1) if scored else 0) for number, double in ends)
        self.line = before
        return layout

    def _laid(self, tile, side):
        low, high = tile
        if not self.line:
            return [tile]
        if side == "L":
            return [(high, low) if low == self.line[0][0] else (low, high), *self.line]
        return [*self.line, (low, high) if low == self.line[-1][1] else (high, low)]

    # Moves

    def legal_actions(self):
        if self.done or self.hand_over:
            return set()
        placements = self.placements()
        if placements:
            return {f"{name(tile)}>{side}" for tile, side in placements}
        return {"draw"} if self._can_draw() else {"pass"}

    def _can_draw(self):
        return self.options["draw_mode"] != "none" and len(self.boneyard) > self.options["reserve"]

    def step(self, action):
        assert action in self.legal_actions(), (action, self.legal_actions())
        self.credits = [0] * self.players
        self.ending = [0.0] * self.players
        if action == "draw":
            self._draw()
        elif action == "pass":
            self._pass()
        else:
            self._place(action)
        self._pay()

    def _draw(self):
        tile = self.boneyard.pop(0)
        self.hands[self.player].append(tile)
        self.passes = 0
        mode = self.options["draw_mode"]
        fits = any(number in tile for number, _ in self.ends().values())
        if mode == "one_end" or (mode == "one_then_play" and not fits):
            self._next()

    def _pass(self):
        self.passes += 1
        if self.passes == self.players:
            self._end_hand()
        else:
            self._next()

    def _place(self, action):
        tile = tuple(sorted(int(half) for half in action.split(">")[0].split("-")))
        self.hands[self.player].remove(tile)
        self.line = self._laid(tile, action[-1])
        self.passes = 0
        if self.game == "all_fives" and self.total() > 0 and self.total() % 5 == 0:
            self._credit(self.player, self.total())
        if self.done:
            return
        if not self.hands[self.player]:
            self._end_hand()
        else:
            self._next()

    def _next(self):
        self.player = (self.player + 1) % self.players

    # Scores

    def _side(self, seat):
        return next(side for side in self.sides if seat in side)

    def _credit(self, seat, points):
        """Returns what was counted."""
        side, target = self._side(seat), self.options["target"]
        if self.options["exact_target"] and self.scores[seat] + points > target:
            return 0
        for partner in side:
            self.scores[partner] += points
            self.credits[partner] += points
        if self.options["match_end"] == "immediate" and target is not None and self.scores[seat] >= target:
            self._end_match()
        return points

    def _side_pips(self, side):
        hands = [self.hands[seat] for seat in side]
        return 0 if any(not hand for hand in hands) else sum(pips(hand) for hand in hands)

    def _hand_winner(self):
        for seat, hand in enumerate(self.hands):
            if not hand:
                return seat
        weights = [self._side_pips(side) for side in self.sides]
        if weights.count(min(weights)) > 1:
            return None
        lightest = self.sides[weights.index(min(weights))]
        return min(lightest, key=lambda seat: (pips(self.hands[seat]), seat))

    def _settlement(self, winner):
        own = self._side_pips(self._side(winner))
        others = [self._side_pips(side) for side in self.sides if winner not in side]
        if self.game != "all_fives":
            return sum(others) - (own if self.options["deduct_own_pips"] else 0)
        differences = [weight - own for weight in others]
        rounding = self.options["hand_end_rounding"]
        if rounding == "r5_each":
            return sum(nearest_five(difference) for difference in differences)
        return nearest_five(sum(differences)) if rounding == "r5_sum" else sum(differences)

    def _end_hand(self):
        winner = self._hand_winner()
        self.hands_played += 1
        self.last_winner = winner
        self.hand_points = [0] * self.players
        if winner is not None:
            paid = self._credit(winner, self._settlement(winner))
            self.hand_points = [paid if seat in self._side(winner) else 0 for seat in range(self.players)]
        if self.done:
            return
        target = self.options["target"]
        if self.hands_played == self.options["max_hands"] or (target is not None and max(self.scores) >= target):
            points = self.hand_points
            self._end_match()
            self.hand_points = points
        else:
            self.hand_over = True

    def _end_match(self):
        """The highest score wins; k sides level share the mean of the payoffs that they cover."""
        self.done = True
        self.hand_points = [0] * self.players
        best = max(self.scores)
        self.winners = [seat for seat in range(self.players) if self.scores[seat] == best]
        count = len(self.sides)
        ranks = sorted(self.sides, key=lambda side: -self.scores[side[0]])
        payoffs = [1.0] + [-1.0 / (count - 1)] * (count - 1)
        tied = [payoff for payoff, side in zip(payoffs, ranks, strict=True) if self.scores[side[0]] == best]
        for seat in range(self.players):
            self.ending[seat] = sum(tied) / len(tied) if seat in self.winners else -1.0 / (count - 1)

    def _pay(self):
        if self.options["reward"] == "win":
            self.rewards = self.ending
        else:
            self.rewards = [self._points_reward(seat) for seat in range(self.players)]
        self.returns = [total + reward for total, reward in zip(self.returns, self.rewards, strict=True)]

    def _points_reward(self, seat):
        others = [self.credits[side[0]] for side in self.sides if seat not in side]
        return (self.credits[seat] - sum(others) / len(others)) / (self.options["target"] or 100)
