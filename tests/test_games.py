"""What every game must keep, for every number of players; and what a game must bring along."""

import os
import subprocess
import sys
from collections import defaultdict
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest
from numba import config

from domino_envs import game_names, load_game
from domino_envs.core.tiles import BONEYARD, num_tiles, tile_name
from domino_envs.playthrough import golden_games, head, player_counts, replay
from domino_envs.render.text import hand_of, history
from domino_envs.table import Table
from domino_envs.testing import CHECKS, deal_of, perft, random_positions, set_deal
from domino_envs.testing.walks import batch_of
from reference.twins import twin_of

ROOT = Path(__file__).resolve().parent.parent
PLAYTHROUGHS = ROOT / "tests" / "playthroughs"
NAMES = game_names()
SEATED = [(name, players) for name in NAMES for players in player_counts(name)]
LINE_NAMES = [name for name in NAMES if load_game(name).picture == "line"]


def case(name, players, *more):
    """Tables of five to seven, like those of eight but for their number, have golden games and twins; the rest is soaked."""
    return pytest.param(name, players, *more, marks=[pytest.mark.soak] if players in (5, 6, 7) else [])


CASES = [case(name, players) for name, players in SEATED]
LINE_CASES = [case(name, players) for name, players in SEATED if name in LINE_NAMES]
SETTINGS = {
    "match": {},
    "hand": {"max_hands": 1, "reward": "points"},
    "hands": {"target": None, "max_hands": 2, "draw_mode": "one_then_play", "reserve": 3, "next_lead": "rotation"},
}
TINY = {"max_pip": 2, "hand_size": 2, "max_hands": 3, "layout_size": 1, "first_hand": 1, "later_hand": 1}


def made(name, players, **options):
    """Returns a game with those of the options that it has."""
    own = vars(load_game(name, players).options)
    return load_game(name, players, **{option: value for option, value in options.items() if option in own})


def settings_for(players):
    """Returns all settings for two players, one for more: what seats change, they change alike in all."""
    return list(SETTINGS) if players == 2 else [list(SETTINGS)[players % 3]]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(
    ("name", "players", "settings"),
    [case(name, players, settings) for name, players in SEATED for settings in settings_for(players)],
)
def test_every_game_keeps(name, players, settings, check, count):
    check(made(name, players, **SETTINGS[settings]), count(80), players)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", LINE_NAMES)
def test_pairs_keep(name, check, count):
    check(load_game(name, 4, partnership=True, reward="points", target=50), count(80), 5)


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.skipif(not (config.DISABLE_JIT or config.BOUNDSCHECK), reason="compiled as it is used, the whole set is played")
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", NAMES)
def test_a_tiny_set_keeps(name, check):
    check(made(name, 2, **TINY), 6, 1)


# What a game brings along


@pytest.mark.parametrize("name", NAMES)
def test_a_game_brings_its_config_its_page_and_its_module(name):
    assert (ROOT / "configs" / "game" / f"{name}.yaml").is_file()
    assert (ROOT / "docs" / "games" / f"{name}.md").is_file()
    assert (ROOT / "domino_envs" / f"{load_game(name).id}.py").is_file()


GOLDEN = golden_games()


def test_every_golden_game_is_kept_with_the_options_that_it_would_be_written_with():
    for stem, game in GOLDEN.items():
        lines = (PLAYTHROUGHS / f"{stem}.txt").read_text(encoding="utf-8").splitlines()
        expected = list(head(game, seed=game.num_players))
        assert lines[: len(expected)] == expected, stem
    assert {path.stem for path in PLAYTHROUGHS.glob("*.txt")} == set(GOLDEN)


def golden_case(stem):
    """Six and seven seats are played uncompiled in every run, which takes less time than to compile for them."""
    marks = [pytest.mark.soak, pytest.mark.nojit] if GOLDEN[stem].num_players in (6, 7) else []
    return pytest.param(stem, marks=marks)


@pytest.mark.parametrize("stem", [golden_case(stem) for stem in GOLDEN])
def test_playthroughs_are_still_played(stem):
    text = (PLAYTHROUGHS / f"{stem}.txt").read_text(encoding="utf-8")
    for number, (line, now) in enumerate(replay(text), start=1):
        assert line == now, f"line {number}"


def test_games_of_one_state_type_have_one_set_of_functions():
    """Compiled kernels find a game's functions by the type of its state."""
    functions = {}
    for name, players in SEATED:
        game = load_game(name, players)
        own = [game.deal, game.legal_actions, game.step, game.observe, game.redeal_hidden]
        assert functions.setdefault(game.state_dtype, own) == own


# Perft: the number of sequences of legal moves from a fixed deal that seat 0 leads

