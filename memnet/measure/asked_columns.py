"""Which column the questions of tables ask for, found by their answers, and stories of these to learn from.

A question comes with its answer alone. The likeliest query that has this answer says which column was meant, and which words of
the question mean rows. So the reader of columns learns from whole questions as people ask them, and not only from ways to ask
for a cell (:mod:`memnet.measure.column_questions`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path
from random import Random

import numpy as np

from memnet.errors import ConfigError
from memnet.measure.column_questions import answered_words
from memnet.measure.own_files import FileQuestion, files_of, read_questions
from memnet.measure.query_training import has_answer, tables_in
from memnet.memory.tables.ranked.asked import named_in
from memnet.memory.tables.ranked.candidates import Candidates
from memnet.memory.tables.ranked.column_reader import SHOWN, described, shown
from memnet.memory.tables.ranked.queries import CELL_VERDICT, Head
from memnet.memory.tables.ranked.query import (
    DISTINCT,
    GAP,
    GROUP,
    GROUP_MEAN,
    GROUP_SUM,
    LEAST,
    LIST,
    MEAN,
    MOST,
    SUM,
    VERDICT,
)
from memnet.memory.tables.ranked.scorer import Scorer
from memnet.memory.tables.said import Said
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.wording import Question
from memnet.tasks.world.texts import Statement, Story

OF_CELLS = {LIST, SUM, MEAN, VERDICT, CELL_VERDICT, GAP, DISTINCT, GROUP, GROUP_SUM, GROUP_MEAN}
LOOKED_AT, LIKELY = 400, 1e-5  # queries of a question, and how likely each must be
SURE = 0.7  # how much of the probability of all queries with the answer has to ask for one column
CELLS = 12  # of a column, that are kept
ASKED = 5  # questions about a table that is drawn
FEWER, SMALLEST, LEFT_OUT = 0.3, 4, 3  # tables without some columns, which have more than so many; how many at most
FIRST_CELLS = 0.5  # of the columns that are drawn show the cells that they show where they are asked
NAMED, LOWER = 0.75, 0.3  # of the questions that have names for the words that mean rows; that are in small letters
MOST_OF_ONE = 60  # questions of a table, up to which it is drawn more often


@dataclass(frozen=True)
class Asked:
    """A question: its words, the same with a name for words that mean rows, and the place of its column; -1 for none."""

    words: tuple[str, ...]
    named: tuple[str, ...]
    column: int


@dataclass(frozen=True)
class AskedTable:
    """A table and its questions. Of each column the words of its header and some cells."""

    file: str
    headers: tuple[tuple[str, ...], ...]
    cells: tuple[tuple[str, ...], ...]
    questions: tuple[Asked, ...]


def asked_tables(folder: Path) -> Iterator[AskedTable]:
    """The tables of a folder, with those of its questions of which it is clear what they ask for."""
    for path, questions in files_of(folder):
        for table in tables_in(path):
            found = (asked_column(table, one) for one in read_questions(questions))
            headers = tuple(header_of(described(column)) for column in table.columns)
            cells = tuple(tuple(map(str, column.distinct[:CELLS])) for column in table.columns)
            yield AskedTable(str(path), headers, cells, tuple(one for one in found if one is not None))


def asked_column(table: Table, asked: FileQuestion) -> Asked | None:
    """What a question asks for; None where no query has its answer, or it is not clear which column that is."""
    question = Question.of(asked.question)
    words = tuple(one.text for one in question.tokens)
    if not asked.all and not asked.answers:
        return Asked(words, words, -1)
    try:
        every = Candidates.of(table, question, Said.of(table, question).told)
    except ValueError:
        return None
    probability = Scorer.load().probabilities(every.x)
    votes, names = dict[Column | None, float](), dict[Column | None, frozenset[int]]()
    for number in np.argsort(-probability, kind="stable")[:LOOKED_AT].tolist():
        both = every.query(number)
        if probability[number] < LIKELY or both is None or not has_answer(asked, every.told(number).parts):
            continue
        column = column_of(both[1], (table.thing, every.asked.label, table.columns[0]))
        votes[column] = votes.get(column, 0.0) + float(probability[number])
        names.setdefault(column, frozenset().union(*(one.places for one in both[0].conditions)))
    best = max(votes, key=lambda one: votes[one], default=None)
    if best is None or best not in table.columns or votes[best] < SURE * sum(votes.values()):
        return None
    return Asked(words, tuple(named_in(words, names[best])), table.columns.index(best))


def column_of(head: Head, labels: Sequence[Column]) -> Column | None:
    """The column that is asked for; of what is biggest that which it is measured by. None where rows are counted."""
    if head.operation in (MOST, LEAST):
        return head.measure if head.target in labels else None
    return head.target if head.operation in OF_CELLS else None


def header_of(words: Sequence[str]) -> tuple[str, ...]:
    """The words of a column's header, of those of its statement."""
    return tuple(words[: words.index(":")])


