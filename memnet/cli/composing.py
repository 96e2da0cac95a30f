"""``memnet train`` and ``memnet eval`` of networks that compose answers, and ``memnet chat``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memnet.cli.common import STOPS, ComposerName, fail, fail_stopped, plain_errors, try_command
from memnet.cli.data_sets import say_what

if TYPE_CHECKING:
    from memnet.composing.training import Progress
    from memnet.tasks.families import Task

COMPOSER = "composer"
DEFAULTS = (("device", "cpu"), ("watch_port", 7861))  # of options that it has no use for
TAKEN = ("tasks", "model", "preset", "settings", "seed", "out", "resume", "data")  # options of memnet train that it takes
ROWS_HELP = "Its rows, '1 resto_rome R_price cheap' a line: what an api_call finds becomes statements."


def is_composed(names: Sequence[str], model: str | None, preset: str | None) -> bool:
    """Whether data sets are to be learned by a composer: where nobody says otherwise, those whose family says so."""
    from memnet.tasks.families import FAMILIES

    if COMPOSER in (model, preset):
        return True
    families = [FAMILIES.get(name.partition("/")[0]) for name in names]
    return model is None and preset is None and all(one is not None and one.learned_by == COMPOSER for one in families)


def refused_of(given: Mapping[str, object]) -> list[str]:
    """The options given, by their names in Python, that a composer has no use for."""
    found = {name: value for name, value in given.items() if name not in TAKEN and value and (name, value) not in DEFAULTS}
    return [f"--{name.removesuffix('_file').replace('_', '-')}" for name in found]


def train_composers(
    names: list[str], settings: Sequence[str], seed: int, out: Path | None, data: Path | None, refused: Sequence[str]
) -> None:
    """Train a composer on each data set. ``refused`` are options given that a composer has no use for."""
    import torch

    from memnet.composing.making import default_folder, make
    from memnet.composing.training import course_of
    from memnet.errors import ConfigError
    from memnet.tasks.families import find

    torch.set_num_threads(1)
    with plain_errors():
        if refused:
            raise ConfigError(f"{refused[0]} is not for a composer: it takes --set, --seed, --out, --resume and --data")
        tasks = find(names, data)
        say_what(names, tasks)
        for task in tasks:
            course = replace(course_of(task.name), seed=seed).changed(settings)
            folder = default_folder(task, course) if out is None else out / task.member if len(tasks) > 1 else out
            try:
                with bar(task, course.epochs * course.networks) as tell:
                    saved = make(task, course, folder, tell)
            except STOPS as error:
                fail_stopped(error, "the same command goes on")
            valid = saved["validation"]
            typer.echo(
                f"{task.name}: validation {valid['responses']:.2f} % of responses right, {valid['dialogs']:.1f} % of dialogs; "
                f"{saved['seconds']:.0f} s\nkept in {folder}; {try_command('eval', folder)}, or memnet chat {folder}"
            )


@contextmanager
def bar(task: Task, epochs: int) -> Iterator[Callable[[Progress], None]]:
    """A bar over epochs with what is right of validation."""
    from tqdm import tqdm

    with tqdm(total=epochs, desc=task.name, unit="epoch", leave=False, disable=None) as shown:

        def tell(progress: Progress) -> None:
            shown.n = progress.epoch
            shown.set_postfix_str(
                f"loss {progress.loss:.3f}, right {progress.responses:.1f} % of responses, {progress.dialogs:.0f} % of dialogs"
            )

        yield tell


def evaluate_composer(
    folder: Path, names: list[str] | None, as_json: bool, predictions: Path | None, data: Path | None
) -> None:
    """Percent right of every test split, per response and per dialog."""
    import torch

    from memnet.composing.answers import accuracy
    from memnet.composing.bot import Trained
    from memnet.errors import ConfigError
    from memnet.files import write_atomically
    from memnet.tasks.families import find

    torch.set_num_threads(1)
    trained, report, lines = Trained.load(folder), dict[str, Any](), list[str]()
    for task in find(names or trained.facts["data"], data):
        if any(question.after >= len(story.statements) for story in task.test for question in story.questions):
            raise ConfigError(f"{task.name} has no dialogs, and {folder} answers in dialogs: name one such as dialog/task5")
        for split, stories in task.splits.items():
            given = list(trained.answers(stories))
            responses, dialogs = accuracy(stories, given)
            report.setdefault(task.name, {})[split] = {
                "responses": round(100 * responses.share, 4),
                "dialogs": round(100 * dialogs.share, 4),
                "questions": int(responses.asked),
            }
            for number, (story, answers) in enumerate(zip(stories, given, strict=True)):
                lines += [
                    json.dumps(
                        {
                            "data": task.name,
                            "split": split,
                            "story": number,
                            "question": question.text,
                            "answer": answer,
                            "expected": question.answer,
                            "right": answer in (question.answer, *question.also),
                        },
                        ensure_ascii=False,
                    )
                    for question, answer in zip(story.questions, answers, strict=True)
                ]
    if predictions is not None:
        if predictions.exists():
            fail(f"{predictions}: it exists already; choose another --predictions")
        write_atomically(predictions, "".join(f"{line}\n" for line in lines))
    if as_json:
        typer.echo(json.dumps({"tasks": report}))
        return
    width = max(len(name) for name in report)
    typer.echo(f"{'data set':<{width}} {'split':<12} {'responses right %':>18} {'dialogs right %':>16} {'responses':>10}")
    for name, splits in report.items():
        for split, one in splits.items():
            typer.echo(f"{name:<{width}} {split:<12} {one['responses']:>18.2f} {one['dialogs']:>16.1f} {one['questions']:>10}")


def chat(
    run: ComposerName,
    knowledge_base: Annotated[Path | None, typer.Option("--rows", metavar="FILE", help=ROWS_HELP)] = None,
    show: Annotated[bool, typer.Option("--show", help="The newest memory that has each copied word.")] = False,
) -> None:
    """Talk to a network that composes answers, such as 'memnet train dialog/task5' makes."""
    from memnet.composing.bot import Bot, Trained
    from memnet.composing.bot import knowledge_base as rows_of
    from memnet.tasks.text import decode, visible

    with plain_errors():
        rows = rows_of(decode(knowledge_base.read_bytes(), str(knowledge_base)), str(knowledge_base)) if knowledge_base else {}
        bot = Bot(Trained.load(Path(run)), rows)
        at_prompt = sys.stdin.isatty()
        if at_prompt:
            typer.echo("Say something; an empty line says nothing, Ctrl-D ends.", err=True)
        while True:
            if at_prompt:
                typer.echo("> ", nl=False)
            line = sys.stdin.buffer.readline().decode("utf-8", "replace")
            if not line:
                return
            for reply in bot.replies(line):
                typer.echo(visible(reply.text))
                for word, statement in reply.copied if show else ():
                    typer.echo(f"  {visible(word)}: {visible(statement)}")
                if reply.text.startswith("api_call ") and not bot.found:
                    typer.echo("  no row has all of this" if rows else "  no rows are known; --rows FILE gives some")
