"""What the observations of every game must keep: bounds, the mask, evidence, and that nothing hidden shows."""

import random

import numpy as np

from domino_envs.core.game import Game
from domino_envs.core.tiles import FIRST_PILE, TABLE
from domino_envs.table import Table
from domino_envs.testing.walks import observations_of, random_positions, same_tables

# Fields of a state by what they list; a game may lack some of them.
_BY_SEAT = ("rewards", "hand_sizes", "passes", "draws", "draws_since_missing", "draws_since_no_double")
_BY_SIDE = ("scores", "hand_points")
_SEATS = ("player", "leader", "mover", "silent_seat", "owner", "history_seats")
_HIDDEN = ("rng", "owner", "boneyard", "opening_tile")


def observations_keep_their_bounds(game: Game, games: int, seed: int) -> None:
    """Observations are float32 and within the game's finite bounds, for every seat at any time."""
    low, high = game.observation_low, game.observation_high
    assert low.shape == high.shape == (game.observation_size,)
    assert np.isfinite(low).all(), "observation_low is not finite"
    assert np.isfinite(high).all(), "observation_high is not finite"
    for table in random_positions(game, games, seed):
        views = observations_of(table)
        assert views.dtype == np.float32, f"observations are {views.dtype}"
        assert views.shape == (game.num_players, game.observation_size), f"observations have shape {views.shape}"
        wrong = np.flatnonzero(~((views >= low) & (views <= high)).all(axis=0))
        assert not len(wrong), f"features {wrong.tolist()} hold {views[:, wrong].tolist()}"


def observation_decides_the_mask(game: Game, games: int, seed: int) -> None:
    """Equal observations of the player to move have equal masks."""
    masks: dict[bytes, bytes] = {}
    for table in random_positions(game, games, seed):
        mask = table.action_mask.tobytes()
        known = masks.setdefault(table.observation(table.player).tobytes(), mask)
        assert known == mask, f"{table.legal_actions()} and {np.flatnonzero(np.frombuffer(known, np.int8))} look alike"


def a_draw_or_pass_is_seen(game: Game, games: int, seed: int) -> None:
    """Every other seat sees when a player draws or passes, and a second draw or pass differs from the first."""
    for table in random_positions(game, games, seed):
        seen = [table.observation(seat) for seat in range(game.num_players)]
        twin, mover = table.clone(), table.player
        while _is_draw_or_pass(twin, mover, table.state.hands_played):
            name = game.action_to_string(twin.legal_actions()[0])
            twin.play(twin.legal_actions()[0])
            for seat in set(range(game.num_players)) - {mover}:
                view = twin.observation(seat)
                assert not np.array_equal(view, seen[seat]), f"player_{seat} does not see a {name} of player_{mover}"
                seen[seat] = view


def _is_draw_or_pass(table: Table, seat: int, hand: int) -> bool:
    """Tells whether a seat's next move of the hand can only be to draw or to pass."""
    if table.done or table.player != seat or table.state.hands_played != hand:
        return False
    names = {table.game.action_to_string(action) for action in table.legal_actions()}
    return names <= {"draw", "pass"} and len(names) == 1


def seats_are_alike(game: Game, games: int, seed: int) -> None:
    """With every seat moved on by one, each sees what the one before it saw, and has its moves and rewards."""
    chance = random.Random(seed)
    for table in random_positions(game, games, seed, every=2):
        turned = _turned(table)
        assert np.array_equal(turned.action_mask, table.action_mask), "the mask depends on the seat"
        assert np.array_equal(observations_of(turned), np.roll(observations_of(table), 1, axis=0)), (
            "observations depend on the seat"
        )
        if not table.done:
            action, twin = chance.choice(table.legal_actions()), table.clone()
            twin.play(action)
            turned.play(action)
            assert np.array_equal(turned.rewards, np.roll(twin.rewards, 1)), "rewards depend on the seat"


def _turned(table: Table) -> Table:
    """Returns the table with every seat moved on by one."""
    twin, players, sides = table.clone(), table.game.num_players, int(table.game.rules.num_sides)
    for name in set(table.game.state_dtype.names) & {*_BY_SEAT, *_BY_SIDE, *_SEATS}:
        field = twin.states[name]
        if name in _BY_SEAT:
            field[0] = np.roll(field[0], 1, axis=0)
        elif name in _BY_SIDE:
            field[0, :sides] = np.roll(field[0, :sides], 1)
        else:
            field[:] = np.where(field >= 0, (field + 1) % players, field)
            piles = field <= FIRST_PILE  # only an owner can be a pile
            field[piles] = FIRST_PILE - (FIRST_PILE - field[piles] + 1) % players
    twin.set_state(twin.get_state())
    return twin


def hidden_tiles_do_not_show(game: Game, games: int, seed: int) -> None:
    """Dealing the hidden tiles anew leaves a seat's observation, its mask and all that is public as they were."""
    chance = random.Random(seed)
    public = [name for name in game.state_dtype.names if name not in _HIDDEN]
    for table in random_positions(game, games, seed, every=2):
        seat, twin = chance.randrange(game.num_players), table.clone()
        twin.redeal_hidden(seat, chance.getrandbits(32))
        assert np.array_equal(twin.observation(seat), table.observation(seat)), f"player_{seat} sees hidden tiles"
        for name in public:
            assert np.array_equal(twin.states[name], table.states[name]), f"redeal_hidden changed {name}"
        if seat == table.player:
            assert np.array_equal(twin.action_mask, table.action_mask), "the mask depends on hidden tiles"
        for place, words in ((seat, "own hand"), (TABLE, "table")):
            known = twin.states["owner"] == place, table.states["owner"] == place
            assert np.array_equal(*known), f"redeal_hidden changed the {words}"


def redealing_reads_nothing_hidden(game: Game, games: int, seed: int) -> None:
    """One seed gives one deal, whatever lay hidden before; other seeds give others; the game can be played to its end."""
    chance = random.Random(seed)
    for table in random_positions(game, games, seed, every=5):
        seat, number, other = chance.randrange(game.num_players), chance.getrandbits(32), chance.getrandbits(32)
        twin, twice = table.clone(), table.clone()
        twin.redeal_hidden(seat, number)
        twice.redeal_hidden(seat, other)
        assert twice.get_state() != twin.get_state(), "two seeds gave one deal and one stream"
        twice.redeal_hidden(seat, number)
        assert same_tables(twin, twice), "what was hidden had a part in the new deal"
        for _ in range(game.max_hand_length):
            if not twin.done:
                twin.step(chance.choice(twin.legal_actions()))
