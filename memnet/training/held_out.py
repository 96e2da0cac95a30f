"""Questions that a network does not learn from, to look at: short ones, with their stories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from memnet.encode.saved import EXAMPLES_FILE
from memnet.files import write_json
from memnet.tasks.families import EXAMPLES, Task
from memnet.tasks.text import Question, Story, words

MOST = 8  # questions that are kept of a data set
STATEMENTS = 12  # before a question that is short
HELD_OUT = 0.1  # of the training stories, where a data set has none to validate with


def held_out(task: Task) -> list[tuple[Story, Question]]:
    """The questions of a data set to validate with, each with its story, those that follow few statements first."""
    stories = task.split(HELD_OUT)[1]
    asked = [(story, question) for story in stories for question in story.questions]
    return sorted(asked, key=lambda one: one[1].after > STATEMENTS)


def before(story: Story, question: Question) -> list[str]:
    """The statements before a question, as a network counts them."""
    return [statement for statement in story.statements[: question.after] if words(statement)]


def one_each(task: Task) -> Iterator[tuple[Story, Question]]:
    """The last short question of each held-out story."""
    last = {id(story): (story, question) for story, question in held_out(task) if question.after <= STATEMENTS}
    yield from list(last.values() or held_out(task)[:1])[:MOST]


def keep_examples(folder: Path, tasks: Sequence[Task]) -> None:
    """Keep a few questions beside a network whose words no simulated example has; the page opens on them."""
    kept = [
        {
            "task": task.member,
            "statements": before(story, question),
            "question": question.text.strip(),
            "answer": question.answer,
        }
        for task in tasks
        if task.member not in EXAMPLES.members
        for story, question in one_each(task)
    ]
    if kept:
        write_json(folder / EXAMPLES_FILE, kept)
