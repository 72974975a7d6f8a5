"""Scripts of `train/` as modules, for the tests."""

import importlib.util
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@cache
def train_script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "train" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
