"""What a question makes of what entries say: the newest, the first, how many, their sum, the most, or every thing.

operation_of("How often was pump 7 cleaned?").kind   ->   count
operation_of("Who had it before Ann?")                ->   before "Ann", asked of each entry: "Who had it?"
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from memnet.tasks.text.english import AUXILIARIES, kinds_of_word, of_class, singular
from memnet.tasks.text.tokens import split

NEWEST, FIRST, COUNT, SUM, MOST, LEAST, BEFORE, LISTED, EVERY = (
    *("newest", "first", "count", "sum", "most", "least", "before", "listed", "every"),
)
HIGHEST = re.compile(r"\b(?:most(?! recent)|maximum|at (?:its|their) worst)\b")
LOWEST = re.compile(r"\b(?:(?<!at )least|fewest|minimum)\b")
LITTLE = of_class("low small short few light cold cool slow cheap shallow weak thin narrow dry little")  # "the coldest"
OF_TIME = of_class("late early new old near")  # "the latest reading" is no greatest
IN_ALL = re.compile(r"\b(?:in all|altogether|in total|all told|overall|total|so far|sum)\b", re.IGNORECASE)
OFTEN = re.compile(r"\bhow (?:often|many times)\b|\bnumber of times\b", re.IGNORECASE)
MANY = re.compile(r"\bhow (?:many|much)\b", re.IGNORECASE)
EARLIEST = re.compile(
    r"\b(?:the first (?:to|one|person|time|who|that)|earliest|first time|first (?!\w+ (?:is|are|was))\w+ed)\b|\bfirst\s*\?*$",
    re.IGNORECASE,
)
EARLIER = re.compile(
    r"^(?P<asked>.+?)\s+(?:(?:just|right|immediately)\s+)?(?:before|previously)\b(?P<rest>.*?)[\s?.]*$", re.IGNORECASE
)
BESIDE = of_class("at by from in near of off on to under with without")  # before what says more of a thing
PRESENT = of_class("is are has have 's am do does")


class Operation(NamedTuple):
    """What a question asks for, the question that is asked of each entry, and what came after, of "before"."""

    kind: str
    asked: str
    rest: str = ""


def operation_of(question: str) -> Operation:
    """What a question asks for.

    >>> operation_of("Which trams are on Line 3?").kind, operation_of("Which trams did Ann wash?").kind
    ('listed', 'every')
    """
    words = [word.lower() for word in split(question)]
    if OFTEN.search(question):
        return Operation(COUNT, question)
    if MANY.search(question):
        return Operation(SUM, question)
    if earlier := EARLIER.match(question):
        return Operation(BEFORE, f"{earlier['asked']}?", earlier["rest"].strip())
    adjectives = {adjective for word in words if (adjective := of_superlative(word))} - OF_TIME
    for kind, pattern in ((MOST, HIGHEST), (LEAST, LOWEST)):
        if pattern.search(question) or (adjectives and (kind == LEAST) == (not adjectives.isdisjoint(LITTLE))):
            return Operation(kind, question)
    if asks_for_several(words):
        return Operation(LISTED if not PRESENT.isdisjoint(words) else EVERY, question)
    return Operation(FIRST if EARLIEST.search(question) else NEWEST, question)


def of_superlative(word: str) -> str:
    """The adjective of a word such as "hottest"; empty where it is none.

    >>> of_superlative("hottest"), of_superlative("largest"), of_superlative("heaviest"), of_superlative("forest")
    ('hot', 'large', 'heavy', '')
    """
    if not word.endswith("est") or len(word) < len("xxest") or "NOUN" in kinds_of_word(word):
        return ""
    stem = word[:-3]
    stems = stem, f"{stem}e", f"{stem[:-1]}y" if stem[-1] == "i" else "", stem[:-1] if stem[-1:] == stem[-2:-1] else ""
    return next((one for one in stems if len(one) > 2 and "ADJ" in kinds_of_word(one)), "")


def asks_for_several(words: list[str]) -> bool:
    """Whether a question asks which things: a plural behind "which" or "what", "what is in", "list".

    >>> asks_for_several("which trams are out".split()), asks_for_several("which tram is it".split())
    (True, False)
    """
    if words[:1] in (["list"], ["name"]):
        return True
    if words[:1] not in (["which"], ["what"], ["who"]) or len(words) < 3:
        return False
    behind = [word for word in words[2:] if word not in ("all", "still", "currently", "now")]
    if words[1] in ("is", "'s", "are") and behind[:1] and behind[0] in ("in", "on", "at", "out"):
        return True
    if words[0] == "what" and words[1] in ("does", "do", "has", "have"):
        return "have" in words[2:] or "got" in words[2:]
    return words[0] != "who" and bool(noun_listed(words))


def noun_listed(words: Sequence[str]) -> str:
    """The plural noun behind "which" or "what", which says of what kind the things are that are asked for, singular; or "".

    >>> noun_listed("which irrigation valves are we without".split()), noun_listed("what is in the shed".split())
    ('valve', '')
    >>> noun_listed("which pumps by the lockers are broken".split())
    'pump'
    """
    end = next((at for at, word in enumerate(words) if at > 1 and word in AUXILIARIES | BESIDE), 2)
    noun = words[end - 1] if words[:1] in (["which"], ["what"]) and len(words) > 2 else ""
    return singular(noun) if singular(noun) != noun and "NOUN" in kinds_of_word(singular(noun)) else ""
