"""An example of a task: a simulated story, a question about it, and the right answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from memnet.ask.answer import DIRECTIONS, Answer, in_words
from memnet.encode.saved import EXAMPLES_FILE
from memnet.tasks.text import answer_entry

QUESTIONS = 20  # simulated of a story
STATEMENTS = 12  # of an example, where its first question does not need more


class Example(NamedTuple):
    """An example of a task: the statements before a question, oldest first, the question and its right answer."""

    task: str
    statements: list[str]
    question: str
    answer: str

    @property
    def story(self) -> str:
        """The statements, a line each."""
        return "\n".join(self.statements)


def example_of(task: str, seed: int) -> Example:
    """An example of a task of the simulator: the last question that few statements stand before."""
    from memnet.tasks.simulator import simulate

    story = simulate(task, QUESTIONS, seed)[0]
    fitting = [question for question in story.questions if question.after <= STATEMENTS]
    chosen = fitting[-1] if fitting else story.questions[0]
    return Example(task, list(story.statements[: chosen.after]), chosen.text.strip(), chosen.answer)


def as_example(value: object) -> Example | None:
    """The example that JSON values are, as a page or a folder keeps one, or None."""
    if not isinstance(value, dict) or value.keys() != {*Example._fields} or not isinstance(value["statements"], list):
        return None
    texts = [*value["statements"], *(part for name, part in value.items() if name != "statements")]
    return Example(**value) if all(isinstance(text, str) for text in texts) else None


def examples_beside(folder: Path) -> list[Example]:
    """The examples that a run's folder keeps, of stories in the words of its network; none where it keeps none."""
    try:
        kept = json.loads((folder / EXAMPLES_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [example for one in kept if (example := as_example(one))] if isinstance(kept, list) else []


def verdict(answer: Answer | None, expected: str) -> str:
    """Whether an answer is right, and which one is, in a sentence; a guess without evidence is no answer.

    Things may be listed in any order, steps of a way may not.
    """
    right = in_words(expected)
    if answer is None or not answer.answerable:
        return f"Not answered; the right answer is {right}."
    given, wanted = (answer_entry(text).split(",") for text in (answer.answer, expected))
    same = given == wanted if DIRECTIONS.keys() >= set(wanted) else sorted(given) == sorted(wanted)
    return "Right." if same else f"Wrong; the right answer is {right}."
