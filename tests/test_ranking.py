"""Rankings: the same numbers whoever is named first and however many work at it; resumed, verified, refused."""

import csv
import json
import re
import shutil
import sys
import types
from pathlib import Path

import joblib
import numpy as np
import pytest

import domino_agents.ranking as ranking_module
import domino_agents.verify as verify_module
from domino_agents import arena, record, tournament
from domino_agents.arena import DealStream
from domino_agents.loading import load_agent
from domino_agents.ranking import rank
from domino_agents.report import as_dict, findings, tables
from domino_agents.tournament import Tournament
from domino_agents.verify import verify
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
    for module in (ranking_module, record, tournament, verify_module):
        monkeypatch.setattr(
            module, "load_agent", lambda name, game: KINDS[name]() if name in KINDS else load_agent(name, game)
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
    with pytest.raises(KeyboardInterrupt):
        rank(hand(3), ["random", "greedy"], 50, progress=interrupt_after(1))


def rows(folder):
    return (folder / "deals.csv").read_bytes()


def test_what_was_interrupted_is_gone_on_with_and_ends_the_same(tmp_path):
    game, agents = hand(3), ["random", "greedy"]
    whole = rank(game, agents, 50, out=tmp_path / "whole")
    rank(game, agents, 50, out=tmp_path / "cut", progress=interrupt_after(3))
    with (tmp_path / "cut" / "deals.csv").open("a") as file:
        file.write("1,20,greedy,3.0,0.5,0,1")  # torn in the middle of a number
    played = []
    resumed = rank(game, agents, 50, out=tmp_path / "cut", progress=lambda done, total: played.append((done, total)))
    assert played == [(3, 6), (4, 6), (5, 6), (6, 6)]
    assert numbers(resumed) == numbers(whole)
    assert rows(tmp_path / "cut") == rows(tmp_path / "whole")


def test_more_deals_are_added_to_those_that_there_are(tmp_path):
    rank(hand(), ["random", "greedy"], 30, out=tmp_path / "grown")
    played = []
    rank(hand(), ["random", "greedy"], 50, out=tmp_path / "grown", progress=lambda done, total: played.append(done))
    assert played == [1, 2, 3]  # the chunk that was cut short is played again with all its deals
    rank(hand(), ["random", "greedy"], 50, out=tmp_path / "whole")
    assert rows(tmp_path / "grown") == rows(tmp_path / "whole")
    with pytest.raises(ValueError, match="ranking of 50 deals"):
        rank(hand(), ["random", "greedy"], 30, out=tmp_path / "grown")


@pytest.mark.parametrize(
    ("agents", "options", "stream", "key"),
    [
        (["random", "first"], {}, DealStream(), "agents"),
        (["random", "greedy"], {"target": 50}, DealStream(), "options"),
        (["random", "greedy"], {}, DealStream(seed=1), "seed"),
        (["random", "greedy"], {}, DealStream("test"), "split"),
    ],
)
def test_the_folder_of_another_ranking_is_refused(tmp_path, agents, options, stream, key):
    rank(hand(), ["random", "greedy"], 4, out=tmp_path)
    before = rows(tmp_path)
    with pytest.raises(ValueError, match=f"another {key}"):
        rank(hand(**options), agents, 4, stream, out=tmp_path)
    assert rows(tmp_path) == before


def test_every_deal_has_its_row_and_the_tables_are_made_from_them(tmp_path):
    ranking = rank(hand(), ["random", "greedy"], 50, out=tmp_path)
    with (tmp_path / "deals.csv").open() as file:
        found = list(csv.DictReader(file))
    assert [(int(row["deal"]), row["agent"]) for row in found] == [
        (deal, agent) for deal in range(50) for agent in ("greedy", "random")
    ]
    own = [row for row in found if row["agent"] == "greedy"]
    assert np.mean([float(row["wins"]) for row in own]) == pytest.approx(ranking.pairings[0].wins.mean)
    assert np.mean([float(row["points"]) for row in own]) == pytest.approx(ranking.pairings[0].points.mean)
    assert sum(int(row["decisions"]) for row in own) == ranking.effort["greedy"].decisions
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["played"]["game"] == "block_v0"
    assert manifest["played"]["agents"] == {"greedy": "greedy", "random": "random"}
    assert {"numpy", "numba", "domino-envs"} <= manifest["versions"].keys()


def test_a_ranking_verifies_itself(tmp_path):
    rank(hand(), ["random", "greedy", "first"], 60, out=tmp_path)
    found = verify(tmp_path, deals=25)
    assert (found.deals, found.tables) == (3 * 40, 3)  # two whole chunks of every table
    assert (found.different, found.left_out, found.notes) == ([], [], [])


def test_a_forged_row_is_found(tmp_path):
    rank(hand(), ["random", "greedy"], 20, out=tmp_path)
    text = (tmp_path / "deals.csv").read_text()
    (tmp_path / "deals.csv").write_text(re.sub("^0,7,greedy,[^,]*", "0,7,greedy,99.5", text, flags=re.MULTILINE))
    found = verify(tmp_path)
    assert len(found.different) == 1
    assert "points of 1 deals, first of deal 7" in found.different[0]


def test_agents_with_a_clock_are_left_out_of_the_replay(tmp_path):
    rank(hand(), ["random", "hurried", "first"], 20, out=tmp_path)
    found = verify(tmp_path)
    assert (found.deals, found.tables, found.left_out) == (20, 1, ["hurried"])


def test_a_folder_without_a_ranking_is_not_verified(tmp_path):
    with pytest.raises(ValueError, match="holds no ranking"):
        verify(tmp_path)


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


def swapped(text):
    lines = text.splitlines(keepends=True)
    return "".join([*lines[:5], lines[7], lines[8], lines[5], lines[6], *lines[9:]])


def twice(text):
    lines = text.splitlines(keepends=True)
    return "".join([*lines[:3], *lines[1:3], *lines[5:]])  # deal 0 in the place of deal 1


DAMAGES = {
    "swapped deals": (swapped, r"line 6: expected deal 2, got '3'"),
    "a deal twice": (twice, r"line 4: expected deal 1, got '0'"),
    "a line too many": (lambda text: text + text.splitlines(keepends=True)[-1], r"line 42: expected no more of table 0"),
    "another agent": (lambda text: text.replace("0,2,random", "0,2,nobody"), r"line 7: expected agent random, got 'nobody'"),
    "a win too large": (
        lambda text: re.sub("(0,2,random,[^,]*),[^,]*", r"\1,9.0", text),
        "line 7: expected wins from 0 to 1, got '9.0'",
    ),
    "no number": (lambda text: re.sub("0,2,random,[^,]*", "0,2,random,nan", text), "line 7: expected points .* got 'nan'"),
    "a word": (lambda text: re.sub("0,2,random,[^,]*", "0,2,random,many", text), "line 7: expected points .* got 'many'"),
    "half a decision": (
        lambda text: re.sub("(0,2,random.*),[0-9]+", r"\1,1.5", text),
        "line 7: expected decisions .* got '1.5'",
    ),
    "no deal": (lambda text: text.replace("0,2,random", "0,two,random"), "line 7: expected deal from 0 to 19, got 'two'"),
    "a deal beyond": (lambda text: text.replace("0,2,random", "0,20,random"), "line 7: expected deal from 0 to 19, got '20'"),
    "a table beyond": (lambda text: text.replace("0,2,random", "1,2,random"), "line 7: expected table from 0 to 0, got '1'"),
    "a blank line": (lambda text: text.replace("0,2,random", "\n0,2,random"), r"line 7: expected 7 values, got \[\]"),
    "a short line": (lambda text: re.sub("0,2,random.*", "0,2,random", text), "line 7: expected 7 values, got"),
    "a long line": (lambda text: re.sub("(0,2,random.*)", r"\1,5", text), "line 7: expected 7 values, got"),
    "another head": (lambda text: text.replace("points", "score"), "line 1: expected table,deal,agent,points"),
    "an open quote": (lambda text: text.replace("0,2,random", '0,2,"random'), "deals.csv, line .*: expected"),
}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """The folder of a ranking over 20 deals."""
    folder = tmp_path_factory.mktemp("recorded")
    with pytest.MonkeyPatch.context() as patch:
        for module in (arena, record):
            patch.setattr(module, "CHUNK", 20)
        rank(hand(), ["random", "greedy"], 20, out=folder)
    return folder


def copied(recorded, folder):
    return Path(shutil.copytree(recorded, folder / "result"))


@pytest.mark.parametrize("damage", DAMAGES)
def test_rows_that_the_ranking_did_not_write_are_refused(recorded, tmp_path, damage):
    folder, (change, wrong) = copied(recorded, tmp_path), DAMAGES[damage]
    text = (folder / "deals.csv").read_text()
    (folder / "deals.csv").write_text(change(text))
    for use in (verify, lambda folder: rank(hand(), ["random", "greedy"], 20, out=folder)):
        with pytest.raises(ValueError, match=wrong):
            use(folder)
    assert (folder / "deals.csv").read_text() == change(text) != text


def test_rows_that_are_not_text_are_refused(recorded, tmp_path):
    folder = copied(recorded, tmp_path)
    (folder / "deals.csv").write_bytes(b"\xff\xfe\x00 no text \n")
    with pytest.raises(ValueError, match=r"deals\.csv is not text"):
        verify(folder)


MISSING = object()


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        *((field, MISSING, f"{field} must be .*, got None") for field in ("deals", "played", "played.suite", "played.chunk")),
        *(
            (f"played.{name}", MISSING, f"played.{name} must be")
            for name in ("options", "code", "rules_hash", "game", "agents")
        ),
        ("deals", "40", "deals must be an integer of 2 or more, got '40'"),
        ("deals", None, "deals must be an integer of 2 or more, got None"),
        ("deals", True, "deals must be an integer of 2 or more, got True"),
        ("played.agents", ["greedy", "random"], r"played\.agents must be an object .*, got \['greedy', 'random'\]"),
        ("played.agents", None, r"played\.agents must be an object"),
        (
            "played.agents",
            {"greedy": "greedy", "pimc-05": "pimc-05"},
            r"manifest\.json: played\.agents must be \['greedy', 'pimc-5'\]",
        ),
        ("played.agents", {"greedy": "greedy", "clever": "clever"}, r"manifest\.json: no agent 'clever'"),
        ("played.options", ["max_hands"], r"played\.options must be an object, got \['max_hands'\]"),
        ("played.options", {"colour": 1}, r"manifest\.json: .*'colour'"),
        ("played.num_players", 77, r"manifest\.json: .*players"),
        ("played.game", 5, r"played\.game must be a string, got 5"),
        ("played", [], r"played must be an object, got \[\]"),
    ],
)
def test_a_damaged_manifest_is_refused(recorded, tmp_path, field, value, expected):
    folder = copied(recorded, tmp_path)
    manifest = json.loads((folder / "manifest.json").read_text())
    *parents, key = field.split(".")
    holder = manifest["played"] if parents else manifest
    if value is MISSING:
        del holder[key]
    else:
        holder[key] = value
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ValueError, match=expected) as refusal:
        verify(folder)
    assert str(folder) in str(refusal.value)


