"""The searching agents: honest, exact in their budgets, and stronger than greedy play; their names and settings."""

import time

import numpy as np
import pytest

from decisions import batch_of, decisions, trap
from domino_agents.arena import DealStream, play_pair
from domino_agents.intervals import estimate
from domino_agents.ismcts import RIPE, IsmctsAgent
from domino_agents.loading import agent_names, load_agent
from domino_agents.pimc import PimcAgent
from domino_agents.playouts import new_playout, play_out
from domino_agents.record import budget_of
from domino_agents.tournament import Tournament
from domino_agents.weighing import points_ahead
from domino_envs import game_names, load_game
from domino_envs.core.jit import entry
from domino_envs.testing import position, random_positions
from test_agents import ask, depends_on_hidden_tiles

SEARCHERS = ["pimc-8", "pimc-8-random", "ismcts-40"]


@pytest.mark.parametrize(
    ("name", "agent"),
    [
        *((name, agent) for name in game_names() for agent in SEARCHERS),
        ("all_fives", "pimc-8-rule"),
        ("high_fives", "pimc-8-rule"),
        ("all_fives", "pimc-8-rule-infer"),
        ("all_fives", "ismcts-40-rule-infer"),
    ],
)
def test_searchers_go_by_what_the_seat_may_know(name, agent):
    game = load_game(name, 2, max_hands=1)
    assert not depends_on_hidden_tiles(load_agent(agent, game), game)


@pytest.mark.parametrize("agent", SEARCHERS)
def test_searchers_deal_the_worlds_themselves(agent):
    # Even tables that were not dealt anew for the seat, and differ in what it cannot see, give one move.
    game = load_game("all_fives", 2, max_hands=1)
    searcher = load_agent(agent, game)
    for number, table in enumerate(decisions(game, 10, seed=4)):
        twin = table.clone()
        twin.redeal_hidden(twin.player, seed=number)
        moves = []
        for world in (table, twin):
            views, masks, states = batch_of([world])
            moves.append(int(searcher.act(views, masks, np.random.default_rng(number), tables=states)[0]))
        assert moves[0] == moves[1]


def test_the_omniscient_agent_is_found_out():
    game = load_game("all_fives", 2, max_hands=1)
    assert depends_on_hidden_tiles(load_agent("omniscient-40", game), game)


def test_a_person_is_not_ranked():
    game = load_game("block", 2, max_hands=1)
    with pytest.raises(ValueError, match="human asks a person for every move"):
        Tournament(game, ("greedy", "human"), DealStream("dev"))


def test_the_omniscient_agent_is_not_ranked():
    game = load_game("block", 2, max_hands=1)
    with pytest.raises(ValueError, match="omniscient-40 sees hidden tiles"):
        Tournament(game, ("greedy", "omniscient-40"), DealStream("dev"))


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [*((name, 2, {}) for name in game_names()), ("block", 3, {}), ("draw", 4, {"partnership": True})],
)
def test_searchers_play_legal_actions(name, players, options):
    game = load_game(name, players, **options)
    searchers = [load_agent(agent, game) for agent in (*SEARCHERS, "omniscient-40")]
    for table in random_positions(game, 1, seed=players, every=5):
        for searcher in searchers if not table.done else []:
            assert table.action_mask[ask(searcher, table)]


@pytest.mark.parametrize("agent", [*SEARCHERS, "pimc-8-rule-infer", "ismcts-40-greedy-infer"])
def test_moves_follow_from_the_rng_and_from_each_table_alone(agent):
    game = load_game("all_fives", 2)
    searcher = load_agent(agent, game)
    views, masks, states = batch_of(decisions(game, 2, seed=1))
    given = [array.copy() for array in (views, masks, states)]
    together = searcher.act(views, masks, np.random.default_rng(0), tables=states)
    assert all(before.tobytes() == after.tobytes() for before, after in zip(given, (views, masks, states), strict=True))
    assert searcher.act(views, masks, np.random.default_rng(0), tables=states).tolist() == together.tolist()
    rng = np.random.default_rng(0)
    alone = [searcher.act(views[[i]], masks[[i]], rng, tables=states[[i]])[0] for i in range(len(states))]
    assert alone == together.tolist()


@pytest.mark.nojit
@pytest.mark.parametrize(
    "agent", ["pimc-5", "pimc-5-random", "pimc-5-rule", "pimc-5-rule-infer", "ismcts-50", "omniscient-50"]
)
@pytest.mark.parametrize("options", [{}, {"max_hands": 1}])
def test_searchers_see_the_winning_move_that_greedy_misses(agent, options):
    table = trap(**options)
    assert table.game.action_to_string(ask(load_agent("greedy", table.game), table)) == "6-1>L"
    assert table.game.action_to_string(ask(load_agent(agent, table.game), table)) == "2-0>R"


