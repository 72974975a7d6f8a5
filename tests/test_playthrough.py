"""The command that writes golden games; that they are still played is in test_games.py."""

import sys

import pytest

from domino_envs import playthrough


def test_outside_a_checkout_the_folder_must_be_named(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(playthrough, "FOLDER", tmp_path / "site-packages" / "tests" / "playthroughs")
    monkeypatch.setattr(playthrough, "golden_games", dict)
    monkeypatch.setattr(sys, "argv", ["playthrough"])
    with pytest.raises(SystemExit):
        playthrough.main()
    assert "the following arguments are required: folder" in capsys.readouterr().err
    assert not playthrough.FOLDER.exists()
    monkeypatch.setattr(sys, "argv", ["playthrough", str(tmp_path / "here")])
    playthrough.main()
    assert (tmp_path / "here").is_dir()
