"""The column that a question asks for, by the kind of its question word, by words of headers, and by what these are like.

Who has the brass sextant?               who: a column of people, of those that whom it is lent to
When is the top hat due back?            when: a date, and "due back" is a header
What kind of boat is Halcyon?            kind is like type
Which rail is the wedding dress on?      cells of a column begin with "Rail"
"""

from __future__ import annotations

from collections.abc import Sequence

from memnet.memory.columns import KIND_LIKE, LIKE, PLACE_LIKE, cosine, is_only_a_noun, likeness, person_like, similarity
from memnet.memory.fields import asks_where
from memnet.memory.tables.cells import DATE, NUMBER, TEXT, WHETHER, date_of
from memnet.memory.tables.degrees import (
    ATTRIBUTES,
    SIZES,
    Degree,
    best_likeness,
    costs_are_asked,
    is_cost,
    of_attribute,
    pending,
)
from memnet.memory.tables.people import is_agent, mean_of_cells
from memnet.memory.tables.reading import SAME_NOUN, SORT_LIKE, SORTS, TIME_NOUNS, Reading
from memnet.memory.tables.table import Column
from memnet.memory.tables.wording import GENERIC, HOLDING, NUMBER_SIGNS, PERSONS, Token, is_unit, is_word, words_of_cell
from memnet.reading.words import Words
from memnet.tasks.text.english import AUXILIARIES, QUESTION_WORDS, of_class, singular

STATE_LIKE = ("condition", "state", "fault", "problem", "damage", "status")
JOB_LIKE = ("job", "occupation", "role", "profession")
STARTING, ENDING = of_class("start begin open arrive come"), of_class("finish end close stop leave go depart")
FROM, TO = (
    of_class("from start starts begin begins open opens arrives"),
    of_class("to until till end ends finish close closes leaves departs departure"),
)
REASONS = ("reason", "note", "remark", "comment")
WRONG, PLAIN_VERBS = (
    of_class("wrong matter fault problem"),
    of_class("do does did go goes going come comes coming be work works"),
)
ROWS_LIKE = 0.65  # cosine of a noun to what a row is called, from which it is another word for that
CLOSE, APART = 0.45, 0.08
LENT = 0.6  # how much a column "lent to" is of who has a thing
CARING = of_class("charge responsible looks look after runs cares")
PRESENT = of_class("is are do does will has have can")


def asked_column(reading: Reading, apart: Sequence[Column] = ()) -> Column | None:
    """The column that a question asks for; None where nothing says which. Those ``apart`` are not asked for."""
    low, noun, apart = reading.question.low, reading.noun, [*apart, *(one.column for one in reading.limits)]
    if noun is not None and "whose" not in low:
        return of_noun(reading, noun, apart)
    word = next((word for word in low if word in QUESTION_WORDS), "")
    for asking, found in ((("who", "whom", "whose"), of_person), (("when",), of_time), (("where",), of_place)):
        if word in asking:
            return found(reading, apart)
    if word == "why":
        return likest_of(reading, REASONS) or next((one for one in reading.table.columns if one.is_notes), None)
    if word == "how":
        return of_measure(reading, low[low.index("how") + 1] if low.index("how") + 1 < len(low) else "", apart)
    return of_words(reading, apart)


def named_columns(reading: Reading) -> list[Column]:
    """The columns of which the question names cells."""
    return [reading.table.columns[place] for one in reading.named for place in reading.of_columns(one)]


def by_header(reading: Reading, columns: Sequence[Column], least: float = 1.0) -> Column | None:
    """Of columns the one of whose header the question says the most, all of it before a part."""
    scores = {one: (reading.score(one), reading.score(one) / max(1, len(one.words))) for one in columns}
    found = sorted((one for one in columns if scores[one][0] >= least), key=lambda one: scores[one], reverse=True)
    if not found or (len(found) > 1 and scores[found[0]] == scores[found[1]]):
        return None
    return found[0]


