"""Which cells of a table words of a question may mean: whole, in part, cut short, or near in meaning."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memnet.memory.columns import GRAMMAR, cosine
from memnet.memory.tables.cells import DATE, MONEY, NOTHING, NUMBER, WHETHER
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.wording import GENERIC, LIGHT, PERSONS, Question, Token, words_of_cell
from memnet.tasks.text.english import function_words, of_class, singular
from memnet.tasks.text.tokens import NUMBER_WORDS

LITTLE = GRAMMAR | function_words() | LIGHT | GENERIC | PERSONS
LITTLE |= of_class(
    "us our any please whats wheres whos year list name names very season stuff lot bits gear kit whole still yet currently "
    "now just really actually ones each together altogether tell give show right moment today completely supposed meant there's"
)
FRACTIONS = {"half": "1/2", "quarter": "1/4"}
JOINS = frozenset(("of", "the", "and", "in", "de", "a", "for", "-", "'"))
MOST_CELLS = 0.7  # share of the different cells of a column from which a word says nothing
FEW = 10  # different cells of a column of kinds, whose words may stand for others: "GK" for goalkeeper, "red" for claret
SHORT = 4  # letters of a cell that may be a word cut short
A_CODE = re.compile(r".*[^\d.,](\d+)")  # that ends with figures, behind letters or marks
CODED, OF_DIGITS = 0.8, 0.9  # share of the cells of a column of codes, and what a link by figures alone counts
NEAR = 0.45  # cosine of a word to one of a cell


@dataclass(frozen=True)
class Link:
    """Words of a question, and the cells of a column that they may mean."""

    column: Column
    cells: frozenset[str]
    places: frozenset[int]
    share: float  # of the words of the cells that the question says; 1 where it says them all
    near: float = 1.0  # how near in meaning; 1 where words are the same
    short: bool = False  # whether the cells are words cut short

    @property
    def rows(self) -> frozenset[int]:
        """The rows with these cells."""
        return frozenset().union(*(self.column.rows_with(cell) for cell in self.cells))


def says(token: Token) -> bool:
    """Whether a word may be of a cell."""
    if len(token.text) == 1 and token.text.isupper() and token.text != "I" and token.place:
        return True  # "group A"
    numbers = token.low in NUMBER_WORDS[2:] or token.low in FRACTIONS or any(map(str.isdigit, token.text))
    return token.text[0].isalnum() and (token.low not in LITTLE or numbers)


def links(table: Table, question: Question) -> Iterator[Link]:
    """All links of the longest runs of words, column by column."""
    for column in table.columns:
        if column.is_notes or column.kind in (MONEY, WHETHER) or not column.told:
            continue
        if column.kind == DATE and any(cell[:1].isdigit() for cell in column.distinct):
            continue
        runs: list[tuple[frozenset[int], frozenset[str]]] = []
        for token in question.tokens:
            if says(token) and (cells := with_word(column, token)):
                runs.append(run(column, question.tokens, token.place, cells))
        amounts = column.kind == NUMBER and column.is_amount
        for places, cells in dict.fromkeys(runs):
            if any(places < other for other, _ in runs):
                continue
            one = linked(column, question, places, cells)
            if not amounts or (one.share == 1.0 and len(places) > 1):
                yield one
        yield from by_digits(column, question, frozenset().union(*(places for places, _ in runs)))
        if column.kind != NUMBER and len(column.distinct) <= FEW:
            yield from loosely(column, question, frozenset().union(*(places for places, _ in runs)))


def by_digits(column: Column, question: Question, taken: frozenset[int]) -> Iterator[Link]:
    """Links to codes of which the question says the figures alone: "bag 1169" of PB24-1169, "number nine" of NB09."""
    ends = {cell: int(found[1]) for cell in column.distinct if (found := A_CODE.fullmatch(cell))}
    if len(ends) < CODED * len(column.distinct):
        return
    for token in question.tokens:
        number = int(token.low) if token.low.isdecimal() else word_number(token.low)
        cells = frozenset(cell for cell, end in ends.items() if end == number)
        if token.place not in taken and cells and number > 0:
            yield Link(column, cells, frozenset((token.place,)), OF_DIGITS)


def word_number(word: str) -> int:
    """The number that a word says; 0 for none, and for "one"."""
    return NUMBER_WORDS.index(word) if word in NUMBER_WORDS[2:] else 0


def loosely(column: Column, question: Question, taken: frozenset[int]) -> Iterator[Link]:
    """Links to the kinds of a column of few: of words cut short and of near words."""
    for token in question.tokens:
        if not says(token) or token.place in taken or not token.low.isalpha() or len(token.low) < 3:
            continue
        short = frozenset(cell for cell in column.distinct if is_short(cell, token.low))
        if short and len(short) < len(column.distinct):
            yield Link(column, short, frozenset((token.place,)), 1.0, 1.0, True)
        if column.is_place or column.likeness_to_people:
            continue  # an attic is no cellar
        nearness = {
            cell: max((cosine(token.low, word.lower()) for word in words_of_cell(cell) if word.isalpha()), default=0.0)
            for cell in column.distinct
        }
        best = max(nearness.values(), default=0.0)
        if best >= NEAR:
            cells = frozenset(cell for cell, value in nearness.items() if value == best)
            yield Link(column, cells, frozenset((token.place,)), 1.0, best)


def is_short(cell: str, word: str) -> bool:
    """Whether a cell is a word cut short: its first letter and others in their order.

    >>> is_short("GK", "goalkeepers"), is_short("F", "female"), is_short("MF", "midfielder"), is_short("DF", "forward")
    (True, True, True, False)
    """
    low = cell.lower().rstrip(".")
    if not low.isalpha() or len(low) > SHORT or len(word) < len(low) + 2 or word[0] != low[0]:
        return False
    letters = iter(singular(word))
    return all(letter in letters for letter in low)


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


def linked(column: Column, question: Question, places: frozenset[int], cells: frozenset[str]) -> Link:
    """A link to the cells of which the question says most."""
    words = [question.tokens[place] for place in places]
    said = {form for one in words for form in (one.low, *one.forms, FRACTIONS.get(one.low, ""))}
    said |= {str(NUMBER_WORDS.index(one.low)) for one in words if one.low in NUMBER_WORDS}
    whole = frozenset(cell for cell in cells if all(is_said(word, said) for word in words_of_cell(cell)))
    share = 1.0 if whole else max(min(0.99, len(places) / max(1, len(words_of_cell(cell)))) for cell in cells)
    return Link(column, whole or cells, places, share)


def is_said(word: str, said: Iterable[str]) -> bool:
    """Whether a word of a cell is among those of a question, or says nothing."""
    low = word.lower()
    return low in said or singular(low) in said or word in JOINS
