"""What a question makes of the rows that it is about: a cell, a list, a count, a sum, yes or no, the most, two compared.

Each operation gives :class:`Told`: the answer and the cells that it was read from, or why there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from memnet.ask.answer import listed
from memnet.facts.names import key_of
from memnet.memory.columns import is_only_a_noun
from memnet.memory.entries.records import words_of
from memnet.memory.tables.asked import (
    asked_column,
    by_header,
    by_unit,
    free,
    is_like_rows,
    named_columns,
    of_measure,
    of_person,
)
from memnet.memory.tables.cells import NO, NUMBER, ORDERED, TEXT, WHETHER, YES, number_of
from memnet.memory.tables.degrees import is_cost, ordered_column, sign_in
from memnet.memory.tables.named import Named
from memnet.memory.tables.reading import SORTS, Reading, is_nothing
from memnet.memory.tables.table import Column
from memnet.memory.tables.wording import HOLDING, PERSONS, Token
from memnet.tasks.text.english import AUXILIARIES, of_class, singular

LISTED = 40  # rows that are listed
TIED = 5  # rows that are the most together
SHOWN = 3  # rows that a refusal names
SUMS = of_class("total altogether sum combined")
MEANS = of_class("average mean")
ANY = of_class("any anything anyone anybody something someone somebody ever")


@dataclass(frozen=True)
class Told:
    """An answer and the cells that it was read from, by row and column; or, without ``parts``, why there is none."""

    parts: tuple[str, ...] = ()
    read: tuple[tuple[int, Column], ...] = ()
    reason: str = ""
    newest: bool = field(default=False)  # of several rows of one name the last; the others are superseded


def refused(reason: str) -> Told:
    """That there is no answer."""
    return Told(reason=reason)


def told_by(reading: Reading) -> Told:
    """What a table says to a question."""
    if reading.lost:
        said = " ".join(reading.question.tokens[at].text for at in reading.lost[0])
        return refused(f"nothing says which column is meant by {said!r}")
    low = reading.question.low
    if not low:
        return refused("there is no question")
    if low[0] in AUXILIARIES:
        from memnet.memory.tables.verdicts import verdict

        return verdict(reading)
    if "or" in low:
        from memnet.memory.tables.verdicts import either

        if (chosen := either(reading)) is not None:
            return chosen
    if reading.degree is not None and not reading.degree.superlative and len(pairs := compared(reading)) == 2:
        return more_of_two(reading, pairs)
    if low[:2] == ("how", "many"):
        return count(reading)
    if MEANS.union(SUMS).intersection(low) and (numbers := summed(reading)) is not None:
        return numbers
    if reading.degree is not None and reading.degree.superlative:
        return most(reading)
    reading.degree = None  # "the lower rotor" compares nothing
    return cells(reading)


# What is left over


def unexplained(reading: Reading, columns: Iterable[Column], but: Iterable[int] = ()) -> Told | None:
    """That words of a question are in no cell and no header; None where all are explained."""
    left = reading.left([*columns, *named_columns(reading), *(one.column for one in reading.limits)], but)
    if not left:
        return None
    names = [one.text for one in left if one.is_name]
    if names or not reading.named:
        return refused(f"no cell and no column of the table has {listed(names or [one.text for one in left])}")
    return refused(nothing_says(reading))


def nothing_says(reading: Reading) -> str:
    """That no column is what is asked for, with the columns that there are."""
    rows, table = sorted(reading.rows()), reading.table
    about = table.label(rows[0]) if len(rows) == 1 else "these rows" if rows else listed(cells_said(reading))
    others = [words_of(one.name) for one in table.columns if one.told and one is not table.thing]
    return f"nothing says that of {about}; there is {'its' if len(rows) == 1 else 'the'} {listed(others)}"


def cells_said(reading: Reading) -> list[str]:
    """The cells that a question names, a cell a name."""
    return [next(iter(one.cells.values()))[0] for one in reading.named]


def partial_names(reading: Reading) -> Told | None:
    """That a question names part of the names of several things; None where it does not."""
    for one in reading.parts:
        words = [reading.question.tokens[at] for at in one.tokens]
        if not all(word.is_name for word in words) or not reading.dropped.isdisjoint(one.tokens):
            continue
        names = [cell for cells in one.cells.values() for cell in cells]
        if len(names) > 1 and len(one.rows) == 1:
            said = " ".join(word.text for word in words)
            if any(word.isdigit() for word in said.split()):
                continue
            some = listed(names[:SHOWN])
            return refused(f"{len(names)} rows have {said} in their name, such as {some}")
    return None


# A cell, or a list of them


def cells(reading: Reading) -> Told:
    """The cells of the column that is asked for, in the rows that the question is about."""
    if (several := partial_names(reading)) is not None:
        return several
    reading.drop_odd_parts()
    column = asked_column(reading)
    if column is None:
        return of_what_kind(reading) or unexplained(reading, ()) or refused(nothing_says(reading))
    if not reading.named and not reading.limits and not reading.states and column not in (reading.table.thing,):
        conditions = [one for one in free(reading, (column,)) if one.kind == TEXT and reading.score(one) >= 1.0]
        if not conditions and not is_listing(reading):
            return unexplained(reading, (column,)) or refused("nothing says of which row")
    if (left := unexplained(reading, (column,), noun_places(reading, column))) is not None:
        return left
    rows = chosen_rows(reading, column)
    if not rows:
        return refused(f"no row has {listed(cells_said(reading)) or 'that'}" + (" together" if len(reading.named) > 1 else ""))
    return of_rows(reading, rows, column)


def noun_places(reading: Reading, column: Column) -> set[int]:
    """The place of the noun that was understood as a column."""
    return (
        {reading.noun.place, reading.noun.place + 1}
        if reading.noun is not None and column is not None and is_sort(reading)
        else ({reading.noun.place} if reading.noun is not None else set())
    )


def is_sort(reading: Reading) -> bool:
    """Whether a question asks what kind of thing something is."""
    return reading.noun is not None and reading.noun.low in SORTS


def is_listing(reading: Reading) -> bool:
    """Whether a question asks for all there are: "What colours are there?"."""
    return "there" in reading.question.low or bool({"all", "list", "every"} & {*reading.question.low})


def chosen_rows(reading: Reading, column: Column) -> list[int]:
    """The rows that a question is about; where it only names a column of who or when, those with a cell in it."""
    rows = (
        reading.rows(columns=(column,))
        if column in named_columns(reading) and column is not reading.table.thing
        else reading.rows()
    )
    if not reading.named and not reading.limits and not reading.states:
        told = [one for one in free(reading, (column,)) if one.kind == TEXT and reading.score(one) >= 1.0]
        rows = frozenset(row for row in rows if all(one.cells[row] for one in told))
    return sorted(rows)


def of_what_kind(reading: Reading) -> Told | None:
    """That nothing says that the rows of a cell are what a noun calls them, such as planes; None where that is not the doubt."""
    noun, table = reading.noun, reading.table
    if noun is None or len(reading.named) != 1 or len(columns := named_columns(reading)) != 1 or columns[0] is table.thing:
        return None
    rows, (value,) = sorted(reading.rows()), cells_said(reading)
    called = [row for row in rows if not noun.forms.isdisjoint(key_of(table.label(row))[-1:])]
    said = f"{value} is the {words_of(columns[0].name)} of {len(rows)} row{'s' if len(rows) != 1 else ''}"
    if not called:
        return refused(f"{said}, and nothing says what they are")
    are = "is" if len(called) == 1 else "are"
    return refused(f"{said}, of which {len(called)} {are} called {key_of(noun.text)[0]}; the others may be such, too")


def of_rows(reading: Reading, rows: Sequence[int], column: Column) -> Told:
    """The cells of a column in some rows: one, the newest of a name, or a list."""
    table, thing = reading.table, column is reading.table.thing
    told = [row for row in rows if column.cells[row]]
    if not told:
        about = table.label(rows[0]) if len(rows) == 1 else f"{len(rows)} rows"
        beside = f"; its {note[0].name} say {note[1]!r}" if len(rows) == 1 and (note := note_of(reading, rows[0])) else ""
        return refused(f"the table leaves the {column.name.rstrip('?.')} of {about} empty{beside}")
    names = [table.label(row) if thing else column.cells[row] for row in told]
    year = reading.question.has(("year",)) and column.kind == "date"
    if year:
        names = [
            years[0]
            if (
                years := [
                    part
                    for part in name.replace("/", " ").replace(".", " ").replace("-", " ").split()
                    if len(part) == 4 and part.isdigit()
                ]
            )
            else name
            for name in names
        ]
    read = tuple((row, column) for row in told)
    different = dict.fromkeys(names)
    if len(different) == 1:
        return Told((names[0],), read)
    if (one := one_name(reading, told)) is not None:
        return Told((names[-1],), read, newest=True) if one else ambiguous(reading, told)
    if len(different) > LISTED:
        columns = listed([words_of(one.name) for one in named_columns(reading)])
        return refused(f"{listed(cells_said(reading)) or 'that'} is the {columns} of {len(told)} rows, too many to list")
    return Told(tuple(different), read)


def note_of(reading: Reading, row: int) -> tuple[Column, str] | None:
    """What notes say of a row."""
    return next(((one, one.cells[row]) for one in reading.table.columns if one.is_notes and one.cells[row]), None)


def one_name(reading: Reading, rows: Sequence[int]) -> bool | None:
    """Whether several rows are of one name that is told anew: the last is the newest; False where they stand side by side."""
    first = reading.table.columns[0]
    noun = reading.noun
    if noun is not None and singular(noun.low) != noun.low and noun.place not in reading.used:
        return None
    named = [one for one in reading.named if not {first.place, reading.table.thing.place}.isdisjoint(reading.of_columns(one))]
    if not named or (
        reading.question.has(("which", "all", "every", "each", "list"))
        and reading.noun is not None
        and reading.is_of_rows(reading.noun)
    ):
        return None
    if first.place in reading.of_columns(named[0]) and len({first.cells[row] for row in rows}) == 1:
        return not any(later == row + 1 for row, later in zip(rows, rows[1:], strict=False))
    plural = [reading.question.tokens[at].low for at in named[0].tokens]
    return None if any(singular(word) != word for word in plural) else False


def ambiguous(reading: Reading, rows: Sequence[int]) -> Told:
    """That several rows fit."""
    table = reading.table
    first = table.columns[0]
    told = [f"{table.label(row)} ({first.cells[row]})" if first is not table.thing else table.label(row) for row in rows]
    return refused(f"{len(rows)} rows fit, such as {listed(told[:SHOWN])}; say which")


# Counting and summing


def count(reading: Reading) -> Told:
    """How many rows fit, or how much a cell says."""
    noun, table = reading.noun, reading.table
    if (several := partial_names(reading)) is not None:
        return several
    numbers = [
        one for one in table.of_kind((NUMBER, "money")) if noun is not None and (one in reading.headers.get(noun.place, ()))
    ]
    unit = by_unit(reading, table.of_kind((NUMBER, "money")))
    column = numbers[0] if len(numbers) == 1 else unit
    if column is None and noun is None:
        column = of_measure(reading, "many", ())
    rows = sorted(reading.rows())
    if column is None and noun is not None and noun.low in PERSONS and len(rows) == 1:
        column = by_header(reading, table.of_kind((NUMBER,)))
    if column is not None:
        if (left := unexplained(reading, (column,))) is not None:
            return left
        return of_rows(reading, rows, column) if len(rows) == 1 or one_name(reading, rows) else total(reading, rows, column)
    if noun is None:
        return refused(nothing_says(reading))
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
    numbers = [one for one in reading.table.of_kind((NUMBER, "money"))]
    column = by_header(reading, numbers) or of_measure(reading, "much", ())
    if column is None or column not in numbers:
        return None
    known = {one.place for one in reading.question.tokens if one.low in SUMS | MEANS}
    if (left := unexplained(reading, (column,), known)) is not None:
        return left
    return total(reading, sorted(reading.rows()), column)


def total(reading: Reading, rows: Sequence[int], column: Column) -> Told:
    """The sum of a column in some rows, or the mean, in the form of its cells."""
    told = [row for row in rows if number_of(column.cells[row]) is not None]
    if not told:
        return refused(f"the table leaves the {column.name} of these rows empty")
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
    return Told((dressed(text, column.cells[told[0]]),), tuple((row, column) for row in told))


def decimals_of(cell: str) -> int:
    """Digits behind the mark of a number."""
    number = number_of(cell)
    return 0 if number is None or number % 1 == 0 else len(f"{number:.6f}".rstrip("0").split(".")[1])


def dressed(number: str, like: str) -> str:
    """A number with the currency and the mark of a cell.

    >>> dressed("120.50", "£68.40"), dressed("300.00", "82,00 €"), dressed("7", "12")
    ('£120.50', '300,00 €', '7')
    """
    before = like[: len(like) - len(like.lstrip("£$€¥₹ "))]
    after = like[len(like.rstrip("£$€¥₹ ")) :]
    marked = number.replace(".", ",") if "," in like and like.rstrip("£$€ ")[-3:-2] == "," else number
    return f"{before}{marked}{after}"


# The most


def most(reading: Reading) -> Told:
    """The row that has the most or the least of a column, in the column that is asked for."""
    degree, table = reading.degree, reading.table
    assert degree is not None
    noun = reading.noun
    beside = [
        one
        for one in reading.question.tokens
        if one.place not in degree.places and one.place not in reading.used and one.low not in AUXILIARIES
    ]
    by = ordered_column(table, degree, beside, reading.question.low)
    if by is None:
        return refused(f"nothing says by which column to compare; there is the {listed([one.name for one in table.columns])}")
    column = asked_for_most(reading, by)
    if column is None:
        return refused("nothing says who of several is meant")
    known = reading.domain() | (
        {noun.place} if noun is not None and (noun.place in reading.headers or reading.is_of_rows(noun)) else set()
    )
    low = reading.question.low
    doing = {at for at in range(1, len(low)) if low[at - 1] == "to" and at > max(degree.places) and not is_only_a_noun(low[at])}
    if (left := unexplained(reading, (column, by), known | doing | loose(reading, by))) is not None:
        return left
    ordered = {row: value for row in reading.rows() if (value := by.order_of(row)) is not None}
    if not ordered:
        return refused(f"the table leaves the {by.name} of these rows empty")
    end = (max if sign_in(degree, by) > 0 else min)(ordered.values())
    best = [row for row, value in sorted(ordered.items()) if value == end]
    if len(best) > TIED:
        return refused(f"{len(best)} rows have the same {by.name}, {by.cells[best[0]]}")
    found = of_rows(reading, best, column)
    return Told(found.parts, (*((row, by) for row in best), *found.read), found.reason) if found.parts else found


def loose(reading: Reading, by: Column) -> set[int]:
    """Places of nouns for the rows that have a cell in a column: "loan", where a loan ends."""
    return {
        one.place
        for one in reading.question.tokens
        if reading.noun is not None and one.place == reading.noun.place and near_rows(reading, one, by)
    }


def near_rows(reading: Reading, noun: Token, by: Column) -> bool:
    """Whether a noun may be for the rows that have a cell in a column: many others have none."""
    return len(by.told) < len(by.cells) / 2


def asked_for_most(reading: Reading, by: Column) -> Column | None:
    """The column of the answer: of people for "who", of the noun behind "which", else what the row is."""
    low, table = reading.question.low, reading.table
    if not {"who", "whose", "whom"}.isdisjoint(low):
        others = [one for one in table.people if one is not by]
        return of_person(reading, (by,)) or table.person or (others[0] if len(others) == 1 else None if others else table.thing)
    found = None
    if "how" in low or (low[0] in ("when", "what") and reading.noun is None and is_named_by(reading, by)):
        found = by
    elif reading.noun is not None or "where" in low:
        is_free = (
            reading.noun is not None and near_rows(reading, reading.noun, by) and not reading.headers.get(reading.noun.place)
        )
        found = table.thing if is_free and reading.noun.low not in PERSONS else asked_column(reading, (by,))  # type: ignore[union-attr]
    return found if found is not None and (found is not by or "how" in low or low[0] in ("when", "what")) else table.thing


def is_named_by(reading: Reading, by: Column) -> bool:
    """Whether a question asks for the number itself: "What is the highest rent?"."""
    degree = reading.degree
    assert degree is not None
    after = max(degree.places) + 1
    return by in reading.headers.get(after, ()) and not any(reading.is_of_rows(one) for one in reading.question.tokens[after:])


# Two that are compared


def compared(reading: Reading) -> list[tuple[Named, frozenset[int]]]:
    """The things that a question compares, with their rows."""
    return [
        (one, one.every) for one in reading.named if one.whole or all(reading.question.tokens[at].is_name for at in one.tokens)
    ]


def more_of_two(reading: Reading, pairs: Sequence[tuple[Named, frozenset[int]]]) -> Told:
    """Which of two has more or less of a column."""
    degree = reading.degree
    assert degree is not None
    beside = [one for one in reading.question.tokens if one.place not in degree.places and one.place not in reading.used]
    by = ordered_column(reading.table, degree, beside)
    if by is None:
        return refused("nothing says by which column to compare")
    if (left := unexplained(reading, (by,))) is not None:
        return left
    rows = [[row for row in sorted(some) if by.order_of(row) is not None] for _, some in pairs]
    if any(len(some) != 1 for some in rows):
        return refused(f"the table does not say one {by.name} for each")
    values = [by.order_of(some[0]) for some in rows]
    read = tuple((some[0], by) for some in rows)
    if values[0] == values[1]:
        return refused(f"both have the same {by.name}, {by.cells[rows[0][0]]}")
    first = (values[0] > values[1]) == (sign_in(degree, by) > 0)  # type: ignore[operator]
    named = pairs[0 if first else 1][0]
    return Told((next(iter(named.cells.values()))[0],), read)


__all__ = ["ANY", "HOLDING", "NO", "ORDERED", "WHETHER", "YES", "Told", "is_nothing", "partial", "told_by"]
