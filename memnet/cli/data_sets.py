"""The data sets that a command names: what short names stand for, said in a line, and where their stories come from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from memnet.errors import counted

if TYPE_CHECKING:
    from memnet.tasks.families import Task


def say_what(names: Sequence[str], tasks: Sequence[Task]) -> None:
    """What short names stand for, a line; another where stories are simulated. A folder that has no text is named."""
    from memnet.tasks.families import EXAMPLES, FAMILIES
    from memnet.tasks.families.archive import ENVIRONMENT
    from memnet.tasks.simulator import VERSION
    from memnet.tasks.text import visible

    families = {task.family: FAMILIES[task.family] for task in tasks}
    meant = [task.name for task in tasks if task.member in names or ("all" in names and "/" not in "".join(names))]
    drawn = [family for family in families.values() if family.drawn]
    if meant:
        which = ", ".join(meant) if len(meant) < 5 else f"{len(meant)} data sets"
        folder = os.environ.get(ENVIRONMENT)
        where = f"not in {ENVIRONMENT} ({visible(folder)}), nor fetched" if folder else "not at hand"
        instead = "all" in names or any(name in EXAMPLES.members for name in names)  # of published text
        why = f" (the published text is {where}; 'memnet data fetch' gets it)" if drawn and instead else ""
        typer.echo(f"{', '.join(names)} is {which}: {', '.join(family.title for family in families.values())}{why}")
    if drawn:
        typer.echo(
            f"{', '.join(family.title for family in drawn)} (simulator {VERSION})" if not meant else f"simulator {VERSION}"
        )


def say_remarks(tasks: Iterable[Task], err: bool = False) -> None:
    """What a person should know of their own stories, a line each."""
    from memnet.tasks.families import FAMILIES
    from memnet.tasks.families.remarks import remarks

    for task in tasks:
        for sentence in remarks(task) if FAMILIES[task.family].made == "own" else ():
            typer.echo(f"{task.name}: {sentence}", err=err)


def counts(task: Task) -> str:
    """How much a data set has: stories and questions of its parts and splits, answers, and candidates where there are some."""
    from memnet.tasks.families import questions_of

    parts = {"training": task.train, **({} if task.valid is None else {"validation": task.valid})}
    parts |= {"test" if len(task.splits) == 1 else f"test {split!r}": stories for split, stories in task.splits.items()}
    asked = questions_of(story for stories in parts.values() for story in stories)
    told = "; ".join(
        f"{part} {len(found):,} {'story' if len(found) == 1 else 'stories'}, {counted(len(questions_of(found)), 'question')}"
        for part, found in parts.items()
    )
    candidates = {one for question in asked for one in question.candidates}
    kinds = {question.kind for question in asked if question.kind}
    more = [counted(len(found), what) for what, found in (("candidate", candidates), ("kind", kinds)) if found]
    return f"{task.name}: {told}; {', '.join([counted(len({one.answer for one in asked}), 'answer'), *more])}"


def groups_of(names: Sequence[str], joint: bool, data: Path | None) -> list[list[Task]]:
    """The data sets named, all in one group (joint) or one a group; says what short names are."""
    from memnet.tasks.families import find

    found = find(names, data)
    say_what(names, found)
    return [found] if joint else [[task] for task in found]


def trained_on(run: Path | str, saved: dict[str, Any], names: list[str] | None = None, data: Path | None = None) -> list[Task]:
    """The data sets that a network was trained on, or those named otherwise."""
    from memnet.errors import NetworkError
    from memnet.tasks.families import family_of, find

    if not names and any(family_of(name).made == "own" for name in saved["data"]):
        raise NetworkError(f"{run} was trained on files of your own; name their folder")
    return find_named(names, data) if names else find(saved["data"], data)


def find_named(names: Sequence[str], data: Path | None, first: int | None = None) -> list[Task]:
    """The data sets of these names; says where a variable names a folder that has no text, and stories are drawn instead.

    ``first`` is how many training stories are enough.
    """
    from memnet.tasks.families import EXAMPLES, FAMILIES, find
    from memnet.tasks.families.archive import ENVIRONMENT
    from memnet.tasks.text import visible

    found, folder = find(names, data, first), os.environ.get(ENVIRONMENT)
    if folder and any(name in EXAMPLES.members for name in names) and any(FAMILIES[task.family].drawn for task in found):
        typer.echo(f"memnet: {ENVIRONMENT} ({visible(folder)}) has no published text: these stories are simulated", err=True)
    return found
