"""A training that dies at a write, whichever, and goes on: its folder ends as that of one that never died, byte for byte."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import sys
from pathlib import Path
from random import Random

import pytest
import torch

from memnet.models import MODELS
from memnet.training.run import LOCK, RUN
from tests.conftest import wander
from tests.test_core_rules import READERS
from tests.test_train import a_spec
from tests.trials.trial import run_trial

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="POSIX processes")]
CHANGES = ("open", "os.rename", "os.remove", "os.mkdir", "os.chmod", "os.truncate", "tempfile.mkstemp")  # what Python tells of
CRASHED = 99


class Crash:
    """An audit hook that ends the process before the change number ``at`` of a folder; it counts them."""

    def __init__(self, folder: Path, at: int) -> None:
        self.folder, self.at, self.count = str(folder), at, 0

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if event not in CHANGES or not str(arguments[0]).startswith(self.folder):
            return
        if event == "open" and not int(str(arguments[2])) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            return
        self.count += 1
        if self.count == self.at:
            os._exit(CRASHED)


def train_until(name: str, folder: Path, at: int, count: Path) -> None:
    """Begin or go on with a training that dies at change ``at``; how many changes there were, where it did not."""
    from dataclasses import replace

    from memnet.tasks.published import Task
    from memnet.training.run import execute, opened

    torch.set_num_threads(1)
    own = {"linear_start": 1} if hasattr(READERS[name], "linear_start") else {}
    config = replace(READERS[name], epochs=3, **own)
    spec, data = a_spec([Task("moves", wander(1), wander(2), None, "own", "0")], config, 2)
    crash = Crash(folder, at)
    sys.addaudithook(crash)
    with opened(folder, spec, folder.exists()) as finished:
        if finished is None:
            execute(spec, data, folder, every=0.0)
    count.write_text(str(crash.count))


def contents(folder: Path) -> dict[str, bytes]:
    """What a run's folder holds, but for the seconds it took."""
    found = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != LOCK}
    run = json.loads(found[RUN])
    found[RUN] = json.dumps({name: value for name, value in run.items() if name != "seconds"}).encode()
    return found


@pytest.mark.parametrize("name", [name for name in MODELS if not MODELS[name].fitted])
def test_crashes(name: str, tmp_path: Path):
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.trials.test_crashes"])

    def train(folder: Path, at: int) -> int | None:
        process = context.Process(target=train_until, args=(name, folder, at, tmp_path / "count"))
        process.start()
        process.join()
        return process.exitcode

    assert train(tmp_path / "whole", 0) == 0
    changes = int((tmp_path / "count").read_text())
    whole = contents(tmp_path / "whole")

    def case(draw: Random) -> None:
        """Died once at a change, and perhaps again while it went on."""
        folder, at = tmp_path / "run", draw.randrange(1, changes + 1)
        shutil.rmtree(folder, ignore_errors=True)
        assert train(folder, at) == CRASHED
        while (code := train(folder, draw.randrange(1, changes) if draw.random() < 0.5 else 0)) == CRASHED:
            pass
        assert code == 0, f"change {at} of {changes}: exit {code}"
        assert train(folder, 0) == 0, "--resume of what is finished"
        assert contents(folder) == whole, f"change {at} of {changes}: other bytes"

    run_trial(f"crashes-{name}", case, seconds=120)
    print(f"{changes} changes of the folder")
