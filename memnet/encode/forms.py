"""Forms of sentences: a sentence with a sign in the place of its names and nouns, and which tasks have sentences of that form.

forms = Forms.collected([task.train for task in tasks], partial(form, vocabulary))
forms.of_one_task([form(vocabulary, text) for text in story], form(vocabulary, question))
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial, reduce
from operator import or_
from typing import NamedTuple

from memnet.encode.vocabulary import OpenVocabulary
from memnet.tasks.text import Story

BETWEEN, NUMBER = " / ", re.compile(r"#\d+")  # of a whole story: what parts its sentences, and stands for a name
SHORT, UNSEEN = 3, 0.005  # statements of a whole story; share of stories that are yet to be seen of what is called complete
FOLDER, FORMS = "english", "forms.json"  # beside a network: what is not of these forms is read by a reader of ordinary English


class Form(NamedTuple):
    """A sentence with a sign in the place of its names and nouns, and these; ``order``, as they stand."""

    text: str
    names: frozenset[str]
    order: tuple[str, ...] = ()


@dataclass(frozen=True)
class Forms:
    """The forms of statements and of questions, each with the tasks that have it, as bits of a number.

    ``stories`` are the forms of whole stories, of tasks of which all are known. Such a task never asks of any other: task 4 has
    no question such as "The lab is east of the inn. The inn is east of the bar. What is the inn east of?"
    """

    statements: dict[str, int]
    questions: dict[str, int]
    most_names: int = 0  # in one story
    stories: dict[str, int] = field(default_factory=dict)

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
        statements, questions, stories = dict(self.statements), dict(self.questions), dict(self.stories)
        for mine, more in ((statements, other.statements), (questions, other.questions), (stories, other.stories)):
            for text, tasks in more.items():
                mine[text] = mine.get(text, 0) | tasks
        return Forms(statements, questions, max(self.most_names, other.most_names), stories)

    @cached_property
    def sentences(self) -> frozenset[str]:
        """The forms of the sentences of whole stories."""
        return frozenset(NUMBER.sub("@", text) for story in self.stories for text in story.split(BETWEEN))

    @cached_property
    def complete(self) -> int:
        """The tasks of which all whole stories are known."""
        return reduce(or_, self.stories.values(), 0)

    def asked_so(self, statements: Sequence[Form], question: Form) -> int:
        """The tasks that may ask this of that story: all but those whose whole stories have such sentences, and never so."""
        sentences = {one.text for one in (*statements, question)}
        if not sentences <= self.sentences:
            return -1
        return ~self.complete | self.stories.get(whole_story(statements, question), 0)

    def of_one_task(self, statements: Sequence[Form], question: Form) -> bool:
        """Whether there is a task that has all of these forms, in a story that has no more names than those of the tasks."""
        tasks = self.questions.get(question.text, 0) & self.asked_so(statements, question)
        for statement in statements:
            tasks &= self.statements.get(statement.text, 0)
            if not tasks:
                return False
        return tasks > 0 and len(frozenset[str]().union(*(one.names for one in statements))) <= self.most_names

    def of_no_other(self, statements: Sequence[Form], question: Form) -> bool:
        """Whether one task alone has the question's form, it has that of a statement, and the others have forms of any task."""
        task = self.questions.get(question.text, 0) & self.asked_so(statements, question)
        found = [self.statements.get(statement.text, 0) for statement in statements]
        return task.bit_count() == 1 and all(found) and any(task & each for each in found)


def forms_of(tasks: Iterable[Iterable[Story]], vocabulary: OpenVocabulary) -> Forms:
    """The forms of the stories of tasks, as a network of that vocabulary sees names."""
    return Forms.collected(tasks, lru_cache(None)(partial(form, vocabulary)))


def whole_story(statements: Sequence[Form], question: Form) -> str:
    """The form of a story and its question, whose names and nouns are numbers in the order in which they come.

    >>> told = Form("@ is in the @", frozenset({"Ann", "lab"}), ("Ann", "lab"))
    >>> whole_story([told], Form("where is @", frozenset({"Ann"}), ("Ann",)))
    '#0 is in the #1 / where is #0'
    """
    numbers: dict[str, int] = {}
    texts = []
    for one in (*statements, question):
        names = (f"#{numbers.setdefault(name, len(numbers))}" for name in one.order)
        texts.append(" ".join(next(names, word) if word == "@" else word for word in one.text.split(" ")))
    return BETWEEN.join(texts)


def complete_stories(tasks: Iterable[Iterable[Story]], form: Callable[[str], Form]) -> dict[str, int]:
    """The forms of the whole stories of tasks that have short ones and few kinds of them, so that hardly any was not seen.

    How many were not seen is estimated from how many were seen once (Good 1953).
    """
    found: dict[str, int] = {}
    for number, stories in enumerate(tasks):
        asked = [(story.statements[: one.after], one.text) for story in stories for one in story.questions]
        if any(len(told) > SHORT for told, _ in asked):
            continue
        counts = Counter(whole_story([form(text) for text in told], form(question)) for told, question in asked)
        if sum(count == 1 for count in counts.values()) <= UNSEEN * len(asked):
            found.update((story, found.get(story, 0) | 1 << number) for story in counts)
    return found


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
    order = tuple(unit.text for unit in units if unit.is_entity)
    return Form(" ".join("@" if unit.is_entity else unit.text for unit in units), frozenset(order), order)
