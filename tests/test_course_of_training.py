"""The course of a training: what chooses a network, schedules, optimizers, batches."""

import dataclasses
import math
from itertools import pairwise
from pathlib import Path

import pytest
import torch

from memnet.encode.examples import examples
from memnet.errors import DivergedError, NetworkError, TrainingError
from memnet.models.checkpoint import load_network
from memnet.models.memn2n import MemN2NConfig
from memnet.nn.random import Random
from memnet.papers import PRESETS
from memnet.tasks.families import DataError, Task
from memnet.tasks.families.folder import own_tasks
from memnet.training import loop as module
from memnet.training.evaluate import evaluate
from memnet.training.loop import train_networks
from memnet.training.optimizer import make_adam, optimizer_step
from memnet.training.result import mean_error
from memnet.training.run import DIVERGED, LOCK, rows
from memnet.training.state import METRICS, State, learning_rate
from tests.conftest import wander
from tests.test_train import SMALL
from tests.training import (
    a_run,
    a_spec,
    metrics_of,
    run_in,
)


def test_a_loss_that_is_not_finite_stops_that_replica_alone(monkeypatch: pytest.MonkeyPatch):
    spec, data = a_run(SMALL, restarts=3)
    normal = Random.normal

    def spoiled(self: Random, *shape: int, std: float = 1.0) -> torch.Tensor:
        value = normal(self, *shape, std=std)
        value[1] *= 1e30
        return value

    monkeypatch.setattr(Random, "normal", spoiled)
    result = train_networks(spec, data)
    assert [row["stopped_epoch"] for row in result.rows] == [0, 1, 0]
    assert result.rows[1]["tasks"] == {}
    run = {"replicas": result.rows, "seconds": 1.0, "versions": {}}
    assert [row["test_error"] == "" for row in rows(spec, run)] == [False, True, False]
    assert result.chosen != 1
    monkeypatch.undo()
    clean = train_networks(spec, data)
    assert torch.equal(clean.net.embedding[[0, 2]], result.net.embedding[[0, 2]])


def test_no_finite_replica_is_one_clear_error():
    spec, data = a_run(dataclasses.replace(SMALL, init_std=1e30))
    with pytest.raises(TrainingError, match=r"lower the learning rate .*--set init_std"):
        train_networks(spec, data)


def test_after_a_training_that_diverged_one_with_other_settings_takes_the_folder(tmp_path: Path):
    spec, data = a_run(dataclasses.replace(SMALL, lr=1e30, epochs=3, linear_start=0))
    with pytest.raises(DivergedError, match=rf"--set lr={MemN2NConfig.lr:g}\).*{DIVERGED}"):
        run_in(tmp_path, spec, data)
    assert {path.name for path in tmp_path.iterdir()} == {LOCK, DIVERGED}
    with pytest.raises(NetworkError, match=r"holds no trained network$"):
        load_network(tmp_path)
    run_in(tmp_path, *a_run(dataclasses.replace(SMALL, epochs=1)))
    assert metrics_of(tmp_path)


def test_a_network_that_overflows_on_what_is_held_out_is_not_kept():
    with pytest.raises(TrainingError, match="lower the learning rate"):
        train_networks(*a_run(dataclasses.replace(SMALL, lr=1e30, epochs=1, linear_start=0, batch=1000)))


def test_held_out_answers_that_training_never_had_choose_no_epoch(tmp_path: Path):
    spec, data = a_run(dataclasses.replace(SMALL, restore_best=True, epochs=3), restarts=2)
    blind = dataclasses.replace(data, valid=dataclasses.replace(data.valid, answer=torch.full_like(data.valid.answer, -1)))
    kept = train_networks(spec, blind, tmp_path).net.state_dict()
    last = train_networks(
        dataclasses.replace(spec, config=dataclasses.replace(spec.config, restore_best=False)), blind
    ).net.state_dict()
    assert all(torch.equal(kept[name], last[name]) for name in kept)
    assert {row["validation_loss"] for row in metrics_of(tmp_path)} == {None}


def test_it_learns():
    spec, data = a_run(dataclasses.replace(PRESETS["pe-ls-rn"], epochs=30, linear_start=5), restarts=3, stories=150)
    result = train_networks(spec, data)
    assert mean_error(result.rows[result.chosen], "test") <= 5
    assert result.rows[result.chosen]["tasks"]["own/moves"]["fact_recall"] >= 0.95


@pytest.mark.parametrize("selection", ["train", "validation"])
def test_the_test_set_chooses_nothing(selection: str):
    spec, data = a_run(dataclasses.replace(SMALL, selection=selection), restarts=5)
    result = train_networks(spec, data)
    scores = [mean_error(row, selection) for row in result.rows]
    assert scores[result.chosen] == min(scores)
    answers = torch.randint(1, 5, data.test.answer.shape)
    other = dataclasses.replace(data, test=dataclasses.replace(data.test, answer=answers))
    again = train_networks(spec, other)
    assert again.chosen == result.chosen
    assert torch.equal(again.net.embedding, result.net.embedding)


