"""Masked PPO self-play on a batch of domino tables, in one file.

    python train/ppo.py game=all_fives total_decisions=2000000 seed=1 out=runs/all_fives
    python train/ppo.py resume=runs/all_fives            # goes on after an interruption
    python train/ppo.py game=block game.num_players=4 +game.options.partnership=true out=runs/pairs
    python train/ppo.py opponent=greedy out=runs/response    # learns to beat one agent instead of itself

All seats share one network; against an `opponent` it plays one side of every table. A step is a decision with a choice;
forced moves are played inside the tables. Each decision is judged by what its own seat was paid and sees at its next
decision (domino_agents/advantages.py). The run's folder gets `checkpoint.pt` (the agent, for `domino-envs rank`) and older
ones by decisions, `training.pt` (to resume), TensorBoard events, `curve.csv` and `curve.png`.

Sources: Schulman et al., "Proximal policy optimization algorithms", 2017; Huang et al., "The 37 implementation details of
PPO", 2022; the settings are near those of "Reevaluating policy gradient methods for imperfect-information games", 2025.
"""

import copy
import csv
import math
import os
import shlex
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import hydra
import numpy as np
import torch
from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig, ListConfig, OmegaConf
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

from domino_agents.advantages import advantages_by_seat
from domino_agents.arena import DealStream, check_unattended, check_unprivileged, num_sides, play_pair
from domino_agents.curve import draw_curve
from domino_agents.files import locked, replacing
from domino_agents.intervals import estimate
from domino_agents.loading import game_of, load_agent
from domino_agents.network import ActorCritic, NetworkAgent, entropy, load_checkpoint, sample, save_checkpoint
from domino_envs import make_vec
from domino_envs.envs.opponents import ask_agent

CURVE = ("decisions", "opponent", "win_share", "low", "high", "deals")
MAY_CHANGE = ("total_decisions", "threads", "save_every", "evaluate_every", "evaluation_deals", "evaluate_against")


def _is_int(value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value) -> bool:
    return (_is_int(value) or isinstance(value, float)) and math.isfinite(value)


SETTINGS = (  # what a setting must be, the test of it, and the settings that it holds for
    ("the name of a folder", lambda value: isinstance(value, str) and value != "", ("out",)),
    ("a name, a path or null", lambda value: value is None or isinstance(value, str), ("opponent", "weights", "resume")),
    (
        "a list of names of agents, as [random,greedy]",
        lambda value: isinstance(value, ListConfig) and all(isinstance(name, str) for name in value),
        ("evaluate_against",),
    ),
    (
        "a positive integer",
        lambda value: _is_int(value) and value > 0,
        ("total_decisions", "num_envs", "rollout", "hidden", "epochs", "minibatch", "reference_every", "evaluate_every",
         "evaluation_deals", "save_every", "threads"),
    ),
    ("an integer from 0 to 2**63 - 1", lambda value: _is_int(value) and 0 <= value < 2**63, ("seed",)),
    ("a positive number", lambda value: _is_number(value) and value > 0,
     ("learning_rate", "clip", "grad_norm", "reward_scale")),
    ("a number of 0 or more", lambda value: _is_number(value) and value >= 0, ("entropy", "reference_kl", "value_weight")),
    ("a number from 0 to 1", lambda value: _is_number(value) and 0 <= value <= 1, ("gamma", "lam")),
)  # fmt: skip


def check_settings(config: DictConfig) -> None:
    """Raises ValueError where a setting is not what `SETTINGS` says."""
    for expected, fits, names in SETTINGS:
        for name in names:
            value = OmegaConf.select(config, name)
            if not fits(value):
                raise ValueError(f"{name} must be {expected}, got {value!r}")


class Rollout:
    """The arrays of one rollout: `T` steps of `N` tables, written in place."""

    def __init__(self, steps: int, tables):
        rows, seats = tables.num_envs, tables.num_players
        self.observations = torch.zeros(steps, rows, tables.observation_size)
        self.action_mask = torch.zeros(steps, rows, tables.num_actions, dtype=torch.int8)
        self.actions = torch.zeros(steps, rows, dtype=torch.int64)
        self.log_probs = torch.zeros(steps, rows)
        self.values = torch.zeros(steps, rows)
        self.players = np.zeros((steps, rows), np.int8)
        self.rewards = np.zeros((steps, rows, seats), np.float32)
        self.ended = np.zeros((steps, rows), np.bool_)
        self.advantages = torch.zeros(steps, rows)
        self.known = torch.zeros(steps, rows, dtype=torch.bool)
        self.own = torch.ones(steps, rows, dtype=torch.bool)  # decisions of the learner, not of an opponent
        self.scratch = np.zeros((3, seats), np.float32)