def free(reading: Reading, apart: Sequence[Column]) -> list[Column]:
    """The columns that have cells, and of which the question names none."""
    named = {*named_columns(reading), *apart}
    return [one for one in reading.table.columns if one.told and one not in named]


def of_noun(reading: Reading, noun: Token, apart: Sequence[Column]) -> Column | None:
    """The column of a noun behind "which" or "what"."""
    table, columns = reading.table, [one for one in reading.table.columns if one.told]
    if noun.low in SORTS and noun.place + 1 < len(reading.question.low):
        sorts = [one for one in free(reading, apart) if one.kind == TEXT and best_likeness(one, ("type", "kind")) >= SORT_LIKE]
        return sorts[0] if len(sorts) == 1 else by_header(reading, sorts) or (None if sorts else table.thing)
    if noun.low in TIME_NOUNS and not any(one.kind != DATE for one in reading.headers.get(noun.place, ())):
        return of_time(reading, apart)
    headed = [one for one in columns if one in reading.headers.get(noun.place, ())]
    if headed:
        if noun.forms & table.nouns and table.thing in headed:
            return table.thing
        heads = [
            one for one in headed if is_word(noun.low, [word for word in one.words if word not in NUMBER_SIGNS][-1])
        ] or headed
        if heads[0].words[-1] in ("by", "to", "for") and not is_agent(noun.low) and person_like((noun.low,)) < KIND_LIKE:
            return table.thing  # "booking", where it is said by whom it is booked
        if heads[0] is not table.thing and not heads[0].likeness_to_people and reading.named:
            reading.understood.update(
                one.place for one in reading.question.tokens if not one.is_name and not is_only_a_noun(one.low)
            )
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
    """The column whose cells have a noun in them: things of a kind, or the places "Rail 1" and "Rail 2"."""
    part = next((one for one in reading.parts if noun.place in one.tokens), None)
    if part is None:
        return None
    place = next(iter(part.rows))
    column = reading.table.columns[place]
    if column is reading.table.thing or part.kind:
        return reading.table.thing if part.kind else None
    begins = [cell for cell in part.cells[place] if is_word(noun.low, words_of_cell(cell)[0].lower())]
    others = [one for one in reading.named if one is not part]
    if len(begins) > 1 and others:
        reading.dropped.update(part.tokens)
        return column
    return reading.table.thing


def is_like_rows(reading: Reading, noun: Token) -> bool:
    """Whether a noun is another word for what a row is: its vector is near those of the rows' nouns, and of no other header."""
    nouns = [word for word in reading.table.nouns if word.isalpha()]
    near = max((cosine(noun.low, word) for word in nouns), default=0.0)
    others = [word for one in reading.table.columns for word in one.words if word not in nouns and len(word) > 2]
    return near >= ROWS_LIKE and near > max((cosine(noun.low, word) for word in others), default=0.0) + APART


def of_person(reading: Reading, apart: Sequence[Column]) -> Column | None:
    """The column of people that "who" asks for."""
    table, named = reading.table, {*named_columns(reading), *apart}
    people = [one for one in table.people if one not in named]
    texts = [one for one in free(reading, apart) if one.kind == TEXT and one.named >= 0.5 and one is not table.thing]
    if (found := by_header(reading, [*dict.fromkeys([*people, *texts])])) is not None and found is not table.thing:
        return found
    themselves = [one for one in people if one is table.person]
    best = themselves[0] if themselves else people[0] if len(people) == 1 else holder(reading, people)
    if best is None:
        return None
    if best is table.thing or (best is table.person and is_within(reading)):
        reading.understood.update(linking(reading))
        return best
    if reading.question.has(CARING):
        reading.understood.update(one.place for one in reading.question.tokens if one.low in CARING)
    verbs = [one for one in reading.left([best]) if not one.is_name]
    said = [
        one
        for one in reading.question.tokens
        if one.low in ("give", "gave", "gives", "given", "show", "find", "tell")
        and one.place not in reading.taken_by_parts | reading.used
    ]
    if said:
        return None
    holding = (
        reading.question.has(HOLDING | PLAIN_VERBS | AUXILIARIES)
        or best.likeness_to_people >= KIND_LIKE
        or best is table.person
    )
    allowed = all(reading.headers.get(one.place) or similarity(one.low, best.words) >= LIKE for one in verbs)
    return best if holding and allowed else None


