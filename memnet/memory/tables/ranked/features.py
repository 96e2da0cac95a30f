"""What a network sees of a query: its conditions, what it asks for, and what it leaves of the question.

Every query is a row of numbers, :data:`FEATURES` says of what. Those of a set of conditions and those of what is asked are made
once, what depends on both for all pairs at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memnet.memory.tables.cells import DATE, MONEY, NUMBER
from memnet.memory.tables.degrees import sign_in
from memnet.memory.tables.ranked import condition as of
from memnet.memory.tables.ranked.asked import DIGITS, HUMAN, NAME, NOUN, OTHER, Asked
from memnet.memory.tables.ranked.concepts import is_about
from memnet.memory.tables.ranked.conditions import NOT
from memnet.memory.tables.ranked.naming import is_code
from memnet.memory.tables.ranked.queries import (
    AVERAGE,
    COUNTING,
    MANY,
    OF_CELLS,
    OPERATIONS,
    SHARES,
    TOTAL,
    WHETHER,
    Head,
    Meant,
    has,
)
from memnet.memory.tables.ranked.query import GROUP_MEAN, GROUP_SUM, MOST
from memnet.memory.tables.ranked.ranks import asks_for_an_end
from memnet.memory.tables.ranked.spans import APART, MINUTES
from memnet.memory.tables.table import Column
from memnet.tasks.text.english import of_class, singular

Array = NDArray[np.float32]
QUESTION = (
    "who", "whose", "where", "when", "which", "what", "why", "how many", "how much", "how", "whether", "bids",
    "total", "average", "extreme", "several", "not", "or", "long", "human noun", "degree", "none read",
    "counting", "percent", "apart", "of time", "free", "between",
)  # fmt: skip
CONDITIONS = (
    *(f"condition {kind}" for kind in of.KINDS),
    *(
        "strength",
        "number",
        "words",
        "of people",
        "of label",
        "of codes",
        "header said",
        "same column",
        "not denied",
        "none",
        "of first",
    ),
    *("rows none", "rows one", "rows all", "rows share", "in a date", "prior", "chance", "surprise"),
)
TARGET = (
    *(f"do {operation}" for operation in OPERATIONS),
    *(
        "label",
        "first column",
        "people",
        "people first",
        "place",
        "date",
        "money",
        "number",
        "verdict",
        "notes",
        "code",
        "many cells",
        "derived",
    ),
    *(
        "who fits",
        "where fits",
        "when fits",
        "much fits",
        "many fits",
        "noun is header",
        "noun is concept",
        "noun near header",
        "noun near cells",
        "how so",
        "asked of another",
        "doer",
    ),
    *(
        "measure header",
        "measure concept",
        "measure near",
        "measure by degree",
        "measure date",
        "measure derived",
        "degree fits",
        "measure is target",
    ),
)
BOTH = (
    *(
        "header said left",
        "header share left",
        "concept left",
        "near left",
        "cells left",
        "is conditioned",
        "conditioned of cells",
    ),
    *("left names", "left digits", "left nouns", "left others", "left share", "left noun asked"),
    *("asked match", "asked match over", "measure match", "measure match over"),
    *("asked read", "asked read over", "measure read", "measure read over"),
    *("answers none", "answers one", "answers several", "answers many", "several fits", "one fits", "empty share"),
)
OTHERS = (
    "strict",
    "refuse",
    "strict answers",
    "strict refused",
    "strict parts",
    "strict verdict",
    "unlinked names",
    "unlinked digits",
    "unlinked nouns",
    "unlinked others",
)
FEATURES = (*QUESTION, *CONDITIONS, *TARGET, *BOTH, *OTHERS)
AT = {name: place for place, name in enumerate(FEATURES)}
LEAST = 1e-2  # of a chance, for its logarithm
BIDS = of_class("list give name tell show print find")
DATES = of_class("date dates day days time year month when night")
BY_DOER = ("supplier", "maker", "owner", "holder", "does", "manager", "borrower", "customer", "teacher", "doctor", "driver")


def question_features(asked: Asked) -> Array:
    """(len(FEATURES),) with what is of the question alone."""
    low, x = asked.low, np.zeros(len(FEATURES), np.float32)
    said = {word.removesuffix("s") if word in ("whats", "wheres", "whos") else word for word in low}
    for word in ("who", "whose", "where", "when", "which", "what", "why"):
        x[AT[word]] = word in said or (word == "who" and "whom" in said)
    x[AT["how many"]], x[AT["how much"]] = has(low, MANY), has(low, (("how", "much"),))
    x[AT["how"]] = "how" in said and not x[AT["how many"]] and not x[AT["how much"]]
    x[AT["whether"]], x[AT["bids"]] = low[0] in WHETHER, low[0] in BIDS
    x[AT["total"]], x[AT["average"]] = not TOTAL.isdisjoint(low), not AVERAGE.isdisjoint(low)
    x[AT["extreme"]] = asks_for_an_end(low)
    x[AT["several"]], x[AT["not"]], x[AT["or"]] = asked.several, not NOT.isdisjoint(low), "or" in low
    x[AT["long"]], x[AT["degree"]] = len(low) / 10, asked.degree is not None
    noun = singular(low[asked.noun]) if asked.noun >= 0 else ""
    x[AT["human noun"]] = noun in HUMAN
    x[AT["none read"]] = asked.none_read
    x[AT["counting"]], x[AT["percent"]] = not COUNTING.isdisjoint(low), not SHARES.isdisjoint(low)
    x[AT["apart"]], x[AT["of time"]] = not APART.isdisjoint(low), not MINUTES.keys().isdisjoint(low)
    x[AT["free"]], x[AT["between"]] = low[0] not in OF_CELLS | WHETHER, "between" in low
    return x


def condition_features(asked: Asked, some: Sequence[Meant]) -> Array:
    """(sets, len(FEATURES)) with what is of each set of conditions."""
    x = np.zeros((len(some), len(FEATURES)), np.float32)
    has_not = not NOT.isdisjoint(asked.low)
    for row, one in zip(x, some, strict=True):
        for each in one.conditions:
            row[AT[f"condition {each.kind}"]] += 1
            row[AT["strength"]] += each.strength
            row[AT["of people"]] += each.column in asked.people
            row[AT["of label"]] += each.column is asked.label
            row[AT["of first"]] += each.column.place == 0
            row[AT["of codes"]] += is_code(each.column)
            row[AT["in a date"]] += each.column.kind == DATE
            row[AT["header said"]] += bool(asked.heard[each.column].places - each.places)
            row[AT["prior"]] += each.prior / 5
            row[AT["chance"]] += each.strength * (each.kind == of.MEANT)
            row[AT["surprise"]] -= math.log(each.strength + LEAST) * (each.kind == of.MEANT)
        total = len(asked.table)
        row[AT["number"]], row[AT["words"]] = len(one.conditions), one.mask.bit_count()
        row[AT["same column"]] = len(one.conditions) - len(one.columns)
        row[AT["not denied"]] = has_not and not any(each.kind in (of.IS_NOT, of.EMPTY) for each in one.conditions)
        row[AT["none"]] = not one.conditions
        row[AT["rows none"]], row[AT["rows one"]], row[AT["rows all"]] = (
            not one.rows,
            len(one.rows) == 1,
            len(one.rows) == total,
        )
        row[AT["rows share"]] = len(one.rows) / max(1, total)
    return x


def head_features(asked: Asked, head: Head) -> Array:
    """(len(FEATURES),) with what is of what is asked alone."""
    x, target, low = np.zeros(len(FEATURES), np.float32), head.target, asked.low
    x[AT[f"do {head.operation}"]] = 1
    said = {word.removesuffix("s") if word in ("whats", "wheres", "whos") else word for word in low}
    noun = low[asked.noun] if asked.noun >= 0 else ""
    people = target in asked.people
    x[AT["label"]], x[AT["first column"]] = target is asked.label, target.place == 0
    x[AT["people"]], x[AT["people first"]] = people, bool(asked.people) and target is asked.people[0]
    x[AT["place"]], x[AT["date"]] = target.is_place or is_about(target, "place", "kept_where"), target.kind == DATE
    x[AT["money"]], x[AT["number"]] = target.kind == MONEY, target.kind == NUMBER and target.is_amount
    x[AT["verdict"]], x[AT["notes"]], x[AT["code"]] = target.is_verdict or target.is_ticked, target.is_notes, is_code(target)
    x[AT["derived"]] = target in asked.derived
    x[AT["many cells"]] = len(target.distinct) / max(1, len(target.told))
    x[AT["doer"]] = people or is_about(target, *BY_DOER)
    wants_who = bool({"who", "whom", "whose"} & said) or (bool(noun) and singular(noun) in HUMAN)
    x[AT["who fits"]] = wants_who * (1.0 if people else 0.5 if x[AT["doer"]] else -1.0)
    x[AT["where fits"]] = ("where" in said) * (1.0 if x[AT["place"]] else 0.7 if is_about(target, "town", "origin") else -1.0)
    wants_when = "when" in said or noun in DATES or not DATES.isdisjoint(low[:4])
    x[AT["when fits"]] = wants_when * (1.0 if target.kind == DATE else -1.0)
    x[AT["much fits"]] = has(low, (("how", "much"),)) * (1.0 if target.kind == MONEY else 0.6 if x[AT["number"]] else -1.0)
    x[AT["many fits"]] = has(low, MANY) * (1.0 if x[AT["number"]] else -1.0)
    if noun:
        x[AT["noun is header"]] = asked.noun in asked.heard[target].header
        x[AT["noun is concept"]] = any(asked.noun in places for places in asked.heard[target].concept)
        x[AT["noun near header"]] = asked.heard[target].near.get(asked.noun, 0.0)
        x[AT["noun near cells"]] = asked.heard[target].cells.get(asked.noun, 0.0)
    if "how" in low:
        after = low.index("how") + 1
        x[AT["how so"]] = after in asked.heard[target].places
    most = max(asked.heard[target].concept.values(), default=0.0)
    x[AT["asked of another"]] = max(0.0, asked.most_heard - most)
    if head.measure is not None:
        of_measure(asked, head, head.measure, x)
    return x


def of_measure(asked: Asked, head: Head, measure: Column, x: Array) -> None:
    """What rows are compared by."""
    heard = asked.heard[measure]
    x[AT["measure header"]], x[AT["measure concept"]] = bool(heard.header), max(heard.concept.values(), default=0.0)
    x[AT["measure near"]] = max(heard.near.values(), default=0.0)
    x[AT["measure by degree"]], x[AT["measure date"]] = head.by_degree, measure.kind == DATE
    x[AT["measure derived"]] = measure in asked.derived
    x[AT["measure is target"]] = measure is head.target
    most = head.operation == MOST or (head.operation in (GROUP_SUM, GROUP_MEAN) and not head.fewest)
    if asked.degree is not None:
        x[AT["degree fits"]] = 1.0 if (sign_in(asked.degree, measure) > 0) == most else -1.0
    else:
        x[AT["degree fits"]] = 0.5 if most else -0.5


def unlinked(asked: Asked, every: Sequence[of.Condition]) -> Array:
    """(len(FEATURES),) with the words that no condition and no header could read."""
    x = np.zeros(len(FEATURES), np.float32)
    read = frozenset().union(*(one.places for one in every), *(one.places for one in asked.heard.values()))
    for name, kind in (
        ("unlinked names", NAME),
        ("unlinked digits", DIGITS),
        ("unlinked nouns", NOUN),
        ("unlinked others", OTHER),
    ):
        x[AT[name]] = sum(each == kind and at not in read for at, each in asked.classes.items())
    return x


__all__ = ["AT", "FEATURES", "condition_features", "head_features", "question_features", "unlinked"]