class Clock:
    """Adds up the time spent in the network, and in all."""

    def __init__(self):
        self.network, self.start = 0.0, time.perf_counter()

    @contextmanager
    def in_network(self) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.network += time.perf_counter() - start

    @contextmanager
    def stopped(self) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.start += time.perf_counter() - start

    def share_outside(self) -> float:
        return 1.0 - self.network / (time.perf_counter() - self.start)


class Trainer:
    """One run: tables, network, optimiser, and how far it is; `resumed` ones get their weights from `load`."""

    def __init__(self, config: DictConfig, resumed: bool = False):
        self.config, self.out = config, Path(config.out)
        torch.set_num_threads(config.threads)
        game = game_of(config)
        self.tables = make_vec(game.name, config.num_envs, game.num_players, skip_forced=True, **asdict(game.options))
        self.game = self.tables.game
        self.opponent = None if config.opponent is None else self._rival(config.opponent)
        self.examiners = {name: self._rival(name) for name in config.evaluate_against}
        torch.manual_seed(config.seed)
        self.generator = torch.Generator().manual_seed(config.seed)
        self.network = ActorCritic(self.tables.observation_size, self.tables.num_actions, config.hidden)
        if config.weights is not None and not resumed:
            self.network.load_state_dict(self._weights_of(config.weights))
        self.reference = copy.deepcopy(self.network).requires_grad_(False)
        self.optimiser = torch.optim.Adam(self.network.parameters(), config.learning_rate, eps=1e-5)
        self.rollout = Rollout(config.rollout, self.tables)
        self.updates = 0
        self.per_update = config.rollout * config.num_envs
        self.total_updates = max(1, config.total_decisions // self.per_update)
        self.curve: list[tuple] = []
        self.clock = Clock()
        self.tables.reset(seed=config.seed)

    def _rival(self, name: str) -> Any:
        """Returns an agent to play against; raises ValueError where it is unknown, sees hidden tiles or asks a person."""
        agent = load_agent(name, self.game)
        check_unprivileged([agent])
        check_unattended([agent])
        return agent

    def _weights_of(self, path: str) -> dict:
        network = load_checkpoint(path, self.game).network
        if network.sizes != self.network.sizes:
            raise ValueError(f"{path} has hidden={network.sizes[2]}, the run has hidden={self.config.hidden}")
        return network.state_dict()

    @property
    def decisions(self) -> int:
        return self.updates * self.per_update

    @property
    def finished(self) -> bool:
        return self.updates >= self.total_updates

    @property
    def evaluation_is_due(self) -> bool:
        due = self.finished or (self.updates > 0 and self.updates % self.config.evaluate_every == 0)
        return due and all(decisions != self.decisions for decisions, *_ in self.curve)

    @torch.no_grad()
    def collect(self) -> None:
        """Plays `rollout` decisions at every table with the present policy."""
        store, batch = self.rollout, self.tables.last
        observations, masks = torch.from_numpy(batch.observations), torch.from_numpy(batch.action_mask)
        for t in range(self.config.rollout):
            store.observations[t], store.action_mask[t], store.players[t] = observations, masks, batch.player
            with self.clock.in_network():
                log_policy = self.network.log_policy(store.observations[t], store.action_mask[t])
                store.actions[t] = sample(log_policy, self.generator)
                store.values[t] = self.network.value(store.observations[t])
                store.log_probs[t] = log_policy.gather(1, store.actions[t, :, None]).squeeze(1)
            if self.opponent is not None:
                self._let_opponent_move(t)
            self.tables.step(store.actions[t].numpy())
            np.multiply(batch.rewards, self.config.reward_scale, out=store.rewards[t])
            np.logical_or(batch.terminated, batch.truncated, out=store.ended[t])
        with self.clock.in_network():
            last_value = self.network.value(observations)
        advantages_by_seat(
            store.rewards, store.ended, store.players, store.values.numpy(), batch.player, last_value.numpy(),
            self.config.gamma, self.config.lam, store.scratch, store.advantages.numpy(), store.known.numpy(),
        )  # fmt: skip

    def _let_opponent_move(self, t: int) -> None:
        """Overwrites the actions of the sides that the opponent plays; the learner has each side in its share of the rows."""
        batch, sides = self.tables.last, num_sides(self.game)
        own = batch.player % sides == np.arange(len(batch.player)) % sides
        rows = np.flatnonzero(~own)
        if len(rows):
            rng = np.random.default_rng([self.config.seed, self.updates, t])  # so that a resumed run needs no memory of it
            answers = ask_agent(self.opponent, self.game, self.tables.states, batch, rows, rng)
            self.rollout.actions[t, rows] = torch.as_tensor(answers)
        self.rollout.own[t] = torch.from_numpy(own)

    def update(self) -> dict[str, float]:
        """Improves policy and critic on the rollout; returns what to log, means over minibatches."""
        store, config = self.rollout, self.config
        learning_rate = config.learning_rate * (1.0 - self.updates / self.total_updates)
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate
        if self.updates % config.reference_every == 0:
            self.reference.load_state_dict(self.network.state_dict())
        chosen = (store.known & store.own).flatten().nonzero().squeeze(1)
        data = [part.flatten(0, 1) for part in (store.observations, store.action_mask, store.actions, store.log_probs)]
        advantages = store.advantages.flatten()
        returns = advantages + store.values.flatten()
        self.updates += 1
        if not len(chosen):  # no seat came to its next decision, or none of the learner's
            return {"learning_rate": learning_rate}
        logs = []
        for _ in range(config.epochs):
            order = chosen[torch.randperm(len(chosen), generator=self.generator)]
            for rows in order.tensor_split(math.ceil(len(order) / config.minibatch)):  # even parts, no small last one
                minibatch = [part[rows] for part in (*data, advantages, returns)]
                with self.clock.in_network():
                    logs.append(self._improve(*minibatch))
        means = torch.tensor(logs).mean(0).tolist()
        if not all(map(math.isfinite, means)):
            raise FloatingPointError(f"the losses of update {self.updates} are not finite: {means}")
        unexplained = (returns - store.values.flatten())[chosen].var(correction=0)
        explained = 1.0 - unexplained / returns[chosen].var(correction=0).clamp_min(1e-8)
        names = ("policy_loss", "value_loss", "entropy", "approx_kl", "clip_fraction")
        return {**dict(zip(names, means, strict=True)), "explained_variance": float(explained), "learning_rate": learning_rate}

    def _improve(self, observations, action_mask, actions, old_log_probs, advantages, returns) -> list[float]:
        config = self.config
        log_policy = self.network.log_policy(observations, action_mask)
        log_ratio = log_policy.gather(1, actions[:, None]).squeeze(1) - old_log_probs
        ratio = log_ratio.exp()
        scaled = (advantages - advantages.mean()) / (advantages.std(correction=0) + 1e-8)
        clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
        policy_loss = -torch.min(ratio * scaled, clipped * scaled).mean()
        value_loss = 0.5 * (self.network.value(observations) - returns).square().mean()
        spread = entropy(log_policy).mean()
        loss = policy_loss + config.value_weight * value_loss - config.entropy * spread
        if config.reference_kl:
            apart = log_policy - self.reference.log_policy(observations, action_mask)
            loss = loss + config.reference_kl * (torch.softmax(log_policy, dim=-1) * apart).sum(-1).mean()
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), config.grad_norm)
        self.optimiser.step()
        with torch.no_grad():
            kl, cut = (ratio - 1 - log_ratio).mean(), ((ratio - 1).abs() > config.clip).float().mean()
        return [policy_loss.item(), value_loss.item(), spread.item(), kl.item(), cut.item()]

    def evaluate(self) -> None:
        """Plays duplicate deals of the dev split against the named opponents; adds to the learning curve."""
        agent = NetworkAgent(self.network)
        for name, examiner in self.examiners.items():
            stream, deals = DealStream("dev", self.config.seed), self.config.evaluation_deals
            result = play_pair(self.game, agent, examiner, stream, deals)
            if result.illegal.any():
                raise RuntimeError(f"illegal actions in the evaluation: {result.illegal.sum(0)}")
            wins = estimate(result.wins[:, 0])
            self.curve.append((self.decisions, name, wins.mean, wins.low, wins.high, deals))

    def save(self, also_by_decisions: bool = False) -> None:
        """Writes the agent, what it takes to resume, and the learning curve."""
        names = ["checkpoint.pt", f"checkpoint_{self.decisions}.pt"] if also_by_decisions else ["checkpoint.pt"]
        for name in names:
            save_checkpoint(self.out / name, self.network, self.game, self.decisions)
        tables = self.tables.get_state()
        training = {
            "config": OmegaConf.to_yaml(self.config),
            "network": self.network.state_dict(),
            "reference": self.reference.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "generator": self.generator.get_state(),
            "opponent": self._opponents_identity(),
            "updates": self.updates,
            "curve": self.curve,
            "tables": {
                name: torch.frombuffer(bytearray(array.tobytes()), dtype=torch.uint8) for name, array in tables.items()
            },
        }
        with replacing(self.out / "training.pt") as beside:
            torch.save(training, beside)
        with replacing(self.out / "curve.csv") as beside, beside.open("w", newline="") as file:
            csv.writer(file).writerows([CURVE, *self.curve])

    def _opponents_identity(self) -> str | None:
        return getattr(self.opponent, "identity", self.config.opponent)

    def load(self, saved: dict) -> None:
        """Puts the run where `save` left it; raises ValueError where what was saved is not of such a run."""
        try:
            self._load(saved)
        except (AttributeError, KeyError, TypeError, ValueError, RuntimeError) as error:
            raise ValueError(f"{self.out / 'training.pt'} is damaged: {error}") from error
        if saved.get("opponent") != self._opponents_identity():
            raise ValueError(f"{self.config.opponent} is not the file that {self.out} was trained against")

    def _load(self, saved: dict) -> None:
        self.network.load_state_dict(saved["network"])
        self.reference.load_state_dict(saved["reference"])
        self.optimiser.load_state_dict(saved["optimiser"])
        self.generator.set_state(saved["generator"])
        self.updates, self.curve = saved["updates"], [tuple(point) for point in saved["curve"]]
        blank = self.tables.get_state()
        self.tables.set_state(
            {name: saved["tables"][name].numpy().view(array.dtype).reshape(array.shape) for name, array in blank.items()}
        )