def holder(reading: Reading, people: Sequence[Column]) -> Column | None:
    """Of several columns of people that of who has a thing, where the question asks for that; else None."""
    if not people or not reading.question.has(HOLDING | {"whose", "belong", "belongs"}):
        return by_verb(reading, people)
    scores = {one: max(LENT * (one.words[-1] in ("by", "to")), best_likeness(one, ("owner",))) for one in people}
    first, second, *_ = sorted(people, key=lambda one: -scores[one])
    return first if scores[first] >= scores[second] + APART else None


def by_verb(reading: Reading, columns: Sequence[Column]) -> Column | None:
    """The column that is likest to the verb of a question: of who wrote it the author."""
    verbs = [one for one in reading.left([]) if not one.is_name and not is_only_a_noun(one.low)]
    scores = sorted(
        ((max((similarity(verb.low, one.words) for verb in verbs), default=0.0), one.place, one) for one in columns),
        reverse=True,
    )
    clear = len(scores) == 1 or (scores and scores[0][0] >= scores[1][0] + APART)
    return scores[0][2] if clear and scores[0][0] >= LIKE else None


def is_within(reading: Reading) -> bool:
    """Whether rows are named by what is no person, or by where somebody is: "Who is buried in G005?"."""
    keys = {one.place for one in (reading.table.columns[0], reading.table.thing)}
    named = [one for one in reading.named if not keys.isdisjoint(one.rows)]
    return bool(named) and all(reading.question.low[one.tokens[0] - 1] in ("in", "at", "on") for one in named if one.tokens[0])


def linking(reading: Reading) -> set[int]:
    """The places of verbs between rows that are people and what is named of them: "Who sings alto?"."""
    if not reading.named and not reading.limits:
        return set()
    return {one.place for one in reading.question.tokens if not one.is_name and not is_only_a_noun(one.low)}


def of_time(reading: Reading, apart: Sequence[Column]) -> Column | None:
    """The column of dates that "when" asks for; a deed that is past is not what a question in the present asks for."""
    dates, low = [one for one in free(reading, apart) if one.kind == DATE], reading.question.low
    clocks = [one for one in dates if all((moment := date_of(cell)) and not any(moment[:3]) for cell in one.told)]
    if clocks and len(clocks) < len(dates):
        dates = clocks if "time" in low and "when" not in low else [one for one in dates if one not in clocks]
    if "time" in low and not clocks and "when" not in low:
        return by_header(reading, dates)
    for verbs, words in ((STARTING, FROM), (ENDING, TO)):
        if any(not one.forms.isdisjoint(verbs) for one in reading.question.tokens):
            ends = [one for one in (clocks or dates) if not words.isdisjoint(one.words)]
            if len(ends) == 1 and by_header(reading, dates) is None:
                reading.understood.update(one.place for one in reading.question.tokens if not one.forms.isdisjoint(verbs))
                return ends[0]
    if (found := by_header(reading, dates, 0.4)) is not None:
        return found
    verb = next((word for word in low if word in AUXILIARIES), "")
    dates = pending(dates, low) if verb in ("do", "does", "will", "is", "are") else dates
    return dates[0] if len(dates) == 1 else None


def of_place(reading: Reading, apart: Sequence[Column]) -> Column | None:
    """The column of places that "where" asks for."""
    table = reading.table
    columns = [one for one in free(reading, apart) if one.kind == TEXT or one is table.thing]
    if not asks_where(reading.question.text) and by_header(reading, columns) is None:
        return None
    reading.understood.update(one.place for one in reading.question.tokens if not one.is_name and not is_only_a_noun(one.low))
    places = [one for one in columns if one.is_place]
    keys = {one.place for one in (table.columns[0], table.key, table.thing)}
    apart_from_rows = reading.named and all(keys.isdisjoint(one.rows) for one in reading.named)
    if apart_from_rows and not any(map(reading.is_of_rows, reading.question.tokens)) and table.thing not in places:
        return None  # where the boat of somebody is, is not where somebody is
    if table.thing in places and by_header(reading, places) is None:
        return table.thing
    if len(places) > 1:
        places = sorted(places, key=lambda one: -(1.0 if one.words == ("where",) else likeness(one.words, PLACE_LIKE)))
    if places:
        return by_header(reading, places) or places[0]
    first = table.columns[0]
    return first if first in columns and not first.is_numbering and first is not table.thing else None


