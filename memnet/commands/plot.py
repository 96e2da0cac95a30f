"""``memnet plot``: figures, by matplotlib (the extra ``plot``)."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from memnet.commands.common import DataFolder, RunName, fail, plain_errors, trained_on


class AttentionFirst(TyperGroup):
    """``memnet plot RUN`` is ``memnet plot attention RUN``."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command named, or ``attention`` where the first word names none."""
        named = args and (args[0] in self.commands or args[0].startswith("-"))
        return super().resolve_command(ctx, args if named else ["attention", *args])


app = typer.Typer(cls=AttentionFirst, no_args_is_help=True, help="Draw figures (needs the extra plot).")


@app.callback()
def figures() -> None:
    """Draw figures (needs the extra plot)."""


@app.command("attention")
def plot_attention(
    run: RunName,
    write: Annotated[Path, typer.Argument(help="The figure's file: .png, .svg or .pdf.")] = Path("attention.png"),
    task: Annotated[str | None, typer.Option(help="Another task than the first that it was trained on, or a folder.")] = None,
    question: Annotated[int, typer.Option(min=1, help="Which test question.")] = 1,
    story: Annotated[
        Path | None, typer.Option(help="A story of your own, with a question in it; the last one is asked.")
    ] = None,
    data: DataFolder = None,
) -> None:
    """Which sentences each hop, pass or layer read for a test question, the supporting facts marked."""
    import torch

    from memnet.answer import Answerer
    from memnet.checkpoint import load_network
    from memnet.figures import attention_map, save
    from memnet.hub import find_network
    from memnet.tasks.text import words

    torch.set_num_threads(1)
    with plain_errors():
        net, vocabulary, saved = load_network(find_network(run))
        if story is not None:
            if task is not None or question > 1:
                fail("--story is a story of your own; leave --task and --question out", 2)
            own, last, marked, expected = last_question(story)
            save(attention_map(Answerer(net, vocabulary).ask(own, last), last, marked, expected), write)
            typer.echo(write)
            return
        found = trained_on(run, saved, [task] if task else None, data=data)[0]
        asked = [(story, one) for story in found.test for one in story.questions]
        if question > len(asked):
            fail(f"{found.name} has {len(asked)} test questions, there is no question {question}", 2)
        chosen, one = asked[question - 1]
        told = [place for place in range(one.after) if words(chosen.statements[place])]  # as a network counts them
        answer = Answerer(net, vocabulary).ask([chosen.statements[place] for place in told], one.text)
        facts = [told.index(fact) for fact in one.supporting_facts if fact in told]
        save(attention_map(answer, one.text, facts, one.answer), write)
    typer.echo(write)


def last_question(path: Path) -> tuple[list[str], str, list[int], str | None]:
    """The last question of a file, plain sentences or the bAbI format: what is told before it, its facts and its answer.

    Raises :class:`~memnet.answer.AskError`.
    """
    from memnet.answer import AskError, Listener
    from memnet.prompt import text_of
    from memnet.tasks.text import FormatError, parse, words

    text = text_of(path, str(path))
    try:
        story = next(story for story in reversed(parse(text, str(path))) if story.questions)
    except (FormatError, StopIteration):
        listener, told = Listener(), list[str]()
        asked: tuple[list[str], str] | None = None
        for line in text.splitlines():
            heard = listener.hear(line)
            if listener.fresh:
                told = []
            for said in heard:
                if said.question:
                    asked = ([*told], said.text)
                else:
                    told.append(said.text)
        if asked is None:
            raise AskError(f"{path} asks nothing; expected a line with a question mark after the statements") from None
        return *asked, [], None
    one = story.questions[-1]
    places = [place for place in range(one.after) if words(story.statements[place])]
    facts = [places.index(fact) for fact in one.supporting_facts if fact in places]
    return [story.statements[place] for place in places], one.text, facts, one.answer


@app.command("results")
def plot_results(
    out: Annotated[Path, typer.Argument(help="A folder for the figures.")] = Path("results/figures"),
    results: Annotated[Path, typer.Option(help="The file of runs.")] = Path("results/runs.csv"),
    published: Annotated[Path, typer.Option(help="The papers' figures.")] = Path("results/published.csv"),
    kind: Annotated[str, typer.Option(help="svg, png or pdf.")] = "svg",
) -> None:
    """Errors by model, spread over restarts, error against data size and memory size, from the runs on record."""
    from memnet.checkpoint import NetworkError
    from memnet.compare import COMPARED, by_questions, read_growth
    from memnet.figures import errors_by_task, lines_of, restarts, save
    from memnet.table import columns

    with plain_errors():
        parts = {}
        for model, presets in COMPARED.items():
            with suppress(NetworkError):  # a model without runs is not drawn
                parts[model] = columns(results, published, "1k", 0, [presets["1k"]])[0]
        if not parts:
            raise NetworkError(f"{results} has no run of {', '.join(COMPARED)} on 1,000 questions; 'memnet sweep' makes them")
        figures = {
            "errors": errors_by_task({model: part.chosen for model, part in parts.items()}),
            "restarts": restarts(
                {model: {task: (part.every[task], part.chosen[task]) for task in part.chosen} for model, part in parts.items()}
            ),
            "questions": lines_of(by_questions(results), "training questions", "mean test error, %", log=True),
        }
        name = {presets["1k"]: model for model, presets in COMPARED.items()}
        points: dict[str, list[tuple[float, float]]] = {}
        for point in read_growth(results.parent / "memory.csv"):
            points.setdefault(name.get(point.preset, point.preset), []).append((point.statements, point.error))
        figures["memory"] = lines_of(points, "statements in the memory", "error, %", log=True)
        out.mkdir(parents=True, exist_ok=True)
        for each, figure in figures.items():
            save(figure, out / f"{each}.{kind}")
            typer.echo(out / f"{each}.{kind}")


@app.command("curves")
def plot_curves(
    runs: Annotated[list[Path], typer.Argument(help="Run folders, or their metrics.jsonl.")],
    write: Annotated[Path, typer.Option("--out", help="The figure's file: .png, .svg or .pdf.")],
) -> None:
    """Learning curves: the mean over restarts of training and validation error, epoch by epoch."""
    from memnet.figures import lines_of, save

    with plain_errors():
        lines: dict[str, list[tuple[float, float]]] = {}
        for run in runs:
            name = run.parent.name if run.suffix == ".jsonl" and run.name == "metrics.jsonl" else run.stem
            for part, points in curves(run / "metrics.jsonl" if run.is_dir() else run).items():
                lines[f"{name}, {part}"] = points
        save(lines_of(lines, "epoch", "error, %"), write)
    typer.echo(write)


def curves(path: Path) -> dict[str, list[tuple[float, float]]]:
    """The mean over restarts of each epoch's errors in a file of metrics. Raises :class:`~memnet.checkpoint.NetworkError`."""
    from memnet.checkpoint import NetworkError

    found: dict[str, dict[int, list[float]]] = {"training": {}, "validation": {}}
    try:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            for part, name in (("training", "train_error"), ("validation", "validation_error")):
                found[part].setdefault(int(row["epoch"]), []).append(float(row[name]))
    except (UnicodeDecodeError, ValueError, KeyError, TypeError) as error:
        raise NetworkError(f"{path} is not a training's metrics: {error}") from error
    if not found["training"]:
        raise NetworkError(f"{path} has no epochs")
    return {part: [(epoch, sum(errors) / len(errors)) for epoch, errors in rows.items()] for part, rows in found.items()}
