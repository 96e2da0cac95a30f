"""The cells that a question names, and so the rows that it is about.

    "grey coat"                      colour = grey, item = coat
    "J. Peterson"                    owner = J. Peterson, not J. Petersen
    "Lark"                           boat = Lark, not Lark II: its further word is not said
    "the room with the dead bell"    notes that have both words: "bell by bed 2 dead"

A cell that is said whole goes before a part of one, and a longer one before a shorter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memnet.memory.tables.cells import DATE, MONEY, NO, NOTHING, NUMBER, TEXT, WHETHER, YES
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.wording import Question, Token, begins_compound, is_proper, is_word, same_in_cell, words_of_cell
from memnet.tasks.text.english import of_class

ARTICLES = of_class("the a an")
HELD_BACK = NOTHING | YES | NO  # cells that a question's "no" or "free" does not name by itself
STATES = of_class("vacant free empty available")  # of which a cell may say that a row is so
FEMALE, MALE = of_class("female woman girl lady"), of_class("male man boy gentleman")
SEXES = {"f": FEMALE, "female": FEMALE, "m": MALE, "male": MALE}


@dataclass(frozen=True, eq=False)
class Named:
    """Cells that some words of a question name: in which columns, and which rows; ``whole`` where they are all of a cell."""

    tokens: tuple[int, ...]
    rows: dict[int, frozenset[int]]  # by the places of the columns
    cells: dict[int, tuple[str, ...]]
    whole: bool
    kind: bool = False  # of things by the last word of their names: "vans"

    @property
    def every(self) -> frozenset[int]:
        """The rows of all columns."""
        return frozenset().union(*self.rows.values())


def sequences(question: Question, cell: Sequence[str], proper: bool) -> Iterator[tuple[int, ...]]:
    """Where the words of a cell stand side by side in a question, but for articles between them."""
    tokens = question.tokens
    for first in range(len(tokens)):
        places, at = list[int](), first
        for word in cell:
            while (
                places and at < len(tokens) and tokens[at].low in ARTICLES and not same_in_cell(tokens[at].text, word, proper)
            ):
                at += 1
            if at >= len(tokens) or not same_in_cell(tokens[at].text, word, proper):
                break
            places.append(at)
            at += 1
        if len(places) == len(cell):
            yield tuple(places)


def may_be_named(column: Column) -> bool:
    """Whether a question may name cells of a column: those of text, and numbers that number rows."""
    return bool(column.told) and (column.kind == TEXT or column.is_numbering or column.place == 0) and column.kind != WHETHER


def whole_cells(table: Table, question: Question) -> list[Named]:
    """The cells that are said whole, the longest first, none in the words of another."""
    found = sexes(table, question)
    texts = {one.low for one in question.tokens}
    for column in table.columns:
        for cell in column.with_words(question.tokens) if may_be_named(column) else ():
            words = words_of_cell(cell)
            if not words or (len(words) == 1 and words[0].lower() in HELD_BACK - STATES):
                continue
            proper = is_proper(words)
            if proper and words[0].lower() not in texts:
                continue
            for places in sequences(question, words, proper):
                if is_said(table, column, question, places, cell):
                    found.setdefault(places, {}).setdefault(column.place, []).append(cell)
    chosen, used = list[Named](), set[int]()
    for places in sorted(found, key=lambda places: (-len(places), places)):
        if used.isdisjoint(places):
            used.update(places)
            cells = {place: exact(told, question, places) for place, told in found[places].items()}
            rows = {place: rows_of(table.columns[place], told) for place, told in cells.items()}
            chosen.append(Named(places, rows, cells, True))
    return sorted(chosen, key=lambda one: one.tokens)


def sexes(table: Table, question: Question) -> dict[tuple[int, ...], dict[int, list[str]]]:
    """The cells "F" and "M" of a column of these alone, by the words of a question that mean them."""
    found = dict[tuple[int, ...], dict[int, list[str]]]()
    for column in table.columns:
        if not column.told or not {cell.lower() for cell in column.distinct} <= {*SEXES}:
            continue
        for token in question.tokens:
            meant = [cell for cell in column.distinct if token.place and not token.forms.isdisjoint(SEXES[cell.lower()])]
            if meant and token.low not in column.words:
                found[(token.place,)] = {column.place: meant}
    return found


def exact(cells: list[str], question: Question, places: Sequence[int]) -> tuple[str, ...]:
    """Of cells of the same words those in the letters of the question, if there are such."""
    said = [question.tokens[place].low for place in places]
    same = [cell for cell in cells if [word.lower() for word in words_of_cell(cell)] == said]
    return tuple(same or cells)


def rows_of(column: Column, cells: Sequence[str]) -> frozenset[int]:
    """The rows that have one of these cells, or of notes those that have all its words."""
    rows = {row for cell in cells for row in column.rows_with(cell)}
    if column.is_notes:
        for cell in cells:
            words = {word.lower() for word in words_of_cell(cell)}
            rows |= {row for row, one in enumerate(column.cells) if words <= {word.lower() for word in words_of_cell(one)}}
    return frozenset(rows)


def is_said(table: Table, column: Column, question: Question, places: Sequence[int], cell: str) -> bool:
    """Whether these words mean the cell: a number alone only behind the header's noun, and no word of a header."""
    token = question.tokens[places[0]]
    if len(places) > 1:
        return True
    before = question.tokens[places[0] - 1].low if places[0] else ""
    if cell.isdigit():
        if column.place == 0 and len(cell) > 2:
            return before not in ("than", "over", "under", "least", "most", "above", "below") or table_of_two(
                question, places[0]
            )
        follows = any(is_word(before, word) for word in column.words)
        return follows or (column.place == 0 and (before in table.nouns or before in ("number", "no")))
    if token.low in table.nouns or (token.place == 0 and not token.text[0].isdigit()):
        return token.place > 0 and token.text[0].isupper() and cell[0].isupper()
    if token.low in ("in", "on", "at", "own") and not cell[0].isupper():
        return token.low == "own" and before in ("their", "its", "her", "his", "an", "or", "our")
    return not (len(cell) == 1 and token.place + 1 < len(question.tokens) and token.text == "I")


