"""The scripts of the checkout as modules, for the tests."""

import importlib.util
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@cache
def load_script(path):
    """Returns the script at a path below the root, as `"docs/write_pages.py"`, loaded once."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