def test_rows_of_fewer_deals_than_a_chunk_of_the_manifest_are_not_verified(tmp_path):
    rank(hand(), ["random", "first"], 10, out=tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps({**manifest, "deals": 1_000_000}))
    with pytest.raises(ValueError, match=r"deals\.csv holds no whole chunk of the 1000000 deals of its manifest\.json"):
        verify(tmp_path)


def test_ways_of_writing_one_agent_are_one_agent():
    for one, other in (("pimc-05", "pimc-5"), ("pimc", "pimc-100-greedy"), ("ismcts-0.10s", "ismcts-0.1s-random")):
        with pytest.raises(ValueError, match="named twice"):
            Tournament(hand(), (one, other), DealStream())
    names = ("random", "pimc-05", "ismcts-0.1234567s", "ismcts-1000000s")
    found = Tournament(hand(), names, DealStream()).agents
    assert found == ("ismcts-0.1234567s", "ismcts-1000000s", "pimc-5", "random")
    assert Tournament(hand(), found, DealStream()).agents == found


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


def test_a_cluster_without_ray_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match=r"pip install 'domino-envs\[ray\]'"):
        rank(hand(), ["random", "first"], 10, ray="auto")


def test_a_checkpoint_is_known_by_its_content(tmp_path):
    from domino_agents.network import ActorCritic, save_checkpoint

    game, found = hand(), []
    for name in ("one.pt", "two.pt"):
        network = ActorCritic(game.observation_size, game.num_actions, 8)
        save_checkpoint(tmp_path / name, network, game, 0, greedy=False)
    path = tmp_path / "one.pt"
    rank(game, [str(path), "random"], 20, out=tmp_path / "result")
    assert verify(tmp_path / "result").different == []
    path.write_bytes((tmp_path / "two.pt").read_bytes())
    found = verify(tmp_path / "result")
    assert f"{path} is not the file that was ranked" in found.notes
    assert found.different
