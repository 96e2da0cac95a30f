"""``memnet train``: a thin layer over :func:`memnet.train`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memnet.cli.common import (
    LEARNING,
    NETWORK,
    RUNS,
    STOPS,
    AlignName,
    BaselineName,
    ConfigFile,
    DataFolder,
    FactShare,
    JointFlag,
    ModelName,
    NamesFile,
    OpenVocabularyFlag,
    ReadName,
    Restarts,
    SampleCount,
    ScoreName,
    Settings,
    StartName,
    SupervisionName,
    TaskNames,
    VectorsFile,
    WindowSize,
    check_model,
    fail_stopped,
    plain_errors,
    try_command,
)
from memnet.cli.composing import is_composed, refused_of, train_composers
from memnet.cli.data_sets import groups_of

if TYPE_CHECKING:
    from memnet.config import Training
    from memnet.serve.watch import Watched
    from memnet.tasks.families import Task
    from memnet.training.inputs import Inputs
    from memnet.training.loop import Progress
    from memnet.training.spec import Spec


PresetName = Annotated[str | None, typer.Option(help="A paper's row; 'memnet presets' lists them.", rich_help_panel=NETWORK)]
Seed = Annotated[int, typer.Option(min=0, help="Decides initial weights, data order and noise.", rich_help_panel=LEARNING)]
RunFolder = Annotated[Path | None, typer.Option(help="Folder of the run (one run), or of the runs.", rich_help_panel=RUNS)]
ResumeFlag = Annotated[bool, typer.Option("--resume", help="Go on with a run that was stopped.", rich_help_panel=RUNS)]
WatchFlag = Annotated[
    bool, typer.Option("--watch", help="Show loss, error and what is read, live, in a page.", rich_help_panel=RUNS)
]
WatchPort = Annotated[int, typer.Option(min=0, max=65535, help="Of that page; 0 takes a free one.", rich_help_panel=RUNS)]
Device = Annotated[str, typer.Option(help="auto, cpu, cuda or mps.", rich_help_panel=RUNS)]
WATCH_PORT = 7861
CHOSEN = ("score", "align", "read", "window", "samples", "baseline", "supervision", "facts")  # options that are settings


def train(
    tasks: TaskNames,
    model: ModelName = None,
    preset: PresetName = None,
    restarts: Restarts = None,
    seed: Seed = 0,
    joint: JointFlag = False,
    score: ScoreName = None,
    align: AlignName = None,
    read: ReadName = None,
    window: WindowSize = None,
    samples: SampleCount = None,
    baseline: BaselineName = None,
    supervision: SupervisionName = None,
    facts: FactShare = None,
    vectors: VectorsFile = None,
    open_vocabulary: OpenVocabularyFlag = False,
    names: NamesFile = None,
    start_from: StartName = None,
    config_file: ConfigFile = None,
    settings: Settings = None,
    out: RunFolder = None,
    resume: ResumeFlag = False,
    device: Device = "cpu",
    data: DataFolder = None,
    watch: WatchFlag = False,
    watch_port: WatchPort = WATCH_PORT,
) -> None:
    """Train networks on TASKS and keep the chosen one of each."""
    given = dict(locals())
    import torch

    if is_composed(tasks, model, preset):
        train_composers(tasks, settings or [], seed, out, data, refused_of(given))
        return

    from memnet.api import choose_config, plan_runs
    from memnet.ask.hub import find_network
    from memnet.papers import PRESETS
    from memnet.record.provenance import pick_device
    from memnet.training.inputs import Inputs
    from memnet.training.settings_file import read_settings

    torch.set_num_threads(1)
    check_model(model)
    with plain_errors():
        options = {name: given[name] for name in CHOSEN} | {"open_vocabulary": open_vocabulary or None}
        file = read_settings(config_file) if config_file else None
        name, config = choose_config(model, preset, joint, settings or [], options, vectors is not None, file)
        place = pick_device(device)
        inputs = Inputs(vectors, names, None if start_from is None else find_network(start_from))
        runs = plan_runs(groups_of(tasks, joint, data), name, config, seed, restarts, out, resume, inputs)
        if config.linear_epochs and config.epochs != PRESETS[name].epochs:
            typer.echo(linear_start_note(config))
        watched = page_of(watch, watch_port)
        try:
            make_all(runs, resume, place, inputs, watched)
        except STOPS as error:
            fail_stopped(error, "the same command with --resume goes on")


def page_of(watch: bool, port: int) -> Watched | None:
    """The page of a training that is watched. Raises :class:`~memnet.errors.ConfigError` where a port is given for none."""
    from memnet.errors import ConfigError

    if port != WATCH_PORT and not watch:
        raise ConfigError(f"--watch-port {port} is the port of the page of --watch; give that too, or leave it out")
    return watching(port) if watch else None


def make_all(
    runs: Sequence[tuple[Spec, Sequence[Task], Path]], resume: bool, place: str, inputs: Inputs, watched: Watched | None
) -> None:
    """Make one run after another, and say of each what came of it and where it is; its page stays."""
    from memnet.training.run import make_run

    for spec, group, folder in runs:
        if watched is not None:
            watched.begin(spec, group, folder)
        goes_on = resume and (len(runs) == 1 or folder.exists())
        with progress_bar(spec) as (tick, tell):
            run, made = make_run(spec, group, folder, goes_on, place, inputs, tick, tell=tell, watch=watched)
        if not made:
            typer.echo(f"{folder} is finished already")
            continue
        if watched is not None:
            watched.choose(run["chosen"])
        typer.echo(f"{summary(spec, run)}\nkept in {folder}; {try_command('ask', folder)}")
    if watched is not None:
        stay(watched)


def watching(port: int) -> Watched:
    """What the page of a training shows; it is served from now on, and its address is printed."""
    from memnet.serve.watch import Watched, serve_watched

    watched = Watched()
    at, number = serve_watched(watched, port).server_address[:2]
    typer.echo(f"watch it at http://{at!s}:{number}/")
    return watched


def stay(watched: Watched) -> None:
    """Keep the page of a training that has ended until Ctrl-C."""
    watched.ended = True
    typer.echo("the page stays until Ctrl-C")
    with suppress(KeyboardInterrupt):
        Event().wait()


@contextmanager
def progress_bar(spec: Spec) -> Iterator[tuple[Progress, Callable[[str], None]]]:
    """A bar over epochs with the lowest training error and the time left, and what prints a sentence above it."""
    from tqdm import tqdm

    total = spec.config.linear_epochs + spec.config.epochs
    with tqdm(total=total, desc=spec.what, unit="epoch", leave=False, disable=None) as bar:

        def tick(epoch: int, epochs: int, row: dict[str, float]) -> None:
            if bar.n == 0 and epoch > 1:  # resumed: the time left is judged by what is done from here on
                bar.initial = epoch - 1
            bar.n = min(epoch, total)
            bar.set_postfix_str(f"error {row['train_error']:.1f} %, validation {row['validation_error']:.1f} %")

        yield tick, lambda sentence: bar.write(sentence, file=sys.stdout)


def linear_start_note(config: Training) -> str:
    """How many epochs a run has, where there is a linear start besides those that were asked for."""
    most = "at most " if config.linear_to_validation else ""
    whole = config.linear_epochs + config.epochs
    return (
        f"it trains for {most}{whole} epochs: {most}{config.linear_epochs} without softmax (linear start), "
        f"then {config.epochs} with it; --set linear_start=0 leaves the first out"
    )


def summary(spec: Spec, run: dict[str, Any]) -> str:
    """The line at a run's end; replicas are counted from 1."""
    from memnet.config import RULES
    from memnet.training.result import mean_error

    rows, chosen = run["replicas"], run["chosen"]
    errors = ", ".join(f"{part} {mean_error(rows[chosen], part):.1f}" for part in ("train", "validation", "test"))
    stopped = [f"{row['replica'] + 1} (epoch {row['stopped_epoch']})" for row in rows if row["stopped_epoch"]]
    several = "; one network"
    if spec.restarts > 1:
        tests = [mean_error(row, "test") for row in rows if row["tasks"]]
        several = f"; replica {chosen + 1} of {spec.restarts} by lowest {RULES[spec.config.selection]} error; {spread(tests)}"
    return f"{spec.what}: error % {errors}{several}; {run['seconds']:.0f} s" + (
        f"; stopped with a loss that is not finite: replica {', '.join(stopped)}" if stopped else ""
    )


def spread(tests: Sequence[float]) -> str:
    """The test errors, in percent, of the restarts that were trained to the end; one has neither range nor median."""
    if len(tests) == 1:
        return "no other was trained to the end"
    lowest, *_, highest = sorted(tests)
    return f"test over all {len(tests)}: {lowest:.1f} to {highest:.1f}, median {median(tests):.1f}"
