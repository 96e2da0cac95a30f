"""Many runs: a parallel map over the machine's cores, one torch thread a process."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memnet.config import Training
from memnet.runs import append_rows, done, execute, identity, opened, rows, specify
from memnet.tasks.published import Task
from memnet.train import DataSet, Spec


@dataclass(frozen=True)
class Job:
    """A run that is still to do."""

    spec: Spec
    tasks: tuple[Task, ...]
    folder: Path

    @property
    def cost(self) -> float:
        """A guess of its length, for the order: sentences read."""
        read = sum(q.after for task in self.tasks for story in task.train for q in story.questions)
        config = self.spec.config
        return read * (config.epochs + config.linear_epochs) * getattr(config, "dim", 1)


def plan(
    groups: Sequence[Sequence[Task]],
    presets: Mapping[str, Training],
    seeds: Sequence[int],
    size: str,
    variant: str,
    restarts: int | None,
    results: Path,
    work: Path,
) -> tuple[list[Job], int]:
    """The runs of ``presets`` (with settings changed or not) that ``results`` lacks, longest first, and how many it has."""
    finished = done(results)
    jobs, skipped = [], 0
    for preset, config in presets.items():
        for group in groups:
            for seed in seeds:
                spec = specify(group, preset, config, size, variant, seed, restarts)
                if identity(spec) in finished:
                    skipped += 1
                    continue
                finished.add(identity(spec))  # named twice, it is run once
                key = hashlib.sha256(json.dumps(identity(spec)).encode()).hexdigest()[:16]
                jobs.append(Job(spec, tuple(group), work / key))
    return sorted(jobs, key=lambda job: -job.cost), skipped


def run(job: Job) -> tuple[Spec, list[dict[str, str]] | str, float]:
    """One run in a worker: its rows, or the error that ended it."""
    import torch

    torch.set_num_threads(1)
    started = time.monotonic()
    spec, folder = job.spec, job.folder
    try:
        with opened(folder, spec, resume=folder.exists()) as finished:
            outcome = finished or execute(spec, DataSet.of(job.tasks, spec.config), folder, every=20.0)
            return spec, rows(spec, outcome), time.monotonic() - started
    except Exception as error:  # a run that fails is reported and does not stop the rest
        return spec, f"{type(error).__name__}: {error}", time.monotonic() - started


def sweep(jobs: Sequence[Job], results: Path, workers: int) -> Iterator[tuple[Spec, list[dict[str, str]] | str, float]]:
    """Do the runs; every finished one is in ``results`` before it is yielded."""
    from joblib import Parallel, delayed

    parallel = Parallel(n_jobs=workers, return_as="generator_unordered", batch_size=1, pre_dispatch="2*n_jobs")
    for spec, outcome, seconds in parallel(delayed(run)(job) for job in jobs):
        if not isinstance(outcome, str):
            append_rows(results, outcome)
        yield spec, outcome, seconds
