"""What words of a question may say of the rows that it means: each condition is one reading of some of its words.

"which of Gwen's bikes are stuck"   cells of Mechanic: Gwen;  near a cell of Status: "waiting for parts";  ...
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from memnet.infer.attention import normalized
from memnet.memory.tables.cells import DATE, MONEY, NO, NOTHING, NUMBER, TEXT, WHETHER, YES, number_of
from memnet.memory.tables.ranked.amounts import of_numbers
from memnet.memory.tables.ranked.asked import NOUN, Asked
from memnet.memory.tables.ranked.concepts import DENIED, about, is_about, phrases_in
from memnet.memory.tables.ranked.condition import (
    BOUND,
    CELL,
    CUT,
    DAY,
    EMPTY,
    IS_NOT,
    IS_SO,
    MEANT,
    NEARBY,
    NOTE,
    PART,
    TOLD,
    Condition,
)  # fmt: skip
from memnet.memory.tables.ranked.days import EARLIER, LATER, Day, days, has_months, is_beyond
from memnet.memory.tables.ranked.linking import having, links, says
from memnet.memory.tables.ranked.matching import ANY, Matcher
from memnet.memory.tables.ranked.nations import of_nations
from memnet.memory.tables.ranked.times import of_times
from memnet.memory.tables.table import Column
from memnet.memory.tables.versus import versus_of
from memnet.memory.tables.wording import is_word
from memnet.tasks.text.english import of_class

NOT = of_class(
    "not n't n’t no without never nobody none nothing nowhere yet haven't hasn't isn't aren't didn't doesn't don't cannot can't"
)
LACKS = NOT | of_class("lack lacks lacking missing blank empty unfilled undecided unknown")
VACANT = of_class(
    "nobody free vacant empty available unoccupied spare unassigned unused untaken no-one"
)  # of who is there or has it
ONWARDS, BACK = (
    (("or", "later"), ("or", "after"), ("onwards",), ("onward",), ("or", "newer")),
    (("or", "earlier"), ("or", "before"), ("or", "older")),
)
REACH, FAR = 4, 6  # how many words before another "not" may stand, and how many "lacks"; behind it fewer than REACH
NEAR = 0.5  # cosine from which a word speaks of a column
HELD = ("holder", "tenant", "borrower", "customer", "recipient", "responsible")
BESIDE_CELLS = of_class("is are was were of = : marked with as")  # between a header and its cell
SORTS, MEANINGS = 10, 4  # different cells of a column that are looked for in other words, and how many of them are tried
LIKELY = 0.1  # the chance from which a cell may be meant; chosen across tables, of five parts of those that were learned from
SAYS = 0.25  # the weight from which a word has part in what means a cell


def conditions(asked: Asked) -> list[Condition]:
    """All that words of a question may say of rows."""
    every = [*of_cells(asked), *of_nations(asked), *of_days(asked), *of_times(asked), *of_numbers(asked)]
    every += [*of_verdicts(asked), *of_nothing(asked), *of_versus(asked)]
    named = frozenset().union(*(one.places for one in every if one.kind == CELL))
    return [*every, *of_notes(asked, named), *of_meaning(asked, named)]


def of_cells(asked: Asked) -> Iterator[Condition]:
    """The rows with cells that the question names."""
    for one in links(asked.table, asked.question):
        kind = CUT if one.short else NEARBY if one.near < 1.0 else CELL if one.share == 1.0 else PART
        yield Condition(kind, one.column, one.rows, one.places, one.share * one.near, one.cells)

    yield from of_whole_cells(asked)


def of_whole_cells(asked: Asked) -> Iterator[Condition]:
    """The rows whose cell stands right behind the header, whatever it says: "verdict is in", "Grade B", "size: L"."""
    low = asked.low
    for column in asked.table.columns:
        cells = {cell.lower(): cell for cell in column.distinct if cell.isalnum()}
        for at, word in enumerate(low):
            before = at - 1
            while before > 0 and low[before] in BESIDE_CELLS:
                before -= 1
            if word in cells and before >= 0 and before in asked.heard[column].header and at not in asked.content:
                rows = column.rows_with(cells[word])
                yield Condition(CELL, column, rows, frozenset((at,)), 1.0, frozenset((cells[word],)))


# Dates


def of_days(asked: Asked) -> Iterator[Condition]:
    """The rows of each day, month, year or weekday that the question names, in every column that has such."""
    low = asked.low
    for said in days(asked.question):
        for column in (one for one in asked.table.columns if one.kind == DATE and one.told):
            day = said.of(column)
            if (day.month or day.day) and not day.weekday and not has_months(column):
                continue
            strength = 1.0 if asked.heard[column].places else 0.7
            how, used = beyond_at(low, day)
            if how and not day.weekday:
                rows = [row for row in range(len(asked.table)) if is_beyond(column, row, day, how)]
                yield Condition(DAY, column, frozenset(rows), day.places | used, strength)
            rows = [row for row in range(len(asked.table)) if day.fits(column.moments[row])]
            if rows:
                yield Condition(DAY, column, frozenset(rows), day.places, strength)


def beyond_at(low: Sequence[str], day: Day) -> tuple[str, frozenset[int]]:
    """Whether a day is a bound: "before", "until", "after", "from", by the words beside it; else ""."""
    first, last = min(day.places), max(day.places) + 1
    for phrases, how in ((ONWARDS, "from"), (BACK, "until")):
        for phrase in phrases:
            if tuple(low[last : last + len(phrase)]) == phrase:
                return how, frozenset(range(last, last + len(phrase)))
    before = low[first - 1] if first else ""
    return (before, frozenset((first - 1,))) if before in EARLIER | LATER else ("", frozenset())


def of_versus(asked: Asked) -> Iterator[Condition]:
    """The rows in which one column is more, less or as much as another: "below par", "more than they cost"."""
    for one in versus_of(asked.table, asked.question, set())[0]:
        yield Condition(BOUND, one.column, one.rows(), frozenset(one.places), 1.0)


# Yes, no and nothing


def of_verdicts(asked: Asked) -> Iterator[Condition]:
    """Of columns of yes and no that a question speaks of: "paid", "not insured", "still unpaid", in both senses."""
    denials = phrases_in(asked.low)
    for column in asked.table.columns:
        if not (column.is_verdict or column.is_ticked):
            continue
        spoken = asked.heard[column].places
        un = {
            at
            for at, word in enumerate(asked.low)
            if word.startswith("un") and any(is_word(word[2:], one) for one in column.words)
        }
        denied = frozenset().union(*(at for name in about(column) for at in denials.get(DENIED + name, ())))
        near = near_to(asked, column)
        strength = 1.0 if spoken or un or denied else 0.5
        places = spoken | un | denied or near
        if not places:
            continue
        yes = frozenset(row for row, cell in enumerate(column.cells) if cell.lower() in YES)
        no = frozenset(row for row, cell in enumerate(column.cells) if cell.lower() in NO or (not cell and column.is_ticked))
        negative = not_before(asked.low, places)
        if negative or un or denied:
            yield Condition(IS_NOT, column, no, places | negative, strength)
        else:
            yield Condition(IS_SO, column, yes, places, strength)


def near_to(asked: Asked, column: Column) -> frozenset[int]:
    """The words that are near to a header, other than nouns: sheep are no goats."""
    return frozenset(at for at, value in asked.heard[column].near.items() if value >= NEAR and asked.classes.get(at) != NOUN)


def not_before(low: Sequence[str], places: frozenset[int]) -> frozenset[int]:
    """The words that deny what some words say: those of "not" up to four words before them."""
    first = min(places)
    return frozenset(at for at in range(max(0, first - REACH), first) if low[at] in NOT)


def of_nothing(asked: Asked) -> Iterator[Condition]:
    """Of columns with empty cells: those that have nothing there, "nobody has borrowed", and those that have, "sold"."""
    denials = phrases_in(asked.low)
    for column in asked.table.columns:
        empty = without_any(column)
        if not empty or len(empty) == len(asked.table) or column.is_verdict:
            continue
        told = frozenset(range(len(asked.table))) - empty
        denied = frozenset().union(*(at for name in about(column) for at in denials.get(DENIED + name, ())))
        vacant = frozenset(at for at, word in enumerate(asked.low) if word in VACANT)
        if denied or (vacant and (column is asked.label or column in asked.people or is_about(column, *HELD))):
            yield Condition(EMPTY, column, empty, denied or vacant, 1.0 if denied else 0.7)
        heard = asked.heard[column]
        near = near_to(asked, column)
        for spoken, strength in ((heard.places, 1.0), (near - heard.places, 0.5)):
            if spoken:
                lacking = beside(asked.low, spoken, LACKS)
                yield (
                    Condition(EMPTY, column, empty, spoken | lacking, strength)
                    if lacking
                    else Condition(TOLD, column, told, spoken, strength)
                )


def beside(low: Sequence[str], places: frozenset[int], words: frozenset[str]) -> frozenset[int]:
    """Where some words stand near others: up to six before them or three behind."""
    return frozenset(at for at in range(max(0, min(places) - FAR), min(len(low), max(places) + REACH)) if low[at] in words)


def without_any(column: Column) -> frozenset[int]:
    """The rows whose cell of a column is empty, or none; of amounts also nought."""
    amount = column.kind in (NUMBER, MONEY)
    return frozenset(
        row for row, cell in enumerate(column.cells) if not cell or cell.lower() in NOTHING or (amount and number_of(cell) == 0)
    )


# Remarks


def of_notes(asked: Asked, named: frozenset[int]) -> list[Condition]:
    """The rows whose remarks have most of the words that name no cell."""
    left = [one for one in asked.question.tokens if says(one) and one.place not in named]
    found = list[Condition]()
    for column in (one for one in asked.table.columns if one.is_notes):
        by_cell = dict[str, set[int]]()
        for token in left:
            for cell in having(column, token):
                by_cell.setdefault(cell, set()).add(token.place)
        most = max(map(len, by_cell.values()), default=0)
        for cell, places in by_cell.items():
            if len(places) == most:
                share = most / max(1, len(left))
                found.append(Condition(NOTE, column, column.rows_with(cell), frozenset(places), share, frozenset((cell,))))
    return merged(found)


def merged(notes: list[Condition]) -> list[Condition]:
    """Those of the same words of one column as one."""
    together = dict[tuple[Column, frozenset[int]], Condition]()
    for one in notes:
        key = one.column, one.places
        if (other := together.get(key)) is not None:
            one = Condition(NOTE, one.column, one.rows | other.rows, one.places, one.strength, one.cells | other.cells)
        together[key] = one
    return [*together.values()]


# Other words


def of_meaning(asked: Asked, named: frozenset[int]) -> Iterator[Condition]:
    """The rows with a cell of few, an empty one or any, that the question means in other words: "which nobody wanted"."""
    sorts = [(column, cell) for column in asked.table.columns for cell in sorts_of(column)]
    if not sorts:
        return
    rows = asked.rows(named)[None]
    matches, weights = (each[0] for each in Matcher.load().meant(rows, sorts))
    chances = normalized(matches)
    for at in np.argsort(-chances, kind="stable")[:MEANINGS].tolist():
        if chances[at] < LIKELY:
            return
        column, cell = sorts[at]
        says_it = (place for place in np.flatnonzero(weights[at] >= SAYS).tolist() if place not in named)
        places = frozenset(place for place in says_it if asked.low[place][0].isalnum())
        empty = without_any(column)
        found = empty if cell == "" else frozenset(range(len(asked.table))) - empty if cell == ANY else column.rows_with(cell)
        if places:
            yield Condition(MEANT, column, found, places, float(chances[at]))


def sorts_of(column: Column) -> list[str]:
    """The cells of a column that other words may mean: those of few, where rows share them; empty ones and others, if both.

    Places and people are called by their names alone: an attic is no cellar.
    """
    found = list[str]()
    few = len(column.distinct) <= SORTS and 2 * len(column.distinct) <= len(column.told) + 1
    if few and column.kind in (TEXT, WHETHER) and not column.is_place and not column.likeness_to_people:
        found += column.distinct
    if 0 < len(without_any(column)) < len(column.cells):
        found += ["", ANY]
    return found
