"""What words of a question may say of the rows that it means: each condition is one reading of some of its words.

"which of Gwen's bikes are stuck"   cells of Mechanic: Gwen;  near a cell of Status: "waiting for parts";  ...
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memnet.memory.tables.cells import DATE, MONEY, NO, NOTHING, NUMBER, YES, date_of, number_of, unlike
from memnet.memory.tables.ranked.asked import NOUN, Asked
from memnet.memory.tables.ranked.concepts import DENIED, about, is_about, phrases_in
from memnet.memory.tables.ranked.days import EARLIER, LATER, Day, days, has_months, is_beyond
from memnet.memory.tables.ranked.linking import having, links, says
from memnet.memory.tables.table import Column
from memnet.memory.tables.wording import Question, is_unit, is_word
from memnet.tasks.text.english import of_class
from memnet.tasks.text.tokens import NUMBER_WORDS

CELL, PART, CUT, NEARBY, DAY, BOUND, EQUAL, IS_SO, IS_NOT, EMPTY, TOLD, NOTE = KINDS = (
    "cell", "part", "cut", "nearby", "day", "bound", "equal", "is so", "is not", "empty", "told", "note",
)  # fmt: skip
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
PRIOR = {
    **dict.fromkeys((CELL, DAY, BOUND), 3.0),
    **dict.fromkeys((PART, IS_SO, IS_NOT), 1.5),
    **dict.fromkeys((CUT, EQUAL), 1.0),
    **dict.fromkeys((NEARBY, NOTE), 0.8),
    EMPTY: 1.2,
    TOLD: 0.7,
}


@dataclass(frozen=True)
class Condition:
    """The rows that are meant, the column that says so, and the words of the question that were read."""

    kind: str
    column: Column
    rows: frozenset[int]
    places: frozenset[int]
    strength: float = 1.0  # how much of a cell is said, how near in meaning, how much a question speaks of the column
    cells: frozenset[str] = frozenset()

    @property
    def prior(self) -> float:
        """How likely it is meant, before a network is asked."""
        return PRIOR[self.kind] * self.strength + len(self.places)


def conditions(asked: Asked) -> list[Condition]:
    """All that words of a question may say of rows."""
    every = [*of_cells(asked), *of_days(asked), *of_numbers(asked), *of_verdicts(asked), *of_nothing(asked)]
    return every + of_notes(asked, frozenset().union(*(one.places for one in every if one.kind == CELL)))


def of_cells(asked: Asked) -> Iterator[Condition]:
    """The rows with cells that the question names."""
    for one in links(asked.table, asked.question):
        kind = CUT if one.short else NEARBY if one.near < 1.0 else CELL if one.share == 1.0 else PART
        yield Condition(kind, one.column, one.rows, one.places, one.share * one.near, one.cells)


# Dates


def of_days(asked: Asked) -> Iterator[Condition]:
    """The rows of each day, month, year or weekday that the question names, in every column that has such."""
    low = asked.low
    for day in days(asked.question):
        for column in (one for one in asked.table.columns if one.kind == DATE and one.told):
            if (day.month or day.day) and not day.weekday and not has_months(column):
                continue
            strength = 1.0 if asked.heard[column].places else 0.7
            how, used = beyond_at(low, day)
            if how and not day.weekday:
                rows = [row for row in range(len(asked.table)) if is_beyond(column, row, day, how)]
                yield Condition(DAY, column, frozenset(rows), day.places | used, strength)
            rows = [row for row in range(len(asked.table)) if day.fits(date_of(column.cells[row], column.day_first))]
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


# Amounts


def of_numbers(asked: Asked) -> Iterator[Condition]:
    """Conditions such as "more than 3 nights", "over £100", "at least 50 euros", in every column that the number may be of."""
    question = asked.question
    for place in range(len(asked.low)):
        value = number_at(question, place)
        if value is None:
            continue
        sign, used = bound_at(asked.low, place)
        for column in asked.table.columns:
            if column.kind not in (NUMBER, MONEY) or not column.told or unlike(column.distinct):
                continue
            beside = measured(column, asked, place)
            if not sign and not beside and value not in {number_of(cell) for cell in column.distinct}:
                continue
            rows = [row for row, one in enumerate(map(number_of, column.cells)) if one is not None and holds(one, sign, value)]
            strength = 1.0 if beside else 0.8 if asked.heard[column].places else 0.5
            yield Condition(BOUND if sign else EQUAL, column, frozenset(rows), frozenset(used | {place} | beside), strength)


def number_at(question: Question, place: int) -> float | None:
    """The number that a word is, in figures or in letters."""
    token = question.tokens[place]
    if token.low in NUMBER_WORDS[1:]:
        return float(NUMBER_WORDS.index(token.low))
    return number_of(token.text) if token.text[0].isdigit() else None


def bound_at(low: Sequence[str], place: int) -> tuple[str, set[int]]:
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
            for behind in range(place + 1, min(place + 4, len(low))):
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


def measured(column: Column, asked: Asked, place: int) -> set[int]:
    """The words that say that a number is of a column: its currency, unit or header."""
    low = asked.low
    near = {at for at in (place - 1, place + 1) if 0 <= at < len(low) and low[at] in CURRENCIES}
    if near:
        return near if column.kind == MONEY or "price" in about(column) else set()
    units = [*column.unit.lower().split(), unit_of(column), *column.words]
    for at in range(place + 1, min(place + 4, len(low))):
        if any(one and (is_unit(one, low[at]) or is_word(low[at], one)) for one in units):
            return {at}
    return set()


def unit_of(column: Column) -> str:
    """The unit that stands behind the numbers of a column."""
    ends = {cell.split()[-1].lower().rstrip("s") for cell in column.told if len(cell.split()) == 2}
    return ends.pop() if len(ends) == 1 else ""


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
