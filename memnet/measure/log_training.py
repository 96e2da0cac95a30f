"""Train what answers questions about logs: which entries tell it, and which of all candidates is the answer.

Both are small networks over features. That of entries learns from lines that say by themselves what is asked (binary cross-
entropy), that of candidates from answers alone: every candidate with the right answer is right, as for tables.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray

from memnet.measure.own_files import FileQuestion, files_of, is_right, read_questions
from memnet.measure.query_training import Course, Example, Member, train_member
from memnet.memory.entries import Reading, entries
from memnet.memory.entrywise.ranked.answering import (
    GATHERED,
    Gathered,
    asked_of,
    chances_of,
    is_same,
    key_of_parts,
    parts_known,
    read_for,
)
from memnet.memory.entrywise.ranked.candidates import said
from memnet.memory.entrywise.ranked.features import Known
from memnet.memory.entrywise.ranked.relevance import Readings
from memnet.memory.memory import Memory
from memnet.memory.sentences import Sentences
from memnet.memory.tables.ranked.scorer import NAMES, Scorer
from memnet.tasks.asked_logs import AskedLog, read_logs

OF_ENTRIES = Course(members=2, hidden=128, epochs=12, batch=16, lr=2e-3, dropout=0.1)
OF_CANDIDATES = Course(members=4, hidden=64, epochs=8, wrong=100)


@dataclass(eq=False)
class Read:
    """A question about a log, as it was read: the entries that may tell it, and what facts and stories say."""

    log: str
    question: str
    asked: str  # without its date, say
    golds: Sequence[FileQuestion]  # any of which is right
    readings: Readings
    telling: NDArray[np.bool_] | None  # which of the entries tell it; None where that is not known
    known: Known

    @property
    def answerable(self) -> bool:
        """Whether the log tells it."""
        return any(one.answers or one.all for one in self.golds)


def asked_as(memory: Memory, question: str) -> tuple[Sentences, str, Known] | None:
    """The entries that a question is asked of, how, and what is known before candidates are ranked; None where none are."""
    token = GATHERED.set(gathered := Gathered())
    try:
        memory.ask(question)
    finally:
        GATHERED.reset(token)
    return gathered[0] if gathered else None


def questions_of(log: AskedLog) -> Iterator[tuple[str, list[FileQuestion], set[int]]]:
    """The wordings of a log's questions with their answers, and the lines that tell them, from 1."""
    for one in log.questions:
        golds = [FileQuestion("", one.answers)] if one.answers or not one.lists else []
        golds += [FileQuestion("", (), each) for each in one.lists]
        yield from ((ask, golds, {at + 1 for at in one.says}) for ask in one.asks)


