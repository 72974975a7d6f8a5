"""Imports point down the layers: core <- games <- table, engine <- envs <- domino_agents <- train."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAYERS = {"core": 0, "games": 1, "engine": 2, "seeding": 2, "table": 2, "render": 3, "envs": 3}
TOP_OF_ENVS = 4
PACKAGES = {"domino_envs": ROOT, "domino_agents": ROOT / "agents", "train": ROOT}
FIRST_OF_AGENTS = {"domino_agents": 5, "train": 6}
HEAVY = {"torch", "matplotlib", "scipy", "choix", "hydra", "omegaconf", "pygame", "rich", "tqdm", "typer", "joblib"}


def imports_of(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module in PACKAGES:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def layer_of(module):
    package, *rest = module.split(".")
    return FIRST_OF_AGENTS.get(package, LAYERS.get(rest[0], TOP_OF_ENVS) if package == "domino_envs" and rest else TOP_OF_ENVS)


SOURCES = [
    (path, ".".join(path.relative_to(root).with_suffix("").parts))
    for package, root in PACKAGES.items()
    for path in sorted((root / package).rglob("*.py"))
]


@pytest.mark.parametrize(("path", "module"), SOURCES, ids=lambda value: value if isinstance(value, str) else "")
def test_imports_point_down_the_layers(path, module):
    for imported in imports_of(path):
        if imported.split(".")[0] in PACKAGES and (module, imported) != ("domino_envs.core.game", "domino_envs.games"):
            # The exception: a pickled game is found again by its name.
            assert layer_of(imported) <= layer_of(module), f"{module} imports {imported}"


@pytest.mark.parametrize(("path", "module"), SOURCES, ids=lambda value: value if isinstance(value, str) else "")
def test_environments_import_nothing_heavy_and_rules_only_numpy_and_numba(path, module):
    others = {name.split(".")[0] for name in imports_of(path)} - set(sys.stdlib_module_names) - set(PACKAGES)
    if module.startswith("domino_envs."):
        assert not others & HEAVY
    if module.startswith(("domino_envs.core.", "domino_envs.games.")):
        assert others <= {"numpy", "numba"}