@pytest.mark.parametrize("monitor", ["loss", "error"])
def test_keeping_the_best_epoch(monitor: str, tmp_path: Path):
    """The weights of the epoch with the lowest validation loss, or with the lowest error and of these the lowest loss."""
    spec, data = a_run(dataclasses.replace(SMALL, restore_best=True, monitor=monitor, lr=0.05, epochs=30), restarts=2)
    outcome = evaluate(train_networks(spec, data, tmp_path).net, data.valid)
    for replica in range(2):
        mine = metrics_of(tmp_path, replica=replica, phase="softmax")
        best = min(mine, key=lambda row: (row["validation_error"] if monitor == "error" else 0, row["validation_loss"]))
        assert float(outcome.loss[replica].double().mean()) == pytest.approx(best["validation_loss"])
        assert float(outcome.error()[replica]) == pytest.approx(best["validation_error"])


def test_gradients_are_clipped_per_matrix_or_per_network():
    net = torch.nn.Module()
    net.a, net.b = torch.nn.Parameter(torch.zeros(2, 2, 1, 2)), torch.nn.Parameter(torch.zeros(2, 1, 1))
    one = torch.tensor([[[[3.0, 4.0]], [[0.3, 0.4]]], [[[0.0, 0.0]], [[0.0, 1.0]]]])  # norms 5, 0.5; 0, 1
    two = torch.tensor([[[12.0]], [[0.0]]])
    lr = torch.tensor([1.0, 0.5])
    optimizer_step(net, [one, two], lr, MemN2NConfig(clip=1.0))
    torch.testing.assert_close(net.a.detach()[0], -torch.tensor([[[0.6, 0.8]], [[0.3, 0.4]]]))
    torch.testing.assert_close(net.a.detach()[1], -torch.tensor([[[0.0, 0.0]], [[0.0, 0.5]]]))
    assert net.b.detach().flatten().tolist() == [-1.0, 0.0]
    with torch.no_grad():
        net.a.zero_(), net.b.zero_()
    optimizer_step(net, [one, two], lr, MemN2NConfig(clip=1.0, clip_per="network"))
    norm = math.sqrt(25 + 0.25 + 144)
    torch.testing.assert_close(net.a.detach()[0], -one[0] / norm)
    torch.testing.assert_close(net.a.detach()[1], -one[1] * 0.5)


def test_the_schedule():
    config = MemN2NConfig(lr=0.01, halve_every=25)
    state = State.start(torch.nn.Module(), Random(0, 3), config)
    state.soft_epochs = torch.tensor([0, 24, 50])
    torch.testing.assert_close(learning_rate(state, config), torch.tensor([0.01, 0.01, 0.0025]))


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        ("constant", [0.25, 0.5, 0.75, 1.0, 1.0, 1.0]),
        ("linear", [0.25, 0.5, 0.75, 1.0, 1 - 1 / 7, 1 - 6 / 7]),
        ("cosine", [0.25, 0.5, 0.75, 1.0, (1 + math.cos(math.pi / 7)) / 2, (1 + math.cos(6 * math.pi / 7)) / 2]),
        ("halve", [0.25, 0.5, 0.75, 1.0, 1.0, 0.125]),
    ],
)
def test_a_warm_start_rises_and_then_falls(schedule: str, expected: list[float]):
    halves = {"halve_every": 2} if schedule == "halve" else {}
    config = MemN2NConfig(lr=0.5, schedule=schedule, epochs=10, warmup=0.3, **halves)
    state = State.start(torch.nn.Module(), Random(0, 6), config)
    state.soft_epochs = torch.tensor([0, 1, 2, 3, 4, 9])
    torch.testing.assert_close(learning_rate(state, config), 0.5 * torch.tensor(expected))


def test_adamw_is_pytorchs_and_shrinks_the_weights():
    config = MemN2NConfig(optimizer="adamw", decay=0.1, clip=1e9)
    net, other = torch.nn.Linear(3, 2), torch.nn.Linear(3, 2)
    other.load_state_dict(net.state_dict())
    adam, torchs = make_adam(net, config), torch.optim.AdamW(other.parameters(), lr=0.01, weight_decay=0.1)
    for _ in range(3):
        gradients = [torch.randn_like(parameter) for parameter in net.parameters()]
        optimizer_step(net, gradients, torch.full((2,), 0.01), config, adam)
        for parameter, gradient in zip(other.parameters(), gradients, strict=True):
            parameter.grad = gradient
        torchs.step()
    for mine, expected in zip(net.parameters(), other.parameters(), strict=True):
        torch.testing.assert_close(mine, expected)


