"""What a table says to a question: the operation that it asks for, and of most questions a cell, or a list of them."""

from __future__ import annotations

from dataclasses import replace

from memnet.ask.answer import listed
from memnet.memory.tables.asked import asked_column
from memnet.memory.tables.cells import TEXT
from memnet.memory.tables.counting import MEANS, SUMS, count, summed
from memnet.memory.tables.degrees import ATTRIBUTES
from memnet.memory.tables.each import each_of
from memnet.memory.tables.kinds import free
from memnet.memory.tables.most import compared, more_of_two, most
from memnet.memory.tables.negated import DENYING, opposite
from memnet.memory.tables.reading import Reading
from memnet.memory.tables.spoken import SORTS
from memnet.memory.tables.table import Column
from memnet.memory.tables.told import (
    Told,
    cells_said,
    named_columns,
    no_row_of,
    nothing_says,
    of_rows,
    of_what_kind,
    partial_names,
    refused,
    refused_for_good,
    unexplained,
)
from memnet.memory.tables.union import alternatives
from memnet.memory.tables.verdicts import either, verdict
from memnet.tasks.text.english import AUXILIARIES


def told_by(reading: Reading) -> Told:
    """What a table says to a question."""
    if reading.lost:
        said = " ".join(reading.question.tokens[at].text for at in reading.lost[0])
        return refused(f"nothing says which column is meant by {said!r}")
    low = reading.question.low
    if not low:
        return refused("there is no question")
    if low[0] in AUXILIARIES:
        taken = reading.used | {at for one in reading.limits for at in one.places}
        if (other := opposite(reading.question, taken)) is not None:
            return turned(told_by(Reading(reading.table, other[0])), other[1])
    is_of_end = reading.degree is not None and not DENYING.isdisjoint(low[: min(reading.degree.places)])
    if reading.denied.lost or (is_of_end and not reading.denied.named and not reading.states):
        return refused("nothing says what 'not' denies in it")
    if low[0] in AUXILIARIES:
        return verdict(reading)
    lists = reading.noun is not None and reading.is_of_rows(reading.noun)
    if "or" in low and not lists and (chosen := either(reading)) is not None:
        return chosen
    if reading.degree is not None and not reading.degree.superlative and len(pairs := compared(reading)) == 2:
        return more_of_two(reading, pairs)
    if low[0] in ("who", "which", "whose") and any(place and low[place - 1] == "no" for place in rows_said(reading)):
        return refused("nothing says who or what has none of these rows")
    if reading.ors and alternatives(low, reading.conditions(), reading.ors) is None:
        return refused_for_good("nothing says what 'or' stands between in it")
    of_end = reading.degree is not None and reading.degree.superlative
    if low[:2] == ("how", "many") and not of_end:
        return count(reading)
    if MEANS.union(SUMS).intersection(low) and (numbers := summed(reading)) is not None:
        return numbers
    if of_end:
        return most(reading)
    reading.degree = None  # "the lower rotor" compares nothing
    return cells(reading)


def rows_said(reading: Reading) -> list[int]:
    """The places of words, in no cell, that say what a row is called."""
    nouns, tokens = reading.table.nouns, reading.question.tokens
    return [one.place for one in tokens if one.place not in reading.used and not one.forms.isdisjoint(nouns)]


def turned(told: Told, is_opposite: bool) -> Told:
    """No for yes and yes for no, where an answer turns round."""
    other: dict[tuple[str, ...], tuple[str, ...]] = {("yes",): ("no",), ("no",): ("yes",)}
    return replace(told, parts=other.get(told.parts, told.parts)) if is_opposite else told


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
            return unexplained(reading, (column,)) or refused_for_good("nothing says of which row")
    if (several := each_of(reading, column)) is not None:
        return several
    if (left := unexplained(reading, (column,), noun_places(reading, column))) is not None:
        return left
    if column is reading.table.thing and not is_listing(reading) and says_more(reading):
        return refused(nothing_says(reading))
    if (nobody := no_row_of(reading, column)) is not None:
        return nobody
    rows = chosen_rows(reading, column)
    named = [one for one in reading.named if one.whole and one not in reading.denied.named]
    if column is reading.table.thing and any(column.place in reading.of_columns(one) for one in named):
        return refused(nothing_says(reading))  # it is what the question names
    if not rows:
        return refused(f"no row has {listed(cells_said(reading)) or 'that'}" + (" together" if len(reading.named) > 1 else ""))
    return of_rows(reading, rows, column)


def noun_places(reading: Reading, column: Column) -> set[int]:
    """The place of the noun that was understood as a column."""
    if reading.noun is None:
        return set()
    return {*range(reading.noun.place, reading.noun.place + (3 if is_sort(reading) else 1))}  # "what sort of music"


def is_sort(reading: Reading) -> bool:
    """Whether a question asks what kind of thing something is."""
    return reading.noun is not None and reading.noun.low in SORTS


def says_more(reading: Reading) -> bool:
    """Whether a question names no cell and no condition, and says more than what the rows are: "Which courses are full?"."""
    if reading.named or reading.limits or reading.states:
        return False
    table, noun = reading.table, reading.noun
    known = {noun.place} if noun is not None else set[int]()
    more = [
        one
        for one in reading.question.tokens
        if (one.says or one.low in ATTRIBUTES) and one.place not in known and not reading.is_of_rows(one)
    ]
    more = [
        one for one in more if one.place not in reading.of_grammar and table.thing not in reading.headers.get(one.place, ())
    ]
    texts = [one for one in reading.table.columns if one.kind == TEXT and reading.score(one) >= 1.0 and one is not table.thing]
    return bool(more) and not texts


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
    if reading.denied.named and column is not reading.table.thing:  # who owns a saw is not "who does not own a saw"
        fitting = [rows for one in reading.denied.named for rows in reading.of_columns(one).values()]
        others = {column.cells[row] for row in frozenset[int]().union(*fitting)}
        rows = frozenset(row for row in rows if column.cells[row] not in others)
    return sorted(rows)
