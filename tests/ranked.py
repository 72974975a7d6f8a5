"""Small rankings, for the tests of rankings and of their folders."""

import json

import pytest

from domino_agents import arena, record, tournament
from domino_agents.loading import load_agent
from domino_agents.report import as_dict
from domino_envs import load_game


class First:
    """Plays the lowest legal action."""

    def act(self, observations, action_mask, rng):
        return action_mask.argmax(1)


class Hurried(First):
    """Says that it thinks for a time."""

    seconds = 0.1


class Peeping(First):
    privileged = True


KINDS = {"first": First, "hurried": Hurried, "peeping": Peeping}


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Some more agents, and chunks so small that a few deals make several."""
    monkeypatch.setattr(
        tournament, "load_agent", lambda name, game: KINDS[name]() if name in KINDS else load_agent(name, game)
    )
    for module in (arena, record):
        monkeypatch.setattr(module, "CHUNK", 20)


def hand(players=2, **options):
    return load_game("block", players, max_hands=1, **options)


def numbers(ranking):
    """Returns all that a ranking found but the times, which no two runs share."""
    found = as_dict(ranking)
    for effort in found["ratings"].values():
        del effort["mean_ms"], effort["p99_ms"], effort["timed"]
    del found["manifest"]
    return json.dumps(found)


def interrupt_after(chunks):
    def progress(done, total):
        if done == chunks:
            raise KeyboardInterrupt

    return progress


def rows(folder):
    return (folder / "deals.csv").read_bytes()
