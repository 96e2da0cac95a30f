"""Which column of a table a question asks for: by its words, and by the kind of answer that it asks for.

    "Who owns the drill?"             own is what an owner does              ->   owner
    "How expensive was the drill?"    expensive is like price, of numbers    ->   price
    "When did we buy the drill?"      bought is the past of buy, of times    ->   bought

A column is a time, a number or anything else, by its values; "when", "how many" and "how old" ask for one of these alone.
How like two words are is the cosine of their vectors. LIKE and APART were chosen on tables of books, cars, patients, plants,
contracts and films, so that no question whose answer is not there finds one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise

import numpy as np

from memnet.facts.names import Key, key_of
from memnet.memory.entries.when import stamp
from memnet.memory.verbs import same_as
from memnet.reading.words import Words
from memnet.tasks.text.english import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    QUESTION_WORDS,
    SPEAKERS,
    TIMES,
    kinds_of_word,
    of_class,
)
from memnet.tasks.world.lexicon import nouns

GRAMMAR = AUXILIARIES | DETERMINERS | PREPOSITIONS | PRONOUNS | SPEAKERS | QUESTION_WORDS
GRAMMAR |= of_class("of for by on to with we us our ours you your yours whose whom there last ever now 's")
PLACES = "room+building+city+country+container in+container on+storage+shop+street"
PLACE_LIKE = ("location", "place", "room", "building", "city", "site", "office", "area")
PEOPLE = "role"
PERSON_LIKE = ("person", "employee", "owner", "manager", "friend", "teacher")
OWNING = of_class("belong belongs belonged belonging whose")  # ask who owns
COSTING = of_class("worth pay paid")  # ask what it costs
KIND_LIKE = 0.5  # cosine of a column's name to places or people
LIKE, APART = 0.54, 0.1  # cosine of a word to a column's name, and how much less it is of any other
RELATED = 0.35  # cosine of words of one stem, such as "weigh" and "weight"
STEM, ENDING = 4, 2  # letters that they have in common, and letters of the shorter one that they may not have
NUMBER = re.compile(r"[$€£]?\s?[\d.,]*\d[\d.,]*(?:\s?[^\W\d]{1,10}|\s?[%€$£])?")
DATES = TIMES | of_class("date")
TIME, COUNT, OTHER = "time", "number", "other"


def kind_of_value(value: str) -> str:
    """Whether a value is a time, a number or anything else.

    >>> kind_of_value("2021-05-12"), kind_of_value("529.41"), kind_of_value("12 kg"), kind_of_value("van 2")
    ('time', 'number', 'number', 'other')
    """
    return TIME if stamp(value) else COUNT if NUMBER.fullmatch(value) else OTHER


def chosen(columns: Mapping[Key, str], rest: Sequence[str], of_whereabouts: bool = True) -> Key | None:
    """The column that the rest of a question asks for; None where it names anything else. ``columns`` are of a row's values.

    ``of_whereabouts`` says whether a question that begins with "where" asks where something is.
    """
    fit = of_the_kind(columns, rest)
    words = content_words(rest)
    if named := [column for column in fit if head(column) in lemmas_of(words)]:
        said = lemmas_of(words)
        best = max(named, key=lambda column: (len(said & {*content(column)}), -len(column)))
        left = [word for word in words if lemmas(word).isdisjoint(best)]
        goes_on = not asked_by_name(best, rest) and any(not is_light(word) and similarity(word, best) < LIKE for word in left)
        return None if goes_on or any(is_only_a_noun(word) for word in left) else best
    return by_likeness(fit, rest, words, of_whereabouts)


def asked_by_name(column: Key, rest: Sequence[str]) -> bool:
    """Whether a question asks for a column by its name, "which room": what follows is of the row, and not of the value.

    "Who is the club's director married to?" asks for no director.
    """
    return any(one in ("which", "what", "whose") and not lemmas(other).isdisjoint(column) for one, other in pairwise(rest))


def of_the_kind(columns: Mapping[Key, str], rest: Sequence[str]) -> list[Key]:
    """The columns whose values are of the kind that a question's words ask for."""
    kinds = {column: kind_of_value(value) for column, value in columns.items()}
    if asks_when(rest):
        return [column for column, kind in kinds.items() if kind == TIME]
    if "how" in rest:
        return [column for column, kind in kinds.items() if kind == COUNT]
    if not {"where", "who", "whom", "whose"}.isdisjoint(rest):
        return [column for column, kind in kinds.items() if kind == OTHER]
    return [*columns]