def test_linear_start_ends_per_replica_with_validation(tmp_path: Path):
    spec, data = a_run(dataclasses.replace(SMALL, linear_start=30, linear_until="validation", lr=0.05), restarts=4)
    train_networks(spec, data, tmp_path)
    for replica in range(4):
        losses = [row["validation_loss"] for row in metrics_of(tmp_path, replica=replica, phase="linear")]
        falls = [after < before for before, after in pairwise(losses)]
        assert all(falls[:-1])
        assert len(losses) == 30 or not falls[-1]
        assert len(metrics_of(tmp_path, replica=replica, phase="softmax")) == SMALL.epochs


def test_the_linear_start_is_as_long_as_asked(tmp_path: Path):
    train_networks(*a_run(SMALL), tmp_path)
    rows = metrics_of(tmp_path, replica=0)
    assert [row["phase"] for row in rows] == ["linear"] * 2 + ["softmax"] * 6
    assert [row["lr"] for row in rows] == [0.005] * 4 + [0.0025] * 2 + [0.00125] * 2


def test_batches_without_replacement_ask_every_question_once(monkeypatch: pytest.MonkeyPatch):
    seen: list[torch.Tensor] = []
    whole = module.batches

    def watched(data: object, picks: torch.Tensor, *rest: object) -> object:
        seen.append(picks)
        return whole(data, picks, *rest)

    monkeypatch.setattr(module, "batches", watched)
    for replacement in (False, True):
        seen.clear()
        spec, data = a_run(dataclasses.replace(SMALL, epochs=1, linear_start=0, batch=9, replacement=replacement, fused=False))
        train_networks(spec, data)
        counts = torch.bincount(seen[0][:, 0].flatten(), minlength=len(data.train))
        assert len(data.train) == 54
        assert bool((counts == 1).all()) is not replacement


def test_weights_and_training_draw_from_different_streams():
    weights, training = Random(0, 1, "weights").uniform(4), Random(0, 1, "training").uniform(4)
    assert not torch.equal(weights, training)
    assert not torch.equal(training, Random(1, 1, "training").uniform(4))
    assert torch.equal(training, Random(0, 1, "training").uniform(4))


def test_validation_without_a_known_answer_is_refused(own_folder: Path):
    path = own_folder / "moves_valid.txt"
    path.write_text("1 Mary went to the moon.\n2 Where is Mary?\tmoon\t1\n")
    with pytest.raises(TrainingError, match="no validation question of own/moves"):
        a_spec(own_tasks(own_folder), SMALL, 1)


def test_validation_is_the_last_tenth_of_the_questions():
    task = Task.of("own/moves", wander(1, 10), [], "")  # 30 questions, 3 a story
    train_part, valid = task.split(0.1)
    assert sum(len(story.questions) for story in train_part) == 27
    assert valid == task.train[-1:]
    train_part, valid = task.split(0.05)  # round(1.5) = 2: the last story is told in both parts
    assert [len(story.questions) for story in (train_part[-1], valid[0])] == [1, 2]
    given = dataclasses.replace(task, valid=wander(9, 1))
    assert given.split(0.1) == (task.train, given.valid)
    with pytest.raises(DataError, match="at least 2"):
        dataclasses.replace(task, train=[dataclasses.replace(task.train[0], questions=task.train[0].questions[:1])]).split(0.1)


def test_a_saved_network_answers_as_the_trained_one(tmp_path: Path):
    spec, data = a_run(SMALL)
    folder = tmp_path / "run"
    run = run_in(folder, spec, data)
    net, vocabulary, saved = load_network(folder)
    assert vocabulary.entries == data.vocabulary.entries
    assert torch.equal(net.embedding[0], train_networks(spec, data).net.embedding[run["chosen"]])
    outcome = evaluate(net, examples([wander(2)], vocabulary, 50))
    assert float(outcome.error()[0]) == pytest.approx(mean_error(run["replicas"][run["chosen"]], "test"), abs=1e-3)
    assert saved["data"] == ["own/moves"]
    assert {path.name for path in folder.iterdir()} - {".lock"} == {
        "config.json",
        "model.safetensors",
        "README.md",
        "run.json",
        METRICS,
    }


def test_answers_that_training_never_had_are_errors(own_folder: Path):
    path = own_folder / "moves_test.txt"
    path.write_text(path.read_text().replace("\tkitchen\t", "\tmoon\t"))
    spec, data = a_spec(own_tasks(own_folder), SMALL, 1)
    share = float((data.test.answer < 0).double().mean())
    assert share > 0
    assert mean_error(train_networks(spec, data).rows[0], "test") >= 100 * share - 1e-3
