"""``memnet sweep``: many runs, on this machine's cores or on a cluster."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memnet.cli.common import (
    LEARNING,
    NETWORK,
    RUNS,
    SETTINGS_HELP,
    STOPS,
    Address,
    AlignName,
    BackendName,
    BaselineName,
    ConfigFile,
    DataFolder,
    DeviceName,
    DryRun,
    FactShare,
    JobCount,
    JointFlag,
    ModelName,
    NamesFile,
    ReadName,
    Restarts,
    SampleCount,
    ScoreName,
    SupervisionName,
    TaskNames,
    WindowSize,
    check_model,
    choice,
    fail,
    fail_stopped,
    plain_errors,
)
from memnet.cli.data_sets import groups_of, say_remarks
from memnet.errors import counted

if TYPE_CHECKING:
    from memnet.training.sweep import Job

OWN_RUNS = Path("results/runs.csv")  # that a sweep adds to
GRID_HELP = "Change a setting, as key=value; several values of one, as --set dim=20 --set dim=50, are a grid. " + SETTINGS_HELP


def usable(device: str, backend: str) -> str:
    """A device's name. Raises :class:`~memnet.errors.ConfigError` where there is no such device on this machine.

    A cluster's machines look for it themselves.
    """
    from memnet.record.provenance import DEVICES, pick_device

    choice("--device", device, DEVICES)
    if backend == "local":
        pick_device(device)
    return device


def carry_out(
    todo: Sequence[Job],
    results: Path,
    jobs: int | None,
    backend: str,
    address: str | None,
    dry: bool,
    known: Path | None = None,
    listed: Path | None = None,
) -> None:
    """Do runs with a line for each that is over, or say what they are; ``known`` rows say how long runs take.

    In the end their folders in ``listed`` are shown.
    """
    import json

    from memnet.errors import ConfigError
    from memnet.markdown import duration
    from memnet.record.runs import failures, read_rows
    from memnet.training.run import is_held
    from memnet.training.sweep import Progress, error_of, expected_seconds, named
    from memnet.training.sweep import sweep as run_jobs

    cores = os.cpu_count() or 1
    workers = min(jobs or cores, cores)
    if address is not None and backend == "local":
        raise ConfigError("--address is of a cluster: say which kind, --backend dask or --backend ray")
    rows = read_rows(results) + (read_rows(known) if known not in (None, results) else [])
    expected = expected_seconds(todo, rows)
    if dry:
        for job, seconds in zip(todo, expected, strict=True):
            restarts = f"{job.spec.restarts} restart{'s' * (job.spec.restarts > 1)}"
            typer.echo(f"{named(job.spec)}, {restarts}: {duration(seconds)}")
        needed = max([sum(expected) / workers, *expected])  # no less than the longest run
        typer.echo(f"about {duration(needed)} on {counted(workers, 'core')} like those that made the runs so far")
        return
    results.parent.mkdir(parents=True, exist_ok=True)  # a path that cannot be is found before anything is trained
    if held := sum(is_held(job.folder) for job in todo):
        typer.echo(f"{held} of them another process is training now; what it finishes is not trained again")
    folders = {job.spec: job.folder for job in todo}
    progress = Progress({job.folder: seconds for job, seconds in zip(todo, expected, strict=True)}, workers)
    try:
        for spec, outcome, seconds in run_jobs(todo, results, workers, backend, address):
            failed = isinstance(outcome, str)
            line = progress.over(folders[spec], failed)
            if isinstance(outcome, str):
                outcome_text = f"failed: {outcome}"
            else:
                outcome_text = f"test error {error_of(outcome)} %"
                record = folders[spec] / "run.json"
                if record.exists() and (unusable := json.loads(record.read_text(encoding="utf-8"))["facts"]):
                    typer.echo(f"{spec.what}: {unusable}")
            typer.echo(f"{line} {named(spec)}: {outcome_text}, {seconds:.0f} s")
    except STOPS as error:
        kept = f"finished runs are in {results}, " if results.exists() else ""
        fail_stopped(error, f"{kept}the same command goes on")
    if listed is not None:
        list_folders(listed, [job.folder.name for job in todo])
    if progress.failed:
        fail(f"{counted(progress.failed, 'run')} failed, see {failures(results)}; the same command tries them again")


def list_folders(work: Path, names: Sequence[str]) -> None:
    """Say which of a sweep's folders is of which run, and where this is said of all of them."""
    from memnet.record.index import INDEX, read_index, shown

    index = read_index(work)
    if there := [index[name] for name in sorted(names) if name in index]:
        typer.echo("\n".join(["", *shown(work, there), ""]))
    if index:
        typer.echo(f"{work / INDEX} says of each folder which run it is")


def sweep(
    tasks: TaskNames,
    model: ModelName = None,
    preset: Annotated[list[str] | None, typer.Option(help="A preset; may be repeated.", rich_help_panel=NETWORK)] = None,
    restarts: Restarts = None,
    seed: Annotated[list[int] | None, typer.Option(min=0, help="A seed; may be repeated.", rich_help_panel=LEARNING)] = None,
    joint: JointFlag = False,
    score: ScoreName = None,
    align: AlignName = None,
    read: ReadName = None,
    window: WindowSize = None,
    samples: SampleCount = None,
    baseline: BaselineName = None,
    supervision: SupervisionName = None,
    facts: FactShare = None,
    names: NamesFile = None,
    config_file: ConfigFile = None,
    settings: Annotated[list[str] | None, typer.Option("--set", help=GRID_HELP, rich_help_panel=NETWORK)] = None,
    jobs: JobCount = None,
    results: Annotated[
        Path, typer.Option(help="The file of runs; what it has is not run again.", rich_help_panel=RUNS)
    ] = OWN_RUNS,
    work: Annotated[Path, typer.Option(help="Where run folders and checkpoints go.", rich_help_panel=RUNS)] = Path(
        "runs/sweep"
    ),
    backend: BackendName = "local",
    address: Address = None,
    device: DeviceName = "cpu",
    dry_run: DryRun = False,
    data: DataFolder = None,
) -> None:
    """Train many networks over the machine's cores or a cluster, skipping what is done."""
    from memnet.api import change, choose_presets
    from memnet.config import grid
    from memnet.errors import ConfigError
    from memnet.training.inputs import Inputs
    from memnet.training.settings_file import read_settings
    from memnet.training.sweep import BACKENDS, plan

    check_model(model)
    choice("--backend", backend, BACKENDS)
    with plain_errors():
        file = None if config_file is None else read_settings(config_file)
        chosen = choose_presets(model, preset or [], joint, file)
        options = {"score": score, "align": align, "read": read, "window": window, "samples": samples, "baseline": baseline}
        options |= {"supervision": supervision, "facts": facts}
        configs = [(name, change(name, pairs, options, file)) for name in chosen for pairs in grid(settings or [])]
        if any(config.vectors != "none" for _, config in configs):
            raise ConfigError("a sweep has no file of word vectors; 'memnet train --vectors FILE' takes one")
        groups = groups_of(tasks, joint, data)
        place, inputs = usable(device, backend), None if names is None else Inputs(names=names)
        todo, skipped = plan(groups, configs, seed or [0], restarts, results, work, place, inputs)
        say_remarks((task for group in groups for task in group), err=True)
        typer.echo(f"{counted(len(todo), 'run')} to do, {skipped} done already")
        carry_out(todo, results, jobs, backend, address, dry_run, listed=work)