@pytest.mark.nojit
@pytest.mark.parametrize("options", [{}, {"max_hands": 1}])
def test_pimc_adds_up_the_points_of_the_hand(options):
    # 2-0 wins the 12 pips of 6-6; 6-1 gives away the 2 of 2-0. What the next hand of a match would bring is not counted.
    table = trap(**options)
    agent = PimcAgent(table.game, worlds=7)
    ask(agent, table)
    expected = np.zeros(table.game.num_actions)
    expected[[table.game.string_to_action("2-0>R"), table.game.string_to_action("6-1>L")]] = 7 * 12, 7 * -2
    assert agent.points.tolist() == [expected.tolist()]


def children(tree, parent=None):
    """Yields the nodes below a node, the root by default."""
    child = (tree.nodes[0] if parent is None else parent)["first_child"]
    while child >= 0:
        yield tree.nodes[child]
        child = tree.nodes[child]["next_sibling"]


@pytest.mark.nojit
def test_ismcts_adds_up_the_points_of_the_seat_that_moves():
    table = trap()
    agent = IsmctsAgent(table.game, iterations=200)
    ask(agent, table)
    number = table.game.string_to_action
    root = {int(node["action"]): node for node in children(agent.tree)}
    # After 2-0 the pass and 6-1 are forced; after 6-1 the other seat goes out at once.
    winning, losing = root[number("2-0>R")], root[number("6-1>L")]
    assert winning["points"] / winning["visits"] == 12
    assert losing["points"] / losing["visits"] == -2
    (reply,) = children(agent.tree, winning)
    assert reply["action"] == table.game.num_actions + number("pass")  # of the second seat
    assert reply["points"] / reply["visits"] == -12


@pytest.mark.nojit
def test_the_player_of_the_playouts_moves_for_the_others_in_the_tree():
    # Greedy play answers 6-1 with 6-6 and 5-1 with 5-5, the heaviest that fit; a random player with any that do.
    table = position("block", ["6-1 5-1", "6-6 6-2 5-5 5-2 2-2"], ends=(1, 2), max_hands=1)
    replies = {}
    for playout in ("greedy", "random"):
        agent = IsmctsAgent(table.game, iterations=100, playout=playout)
        ask(agent, table)
        grown = [node for node in children(agent.tree) if node["visits"] > RIPE]
        replies[playout] = [[int(child["action"]) for child in children(agent.tree, node)] for node in grown]
    number, first = table.game.string_to_action, table.game.num_actions  # of the second seat
    assert replies["greedy"]
    assert all(some in ([first + number("6-6>L")], [first + number("5-5>L")]) for some in replies["greedy"])
    assert all(len(some) > 1 for some in replies["random"])


@pytest.mark.nojit
def test_a_guided_tree_goes_on_from_a_node_once_visits_are_enough():
    table = position("block", ["6-1 5-1", "6-6 6-2 5-5 5-2 2-2"], ends=(1, 2), max_hands=1)
    agent = IsmctsAgent(table.game, iterations=RIPE, playout="greedy")
    ask(agent, table)
    assert agent.tree.counts[0]["nodes"] == 1 + 2  # the root, and its two actions with fewer than `RIPE` visits


@pytest.mark.nojit
def test_guided_searches_try_every_action_in_the_same_world():
    # The other seat cannot move, and the mover goes out either way: by 2 points where that seat has 1-1, by none with 0-0.
    table = position("block", ["6-2 5-3", "0-0"], boneyard="1-1", ends=(6, 5), max_hands=1)
    points = {playout: [] for playout in ("greedy", "random")}
    for playout, pairs in points.items():
        agent = IsmctsAgent(table.game, iterations=2, playout=playout)
        for seed in range(20):
            ask(agent, table, seed)
            pairs.append(tuple(float(node["points"]) for node in children(agent.tree)))
    assert set(points["greedy"]) == {(0, 0), (2, 2)}
    assert set(points["random"]) == {(0, 0), (0, 2), (2, 0), (2, 2)}
    agent = IsmctsAgent(table.game, iterations=40, playout="greedy")
    ask(agent, table)
    assert any(0 < node["points"] / node["visits"] < 2 for node in children(agent.tree))  # in other worlds later on