def by_likeness(fit: Sequence[Key], rest: Sequence[str], words: Sequence[str], of_whereabouts: bool) -> Key | None:
    """The column of these that the words of a question are like, or the one of its kind where it has no such words."""
    if "where" in rest:
        likest = {column: max(likeness(column, PLACE_LIKE), called(PLACES, column)) for column in fit}
        best = best_of(likest, KIND_LIKE)
        is_asked = best is not None and (of_whereabouts or all(is_of(word, head(best)) for word in words))
        return best if is_asked and not any(is_only_a_noun(word) for word in words) else None
    words = meant(rest, words)
    if not words and not {"who", "whom"}.isdisjoint(rest):
        return best_of({column: person_like(column) for column in fit}, KIND_LIKE)
    if not words and (len(fit) == 1 or "much" not in rest):
        return fit[0] if len(fit) == 1 and (asks_when(rest) or not {"many", "much"}.isdisjoint(rest)) else None
    words = words or ["cost"]
    likest = {column: max(similarity(word, column, not asks_when(rest)) for word in words) for column in fit}
    best = best_of(likest, LIKE, APART)
    left = [word for word in words if best is not None and similarity(word, best) < LIKE and not is_light(word)]
    return None if left else best


def meant(rest: Sequence[str], words: Sequence[str]) -> list[str]:
    """The words of a question with "own" for "whose tool" and "belongs to", and "cost" for "worth"."""
    said = ["cost" if word in COSTING else word for word in words]
    if OWNING.isdisjoint(rest):
        return said
    thing = rest[rest.index("whose") + 1 :][:1] if "whose" in rest else []
    return ["own", *(word for word in said if word not in OWNING and word not in thing)]


def best_of(likest: Mapping[Key, float], least: float = 0.0, apart: float = 0.0) -> Key | None:
    """The likest column, where it is as like as the ``least``, and so far ``apart`` from the next; those of 1 are named."""
    if not likest:
        return None
    first, *others = sorted(likest, key=lambda column: -likest[column])
    if likest[first] < least:
        return None
    return first if not others or likest[first] >= likest[others[0]] + apart else None


def asks_when(rest: Sequence[str]) -> bool:
    """Whether words of a question ask for a time: "when", "in what year"."""
    return "when" in rest or any(one in ("what", "which") and other in DATES for one, other in pairwise(rest))


def content_words(rest: Sequence[str]) -> list[str]:
    """The words of a question that say something."""
    asking = {"many", "much"} if "how" in rest else DATES if asks_when(rest) else set[str]()
    return [word for word in rest if word not in GRAMMAR and word not in asking and word.isalnum()]


def content(column: Key) -> Key:
    """The words of a column's name that say something, the noun that it is last."""
    return tuple(word for word in column if word not in GRAMMAR) or column


def head(column: Key) -> str:
    """The noun that a column's name is; empty of one without words, such as "£"."""
    return content(column)[-1] if column else ""


# Words


def similarity(word: str, column: Key, by_vectors: bool = True) -> float:
    """How much a word of a question is like a column's name: 1 where it is of one of its words.

    Vectors do not tell a noun of the same meaning from one beside it, such as "width" from "height", nor "sold" from "bought".
    """
    told = content(column)
    if any(is_of(word, part) for part in told):
        return 1.0
    return cosine(word, told[-1]) if told and by_vectors and not is_only_a_noun(word) else 0.0


