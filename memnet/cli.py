"""The command line. Heavy packages are imported inside the commands: ``memnet --help`` answers at once."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, get_args, get_type_hints

import typer

from memnet.config import CONFIGS, MemN2NConfig

if TYPE_CHECKING:
    from memnet.answer import Answerer, Listener
    from memnet.config import Training
    from memnet.tasks.published import Task
    from memnet.train import Spec

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Memory networks that answer questions about a story: train, evaluate and ask them.",
)
data_app = typer.Typer(no_args_is_help=True, help="Stories: fetch and check the published ones, simulate others, show them.")
bench_app = typer.Typer(no_args_is_help=True, help="Measure speed and memory on this machine.")
app.add_typer(data_app, name="data")
app.add_typer(bench_app, name="bench")


def allowed(setting: str) -> str:
    """The values that a setting may have, for help."""
    return ", ".join(get_args(get_type_hints(MemN2NConfig)[setting]))


DATA_HELP = "Folder of the published text; else MEMNET_DATA, else what 'memnet data fetch' got."
TaskNames = Annotated[list[str], typer.Argument(help="qa1 ... qa20, all, or a folder of *train*.txt and *test*.txt files.")]
DataFolder = Annotated[Path | None, typer.Option("--data", help=DATA_HELP)]
SizeName = Annotated[str, typer.Option(help="1k or 10k training questions (published data).")]
VariantName = Annotated[str, typer.Option(help="en, hn or shuffled (published data).")]
SOURCE_HELP = (
    "auto (published where at hand, else simulated), published, simulated, transfer (train on simulated, test on published), "
    "or resampled (train on another thousand of the published 10k)."
)
SourceName = Annotated[str, typer.Option(help=SOURCE_HELP)]
StorySeed = Annotated[int, typer.Option(min=0, help="Which simulated (or resampled) stories.")]
Settings = Annotated[list[str] | None, typer.Option("--set", help="Change a setting, as key=value; may be repeated.")]
ScoreName = Annotated[str | None, typer.Option(help=f"How keys answer a query: {allowed('score')}.")]
AlignName = Annotated[str | None, typer.Option(help=f"From scores to weights: {allowed('align')}.")]
ReadName = Annotated[str | None, typer.Option(help=f"What comes back: {allowed('read')}.")]
VECTORS_HELP = "dmn: a file of word vectors in GloVe's format to start from; --set vectors=keep keeps them as they are."
VectorsFile = Annotated[Path | None, typer.Option(help=VECTORS_HELP)]
ModelName = Annotated[str | None, typer.Option(help=f"The kind of network: {', '.join(CONFIGS)}.")]
RESTARTS = ", ".join(f"{name} {kind.default_restarts}" for name, kind in CONFIGS.items())
RESTARTS_HELP = f"Networks trained side by side, of which one is chosen; by default {RESTARTS}."
Restarts = Annotated[int | None, typer.Option(min=1, max=1000, help=RESTARTS_HELP)]
WindowSize = Annotated[float | None, typer.Option(help="Of local_m and local_p: memories to each side.")]
SampleCount = Annotated[int | None, typer.Option(help="Of hard: addresses drawn for a question while training.")]
BaselineName = Annotated[str | None, typer.Option(help="Of hard: none, mean (of earlier steps) or loo (of the other samples).")]
SupervisionName = Annotated[str | None, typer.Option(help="answers, or facts: learn to read the supporting facts too.")]
FactShare = Annotated[float | None, typer.Option(help="With --supervision facts: share of the questions whose facts are used.")]
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
    except BrokenPipeError:  # the reader has gone: the command line's framework ends quietly
        raise
    except OSError as error:
        fail(f"{error.filename or ''}: {error.strerror or error}".lstrip(": "))
    except KeyboardInterrupt:
        fail("stopped", 130)
    except MemoryError:
        fail("not enough memory; try a smaller network, fewer restarts or smaller batches")
    except RuntimeError as error:
        if "memory" not in str(error):
            raise
        fail("not enough memory; try a smaller network, fewer restarts or smaller batches")


def preset_named(name: str) -> Training:
    """A preset's configuration."""
    from memnet.config import ConfigError
    from memnet.presets import PRESETS

    if name not in PRESETS:
        raise ConfigError(f"there is no preset {name!r}; there are {', '.join(PRESETS)}")
    return PRESETS[name]


