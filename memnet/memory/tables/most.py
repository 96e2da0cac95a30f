"""The row that has the most or the least of a column, or so many of them, and which of two has more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from memnet.ask.answer import listed
from memnet.memory.columns import is_only_a_noun
from memnet.memory.tables.asked import asked_column
from memnet.memory.tables.cells import DATE, MONEY, NUMBER, TEXT, Moment, unlike
from memnet.memory.tables.degrees import ordered_column, sign_in
from memnet.memory.tables.kinds import by_header, of_person
from memnet.memory.tables.named import Named
from memnet.memory.tables.reading import Reading
from memnet.memory.tables.spoken import SORTS
from memnet.memory.tables.table import Column
from memnet.memory.tables.told import Told, nothing_says, of_rows, refused, refused_for_good, unexplained
from memnet.memory.tables.wording import GENERIC, PERSONS, Token, is_same_deed
from memnet.tasks.text.english import AUXILIARIES, TIMES, of_class, singular
from memnet.tasks.text.tokens import NUMBER_WORDS

ASKING = of_class("which what top")  # before a number of rows
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
MOST_LISTED = 40  # rows
TIED = 5  # rows that are the most together


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
    if (grouped := with_most_rows(reading)) is not None:
        return grouped
    by = ordered_column(table, degree, beside, reading.question.low)
    if by is None:
        return refused(f"nothing says by which column to compare; there is the {listed([one.name for one in table.columns])}")
    column = number_asked(reading, by) if "many" in reading.question.low else asked_for_most(reading, by)
    if (head := head_of(reading)) is not None:
        heads = [one for one in reading.headers.get(head.place, ()) if one is not by]
        column = heads[0] if len(heads) == 1 else by_header(reading, heads) if heads else None
        if column is None and by not in reading.headers.get(head.place, ()):
            return refused(f"no cell and no column of the table has {head.text}")
        column = by if column is None else column
    if column is None:
        if "many" in reading.question.low:
            return refused(nothing_says(reading))
        return refused_for_good("nothing says who of several is meant")
    known = reading.domain() | (
        {noun.place} if noun is not None and (noun.place in reading.headers or reading.is_of_rows(noun)) else set()
    )
    low = reading.question.low
    is_loose = noun is not None and near_rows(by)
    loose = {noun.place} if noun is not None and is_loose else set()
    doing = {at for at in range(1, len(low)) if low[at - 1] == "to" and at > max(degree.places) and not is_only_a_noun(low[at])}
    ordinal = {min(degree.places) - 1} if which_in_order(reading) > 1 else set[int]()
    if (left := unexplained(reading, (column, by), known | doing | loose | ordinal)) is not None:
        return left
    ordered = {row: value for row in reading.rows() if (value := by.order_of(row)) is not None}
    if not ordered:
        return refused_for_good(f"the table leaves the {by.name} of these rows empty")
    if why := unlike([by.cells[row] for row in ordered]):
        return refused_for_good(why)
    if (number := max(how_many(reading), which_in_order(reading))) > 1:
        return first_rows(reading, ordered, by, column, number)
    end = (max if sign_in(degree, by) > 0 else min)(ordered.values())
    best = [row for row, value in sorted(ordered.items()) if value == end]
    if len(best) > TIED:
        return refused(f"{len(best)} rows have the same {by.name}, {by.cells[best[0]]}")
    found = of_rows(reading, best, column)
    return Told(found.parts, (*((row, by) for row in best), *found.read), found.reason) if found.parts else found


def with_most_rows(reading: Reading) -> Told | None:
    """The cell that most rows have, or the fewest: "Which operator runs the most lines?"; None where no rows are counted."""
    degree, table = reading.degree, reading.table
    assert degree is not None
    after = reading.question.tokens[max(degree.places) + 1 :][:1]
    if degree.adjective or degree.attribute or not after or not reading.is_of_rows(after[0]) or after[0].low in GENERIC:
        return None
    if any(one in reading.headers.get(after[0].place, ()) and one.is_amount for one in table.columns):
        return None
    column = asked_column(reading)
    if column is None or column is table.thing or column.kind != TEXT or how_many(reading) > 1:
        return refused(nothing_says(reading))
    verbs = {one.place for one in reading.question.tokens if not one.is_name and not is_only_a_noun(one.low)}
    if (left := unexplained(reading, (column,), verbs)) is not None:
        return left
    counts = Counter(column.cells[row] for row in reading.rows() if column.cells[row])
    end = (max if degree.sign > 0 else min)(counts.values(), default=0)
    best = [cell for cell, number in counts.items() if number == end]
    if len(best) != 1:
        return refused(f"{listed(best[:TIED])} have as many" if best else nothing_says(reading).removesuffix("."))
    return Told((best[0],), tuple((row, column) for row in sorted(column.rows_with(best[0]) & reading.rows())))


def how_many(reading: Reading) -> int:
    """How many rows at an end are asked for: 3 of "the three cheapest", "the cheapest three" and "which three cost least"."""
    degree, low = reading.degree, reading.question.low
    assert degree is not None
    first, last = min(degree.places), max(degree.places)
    for place, word in enumerate(low):
        number = NUMBER_WORDS.index(word) if word in NUMBER_WORDS else int(word) if word.isdecimal() else 0
        rows_next = any(map(reading.is_of_rows, reading.question.tokens[place + 1 : place + 2]))
        beside = (
            rows_next or place in (first - 1, last + 1) or low[place - 1] in ASKING or low[place + 1 : first] == ("of", "the")
        )
        is_of_time = singular(" ".join(low[place + 1 : place + 2])) in TIMES  # "in the last two weeks"
        if number > 1 and place and beside and place not in reading.used and not is_of_time:
            return number
    return 1


def which_in_order(reading: Reading) -> int:
    """Which row from an end is asked for: 2 of "the second highest", 1 where none is said."""
    degree, low = reading.degree, reading.question.low
    assert degree is not None
    before = low[min(degree.places) - 1] if min(degree.places) else ""
    return ORDINALS.index(before) + 1 if before in ORDINALS else 1


def first_rows(reading: Reading, ordered: Mapping[int, float | Moment], by: Column, column: Column, number: int) -> Told:
    """So many rows at an end of a column, the first of them first; none where the last of them is no further than the next."""
    degree = reading.degree
    assert degree is not None
    rows = sorted(ordered, key=lambda row: ordered[row], reverse=sign_in(degree, by) > 0)
    if len(rows) < number:
        return refused(f"only {len(rows)} row{'s' if len(rows) != 1 else ''} have a {by.name}")
    if number > MOST_LISTED:
        return refused_for_good(f"{number} rows are too many to list")
    best, place = rows[:number], which_in_order(reading)
    if place > 1 and column is by:  # the second highest price is the next one below the highest
        told = list({ordered[row]: row for row in reversed(rows)}.values())[::-1]
        return Told((by.cells[told[place - 1]],), ((told[place - 1], by),)) if len(told) >= place else refused("there are less")
    if len(rows) > number and ordered[rows[number]] == ordered[best[-1]]:
        return refused(f"{by.cells[best[-1]]} is the {by.name} of several rows, so that nothing says which are the {number}")
    if place > 1:
        if ordered[best[-1]] == ordered[best[-2]]:
            return refused(f"{by.cells[best[-1]]} is the {by.name} of several rows, so that none is the {ORDINALS[place - 1]}")
        best = best[-1:]
    if column is by and len({ordered[row] for row in best}) < len(best):
        return refused(f"some of the {number} rows have the same {by.name}")
    names = [reading.table.label(row) if column is reading.table.thing else column.cells[row] for row in best]
    first = reading.table.columns[0]
    if column is reading.table.thing and first is not column and len({*names}) < len(names):
        names = [f"{name} ({first.cells[row]})" for name, row in zip(names, best, strict=True)]
    if not all(names):
        return refused_for_good(f"the table leaves the {column.name} of some of these rows empty")
    read = dict.fromkeys([*((row, by) for row in best), *((row, column) for row in best)])
    return Told(tuple(dict.fromkeys(names)), tuple(read))


def head_of(reading: Reading) -> Token | None:
    """What is asked for of the row at an end: "operator" of "the operator of the longest line"; None where nothing is."""
    degree, low = reading.degree, reading.question.low
    assert degree is not None
    at = min(degree.places) - 1
    while at > 0 and (low[at] in ("the", "our", *ORDINALS) or low[at] in NUMBER_WORDS):
        at -= 1
    if low[1:3] in (("is", "the"), ("are", "the")) and "of" in low[: min(degree.places)]:
        at = low.index("of")  # "the officer of the customer with the lowest rate"
    if at < 2 or low[at] != "of" or "how" in low[:at]:
        return None
    head = reading.question.tokens[at - 1]
    is_said = head.says and head.low not in GENERIC | SORTS | {"name", "names"} and head.place not in reading.used
    return head if is_said and not reading.is_of_rows(head) else None


def near_rows(by: Column) -> bool:
    """Whether a noun may be for the rows that have a cell in a column: many others have none."""
    return len(by.told) < len(by.cells) / 2


def asked_for_most(reading: Reading, by: Column) -> Column | None:
    """The column of the answer: of people for "who", of the noun behind "which", else what the row is."""
    low, table = reading.question.low, reading.table
    after = reading.question.tokens[max(reading.degree.places) + 1 :][:1] if reading.degree is not None else ()
    if low[:2] in (("who", "is"), ("who", "are")) and after and is_row(reading, after[0], by) and "got" not in low:
        return table.thing  # "Who is the most expensive act?"
    if not {"who", "whose", "whom"}.isdisjoint(low):
        others = [one for one in table.people if one is not by]
        return of_person(reading, (by,)) or table.person or (others[0] if len(others) == 1 else None if others else table.thing)
    if low[0] in ("what", "which") and reading.degree and by in reading.headers.get(max(reading.degree.places) + 1, ()):
        before = reading.question.tokens[1 : min(reading.degree.places)]
        if any(reading.is_of_rows(one) and one.place not in reading.used for one in before) and head_of(reading) is None:
            return table.thing  # "What are the two lines with the most stops?"
    found = None
    if "how" in low or (low[0] in ("when", "what") and reading.noun is None and is_named_by(reading, by)):
        found = by
    elif reading.noun is not None or "where" in low:
        is_free = reading.noun is not None and near_rows(by) and not reading.headers.get(reading.noun.place)
        found = table.thing if is_free and reading.noun.low not in PERSONS else asked_column(reading, (by,))  # type: ignore[union-attr]
    return found if found is not None and (found is not by or "how" in low or low[0] in ("when", "what")) else table.thing


def number_asked(reading: Reading, by: Column) -> Column | None:
    """The column of "how many stops does the longest line have", which is not always that by which rows are compared."""
    numbers = reading.table.of_kind((NUMBER, MONEY))
    headed = [one for one in numbers if reading.noun is not None and one in reading.headers.get(reading.noun.place, ())]
    return headed[0] if len(headed) == 1 else by_header(reading, [one for one in numbers if one is not by])


def is_row(reading: Reading, noun: Token, by: Column) -> bool:
    """Whether a noun is for rows: what they are called, or one that did what the column of dates says: "arrival"."""
    return reading.is_of_rows(noun) or (by.kind == DATE and any(is_same_deed(noun.low, word) for word in by.words))


def is_named_by(reading: Reading, by: Column) -> bool:
    """Whether a question asks for the number itself: "What is the highest rent?"."""
    degree = reading.degree
    assert degree is not None
    after = max(degree.places) + 1
    others = [one for one in reading.question.tokens if one.place >= after or 0 < one.place < min(degree.places)]
    return by in reading.headers.get(after, ()) and not any(map(reading.is_of_rows, others))


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
