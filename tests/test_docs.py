"""What the documentation shows runs as written."""

import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: next(line for line in text.splitlines() if "import" in line))
def test_the_readme_runs_as_written(example, tmp_path):
    # A process of its own: what another example imported must not help.
    subprocess.run([sys.executable, "-W", "ignore", "-c", example], check=True, cwd=tmp_path, capture_output=True, timeout=240)


def test_the_readme_shows_every_face():
    for face in ("all_fives_v0", "gym.make", "make_vec", "make_gym_vec", "make_sb3", "Table"):
        assert any(face in example for example in EXAMPLES)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_run(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=240, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()


def test_notebooks_are_kept_without_their_output():
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        cells = json.loads(path.read_text())["cells"]
        assert not any(cell.get("outputs") for cell in cells)


def test_the_pages_of_options_name_every_option():
    from domino_envs import game_names, load_game

    block_page = (ROOT / "docs" / "games" / "block.md").read_text()
    for name in game_names():
        page = (ROOT / "docs" / "games" / f"{name}.md").read_text() + block_page
        for option in vars(load_game(name).options):
            assert f"`{option}`" in page, f"docs/games/{name}.md does not tell of {option}"
