"""Train the scorer of queries from questions about tables and their answers: every query with the right answer is right.

The probability of a right answer is that of all queries that have it (Pasupat & Liang 2015 learn so from denotations).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from memnet.files import write_arrays
from memnet.measure.own_files import FileQuestion, files_of, is_right, read_questions
from memnet.memory.entries import Reading, entries
from memnet.memory.memory import Memory
from memnet.memory.tables.ranked.candidates import Candidates
from memnet.memory.tables.ranked.scorer import MEMBER, NAMES, Scorer
from memnet.memory.tables.ranked.untold import untold
from memnet.memory.tables.said import Said
from memnet.memory.tables.stored import tables_of
from memnet.memory.tables.wording import Question

LITTLE = 0.1  # added to the deviation of a feature that hardly changes


@dataclass(frozen=True)
class Course:
    """How a scorer is trained."""

    members: int = 4
    hidden: int = 128
    epochs: int = 10
    batch: int = 32
    wrong: int = 250  # queries without the right answer that are looked at each time, of each question
    lr: float = 3e-3
    weight_decay: float = 1e-2
    dropout: float = 0.12
    untold: int = 3  # questions that no column answers, of each table
    out_of_reach: float = 0.5  # what a question counts whose answer no query has: it is to be refused


@dataclass(eq=False)
class Example:
    """A question with its candidates."""

    table: str
    question: str
    x: NDArray[np.float16]  # (candidates, features)
    right: NDArray[np.bool_]  # (candidates,): whether it has the answer, or refuses where there is none
    good: NDArray[np.bool_]  # the same as `memnet bench memory-files` has it: a longer answer may hold the right one
    answer: NDArray[np.int64]  # (candidates,): a number for each different answer; 0 where there is none
    answerable: bool
    weight: float
    drawn: bool = False  # by a program, of what no column is about


def has_answer(asked: FileQuestion, parts: Sequence[str]) -> bool:
    """Whether an answer is right: all of a list, or the one."""
    if not parts or not (asked.all or asked.answers):
        return False
    return is_right(asked, ",".join(parts)) if asked.all else len(parts) == 1 and is_right(asked, parts[0])


def examples(folder: Path, course: Course) -> Iterator[Example]:
    """The questions of a folder of tables, each beside its candidates."""
    for path, questions in files_of(folder):
        with tempfile.TemporaryDirectory() as place, Memory.open(Path(place) / "memory") as memory:
            memory.add(entries(path, Reading()))
            for asked in read_questions(questions):
                for table in tables_of(memory.long):
                    question = Question.of(asked.question)
                    yield example(str(path), asked, Candidates.of(table, question, Said.of(table, question).told), course)
            for table in tables_of(memory.long):
                for question in untold(table, Random(path.stem), course.untold):
                    told = Said.of(table, question).told
                    if not told.parts:
                        one = example(str(path), FileQuestion(question.text), Candidates.of(table, question, told), course)
                        yield replace(one, drawn=True)


def example(table: str, asked: FileQuestion, every: Candidates, course: Course) -> Example:
    """One question."""
    told = [every.told(number).parts for number in range(len(every))]
    numbers = {(): 0, **{parts: at for at, parts in enumerate(dict.fromkeys(filter(None, told)), 1)}}
    right = np.array([has_answer(asked, parts) for parts in told])
    good = np.array([bool(parts) and bool(asked.all or asked.answers) and is_right(asked, ",".join(parts)) for parts in told])
    answerable = bool(asked.all or asked.answers)
    weight = 1.0 if right.any() or not answerable else course.out_of_reach
    right[-1] |= not right.any()
    answer = np.array([numbers[parts] for parts in told])
    return Example(table, asked.question, every.x.astype(np.float16), right, good, answer, answerable, weight)


class Member(nn.Module):
    """One network: features -> a logit."""

    mean: Tensor
    scale: Tensor

    def __init__(self, course: Course, mean: Tensor, scale: Tensor) -> None:
        super().__init__()
        size = len(mean)
        self.register_buffer("mean", mean)
        self.register_buffer("scale", scale)
        self.first, self.second = nn.Linear(size, course.hidden), nn.Linear(course.hidden, course.hidden)
        self.last, self.straight = nn.Linear(course.hidden, 1), nn.Linear(size, 1, bias=False)
        self.drop = nn.Dropout(course.dropout)

    def forward(self, x: Tensor) -> Tensor:
        """(candidates, features) -> (candidates,)."""
        x = (x - self.mean) / self.scale
        hidden = self.drop(torch.relu(self.first(self.drop(x))))
        hidden = self.drop(torch.relu(self.second(hidden)))
        found: Tensor = (self.last(hidden) + self.straight(x)).squeeze(-1)
        return found


class Drawn(NamedTuple):
    """Some candidates of a question: all that are right, and wrong ones, each of which stands for as many."""

    x: NDArray[np.float32]  # (some, features)
    right: NDArray[np.bool_]  # (some,)
    stands_for: NDArray[np.float32]  # (some,): log of how many

    @classmethod
    def of(cls, one: Example, wrong: int, random: np.random.Generator) -> Drawn:
        """So many wrong ones at most, by chance."""
        others = np.flatnonzero(~one.right)
        chosen = others if len(others) <= wrong else random.choice(others, wrong, replace=False)
        rows = np.concatenate([np.flatnonzero(one.right), chosen])
        right = one.right[rows]
        return cls(
            one.x[rows].astype(np.float32),
            right,
            np.where(right, 0.0, np.log(max(1, len(others)) / max(1, len(chosen)))).astype(np.float32),
        )


def loss(member: Member, some: Sequence[Drawn], weights: Sequence[float]) -> Tensor:
    """The mean of minus the log-probabilities of right answers."""
    x, right, stands_for = (torch.from_numpy(np.concatenate(part)) for part in zip(*some, strict=True))
    found, sizes, never = member(x) + stands_for, [len(one.x) for one in some], float("-inf")
    every, of_right = (
        nn.utils.rnn.pad_sequence(list(each.split(sizes)), True, never).logsumexp(1)
        for each in (found, found.masked_fill(~right, never))
    )
    return torch.tensor(weights) @ (every - of_right) / len(some)


def of_features(some: Sequence[Example]) -> tuple[Tensor, Tensor]:
    """The mean and the deviation of each feature over all candidates."""
    count = sum(len(one.x) for one in some)
    mean = sum(one.x.sum(0, dtype=np.float64) for one in some) / count
    square = sum((one.x.astype(np.float64) ** 2).sum(0) for one in some) / count
    deviation = np.sqrt(np.maximum(square - mean**2, 0))
    return torch.from_numpy(mean.astype(np.float32)), torch.from_numpy((deviation + LITTLE).astype(np.float32))


def train_member(some: Sequence[Example], course: Course, seed: int) -> Member:
    """Train one network."""
    torch.manual_seed(seed)
    mean, scale = of_features(some)
    member, random, draw = Member(course, mean, scale), Random(seed), np.random.default_rng(seed)
    adam = torch.optim.AdamW(member.parameters(), lr=course.lr, weight_decay=course.weight_decay)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(adam, course.epochs * -(-len(some) // course.batch))
    order = [*range(len(some))]
    for _ in range(course.epochs):
        random.shuffle(order)
        for first in range(0, len(order), course.batch):
            batch = [some[at] for at in order[first : first + course.batch]]
            adam.zero_grad()
            loss(member, [Drawn.of(one, course.wrong, draw) for one in batch], [one.weight for one in batch]).backward()
            adam.step()
            schedule.step()
    return member.eval()


def train(some: Sequence[Example], course: Course) -> Scorer:
    """Train all networks."""
    found = []
    for seed in range(course.members):
        weights = {name: value.numpy() for name, value in train_member(some, course, seed).state_dict().items()}
        found.append({name: weights[name] for name in NAMES})
    return Scorer(found)


def save(scorer: Scorer, path: Path) -> None:
    """Weights in 16 bits."""
    arrays = {
        MEMBER.format(number, name): np.asarray(value, np.float16 if "." in name else np.float32)
        for number, member in enumerate(scorer.members)
        for name, value in member.items()
    }
    write_arrays(path, arrays)


def decided(probability: NDArray[np.float32], answer: NDArray[np.int64]) -> tuple[int, float]:
    """The likeliest answer, by the sum of all queries that have it, and its share of all answers and the refusal."""
    by_answer = np.bincount(answer, probability)
    refusal = float(probability[-1])
    by_answer[0] = 0.0
    best = int(by_answer.argmax())
    return best, float(by_answer[best] / max(by_answer.sum() + refusal, 1e-9))


def score(scorer: Scorer, some: Sequence[Example], least: float) -> tuple[int, int, int]:
    """How many questions are right, wrong and refused, where an answer must be so likely."""
    counts = [0, 0, 0]
    for one in some:
        best, sure = decided(scorer.probabilities(one.x.astype(np.float32)), one.answer)
        if not best or sure < least:
            counts[2 if one.answerable else 0] += 1
        else:
            counts[0 if one.answerable and one.good[one.answer == best].any() else 1] += 1
    return counts[0], counts[1], counts[2]


def across_tables(some: Sequence[Example], course: Course, parts: int, least: float) -> tuple[int, int, int]:
    """The same of tables that were not learned from, by parts, learned from the other parts; drawn questions do not count."""
    tables = sorted({one.table for one in some})
    Random(1).shuffle(tables)
    total = np.zeros(3, int)
    for part in range(parts):
        apart = {*tables[part::parts]}
        scorer = train([one for one in some if one.table not in apart], course)
        total += score(scorer, [one for one in some if one.table in apart and not one.drawn], least)
    return int(total[0]), int(total[1]), int(total[2])
