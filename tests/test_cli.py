"""The `domino-envs` command."""

import json
import re

import pytest
import typer
from typer.testing import CliRunner

from domino_agents.cli import app, parse_options, refusals
from domino_envs import game_names, load_game
from domino_envs.playthrough import player_counts


@pytest.fixture
def run():
    return lambda *words: CliRunner().invoke(app, list(words))


def test_the_help_names_every_command(run):
    words = app.info.help
    assert all(word in words for word in ("list", "play", "rank", "verify", "exploit"))


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
    assert (pairing["first"], pairing["second"]) == ("greedy", "random")
    assert pairing["win_share"]["low"] <= pairing["win_share"]["mean"] <= pairing["win_share"]["high"]
    assert pairing["win_share"]["deals"] == 60
    assert written["manifest"]["played"]["options"]["max_hands"] == 1
    assert list(written["ratings"]) == ["greedy", "random"]
    assert written["ratings"]["random"]["elo"] == 0
    for agent in written["ratings"].values():
        assert agent["illegal"] == 0
        assert agent["mean_ms"] > 0
    assert (tmp_path / "ranking.png").read_bytes().startswith(b"\x89PNG")


def test_the_same_command_goes_on_in_the_same_folder(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for deals, agents in ((10, ["random", "greedy"]), (20, ["greedy", "random"])):
        assert run("rank", "block", *agents, "--deals", str(deals)).exit_code == 0
    assert run("rank", "block", "random", "greedy", "--deals", "10", "--seed", "1").exit_code == 0
    folders = sorted((tmp_path / "runs" / "ranking").iterdir())
    assert len(folders) == 2
    assert sorted(len((folder / "deals.csv").read_text().splitlines()) for folder in folders) == [1 + 20, 1 + 40]


def test_a_checkpoint_trained_on_is_ranked_in_another_folder(run, tmp_path, monkeypatch):
    from domino_agents.network import ActorCritic, save_checkpoint

    monkeypatch.chdir(tmp_path)
    game = load_game("block", max_hands=1)
    for _ in range(2):
        save_checkpoint(tmp_path / "agent.pt", ActorCritic(game.observation_size, game.num_actions, 4), game, 0)
        assert run("rank", "block", "random", "agent.pt", "--deals", "4").exit_code == 0
    assert len(list((tmp_path / "runs" / "ranking").iterdir())) == 2


def test_names_with_brackets_are_shown_as_they_are(run, tmp_path, monkeypatch):
    from domino_agents.network import ActorCritic, save_checkpoint

    monkeypatch.chdir(tmp_path)
    game = load_game("block", max_hands=1)
    save_checkpoint(tmp_path / "[red].pt", ActorCritic(game.observation_size, game.num_actions, 4), game, 0)
    result = run("rank", "block", "greedy", "[red].pt", "--deals", "4")
    assert result.exit_code == 0, result.output
    assert result.output.count("[red].pt") > 3


def test_a_folder_that_cannot_be_written_gets_one_line(run, tmp_path, monkeypatch):
    def fail(ranking, folder):
        raise OSError("no space left on device")

    monkeypatch.setattr("domino_agents.report.write", fail)
    result = run("rank", "block", "random", "greedy", "--deals", "4", "--out", str(tmp_path))
    assert result.exit_code == 2
    assert result.output.splitlines()[-1] == "error: no space left on device"


def test_verify_replays(run, tmp_path):
    assert run("rank", "block", "random", "greedy", "--deals", "10", "--out", str(tmp_path)).exit_code == 0
    result = run("verify", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert "replayed 10 deals at 1 tables: all equal" in result.output
    text = (tmp_path / "deals.csv").read_text()
    (tmp_path / "deals.csv").write_text(re.sub("^0,7,greedy,[^,]*", "0,7,greedy,99.5", text, flags=re.MULTILINE))
    result = run("verify", str(tmp_path))
    assert result.exit_code == 1
    assert "different" in result.output


def test_verify_says_where_there_is_nothing_to_replay(run, tmp_path):
    words = "rank", "block", "random", "ismcts-0.001s", "--deals", "2", "--out", str(tmp_path)
    assert run(*words).exit_code == 0
    result = run("verify", str(tmp_path))
    assert result.exit_code == 1
    assert "not replayed: ismcts-0.001s thinks for a time" in result.output
    assert result.output.splitlines()[-1] == "nothing to replay"


def test_a_game_is_played_at_the_terminal():
    words = ["play", "block", "--opponent", "random", "--seat", "1", "--seed", "3", "-o", "max_hands=1"]
    result = CliRunner().invoke(app, words, input="1\n" * 30)
    assert result.exit_code == 0, result.output
    assert "player_1 to move" in result.output
    assert "player_0 to move" not in result.output
    assert "the game is over" in result.output.rsplit("action:", 1)[1]


def test_whoever_leaves_a_game_gets_one_line():
    result = CliRunner().invoke(app, ["play", "block"], input="")
    assert result.exit_code == 2
    assert result.output.splitlines()[-1].endswith("the input has ended")


def test_rank_takes_options_and_matches(run, tmp_path):
    words = ["rank", "block", "random", "greedy", "--deals", "10", "--matches", "-o", "target=20", "--players", "3", "--out"]
    result = run(*words, str(tmp_path))
    assert result.exit_code == 0, result.output
    options = json.loads((tmp_path / "ranking.json").read_text())["manifest"]["played"]["options"]
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
        (["rank", "block", "random", "greedy", "--out", ""], "expected the name of a folder, got ''"),
        (
            ["rank", "block", "random", "pimc-99999999999999999999"],
            "agent 'pimc-99999999999999999999': worlds must be at most",
        ),
        (["rank", "block", "pimc-05", "pimc-5"], "named twice"),
        (["rank", "block", "random", "greedy", "-o", "target=50", "-o", "target=20"], "option 'target' is given twice"),
        (["play", "block", "--seat", "2"], "seat must be from 0 to 1, got 2"),
        (["play", "block", "--opponent", "gredy"], "no agent 'gredy'"),
        (["verify", "/nowhere"], "holds no ranking"),
        (["verify", ""], "expected the name of a folder, got ''"),
    ],
)
def test_bad_words_get_one_line_and_exit_code_2(run, words, wrong):
    result = run(*words)
    assert result.exit_code == 2
    assert wrong in " ".join(result.output.split())
    assert len(result.output.splitlines()) == 1


