"""Training: exact resumption, independent replicas, and what goes wrong."""

import dataclasses
import json
import multiprocessing
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from memnet.ask.predictor import Predictor
from memnet.attention import Trace
from memnet.cli import main
from memnet.config import Training
from memnet.errors import TrainingError
from memnet.files import read_tensors, write_tensors
from memnet.models import model_of
from memnet.models.checkpoint import load_network
from memnet.models.memn2n import MemN2NConfig
from memnet.papers import PRESETS
from memnet.tasks.families import Task, find
from memnet.tasks.families.folder import own_tasks
from memnet.tasks.text import Story
from memnet.training.dataset import DataSet
from memnet.training.evaluate import evaluate, most_read
from memnet.training.golden import NO_STREAM
from memnet.training.loop import train_networks
from memnet.training.run import execute, opened
from memnet.training.spec import specify
from memnet.training.state import CHECKPOINT, METRICS
from tests.conftest import wander
from tests.training import (
    a_run,
    a_spec,
    check_alone_as_among_others,
    check_goes_on,
    first_of_each_kind,
    interrupted_at,
    metrics_of,
    run_in,
)

SMALL = dataclasses.replace(PRESETS["pe-ls-rn"], epochs=6, linear_start=2, halve_every=2)


def short(preset: str, **changed: object) -> Training:
    return dataclasses.replace(PRESETS[preset], epochs=2, **changed)


KINDS = {  # settings of every kind of attention
    "general, sparsemax": {"score": "general", "align": "sparsemax"},
    "concat, local_p": {"score": "concat", "align": "local_p", "window": 3.0, "null": "none"},
    "interaction, sigmoid": {"score": "interaction", "align": "sigmoid", "null": "none"},
    "attention_gru": {"read": "attention_gru", "linear_start": 0},
    "hard, mean": {"align": "hard", "samples": 3, "baseline": "mean", "softmax_epochs": 1, "entropy": 0.01},
    "hard, loo": {"align": "hard", "samples": 3, "baseline": "loo"},
    "self_attention, layerwise": {"encoding": "self_attention", "attention_rows": 1, "tying": "layerwise"},
    "self_attention": {"encoding": "self_attention", "attention_rows": 2, "penalty": 0.1},
    "facts": {"supervision": "facts"},
}
ATTENTIONS = {
    name: dataclasses.replace(PRESETS["pe-ls-rn"], **{"epochs": 3, "linear_start": 1, **changed})
    for name, changed in KINDS.items()
}
SEQUENCES = {  # networks of whole stories, whose widths and tails must not be the neighbours'
    "universal": {},
    "universal-act": {},
    "universal, words": {"elements": "words"},
    "transformer": {"clip": 0.01},
    "lstm": {},
    "lstm-attention": {},
}
ALONE = {preset: (short(preset, linear_start=1), (10, 1, 2, 3)) for preset in ("pe-ls-rn", "masked", "pe-ls-lw-joint")}
ALONE |= {name: (config, (3, 1)) for name, config in ATTENTIONS.items()}
ALONE |= {name: (short(name.split(",")[0], patience=0, **changed), (3, 1)) for name, changed in SEQUENCES.items()}


@pytest.mark.parametrize("name", ALONE)
def test_a_replica_does_not_depend_on_its_neighbours(name: str):
    config, numbers = ALONE[name]
    check_alone_as_among_others([Task.of("own/moves", wander(1), wander(2), "0")], config, numbers)


@pytest.mark.parametrize("name", ["qa1", "qa3", "qa14"])
def test_replicas_of_published_tasks_are_bit_equal(name: str, published: Path):
    config = dataclasses.replace(PRESETS["pe-ls-rn"], epochs=1, linear_start=1)
    check_alone_as_among_others(find([name], data=published), config, (10, 2))


@pytest.mark.parametrize("name", ATTENTIONS)
def test_attention_of_every_kind_goes_on_where_it_was_stopped(name: str, tmp_path: Path):
    check_goes_on(lambda: a_run(ATTENTIONS[name]), tmp_path)


