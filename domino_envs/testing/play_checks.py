"""What the moves of every game must keep: tiles, masks, names, rewards, the length of a hand."""

import random

import numpy as np

from domino_envs import engine
from domino_envs.core.game import Game
from domino_envs.core.tiles import BONEYARD
from domino_envs.table import Table
from domino_envs.testing.walks import random_positions

_HISTORY = ("history", "history_seats", "history_claims", "history_size")
_ARMS = ("ends", "doubles", "arm_lengths")
_TOLERANCE = 1e-6


def tiles_are_in_one_place(game: Game, games: int, seed: int) -> None:
    """Hands, table and boneyard are the set, and are as large as the state says."""
    for table in random_positions(game, games, seed):
        owner, state = table.states["owner"][0], table.state
        hands = [int((owner == seat).sum()) for seat in range(game.num_players)]
        assert hands == state.hand_sizes.tolist(), f"hands of {hands} tiles, but hand_sizes={state.hand_sizes}"
        boneyard = sorted(state.boneyard[: state.boneyard_size].tolist())
        assert boneyard == np.flatnonzero(owner == BONEYARD).tolist(), f"boneyard {boneyard}, but owner={owner}"
        assert owner.max() < game.num_players, f"owner={owner} names a seat that is not there"


def someone_can_always_move(game: Game, games: int, seed: int) -> None:
    """The player to move has a legal action, and after the end nobody has."""
    for table in random_positions(game, games, seed):
        assert table.action_mask.any() != table.done, f"legal are {table.legal_actions()} with done={table.done}"
        assert set(table.action_mask.tolist()) <= {0, 1}, f"the mask holds {set(table.action_mask.tolist())}"
        assert 0 <= table.player < game.num_players, f"player={table.player}"


def masks_are_written_whole_and_bind(game: Game, games: int, seed: int) -> None:
    """A mask is the same whatever stood in its array; an action that it leaves out raises ValueError and changes nothing."""
    for table in random_positions(game, games, seed, every=4):
        before, mask = table.get_state(), np.ones_like(table.action_mask)
        engine.legal_table(table.states, game.rules_array, mask)
        assert np.array_equal(mask, table.action_mask), f"legal are {np.flatnonzero(mask)} or {table.legal_actions()}"
        assert table.get_state() == before, "looking for legal actions changed the table"
        for action in {*range(-1, game.num_actions + 1)} - {*table.legal_actions()}:
            try:
                table.step(action)
            except ValueError:
                assert table.get_state() == before, f"action {action} was refused but changed the table"
            else:
                raise AssertionError(f"illegal action {action} was accepted")


def equal_moves_are_one_action(game: Game, games: int, seed: int) -> None:
    """No two legal actions lead to the same layout, mirrored or not, with the same hands, scores and turn."""
    for table in random_positions(game, games, seed, every=2):
        after: dict[bytes, int] = {}
        for action in table.legal_actions():
            twin = table.clone()
            twin.play(action)
            if twin.state.hands_played != table.state.hands_played or twin.done:
                continue  # the layouts are cleared away
            first = after.setdefault(_layout_and_rest(twin), action)
            names = game.action_to_string(first), game.action_to_string(action)
            assert first == action, f"{names[0]} and {names[1]} are the same move"


def _layout_and_rest(table: Table) -> bytes:
    """Returns all that matters for the rest of the game, the arms in any order."""
    state, names = table.states[0], table.game.state_dtype.names
    rest = b"".join(state[name].tobytes() for name in names if name not in _HISTORY + _ARMS)
    if "ends" not in names:
        return rest
    rules, ends, doubles = table.game.rules, state["ends"], state["doubles"]
    counts = bool(rules.ends_count) or len(ends) > 2  # whether a double differs from a single by its pips
    shown = doubles.copy() if rules.doubles_score else counts * ends * (1 + doubles)
    shown[2:] *= state["arm_lengths"][2:] > 0  # an empty arm counts nothing
    arms = zip(ends.tolist(), shown.tolist(), strict=True)
    return rest + repr(sorted(arms)).encode()


