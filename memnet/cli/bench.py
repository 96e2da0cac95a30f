"""``memnet bench``: speed and memory on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memnet.cli.bench_long import bench_babilong, bench_reading, check_folder
from memnet.cli.common import (
    DataFolder,
    JointFlag,
    ModelName,
    PublishedFile,
    Restarts,
    RunOrOwn,
    Settings,
    check_model,
    groups_of,
    plain_errors,
    trained_on,
)

EVERYDAY = Path("tests/everyday_stories.txt")  # of a checkout

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Measure speed and memory on this machine.")


@app.command("train")
def bench_train(
    tasks: Annotated[list[str] | None, typer.Argument(help="Tasks to train on.")] = None,
    model: ModelName = None,
    preset: Annotated[list[str] | None, typer.Option(help="A preset; may be repeated.")] = None,
    restarts: Restarts = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long to measure each task.")] = 5.0,
    joint: JointFlag = False,
    data: DataFolder = None,
) -> None:
    """Training speed on one core, one thread: examples a second over all replicas, ms a step, peak memory."""
    from memnet.api import choose_presets, preset_named
    from memnet.errors import ConfigError
    from memnet.measure.speed import training
    from memnet.models import MODELS, model_of

    check_model(model)
    with plain_errors():
        names = choose_presets(model, preset or [], joint)
        for name in names:
            if MODELS[model_of(preset_named(name))].fitted:
                raise ConfigError(f"{name} is fitted in one piece; there are no training steps to measure")
        groups = groups_of(tasks or [f"babi/qa{number}" for number in (1, 2, 3, 14)], joint, data)
        typer.echo(f"{'preset':<20} {'task':<6} {'examples/s':>11} {'ms/step':>9} {'peak MiB so far':>16}   batch x replicas")
        for name in names:
            config = preset_named(name)
            count = restarts or config.default_restarts
            for group in groups:
                speed = training(group, config, count, seconds)
                what = group[0].name if len(group) == 1 else "joint"
                typer.echo(
                    f"{name:<20} {what:<6} {speed.examples:>11,.0f} {speed.milliseconds:>9.2f} {speed.peak:>16.0f}   "
                    f"{config.batch} x {count}"
                )


@app.command("answer")
def bench_answer(
    sizes: Annotated[list[int] | None, typer.Argument(min=1, help="Statements; 10 to 1,000,000 by default.")] = None,
    seconds: Annotated[float, typer.Option(min=0.0, help="How long to ask about each, at least three questions.")] = 1.0,
) -> None:
    """Questions about long stories: an untrained MemN2N of width 20 and three hops that has taken the story in."""
    from memnet.measure.speed import answering

    with plain_errors():
        typer.echo(f"{'statements':>10} {'taken in, s':>12} {'ms an answer':>13} {'peak MiB so far':>16}")
        for one in answering(sizes or [10, 1000, 10_000, 100_000, 1_000_000], seconds):
            typer.echo(f"{one.statements:>10,} {one.encoding:>12.2f} {one.milliseconds:>13.2f} {one.peak:>16.0f}")


@app.command("serve")
def bench_serve(
    runs: Annotated[list[str] | None, typer.Argument(metavar="RUN", help="Networks' folders; else the package's.")] = None,
    clients: Annotated[int, typer.Option(min=1, max=90, help="Who ask at the same time, each without a pause.")] = 20,
    seconds: Annotated[float, typer.Option(min=0.0, help="How long.")] = 60.0,
) -> None:
    """How memnet serve stands up to many at once: questions without an answer, waiting times, the server's memory."""
    from memnet.measure.load import load

    with plain_errors():
        found = load(runs or [], clients, seconds)
    typer.echo(f"{'asked by':<10} {'questions':>10} {'failures':>9} {'p50, ms':>9} {'p99, ms':>9}")
    for one in found.waits:
        typer.echo(f"{one.way:<10} {one.questions:>10,} {one.failures:>9,} {one.p50:>9,.0f} {one.p99:>9,.0f}")
    typer.echo(f"memory of the server: {found.before:,.0f} MiB before, {found.after:,.0f} MiB after")


