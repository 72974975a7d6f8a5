"""A masked actor-critic network, as a policy to train and as an agent to rank."""

import io
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

import numpy as np
import torch
from torch import nn

from domino_agents.files import replacing
from domino_envs.core.game import Game

_ILLEGAL = -1e9  # a logit so low that the softmax gives exactly 0, and finite, so that no NaN arises


class ActorCritic(nn.Module):
    """Two perceptrons over the observation: logits of the actions, and the value to the seat that observes."""

    def __init__(self, observation_size: int, num_actions: int, hidden: int = 128):
        super().__init__()
        self.sizes = (observation_size, num_actions, hidden)
        self.policy = _perceptron(observation_size, num_actions, hidden, last_gain=0.01)
        self.critic = _perceptron(observation_size, 1, hidden, last_gain=1.0)

    def log_policy(self, observations: torch.Tensor, action_mask: torch.Tensor) -> torch.Tensor:
        """Returns the logarithms of the policy, `[B, A]`; illegal actions have probability 0."""
        return masked_log_softmax(self.policy(observations), action_mask)

    def value(self, observations: torch.Tensor) -> torch.Tensor:
        """Returns the values `[B]`."""
        return self.critic(observations).squeeze(-1)


def _perceptron(inputs: int, outputs: int, hidden: int, last_gain: float) -> nn.Sequential:
    layers = [nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, outputs)]
    for layer in layers[::2]:
        nn.init.orthogonal_(layer.weight, last_gain if layer is layers[-1] else 2**0.5)
        nn.init.zeros_(layer.bias)
    return nn.Sequential(*layers)


def masked_log_softmax(logits: torch.Tensor, action_mask: torch.Tensor) -> torch.Tensor:
    """Returns log-probabilities over the legal actions; finite everywhere, `-1e9` or so where illegal."""
    return torch.log_softmax(torch.where(action_mask.bool(), logits, _ILLEGAL), dim=-1)


def entropy(log_policy: torch.Tensor) -> torch.Tensor:
    """Returns the entropy `[B]`; 0 where one action is legal."""
    # The softmax gives the probabilities back; `exp` takes 13 times as long where nearly all of them vanish.
    return -(torch.softmax(log_policy, dim=-1) * log_policy).sum(-1)


def sample(log_policy: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Returns actions `[B]` drawn from a policy, by the Gumbel-max trick."""
    uniform = torch.rand(log_policy.shape, generator=generator).clamp_(1e-20, 1 - 1e-7)
    return (log_policy - torch.log(-torch.log(uniform))).argmax(-1)


class NetworkAgent:
    """Plays a network: its most probable action, or with `greedy=False` one drawn from the policy.

    Attributes:
        game: what it plays; None where that is not known.
        identity: the hash of the file that it was loaded from, or its name.
    """

    def __init__(self, network: ActorCritic, greedy: bool = True, name: str = "network", game: Game | None = None):
        self.network, self.greedy, self.name, self.game = network.eval(), greedy, name, game
        self.identity = name

    @torch.no_grad()
    def act(self, observations: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Returns `actions[B]`."""
        log_policy = self.network.log_policy(torch.from_numpy(observations), torch.from_numpy(action_mask))
        if self.greedy:
            return log_policy.argmax(-1).numpy()
        generator = torch.Generator().manual_seed(int(rng.integers(2**63)))
        return sample(log_policy, generator).numpy()


def save_checkpoint(path: Path, network: ActorCritic, game: Game, decisions: int, greedy: bool = True) -> None:
    """Writes an agent: weights, the game it was trained on, and how it plays."""
    content = {
        "kind": "domino_agents.network",
        "sizes": network.sizes,
        "weights": network.state_dict(),
        "game": game.id,
        "num_players": game.num_players,
        "options": asdict(game.options),
        "decisions": decisions,
        "greedy": greedy,
    }
    with replacing(path) as beside:
        torch.save(content, beside)


def load_checkpoint(path: str | Path, game: Game, greedy: bool | None = None) -> NetworkAgent:
    """Returns the agent of a checkpoint; loading runs no code from the file.

    Args:
        path: what `save_checkpoint` wrote.
        game: the game to be played; its options may differ from those of the training, its observation may not.
        greedy: how to play; None as the checkpoint says.

    Raises:
        ValueError: no checkpoint, a damaged one, or one of another game or number of players.
    """
    try:
        data = Path(path).read_bytes()
        content = torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises whatever the bytes happen to break
        raise ValueError(f"{path} is not a checkpoint: {type(error).__name__}") from error
    if not isinstance(content, dict) or content.get("kind") != "domino_agents.network":
        raise ValueError(f"{path} is not a checkpoint of an agent")
    try:
        trained = (content["game"], content["num_players"], *content["sizes"][:2])
        network = ActorCritic(*content["sizes"])
        network.load_state_dict(content["weights"])
        plays = content["greedy"] if greedy is None else greedy
    except (AttributeError, KeyError, TypeError, ValueError, RuntimeError) as error:
        raise ValueError(f"{path} is damaged: {error}") from error
    if not all(weight.isfinite().all() for weight in network.parameters()):
        raise ValueError(f"{path} is damaged: its weights must be finite numbers")
    wanted = (game.id, game.num_players, game.observation_size, game.num_actions)
    if trained != wanted:
        raise ValueError(f"{path} plays {_described(*trained)}, not {_described(*wanted)}")
    agent = NetworkAgent(network, plays, name=str(path), game=game)
    agent.identity = f"sha256:{sha256(data).hexdigest()}"
    return agent


def _described(game: str, players: int, features: int, actions: int) -> str:
    return f"{game} with {players} players ({features} features, {actions} actions)"
