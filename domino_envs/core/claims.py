"""Points of the tiles laid: credited at once, or claimed ("Muggins!").

With `claim_mode="muggins"` a tile that scores, or with `false_claims` every tile, asks its mover first: claim, or pass and
stay silent. Points left silent wait until the next tile is laid, or the hand ends. Then the window opens: the others are
asked, from the silent player's left, and the first to claim takes them; then it closes for good. Where both are due, the
window comes before the mover's own decision, so that one score waits at most.

While a claim is decided, `phase` says which one, `player` is who decides, and `mover` has the turn.
"""

from domino_envs.core import turns
from domino_envs.core.jit import njit
from domino_envs.core.scoring import NOBODY, side_of
from domino_envs.core.turns import NO_CLAIM, OWN_CLAIM, PLAY, WINDOW


@njit
def claims_are_made(state):
    """Tells whether points are claimed; known when the code is compiled."""
    return len(state.history_claims) > 0


@njit
def mark_legal_actions(state, rules, mask):
    """Fills `mask[num_actions]`: claim and pass while a claim is decided, else the moves of the turn."""
    turns.mark_legal_actions(state, rules, mask)
    if claims_are_made(state) and state.phase != PLAY and not state.done:
        turns.clear_mask(mask)
        mask[rules.claim_action] = 1
        mask[rules.pass_action] = 1


@njit
def play(state, rules, action):
    """Plays a move of the turn, or decides a claim; tells whether a tile was laid."""
    deciding = claims_are_made(state) and state.phase != PLAY
    if deciding:
        state.history_claims[state.history_size] = 1
    turns.begin_step(state, rules, action)
    if deciding:
        _decide(state, rules, action == rules.claim_action)
        return False
    turns.play_move(state, rules, action)
    return turns.is_placement(rules, action)


@njit
def score_tile(state, rules, points):
    """Credits what the tile just laid scores to its mover, or asks for claims."""
    if not claims_are_made(state):
        turns.credit(state, rules, state.player, points)
        return
    state.mover = state.player
    state.tile_points = points if points > 0 or rules.false_claims else NO_CLAIM
    if state.silent_seat != NOBODY:
        _open_window(state, rules)
    else:
        _ask_mover(state)


@njit
def hand_is_over(state, rules, action):
    """Ends the turn where no claim is left to decide; tells whether the hand has ended and is to be settled."""
    if state.done or (claims_are_made(state) and state.phase != PLAY):
        return False
    if not turns.hand_is_over(state, rules):
        turns.end_turn(state, rules, action)
        return False
    if claims_are_made(state) and state.silent_seat != NOBODY:
        state.mover = state.player
        _open_window(state, rules)
        return False
    return True


@njit
def _open_window(state, rules):
    state.phase = WINDOW
    state.player = (state.silent_seat + 1) % rules.num_players


@njit
def _ask_mover(state):
    """Asks for the mover's own decision, if there is one left; otherwise play goes on."""
    state.phase = PLAY if state.tile_points == NO_CLAIM else OWN_CLAIM
    state.player = state.mover


@njit
def _decide(state, rules, claimed):
    if state.phase == OWN_CLAIM:
        _decide_own(state, rules, claimed)
    else:
        _decide_in_window(state, rules, claimed)


@njit
def _decide_own(state, rules, claimed):
    """The mover takes the points, or leaves them to the others; a claim of nothing costs the penalty."""
    points = state.tile_points
    state.tile_points = NO_CLAIM
    state.phase = PLAY
    if claimed and points > 0:
        turns.credit(state, rules, state.player, points)
    elif claimed:
        turns.change_score(state, rules, side_of(rules, state.player), -rules.false_claim_penalty)
    elif points > 0:
        state.silent_seat = state.player
        state.silent_points = points


@njit
def _decide_in_window(state, rules, claimed):
    """The first to claim takes the points; the window closes with him, or with the last to pass."""
    if claimed:
        turns.credit(state, rules, state.player, state.silent_points)
    state.player = (state.player + 1) % rules.num_players
    if claimed or state.player == state.silent_seat:
        state.silent_seat = NOBODY
        state.silent_points = 0
        _ask_mover(state)
