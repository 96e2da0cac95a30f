"""The command line. Heavy packages are imported inside the commands: ``memnet --help`` answers at once."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memnet.commands import bench, data, plot, results, serve
from memnet.commands.common import (
    AlignName,
    BaselineName,
    DataFolder,
    FactShare,
    ModelName,
    ReadName,
    Restarts,
    RunName,
    RunOrOwn,
    SampleCount,
    ScoreName,
    Settings,
    SizeName,
    SourceName,
    StorySeed,
    SupervisionName,
    TaskNames,
    VariantName,
    VectorsFile,
    WindowSize,
    changed,
    check_data_options,
    check_model,
    chosen_presets,
    fail,
    groups_of,
    plain_errors,
    trained_on,
)

if TYPE_CHECKING:
    from memnet.answer import Answer, Answerer
    from memnet.prompt import Conversation
    from memnet.tasks.evidence import Kind
    from memnet.train import Spec

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Memory networks that answer questions about a story: train, evaluate and ask them.",
)
app.add_typer(data.app, name="data")
app.add_typer(bench.app, name="bench")
app.add_typer(plot.app, name="plot")
for command in (results.sweep, results.table, results.reproduce, serve.serve):
    app.command()(command)


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


def report_unknown(spec: Spec, data: Any) -> None:
    """Say once which words change places, which facts cannot be used as told, and what tests have that training never had."""
    from memnet.runs import unusable_facts

    if data.exchange is not None:
        typer.echo(f"{spec.what}: words that change places: {data.exchange.told()}")
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
        name, *more = dict.fromkeys(chosen_presets(model, [preset] if preset else [], joint))
        if more:
            fail(f"--model {model} and --preset {preset} name two presets; leave one out", 2)
        options = {"score": score, "align": align, "read": read, "window": window, "samples": samples, "baseline": baseline}
        config = changed(name, settings, options | {"supervision": supervision, "facts": facts})
        if vectors is not None and not hasattr(config, "vectors"):
            raise ConfigError(f"--vectors is for the model dmn; preset {name} has no use for word vectors")
        if vectors is not None and "vectors=none" in (settings or []):
            raise ConfigError("--vectors names a file and --set vectors=none wants none; leave one out")
        if vectors is not None and config.vectors == "none":  # type: ignore[attr-defined]
            config = override(config, {"vectors": "train"})
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
                    found, every = int(words.known.sum()), len(numbers.vocabulary)
                    typer.echo(f"{spec.what}: {found} of the {every} words that it learns from have vectors in {vectors}")
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
    run: RunName,
    tasks: Annotated[list[str] | None, typer.Argument(help="Other tasks than those it was trained on.")] = None,
    size: Annotated[str | None, typer.Option(help="1k or 10k; as trained by default.")] = None,
    variant: Annotated[str | None, typer.Option(help="en, hn or shuffled; as trained by default.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    evidence: Annotated[bool, typer.Option("--evidence", help="How often it says that there is none.")] = False,
    data: DataFolder = None,
    source: Annotated[str | None, typer.Option(help="published or simulated; as trained by default.")] = None,
    story_seed: Annotated[int | None, typer.Option(min=0, help="Which simulated stories; as trained by default.")] = None,
) -> None:
    """Test error per task, and how often the sentences read most are the supporting facts."""
    import torch

    from memnet.batch import examples
    from memnet.checkpoint import load_network
    from memnet.evaluate import FAILED, evaluate, retrieval
    from memnet.hub import find_network
    from memnet.tasks.evidence import stories_without_evidence

    def rounded(values: Any) -> list[float]:
        return [round(value, 4) for value in values.tolist()]

    def none(prediction: Any) -> float | None:
        return round(float((prediction[0, :, 0] == 0).double().mean()), 4) if prediction.shape[1] else None

    torch.set_num_threads(1)
    with plain_errors():
        net, vocabulary, saved = load_network(find_network(run))
        found = trained_on(run, saved, tasks, size, variant, data, source, story_seed)
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
                **({} if outcome.steps is None else {"steps": round(float(outcome.steps[0].mean()), 2)}),
                **({} if outcome.passes is None else {"passes": round(float(outcome.passes[0].mean()), 2)}),
                **({} if outcome.alike is None else {"heads_alike": rounded(outcome.alike[0].double().mean(0))}),
            }
            if evidence:
                report[task.name]["no_evidence"] = none(outcome.prediction)
                for name, kind in WITHOUT.items():
                    stories = stories_without_evidence(task.test, kind=kind)
                    bare = examples([stories], vocabulary, net.config.capacity)
                    report[task.name][f"no_evidence_{name}"] = none(evaluate(net, bare).prediction) if len(bare) else None
        errors = [row["test_error"] for row in report.values()]
        whole = {
            "tasks": report,
            "mean_error": round(sum(errors) / len(errors), 4),
            "failed": sum(error > FAILED for error in errors),
            "data": "+".join(sorted({task.source for task in found})),
        }
    kinds = {
        "no_evidence": "with their evidence",
        "no_evidence_without": "without what speaks of their subject",
        "no_evidence_without_one": "without one of several facts",
        "no_evidence_without_facts": "without the supporting facts alone (an older statement may answer)",
    }
    if as_json:
        typer.echo(json.dumps(whole))
        return
    typer.echo(f"{'task':<12} {'test error %':>12} {'questions':>10}   facts: precision  recall  exact  by hop")
    for name, row in report.items():
        facts = [share(row[f"fact_{part}"]) for part in ("precision", "recall", "exact")]
        hops = " ".join(map(share, row["fact_hops"])) or "-"
        hops += "".join(f"  ({row[spent]:.1f} {spent})" for spent in ("steps", "passes") if spent in row)
        hops += f"  heads alike {' '.join(map(share, row['heads_alike']))}" if "heads_alike" in row else ""
        if evidence:
            hops += f"   says no evidence: {' '.join(share(row[name]) for name in kinds)}"
        typer.echo(
            f"{name:<12} {row['test_error']:>12.1f} {row['questions']:>10} {facts[0]:>18} {facts[1]:>7} {facts[2]:>6}  {hops}"
        )
    typer.echo(
        f"mean error {whole['mean_error']:.2f} %, {whole['failed']} of {len(errors)} failed (> 5 %), {whole['data']} data"
    )
    for name, where in kinds.items() if evidence else ():
        told = [row[name] for row in report.values() if row[name] is not None]
        mean = sum(told) / max(1, len(told))
        typer.echo(f"says it has no evidence for {mean:.1%} of the questions {where}, mean over {len(told)} tasks")
    if unknown or never:
        typer.echo(f"{unknown} word(s) of the test text, and the answers to {never} question(s), are unknown to the network")


WITHOUT: dict[str, Kind] = {"without": "subject", "without_one": "one", "without_facts": "facts"}


def share(value: float | None) -> str:
    """Three decimals, or a dash."""
    return "-" if value is None else f"{value:.3f}"


@app.command()
def ask(
    run: RunOrOwn = None,
    story: Annotated[Path | None, typer.Option(help="A file of statements, one a line; questions in it are left out.")] = None,
    question: Annotated[str | None, typer.Option(help="Ask this and end.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, a line an answer.")] = False,
) -> None:
    """Tell a story and ask about it: a line with a question mark is answered, other lines are remembered."""
    import torch

    from memnet.answer import Listener
    from memnet.prompt import Conversation

    torch.set_num_threads(1)
    if sys.stdin is None:  # closed by whoever started us: nothing is said
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    with plain_errors():
        conversation, listener = Conversation.with_network(run), Listener()
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
        conversation.story, conversation.listener = told, listener
        if question is None and sys.stdin.isatty() and not as_json:
            from memnet.terminal import talk

            talk(conversation)
        elif question is None:
            converse(conversation, as_json)
        elif not reply(conversation.answerer, told, question, as_json):
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
    from memnet.answer import AskError

    answer, why = None, ""
    try:
        answer = answerer.ask(told, question)
    except AskError as error:
        why = str(error)
    tell(answer, why, as_json)
    return answer is not None


def spoken() -> Iterator[str]:
    """Lines from a pipe, or typed, to the end of the input; no longer than a conversation takes."""
    from memnet.prompt import LINE

    while raw := sys.stdin.buffer.readline(4 * LINE + 1):
        if len(raw) > 4 * LINE and not raw.endswith(b"\n"):
            while (rest := sys.stdin.buffer.readline(LINE)) and not rest.endswith(b"\n"):
                pass
            typer.echo(f"a line is left out, it has more than {4 * LINE:,} bytes", err=True)
            continue
        yield decoded(raw)


def converse(conversation: Conversation, as_json: bool) -> None:
    """Remember statements and answer questions, line by line."""
    conversation.typed = False
    for line in spoken():
        if line.strip() == "/reset":
            conversation.replace([])
            continue
        if line.startswith("/"):
            typer.echo("there is no such command in a pipe; /reset forgets the story", err=True)
            continue
        for said in conversation.listen(line):
            tell(said.answer, said.text, as_json and said.question)


def tell(answer: Answer | None, why: str, as_json: bool) -> None:
    """Print an answer, or why there is none."""
    from memnet.answer import render

    if answer is None:
        typer.echo(json.dumps({"error": why}) if as_json else why, err=not as_json)
    else:
        typer.echo(json.dumps(answer.as_json(), ensure_ascii=False) if as_json else render(answer))


@app.command()
def presets() -> None:
    """List the presets: the papers' rows and our own."""
    from memnet.presets import PRESETS

    for name, config in PRESETS.items():
        typer.echo(f"{name:<20} {' '.join(f'{key}={value}' for key, value in vars(config).items())}")


def main() -> None:
    """The command ``memnet``; asked to end, it cleans up as after Ctrl-C."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    app()
