"""Turns, hands and the match in the line games: moves, evidence, credits, the lead, and how it all ends.

A variant's `step` composes these parts; a later hand of a match is dealt inside `end_hand` from the continued stream.
"""

from domino_envs.core.jit import njit
from domino_envs.core.line import clear_line, fits, is_open, mark_placements, place
from domino_envs.core.rng import randint
from domino_envs.core.scoring import NOBODY, side_of
from domino_envs.core.tiles import HIGH, LOW, PIPS, draw_tile, heaviest_tile, highest_double, shuffle_and_deal

# Values of the options, in the order in which `options.py` lists them.
DRAW_NONE, DRAW_ONE_END, DRAW_ONE_THEN_PLAY, DRAW_UNTIL_PLAYABLE = 0, 1, 2, 3
LEAD_HIGHEST_DOUBLE, LEAD_WINNER, LEAD_ROTATION, LEAD_LOT, LEAD_AGAIN = 0, 1, 2, 3, 4  # `next_lead`, and two of no later hand
FIRST_LEADER_LOT = 1
REWARD_WIN, REWARD_POINTS = 0, 1
MATCH_END_IMMEDIATE, MATCH_END_HAND_END = 0, 1

PLAY, OWN_CLAIM, WINDOW = 0, 1, 2  # of `phase`: a move, a claim of the tile's mover, a claim of what he left

NO_CLAIM = -1  # of `tile_points`
NO_EVIDENCE = -1  # of `draws_since_missing`
FREE_OPENING = -1  # of `opening_tile` before the lead: any tile may open


@njit
def begin_match(state, rules):
    """Sets what every match begins with: nothing played, no scores."""
    state.done = 0
    state.hands_played = 0
    for seat in range(rules.num_players):
        state.scores[seat] = 0
        state.hand_points[seat] = 0
        state.rewards[seat] = 0.0


@njit
def deal_match(state, rules):
    """Starts a match: no scores, the first leader, the first hand."""
    begin_match(state, rules)
    state.leader = 0
    deal_hand(state, rules, LEAD_LOT if rules.first_leader == FIRST_LEADER_LOT else LEAD_HIGHEST_DOUBLE, NOBODY)


@njit
def deal_hand(state, rules, lead, winner):
    """Deals a hand; `lead` says how its leader is found, `winner` who won the last one."""
    shuffle_and_deal(state, rules)
    clear_hand(state, rules)
    state.lead = lead
    state.leader = _find_leader(state, rules, lead, winner)
    state.player = state.leader


@njit
def clear_hand(state, rules):
    """Sets what every hand begins with, once it is dealt: nothing laid, no record, no evidence."""
    clear_line(state)
    state.passes_in_row = 0
    state.drew = 0
    state.history_size = 0
    for i in range(len(state.history)):
        state.history[i] = 0
        state.history_seats[i] = 0
    _clear_claims(state)
    for seat in range(rules.num_players):
        state.passes[seat] = 0
        state.draws[seat] = 0
        for number in range(rules.max_pip + 1):
            state.draws_since_missing[seat, number] = NO_EVIDENCE
    state.opening_tile = FREE_OPENING


@njit
def _clear_claims(state):
    state.phase = PLAY
    state.mover = 0
    state.tile_points = NO_CLAIM
    state.silent_seat = NOBODY
    state.silent_points = 0
    for i in range(len(state.history_claims)):
        state.history_claims[i] = 0


@njit
def _find_leader(state, rules, lead, winner):
    if lead == LEAD_HIGHEST_DOUBLE:
        return _lead_by_highest_double(state, rules)
    if lead == LEAD_LOT:
        return randint(state, rules.num_players)
    if lead == LEAD_WINNER and winner != NOBODY:
        return winner
    if lead == LEAD_AGAIN:
        return state.leader
    return (state.leader + 1) % rules.num_players


@njit
def _lead_by_highest_double(state, rules):
    """The highest double leads; where nobody holds a double the heaviest tile does, ties by the higher half."""
    leader, best = -1, -1
    for seat in range(rules.num_players):
        tile = highest_double(state, seat)
        if tile > best:
            leader, best = seat, tile
    if leader < 0:
        for seat in range(rules.num_players):
            tile = heaviest_tile(state, seat)
            pips, best_pips = PIPS[tile], PIPS[best]
            if best < 0 or pips > best_pips or (pips == best_pips and tile > best):
                leader, best = seat, tile
    if rules.lead_tile:
        state.opening_tile = best
    return leader


@njit
def clear_mask(mask):
    for action in range(len(mask)):
        mask[action] = 0


@njit
def mark_legal_actions(state, rules, mask):
    """Fills `mask[num_actions]`: the placements, or else the one forced draw or pass; nothing once the match is over."""
    clear_mask(mask)
    if state.done:
        return
    if state.line_length == 0:
        mark_openings(state, mask)
    elif mark_placements(state, rules, mask) == 0:
        mask[rules.draw_action if can_draw(state, rules) else rules.pass_action] = 1


@njit
def mark_openings(state, mask):
    """Marks the tiles that the player to move may open with."""
    for tile in range(len(state.owner)):
        if state.owner[tile] == state.player and (state.opening_tile == FREE_OPENING or state.opening_tile == tile):
            mask[tile * len(state.ends)] = 1


@njit
def can_draw(state, rules):
    return rules.draw_mode != DRAW_NONE and state.boneyard_size > rules.reserve


