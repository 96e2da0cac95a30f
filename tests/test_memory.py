"""The memory of a training, before it: about what it takes, a refusal where that is more than there is, and how to insist."""

import ctypes
import dataclasses
import os
import resource
from contextlib import suppress
from pathlib import Path

import pytest
import torch

import memnet.training.memory as module
from memnet.config import Training
from memnet.papers import PRESETS
from memnet.tasks.families import Task
from memnet.tasks.text import Question, Story
from memnet.training.dataset import DataSet
from memnet.training.loop import train_networks
from memnet.training.memory import Need, check_memory, free_memory, needed, numbers_of
from memnet.training.spec import Spec, specify
from tests.conftest import ran, refused
from tests.training import first_of_each_kind

MIB = 2**20


def told(stories: int, statements: int) -> list[Story]:
    """Stories with one question each, at the end."""
    people, rooms = ("Mary", "John", "Ann"), ("kitchen", "garden", "office")
    return [
        Story(
            tuple(f"{people[(number + at) % 3]} went to the {rooms[(number * at) % 3]}." for at in range(statements)),
            (Question("Where is Mary?", rooms[number % 3], (0,), statements),),
        )
        for number in range(stories)
    ]


def a_run(preset: str, stories: int, statements: int, restarts: int, **settings: object) -> tuple[Spec, DataSet]:
    """A run and its questions."""
    config: Training = dataclasses.replace(PRESETS[preset], epochs=1, **settings)  # type: ignore[arg-type]
    task = Task.of("own/a", told(stories, statements), told(5, statements))
    return specify([task], preset, config, 0, restarts), DataSet.of([task], config)


def taken(spec: Spec, data: DataSet) -> float:
    """Bytes that a training takes, in a copy of this process, which has given back what earlier tests left unused."""
    with suppress(OSError, AttributeError):  # of a C library without it
        ctypes.CDLL(None).malloc_trim(0)
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        code = 1
        try:
            torch.set_num_threads(1)
            now = numbers_of(Path("/proc/self/status"), "VmRSS:")[0] * 1024
            train_networks(spec, data)
            os.write(writer, str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - now).encode())
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    return float(os.read(reader, 100))


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux says what a process has taken")
@pytest.mark.parametrize(
    ("preset", "stories", "statements", "restarts", "settings"),
    [
        ("causal", 40, 60, 1, {"dim": 64}),
        ("causal", 20, 250, 1, {}),
        ("pe-ls-rn", 1200, 50, 10, {"batch": 1000, "linear_start": 0, "dim": 100}),
        ("universal", 32, 150, 1, {}),
        ("transformer", 40, 50, 2, {"dim": 128}),
    ],
)
def test_what_is_estimated_is_about_what_is_taken(
    preset: str, stories: int, statements: int, restarts: int, settings: dict[str, object]
):
    spec, data = a_run(preset, stories, statements, restarts, **settings)
    need, found = needed(spec, data).total, taken(spec, data)
    print(f"{preset}: {need / MIB:.0f} MiB estimated, {found / MIB:.0f} taken")
    assert found > 50 * MIB
    assert 1 / 2 < need / found < 2


@pytest.mark.parametrize(
    "preset", first_of_each_kind({name: one for name, one in PRESETS.items() if not one.fitted and not one.stream})
)
def test_every_network_has_an_estimate(preset: str):
    config = PRESETS[preset]
    if any(getattr(config, name) for name in ("permute", "canonical", "synonyms")) or config.vectors != "none":
        pytest.skip("needs many stories, or a file")
    spec, data = a_run(preset, 12, 4, 1)
    assert needed(spec, data).total > 0


def test_long_stories_of_a_causal_transformer_are_told():
    spec, data = a_run("causal", 4, 3000, 1, memory_size=3000)
    assert 4e9 < needed(spec, data).total < 16e9  # it took 8.6 GB
    assert needed(spec, data, look=1e12).total < 1e12  # roughly


def test_a_network_of_many_words_counts_them():
    spec, data = a_run("pe-ls-rn", 30, 5, 200, dim=4096, batch=100_000)
    few = needed(spec, data)
    assert few.weights > 200 * 4 * 4 * 4096 * len(data.vocabulary) * 4
    assert needed(dataclasses.replace(spec, restarts=100), data).total == pytest.approx(few.total / 2)


def test_a_training_that_takes_too_much_is_refused_with_the_number(
    own_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(module, "needed", lambda spec, data, look=0.0: Need(1e9, 8.4e9))
    monkeypatch.setattr(module, "free_memory", lambda device: 3e9)
    options = ["--preset", "bow", "--restarts", 1, "--set", "epochs=1", "--out", tmp_path / "run"]
    said = refused("train", own_folder, *options)
    assert "own/moves: training takes about 9.4 GB of memory (1 restarts, batches of 32, stories of up to" in said
    assert "and there are 3.0; fewer --restarts" in said
    assert "--set max_memory=10 trains all the same" in said
    assert not (tmp_path / "run").exists()
    done = ran("train", own_folder, *options, "--set", "max_memory=10")
    assert "own/moves: training takes about 9.4 GB of memory" in done.stdout


def test_what_cannot_be_looked_at_is_trained(monkeypatch: pytest.MonkeyPatch):
    spec, data = a_run("bow", 12, 4, 1)

    def branch(*_: object) -> int:
        raise NotImplementedError("a branch that hangs on numbers")

    monkeypatch.setattr(module, "bytes_of_step", branch)
    monkeypatch.setattr(module, "LOOK", 0.0)
    assert check_memory(spec, data) == ""


@pytest.mark.skipif(not Path("/proc/meminfo").exists(), reason="Linux")
def test_what_is_free():
    free = free_memory()
    assert free is not None
    assert 0 <= free <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert free_memory("mps") is None
