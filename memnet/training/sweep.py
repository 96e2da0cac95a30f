"""Many runs: a parallel map over the machine's cores or a cluster, one torch thread a process."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import socket
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from memnet import plugins
from memnet.config import Training
from memnet.errors import BusyError, ConfigError, TrainingError, extra_needed
from memnet.files import leftovers, write_atomically
from memnet.locks import locked
from memnet.markdown import duration
from memnet.record.index import ERRORS, add_to_index
from memnet.record.provenance import pick_device
from memnet.record.runs import append_rows, done, failures
from memnet.tasks.families import Task
from memnet.training.inputs import Inputs
from memnet.training.process import end_with
from memnet.training.run import make_run, rows
from memnet.training.spec import Spec, default_folder, identity, settings, specify

BACKENDS = ("local", "dask", "ray")
LONGEST_NAME = 70  # letters of a folder's name before its seed

Packed = tuple[Sequence[Path], bytes]  # the files of plugins and a pickled job, see run_elsewhere
Outcome = tuple[Spec, list[dict[str, str]] | str, float]  # rows, or the error that ended the run, and its seconds


@dataclass(frozen=True)
class Job:
    """A run that is still to do."""

    spec: Spec
    tasks: tuple[Task, ...]
    folder: Path
    device: str = "cpu"  # or auto, cuda, mps
    inputs: Inputs | None = None

    @property
    def cost(self) -> float:
        """A guess of its length, for the order: sentences read."""
        read = sum(q.after for task in self.tasks for story in task.train for q in story.questions)
        config = self.spec.config
        return read * (config.epochs + config.linear_epochs) * config.dim


def plan(
    groups: Sequence[Sequence[Task]],
    presets: Iterable[tuple[str, Training]],
    seeds: Sequence[int],
    restarts: int | None,
    results: Path,
    work: Path,
    device: str = "cpu",
    inputs: Inputs | None = None,
) -> tuple[list[Job], int]:
    """The runs of ``presets`` with their settings that ``results`` lacks, longest first, and how many it has.

    Raises :class:`ConfigError` where a preset has no use for ``inputs``.
    """
    finished = done(results)
    jobs, skipped = [], 0
    for preset, config in presets:
        if inputs is not None:
            inputs.check(config)
        for group in groups:
            for seed in seeds:
                spec = specify(group, preset, config, seed, restarts, inputs)
                if identity(spec) in finished:
                    skipped += 1
                    continue
                finished.add(identity(spec))  # named twice, it is run once
                jobs.append(Job(spec, tuple(group), folder_of(spec, work), device, inputs))
    return sorted(jobs, key=lambda job: -job.cost), skipped


def folder_of(spec: Spec, work: Path) -> Path:
    """Where a sweep trains a run: a name that says data, preset, settings and seed, and ends in digits of its identity.

    A folder that memnet 0.2 named by digits alone is gone on with.
    """
    key = hashlib.sha256(json.dumps(identity(spec)).encode()).hexdigest()
    said, _, seed = default_folder(spec).name.rpartition("-")
    before = work / key[:16]
    return before if before.exists() else work / f"{said[:LONGEST_NAME]}-{seed}-{key[:8]}"


def expected_seconds(jobs: Sequence[Job], known: Sequence[Mapping[str, str]]) -> list[float]:
    """How long each run may take one core of the machine that ``known`` rows were made on.

    As long as the same preset took on the same data, whatever its settings; else as long as its model took for a
    sentence that is read, in the mean over all jobs that are known; a minute where nothing is known.
    """
    took: dict[tuple[str, str], list[float]] = {}
    for row in known:
        took.setdefault((row["preset"], row["data"]), []).append(float(row["seconds"]))
    found: list[float | None] = []
    rates: dict[str, list[float]] = {}
    for job in jobs:
        spec = job.spec
        same = took.get((spec.preset, " ".join(spec.data)))
        found.append(statistics.mean(same) * spec.restarts if same else None)
        if same:
            rates.setdefault(spec.model, []).append(statistics.mean(same) / max(1.0, job.cost))
    return [
        seconds
        if seconds is not None
        else statistics.mean(rates[job.spec.model]) * job.cost * job.spec.restarts
        if job.spec.model in rates
        else 60.0
        for job, seconds in zip(jobs, found, strict=True)
    ]


@dataclass
class Progress:
    """How far a sweep is: ``expected`` seconds of each run by its folder, ``workers`` at once."""

    expected: dict[Path, float]
    workers: int
    started: float = field(default_factory=time.monotonic)
    finished: int = 0
    failed: int = 0
    past: float = 0.0  # expected seconds of what is over

    @property
    def left(self) -> float:
        """Seconds left: what was expected of the rest, as much slower or faster as what is over was."""
        rest = max(0.0, sum(self.expected.values()) - self.past)
        pace = (time.monotonic() - self.started) / self.past if self.past else 1 / self.workers
        return rest * pace

    def over(self, folder: Path, failed: bool) -> str:
        """Count a run that is over; the line that says where the sweep is."""
        self.finished += 1
        self.failed += failed
        self.past += self.expected[folder]
        total = len(self.expected)
        running = min(self.workers, total - self.finished)
        return (
            f"[{self.finished - self.failed}/{total} done, {running} running, {self.failed} failed, {duration(self.left)} left]"
        )


def run(job: Job) -> Outcome:
    """One run in a worker: its rows, or the error that ended it. A run that another process is at is waited for."""
    import torch

    torch.set_num_threads(1)
    started = time.monotonic()
    spec, folder = job.spec, job.folder
    try:
        while True:
            try:
                outcome, _ = make_run(spec, job.tasks, folder, None, pick_device(job.device), job.inputs, every=20.0)
                return spec, rows(spec, outcome), time.monotonic() - started
            except BusyError:
                time.sleep(1.0)
    except Exception as error:  # a run that fails is reported and does not stop the rest
        return spec, f"{type(error).__name__}: {error}", time.monotonic() - started


def run_elsewhere(files: Sequence[Path], job: bytes) -> Outcome:
    """A pickled :class:`Job` in a worker, which first loads the same plugins: the job may be of a model of theirs."""
    plugins.load_installed()
    for path in files:
        plugins.load(path)
    return run(pickle.loads(job))


def named(spec: Spec) -> str:
    """A run in words: data, preset, what of it is changed, and seed."""
    return " ".join(part for part in (spec.what, spec.preset, settings(spec), f"seed {spec.seed}") if part)


def error_of(outcome: Sequence[Mapping[str, str]], part: str = "test_error") -> str:
    """Of the chosen network of a run, the mean over its data sets, in percent; empty where there is none."""
    errors = next(row for row in outcome if row["chosen"] == "1")[part].replace("-", "").split()
    return f"{statistics.mean(map(float, errors)):.1f}" if errors else ""


def list_run(job: Job, outcome: list[dict[str, str]] | str) -> None:
    """Say in the sweep's index which run a folder is of, and how it ended; an index that cannot be written ends no sweep."""
    spec, inputs = job.spec, job.inputs or Inputs()
    entry = {
        "folder": job.folder.name,
        "data": " ".join(spec.data),
        "hash": spec.short_hash,
        "names": "" if inputs.names is None else inputs.names.as_posix(),
        "names_hash": inputs.names_hash,
        "preset": spec.preset,
        "settings": settings(spec),
        "seed": str(spec.seed),
        "restarts": str(spec.restarts),
        **{part: "" if isinstance(outcome, str) else error_of(outcome, part) for part in ERRORS},
        "error": outcome if isinstance(outcome, str) else "",
    }
    with suppress(OSError, ConfigError):
        add_to_index(job.folder.parent, entry)