@njit
def begin_step(state, rules, action):
    """Clears the last step's rewards and writes the action into the hand's history."""
    for seat in range(rules.num_players):
        state.rewards[seat] = 0.0
    state.history[state.history_size] = action
    state.history_seats[state.history_size] = state.player
    state.history_size += 1


@njit
def is_placement(rules, action):
    return action < rules.draw_action


@njit
def play_move(state, rules, action):
    """Plays a placement, a draw or a pass, with the evidence that it gives about the mover's hand."""
    if is_placement(rules, action):
        arms = len(state.ends)
        _use_up_evidence(state, rules, action // arms)
        place(state, rules, action // arms, action % arms)
        state.passes_in_row = 0
    elif action == rules.draw_action:
        _show_missing_ends(state, rules)
        tile = draw_tile(state)
        _count_unknown_tile(state, rules, 1)
        state.draws[state.player] += 1
        state.drew = 1
        state.passes_in_row = 0
        if rules.draw_mode == DRAW_ONE_THEN_PLAY and not fits(state, rules, tile):
            _show_missing_ends(state, rules)
    else:
        _show_missing_ends(state, rules)
        state.passes[state.player] += 1
        state.passes_in_row += 1


@njit
def _show_missing_ends(state, rules):
    """A player who cannot place holds none of the open numbers at this moment."""
    for arm in range(len(state.ends)):
        if is_open(state, rules, arm):
            state.draws_since_missing[state.player, state.ends[arm]] = 0


@njit
def _count_unknown_tile(state, rules, change):
    """Adds to (or takes from) the number of unknown tiles that the player drew since each piece of evidence."""
    for number in range(rules.max_pip + 1):
        known = state.draws_since_missing[state.player, number] >= 0
        state.draws_since_missing[state.player, number] += change * known  # no branch: it cannot be predicted


@njit
def _use_up_evidence(state, rules, tile):
    """A tile laid straight after a draw is the drawn one; else one with a missing number was drawn since."""
    if state.drew:
        _count_unknown_tile(state, rules, -1)
        return
    numbers = (LOW[tile], HIGH[tile])
    for i in range(1 if numbers[0] == numbers[1] else 2):
        if state.draws_since_missing[state.player, numbers[i]] > 0:
            state.draws_since_missing[state.player, numbers[i]] -= 1


@njit
def end_turn(state, rules, action):
    """Passes the turn on, unless a draw leaves it with the same player."""
    if action == rules.draw_action and _draw_keeps_turn(state, rules):
        return
    state.player = (state.player + 1) % rules.num_players
    state.drew = 0


@njit
def _draw_keeps_turn(state, rules):
    if rules.draw_mode == DRAW_UNTIL_PLAYABLE:
        return True
    return rules.draw_mode == DRAW_ONE_THEN_PLAY and fits(state, rules, state.boneyard[state.boneyard_size])


@njit
def hand_is_over(state, rules):
    """A hand ends when the mover is out or when every player has passed in a row."""
    return state.hand_sizes[state.player] == 0 or state.passes_in_row == rules.num_players


@njit
def credit(state, rules, seat, points):
    """Adds points to a seat's side where they count; ends the match at an immediate target."""
    side = side_of(rules, seat)
    if state.scores[side] <= 0 and points < rules.opening_threshold:
        return
    if rules.exact_target and state.scores[side] + points > rules.target:
        return
    change_score(state, rules, side, points)
    if rules.match_end == MATCH_END_IMMEDIATE and rules.target > 0 and state.scores[side] >= rules.target:
        finish_match(state, rules)


@njit
def change_score(state, rules, side, points):
    """Adds points, or takes them off, and pays them under `reward="points"`."""
    state.scores[side] += points
    if rules.reward == REWARD_POINTS:
        _pay_points(state, rules, side, points)


@njit
def _pay_points(state, rules, side, points):
    """Own credit less the mean of the other sides', in units of the target."""
    own = points / rules.points_scale
    for seat in range(rules.num_players):
        if side_of(rules, seat) == side:
            state.rewards[seat] += own
        else:
            state.rewards[seat] -= own / (rules.num_sides - 1)


@njit
def end_hand(state, rules, winner, points):
    """Pays the hand's end to its winner (or `NOBODY`), then ends the match or deals the next hand."""
    state.hands_played += 1
    paid = 0
    if winner != NOBODY:
        before = state.scores[side_of(rules, winner)]
        credit(state, rules, winner, points)
        paid = state.scores[side_of(rules, winner)] - before
    if not state.done:
        if state.hands_played >= rules.max_hands or target_reached(state, rules):
            finish_match(state, rules)
        else:
            deal_hand(state, rules, rules.next_lead, winner)
    for side in range(rules.num_sides):
        state.hand_points[side] = paid if winner != NOBODY and side == side_of(rules, winner) else 0


@njit
def target_reached(state, rules):
    if rules.target > 0:
        for side in range(rules.num_sides):
            if state.scores[side] >= rules.target:
                return True
    return False


@njit
def finish_match(state, rules):
    """Ends the match: the highest score wins, sides level at the top share the win."""
    state.done = 1
    for side in range(rules.num_sides):
        state.hand_points[side] = 0
    if rules.reward != REWARD_WIN:
        return
    sides = rules.num_sides
    best = state.scores[0]
    for side in range(1, sides):
        best = max(best, state.scores[side])
    tied = 0
    for side in range(sides):
        tied += state.scores[side] == best
    loss = -1.0 / (sides - 1)
    shared_win = (1.0 + (tied - 1) * loss) / tied
    for seat in range(rules.num_players):
        state.rewards[seat] = shared_win if state.scores[side_of(rules, seat)] == best else loss