def check_changes(changes: Sequence[str]) -> None:
    """Raises ValueError where a word of the command line invents a setting."""
    for change in changes:
        if change.startswith("+") and not change.lstrip("+").startswith(("game.options.", "episode.")):
            raise ValueError(f"only options of the game can be added, as +game.options.partnership=true; got {change}")


def start(config: DictConfig, changes: Sequence[str] = ()) -> Trainer:
    """Returns a new run, or the one in the folder `config.resume` as it was left, with `changes` to settings of `MAY_CHANGE`.

    Raises:
        ValueError: `out` holds a run already, `resume` holds none or a damaged one, a change to another setting, an invented
            setting, one out of its range, or an agent that cannot be played against.
    """
    check_changes(changes)
    if config.resume is None:
        check_settings(config)
        if (Path(config.out) / "training.pt").exists():
            raise ValueError(f"{config.out} holds a run already: go on with resume={config.out}, or choose another out")
        return Trainer(config)
    folder = Path(config.resume)
    if not (folder / "training.pt").exists():
        raise ValueError(f"no run to resume in {folder}")
    for change in changes:
        if change.split("=")[0] not in MAY_CHANGE:
            raise ValueError(f"a run that is resumed keeps its settings, except {', '.join(MAY_CHANGE)}; got {change}")
    saved, settings = read_training(folder / "training.pt")
    config = OmegaConf.merge(settings, OmegaConf.from_dotlist(changes))
    config.out = str(folder)
    check_settings(config)
    trainer = Trainer(config, resumed=True)
    trainer.load(saved)
    return trainer


