"""Questions about a person's own tables and logs: how many a memory of each file answers.

Beside ``stock.csv`` or ``diary.txt`` stands ``stock.questions.jsonl``, a question a line, as ``{"question": "Who has it?",
"answers": ["Ann", "Ann Lee"]}``. Any of the answers is right; there are none where the file does not tell it. Of a list
``"all": [...]`` has every part.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from memnet.errors import AskError, ConfigError
from memnet.memory.entries import Reading, entries
from memnet.memory.entries.when import short_stamp, stamp
from memnet.memory.memory import Memory

QUESTIONS = ".questions.jsonl"
PARTS = re.compile(r",\s*|\s+and\s+")
MARKS = re.compile(r"[^\w£$€.%/:-]+")
ARTICLES = frozenset(("the", "a", "an"))


class FileQuestion(NamedTuple):
    """A question about a file with its right answers: one of ``answers``, or ``all`` of a list; neither: it is not told."""

    question: str
    answers: Sequence[str] = ()
    all: Sequence[str] = ()


class FileScore(NamedTuple):
    """How many questions about a file were answered."""

    file: str
    right: int
    wrong: int
    refused: int
    missed: Sequence[str]  # what was said in place of what, a line each

    @property
    def questions(self) -> int:
        """How many were asked."""
        return self.right + self.wrong + self.refused


def plain(answer: str) -> str:
    """An answer's words for comparison: in small letters, without articles and marks.

    >>> plain("The Barn."), plain("at 10:30, 5 %")
    ('barn', 'at 10:30 5 %')
    """
    told = (word.strip(".:-") for word in MARKS.sub(" ", answer.lower()).split())
    return " ".join(word for word in told if word and word not in ARTICLES)


def is_right(asked: FileQuestion, said: str) -> bool:
    """Whether an answer is right: a list in any order, or one of several answers, of which either may say more than the other.

    A day may be written in another way.

    >>> is_right(FileQuestion("Where is it?", ["barn"]), "in the barn"), is_right(FileQuestion("Where is it?", ["barn"]), "bar")
    (True, False)
    >>> is_right(FileQuestion("When?", ["26.5.24"]), "2024-05-26"), is_right(FileQuestion("When?", ["26.5.24"]), "2024-05-25")
    (True, False)
    """
    if asked.all:
        return Counter(map(part_of, PARTS.split(said))) == Counter(map(part_of, asked.all))
    day = day_of(said)
    if day and any(day_of(one) == day for one in asked.answers):
        return True
    padded = f" {plain(said)} "
    return bool(padded.strip()) and any(
        f" {one} " in padded or padded in f" {one} " for one in map(plain, asked.answers) if one
    )


def part_of(text: str) -> object:
    """What is compared of a part of a list: the day that it is, else its words."""
    return day_of(text) or plain(text)


def day_of(text: str) -> frozenset[int]:
    """The day and the month of a date, either of which may stand first; empty of what is none.

    >>> sorted(day_of("26.5.24")), sorted(day_of("Sun 26 May")), day_of("10:00")
    ([5, 26], [5, 26], frozenset())
    """
    found = stamp(text) or short_stamp(text)
    return frozenset((found.month, found.day)) if found and found.month and found.day else frozenset()


def read_questions(path: Path) -> list[FileQuestion]:
    """The questions of a file. Raises :class:`~memnet.errors.ConfigError`, which names the line."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            saved = json.loads(line)
            one = FileQuestion(saved["question"], saved.get("answers", ()), saved.get("all", ()))
            good = isinstance(one.question, str) and all(isinstance(each, str) for each in (*one.answers, *one.all))
        except (ValueError, TypeError, KeyError, AttributeError):
            good = False
        if not good:
            raise ConfigError(f'{path}, line {number}: expected {{"question": "...", "answers": ["...", ...]}}')
        found.append(one)
    return found


def files_of(folder: Path) -> list[tuple[Path, Path]]:
    """Files with their questions, by name. Raises :class:`~memnet.errors.ConfigError` where there are none."""
    pairs = []
    for questions in sorted(folder.glob(f"*{QUESTIONS}")):
        stem = questions.name.removesuffix(QUESTIONS)
        told = [path for path in sorted(folder.glob(f"{stem}.*")) if not path.name.endswith(QUESTIONS)]
        if len(told) != 1:
            raise ConfigError(f"{questions} asks about {len(told)} files; expected one beside it, such as {stem}.csv")
        pairs.append((told[0], questions))
    if not pairs:
        raise ConfigError(f"{folder} has no NAME{QUESTIONS}; put one beside each file that is asked about")
    return pairs


def score_files(folder: Path) -> Iterator[FileScore]:
    """A memory of each file, asked its questions."""
    for path, questions in files_of(folder):
        counts, missed = {"right": 0, "wrong": 0, "refused": 0}, []
        with tempfile.TemporaryDirectory() as place, Memory.open(Path(place) / "memory") as memory:
            memory.add(entries(path, Reading()))
            for asked in read_questions(questions):
                said = answer_to(memory, asked.question)
                expected = [*asked.answers, *asked.all]
                good = is_right(asked, said) if said and expected else not (said or expected)
                how = "right" if good else "wrong" if said else "refused"
                counts[how] += 1
                if not good:
                    said = said or "(refused)"
                    missed.append(
                        f"{asked.question} {said}; expected {', '.join(asked.all or asked.answers[:1]) or '(refused)'}"
                    )
        yield FileScore(path.name, **counts, missed=missed)


def answer_to(memory: Memory, question: str) -> str:
    """What a memory answers; empty where it refuses, or where the question is two."""
    try:
        answer = memory.ask(question)
    except AskError:
        return ""
    return answer.answer if answer.answerable else ""
