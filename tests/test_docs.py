"""What the documentation shows runs as written."""

import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from domino_envs import game_names, load_game
from scripts import load_script

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "games"
SECTIONS = ["Rules", "Where the sources differ", "Options", "Actions", "Observation", "Rewards", "A hand", "Version history"]


def examples_of(page):
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


EXAMPLES = examples_of("README.md")


def first_import(example):
    return next(line for line in example.splitlines() if "import" in line)


@pytest.mark.parametrize("example", EXAMPLES + examples_of("docs/games.md"), ids=first_import)
def test_examples_run_as_written(example, tmp_path):
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


@pytest.fixture(scope="module")
def write_pages():
    """The script that writes the generated parts of the pages."""
    return load_script("docs/write_pages.py")


@pytest.mark.parametrize("name", game_names())
def test_a_page_says_what_the_code_says(name, write_pages):
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    assert write_pages.filled(page, name) == page, f"docs/games/{name}.md is behind the code: make pages"


@pytest.mark.parametrize("name", game_names())
def test_a_page_has_every_section(name):
    page, game = (PAGES / f"{name}.md").read_text(encoding="utf-8"), load_game(name)
    assert f"(`{game.id}`)" in page.splitlines()[0]
    sections = re.findall(r"^## (.*)$", page, re.MULTILINE)
    assert [section for section in sections if section in SECTIONS] == SECTIONS
    assert re.search(r"\bSources?:", page)
    assert f"- v{game.version}: " in page[page.index("## Version history") :]


def test_every_page_is_of_a_variant():
    assert sorted(path.stem for path in PAGES.glob("*.md")) == game_names()


def test_a_page_without_marks_is_refused(write_pages):
    page = (PAGES / "block.md").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="block must hold <!-- actions -->"):
        write_pages.filled(page.replace("<!-- actions -->", ""), "block")


@pytest.mark.parametrize("name", game_names())
def test_the_runs_of_actions_hold_every_action_once(name):
    game = load_game(name)
    numbers = [number for first, last, _ in game.actions for number in range(first, last + 1)]
    assert numbers == list(range(game.num_actions))


@pytest.mark.parametrize("name", game_names())
def test_every_option_has_a_meaning(name, write_pages):
    options = load_game(name).options
    assert set(write_pages.option_meanings(type(options))) == set(vars(options))


def test_links_between_pages_lead_somewhere():
    for path in [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]:
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", path.read_text(encoding="utf-8")):
            assert (path.parent / link).exists(), f"{path.relative_to(ROOT)} links to {link}"
