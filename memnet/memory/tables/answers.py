"""The answer of the tables of a memory: that of the table whose cells and headers a question names most of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from memnet.ask.answer import Answer, Read
from memnet.memory.entries.records import words_of
from memnet.memory.long_memory import LongMemory
from memnet.memory.tables.operations import told_by
from memnet.memory.tables.reading import Reading
from memnet.memory.tables.stored import tables_of
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.told import Told, named_columns
from memnet.memory.tables.wording import Question, words_of_cell
from memnet.memory.values import Held

MENTIONS = 100  # newest sentences with the words of a cell that are looked at


class FromTable(NamedTuple):
    """What a table answers, how many words of the question it knows, and the sentences of the cells that were read."""

    answer: Answer
    known: int
    held: list[Held]
    names: list[str]  # cells that the question names whole

    def stands(self, memory: LongMemory) -> bool:
        """Whether no text beside the tables may say it otherwise: it names none of the cells, or came before the rows."""
        tables = tables_of(memory)
        if len(memory.files.marks.struck) + sum(one.size for one in tables) >= memory.extent().sentences:
            return True
        if self.answer.answerable and len(self.held) > 1:
            return True
        newest = max((one.number for one in self.held), default=-1)
        found = [
            number for name in self.names for number in memory.index.find(words_of_cell(name), MENTIONS) if number > newest
        ]
        apart = [number for number in found if not any(number in one.numbers for one in tables)]
        return not apart if self.names else self.answer.answerable and self.known > 1


def from_tables(memory: LongMemory, question: str) -> FromTable | None:
    """The answer from the tables of a memory, or a refusal; None where there is no table, or none knows a word of it."""
    asked, best = Question.of(question), None
    for table in reversed(tables_of(memory)):
        reading = Reading(table, asked)
        told = told_by(reading)
        known = {place for one in (*reading.whole, *reading.parts) for place in one.tokens}
        known |= {place for place, columns in reading.headers.items() if columns}
        known |= {place for one in reading.limits for place in one.places} | {
            *(reading.degree.places if reading.degree else ())
        }
        score = (bool(told.parts), len(known), sum(len(one.tokens) for one in reading.whole))
        if known and (best is None or score > best[0]):
            best = score, told, table, [cells[0] for one in reading.whole for cells in one.cells.values()], tested(reading)
    if best is None:
        return None
    score, told, table, names, columns = best
    held = [held_of(table, row, (column, *columns)) for row, column in dict.fromkeys(told.read)]
    held = list({one.number: one for one in held}.values())
    return FromTable(answer_of(told, question, held), score[1], held, names)


def tested(reading: Reading) -> list[Column]:
    """The columns of the conditions of a question."""
    of_states = [column for places, _ in reading.states for at in places for column in reading.headers.get(at, ())]
    return [*named_columns(reading), *(one.column for one in reading.limits), *of_states]


def held_of(table: Table, row: int, columns: Iterable[Column]) -> Held:
    """The sentence of the first of these cells of a row that has one of itself; what names the row has none."""
    starts = [f"The {words_of(column.name)} of " for column in columns]
    found = (one for start in starts for one in table.held[row] if one.text.startswith(start))
    return next(found, table.held[row][0])


def answer_of(told: Told, question: str, held: list[Held]) -> Answer:
    """What was found as an answer, whose one hop reads the sentences of the cells."""
    if not told.parts:
        return Answer("", 0.0, [], [], [], {}, 0, unanswerable=1.0, reason=told.reason, question=question)
    read, older = (held[-1:], held[:-1]) if told.newest else (held, [])
    every = sorted(held)
    place = {one.number: at for at, one in enumerate(every, 1)}

    def as_read(one: Held, weight: float) -> Read:
        return Read(place[one.number], one.text, weight, one.when or "", one.source, one.line)

    reads = [as_read(one, 1.0 / len(read)) for one in read]
    return Answer(
        ",".join(told.parts),
        1.0,
        [],
        [reads],
        [0.0],
        {},
        0,
        question=question,
        story=[one.text for one in every],
        superseded=[as_read(one, 0.0) for one in reversed(older)],
        parts=told.parts if len(told.parts) > 1 or "," in told.parts[0] else (),
    )