def read_asked(log: AskedLog) -> Iterator[Read]:
    """The questions of a log of ``tasks/logs``."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "log.txt"
        path.write_text("\n".join(log.lines) + "\n", encoding="utf-8")
        yield from read_of(log.name, path, questions_of(log))


def read_own(folder: Path) -> Iterator[Read]:
    """The questions of a folder of logs, as `memnet bench memory-files` asks them."""
    for path, questions in files_of(folder):
        asked = ((one.question, [one], None) for one in read_questions(questions))
        yield from read_of(str(path), path, asked)


def read_of(name: str, path: Path, asked: Iterator[tuple[str, list[FileQuestion], set[int] | None]]) -> Iterator[Read]:
    """Questions about a file."""
    with tempfile.TemporaryDirectory() as place, Memory.open(Path(place) / "memory") as memory:
        memory.add(entries(path, Reading()))
        for question, golds, telling in asked:
            if (found := asked_as(memory, question)) is not None:
                sentences, as_asked, known = found
                readings = read_for(sentences, as_asked)
                tells = None if telling is None else np.array([one.line in telling for one in readings.held], bool)
                if len(readings.x):
                    yield Read(name, question, as_asked, golds, readings, tells, known)


def train_entries(some: Sequence[Read], course: Course) -> Scorer:
    """Train the networks that say how likely an entry tells it."""
    return Scorer([weights_of(train_entry_member(some, course, seed)) for seed in range(course.members)])


def train_entry_member(some: Sequence[Read], course: Course, seed: int) -> Member:
    """Train one of these."""
    torch.manual_seed(seed)
    every = np.concatenate([one.readings.x for one in some])
    member = Member(course, torch.from_numpy(every.mean(0)), torch.from_numpy(every.std(0) + np.float32(0.1)))
    adam = torch.optim.AdamW(member.parameters(), lr=course.lr, weight_decay=course.weight_decay)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(adam, course.epochs * -(-len(some) // course.batch))
    random, order = Random(seed), [*range(len(some))]
    for _ in range(course.epochs):
        random.shuffle(order)
        for first in range(0, len(order), course.batch):
            batch = [some[at] for at in order[first : first + course.batch]]
            x = torch.from_numpy(np.concatenate([one.readings.x for one in batch]))
            tells = np.concatenate([one.telling for one in batch if one.telling is not None])
            adam.zero_grad()
            F.binary_cross_entropy_with_logits(member(x), torch.from_numpy(tells.astype(np.float32))).backward()
            adam.step()
            schedule.step()
    return member.eval()


def weights_of(member: Member) -> dict[str, NDArray[np.float32]]:
    """The weights that are saved."""
    state = member.state_dict()
    return {name: state[name].numpy() for name in NAMES}


def with_chances(some: Sequence[Read], course: Course, parts: int) -> Iterator[tuple[Read, NDArray[np.float32]]]:
    """Questions with how likely each entry tells them, by networks that did not learn from their log."""
    for apart in parts_of({one.log for one in some}, parts):
        scorer = train_entries([one for one in some if one.log not in apart], course)
        yield from ((one, chances_of(scorer, one.readings.x)) for one in some if one.log in apart)


def parts_of(logs: set[str], parts: int) -> list[set[str]]:
    """Logs in so many parts."""
    names = sorted(logs)
    Random(1).shuffle(names)
    return [{*names[part::parts]} for part in range(parts)]


def example(one: Read, chances: NDArray[np.float32], course: Course) -> Example:
    """The candidates of a question, and which are right."""
    every = asked_of(one.readings, chances, one.known, one.asked)
    known = parts_known(one.known.answer)
    told = [*(said(each, one.question) for each in every.candidates), known, ()]
    numbers, answers = list[tuple[str, ...]](), list[int]()
    for parts in told:
        key = key_of_parts(parts)
        place = next((at for at, other in enumerate(numbers, 1) if is_same(other, key, one.question)), 0) if parts else 0
        if parts and not place:
            numbers.append(key)
            place = len(numbers)
        answers.append(place)
    good = np.array([bool(parts) and any(has(gold, parts) for gold in one.golds) for parts in told])
    right = good.copy()
    if not good.any():
        right[-1], right[-2] = True, not known
    weight = 1.0 if good.any() or not one.answerable else course.out_of_reach
    return Example(one.log, one.question, every.x.astype(np.float16), right, good, np.array(answers), one.answerable, weight)


def has(gold: FileQuestion, parts: Sequence[str]) -> bool:
    """Whether an answer in parts is right."""
    return bool(gold.answers or gold.all) and is_right(gold, ",".join(parts))


def train_candidates(some: Sequence[Example], course: Course) -> Scorer:
    """Train the networks that score candidates."""
    return Scorer([weights_of(train_member(some, course, seed)) for seed in range(course.members)])


def across_logs(some: Sequence[Example], course: Course, parts: int) -> Iterator[tuple[Scorer, list[Example]]]:
    """Networks of all logs but some, and the questions about these."""
    for apart in parts_of({one.table for one in some}, parts):
        learned = train_candidates([one for one in some if one.table not in apart], replace(course, members=1))
        yield learned, [one for one in some if one.table in apart]


def all_asked(folder: Path) -> Iterator[Read]:
    """The questions of all logs of a folder."""
    for log in read_logs(folder):
        yield from read_asked(log)
