"""Sweeps that are killed, crash or run twice at once, on clusters too."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from memnet.config import override
from memnet.errors import ConfigError
from memnet.papers import PRESETS
from memnet.record.runs import COLUMNS, failures, read_rows
from memnet.tasks.families.folder import own_tasks
from memnet.training.dataset import DataSet
from memnet.training.run import make_run
from memnet.training.sweep import Progress, cluster, expected_seconds, plan, run, sweep
from tests.conftest import ran, refused, tell, wander

SETTINGS = ("--preset", "pe-ls-rn", "--restarts", "2", "--set", "linear_start=2")


@pytest.fixture
def three_tasks(tmp_path: Path) -> Path:
    """A folder with three tasks of our own."""
    for number in range(3):
        tell(tmp_path / "tasks", wander(10 * number + 1, 40), wander(10 * number + 2, 40), f"t{number}")
    return tmp_path / "tasks"


def sweeping(folder: Path, results: Path, *more: str) -> list[str]:
    command = [sys.executable, "-m", "memnet", "sweep", str(folder), *SETTINGS, "--results", str(results)]
    return [*command, "--work", str(results.parent / "work"), "--jobs", "2", *more]


def errors(results: Path) -> list[tuple[str, ...]]:
    """What the runs in a file came to, without how long they took."""
    return sorted(tuple(row[name] for name in COLUMNS if name != "seconds") for row in read_rows(results))


@pytest.mark.slow
def test_a_killed_sweep_goes_on_and_ends_as_one_that_never_was(three_tasks: Path, tmp_path: Path):
    whole, cut = tmp_path / "whole" / "runs.csv", tmp_path / "cut" / "runs.csv"
    more = ("--set", "epochs=150")
    subprocess.run(sweeping(three_tasks, whole, *more), check=True, capture_output=True, timeout=300)
    process = subprocess.Popen(
        sweeping(three_tasks, cut, *more), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    work, waited = cut.parent / "work", time.monotonic()
    while not any(work.glob("*/metrics.jsonl")):  # until a training is under way
        assert time.monotonic() - waited < 120
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert len(read_rows(cut)) < 6
    again = subprocess.run(sweeping(three_tasks, cut, *more), capture_output=True, text=True, timeout=300)
    assert again.returncode == 0, again.stderr
    assert errors(cut) == errors(whole)
    assert "0 runs to do, 3 done already" in ran(*sweeping(three_tasks, cut, *more)[3:]).stdout


def test_two_sweeps_at_once_write_every_run_once(three_tasks: Path, tmp_path: Path, programs: Path):
    results = tmp_path / "runs.csv"
    command = [programs / "memnet", *sweeping(three_tasks, results)[3:-4], "--jobs", "1", "--set", "epochs=3", "--work"]
    both = [
        subprocess.Popen([*command, tmp_path / f"work{n}"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for n in range(2)
    ]
    for process in both:
        _, told = process.communicate(timeout=300)
        assert process.returncode == 0, told
    assert len(read_rows(results)) == 6


def test_a_folder_that_another_process_makes_meanwhile_is_gone_on_with(three_tasks: Path, tmp_path: Path, monkeypatch):
    """Between a sweep's look at a folder and its training: the other process is faster, here with all of it."""
    config = override(PRESETS["bow"], {"epochs": 1})
    tasks = own_tasks(three_tasks)[:1]
    (job,), _ = plan([tasks], [("bow", config)], [0], 1, tmp_path / "runs.csv", tmp_path / "work")
    before = DataSet.of

    def meanwhile(*given: Any) -> DataSet:
        monkeypatch.setattr(DataSet, "of", before)
        make_run(job.spec, job.tasks, job.folder)
        return before(*given)

    monkeypatch.setattr(DataSet, "of", meanwhile)
    _, outcome, _ = run(job)
    assert not isinstance(outcome, str), outcome
    assert (job.folder / "run.json").exists()


def test_a_crashed_run_is_recorded_with_its_error(three_tasks: Path, tmp_path: Path):
    results = tmp_path / "runs.csv"
    blocked = tmp_path / "work"
    config = override(PRESETS["bow"], {"epochs": 1})
    jobs, _ = plan([[task] for task in own_tasks(three_tasks)], [("bow", config)], [0], 1, results, blocked)
    blocked.mkdir()
    jobs[1].folder.write_text("no folder")
    outcomes = list(sweep(jobs, results, 1))
    assert sum(isinstance(outcome, str) for _, outcome, _ in outcomes) == 1
    assert len(read_rows(results)) == 2
    told = [json.loads(line) for line in failures(results).read_text(encoding="utf-8").splitlines()]
    assert [line["spec"]["data"] for line in told] == [list(jobs[1].spec.data)]
    assert "is a file" in told[0]["error"]
    options = ["--preset", "bow", "--set", "epochs=1", "--restarts", 1, "--results", results, "--work", tmp_path / "other"]
    done = ran("sweep", three_tasks, *options)  # tries it again, and here nothing is in its way
    assert not failures(results).exists()
    assert "[1/1 done, 0 running, 0 failed, 0 s left]" in done.stdout


