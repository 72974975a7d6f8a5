"""The batched kernels, written once over the contract of `core/game.py`.

They write into arrays that the caller allocated; nothing is checked or raised in here, and only dealing hidden tiles anew
takes memory of its own. The functions on slices `[start, stop)` run in threads side by side: rows share nothing.
"""

import numpy as np

from domino_envs.core import game as dispatch
from domino_envs.core.jit import entry, njit
from domino_envs.core.sampling import count_legal, only_action, sample_legal

RAISE, FORFEIT = 0, 1  # what an illegal action does
MOST_REDEALS = 1000  # of episodes without a decision, in a row
WAIT = np.iinfo(np.int64).min  # instead of an action: the row's table does not move


@njit
def forfeit(state, rules):
    """Ends the game against the player to move: its side gets -1, the other sides share +1."""
    state.done = 1
    for seat in range(rules.num_players):
        own = seat % rules.num_sides == state.player % rules.num_sides
        state.rewards[seat] = -1.0 if own else 1.0 / (rules.num_sides - 1)


@njit
def _collect_rewards(state, rewards):
    for seat in range(len(rewards)):
        rewards[seat] += state.rewards[seat]


@njit
def _ended(state, steps, max_steps):
    return state.done or (max_steps > 0 and steps >= max_steps)


@njit
def _play_forced(state, rules, mask, rewards, steps, max_steps):
    """Plays moves until the player to move has a choice or the episode ends; fills `mask`; returns the steps so far."""
    dispatch.legal_actions(state, rules, mask)
    while not _ended(state, steps, max_steps) and count_legal(mask) == 1:
        dispatch.step(state, rules, only_action(mask))
        _collect_rewards(state, rewards)
        steps += 1
        dispatch.legal_actions(state, rules, mask)
    return steps


@njit
def _start_episode(state, rules, batch, row, max_steps, skip_forced):
    """Deals a game and, with `skip_forced`, plays to its first decision; an episode without one is dealt again.

    Where chance may never deal a decision (a single move, hands of one tile), the last deal's forced moves are left to play.
    """
    dispatch.deal(state, rules)
    batch.steps[row] = 0
    if not skip_forced:
        dispatch.legal_actions(state, rules, batch.action_mask[row])
        return
    carried = batch.carried[row]
    for _ in range(MOST_REDEALS):
        for seat in range(len(carried)):
            carried[seat] = 0.0
        batch.steps[row] = _play_forced(state, rules, batch.action_mask[row], carried, 0, max_steps)
        if not _ended(state, batch.steps[row], max_steps):
            return
        batch.skipped_episodes[row] += 1
        dispatch.deal(state, rules)
    for seat in range(len(carried)):
        carried[seat] = 0.0
    batch.steps[row] = 0
    dispatch.legal_actions(state, rules, batch.action_mask[row])


@njit
def _finish_episode(state, rules, batch, row):
    for seat in range(rules.num_players):
        side = seat % rules.num_sides
        batch.final_scores[row, seat] = state.scores[side]
        batch.final_hand_points[row, seat] = state.hand_points[side]
        dispatch.observe(state, rules, seat, batch.final_observations[row, seat])


@njit
def _look(state, rules, batch, row):
    batch.player[row] = state.player
    dispatch.observe(state, rules, state.player, batch.observations[row])


@njit
def _end_or_skip(state, rules, batch, row, max_steps, skip_forced):
    """Plays forced moves where they are skipped; ends and restarts the episode where it is over."""
    if skip_forced:
        rewards, carried = batch.rewards[row], batch.carried[row]
        for seat in range(len(carried)):
            rewards[seat] += carried[seat]
            carried[seat] = 0.0
        if not _ended(state, batch.steps[row], max_steps):
            batch.steps[row] = _play_forced(state, rules, batch.action_mask[row], rewards, batch.steps[row], max_steps)
    if _ended(state, batch.steps[row], max_steps):
        batch.terminated[row] = state.done == 1
        batch.truncated[row] = state.done == 0
        _finish_episode(state, rules, batch, row)
        _start_episode(state, rules, batch, row, max_steps, skip_forced)


@njit
def _wait(batch, row):
    for seat in range(batch.rewards.shape[1]):
        batch.rewards[row, seat] = 0.0
    batch.terminated[row] = False
    batch.truncated[row] = False


@entry
def step_rows(states, rules, actions, batch, max_steps, skip_forced, illegal, start, stop):
    """Plays `actions[row]` at the tables `[start, stop)`; tables that end are dealt anew in the same step."""
    # The batch is a long tuple: passing it on costs, so the common path stays in this loop.
    for row in range(start, stop):
        state, mask, action = states[row], batch.action_mask[row], actions[row]
        if action == WAIT:
            _wait(batch, row)
            continue
        if illegal == FORFEIT and (action < 0 or action >= len(mask) or mask[action] == 0):
            forfeit(state, rules)
        else:
            dispatch.step(state, rules, action)
        for seat in range(len(state.rewards)):
            batch.rewards[row, seat] = state.rewards[seat]
        batch.steps[row] += 1
        batch.terminated[row] = False
        batch.truncated[row] = False
        if skip_forced or _ended(state, batch.steps[row], max_steps):
            _end_or_skip(state, rules, batch, row, max_steps, skip_forced)
        else:
            dispatch.legal_actions(state, rules, mask)
        batch.player[row] = state.player
        dispatch.observe(state, rules, state.player, batch.observations[row])


