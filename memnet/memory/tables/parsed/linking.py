"""Which cells of a table words of a question may mean, whole or in part, and which dates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from memnet.memory.columns import GRAMMAR, is_only_a_noun
from memnet.memory.dates import MONTHS
from memnet.memory.tables.cells import DATE, DAYS, MONEY, NOTHING, NUMBER, WHETHER, Moment, date_of
from memnet.memory.tables.parsed.concepts import asked_of
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.wording import GENERIC, LIGHT, PERSONS, Question, Token, is_word, words_of_cell
from memnet.tasks.text.english import function_words, in_dictionary, of_class, singular
from memnet.tasks.text.tokens import NUMBER_WORDS

LITTLE = GRAMMAR | function_words() | LIGHT | GENERIC | PERSONS
LITTLE |= of_class(
    "us our any please whats wheres whos year list name names very season stuff lot bits gear kit whole still yet currently "
    "now just really actually ones each together altogether tell give show right moment today completely supposed meant there's"
)
FRACTIONS = {"half": "1/2", "quarter": "1/4"}
JOINS = frozenset(("of", "the", "and", "in", "de", "a", "for", "-", "'"))
MOST_CELLS = 0.7  # share of the different cells of a column from which a word says nothing
EXACT, TIE = 1.5, 0.3
VERB = 0.4  # what a word counts that may be a verb
BEFORE_MAY = frozenset(("in", "during", "of", "the", "this", "last", "since", "until", "before", "after"))
ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?", re.IGNORECASE)
A_YEAR = re.compile(r"(?:19|20)\d\d")
WEEKDAYS = {short: number for number, day in enumerate(DAYS, 1) for short in (day, day[:3], day[:4], day[:5])}


@dataclass(frozen=True)
class Link:
    """Words of a question, and the cells of a column that have them."""

    column: Column
    cells: frozenset[str]
    tokens: frozenset[int]
    exact: bool  # whether they are all that the cells say
    score: float

    @property
    def rows(self) -> frozenset[int]:
        """The rows with these cells."""
        return frozenset().union(*(self.column.rows_with(cell) for cell in self.cells))


def says(token: Token) -> bool:
    """Whether a word may be of a cell."""
    numbers = token.low in NUMBER_WORDS[2:] or token.low in FRACTIONS or any(map(str.isdigit, token.text))
    return token.text[0].isalnum() and (token.low not in LITTLE or numbers)


def links(table: Table, question: Question) -> list[Link]:
    """The best links of words to cells, of which no two share a word, but for those of equal words in several columns."""
    every = sorted(found(table, question), key=lambda one: (-one.score, one.column.place))
    chosen: list[Link] = []
    for one in every:
        beside = [other for other in chosen if other.tokens & one.tokens]
        if all(other.tokens == one.tokens and other.score <= one.score + TIE for other in beside):
            chosen.append(one)
    headers = {at for column in table.columns for at in asked_of(column, question.low)[1] if named_so(column, question.low[at])}
    return [one for one in chosen if one.exact or not one.tokens <= headers]


def named_so(column: Column, word: str) -> bool:
    """Whether a word is one of a header."""
    return any(is_word(word, one) for one in column.words)


def found(table: Table, question: Question) -> Iterator[Link]:
    """All links of the longest runs of words."""
    for column in table.columns:
        if column.is_notes or column.kind == MONEY:
            continue
        amounts = column.kind == NUMBER and column.is_amount
        if column.kind == WHETHER or (column.kind == DATE and any(cell[:1].isdigit() for cell in column.distinct)):
            continue
        runs: list[tuple[frozenset[int], frozenset[str]]] = []
        for token in question.tokens:
            if says(token) and (cells := with_word(column, token)):
                runs.append(run(column, question.tokens, token.place, cells))
        for tokens, cells in runs:
            if any(tokens < other for other, _ in runs):
                continue
            one = linked(column, question, tokens, cells)
            first = question.tokens[min(tokens)]
            if not one.exact and len(tokens) == 1 and not stands_so(first, cells):
                continue
            common = not first.is_name and is_only_a_noun(first.low) and in_dictionary(first.low)
            if not one.exact and len(tokens) == 1 and column.likeness_to_people and common:
                continue  # "the harbour" is no part of a name
            if not amounts or (one.exact and len(tokens) > 1):
                yield one


def stands_so(token: Token, cells: Iterable[str]) -> bool:
    """Whether a word, or its singular, stands in cells as it is: "helping" is not of "Bosun's help"."""
    said = {token.low, singular(token.low), FRACTIONS.get(token.low, token.low)}
    return any(not said.isdisjoint({word.lower(), singular(word.lower())}) for cell in cells for word in words_of_cell(cell))


def with_word(column: Column, token: Token) -> frozenset[str]:
    """The different cells that have a word, unless nearly all have it."""
    cells = frozenset(cell for cell in having(column, token) if cell.lower() not in NOTHING)
    return frozenset() if len(column.distinct) > 3 and len(cells) > MOST_CELLS * len(column.distinct) else cells


def having(column: Column, token: Token) -> list[str]:
    """The different cells that have a word, a number or a fraction in figures, too."""
    other = FRACTIONS.get(token.low) or (str(NUMBER_WORDS.index(token.low)) if token.low in NUMBER_WORDS[1:] else "")
    found = column.with_words([token])
    if other and (same := [cell for cell in column.distinct if other in cell.split()]):
        return list(dict.fromkeys([*found, *same]))
    return found


def run(column: Column, tokens: Sequence[Token], first: int, cells: frozenset[str]) -> tuple[frozenset[int], frozenset[str]]:
    """The words from a place on that the same cells have, small words between them passed over."""
    told, place = {first}, first + 1
    while place < len(tokens):
        token = tokens[place]
        both = cells & frozenset(having(column, token)) if token.text[0].isalnum() else frozenset()
        if both and (says(token) or token.low in JOINS or len(token.low) == 1):
            cells = both
            told.add(place)
        elif token.low not in JOINS:
            break
        place += 1
    while first and tokens[first - 1].text.isdigit() and cells <= frozenset(column.with_words([tokens[first - 1]])):
        first -= 1
        told.add(first)
    return frozenset(told), cells


def linked(column: Column, question: Question, tokens: frozenset[int], cells: frozenset[str]) -> Link:
    """A link with its score: more words, and all words of a cell, count more."""
    words = [question.tokens[place] for place in tokens]
    said = {form for one in words for form in (one.low, *one.forms, FRACTIONS.get(one.low, ""))}
    said |= {str(NUMBER_WORDS.index(one.low)) for one in words if one.low in NUMBER_WORDS}
    whole = frozenset(cell for cell in cells if all(is_said(word, said) for word in words_of_cell(cell)))
    share = max(len(tokens) / max(1, len(words_of_cell(cell))) for cell in cells)
    score = len(tokens) + EXACT * bool(whole) + min(1.0, share) / 2
    return Link(column, whole or cells, tokens, bool(whole), score)


def is_said(word: str, said: Iterable[str]) -> bool:
    """Whether a word of a cell is among those of a question, or says nothing."""
    low = word.lower()
    return low in said or singular(low) in said or word in JOINS


# Dates


@dataclass(frozen=True)
class Day:
    """A day, a month, a year or a weekday that a question names; 0 and None for what it leaves open."""

    year: int
    month: int
    day: int
    weekday: int  # from 1 for Monday
    tokens: frozenset[int]

    def fits(self, moment: Moment | None) -> bool:
        """Whether a moment is of it."""
        if moment is None:
            return False
        year, month, day = moment[:3]
        if not year and not month:  # a weekday
            return bool(self.weekday) and day == self.weekday
        if self.weekday and not self.day and day:
            return date(year or 2024, month, day).isoweekday() == self.weekday
        named = ((self.year, year), (self.month, month), (self.day, day))
        return all(not asked or asked == told for asked, told in named)


def days(question: Question, taken: Callable[[int], bool]) -> list[Day]:
    """The days that a question names, none of whose words is ``taken``."""
    found, used = list[Day](), set[int]()
    for place, token in enumerate(question.tokens):
        if place in used or taken(place):
            continue
        one = written(token) or of_month(question.tokens, place) or of_weekday(question.tokens, place) or of_year(token)
        if one is not None:
            found.append(one)
            used |= one.tokens
    return found


def written(token: Token) -> Day | None:
    """A date in numbers: 2024-06-03, 03/06/2024."""
    moment = date_of(token.text) if re.fullmatch(r"\d+([-/.])\d+\1\d+", token.text) else None
    return None if moment is None else Day(*moment[:3], 0, frozenset((token.place,)))


def of_month(tokens: Sequence[Token], place: int) -> Day | None:
    """A month with the day and the year beside it: "4 June 2024", "June the 4th", "in May"."""
    month = MONTHS.get(tokens[place].low.rstrip("."), 0)
    if not month or (tokens[place].low in ("may", "march", "mar") and tokens[place].text[0].islower() and not place):
        return None
    used, day, year = {place}, 0, 0
    before = next((at for at in range(place - 1, -1, -1) if tokens[at].low not in ("of", "the")), -1)
    if before >= 0 and (found := ORDINAL.fullmatch(tokens[before].low)):
        day = int(found[1])
        used |= {*range(before, place)}
        if before and tokens[before - 1].low.rstrip(".") in WEEKDAYS:
            used.add(before - 1)
    after = place + 1 + (tokens[place + 1 : place + 2] != () and tokens[place + 1 : place + 2][0].low == "the")
    if not day and after < len(tokens) and (found := ORDINAL.fullmatch(tokens[after].low)):
        day = int(found[1])
        used |= {*range(place, after + 1)}
    rest = max(used) + 1
    rest += rest < len(tokens) and tokens[rest].low == ","
    if rest < len(tokens) and A_YEAR.fullmatch(tokens[rest].text):
        year = int(tokens[rest].text)
        used |= {rest}
    if tokens[place].low == "may" and not day and not year and (not place or tokens[place - 1].low not in BEFORE_MAY):
        return None
    return Day(year, month, day, 0, frozenset(used))


def of_weekday(tokens: Sequence[Token], place: int) -> Day | None:
    """A weekday, with the day of the month where it is said: "Sunday 16th", "Friday the 7th"."""
    weekday = WEEKDAYS.get(
        tokens[place].low.rstrip(".").removesuffix("s") if len(tokens[place].low) > 4 else tokens[place].low, 0
    )
    if not weekday:
        return None
    after = place + 1 + (place + 1 < len(tokens) and tokens[place + 1].low == "the")
    found = ORDINAL.fullmatch(tokens[after].low) if after < len(tokens) else None
    if found is None:
        return Day(0, 0, 0, weekday, frozenset((place,)))
    month = of_month(tokens, after + 1) if after + 1 < len(tokens) and tokens[after + 1].low.rstrip(".") in MONTHS else None
    used = {*range(place, after + 1)}
    return Day(
        month.year if month else 0,
        month.month if month else 0,
        int(found[1]),
        weekday,
        frozenset(used | (month.tokens if month else set())),
    )


def of_year(token: Token) -> Day | None:
    """A year."""
    return Day(int(token.text), 0, 0, 0, frozenset((token.place,))) if A_YEAR.fullmatch(token.text) else None


def of_notes(
    table: Table, rows: Iterable[int], tokens: Sequence[Token]
) -> tuple[Column, frozenset[int], frozenset[int]] | None:
    """The rows whose notes have most of the words that nothing else explains, and these words; None where none has half.

    A word that may be a verb counts less.
    """
    weight = {one.place: 1.0 if is_only_a_noun(one.low) or one.low in NUMBER_WORDS else VERB for one in tokens}
    best: tuple[float, Column, frozenset[int], frozenset[int]] | None = None
    for column in (one for one in table.columns if one.is_notes):
        with_it = {one.place: frozenset(having(column, one)) for one in tokens}
        for row in rows:
            said = frozenset(place for place, cells in with_it.items() if column.cells[row] in cells)
            found = sum(weight[place] for place in said)
            if said and 2 * found >= sum(weight.values()) and (best is None or found > best[0]):
                fits = frozenset(at for at in rows if all(column.cells[at] in with_it[place] for place in said))
                best = found, column, fits, said
    return None if best is None else best[1:]
