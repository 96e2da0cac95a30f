"""A question read against one table: the cells it names, the words of headers in it, conditions, and what it asks for.

Which rooms without a sink are larger than 20 square metres?
noun     rooms: what a row is           limits   size > 20
whether  sink = no                      rows     those that fit all of it
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise

from memnet.memory.columns import LIKE, cosine, is_only_a_noun, similarity
from memnet.memory.tables.addressing import rows_read
from memnet.memory.tables.cells import DATE, NO, NOTHING, TEXT, YES
from memnet.memory.tables.degrees import costs_are_asked, is_cost
from memnet.memory.tables.named import Named
from memnet.memory.tables.negated import DENYING, DENYING_NEXT, Denied, denied_in, other_rows
from memnet.memory.tables.people import as_agent
from memnet.memory.tables.places_left import rows_with_room
from memnet.memory.tables.spoken import PERIODS, Spoken
from memnet.memory.tables.table import Column
from memnet.memory.tables.union import Condition, alternatives, ors_in
from memnet.memory.tables.wording import JOINING, NUMBER_SIGNS, PERSONS, Token, is_same_deed, is_unit
from memnet.tasks.text.english import of_class

EMPTINESS = of_class("free vacant empty available unoccupied unlet untaken spare unassigned unclaimed nobody none no-one")
NEGATIONS = of_class("not no without never nobody none neither nor lacking")
BETWEEN = of_class("and the a an by in on at")
SETTING_OUT, REACHING = of_class("start begin leave depart"), of_class("arrive end finish stop reach land")
SAME_NOUN = 0.7  # cosine of nouns that say the same: those of "width" and "height" are as near, so of no numbers
WHERE = tuple((word,) for word in ("in", "on", "at", "under", "from", "behind"))  # before a place, which is no row
NEAR = 0.4  # cosine of a noun to a header, behind a cell of it


class Reading(Spoken):
    """What a question says of the rows of one table, and which of its words nothing explains."""

    def drop_odd_parts(self) -> None:
        """Take parts of notes for no condition, where no row that is named has them: "eat" is not "eats stones" of another."""
        rows = self.rows()
        if rows or not self.whole:
            return
        for one in self.parts:
            if all(self.table.columns[place].is_notes for place in one.rows) and self.rows(but=(one,)):
                self.dropped.update(one.tokens)
                return

    def rows(self, but: Iterable[Named] = (), columns: Iterable[Column] = ()) -> frozenset[int]:
        """The rows that fit all that the question names, but for some, and all conditions; not by cells of ``columns``."""
        conditions = self.conditions(but, columns)
        if self.ors and (groups := alternatives(self.question.low, conditions, self.ors)) is not None:
            return rows_read([frozenset().union(*(one.rows for one in some)) for some in groups], len(self.table))
        return rows_read([one.rows for one in conditions], len(self.table))

    def conditions(self, but: Iterable[Named] = (), columns: Iterable[Column] = ()) -> list[Condition]:
        """The conditions of a question, but for some cells that are named, and not by cells of ``columns``."""
        apart, no, found = {*but}, {one.place for one in columns}, list[Condition]()
        for one in self.named:
            if one not in apart and (by := {place: rows for place, rows in self.of_columns(one).items() if place not in no}):
                fitting, said = frozenset[int]().union(*by.values()), tuple(self.table.columns[place] for place in by)
                is_denied = one in self.denied.named
                fitting = other_rows(said, fitting) if is_denied else fitting
                found.append(Condition(one.tokens[0], one.tokens[-1], fitting, is_denied, said))
        for limit in self.limits:
            is_denied = limit in self.denied.limits
            places, rows = limit.places, limit.rows(not is_denied)
            found.append(Condition(min(places), max(places), rows, is_denied, limit.columns))
        for places, rows in self.states:
            said = tuple(column for at in places for column in self.headers.get(at, ()))
            found.append(Condition(min(places), max(places), rows, columns=said))
        return found

    @cached_property
    def ors(self) -> list[int]:
        """Where "or" stands between two things that a question says."""
        low = self.question.low
        found = ors_in(low, self.used | {at for one in self.limits for at in one.places}) if "or" in low else []
        return [*found, *self.ands_of_rows] if "and" in low else found

    @property
    def ands_of_rows(self) -> list[int]:
        """Where "and" joins two cells of a column, so that the rows of both are asked for: "the laptops and phones"."""
        noun, low, found = self.noun, self.question.low, list[int]()
        for one, other in pairwise(self.named) if noun is not None else ():
            between = low[one.tokens[-1] + 1 : other.tokens[0]]
            same = [self.table.columns[place] for place in one.rows if len(one.rows) == 1 and {*one.rows} == {*other.rows}]
            asked = noun is not None and (self.is_of_rows(noun) or noun.place in one.tokens)
            if asked and same and between[:1] == ("and",) and {*between} <= BETWEEN and not any(part.is_notes for part in same):
                found.append(one.tokens[-1] + 1)
        return found

    def of_columns(self, one: Named) -> dict[int, frozenset[int]]:
        """The rows of what is named, in the columns whose headers the question says where there are several."""
        if len(one.rows) > 1 and (way := self.way_of(one)) is not None:
            return {way.place: one.rows[way.place]}
        if (role := self.role_before(one)) is not None:
            return {role.place: one.rows[role.place]}
        if (verb := self.verb_behind(one)) is not None:
            return {verb.place: one.rows[verb.place]}
        if self.table.thing.place in one.rows:
            return {self.table.thing.place: one.rows[self.table.thing.place]}
        said = {place: rows for place, rows in one.rows.items() if self.score(self.table.columns[place]) >= 1.0}
        return said if said and len(one.rows) > 1 else one.rows

    def way_of(self, one: Named) -> Column | None:
        """The column that is called by what stands before a cell: of "from Market" it is "From", and not "To"."""
        columns = [self.table.columns[place] for place in one.rows]
        ways = [column for column in columns if JOINING.issuperset(column.words)]
        before = [word for word in self.question.low[: one.tokens[0]] if word not in ("the", "a", "an")][-1:]
        said = [column for column in ways if before and before[0] in column.words]
        for verbs, ends in ((SETTING_OUT, ("from",)), (REACHING, ("to",))):
            if not said and any(not token.forms.isdisjoint(verbs) for token in self.question.tokens[: one.tokens[0]]):
                said = [column for column in ways if not {*column.words}.isdisjoint(ends)]
        return said[0] if len(said) == 1 else None

    def role_before(self, one: Named) -> Column | None:
        """The column whose header stands right before somebody: "people managed by Ann" have her as manager."""
        at = one.tokens[0] - 1
        if len(one.rows) < 2 or at < 1 or self.question.low[at] != "by":
            return None
        said = [column for column in self.headers.get(at - 1, ()) if column.place in one.rows]
        return said[0] if len(said) == 1 else None

    def verb_behind(self, one: Named) -> Column | None:
        """The column of whom somebody does something to: "Whom does Ann manage?" asks for rows that have Ann as manager."""
        if {"do", "does", "did"}.isdisjoint(self.question.low) or len(one.rows) < 2:
            return None
        after = [at for at in self.headers if at > one.tokens[-1] and not is_only_a_noun(self.question.low[at])]
        said = [
            column for at in after for column in self.headers[at] if column.place in one.rows and column is not self.table.thing
        ]
        return said[0] if said else None

    @cached_property
    def denied(self) -> Denied:
        """What "not" denies."""
        return denied_in(self, [places for places, _ in self.states])

    def is_denied(self, place: int) -> bool:
        """Whether a word is denied: "without a sink", "no sink", "do not have a sink"."""
        low = self.question.low[:place]
        near = low[-3:]
        return not NEGATIONS.isdisjoint(near) or (
            "not" in low and not any(word in ("and", "but") for word in low[low.index("not") :])
        )

    @cached_property
    def states(self) -> list[tuple[tuple[int, ...], frozenset[int]]]:
        """The conditions by yes and no, and by cells that are empty: the places of their words, and the rows."""
        found, low = list[tuple[tuple[int, ...], frozenset[int]]](), self.question.low
        for place, columns in self.headers.items():
            token = self.question.tokens[place]
            is_noun = self.noun is not None and self.noun.place == place
            for column in columns if not is_noun and not self.is_of_rows(token) else ():
                if column.is_verdict:
                    found.append(((place,), rows_by_answer(column, not self.is_denied(place))))
                elif (
                    token.low not in JOINING
                    and self.is_denied(place)
                    and not any(column.place in one.rows for one in self.whole)
                    and column not in [column for one in self.limits for column in one.columns]
                    and not self.is_since(place)
                    and not (place and low[place - 1] == "not" and any(one.tokens[0] > place for one in self.whole))
                ):
                    found.append(((place,), rows_without(column)))
                elif self.is_had(place, column):
                    found.append(((place,), frozenset(row for row, cell in enumerate(column.cells) if not is_nothing(cell))))
        for places, rows, column in rows_with_room(self.table, self.question):
            found.append((places, other_rows((column,), rows) if self.is_denied(places[0]) else rows))
        for token in self.question.tokens:
            free = token.low in EMPTINESS and token.place not in self.used and token.place not in self.taken_by_parts
            if free and (emptied := self.emptied(token)) is not None:
                told = frozenset(row for row, cell in enumerate(emptied.cells) if cell)
                is_free = token.low in NEGATIONS or DENYING.isdisjoint(low[: token.place])
                found.append(((token.place,), frozenset(range(len(self.table))) - told if is_free else told))
        return found

    def is_since(self, place: int) -> bool:
        """Whether a word says since when something has not been: "longest without a survey"."""
        return self.degree is not None and self.degree.attribute in ("length", "date") and place > max(self.degree.places)

    def is_had(self, place: int, column: Column) -> bool:
        """Whether a word of a header asks that a row has a cell there: "with a driver", "on loan", "is borrowed"."""
        low = self.question.low
        if not any(map(is_nothing, column.cells)) or column in self.named_columns or column.kind != TEXT:
            return False
        before = low[max(0, place - 2) : place]
        if before[-1:] in (("have",), ("has",), ("got",), ("with",)):
            return True  # "have pets"
        have = before[-1:] in (("a",), ("an",), ("any",)) and bool({"have", "has", "got", "with", "having"} & {*low[:place]})
        return have or before[-1:] == ("on",) or (bool({"is", "are", "out"} & {*low[:place]}) and low[0] in ("which", "how"))

    def emptied(self, token: Token) -> Column | None:
        """The column that is empty where a row is free: of people for "nobody", else the first that is empty somewhere."""
        texts = [one for one in self.table.columns[1:] if one.kind == TEXT and not one.is_notes and one.told]
        columns = self.table.people if token.low in ("nobody", "no-one", "none") else texts
        return next((one for one in columns if len(one.told) < len(one.cells)), None)

    def left(self, columns: Iterable[Column], but: Iterable[int] = ()) -> list[Token]:
        """The words that nothing explains: not cells, conditions, headers of these columns, what is like them, or the rows."""
        chosen = [*columns]
        known = {*but} | self.understood | self.used | {place for one in self.named for place in one.tokens} | self.of_grammar
        known |= {place for limit in self.limits for place in limit.places} | {
            place for places, _ in self.states for place in places
        }
        known |= {*(self.degree.places if self.degree else ())}
        if self.denied.named:
            known |= {one.place for one in self.question.tokens if one.low in DENYING_NEXT}
        if self.noun is not None and (self.is_of_rows(self.noun) or self.is_any_noun(self.noun)):
            known.add(self.noun.place)
        return [
            one for one in self.question.tokens if one.says and one.place not in known and not self.is_explained(one, chosen)
        ]

    def links(self, token: Token) -> bool:
        """Whether a word may be a verb between rows and where they are: "How many acts play on Friday?"."""
        low = self.question.low
        if is_only_a_noun(token.low) or low[token.place + 1 : token.place + 2] not in (("in",), ("on",), ("at",), ("from",)):
            return False
        after = token.place + 2 + (low[token.place + 2 : token.place + 3] in (("the",), ("a",)))
        of_thing = any(after in one.tokens and self.table.thing.place in one.rows for one in self.whole)
        is_of_rows = any(self.is_of_rows(one) or one.low in PERSONS for one in self.question.tokens[: token.place])
        days = {place for limit in self.limits if limit.column.words == ("day",) for place in limit.places}
        return is_of_rows and (after in self.used or after in days) and not of_thing

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
        if self.links(token) or (token.low == "old" and any("age" in one.words for one in columns)):
            return True
        low = self.question.low[: token.place]
        if self.is_any_noun(token) and low[-1:] in (("a",), ("an",), ("any",), ("the",)) and low[-2:-1] not in WHERE:
            return True
        if token.low in NUMBER_SIGNS and token.place and self.headers.get(token.place - 1):
            return True
        if token.low in EMPTINESS and self.states:
            return True
        if any(is_same_deed(token.low, word) for one in columns if one.kind == DATE for word in one.words):
            return True
        if any(is_unit(word, token.low) for one in columns for word in one.unit.lower().split()):
            return True
        if any(map(is_cost, columns)) and (token.low in PERIODS or costs_are_asked(token)):
            return True
        if token.is_name or self.is_noun(token):
            texts = [] if token.is_name else [one for one in columns if one.kind == TEXT]
            return any(cosine(token.low, word) >= SAME_NOUN for one in texts for word in one.words)
        is_end = not any(one.says for one in self.question.tokens[token.place + 1 :])
        if is_end and low[-1:] in (("is",), ("are",)) and self.noun is not None and self.is_of_rows(self.noun) and self.named:
            return False  # "Which tools in the shed are broken?" asks for no place
        told = "when" not in self.question.low  # vectors do not tell what was sold from what was bought
        if told and any(
            cosine(agent, one.words[-1]) >= LIKE for one in columns if one in self.table.people for agent in as_agent(token.low)
        ):
            return True
        return any(similarity(token.low, one.words, told and one.words[-1:] != ("by",)) >= LIKE for one in columns)


def is_nothing(cell: str) -> bool:
    """Whether a cell is empty, or says that there is none."""
    return cell.lower() in NOTHING | NO or not cell


def rows_without(column: Column) -> frozenset[int]:
    """The rows whose cell says that there is none; where no cell says so, those that leave it empty."""
    nothing = frozenset(row for row, cell in enumerate(column.cells) if is_nothing(cell))
    return frozenset(row for row in nothing if column.cells[row]) or nothing


def rows_by_answer(column: Column, answer: bool) -> frozenset[int]:
    """The rows whose cell says yes, or those that say no."""
    wanted = YES if answer else NO | ({""} if column.is_ticked else set())
    return frozenset(row for row, cell in enumerate(column.cells) if cell.lower() in wanted)
