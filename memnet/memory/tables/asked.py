"""The column that a question asks for, by the kind of its question word, by words of headers, and by what these are like.

Who has the drill?                       who: a column of people, of several that of who holds it
When is the tipper's test due?           when: a date, and "test due" is a header
What kind of van is the tipper?          kind is like type
Which shelf is the drill on?             cells of a column begin with "Shelf"
"""

from __future__ import annotations

from collections.abc import Sequence

from memnet.memory.columns import KIND_LIKE, LIKE, cosine, is_only_a_noun, person_like, similarity
from memnet.memory.tables.cells import DATE, TEXT, WHETHER
from memnet.memory.tables.degrees import best_likeness, costs_are_asked, costs_of
from memnet.memory.tables.kinds import (
    APART,
    STATE_LIKE,
    best_of,
    by_header,
    free,
    likest_of,
    of_measure,
    of_person,
    of_place,
    of_time,
)
from memnet.memory.tables.people import is_agent, mean_of_cells
from memnet.memory.tables.reading import SAME_NOUN, Reading
from memnet.memory.tables.spoken import SORT_LIKE, SORTS
from memnet.memory.tables.table import Column
from memnet.memory.tables.told import named_columns
from memnet.memory.tables.wording import GENERIC, JOINING, NUMBER_SIGNS, PERSONS, TIME_NOUNS, Token, is_word, words_of_cell
from memnet.reading.words import Words
from memnet.tasks.text.english import QUESTION_WORDS, of_class, singular

REASONS = ("reason", "note", "remark", "comment")
JOB_LIKE = ("job", "occupation", "role", "profession")
WRONG = of_class("wrong matter fault problem")
ROWS_LIKE = 0.65  # cosine of a noun to what a row is called, from which it is another word for that
CLOSE = 0.45  # cosine of a verb to the cells of a column, in the mean


def asked_column(reading: Reading, apart: Sequence[Column] = ()) -> Column | None:
    """The column that a question asks for; None where nothing says which. Those ``apart`` are not asked for."""
    low, noun, apart = (
        reading.question.low,
        reading.noun,
        [*apart, *(column for one in reading.limits for column in one.columns)],
    )
    if noun is not None and "whose" not in low:
        return of_noun(reading, noun, apart)
    if low[0] == "where" and any(one.versus for one in reading.limits):
        return reading.table.thing  # "Where is the cost above the price?"
    word = next((word for word in low if word in QUESTION_WORDS), "")
    for asking, found in ((("who", "whom", "whose"), of_person), (("when",), of_time), (("where",), of_place)):
        if word in asking:
            return found(reading, apart)
    if word == "why":
        return likest_of(reading, REASONS) or next((one for one in reading.table.columns if one.is_notes), None)
    if word == "how":
        return of_measure(reading, low[low.index("how") + 1] if low.index("how") + 1 < len(low) else "", apart)
    return of_words(reading, apart)


def of_noun(reading: Reading, noun: Token, apart: Sequence[Column]) -> Column | None:
    """The column of a noun behind "which" or "what"."""
    table, columns = reading.table, [one for one in reading.table.columns if one.told]
    if reading.named and noun.low in SORTS | TIME_NOUNS:
        reading.understood.update(verbs_of(reading))
    words = ("type", "kind", *reading.question.low[noun.place + 2 : noun.place + 3])  # "what sort of music"
    if noun.low in SORTS and noun.place + 1 < len(reading.question.low):
        sorts = [one for one in free(reading, apart) if one.kind == TEXT and best_likeness(one, words) >= SORT_LIKE]
        return sorts[0] if len(sorts) == 1 else by_header(reading, sorts) or (None if sorts else table.thing)
    if noun.low in TIME_NOUNS and not any(one.kind != DATE for one in reading.headers.get(noun.place, ())):
        return of_time(reading, apart)
    headed = [one for one in columns if one in reading.headers.get(noun.place, ())]
    if headed:
        if noun.forms & table.nouns and table.thing in headed:
            return table.thing
        after = reading.question.low[noun.place + 1 : noun.place + 2]
        if after and any(one in apart and one.words[-2:] == (*noun_words(one, noun), *after) for one in headed):
            return table.thing  # "What flowers in May?", where the header is "Flowers in"
        heads = [
            one
            for one in headed
            if is_word(noun.low, ([word for word in one.words if word not in NUMBER_SIGNS] or one.words)[-1])
        ] or headed
        if heads[0].words[-1] in ("by", "to", "for") and not is_agent(noun.low) and person_like((noun.low,)) < KIND_LIKE:
            return table.thing  # "booking", where it is said by whom it is booked
        if heads[0] is not table.thing and not heads[0].likeness_to_people and reading.named:
            reading.understood.update(verbs_of(reading))
        return heads[0] if len(heads) == 1 else by_header(reading, heads) or min(heads, key=lambda one: len(one.words))
    if noun.place in reading.used:
        return table.thing
    if (cells := of_cells(reading, noun)) is not None:
        return cells
    if noun.low in PERSONS or person_like((singular(noun.low),)) >= 2 * KIND_LIKE:
        reading.understood.add(noun.place)
        return of_person(reading, apart)
    if noun.low in GENERIC or reading.is_of_rows(noun) or reading.is_any_noun(noun) or is_like_rows(reading, noun):
        return table.thing
    return unnamed(reading, noun, apart)


def noun_words(column: Column, noun: Token) -> tuple[str, ...]:
    """The word of a header before its preposition, where a noun is a form of it."""
    *_, word, last = ("", *column.words)
    return (word,) if last in JOINING and is_word(noun.low, word) else ()


def verbs_of(reading: Reading) -> set[int]:
    """The places of words that may be verbs: what follows "which room" is of the row."""
    return {one.place for one in reading.question.tokens if not one.is_name and not is_only_a_noun(one.low)}


