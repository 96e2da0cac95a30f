"""Forms of sentences: a sentence with a sign in the place of its names and nouns, and which tasks have sentences of that form.

forms = Forms.collected([task.train for task in tasks], partial(form, vocabulary))
forms.of_one_task([form(vocabulary, text) for text in story], form(vocabulary, question))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import NamedTuple

from memnet.encode.vocabulary import OpenVocabulary
from memnet.tasks.text import Story

FOLDER, FORMS = "english", "forms.json"  # beside a network: what is not of these forms is read by a reader of ordinary English


class Form(NamedTuple):
    """A sentence with a sign in the place of its names and nouns, and these."""

    text: str
    names: frozenset[str]


@dataclass(frozen=True)
class Forms:
    """The forms of statements and of questions, each with the tasks that have it, as bits of a number."""

    statements: dict[str, int]
    questions: dict[str, int]
    most_names: int = 0  # in one story

    @classmethod
    def collected(cls, tasks: Iterable[Iterable[Story]], form: Callable[[str], Form], least: int = 1) -> Forms:
        """Those of the stories of tasks; a task has a form that stands in its stories ``least`` times or more."""
        statements, questions, most = Counter[tuple[str, int]](), Counter[tuple[str, int]](), 0
        for number, stories in enumerate(tasks):
            for story in stories:
                told = [form(text) for text in story.statements]
                most = max(most, len(frozenset[str]().union(*(one.names for one in told))))
                statements.update((one.text, number) for one in told)
                questions.update((form(question.text).text, number) for question in story.questions)
        return cls(of_tasks(statements, least), of_tasks(questions, least), most)

    def joined(self, other: Forms) -> Forms:
        """The forms of both."""
        statements, questions = dict(self.statements), dict(self.questions)
        for mine, more in ((statements, other.statements), (questions, other.questions)):
            for text, tasks in more.items():
                mine[text] = mine.get(text, 0) | tasks
        return Forms(statements, questions, max(self.most_names, other.most_names))

    def of_one_task(self, statements: Sequence[Form], question: Form) -> bool:
        """Whether there is a task that has all of these forms, in a story that has no more names than those of the tasks."""
        tasks = self.questions.get(question.text, 0)
        for statement in statements:
            tasks &= self.statements.get(statement.text, 0)
            if not tasks:
                return False
        return tasks > 0 and len(frozenset[str]().union(*(one.names for one in statements))) <= self.most_names

    def of_no_other(self, statements: Sequence[Form], question: Form) -> bool:
        """Whether one task alone has the question's form, it has that of a statement, and the others have forms of any task."""
        task = self.questions.get(question.text, 0)
        found = [self.statements.get(statement.text, 0) for statement in statements]
        return task.bit_count() == 1 and all(found) and any(task & each for each in found)


def forms_of(tasks: Iterable[Iterable[Story]], vocabulary: OpenVocabulary) -> Forms:
    """The forms of the stories of tasks, as a network of that vocabulary sees names."""
    return Forms.collected(tasks, lru_cache(None)(partial(form, vocabulary)))


def of_tasks(counts: Mapping[tuple[str, int], int], least: int) -> dict[str, int]:
    """For each form the tasks that have it often enough, as bits."""
    found: dict[str, int] = {}
    for (text, task), count in counts.items():
        if count >= least:
            found[text] = found.get(text, 0) | 1 << task
    return found


def form(vocabulary: OpenVocabulary, text: str) -> Form:
    """The form of a sentence."""
    units = vocabulary.reader.units(text)
    names = frozenset(unit.text for unit in units if unit.is_entity)
    return Form(" ".join("@" if unit.is_entity else unit.text for unit in units), names)