@app.command("attention")
def bench_attention(
    sizes: Annotated[list[int] | None, typer.Argument(min=1, help="Memories; 10 to 100,000 by default.")] = None,
    seconds: Annotated[float, typer.Option(min=0.0, help="How long to measure each, at least three times.")] = 0.2,
    write: Annotated[Path | None, typer.Option(help="A file for the table.")] = None,
) -> None:
    """Every score, alignment and read forward and backward: ms, and MiB kept for the backward pass."""
    from memnet.files import write_atomically
    from memnet.markdown import markdown_table
    from memnet.measure.speed import attention

    sizes = sizes or [10, 100, 1000, 10_000, 100_000]
    found: dict[str, dict[int, str]] = {}
    with plain_errors():
        for name, size, one in attention(sizes, seconds):
            found.setdefault(name, {})[size] = f"{one.milliseconds:,.2f} ms, {one.kept:,.2f}"
        table = markdown_table(
            ["score, alignment, read", *(f"{size:,}" for size in sizes)],
            [[name, *(costs[size] for size in sizes)] for name, costs in found.items()],
        )
        text = (
            "One query a story, 4 stories of width 32, one thread: milliseconds forward and backward, and MiB kept for the "
            f"backward pass, by memories.\n\n{table}"
        )
        if write is not None:
            write_atomically(write, text + "\n")
    typer.echo(text)


@app.command("reinforce")
def bench_reinforce(
    number: Annotated[int, typer.Option(min=2, help="Estimates of each kind.")] = 1000,
    write: Annotated[Path | None, typer.Option(help="A file for the table.")] = None,
) -> None:
    """The gradient of hard attention: bias, spread and time by samples, baseline and memories."""
    from memnet.files import write_atomically
    from memnet.markdown import markdown_table
    from memnet.measure.speed import estimates

    head = ["memories", "baseline", "samples T", "mean error", "of an unbiased mean", "error of one estimate", "ms"]
    with plain_errors():
        rows = [
            [
                f"{one.memories}",
                one.baseline,
                f"{one.samples}",
                *(f"{value:.3f}" for value in (one.bias, one.chance)),
                *(f"{value:.2f}" for value in (one.deviation, one.milliseconds)),
            ]
            for one in estimates([5, 50, 500], [1, 2, 5, 10, 20], number)
        ]
        text = (
            "The estimated gradient of the expected loss against the exact one (summed over all addresses), one hop, 16 "
            f"questions whose expected losses differ, {number:,} estimates: lengths relative to the exact gradient's.\n\n"
            + markdown_table(head, rows, align="rlrrrrr")
        )
        if write is not None:
            write_atomically(write, text + "\n")
    typer.echo(text)


@app.command("memory")
def bench_memory(
    sizes: Annotated[list[int] | None, typer.Argument(min=10, help="Statements; 10 to 10,000 by default.")] = None,
    preset: Annotated[list[str] | None, typer.Option(help="A preset; may be repeated; those compared by default.")] = None,
    questions: Annotated[int, typer.Option(min=1, help="Of each size; a tenth beyond 1,000 statements.")] = 200,
    retrieve: Annotated[bool, typer.Option("--retrieve", help="A network reads what the retriever finds, not all.")] = False,
    settings: Settings = None,
    write: Annotated[Path | None, typer.Option(help="A file for the numbers, as CSV.")] = None,
) -> None:
    """Error, time and memory as the memory grows: task 1 simulated, trained with few distractor sentences, asked with many."""
    from memnet.api import change, preset_named
    from memnet.errors import ConfigError
    from memnet.files import write_atomically
    from memnet.measure.growth import scaling, with_memory_size
    from memnet.papers.ours import COMPARED
    from memnet.record.measurements import write_csv

    found = []
    with plain_errors():
        names, sizes = preset or [presets["1k"] for presets in COMPARED.values()], sizes or [10, 100, 1000, 10_000]
        check_folder(write)
        configs = {name: change(name, settings or [], {}) for name in names}
        for name, config in configs.items():
            if config.memory_size < max(sizes) and config.memory_size != preset_named(name).memory_size:
                raise ConfigError(
                    f"memory_size={config.memory_size} is set, and {max(sizes):,} statements are to be remembered"
                )
        configs = {name: with_memory_size(config, max(sizes)) for name, config in configs.items()}
        typer.echo(f"{'preset':<20} {'statements':>10} {'error %':>8} {'ms an answer':>13} {'peak MiB':>9}   questions")
        for one in scaling(configs, sizes, questions, retrieve):
            found.append(one)
            typer.echo(
                f"{one.preset:<20} {one.statements:>10,} {one.error:>8.1f} {one.milliseconds:>13.2f} {one.peak:>9.0f}   "
                f"{one.questions}"
            )
            if write is not None:
                write_atomically(write, write_csv(found))


