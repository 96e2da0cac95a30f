"""The column that a question word asks for: of people for "who", of dates for "when", of places for "where", of amounts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from memnet.memory.columns import KIND_LIKE, LIKE, PLACE_LIKE, cosine, is_of, is_only_a_noun, likeness, similarity
from memnet.memory.fields import asks_where
from memnet.memory.tables.cells import DATE, NUMBER, TEXT, date_of
from memnet.memory.tables.degrees import (
    ATTRIBUTES,
    SIZES,
    Degree,
    best_likeness,
    costs_are_asked,
    costs_of,
    is_cost,
    of_attribute,
    pending,
)
from memnet.memory.tables.people import as_agent
from memnet.memory.tables.reading import Reading
from memnet.memory.tables.table import Column
from memnet.memory.tables.told import named_columns
from memnet.memory.tables.wording import ENDING, HOLDING, JOINING, STARTING, forms_of, is_unit
from memnet.memory.verbs import same_as
from memnet.tasks.text.english import AUXILIARIES, of_class

STATE_LIKE = ("condition", "state", "fault", "problem", "damage", "status")
FROM = of_class("from first start starts begin begins open opens arrives")
TO = of_class("to until till end ends finish close closes leaves departs departure")
PLAIN_VERBS = of_class("do does did go goes going come comes coming be work works")
DISTANCES = of_class("km mi mile miles m metres meters yards kilometres")
SAME_PRICE = 0.7  # cosine of a header to "price", of what is bought or sold
DEALS = of_class("sell sells sold selling buy buys bought buying")
GIVING = of_class("give gave gives given show find tell")  # deeds that are no having
APART = 0.08  # by how much one column is likelier than the next
HELD = ("hold", "keep", "use", "borrow", "rent", "hire")
LENT = 0.6  # how much a column "lent to" is of who has a thing
CONTACTING = same_as("call", ["Bob"]) | of_class("ask email message text write talk speak")
STANDING = of_class("stand stands lie lies sit sits stood lay sat")
LIVING = of_class("live lives lived living")
HOMES = ("address", "home", "street", "road", "village", "town", "city", "country")  # the closest first
LASTING = of_class("take takes took taken last lasts lasted")  # a time, and no length in metres
CARING = of_class("charge responsible looks look after runs cares")


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
    if best.words[0] == "contact" and reading.question.has(CONTACTING):
        reading.understood.update(one.place for one in reading.question.tokens if one.low in CONTACTING)
    verbs = [one for one in reading.left([best]) if not one.is_name]
    known = reading.taken_by_parts | reading.used
    if any(one.low in GIVING and one.place not in known for one in reading.question.tokens) or of_a_dated_deed(reading):
        return None
    holding = (
        reading.question.has(HOLDING | PLAIN_VERBS | AUXILIARIES)
        or best.likeness_to_people >= KIND_LIKE
        or best is table.person
        or any(like_agent(one.low, best) >= LIKE for one in reading.left([]) if not one.is_name)
    )
    by_vectors = best.words[-1] != "by"  # "pruned by" is of one deed alone
    in_headers = {at for at, columns in reading.headers.items() if any(one.kind != DATE for one in columns)}
    allowed = all(one.place in in_headers or like_agent(one.low, best, by_vectors) >= LIKE for one in verbs)
    return best if holding and allowed else None


def of_a_dated_deed(reading: Reading) -> bool:
    """Whether a question asks who did what a column of dates says, and no other: "Who planted it?", where it is "Planted"."""
    limits = {column for one in reading.limits for column in one.columns}
    deeds = [at for at, columns in reading.headers.items() if columns and all(one.kind == DATE for one in columns)]
    verbs = [at for at in deeds if reading.question.low[at] not in JOINING and not is_only_a_noun(reading.question.low[at])]
    return any(limits.isdisjoint(reading.headers[at]) for at in verbs)


def holder(reading: Reading, people: Sequence[Column]) -> Column | None:
    """Of several columns of people that of who has a thing, where the question asks for that; else None."""
    if not people or not reading.question.has(HOLDING | {"whose", "belong", "belongs"}):
        return by_verb(reading, people)
    scores = {one: max(LENT * is_holding(one), best_likeness(one, ("owner",))) for one in people}
    if any(map(is_holding, people)):
        scores = {one: score if score > 0.99 or is_holding(one) else 0.0 for one, score in scores.items()}  # no maker has it
    first, second, *_ = sorted(people, key=lambda one: -scores[one])
    return first if scores[first] >= scores[second] + APART else None


def is_holding(column: Column) -> bool:
    """Whether a column is of who has a thing for a time: "Lent to", "Borrower", "Used by"."""
    return column.words[-1] in ("by", "to") or any(is_of(verb, column.words[-1]) for verb in HELD)


def by_verb(reading: Reading, columns: Sequence[Column]) -> Column | None:
    """The column that is likest to the verb of a question: of who wrote it the author."""
    verbs = [one for one in reading.left([]) if not one.is_name and not is_only_a_noun(one.low)]
    scores = sorted(
        ((max((like_agent(verb.low, one) for verb in verbs), default=0.0), one.place, one) for one in columns),
        reverse=True,
    )
    clear = len(scores) == 1 or (scores and scores[0][0] >= scores[1][0] + APART)
    return scores[0][2] if clear and scores[0][0] >= LIKE else None


def like_agent(verb: str, column: Column, by_vectors: bool = True) -> float:
    """How much a column is like a verb, or like who does it: "coach" and "trainer", of "trains"."""
    agents = as_agent(verb) if by_vectors else ()
    return max(similarity(verb, column.words, by_vectors), *(cosine(one, column.words[-1]) for one in agents), 0.0)


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
    days = [one for one in dates if any((moment := date_of(cell, one.day_first)) and moment[1] for cell in one.told)]
    if days and any(two in (("what", "date"), ("which", "date")) for two in pairwise(low)):
        dates, clocks = days, []
    if "of the week" in reading.question.text.lower():
        weekdays = [one for one in dates if all((moment := date_of(cell)) and moment[2] and not moment[1] for cell in one.told)]
        dates, clocks = weekdays or dates, []
    if clocks and len(clocks) < len(dates):
        dates = clocks if "time" in low and "when" not in low else [one for one in dates if one not in clocks]
    if "time" in low and not clocks and "when" not in low:
        return by_header(reading, dates)
    if "time" in low and len(clocks) > 1 and by_header(reading, clocks) is None:
        starts = [one for one in clocks if not FROM.isdisjoint(one.words)]
        ending = any(not one.forms.isdisjoint(ENDING) for one in reading.question.tokens)
        if len(starts) == 1 and not ending:
            return starts[0]
    for verbs, words in ((STARTING, FROM), (ENDING, TO)):
        if any(not one.forms.isdisjoint(verbs) for one in reading.question.tokens):
            ends = [one for one in (clocks or dates) if any(word in words or forms_of(word) & verbs for word in one.words)]
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
    if reading.question.has(LIVING) and table.thing in table.people and reading.named:
        return home_of(reading, columns)
    if not asks_where(reading.question.text) and not reading.question.has(STANDING) and by_header(reading, columns) is None:
        return None
    reading.understood.update(one.place for one in reading.question.tokens if not one.is_name and not is_only_a_noun(one.low))
    places = [one for one in columns if one.is_place]
    keys = {one.place for one in (table.columns[0], table.key, table.thing)}
    apart_from_rows = reading.named and all(keys.isdisjoint(one.rows) for one in reading.named)
    if apart_from_rows and not any(map(reading.is_of_rows, reading.question.tokens)) and table.thing not in places:
        return None  # where the car of somebody is, is not where somebody is
    if table.thing in places and by_header(reading, places) is None:
        return table.thing
    if len(places) > 1:
        places = sorted(places, key=lambda one: -(1.0 if one.words == ("where",) else likeness(one.words, PLACE_LIKE)))
    if places:
        return by_header(reading, places) or places[0]
    first = table.columns[0]
    is_named = any(table.thing.place in one.rows for one in reading.named)
    return first if is_named and first in columns and not first.is_numbering and first is not table.thing else None


def home_of(reading: Reading, columns: Sequence[Column]) -> Column | None:
    """The column of where people live: of an address and a town the address, and no office."""
    homes = [
        (
            0
            if not LIVING.isdisjoint(one.words)
            else max((HOMES.index(word) for word in one.words if word in HOMES), default=-1),
            one,
        )
        for one in columns
    ]
    found = min((two for two in homes if two[0] >= 0), key=lambda two: two[0], default=None)
    if found is None:
        return None
    reading.understood.update(one.place for one in reading.question.tokens if one.low in LIVING)
    return found[1]


def of_measure(reading: Reading, word: str, apart: Sequence[Column]) -> Column | None:
    """The column of "how much", "how long" and the like."""
    columns = free(reading, apart)
    numbers = [one for one in columns if one.is_amount]
    if word in ("much", "many"):
        found = by_header(reading, [one for one in numbers if one.kind != DATE]) or by_unit(reading, numbers)
        costs = costs_of(numbers)
        if word == "many":
            counts = [one for one in numbers if one.kind == NUMBER]
            return found or (counts[0] if len(counts) == 1 else None)
        paying = any(costs_are_asked(one) or one.low in DEALS for one in reading.question.tokens)
        if reading.question.has(DEALS):  # a fee or a rent is not what something was sold for
            found = found if found is not None and is_cost(found) else None
            costs = [one for one in costs if best_likeness(one, ("price", "cost")) >= SAME_PRICE]
        return found or (costs[0] if len(costs) == 1 and (paying or not reading.left(costs)) else None)
    if word in ATTRIBUTES:
        reading.understood.add(low_place(reading, word))
        attribute, sign = ATTRIBUTES[word]
        if attribute == "distance" and (away := of_distance(reading, numbers)) is not None:
            return away
        degree = Degree(word, attribute, sign, (), False)
        if attribute == "size":
            sized = sorted(columns, key=lambda one: -best_likeness(one, SIZES))
            return sized[0] if sized and best_likeness(sized[0], ("size", "dimension", "area")) >= 0.6 else None
        if attribute == "date":
            return next((one for one in numbers if "age" in one.words), None)
        found = of_attribute(degree, [one for one in numbers if one.kind == NUMBER or is_cost(one)])
        lasts = word == "long" and reading.question.has(LASTING)
        return None if found is not None and lasts and not DISTANCES.isdisjoint(found.unit.lower().split()) else found
    if word in AUXILIARIES:
        return likest_of(reading, STATE_LIKE)
    return by_header(reading, columns)


def of_distance(reading: Reading, numbers: Sequence[Column]) -> Column | None:
    """The column in units of length whose header is near to what something is far from: "the river", of "Bank (km)"."""
    lengths = [one for one in numbers if not DISTANCES.isdisjoint(one.unit.lower().split())]
    if (said := by_header(reading, lengths)) is not None:
        return said
    nouns = [one for one in reading.left([]) if reading.is_noun(one) and not one.is_name]
    near = [(one, noun) for one in lengths for noun in nouns if any(is_near(noun.low, word) for word in one.words)]
    if len({one for one, _ in near}) != 1 or len(nouns) != 1:
        return None
    reading.understood.add(near[0][1].place)
    return near[0][0]


def is_near(noun: str, word: str) -> bool:
    """Whether a noun is a header's word or means nearly the same."""
    return cosine(noun, word) >= LIKE


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
