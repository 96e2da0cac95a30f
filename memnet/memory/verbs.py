"""Verbs of deeds: of which verb a word is the past, and which others say the same of a thing.

    verbs_of("repaired")             ->   repair
    same_as("repair", ["pump", "7"]) ->   repair, fix, mend

Which verbs say the same is what the lexicon has, each line of it for things of a class. Vectors of words do not tell it:
"bought" is nearer to "sold" (0.89) than "fixed" to "repaired" (0.21). They do tell what kind of thing a noun is,
and which verbs have nothing in common.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from memnet.reading.words import Words
from memnet.tasks.text.english import DETERMINERS, kinds_of_word, of_class, singular
from memnet.tasks.world.lexicon import nouns, table
from memnet.tasks.world.senses import SENSES

MOVING = of_class("go leave take drop put move carry buy steal find lose forget give send lend return sell")  # in senses.toml
THINGS = frozenset(
    {*of_class("artefact breakable building clothing opening fillable gadget furnished kitchenware room valuable"), "any"}
)
NOTHING, PERSON = "-", "person"  # classes of what a deed is done to
AFTER_HEAD = of_class("of in on at from for with")
LEAST = 0.3  # cosine of verbs that may stand for each other, such as "install" and "fit" (0.36)
NEAREST = 5  # nouns of a class that a noun is compared with
NEAR = 0.65  # cosine from which a noun is of a class: a report is an event (0.56) as little as a press is (0.63)


class Verbs(NamedTuple):
    """Verbs that say the same of what is of a class."""

    verbs: frozenset[str]
    of_class: str


@cache
def lines() -> tuple[Verbs, ...]:
    """The lines of the lexicon with two or more verbs of one word."""
    found = list[Verbs]()
    for sense in SENSES.values():
        for frame in sense.frames:
            verbs = frozenset(verb for verb in frame.plain if " " not in verb)
            if len(verbs) > 1 and "exact" not in frame.flags:
                found.append(Verbs(verbs, NOTHING if frame.object is None else sense.needs.get(frame.object, "any")))
    return tuple(dict.fromkeys(found))


def same_as(verb: str, done_to: Sequence[str], by: Sequence[str] = ()) -> frozenset[str]:
    """A verb, and those that say the same of what is named; ``done_to`` is empty where it is done to nothing.

    >>> sorted(same_as("repair", ["pump", "7"])), sorted(same_as("paint", ["pump"])), sorted(same_as("call", ["Bob"]))
    (['fix', 'mend', 'repair'], ['paint', 'repaint'], ['call', 'phone', 'ring', 'telephone'])
    """
    told = [word for word in done_to if word.lower() not in DETERMINERS]
    found = (line.verbs for line in lines() if verb in line.verbs and is_of(told, by, line.of_class))
    return frozenset({verb}).union(*found)


def is_of(name: Sequence[str], by: Sequence[str], wanted: str) -> bool:
    """Whether what a name says is of a class: nothing, somebody, or a thing whose noun is like those of the class."""
    if not name or wanted == NOTHING:  # people sleep and slip; what a conveyor does is something else
        return not name and wanted == NOTHING and is_person(by)
    if wanted in (PERSON, "role") or is_person(name):
        return wanted == PERSON and is_person(name)
    head = next((place for place, word in enumerate(name) if place and word.lower() in AFTER_HEAD), len(name))
    noun = singular(next((word for word in reversed(name[:head]) if word.isalpha() and len(word) > 1), name[0]).lower())
    kinds = {*kind_of(noun).split("+")}
    return wanted == "any" or not kinds.isdisjoint(wanted.split("+")) or (wanted in THINGS and not kinds.isdisjoint(THINGS))


def is_person(name: Sequence[str]) -> bool:
    """Whether words are a name with capitals, without numbers."""
    return bool(name) and all(word[0].isupper() and word.isalpha() for word in name)


@lru_cache(maxsize=1 << 12)
def kind_of(noun: str) -> str:
    """The class of the lexicon whose nouns are nearest to a noun; with "any" where none is near, or it has no vector."""
    row = Words.load().find(noun).row
    unit = Words.load().units[row]
    near = {kind: float(np.sort(vectors @ unit)[-NEAREST:].mean()) for kind, vectors in classes().items()}
    best = max(near, key=lambda kind: near[kind]) if row else "any"
    return best if best == "any" or near[best] >= NEAR else f"{best}+any"


@cache
def classes() -> dict[str, np.ndarray]:
    """The vectors of the nouns of each class that a line has, (N, 100)."""
    every, find = Words.load().units, Words.load().find
    named = sorted({line.of_class for line in lines()} - {"any", NOTHING, PERSON, "role"})
    return {kind: every[[find(noun.split()[-1]).row for noun in nouns(kind)]] for kind in named}


@cache
def moving() -> frozenset[str]:
    """Verbs of whereabouts, by their first words."""
    frames = (frame for name in MOVING for frame in table("senses.toml")[name]["frames"])
    return frozenset(verb.split()[0] for frame in frames for verb in re.split(r"[,/]\s*", frame.split("|")[1].strip()) if verb)


@lru_cache(maxsize=1 << 14)
def verbs_of(word: str, base: bool = False) -> frozenset[str]:
    """The verbs of which a word is the past, the participle or, where ``base`` says so, the plain form.

    >>> sorted(verbs_of("repaired")), sorted(verbs_of("found")), sorted(verbs_of("valve")), sorted(verbs_of("call", True))
    (['repair'], ['find'], [], ['call'])
    """
    from lemminflect import getInflection, getLemma

    if base:
        return frozenset([word] if "VERB" in kinds_of_word(word) else ())
    lemmas = getLemma(word, "VERB", lemmatize_oov=False)
    return frozenset(one for one in lemmas if any(word in getInflection(one, tag) for tag in ("VBD", "VBN")))


def is_verb(word: str) -> bool:
    """Whether a word is the past of a verb, and not what a name may be of."""
    low = word.lower()
    return bool(verbs_of(low)) and low == word and "NOUN" not in kinds_of_word(low)


@lru_cache(maxsize=1 << 12)
def vector(verb: str) -> np.ndarray | None:
    """The mean of the vectors of a verb's forms (100,), of length 1; None where none has one."""
    from lemminflect import getInflection

    words = Words.load()
    forms = {form for tag in ("VB", "VBD", "VBN", "VBG") for form in getInflection(verb, tag)}
    told = [words.units[words.rows[form]] for form in sorted(forms) if form in words.rows]
    mean = np.mean(told, axis=0) if told else None
    return None if mean is None else mean / np.linalg.norm(mean)


def is_far(verb: str, other: str) -> bool:
    """Whether two verbs have too little in common to stand for each other; of verbs without vectors that is not known.

    >>> is_far("fill", "drain"), is_far("service", "stop"), is_far("install", "fit")
    (False, True, False)
    """
    one, two = vector(verb), vector(other)
    return verb != other and one is not None and two is not None and float(one @ two) < LEAST
