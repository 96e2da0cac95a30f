"""Conditions on amounts ("over £100"), on cells that are empty ("nobody has borrowed"), and on yes and no ("not paid yet")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memnet.memory.tables.cells import DATE, MONEY, NO, NOTHING, NUMBER, YES, date_of, number_of
from memnet.memory.tables.parsed.concepts import asked_of, concepts, how_asked, said_at
from memnet.memory.tables.parsed.linking import Day
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.wording import Question, is_unit, is_word
from memnet.tasks.text.english import of_class
from memnet.tasks.text.tokens import NUMBER_WORDS

OVER, UNDER = of_class("over above exceeding past"), of_class("under below beneath")
AT_LEAST, AT_MOST = (
    (("at", "least"), ("or", "more"), ("minimum",)),
    (("at", "most"), ("or", "less"), ("or", "fewer"), ("up", "to")),
)
MORE, LESS = (
    of_class("more greater higher longer older bigger larger later"),
    of_class("less fewer lower shorter cheaper smaller"),
)
CURRENCIES = of_class("£ $ € euro euros pound pounds dollar dollars quid")
NOT = of_class("not n't n’t no without never nobody none nothing nowhere yet haven't hasn't")
EMPTY = of_class("nobody none nothing nowhere no-one never free empty unassigned blank missing without no")
HOLDS = "holder"
EARLIER, LATER = of_class("before until till by"), of_class("after since from")
FREE = of_class("free vacant unoccupied available untaken")
LOOKED_AT = 5  # cells by which it is known whether dates have months
REACH = 3  # words between "no" and a header


@dataclass(frozen=True)
class Condition:
    """The rows that are meant, the columns that say so, and the words of the question that were read."""

    column: Column
    rows: frozenset[int]
    tokens: frozenset[int]
    of_cells: bool = False  # whether its words name cells
    exact: bool = False  # and all words of them
    denies: bool = False  # whether it says that there is none, or that it is not so


def of_numbers(table: Table, question: Question, taken: frozenset[int]) -> Iterator[Condition]:
    """Conditions such as "more than 3 nights", "over £100", "at least 50 euros"."""
    low = question.low
    for place, token in enumerate(question.tokens):
        value = number_at(question, place)
        if value is None or place in taken:
            continue
        sign, used = bound_before(low, place)
        column, beside = measured(table, question, place)
        if column is None or (not sign and not beside):
            continue
        sign = sign or "="
        rows = [
            row for row, cell in enumerate(column.cells) if (one := number_of(cell)) is not None and holds(one, sign, value)
        ]
        yield Condition(column, frozenset(rows), frozenset(used | {token.place} | beside))


def number_at(question: Question, place: int) -> float | None:
    """The number that a word is, in figures or in letters."""
    token = question.tokens[place]
    if token.low in NUMBER_WORDS[2:]:
        return float(NUMBER_WORDS.index(token.low))
    return number_of(token.text) if token.text[0].isdigit() else None


def bound_before(low: Sequence[str], place: int) -> tuple[str, set[int]]:
    """Whether a number is a bound: ">", ">=", "<", "<=", by the words before it or behind it; else ""."""
    first = place - 1
    while first >= 0 and low[first] in CURRENCIES:
        first -= 1
    money = {*range(first + 1, place)}
    if first >= 0 and low[first] in OVER:
        return ">", money | {first}
    if first >= 0 and low[first] in UNDER:
        return "<", money | {first}
    if first > 0 and low[first] == "than" and low[first - 1] in MORE | LESS:
        return (">" if low[first - 1] in MORE else "<"), money | {first, first - 1}
    for phrases, sign in ((AT_LEAST, ">="), (AT_MOST, "<=")):
        for phrase in phrases:
            size = len(phrase)
            if first - size >= -1 and tuple(low[first - size + 1 : first + 1]) == phrase:
                return sign, money | {*range(first - size + 1, first + 1)}
            behind = place + 1 + (place + 1 < len(low) and low[place + 1] in CURRENCIES)
            if tuple(low[behind : behind + size]) == phrase:
                return sign, money | {*range(place + 1, behind + size)}
    return "", set()


def holds(value: float, sign: str, bound: float) -> bool:
    """Whether a value is within a bound."""
    return {">": value > bound, ">=": value >= bound, "<": value < bound, "<=": value <= bound, "=": value == bound}[sign]


def measured(table: Table, question: Question, place: int) -> tuple[Column | None, set[int]]:
    """The column that a number of a question is of, and the words that say so: its currency, unit or header."""
    low, columns = question.low, [one for one in table.columns if one.kind in (NUMBER, MONEY) and one.told]
    near = {at for at in (place - 1, place + 1) if 0 <= at < len(low) and low[at] in CURRENCIES}
    if near:
        costs = [one for one in columns if one.kind == MONEY] or columns
        return of_question(costs, question), near
    for at in range(place + 1, min(place + 4, len(low))):
        headed = [
            one
            for one in columns
            if any(is_word(low[at], word) for word in one.words) or (unit_of(one) and is_unit(unit_of(one), low[at]))
        ]
        if headed:
            return headed[0], {at}
    best = of_question(columns, question, needed=True)
    return best, set()


def unit_of(column: Column) -> str:
    """The unit that stands behind the numbers of a column."""
    ends = {cell.split()[-1].lower().rstrip("s") for cell in column.told if len(cell.split()) == 2}
    return ends.pop() if len(ends) == 1 else ""


def of_question(columns: Sequence[Column], question: Question, needed: bool = False) -> Column | None:
    """Of columns the one whose header or concept a question says; else the first, unless one is ``needed``."""
    scores = [(how_asked(one, question.low), -one.place, one) for one in columns]
    best = max(scores, key=lambda one: one[:2], default=None)
    if best is None or (needed and best[0] <= 0):
        return None
    return best[2]


# Empty, yes and no


def of_verdicts(table: Table, question: Question, target: Column | None) -> Iterator[Condition]:
    """Conditions on columns of yes and no that a question speaks of: "paid", "not insured", "still unpaid"."""
    for column in table.columns:
        if column is target or not (column.is_verdict or column.is_ticked):
            continue
        tokens = spoken_of(column, question)
        if not tokens:
            continue
        negative = is_denied(question, tokens)
        rows = [row for row, cell in enumerate(column.cells) if (cell.lower() in YES) != negative or False]
        if negative:
            rows = [row for row, cell in enumerate(column.cells) if cell.lower() in NO or not cell]
        yield Condition(column, frozenset(rows), frozenset(tokens), denies=negative)


def spoken_of(column: Column, question: Question) -> set[int]:
    """The words of a question that speak of a column of yes and no."""
    low = question.low
    words = {
        at
        for at, word in enumerate(low)
        if len(word) > 2 and any(is_word(word.removeprefix("un"), one) for one in column.words)
    }
    for one in concepts():
        if one.fits(column):
            for phrase in one.asks:
                words |= said_at(low, phrase)
    return words


def is_denied(question: Question, tokens: set[int]) -> bool:
    """Whether what some words say is denied: "not" before them in four words, or "un" at their beginning."""
    low = question.low
    before = low[max(0, min(tokens) - 4) : max(tokens) + 1]
    return not NOT.isdisjoint(before) or any(low[at].startswith("un") and low[at] not in ("unit", "under") for at in tokens)


def of_nothing(table: Table, question: Question, taken: frozenset[int]) -> Iterator[Condition]:
    """Conditions on cells that are empty, or are not: "nobody has borrowed", "on loan", "run out of"."""
    for column in table.columns:
        about = [one for one in concepts() if one.fits(column)]
        none = [
            places
            for one in about
            for phrase in one.without
            if (places := said_at(question.low, phrase)) and not places <= taken
        ]
        lent = on_loan(question.low) if any(one.name == HOLDS for one in about) else set()
        if none:
            yield Condition(column, without_any(column), frozenset().union(*none), denies=True)
        elif lent and not lent & taken:
            rows = without_any(column)
            denied = is_denied(question, lent)
            yield Condition(column, rows if denied else frozenset(range(len(table))) - rows, frozenset(lent), denies=denied)


def of_headers(table: Table, question: Question, taken: frozenset[int]) -> Iterator[Condition]:
    """Conditions on what a header names: "without a berth", "nowhere to berth it", "with a boat"."""
    low = question.low
    for column in table.columns:
        for at in sorted(asked_of(column, low)[1]):
            if at in taken or len(low[at]) < 3:
                continue
            before = low[max(0, at - REACH) : at]
            if not EMPTY.isdisjoint(before):
                first = max(place for place in range(max(0, at - REACH), at) if low[place] in EMPTY)
                yield Condition(column, without_any(column), frozenset({*range(first, at + 1)}))
            elif before[-2:] in (("with", "a"), ("with", "an"), ("has", "a"), ("have", "a")) or before[-1:] == ("with",):
                yield Condition(column, frozenset(range(len(table))) - without_any(column), frozenset((at,)))


def of_free(table: Table, question: Question, columns: Sequence[Column]) -> Condition | None:
    """The rows that are free, where a question asks for such: those where who or what is there is empty."""
    tokens = {at for at, word in enumerate(question.low) if word in FREE}
    column = next((one for one in columns if without_any(one)), None) if tokens else None
    return None if column is None else Condition(column, without_any(column), frozenset(tokens))


def on_loan(low: Sequence[str]) -> set[int]:
    """The words that say that a thing is with somebody, whoever: "on loan", "lent out", "borrowed"."""
    for phrase in (
        ("on", "loan"),
        ("lent", "out"),
        ("out", "on", "loan"),
        ("checked", "out"),
        ("borrowed",),
        ("out", "at", "the", "moment"),
    ):
        if tokens := said_at(low, phrase):
            return tokens
    return {len(low) - 1} if low[-1:] == ("out",) else set()


def without_any(column: Column) -> frozenset[int]:
    """The rows whose cell of a column is empty, or none; of amounts also nought."""
    amount = column.kind in (NUMBER, MONEY)
    return frozenset(
        row for row, cell in enumerate(column.cells) if not cell or cell.lower() in NOTHING or (amount and number_of(cell) == 0)
    )


def of_day(table: Table, question: Question, day: Day) -> Condition | None:
    """The rows of a day that a question names, in the column of dates that it speaks of."""
    columns = [one for one in table.columns if one.kind == DATE and one.told]
    if day.weekday and not (day.day or day.month):
        columns = [one for one in columns if any(one.order_of(row) and fits(one, row, day) for row in range(len(table)))]
    else:
        years = [one for one in columns if day.year and not day.month and any(map(str.isdigit, one.told[:LOOKED_AT]))]
        columns = [*filter(has_months, columns), *years]
    column = of_question(columns, question)
    if column is None or (not how_asked(column, question.low) and day.month and not day.day and is_noted(table, question, day)):
        return None
    before = question.low[min(day.tokens) - 1] if min(day.tokens) else ""
    if before in EARLIER | LATER and not day.weekday:
        rows = frozenset(row for row in range(len(table)) if is_beyond(column, row, day, before))
        return Condition(column, rows, day.tokens | {min(day.tokens) - 1})
    return Condition(column, frozenset(row for row in range(len(table)) if fits(column, row, day)), day.tokens)


def has_months(column: Column) -> bool:
    """Whether dates of a column have months."""
    moments = (date_of(cell, column.day_first) for cell in column.distinct[:LOOKED_AT])
    return any(moment is not None and moment[1] for moment in moments)


def is_noted(table: Table, question: Question, day: Day) -> bool:
    """Whether notes name a month that a question names."""
    words = [question.tokens[at] for at in day.tokens if question.low[at].isalpha()]
    return any(one.is_notes and one.with_words(words) for one in table.columns)


def is_beyond(column: Column, row: int, day: Day, how: str) -> bool:
    """Whether a cell is before or after a day."""
    moment = date_of(column.cells[row], column.day_first)
    if moment is None:
        return False
    asked, told = [], []
    for one, other in zip((day.year, day.month, day.day), moment[:3], strict=True):
        if one:
            asked.append(one)
            told.append(other)
    if how in EARLIER:
        return told < asked or (how in ("until", "by", "till") and told == asked)
    return told > asked or (how in ("since", "from") and told == asked)


def fits(column: Column, row: int, day: Day) -> bool:
    """Whether a cell is of a day."""
    return day.fits(date_of(column.cells[row], column.day_first))
