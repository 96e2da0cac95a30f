"""A table as a memory of keys and values (Miller et al. 2016): columns are keys, cells are values, a row is what they are of.

Room no. | Doctor | Size (sq m) | Window?        the column that names a row:  Room no.  ->  "room", "rooms"
A4 | Hanna Weiss | 18 | no                      kinds:  text, text, number (sq m), whether
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from memnet.facts.names import Key
from memnet.memory.columns import PLACE_LIKE, PLACES, called, lemmas, likeness
from memnet.memory.tables.cells import (
    DATE,
    NO,
    NOTHING,
    NUMBER,
    ORDERED,
    TEXT,
    UNKNOWN,
    WHETHER,
    YES,
    Moment,
    bounded,
    date_of,
    is_day_first,
    is_name,
    kind_of,
    number_of,
)
from memnet.memory.tables.people import are_places, likeness_to_people
from memnet.memory.tables.wording import Token, forms_of, words_of_cell
from memnet.memory.values import Held
from memnet.tasks.text.english import function_words, in_dictionary, kinds_of_word, of_class
from memnet.tasks.text.tokens import split

NUMBERING = of_class("no nr number num id code ref reference tag label key # №")  # names no thing by itself
CALLING = NUMBERING | of_class("phone tel telephone mobile ext extension postcode zip pin")  # of numbers that are no amounts
TITLES = of_class("title name item object thing description entry what")
NOTES = of_class("note notes remark remarks comment comments info details detail other extra reason description")
PARENTHESES = re.compile(r"[(\[](?P<inside>[^)\]]*)[)\]]")
NOTE_WORDS = 2.2  # words of a cell, in the mean, from which a column with many different cells is one of notes
UNIQUE = 0.5  # share of different cells in a column that names things
PLACE = 0.56  # cosine of a header to words of places
VARIED = 0.4  # share of different cells in a column that says what numbered rows are
NAMED = 0.7  # share of names in a column of people
FEW, PLAIN = 6, 0.4  # different cells, and the share of yes and no, of a column of yes and no with exceptions
ADJECTIVES = 0.6  # share of adjectives in a column of them, such as colours


@dataclass(frozen=True, eq=False)
class Column:
    """A column: its header, its cells by row, and what they are."""

    place: int
    name: str
    cells: tuple[str, ...]

    @cached_property
    def told(self) -> tuple[str, ...]:
        """The cells that are not empty."""
        return tuple(cell for cell in self.cells if cell)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the header in small letters, those of a unit left out."""
        plain = PARENTHESES.sub(lambda found: " " if self.unit else f" {found['inside']} ", self.name)
        return tuple(
            word.lower() for word in split(plain.replace("-", " ").replace("_", " ").replace("/", " ")) if word[0].isalnum()
        )

    @cached_property
    def unit(self) -> str:
        """What stands in parentheses behind the header of a column of numbers."""
        found = PARENTHESES.search(self.name)
        numbers = self.kind in ORDERED or (bool(self.told) and bool(re.match(r"\d", self.told[0])))
        return found["inside"].strip() if found and numbers else ""

    @cached_property
    def kind(self) -> str:
        """Of its cells."""
        return kind_of(self.told, self.name)

    @cached_property
    def is_verdict(self) -> bool:
        """Whether it says yes and no, with few exceptions: "yes", "no", "by arrangement"."""
        cells = [cell.lower() for cell in self.distinct]
        plain = sum(cell.lower() in YES | NO for cell in self.told)
        mixed = not YES.isdisjoint(cells) and not NO.isdisjoint(cells) and len(cells) <= FEW and plain >= PLAIN * len(self.told)
        return self.kind == WHETHER or (self.kind == TEXT and mixed)

    @cached_property
    def is_ticked(self) -> bool:
        """Whether it says yes and leaves the others empty."""
        return self.kind == WHETHER and len(self.told) < len(self.cells) and not any(cell.lower() in NO for cell in self.told)

    @cached_property
    def day_first(self) -> bool:
        """Of dates of two small numbers."""
        return is_day_first(self.told)

    @cached_property
    def moments(self) -> tuple[Moment | None, ...]:
        """When each cell is, as a date; None where it says none."""
        return tuple(date_of(cell, self.day_first) if cell else None for cell in self.cells)

    @cached_property
    def distinct(self) -> tuple[str, ...]:
        """The different cells, in their order."""
        return tuple(dict.fromkeys(self.told))

    @cached_property
    def is_numbering(self) -> bool:
        """Whether it numbers rows, and names no thing: "Ref. no.", "Tag"."""
        return not NUMBERING.isdisjoint(self.words) and all(one in NUMBERING or not in_dictionary(one) for one in self.words)

    @cached_property
    def is_amount(self) -> bool:
        """Whether its cells are more or less of something, and no numbers of things: "Beds", not "Room" or "Phone ext."."""
        numbers = self.kind == NUMBER and (
            (self.place == 0 and len(self.distinct) == len(self.told)) or {*self.words} & CALLING
        )
        return self.kind in ORDERED and not numbers

    @cached_property
    def is_notes(self) -> bool:
        """Whether it has remarks: it is called so, or its cells are phrases."""
        if self.kind != TEXT or not self.told or self.is_verdict:
            return False
        if not NOTES.isdisjoint(self.words):
            return True
        plain = sum(cell[:1].islower() and len(cell.split()) > 2 for cell in self.told)
        phrases = sum(cell[:1].islower() and len(cell.split()) > 1 for cell in self.told)
        varied = len(self.told) < len(self.cells) and len(self.distinct) > 0.8 * len(self.told)
        return (plain > len(self.told) / 2 or (varied and phrases > len(self.told) / 2)) and len(self.distinct) > 1

    @cached_property
    def named(self) -> float:
        """The share of cells that are names."""
        return sum(map(is_name, self.told)) / max(1, len(self.told)) if self.kind == TEXT else 0.0

    @cached_property
    def likeness_to_people(self) -> float:
        """How much it is one of people: called by one, or after what they do, and its cells are names."""
        needed = NAMED / 2 if len(self.words) > 1 and self.words[-1] in ("to", "by") else NAMED
        return likeness_to_people(self.words, self.distinct) if self.words and self.named >= needed else 0.0

    @cached_property
    def is_place(self) -> bool:
        """Whether it says where something is."""
        called = bool(self.words) and (self.words[-1] in ("where", "at", "in", "on") or is_called_place(self.words))
        called = called or (self.kind == TEXT and 2 * len(self.distinct) <= len(self.told) + 1 and are_places(self.distinct))
        return (
            not self.likeness_to_people
            and (self.kind == TEXT or not self.is_amount)
            and self.kind != WHETHER
            and called
            and not self.is_notes
        )

    def order_of(self, row: int) -> float | Moment | None:
        """By what a row is before or after others; None where its cell says nothing of that."""
        cell = self.cells[row]
        if self.kind == DATE:
            return self.moments[row]
        return value if (value := number_of(cell)) is not None else bounded(cell)

    def says(self, row: int) -> bool:
        """Whether its cell of a row says anything: in a column of numbers or dates "n/a" does not."""
        return bool(self.cells[row]) and not (self.kind in ORDERED and self.cells[row].lower() in UNKNOWN)

    def rows_with(self, cell: str) -> frozenset[int]:
        """The rows that have a cell."""
        return self.places.get(cell, frozenset())

    @cached_property
    def places(self) -> dict[str, frozenset[int]]:
        """The rows of each cell."""
        found = dict[str, list[int]]()
        for row, cell in enumerate(self.cells):
            found.setdefault(cell, []).append(row)
        return {cell: frozenset(rows) for cell, rows in found.items()}

    @cached_property
    def by_word(self) -> dict[str, list[str]]:
        """The different cells that have a word, by every form of it."""
        found = dict[str, list[str]]()
        for cell in self.distinct:
            for form in {form for word in words_of_cell(cell) for form in (word.lower(), *forms_of(word.lower()))}:
                found.setdefault(form, []).append(cell)
        return found

    def with_words(self, tokens: Iterable[Token]) -> list[str]:
        """The different cells that have one of these words in any form, in their order."""
        some = {cell for token in tokens for form in (token.low, *token.forms) for cell in self.by_word.get(form, ())}
        return [cell for cell in self.distinct if cell in some]