HANDS = {
    2: ["6-6 6-4 5-0 3-1 2-2", "6-5 5-5 4-1 3-3 2-0"],
    3: ["6-6 6-4 5-0 3-1 2-2", "6-5 5-5 4-1 3-3 2-0", "6-3 5-4 4-4 3-0 1-0"],
    4: ["6-6 6-4 5-0 3-1 2-2", "6-5 5-5 4-1 3-3 2-0", "6-3 5-4 4-4 3-0 1-0", "6-2 6-0 5-3 4-3 1-1"],
}
DEPTHS = (4, 8, 12)
PERFT = {
    ("all_fives", 2): [20, 51, 57],
    ("all_fives", 3): [36, 206, 307],
    ("all_fives", 4): [59, 628, 2954],
    ("all_fives_and_threes", 2): [20, 51, 57],
    ("all_fives_and_threes", 3): [36, 206, 307],
    ("all_fives_and_threes", 4): [59, 628, 2954],
    ("bergen", 2): [5, 14, 29],
    ("bergen", 3): [6, 23, 32],
    ("bergen", 4): [11, 130, 649],
    ("block", 2): [20, 47, 48],
    ("block", 3): [36, 194, 242],
    ("block", 4): [59, 576, 2420],
    ("draw", 2): [19, 44, 76],
    ("draw", 3): [36, 185, 252],
    ("draw", 4): [59, 555, 2053],
    ("fives_and_threes", 2): [20, 47, 48],
    ("fives_and_threes", 3): [36, 204, 285],
    ("fives_and_threes", 4): [59, 628, 2908],
}


@pytest.mark.parametrize(("name", "players"), PERFT)
def test_the_tree_of_moves_is_as_large_as_ever_and_as_the_twin_says(name, players):
    options = {"hand_size": 5, "max_hands": 1, "first_leader": "lot"}
    table = set_deal(Table(load_game(name, players, **options), seed=0), HANDS[players])
    twin = twin_of(name, players, options)
    twin.start_hand(*deal_of(table), leader=0)
    sizes = [perft(table, depth) for depth in DEPTHS]
    assert sizes == PERFT[name, players]
    assert sizes == [twin_perft(twin, depth) for depth in DEPTHS]


def twin_perft(twin, depth):
    if depth == 0 or twin.done:
        return 1
    return sum(twin_perft(after(twin, action), depth - 1) for action in twin.legal_actions())


def after(twin, action):
    other = object.__new__(type(twin))
    other.__dict__ = {key: [*value] if isinstance(value, list) else value for key, value in vars(twin).items()}
    other.hands = [[*hand] for hand in twin.hands]
    other.step(action)
    return other


# Chance


@pytest.mark.parametrize(("name", "players"), CASES)
def test_every_tile_is_dealt_to_every_place_equally_often(name, players, count):
    deals = count(50_000)
    batch = batch_of(load_game(name, players), deals)
    batch.reset(players)
    owner, tiles = batch.states["owner"], batch.states["owner"].shape[1]
    for place in range(BONEYARD, players):
        share = (owner == place).sum() / owner.size
        assert_within_chance((owner == place).sum(axis=0), deals, share)
    if (size := int(batch.states["boneyard_size"][0])) > 0:
        next_drawn = batch.states["boneyard"][:, size - 1]
        assert_within_chance(np.bincount(next_drawn, minlength=tiles), deals, 1 / tiles)


@pytest.mark.parametrize("name", NAMES)
def test_the_lot_gives_every_seat_the_lead_equally_often(name, count):
    deals = count(20_000)
    batch = batch_of(load_game(name, 3, first_leader="lot"), deals)
    batch.reset(1)
    assert_within_chance(np.bincount(batch.states["leader"], minlength=3), deals, 1 / 3)


def assert_within_chance(counts, trials, share):
    deviation = np.abs(counts - trials * share).max() / max(1e-9, np.sqrt(trials * share * (1 - share)))
    assert deviation < 5, f"{counts} of {trials}, expected a share of {share:.4f}"


def test_a_seed_is_the_same_game_in_every_process():
    code = (
        "import hashlib; from domino_envs import load_game; from domino_envs.testing import random_positions as walk;"
        "tables = [t.get_state() for name in ('block', 'all_fives') for t in walk(load_game(name, max_hands=1), 100)];"
        "print(hashlib.sha256(b''.join(tables)).hexdigest())"
    )
    assert len({output_of(code, PYTHONHASHSEED=number) for number in ("1", "2")}) == 1


@pytest.mark.slow
def test_code_cached_by_different_processes_stays_apart(tmp_path):
    """Numba names compiled functions by counters of the process, so that two could bear one name and stand for each other."""
    deal = "from domino_envs import load_game; from domino_envs.table import Table;"
    deal += "sizes = lambda name, players: Table(load_game(name, players), seed=1).state.hand_sizes.tolist();"
    for name, players in (("all_fives", 2), ("block", 4)):
        output_of(f"{deal} sizes({name!r}, {players})", NUMBA_CACHE_DIR=str(tmp_path))
    both = f"{deal} print(sizes('all_fives', 2), sizes('block', 4))"
    assert output_of(both, NUMBA_CACHE_DIR=str(tmp_path)) == "[5, 5] [5, 5, 5, 5]"


def output_of(code, **environment):
    run = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


# Many positions, from batches