@pytest.mark.parametrize(
    ("interrupt", "shown"),
    [(KeyboardInterrupt(), "interrupted; go on"), (KeyboardInterrupt("before dawn"), "interrupted before dawn; go on")],
)
def test_interruptions_are_one_line(capsys, interrupt, shown):
    with pytest.raises(typer.Exit), refusals("; go on"):
        raise interrupt
    assert capsys.readouterr().err == f"{shown}\n"


def test_refusals_are_one_line(capsys):
    with pytest.raises(typer.Exit), refusals():
        raise ValueError("one\n\ttwo")
    assert capsys.readouterr().err == "error: one two\n"


def test_a_damaged_ranking_gets_one_line(run, tmp_path):
    assert run("rank", "block", "random", "greedy", "--deals", "4", "--out", str(tmp_path)).exit_code == 0
    (tmp_path / "deals.csv").write_text("table,deal\n")
    for words in (["verify", str(tmp_path)], ["rank", "block", "random", "greedy", "--deals", "4", "--out", str(tmp_path)]):
        result = run(*words)
        assert result.exit_code == 2
        assert f"{tmp_path / 'deals.csv'}, line 1: expected table,deal,agent" in result.output
        assert len(result.output.splitlines()) == 1


def test_equal_rankings_share_a_folder(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("pimc-01", "pimc-1"):
        assert run("rank", "block", "random", name, "--deals", "2").exit_code == 0
    assert len(list((tmp_path / "runs" / "ranking").iterdir())) == 1


def test_options_are_read_as_values():
    words = ["target=None", "max_hands=null", "max_pip=9", "partnership=True", "exact_target=false", "draw_mode=none"]
    assert parse_options(words) == {
        "target": None,
        "max_hands": None,
        "max_pip": 9,
        "partnership": True,
        "exact_target": False,
        "draw_mode": "none",
    }


@pytest.mark.soak
@pytest.mark.parametrize(("name", "players"), [(name, players) for name in game_names() for players in player_counts(name)])
def test_every_game_is_ranked_at_every_table(run, tmp_path, name, players):
    words = "rank", name, "random", "greedy", "--players", str(players), "--deals", "20", "--out", str(tmp_path)
    result = run(*words)
    assert result.exit_code == 0, result.output
    assert "20 duplicate deals" in result.output
