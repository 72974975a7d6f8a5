"""What every game must keep, for every number of players; and what a game must bring along."""

import ast
from pathlib import Path

import pytest

from domino_envs import game_names, load_game
from domino_envs.table import Table
from domino_envs.testing import CHECKS, perft

ROOT = Path(__file__).resolve().parent.parent
NAMES = game_names()
PLAYERS = (2, 3, 4)
SETTINGS = [
    {},
    {"max_hands": 1, "reward": "points"},
    {"target": None, "max_hands": 2, "draw_mode": "one_then_play", "reserve": 3, "next_lead": "rotation"},
]


def label(value):
    return getattr(value, "__name__", None) or (
        "-".join(map(str, value.values())) or "defaults" if isinstance(value, dict) else str(value)
    )


@pytest.mark.parametrize("check", CHECKS, ids=label)
@pytest.mark.parametrize("settings", SETTINGS, ids=label)
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("name", NAMES)
def test_every_game_keeps(name, players, settings, check, count):
    check(load_game(name, players, **settings), games=count(100), seed=players)


@pytest.mark.parametrize("check", CHECKS, ids=label)
@pytest.mark.parametrize("name", ["block", "draw", "all_fives"])
def test_pairs_keep(name, check, count):
    check(load_game(name, 4, partnership=True), games=count(60), seed=5)


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("check", CHECKS, ids=label)
@pytest.mark.parametrize("name", NAMES)
def test_a_small_set_keeps(name, check):
    check(load_game(name, 2, max_pip=3, hand_size=3, max_hands=2), games=2, seed=1)


def test_the_contract_of_options_is_kept():
    for name in NAMES:
        for players in PLAYERS:
            game = load_game(name, players)
            assert game.state_dtype.isalignedstruct
            assert load_game(name, players) is game
            assert load_game(game.id, players) is game


def test_games_of_one_state_type_share_their_functions():
    games = [load_game(name, players) for name in NAMES for players in PLAYERS]
    for one in games:
        for other in games:
            if one.state_dtype == other.state_dtype:
                assert one.step is other.step
                assert one.legal_actions is other.legal_actions


@pytest.mark.parametrize("name", NAMES)
def test_every_game_brings_its_config_page_and_playthroughs(name):
    game = load_game(name)
    assert (ROOT / "configs" / "game" / f"{name}.yaml").exists()
    assert (ROOT / "docs" / "games" / f"{name}.md").exists()
    assert (ROOT / "domino_envs" / f"{game.id}.py").exists()
    for players in PLAYERS:
        assert (ROOT / "tests" / "playthroughs" / f"{name}_{players}.txt").exists()


def imports_of(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


@pytest.mark.parametrize("folder", ["core", "games"])
def test_rules_import_numpy_and_numba_only(folder):
    allowed = {
        "numpy",
        "numba",
        "domino_envs",
        "collections",
        "dataclasses",
        "functools",
        "hashlib",
        "importlib",
        "os",
        "pathlib",
        "pkgutil",
        "re",
        "sys",
        "typing",
    }
    for path in (ROOT / "domino_envs" / folder).rglob("*.py"):
        for module in imports_of(path):
            assert module.split(".")[0] in allowed, f"{path.name} imports {module}"
            if module.startswith("domino_envs."):
                layer = module.split(".")[1]
                # `Game` is pickled by name, so core/game.py looks for its games when it is called.
                assert layer == "core" or (folder == "games" and layer == "games") or path.name == "game.py", (
                    f"{path.name} imports {module}"
                )


def test_environments_do_not_import_agents():
    for path in (ROOT / "domino_envs").rglob("*.py"):
        heavy = {module.split(".")[0] for module in imports_of(path)} & {
            "domino_agents",
            "torch",
            "matplotlib",
            "scipy",
            "choix",
            "hydra",
        }
        assert not heavy, f"{path} imports {heavy}"


def twin_perft(twin, depth):
    import copy

    if depth == 0 or twin.done or twin.hand_over:
        return 1
    total = 0
    for action in sorted(twin.legal_actions()):
        other = copy.deepcopy(twin)
        other.step(action)
        total += twin_perft(other, depth - 1)
    return total


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("name", NAMES)
def test_the_tree_of_moves_is_as_large_as_the_twin_says(name, players):
    from domino_envs.testing import deal_of
    from reference.line_games import Reference

    table = Table(load_game(name, players), seed=3)
    twin = Reference(name, players)
    twin.start_hand(*deal_of(table))
    assert perft(table, 5) == twin_perft(twin, 5)
