"""The words of a question beside one table: the cells that they name, the words of headers, and the noun that is asked for.

"Which rooms does Ann have?"     noun: rooms, of the header "Room no."     named: doctor = Ann
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from memnet.memory.columns import is_only_a_noun
from memnet.memory.tables.cells import DATE
from memnet.memory.tables.degrees import LEAST, MOST, Degree, degree_of
from memnet.memory.tables.limits import Limit, limits_of
from memnet.memory.tables.named import Named, parts_of_cells, whole_cells
from memnet.memory.tables.places_left import remaining, spaces
from memnet.memory.tables.table import Column, Table, is_called_place
from memnet.memory.tables.versus import versus_of
from memnet.memory.tables.wording import (
    GENERIC,
    JOINING,
    NUMBER_SIGNS,
    PERSONS,
    TIME_NOUNS,
    Question,
    Token,
    is_cut_short,
    is_word,
)
from memnet.tasks.text.english import (
    AUXILIARIES,
    DETERMINERS,
    QUESTION_WORDS,
    kinds_of_word,
    of_class,
    singular,
)

SORTS = of_class("kind kinds sort sorts type types category class")
SORT_LIKE = 0.5  # cosine of a header to "type"
LITTLE = 0.4  # what a preposition counts of a header's word
PERIODS = of_class("day week month year hour per a")  # in a header of an amount
DOMAIN = of_class("in on of at")  # before where "the biggest" is the biggest


@dataclass(eq=False)
class Spoken:
    """What the words of a question are to one table."""

    table: Table
    question: Question

    def __post_init__(self) -> None:
        self.whole = whole_cells(self.table, self.question)
        self.used = {place for one in self.whole for place in one.tokens}
        noted = {
            place
            for one in parts_of_cells(self.table, self.question, self.used, set())
            if len(one.tokens) > 1
            for place in one.tokens
        }
        self.limits, self.lost = self.conditions_besides({*self.used, *noted})
        self.degree: Degree | None = degree_of(self.question, {at for one in self.limits for at in one.places})
        if self.degree is not None and not self.degree.superlative and self.is_of_limit:
            self.degree = None
        if self.degree is not None and (not self.used.isdisjoint(self.degree.places) or self.is_of_last_time):
            self.degree = None
        self.understood = set[int]()  # places of words by which a column was found
        headers = {place for place, columns in self.headers.items() if columns}
        if self.degree is not None and self.is_in_header(self.degree.places[0]):
            apart = {at for at in self.headers if self.is_in_header(at)} | {at for one in self.limits for at in one.places}
            self.degree = degree_of(self.question, apart | self.used)
        if self.noun is not None and self.noun.low in TIME_NOUNS | SORTS | PERSONS:
            self.understood.add(self.noun.place)
        spoken = (
            headers
            | self.used
            | self.understood
            | self.domain()
            | {*(self.degree.places if self.degree else ())}
            | self.of_grammar
            | {at for one in self.limits for at in one.places}
        )
        self.parts = parts_of_cells(self.table, self.question, spoken - headers, headers)
        self.dropped = set[int]()  # places of parts that are no condition

    def conditions_besides(self, used: set[int]) -> tuple[list[Limit], list[tuple[int, ...]]]:
        """The conditions on two columns, on numbers and on dates, in no word that is ``used``, and those that are not clear."""
        versus, unclear = versus_of(self.table, self.question, used)
        taken = {at for one in versus for at in one.places}
        tokens = (replace(one, text=",") if one.place in taken else one for one in self.question.tokens)
        limits, lost = limits_of(self.table, replace(self.question, tokens=tuple(tokens)) if taken else self.question, used)
        return [*versus, *limits], [*unclear, *lost]

    @cached_property
    def is_of_limit(self) -> bool:
        """Whether a word of degree is that of a condition: "larger than 50"."""
        return any(not one.is_date for one in self.limits)

    @property
    def is_of_last_time(self) -> bool:
        """Whether "last" is of a column of dates that is called so, of one row: "When was Ann last seen?"."""
        last = self.degree is not None and self.degree.adjective == "last" and self.question.low[0] == "when"
        return last and bool(self.whole) and any(one.kind == DATE and one.words[0] == "last" for one in self.table.columns)

    def is_in_header(self, place: int) -> bool:
        """Whether a word stands in a question as in a header, beside its next word or the one before: "next of kin"."""
        low = self.question.low
        for column in self.headers.get(place, ()):
            pairs = {*zip(column.words, column.words[1:], strict=False)}
            if low[place : place + 2] in pairs or (place and low[place - 1 : place + 1] in pairs):
                return True
            cut = low[place] in MOST | LEAST and any(is_cut_short(word, low[place]) for word in column.words)
            if cut and column in self.headers.get(place + 1, ()):
                return True  # "minimum stock", of "Min stock"
        return False

    @property
    def named(self) -> list[Named]:
        """The cells that are named, in whole or in part."""
        return [*self.whole, *(one for one in self.parts if self.dropped.isdisjoint(one.tokens))]

    @cached_property
    def of_grammar(self) -> set[int]:
        """The places of words that stand for any row, or any person."""
        return {one.place for one in self.question.tokens if one.low in GENERIC | PERSONS | QUESTION_WORDS and not one.is_name}

    @cached_property
    def headers(self) -> dict[int, list[Column]]:
        """The columns of whose headers a word of the question is one, by its place."""
        found, space = dict[int, list[Column]](), spaces(self.question) if remaining(self.table) else set[int]()
        for token in self.question.tokens:
            if (
                token.place in space
                or token.place in self.used
                or token.low in AUXILIARIES
                or token.low in QUESTION_WORDS - {"where"}
                or token.low == "not"
            ):
                continue
            if token.place == 0 and token.low in JOINING - {"since", "until"}:
                continue
            same = str.__eq__ if token.is_name else is_word
            found[token.place] = [
                one
                for one in self.table.columns
                if any(same(token.low, word) for word in one.words if word not in JOINING or word == token.low)
            ]
        return found

    def score(self, column: Column) -> float:
        """How much of a column's header the question says."""
        said, apart = 0.0, self.in_named_headers if column not in self.named_columns else set()
        for word in dict.fromkeys(column.words):
            places = [
                place
                for place, columns in self.headers.items()
                if (place not in apart or len(column.words) == 1)
                and column in columns
                and is_word(self.question.low[place], word)
            ]
            said += (LITTLE if word in JOINING | NUMBER_SIGNS | PERIODS else 1.0) * bool(places)
        return said

    @cached_property
    def named_columns(self) -> set[Column]:
        """The columns of which cells are said whole, where that is one each."""
        return {self.table.columns[place] for one in self.whole for place in one.rows if len(one.rows) == 1}

    @cached_property
    def in_named_headers(self) -> set[int]:
        """The places of words of the headers of these columns: "loaned" beside what is named of "Loaned to"."""
        return {
            place
            for place, columns in self.headers.items()
            if not (self.named_columns | {column for one in self.limits for column in one.columns}).isdisjoint(columns)
        }

    @cached_property
    def noun(self) -> Token | None:
        """The noun behind "which", "what" and "how many"; None where there is none."""
        low, tokens = self.question.low, self.question.tokens
        place = next((at for at, word in enumerate(low) if word in ("which", "what", "many", "whose")), None)
        if (
            self.degree is not None
            and self.degree.superlative
            and place is not None
            and low[place + 1 : place + 2] in (("is",), ("are",))
        ):
            place = max(self.degree.places)  # "What is the biggest room?"
            if place + 1 >= len(low) or low[place + 1] in JOINING:
                return None
        if place is None or (low[place] == "many" and (place == 0 or low[place - 1] != "how")):
            return None
        at = place + 1
        if low[at : at + 1] == ("of",):
            at += 1
        while at < len(low) and (
            low[at] in ("the", "our", "these", "those", "other", "different", "all", "more")
            or at in (self.degree.places if self.degree else ())
        ):
            at += 1
        first = at
        while (
            at < len(low)
            and at in self.used
            and at + 1 < len(low)
            and low[at + 1] not in AUXILIARIES
            and not any(at + 2 in one.places for one in self.limits)  # "which laptops cost more than 50"
            and self.may_be_noun(at + 1)
        ):
            at += 1
        if at >= len(low) or low[at] in AUXILIARIES | JOINING or not self.may_be_noun(at):
            return tokens[first] if first < len(low) and first in self.used and low[first] not in AUXILIARIES else None
        return tokens[at]

    def may_be_noun(self, place: int) -> bool:
        """Whether a word may be a noun: one of a header, or for rows and people, or one that can be no verb in this place."""
        token = self.question.tokens[place]
        return bool(self.headers.get(place)) or token.low in GENERIC | PERSONS | SORTS or token.says or place in self.used

    def is_of_rows(self, token: Token) -> bool:
        """Whether a noun is what a row is called."""
        is_place = token.low in ("place", "places") and self.is_of_places and not self.headers.get(token.place)
        return token.low in GENERIC or is_place or not token.forms.isdisjoint(self.table.nouns)

    @cached_property
    def is_of_places(self) -> bool:
        """Whether rows are called a kind of place: "cabin", "field"."""
        return any(is_called_place((singular(word),)) for word in self.table.thing.words)

    def is_any_noun(self, token: Token) -> bool:
        """Whether a noun may be what rows are, as no header says that: "books", where titles are."""
        if not self.table.is_unnamed or token.is_name or token.place in self.used or self.headers.get(token.place):
            return False
        return not any(token.place in one.tokens for one in self.parts) and "NOUN" in (
            kinds_of_word(singular(token.low)) or ("NOUN",)
        )

    def is_noun(self, token: Token) -> bool:
        """Whether a word is a noun, by the dictionary or by what stands before it: "Ann's salary", "the salary"."""
        before = self.question.tokens[token.place - 1] if token.place else None
        behind = before is not None and (before.owning or before.low in DETERMINERS or before.low in ("which", "what", "many"))
        return behind or is_only_a_noun(token.low)

    def domain(self) -> set[int]:
        """The places of words that say among what something is the most: "the biggest room in the house"."""
        low = self.question.low
        if self.degree is None:
            return set()
        for place in range(max(self.degree.places) + 1, len(low) - 1):
            rest = range(place + 1, len(low))
            if (
                low[place] in DOMAIN
                and low[place + 1] in ("the", "our", "this")
                and len(rest) <= 3
                and not any(at in self.used for at in rest)
            ):
                return {*rest}
        return set()

    @cached_property
    def taken_by_parts(self) -> set[int]:
        """The places of words that name parts of cells."""
        return {place for one in self.parts for place in one.tokens}
