"""Training: advantages by seat, safe masks, exact resuming, checkpoints that play as they were saved."""

import signal
from pathlib import Path

import numpy as np
import pytest
import torch
from hydra import compose, initialize_config_dir
from hydra.errors import ConfigCompositionException

from domino_agents import load_agent, play_pair
from domino_agents.advantages import advantages_by_seat
from domino_agents.arena import DealStream
from domino_agents.files import locked
from domino_agents.intervals import estimate
from domino_agents.network import (
    ActorCritic,
    NetworkAgent,
    entropy,
    load_checkpoint,
    masked_log_softmax,
    sample,
    save_checkpoint,
)
from domino_envs import load_game, make_vec
from scripts import load_script

ROOT = Path(__file__).resolve().parent.parent
SMALL = [
    "num_envs=16",
    "rollout=8",
    "minibatch=64",
    "hidden=16",
    "threads=1",
    "evaluate_every=4",
    "evaluation_deals=4",
    "total_decisions=1024",
]


def ppo():
    return load_script("train/ppo.py")


def config(*words):
    with initialize_config_dir(str(ROOT / "configs"), version_base="1.3"):
        return compose("ppo", overrides=[*SMALL, *words])


def trained(*words):
    trainer = ppo().start(config(*words))
    ppo().train(trainer)
    return trainer


def interrupted_at(updates, monkeypatch, *words):
    """Returns a run that got a Ctrl-C while it collected the rollout before its update number `updates`."""
    collect = ppo().Trainer.collect

    def collect_and_interrupt(trainer):
        if trainer.updates == updates - 1:
            signal.raise_signal(signal.SIGINT)
        collect(trainer)

    with monkeypatch.context() as patch:
        patch.setattr(ppo().Trainer, "collect", collect_and_interrupt)
        return trained(*words)


def slow_advantages(rewards, ended, players, values, last_player, last_value, gamma, lam):
    """The same by the definition: for each decision, look for the seat's next one and add up what it was paid."""
    steps, rows, _ = rewards.shape
    advantages, known = np.zeros((steps, rows)), np.zeros((steps, rows), bool)
    for row in range(rows):
        for t in range(steps - 1, -1, -1):
            seat, paid, following, now = players[t, row], 0.0, None, t
            while True:
                paid += rewards[now, row, seat]
                if ended[now, row]:
                    following = (0.0, 0.0)
                    break
                now += 1
                if now == steps:
                    following = (last_value[row], 0.0) if last_player[row] == seat else None
                    break
                if players[now, row] == seat:
                    following = (values[now, row], advantages[now, row])
                    break
            if following is not None:
                known[t, row] = True
                advantages[t, row] = paid + gamma * (following[0] + lam * following[1]) - values[t, row]
    return advantages, known


@pytest.mark.nojit
@pytest.mark.parametrize("seats", [2, 3, 4, 8])
def test_advantages_are_those_of_the_definition(seats):
    rng = np.random.default_rng(seats)
    steps, rows = 25, 40
    rewards = rng.normal(size=(steps, rows, seats)).astype(np.float32)
    ended = rng.random((steps, rows)) < 0.12
    players = rng.integers(seats, size=(steps, rows)).astype(np.int8)
    values = rng.normal(size=(steps, rows)).astype(np.float32)
    last_player, last_value = rng.integers(seats, size=rows).astype(np.int8), rng.normal(size=rows).astype(np.float32)
    advantages, known = np.zeros((steps, rows), np.float32), np.zeros((steps, rows), bool)
    arguments = rewards, ended, players, values, last_player, last_value, 0.97, 0.9
    advantages_by_seat(*arguments, np.zeros((3, seats), np.float32), advantages, known)
    expected, expected_known = slow_advantages(*arguments)
    np.testing.assert_array_equal(known, expected_known)
    np.testing.assert_allclose(advantages, expected, atol=1e-4)


@pytest.mark.parametrize("size", [1e4, -1e4, 0.0])
def test_masked_policies_stay_finite(size):
    logits = torch.full((3, 5), size) + torch.arange(5)
    masks = torch.tensor([[1, 0, 1, 0, 1], [0, 1, 0, 0, 0], [1, 1, 1, 1, 1]])
    log_policy = masked_log_softmax(logits.requires_grad_(), masks)
    assert torch.isfinite(log_policy).all()
    assert entropy(log_policy)[1] == 0
    entropy(log_policy).sum().backward()
    assert torch.isfinite(logits.grad).all()
    generator = torch.Generator().manual_seed(1)
    for _ in range(200):
        actions = sample(log_policy.detach(), generator)
        assert masks[torch.arange(3), actions].all()


