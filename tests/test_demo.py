"""The demo: what it refuses changes nothing, and the commands that it prints are of the game it played."""

from pathlib import Path

import pytest

from scripts import load_script

ROOT = Path(__file__).resolve().parent.parent
SMALL = ["num_envs=4", "rollout=4", "hidden=8", "evaluate_against=[]"]


@pytest.fixture
def demo(tmp_path, monkeypatch):
    """The script, in a place where an earlier demo has left a run."""
    monkeypatch.syspath_prepend(ROOT / "train")
    monkeypatch.chdir(tmp_path)
    script = load_script("train/demo.py")
    script.OUT.mkdir(parents=True)
    (script.OUT / "training.pt").write_text("an earlier run")
    return script


@pytest.mark.parametrize(
    ("word", "wrong"),
    [
        ("learning_speed=1", "learning_speed"),
        ("+learning_speed=1", "only options of the game can be added"),
        ("clip=-1", "clip must be a positive number"),
        ("evaluate_against=[gredy]", "no agent 'gredy'"),
        ("+game.options.colour=red", "no option 'colour'"),
    ],
)
def test_a_demo_that_is_refused_leaves_the_last_one(demo, word, wrong):
    with pytest.raises(SystemExit, match=wrong):
        demo.prepared([*SMALL, word])
    assert (demo.OUT / "training.pt").exists()


def test_a_demo_begins_anew(demo):
    assert demo.prepared(SMALL).updates == 0
    assert not (demo.OUT / "training.pt").exists()


def test_the_commands_are_of_the_game_that_was_played(demo):
    words = ["game=block", "game.num_players=4", "+game.options.partnership=true", "+game.options.target=null"]
    training, ranking = demo.commands(demo.prepared([*SMALL, *words]), "my agent.pt")
    assert " game=block game.num_players=4 +game.options.partnership=True +game.options.target=null " in training
    assert " rank block random greedy 'my agent.pt' runs/longer/checkpoint.pt --players 4 " in ranking
    assert ranking.endswith(" -o partnership=True -o target=null")