def test_a_checkpoint_counts_on_metrics_that_a_power_cut_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """They are synced before it is written, and at the end."""
    synced: dict[int, int] = {}  # bytes by file
    counted: list[int] = []

    def fsync(number: int) -> None:
        synced[os.fstat(number).st_ino] = os.fstat(number).st_size

    def written(path: Path, tensors: object, metadata: dict[str, str]) -> None:
        counted.append(int(metadata["metrics"]))
        assert synced[(path.parent / METRICS).stat().st_ino] >= counted[-1]

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr("memnet.training.loop.write_tensors", written)
    config = dataclasses.replace(PRESETS["bow"], epochs=2)
    run_in(tmp_path / "run", *a_run(config, 1), every=0.0)
    assert len(counted) == 2
    metrics = (tmp_path / "run" / METRICS).stat()
    assert synced[metrics.st_ino] == metrics.st_size > 0
    shutil.rmtree(tmp_path / "run")
    run_in(tmp_path / "run", *a_run(config, 1), every=1e9)  # without a checkpoint
    metrics = (tmp_path / "run" / METRICS).stat()
    assert synced[metrics.st_ino] == metrics.st_size > 0


@pytest.mark.parametrize("preset", first_of_each_kind(PRESETS))
def test_every_preset_is_trained_saved_and_asked(preset: str, tmp_path: Path):
    """A run's folder answers as the network did, about stories of any length, with evidence for every sentence."""
    changed = {} if model_of(PRESETS[preset]) == "baseline" else {"epochs": 1, "memory_size": 8, **NO_STREAM}
    config = dataclasses.replace(PRESETS[preset], **changed)
    if isinstance(config, MemN2NConfig):
        config = dataclasses.replace(config, linear_start=min(1, config.linear_start))
    told = wander(1, stories=190 if config.permute or config.canonical else 20)  # enough to find interchangeable words
    task = Task.of("own/moves", told, wander(2), "0")
    spec = specify([task], preset, config, 0, 1)
    run_in(tmp_path, spec, data := DataSet.of([task], config))
    net, vocabulary, _ = load_network(tmp_path)
    said = evaluate(net, data.test).prediction[0]
    predictor = Predictor(net, vocabulary)
    story = wander(2)[0]
    for number, question in enumerate(story.questions):
        answer = predictor.ask(story.statements[: question.after], question.text)
        raw, suiting = said[number].tolist(), vocabulary.answers_to(question.text)
        if vocabulary.stop is None and not vocabulary.markers and (suiting is None or suiting.issuperset(raw)):
            said_so = vocabulary.answer_text(raw)
            if vocabulary.normalizer.per_question:
                bound = vocabulary.normalizer.about((), "").bind(story.statements[: question.after], question.text)
                said_so = bound.names(said_so)
            assert answer.answer == said_so
        assert all(sorted(read.number for read in hop) == list(range(1, question.after + 1)) for hop in answer.hops)
        assert 0 < answer.probability <= 1
    assert predictor.ask(["Mary went to the garden."], "Where is Mary?").truncated == 0
    long = predictor.ask(["Mary went to the garden."] * 13, "Where is Mary?")
    assert long.truncated == max(0, 13 - config.memory_size)


def test_patience_begins_after_the_warm_start():
    config = dataclasses.replace(
        SMALL, linear_start=0, align="hard", samples=1, softmax_epochs=5, patience=2, restore_best=True, epochs=7
    )
    spec, data = a_run(config)
    assert all(row["epochs"] == 7 for row in train_networks(spec, data).rows)


def test_training_ends_when_nothing_held_out_is_wrong_any_more(tmp_path: Path):
    """Questions with one answer are learned at once, in the linear start too, which runs to its end; others go on."""
    alike = [
        Story(story.statements, tuple(dataclasses.replace(q, answer="here") for q in story.questions)) for story in wander(1)
    ]
    config = dataclasses.replace(SMALL, linear_start=4, epochs=9, restore_best=True, stop_after_perfect=3)
    easy = Task.of("own/alike", alike, alike, "0")
    spec, data = a_spec([easy], config, restarts=2)
    run_in(tmp_path / "run", spec, data, resume=False)
    for replica in range(2):
        errors = [line["validation_error"] for line in metrics_of(tmp_path / "run", replica=replica)]
        assert 4 + 3 <= len(errors) < 4 + 9
        assert errors[-3:] == [0.0] * 3
        assert len(errors) == 4 + 3 or errors[-4] > 0  # no epoch sooner would have done
    assert all(row["epochs"] == 6 for row in train_networks(*a_run(dataclasses.replace(SMALL, stop_after_perfect=3))).rows)


