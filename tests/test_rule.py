"""The rule player: what it weighs, worked by hand; how it decides; that it beats greedy; and how its weights are fitted."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hydra import compose, initialize_config_dir

from domino_agents import GreedyAgent, RuleAgent, load_agent, play_pair, rule_capture, rule_line
from domino_agents.arena import DealStream
from domino_agents.intervals import estimate
from domino_agents.rule import features_of, fitted, kind_of, nearest_weights
from domino_envs import game_names, load_game
from domino_envs.core.jit import entry
from domino_envs.testing import capture_position, play, position, random_positions
from scripts import load_script

ROOT = Path(__file__).resolve().parent.parent


@entry
def _weigh_on_a_line(tables, rules, mask, weigher):
    rule_line.weigh_actions(tables[0], rules, mask, weigher)


@entry
def _weigh_captures(tables, rules, mask, weigher):
    rule_capture.weigh_actions(tables[0], rules, mask, weigher)


def weighed(table, action):
    """Returns by name what an action is weighed by; an only one too, which the agent plays without."""
    agent = RuleAgent(table.game)
    weigh = _weigh_captures if kind_of(table.game) is rule_capture else _weigh_on_a_line
    weigh(table.states.copy(), table.game.rules, table.action_mask.copy(), agent.weigher)
    features = agent.weigher.features[table.game.string_to_action(action)]
    return dict(zip(features_of(table.game), features.tolist(), strict=True))


def choices(table, weights, lots=1):
    """Returns the names of what is played by some weights, all others being 0, with so many lots."""
    agent = RuleAgent(table.game, {**dict.fromkeys(features_of(table.game), 0.0), **weights})
    states = np.concatenate([table.states] * lots)
    states["rng"] = np.arange(lots)
    actions = agent.act(None, np.repeat(table.action_mask[None], lots, axis=0), None, tables=states)
    return {table.game.action_to_string(action) for action in actions}


def five_tiles_left(**options):
    """Ends 4 and 5, and 4 tiles unseen, of which the other seat holds 2: each with an even chance."""
    return position("all_fives", ["5-3 1-1", "6-3 0-0"], ends=(4, 5), boneyard="4-2 2-2", **options)


def test_own_tile_and_hand():
    table = position("all_fives", ["6-6 4-3 6-5", "0-0 1-1"], ends=(3, 6), boneyard="2-2 1-0 2-0 2-1")
    found = weighed(table, "4-3>L")
    assert found["points"] == 10  # 4 + 6
    assert found["shed"] == pytest.approx(7 / 12)
    assert found["shed_late"] == pytest.approx(7 / 12 / 2)  # the other seat holds two tiles
    assert found["double"] == 0
    assert found["fitting"] == 1  # 6-6 and 6-5 both fit the end 6
    assert found["covered"] == 0.5  # and nothing fits the end 4
    assert found["stuck"] == 0
    assert found["variety"] == pytest.approx(2 / 7)  # 6 and 5
    assert found["next_stuck"] == 1  # no unseen tile has a 4 or a 6
    assert weighed(table, "6-6>R")["double"] == 1


def test_no_own_tile_fits():
    table = five_tiles_left()
    assert weighed(table, "5-3>R")["stuck"] == 1
    assert weighed(table, "5-3>R")["fitting"] == weighed(table, "5-3>R")["covered"] == 0


@pytest.mark.nojit
def test_the_reply_is_the_best_that_may_be_held():
    # Ends 4 and 3. 6-3 makes 4 + 6 = 10 and 4-2 makes 2 + 3 = 5; 0-0 and 2-2 do not fit.
    found = weighed(five_tiles_left(), "5-3>R")
    assert found["reply"] == pytest.approx(10 / 2 + 5 / 2 / 2)
    assert found["next_stuck"] == pytest.approx(1 / 2 * 1 / 2)


def test_what_a_seat_lacks_makes_its_other_tiles_likelier():
    table = five_tiles_left()
    table.states["draws_since_missing"][0, 1, 6] = 0  # it holds no 6: two of 4-2, 0-0 and 2-2
    found = weighed(table, "5-3>R")
    assert found["next_stuck"] == pytest.approx(1 / 3)
    assert found["reply"] == pytest.approx(5 * 2 / 3)


def test_a_tile_drawn_since_may_be_of_the_number():
    table = five_tiles_left()
    table.states["draws_since_missing"][0, 1, 6] = 1
    # One of its two tiles can be 6-3, both can be each of the others: 2 of 7 parts in 2 tiles, and 4 of 7.
    assert weighed(table, "5-3>R")["next_stuck"] == pytest.approx((1 - 2 / 7) * (1 - 4 / 7))


def test_partner_and_opponents_are_told_apart():
    table = position("block", ["6-5 0-0", "6-1", "1-1", "2-2"], ends=(6, 2), partnership=True)
    table.states["draws_since_missing"][0, 2, 2] = 0
    found = weighed(table, "6-5>L")
    assert found["partner_stuck"] == 1  # only 2-2 would fit
    assert found["next_stuck"] == found["others_stuck"] == pytest.approx(2 / 3)


def test_a_hand_that_is_over_counts_its_points_alone():
    found = weighed(position("block", ["6-5", "1-1 2-2"], ends=(6, 3)), "6-5>L")
    assert found.pop("points") == 1 + 1 + 2 + 2
    assert not any(found.values())


def capture_table(hand="15-15 10-0 9-1", layout="10-5 15-0 7-3", **options):
    """Four tiles unseen, of which the other seat holds 2; of them only 6-0 ever makes a pair with the layout."""
    return capture_position("high_fives", [hand, "14-14 6-0"], layout=layout, boneyard="13-13 12-12", **options)


@pytest.mark.nojit
def test_a_claim_is_judged_with_the_pair_complete():
    table = capture_table(layout="10-5 15-0 7-3 3-2")
    found = weighed(table, "7-3")
    assert found["points"] == 2 + 1
    assert found["pair_left"] == 0
    assert found["layout"] == 3 + 3
    assert found["capture_now"] == 7 + 3  # 15-15 with 15-0
    assert found["capture_later"] == found["laid"] == 0
    assert found["kept"] == 7 + 2 + 2
    assert found["reply"] == pytest.approx(3 / 2)  # 6-0 with 15-0, held with an even chance
    left = weighed(table, "skip")
    assert left["points"] == 0
    assert left["pair_left"] == 2 + 1
    assert left["layout"] == 3 + 3 + 2 + 1


def test_a_tile_that_takes_nothing_lies_for_the_others():
    found = weighed(capture_table(), "9-1")
    assert found["laid"] == 2
    assert found["layout"] == 3 + 3 + 2 + 2
    assert found["capture_later"] == 7 + 3
    assert found["capture_now"] == found["points"] == 0
    assert found["kept"] == 7 + 2


def test_pairs_count_only_where_they_can_be_claimed():
    table = capture_table(layout="10-5 15-0 7-3 3-2", max_claims=0)
    assert weighed(table, "9-1")["pair_left"] == 0


def test_a_tile_with_several_partners_is_worth_its_best():
    table = capture_table(layout="10-5 0-0 7-3", capture="optional")
    assert weighed(table, "10-0")["points"] == 2 + 3
    play(table, "10-0")
    assert weighed(table, "10-5")["points"] == 2 + 3
    assert weighed(table, "0-0")["points"] == 2 + 1
    assert weighed(table, "skip")["laid"] == 2
    assert weighed(table, "0-0")["laid"] == 0


def test_hands_that_are_dealt_next_are_not_looked_at():
    table = capture_position(
        "high_fives", ["9-1", ""], layout="10-5 15-0", boneyard="5-0 8-0 14-1 13-2 11-4 9-6 7-1 5-1 4-1 3-2"
    )
    found = weighed(table, "9-1")
    assert found["kept"] == found["capture_now"] == found["capture_later"] == 0
    assert found["laid"] == 2


def test_the_best_is_chosen_whichever_way_a_weight_points():
    table = position("all_fives", ["6-6 4-3 6-5", "0-0 1-1"], ends=(3, 6), boneyard="2-2 1-0 2-0 2-1")
    assert choices(table, {"points": 1.0}) == {"6-6>R"}  # 15 against 10 and 0
    assert choices(table, {"points": -1.0}) == {"6-5>R"}
    assert choices(table, {"shed": -1.0}) == {"4-3>L"}


def test_a_lot_decides_between_level_moves():
    table = position("all_fives", ["6-6 4-3 6-5", "0-0 1-1"], ends=(3, 6), boneyard="2-2 1-0 2-0 2-1")
    assert choices(table, {}, lots=50) == {"6-6>R", "4-3>L", "6-5>R"}
    assert choices(table, {"shed": 1.0, "double": -1.0}, lots=50) == {"6-5>R"}


@pytest.mark.boundscheck
@pytest.mark.parametrize("name", game_names())
def test_each_table_is_judged_by_itself(name):
    game = load_game(name)
    tables = [table.clone() for table in random_positions(game, 2, seed=1, every=5) if not table.done]
    states, masks = np.concatenate([table.states for table in tables]), np.stack([table.action_mask for table in tables])
    agent = RuleAgent(game)
    together = agent.act(None, masks, None, tables=states)
    alone = [agent.act(None, masks[[i]], None, tables=states[[i]])[0] for i in range(len(tables))]
    assert together.tolist() == alone
    assert all(mask[action] for mask, action in zip(masks, together, strict=True))


@pytest.mark.parametrize("name", ["block", "draw", "all_fives"])
def test_it_beats_greedy(name):
    game = load_game(name, max_hands=1)
    results = play_pair(game, load_agent("rule", game), GreedyAgent(game), DealStream("dev"), 1_000)
    assert estimate(results.wins[:, 0]).low > 0.5
    assert results.illegal.sum() == 0


def test_every_fit_beat_greedy():
    for fit in fitted():
        sides = 2 if fit["partnership"] else fit["num_players"]
        assert fit["fitted"]["against_greedy_on_dev"]["low"] > 1 / sides, fit


def test_every_game_has_weights_of_its_own():
    assert {fit["game"] for fit in fitted()} >= set(game_names())


def test_the_nearest_fit_serves_tables_without_one():
    fits = {(fit["game"], fit["num_players"], fit["partnership"]): fit["weights"] for fit in fitted()}
    assert nearest_weights(load_game("block", 4, partnership=True)) == fits["block", 4, True]
    assert nearest_weights(load_game("draw", 3, max_pip=9)) == fits["draw", 2, False]
    stranger = replace(load_game("block"), name="stranger")
    assert nearest_weights(stranger) in [weights for key, weights in fits.items() if key[1:] == (2, False)]


def test_weights_of_other_features_are_refused():
    game = load_game("block")
    with pytest.raises(ValueError, match="must name the features points, shed"):
        RuleAgent(game, {"points": 1.0})


def fit_rule():
    return load_script("train/fit_rule.py")


def fit(folder, *words):
    small = [f"out={folder / 'run'}", f"weights_file={folder / 'weights.json'}", "population=4", "elites=2", "deals=4"]
    with initialize_config_dir(str(ROOT / "configs"), version_base="1.3"):
        return fit_rule().fit(compose("fit_rule", overrides=["game=block", "dev_deals=8", *small, *words]))


def test_a_fit_that_stopped_goes_on_as_if_it_had_not(tmp_path):
    (tmp_path / "stopped").mkdir()
    (tmp_path / "whole").mkdir()
    first = fit(tmp_path / "stopped", "generations=1")
    second, whole = fit(tmp_path / "stopped", "generations=2"), fit(tmp_path / "whole", "generations=2")
    assert first["weights"] != second["weights"] == whole["weights"]
    entered = json.loads((tmp_path / "stopped" / "weights.json").read_text())["fits"]
    assert [entry["weights"] for entry in entered] == [whole["weights"]]  # in place of the first


def test_another_fit_is_not_continued(tmp_path):
    fit(tmp_path, "generations=1")
    with pytest.raises(ValueError, match="other settings"):
        fit(tmp_path, "generations=2", "seed=2")


def test_what_says_nothing_keeps_its_weight(tmp_path):
    start = fit_rule().START
    weights = fit(tmp_path, "generations=1")["weights"]
    assert weights["partner_stuck"] == start["partner_stuck"]
    assert weights["others_stuck"] == start["others_stuck"]
    assert weights["next_stuck"] != start["next_stuck"]
    assert set(start) == {*rule_line.FEATURES, *rule_capture.FEATURES}


def test_a_fit_tells_the_options_it_was_made_with(tmp_path):
    assert fit(tmp_path, "generations=1", "+game.options.next_lead=rotation")["options"] == {
        "max_hands": 1,
        "next_lead": "rotation",
    }


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["elites=5"], "elites must be at most population=4, got 5"),
        (["elites=0"], "elites must be a positive integer, got 0"),
        (["dev_deals=1"], "dev_deals must be 2 or more"),
        (["generations=0"], "generations must be a positive integer"),
        (["weights_file=null", "+game.options.max_pip=9"], "weights for max_pip=9 need a weights_file of their own"),
    ],
)
def test_a_fit_is_refused_before_it_begins(tmp_path, words, wrong):
    with pytest.raises(ValueError, match=wrong):
        fit(tmp_path, *words)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [("block", 2, {}), ("block", 4, {"partnership": True}), ("bergen", 6, {"max_pip": 9}), ("high_fives", 2, {})],
)
def test_the_package_has_weights_for_usual_tables(name, players, options):
    assert fit_rule().unusual_options(load_game(name, players, max_hands=1, **options)) == []


def test_features_that_nothing_was_fitted_for_are_named(monkeypatch):
    monkeypatch.setattr("domino_agents.rule.fitted", list)
    with pytest.raises(ValueError, match=r"rule_weights\.json has no weights for the features of block_v0: points"):
        nearest_weights(load_game("block"))
