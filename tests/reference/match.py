"""What the matches of all games share: sides, scores, rewards and the end."""


class Match:
    """Scores and payments; the games keep the tiles.

    `scores`, `rewards`, `returns`, `credits` and `hand_points` are by seat, partners equal. `hand_over` is True when a hand
    has ended and the match has not: the caller deals the next.
    """

    def __init__(self, num_players, options):
        self.num_players, self.options = num_players, options
        paired = options.get("partnership", False)
        self.sides = [[0, 2], [1, 3]] if paired else [[seat] for seat in range(num_players)]
        self.scores = [0] * num_players
        self.credits = [0] * num_players
        self.payoffs = [0.0] * num_players
        self.rewards = [0.0] * num_players
        self.returns = [0.0] * num_players
        self.hand_points = [0] * num_players
        self.hands_played = 0
        self.leader = None
        self.last_winner = None
        self.winners = []
        self.hand_over = True
        self.done = False

    def check_may_deal(self):
        if self.done or not self.hand_over:
            raise ValueError("the hand before is still being played, or the match is over")

    def begin_step(self, action):
        """Refuses what is not legal, and forgets what the step before paid."""
        if action not in self.legal_actions():
            raise ValueError(f"{action!r} is illegal, expected one of {sorted(self.legal_actions())}")
        self.credits = [0] * self.num_players
        self.payoffs = [0.0] * self.num_players

    # Scores

    def side_of(self, seat):
        return next(side for side in self.sides if seat in side)

    def credit(self, seat, points):
        """Returns the points counted: none below the opening threshold, or beyond a target to be hit exactly."""
        if self.scores[seat] <= 0 and points < self.options.get("opening_threshold", 0):
            return 0
        target = self.options["target"]
        if self.options.get("exact_target") and self.scores[seat] + points > target:
            return 0
        self.change_score(seat, points)
        if self.options["match_end"] == "immediate" and self.at_target():
            self.hand_points = [0] * self.num_players  # a hand cut short pays nothing more; `pay_hand` sets its own
            self.end_match()
        return points

    def change_score(self, seat, points):
        for partner in self.side_of(seat):
            self.scores[partner] += points
            self.credits[partner] += points

    def at_target(self):
        return self.options["target"] is not None and max(self.scores) >= self.options["target"]

    # The end of a hand and of the match

    def hand_winner(self):
        """Who is out; else, after a block, the lighter partner of the side that alone is best."""
        for seat, hand in enumerate(self.hands):
            if not hand:
                return seat
        weights = [self.block_weight(side) for side in self.sides]
        if weights.count(min(weights)) > 1:
            return None
        return min(self.sides[weights.index(min(weights))], key=lambda seat: (pips(self.hands[seat]), seat))

    def block_weight(self, side):
        """What is compared after a block, the least being best."""
        return pips(tile for seat in side for tile in self.hands[seat])

    def pay_hand(self, winner, points):
        """Counts a hand as played, and credits its winner, if it has one."""
        self.last_winner = winner
        self.hands_played += 1
        self.hand_points = [0] * self.num_players
        if winner is not None:
            counted = self.credit(winner, points)
            self.hand_points = [counted if seat in self.side_of(winner) else 0 for seat in range(self.num_players)]

    def go_on_or_end(self):
        """After a hand: the match ends at the target, or with the last hand that it may have."""
        if self.done:
            return
        if self.at_target() or self.hands_played == self.options["max_hands"]:
            self.end_match()
        else:
            self.hand_over = True

    def end_match(self):
        """The highest score wins, and nobody is to move; where several have it, all of them are winners."""
        self.done = True
        self.phase = "play"
        best = max(self.scores)
        self.winners = [seat for seat in range(self.num_players) if self.scores[seat] == best]
        self.payoffs = [self.payoff(seat) for seat in range(self.num_players)]

    # Rewards

    def payoff(self, seat):
        """+1 for the first place and -1/(sides - 1) for the others; sides at the top share what their places pay."""
        last = -1 / (len(self.sides) - 1)
        tied = [side for side in self.sides if side[0] in self.winners]
        return (1 + last * (len(tied) - 1)) / len(tied) if seat in self.winners else last

    def pay(self):
        self.rewards = self.payoffs if self.options["reward"] == "win" else self.points_rewards()
        self.returns = [paid + reward for paid, reward in zip(self.returns, self.rewards, strict=True)]

    def points_rewards(self):
        """Own points of this step less the mean of the other sides', as a share of the target."""
        rewards = []
        for seat in range(self.num_players):
            others = [self.credits[side[0]] for side in self.sides if seat not in side]
            rewards.append((self.credits[seat] - sum(others) / len(others)) / (self.options["target"] or 100))
        return rewards


def pips(tiles):
    return sum(sum(tile) for tile in tiles)