def chosen_presets(model: str | None, presets: list[str], joint: bool) -> list[str]:
    """The presets named, or a model's own. Raises :class:`~memnet.config.ConfigError`."""
    from memnet.config import ConfigError, model_of
    from memnet.presets import DEFAULTS

    if not presets:
        return [DEFAULTS[model or "memn2n"][joint]]
    for name in presets:
        its = model_of(preset_named(name))
        if model not in (None, its):
            raise ConfigError(f"the preset {name!r} is of the model {its}, not {model}; leave --model out")
    return presets


def changed(preset: str, pairs: list[str] | None, options: dict[str, Any]) -> Training:
    """A preset with the settings of ``--set``, and of the options that were given, with what those need."""
    from memnet.config import ConfigError, fitting, model_of, override, parse_settings

    config = preset_named(preset)
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if not hasattr(config, name):
            raise ConfigError(f"--{name} is an option of the model memn2n; the preset {preset!r} is of {model_of(config)}")
    try:
        return override(config, fitting(given, parse_settings(pairs or [], type(config))))
    except ConfigError as error:
        raise ConfigError(f"{preset}: {error}") from error


def choice(name: str, value: str, allowed: tuple[str, ...]) -> None:
    """Refuse a value that is not one of ``allowed``."""
    if value not in allowed:
        fail(f"{name} must be {' or '.join(allowed)}, not {value!r}", 2)


def check_model(model: str | None) -> None:
    """Refuse an unknown kind of network."""
    if model is not None:
        choice("--model", model, tuple(CONFIGS))


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
            typer.echo(f"{found} holds the whole published text already; nothing was fetched")
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


@data_app.command("export")
def data_export(
    tasks: TaskNames,
    out: Annotated[Path, typer.Option(help="A new folder, with a folder of parquet files for each task.")],
    size: SizeName = "1k",
    variant: VariantName = "en",
    data: DataFolder = None,
    source: SourceName = "auto",
    story_seed: StorySeed = 0,
) -> None:
    """Write tasks as parquet files (train, validation, test) that other tools load."""
    import datasets

    from memnet.tasks.dataset import export

    datasets.disable_progress_bars()
    check_data_options(size, variant, source)
    with plain_errors():
        found = [task for group in groups_of(tasks, False, size, variant, data, source, story_seed) for task in group]
        export(found, out)
        typer.echo(f"{len(found)} task(s) written to {out}; try: datasets.load_dataset('{out / found[0].name}')")


