"""The `domino-envs` command."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from domino_agents.cli import app, parse_options


@pytest.fixture
def run():
    return lambda *words: CliRunner().invoke(app, list(words))


def test_list_names_every_game(run):
    result = run("list")
    assert result.exit_code == 0
    assert "all_fives_v0" in result.output


def test_rank_prints_a_table_and_writes_files(run, tmp_path):
    result = run("rank", "all_fives", "random", "greedy", "--deals", "60", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert "60 duplicate deals" in result.output
    assert str(tmp_path / "ranking.png") in result.output
    written = json.loads((tmp_path / "ranking.json").read_text())
    pairing = written["pairings"][0]
    assert pairing["win_share"]["low"] <= pairing["win_share"]["mean"] <= pairing["win_share"]["high"]
    assert pairing["illegal"] == [0, 0]
    assert written["manifest"]["options"]["max_hands"] == 1
    with np.load(tmp_path / "deals.npz") as file:
        rows = dict(file)
    assert rows["deals"].tolist() == list(range(60))
    assert rows["0_wins"].mean() == pairing["win_share"]["mean"]
    assert rows["0_decisions"].sum(0).tolist() == pairing["decisions"]
    assert list(written["ratings"]) == ["random", "greedy"]
    assert written["ratings"]["random"]["elo"] == 0
    assert (tmp_path / "ranking.png").read_bytes().startswith(b"\x89PNG")


def test_rank_takes_options_and_matches(run, tmp_path):
    words = ["rank", "block", "random", "greedy", "--deals", "10", "--matches", "-o", "target=20", "--players", "3", "--out"]
    result = run(*words, str(tmp_path))
    assert result.exit_code == 0, result.output
    options = json.loads((tmp_path / "ranking.json").read_text())["manifest"]["options"]
    assert (options["target"], options["max_hands"]) == (20, 100)


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["rank", "whist", "random", "greedy"], "no game 'whist'"),
        (["rank", "block", "random", "clever"], "no agent 'clever'"),
        (["rank", "block", "random"], "two or more"),
        (["rank", "block", "random", "greedy", "--players", "9"], "2 to 4 players"),
        (["rank", "block", "random", "greedy", "-o", "colour=red"], "no option 'colour'"),
        (["rank", "block", "random", "greedy", "-o", "target"], "key=value"),
        (["rank", "block", "random", "greedy", "--split", "exam"], "split must be"),
        (["rank", "block", "random", "greedy", "--deals", "0"], "deals must be"),
        (["rank", "block", "random", "greedy", "--workers", "0"], "workers must be"),
        (["rank", "block", "random", "random"], "named twice"),
        (["rank", "block", "random", "greedy", "-o", "target=0"], "target must be from"),
        (["rank", "block", "random", "greedy", "--out", "/dev/null/here"], "/dev/null"),
    ],
)
def test_bad_words_get_one_line_and_exit_code_2(run, words, wrong):
    result = run(*words)
    assert result.exit_code == 2
    assert wrong in " ".join(result.output.split())
    assert len(result.output.splitlines()) == 1


def test_options_are_read_as_values():
    words = ["target=None", "max_pip=9", "partnership=True", "exact_target=false", "draw_mode=none"]
    assert parse_options(words) == {
        "target": None,
        "max_pip": 9,
        "partnership": True,
        "exact_target": False,
        "draw_mode": "none",
    }
