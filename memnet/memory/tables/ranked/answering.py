"""The answer of the likeliest queries of a question, or why there is none."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memnet.memory.tables.cells import DATE, MONEY
from memnet.memory.tables.degrees import is_cost
from memnet.memory.tables.ranked.asked import Asked
from memnet.memory.tables.ranked.candidates import AT, OF_CODES, Candidates, counts
from memnet.memory.tables.ranked.naming import is_code
from memnet.memory.tables.ranked.queries import Meant
from memnet.memory.tables.ranked.scorer import Scorer
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.told import Told, refused
from memnet.memory.tables.wording import Question
from memnet.tasks.text.english import of_class

SURE = 0.45  # how likely an answer must be; chosen across tables, of five parts of those that were learned from
OVER = 0.85  # how likely it must be where the strict reading has another one
STRICT = 0.74  # the share of answers of the strict reading that are right, of the first 106 tables that were learned from
SURE_OF_DEEDS = 0.6  # of who, where a word is left that may say another deed: "Who painted the pump?"
SURE_OF_UNHEARD = 0.7  # of a column that the question hardly names: "What's Ann's salary?"
HALF = 0.5  # of its header, at most
SURE_OF_READ = 0.6  # of one that the reader of columns takes to be asked for
READ = math.log(0.6)  # it takes so, at least
FITTING = ("label", "first column", "who fits", "where fits", "when fits", "much fits", "many fits", "near left")
BY_DEED = of_class("who is has")
BEYOND = of_class(  # words whose questions the strict reading knows better
    "not n't no none without except other than same between both each and above below year years many"
)
LEAST = 1e-9
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
        return Ranked(table, strict, STRICT if strict.parts else 0.0)
    probability = Scorer.load().probabilities(every.x) * ~every.excluded
    by_answer, best, total = dict[tuple[str, ...], float](), dict[tuple[str, ...], int](), float(probability[-1])
    for number in np.argsort(-probability, kind="stable").tolist():
        if probability[number] < LOOKED_UP:
            break
        if parts := every.told_by_name(number).parts:
            total += float(probability[number])
            by_answer[parts] = by_answer.get(parts, 0.0) + float(probability[number])
            best.setdefault(parts, number)
    parts = max(by_answer, key=lambda one: by_answer[one], default=())
    sure = by_answer[parts] / max(total, LEAST) if parts else 0.0
    stands = sure < OVER or not BEYOND.isdisjoint(question.low) or any(one.measure for one in every.heads)
    if strict.parts and (parts == strict.parts or (stands and not is_odd(strict, every.asked))):
        return Ranked(table, strict, max(STRICT, by_answer.get(strict.parts, 0.0) / max(total, LEAST)))
    if not parts or sure < least_of(every.x[best[parts]], question):
        return Ranked(table, refused("nothing in the table surely says that") if strict.parts else strict, sure)
    both, whole = every.query(best[parts]), bool(every.x[best[parts], AT["left share"]] == 0)
    return Ranked(table, every.told_by_name(best[parts]), sure, both[0] if both else None, whole)


def is_odd(strict: Told, asked: Asked) -> bool:
    """Whether an answer is of another kind than is asked for.

    Codes of rows where nobody asks for numbers; for "how many" an amount of money, names, days, or 0, which another reading may
    know better.
    """
    columns = {column for _, column in strict.read}
    numbers = all(any(map(str.isdigit, part)) for part in strict.parts) and not any(
        one.kind == DATE or is_cost(one) for one in columns
    )
    if counts(asked.low) and (not numbers or strict.parts == ("0",)):
        return True
    coded = any({*strict.parts} <= {*one.cells} for one in columns if is_code(one) and one is not asked.label)
    money = "many" in asked.low and any(one.kind == MONEY for one in columns)
    return money or (coded and OF_CODES.isdisjoint(asked.low))


def least_of(x: NDArray[np.float32], question: Question) -> float:
    """How likely the answer of a query must be, by its features ``x (len(FEATURES),)``.

    More where a cell is looked up of a column that the question hardly names, and a word is left or nothing else fits; and more
    where a deed may be another one.
    """
    is_read = x[AT["asked read"]] >= READ and not counts(question.low)  # "how many people" are no hands of a horse
    half = x[AT["header share left"]] <= HALF and not x[AT["concept left"]]
    fits = any(x[AT[name]] > 0 for name in FITTING)
    if x[AT["do list"]] > 0 and half and (x[AT["left share"]] > 0 or not (fits or x[AT["header said left"]])):
        return SURE_OF_READ if is_read else SURE_OF_UNHEARD
    asks_of_deeds = question.low[0] in BY_DEED or question.low[:2] == ("how", "many")
    return SURE_OF_DEEDS if asks_of_deeds and x[AT["left others"]] > 0 else SURE
