"""What two tables say together to a question of which each knows a part: "Which tools do people in Elm Street own?"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memnet.memory.tables.joined import Joined, joins_of, nouns_of
from memnet.memory.tables.said import Said
from memnet.memory.tables.table import Table
from memnet.memory.tables.told import nothing_says, refused
from memnet.memory.tables.wording import PERSONS, Question


def across(tables: Sequence[Table], question: Question, direct: Sequence[Said], best: Said) -> Said | None:
    """What two tables say that are joined, where they know more of a question than the ``best`` of one; None where none do.

    Where they know more and do not answer, the one of them that knows less does not, either.
    """
    if len(tables) < 2:
        return None
    found = [one for one in together(question, direct, best) if len(one.known) > len(best.known)]
    said = max(found, key=lambda one: one.score, default=None)
    if said is None or said.told.parts:
        return said
    return said if any(question.tokens[at].says for at in said.known - best.known) else None


def together(question: Question, direct: Sequence[Said], best: Said) -> Iterator[Said]:
    """What the best table says with each other one, where each knows words that the other does not."""
    for one in direct:
        for other in direct:
            if one is other or best not in (one, other) or not (says_more(one, other) and says_more(other, one)):
                continue
            joined = joins_of(one.table, other.table)
            said = [of_both(table, question) for table in joined]
            if len(said) > 1:  # by the owner or by who borrowed it: that which the question says
                said = [found for found in said if is_said(found)] or said
            if len({found.told.parts for found in said}) > 1:
                said[0].told = refused(f"nothing says whether it is of the {' or the '.join(map(through, said))}")
                said = said[:1]
            yield from said[:1]


def says_more(one: Said, other: Said) -> bool:
    """Whether a table knows words of a question that another does not, and that are none of grammar."""
    return any(one.reading.question.tokens[at].says for at in one.known - other.known)


def of_both(table: Joined, question: Question) -> Said:
    """What two tables say as one; nothing where it is not of the second, too."""
    assert table.second is not None
    nouns = nouns_of(table.second)
    rows = frozenset(one.place for one in question.tokens if not one.forms.isdisjoint(nouns) and not one.is_name)
    said = Said.of(table, question, rows)
    asked = {column for _, column in said.told.read}
    if said.told.parts and asked.union(said.tested).isdisjoint(table.of_second):
        said.told = refused(nothing_says(said.reading))
    assert table.through is not None
    if table.through.likeness_to_people and not (rows or is_said(said) or any(one.low in PERSONS for one in question.tokens)):
        said.told = refused(f"nothing says that of these rows, but of the {table.through.name} of each")  # no drill has a phone
    return said


def is_said(said: Said) -> bool:
    """Whether a question says the header of the column by which two tables are joined."""
    assert isinstance(said.table, Joined)
    return any(said.table.through in columns for columns in said.reading.headers.values())


def through(said: Said) -> str:
    """The header of the column by which two tables are joined."""
    assert isinstance(said.table, Joined)
    assert said.table.through is not None
    return said.table.through.name


__all__ = ["across"]