def test_the_plan_says_how_long(three_tasks: Path, tmp_path: Path):
    results = tmp_path / "runs.csv"
    done = ran(*sweeping(three_tasks, results, "--dry-run")[3:])
    assert "own/t1 pe-ls-rn linear_start=2 seed 0, 2 restarts: 60 s" in done.stdout  # nothing is known of it
    assert "about 2 min on 2 cores" in done.stdout or os.cpu_count() == 1
    assert not results.exists()


def test_expected_times_and_what_is_left(three_tasks: Path, tmp_path: Path):
    groups = [[task] for task in own_tasks(three_tasks)]
    configs = {name: PRESETS[name] for name in ("bow", "dmn-plus")}
    jobs, _ = plan(groups, configs.items(), [0], 2, tmp_path / "runs.csv", tmp_path)
    known = [{"preset": "bow", "data": "own/t0", "seconds": seconds} for seconds in "35"]
    expected = dict(zip([(job.spec.preset, job.spec.what) for job in jobs], expected_seconds(jobs, known), strict=True))
    assert expected["bow", "own/t0"] == 8.0  # two restarts
    assert expected["bow", "own/t1"] == pytest.approx(8.0)  # stories as long
    assert expected["dmn-plus", "own/t0"] == 60.0
    paths = [Path(name) for name in "abcd"]
    progress = Progress(dict(zip(paths, (10.0, 10.0, 20.0, 40.0), strict=True)), 2)
    assert progress.left == 40.0
    progress.started -= 5
    assert progress.over(paths[3], False).startswith("[1/4 done, 2 running, 0 failed, 5 s left]")
    assert "1 failed" in progress.over(paths[0], True)


def port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Cluster(NamedTuple):
    """A cluster on this machine: where it listens, and the processes that do its runs, which may be killed."""

    address: str
    workers: Callable[[], list[int]]


@pytest.fixture
def dask_cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler and two workers, each with a nanny that starts another where it dies."""
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    address = f"tcp://127.0.0.1:{port()}"
    worker = ["dask_worker", address, "--nthreads", "1", "--no-dashboard"]
    started = [
        subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{name}", *rest],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=tmp_path,
        )
        for name, *rest in (["dask_scheduler", "--host", address, "--no-dashboard"], worker, worker)
    ]
    yield Cluster(address, lambda: [child for nanny in started[1:] for child in children(nanny.pid, "spawn_main")])
    for process in reversed(started):
        process.terminate()
        process.wait(timeout=30)


@pytest.fixture
def ray_cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A head node with two cores."""
    ray = pytest.importorskip("ray", reason="the extra ray is not installed")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    psutil = pytest.importorskip("psutil")

    def workers() -> list[int]:
        processes = psutil.Process().children(recursive=True)
        return [one.pid for one in processes if one.name().startswith("ray::run")]

    yield Cluster(ray.get_runtime_context().gcs_address, workers)
    ray.shutdown()


def children(pid: int, named: str) -> list[int]:
    """The processes that a process started, of those whose command line has a word."""
    psutil = pytest.importorskip("psutil")
    return [one.pid for one in psutil.Process(pid).children(recursive=True) if named in " ".join(one.cmdline())]


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["dask", "ray"])
def test_a_sweep_on_a_cluster_ends_as_one_here_though_a_worker_is_killed(
    backend: str, three_tasks: Path, tmp_path: Path, request: pytest.FixtureRequest
):
    cluster: Cluster = request.getfixturevalue(f"{backend}_cluster")
    here, there = tmp_path / "here" / "runs.csv", tmp_path / "there" / "runs.csv"
    more = ("--set", "epochs=150")
    subprocess.run(sweeping(three_tasks, here, *more), check=True, capture_output=True, timeout=300)
    command = sweeping(three_tasks, there, *more, "--backend", backend, "--address", cluster.address)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        started = time.monotonic()
        while not any((there.parent / "work").glob("*/metrics.jsonl")):  # until a training is under way
            assert process.poll() is None
            assert time.monotonic() - started < 300
            time.sleep(0.02)
        os.kill(cluster.workers()[0], signal.SIGKILL)
        said, _ = process.communicate(timeout=500)
    assert process.returncode == 0, said
    assert "[3/3 done, 0 running, 0 failed, 0 s left]" in said
    assert errors(here) == errors(there)  # every run once


def test_a_cluster_that_is_not_there_is_named():
    with pytest.raises(ConfigError, match="--backend dask needs the cluster's --address"), cluster("dask", None, 1):
        pass
    assert "--backend must be local or dask or ray" in refused("sweep", "qa1", "--backend", "slurm")
