"""The searching agents: honest, exact in their budgets, and stronger than greedy play; people and other libraries' models."""

import io
import time

import numpy as np
import pytest
import torch
from rich.console import Console

from domino_agents.adapters import ModuleAgent, PredictAgent
from domino_agents.arena import DealStream, play_pair
from domino_agents.human import HumanAgent
from domino_agents.intervals import estimate
from domino_agents.ismcts import IsmctsAgent
from domino_agents.loading import agent_names, load_agent
from domino_agents.network import ActorCritic, NetworkAgent
from domino_agents.pimc import PimcAgent
from domino_agents.playouts import points_ahead
from domino_agents.tournament import Tournament
from domino_envs import game_names, load_game
from domino_envs.testing import position, random_positions
from test_agents import ask, depends_on_hidden_tiles

SEARCHERS = ["pimc-8", "pimc-8-random", "ismcts-40"]


def decisions(game, games, seed, every=3):
    """Returns tables at decisions with a choice."""
    return [table.clone() for table in random_positions(game, games, seed, every=every) if table.action_mask.sum() > 1]


def batch_of(tables):
    """Returns what an agent is given, and the tables as they are."""
    views = np.stack([table.observation(table.player) for table in tables])
    masks = np.stack([table.action_mask for table in tables])
    return views, masks, np.concatenate([table.states for table in tables])


def trap(**options):
    """Heaviest first loses: 6-1 lets 6-6 out. After 2-0 the other seat must pass, and 6-1 goes out."""
    return position("block", ["6-1 2-0", "6-6"], ends=(1, 2), **options)


@pytest.mark.parametrize("agent", SEARCHERS)
@pytest.mark.parametrize("name", game_names())
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


@pytest.mark.parametrize("agent", SEARCHERS)
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
@pytest.mark.parametrize("agent", ["pimc-5", "pimc-5-random", "ismcts-50", "omniscient-50"])
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
def test_points_ahead_are_against_the_mean_of_the_other_sides():
    game = load_game("block", 3)
    before, state = game.new_states(1).view(np.recarray), game.new_states(1).view(np.recarray)
    before.scores[0], state.scores[0] = [5, 5, 5], [15, 5, 9]
    ahead = getattr(points_ahead, "py_func", points_ahead)
    assert [ahead(state[0], before[0], game.rules, side) for side in range(3)] == [10 - 2, 0 - 7, 4 - 5]


@pytest.mark.parametrize("name", ["block", "draw", "all_fives"])
def test_ismcts_makes_just_its_iterations(name):
    game = load_game(name, 2)
    agent = IsmctsAgent(game, iterations=300)
    room = agent.tree.nodes
    for table in decisions(game, 1, seed=2):
        ask(agent, table)
        counts, root = agent.tree.counts[0], agent.tree.nodes[0]
        assert counts["iterations"] == root["visits"] == sum(child["visits"] for child in children(agent.tree)) == 300
        assert len(list(children(agent.tree))) == table.action_mask.sum()
        assert all(child["available"] >= 300 - table.action_mask.sum() for child in children(agent.tree))
        assert counts["nodes"] <= len(room) == 301
        assert agent.tree.nodes is room


def test_a_full_tree_is_searched_on():
    game = load_game("all_fives", 2)
    agent = IsmctsAgent(game, iterations=300)
    agent.tree = agent.tree._replace(nodes=agent.tree.nodes[:20])
    for table in decisions(game, 2, seed=2):
        assert table.action_mask[ask(agent, table)]
        assert agent.tree.counts[0]["nodes"] <= 20
        assert agent.tree.counts[0]["iterations"] == 300


def test_playouts_stop_after_their_most_moves():
    game = load_game("draw", 2)
    agent = IsmctsAgent(game, iterations=100, max_moves=1)
    ask(agent, next(iter(decisions(game, 1, seed=2))))
    assert agent.tree.counts[0]["moves"] == 100


def test_ismcts_searches_for_the_time_it_is_given():
    game = load_game("block", 2)
    agent, table = load_agent("ismcts-0.05s", game), decisions(game, 1, seed=2)[0]
    start = time.perf_counter()
    ask(agent, table)
    assert time.perf_counter() - start >= 0.05
    assert agent.tree.counts[0]["iterations"] >= 32


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
        ("omniscient", "omniscient-500"),
        ("omniscient-9", "omniscient-9"),
        ("human", "human"),
    ],
)
def test_names_carry_parameters(name, expected):
    assert load_agent(name, load_game("block")).name == expected


@pytest.mark.parametrize("name", ["pimc-", "pimc-x", "pimc-greedy-5", "ismcts-1e3", "ismcts-s", "greedy-3", "pimc-٣"])
def test_names_with_other_parameters_are_refused(name):
    with pytest.raises(ValueError, match=r"no agent .*ismcts\[-ITERATIONS\|-SECONDSs\]\[-PLAYOUT\].*pimc\[-WORLDS\]"):
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
        ({"playout": "clever"}, "a playout policy must be one of .*greedy.*, got 'clever'"),
        ({"max_moves": 0}, "max_moves must be a positive integer, got 0"),
        ({"max_moves": True}, "max_moves must be a positive integer, got True"),
    ],
)
@pytest.mark.parametrize("kind", [PimcAgent, IsmctsAgent])
def test_bad_settings_are_refused(kind, options, message):
    with pytest.raises(ValueError, match=message):
        kind(load_game("block"), 10, **options)


def person(game, *answers):
    """Returns an agent that gives these answers, and what it is shown."""
    screen, lines = io.StringIO(), iter(answers)

    def read(prompt):
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    return HumanAgent(game, Console(file=screen, width=100), read), screen