def of_measure(reading: Reading, word: str, apart: Sequence[Column]) -> Column | None:
    """The column of "how much", "how long" and the like."""
    columns = free(reading, apart)
    numbers = [one for one in columns if one.is_amount]
    if word in ("much", "many"):
        found = by_header(reading, [one for one in numbers if one.kind != DATE]) or by_unit(reading, numbers)
        costs = [one for one in numbers if is_cost(one)]
        if word == "many":
            counts = [one for one in numbers if one.kind == NUMBER]
            return found or (counts[0] if len(counts) == 1 else None)
        paying = any(map(costs_are_asked, reading.question.tokens))
        return found or (costs[0] if len(costs) == 1 and (paying or not reading.left(costs)) else None)
    if word in ATTRIBUTES:
        reading.understood.add(low_place(reading, word))
        attribute, sign = ATTRIBUTES[word]
        degree = Degree(word, attribute, sign, (), False)
        if attribute == "size":
            sized = sorted(columns, key=lambda one: -best_likeness(one, SIZES))
            return sized[0] if sized and best_likeness(sized[0], ("size", "dimension", "area")) >= 0.6 else None
        if attribute == "date":
            return next((one for one in numbers if "age" in one.words), None)
        return of_attribute(degree, [one for one in numbers if one.kind == NUMBER or is_cost(one)])
    if word in AUXILIARIES:
        return likest_of(reading, STATE_LIKE)
    return by_header(reading, columns)


def low_place(reading: Reading, word: str) -> int:
    """Where a word stands."""
    return reading.question.low.index(word)


def by_unit(reading: Reading, columns: Sequence[Column]) -> Column | None:
    """The column whose unit a question says: "square metres" for "sq m"."""
    words = [one.low for one in reading.question.tokens if one.says]
    fits = [
        one
        for one in columns
        if one.unit and all(any(is_unit(unit, word) for word in words) for unit in one.unit.lower().split())
    ]
    return fits[0] if len(fits) == 1 else None


def best_of(columns: Sequence[Column], words: Sequence[str]) -> Column | None:
    """Of columns the likest to some words, where it is like them."""
    best = max((one for one in columns if one.kind == TEXT), key=lambda one: best_likeness(one, words), default=None)
    return best if best is not None and best_likeness(best, words) >= 0.6 else None


def likest_of(reading: Reading, words: Sequence[str]) -> Column | None:
    """The column of text that is likest to some words, where it is like them."""
    return best_of(free(reading, ()), words)


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


def of_words(reading: Reading, apart: Sequence[Column]) -> Column | None:
    """The column that "what" asks for: that of a header, else what the row is."""
    table, columns = reading.table, free(reading, apart)
    if reading.question.has(WRONG):
        reading.understood.update(one.place for one in reading.question.tokens if one.low in WRONG)
        return likest_of(reading, STATE_LIKE) or next((one for one in columns if one.is_notes), None)
    if (
        any(map(costs_are_asked, reading.question.tokens))
        and len(costs := [one for one in columns if one.is_amount and is_cost(one)]) == 1
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
    if (found := by_header(reading, rows)) is not None:
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
        if (column := verb_of_cells(reading, columns)) is not None:
            return column
        if like and like[0][0] >= LIKE and (len(like) < 2 or like[0][0] >= like[1][0] + APART):
            return like[0][1]
    return None


__all__ = ["CLOSE", "PRESENT", "asked_column", "by_header", "by_unit", "free", "named_columns"]
