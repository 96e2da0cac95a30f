"""A question read against one table: the cells it names, the words of headers in it, conditions, and what it asks for.

Which plots without a shed are larger than 100 square metres?
noun     plots: what a row is           limits   size > 100
whether  shed = no                      rows     those that fit all of it
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from memnet.memory.columns import LIKE, cosine, is_only_a_noun, similarity
from memnet.memory.tables.cells import NO, NOTHING, TEXT, WHETHER, YES
from memnet.memory.tables.degrees import Degree, costs_are_asked, degree_of, is_cost
from memnet.memory.tables.limits import limits_of
from memnet.memory.tables.named import Named, parts_of_cells, whole_cells
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.wording import GENERIC, NUMBER_SIGNS, PERSONS, Question, Token, is_unit, is_word
from memnet.tasks.text.english import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    QUESTION_WORDS,
    TIMES,
    kinds_of_word,
    of_class,
    singular,
)

EMPTINESS = of_class("free vacant empty available unoccupied unlet untaken spare unassigned unclaimed nobody none no-one")
NEGATIONS = of_class("not no without never nobody none neither nor lacking")
SORTS = of_class("kind kinds sort sorts type types category class")
SORT_LIKE = 0.5  # cosine of a header to "type"
LITTLE = 0.4  # what a preposition counts of a header's word
JOINING = PREPOSITIONS | of_class("on for by up since until with of back out due per under over about")
TIME_NOUNS = TIMES | of_class("date time day year month")
PERIODS = of_class("day week month year hour per a")  # in a header of an amount
SAME_NOUN = 0.7  # cosine of nouns that say the same: those of "width" and "height" are as near, so of no numbers
NEAR = 0.4  # cosine of a noun to a header, behind a cell of it
DOMAIN = of_class("in on of at")  # before where "the biggest" is the biggest


@dataclass(eq=False)
class Reading:
    """What a question says of one table."""

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
        self.limits, self.lost = limits_of(self.table, self.question, {*self.used, *noted})
        self.degree: Degree | None = degree_of(self.question) if not self.is_of_limit else None
        if self.degree is not None and not self.used.isdisjoint(self.degree.places):
            self.degree = None
        self.understood = set[int]()  # places of words by which a column was found
        headers = {place for place, columns in self.headers.items() if columns}
        if self.degree is not None and self.is_in_header(self.degree.places[0]):
            self.degree = None
        if self.noun is not None and self.noun.low in TIME_NOUNS | SORTS | PERSONS:
            self.understood.add(self.noun.place)
        spoken = (
            headers
            | self.used
            | self.understood
            | self.domain()
            | {*(self.degree.places if self.degree else ())}
            | self.of_grammar
        )
        self.parts = parts_of_cells(self.table, self.question, spoken - headers, headers)
        self.dropped = set[int]()  # places of parts that are no condition

    def is_in_header(self, place: int) -> bool:
        """Whether a word stands in a question as in a header, beside its next word or the one before: "next of kin"."""
        low = self.question.low
        for column in self.headers.get(place, ()):
            pairs = {*zip(column.words, column.words[1:], strict=False)}
            if low[place : place + 2] in pairs or (place and low[place - 1 : place + 1] in pairs):
                return True
        return False

    @cached_property
    def is_of_limit(self) -> bool:
        """Whether a word of degree is that of a condition: "larger than 50"."""
        return any(not one.is_date for one in self.limits)

    @property
    def named(self) -> list[Named]:
        """The cells that are named, in whole or in part."""
        return [*self.whole, *(one for one in self.parts if self.dropped.isdisjoint(one.tokens))]

    def drop_odd_parts(self) -> None:
        """Take parts of notes for no condition, where no row that is named has them: "eat" is not "eats stones" of another."""
        rows = self.rows()
        if rows or not self.whole:
            return
        for one in self.parts:
            if all(self.table.columns[place].is_notes for place in one.rows) and self.rows(but=(one,)):
                self.dropped.update(one.tokens)
                return

    @cached_property
    def of_grammar(self) -> set[int]:
        """The places of words that stand for any row, or any person."""
        return {one.place for one in self.question.tokens if one.low in GENERIC | PERSONS | QUESTION_WORDS and not one.is_name}

    @cached_property
    def headers(self) -> dict[int, list[Column]]:
        """The columns of whose headers a word of the question is one, by its place."""
        found = dict[int, list[Column]]()
        for token in self.question.tokens:
            if token.place in self.used or token.low in AUXILIARIES or token.low in QUESTION_WORDS - {"where"}:
                continue
            if token.place == 0 and token.low in JOINING:
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
        """The places of words of the headers of these columns: "lent" beside what is named of "Lent to"."""
        return {
            place
            for place, columns in self.headers.items()
            if not (self.named_columns | {one.column for one in self.limits}).isdisjoint(columns)
        }

    def in_question(self, column: Column) -> list[Column]:
        """The column, in a list, where the question says a word of its header that is no preposition."""
        return [column] if self.score(column) >= 1.0 else []

    # Rows

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
            place = max(self.degree.places)  # "What is the biggest plot?"
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
        return token.low in GENERIC or not token.forms.isdisjoint(self.table.nouns)

    def is_any_noun(self, token: Token) -> bool:
        """Whether a noun may be what rows are, as no header says that: "books", where titles are."""
        if not self.table.is_unnamed or token.is_name or token.place in self.used or self.headers.get(token.place):
            return False
        return not any(token.place in one.tokens for one in self.parts) and "NOUN" in (
            kinds_of_word(singular(token.low)) or ("NOUN",)
        )

    def rows(self, but: Iterable[Named] = (), columns: Iterable[Column] = ()) -> frozenset[int]:
        """The rows that fit all that the question names, but for some, and all conditions; not by cells of ``columns``."""
        left, apart, no = frozenset(range(len(self.table))), {*but}, {one.place for one in columns}
        for one in self.named:
            if one not in apart and (rows := [rows for place, rows in self.of_columns(one).items() if place not in no]):
                left &= frozenset().union(*rows)
        for limit in self.limits:
            left &= limit.rows()
        for _, rows in self.states:
            left &= rows
        return left

    def of_columns(self, one: Named) -> dict[int, frozenset[int]]:
        """The rows of what is named, in the columns whose headers the question says where there are several."""
        if (verb := self.verb_behind(one)) is not None:
            return {verb.place: one.rows[verb.place]}
        if self.table.thing.place in one.rows:
            return {self.table.thing.place: one.rows[self.table.thing.place]}
        said = {place: rows for place, rows in one.rows.items() if self.score(self.table.columns[place]) >= 1.0}
        return said if said and len(one.rows) > 1 else one.rows

    def verb_behind(self, one: Named) -> Column | None:
        """The column of whom somebody does something to: "Whom does Ann manage?" asks for rows that have Ann as manager."""
        if {"do", "does", "did"}.isdisjoint(self.question.low) or len(one.rows) < 2:
            return None
        after = [at for at in self.headers if at > one.tokens[-1] and not is_only_a_noun(self.question.low[at])]
        said = [
            column for at in after for column in self.headers[at] if column.place in one.rows and column is not self.table.thing
        ]
        return said[0] if said else None

    def is_denied(self, place: int) -> bool:
        """Whether a word is denied: "without a shed", "no shed", "do not have a shed"."""
        low = self.question.low[:place]
        near = low[-3:]
        return not NEGATIONS.isdisjoint(near) or (
            "not" in low and not any(word in ("and", "but") for word in low[low.index("not") :])
        )

    @cached_property
    def states(self) -> list[tuple[tuple[int, ...], frozenset[int]]]:
        """The conditions by yes and no, and by cells that are empty: the places of their words, and the rows."""
        found = list[tuple[tuple[int, ...], frozenset[int]]]()
        for place, columns in self.headers.items():
            token, before = self.question.tokens[place], self.question.low[max(0, place - 3) : place]
            is_noun = self.noun is not None and self.noun.place == place
            for column in columns if not is_noun and not self.is_of_rows(token) else ():
                if column.kind == WHETHER:
                    found.append(((place,), rows_by_answer(column, not self.is_denied(place))))
                elif token.low not in JOINING and self.is_denied(place) and column not in self.named_columns:
                    found.append(((place,), frozenset(row for row, cell in enumerate(column.cells) if is_nothing(cell))))
                elif self.is_had(place, column):
                    found.append(((place,), frozenset(row for row, cell in enumerate(column.cells) if not is_nothing(cell))))
        for token in self.question.tokens:
            if token.low in EMPTINESS and token.place not in self.used and token.place not in self.taken_by_parts:
                column = self.emptied(token)
                if column is not None:
                    found.append(((token.place,), frozenset(row for row, cell in enumerate(column.cells) if not cell)))
        return found

    def is_had(self, place: int, column: Column) -> bool:
        """Whether a word of a header asks that a row has a cell there: "with a driver", "on loan", "is borrowed"."""
        low = self.question.low
        if len(column.told) == len(column.cells) or column in self.named_columns or column.kind != TEXT:
            return False
        before = low[max(0, place - 2) : place]
        have = before[-1:] in (("a",), ("an",), ("any",)) and bool({"have", "has", "got", "with", "having"} & {*low[:place]})
        return have or before[-1:] == ("on",) or (bool({"is", "are", "out"} & {*low[:place]}) and low[0] in ("which", "how"))

    def emptied(self, token: Token) -> Column | None:
        """The column that is empty where a row is free: of people for "nobody", else the first that is empty somewhere."""
        texts = [one for one in self.table.columns[1:] if one.kind == TEXT and not one.is_notes and one.told]
        columns = self.table.people if token.low in ("nobody", "no-one", "none") else texts
        return next((one for one in columns if len(one.told) < len(one.cells)), None)

    @cached_property
    def taken_by_parts(self) -> set[int]:
        """The places of words that name parts of cells."""
        return {place for one in self.parts for place in one.tokens}

    # What is left

    def left(self, columns: Iterable[Column], but: Iterable[int] = ()) -> list[Token]:
        """The words that nothing explains: not cells, conditions, headers of these columns, what is like them, or the rows."""
        chosen = [*columns]
        known = {*but} | self.understood | self.used | {place for one in self.named for place in one.tokens} | self.of_grammar
        known |= {place for limit in self.limits for place in limit.places} | {
            place for places, _ in self.states for place in places
        }
        known |= {*(self.degree.places if self.degree else ())}
        if self.noun is not None and (self.is_of_rows(self.noun) or self.is_any_noun(self.noun)):
            known.add(self.noun.place)
        return [
            one for one in self.question.tokens if one.says and one.place not in known and not self.is_explained(one, chosen)
        ]

    def is_explained(self, token: Token, columns: list[Column]) -> bool:
        """Whether a word is one of the headers of these columns or of the row's, or like them."""
        if any(one in columns for one in self.headers.get(token.place, ())) or self.is_of_rows(token):
            return True
        headed = self.headers.get(token.place, ())
        if headed and token is not self.noun and (any(one.kind == TEXT for one in headed) or not is_only_a_noun(token.low)):
            return True  # "Priti Shah's cake", of a row that has a cake
        behind = self.question.tokens[token.place - 1]
        if (
            behind.place in self.used
            and behind.text.islower()
            and any(cosine(token.low, word) >= NEAR for one in self.named_columns for word in one.words)
        ):
            return True  # "wet food", of what they are fed
        if self.is_any_noun(token) and self.question.low[token.place - 1] in ("a", "an", "any", "the"):
            return True
        if token.low in NUMBER_SIGNS and token.place and self.headers.get(token.place - 1):
            return True
        if token.low in EMPTINESS and self.states:
            return True
        if any(is_unit(word, token.low) for one in columns for word in one.unit.lower().split()):
            return True
        if any(map(is_cost, columns)) and (token.low in PERIODS or costs_are_asked(token)):
            return True
        if token.is_name or self.is_noun(token):
            texts = [] if token.is_name else [one for one in columns if one.kind == TEXT]
            return any(cosine(token.low, word) >= SAME_NOUN for one in texts for word in one.words)
        by_vectors = "when" not in self.question.low  # which do not tell what was sold from what was bought
        return any(similarity(token.low, one.words, by_vectors) >= LIKE for one in columns)

    def is_noun(self, token: Token) -> bool:
        """Whether a word is a noun, by the dictionary or by what stands before it: "Ann's salary", "the salary"."""
        before = self.question.tokens[token.place - 1] if token.place else None
        behind = before is not None and (before.owning or before.low in DETERMINERS or before.low in ("which", "what", "many"))
        return behind or is_only_a_noun(token.low)

    def domain(self) -> set[int]:
        """The places of words that say among what something is the most: "the biggest plot on the site"."""
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


def is_nothing(cell: str) -> bool:
    """Whether a cell is empty, or says that there is none."""
    return cell.lower() in NOTHING or not cell


def rows_by_answer(column: Column, answer: bool) -> frozenset[int]:
    """The rows whose cell says yes, or those that say no."""
    wanted = YES if answer else NO | ({""} if column.is_ticked else set())
    return frozenset(row for row, cell in enumerate(column.cells) if cell.lower() in wanted)
