"""The command line. Heavy packages are imported inside the commands: ``memnet --help`` answers at once."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

if TYPE_CHECKING:
    from memnet.answer import Answerer
    from memnet.tasks.published import Task
    from memnet.train import Spec

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Memory networks that answer questions about a story: train, evaluate and ask them.",
)
data_app = typer.Typer(no_args_is_help=True, help="The published bAbI text: fetch and check it.")
bench_app = typer.Typer(no_args_is_help=True, help="Measure speed and memory on this machine.")
app.add_typer(data_app, name="data")
app.add_typer(bench_app, name="bench")

DATA_HELP = "Folder of the published text; else MEMNET_DATA, else what 'memnet data fetch' got."
TaskNames = Annotated[list[str], typer.Argument(help="qa1 ... qa20, all, or a folder of *train*.txt and *test*.txt files.")]
DataFolder = Annotated[Path | None, typer.Option("--data", help=DATA_HELP)]
SizeName = Annotated[str, typer.Option(help="1k or 10k training questions (published data).")]
VariantName = Annotated[str, typer.Option(help="en, hn or shuffled (published data).")]
SourceName = Annotated[str, typer.Option(help="auto (published where at hand, else simulated), published or simulated.")]
Settings = Annotated[list[str] | None, typer.Option("--set", help="Change a setting, as key=value; may be repeated.")]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a trained network.")]


def fail(message: object, code: int = 1) -> NoReturn:
    """End with one sentence on standard error."""
    typer.echo(f"memnet: {message}", err=True)
    raise typer.Exit(code)


@contextmanager
def plain_errors() -> Iterator[None]:
    """Errors that a person can act on become one sentence; others stay what they are."""
    from memnet.checkpoint import NetworkError
    from memnet.config import ConfigError
    from memnet.tasks.published import DataError
    from memnet.tasks.text import FormatError
    from memnet.tasks.world import DialError
    from memnet.train import TrainingError

    try:
        yield
    except (ConfigError, DataError, DialError, FormatError, NetworkError, TrainingError) as error:
        fail(error)
    except OSError as error:
        fail(f"{error.filename or ''}: {error.strerror or error}".lstrip(": "))


def choice(name: str, value: str, allowed: tuple[str, ...]) -> None:
    """Refuse a value that is not one of ``allowed``."""
    if value not in allowed:
        fail(f"{name} must be {' or '.join(allowed)}, not {value!r}", 2)


def check_data_options(size: str, variant: str, source: str = "auto") -> None:
    """Refuse an unknown size, variant or source."""
    from memnet.tasks.published import SIZES, SOURCES, VARIANTS

    choice("--source", source, SOURCES)

    choice("--size", size, SIZES)
    choice("--variant", variant, VARIANTS)


def show_version(value: bool) -> None:
    """Print the version and end."""
    if value:
        import memnet

        typer.echo(f"memnet {memnet.__version__}")
        raise typer.Exit


@app.callback()
def main_options(
    version: Annotated[bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show it and end.")] = False,
) -> None:
    """Options of every command."""


@data_app.command("fetch")
def data_fetch(
    to: Annotated[Path | None, typer.Option(help="Folder to unpack into; the cache by default.")] = None,
    archive: Annotated[Path | None, typer.Option(help="An archive that is here already, in place of a download.")] = None,
) -> None:
    """Get the published bAbI v1.2 text, check every file, and unpack it; nothing to do where it is at hand."""
    from memnet.tasks.published import at_hand, cache_folder, extract, fetch

    with plain_errors():
        if to is None and archive is None and (found := at_hand()):
            root, good = found
            typer.echo(f"{root} holds {good} published file(s), nothing was fetched")
            return
        target = extract(archive, to or cache_folder()) if archive else fetch(to)
        typer.echo(f"the published text is in {target}, every file as published")


Count = Annotated[int | None, typer.Option(min=0)]


@data_app.command("simulate")
def data_simulate(
    tasks: Annotated[list[str], typer.Argument(help="qa1 ... qa20, or all.")],
    out: Annotated[Path, typer.Option(help="A new folder for the files.")],
    train: Annotated[int, typer.Option(min=1, help="Training questions of each task.")] = 1000,
    test: Annotated[int, typer.Option(min=1, help="Test questions of each task.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same bytes on every machine.")] = 0,
    overlap: Annotated[bool, typer.Option("--overlap/--no-overlap", help="May a test question stand in training?")] = True,
    people: Count = None,
    places: Count = None,
    objects: Count = None,
    statements: Annotated[int | None, typer.Option(min=1, help="Told before the first question, at least.")] = None,
    facts: Annotated[int | None, typer.Option(min=1, help="qa1 to qa3: supporting facts that a question needs.")] = None,
    chain: Annotated[int | None, typer.Option(min=1, help="qa18: statements between the two sizes.")] = None,
    path: Annotated[int | None, typer.Option(min=1, help="qa19: steps.")] = None,
    distractors: Annotated[int, typer.Option(min=0, help="Sentences about nothing, a story.")] = 0,
    new_names: Annotated[bool, typer.Option("--new-names", help="Test people have names that training never had.")] = False,
) -> None:
    """Write fresh stories in the published format, drawn as the published ones were, or beyond them."""
    from memnet.tasks.simulator import Dials, write_tasks

    dials = Dials(people, places, objects, statements, facts, chain, path, distractors, new_names)
    with plain_errors():
        for name, questions, shared in write_tasks(tasks, out, train, test, seed, dials, overlap):
            typer.echo(f"{name}: {shared} of {questions} test questions ({shared / questions:.0%}) also stand in training")
        typer.echo(f"written to {out} (simulated); try: memnet train {out}")


@data_app.command("show")
def data_show(
    task: Annotated[str, typer.Argument(help="qa1 ... qa20, or a folder of your own.")],
    number: Annotated[int, typer.Option("-n", min=1, help="Stories to print.")] = 1,
    size: SizeName = "1k",
    variant: VariantName = "en",
    data: DataFolder = None,
    source: SourceName = "auto",
) -> None:
    """Print training stories; below each question its supporting facts are repeated."""
    from memnet.tasks.published import find

    check_data_options(size, variant, source)
    with plain_errors():
        for found in find([task], size, variant, data, source):  # type: ignore[arg-type]
            for story in found.train[:number]:
                typer.echo(f"-- {found.name} ({found.source})")
                for told in range(1, len(story.statements) + 1):
                    typer.echo(f"{told:>4}  {story.statements[told - 1]}")
                    for question in story.questions:
                        if question.after == told:
                            typer.echo(f"   ?  {question.text.strip()}  {question.answer}")
                            for fact in question.supporting_facts:
                                typer.echo(f"      because {fact + 1}  {story.statements[fact]}")


@data_app.command("check")
def data_check(folder: Annotated[Path, typer.Argument(help="A folder of the published text.")]) -> None:
    """Compare a folder with the checksums of the published text; name what is missing or changed."""
    from memnet.tasks.published import check

    if not folder.is_dir():
        fail(f"{folder} is no folder")
    with plain_errors():
        missing, changed, good = check(folder)
    for file in changed:
        typer.echo(f"changed  {file}")
    for file in missing:
        typer.echo(f"missing  {file}")
    typer.echo(f"{good} file(s) as published, {len(changed)} changed, {len(missing)} missing")
    if changed or missing:
        raise typer.Exit(1)


def say_simulated(tasks: list[Task], source: str) -> None:
    """One line where stories are simulated."""
    from memnet.tasks.simulator import VERSION

    names = [task.name for task in tasks if task.source == "simulated"]
    if names:
        why = "" if source == "simulated" else "the published text is not at hand ('memnet data fetch' gets it), "
        which = ", ".join(names) if len(names) < 5 else f"{len(names)} tasks"
        typer.echo(f"{which}: {why}these are simulated stories (simulator {VERSION})")


def report_unknown(tasks: list[Task], data: Any) -> None:
    """Say once what the test set has that training never had."""
    if data.test.unknown_words or data.test.unknown_answers:
        names = ", ".join(task.name for task in tasks)
        typer.echo(
            f"{names}: the test set has {data.test.unknown_words} word(s) that training lacks, and "
            f"{data.test.unknown_answers} question(s) whose answer training never had (counted as errors)"
        )


@app.command()
def train(
    tasks: TaskNames,
    model: Annotated[str, typer.Option(help="The kind of network.")] = "memn2n",
    preset: Annotated[str | None, typer.Option(help="A paper's row; 'memnet presets' lists them.")] = None,
    size: SizeName = "1k",
    variant: VariantName = "en",
    restarts: Annotated[int, typer.Option(min=1, max=1000, help="Networks trained side by side; one is chosen.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Decides initial weights, data order and noise.")] = 0,
    joint: Annotated[bool, typer.Option("--joint", help="One network for all the tasks named.")] = False,
    settings: Settings = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the run (one run), or of the runs.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was stopped.")] = False,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "cpu",
    data: DataFolder = None,
    source: SourceName = "auto",
) -> None:
    """Train networks on TASKS and keep the chosen one of each."""
    import torch

    from memnet.config import ConfigError, override, parse_settings
    from memnet.models import MODELS
    from memnet.presets import DEFAULT, DEFAULT_JOINT, PRESETS
    from memnet.runs import default_folder, execute, open_folder, specify
    from memnet.tasks.published import find
    from memnet.train import pick_device

    torch.set_num_threads(1)
    choice("--model", model, tuple(MODELS))
    check_data_options(size, variant, source)
    with plain_errors():
        name = preset or (DEFAULT_JOINT if joint else DEFAULT)
        if name not in PRESETS:
            raise ConfigError(f"there is no preset {name!r}; there are {', '.join(PRESETS)}")
        config = override(PRESETS[name], parse_settings(settings or [], type(PRESETS[name])))
        place = pick_device(device)
        found = find(tasks, size, variant, data, source)  # type: ignore[arg-type]
        say_simulated(found, source)
        groups = [found] if joint else [[task] for task in found]
        for group in groups:
            spec, numbers = specify(group, name, config, size, variant, seed, restarts)
            report_unknown(group, numbers)
            folder = out if out and len(groups) == 1 else (out or Path()) / default_folder(spec)
            if open_folder(folder, spec, resume):
                typer.echo(f"{folder} is finished already")
                continue
            with progress_bar(spec) as tick:
                try:
                    result = execute(spec, numbers, folder, place, tick)
                except KeyboardInterrupt:
                    fail(f"stopped; the same command with --resume --out {folder} goes on", 130)
            typer.echo(summary(spec, result.rows, result.chosen, result.seconds))
            typer.echo(f"kept in {folder}; try: memnet ask {folder}")


@contextmanager
def progress_bar(spec: Spec) -> Iterator[Any]:
    """A bar over epochs with the lowest training error and the time left."""
    from tqdm import tqdm

    total = spec.config.linear_start + spec.config.epochs
    what = spec.tasks[0] if len(spec.tasks) == 1 else f"{len(spec.tasks)} tasks"
    with tqdm(total=total, desc=what, unit="epoch", leave=False, disable=None) as bar:

        def tick(epoch: int, epochs: int, row: dict[str, Any]) -> None:
            bar.n = min(epoch, total)
            bar.set_postfix_str(f"error {row['train_error']:.1f} %, validation {row['validation_error']:.1f} %")

        yield tick


def mean_of(row: dict[str, Any], part: str) -> float:
    """A replica's error over its tasks."""
    values = [task[f"{part}_error"] for task in row["tasks"].values()]
    return float(sum(values) / len(values))