def test_a_seat_is_paid_up_to_its_next_decision_and_the_one_that_never_decides_nothing():
    # One row, three seats, one episode: seats 0, 1, 0 decide; then an episode of seat 1 that the rollout cuts off.
    players = np.array([[0], [1], [0], [1]], np.int8)
    rewards = np.array([[[1, 0, 9]], [[2, 0, 9]], [[4, 5, 9]], [[0, 7, 9]]], np.float32)
    ended = np.array([[False], [False], [True], [False]])
    values = np.array([[10], [20], [30], [40]], np.float32)
    advantages, known = np.zeros((4, 1), np.float32), np.zeros((4, 1), bool)
    to_move, value_there = np.array([1], np.int8), np.array([50], np.float32)
    arguments = rewards, ended, players, values, to_move, value_there, 1.0, 0.0
    advantages_by_seat(*arguments, np.zeros((3, 3), np.float32), advantages, known)
    assert advantages[:, 0].tolist() == [1 + 2 + 30 - 10, 0 + 5 - 20, 4 - 30, 7 + 50 - 40]
    assert known.all()


@pytest.mark.parametrize("words", [(), ("reference_kl=0.1", "reference_every=3")])
def test_a_run_that_was_interrupted_ends_as_one_that_was_not(tmp_path, monkeypatch, words):
    straight = trained(*words, f"out={tmp_path / 'straight'}")
    broken = interrupted_at(4, monkeypatch, *words, f"out={tmp_path / 'broken'}")
    assert (broken.updates, broken.finished) == (4, False)
    resumed = trained(f"resume={tmp_path / 'broken'}")
    assert straight.updates == resumed.updates == 8
    assert straight.curve == resumed.curve
    assert {**straight.config, "out": ""} == {**resumed.config, "out": ""}
    for one, other in zip(straight.network.parameters(), resumed.network.parameters(), strict=True):
        assert torch.equal(one, other)
    assert straight.tables.states.tobytes() == resumed.tables.states.tobytes()


def test_a_run_leaves_an_agent_that_plays(tmp_path):
    trainer = trained("game=block", "game.num_players=3", "save_every=4", f"out={tmp_path}")
    agent = load_agent(str(tmp_path / "checkpoint.pt"), load_game("block", 3))
    for one, other in zip(agent.network.parameters(), trainer.network.parameters(), strict=True):
        assert torch.equal(one, other)
    assert {path.name for path in tmp_path.glob("*.pt")} == {
        "checkpoint.pt", "checkpoint_512.pt", "checkpoint_1024.pt", "training.pt",
    }  # fmt: skip
    ppo().report(trainer)
    assert (tmp_path / "curve.csv").read_text().startswith("decisions,opponent,win_share")
    assert (tmp_path / "curve.png").stat().st_size > 1_000


def test_a_rollout_that_teaches_nothing_is_passed_over(tmp_path):
    # The only decision of a rollout is known where the seat goes on or the hand ends: not in most of these.
    trainer = trained("game=block", "num_envs=1", "rollout=1", "total_decisions=20", f"out={tmp_path}")
    assert trainer.updates == 20


def test_options_that_are_asked_for_outweigh_the_presets(tmp_path):
    trainer = ppo().start(config("+game.options.max_hands=5", "+game.options.reward=win", f"out={tmp_path}"))
    assert (trainer.game.options.max_hands, trainer.game.options.reward) == (5, "win")


@pytest.mark.parametrize(
    ("word", "wrong"),
    [
        ("evaluate_against=greedy", r"evaluate_against must be a list of names of agents, .*got 'greedy'"),
        ("evaluate_against=null", "evaluate_against must be a list"),
        ("evaluate_against=[random,3]", "evaluate_against must be a list"),
        ("evaluate_against=[random,gredy]", "no agent 'gredy'"),
        ("evaluate_against=[human]", "human asks a person"),
        ("evaluate_against=[omniscient-2]", "omniscient-2 sees hidden tiles"),
        ("opponent=gredy", "no agent 'gredy'"),
        ("opponent=human", "human asks a person"),
        ("opponent=omniscient-2", "omniscient-2 sees hidden tiles"),
        ("opponent=3", "opponent must be a name"),
    ],
)
def test_agents_that_cannot_be_played_against_are_refused_at_the_start(tmp_path, word, wrong):
    with pytest.raises(ValueError, match=wrong):
        ppo().start(config(f"out={tmp_path}", word))


