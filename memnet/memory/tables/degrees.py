"""Words of degree: which column "longest", "cheaper" and "more than 50" speak of, and which end of it they mean.

longest  ->  length, the most        newest   ->  a date, the latest       cheaper  ->  money, the less
paid the least  ->  the least of the column that is named beside it
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from memnet.memory.columns import COSTING, LIKE, cosine, is_of, person_like, similarity
from memnet.memory.tables.cells import DATE, MONEY, NUMBER, ORDERED, date_of
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.wording import Question, Token, is_word
from memnet.tasks.text.english import TIMES, of_class, singular

ATTRIBUTES = {  # gradable adjectives, what they are a degree of, and whether they mean much of it
    **dict.fromkeys(of_class("big large great huge"), ("size", 1)),
    **dict.fromkeys(of_class("small little tiny"), ("size", -1)),
    **dict.fromkeys(of_class("expensive dear costly pricey high-priced"), ("price", 1)),
    **dict.fromkeys(of_class("cheap inexpensive"), ("price", -1)),
    **dict.fromkeys(of_class("new recent late"), ("date", 1)),
    **dict.fromkeys(of_class("old early soon"), ("date", -1)),
    "young": ("age", -1),
    "aged": ("age", 1),
    "elderly": ("age", 1),
    "long": ("length", 1),
    "short": ("length", -1),
    "tall": ("height", 1),
    "high": ("height", 1),
    "low": ("height", -1),
    "wide": ("width", 1),
    "broad": ("width", 1),
    "narrow": ("width", -1),
    "deep": ("depth", 1),
    "shallow": ("depth", -1),
    "heavy": ("weight", 1),
    "light": ("weight", -1),
    "thick": ("thickness", 1),
    "thin": ("thickness", -1),
    "fast": ("speed", 1),
    "quick": ("time", -1),
    "slow": ("speed", -1),
    "far": ("distance", 1),
    "near": ("distance", -1),
    "valuable": ("value", 1),
    "hot": ("temperature", 1),
    "warm": ("temperature", 1),
    "cold": ("temperature", -1),
    "strong": ("strength", 1),
    "weak": ("strength", -1),
    "busy": ("number", 1),
    "full": ("number", 1),
}
BEGINNING = of_class("start started starts since joined begun from")
MOST, LEAST = of_class("most highest maximum"), of_class("least fewest lowest minimum")
MORE, LESS = of_class("more higher greater"), of_class("less fewer lower")
ENDS = {"first": -1, "earliest": -1, "last": 1, "latest": 1, "furthest": 1, "farthest": 1, "soonest": -1, "next": -1}
SIZES = ("size", "area", "length", "capacity", "dimension", "volume")
LASTING_TO = of_class("until till to end ends expires expiry")  # in a header of dates, of which the longest is the last
DEALING = ("for", "at")
COSTS = ("price", "cost", "fee", "rent", "charge", "value")
COST_LIKE, SIZE_LIKE, AGE_LIKE = 0.55, 0.45, 0.6


class Degree(NamedTuple):
    """A word of degree: the adjective, the attribute that it is of, which end of it is meant, and the word's places."""

    adjective: str
    attribute: str
    sign: int
    places: tuple[int, ...]
    superlative: bool


def degree_of(question: Question, apart: Collection[int] = ()) -> Degree | None:
    """The superlative or comparative of a question, of no word in the places ``apart``; None where it has none."""
    tokens = [one for one in question.tokens if one.place not in apart]
    for one in tokens:
        after = question.tokens[one.place + 1] if one.place + 1 < len(question.tokens) else None
        adjective = "" if after is None else after.low if after.low in ATTRIBUTES else after.low.removesuffix("ly")
        for words, sign, superlative in ((MOST, 1, True), (LEAST, -1, True), (MORE, 1, False), (LESS, -1, False)):
            if one.low not in words or (
                not superlative and one.low == "more" and "than" not in question.low[one.place :] and not or_of(question)
            ):
                continue
            if after is not None and adjective in ATTRIBUTES:
                attribute, own_sign = ATTRIBUTES[adjective]
                return Degree(adjective, attribute, sign * own_sign, (one.place, after.place), superlative)
            attribute = "height" if one.low in ("highest", "lowest", "higher", "lower") else ""
            return Degree("", attribute, sign, (one.place,), superlative)
    for one in tokens:
        for ending, superlative in (("est", True), ("er", False)):
            base = next((word for word in bases(one.low, ending) if word in ATTRIBUTES), "")
            if base and (one.place > 0 or superlative):
                attribute, sign = ATTRIBUTES[base]
                if question.low[one.place + 1 : one.place + 2] == ("ago",):
                    return Degree("old", "date", -sign, (one.place, one.place + 1), True)
                return Degree(base, attribute, sign, (one.place,), superlative)
        if one.low in ENDS and question.low[one.place + 1 : one.place + 2] != ("name",):
            return Degree(one.low, "date", ENDS[one.low], (one.place,), True)
    return None