def record_failure(results: Path, spec: Spec, error: str) -> None:
    """Add a crashed run with its error beside ``results``; it is tried again by the next sweep."""
    path = failures(results)
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(Path(f"{results}.lock")):
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        for part in leftovers(path):
            part.unlink(missing_ok=True)
        line = {"run": named(spec), "error": error, "spec": spec.flat()}
        write_atomically(path, before + json.dumps(line, ensure_ascii=False) + "\n")


def forget_failure(results: Path, spec: Spec) -> None:
    """Take out what is recorded of a run's crashes, once it is finished."""
    path = failures(results)
    if not path.exists():
        return
    with locked(Path(f"{results}.lock")):
        lines = path.read_text(encoding="utf-8").splitlines()
        left = [line for line in lines if json.loads(line)["spec"] != json.loads(json.dumps(spec.flat()))]
        if not left:
            path.unlink()
        elif left != lines:
            write_atomically(path, "\n".join(left) + "\n")


def sweep(
    jobs: Sequence[Job], results: Path, workers: int, backend: str = "local", address: str | None = None
) -> Iterator[Outcome]:
    """Do the runs; every finished one is in ``results`` before it is yielded, every crashed one in :func:`failures`.

    On a cluster the stories travel with the runs, and the rows come back; a run's folder stays where it was made.
    Raises :class:`TrainingError` where a worker of this machine was killed.
    """
    by_spec = {job.spec: job for job in jobs}
    with cluster(backend, address, workers) as outcomes:
        try:
            for spec, outcome, seconds in outcomes((tuple(plugins.LOADED), pickle.dumps(job)) for job in jobs):
                list_run(by_spec[spec], outcome)
                if isinstance(outcome, str):
                    record_failure(results, spec, outcome)
                else:
                    forget_failure(results, spec)
                    append_rows(results, outcome)  # the last: what is in the results is not done again
                yield spec, outcome, seconds
        except BrokenProcessPool as error:
            raise TrainingError(
                "a worker was killed, by a person or by a system that is short of memory; what is finished is kept, and the "
                "same command goes on (with fewer --jobs it takes less memory)"
            ) from error