@app.command("models")
def bench_models(
    runs: Annotated[list[Path], typer.Argument(help="Folders of networks trained on one task.")],
    questions: Annotated[int, typer.Option(min=1, help="Asked one by one.")] = 200,
    write: Annotated[Path | None, typer.Option(help="A file for the numbers, as CSV.")] = None,
    data: DataFolder = None,
) -> None:
    """Parameters of trained networks; of an answer to test questions its milliseconds and operations of matrix products."""
    from memnet.errors import NetworkError
    from memnet.files import write_atomically
    from memnet.measure.growth import cost
    from memnet.models.checkpoint import load_network
    from memnet.record.measurements import write_csv

    found = []
    with plain_errors():
        check_folder(write)
        loaded = [(run, load_network(run)[2]) for run in runs]
        tasks = {" ".join(saved["data"]) for _, saved in loaded}
        if len(tasks) > 1 or " " in next(iter(tasks)):
            raise NetworkError(f"expected networks of one task, the same for all; these are of {', '.join(sorted(tasks))}")
        typer.echo(f"{'preset':<24} {'width':>5} {'parameters':>10} {'ms an answer':>13} {'Mflop':>8}")
        for run, saved in loaded:
            one = cost(run, trained_on(run, saved, data=data)[0], questions)
            found.append(one)
            figures = f"{one.width:>5} {one.parameters:>10,} {one.milliseconds:>13.2f} {one.flops / 1e6:>8.2f}"
            typer.echo(f"{one.preset:<24} {figures}")
        if write is not None:
            write_atomically(write, write_csv(found))


@app.command("unseen-names")
def bench_unseen_names(
    run: RunOrOwn = None,
    task: Annotated[list[str] | None, typer.Option(help="Only this task, such as qa2; may be repeated.")] = None,
    stories: Annotated[Path, typer.Option(help="Stories in everyday words; left out where there is no such file.")] = EVERYDAY,
    seed: Annotated[int, typer.Option(min=0, help="Which new names the stories get.")] = 0,
    write: Annotated[Path | None, typer.Option(help="A file for the page, results/open.md; its numbers beside it.")] = None,
    published: PublishedFile = None,
    data: DataFolder = None,
) -> None:
    """Names never met: test errors with people and everything renamed, refusals, calibration, everyday stories, speed."""
    import torch

    from memnet.ask.hub import find_network
    from memnet.ask.predictor import Predictor
    from memnet.files import write_atomically
    from memnet.measure.everyday import read_everyday
    from memnet.measure.measured import About, Measured, as_csv, of_network
    from memnet.measure.unseen_names import of_everyday, of_task
    from memnet.reports.recorded import PUBLISHED, recorded
    from memnet.reports.unseen_names_page import unseen_names_page
    from memnet.tasks.families import find

    torch.set_num_threads(1)
    with plain_errors():
        check_folder(write)
        folder = find_network(run)
        predictor = Predictor.load(folder)
        rows = []
        for one in find(task or ["babi/all"], data):
            new = of_task(predictor, one, seed)
            rows += new
            typer.echo(f"{one.name}: " + ", ".join(f"{row.measure} {row.value:.1f}" for row in new), err=True)
        if stories.exists():
            rows += of_everyday(predictor, read_everyday(stories))
        measured = Measured(About.of(predictor, folder), [*rows, *of_network(predictor, folder)])
        page = unseen_names_page(measured, published or recorded(PUBLISHED))
        if write is not None:
            write_atomically(write.with_suffix(".csv"), as_csv(measured))
            write_atomically(write, page)
    typer.echo(page, nl=False)


app.command("babilong")(bench_babilong)
app.command("reading")(bench_reading)
