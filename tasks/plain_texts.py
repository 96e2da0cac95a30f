"""BABILong as plain text: a sample's sentences one after another, its statements in a style, statements of others among them.

A memory gets the text alone; where a sentence ends, and which of them are statements, it has to find out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from .babilong import LENGTHS, Sample, questions_of, samples
from .families.family import Task
from .text.background import Background, BackgroundError
from .text.styles import ROOMED, STYLES, of_others, styled

LONGER = {"50M": 50_000_000, "100M": 100_000_000}
ALL_LENGTHS = LENGTHS | LONGER
SAME_ROOMS = "same-rooms"
STYLE_NAMES = (*STYLES, SAME_ROOMS)
OTHERS = 240  # statements of others in the same rooms, unless another number is asked for
PART = 1 << 16  # characters that come at once
FEWER, FEWEST = 20, 5  # questions of a cell from ten million tokens on, and above


@dataclass(frozen=True)
class PlainText:
    """A question about a text that comes in parts."""

    sample: Sample
    statements: tuple[str, ...]  # in their style
    others: tuple[tuple[float, str], ...]  # before how many sentences of the background each stands, ascending
    places: tuple[float, ...]  # the same of the statements
    question: str
    answer: str
    small: bool = False  # all of it in small letters

    def sentences(self, background: Background) -> Iterator[str]:
        """In their order."""
        told = sorted([*zip(self.places, self.statements, strict=True), *self.others], key=lambda one: one[0])
        done = 0
        for number, sentence in enumerate(background.from_place(self.sample.first, self.sample.count)):
            while done < len(told) and told[done][0] < number + 1:
                yield told[done][1]
                done += 1
            yield sentence
        yield from (line for _, line in told[done:])

    def parts(self, background: Background) -> Iterator[str]:
        """The text: a space between two sentences, no line ends, as the authors' samples have it."""
        held, length = list[str](), 0
        for sentence in self.sentences(background):
            held.append(sentence.lower() if self.small else sentence)
            length += len(sentence) + 1
            if length >= PART:
                yield " ".join(held) + " "
                held, length = [], 0
        yield " ".join(held)


def plain_text(draw: Random, sample: Sample, style: str, others: Sequence[str] = (), half: str = "test") -> PlainText:
    """A sample in a style, with statements of ``others`` anywhere in it."""
    statements = sample.statements
    if style != SAME_ROOMS:
        statements = tuple(styled(draw, statements, style, half))
    places = sorted(slot + draw.random() for slot in sample.slots)
    among = sorted((draw.uniform(0, sample.count + 1), line) for line in others)
    question = sample.question.text.strip()
    small = style == "small"
    asked = question.lower() if small else question
    return PlainText(sample, statements, tuple(among), tuple(places), asked, sample.question.answer, small)


def asked_of(length: int) -> int:
    """How many questions a cell of this length has: the text of each is taken in by itself."""
    if length < LENGTHS["10M"]:
        return min(100, questions_of(length))
    return FEWER if length == LENGTHS["10M"] else FEWEST


def plain_texts(
    task: Task,
    background: Background,
    length: int,
    style: str = "plain",
    others: int | None = None,
    number: int | None = None,
    seed: int = 0,
    repeat: bool = False,
) -> list[PlainText]:
    """A task's first questions of a length in a style.

    Raises :class:`BackgroundError` where there is too little background, and where others in the same rooms would change the
    answers of the task.
    """
    count = OTHERS if others is None and style == SAME_ROOMS else others or 0
    if count and task.member not in ROOMED:
        raise BackgroundError(
            f"{task.member} is not about who is in which room; others in the same rooms are for {', '.join(ROOMED)}"
        )
    chosen = samples(task.member, task.test, background, length, number or asked_of(length), seed, repeat=repeat)
    found = []
    for place, sample in enumerate(chosen):
        draw = Random(f"plain {task.member} {length} {style} {seed} {place}")
        told = [story.statements for story in task.test if story is not sample.story]
        found.append(plain_text(draw, sample, style, of_others(draw, told, count) if count else ()))
    return found