@entry
def reset_rows(states, rules, streams, chosen, batch, max_steps, skip_forced):
    """Starts a game at every chosen table; a stream of 0 goes on from the table's own."""
    for row in range(len(states)):
        if not chosen[row]:
            continue
        if streams[row] != 0:
            states[row].rng = streams[row]
        _start_episode(states[row], rules, batch, row, max_steps, skip_forced)
        for seat in range(rules.num_players):
            batch.rewards[row, seat] = 0.0
        batch.terminated[row] = False
        batch.truncated[row] = False
        _look(states[row], rules, batch, row)


@entry
def first_illegal(action_mask, actions):
    """Returns the first row that moves and whose action is out of range or not legal, or -1."""
    for row in range(len(actions)):
        action = actions[row]
        if action == WAIT:
            continue
        if action < 0 or action >= action_mask.shape[1] or action_mask[row, action] == 0:
            return row
    return -1


@entry
def observe_seats(states, rules, seats, observations):
    """Writes what seat `seats[row]` may know at every table into `observations[row]`."""
    for row in range(len(states)):
        dispatch.observe(states[row], rules, seats[row], observations[row])


@entry
def redeal_rows(states, rules, seats, seeds):
    """Replaces, at every table, all that `seats[row]` cannot see."""
    for row in range(len(states)):
        dispatch.redeal_hidden(states[row], rules, seats[row], seeds[row])


@entry
def sample_actions(action_mask, streams, actions, start, stop):
    """Writes a uniformly random legal action of each of the rows into `actions`; `streams` are records of type `STREAM`."""
    for row in range(start, stop):
        actions[row] = sample_legal(action_mask[row], streams[row])


@entry
def random_playouts(states, rules, action_mask, start, stop, moves):
    """Plays `moves` random legal moves at every table, dealing anew where a game ends; returns the games finished."""
    games = 0
    for row in range(start, stop):
        state, mask = states[row], action_mask[row]
        for _ in range(moves):
            dispatch.legal_actions(state, rules, mask)
            dispatch.step(state, rules, sample_legal(mask, state))
            if state.done:
                games += 1
                dispatch.deal(state, rules)
    return games


# The learners' kernels see no game: they compile once for all of them.


@njit
def _end_of_learner(learners, last, row, rotate):
    """Books the end of an episode; the table has been dealt anew already."""
    if learners.opening[row]:
        learners.carried[row] = 0.0
        learners.skipped_episodes[row] += 1
        return
    seat = learners.seats[row]
    learners.terminated[row] = last.terminated[row]
    learners.truncated[row] = last.truncated[row]
    for feature in range(learners.final_observations.shape[1]):
        learners.final_observations[row, feature] = last.final_observations[row, seat, feature]
    for other in range(learners.final_scores.shape[1]):
        learners.final_scores[row, other] = last.final_scores[row, other]
    learners.opening[row] = True
    if rotate:
        learners.seats[row] = (seat + 1) % last.rewards.shape[1]


@entry
def book_moves(learners, last, rotate, play_on):
    """Books what the last moves paid and ended; returns how many tables wait for a seat other than the learner's.

    Writes a random legal action for each of these and `WAIT` for the rest. Without `play_on`, tables wait after an end.
    """
    waiting = 0
    for row in range(len(learners.seats)):
        if learners.actions[row] != WAIT:
            paid = last.rewards[row, learners.seats[row]]
            if learners.opening[row]:
                learners.carried[row] += paid
            else:
                learners.rewards[row] += paid
            if last.terminated[row] or last.truncated[row]:
                _end_of_learner(learners, last, row, rotate)
        if last.player[row] != learners.seats[row] and (play_on or not learners.opening[row]):
            learners.actions[row] = sample_legal(last.action_mask[row], learners.streams[row])
            waiting += 1
        else:
            learners.actions[row] = WAIT
    return waiting


# One table at a time: a single call does all that a step of a single-table face needs.
# `states` and `rules` are arrays of one: NumPy takes microseconds to hand a lone record to compiled code.


@entry
def deal_table(states, rules, mask):
    dispatch.deal(states[0], rules[0])
    dispatch.legal_actions(states[0], rules[0], mask)


@njit
def _table_news(state, rules, mask):
    """Returns the seat to move, whether the game is over, and whether any seat was paid."""
    dispatch.legal_actions(state, rules, mask)
    paid = False
    for seat in range(len(state.rewards)):
        paid |= state.rewards[seat] != 0.0
    return np.int64(state.player), state.done == 1, paid


@entry
def step_table(states, rules, action, mask):
    dispatch.step(states[0], rules[0], action)
    return _table_news(states[0], rules[0], mask)


@entry
def forfeit_table(states, rules, mask):
    forfeit(states[0], rules[0])
    return _table_news(states[0], rules[0], mask)


@entry
def legal_table(states, rules, mask):
    dispatch.legal_actions(states[0], rules[0], mask)


@entry
def observe_table(states, rules, player, observations):
    dispatch.observe(states[0], rules[0], player, observations[0])
