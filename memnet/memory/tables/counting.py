"""How many rows fit a question, and sums and means of a column."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memnet.ask.answer import listed
from memnet.memory.tables.asked import is_like_rows, verbs_of
from memnet.memory.tables.cells import MONEY, NUMBER, TEXT, number_of, unlike
from memnet.memory.tables.degrees import is_cost
from memnet.memory.tables.each import each_of, side_by_side
from memnet.memory.tables.kinds import by_header, by_unit, of_measure, of_person
from memnet.memory.tables.places_left import LEFT, capacity
from memnet.memory.tables.reading import Reading
from memnet.memory.tables.spoken import SORTS
from memnet.memory.tables.table import Column
from memnet.memory.tables.told import (
    Told,
    named_columns,
    nothing_says,
    of_rows,
    one_name,
    partial_names,
    refused,
    refused_for_good,
    unexplained,
)
from memnet.memory.tables.wording import JOINING, PERSONS, Token, is_word, words_of_cell
from memnet.tasks.text.english import of_class

SUMS = of_class("total altogether together sum combined")
MEANS = of_class("average mean")
STOCKS = of_class("stock quantity qty")
DECIMALS = re.compile(r"\d[.,](?P<decimals>\d{1,2})(?!\d)")


def number_of_noun(reading: Reading, numbers: Sequence[Column]) -> Column | None:
    """The column of numbers that "how many" asks for, by its noun; None where it asks how many rows there are."""
    noun, table = reading.noun, reading.table
    column = (
        numbers[0] if len(numbers) == 1 else by_unit(reading, table.of_kind((NUMBER, MONEY))) or by_header(reading, numbers)
    )
    if column is None and noun is not None and noun.place in reading.used:  # "how many tulips are in stock"
        column = by_header(reading, table.of_kind((NUMBER,)))
    if column is None and noun is not None and any(noun.place in one.tokens for one in reading.whole):
        stocks = [one for one in table.of_kind((NUMBER,)) if not STOCKS.isdisjoint(one.words)]
        stocks = [one for one in stocks if {*one.words} <= STOCKS | JOINING] or stocks  # "Qty", and not "Min stock"
        column = stocks[0] if len(stocks) == 1 and len(reading.rows()) == 1 else None  # "how many ferns have we got"
    return of_measure(reading, "many", ()) if column is None and noun is None else column


def count(reading: Reading) -> Told:
    """How many rows fit, or how much a cell says."""
    noun, table = reading.noun, reading.table
    if (several := partial_names(reading)) is not None:
        return several
    numbers = [
        one for one in table.of_kind((NUMBER, MONEY)) if noun is not None and (one in reading.headers.get(noun.place, ()))
    ]
    column = number_of_noun(reading, numbers)
    if len(numbers) > 1 and column is None:
        return refused(f"nothing says which is meant, {listed([one.name for one in numbers])}")
    rows = sorted(reading.rows())
    if column is None and noun is not None and noun.low in PERSONS and len(rows) == 1:
        column = by_header(reading, table.of_kind((NUMBER,)))
    is_of_room = noun is not None and noun.low in PERSONS and fits_in(reading)
    if is_of_room:
        column = column or capacity(table)
        if column is None:
            return refused(nothing_says(reading))
    if column is not None and not LEFT.isdisjoint(reading.question.low) and LEFT.isdisjoint(column.words):
        return refused(nothing_says(reading))  # how many there are is not how many are left
    if column is not None:
        known = (
            verbs_of(reading) if len(rows) == 1 and (numbers or is_of_room) else set()
        )  # "how many nights is it booked for?"
        things = [] if SUMS.isdisjoint(reading.question.low) else side_by_side(reading)
        if things:
            known |= {one.place for one in reading.question.tokens if one.low in SUMS}
            rows = sorted(reading.rows(but=things) & frozenset().union(*(one.every for one in things)))
        if not things and (several := each_of(reading, column)) is not None:
            return several
        if (left := unexplained(reading, (column,), known)) is not None:
            return left
        return of_rows(reading, rows, column) if len(rows) == 1 or one_name(reading, rows) else total(reading, rows, column)
    if noun is None:
        return refused(nothing_says(reading))
    if (cells := kinds_of_cells(reading, noun)) is not None:
        return cells
    counted = next((one for one in reading.headers.get(noun.place, ()) if one is not table.thing and one.kind == TEXT), None)
    if noun.low in PERSONS:
        counted = of_person(reading, ())
    if (
        left := unexplained(reading, (counted,) if counted else (), {noun.place} if explains(reading, noun) else ())
    ) is not None:
        return left
    if not explains(reading, noun):
        return refused(f"nothing says which rows are {noun.text}")
    if counted is not None and not reading.is_of_rows(noun):
        return Told(
            (str(len({counted.cells[row] for row in rows if counted.cells[row]})),), tuple((row, counted) for row in rows)
        )
    named = named_columns(reading)
    shown = named[-1] if named else table.thing
    rows = [row for row in rows if table.thing.cells[row] or not noun.forms & frozenset(table.thing.words)]
    return Told((str(len(rows)),), tuple((row, shown) for row in rows))


def kinds_of_cells(reading: Reading, noun: Token) -> Told | None:
    """How many different cells begin with a noun, where nothing else is named: "How many rooms", of "Room 1" and "Room 2"."""
    part = next((one for one in reading.parts if noun.place in one.tokens and not one.kind), None)
    if part is None or len(reading.named) > 1 or reading.limits or reading.states:
        return None
    ((place, cells),) = part.cells.items()
    column = reading.table.columns[place]
    begins = [cell for cell in cells if is_word(noun.low, words_of_cell(cell)[0].lower())]
    if column is reading.table.thing or len(begins) < 2 or reading.left([]):
        return None
    return Told((str(len(begins)),), tuple((row, column) for row in sorted(part.every)))


def fits_in(reading: Reading) -> bool:
    """Whether a question asks how many a thing has room for, and not how many can do something to it: "can drive the van"."""
    low = reading.question.low
    at = next((place for place, word in enumerate(low) if word in ("can", "could")), None)
    return at is not None and (
        at + 1 in reading.used or not {at + 2, at + 3 if low[at + 2 : at + 3] == ("the",) else at + 2} & reading.used
    )


def explains(reading: Reading, noun: Token) -> bool:
    """Whether a noun is what rows or people are called, a cell, or a header."""
    if reading.is_any_noun(noun) or noun.low in SORTS:
        return True
    in_cell = any(noun.place in one.tokens for one in reading.named)
    return (
        in_cell
        or reading.is_of_rows(noun)
        or noun.low in PERSONS
        or bool(reading.headers.get(noun.place))
        or is_like_rows(reading, noun)
    )


def summed(reading: Reading) -> Told | None:
    """The sum or the mean of a column; None where no column of numbers is asked for."""
    numbers = reading.table.of_kind((NUMBER, MONEY))
    column = by_header(reading, numbers) or of_measure(reading, "much", ())
    if column is None or column not in numbers:
        return None
    known = {one.place for one in reading.question.tokens if one.low in SUMS | MEANS}
    if (left := unexplained(reading, (column,), known)) is not None:
        return left
    rows = (
        reading.rows(but=several) & frozenset().union(*(one.every for one in several))
        if (several := side_by_side(reading))
        else reading.rows()
    )
    return total(reading, sorted(rows), column)


def total(reading: Reading, rows: Sequence[int], column: Column) -> Told:
    """The sum of a column in some rows, or the mean, in the form of its cells."""
    told = [row for row in rows if number_of(column.cells[row]) is not None]
    if not rows:
        return refused("no row of the table fits all of that")
    if not told:
        return refused_for_good(f"the table leaves the {column.name} of these rows empty")
    if why := unlike([column.cells[row] for row in told]):
        return refused_for_good(why)
    values = [number_of(column.cells[row]) or 0.0 for row in told]
    is_mean = not MEANS.isdisjoint(reading.question.low)
    value = sum(values) / (len(values) if is_mean else 1)
    decimals = max(
        2 * is_cost(column) * any(number % 1 for number in values),
        *(decimals_of(column.cells[row]) for row in told[:50]),
        2 * is_mean,
    )
    text = f"{value:.{decimals}f}"
    text = text.rstrip("0").rstrip(".") if is_mean and not is_cost(column) else text
    like = next((column.cells[row] for row in told if decimals_of(column.cells[row])), column.cells[told[0]])
    return Told((dressed(text, like),), tuple((row, column) for row in told))


def decimals_of(cell: str) -> int:
    """Digits behind the mark of a number, as it stands there: two of "£42.00"."""
    found = DECIMALS.search(cell)
    return 0 if found is None else len(found["decimals"])


def dressed(number: str, like: str) -> str:
    """A number with the currency and the mark of a cell.

    >>> dressed("120.50", "£42.50"), dressed("300.00", "75,50 €"), dressed("7", "12")
    ('£120.50', '300,00 €', '7')
    """
    before = like[: len(like) - len(like.lstrip("£$€¥₹ "))]
    after = like[len(like.rstrip("£$€¥₹ ")) :]
    found = DECIMALS.search(like)
    marked = number.replace(".", ",") if found is not None and found[0][1] == "," else number
    return f"{before}{marked}{after}"
