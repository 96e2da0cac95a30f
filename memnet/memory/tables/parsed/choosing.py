"""Which of two readings of a question answers: the one that explains every word, or a query that explains most."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memnet.memory.tables.parsed.parsing import Parse, parsed
from memnet.memory.tables.parsed.targets import CODES, is_code, label_of
from memnet.memory.tables.table import Table
from memnet.memory.tables.told import Told
from memnet.memory.tables.wording import Question
from memnet.tasks.text.english import of_class

BEYOND = of_class(  # words whose questions the other reading knows better
    "or not n't no none without and other except same between both each average total altogether together sum below above "
    "second third fourth fifth two three"
)
NOT_UNDERSTOOD = (
    "nothing says that of",
    "no cell and no column",
    "no row has",
    "nothing says by which",
    "nothing says what they",
)
CLEAR = 0.8  # explained share from which what is denied is clear
MANY = 3  # times as many parts as the other has


def best_parse(tables: Iterable[Table], question: Question) -> tuple[Table, Parse] | None:
    """The table whose query answers and explains most of a question; None where none does."""
    every = [(table, found) for table in tables if (found := parsed(table, question)).answers]
    return max(every, key=lambda one: (one[1].explained, len(one[1].tokens), len(one[1].columns)), default=None)


def prefers(table: Table, parse: Parse, told: Told, question: Question) -> bool:
    """Whether the query of a table answers, and not the strict reading.

    So it is where that refused since it did not understand a word, or where its answer looks wrong: yes to "or", none or one
    of a stock, codes where the query has names, or far more than it.
    """
    if not told.parts:
        if "denies in it" in told.reason:
            return parse.denies and parse.explained > CLEAR
        if "rows have" in told.reason:  # as many have a part of a name in theirs
            return parse.rows == 1 and parse.explained == 1.0
        unclear = "nothing says which column" in told.reason and parse.explained == 1.0 and BEYOND.isdisjoint(question.low)
        return unclear or any(said in told.reason for said in NOT_UNDERSTOOD)
    if "or" in question.low and {*told.parts} <= {"yes", "no"}:
        return not {*parse.told.parts} <= {"yes", "no"}
    unique = [
        one for one in table.columns if is_code(one) and len(one.distinct) == len(one.told) and one is not label_of(table)
    ]
    numbers = any({*told.parts} <= {*one.cells} for one in unique)
    if numbers and not are_codes(parse.told.parts):
        return True
    if not BEYOND.isdisjoint(question.low):
        return False
    if parse.explained < 1.0:
        return False
    if "many" in question.low and told.parts in (("0",), ("1",)):
        return True
    return len(told.parts) > MANY * len(parse.told.parts)


def are_codes(parts: Sequence[str]) -> bool:
    """Whether an answer has codes alone."""
    return all(CODES.fullmatch(part) and not part.isdigit() and re.search(r"[A-Za-z]", part) for part in parts)