@pytest.mark.nojit
def test_points_ahead_are_against_the_mean_of_the_other_sides():
    game = load_game("block", 3)
    before, state = game.new_states(1).view(np.recarray), game.new_states(1).view(np.recarray)
    before.scores[0], state.scores[0] = [5, 5, 5], [15, 5, 9]
    ahead = getattr(points_ahead, "py_func", points_ahead)
    assert [ahead(state[0], before[0], game.rules, side) for side in range(3)] == [10 - 2, 0 - 7, 4 - 5]


@pytest.mark.parametrize(
    ("name", "playout"), [("block", "random"), ("draw", "random"), ("all_fives", "random"), ("draw", "greedy")]
)
def test_ismcts_makes_just_its_iterations(name, playout):
    game = load_game(name, 2)
    agent = IsmctsAgent(game, iterations=300, playout=playout)
    room = agent.tree.nodes
    for table in decisions(game, 1, seed=2):
        ask(agent, table)
        counts, root = agent.tree.counts[0], agent.tree.nodes[0]
        assert counts["iterations"] == root["visits"] == sum(child["visits"] for child in children(agent.tree)) == 300
        assert len(list(children(agent.tree))) == table.action_mask.sum()
        assert all(child["available"] >= 300 - table.action_mask.sum() for child in children(agent.tree))
        assert counts["nodes"] <= len(room) == 301
        assert agent.tree.nodes is room


@pytest.mark.parametrize("playout", ["random", "greedy"])
def test_a_full_tree_is_searched_on(playout):
    game = load_game("draw", 2)
    agent = IsmctsAgent(game, iterations=300, playout=playout)
    agent.tree = agent.tree._replace(nodes=agent.tree.nodes[:20])
    nodes = []
    for table in decisions(game, 2, seed=2):
        assert table.action_mask[ask(agent, table)]
        assert agent.tree.counts[0]["iterations"] == 300
        nodes.append(agent.tree.counts[0]["nodes"])
    assert max(nodes) == 20


def test_playouts_stop_after_their_most_moves():
    game = load_game("draw", 2)
    agent = IsmctsAgent(game, iterations=100, max_moves=1)
    ask(agent, next(iter(decisions(game, 1, seed=2))))
    assert agent.tree.counts[0]["moves"] == 100


@entry
def _play_out(tables, rules, playout, hands_played):
    play_out(tables[0], rules, playout, hands_played, 0)


@pytest.mark.parametrize("policy", ["greedy", "rule"])
@pytest.mark.parametrize("name", ["all_fives", "high_fives"])
def test_a_playout_is_the_play_of_the_agent_that_it_is_named_after(name, policy):
    game = load_game(name, 2, max_hands=1)
    agent, tables = load_agent(policy, game), decisions(game, 2, seed=6)
    assert len(tables) >= 5
    for table in tables:
        played = table.states.copy()
        _play_out(played, game.rules, new_playout(game, policy), 0)
        while not table.done:
            views, masks, states = batch_of([table])  # as they are: a playout knows its world
            table.step(int(agent.act(views, masks, np.random.default_rng(0), tables=states)[0]))
        assert played.tobytes() == table.states.tobytes()


def test_ismcts_searches_for_the_time_it_is_given():
    game = load_game("block", 2)
    agent, table = load_agent("ismcts-0.05s", game), decisions(game, 1, seed=2)[0]
    start = time.perf_counter()
    ask(agent, table)
    assert time.perf_counter() - start >= 0.05
    assert agent.tree.counts[0]["iterations"] >= 32


def test_the_shortest_time_is_enough_for_a_search():
    game = load_game("block", 2)
    agent = IsmctsAgent(game, seconds=1e-9)
    for table in decisions(game, 1, seed=2):
        assert table.action_mask[ask(agent, table)]
        assert agent.tree.counts[0]["iterations"] == 32
    assert (agent.iterations, agent.seconds) == (None, 1e-9)
    assert budget_of(agent) == {"seconds": 1e-9}


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["pimc-50", "ismcts-300"])
@pytest.mark.parametrize(("name", "options"), [("block", {"lead_tile": "any", "first_leader": "lot"}), ("all_fives", {})])
def test_searchers_beat_greedy(agent, name, options):
    game = load_game(name, 2, max_hands=1, **options)
    results = play_pair(game, load_agent(agent, game), load_agent("greedy", game), DealStream("test"), 300)
    assert results.illegal.sum() == 0
    assert estimate(results.wins[:, 0]).low > 0.5
    assert estimate(results.points[:, 0]).low > 0


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pimc", "pimc-100"),
        ("pimc-7", "pimc-7"),
        ("pimc-7-random", "pimc-7-random"),
        ("pimc-random", "pimc-100-random"),
        ("ismcts", "ismcts-500"),
        ("ismcts-20", "ismcts-20"),
        ("ismcts-0.1s", "ismcts-0.1s"),
        ("ismcts-20-greedy", "ismcts-20-greedy"),
        ("pimc-20-rule", "pimc-20-rule"),
        ("pimc-infer", "pimc-100-infer"),
        ("pimc-20-rule-infer", "pimc-20-rule-infer"),
        ("ismcts-0.1s-greedy-infer", "ismcts-0.1s-greedy-infer"),
        ("omniscient", "omniscient-500"),
        ("omniscient-9", "omniscient-9"),
        ("human", "human"),
    ],
)
def test_names_carry_parameters(name, expected):
    assert load_agent(name, load_game("block")).name == expected


