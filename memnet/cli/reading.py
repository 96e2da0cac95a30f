"""``memnet data interchangeable`` and ``reading``: what is found of words by counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memnet.cli.common import (
    DataFolder,
    TaskNames,
    plain_errors,
)
from memnet.cli.data_sets import groups_of

if TYPE_CHECKING:
    from memnet.config import Training
    from memnet.encode.normalizer import Normalizer
    from memnet.tasks.families import Task
    from memnet.tasks.text import Story


def data_interchangeable(
    tasks: TaskNames,
    data: DataFolder = None,
) -> None:
    """Print the interchangeable words of each task's training stories: those that permute=true permutes."""
    from memnet.config.memn2n import MemN2NConfig
    from memnet.training.dataset import DataSet

    def found(group: list[Task]) -> list[str]:
        permutation = DataSet.of(group, MemN2NConfig(permute=True)).permutation
        return [permutation.describe() if permutation else ""]

    of_each_task(found, tasks, data)


def data_reading(
    tasks: TaskNames,
    data: DataFolder = None,
    joint: Annotated[
        bool, typer.Option("--joint", help="As which of these tasks one network of all reads the test questions.")
    ] = False,
    thousands: Annotated[
        bool, typer.Option("--thousands", help="In how many other thousands of the published 10,000 the same is found.")
    ] = False,
) -> None:
    """Print each task's phrases, synonyms and words named in order: as presets with canonical in their name read it.

    And what that alone does: how often the most frequent training answer is wrong for test questions, so read and as written.
    """
    from memnet.encode.normalizer import Normalizer
    from memnet.papers import PRESETS

    config = PRESETS["pe-ls-rn-canonical"]

    def found(group: list[Task]) -> list[str]:
        (task,) = group
        learned = task.split(config.validation)[0]
        normalizer = Normalizer.learned([learned], config)
        wrong = [most_frequent_error(reader, learned, task.test) for reader in (normalizer, Normalizer())]
        said = "the most frequent training answer is wrong for {:.1f} % of the test questions so read, {:.1f} % as written"
        return [*normalizer.describe(), said.format(*wrong)]

    if joint or thousands:
        with plain_errors():
            lines = recognized(groups_of(tasks, True, data)[0], config) if joint else found_again(tasks, config, data)
            for line in lines:
                typer.echo(line)
        return
    of_each_task(found, tasks, data)


def most_frequent_error(normalizer: Normalizer, learned: Sequence[Story], asked: Sequence[Story]) -> float:
    """Percent of questions, so read, that have another answer than the most frequent one of the stories learned from."""

    def answers(stories: Sequence[Story]) -> list[str]:
        return [one.answer for story in stories for read in normalizer.stories(story) for one in read.questions]

    ((most, _),) = Counter(answers(learned)).most_common(1)
    tested = answers(asked)
    return 100 * sum(answer != most for answer in tested) / len(tested)


def recognized(tasks: Sequence[Task], config: Training) -> Iterator[str]:
    """As which task's the test questions are read, a line a task, then of all."""
    from memnet.encode.normalizers import Normalizers

    normalizers = Normalizers.learned([task.split(config.validation)[0] for task in tasks], config)
    right = asked = 0
    for place, task in enumerate(tasks):
        kinds = Counter(
            normalizers.kind(story.statements[: one.after], one.text) for story in task.test for one in story.questions
        )
        others = ", ".join(f"{count:,} as {tasks[kind].name}" for kind, count in kinds.most_common() if kind != place)
        right, asked = right + kinds[place], asked + kinds.total()
        read_right = f"{kinds[place]:,} of {kinds.total():,} test questions are read as its own"
        yield f"{task.name}: {read_right}{', ' * bool(others)}{others}"
    yield f"all: {right:,} of {asked:,}, {100 * right / asked:.1f} %"


def found_again(tasks: Sequence[str], config: Training, data: Path | None) -> Iterator[str]:
    """In how many other thousands of the published 10,000 a task is read as in the first, a line a task, then of all."""
    from memnet.encode.normalizer import Normalizer
    from memnet.tasks.families import FAMILIES, NotAtHand

    def reading(task: Task) -> Normalizer:
        return Normalizer.learned([task.split(config.validation)[0]], config)

    others, same, there = FAMILIES["resampled"], 0, 0
    for (task,) in groups_of(tasks, False, data):
        first, again = reading(task), []
        for seed in others.seeds or ():
            try:
                again.append(reading(others.task(task.member, seed, data)) == first)
            except NotAtHand:
                break
        same, there = same + sum(again), there + len(again)
        yield f"{task.name}: the same is found in {sum(again)} of {len(again)} other thousands"
    yield f"all: {same} of {there}"


def of_each_task(
    found: Callable[[list[Task]], list[str]],
    tasks: list[str],
    data: Path | None,
) -> None:
    """Print the lines that are found of each task, after its name; why there are none where its settings find none."""
    from memnet.errors import ConfigError

    with plain_errors():
        for group in groups_of(tasks, False, data):
            try:
                lines = found(group)
            except ConfigError as none:
                lines = [f"none; {none}"]
            for line in lines:
                typer.echo(f"{group[0].name}: {line}")
