"""Sweeps whose process, or one of whose workers, is killed, and two at once: no row is lost or doubled, and nobody goes on.

Most are swept by workers that are copies of the sweep's process, which saves their imports; some by joblib's own.
"""

import os
import runpy
import shutil
import signal
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from unittest import mock

import pytest
from joblib.externals.loky.backend.fork_exec import fork_exec

from memnet.record.runs import CHECK, read_rows
from memnet.training.state import CHECKPOINT, METRICS
from tests.conftest import memnet, ran, tell, wander
from tests.trials.trial import Draw, number_of_cases, run_trial

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="/proc")]
LOKY = "joblib.externals.loky.backend.popen_loky_posix"
LASTS = 4.0  # seconds, about, of a sweep in copies
SEEDS, STORIES = 4, 5
WITHIN = 30  # seconds: a worker looks every second whether its sweep is there, on a machine with other work


def sweep(folder: Path, workers: int) -> list[object]:
    """A sweep of a few runs, as a command."""
    seeds = [part for seed in range(SEEDS) for part in ("--seed", seed)]
    where = ["--results", folder / "runs.csv", "--work", folder / "work", "--jobs", workers]
    return ["sweep", folder.parent / "tasks", "--preset", "bow", *seeds, "--restarts", 2, "--set", "epochs=10", *where]


def processes(session: int) -> dict[int, int]:
    """The processes of a session that are no zombies, and the parent of each."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent, _, group = path.read_text().rpartition(")")[2].split()[:4]
        except OSError:  # ended since
            continue
        if int(group) == session and state != "Z":
            found[int(path.parent.name)] = int(parent)
    return found


def copied(command: list[str], keep: Iterable[int], env: object = None) -> int:
    """In place of joblib's ``fork_exec``: a worker is a copy of this process, which has imported all that it needs."""
    if LOKY not in command:
        return fork_exec(command, keep, env)
    child = os.fork()
    if child:
        return child
    open_files = {int(path.name) for path in Path("/proc/self/fd").iterdir()}
    for number in open_files - {0, 1, 2, *map(int, keep)}:
        with suppress(OSError):
            os.close(number)
    sys.argv, sys.stdout, sys.stderr = command[2:], open(os.devnull, "w"), open(os.devnull, "w")  # noqa: SIM115
    try:
        runpy.run_module(LOKY, run_name="__main__", alter_sys=True)
    finally:
        os._exit(0)


def begin(folder: Path, said: Path, copies: bool = True, workers: int = 2) -> int:
    """Start a sweep in some workers in a session of its own; its process, which writes what it has said at its end."""
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        os.setsid()
        with mock.patch("joblib.externals.loky.backend.fork_exec.fork_exec", copied if copies else fork_exec):
            done = memnet(*sweep(folder, workers))
        said.write_text(done.stderr)
        code = done.returncode
    except BaseException as error:
        said.write_text(f"Traceback: {type(error).__name__}: {error}")
    finally:
        os._exit(code)


def workers(session: int) -> list[int]:
    """The workers of the sweep whose session it is: those that joblib started and that train."""
    return [one for one, parent in processes(session).items() if parent == session and is_worker(one)]


def is_worker(process: int) -> bool:
    """Of joblib's other children, which count what is shared, each says what it is."""
    with suppress(OSError):
        return b"resource_tracker" not in Path(f"/proc/{process}/cmdline").read_bytes()
    return False


def rows_of(folder: Path) -> list[tuple[tuple[str, str], ...]]:
    """A sweep's rows in any order, but for the seconds they took. Raises NetworkError where one is lost or doubled."""
    rows = read_rows(folder / "runs.csv")
    return sorted(tuple((name, value) for name, value in row.items() if name not in ("seconds", CHECK)) for row in rows)


def killed(folder: Path, draw: Draw) -> bool:
    """Begin a sweep, and kill it or one of its workers at a random time; whether it was there to be killed."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    said = folder.parent / "said"
    said.unlink(missing_ok=True)
    copies, of_worker = draw.random() < 0.8, draw.random() < 0.5
    sweeping = begin(folder, said, copies)
    time.sleep(draw.uniform(0, LASTS if copies else 3 * LASTS))
    try:
        while of_worker and not workers(sweeping) and not said.exists():
            time.sleep(0.01)
        victims = workers(sweeping) if of_worker else [sweeping]
        if victims and not said.exists():
            os.kill(draw.choice(victims), signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(sweeping, 0)[1])
        started = time.monotonic()
        while processes(sweeping):
            assert time.monotonic() - started < WITHIN, f"still there: {processes(sweeping)}"
            time.sleep(0.05)
    finally:
        for process in processes(sweeping):
            os.kill(process, signal.SIGKILL)
    if code == 1:
        assert "memnet: a worker was killed" in said.read_text(), said.read_text()
        assert "Traceback" not in said.read_text(), said.read_text()
    assert code in (0, 1, -signal.SIGKILL), said.read_text()
    return code != 0


def whole_rows(folder: Path) -> list[tuple[tuple[str, str], ...]]:
    """The rows of a sweep that nobody kills; makes the tasks that the sweeps of a folder train on."""
    tell(folder / "tasks", wander(1, STORIES), wander(2, STORIES))
    (folder / "whole").mkdir()
    ran(*sweep(folder / "whole", 1))
    found = rows_of(folder / "whole")
    assert len(found) == 2 * SEEDS
    return found


def test_two_sweeps_at_once(tmp_path: Path):
    """Of the same runs into the same files: both end well, and each run is trained once."""
    whole = whole_rows(tmp_path)

    def case(draw: Draw) -> None:
        folder = tmp_path / "sweep"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        sweeping = []
        for said in (tmp_path / "first", tmp_path / "second"):
            sweeping.append(begin(folder, said, workers=1))
            time.sleep(draw.uniform(0, 1))
        codes = [os.waitstatus_to_exitcode(os.waitpid(one, 0)[1]) for one in sweeping]
        assert codes == [0, 0], [(tmp_path / name).read_text() for name in ("first", "second")]
        assert rows_of(folder) == whole
        epochs = [path.read_text().count("\n") for path in folder.glob(f"work/*/{METRICS}")]
        assert epochs == [20] * SEEDS, "trained twice"

    run_trial("two-sweeps", case, max(1, number_of_cases() // 10), seconds=120)


def test_killed_sweeps(tmp_path: Path):
    whole = whole_rows(tmp_path)

    def case(draw: Draw) -> None:
        folder = tmp_path / "sweep"
        while not killed(folder, draw):
            pass
        ran(*sweep(folder, 1))
        assert rows_of(folder) == whole
        assert "0 runs to do" in memnet(*sweep(folder, 1)).stdout
        left = [path.name for path in folder.rglob("*") if path.name.endswith(".tmp") or path.name == CHECKPOINT]
        assert not left, left

    run_trial("killed-sweeps", case, min(max(1, number_of_cases() // 10), 50), seconds=300)
