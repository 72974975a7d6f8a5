"""The folder of a ranking: gone on with, added to, verified; what it did not write is refused."""

import csv
import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from domino_agents import arena, record, tournament
from domino_agents.arena import DealStream
from domino_agents.files import locked
from domino_agents.ranking import rank
from domino_agents.report import findings
from domino_agents.verify import verify
from ranked import hand, interrupt_after, numbers, rows, small  # noqa: F401


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
    with pytest.raises(ValueError, match="grown holds 50 deals: ask for as many or more"):
        rank(hand(), ["random", "greedy"], 30, out=tmp_path / "grown")


def test_a_number_of_deals_that_was_a_slip_can_be_taken_back(tmp_path):
    game, agents = hand(3), ["random", "first"]
    rank(game, agents, 1_000_000, out=tmp_path / "slip", progress=interrupt_after(4))
    with pytest.raises(ValueError, match="slip holds 40 deals"):
        rank(game, agents, 39, out=tmp_path / "slip")
    rank(game, agents, 45, out=tmp_path / "slip")
    rank(game, agents, 45, out=tmp_path / "whole")
    assert rows(tmp_path / "slip") == rows(tmp_path / "whole")


def interrupt(*anything):
    raise KeyboardInterrupt


def test_a_chunk_that_was_cut_short_counts_until_it_is_played_again(tmp_path, monkeypatch):
    game, agents = hand(3), ["random", "first"]
    few = rank(game, agents, 30, out=tmp_path / "grown")
    for _ in range(2):
        with monkeypatch.context() as patch:
            patch.setattr(tournament, "play_chunk", interrupt)
            short = rank(game, agents, 50, out=tmp_path / "grown")
        assert (short.asked, short.deals) == (50, 30)
        assert numbers(short) == numbers(few)
    assert verify(tmp_path / "grown").different == []
    assert rank(game, agents, 50, out=tmp_path / "grown", progress=interrupt_after(3)).deals == 20  # one table is further
    rank(game, agents, 50, out=tmp_path / "grown")
    rank(game, agents, 50, out=tmp_path / "whole")
    assert rows(tmp_path / "grown") == rows(tmp_path / "whole")
    assert json.loads((tmp_path / "grown" / "manifest.json").read_text())["short"] is None


def test_a_ranking_played_with_several_versions_says_so(tmp_path, monkeypatch):
    now = record.versions()
    monkeypatch.setattr(record, "versions", lambda: {**now, "numpy": "1.0"})
    assert "part of" not in findings(rank(hand(), ["random", "first"], 20, out=tmp_path))[0]
    monkeypatch.setattr(record, "versions", lambda: now)
    for deals in (40, 60):
        line = findings(rank(hand(), ["random", "first"], deals, out=tmp_path))[0]
        assert line == f"part of it was played with numpy 1.0 (now {now['numpy']})"
    assert verify(tmp_path).notes == [f"played with numpy 1.0 (now {now['numpy']})"]


def test_one_process_writes_in_a_folder(tmp_path):
    with locked(tmp_path), pytest.raises(BlockingIOError, match="in use by another process"):
        rank(hand(), ["random", "first"], 20, out=tmp_path)
    rank(hand(), ["random", "first"], 20, out=tmp_path)


@pytest.mark.parametrize("name", ["kernels.py", "weights.json"])
def test_the_hash_of_the_code_tells_its_weights_apart(tmp_path, name):
    (tmp_path / "inside").mkdir()
    found = {record.hash_of(tmp_path)}
    for content in ("1", "2"):
        (tmp_path / "inside" / name).write_text(content)
        found.add(record.hash_of(tmp_path))
    assert len(found) == 3


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
    assert {"python", "numpy", "numba", "torch", "domino-envs"} <= manifest["versions"].keys()


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


@pytest.mark.parametrize("setting", ["deals", "workers"])
def test_a_replay_of_nothing_or_by_nobody_is_refused(recorded, setting):
    with pytest.raises(ValueError, match=f"{setting} must be a positive integer, got 0"):
        verify(recorded, **{setting: 0})


def test_a_folder_without_a_ranking_is_not_verified(tmp_path):
    with pytest.raises(ValueError, match="holds no ranking"):
        verify(tmp_path)


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
