"""People at a terminal, and models of other libraries, as agents."""

import io

import numpy as np
import pytest
import torch
from rich.console import Console

from decisions import batch_of, decisions, trap
from domino_agents.adapters import ModuleAgent, PredictAgent
from domino_agents.arena import DealStream, play_pair
from domino_agents.human import HumanAgent
from domino_agents.loading import load_agent
from domino_agents.network import ActorCritic, NetworkAgent
from domino_envs import load_game
from domino_envs.testing import position
from test_agents import ask


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


class Elsewhere(torch.nn.Module):
    """Has its weights on a device of their own, where nothing is reckoned."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1, device="meta"))

    def forward(self, views):
        assert views.device.type == "meta"
        return torch.arange(59.0).expand(len(views), 59)


def test_a_module_gets_its_inputs_where_its_weights_are():
    views, masks, _ = batch_of(decisions(load_game("block"), 2, seed=1))
    actions = ModuleAgent(Elsewhere()).act(views, masks, np.random.default_rng(0))
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