def reachable(address: str) -> None:
    """Raise OSError where nothing answers at ``host:port``, for which Ray itself asks for minutes."""
    host, _, port = address.rpartition("//")[2].rpartition(":")
    if port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=20).close()


def own_processes() -> Any:
    """joblib's workers on this machine, which end with this process, however it ends; a cluster looks after its own.

    They do so from their first moment: one that was started and has no run yet would wait for minutes.
    """
    from joblib.parallel import LokyBackend

    class Watching(LokyBackend):  # type: ignore[misc]
        """Workers that begin by looking after the process that started them."""

        def configure(self, *given: Any, **more: Any) -> Any:
            """With what each worker does first."""
            return super().configure(*given, **more, initializer=end_with, initargs=(os.getpid(),))

    return Watching()


def by_joblib(workers: int, todo: Iterable[Packed]) -> Iterator[Outcome]:
    """The outcomes of runs as they end, of as many workers at once, -1 for all that there are."""
    from joblib import Parallel, delayed

    parallel = Parallel(n_jobs=workers, return_as="generator_unordered", batch_size=1)
    yield from parallel(delayed(run_elsewhere)(*packed) for packed in todo)


def by_ray(todo: Iterable[Packed]) -> Iterator[Outcome]:
    """The same on a Ray cluster, a task a run; one whose worker dies is given to another."""
    import ray

    task = ray.remote(max_retries=-1)(run_elsewhere)
    running = [task.remote(*packed) for packed in todo]
    while running:
        (done,), running = ray.wait(running)
        yield ray.get(done)


@contextmanager
def cluster(backend: str, address: str | None, workers: int) -> Iterator[Callable[[Iterable[Packed]], Iterator[Outcome]]]:
    """What does the runs: as many workers on this machine, or all of a running cluster.

    Raises :class:`~memnet.errors.ConfigError` where the cluster or its package is missing.
    """
    from joblib import parallel_config

    if backend == "local":
        with parallel_config(backend=own_processes()):
            yield partial(by_joblib, workers)
        return
    if address is None:
        raise ConfigError(f"--backend {backend} needs the cluster's --address")
    try:
        if backend == "dask":
            from distributed import Client

            with Client(address, timeout=20), parallel_config(backend="dask"):
                yield partial(by_joblib, -1)
            return
        import ray

        reachable(address)
        ray.init(address=address, log_to_driver=False)
        try:
            yield by_ray
        finally:
            ray.shutdown()
    except ImportError as error:
        package = "distributed" if backend == "dask" else "ray"
        raise ConfigError(extra_needed(f"--backend {backend}", package, backend)) from error
    except (OSError, TimeoutError, ConnectionError) as error:
        raise ConfigError(f"there is no {backend} cluster at {address}: {error}") from error
