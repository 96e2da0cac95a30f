"""The answer of the tables of a memory: that of the table whose cells and headers a question names most of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from memnet.ask.answer import Answer, Read
from memnet.memory.entries.records import words_of
from memnet.memory.long_memory import LongMemory
from memnet.memory.tables.across import across
from memnet.memory.tables.joined import Joined
from memnet.memory.tables.nested import Hops, hops
from memnet.memory.tables.ranked.answering import Ranked, ranked
from memnet.memory.tables.said import Said
from memnet.memory.tables.stored import between, tables_of
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.told import Told
from memnet.memory.tables.wording import Question, words_of_cell
from memnet.memory.values import Held

MENTIONS = 100  # newest sentences with the words of a cell that are looked at


class FromTable(NamedTuple):
    """What a table answers, how many words of the question it knows, and the sentences of the cells that were read."""

    answer: Answer
    known: int
    held: list[Held]
    names: list[str]  # cells that the question names whole
    tables: tuple[Table, ...]  # all that were asked

    def stands(self, memory: LongMemory) -> bool:
        """Whether no text beside the tables may say it otherwise: it names none of the cells, or came before the rows."""
        tables = self.tables
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


def from_tables(memory: LongMemory, question: str, since: str | None = None, until: str | None = None) -> FromTable | None:
    """The answer from the tables of a memory, or a refusal; None where there is no table, or none knows a word of it.

    With ``since`` or ``until`` only tables are asked whose rows have times, and of these the rows between the two.
    """
    tables, asked = tables_of(memory), Question.of(question)
    if since or until:
        tables = tuple(table for one in tables if (table := between(one, since, until)) is not None)
    direct = [Said.of(table, asked) for table in reversed(tables)]
    if (over := hops(tables, asked, direct)) is not None:
        return of_hops(over, question, tables)
    best = max((one for one in direct if one.known), key=lambda one: one.score, default=None)
    said = None if best is None else across(tables, asked, direct, best) or best
    if said is not None and said not in direct and said.told.parts:
        return of_said(said, question, tables)  # of two tables
    every = [(found, one) for one in direct if (found := ranked(one.table, asked, one.told)) is not None]
    found, strict = max(every, key=lambda one: (bool(one[0].told.parts), one[0].sure), default=(None, said))
    if found is not None and found.told.parts:
        return (
            of_query(found, question, tables)
            if found.meant or strict is None
            else of_said(strict, question, tables, found.sure)
        )
    if said is None:
        return None
    return of_said(said if found is None or not said.told.parts else replace(said, told=found.told), question, tables)


def of_said(said: Said, question: str, tables: tuple[Table, ...], sure: float = 1.0) -> FromTable:
    """The answer of one table, or of two that are joined."""
    table, told = said.table, said.told
    steps = (
        steps_of(table, said) if isinstance(table, Joined) and told.parts else [cells_read(table, told.read, said.columns_of)]
    )
    held = list({one.number: one for step in steps for one in step}.values())
    steps = steps if all(len(step) == 1 for step in steps) and len(steps) > 1 else [held]
    return FromTable(answer_of(told, question, steps, sure), len(said.known), held, said.names, tables)


def of_query(found: Ranked, question: str, tables: tuple[Table, ...]) -> FromTable:
    """The answer of a query of one table."""
    held = cells_read(found.table, found.told.read, lambda _: found.columns)
    return FromTable(answer_of(found.told, question, [held], found.sure), found.known, held, found.names, tables)


def of_hops(over: Hops, question: str, tables: tuple[Table, ...]) -> FromTable:
    """The answer over several questions, a hop of evidence each."""
    last = cells_read(over.said.table, over.told.read, over.said.columns_of)
    steps = [*(cells_read(table, read, lambda _: ()) for table, read in over.hops), last] if over.told.parts else [last]
    held = list({one.number: one for step in steps for one in step}.values())
    return FromTable(answer_of(over.told, question, steps), len(over.said.known), held, over.said.names, tables)


def cells_read(table: Table, read: Iterable[tuple[int, Column]], tested: Callable[[int], Iterable[Column]]) -> list[Held]:
    """The sentences of cells that were read, one of each; ``tested`` says by which columns a row was chosen."""
    held = [held_of(table, row, (column, *tested(row))) for row, column in dict.fromkeys(read)]
    return list({one.number: one for one in held}.values())


def steps_of(table: Joined, said: Said) -> list[list[Held]]:
    """The sentences that were read in two tables: of the cells that lead from one to the other, and of those there."""
    assert table.first is not None
    assert table.second is not None
    assert table.through is not None
    here, there = list[Held](), list[Held]()
    for row, column in said.told.read:
        here.append(held_of(table.first, row, (table.through,)))
        columns = [one for one in (column, *said.columns_of(row)) if one in table.of_second]
        if (other := table.rows_there[row]) is not None and columns:
            there.append(held_of(table.second, other, columns))
    return [list(dict.fromkeys(here)), list(dict.fromkeys(there))]


def held_of(table: Table, row: int, columns: Iterable[Column]) -> Held:
    """The sentence of the first of these cells of a row that has one of itself; what names the row has none."""
    starts = [f"The {words_of(column.name)} of " for column in columns]
    found = (one for start in starts for one in table.held[row] if one.text.startswith(start))
    return next(found, table.held[row][0])


def answer_of(told: Told, question: str, steps: list[list[Held]], sure: float = 1.0) -> Answer:
    """What was found as an answer, whose hops read the sentences of the cells."""
    if not told.parts:
        return Answer("", 0.0, [], [], [], {}, 0, unanswerable=1.0, reason=told.reason, question=question)
    last = steps[-1]
    read, older = (last[-1:], last[:-1]) if told.newest else (last, [])
    every = sorted({one for step in steps for one in step})
    place = {one.number: at for at, one in enumerate(every, 1)}

    def as_read(one: Held, weight: float) -> Read:
        return Read(place[one.number], one.text, weight, one.when or "", one.source, one.line)

    reads = [[as_read(one, 1.0 / len(step)) for one in step] for step in (*steps[:-1], read)]
    return Answer(
        ",".join(told.parts),
        sure,
        [],
        reads,
        [0.0] * len(reads),
        {},
        0,
        question=question,
        story=[one.text for one in every],
        superseded=[as_read(one, 0.0) for one in reversed(older)],
        parts=told.parts if len(told.parts) > 1 or "," in told.parts[0] else (),
    )