@lru_cache(maxsize=1 << 14)
def is_of(word: str, part: str) -> bool:
    """Whether two words are forms of one, verbs that say the same, or of one stem.

    >>> is_of("bought", "buy"), is_of("purchased", "buy"), is_of("own", "owner"), is_of("weigh", "weight"), is_of("sell", "buy")
    (True, True, True, True, False)
    """
    if not lemmas(word).isdisjoint(lemmas(part)):
        return True
    verbs = {one for one in lemmas(word) if "VERB" in kinds_of_word(one)}
    return any(part in same_as(one, ["thing"]) for one in verbs) or any(is_of_stem(one, part) for one in lemmas(word))


def is_of_stem(word: str, part: str) -> bool:
    """Whether two words begin the same, and mean something near: "supply" and "supplier"."""
    short = min(len(word), len(part))
    common = next((at for at in range(short) if word[at] != part[at]), short)
    return common >= 3 and (common == short or common >= max(STEM, short - ENDING)) and cosine(word, part) >= RELATED


@lru_cache(maxsize=1 << 14)
def lemmas(word: str) -> frozenset[str]:
    """A word, and the words of which it may be a form."""
    from lemminflect import getAllLemmas

    found = {lemma for every in getAllLemmas(word).values() for lemma in every}
    return frozenset({word, *key_of(word), Words.load().find(word).lemma} | found)


def lemmas_of(words: Iterable[str]) -> set[str]:
    """Those of several words."""
    return {lemma for word in words for lemma in lemmas(word)}


@lru_cache(maxsize=1 << 14)
def cosine(word: str, other: str) -> float:
    """The cosine of two words, of verbs in their plain form, or of all their forms, whichever is more."""
    one, two = (Words.load().units[Words.load().find(plain(each)).row] for each in (word, other))
    return max(float(one @ two), float(mean_of_forms(word) @ mean_of_forms(other)))


def plain(word: str) -> str:
    """A verb without its ending; else the word."""
    from lemminflect import getAllLemmas

    return next(iter(getAllLemmas(word).get("VERB", ())), word)


@lru_cache(maxsize=1 << 14)
def mean_of_forms(word: str) -> np.ndarray:
    """The mean of the vectors of all forms of a word (100,), of length 1; zeros where none has one."""
    from lemminflect import getAllInflections

    words, lemma = Words.load(), lemmas(word)
    forms = {form for one in lemma for every in getAllInflections(one).values() for form in every}
    rows = [words.rows[form] for form in sorted(forms | lemma) if form in words.rows]
    mean = np.mean(words.units[rows or [0]], axis=0)
    return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-6))


def is_only_a_noun(word: str) -> bool:
    """Whether a word names a thing and can be no verb in any form, or is in no dictionary."""
    from lemminflect import getAllLemmas

    kinds = {*getAllLemmas(word)} or {"NOUN"}
    return "NOUN" in kinds and "VERB" not in kinds and "AUX" not in kinds


def is_light(word: str) -> bool:
    """Whether a verb says next to nothing, as frequent words do: "have", "come", "get"."""
    return Words.load().find(word).weight < 0.5 and not is_only_a_noun(word)


# Kinds of columns


@cache
def heads(classes: str) -> frozenset[str]:
    """The last words of the nouns of these classes."""
    return frozenset(word for noun in nouns(classes) for word in key_of(noun)[-1:])


def called(classes: str, column: Key) -> float:
    """Whether a column is called by a noun of these classes."""
    return 1.0 * (head(column) in heads(classes))


def person_like(column: Key) -> float:
    """How much a column is one of people: it is called by one, or after what somebody does, "assigned to", "checked by"."""
    done_by = 1.0 * (len(column) > 1 and column[-1] in ("to", "by"))
    return max(likeness(column, PERSON_LIKE), called(PEOPLE, column), done_by)


def is_place(column: Key) -> bool:
    """Whether a column is called by a place."""
    return max(likeness(column, PLACE_LIKE), called(PLACES, column)) >= KIND_LIKE


def likeness(column: Key, words: Sequence[str]) -> float:
    """The cosine of what a column is called to the mean of some words."""
    units, find = Words.load().units, Words.load().find
    mean = np.mean([units[find(word).row] for word in words], axis=0)
    return float(units[find(head(column)).row] @ mean) / float(np.linalg.norm(mean))