@pytest.mark.nojit
@pytest.mark.parametrize("answer", ["2-0>R", " 2-0>R ", "1"])
def test_a_person_answers_by_name_or_number(answer):
    table = trap()
    assert table.game.action_to_string(ask(person(table.game, answer)[0], table)) == "2-0>R"


@pytest.mark.nojit
def test_a_person_is_asked_until_the_answer_is_legal():
    table = trap()
    agent, screen = person(table.game, "", "0", "3", "-1", "²", "6-6>L", "pass", "2")
    assert table.game.action_to_string(ask(agent, table)) == "6-1>L"
    assert screen.getvalue().count("expected a number from 1 to 2, or a name as shown") == 7


@pytest.mark.nojit
def test_a_person_sees_the_own_tiles_alone():
    table = position("block", ["6-1 2-0", "6-6 4-3"], ends=(1, 2), boneyard="5-3")
    agent, screen = person(table.game, "1")
    ask(agent, table)
    shown = screen.getvalue()
    assert "6-1 2-0" in shown
    assert "1 2-0>R" in shown
    assert not {"6-6", "4-3", "5-3"} & set(shown.split())


def test_a_person_may_leave():
    table = trap()
    with pytest.raises(EOFError):
        ask(person(table.game)[0], table)


class Model:
    """What sb3-contrib's models look like: takes the highest legal action, and says how it was asked."""

    def predict(self, observation, state=None, deterministic=False, action_masks=None):
        assert action_masks.dtype == np.bool_
        self.asked = deterministic
        return len(action_masks[0]) - 1 - action_masks[:, ::-1].argmax(1), None


@pytest.mark.parametrize("deterministic", [True, False])
def test_a_model_that_predicts_plays(deterministic):
    model, (views, masks, _) = Model(), batch_of(decisions(load_game("block"), 2, seed=1))
    actions = PredictAgent(model, deterministic).act(views, masks, np.random.default_rng(0))
    assert actions.tolist() == [np.flatnonzero(mask)[-1] for mask in masks]
    assert model.asked is deterministic


def test_a_maskable_ppo_model_plays():
    from sb3_contrib import MaskablePPO

    from domino_envs.envs.sb3 import make_sb3

    model = MaskablePPO("MlpPolicy", make_sb3("block", 2, max_hands=1), n_steps=4, batch_size=4, seed=0)
    game = load_game("block", 2, max_hands=1)
    results = play_pair(game, PredictAgent(model), load_agent("random", game), DealStream("test"), 10)
    assert results.illegal.sum() == 0


@pytest.mark.parametrize("deterministic", [True, False])
def test_a_module_of_logits_plays_as_its_network_does(deterministic):
    game = load_game("block")
    network = ActorCritic(game.observation_size, game.num_actions)
    views, masks, _ = batch_of(decisions(game, 2, seed=1))
    moves = [
        agent.act(views, masks, np.random.default_rng(0)).tolist()
        for agent in (ModuleAgent(network.policy, deterministic), NetworkAgent(network, greedy=deterministic))
    ]
    assert moves[0] == moves[1]


class Named(torch.nn.Module):
    """What TensorDict's modules look like: inputs by name, outputs as one tensor, or a tuple in the order of `out_keys`."""

    def __init__(self, in_keys, out_keys, answer):
        super().__init__()
        self.in_keys, self.out_keys, self.answer = in_keys, out_keys, answer

    def forward(self, **inputs):
        assert list(inputs) == self.in_keys
        return self.answer(**inputs)


def highest_legal(observation, action_mask):
    return action_mask.shape[1] - 1 - action_mask.flip(1).int().argmax(1)


@pytest.mark.parametrize(
    ("in_keys", "out_keys", "answer"),
    [
        (["observation"], ["logits"], lambda observation: torch.arange(59.0).expand(len(observation), 59)),
        (["observation", "action_mask"], ["action"], highest_legal),
        (
            ["observation", "action_mask"],
            ["scale", "action"],
            lambda **inputs: (None, torch.nn.functional.one_hot(highest_legal(**inputs), 59)),
        ),
    ],
)
def test_a_module_with_named_inputs_plays(in_keys, out_keys, answer):
    views, masks, _ = batch_of(decisions(load_game("block"), 2, seed=1))
    actions = ModuleAgent(Named(in_keys, out_keys, answer)).act(views, masks, np.random.default_rng(0))
    assert actions.tolist() == [np.flatnonzero(mask)[-1] for mask in masks]


def test_objects_that_are_no_models_are_refused():
    with pytest.raises(TypeError, match="model must have a method predict"):
        PredictAgent(object())
    with pytest.raises(TypeError, match=r"module must be a torch\.nn\.Module, got object"):
        ModuleAgent(object())
    with pytest.raises(ValueError, match=r"it takes \['pixels'\] and gives \['logits'\]"):
        ModuleAgent(Named(["pixels"], ["logits"], None))
    views, masks, _ = batch_of(decisions(load_game("block"), 1, seed=1))
    with pytest.raises(ValueError, match="must give logits of shape"):
        ModuleAgent(torch.nn.Linear(views.shape[1], 3)).act(views, masks, np.random.default_rng(0))


def test_the_list_of_names_shows_the_parameters():
    assert agent_names() == [
        "greedy",
        "human",
        "ismcts[-ITERATIONS|-SECONDSs][-PLAYOUT]",
        "omniscient[-ITERATIONS]",
        "pimc[-WORLDS][-PLAYOUT]",
        "random",
        "rule",
    ]