def test_an_evaluation_that_fails_leaves_the_training_before_it(tmp_path, monkeypatch):
    def fail(trainer):
        raise RuntimeError("no evaluation")

    with monkeypatch.context() as patch:
        patch.setattr(ppo().Trainer, "evaluate", fail)
        with pytest.raises(RuntimeError, match="no evaluation"):
            trained(f"out={tmp_path / 'broken'}")
    assert ppo().start(config(f"resume={tmp_path / 'broken'}")).updates == 4
    straight = trained(f"out={tmp_path / 'straight'}")
    assert trained(f"resume={tmp_path / 'broken'}").curve == straight.curve


def test_an_interrupted_run_says_what_it_does_and_how_to_go_on(tmp_path, monkeypatch, capfd):
    trainer = interrupted_at(2, monkeypatch, f"out={tmp_path / 'my run'}")
    ppo().report(trainer)
    shown = capfd.readouterr()
    assert "finishing the update, then saving; again to stop at once\n" in shown.err
    assert f"python train/ppo.py 'resume={tmp_path / 'my run'}'" in shown.out


def test_one_process_trains_in_a_folder(tmp_path):
    with locked(tmp_path), pytest.raises(BlockingIOError, match="in use by another process"):
        trained(f"out={tmp_path}")
    with locked(tmp_path):  # it can be had again
        pass


def test_a_run_that_fails_leaves_what_was_saved(tmp_path, monkeypatch):
    trained("total_decisions=512", f"out={tmp_path}")
    saved = (tmp_path / "training.pt").read_bytes()
    monkeypatch.setattr(ppo(), "entropy", lambda log_policy: log_policy * np.nan)
    trainer = ppo().start(config(f"resume={tmp_path}"), ["total_decisions=1024"])
    with pytest.raises(FloatingPointError, match="update 5"):
        ppo().train(trainer)
    assert (tmp_path / "training.pt").read_bytes() == saved


def test_resuming_nothing_and_overwriting_a_run_are_refused(tmp_path):
    with pytest.raises(ValueError, match="no run to resume"):
        ppo().start(config(f"resume={tmp_path}"))
    trained("total_decisions=128", f"out={tmp_path}")
    with pytest.raises(ValueError, match="holds a run already"):
        ppo().start(config(f"out={tmp_path}"))
    with pytest.raises(ValueError, match="keeps its settings"):
        ppo().start(config(f"resume={tmp_path}"), ["clip=0.1"])


def test_unknown_settings_are_refused(tmp_path):
    with pytest.raises(ConfigCompositionException, match="learning_speed"):
        config("learning_speed=1")
    with pytest.raises(TypeError, match="no option 'colour'"):
        ppo().start(config("+game.options.colour=1", f"out={tmp_path}"))
    for word in ("+learning_speed=1", "++game.colour=1"):
        with pytest.raises(ValueError, match="only options of the game can be added"):
            ppo().start(config(word, f"out={tmp_path}"), [word])


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        *((name, value) for name in (
            "num_envs", "rollout", "hidden", "epochs", "minibatch", "reference_every", "evaluate_every", "evaluation_deals",
            "save_every", "threads", "total_decisions",
        ) for value in ("0", "-5", "1.5", "true", "null", "many")),
        *((name, value) for name in ("learning_rate", "clip", "grad_norm", "reward_scale")
          for value in ("nan", "inf", "-1", "0")),
        *((name, value) for name in ("entropy", "reference_kl", "value_weight") for value in ("nan", "-0.1")),
        *((name, value) for name in ("gamma", "lam") for value in ("nan", "-0.1", "1.1")),
        ("seed", "-1"), ("seed", "1.5"), ("out", "''"), ("out", "null"),
    ],
)  # fmt: skip
def test_settings_out_of_their_range_are_refused(tmp_path, setting, value):
    with pytest.raises(ValueError, match=f"^{setting} must be .*, got "):
        ppo().start(config(f"out={tmp_path}", f"{setting}={value}"))


def test_every_number_of_the_settings_is_checked():
    checked = {name for *_, names in ppo().SETTINGS for name in names}
    numbers = {name for name, value in config().items() if isinstance(value, (int, float))}
    assert numbers <= checked


def test_a_change_out_of_its_range_is_refused(tmp_path):
    trained("total_decisions=128", f"out={tmp_path}")
    with pytest.raises(ValueError, match="total_decisions must be a positive integer, got -5"):
        ppo().start(config(f"resume={tmp_path}"), ["total_decisions=-5"])


