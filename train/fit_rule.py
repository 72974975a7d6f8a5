"""Fits the weights of the rule player for a game, by the cross-entropy method on duplicate deals.

    python train/fit_rule.py game=block out=runs/fit_block
    python train/fit_rule.py game=block game.num_players=4 +game.options.partnership=true out=runs/fit_pairs

A generation draws weights from a normal distribution, one spread for each feature, and plays all of them on the same new
deals of the train split: against greedy, and against the mean of the distribution. The best by their share of the wins
give the next generation's mean and spread. A run that was interrupted goes on when it is called again. At the end the mean
plays greedy on the dev split, and is entered into the agent's file of weights with how it was found.

Source: Rubinstein, "The cross-entropy method for combinatorial and continuous optimization", 1999.
"""

import datetime
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import hydra
import numpy as np
from omegaconf import DictConfig, OmegaConf
from tqdm import tqdm

import domino_agents
from domino_agents.arena import DealStream, in_pairs, play_pair
from domino_agents.files import locked, replace_text
from domino_agents.greedy import GreedyAgent
from domino_agents.intervals import Estimate, estimate
from domino_agents.loading import game_of
from domino_agents.rule import WEIGHTS_FILE, RuleAgent, features_of
from domino_envs import load_game
from domino_envs.core.game import Game
from domino_envs.core.integers import check_integer

# Where the search begins, set by hand; a feature's spread begins at its size.
START = {
    "points": 0.5,
    "shed": 3.0,
    "shed_late": 1.0,
    "double": 1.0,
    "fitting": 1.5,
    "covered": 1.5,
    "stuck": -1.0,
    "variety": 1.0,
    "next_stuck": 3.0,
    "partner_stuck": -3.0,
    "others_stuck": 2.0,
    "reply": -0.5,
    "pair_left": -0.6,
    "layout": -0.05,
    "laid": -0.2,
    "capture_now": 1.0,
    "capture_later": 0.3,
    "kept": 0.1,
}
SMOOTHING = 0.7  # share of a new spread in the next: it must not collapse by the luck of a few deals


def says_nothing(feature: str, game: Game) -> bool:
    """Tells whether a feature is always 0 at a game's table, so that nothing can be learnt of its weight."""
    return (feature == "partner_stuck" and not in_pairs(game)) or (feature == "others_stuck" and game.num_players == 2)


def check_settings(config: DictConfig, game: Game) -> None:
    """Raises TypeError or ValueError where a setting is out of its range, or the package would get an unusual table's fit."""
    for name in ("generations", "population", "elites", "deals", "dev_deals"):
        check_integer(name, config[name], 1)
    if config.elites > config.population:
        raise ValueError(f"elites must be at most population={config.population}, got {config.elites}")
    if config.dev_deals < 2:
        raise ValueError(f"dev_deals must be 2 or more, for there to be an interval, got {config.dev_deals}")
    if config.weights_file is None and (unusual := unusual_options(game)):
        raise ValueError(
            f"weights for {', '.join(unusual)} need a weights_file of their own: the package's are for the defaults"
        )


def unusual_options(game: Game) -> list[str]:
    """Returns the options that set a game apart from what the package's weights are known by: name, seats and pairs."""
    try:
        usual = load_game(game.name, game.num_players, **({"partnership": True} if in_pairs(game) else {}))
    except ValueError:  # more seats than the usual set has tiles for
        return []
    kept = {"max_hands", "reward"}  # of the episode
    options = {name: value for name, value in asdict(game.options).items() if name not in kept}
    return [f"{name}={value}" for name, value in options.items() if value != getattr(usual.options, name)]