def table_of_two(question: Question, place: int) -> bool:
    """Whether a number behind "than" is a row that is compared, and no amount: "more beds than 301"."""
    return place > 1 and question.low[place - 1] == "than" and question.low[place - 2] not in ("more", "less", "fewer")


def parts_of_cells(table: Table, question: Question, used: set[int], headers: set[int]) -> list[Named]:
    """What the words that are left name a part of: of notes all that stand in one cell, of names the words that tell them."""
    left = [
        one for one in question.tokens if one.place not in used and (one.says or one.low in ("give", "gives", "giving", "gave"))
    ]
    left = [one for one in left if one.place not in headers or one.is_name]
    chosen, taken = list[Named](), set[int]()
    best = list[tuple[int, int, Column, tuple[int, ...], list[str]]]()
    for column in table.columns:
        if not may_be_named(column) or column.is_verdict or (column.is_numbering and column.kind in (NUMBER, MONEY, DATE)):
            continue
        for places, cells in parts_in(column, left).items():
            best.append((-len(places), column is not table.thing, column, places, cells))
    for _, _, column, places, cells in sorted(best, key=lambda one: (one[0], one[1], one[2].place, one[3])):
        if not taken.isdisjoint(places):
            continue
        kind = is_kind(column, question, places, cells)
        taken.update(places)
        rows = frozenset(row for cell in cells for row in column.rows_with(cell))
        chosen.append(Named(places, {column.place: rows}, {column.place: tuple(cells)}, False, kind))
    return chosen


def parts_in(column: Column, left: Sequence[Token]) -> dict[tuple[int, ...], list[str]]:
    """The cells of a column by the words of a question that they have, most words alone."""
    found = dict[tuple[int, ...], list[str]]()
    for cell in column.distinct if column.is_notes else column.with_words(left):
        words = words_of_cell(cell)
        proper = is_proper(words)
        places = tuple(one.place for one in left if any(is_part(one, word, proper, column) for word in words))
        if places:
            found.setdefault(places, []).append(cell)
    return {places: cells for places, cells in found.items() if not any({*places} < {*other} for other in found)}


def is_part(token: Token, word: str, proper: bool, column: Column) -> bool:
    """Whether a word of a question is one of a cell, or begins one in notes."""
    if token.is_name and token.text[0].isupper() and word[0].islower():
        return False
    return same_in_cell(token.text, word, proper) or (column.is_notes and begins_compound(token.text, word))


def is_kind(column: Column, question: Question, places: Sequence[int], cells: Sequence[str]) -> bool:
    """Whether a word is what things are: the last word of their names in small letters, "van" of "grey van"."""
    if len(places) != 1:
        return False
    token = question.tokens[places[0]]
    heads = [[word for word in words_of_cell(cell) if word.isalpha()] for cell in cells]
    return all(words and words[-1].islower() and same_in_cell(token.text, words[-1], False) for words in heads)


__all__ = ["Named", "parts_of_cells", "whole_cells"]
