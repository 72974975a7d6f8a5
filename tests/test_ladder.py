"""The ladder of the agents: its steps, what is played of them, and the page."""

import numpy as np
import pytest

import ladder
import ladder_page
from domino_agents import load_agent
from domino_agents.arena import CHUNK
from domino_envs import game_names
from ladder_steps import SETTINGS, Setting, Step, game_of

SMALL = Setting("Small", "block", 2, (Step("random", "random", CHUNK + 3),), {"max_hands": 1})


def test_every_game_has_a_ladder_and_every_step_its_agents():
    assert {setting.game for setting in SETTINGS} == set(game_names())
    assert len({setting.slug for setting in SETTINGS}) == len(SETTINGS)
    for setting in SETTINGS:
        assert len({step.name for step in setting.steps}) == len(setting.steps)
    for name in {name for setting in SETTINGS for step in setting.steps for name in (step.above, step.below)}:
        load_agent(name, game_of(SETTINGS[0]))


def test_the_steps_have_the_gates_of_a_release():
    gates = {(setting.name, step.name): step.gate for setting in SETTINGS for step in setting.steps if step.gate is not None}
    # Fifteen settings with four gates; searches by the rule player, and over greedy; Bergen's; High Fives' whole set.
    assert len(gates) == 15 * 4 + (3 + 3 + 2 + 2) + 4 + 1 + 3 * 2
    assert gates["Draw", "pimc-100-rule > rule"] == gates["Draw", "pimc-100 > rule"] == 0.55
    assert gates["Block in pairs", "ismcts-500-rule-infer > rule"] == gates["Block in pairs", "ismcts-500 > rule"] == 0.59
    assert gates["Block", "rule > greedy"] == 0.525
    assert gates["Bergen", "ismcts-500 > greedy"] == 0.61
    assert gates["High Fives, whole set, 8 seats", "rule > greedy"] == 0.15


def test_a_step_goes_on_where_it_was_interrupted(tmp_path, monkeypatch):
    monkeypatch.setattr(ladder, "ROWS", tmp_path)
    step = SMALL.steps[0]
    whole = ladder.measure(SMALL, step, workers=1)
    (path,) = tmp_path.iterdir()
    lines = path.read_text().splitlines(keepends=True)
    assert len(lines) == step.deals
    path.write_text("".join(lines[: CHUNK + 1]) + lines[CHUNK + 1][:2])  # torn in a line
    monkeypatch.setattr(ladder, "play", only_later_chunks(ladder.play))
    assert ladder.measure(SMALL, step, workers=1) == whole
    assert path.read_text() == "".join(lines)
    assert ladder.measured({"Small": {"steps": {step.name: whole}}}, SMALL, step, again=True)


def only_later_chunks(play):
    def checked(setting, step, chunk):
        assert chunk[0] >= CHUNK
        return play(setting, step, chunk)

    return checked


def estimated(mean, low, high):
    return {"mean": mean, "low": low, "high": high, "deals": 100}


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0.51, 0.53, "ahead"), (0.47, 0.49, "behind"), (0.492, 0.509, "level within 1 point"), (0.48, 0.52, "open")],
)
def test_a_verdict_is_what_the_interval_decides(low, high, expected):
    assert ladder_page.verdict(estimated((low + high) / 2, low, high), 0.5) == expected


def test_the_page_shows_what_was_measured_and_counts_what_was_not(tmp_path, monkeypatch):
    (tmp_path / "ladder.md").write_text("Before.\n<!-- ladder -->\nold\n<!-- end of ladder -->\nAfter.\n")
    monkeypatch.setattr(ladder_page, "DOCS", tmp_path)
    block = SETTINGS[0]
    entry = {"wins": estimated(0.6, 0.55, 0.65), "points": estimated(3.0, 2.0, 4.0)}
    results = {block.name: {"steps": {"greedy > random": entry}, "milliseconds": {"greedy": 0.1234}}}
    ladder_page.write_page(results)
    page = (tmp_path / "ladder.md").read_text()
    row = "| greedy > random | 0.600 [0.550, 0.650] | +3.00 [+2.00, +4.00] | 100 | ahead | 0.565: missed | 0.12 |"
    assert row in page
    assert f"Not measured yet: {sum(len(setting.steps) for setting in SETTINGS) - 1} steps." in page
    assert page.startswith("Before.\n")
    assert page.endswith("After.\n")
    assert "old" not in page
    assert (tmp_path / "ladder.png").stat().st_size > 1_000


def test_times_are_taken_anew_of_what_was_measured(monkeypatch):
    monkeypatch.setattr(ladder, "SETTINGS", (SMALL, SETTINGS[0]))
    results = {"Small": {"steps": {}, "milliseconds": {"random": -1.0, "gone": 1.0}}}
    ladder.time_decisions(results)
    assert list(results) == ["Small"]
    assert list(results["Small"]["milliseconds"]) == ["random"]
    assert results["Small"]["milliseconds"]["random"] > 0


def test_results_by_other_rules_or_with_fewer_deals_are_measured_again():
    step = SMALL.steps[0]
    rules = f"{ladder.rules_hash(game_of(SMALL)):08x}"
    results = {"Small": {"steps": {step.name: {"rules": rules, "wins": estimated(0.5, 0.4, 0.6) | {"deals": step.deals}}}}}
    assert ladder.measured(results, SMALL, step)
    assert not ladder.measured(results, SMALL, step, again=True)  # by which code, nobody knows
    results["Small"]["steps"][step.name]["wins"]["deals"] -= 1
    assert not ladder.measured(results, SMALL, step)
    results["Small"]["steps"][step.name] |= {"rules": "0", "wins": estimated(0.5, 0.4, 0.6) | {"deals": step.deals}}
    assert not ladder.measured(results, SMALL, step)


def test_rows_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "rows.csv"
    values = np.random.default_rng(0).normal(size=(CHUNK, 2))
    path.write_text("".join(f"{wins!r},{points!r}\n" for wins, points in values.tolist()))
    np.testing.assert_array_equal(ladder.played(path), values)