@data_app.command("show")
def data_show(
    task: Annotated[str, typer.Argument(help="qa1 ... qa20, or a folder of your own.")],
    number: Annotated[int, typer.Option("-n", min=1, help="Stories to print.")] = 1,
    size: SizeName = "1k",
    variant: VariantName = "en",
    data: DataFolder = None,
    source: SourceName = "auto",
    story_seed: StorySeed = 0,
) -> None:
    """Print training stories; below each question its supporting facts are repeated."""
    from memnet.tasks.published import find

    check_data_options(size, variant, source)
    with plain_errors():
        for found in find([task], size, variant, data, source, story_seed):  # type: ignore[arg-type]
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
def data_check(
    folder: Annotated[Path | None, typer.Argument(help="A folder of the published text.")] = None,
    simulator: Annotated[bool, typer.Option("--simulator", help="Compare simulated stories with published ones.")] = False,
    task: Annotated[list[str] | None, typer.Option(help="With --simulator: only this task; may be repeated.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="With --simulator: of the stories and the draws.")] = 0,
    jobs: Annotated[int | None, typer.Option(min=1, help="With --simulator: processes; as many as there are cores.")] = None,
    write: Annotated[Path | None, typer.Option(help="With --simulator: a file for the table.")] = None,
    data: DataFolder = None,
) -> None:
    """Compare a folder with the checksums of the published text, or the simulator with the published stories."""
    if simulator == (folder is not None):
        fail("name a folder to compare with the checksums, or --simulator", 2)
    if folder is not None and (task or seed or jobs or write or data):
        fail("--task, --seed, --jobs, --write and --data belong to --simulator", 2)
    if folder is not None:
        check_folder(folder)
    else:
        check_simulator(task or [], seed, jobs or os.cpu_count() or 1, write, data)


def check_folder(folder: Path) -> None:
    """Name what is missing or changed."""
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


def check_simulator(names: list[str], seed: int, jobs: int, write: Path | None, data: Path | None) -> None:
    """Print the table of differences between simulated and published stories."""
    from memnet.checkpoint import write_atomically
    from memnet.tasks.fidelity import check
    from memnet.tasks.published import number_of, published_task
    from memnet.tasks.simulator import PUBLISHED

    with plain_errors():
        wanted = [name for given in names or ["all"] for name in (PUBLISHED if given == "all" else [given])]
        for name in wanted:
            published_task(number_of(name), data=data)  # what is not at hand is said before the long part
        table, wrong = check(wanted, data, seed, jobs)
        if write is not None:
            write.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(write, table + "\n")
    typer.echo(table)
    for each in wrong:
        typer.echo(f"differs: {each}")
    if wrong:
        raise typer.Exit(1)
    typer.echo("no difference found")


def say_simulated(tasks: list[Task], source: str) -> None:
    """One line where stories are simulated."""
    from memnet.tasks.simulator import PUBLISHED, VERSION

    names = [task.name for task in tasks if task.source in ("simulated", "transfer")]
    if names and source == "transfer":
        typer.echo(f"trained on simulated stories (simulator {VERSION}), tested on published ones: {', '.join(names)}")
    elif names:
        published = any(name in PUBLISHED for name in names)
        missing = published and source != "simulated"
        why = "the published text is not at hand ('memnet data fetch' gets it), " if missing else ""
        which = ", ".join(names) if len(names) < 5 else f"{len(names)} tasks"
        typer.echo(f"{which}: {why}these are simulated stories (simulator {VERSION})")


def groups_of(
    names: list[str], joint: bool, size: str, variant: str, data: Path | None, source: str, seed: int = 0
) -> list[list[Task]]:
    """The tasks named, all in one group (joint) or one a group; says where they are simulated."""
    from memnet.tasks.published import find

    found = find(names, size, variant, data, source, seed)  # type: ignore[arg-type]
    say_simulated(found, source)
    return [found] if joint else [[task] for task in found]


def report_unknown(spec: Spec, data: Any) -> None:
    """Say once what the test and validation questions have that training never had, and which facts cannot be used as told."""
    from memnet.runs import unusable_facts

    if unusable := unusable_facts(spec, data):
        typer.echo(f"{spec.what}: {unusable}")
    for part, its in (("validation", data.valid), ("test", data.test)):
        if its.unknown_words or its.unknown_answers:
            typer.echo(
                f"{spec.what}: the {part} set has {its.unknown_words} word(s) that training lacks, and "
                f"{its.unknown_answers} question(s) whose answer training never had (counted as errors)"
            )


@app.command()
def train(
    tasks: TaskNames,
    model: ModelName = None,
    preset: Annotated[str | None, typer.Option(help="A paper's row; 'memnet presets' lists them.")] = None,
    size: SizeName = "1k",
    variant: VariantName = "en",
    restarts: Restarts = None,
    seed: Annotated[int, typer.Option(min=0, help="Decides initial weights, data order and noise.")] = 0,
    joint: Annotated[bool, typer.Option("--joint", help="One network for all the tasks named.")] = False,
    score: ScoreName = None,
    align: AlignName = None,
    read: ReadName = None,
    window: WindowSize = None,
    samples: SampleCount = None,
    baseline: BaselineName = None,
    supervision: SupervisionName = None,
    facts: FactShare = None,
    vectors: VectorsFile = None,
    settings: Settings = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the run (one run), or of the runs.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was stopped.")] = False,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "cpu",
    data: DataFolder = None,
    source: SourceName = "auto",
    story_seed: StorySeed = 0,
) -> None:
    """Train networks on TASKS and keep the chosen one of each."""
    from dataclasses import replace

    import torch

    from memnet.config import ConfigError, override
    from memnet.runs import default_folder, execute, opened, specify
    from memnet.train import DataSet, TrainingError, pick_device
    from memnet.vectors import read_vectors

    torch.set_num_threads(1)
    check_model(model)
    check_data_options(size, variant, source)
    with plain_errors():
        (name,) = chosen_presets(model, [preset] if preset else [], joint)
        options = {"score": score, "align": align, "read": read, "window": window, "samples": samples, "baseline": baseline}
        config = changed(name, settings, options | {"supervision": supervision, "facts": facts})
        if vectors is not None and getattr(config, "vectors", "none") == "none":
            config = override(config, {"vectors": "train"})  # says where a network has no use for them
        if vectors is None and getattr(config, "vectors", "none") != "none":
            raise ConfigError(f"vectors={config.vectors} needs a file: name it by --vectors")  # type: ignore[attr-defined]
        place = pick_device(device)
        groups = groups_of(tasks, joint, size, variant, data, source, story_seed)
        specs = [specify(group, name, config, size, variant, seed, restarts) for group in groups]
        folders = [default_folder(spec) for spec in specs]
        if out is not None:
            folders = [out] if len(specs) == 1 else [out / folder.name for folder in folders]
        if len(set(folders)) < len(folders):
            raise TrainingError("two of these tasks would be kept in one folder; give their files other names")
        for folder in folders if not resume else ():
            if folder.exists() and len(folders) > 1:
                raise TrainingError(f"{folder} exists already; go on with --resume, or choose another --out")
        try:
            for spec, group, folder in zip(specs, groups, folders, strict=True):
                numbers = DataSet.of(group, config)  # what is wrong with the data is said before a folder is made
                if vectors is not None:
                    words = read_vectors(vectors, numbers.vocabulary, getattr(config, "dim", 1))
                    numbers = replace(numbers, vectors=words)
                    spec = replace(spec, data_hash=f"{spec.data_hash}+{words.hash}")
                with opened(folder, spec, resume and (len(specs) == 1 or folder.exists())) as finished:
                    if finished:
                        typer.echo(f"{folder} is finished already")
                        continue
                    report_unknown(spec, numbers)
                    with progress_bar(spec) as tick:
                        run = execute(spec, numbers, folder, place, tick)
                typer.echo(summary(spec, run))
                typer.echo(f"kept in {folder}; try: memnet ask {folder}")
        except KeyboardInterrupt:
            fail("stopped; the same command with --resume goes on", 130)


@contextmanager
def progress_bar(spec: Spec) -> Iterator[Any]:
    """A bar over epochs with the lowest training error and the time left."""
    from tqdm import tqdm

    total = spec.config.linear_epochs + spec.config.epochs
    with tqdm(total=total, desc=spec.what, unit="epoch", leave=False, disable=None) as bar:

        def tick(epoch: int, epochs: int, row: dict[str, Any]) -> None:
            if bar.n == 0 and epoch > 1:  # resumed: the time left is judged by what is done from here on
                bar.initial = epoch - 1
            bar.n = min(epoch, total)
            bar.set_postfix_str(f"error {row['train_error']:.1f} %, validation {row['validation_error']:.1f} %")

        yield tick


def summary(spec: Spec, run: dict[str, Any]) -> str:
    """The line at a run's end."""
    from memnet.config import RULES
    from memnet.train import mean_error

    rows, chosen = run["replicas"], run["chosen"]
    tests = sorted(mean_error(row, "test") for row in rows if row["tasks"])
    errors = ", ".join(f"{part} {mean_error(rows[chosen], part):.1f}" for part in ("train", "validation", "test"))
    stopped = [f"{row['replica']} (epoch {row['stopped_epoch']})" for row in rows if row["stopped_epoch"]]
    size = f"{spec.size} questions" if spec.source == "own" else spec.size
    return (
        f"{spec.what} ({spec.source}, {size}): error % {errors}; replica {chosen} of {spec.restarts} by lowest "
        f"{RULES[spec.config.selection]} error; test over all {len(tests)}: {tests[0]:.1f} to {tests[-1]:.1f}, "
        f"median {tests[len(tests) // 2]:.1f}; {run['seconds']:.0f} s"
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
    story_seed: Annotated[int | None, typer.Option(min=0, help="Which simulated stories; as trained by default.")] = None,
) -> None:
    """Test error per task, and how often the sentences read most are the supporting facts."""
    import torch

    from memnet.batch import examples
    from memnet.checkpoint import NetworkError, load_network
    from memnet.evaluate import FAILED, evaluate, retrieval
    from memnet.tasks.published import find

    torch.set_num_threads(1)
    with plain_errors():
        net, vocabulary, saved = load_network(run)
        if not tasks and saved["source"] == "own":
            raise NetworkError(f"{run} was trained on files of your own; name their folder: memnet eval {run} FOLDER")
        source = source or ("simulated" if saved["source"] == "simulated" else "published")
        own = saved["source"] == "own"
        seed = story_seed if story_seed is not None else saved.get("story_seed", 0) if source == "simulated" else 0
        size = size or ("1k" if own else saved["size"])
        variant = variant or ("en" if own else saved["variant"])
        check_data_options(size, variant, source)
        found = find(tasks or saved["tasks"], size, variant, data, source, seed)  # type: ignore[arg-type]
        report: dict[str, Any] = {}
        unknown, never = 0, 0
        for task in found:
            questions = examples([task.test], vocabulary, net.config.capacity)
            outcome = evaluate(net, questions)
            unknown, never = unknown + questions.unknown_words, never + questions.unknown_answers
            report[task.name] = {
                "test_error": round(float(outcome.error()[0]), 4),
                "questions": len(questions),
                **retrieval(outcome.read[0], questions).flat(),
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
    typer.echo(f"{'task':<12} {'test error %':>12} {'questions':>10}   facts: precision  recall  exact  by hop")
    for name, row in report.items():
        facts = [share(row[f"fact_{part}"]) for part in ("precision", "recall", "exact")]
        hops = " ".join(map(share, row["fact_hops"])) or "-"
        typer.echo(
            f"{name:<12} {row['test_error']:>12.1f} {row['questions']:>10} {facts[0]:>18} {facts[1]:>7} {facts[2]:>6}  {hops}"
        )
    typer.echo(
        f"mean error {whole['mean_error']:.2f} %, {whole['failed']} of {len(errors)} failed (> 5 %), {whole['data']} data"
    )
    if unknown or never:
        typer.echo(f"{unknown} word(s) of the test text, and the answers to {never} question(s), are unknown to the network")


def share(value: float | None) -> str:
    """Three decimals, or a dash."""
    return "-" if value is None else f"{value:.3f}"


@app.command()
def ask(
    run: RunFolder,
    story: Annotated[Path | None, typer.Option(help="A file of statements, one a line; questions in it are left out.")] = None,
    question: Annotated[str | None, typer.Option(help="Ask this and end.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, a line an answer.")] = False,
) -> None:
    """Tell a story and ask about it: a line with a question mark is answered, other lines are remembered."""
    import torch

    from memnet.answer import Answerer, Listener

    torch.set_num_threads(1)
    if sys.stdin is None:  # closed by whoever started us: nothing is said
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    with plain_errors():
        answerer, listener = Answerer.load(run), Listener()
        given = story.read_bytes().splitlines() if story is not None else []
        if story is None and question is not None and not sys.stdin.isatty():
            given = sys.stdin.buffer.read().splitlines()
        told: list[str] = []
        asked = 0
        for raw in given:
            lines = listener.hear(decoded(raw))
            if listener.fresh:
                told.clear()
            told += [line.text for line in lines if not line.question]
            asked += sum(line.question for line in lines)
        if asked:
            typer.echo(f"{asked} question(s) among the statements are left out", err=True)
        if question is None:
            converse(answerer, listener, told, as_json)
        elif not reply(answerer, told, question, as_json):
            raise typer.Exit(1)


def decoded(raw: bytes) -> str:
    """A line as text; one that is not UTF-8 is named and left out."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        typer.echo(f"a line is left out, it is not UTF-8 text: {raw[:40]!r}", err=True)
        return ""


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


def spoken() -> Iterator[str]:
    """Lines from a person or a pipe, to the end of the input."""
    if not sys.stdin.isatty():
        yield from map(decoded, sys.stdin.buffer)
        return
    typer.echo("Tell me a story, a sentence a line; a line with a question mark is answered. /reset forgets, Ctrl-D ends.")
    while True:
        try:
            yield input("> ")
        except (EOFError, KeyboardInterrupt):
            typer.echo()
            return
        except UnicodeDecodeError:
            typer.echo("that line is not UTF-8 text", err=True)


def converse(answerer: Answerer, listener: Listener, told: list[str], as_json: bool) -> None:
    """Remember statements and answer questions, line by line."""
    for line in spoken():
        if line.strip() == "/reset":
            told.clear()
            continue
        if line.startswith("/"):
            typer.echo("there is no such command; /reset forgets the story", err=True)
            continue
        heard = listener.hear(line)
        if listener.fresh:
            told.clear()
        for text, question in heard:
            if question:
                reply(answerer, told, text, as_json)
                continue
            told.append(text)
            for word, near in answerer.unknown(text).items() if sys.stdin.isatty() else ():
                typer.echo(f"  I do not know the word {word!r}" + (f"; near it are {', '.join(near)}" if near else ""))


@app.command()
def presets() -> None:
    """List the presets: the papers' rows and our own."""
    from memnet.presets import PRESETS

    for name, config in PRESETS.items():
        typer.echo(f"{name:<20} {' '.join(f'{key}={value}' for key, value in vars(config).items())}")


@app.command()
def sweep(
    tasks: TaskNames,
    model: ModelName = None,
    preset: Annotated[list[str] | None, typer.Option(help="A preset; may be repeated.")] = None,
    size: SizeName = "1k",
    variant: VariantName = "en",
    restarts: Restarts = None,
    seed: Annotated[list[int] | None, typer.Option(min=0, help="A seed; may be repeated.")] = None,
    joint: Annotated[bool, typer.Option("--joint", help="One network for all the tasks named.")] = False,
    score: ScoreName = None,
    align: AlignName = None,
    read: ReadName = None,
    window: WindowSize = None,
    samples: SampleCount = None,
    baseline: BaselineName = None,
    supervision: SupervisionName = None,
    facts: FactShare = None,
    settings: Settings = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; as many as there are cores.")] = None,
    results: Annotated[Path, typer.Option(help="The file of runs; what it has is not run again.")] = Path("results/runs.csv"),
    work: Annotated[Path, typer.Option(help="Where run folders and checkpoints go.")] = Path("runs/sweep"),
    data: DataFolder = None,
    source: SourceName = "auto",
    story_seed: StorySeed = 0,
) -> None:
    """Train many networks over the machine's cores, skipping what is done."""
    import time

    from memnet.sweep import plan
    from memnet.sweep import sweep as run_jobs

    check_model(model)
    check_data_options(size, variant, source)
    with plain_errors():
        names = chosen_presets(model, preset or [], joint)
        options = {"score": score, "align": align, "read": read, "window": window, "samples": samples, "baseline": baseline}
        options |= {"supervision": supervision, "facts": facts}
        configs = {name: changed(name, settings, options) for name in names}
        groups = groups_of(tasks, joint, size, variant, data, source, story_seed)
        todo, skipped = plan(groups, configs, seed or [0], size, variant, restarts, results, work)
        typer.echo(f"{len(todo)} run(s) to do, {skipped} done already")
        failed, started = 0, time.monotonic()
        folders = {job.spec: job.folder for job in todo}
        cores = os.cpu_count() or 1
        try:
            for number, (spec, outcome, seconds) in enumerate(run_jobs(todo, results, min(jobs or cores, cores)), 1):
                left = (time.monotonic() - started) / number * (len(todo) - number)
                if isinstance(outcome, str):
                    failed += 1
                    said = f"failed: {outcome}"
                else:
                    best = next(row for row in outcome if row["chosen"] == "1")
                    errors = [float(error) for error in best["test_error"].split()]
                    said = f"test error {sum(errors) / len(errors):.1f} %"
                    if unusable := json.loads((folders[spec] / "run.json").read_text(encoding="utf-8"))["facts"]:
                        typer.echo(f"{spec.what}: {unusable}")
                typer.echo(
                    f"[{number}/{len(todo)}] {spec.what} {spec.preset} seed {spec.seed}: "
                    f"{said}, {seconds:.0f} s, {left:.0f} s left"
                )
        except KeyboardInterrupt:
            fail(f"stopped; finished runs are in {results}, the same command goes on", 130)
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
    from memnet.table import TABLES, attention, questions, render, retrieval, summary, transfer

    check_data_options(size, "en")
    others: dict[str, Callable[[], str]] = {
        "summary": lambda: summary(results, published, seed),
        "transfer": lambda: transfer(results),
        "attention": lambda: attention(results),
        "questions": lambda: questions(results, published),
        "retrieval": lambda: retrieval(results),
    }
    with plain_errors():
        if write is not None:
            write.mkdir(parents=True, exist_ok=True)
            for each, (its_size, presets) in TABLES.items():
                write_atomically(write / f"{each}.md", render(results, published, its_size, seed, presets) + "\n")
                typer.echo(write / f"{each}.md")
            for each, make in others.items():
                write_atomically(write / f"{each}.md", make() + "\n")
                typer.echo(write / f"{each}.md")
            return
        if name in others:
            typer.echo(others[name]())
            return
        if name is not None:
            choice("name", name, (*TABLES, *others))
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
    from memnet.config import ConfigError, model_of

    check_data_options(size, "en", source)
    with plain_errors():
        config = preset_named(preset)
        if model_of(config) == "baseline":
            raise ConfigError(f"{preset} is fitted in one piece; there are no training steps to measure")
        groups = groups_of(tasks or ["qa1", "qa2", "qa3", "qa14"], joint, size, "en", data, source)
        typer.echo(
            f"{'task':<8} {'examples/s':>11} {'ms/step':>9} {'peak MiB so far':>16}   "
            f"batch {config.batch} x {restarts} replicas"
        )
        for group in groups:
            speed = training(group, config, restarts, seconds)
            name = group[0].name if len(group) == 1 else "joint"
            typer.echo(f"{name:<8} {speed.examples:>11,.0f} {speed.milliseconds:>9.2f} {speed.peak:>16.0f}")


@bench_app.command("attention")
def bench_attention(
    sizes: Annotated[list[int] | None, typer.Argument(min=1, help="Memories; 10 to 100,000 by default.")] = None,
    seconds: Annotated[float, typer.Option(min=0.0, help="How long to measure each, at least three times.")] = 0.2,
    write: Annotated[Path | None, typer.Option(help="A file for the table.")] = None,
) -> None:
    """Every score, alignment and read forward and backward: ms, and MiB kept for the backward pass."""
    from memnet.bench import attention
    from memnet.checkpoint import write_atomically

    sizes = sizes or [10, 100, 1000, 10_000, 100_000]
    found: dict[str, dict[int, str]] = {}
    with plain_errors():
        for name, size, one in attention(sizes, seconds):
            found.setdefault(name, {})[size] = f"{one.milliseconds:,.2f} ms, {one.kept:,.2f}"
        lines = [
            "One query a story, 4 stories of width 32, one thread: milliseconds forward and backward, and MiB kept for the "
            "backward pass, by memories.",
            "",
            "| score, alignment, read | " + " | ".join(f"{size:,}" for size in sizes) + " |",
            "| --- |" + " ---: |" * len(sizes),
            *(f"| {name} | " + " | ".join(costs[size] for size in sizes) + " |" for name, costs in found.items()),
        ]
        if write is not None:
            write_atomically(write, "\n".join(lines) + "\n")
    typer.echo("\n".join(lines))


@bench_app.command("reinforce")
def bench_reinforce(
    number: Annotated[int, typer.Option(min=2, help="Estimates of each kind.")] = 1000,
    write: Annotated[Path | None, typer.Option(help="A file for the table.")] = None,
) -> None:
    """The gradient of hard attention: bias, spread and time by samples, baseline and memories."""
    from memnet.bench import estimates
    from memnet.checkpoint import write_atomically

    lines = [
        f"The estimated gradient of the expected loss against the exact one (summed over all addresses), one hop, 16 questions "
        f"whose expected losses differ, {number:,} estimates: lengths relative to the exact gradient's.",
        "",
        "| memories | baseline | samples T | mean error | of an unbiased mean | error of one estimate | ms |",
        "| ---: | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    with plain_errors():
        for one in estimates([5, 50, 500], [1, 2, 5, 10, 20], number):
            lines.append(
                f"| {one.memories} | {one.baseline} | {one.samples} | {one.bias:.3f} | {one.chance:.3f} | {one.deviation:.2f} "
                f"| {one.milliseconds:.2f} |"
            )
        if write is not None:
            write_atomically(write, "\n".join(lines) + "\n")
    typer.echo("\n".join(lines))


def main() -> None:
    """The command ``memnet``; asked to end, it cleans up as after Ctrl-C."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    app()
