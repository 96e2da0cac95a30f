"""Conditions of numbers: "more than 3 nights", "over £100", "at least ten thousand", "on the second floor"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memnet.memory.tables.cells import MONEY, NUMBER, number_of, unlike
from memnet.memory.tables.most import ORDINALS
from memnet.memory.tables.ranked.asked import Asked
from memnet.memory.tables.ranked.concepts import about
from memnet.memory.tables.ranked.condition import BOUND, EQUAL, Condition
from memnet.memory.tables.table import Column
from memnet.memory.tables.wording import Question, is_unit, is_word
from memnet.tasks.text.english import of_class, singular
from memnet.tasks.text.tokens import NUMBER_WORDS

TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
TIMES = {"dozen": 12.0, "hundred": 100.0, "thousand": 1000.0, "grand": 1000.0, "million": 1e6}
IN_THOUSANDS = re.compile(r"(\d+(?:\.\d+)?)k")
ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
RANGES = {("between", "and"), ("from", "to")}
OVER, UNDER = of_class("over above exceeding past"), of_class("under below beneath")
AT_LEAST = (
    ("at", "least"),
    ("or", "more"),
    ("minimum",),
    ("no", "less", "than"),
    ("not", "less", "than"),
    ("and", "up"),
    ("and", "over"),
    ("or", "better"),
    ("or", "over"),
    ("or", "above"),
)
AT_MOST = (
    ("at", "most"),
    ("or", "less"),
    ("or", "fewer"),
    ("up", "to"),
    ("no", "more", "than"),
    ("not", "more", "than"),
    ("and", "under"),
    ("or", "under"),
    ("or", "below"),
    ("maximum",),
)
MORE = of_class("more greater higher longer older bigger larger later heavier taller dearer faster better")
LESS = of_class("less fewer lower shorter cheaper smaller younger lighter earlier slower worse")
NO_DEGREE = of_class("other rather whether either number under over after per")
CURRENCIES = of_class("£ $ € euro euros pound pounds dollar dollars quid")


def of_numbers(asked: Asked) -> Iterator[Condition]:
    """Conditions such as "more than 3 nights", "over £100", "at least 50 euros", in every column that the number may be of."""
    question = asked.question
    end = 0
    for place in range(len(asked.low)):
        if place < end or (found := number_at(question, place)) is None:
            continue
        value, end = found
        more = {*range(place + 1, end)}
        if (other := other_end(question, place, end)) is not None:
            last, end = other
            yield from in_range(asked, value, last, frozenset(range(place - 1, end)))
            continue
        sign, used = bound_at(asked.low, place, end)
        for column in asked.table.columns:
            if column.kind not in (NUMBER, MONEY) or not column.told or unlike(column.distinct):
                continue
            beside = measured(column, asked, place, end)
            if not sign and not beside and value not in {number_of(cell) for cell in column.distinct}:
                continue
            rows = [row for row, one in enumerate(map(number_of, column.cells)) if one is not None and holds(one, sign, value)]
            strength = 1.0 if beside else 0.8 if asked.heard[column].places else 0.5
            yield Condition(
                BOUND if sign else EQUAL, column, frozenset(rows), frozenset(used | {place} | more | beside), strength
            )


def other_end(question: Question, place: int, end: int) -> tuple[float, int] | None:
    """The second number of "between 3 and 5" and "from 3 to 5", by the places of the first, and the place behind it."""
    low, first = question.low, place - 1
    while first > 0 and low[first] in CURRENCIES:
        first -= 1
    then = end + (low[end : end + 1] != () and low[end] in CURRENCIES)
    if first < 0 or then + 1 >= len(low) or (low[first], low[then]) not in RANGES:
        return None
    then += 1 + (low[then + 1] in CURRENCIES and then + 2 < len(low))
    return number_at(question, then)


def in_range(asked: Asked, first: float, last: float, places: frozenset[int]) -> Iterator[Condition]:
    """The rows from one number to another, of each column of numbers."""
    for column in asked.table.columns:
        if column.kind in (NUMBER, MONEY) and column.told and not unlike(column.distinct):
            values = enumerate(map(number_of, column.cells))
            rows = frozenset(row for row, one in values if one is not None and first <= one <= last)
            if rows:
                strength = 1.0 if asked.heard[column].places else 0.7
                yield Condition(BOUND, column, rows, places, strength)


def number_at(question: Question, place: int) -> tuple[float, int] | None:
    """The number that begins with a word, in figures or in letters, and the place behind it: "under ten thousand", "the 3rd".

    >>> number_at(Question.of("over two thousand five hundred pounds"), 1)
    (2500.0, 5)
    """
    found = part_at(question, place)
    if found is None:
        return ordinal_at(question, place)
    value, end, least = found
    while least > 1.0:  # "two thousand five hundred", "a hundred and fifty"
        then = end + (question.low[end : end + 1] == ("and",))
        more = part_at(question, then) if then < len(question.low) else None
        if more is None or more[0] >= least:
            break
        value, end, least = value + more[0], more[1], more[2]
    return value, end


def part_at(question: Question, place: int) -> tuple[float, int, float] | None:
    """A number word or figures with what multiplies it, the place behind, and the last that did: of "five hundred" 100."""
    low, token = question.low, question.tokens[place]
    words, end = token.low.split("-"), place + 1
    if all(one in NUMBER_WORDS[1:] or one in TENS for one in words):
        value = sum(map(number_word, words))
        if token.low in TENS and end < len(low) and low[end] in NUMBER_WORDS[1:10]:
            value, end = value + number_word(low[end]), end + 1
    elif thousands := IN_THOUSANDS.fullmatch(token.low):
        return 1000 * float(thousands[1]), end, 1.0
    elif token.low in ("a", "half"):
        end += low[place : place + 2] == ("half", "a")
        if end >= len(low) or low[end] not in TIMES:
            return None
        value = 0.5 if token.low == "half" else 1.0
    else:
        written = number_of(token.text) if token.text[0].isdigit() and not ORDINAL.fullmatch(token.low) else None
        if written is None:
            return None
        value = written
    return multiplied(value, low, end)


def multiplied(value: float, low: Sequence[str], end: int) -> tuple[float, int, float]:
    """A number by the words behind it, and the last of them; "grand" is none before a plural: "two grand pianos"."""
    last = 1.0
    while end < len(low) and low[end] in TIMES:
        if low[end] == "grand" and any(singular(word) != word for word in low[end + 1 : end + 2]):
            break
        last = TIMES[low[end]]
        value, end = value * last, end + 1
    return value, end, last


def ordinal_at(question: Question, place: int) -> tuple[float, int] | None:
    """The number of "third" and "22nd"; none of a share, "a third", a day, "5th of May", nor of "first name" and "a second"."""
    low, word = question.low, question.low[place]
    if low[place + 1 : place + 2] == ("of",) or (place > 0 and low[place - 1] in ("a", "one", "two")):
        return None
    if word in ORDINALS[2:]:
        return float(ORDINALS.index(word) + 1), place + 1
    return (float(re.sub(r"\D", "", word)), place + 1) if ORDINAL.fullmatch(word) else None


def number_word(word: str) -> float:
    """The number of one word.

    >>> number_word("forty"), number_word("six")
    (40.0, 6.0)
    """
    return float(10 * (TENS.index(word) + 2) if word in TENS else NUMBER_WORDS.index(word))


def bound_at(low: Sequence[str], place: int, end: int) -> tuple[str, set[int]]:
    """Whether a number is a bound: ">", ">=", "<", "<=", by the words before it or behind it; else ""."""
    first = place - 1
    while first >= 0 and low[first] in CURRENCIES:
        first -= 1
    money = {*range(first + 1, place)}
    for phrases, sign in ((AT_LEAST, ">="), (AT_MOST, "<=")):
        for phrase in phrases:
            size = len(phrase)
            if first - size >= -1 and tuple(low[first - size + 1 : first + 1]) == phrase:
                return sign, money | {*range(first - size + 1, first + 1)}
            for behind in range(end, min(end + 3, len(low))):
                if tuple(low[behind : behind + size]) == phrase:
                    return sign, money | {*range(behind, behind + size)}
    if first >= 0 and low[first] in OVER:
        return ">", money | {first}
    if first >= 0 and low[first] in UNDER:
        return "<", money | {first}
    if first > 0 and low[first] == "than":
        near = [
            at
            for at in range(max(0, first - 3), first)
            if low[at] in MORE | LESS or (low[at].endswith("er") and low[at] not in NO_DEGREE)
        ]
        if near:
            return ("<" if low[near[-1]] in LESS else ">"), money | {first, near[-1]}
    return "", set()


def holds(value: float, sign: str, bound: float) -> bool:
    """Whether a value is within a bound; without a sign, whether it is equal."""
    if sign in (">", ">="):
        return value > bound or (sign == ">=" and value == bound)
    if sign in ("<", "<="):
        return value < bound or (sign == "<=" and value == bound)
    return value == bound


def measured(column: Column, asked: Asked, place: int, end: int) -> set[int]:
    """The words that say that a number is of a column: its currency, unit or header."""
    low = asked.low
    near = {at for at in (place - 1, end) if 0 <= at < len(low) and low[at] in CURRENCIES}
    if near:
        return near if column.kind == MONEY or "price" in about(column) else set()
    units = [*column.unit.lower().split(), unit_of(column), *column.words]
    for at in range(end, min(end + 3, len(low))):
        if any(one and (is_unit(one, low[at]) or is_word(low[at], one)) for one in units):
            return {at}
    return set()


def unit_of(column: Column) -> str:
    """The unit that stands behind the numbers of a column."""
    ends = {cell.split()[-1].lower().rstrip("s") for cell in column.told if len(cell.split()) == 2}
    return ends.pop() if len(ends) == 1 else ""