def or_of(question: Question) -> bool:
    """Whether a question offers two things."""
    return "or" in question.low


def bases(word: str, ending: str) -> list[str]:
    """The adjectives of which a word may be a form with an ending.

    >>> bases("biggest", "est"), bases("later", "er"), bases("heaviest", "est")
    (['bigg', 'bigge', 'big'], ['lat', 'late', 'la'], ['heavi', 'heavie', 'heav', 'heavy'])
    """
    if not word.endswith(ending):
        return []
    stem = word[: -len(ending)]
    return [stem, stem + "e", stem[:-1], *([stem[:-1] + "y"] if stem.endswith("i") else [])]


def is_cost(column: Column) -> bool:
    """Whether a column has amounts of money, or is called by what something costs."""
    if column.kind == NUMBER and any(is_of(word, "sell") for word in column.words) and column.words[-1] not in DEALING:
        return best_likeness(column, COSTS, but="sold") >= COST_LIKE  # "Seats sold" is no price, and "Sold for" is one
    return column.kind == MONEY or (column.kind == NUMBER and best_likeness(column, COSTS) >= COST_LIKE)


def costs_of(columns: Sequence[Column]) -> list[Column]:
    """The columns of what things cost: of several those that are called so or have money, so "Price" and not "In stock"."""
    found = [one for one in columns if is_cost(one)]
    called = [one for one in found if one.kind == MONEY or any(is_word(word, cost) for word in one.words for cost in COSTS)]
    return called if len(found) > 1 and called else found


def costs_are_asked(token: Token) -> bool:
    """Whether a word asks what something costs: "worth", "pays", "charge"."""
    if token.low in COSTING or token.low in MORE | LESS:
        return token.low in COSTING
    may_cost = token.says and not token.is_name and singular(token.low) not in TIMES  # "evening" is no form of "even"
    return may_cost and similarity(token.low, ("cost",)) >= LIKE


def best_likeness(column: Column, words: Sequence[str], but: str = "") -> float:
    """How much a word of a header is like one of some words, a word ``but`` for which there are others left out."""
    told = [word for word in column.words if word != but] or column.words
    return max((cosine(word, other) for word in told for other in words), default=0.0)


def ordered_column(table: Table, degree: Degree, beside: Sequence[Token], said: Sequence[str] = ()) -> Column | None:
    """The column by which rows are compared; None where that is not clear. ``beside`` are words that may name it."""
    columns = table.of_kind(ORDERED)
    next_to = [one for one in beside if one.place == max(degree.places, default=-2) + 1]
    if degree.adjective == "" and next_to:  # "the highest prices"
        called = [one for one in columns if any(is_word(next_to[0].low, word) for word in one.words)]
        if len(called) == 1:
            return called[0]
    if degree.attribute and len(direct := directly(degree, columns)) == 1:
        return direct[0]
    scores = {one: sum(any(is_word(token.low, word) for token in beside) for word in set(one.words)) for one in columns}
    most = max(scores.values(), default=0)
    if not most and any(map(costs_are_asked, beside)):
        return only(costs_of(columns))
    if degree.adjective == "long" and not most and not {"been", "had", "has", "have"}.isdisjoint(said):
        dates = [one for one in columns if one.kind == DATE]
        return only([one for one in dates if not BEGINNING.isdisjoint(one.words)]) or only(dates)
    if most and len(best := [one for one, score in scores.items() if score == most]) == 1:
        return best[0]
    if most:
        columns = [one for one, score in scores.items() if score == most]
    if degree.attribute == "date" and not most and degree.adjective in ENDS:
        columns = pending([one for one in columns if one.kind == DATE], [*(one.low for one in beside), *said])
    return of_attribute(degree, columns, bool(most))


