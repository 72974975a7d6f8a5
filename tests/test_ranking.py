"""Rankings: the same numbers whoever is named first and however many work at it; interrupted, refused."""

import json
import subprocess
import sys
import types

import joblib
import pytest

from domino_agents import tournament
from domino_agents.arena import DealStream
from domino_agents.ranking import rank
from domino_agents.report import findings, tables
from domino_agents.tournament import Tournament
from ranked import hand, interrupt_after, numbers, small  # noqa: F401


@pytest.mark.parametrize("players", [2, 3])
def test_results_do_not_depend_on_the_order_of_agents(players):
    game = hand(players)
    one, other = (rank(game, agents, 30) for agents in (["random", "greedy", "first"], ["first", "greedy", "random"]))
    assert numbers(one) == numbers(other)
    assert one.ratings["random"] == (0, 0, 0)


def test_results_do_not_depend_on_workers():
    assert numbers(rank(hand(), ["random", "greedy"], 50)) == numbers(rank(hand(), ["random", "greedy"], 50, workers=2))


def test_results_of_a_pairing_do_not_depend_on_company():
    alone, among = rank(hand(), ["greedy", "random"], 40), rank(hand(), ["greedy", "random", "first"], 40)
    together = next(pairing for pairing in among.pairings if {pairing.first, pairing.second} == {"greedy", "random"})
    assert together == alone.pairings[0]


def test_tables_of_two_and_of_more_sides():
    assert Tournament(hand(), ("random", "greedy", "first"), DealStream()).tables == [(0, 1), (0, 2), (1, 2)]
    three = Tournament(hand(3), ("random", "greedy", "first"), DealStream()).tables
    assert three == [(0, 1, 1), (0, 2, 2), (1, 0, 0), (1, 2, 2), (2, 0, 0), (2, 1, 1), (0, 1, 2), (0, 2, 1)]
    pairs = Tournament(hand(4, partnership=True), ("random", "greedy"), DealStream())
    assert pairs.tables == [(0, 1)]


def test_mixed_tables_are_ranked_too():
    ranking = rank(hand(3), ["random", "greedy", "first"], 40)
    assert [(row.tables, row.wins.deals) for row in ranking.company] == [(2, 40)] * 3
    assert sum(row.wins.mean for row in ranking.company) == pytest.approx(1)
    assert len(ranking.pairings) == 6
    assert len(tables(ranking)) == 3
    assert "mixture that nobody beats" in findings(ranking)[-1]


def test_the_anchor_is_random_or_else_the_first_named():
    assert rank(hand(), ["greedy", "random"], 4).anchor == "random"
    ranking = rank(hand(), ["greedy", "first"], 4)
    assert ranking.anchor == "greedy"
    assert ranking.ratings["greedy"] == (0, 0, 0)


def test_an_interrupted_ranking_has_the_deals_that_all_have_played():
    game, agents = hand(3), ["random", "greedy"]  # two tables, three chunks
    short = rank(game, agents, 50, progress=interrupt_after(3))
    assert (short.asked, short.deals) == (50, 20)
    whole = rank(game, agents, 20)
    assert json.loads(numbers(short)) == json.loads(numbers(whole))


def test_a_ranking_interrupted_before_every_table_has_played_is_none():
    with pytest.raises(KeyboardInterrupt, match="before every table had played"):
        rank(hand(3), ["random", "greedy"], 50, progress=interrupt_after(1))


@pytest.mark.parametrize(
    ("agents", "deals", "workers", "wrong"),
    [
        (["random"], 10, 1, "two or more"),
        (["random", "random"], 10, 1, "twice"),
        (["random", "greedy"], 1, 1, "deals must be"),
        (["random", "greedy"], 10, 0, "workers must be"),
        (["random", "peeping"], 10, 1, "sees hidden tiles"),
        (["random", "nobody"], 10, 1, "no agent 'nobody'"),
    ],
)
def test_bad_rankings_are_refused(tmp_path, agents, deals, workers, wrong):
    with pytest.raises(ValueError, match=wrong):
        rank(hand(), agents, deals, workers=workers, out=tmp_path / "here")
    assert not (tmp_path / "here").exists()


