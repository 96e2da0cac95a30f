"""``memnet plot``: figures, by matplotlib (the extra ``plot``)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from memnet.cli.common import (
    DataFolder,
    PublishedFile,
    RunName,
    RunsFile,
    fail,
    one_thread,
    plain_errors,
    utf8_text,
)
from memnet.cli.data_sets import trained_on


class AttentionFirst(TyperGroup):
    """``memnet plot RUN`` is ``memnet plot attention RUN``."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command named, or ``attention`` where the first word names none."""
        named = args and (args[0] in self.commands or args[0].startswith("-"))
        return super().resolve_command(ctx, args if named else ["attention", *args])


app = typer.Typer(cls=AttentionFirst, no_args_is_help=True, add_completion=False, help="Draw figures (needs the extra plot).")


@app.callback()
def figures() -> None:
    """Draw figures (needs the extra plot)."""


@app.command("attention")
def plot_attention(
    run: RunName,
    write: Annotated[Path, typer.Argument(help="The figure's file: .png, .svg or .pdf.")] = Path("attention.png"),
    task: Annotated[str | None, typer.Option(help="Another task than the first that it was trained on, or a folder.")] = None,
    question: Annotated[
        str | None,
        typer.Option(help="With --story what is asked; else the number of a test question.", callback=utf8_text),
    ] = None,
    story: Annotated[
        Path | None, typer.Option(help="A story of your own; without --question its last question is asked.")
    ] = None,
    data: DataFolder = None,
) -> None:
    """Which sentences each hop, pass or layer read for a test question, the supporting facts marked."""
    one_thread()
    from memnet.ask.hub import find_network
    from memnet.ask.predictor import Predictor
    from memnet.figures import save
    from memnet.show.figure import attention_map
    from memnet.tasks.text import words

    with plain_errors():
        network = Predictor.load(find_network(run))
        if story is not None:
            if task is not None:
                fail("--story is a story of your own; leave --task out", 2)
            statements, last, marked, expected = last_question(story, question)
            save(attention_map(network.ask(statements, last), last, marked, expected), write)
            typer.echo(write)
            return
        number = number_of(question)
        found = trained_on(run, network.metadata, [task] if task else None, data=data)[0]
        asked = [(story, one) for story in found.test for one in story.questions]
        if number > len(asked):
            fail(f"{found.name} has {len(asked)} test questions, there is no question {number}", 2)
        chosen, one = asked[number - 1]
        places = [place for place in range(one.after) if words(chosen.statements[place])]  # as a network counts them
        answer = network.ask([chosen.statements[place] for place in places], one.text)
        facts = [places.index(fact) for fact in one.supporting_facts if fact in places]
        save(attention_map(answer, one.text, facts, one.answer), write)
    typer.echo(write)


def number_of(question: str | None) -> int:
    """Which test question is meant, from 1; a question in words is one about a story of one's own."""
    if question is None:
        return 1
    if not (question.isascii() and question.isdecimal() and int(question) > 0):
        fail(f"--question {question}: expected a number from 1, or a story of your own that is asked: --story FILE", 2)
    return int(question)


def last_question(path: Path, asked: str | None = None) -> tuple[list[str], str, list[int], str | None]:
    """What is asked of a file, plain sentences or the bAbI format: the statements before it, its facts and its answer.

    That is the question ``asked`` after all statements, or else the file's last. Raises :class:`~memnet.ask.answer.AskError`.
    """
    from memnet.ask.parser import StoryParser
    from memnet.ask.story_file import read_text
    from memnet.errors import AskError
    from memnet.tasks.text import FormatError, parse, words

    text = read_text(path, str(path))
    if asked is not None:
        return StoryParser().parse(text)[-1].statements, asked, [], None
    try:
        story = next(story for story in reversed(parse(text, str(path))) if story.questions)
    except (FormatError, StopIteration):
        asking = [story for story in StoryParser().parse(text) if story.questions]
        if not asking:
            raise AskError(
                f"{path} asks nothing; add --question 'Where is Mary?', or write the question as the file's last line"
            ) from None
        return asking[-1].before_last_question(), asking[-1].questions[-1], [], None
    one = story.questions[-1]
    places = [place for place in range(one.after) if words(story.statements[place])]
    facts = [places.index(fact) for fact in one.supporting_facts if fact in places]
    return [story.statements[place] for place in places], one.text, facts, one.answer


@app.command("results")
def plot_results(
    out: Annotated[Path, typer.Argument(help="A folder for the figures.")] = Path("results/figures"),
    results: RunsFile = None,
    published: PublishedFile = None,
    kind: Annotated[str, typer.Option(help="svg, png or pdf.")] = "svg",
) -> None:
    """Errors by model, spread over restarts, error against data size and memory size, from the runs on record."""
    from memnet.errors import NetworkError
    from memnet.figures import save
    from memnet.record.recorded import PAPERS_CSV, RUNS_CSV, recorded
    from memnet.reports.overview import FIGURES, overview

    with plain_errors():
        runs, papers = results or recorded(RUNS_CSV), published or recorded(PAPERS_CSV)
        if not runs.is_file():
            raise NetworkError(f"there is no file {runs}; 'memnet sweep --results {runs}' makes runs in it")
        figures = overview(runs, papers)
        out.mkdir(parents=True, exist_ok=True)
        for name, figure in figures.items():
            save(figure, out / f"{name}.{kind}")
            typer.echo(out / f"{name}.{kind}")
        if lacking := [name for name in FIGURES if name not in figures]:
            typer.echo(f"left out, as their numbers are not beside {runs}: {', '.join(lacking)}", err=True)


@app.command("curves")
def plot_curves(
    runs: Annotated[list[Path], typer.Argument(help="Run folders, or their metrics.jsonl.")],
    write: Annotated[Path, typer.Option("--out", help="The figure's file: .png, .svg or .pdf.")],
) -> None:
    """Learning curves: the mean over restarts of training and validation error, epoch by epoch."""
    from memnet.figures import save
    from memnet.training.metrics import learning_curves

    with plain_errors():
        save(learning_curves(runs), write)
    typer.echo(write)


@app.command("tensorboard")
def plot_tensorboard(
    runs: Annotated[list[Path], typer.Argument(help="Run folders, or their metrics.jsonl.")],
    write: Annotated[Path, typer.Option("--out", help="A folder for TensorBoard's files.")],
) -> None:
    """Losses, errors and learning rate of every network of a run, epoch by epoch, for TensorBoard (the extra tensorboard)."""
    from memnet.training.metrics import write_events

    with plain_errors():
        for folder in write_events(runs, write):
            typer.echo(folder)
        typer.echo(f"look at them by: tensorboard --logdir {write}")