def read_training(path: Path) -> tuple[dict, DictConfig]:
    """Returns what `Trainer.save` wrote and the run's settings; loading runs no code from the file."""
    try:
        saved = torch.load(path, weights_only=True)
        settings = OmegaConf.create(saved["config"])
        missing = {"game", "episode", *(name for *_, names in SETTINGS for name in names)} - set(settings.keys())
    except Exception as error:  # torch raises whatever the bytes happen to break
        raise ValueError(f"{path} holds no run to resume: {type(error).__name__}") from error
    if missing:
        raise ValueError(f"{path} holds no run to resume: its settings lack {', '.join(sorted(missing))}")
    return saved, settings


@contextmanager
def interrupts() -> Iterator[list[int]]:
    """Collects the first Ctrl-C, so that the update under way is finished and saved; the next one ends the run at once."""
    caught: list[int] = []

    def note(number, frame):
        if caught:
            raise KeyboardInterrupt
        caught.append(number)
        # Not by `print`, which must not be called where the signal has interrupted it.
        os.write(2, b"\nfinishing the update, then saving; again to stop at once\n")

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield caught
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def train(trainer: Trainer) -> None:
    """Takes a run to its end or to an interruption, and saves it; raises OSError where another process is at it."""
    total = trainer.total_updates * trainer.per_update
    with locked(trainer.out), closing(SummaryWriter(trainer.out, purge_step=trainer.decisions + 1)) as writer:
        with interrupts() as caught, tqdm(total=total, initial=trainer.decisions, unit=" decisions", unit_scale=True) as bar:
            trainer.clock = Clock()
            evaluate(trainer, writer, bar)  # what a run that broke off in its evaluation still lacks
            while not trainer.finished and not caught:
                trainer.collect()
                logs = trainer.update()
                bar.update(trainer.per_update)
                tell(trainer, writer, logs, bar)
        trainer.save()