def of_attribute(degree: Degree, columns: Sequence[Column], named: bool = False) -> Column | None:
    """Of columns the one of an attribute."""
    attribute, adjective = degree.attribute, degree.adjective
    direct = directly(degree, columns)
    if len(direct) == 1:
        return direct[0]
    dates, costs = [one for one in columns if one.kind == DATE], costs_of(columns)
    numbers = [one for one in columns if one.kind == NUMBER and not is_cost(one)]
    if attribute == "date" or (adjective == "old" and not numbers):
        ages = [one for one in numbers if "age" in one.words]
        if ages and adjective in ("old", "young"):
            return only(ages)
        made = [one for one in dates if any(map(is_past, one.words))]
        return (
            only([*ages, *dates]) or only(made) or only(lasting(dates)) if adjective in ("old", "young", "new") else only(dates)
        )
    if attribute == "age":
        return only([one for one in numbers if "age" in one.words])
    if attribute in ("price", "value"):
        return only(costs)
    if attribute == "size":
        return only([one for one in numbers if best_likeness(one, SIZES) >= SIZE_LIKE]) or only(numbers)
    if attribute == "number":
        return only(numbers)
    if attribute and not named:
        likest = sorted(numbers, key=lambda one: -best_likeness(one, (attribute,)))
        return likest[0] if likest and best_likeness(likest[0], (attribute,)) >= AGE_LIKE else None
    return only(columns) if named or len(columns) == 1 else None


def directly(degree: Degree, columns: Sequence[Column]) -> list[Column]:
    """The columns that are called by an attribute, or by its adjective."""
    said = [one for one in (degree.attribute, degree.adjective) if one]
    return (
        [one for one in columns if any(is_of(said_word, word) for said_word in said for word in one.words)]
        if degree.attribute != "date"
        else []
    )


def sign_in(degree: Degree, column: Column) -> int:
    """Which end of a column is meant: old is the earliest of dates, and the most of ages."""
    if column.kind != DATE and degree.adjective == "old":
        return degree.sign * -1
    if column.kind == DATE and degree.attribute in ("age", "length") and LASTING_TO.isdisjoint(column.words):
        return degree.sign * -1
    return degree.sign


def lasting(dates: Sequence[Column]) -> list[Column]:
    """Of columns of dates the one that spans more than twice the years of any other: by which things are old."""
    spans = dict[Column, int]()
    for one in dates:
        years = [moment[0] for cell in one.told if (moment := date_of(cell, one.day_first)) and moment[0]]
        spans[one] = max(years, default=0) - min(years, default=0)
    ordered = sorted(dates, key=lambda one: -spans[one])
    return ordered[:1] if all(spans[ordered[0]] > 2 * spans[one] for one in ordered[1:]) else []


def pending(dates: Sequence[Column], low: Sequence[str]) -> list[Column]:
    """Of columns of dates those of no deed that is past, where a question is in the present: "comes back", not "built"."""
    in_the_past = not {"was", "were", "did", "had"}.isdisjoint(low)
    return [*dates] if in_the_past else [one for one in dates if not any(map(is_past, one.words))] or [*dates]


def is_past(word: str) -> bool:
    """Whether a word of a header is a verb in the past: "made", "built"."""
    from lemminflect import getAllLemmas

    return word not in getAllLemmas(word).get("VERB", (word,)) and word.endswith(("ed", "de", "t", "n"))


def only(columns: Sequence[Column]) -> Column | None:
    """The one of them, if there is one alone."""
    return columns[0] if len(columns) == 1 else None


__all__ = ["Degree", "degree_of", "ordered_column", "person_like", "sign_in"]
