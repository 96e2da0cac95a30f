"""BABILong: how often a retriever and a reader answer right, by task and by length (Kuratov et al. 2024, arXiv 2406.10149).

A sentence's score is the same whatever stands beside it, so a book's sentences are scored once for all samples.
"""

from __future__ import annotations

import json
import statistics
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from torch import Tensor

from memnet.ask.predictor import Predictor
from memnet.errors import AskError
from memnet.models.retriever import Retriever
from memnet.record.measurements import LongTextCell
from memnet.tasks.babilong import Sample, questions_of, samples, test_stories
from memnet.tasks.families import Task
from memnet.tasks.scores import same_answer
from memnet.tasks.text import FormatError
from memnet.tasks.text.background import Background, sentences


@dataclass(frozen=True)
class Scored:
    """Background whose sentences are scored."""

    background: Background
    scores: Tensor  # (N,)

    @classmethod
    def of(cls, retriever: Retriever, background: Background) -> Scored:
        """Score all of it."""
        return cls(background, retriever.scores(background.sentences))

    def above(self, first: int, count: int) -> list[tuple[int, str]]:
        """Of ``count`` sentences from ``first`` on, those that score above zero, each with how many stand before it."""
        size, found = len(self.scores), (self.scores > 0).nonzero().flatten().tolist()
        rounds = range((first + count - 1) // size + 1) if count else range(0)
        places = [part * size + one for part in rounds for one in found]
        return [(place - first, self.background.sentences[place % size]) for place in places if first <= place < first + count]


class Kept(NamedTuple):
    """What a retriever keeps of a sample."""

    told: list[str]
    facts: float  # share of the supporting facts
    others: int  # sentences that are no statement of the story


def keep(retriever: Retriever, sample: Sample, scored: Scored) -> Kept:
    """Retrieve: of the sentences of a sample that score above zero those that the question leads to, in their order."""
    lines = list(sample.statements)
    scores = retriever.scores([*lines, *(line for _, line in sample.confusing)])
    told, confusing = scores[: len(lines)].tolist(), scores[len(lines) :].tolist()
    added = [(slot, 0, -1, line, score) for (slot, line), score in zip(sample.confusing, confusing, strict=True)]
    added += [(slot, 1, number, lines[number], told[number]) for number, slot in enumerate(sample.slots)]
    added.sort(key=lambda one: one[:3])
    slots = [one[0] for one in added]
    open_gates = [(slot + before, number, line) for before, (slot, _, number, line, score) in enumerate(added) if score > 0]
    open_gates += [
        (slot + bisect_right(slots, slot), -1, sentence) for slot, sentence in scored.above(sample.first, sample.count)
    ]
    open_gates.sort()
    related = retriever.related(sample.question.text, [(place, line) for place, _, line in open_gates])
    kept = [open_gates[place] for place in related]
    numbers, facts = {number for _, number, _ in kept}, sample.question.supporting_facts
    share = sum(fact in numbers for fact in facts) / len(facts) if facts else 1.0
    return Kept([line for *_, line in kept], share, sum(number < 0 for _, number, _ in kept))


def cell(
    retriever: Retriever,
    reader: Predictor,
    task: str,
    length: str,
    chosen: Sequence[Sample],
    scored: Scored,
    names: str,
    share: float,
) -> LongTextCell:
    """Retrieve and read every sample; a question that is refused, or of whose text nothing is kept, is not answered right."""
    kept = [keep(retriever, sample, scored) for sample in chosen]
    asked = [(one.told, sample.question) for one, sample in zip(kept, chosen, strict=True) if one.told]
    answers = reader.ask_many([(told, question.text) for told, question in asked])
    right = sum(
        answer.answerable and same_answer(answer.answer, question.answer)
        for answer, (_, question) in zip(answers, asked, strict=True)
    )
    mean = [statistics.fmean(values) for values in ((one.facts for one in kept), (len(one.told) for one in kept))]
    others = statistics.fmean(one.others for one in kept)
    return LongTextCell(task, length, names, share, len(chosen), 100 * right / len(chosen), 100 * mean[0], mean[1], others)


def babilong(
    retriever: Retriever,
    reader: Predictor,
    tasks: Sequence[Task],
    background: Background,
    lengths: dict[str, int],
    names: str = "published",
    confusing: float = 0.0,
    questions: int | None = None,
    seed: int = 0,
    repeat: bool = False,
) -> Iterator[LongTextCell]:
    """A cell for every task and length. Raises :class:`~memnet.tasks.text.background.BackgroundError`."""
    scored = Scored.of(retriever, background)
    for task in tasks:
        stories = test_stories(task, names, seed)
        for name, length in lengths.items():
            number = questions or questions_of(length)
            chosen = samples(task.member, stories, background, length, number, seed, confusing, repeat)
            yield cell(retriever, reader, task.member, name, chosen, scored, names, confusing)


def read_samples(path: Path) -> Iterator[dict[str, str]]:
    """Samples of a JSON-lines file as the benchmark's authors publish them: ``input``, ``question`` and ``target``.

    Raises :class:`~memnet.tasks.text.FormatError` where a line is something else.
    """
    with open(path, encoding="utf-8-sig", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                sample = json.loads(line)
                found = {name: sample[name] for name in ("input", "question", "target")}
                if other := [name for name, value in found.items() if not isinstance(value, str)]:
                    raise TypeError(f"{other[0]} is no text")
                if empty := [name for name, value in found.items() if not value.strip()]:
                    raise ValueError(f"{empty[0]} is empty")
                yield found
            except (KeyError, TypeError, ValueError) as error:
                expected = 'expected {"input": ..., "question": ..., "target": ...}'
                raise FormatError(f"{path}:{number}: {expected}, a sample a line ({error})") from error


def of_samples(retriever: Retriever, reader: Predictor, path: Path) -> tuple[int, float]:
    """How many samples a file has, and the percent of them that are answered right; what cannot be asked is not.

    Raises :class:`~memnet.tasks.text.FormatError` where there is no sample.
    """
    right = []
    for sample in read_samples(path):
        told = retriever.found(sample["question"], sentences(sample["input"]))
        found = False
        if told:
            with suppress(AskError):
                answer = reader.ask(told, sample["question"])
                found = answer.answerable and same_answer(answer.answer, sample["target"])
        right.append(100.0 * found)
    if not right:
        raise FormatError(f"{path} has no sample")
    return len(right), statistics.fmean(right)
