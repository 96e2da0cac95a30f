"""The conditions that words of a question are, the rows that meet them, and the column that the rest of it asks for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memnet.memory.tables.cells import DATE, MONEY, NUMBER, ORDERED
from memnet.memory.tables.degrees import degree_of
from memnet.memory.tables.parsed.amounts import (
    Condition,
    of_day,
    of_free,
    of_headers,
    of_nothing,
    of_numbers,
    of_verdicts,
)
from memnet.memory.tables.parsed.concepts import asked_of, how_asked
from memnet.memory.tables.parsed.linking import Link, days, links, says
from memnet.memory.tables.parsed.targets import HUMAN, Target, label_of, people_of, targets
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.wording import Question, is_word
from memnet.tasks.text.english import AUXILIARIES

ASKED_FOR = 0.6  # how much must speak for the column that is asked for


class Conditions:
    """What a question says of the rows of a table that it means, and what it asks of them."""

    def __init__(self, table: Table, question: Question) -> None:
        self.table, self.question, self.low = table, question, question.low
        self.links = links(table, question)
        self.used: set[int] = set()
        self.conditions: list[Condition] = []
        self.found: tuple[int, ...] = ()  # the rows that meet them
        self.label, self.people = label_of(table), people_of(table)
        self.amounts = [one for one in table.columns if one.kind in (NUMBER, MONEY) and one.is_amount and one.told]
        self.degree = degree_of(question, frozenset(place for one in self.links for place in one.tokens))

    def read_conditions(self) -> None:
        """The conditions that the words of the question are."""
        exact = frozenset(place for one in self.links if one.exact for place in one.tokens)
        named = days(self.question, exact.__contains__)
        dated = frozenset(place for one in named for place in one.tokens)
        self.links = [one for one in self.links if one.exact or not one.tokens & dated]
        taken = frozenset(place for one in self.links for place in one.tokens)
        self.conditions += filter(None, [of_day(self.table, self.question, day) for day in named])
        self.conditions += of_numbers(self.table, self.question, taken | self.of_conditions())
        first = self.targets(taken)
        self.conditions += [Condition(one.column, one.rows, one.tokens, True, one.exact) for one in self.resolved(first)]
        target = self.target()
        asked = target.column if target is not None and self.low[0] in AUXILIARIES else None
        self.conditions += of_verdicts(self.table, self.question, asked)
        for found_in in (of_nothing, of_headers):
            known = {one.column for one in self.conditions}
            self.conditions += [one for one in found_in(self.table, self.question, taken) if one.column not in known]
        if not any(one.column.is_verdict for one in self.conditions):
            free = of_free(self.table, self.question, [one for one in (self.label, *self.people) if one.kind not in ORDERED])
            known = {one.column for one in self.conditions}
            self.conditions += [free] if free is not None and free.column not in known else []
        self.used |= self.of_conditions()

    def of_conditions(self) -> frozenset[int]:
        """The words that conditions read."""
        return frozenset(place for one in self.conditions for place in one.tokens)

    def explained_words(self, target: Target | None) -> set[int]:
        """The words that are read: of conditions, of their columns' headers, and of the column that is asked for."""
        found = {*self.used, *self.of_conditions(), *(target.tokens if target is not None else ())}
        for column in (*(one.column for one in self.conditions), *([target.column] if target is not None else [])):
            found |= asked_of(column, self.low)[1]
        rows = {at for at, word in enumerate(self.low) if any(is_word(word, one) for one in self.label.words if len(word) > 2)}
        return found | rows | {at for at, word in enumerate(self.low) if word in HUMAN}

    def resolved(self, first: Sequence[Target]) -> list[Link]:
        """One link for each run of words: of columns with the same cells not the one that is asked for, else the likest.

        Of two names that two columns have, each is of another column, unless "or" or "and" stands between them.
        """
        groups: dict[frozenset[int], list[Link]] = {}
        for one in self.links:
            groups.setdefault(one.tokens, []).append(one)
        chosen: list[Link] = []
        asked = first[0].column if first and first[0].score >= ASKED_FOR and "or" not in self.low else None
        for some in sorted(groups.values(), key=lambda group: min(group[0].tokens)):
            joined = not {"or", "and"}.isdisjoint(self.low)
            taken = set() if joined else {one.column for one in chosen}
            ranked = sorted(
                some,
                key=lambda one: (
                    one.column is asked,
                    one.column in taken,
                    -one.exact,
                    -how_asked(one.column, self.low),
                    one.column.place,
                ),
            )
            chosen.append(ranked[0])
        return chosen

    def rows(self) -> tuple[int, ...]:
        """The rows that meet all conditions; of several names of one column those of any."""
        left = [*self.conditions]
        while True:
            rows = frozenset(range(len(self.table)))
            by_column: dict[Column, frozenset[int]] = {}
            for one in left:
                both = by_column.get(one.column)
                by_column[one.column] = one.rows if both is None else both & one.rows or both | one.rows
            for some in by_column.values():
                rows &= some
            loose = [one for one in left if one.of_cells and not one.exact] or [one for one in left if not one.of_cells]
            if rows or not loose or len(left) < 2:
                return tuple(sorted(rows))
            left.remove(min(loose, key=lambda one: len(one.tokens)))

    def targets(self, taken: Iterable[int]) -> list[Target]:
        """The columns that may be asked for."""
        used = {*taken} | self.of_conditions()
        for one in self.conditions:
            used |= asked_of(one.column, self.low)[1] if one.column.kind == DATE else frozenset()
        owned = [one.place + 1 for one in self.question.tokens if one.owning and one.place + 1 < len(self.low)]
        used |= {at for at in owned if any(is_word(self.low[at], word) for word in self.label.words)}
        left = [one.place for one in self.question.tokens if says(one) and one.place not in used]
        return targets(self.table, self.question, [one.column for one in self.conditions], left, used)

    def target(self) -> Target | None:
        """The best of them, where something speaks for it."""
        found = self.targets(self.used)
        return found[0] if found and found[0].score >= ASKED_FOR else None