@dataclass(frozen=True, eq=False)
class Table:
    """A table: its columns, and the sentences of each row in the memory."""

    columns: tuple[Column, ...]
    held: tuple[tuple[Held, ...], ...]  # of each row
    source: str = ""
    size: int = 0  # sentences, with its head
    heads: tuple[int, ...] = ()  # the numbers of the sentences that name its columns, one of each file
    begins: frozenset[int] = frozenset()  # the first rows of its files
    older: frozenset[int] = frozenset()  # the numbers of sentences of rows that a later file has anew

    @cached_property
    def joined(self) -> dict[int, tuple[Table, tuple[Table, ...]]]:
        """Its joins with other tables that were made so far (:mod:`~memnet.memory.tables.joined`)."""
        return {}

    @cached_property
    def numbers(self) -> frozenset[int]:
        """The numbers of its sentences."""
        return self.older.union(one.number for row in self.held for one in row)

    def __len__(self) -> int:
        return len(self.held)

    @cached_property
    def key(self) -> Column:
        """The first column that numbers the rows or names them."""
        return next((one for one in self.columns if one.told and len(one.distinct) == len(one.told)), self.columns[0])

    @cached_property
    def thing(self) -> Column:
        """The column that says what a row is: "Part" beside "Ref. no.", "Dog" beside "Kennel", "Room no." beside "Doctor"."""
        first = self.columns[0]
        names_a_thing = not first.is_numbering and bool({*first.words} & NUMBERING)  # "Room no." is of rooms
        if first.kind == NUMBER and not first.is_amount and not first.is_numbering:
            second = next((one for one in self.columns[1:2] if one.kind == TEXT and one.told), None)
            is_name = second is not None and len(second.distinct) == len(second.told) and not second.likeness_to_people
            return second if second is not None and is_name and not second.is_notes else first
        if first.kind in ORDERED and not names_a_thing and not first.is_numbering:
            texts = [one for one in self.columns if one.kind == TEXT and one.told and not one.is_notes]
            texts = sorted(texts, key=lambda one: one.likeness_to_people > 0)
            return next((one for one in texts if len(one.distinct) >= UNIQUE * len(one.told)), first)
        if names_a_thing or len(first.distinct) < len(first.told):
            return first
        second = next((one for one in self.columns[1:2] if one.kind == TEXT and one.told), None)
        if second is None or second.is_notes or second.likeness_to_people or function_words().issuperset(second.words):
            return first  # "From" and "To" are called after no thing
        if any(cell.lower() in NOTHING | NO for cell in second.told):
            return first  # "none" is no name of a thing
        numbered = first.is_numbering or all(re.search(r"\d", cell) for cell in first.told)
        fits = len(second.distinct) >= UNIQUE * len(second.told)
        return second if numbered and fits else first

    @cached_property
    def said(self) -> Column:
        """What "what" asks for where no noun says it: the first column of different things, where the rows are numbered."""
        if not {*self.thing.words} & NUMBERING and self.thing.kind != NUMBER:
            return self.thing
        texts = (one for one in self.columns if one.kind == TEXT and one is not self.thing and one.told and not one.is_notes)
        found = (one for one in texts if not one.likeness_to_people and len(one.distinct) >= VARIED * len(one.told))
        return next(found, self.thing)

    @cached_property
    def is_unnamed(self) -> bool:
        """Whether the header of what a row is says no kind of thing: "Title", "Name"."""
        return bool(self.thing.words) and {*self.thing.words} <= TITLES

    @cached_property
    def nouns(self) -> frozenset[str]:
        """What a row is called: the nouns of the columns that name it, in singular and plural."""
        told = [word for one in {self.thing, self.columns[0]} for word in one.words if word not in NUMBERING]
        told = [word for word in told if word not in function_words()] or told
        return frozenset(lemma for word in told for lemma in lemmas(word))

    @cached_property
    def adjectives(self) -> Column | None:
        """A column that tells things of one name from each other and stands before it, such as a colour."""
        if len(self.thing.distinct) == len(self.thing.told):
            return None
        told = [one for one in self.columns if one.kind == TEXT and one is not self.thing and one.told and not one.is_notes]
        return next((one for one in told if sum(map(is_adjective, one.distinct)) > ADJECTIVES * len(one.distinct)), None)

    def label(self, row: int) -> str:
        """What a row is called, with an adjective where others have the same name."""
        name = self.thing.cells[row]
        if not name:
            return self.columns[0].cells[row] or f"row {row + 1}"
        return f"{self.adjectives.cells[row]} {name}".strip() if self.adjectives is not None else name

    @cached_property
    def person(self) -> Column | None:
        """The column of the people that rows are of: that which names them, or the one beside their numbers."""
        numbered = all(re.search(r"\d", cell) for cell in self.columns[0].told)
        return next((one for one in (self.thing, *self.columns[1 : 1 + numbered]) if one in self.people), None)

    @cached_property
    def people(self) -> tuple[Column, ...]:
        """The columns of people, the likest first."""
        found = [one for one in self.columns if one.likeness_to_people > 0]
        return tuple(sorted(found, key=lambda one: -one.likeness_to_people))

    def of_kind(self, kinds: Sequence[str] | frozenset[str]) -> list[Column]:
        """The columns of these kinds that are no numbering of the rows."""
        return [one for one in self.columns if one.kind in kinds and one.told and one.is_amount]


def is_called_place(words: Key) -> bool:
    """Whether a header is a place: one of the lexicon, or very like places."""
    return called(PLACES, words) > 0 or likeness(words, PLACE_LIKE) >= PLACE


def is_adjective(cell: str) -> bool:
    """Whether a cell is an adjective, such as a colour: "dark green"."""
    words = cell.lower().split()
    return bool(words) and all("ADJ" in kinds_of_word(word) for word in words)


def common_words(cells: Sequence[str]) -> Counter[str]:
    """In how many different cells each word stands, in small letters."""
    return Counter(word for cell in cells for word in {one.lower() for one in split(cell)})


__all__ = ["NUMBER", "Column", "Key", "Table", "common_words"]
