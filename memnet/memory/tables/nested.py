"""A question within a question: "the phone of the owner of the jigsaw" asks who owns the jigsaw, and then for a phone.

the owner of the jigsaw        ->  Ann Lee      the single cell of a column in one row
the phone of Ann Lee           ->  555-0142     asked again, of any table in which Ann Lee is a row

Each is a hop of the key-value memory: the value that was read first stands in the next question as its key (Miller et al.
2016). Where the inner question has not one clear cell, or the outer one no row of that name, nothing is answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memnet.memory.columns import person_like
from memnet.memory.tables.joined import row_names
from memnet.memory.tables.named import ARTICLES
from memnet.memory.tables.people import is_agent
from memnet.memory.tables.reading import Reading
from memnet.memory.tables.said import Said
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.told import Told, refused
from memnet.memory.tables.wording import PERSONS, Question, Token
from memnet.tasks.text.english import AUXILIARIES, QUESTION_WORDS, of_class
from memnet.tasks.text.tokens import split

LONGEST, DEEPEST = 3, 3  # words of what is asked for of something; questions within each other
PERSON_LIKE = 0.5  # cosine of a noun to those of people
ASKING_MORE = of_class("where when how why")  # of what is named within the question
OF, RELATIVE = of_class("of for"), of_class("who that")


@dataclass(frozen=True)
class Phrase:
    """What a question asks for within itself: its first word and the word behind it, and whether it is of a person."""

    first: int
    end: int
    head: int  # where the noun stands that is asked for
    of_person: bool
    clause: int = 0  # where "who" stands, in "the man who has the saw"


@dataclass(frozen=True)
class Hops:
    """What was found over several questions: what the last table says, and the cells that were read in each."""

    said: Said
    told: Told
    hops: tuple[tuple[Table, tuple[tuple[int, Column], ...]], ...]  # of all questions but the last


def hops(tables: Sequence[Table], question: Question, direct: Sequence[Said], depth: int = 1) -> Hops | None:
    """The answer over one question within another, or why there is none; None where there are no two questions in it."""
    missing: Hops | None = None
    for said in sorted(direct, key=lambda one: -len(one.known)):
        for phrase in phrases(said.reading):
            if not asks_more(said.reading, phrase):
                continue
            inner = asked_within(said.table, question, phrase)
            if inner is None:
                continue
            if len(inner.told.parts) != 1 or (cell := cell_of(inner)) is None:
                why = inner.told.reason or f"{len(inner.told.parts)} cells are the {question.tokens[phrase.head].text} in it"
                missing = missing or (Hops(inner, refused(why), ()) if phrase.of_person else None)
                continue
            row, column = inner.told.read[-1]
            if (found := asked_again(tables, question, phrase, cell, (said.table, column), depth)) is not None:
                return replace(found, hops=((said.table, ((row, column),)), *found.hops))
            if phrase.of_person and missing is None:
                missing = Hops(inner, refused(f"nothing says that of {cell}, the {column.name} in it"), ())
    return missing


def phrases(reading: Reading) -> Iterator[Phrase]:
    """The parts of a question that ask for a column of something: "the owner of the jigsaw", "the jigsaw's owner"."""
    low, tokens = reading.question.low, reading.question.tokens
    for one in reading.whole:
        start, end = one.tokens[0], one.tokens[-1] + 1
        while start and low[start - 1] in ARTICLES:
            start -= 1
        while start > 2 and low[start - 1] in OF and reading.is_of_rows(tokens[start - 2]) and low[start - 3] in ARTICLES:
            start -= 3  # "the course of Ivan"
        if end < len(low) and not tokens[end - 1].owning and reading.is_of_rows(tokens[end]):
            end += 1  # "the chess course"
        if end < len(low) and tokens[end].owning and (kind := asked_noun(reading, end)) is not None:
            yield Phrase(start, end + 1, end, kind)  # "the oboe borrower's"
        if tokens[end - 1].owning:
            last = end
            while last < len(low) and last - end < LONGEST and not tokens[last - 1 if last > end else 0].owning:
                if (kind := asked_noun(reading, last)) is None:
                    break
                last += 1
                if tokens[last - 1].owning or last == len(low) or asked_noun(reading, last) is None:
                    yield Phrase(start, last, last - 1, kind)
        if start > 1 and low[start - 1] in OF and (kind := asked_noun(reading, start - 2)) is not None:
            first = start - 2
            while first and start - 2 - first < LONGEST and low[first - 1] not in ARTICLES and tokens[first - 1].says:
                first -= 1
            if first and low[first - 1] in ARTICLES:
                yield Phrase(first - 1, end, start - 2, kind)
        who = next((at for at in range(start - 1, 0, -1) if low[at] in RELATIVE), 0)
        if who > 1 and (asked_noun(reading, who - 1) or low[who - 1] in PERSONS) and low[who - 2] in ARTICLES:
            yield Phrase(who - 2, end, who - 1, True, who)


def asked_noun(reading: Reading, place: int) -> bool | None:
    """Whether a noun asks for a person of a row, or for another column; None where it is no such noun."""
    token, table = reading.question.tokens[place], reading.table
    if place in reading.used or reading.is_of_rows(token):
        return None
    columns = [one for one in reading.headers.get(place, ()) if one not in row_names(table)]
    if any(one.likeness_to_people for one in columns):
        return True
    if columns:
        return False
    return True if token.says and table.people and (is_agent(token.low) or person_like((token.low,)) >= PERSON_LIKE) else None


def asks_more(reading: Reading, phrase: Phrase) -> bool:
    """Whether a question says more than the phrase: what is asked for of it, and not another name that may be the same."""
    outside = [one for one in reading.question.tokens if not phrase.first <= one.place < phrase.end]
    heads = {*reading.headers.get(phrase.head, ())}
    named = [one for one in reading.whole if not phrase.first <= one.tokens[0] < phrase.end]
    if any(reading.table.columns[place] in heads for one in named for place in one.rows):
        return False  # "Is Bob the owner of the jigsaw?"
    more = [one for one in outside if (one.says and one.low not in ("name", "names")) or one.low in ASKING_MORE]
    return bool(more)


def numbered(tokens: Sequence[Token]) -> Question:
    """A question of these words."""
    text = f"{' '.join(one.text for one in tokens)}?"
    return Question(text, tuple(replace(one, place=place) for place, one in enumerate(tokens)))


def asked_within(table: Table, question: Question, phrase: Phrase) -> Said | None:
    """What a table says to the question that is within another; None where it is none to it."""
    tokens = question.tokens
    if phrase.clause:
        return said_of(table, numbered((Token("who", 0), *tokens[phrase.clause + 1 : phrase.end])))
    span = [*tokens[phrase.first : phrase.end - 1], replace(tokens[phrase.end - 1], owning=False)]
    what = said_of(table, numbered((Token("what", 0), Token("is", 1), *span)))
    if what is not None or not phrase.of_person:
        return what
    return said_of(table, numbered((Token("who", 0), Token("is", 1), *span)))


def said_of(table: Table, question: Question) -> Said | None:
    """What a table says, where it answers with cells or says that they are empty or several."""
    said = Said.of(table, question)
    known = said.told.parts or " empty" in said.told.reason or "say which" in said.told.reason
    return said if known and not (said.told.read and said.told.read[-1][1] in row_names(table)) else None


def cell_of(said: Said) -> str | None:
    """The cell that was read, if it is one."""
    cells = {column.cells[row] for row, column in said.told.read}
    return cells.pop() if len(cells) == 1 else None


def asked_again(
    tables: Sequence[Table], question: Question, phrase: Phrase, cell: str, inner: tuple[Table, Column], depth: int
) -> Hops | None:
    """The answer to a question with a cell in the place of the phrase that led to it; None where nothing says it."""
    tokens = question.tokens
    words = [Token(word, 0) for word in split(cell) if word[0].isalnum()]
    if not words:
        return None
    words[-1] = replace(words[-1], owning=tokens[phrase.end - 1].owning)
    before = () if not QUESTION_WORDS.isdisjoint(question.low) or question.low[0] in AUXILIARIES else ("what", "is")
    begin = [*(Token(word, 0) for word in before), *tokens[: phrase.first]]
    outer = numbered((*begin, *words, *tokens[phrase.end :]))
    span = range(len(begin), len(begin) + len(words))
    says = [Said.of(table, outer) for table in reversed(tables)]
    if depth < DEEPEST and (deeper := hops(tables, outer, says, depth + 1)) is not None:
        return deeper if deeper.told.parts else None
    fitting = [one for one in says if fits(one, span, inner)]
    best = max(fitting, key=lambda one: one.score, default=None)
    return None if best is None else Hops(best, best.told, ())


def fits(said: Said, span: range, inner: tuple[Table, Column]) -> bool:
    """Whether an answer is of the row that a cell names, or lists the rows that have the cell."""
    reading, table = said.reading, said.table
    one = next((one for one in reading.whole if span.start in one.tokens and one.tokens[-1] in span), None)
    if not said.told.parts or one is None:
        return False
    columns = [table.columns[place] for place in reading.of_columns(one)]
    read = {column for _, column in said.told.read}
    if any(column in row_names(table) for column in columns):
        return True
    if read == {table.thing} and reading.noun is not None and reading.is_of_rows(reading.noun):
        return True  # "Which tools does the owner of the jigsaw have?"
    is_of_row = table is inner[0] and inner[1] in columns and table.thing not in table.people
    return is_of_row and len(said.told.parts) == 1 and all(reading.score(column) >= 1.0 for column in read)


__all__ = ["Hops", "hops"]
