"""Logs with questions, and what each line by itself answers: lexicon/answered/*.jsonl, which a language model wrote.

    {"about": "...", "lines": ["T. Marsh borrowed the meter", "meter back in the crib"],
     "questions": [{"ask": "Who's got the meter?", "says": {"0": "T. Marsh", "1": "nothing"}}]}

``says`` has all lines that tell it, those too that later ones make out of date: words of the line, ``nothing`` where it is
over, ``yes``, ``no``, ``@time`` for the time of the line, ``@count`` where the line is one of those that are counted. ``more``
has other wordings of a question.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random

from ..text.english import function_words
from ..text.tokens import split
from .event_books import ANSWERS as OF_EVENTS
from .event_books import NOT_TOLD
from .lexicon import training_texts
from .texts import Answer, Question, Statement, Story

CLASSES = {
    **{word: OF_EVENTS[word] for word in ("nothing", "yes", "no")},
    "@time": OF_EVENTS["when"],
    "@count": OF_EVENTS["count"],
}
TELLING = 0.8  # of the lines that are drawn: those that tell something
ASKED, NEAR, OTHERS = 3, 4, 2  # questions that a line tells, that have a word of it and are not told, and any, at most
SHORTEST = 2  # letters of a word that two texts may share, more than


class LogError(ValueError):
    """A file of logs that is not of the form."""


@dataclass(frozen=True)
class AnsweredLog:
    """The lines of a log, and questions with the answers of each line that tells it."""

    about: str
    lines: tuple[str, ...]
    asks: tuple[tuple[str, ...], ...]  # each in several wordings
    says: tuple[Mapping[int, Answer], ...]  # of each question, by line
    file: str = ""  # of the lexicon, without its ending

    @cached_property
    def told(self) -> list[list[int]]:
        """The questions that each line tells."""
        return [[at for at, says in enumerate(self.says) if line in says] for line in range(len(self.lines))]

    @cached_property
    def telling(self) -> list[int]:
        """The lines that tell something."""
        return [line for line, asks in enumerate(self.told) if asks]

    @cached_property
    def near(self) -> list[list[int]]:
        """The questions that have a word of each line and are not told by it."""
        asks = [content(" ".join(one)) for one in self.asks]
        return [
            [at for at, words in enumerate(asks) if at not in self.told[line] and not words.isdisjoint(content(text))]
            for line, text in enumerate(self.lines)
        ]


def content(text: str) -> frozenset[str]:
    """The words of a text that say something, in small letters."""
    return frozenset(word for word in map(str.lower, split(text)) if len(word) > SHORTEST) - function_words()


def parse(text: str, file: str = "") -> Iterator[AnsweredLog]:
    """The logs of a file. Raises :class:`LogError`, which names the line."""
    for number, row in enumerate(text.splitlines(), 1):
        try:
            given = json.loads(row)
            lines, questions = tuple(given["lines"]), given["questions"]
            says = tuple({int(at): answer(told, lines[int(at)]) for at, told in one["says"].items()} for one in questions)
            if any(int(at) < 0 for one in questions for at in one["says"]):
                raise ValueError("a line has a number below 0")
            asks = tuple((one["ask"], *one.get("more", ())) for one in questions)
            yield AnsweredLog(given["about"], lines, asks, says, file)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise LogError(f"line {number}: expected a log with lines and questions as JSON: {error}") from error


def answer(told: str | Sequence[str], line: str) -> Answer:
    """What a line tells: a class, or words of it. Raises ValueError for words that it lacks.

    >>> answer("Lou", "hoist mended by Lou").spans
    ((0, 3, 4),)
    """
    if isinstance(told, str) and told in CLASSES:
        return CLASSES[told]
    words, spans = [word.lower() for word in split(line)], []
    for one in (told,) if isinstance(told, str) else told:
        wanted = [word.lower() for word in split(one)]
        first = next((at for at in range(len(words)) if wanted and words[at : at + len(wanted)] == wanted), None)
        if first is None:
            raise ValueError(f"{one!r} is not in {line!r}")
        spans.append((0, first, first + len(wanted)))
    if not spans:
        raise ValueError(f"no answer from {line!r}")
    spans = sorted({*spans})
    return Answer("span", "", spans=tuple(spans), mentions=tuple((span,) for span in spans))


@cache
def answered_logs() -> tuple[AnsweredLog, ...]:
    """Those of the lexicon."""
    return tuple(log for name, text in training_texts("answered").items() for log in parse(text, name))


def draw_line(random: Random, among: Sequence[AnsweredLog] | None = None) -> Story:
    """A line of a log, and questions of which it tells some."""
    log = random.choice(answered_logs() if among is None else among)
    line = random.choice(log.telling if random.random() < TELLING else range(len(log.lines)))
    asked = some(log.told[line], ASKED, random) + some(log.near[line], NEAR, random)
    asked += [at for at in some(range(len(log.asks)), OTHERS, random) if at not in asked and at not in log.told[line]]
    random.shuffle(asked)
    words = tuple(split(log.lines[line]))
    questions = tuple(question(random.choice(log.asks[at]), log.says[at].get(line, NOT_TOLD)) for at in asked)
    return Story((Statement(words, log.lines[line]),), questions)


def some(asks: Sequence[int], most: int, random: Random) -> list[int]:
    """So many of some questions, at most."""
    return random.sample(list(asks), min(most, len(asks)))


def question(text: str, told: Answer) -> Question:
    """A question about one line."""
    text = text[:1].upper() + text[1:]
    return Question(tuple(split(text)), text, told, () if told is NOT_TOLD else (0,), "ask", 1)