class Search:
    """The distribution that weights are drawn from, and how far the search has come."""

    def __init__(self, game: Game, config: DictConfig):
        self.game, self.config, self.names = game, config, features_of(game)
        self.mean = np.array([START[name] for name in self.names])
        self.spread = np.where([says_nothing(name, game) for name in self.names], 0.0, np.abs(self.mean))
        self.generation = 0
        self.path = Path(config.out) / "search.json"
        if self.path.exists():
            self._load()

    @property
    def weights(self) -> dict[str, float]:
        """The mean, by feature."""
        return dict(zip(self.names, np.round(self.mean, 4).tolist(), strict=True))

    def improve(self) -> float:
        """Plays a generation; returns the best share of the wins."""
        rng = np.random.default_rng([self.config.seed, self.generation])
        drawn = self.mean + self.spread * rng.normal(size=(self.config.population, len(self.mean)))
        shares = np.array([self._share(weights) for weights in drawn])
        elites = drawn[np.argsort(-shares)[: self.config.elites]]
        self.mean = elites.mean(0)
        self.spread = SMOOTHING * elites.std(0) + (1 - SMOOTHING) * self.spread
        self.generation += 1
        self._save()
        return float(shares.max())

    def _share(self, weights: np.ndarray) -> float:
        """Returns the mean share of the wins against greedy and against the mean, on this generation's deals."""
        agent = RuleAgent(self.game, dict(zip(self.names, weights.tolist(), strict=True)))
        stream, deals = DealStream("train", self.config.seed), self.config.deals
        opponents = GreedyAgent(self.game), RuleAgent(self.game, self.weights)
        results = [play_pair(self.game, agent, other, stream, deals, self.generation * deals) for other in opponents]
        return float(np.mean([result.wins[:, 0].mean() for result in results]))

    def _settings(self) -> dict[str, Any]:
        """Returns what must not change when a run goes on."""
        kept = ("game", "seed", "episode", "population", "elites", "deals")
        return {key: OmegaConf.to_container(self.config)[key] for key in kept}

    def _save(self) -> None:
        state = {"mean": self.mean.tolist(), "spread": self.spread.tolist(), "generation": self.generation}
        replace_text(self.path, json.dumps({"settings": self._settings(), **state}))

    def _load(self) -> None:
        saved = json.loads(self.path.read_text("utf-8"))
        if saved["settings"] != self._settings():
            raise ValueError(f"{self.path} holds a run with other settings: {saved['settings']}; choose another out")
        self.mean, self.spread = np.array(saved["mean"]), np.array(saved["spread"])
        self.generation = saved["generation"]


def entry_of(search: Search, result: Estimate) -> dict[str, Any]:
    """Returns what the file of weights says of a fit."""
    config, game = search.config, search.game
    return {
        "game": game.name,
        "num_players": game.num_players,
        "partnership": in_pairs(game),
        "options": {**config.episode, **config.game.options},
        "weights": search.weights,
        "fitted": {
            "date": datetime.date.today().isoformat(),
            "by": "train/fit_rule.py",
            **{key: config[key] for key in ("seed", "generations", "population", "elites", "deals")},
            "against_greedy_on_dev": {key: round(value, 4) for key, value in result._asdict().items()},
        },
    }


def enter(path: Path, fit: dict[str, Any]) -> None:
    """Writes a fit into a file of weights, in place of one for the same game and seats."""
    key = ("game", "num_players", "partnership")
    fits = json.loads(path.read_text("utf-8"))["fits"] if path.exists() else []
    fits = [other for other in fits if [other[name] for name in key] != [fit[name] for name in key]]
    ordered = sorted([*fits, fit], key=lambda one: [one[name] for name in key])
    replace_text(path, json.dumps({"fits": ordered}, indent=1) + "\n")


def fit(config: DictConfig) -> dict[str, Any]:
    """Runs, or goes on with, the search of `config.out`; enters its result and returns the entry."""
    game = game_of(config)
    check_settings(config, game)
    with locked(Path(config.out)):
        search = Search(game, config)
        with tqdm(total=config.generations, initial=search.generation, unit=" generations") as bar:
            while search.generation < config.generations:
                bar.set_postfix_str(f"best share of wins {search.improve():.3f}")
                bar.update()
    agent = RuleAgent(game, search.weights)
    results = play_pair(game, agent, GreedyAgent(game), DealStream("dev"), config.dev_deals)
    entry = entry_of(search, estimate(results.wins[:, 0]))
    enter(Path(config.weights_file or Path(domino_agents.__file__).parent / WEIGHTS_FILE), entry)
    return entry


@hydra.main(config_path="../configs", config_name="fit_rule", version_base="1.3")
def main(config: DictConfig) -> None:
    """Fits as the command line says."""
    try:
        print(json.dumps(fit(config), indent=1))
    except (OSError, TypeError, ValueError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