@pytest.mark.parametrize(
    "name", ["pimc-", "pimc-x", "pimc-greedy-5", "ismcts-1e3", "ismcts-s", "greedy-3", "pimc-٣", "pimc-infer-rule"]
)
def test_names_with_other_parameters_are_refused(name):
    with pytest.raises(
        ValueError, match=r"no agent .*ismcts\[-ITERATIONS\|-SECONDSs\]\[-PLAYOUT\]\[-infer\].*pimc\[-WORLDS\]"
    ):
        load_agent(name, load_game("block"))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pimc-0", "worlds must be a positive integer, got 0"),
        ("ismcts-0", "iterations must be a positive integer, got 0"),
        ("ismcts-0s", "seconds must be a positive number, got 0"),
    ],
)
def test_budgets_of_nothing_are_refused(name, message):
    with pytest.raises(ValueError, match=message):
        load_agent(name, load_game("block"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"playout": "clever"}, "a playout policy must be one of random, greedy, rule, got 'clever'"),
        ({"playout": ["rule"]}, r"a playout policy must be one of random, greedy, rule, got \['rule'\]"),
        ({"max_moves": 0}, "max_moves must be a positive integer, got 0"),
        ({"max_moves": True}, "max_moves must be a positive integer, got True"),
        ({"infer": "no"}, "infer must be True or False, got 'no'"),
        ({"infer": 1}, "infer must be True or False, got 1"),
        ({"infer": np.array([True, False])}, "infer must be True or False, got array"),
    ],
)
@pytest.mark.parametrize("kind", [PimcAgent, IsmctsAgent])
def test_bad_settings_are_refused(kind, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        kind(load_game("block"), 10, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"privileged": "no"}, "privileged must be True or False, got 'no'"),
        ({"seconds": True}, "seconds must be a positive number, got True"),
        ({"seconds": "0.1"}, "seconds must be a positive number, got '0.1'"),
        ({"seconds": np.array(0.1)}, "seconds must be a positive number, got array"),
    ],
)
def test_ismcts_refuses_settings_of_other_types(options, message):
    with pytest.raises(TypeError, match=message):
        IsmctsAgent(load_game("block"), **options)


def test_a_budget_of_a_small_integer_type_has_its_room():
    assert len(IsmctsAgent(load_game("block"), np.uint8(255)).tree.nodes) == 256


def test_nothing_is_inferred_of_the_true_table():
    with pytest.raises(ValueError, match="infer draws worlds, and a privileged search knows the true one"):
        IsmctsAgent(load_game("block"), 10, playout="rule", infer=True, privileged=True)


@pytest.mark.parametrize(
    ("name", "agent", "message"),
    [
        ("block", "pimc-5-random-infer", "infer needs a playout policy that prefers some moves .* not 'random'"),
        ("block", "ismcts-5-infer", "infer needs a playout policy that prefers some moves .* not 'random'"),
        ("high_fives", "pimc-5-rule-infer", "infer plays the record of a line game again, and high_fives_v0 is none"),
    ],
)
def test_nothing_is_inferred_where_no_record_or_policy_tells(name, agent, message):
    with pytest.raises(ValueError, match=message):
        load_agent(agent, load_game(name))


@pytest.mark.parametrize(("kind", "name"), [(PimcAgent, "pimc-10-random-5moves"), (IsmctsAgent, "ismcts-10-5moves")])
def test_names_tell_where_playouts_stop(kind, name):
    assert kind(load_game("block"), 10, playout="random", max_moves=5).name == name


def test_the_list_of_names_shows_the_parameters():
    assert agent_names() == [
        "greedy",
        "human",
        "ismcts[-ITERATIONS|-SECONDSs][-PLAYOUT][-infer]",
        "omniscient[-ITERATIONS]",
        "pimc[-WORLDS][-PLAYOUT][-infer]",
        "random",
        "rule",
    ]
