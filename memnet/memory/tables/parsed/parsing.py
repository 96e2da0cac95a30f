"""A question beside a table as a query, and how much of the question that explains."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from memnet.memory.columns import is_only_a_noun
from memnet.memory.tables.cells import DATE, MONEY, NO, NUMBER, ORDERED, YES
from memnet.memory.tables.degrees import Degree, ordered_column, sign_in
from memnet.memory.tables.parsed.amounts import (
    Condition,
    is_denied,
    of_question,
    spoken_of,
    unit_of,
)
from memnet.memory.tables.parsed.concepts import asked_of, concepts, how_asked, said_at
from memnet.memory.tables.parsed.conditions import Conditions
from memnet.memory.tables.parsed.linking import VERB, of_notes, says
from memnet.memory.tables.parsed.query import COUNT, DISTINCT, GROUP, LEAST, MEAN, MOST, SUM, Query
from memnet.memory.tables.parsed.targets import DAYS, Target, is_about, noun_of
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.told import Told, refused
from memnet.memory.tables.wording import Question, is_unit, is_word, words_of_cell
from memnet.tasks.text.english import AUXILIARIES, QUESTION_WORDS, of_class

TOTAL, AVERAGE = of_class("total altogether sum combined overall together"), of_class("average mean typical")
BEST, WORST = of_class("best top highest"), of_class("worst lowest")
MADE = of_class("made born built bought sold found grown printed")
DOING = (("what", "did"), ("what", "does"), ("what", "do"))
BY_KIND = of_class("who when where how")
SORTS = of_class("different distinct sorts kinds types varieties")
SURELY = 1.5  # and of what has the most of something
EXPLAINED = 0.74  # more than this share of a question's words must be explained
COUNTED = ("how", "many"), ("the", "number", "of"), ("total", "number", "of")


@dataclass
class Parse:
    """A question as a query of a table, what it tells, and how much of the question it explains."""

    told: Told
    explained: float
    tokens: frozenset[int]
    columns: tuple[Column, ...] = ()
    names: list[str] = field(default_factory=list)  # cells that the question names whole
    rows: int = 0  # that meet the conditions
    denies: bool = False  # whether a condition denies something

    @property
    def answers(self) -> bool:
        """Whether it may be given as an answer."""
        return bool(self.told.parts) and self.explained > EXPLAINED


class Parser(Conditions):
    """Reads a question beside one table."""

    def parse(self) -> Parse:
        """The query and its answer."""
        self.read_conditions()
        target = self.target()
        rows = self.rows()
        read = self.explained_words(target) | {noun_of(self.question)[0]}
        if self.degree is not None:
            read |= {*self.degree.places, max(self.degree.places) + 1}
        left = [one for one in self.question.tokens if says(one) and one.place not in read]
        if left and (noted := of_notes(self.table, rows, left)) is not None:
            self.conditions.append(Condition(noted[0], noted[1], noted[2], True))
            rows, target = self.rows(), self.target() or target
        self.found = rows
        query = self.query(rows, target)
        told = query if isinstance(query, Told) else query.told()
        if not isinstance(query, Told) and query.what not in (COUNT, DISTINCT, SUM, MEAN) and self.echoes(told):
            told = refused(f"no column is asked for of {told.parts[0]}")
        self.used |= self.explained_words(target)
        names = [cell for one in self.links if one.exact for cell in sorted(one.cells)]
        columns, denies = tuple(one.column for one in self.conditions), any(one.denies for one in self.conditions)
        return Parse(told, self.explained(target), frozenset(self.used), columns, names, len(rows), denies)

    def is_elsewhere(self) -> bool:
        """Whether a question asks where somebody is whose things the rows are, or where something was made."""
        people = [one for one in self.conditions if one.of_cells and one.column in self.people]
        of_rows = any(one.column is self.label or one.column not in self.people for one in self.conditions if one.of_cells)
        return self.low[0] == "where" and ((bool(people) and not of_rows) or not MADE.isdisjoint(self.low))

    def query(self, rows: tuple[int, ...], target: Target | None) -> Query | Told:
        """What is made of the rows."""
        if self.low[0] in AUXILIARIES and "or" not in self.low:
            return self.verdict(rows)
        if not rows:
            return refused("no row is of all that the question says")
        if self.is_elsewhere():
            return refused("nothing says where that is")
        if "or" in self.low and (either := self.either()) is not None:
            return either
        if any(said_at(self.low, phrase) for phrase in COUNTED):
            return self.count(rows, target)
        if len(rows) > 1 and (amount := self.summed(target)) is not None:
            return Query(self.table, rows, amount, SUM if AVERAGE.isdisjoint(self.low) else MEAN)
        if (found := self.extreme(rows, target)) is not None:
            return found
        if not self.conditions:
            return refused("no cell of the table is named")
        if target is not None:
            several = len({target.column.cells[row] for row in rows}) > 1
            if several and target.column in self.amounts and self.low[:2] == ("how", "much"):
                return refused(f"{len(rows)} rows fit; say which")
            return Query(self.table, rows, target.column)
        named = self.label in [one.column for one in self.conditions] and len({self.label.cells[row] for row in rows}) == 1
        at, noun = noun_of(self.question)
        of_people = all(one.column in self.people for one in self.conditions if one.of_cells)
        strange = at >= 0 and at not in self.used and says(self.question.tokens[at]) and not is_word(noun, self.label.words[-1])
        if strange and of_people:
            return refused(f"nothing says which rows are {noun}")
        if len(rows) < len(self.table) and not named:
            self.used.add(at)
            return Query(self.table, rows, self.label)
        return refused("no column is asked for")

    def summed(self, target: Target | None) -> Column | None:
        """The column of amounts that a question sums, or asks the mean of; None where it does not."""
        said = {at for at, word in enumerate(self.low) if word in TOTAL | AVERAGE}
        comes_to = bool(said_at(self.low, ("come", "to")))
        if not said and not comes_to:
            return None
        if target is not None and target.column in self.amounts:
            column: Column | None = target.column
        else:
            costs = [one for one in self.amounts if one.kind == MONEY]
            price = next(one for one in concepts() if one.name == "price")
            money = comes_to or any(said_at(self.low, phrase) for phrase in price.asks)
            column = of_question(costs if money and costs else self.amounts, self.question, needed=not money)
        self.used |= said if column is not None else set()
        return column

    def count(self, rows: tuple[int, ...], target: Target | None) -> Query | Told:
        """How many rows there are, how many different cells, or the number in a cell."""
        place = next((at for at, word in enumerate(self.low) if word == "many"), -1)
        noun = place + 1
        while noun < len(self.low) - 1 and self.low[noun] in ("of", "our", "the", "different", "these", "those"):
            noun += 1
        self.used |= {*range(place - 1, noun + 1)}
        conditioned = [one.column for one in self.conditions]
        if "left" in self.low and not any(is_about(one, "quantity", "places_free") for one in self.amounts):
            return refused("nothing says how many are left")
        counted = [one for one in self.amounts if one.kind == NUMBER and one not in conditioned]
        plain = noun == place + 1  # "how many of our places" are rows
        named = [one for one in counted if (plain and noun in asked_of(one, self.low)[1]) or has_unit(one, self.low[noun])]
        about = [one for one in self.conditions if one.of_cells and one.column in (self.label, *self.people[:1])]
        quantity = [one for one in self.amounts if one.kind == NUMBER and is_about(one, "quantity")]
        if named and not is_about(named[0], "quantity"):
            return Query(self.table, rows, named[0], SUM)
        if quantity and SORTS.isdisjoint(self.low) and (self.label in [one.column for one in about] or "stock" in self.low):
            return Query(self.table, rows, quantity[0], SUM)
        if not self.conditions and not SORTS.isdisjoint(self.low[place + 1 : noun + 1]):
            return Query(self.table, rows, target.column if target is not None else self.label, DISTINCT)
        if not self.conditions:
            return refused("nothing is said of what is counted")
        return Query(self.table, rows, self.label, COUNT)

    def extreme(self, rows: tuple[int, ...], target: Target | None) -> Query | Told | None:
        """What has the most of something, or most rows; None where a question asks for no such thing."""
        best, degree = self.best(), self.degree
        if best is not None:
            measure, sign = best
            self.used |= {at for at, word in enumerate(self.low) if word in BEST | WORST} | asked_of(measure, self.low)[1]
            return Query(self.table, rows, self.asked(target, measure), MOST if sign > 0 else LEAST, measure)
        if degree is None or not degree.superlative or len(rows) == 1:
            return None
        dated = {at for one in self.conditions if one.column.kind == DATE for at in asked_of(one.column, self.low)[1]}
        if max(degree.places) + 1 in dated:
            return None  # "last bought in 2022"
        found = self.measure(degree)
        self.used |= {*degree.places, max(degree.places) + 1}
        if found is None:
            return (
                Query(self.table, rows, self.asked(target, None), GROUP)
                if not degree.attribute
                else refused("nothing can be compared")
            )
        self.used |= asked_of(found, self.low)[1]
        sign = sign_in(degree, found)
        return Query(self.table, rows, self.asked(target, found), MOST if sign > 0 else LEAST, found)

    def best(self) -> tuple[Column, int] | None:
        """The amount of which "best" or "top" means the most, and whether it is the most; None without these words."""
        sign = 1 if not BEST.isdisjoint(self.low) else -1 if not WORST.isdisjoint(self.low) else 0
        column = of_question(self.amounts, self.question, needed=True) if sign and self.degree is None else None
        return None if column is None else (column, sign)

    def measure(self, degree: Degree) -> Column | None:
        """By what a word of degree compares rows."""
        beside = [one for one in self.question.tokens if says(one)]
        found = ordered_column(self.table, degree, beside, self.low)
        quantity = [one for one in self.amounts if is_about(one, "quantity")]
        if found is None and quantity and not degree.attribute and not self.of_rows_after(degree):
            found = quantity[0]
        return found or of_question(
            [one for one in self.table.columns if one.kind in ORDERED and one.told], self.question, needed=True
        )

    def of_rows_after(self, degree: Degree) -> bool:
        """Whether "most" is of rows: "most shifts", where no amount is called so."""
        at = max(degree.places) + 1
        return at < len(self.low) and says(self.question.tokens[at])

    def asked(self, target: Target | None, measure: Column | None) -> Column:
        """The column of what is found: the date itself for "when", what is asked for, people for "who", else the label."""
        if self.low[0] == "when" and target is not None and target.column.kind == DATE:
            return target.column
        if target is not None and target.score >= SURELY and target.column is not measure and target.column.kind not in ORDERED:
            return target.column
        who = not {"who", "whose"}.isdisjoint(self.low) and self.people
        return self.people[0] if who else self.label

    def either(self) -> Query | None:
        """Which of two that a question names has more of something, or more rows."""
        at = self.low.index("or")
        named = [one for one in self.conditions if one.of_cells]
        pairs = [
            (one, two) for one in named for two in named if max(one.tokens) < at < min(two.tokens) and one.column is two.column
        ]
        if not pairs:
            return None
        one, two = pairs[-1]
        others = [each.rows for each in self.conditions if each.column is not one.column]
        rows = tuple(sorted((one.rows | two.rows).intersection(*others)))
        if self.degree is not None:
            self.used |= {*self.degree.places}
        measure = self.measure(self.degree) if self.degree is not None else None
        if measure is None or (len(one.rows) > 1 and "more" in self.low):
            return Query(self.table, rows, one.column, GROUP)
        self.used |= asked_of(measure, self.low)[1]
        sign = sign_in(self.degree, measure) if self.degree is not None else 1
        return Query(self.table, rows, one.column, MOST if sign > 0 else LEAST, measure)

    def verdict(self, rows: tuple[int, ...]) -> Told:
        """Yes or no: by a column of yes and no, or whether what is named meets the other conditions."""
        columns = [one for one in self.table.columns if (one.is_verdict or one.is_ticked) and spoken_of(one, self.question)]
        cells = [one for one in self.conditions if one.of_cells or one.column.kind == DATE]
        if columns and cells:
            column = max(columns, key=lambda one: how_asked(one, self.low))
            about = frozenset(range(len(self.table))).intersection(*(one.rows for one in cells if one.column is not column))
            if len(about) != 1:
                return refused("several rows fit")
            (row,) = about
            tokens = spoken_of(column, self.question)
            self.used |= tokens
            cell = column.cells[row]
            if not cell and not column.is_ticked:
                return refused(f"the table leaves the {column.name.rstrip('?')} of {self.label.cells[row]} empty")
            if cell and cell.lower() not in YES | NO:
                return Told((cell,), ((row, column),))
            said = cell.lower() in YES
            return Told(("yes" if said != is_denied(self.question, tokens) else "no",), ((row, column),))
        others = [one for one in self.conditions if one not in cells]
        if cells and (others or len(cells) > 1) and self.explained() == 1.0:
            about = frozenset(range(len(self.table))).intersection(*(one.rows for one in cells))
            fits = about.intersection(*(one.rows for one in others))
            row = min(fits or about or cells[0].rows)
            return Told(("yes" if fits else "no",), ((row, (others or cells)[0].column),))
        return refused("nothing says whether it is so")

    # How much of the question is explained

    def echoes(self, told: Told) -> bool:
        """Whether all that is answered is what the question names."""
        words = {word for word in self.low if word.isalnum()}
        named = any(one.of_cells for one in self.conditions) and "or" not in self.low
        return (
            named and bool(told.parts) and all({word.lower() for word in words_of_cell(part)} <= words for part in told.parts)
        )

    def explained(self, target: Target | None = None) -> float:
        """The share of the words that say something that were read, verbs less; none where a name or a number was not."""
        words = [one for one in self.question.tokens if says(one) and one.low not in QUESTION_WORDS]
        left = [one for one in words if one.place not in self.used]
        if any((one.is_name and not one.low.isdigit()) or one.text.isdigit() for one in left):
            return 0.0
        owned = {one.place + 1 for one in self.question.tokens if one.owning}
        at, noun = noun_of(self.question)
        header = target.column.words if target is not None and target.column is not self.label else ()
        by_header = any(is_word(word, one) for one in header for word in self.low if len(word) > 2)
        of_is = self.low[:1] == ("what",) and self.low[1:2] in (("is",), ("are",), ("was",))
        if at >= 0 and at not in self.used and noun not in DAYS and not by_header and (len(self.found) == 1 or of_is):
            return 0.0  # "What soil does the lavender need?"
        by_kind = target is not None and not target.tokens and self.low[0] in BY_KIND and "many" not in self.low
        if (
            (target is None or not target.tokens)
            and self.low[:1] == ("what",)
            and self.low[1] in ("did", "does", "do")
            and left
        ):
            return 0.0
        if by_kind and any(may_be_verb(one.low) for one in left if not one.is_name):
            return 0.0  # "Who painted the barn?", where nothing says anything of painting
        if "name" in self.low and not {"first", "last", "second", "middle"}.isdisjoint(self.low) and not by_header:
            return 0.0
        if any(one.place in owned and is_only_a_noun(one.low) for one in left):
            return 0.0  # "What is Ann's salary?"
        weight = {one.place: 1.0 if is_only_a_noun(one.low) or one.place in self.used else VERB for one in words}
        return 1.0 - sum(weight[one.place] for one in left) / max(1.0, sum(weight.values()))


@lru_cache(maxsize=1 << 14)
def may_be_verb(word: str) -> bool:
    """Whether a word is a form of a verb, and no plural of a noun."""
    from lemminflect import getAllLemmas

    kinds = getAllLemmas(word)
    return "VERB" in kinds and not ("NOUN" in kinds and word.endswith("s"))


def has_unit(column: Column, word: str) -> bool:
    """Whether the numbers of a column are of a unit: "kilos" of "Honey (kg)"."""
    units = column.unit.lower().split() or [unit_of(column)]
    return any(unit and is_unit(unit, word) for unit in units)


def parsed(table: Table, question: Question) -> Parse:
    """What a table says to a question, read as a query as far as its words go."""
    return Parser(table, question).parse() if question.tokens else Parse(refused("it has no words"), 0.0, frozenset())