def actions_have_fixed_names(game: Game, games: int, seed: int) -> None:
    """Every action has one name, which leads back to it whatever was played; anything else raises ValueError."""
    names = [game.action_to_string(action) for action in range(game.num_actions)]
    assert len(set(names)) == game.num_actions, "two actions share a name"
    for table in random_positions(game, 1, seed, every=5):
        for action in range(game.num_actions):
            assert table.game.action_to_string(action) == names[action], f"the name of {action} has changed"
            assert table.game.string_to_action(names[action]) == action, f"{names[action]!r} does not lead back to {action}"
    for function, wrong in (
        (game.action_to_string, -1),
        (game.action_to_string, game.num_actions),
        (game.string_to_action, ""),
    ):
        try:
            answer = function(wrong)
        except ValueError:
            continue
        raise AssertionError(f"{function.__name__}({wrong!r}) returned {answer!r}")


def rewards_follow_the_scores(game: Game, games: int, seed: int) -> None:
    """Every step pays what the scores and the end of the game say; sides add up to zero, partners get the same."""
    sides, before = int(game.rules.num_sides), None
    for table in random_positions(game, games, seed):
        scores, rewards = table.scores, table.rewards.astype(np.float64)
        if table.state.hands_played == 0 and table.state.history_size == 0:
            before = scores
        earned, before = (scores - before)[:sides], scores
        owed = _points_owed(game, earned) if game.options.reward == "points" else _win_owed(table)
        assert np.allclose(rewards[:sides], owed, atol=_TOLERANCE), f"rewards {rewards} where {owed} are due"
        assert abs(rewards[:sides].sum()) < _TOLERANCE, f"rewards {rewards} do not add up to zero"
        assert np.array_equal(rewards, np.resize(rewards[:sides], game.num_players)), f"partners differ in {rewards}"


def _points_owed(game: Game, earned: np.ndarray) -> np.ndarray:
    """Own credit less the mean of the other sides', in units of the target, or of 100 where there is none."""
    others = (earned.sum() - earned) / (len(earned) - 1)
    return (earned - others) / (game.options.target or 100)


def _win_owed(table: Table) -> np.ndarray:
    """At the end +1 for the winning side and a share of -1 for the others; sides level at the top share what they cover."""
    sides = int(table.game.rules.num_sides)
    if not table.done:
        return np.zeros(sides)
    scores = table.scores[:sides]
    payoffs = np.full(sides, -1 / (sides - 1))
    payoffs[0] = 1
    top = scores == scores.max()
    return np.where(top, payoffs[: top.sum()].mean(), payoffs[-1])


def forfeits_cost_the_offender(game: Game, games: int, seed: int) -> None:
    """A forfeit ends the game: -1 for the offender's side, and the others share +1."""
    sides = int(game.rules.num_sides)
    for table in random_positions(game, games, seed, every=7):
        if table.done:
            continue
        twin = table.clone()
        twin.forfeit()
        owed = [-1 if seat % sides == table.player % sides else 1 / (sides - 1) for seat in range(game.num_players)]
        assert twin.done
        assert not twin.legal_actions()
        assert np.allclose(twin.rewards, owed), f"rewards {twin.rewards} after a forfeit by player_{table.player}"


def hands_end_within_the_bound(game: Game, games: int, seed: int) -> None:
    """A hand is no longer than `max_hand_length`, and its history holds every action with its seat."""
    chance, table = random.Random(seed), Table(game, seed=seed)
    for _ in range(games):
        table.reset()
        record: list[tuple[int, int]] = []
        while not table.done:
            seat, action = table.player, chance.choice(table.legal_actions())
            table.play(action)
            record.append((action, seat))
            assert len(record) <= game.max_hand_length, f"a hand of more than {game.max_hand_length} moves"
            if table.state.history_size == 0:  # of the next hand, or of this one dealt anew
                record = []
            assert _recorded(table) == record, f"the history has {_recorded(table)} for {record}"


def _recorded(table: Table) -> list[tuple[int, int]]:
    state = table.state
    size = int(state.history_size)
    return list(zip(state.history[:size].tolist(), state.history_seats[:size].tolist(), strict=True))
