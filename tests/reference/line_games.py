"""Block, Draw and the games of fives with every option: slow, plain Python, from the rules alone.

Tiles are `(low, high)`. Randomness is no rule: the caller deals, by `start_hand`. Actions are words: `"6-4>L"`, `"draw"`,
`"pass"`, `"claim"`. The opening tile is played as `">L"` and lies with its low half to the left.

Rules: https://www.pagat.com/domino/line/block.html, https://www.pagat.com/tile/wdom/all_fives.html
"""

from reference.line_layout import Layout, is_double, placements
from reference.line_options import FIVES, complete
from reference.match import Match


class Reference(Match):
    """One match. `player` is to decide, `mover` has the turn; they differ while others may claim."""

    def __init__(self, game, num_players=2, **options):
        super().__init__(num_players, complete(game, num_players, options))
        self.game = game

    # The deal and the lead

    def start_hand(self, hands, boneyard, leader=None):
        """`boneyard` lies in the order in which it will be drawn; `leader` counts only where the lead comes by lot."""
        self.check_may_deal()
        self.hands = [[tuple(sorted(tile)) for tile in hand] for hand in hands]
        self.boneyard = [tuple(sorted(tile)) for tile in boneyard]
        self.layout = Layout()
        self.passes = 0
        self.tile_points = 0  # what the tile just laid scores
        self.silent = None  # (seat, points) of a score not claimed by its mover, until its window closes
        self.asked = []  # (seat, "own" or "window"): claim decisions to come, in turn
        self.opening_tile = None
        self.hand_over = False
        self.leader = self.find_leader(leader)
        self.mover = self.player = self.leader
        self.phase = "play"

    def find_leader(self, by_lot):
        rule = self.options["first_leader"] if self.hands_played == 0 else self.options["next_lead"]
        if rule == "highest_double":
            return self.find_highest_double()
        if rule == "lot":
            if by_lot is None:
                raise ValueError("the lead comes by lot: start_hand needs a leader")
            return by_lot
        if rule == "winner" and self.last_winner is not None:
            return self.last_winner
        return (self.leader + 1) % self.num_players  # rotation, and after a tie

    def find_highest_double(self):
        """Without doubles the heaviest tile leads, ties by the higher half. It may have to open; otherwise leads are free."""
        dealt = [(tile, seat) for seat, hand in enumerate(self.hands) for tile in hand]
        leading = max(dealt, key=lambda held: (is_double(held[0]), sum(held[0]), held[0][1]))
        if self.options["lead_tile"] == "highest_double":
            self.opening_tile = leading[0]
        return leading[1]

    # Moves

    def legal_actions(self):
        if self.done or self.hand_over:
            return set()
        if self.phase == "claim":
            return {"claim", "pass"}
        fitting = self.placements()
        if fitting:
            return {f"{high}-{low}>{arm}" for (low, high), arm in fitting}
        return {"draw"} if self.may_draw() else {"pass"}

    def placements(self):
        hand = self.hands[self.mover]
        if not self.layout.line:
            return [(tile, "L") for tile in hand if self.opening_tile in (None, tile)]
        return placements(self.layout, hand, self.options["spinner"], pips_count=self.game in FIVES)

    def may_draw(self):
        return self.options["draw_mode"] != "none" and len(self.boneyard) > self.options["reserve"]

    def step(self, action):
        self.begin_step(action)
        if self.phase == "claim":
            self.decide(claimed=action == "claim")
        elif action == "draw":
            self.draw()
        elif action == "pass":
            self.passes += 1
            self.end_turn()
        else:
            self.place(action)
        self.pay()

    def draw(self):
        """One tile; whether the turn goes on is the draw mode's matter. A draw is not a pass."""
        tile = self.boneyard.pop(0)
        self.hands[self.mover].append(tile)
        self.passes = 0
        fits = any(end["number"] in tile for end in self.layout.ends.values())
        mode = self.options["draw_mode"]
        if mode == "one_end" or (mode == "one_then_play" and not fits):
            self.end_turn()

    def place(self, action):
        """Lays a tile. It scores at once, or claims are asked for: first for an older score still silent, then the mover's."""
        word, arm = action.split(">")
        tile = tuple(sorted(int(half) for half in word.split("-")))
        self.hands[self.mover].remove(tile)
        self.layout = self.layout.with_tile(tile, arm, self.options["spinner"])
        self.passes = 0
        self.tile_points = self.score_of_layout()
        if self.options.get("claim_mode") == "muggins":
            self.asked = self.window()
            if self.tile_points > 0 or self.options["false_claims"]:
                self.asked.append((self.mover, "own"))
            self.ask()
        else:
            self.credit(self.mover, self.tile_points)
            self.end_turn()

    def score_of_layout(self):
        """What the open ends add up to, where it is a multiple of five, or of five or three."""
        total = self.layout.total()
        if self.game == "all_fives":
            return self.in_units(total) if total % 5 == 0 else 0
        return fives_and_threes(total, self.options.get("ft_scoring", "units")) if self.game in FIVES else 0

    def in_units(self, pips):
        return pips // 5 if self.options.get("score_unit") == "pips_over_5" else pips

    def end_turn(self):
        """A hand ends when someone is out or all have passed in a row; before that a silent score gets its window."""
        if self.done:
            return
        if self.passes < self.num_players and self.hands[self.mover]:
            self.mover = self.player = (self.mover + 1) % self.num_players
        elif self.silent:
            self.asked = self.window()
            self.ask()
        else:
            self.end_hand()

    # Muggins call: points not claimed by the mover may be claimed by the others once the next tile is laid.

    def window(self):
        """Those who may claim the silent score, in turn from its mover's left."""
        if not self.silent:
            return []
        seat = self.silent[0]
        return [((seat + turn) % self.num_players, "window") for turn in range(1, self.num_players)]

    def ask(self):
        """The next claim decision, or the end of the turn."""
        if self.done:
            return
        if self.asked:
            self.phase, self.player = "claim", self.asked[0][0]
        else:
            self.phase, self.player = "play", self.mover
            self.end_turn()

    def decide(self, claimed):
        seat, kind = self.asked.pop(0)
        if kind == "own":
            self.decide_own_score(seat, claimed)
        else:
            self.decide_silent_score(seat, claimed)
        self.ask()

    def decide_own_score(self, seat, claimed):
        """The mover takes his points or leaves them; a claim without points costs the penalty and opens no window."""
        if claimed and self.tile_points > 0:
            self.credit(seat, self.tile_points)
        elif claimed:
            self.change_score(seat, -self.options["false_claim_penalty"])
        elif self.tile_points > 0:
            self.silent = (seat, self.tile_points)

    def decide_silent_score(self, seat, claimed):
        """The first to claim takes the points; the window closes with him, or with the last to pass."""
        points = self.silent[1]
        if claimed:
            self.asked = [decision for decision in self.asked if decision[1] == "own"]
        if "window" not in [kind for _, kind in self.asked]:
            self.silent = None
        if claimed:
            self.credit(seat, points)

    # The end of a hand

    def end_hand(self):
        winner = self.hand_winner()
        self.pay_hand(winner, 0 if winner is None else self.settlement(winner))
        self.go_on_or_end()

    def weight(self, side):
        """The pips that a side holds: none once one of the partners is out."""
        return self.block_weight(side) if all(self.hands[seat] for seat in side) else 0

    def settlement(self, winner):
        """What the winner of a hand gets: in Fives and Threes a bonus for being out, elsewhere the pips of the others.

        His own come off once in Block and Draw, and off each loser's in the games of fives, which may round the differences
        to the nearest five.
        """
        if self.game == "fives_and_threes":
            return 0 if self.hands[winner] else self.options["out_bonus"]
        own = self.weight(self.side_of(winner))
        others = [self.weight(side) for side in self.sides if winner not in side]
        if self.game not in FIVES:
            return sum(others) - own if self.options["deduct_own_pips"] else sum(others)
        differences = [weight - own for weight in others]
        rounding = self.options["hand_end_rounding"]
        if rounding == "r5_each":
            return self.in_units(sum(nearest_five(difference) for difference in differences))
        return self.in_units(nearest_five(sum(differences)) if rounding == "r5_sum" else sum(differences))


def nearest_five(number):
    """Two over a multiple of five goes down to it, three over goes up."""
    return 5 * ((number + 2) // 5)


def fives_and_threes(total, scoring):
    """By both divisors: the total for each, or once, or the number of fives and of threes in it."""
    divisors = [divisor for divisor in (5, 3) if total % divisor == 0]
    if scoring == "units":
        return sum(total // divisor for divisor in divisors)
    return total * (len(divisors) if scoring == "face_both" else min(len(divisors), 1))