def test_drawn_answers_are_the_same_whatever_is_asked_beside_them():
    config = dataclasses.replace(ATTENTIONS["hard, loo"], test_samples=7, epochs=2)
    spec, data = a_run(config)
    net = train_networks(spec, data).net
    whole = evaluate(net, data.test)
    for batch in (1, 3, 64):
        torch.testing.assert_close(evaluate(net, data.test, batch=batch).loss, whole.loss)
    vocabulary = data.vocabulary
    predictor = Predictor(net.replica(1), vocabulary)
    for number, story in enumerate(wander(2)[:5]):
        said = predictor.ask(story.statements[: story.questions[0].after], story.questions[0].text)
        first = sum(len(other.questions) for other in wander(2)[:number])
        assert said.answer == vocabulary.answer_text(whole.prediction[1, first].tolist())


def test_what_is_most_read_lies_in_the_window():
    logits = torch.tensor([9.0, 1.0, 2.0]).view(1, 1, 1, 3)
    weights = torch.tensor([0.0, 0.3, 0.7]).view(1, 1, 1, 3)
    assert most_read(Trace(logits, weights, logits)).tolist() == [[2]]
    assert most_read(Trace(logits, weights * 0, logits)).tolist() == [[0]]  # nothing read: the likeliest


@pytest.mark.parametrize("preset", ["pe-ls-rn", "masked"])
def test_a_stopped_run_ends_as_one_never_stopped(preset: str, tmp_path: Path):
    config = dataclasses.replace(PRESETS[preset], epochs=6, linear_start=2, halve_every=2)
    spec, data = a_run(config)
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    uncut = run_in(whole, spec, data, every=0)
    for epoch in (1, 3, 5):
        with pytest.raises(KeyboardInterrupt):
            run_in(parts, spec, data, parts.exists(), progress=interrupted_at(epoch))
        with open(parts / METRICS, "a") as metrics:
            metrics.write('{"epoch": 99')  # as if killed while it wrote
        (parts / ".config.json.x.tmp").write_text("half")
    resumed = run_in(parts, spec, data, True)
    for name in ("model.safetensors", METRICS, "config.json", "README.md"):
        assert (whole / name).read_bytes() == (parts / name).read_bytes()
    assert resumed["replicas"] == uncut["replicas"]
    assert not (parts / CHECKPOINT).exists()
    assert not list(parts.glob(".*.tmp"))


def test_killed_after_its_end_a_run_leaves_no_checkpoint(tmp_path: Path):
    """Killed between ``run.json`` and the end of the checkpoint, it is finished, and ``--resume`` tidies up."""
    spec, data = a_run(SMALL)
    ended = run_in(tmp_path / "run", spec, data)
    (tmp_path / "run" / CHECKPOINT).write_bytes(b"of the last epoch")
    with opened(tmp_path / "run", spec, True) as finished:
        assert finished == json.loads(json.dumps(ended))
    assert not (tmp_path / "run" / CHECKPOINT).exists()


def test_one_process_a_folder(tmp_path: Path):
    spec, data = a_run(SMALL)
    with opened(tmp_path / "run", spec, False), pytest.raises(TrainingError, match="another process"):
        run_in(tmp_path / "run", spec, data, True)
    run_in(tmp_path / "run", spec, data, True)  # started, never trained: --resume goes on


FORGED = ("metrics=-5", "metrics=x", "metrics=99999999", "epoch=-1", "epoch=1.5", "seconds=nan", "seconds=-1", "seconds=inf")


