"""Logs as people of many trades would keep them, with questions about the whole log: tasks/logs/*.jsonl.

    {"about": "the log of a sawmill", "lines": ["2025-03-04 07:12 Ann took the long saw", ...], "questions": [
     {"ask": ["Who has the long saw now?", "who walked off with the big saw", ...], "kind": "newest",
      "answers": ["Bo Lind", "Bo"], "says": {"12": "Ann", "88": "nothing"}}]}

A language model wrote a program for each log, which drew the log and computed the answers from what happened. ``answers``
are wordings of one answer, or lists of things, each of which is a whole answer; none where the log does not tell it.
``says`` has the lines, from 0, that tell it by themselves, as :mod:`~memnet.tasks.world.answered_logs` has it. ``ask`` has
three wordings.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from .world.answered_logs import LogError


@dataclass(frozen=True)
class LogQuestion:
    """A question about a log, in several wordings."""

    asks: tuple[str, ...]
    kind: str  # "newest", "count", "untold" ...
    answers: tuple[str, ...]  # wordings of the answer
    lists: tuple[tuple[str, ...], ...]  # or whole lists of things
    says: Mapping[int, str]  # of each line that tells something of it


@dataclass(frozen=True)
class AskedLog:
    """The lines of a log with their times, and questions about it."""

    name: str  # of its file, and its place there
    about: str
    lines: tuple[str, ...]
    questions: tuple[LogQuestion, ...]


def read_logs(folder: Path) -> Iterator[AskedLog]:
    """The logs of a folder. Raises :class:`~memnet.tasks.world.answered_logs.LogError`, which names the file and the line."""
    paths = sorted(folder.glob("*.jsonl"))
    if not paths:
        raise LogError(f"{folder} has no logs with questions: expected files NAME.jsonl")
    for path in paths:
        for number, row in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                yield parse(row, f"{path.stem} {number}")
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise LogError(f"{path}, line {number}: expected a log with lines and questions as JSON: {error}") from error


def parse(row: str, name: str) -> AskedLog:
    """A log from a line of a file. Raises ValueError and the like.

    >>> asked = {"ask": ["Who left?"], "kind": "newest", "answers": ["Ann"], "says": {"0": "Ann"}}
    >>> parse(json.dumps({"about": "x", "lines": ["07:12 Ann left"], "questions": [asked]}), "x 1").questions[0].answers
    ('Ann',)
    """
    given = json.loads(row)
    lines = tuple(given["lines"])
    questions = tuple(question(one, len(lines)) for one in given["questions"])
    return AskedLog(name, given["about"], lines, questions)


def question(given: Mapping[str, object], lines: int) -> LogQuestion:
    """A question of a file about a log of so many lines. Raises ValueError and the like."""
    asks, answers, says = given["ask"], given["answers"], given["says"]
    if not isinstance(asks, list) or not isinstance(answers, list) or not isinstance(says, dict):
        raise ValueError("a question has a list of wordings, a list of answers and what lines say")
    if outside := [at for at in says if not 0 <= int(at) < lines]:
        raise ValueError(f"there is no line {outside[0]}")
    told = tuple(one for one in answers if isinstance(one, str))
    lists = tuple(tuple(one) for one in answers if isinstance(one, list))
    return LogQuestion(tuple(asks), str(given["kind"]), told, lists, {int(at): str(one) for at, one in says.items()})