def test_ways_of_writing_one_agent_are_one_agent():
    for one, other in (("pimc-05", "pimc-5"), ("pimc", "pimc-100-greedy"), ("ismcts-0.10s", "ismcts-0.1s-random")):
        with pytest.raises(ValueError, match="named twice"):
            Tournament(hand(), (one, other), DealStream())
    names = ("random", "pimc-05", "ismcts-0.1234567s", "ismcts-1000000s")
    found = Tournament(hand(), names, DealStream()).agents
    assert found == ("ismcts-0.1234567s", "ismcts-1000000s", "pimc-5", "random")
    assert Tournament(hand(), found, DealStream()).agents == found


def test_every_agent_is_loaded_once(monkeypatch):
    load, loaded = tournament.load_agent, []
    monkeypatch.setattr(tournament, "load_agent", lambda name, game: loaded.append(name) or load(name, game))
    rank(hand(), ["first", "random"], 40)
    assert loaded == ["first", "random"]


def test_a_file_with_the_name_of_an_agent_changes_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "first").write_text("no agent")
    (tmp_path / "random").write_text("no agent")
    found = Tournament(hand(), ("first", "random"), DealStream())
    assert found.identities == {"first": "first", "random": "random"}


def test_a_ranking_interrupted_while_it_times_decisions_says_so(monkeypatch):
    def interrupt(game, agent):
        raise KeyboardInterrupt

    monkeypatch.setattr("domino_agents.ranking.decision_times", interrupt)
    with pytest.raises(KeyboardInterrupt, match="while decisions were timed"):
        rank(hand(), ["first", "random"], 20)


def test_the_anchor_may_be_written_in_any_way():
    assert rank(hand(), ["pimc-01", "first"], 2).anchor == "pimc-1"


@pytest.fixture
def stand_in_for_ray(monkeypatch):
    """A module `ray` whose backend answers a round at a time, as Ray's does, in threads of this process."""

    class Backend(joblib._parallel_backends.ThreadingBackend):
        supports_return_generator = False

    calls = []
    ray, util, backend = types.ModuleType("ray"), types.ModuleType("ray.util"), types.ModuleType("ray.util.joblib")
    ray.init = lambda **settings: calls.append(settings)
    backend.register_ray = lambda: joblib.register_parallel_backend("ray", Backend)
    for module in (ray, util, backend):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    yield calls
    joblib.parallel.BACKENDS.pop("ray", None)


def test_a_cluster_gives_the_same_results(stand_in_for_ray, monkeypatch):
    monkeypatch.setattr(tournament, "_ROUND", 1)
    here = rank(hand(), ["random", "first"], 50)
    there = rank(hand(), ["random", "first"], 50, workers=2, ray="auto")
    assert numbers(here) == numbers(there)
    assert stand_in_for_ray == [{"address": "auto", "ignore_reinit_error": True}]


@pytest.mark.soak
def test_rays_own_cluster_gives_the_same_results(tmp_path):
    pytest.importorskip("ray")
    command = [sys.executable, "-m", "domino_agents.cli", "rank", "block", "random", "greedy", "--deals", "96", "--out"]
    for name, words in (("here", []), ("there", ["--workers", "2", "--ray", "local"])):
        subprocess.run([*command, str(tmp_path / name), *words], check=True, capture_output=True, timeout=300)
    assert (tmp_path / "here" / "deals.csv").read_bytes() == (tmp_path / "there" / "deals.csv").read_bytes()


def test_a_cluster_without_ray_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match=r"pip install 'domino-envs\[ray\]'"):
        rank(hand(), ["random", "first"], 10, ray="auto")