def write_asked(path: Path, tables: Iterable[AskedTable]) -> int:
    """A line of JSON for each; how many questions they have."""
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for table in tables:
            file.write(json.dumps(asdict(table), ensure_ascii=False) + "\n")
            count += len(table.questions)
    return count


def read_asked_tables(path: Path, half: int | None = None) -> list[AskedTable]:
    """Those of a file that have questions, or of a half of them. Raises :class:`~memnet.errors.ConfigError`."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            given = json.loads(line)
            asked = tuple(Asked(tuple(one["words"]), tuple(one["named"]), int(one["column"])) for one in given["questions"])
            headers, cells = (tuple(map(tuple, given[name])) for name in ("headers", "cells"))
            found.append(AskedTable(given["file"], headers, cells, asked))
        except (ValueError, KeyError, TypeError) as error:
            raise ConfigError(f"{path}:{number}: expected a table with its questions as JSON: {error}") from error
    return [one for one in found if one.questions and half in (None, half_of(one.file))]


def half_of(file: str) -> int:
    """In which of two halves a table is: 0 or 1, by the name of its file.

    >>> half_of("a/stock.csv") == half_of("b/stock.csv"), {half_of(f"{number}.csv") for number in range(9)}
    (True, {0, 1})
    """
    return Random(Path(file).name).randrange(2)


def story_of(table: AskedTable) -> Story:
    """A table as it is where it is asked, with its first questions, names for words that mean rows."""
    told = [statement_of(header, cells[:SHOWN]) for header, cells in zip(table.headers, table.cells, strict=True)]
    some = table.questions[:MOST_OF_ONE]
    return Story(tuple(told), tuple(answered_words(one.named, " ".join(one.named), one.column, told) for one in some))


def statement_of(header: Sequence[str], cells: Sequence[str]) -> Statement:
    """A column as a statement."""
    words = shown(header, cells)
    return Statement(words, " ".join(words))


class AskedTables:
    """Tables to draw from, those with many questions more often."""

    def __init__(self, every: Sequence[AskedTable]) -> None:
        self.every = every
        self.weights = [*accumulate(min(MOST_OF_ONE, len(one.questions)) for one in every)]

    def draw(self, random: Random) -> Story:
        """A table, some of whose columns may be left out, as statements, with some of its questions."""
        table = random.choices(self.every, cum_weights=self.weights)[0]
        asked = random.sample(table.questions, min(ASKED, len(table.questions)))
        columns = [*range(len(table.headers))]
        if random.random() < FEWER and len(columns) > SMALLEST:
            free = [one for one in columns[1:] if one not in {each.column for each in asked}]
            left = random.sample(free, min(len(free), random.randint(1, LEFT_OUT)))
            columns = [one for one in columns if one not in left]
        told = []
        for column in columns:
            cells = table.cells[column]
            first = random.random() < FIRST_CELLS
            some = cells[:SHOWN] if first else random.sample(cells, min(len(cells), random.randint(1, SHOWN)))
            told.append(statement_of(table.headers[column], some))
        questions = []
        for one in asked:
            words = one.named if random.random() < NAMED else one.words
            words = tuple(word.lower() for word in words) if random.random() < LOWER else words
            at = columns.index(one.column) if one.column >= 0 else -1
            questions.append(answered_words(words, " ".join(words), at, told))
        return Story(tuple(told), tuple(questions))