def tell(trainer: Trainer, writer: SummaryWriter, logs: dict[str, float], bar: tqdm) -> None:
    """Logs an update, and evaluates and saves where it is time."""
    logs["share_outside_network"] = trainer.clock.share_outside()
    for name, value in logs.items():
        writer.add_scalar(f"train/{name}", value, trainer.decisions)
    evaluate(trainer, writer, bar)
    if trainer.updates % trainer.config.save_every == 0:
        trainer.save(also_by_decisions=True)


def evaluate(trainer: Trainer, writer: SummaryWriter, bar: tqdm) -> None:
    """Evaluates, where that is due, and logs what came out."""
    if not trainer.evaluation_is_due:
        return
    trainer.save()  # an evaluation that fails must not take the training with it
    with trainer.clock.stopped():  # evaluation is not training
        trainer.evaluate()
    points = trainer.curve[len(trainer.curve) - len(trainer.examiners) :]
    for _, name, mean, *_ in points:
        writer.add_scalar(f"win_share/{name}", mean, trainer.decisions)
    bar.set_postfix_str(", ".join(f"{name} {mean:.3f} [{low:.3f}, {high:.3f}]" for _, name, mean, low, high, _ in points))


def report(trainer: Trainer) -> None:
    """Draws the learning curve and says where everything is, and how to go on with a run that was interrupted."""
    picture, outside = trainer.out / "curve.png", trainer.clock.share_outside()
    draw_curve(trainer.out / "curve.csv", picture, even=1 / num_sides(trainer.game))
    print(f"time outside the network: {outside:.1%}")
    print(f"agent: {trainer.out / 'checkpoint.pt'}\nlearning curve: {picture}")
    if not trainer.finished:
        again = shlex.join(["python", "train/ppo.py", f"resume={trainer.out}"])
        print(f"interrupted after {trainer.decisions} decisions; go on with: {again}")


@hydra.main(config_path="../configs", config_name="ppo", version_base="1.3")
def main(config: DictConfig) -> None:
    """Trains as the command line says."""
    words = [word for word in HydraConfig.get().overrides.task if not word.startswith("resume=")]
    try:
        trainer = start(config, words)
    except (OSError, TypeError, ValueError) as error:
        sys.exit(f"error: {error}")
    try:
        train(trainer)
        report(trainer)
    except OSError as error:  # a full disk, or another process in the folder
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
