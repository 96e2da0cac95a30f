"""Stories of the world as examples: their questions' answers as classes and spans, and batches of them.

Batch number n of a seed is the same whenever it is drawn: a training that goes on sees what one that never stopped would.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from random import Random

import numpy as np
import torch

from memnet.reading.kinds import ANSWERS, MOST_NUMBER, MOST_SPANS, REASONS, WIDEST
from memnet.reading.tokens import Encoded, encode
from memnet.reading.words import Words
from memnet.tasks.world import MIXES, Dials, Story, balanced, draw, padded, small_talk
from memnet.tasks.world.answered_logs import AnsweredLog, answered_logs, draw_line
from memnet.tasks.world.event_books import Book, books, draw_entry
from memnet.tasks.world.log_books import STAMPED, draw_log
from memnet.tasks.world.moved_things import draw_moved
from memnet.tasks.world.padding import joined
from memnet.tasks.world.slots import slotted
from memnet.tasks.world.stamps import stamped
from memnet.tasks.world.texts import REASONS as REASON_TEXTS
from memnet.tasks.world.texts import Answer, Question
from memnet.tasks.world.told import draw_told, idle_lines
from memnet.tasks.world.told import written as templates

MENTIONS = 6  # at most so many places that name the same
HIDE = 0.05  # of names and things with vectors, training now and then shows only that they are equal
WORDS_A_BATCH, GROUP, LONGEST_STORY = 4500, 8, 240


@dataclass(frozen=True)
class Label:
    """What is right: a class, for each span asked for the words (first, last) that name it, evidence, why it is untold."""

    answer: int
    spans: tuple[tuple[tuple[int, int], ...], ...] = ()
    evidence: tuple[int, ...] = ()
    reason: int = -1


@dataclass(frozen=True)
class Example:
    """A story and its questions as numbers, with what is right."""

    encoded: Encoded
    labels: tuple[Label, ...]
    story: Story

    @property
    def size(self) -> int:
        """Its words, those of its questions too."""
        return len(self.encoded.story) + len(self.encoded.owner)


class Targets:
    """What is right of a batch; I spans a question, A places that name each."""

    def __init__(self, examples: Sequence[Example], questions: int, words: int) -> None:
        shape = (len(examples), questions)
        self.answer = torch.full(shape, -1)
        self.reason = torch.full(shape, -1)
        self.first, self.last = (torch.zeros(*shape, MOST_SPANS, MENTIONS, dtype=torch.long) for _ in range(2))
        self.named = torch.zeros(*shape, MOST_SPANS, MENTIONS, dtype=torch.bool)
        self.evidence = torch.zeros(*shape, words, dtype=torch.bool)
        for row, example in enumerate(examples):
            ends = (*example.encoded.starts[1:], len(example.encoded.story))
            for place, label in enumerate(example.labels):
                self.answer[row, place], self.reason[row, place] = label.answer, label.reason
                for number, mentions in enumerate(label.spans):
                    for which, (first, last) in enumerate(mentions[-MENTIONS:]):
                        self.first[row, place, number, which], self.last[row, place, number, which] = first, last
                        self.named[row, place, number, which] = True
                for statement in label.evidence:
                    self.evidence[row, place, example.encoded.starts[statement] : ends[statement]] = True

    def to(self, device: torch.device) -> Targets:
        """The same on a device."""
        for name, part in vars(self).items():
            setattr(self, name, part.to(device, non_blocking=True))
        return self

    def pin_memory(self) -> Targets:
        """The same where a GPU can fetch it by itself."""
        for name, part in vars(self).items():
            setattr(self, name, part.pin_memory())
        return self


def label(question: Question, starts: Sequence[int]) -> Label | None:
    """What is right of a question; ``None`` for one that a reader has no answer for: a route, more than six things."""
    answer = question.answer
    name = _class(answer)
    if name is None or name not in ANSWERS:
        return None
    spans = tuple(
        tuple(
            (starts[at] + first, starts[at] + last - 1)
            for at, first, last in mentions
            if at < question.after and last - first <= WIDEST
        )
        for mentions in (answer.mentions if name.endswith("spans") else ())
    )
    if any(not mentions for mentions in spans):
        return None
    return Label(ANSWERS.index(name), spans, question.evidence, _reason(answer.reason) if name == "untold" else -1)


def _class(answer: Answer) -> str | None:
    if answer.spans:
        return f"{len(answer.spans)} spans" if len(answer.spans) <= MOST_SPANS else None
    if answer.kind == "number":
        return str(answer.number) if 0 <= answer.number <= MOST_NUMBER else None
    return answer.kind


def _reason(text: str) -> int:
    """Which of :data:`REASONS` a sentence such as "Nothing says when Rex left" gives."""
    for number, name in enumerate(REASONS):
        if text.startswith(REASON_TEXTS[name]):
            return number
    second = (text.split() + [""] * 3)[2]
    name = {"that": "not so"}.get(second, second)
    return REASONS.index(name if name in REASONS else "whether")


def example(story: Story, words: Words, random: Random | None = None, hide: float = HIDE, swap: float = 0.0) -> Example | None:
    """A story as numbers, with those of its questions that a reader can answer; ``None`` without any."""
    starts = np.cumsum([0, *(len(statement.words) + 1 for statement in story.statements)]).tolist()
    labels = [label(question, starts) for question in story.questions]
    asked = [(question.words, question.after) for question, right in zip(story.questions, labels, strict=True) if right]
    if not asked:
        return None
    lower = random is not None and random.random() < 0.25
    encoded = encode(story.words(), asked, words, random, hide if random else 0.0, lower, swap)
    questions = tuple(question for question, right in zip(story.questions, labels, strict=True) if right)
    return Example(encoded, tuple(right for right in labels if right), replace(story, questions=questions))


LENGTHS = (((2, 4), 0.28), ((4, 7), 0.33), ((6, 11), 0.24), ((9, 16), 0.1), ((16, 24), 0.05))


def dials_of_story(random: Random) -> Dials:
    """How long a story is."""
    statements = random.choices([length for length, _ in LENGTHS], [share for _, share in LENGTHS])[0]
    return Dials(statements=statements, questions=1.0, unanswerable=0.2, compounds=0.2, small_talk=0.1)


TOLD_SHARE, MIX_SHARE, PADDED_SHARE = 0.78, 0.05, 0.2  # of stories: written ones, of a task or mix, with idle lines put in
LOG_SHARE = 0.12  # of stories, in place of written ones: of log books
WRITTEN_LOGS, MOVED = 0.55, 0.1  # of these: written ones; lines of a log of movements about one thing
ANSWERED = 0.5  # of single lines of logs: of those with answers, the others are of books of events
ORDINARY = 0.5  # of the tasks and mixes: in ordinary English, not in the published words
JOINED = 0.3  # of written stories: two, one told in the middle of the other
# of the names and things of a written story such shares are hidden or swapped, so that few are learned by heart
HIDDEN_OF_TOLD = (0.05, 0.15)
MIXED = (
    *("T7", "T7", "T7", "T7", "T12", "T12", "T12", "T12", "qa1", "qa2", "qa2", "qa3", "qa5", "qa6", "qa7", "qa7", "qa7"),
    *("qa4", "qa4", "qa4", "qa4", "qa4", "qa4", "qa4", "qa4"),
    *("qa8", "qa8", "qa8", "qa9", "qa10", "qa11", "qa13", "qa14", "qa14", "qa15", "qa16", "qa17", "qa18", "qa20", "qa20"),
)

UNANSWERABLE = {
    "qa4": 0.4
}  # of its questions: a direction in which nothing is said to be looks like those in which something is
EASIER = 4  # how much less often questions of other kinds are kept than those of HARD
HARD = {
    *("what", "what_in", "who_in", "where_thing", "where_before", "direction", "is_beside", "together", "kin", "does_have"),
    *("is_more", "most", "more_than", "count", "count_carried", "count_people"),
}


def dials_of_mix(random: Random, dials: Dials) -> Dials:
    """A published task or mix at other lengths, in its own words or in ordinary English."""
    name = random.choice(MIXED)
    mix = replace(MIXES[name], unanswerable=UNANSWERABLE.get(name, 0.1), questions=3.0)
    if random.random() < ORDINARY:
        cast = {name: getattr(dials, name) for name in ("people", "things", "spots")}
        speakers = random.random() < 0.3
        return replace(
            mix,
            published=False,
            statements=dials.statements,
            **cast,
            unusual=0.5,
            pronouns=0.3,
            speakers=speakers,
            additions=0.2,
        )
    return replace(mix, statements=(6, 20) if random.random() < 0.6 else dials.statements)


def hardest(story: Story, random: Random) -> Story:
    """A story with one question a statement, mostly of the kinds of which a trained reader still had many wrong."""
    order = sorted(story.questions, key=lambda question: random.random() ** (1 if question.kind in HARD else EASIER))
    kept = {id(question) for question in order[-len(story.statements) :]}
    return replace(story, questions=tuple(question for question in story.questions if id(question) in kept))


def of_log(random: Random) -> Story:
    """A stretch of a log book: one of those that were written, or entries as they can follow each other."""
    roll = random.random()
    if roll > WRITTEN_LOGS:
        return draw_log(random) if roll > WRITTEN_LOGS + MOVED else draw_moved(random, random.random() < STAMPED)
    template = slotted(random.choice(templates("log_")))
    return draw_told(random, stamped(template, random) if random.random() < STAMPED else template)


def drawn(
    random: Random, dials: Dials, words: Words, written: bool = True, mixed: float = MIX_SHARE, logs: float = LOG_SHARE
) -> Example | None:
    """One example of a batch, with ``written`` also of the written stories; some have lines among them that mean nothing.

    ``mixed`` of the stories are of tasks and mixes, ``logs`` of log books; where they are more than usual, there are fewer
    written ones.
    """
    told = TOLD_SHARE + MIX_SHARE - mixed
    roll = random.random() if written else random.uniform(told, 1)
    if roll < told:
        story, other = (of_log(random) if roll < logs else draw_told(random) for _ in range(2))
        if random.random() < JOINED:
            story = joined(story, other, random)
    elif roll < told + mixed:
        story = draw(random, dials_of_mix(random, dials))
        story = balanced(story, random, len(story.statements))
    else:
        story = hardest(draw(random, replace(dials, questions=2.5)), random)
    if random.random() < PADDED_SHARE and story.questions:
        most = random.choice((4, 10, 10))
        lines = small_talk(random, random.randint(0, most))
        lines += random.sample(idle_lines(), random.randint(0, most)) if written else []
        story = padded(story, random.sample(lines, len(lines)), random)
    hide, swap = HIDDEN_OF_TOLD if roll < told else (HIDE, 0.0)
    return example(story, words, random, hide, swap) if story.questions else None


def batch(
    seed: int,
    number: int,
    words: Words,
    written: bool = True,
    size: int = WORDS_A_BATCH,
    mixed: float = MIX_SHARE,
    logs: float = LOG_SHARE,
    entries: float = 0.0,
    apart: str = "",
) -> list[Example]:
    """The examples of batch ``number``: about ``size`` words, of stories that are of nearly one length.

    ``entries`` is the share of single lines of logs in place of stories, of all but those of the files ``apart``.
    """
    return _group(seed, number // GROUP, words, size, (written, mixed, logs, entries, apart))[number % GROUP]


@cache
def books_but(apart: str) -> tuple[Book, ...]:
    """The books of log events but those of some files, with commas between their names."""
    return tuple(one for one in books() if one.file not in apart.split(","))


@cache
def answered_but(apart: str) -> tuple[AnsweredLog, ...]:
    """The logs with answers but those of some files."""
    return tuple(one for one in answered_logs() if one.file not in apart.split(","))


def line_of_log(random: Random, apart: str) -> Story:
    """A single line: of a log as people wrote it, or of a book of events."""
    if random.random() < ANSWERED:
        return draw_line(random, answered_but(apart))
    return draw_entry(random, books_but(apart))


@lru_cache(maxsize=2)
def _group(
    seed: int, number: int, words: Words, size: int, drawn_of: tuple[bool, float, float, float, str]
) -> list[list[Example]]:
    """:data:`GROUP` batches, drawn together, sorted by length, cut into parts of equal size, in any order."""
    written, mixed, logs, entries, apart = drawn_of
    random = Random(f"{seed} {number}")

    def one() -> Example | None:
        if entries and random.random() < entries:
            return example(line_of_log(random, apart), words, random, *HIDDEN_OF_TOLD)
        return drawn(random, dials_of_story(random), words, written, mixed, logs)

    return parted(one, size, random)


def parted(draw_one: Callable[[], Example | None], size: int, random: Random) -> list[list[Example]]:
    """:data:`GROUP` batches of about ``size`` words, of examples that are drawn, sorted by length, and cut into equal parts."""
    found: list[Example] = []
    total = 0
    while total < size * GROUP:
        made = draw_one()
        if made is not None and len(made.encoded.story) < LONGEST_STORY:
            found.append(made)
            total += made.size
    found.sort(key=lambda made: made.size)
    parts: list[list[Example]] = [[] for _ in range(GROUP)]
    done = 0
    for made in found:
        parts[min(GROUP - 1, done * GROUP // total)].append(made)
        done += made.size
    parts = [part or found[:1] for part in parts]
    random.shuffle(parts)
    return parts
