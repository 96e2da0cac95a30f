"""BABILong (Kuratov et al. 2024, arXiv 2406.10149): the statements of a bAbI story scattered through books.

All statements before one question stand in their order in slots that are drawn uniformly, with replacement, between sentences
of background that follow each other in a book from a random place; the question comes last. A length is in GPT-2 tokens, story
and background together.

``confusing`` makes it harder: that share of the background are sentences in the words of the stories, and about others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from .text import Question, Story
from .text.background import Background, BackgroundError, tokens
from .text.confusing import confusing_lines

if TYPE_CHECKING:
    from .families.family import Task

THOUSANDS = (0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000, 10_000)
LENGTHS = {f"{number // 1000}M" if number >= 1000 else f"{number}k": 1000 * number for number in THOUSANDS}  # name -> tokens
NAMES = ("published", "unseen")
MANY, FEW, LONG = 1000, 100, 32_000  # questions of a cell: MANY up to LONG tokens, FEW above


@dataclass(frozen=True)
class Sample:
    """One question about a long text: which background, and where the statements stand in it."""

    story: Story
    question: Question
    first: int  # sentence of the background
    count: int  # sentences from there on
    slots: tuple[int, ...]  # of each statement, how many sentences stand before it; ascending
    confusing: tuple[tuple[int, str], ...] = ()  # the same of confusing sentences, which stand before a statement there

    @property
    def statements(self) -> tuple[str, ...]:
        """All before the question."""
        return self.story.statements[: self.question.after]

    def text(self, background: Background) -> Iterator[tuple[str, int]]:
        """Every sentence in order, with the number of the statement that it is, or -1."""
        places = [(slot, -1, line) for slot, line in self.confusing]
        places += [(slot, number, line) for number, (slot, line) in enumerate(zip(self.slots, self.statements, strict=True))]
        places.sort(key=lambda place: place[:2])
        told = 0
        for number, sentence in enumerate(background.from_place(self.first, self.count)):
            while told < len(places) and places[told][0] == number:
                yield places[told][2], places[told][1]
                told += 1
            yield sentence, -1
        for _, number, line in places[told:]:
            yield line, number


def json_line(sample: Sample, background: Background) -> bytes:
    """A sample as the benchmark's own data sets have it: ``input``, ``question`` and ``target``."""
    told = {"input": " ".join(sentence for sentence, _ in sample.text(background))}
    asked = {"question": sample.question.text.strip(), "target": sample.question.answer}
    return json.dumps(told | asked, ensure_ascii=False).encode() + b"\n"


def test_stories(task: Task, names: str, seed: int) -> Sequence[Story]:
    """The test stories of a task, with names that nobody has met where these are to be ``unseen``."""
    from .families.renaming import rename_everything  # here: the families import this module

    return task.test if names == "published" else rename_everything(task.member, task.test, seed)


def questions_of(length: int) -> int:
    """How many questions a cell of this length has."""
    return MANY if length <= LONG else FEW


def fits(story: Story, question: Question, length: int) -> bool:
    """Whether what a question is about is no longer than the text is to be."""
    return length == 0 or sum(map(tokens, story.statements[: question.after])) <= length


def samples(
    task: str,
    stories: Sequence[Story],
    background: Background,
    length: int,
    number: int,
    seed: int,
    confusing: float = 0.0,
    repeat: bool = False,
) -> list[Sample]:
    """The first ``number`` of a task's test questions, in a random order, whose statements have at most ``length`` tokens.

    Raises :class:`BackgroundError` where there is too little background, or no question that fits.
    """
    draw = Random(f"babilong {task} {length} {seed}")
    asked = [(story, question) for story in stories for question in story.questions]
    draw.shuffle(asked)
    chosen = [(story, question) for story, question in asked if fits(story, question, length)][:number]
    if not chosen:
        raise BackgroundError(f"{task}: no question's statements fit in {length:,} tokens; ask for more")
    return [scattered(draw, story, question, background, length, confusing, repeat) for story, question in chosen]


def scattered(
    draw: Random, story: Story, question: Question, background: Background, length: int, confusing: float, repeat: bool
) -> Sample:
    """One sample; of length 0 without any background."""
    told = story.statements[: question.after]
    if length and not background.sentences:
        raise BackgroundError("no sentence of the books has ten tokens or more; give whole books")
    first = draw.randrange(len(background.sentences)) if length else 0
    budget = max(0.0, length - sum(map(tokens, told)))
    most = background.span(first, budget, repeat) if length else 0
    lines = confusing_lines(draw, told, round(confusing * most)) if told else []
    count = background.span(first, max(0.0, budget - sum(map(tokens, lines))), repeat) if length else 0
    places = sorted((draw.randint(0, count), line) for line in lines)
    slots = tuple(sorted(draw.randint(0, count) for _ in told))
    return Sample(story, question, first, count, slots, tuple(places))