def summary(spec: Spec, rows: list[dict[str, Any]], chosen: int, seconds: float) -> str:
    """The line at a run's end."""
    what = spec.tasks[0] if len(spec.tasks) == 1 else f"{len(spec.tasks)} tasks jointly"
    alive = [row for row in rows if not row["stopped_epoch"]]
    tests = sorted(mean_of(row, "test") for row in alive)
    rule = {"train": "training", "validation": "validation"}[spec.config.selection]
    errors = ", ".join(f"{part} {mean_of(rows[chosen], part):.1f}" for part in ("train", "validation", "test"))
    stopped = [f"{row['replica']} (epoch {row['stopped_epoch']})" for row in rows if row["stopped_epoch"]]
    return (
        f"{what} ({spec.source}, {spec.size}): error % {errors}; replica {chosen} of {spec.restarts} by lowest {rule} error; "
        f"test over all {len(alive)}: {tests[0]:.1f} to {tests[-1]:.1f}, median {tests[len(tests) // 2]:.1f}; {seconds:.0f} s"
        + (f"; stopped with a loss that is not finite: replica {', '.join(stopped)}" if stopped else "")
    )


@app.command("eval")
def evaluate_run(
    run: RunFolder,
    tasks: Annotated[list[str] | None, typer.Argument(help="Other tasks than those it was trained on.")] = None,
    size: Annotated[str | None, typer.Option(help="1k or 10k; as trained by default.")] = None,
    variant: Annotated[str | None, typer.Option(help="en, hn or shuffled; as trained by default.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    data: DataFolder = None,
    source: Annotated[str | None, typer.Option(help="published or simulated; as trained by default.")] = None,
) -> None:
    """Test error per task, and how often the sentences read most are the supporting facts."""
    import torch

    from memnet.batch import examples
    from memnet.checkpoint import NetworkError, load_network
    from memnet.evaluate import FAILED, evaluate, fact_recall
    from memnet.tasks.published import find

    torch.set_num_threads(1)
    with plain_errors():
        net, vocabulary, saved = load_network(run)
        if not tasks and saved.get("source") not in ("published", "simulated"):
            raise NetworkError(f"{run} was trained on files of your own; name their folder: memnet eval {run} FOLDER")
        source = source or ("simulated" if saved.get("source") == "simulated" else "published")
        size, variant = size or saved.get("size", "1k"), variant or saved.get("variant", "en")
        check_data_options(size, variant, source)
        found = find(tasks or saved["tasks"], size, variant, data, source)  # type: ignore[arg-type]
        report: dict[str, Any] = {}
        unknown = 0
        for task in found:
            questions = examples([task.test], vocabulary, net.config.capacity)
            outcome = evaluate(net, questions)
            recall = fact_recall(outcome.read[0], questions)
            unknown += questions.unknown_words
            report[task.name] = {
                "test_error": round(float(outcome.error()[0]), 4),
                "questions": len(questions),
                "fact_recall": None if recall is None else round(recall, 4),
            }
        errors = [row["test_error"] for row in report.values()]
        whole = {
            "tasks": report,
            "mean_error": round(sum(errors) / len(errors), 4),
            "failed": sum(error > FAILED for error in errors),
            "data": "+".join(sorted({task.source for task in found})),
        }
    if as_json:
        typer.echo(json.dumps(whole))
        return
    typer.echo(f"{'task':<12} {'test error %':>12} {'questions':>10} {'fact recall':>12}")
    for name, row in report.items():
        recalled = "-" if row["fact_recall"] is None else f"{row['fact_recall']:.3f}"
        typer.echo(f"{name:<12} {row['test_error']:>12.1f} {row['questions']:>10} {recalled:>12}")
    typer.echo(
        f"mean error {whole['mean_error']:.2f} %, {whole['failed']} of {len(errors)} failed (> 5 %), {whole['data']} data"
    )
    if unknown:
        typer.echo(f"{unknown} word(s) of the test text are unknown to the network")


@app.command()
def ask(
    run: RunFolder,
    story: Annotated[Path | None, typer.Option(help="A file of statements, one a line.")] = None,
    question: Annotated[str | None, typer.Option(help="Ask this and end.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, a line an answer.")] = False,
) -> None:
    """Tell a story and ask about it: a line with a question mark is answered, other lines are remembered."""
    import torch

    from memnet.answer import Answerer, statements

    torch.set_num_threads(1)
    with plain_errors():
        answerer = Answerer.load(run)
        told: list[str] = []
        if story is not None:
            try:
                told = statements(story.read_text(encoding="utf-8-sig"))
            except UnicodeDecodeError:
                fail(f"{story} is not UTF-8 text")
    if question is not None:
        if story is None and not sys.stdin.isatty():
            told = statements(sys.stdin.read())
        if not reply(answerer, told, question, as_json):
            raise typer.Exit(1)
        return
    converse(answerer, told, as_json)


def reply(answerer: Answerer, told: list[str], question: str, as_json: bool) -> bool:
    """Print an answer, or why there is none; True where there is one."""
    from memnet.answer import AskError, render

    try:
        answer = answerer.ask(told, question)
    except AskError as error:
        typer.echo(json.dumps({"error": str(error)}) if as_json else str(error), err=not as_json)
        return False
    typer.echo(json.dumps(answer.as_json(), ensure_ascii=False) if as_json else render(answer))
    return True


def converse(answerer: Answerer, told: list[str], as_json: bool) -> None:
    """Read lines until the end of the input: statements are remembered, questions answered."""
    from memnet.answer import statements

    person = sys.stdin.isatty()
    if person:
        typer.echo("Tell me a story, a sentence a line; a line with a question mark is answered. /reset forgets, Ctrl-D ends.")
    while True:
        try:
            line = input("> " if person else "").strip()
        except EOFError:
            break
        except KeyboardInterrupt:
            typer.echo()
            break
        except UnicodeDecodeError:
            typer.echo("that line is not UTF-8 text", err=True)
            continue
        if line == "/reset":
            told.clear()
        elif "?" in line:
            reply(answerer, told, line, as_json)
        elif line:
            heard = statements(line)
            told += heard
            strange = {word: near for text in heard for word, near in answerer.unknown(text).items()}
            for word, near in strange.items() if person else ():
                typer.echo(f"  I do not know the word {word!r}" + (f"; near it are {', '.join(near)}" if near else ""))
    if person:
        typer.echo()


@app.command()
def presets() -> None:
    """List the presets: the papers' rows and our own."""
    from memnet.presets import PRESETS

    for name, config in PRESETS.items():
        typer.echo(f"{name:<20} {' '.join(f'{key}={value}' for key, value in vars(config).items())}")


@app.command()
def sweep(
    tasks: TaskNames,
    preset: Annotated[list[str] | None, typer.Option(help="A preset; may be repeated.")] = None,
    size: SizeName = "1k",
    variant: VariantName = "en",
    restarts: Annotated[int, typer.Option(min=1, max=1000, help="Networks a run.")] = 10,
    seed: Annotated[list[int] | None, typer.Option(min=0, help="A seed; may be repeated.")] = None,
    joint: Annotated[bool, typer.Option("--joint", help="One network for all the tasks named.")] = False,
    settings: Settings = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes, at most one a core.")] = 2,
    results: Annotated[Path, typer.Option(help="The file of runs; what it has is not run again.")] = Path("results/runs.csv"),
    work: Annotated[Path, typer.Option(help="Where run folders and checkpoints go.")] = Path("runs/sweep"),
    data: DataFolder = None,
    source: SourceName = "auto",
) -> None:
    """Train many networks over the machine's cores, skipping what is done."""
    import os
    import time

    from memnet.config import ConfigError, parse_settings
    from memnet.presets import DEFAULT, DEFAULT_JOINT, PRESETS
    from memnet.sweep import plan
    from memnet.sweep import sweep as run_jobs
    from memnet.tasks.published import find

    check_data_options(size, variant, source)
    with plain_errors():
        names = preset or [DEFAULT_JOINT if joint else DEFAULT]
        for name in names:
            if name not in PRESETS:
                raise ConfigError(f"there is no preset {name!r}; there are {', '.join(PRESETS)}")
        changed = parse_settings(settings or [], type(PRESETS[names[0]]))
        found = find(tasks, size, variant, data, source)  # type: ignore[arg-type]
        say_simulated(found, source)
        groups = [found] if joint else [[task] for task in found]
        todo, skipped = plan(groups, names, seed or [0], size, variant, restarts, changed, results, work)
        typer.echo(f"{len(todo)} run(s) to do, {skipped} done already")
        failed, started = 0, time.monotonic()
        for number, (spec, outcome, seconds) in enumerate(run_jobs(todo, results, min(jobs, os.cpu_count() or 1)), 1):
            what = spec.tasks[0] if len(spec.tasks) == 1 else f"joint{len(spec.tasks)}"
            left = (time.monotonic() - started) / number * (len(todo) - number)
            if isinstance(outcome, str):
                failed += 1
                said = f"failed: {outcome}"
            else:
                best = next(row for row in outcome if row["chosen"] == "1")
                errors = [float(error) for error in best["test_error"].split()]
                said = f"test error {sum(errors) / len(errors):.1f} %"
            typer.echo(
                f"[{number}/{len(todo)}] {what} {spec.preset} seed {spec.seed}: {said}, {seconds:.0f} s, {left:.0f} s left"
            )
        if failed:
            fail(f"{failed} run(s) failed; the same command tries them again")


@app.command()
def table(
    name: Annotated[str | None, typer.Argument(help="One of the result tables; without, all presets that have runs.")] = None,
    results: Annotated[Path, typer.Option(help="The file of runs.")] = Path("results/runs.csv"),
    published: Annotated[Path, typer.Option(help="The papers' figures.")] = Path("results/published.csv"),
    preset: Annotated[list[str] | None, typer.Option(help="Only these presets.")] = None,
    size: SizeName = "1k",
    seed: Annotated[int, typer.Option(min=0, help="The seed of the runs.")] = 0,
    write: Annotated[Path | None, typer.Option(help="Write every result table into this folder.")] = None,
) -> None:
    """Our errors beside the papers', per task."""
    from memnet.checkpoint import write_atomically
    from memnet.table import TABLES, render, summary

    check_data_options(size, "en")
    with plain_errors():
        if write is not None:
            write.mkdir(parents=True, exist_ok=True)
            for each, (its_size, presets) in TABLES.items():
                write_atomically(write / f"{each}.md", render(results, published, its_size, seed, presets) + "\n")
                typer.echo(write / f"{each}.md")
            write_atomically(write / "memn2n.md", summary(results, published) + "\n")
            typer.echo(write / "memn2n.md")
            return
        if name is not None:
            choice("name", name, tuple(TABLES))
            size, preset = TABLES[name][0], list(TABLES[name][1])
        typer.echo(render(results, published, size, seed, preset))


@bench_app.command("train")
def bench_train(
    tasks: Annotated[list[str] | None, typer.Argument(help="Tasks to train on.")] = None,
    preset: Annotated[str, typer.Option(help="A preset.")] = "pe-ls-rn",
    size: SizeName = "1k",
    restarts: Annotated[int, typer.Option(min=1, help="Networks side by side.")] = 10,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long to measure each task.")] = 5.0,
    joint: Annotated[bool, typer.Option("--joint", help="One network for all the tasks named.")] = False,
    data: DataFolder = None,
    source: SourceName = "auto",
) -> None:
    """Training speed on one core, one thread: examples a second over all replicas, ms a step, peak memory."""
    from memnet.bench import training
    from memnet.config import ConfigError
    from memnet.presets import PRESETS
    from memnet.tasks.published import find

    check_data_options(size, "en", source)
    with plain_errors():
        if preset not in PRESETS:
            raise ConfigError(f"there is no preset {preset!r}; there are {', '.join(PRESETS)}")
        found = find(tasks or ["qa1", "qa2", "qa3", "qa14"], size, "en", data, source)  # type: ignore[arg-type]
        typer.echo(
            f"{'task':<8} {'examples/s':>11} {'ms/step':>9} {'peak MiB':>9}   "
            f"batch {PRESETS[preset].batch} x {restarts} replicas"
        )
        for group in [found] if joint else [[task] for task in found]:
            speed = training(group, PRESETS[preset], restarts, seconds)
            name = group[0].name if len(group) == 1 else "joint"
            typer.echo(f"{name:<8} {speed.examples:>11,.0f} {speed.milliseconds:>9.2f} {speed.peak:>9.0f}")


def main() -> None:
    """The command ``memnet``."""
    try:
        app()
    except KeyboardInterrupt:
        typer.echo("memnet: stopped; what was finished is kept", err=True)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
