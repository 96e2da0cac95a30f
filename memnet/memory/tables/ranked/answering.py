"""The answer of the likeliest queries of a question, or why there is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memnet.memory.tables.ranked.candidates import AT, Candidates, counts
from memnet.memory.tables.ranked.conditions import NOT
from memnet.memory.tables.ranked.queries import Meant
from memnet.memory.tables.ranked.scorer import Scorer
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.told import Told, refused
from memnet.memory.tables.wording import Question
from memnet.tasks.text.english import of_class

SURE = 0.5  # how likely an answer must be; chosen across tables, of half of those that were learned from
SURE_OF_STRICT = 0.15  # that of the strict reading, before any other
SURE_OF_DEEDS = 0.7  # where a name of two words is left, or one that may say another deed: "Who painted the pump?"
BY_DEED = of_class("who is has")
TINY = 1e-9
A_NUMBER = re.compile(r"\d+(?:\.\d+)?")
OF_EACH = ": "  # between a thing and its cell, where several are asked for
WORDS = re.compile(r"[\w.,/%£$€]+")
LOOKED_UP = 2e-3  # how likely a query must be for its answer to be looked up


@dataclass(frozen=True)
class Ranked:
    """An answer, how likely it is, and the conditions of the likeliest query that has it."""

    table: Table
    told: Told
    sure: float
    meant: Meant | None = None  # None where the strict reading answers, too
    whole: bool = False  # whether every word that says something is read

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of the conditions."""
        return tuple(one.column for one in self.meant.conditions) if self.meant else ()

    @property
    def names(self) -> list[str]:
        """The cells that the question names."""
        return [cell for one in (self.meant.conditions if self.meant else ()) for cell in sorted(one.cells)]

    @property
    def known(self) -> int:
        """How many words of the question the conditions read; 1 where others are left, which other text may explain."""
        return self.meant.mask.bit_count() if self.meant and self.whole else 1


def ranked(table: Table, question: Question, strict: Told) -> Ranked | None:
    """What a table says to a question; without an answer where none is likely. None for a question that is not asked so.

    Where the strict reading refuses for good, nothing else is looked for.
    """
    if strict.final:
        return Ranked(table, strict, 0.0)
    try:
        every = Candidates.of(table, question, strict)
    except ValueError:
        return None
    if every.beyond:
        return Ranked(table, strict, SURE if strict.parts else 0.0)
    probability = Scorer.load().probabilities(every.x) * ~every.excluded
    by_answer, best, total = dict[tuple[str, ...], float](), dict[tuple[str, ...], int](), float(probability[-1])
    for number in np.argsort(-probability, kind="stable").tolist():
        if probability[number] < LOOKED_UP:
            break
        if parts := every.told_by_name(number).parts:
            total += float(probability[number])
            by_answer[parts] = by_answer.get(parts, 0.0) + float(probability[number])
            best.setdefault(parts, number)
    shares = {parts: likely / max(total, TINY) for parts, likely in by_answer.items()}
    parts = max(shares, key=lambda one: shares[one], default=())
    sure = shares.get(parts, 0.0)
    of_strict = sum(share for one, share in shares.items() if agree(strict.parts, one))
    several = len(strict.parts) > 1 and all(OF_EACH in part for part in strict.parts)
    alone = strict.newest or several  # what no query says
    if strict.parts and (alone or of_strict >= SURE_OF_STRICT):
        return Ranked(table, strict, max(of_strict, SURE) if alone else of_strict)
    if not parts or sure < least_of(every.x[best[parts]], question):
        return Ranked(table, refused("nothing in the table surely says that") if strict.parts else strict, sure)
    both, whole = every.query(best[parts]), bool(every.x[best[parts], AT["left share"]] == 0)
    return Ranked(table, every.told_by_name(best[parts]), sure, both[0] if both else None, whole)


def agree(some: Sequence[str], others: Sequence[str]) -> bool:
    """Whether two answers are one, of which either may say more of each thing.

    >>> agree(("paid",), ("not paid",)), agree(("1 May",), ("1 June",))
    (False, False)
    >>> agree(("iris: 3.90", "1984"), ("3.90", "1984-04-14")), agree(("1",), ("14",)), agree(("9.40",), ("9.4",))
    (True, False, True)
    """
    if len(some) != len(others):
        return False
    both = [[f" {' '.join(WORDS.findall(part))} " for part in parts] for parts in (some, others)]
    values = [[float(part) if A_NUMBER.fullmatch(part) else None for part in parts] for parts in (some, others)]
    same = [one is not None and one == other for one, other in zip(*values, strict=True)]
    return all(same or is_more(one, other) or is_more(other, one) for one, other, same in zip(*both, same, strict=True))


def is_more(one: str, other: str) -> bool:
    """Whether words of an answer, with a blank at each end, are some of those of another, which denies nothing else."""
    return bool(one.strip()) and one in other and NOT.isdisjoint({*other.split()} - {*one.split()})


def least_of(x: NDArray[np.float32], question: Question) -> float:
    """How likely the answer of a query must be, by its features ``x (len(FEATURES),)``."""
    asks_of_deeds = question.low[0] in BY_DEED or counts(question.low)
    is_left = asks_of_deeds and x[AT["left others"]] > 0
    return SURE_OF_DEEDS if is_left or x[AT["left names"]] > 1 else SURE
