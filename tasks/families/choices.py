"""Answers to choose among, and what else a person's own file is read with: each question is held against them as it is read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count
from typing import NamedTuple

from ..text import QUESTION_MARKS, FormatError, Question, Story, answer_entry, one_line

MOST = 8  # answers that a sentence names
OWN = "candidates"  # of a question, in words


class Choices(NamedTuple):
    """Answers to choose among, and the file that has them."""

    answers: tuple[str, ...] = ()
    path: str = ""


NO_CHOICES = Choices()


def read_choices(text: str, name: str) -> Choices:
    """The answers of a file, one a line. Raises :class:`FormatError` where it has none, or one twice."""
    lines = {number: line.strip() for number, line in enumerate(text.splitlines(), 1) if line.strip()}
    if not lines:
        raise FormatError(f"{name}:1: the file is empty; expected answers to choose among, one a line, or no such file")
    if again := twice(lines.values()):
        first, second = [number for number, line in lines.items() if answer_entry(line) == again][:2]
        raise FormatError(f"{name}:{second}: {lines[second]!r} stands in line {first} too; expected each answer once")
    return Choices(tuple(lines.values()), name)


def twice(answers: Iterable[str]) -> str:
    """The first answer that stands among them a second time, as the vocabulary writes it; nothing where none does."""
    found: set[str] = set()
    for entry in map(answer_entry, answers):
        if entry in found:
            return entry
        found.add(entry)
    return ""


@lru_cache(maxsize=64)
def entries_of(answers: tuple[str, ...]) -> frozenset[str]:
    """Answers as the vocabulary writes them; often thousands, the same of many questions."""
    return frozenset(map(answer_entry, answers))


def among(question: Question, entries: frozenset[str]) -> bool:
    """Whether an answer of the question is one of the ``entries`` of its candidates, or it has none of these."""
    return not entries or any(answer_entry(one) in entries for one in (question.answer, *question.also))


def some_of(answers: Sequence[str]) -> str:
    """Answers for a message: the first of many."""
    return one_line(", ".join(answers[:MOST]) + ", ..." * (len(answers) > MOST))


@dataclass
class Reading:
    """What the files of a data set are read with, and what is found in them that a person should know."""

    choices: Choices = NO_CHOICES
    ignored: dict[str, str] = field(default_factory=dict)  # keys of records that nobody reads -> where each first stands
    turned: list[str] = field(default_factory=list)  # questions that look like answers

    def question(self, question: Question, where: str) -> Question:
        """The question with the answers to choose among: its own, or those of its folder.

        Raises :class:`FormatError` with ``where`` it stands, if its answer is none of them.
        """
        if len(entries_of(question.candidates)) < len(question.candidates):
            again = twice(question.candidates)
            raise FormatError(f"{where}: {again!r} is twice among the {OWN} of its question; expected each answer once")
        found = replace(question, candidates=question.candidates or self.choices.answers)
        if not among(found, entries_of(found.candidates)):
            whose = "its question" if question.candidates else self.choices.path
            raise FormatError(
                f"{where}: the answer {question.answer!r} is none of the {len(found.candidates)} {OWN} of {whose} "
                f"({some_of(found.candidates)}); write it as one of them, or add it there"
            )
        return found

    def text(self, stories: Iterable[Story], name: str) -> list[Story]:
        """The stories of a file in the text format, each question with its answers to choose among: its lines are counted."""
        found, lines = [], count(1)
        for story in stories:
            questions = []
            for line, number in zip(story.in_order(), lines, strict=False):
                if isinstance(line, Question):
                    questions.append(self.question(line, f"{name}:{number}"))
                    if set(line.answer) & set(QUESTION_MARKS) and not set(line.text) & set(QUESTION_MARKS):
                        self.turned.append(f"{name}:{number}: the question is {line.text!r} and its answer {line.answer!r}")
            found.append(replace(story, questions=tuple(questions)))
        return found

    def keys(self, there: Iterable[str], known: Sequence[str], where: str) -> None:
        """Note the keys of a record, or the fields of a line, that have no meaning here."""
        for key in there:
            if key not in known:
                self.ignored.setdefault(key, where)

    def remarks(self) -> list[str]:
        """A sentence for each kind of thing that a person should know."""
        said = []
        if self.turned:
            more = f" (so in {len(self.turned) - 1:,} more lines)" if len(self.turned) > 1 else ""
            said.append(f"{self.turned[0]}{more}; expected the question before the tab and its answer after it")
        if self.ignored:
            named = ", ".join(f"{one_line(repr(key), 40)} ({where})" for key, where in [*self.ignored.items()][:MOST])
            more = f" and {len(self.ignored) - MOST} more" if len(self.ignored) > MOST else ""
            said.append(f"these keys are not read: {named}{more}")
        return said