def test_a_damaged_run_is_not_resumed(tmp_path):
    trained("total_decisions=128", f"out={tmp_path}")
    path = tmp_path / "training.pt"
    whole = path.read_bytes()
    saved = torch.load(path, weights_only=True)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match=r"training\.pt holds no run to resume"):
        ppo().start(config(f"resume={tmp_path}"))
    for content, wrong in (
        ([1, 2], "holds no run to resume"),
        ({"config": "clip: 0.1"}, "holds no run to resume: its settings lack .*seed"),
        ({key: value for key, value in saved.items() if key != "optimiser"}, "is damaged: 'optimiser'"),
        ({**saved, "network": {}}, "is damaged: .*policy"),
        ({**saved, "tables": dict.fromkeys(saved["tables"], torch.zeros(3, dtype=torch.uint8))}, "is damaged"),
    ):
        torch.save(content, path)
        with pytest.raises(ValueError, match=rf"(?s)training\.pt {wrong}"):
            ppo().start(config(f"resume={tmp_path}"))


LEARN = ["num_envs=256", "rollout=32", "minibatch=2048", "hidden=64", "learning_rate=0.0015", "evaluate_against=[]"]


def test_a_short_training_beats_random(tmp_path):
    agent = NetworkAgent(trained(*LEARN, "total_decisions=130000", f"out={tmp_path}").network)
    game = load_game("all_fives", max_hands=1, reward="points")
    result = play_pair(game, agent, load_agent("random", game), DealStream("dev"), 400)
    assert estimate(result.wins[:, 0]).low > 0.5
    assert not result.illegal.any()


@pytest.mark.soak
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", ["all_fives", "block", "draw"])
def test_a_training_beats_random_with_every_seed(tmp_path, name, seed):
    trainer = trained(*LEARN, f"game={name}", f"seed={seed}", "total_decisions=1000000", f"out={tmp_path}")
    for greedy in (True, False):
        agent, opponent = NetworkAgent(trainer.network, greedy), load_agent("random", trainer.game)
        result = play_pair(trainer.game, agent, opponent, DealStream("dev"), 2_000)
        assert estimate(result.wins[:, 0]).low > 0.5
        assert not result.illegal.any()


@pytest.mark.parametrize("greedy", [True, False])
def test_a_checkpoint_plays_as_what_was_saved(tmp_path, greedy):
    game = load_game("all_fives", 2)
    agent = NetworkAgent(ActorCritic(game.observation_size, game.num_actions, 32), greedy)
    save_checkpoint(tmp_path / "agent.pt", agent.network, game, 0, greedy)
    loaded = load_checkpoint(tmp_path / "agent.pt", game)
    assert loaded.greedy is greedy
    tables = make_vec("all_fives", 64)
    batch = tables.reset(seed=1)
    for step in range(30):
        one = agent.act(batch.observations, batch.action_mask, np.random.default_rng(step))
        other = loaded.act(batch.observations, batch.action_mask, np.random.default_rng(step))
        np.testing.assert_array_equal(one, other)
        tables.step(one)  # raises where one is illegal


@pytest.mark.parametrize(("name", "players"), [("block", 2), ("all_fives", 3)])
def test_a_checkpoint_of_another_game_is_refused(tmp_path, name, players):
    game = load_game("all_fives", 2)
    save_checkpoint(tmp_path / "agent.pt", ActorCritic(game.observation_size, game.num_actions), game, 0)
    with pytest.raises(ValueError, match="plays all_fives_v0 with 2 players"):
        load_checkpoint(tmp_path / "agent.pt", load_game(name, players))


def test_a_checkpoint_is_not_played_at_another_game(tmp_path):
    game = load_game("block", 2)
    save_checkpoint(tmp_path / "agent.pt", ActorCritic(game.observation_size, game.num_actions), game, 0)
    agent, other = load_checkpoint(tmp_path / "agent.pt", game), load_game("draw", 2)
    with pytest.raises(ValueError, match=r"agent\.pt plays block_v0 .*, not draw_v0"):
        play_pair(other, agent, load_agent("random", other), DealStream(), 2)


def test_a_damaged_checkpoint_is_refused(tmp_path):
    game = load_game("block", 2)
    save_checkpoint(tmp_path / "agent.pt", ActorCritic(game.observation_size, game.num_actions), game, 0)
    content = torch.load(tmp_path / "agent.pt", weights_only=True)
    del content["weights"]["critic.0.bias"]
    torch.save(content, tmp_path / "part.pt")
    (tmp_path / "text.pt").write_text("no checkpoint")
    content = torch.load(tmp_path / "agent.pt", weights_only=True)
    content["weights"]["policy.0.weight"][0, 0] = torch.nan
    torch.save(content, tmp_path / "nan.pt")
    content = torch.load(tmp_path / "agent.pt", weights_only=True)
    del content["greedy"]
    torch.save(content, tmp_path / "manner.pt")
    for name in ("part.pt", "text.pt", "nan.pt", "manner.pt"):
        with pytest.raises(ValueError, match=f"{name} is"):
            load_checkpoint(tmp_path / name, game)