def unnamed(reading: Reading, noun: Token, apart: Sequence[Column]) -> Column | None:
    """The column of a noun that is no word of a header: by the other words, or by what it is like."""
    columns = free(reading, apart)
    named = by_header(reading, [one for one in columns if one.kind in (TEXT, DATE)])
    if named is not None and ends_as_asked(reading, named):
        return named
    texts = [one for one in columns if one.kind == TEXT and one is not reading.table.thing]
    scores = sorted(((cosine(noun.low, word), one) for one in texts for word in one.words), key=lambda two: -two[0])
    if not scores or scores[0][0] < SAME_NOUN:
        return None
    others = [score for score, one in scores if one is not scores[0][1]]
    return scores[0][1] if not others or scores[0][0] >= others[0] + APART else None


def ends_as_asked(reading: Reading, column: Column) -> bool:
    """Whether a header is one of a verb, such as "made for", whose preposition the question has, too."""
    *_, last = column.words
    prepositions = [word for word in column.words if word in ("for", "by", "to", "from", "with", "at", "in", "on")]
    return bool(prepositions) and all(word in reading.question.low for word in prepositions) and last != ""


def of_cells(reading: Reading, noun: Token) -> Column | None:
    """The column whose cells have a noun in them: things of a kind, or the places "Shelf 1" and "Shelf 2"."""
    part = next((one for one in reading.parts if noun.place in one.tokens), None)
    if part is None:
        return None
    place = next(iter(part.rows))
    column = reading.table.columns[place]
    if column is reading.table.thing or part.kind:
        return reading.table.thing if part.kind else None
    begins = [cell for cell in part.cells[place] if is_word(noun.low, words_of_cell(cell)[0].lower())]
    others = [one for one in reading.named if one is not part]
    if len(begins) > 1 and (others or reading.limits):
        reading.dropped.update(part.tokens)
        return column
    return reading.table.thing


def is_like_rows(reading: Reading, noun: Token) -> bool:
    """Whether a noun is another word for what a row is: its vector is near those of the rows' nouns, and of no other header."""
    nouns = [word for word in reading.table.nouns if word.isalpha()]
    near = max((cosine(noun.low, word) for word in nouns), default=0.0)
    others = [word for one in reading.table.columns for word in one.words if word not in nouns and len(word) > 2]
    return near >= ROWS_LIKE and near > max((cosine(noun.low, word) for word in others), default=0.0) + APART


def verb_of_cells(reading: Reading, columns: Sequence[Column]) -> Column | None:
    """The column whose cells are near the verb of a question: "sing" and "alto", "tenor"; None where none is, or several."""
    if {"do", "does", "did"}.isdisjoint(reading.question.low):
        return None
    verbs = [one for one in reading.left([]) if not one.is_name and not is_only_a_noun(one.low)]
    texts = [one for one in columns if one.kind == TEXT and not one.is_notes and one is not reading.table.thing]
    for verb in verbs:
        near = sorted(
            (
                (float(Words.load().units[Words.load().find(verb.low).row] @ mean_of_cells(one.distinct)), one.place, one)
                for one in texts
            ),
            reverse=True,
        )
        if near and near[0][0] >= CLOSE and (len(near) < 2 or near[0][0] >= near[1][0] + APART):
            reading.understood.add(verb.place)
            return near[0][2]
    return None


def before_of(reading: Reading, columns: Sequence[Column]) -> Column | None:
    """The column of "the gate" in "What is the gate of the flight to Oslo?", where the header of another is said, too."""
    low = reading.question.low
    if low[1:3] not in (("is", "the"), ("are", "the")) or "of" not in low:
        return None
    said = [one for one in reading.headers.get(low.index("of") - 1, ()) if one in columns and reading.score(one) >= 1.0]
    return said[0] if len(said) == 1 else None


def of_words(reading: Reading, apart: Sequence[Column]) -> Column | None:
    """The column that "what" asks for: that of a header, else what the row is."""
    table, columns = reading.table, free(reading, apart)
    if reading.question.has(WRONG):
        reading.understood.update(one.place for one in reading.question.tokens if one.low in WRONG)
        return likest_of(reading, STATE_LIKE) or next((one for one in columns if one.is_notes), None)
    if (
        any(map(costs_are_asked, reading.question.tokens))
        and len(costs := costs_of([one for one in columns if one.is_amount])) == 1
    ):
        return costs[0]
    rows = [one for one in columns if one is not table.thing and one.kind != WHETHER]
    doing = not {"did", "does", "do"}.isdisjoint(reading.question.low)
    if doing and (
        deed := [
            at
            for at, columns in reading.headers.items()
            if columns and all(one.kind == DATE and one not in apart for one in columns)
        ]
    ):
        return None if any(not is_only_a_noun(reading.question.low[at]) for at in deed) else by_header(reading, rows)
    if (found := by_header(reading, rows) or before_of(reading, rows)) is not None:
        return found
    if doing and reading.question.low[-1] in ("do", "for") and (job := best_of(rows, JOB_LIKE)) is not None:
        return job
    named = {*named_columns(reading), *apart}
    for column in (table.said, table.thing):
        if column not in named and not verb_of_cells(reading, columns):
            return column
    left = [one for one in reading.left([]) if not one.is_name and one.low not in QUESTION_WORDS]
    for token in left:
        if reading.is_noun(token):
            continue
        like = sorted(((similarity(token.low, one.words), one) for one in rows), key=lambda two: -two[0])
        if (of_verb := verb_of_cells(reading, columns)) is not None:
            return of_verb
        if like and like[0][0] >= LIKE and (len(like) < 2 or like[0][0] >= like[1][0] + APART):
            return like[0][1]
    return None
