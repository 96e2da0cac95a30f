"""A training or a sweep that dies at a change of its files, whichever, and goes on: it ends as one that never died.

The process dies before the change, with half of what it writes written, or as in a power cut: with what was not synced lost.
The clock stands still, so that the folders are compared byte for byte, seconds and all.
"""

import dataclasses
import os
import pickle
import shutil
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import pytest
import torch

from memnet.config import Training
from memnet.errors import NetworkError
from memnet.models import MODELS, model_of
from memnet.models.checkpoint import MODEL, load_network
from memnet.papers import PRESETS
from memnet.tasks.families import Task
from memnet.tasks.simulator import simulate
from memnet.training.inputs import Inputs
from memnet.training.run import make_run
from memnet.training.spec import specify
from memnet.training.sweep import plan, sweep
from tests.conftest import wander
from tests.test_core_rules import READERS
from tests.trials.disk import CRASHED, Change, Disk, Point, points
from tests.trials.trial import Draw, number_of_cases, run_trial

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="POSIX processes")]

Work = Callable[[Path], object]  # done in a folder, or gone on with where that is there
NEVER = 1e9  # seconds between two checkpoints


def apart(work: Callable[[], object]) -> int:
    """Do something in a copy of this process; its exit code."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def do(work: Work, folder: Path, point: Point | None = None) -> int:
    """Do some work in a folder, until it dies at a point; its exit code."""

    def attached() -> None:
        torch.set_num_threads(1)
        with mock.patch("time.monotonic", return_value=0.0), Disk(folder, point).attached():
            work(folder)

    return apart(attached)


def changes_of(work: Work, folder: Path) -> list[Change]:
    """Do some work in a new folder, to its end; the changes that it makes."""
    seen = folder.with_name(f"{folder.name}.changes")

    def recorded() -> None:
        torch.set_num_threads(1)
        with mock.patch("time.monotonic", return_value=0.0), Disk(folder).attached() as disk:
            work(folder)
        seen.write_bytes(pickle.dumps([tuple(change) for change in disk.changes]))

    assert apart(recorded) == 0
    return [Change(*change) for change in pickle.loads(seen.read_bytes())]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def check_network(folder: Path, whole: Mapping[str, bytes]) -> None:
    """A folder whose run died holds the network of its end or none."""
    try:
        load_network(folder)
    except NetworkError:
        return
    assert (folder / MODEL).read_bytes() == whole[MODEL], "another network than at the end"


def run_crashes(
    name: str, works: Mapping[str, Work], check: Callable[[Path, Mapping[str, bytes]], None], tmp_path: Path
) -> None:
    """Each case is a point of some work, no two the same, in an order that is always the same."""
    found: list[tuple[str, Point]] = []
    changes, wholes = {}, {}
    for what, work in works.items():
        changes[what] = changes_of(work, tmp_path / "run")
        wholes[what] = contents(tmp_path / "run")
        shutil.rmtree(tmp_path / "run")
        found += [(what, point) for point in points(changes[what])]
    Random(name).shuffle(found)

    def case(draw: Draw) -> None:
        """Died once, and perhaps again while it went on."""
        what, point = found[draw.case]
        work, whole, folder = works[what], wholes[what], tmp_path / "run"
        shutil.rmtree(folder, ignore_errors=True)
        assert do(work, folder, point) == CRASHED
        check(folder, whole)
        again = Point(draw.randrange(1, len(changes[what]))) if draw.random() < 0.3 else None
        assert do(work, folder, again) in (0, CRASHED), f"{what}, {point}, {again}"
        for _ in range(draw.choice((1, 1, 2))):  # the second finds it finished
            assert do(work, folder) == 0, f"{what}, {point}, {again}"
            differ = {path for path, content in contents(folder).items() ^ whole.items()}
            assert not differ, f"{what}, {point}, {again}: {sorted(differ)} differ"

    print(f"\n{name}: {len(found)} points of {', '.join(works)}")
    run_trial(f"crashes-{name}", case, min(number_of_cases(), len(found)), seconds=120)


EPOCHS = 3
MOVES = Task.of("own/moves", wander(1, 4), wander(2, 2), "1")
WALKS = Task.of("own/walks", wander(3, 4), wander(4, 2), "2")
FRESH = Task.of("sim/qa1", simulate("qa1", 12, 0), simulate("qa1", 6, 1), "0")


def training(config: Training, tasks: list[Task], restarts: int, every: float = 0.0, start: Path | None = None) -> Work:
    """A training, with a checkpoint at most every so many seconds."""
    inputs = Inputs(start=start)
    spec = specify(tasks, MODELS[model_of(config)].presets[0], config, 0, restarts, inputs)

    def train(folder: Path) -> None:
        make_run(spec, tasks, folder, folder.exists(), inputs=inputs, every=every)

    return train


def trainings(name: str, tmp_path: Path) -> dict[str, Work]:
    """Trainings of a model, each of which keeps something else from epoch to epoch."""
    more = {"linear_start": 1} if hasattr(READERS[name], "linear_start") else {}
    config = dataclasses.replace(READERS[name], epochs=EPOCHS, **more)
    training(config, [WALKS], 1)(tmp_path / "start")
    best: dict[str, Any] = {"restore_best": True, "monitor": "error", "patience": 2, "selection": "validation"}
    adam: dict[str, Any] = {"optimizer": "adam", "decay": 0.0, "schedule": "linear", "lr": 0.003}
    return {
        "one network": training(config, [MOVES], 1),
        "restarts, the best epoch of each": training(dataclasses.replace(config, **best), [MOVES], 3),
        "joint, Adam": training(dataclasses.replace(config, **adam), [MOVES, WALKS], 2),
        "fresh stories": training(dataclasses.replace(config, stream=6), [FRESH], 1),
        "started from a network": training(config, [MOVES], 1, start=tmp_path / "start"),
        "no checkpoint": training(config, [MOVES], 1, every=NEVER),
    }


@pytest.mark.parametrize("name", [name for name in MODELS if not MODELS[name].Config.fitted])
def test_trainings(name: str, tmp_path: Path):
    run_crashes(name, trainings(name, tmp_path), check_network, tmp_path)


def sweeping(presets: Mapping[str, Training], seeds: list[int]) -> Work:
    """A sweep in one process, which keeps a checkpoint of every epoch."""

    def swept(folder: Path) -> None:
        jobs, _ = plan([[MOVES]], presets.items(), seeds, 2, folder / "runs.csv", folder / "work")
        with mock.patch("memnet.training.sweep.make_run", lambda *given, **more: make_run(*given, **{**more, "every": 0.0})):
            failed = [outcome for _, outcome, _ in sweep(jobs, folder / "runs.csv", 1) if isinstance(outcome, str)]
        assert not failed, failed

    return swept


def test_sweeps(tmp_path: Path):
    presets = {name: dataclasses.replace(PRESETS[name], epochs=1, linear_start=1) for name in ("pe-ls-rn", "bow")}
    works = {"two presets": sweeping(presets, [0]), "three seeds": sweeping({"bow": presets["bow"]}, [0, 1, 2])}
    run_crashes("sweeps", works, lambda folder, whole: None, tmp_path)
