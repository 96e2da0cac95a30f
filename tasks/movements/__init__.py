"""A log of movements in plain English: who took what where, who has it, where it was before and when; drawn by a program.

    2024-03-05 08:14 Pump 7 was moved from bay 3 to the crawl space by Ann.
    2024-03-05 08:40 Bill signed out the spectrometer as requested
    Where was pump 7 before the crawl space?   bay 3
    Who has the spectrometer?                  Bill
    Where is the submarine?                    (refused)

Its forms of sentence and its words are two disjoint halves, ``train`` and ``test``: what learns takes ``train`` alone, a
benchmark asks ``test``, or ``others``, which somebody else wrote (their misses are not looked at; those of ``develop``
may be). Answers are those of a state that every line's fact changes (:mod:`.state` says how).

    log = draw(Random(1), lines=200, half="train")
    line = log.lines[0]
    str(line), line.text, line.when, line.stamp   as it stands in the log; the sentence; its time; what stands before it
    line.fact                                     Fact(kind="move", who="Mary", what="pump 7", from_="hall A", to=...)
    line.fact.kind                                one of KINDS: go leave at take drop move give, or none
    line.spans                                    {"what": (0, 2), "from": (5, 7), ...}: words of split(line.text)
    log.questions[0]                              Question(kind, text, answer, accepted, evidence: lines from 0)
    right(log.questions[0], "the hall A")         whether an answer is right; None is a refusal

``spans`` count the words of :func:`memnet.tasks.text.tokens.split`, first and after the last, without an article. They have a
range for each role that the line names (who, what, from, to, receiver); those of ``none`` are empty. An ``at`` has ``who`` for
a person and ``what`` for a thing; with both, ``who`` found ``what`` there.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from random import Random

from ..text.tokens import split
from .asking import KINDS as QUESTION_KINDS
from .asking import Question, plain, questions, right
from .events import World
from .names import HALVES, PARTS, Cast, cast
from .state import Known
from .telling import KINDS, ROLES, Fact, Line, Manner

__all__ = [
    "HALVES",
    "KINDS",
    "PARTS",
    "QUESTION_KINDS",
    "ROLES",
    "Cast",
    "Fact",
    "Known",
    "Line",
    "Log",
    "Question",
    "draw",
    "plain",
    "right",
    "split",
]

NOISE = 0.25  # share of the lines that say nothing of whereabouts


@dataclass(frozen=True)
class Log:
    """A log, and questions about it that are asked when all of it has been told."""

    lines: list[Line]
    questions: list[Question]
    cast: Cast

    def __repr__(self) -> str:
        return f"<Log of {len(self.lines):,} lines and {len(self.questions)} questions>"

    @property
    def text(self) -> str:
        """The whole of it, a line each."""
        return "".join(f"{line}\n" for line in self.lines)


def sizes(lines: int) -> tuple[int, int, int]:
    """How many people, things and places a log of so many lines is about."""
    things = max(12, min(600, round(1.4 * lines**0.5)))
    return max(6, min(60, things // 3)), things, max(8, min(60, things // 2))


def draw(
    random: Random, lines: int = 200, half: str = "test", dates: bool = True, noise: float = NOISE, number: int = 10
) -> Log:
    """A log of so many lines of one part, with up to ``number`` questions of each kind; the same random, the same log."""
    people = cast(random, half, sizes(lines))
    world = World(random, people, Manner.drawn(random, half, dates), noise)
    told = list(islice(world.lines(), lines))
    known = Known()
    for place, line in enumerate(told):
        known.tell(line.fact, place)
    return Log(told, questions(random, half, known, people, told, number), people)