@pytest.mark.parametrize("fault", ["random", "cut", "empty", "no metadata", "another's", "metrics", *FORGED])
def test_a_damaged_checkpoint_says_how_to_start_over(fault: str, tmp_path: Path):
    spec, data = a_run(SMALL)
    with pytest.raises(KeyboardInterrupt):
        run_in(tmp_path, spec, data, progress=interrupted_at(3))
    path = tmp_path / CHECKPOINT
    tensors, metadata = read_tensors(path)
    if fault == "cut":
        path.write_bytes(path.read_bytes()[:-10])
    elif fault == "empty":
        path.write_bytes(b"")
    elif fault == "no metadata":
        write_tensors(path, tensors)
    elif fault == "another's":
        del tensors["soft_epochs"]
        write_tensors(path, tensors, metadata)
    elif fault in FORGED:
        name, value = fault.split("=")
        write_tensors(path, tensors, {**metadata, name: value})
    elif fault == "random":
        write_tensors(path, {**tensors, "random": torch.zeros_like(tensors["random"])}, metadata)
    else:
        (tmp_path / METRICS).unlink()
    with pytest.raises(TrainingError, match=r"delete .* to start"):
        run_in(tmp_path, spec, data, True)
    path.unlink()
    assert run_in(tmp_path, spec, data, True)["replicas"] == run_in(tmp_path / "clean", spec, data)["replicas"]


def long_run(stories: Path, folder: Path) -> None:
    """A run with a checkpoint every epoch, begun or taken up again."""
    torch.set_num_threads(1)
    config = dataclasses.replace(PRESETS["pe-ls-rn"], epochs=30, linear_start=10, halve_every=10)
    spec, data = a_spec(own_tasks(stories), config, 2)
    with opened(folder, spec, folder.exists()):
        execute(spec, data, folder, every=0.0)


def command(arguments: list[str], said: Path) -> None:
    """The command ``memnet``, whose standard error goes into a file."""
    with open(said, "wb") as file:
        os.dup2(file.fileno(), 2)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv[1:] = arguments
    main()


def started(work: Callable[..., None], *arguments: object) -> multiprocessing.process.BaseProcess:
    """A process of its own, forked from one that has imported all that the work needs."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.test_train"])
    process = context.Process(target=work, args=arguments)
    process.start()
    return process


def wait_for_lines(folder: Path, number: int, process: multiprocessing.process.BaseProcess) -> None:
    """Until the metrics of a run have so many lines."""
    while not (folder / METRICS).exists() or (folder / METRICS).read_text().count("\n") < number:
        assert process.is_alive(), "it ended before it could be stopped"
        time.sleep(0.002)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_kill_minus_nine_and_resume_ends_bit_equal(own_folder: Path, tmp_path: Path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    uncut = started(long_run, own_folder, whole)
    for epoch in (3, 13, 25):
        process = started(long_run, own_folder, parts)
        wait_for_lines(parts, 2 * epoch, process)
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL, "it ended before it could be killed"
        assert (parts / CHECKPOINT).exists()
    for process in (uncut, started(long_run, own_folder, parts)):
        process.join()
        assert process.exitcode == 0
    for name in ("model.safetensors", METRICS, "config.json", "README.md"):
        assert (whole / name).read_bytes() == (parts / name).read_bytes()


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize(
    ("number", "status", "expected"),
    [
        (signal.SIGINT, 130, "the same command with --resume goes on"),
        (signal.SIGTERM, 143, "the same command with --resume goes on"),
    ],
    ids=["Ctrl-C", "asked to end"],
)
def test_a_training_that_is_stopped_leaves_a_checkpoint_and_no_traceback(
    number: int, status: int, expected: str, own_folder: Path, tmp_path: Path
):
    folder, said = tmp_path / "run", tmp_path / "said"
    process = started(command, ["train", str(own_folder), "--set", "epochs=3000", "--out", str(folder)], said)
    wait_for_lines(folder, 20, process)  # two epochs of ten networks
    os.kill(process.pid or 0, number)
    process.join(60)
    assert process.exitcode == status
    assert expected in said.read_text()
    assert "Traceback" not in said.read_text()
    assert (folder / CHECKPOINT).exists()