def batches_of(game, positions, rows=500):
    """Yields the observations and masks of a batch that plays random moves."""
    batch, rng = batch_of(game, rows), np.random.default_rng(1)
    step = batch.reset(1)
    for _ in range(positions // rows):
        yield step.observations, step.action_mask
        step = batch.step((rng.random(step.action_mask.shape) * step.action_mask).argmax(axis=1))


@pytest.mark.parametrize(("name", "players"), CASES)
def test_equal_observations_have_equal_masks(name, players, count):
    masks = {}
    for observations, action_mask in batches_of(load_game(name, players), count(200_000)):
        assert action_mask.any(axis=1).all()
        for view, mask in zip(observations, action_mask, strict=True):
            mask = mask.tobytes()
            assert masks.setdefault(hash(view.tobytes()), mask) == mask


# Fields of which a feature may stay off a bound: shares and scores that few games get to, and what options fix.
SELDOM_FULL = {
    "hand_sizes",
    "boneyard",
    "missing",
    "passes",
    "draws",
    "passes_in_row",
    "scores",
    "hands_left",
    "options",
    "open_spinner",
    "opening",
    "exposed_doubles",
    "arms_begun",
    "set_aside",
    "games_left",
}


@pytest.mark.parametrize("name", NAMES)
def test_features_reach_both_of_their_bounds(name, count):
    game = load_game(name, 3)
    views = np.concatenate([observations.copy() for observations, _ in batches_of(game, count(200_000))])
    fields = np.concatenate(
        [np.full(game.observation_dtype[field].itemsize // 4, field) for field in game.observation_dtype.names]
    )
    off = ~((views.min(axis=0) == game.observation_low) & (views.max(axis=0) == game.observation_high))
    assert set(fields[off]) <= SELDOM_FULL | {"to_move"}  # the mover's own seat comes first


# Evidence and histories of the line games


@pytest.mark.parametrize(("name", "players"), LINE_CASES)
def test_what_a_seat_has_shown_not_to_hold_it_has_drawn_since(name, players, count):
    for table in random_positions(load_game(name, players, max_hands=3), count(100), players):
        for seat, numbers in enumerate(table.states["draws_since_missing"][0].tolist()):
            held = [set(tile.split("-")) for tile in hand_of(table, seat)]
            for number, drawn in enumerate(numbers):
                assert drawn < 0 or sum(str(number) in tile for tile in held) <= drawn


@pytest.mark.parametrize("name", LINE_NAMES)
def test_a_seat_can_tell_histories_apart_just_as_the_rules_do(name):
    """All games of a double-two set: what a seat saw happen fixes the history on record as it may see it, and back."""
    seen, recorded = defaultdict(set), defaultdict(set)
    options = {"max_pip": 2, "hand_size": 2, "max_hands": 1, "reserve": 0}
    for first, rest in (
        (hand, rest) for hand in combinations(range(6), 2) for rest in permutations(set(range(6)) - set(hand))
    ):
        if rest[0] > rest[1]:
            continue
        hands = [" ".join(map(tile_name, hand)) for hand in (first, rest[:2])]
        table = set_deal(Table(load_game(name, 2, **options), seed=0), hands, " ".join(map(tile_name, rest[2:])))
        walk_histories(table, [(sorted(hand.split()),) for hand in hands], seen, recorded)
    assert len(seen) > 200
    assert all(len(records) == 1 for records in seen.values())
    assert all(len(stories) == 1 for stories in recorded.values())


def walk_histories(table, stories, seen, recorded):
    """Adds to `seen` the records of each story of a seat, and to `recorded` the stories of each record."""
    for seat, story in enumerate(stories):
        record = repr((seat, hand_of(table, seat), own_draws_named(table, seat)))
        seen[repr((seat, story))].add(record)
        recorded[record].add(repr((seat, story)))
    for action in table.legal_actions():
        twin, mover, name = table.clone(), table.player, table.game.action_to_string(action)
        twin.play(action)
        drawn = set(hand_of(twin, mover)) - set(hand_of(table, mover))
        if not twin.done:
            told = [(*story, (mover, name, *(drawn if seat == mover else ()))) for seat, story in enumerate(stories)]
            walk_histories(twin, told, seen, recorded)


def own_draws_named(table, seat):
    """Returns the history with the tiles that the seat drew."""
    moves, place = [], num_tiles(2) - 2 * 2
    for mover, name in history(table):
        if name == "draw":
            place -= 1
            name = tile_name(table.state.boneyard[place]) if mover == seat else name
        moves.append((mover, name))
    return moves


@pytest.mark.soak
@pytest.mark.parametrize(("name", "players"), SEATED)
def test_many_batch_rows_are_tables(name, players):
    check = next(check for check in CHECKS if check.__name__ == "batch_rows_are_tables")
    check(load_game(name, players, max_hands=1), 5_000, 9)


@pytest.mark.parametrize(("name", "max_pip"), [("draw", 9), ("draw", 12)])
def test_larger_sets_are_whole(name, max_pip):
    for check in CHECKS[:3]:
        check(load_game(name, 2, max_pip=max_pip, max_hands=1), 2, 1)
