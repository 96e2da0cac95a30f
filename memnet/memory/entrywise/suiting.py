"""Which words of an entry can answer a question at all: a person where it asks who, no name of the thing that it asks about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from memnet.facts.names import Key, key_of
from memnet.memory.columns import cosine
from memnet.memory.entrywise.amounts import is_of_another_kind
from memnet.memory.entrywise.candidates import has, keys_of
from memnet.memory.entrywise.reader import CLASSES, COUNTED, NO, NOTHING, TIME, YES, EntryReading
from memnet.memory.unmentioned import is_noun
from memnet.memory.wanted import AMOUNT, ANY, PERSON, PLACE, WHETHER, is_of_time, kind_of
from memnet.memory.wanted import TIME as WHEN
from memnet.tasks.text.english import NUMBERS
from memnet.tasks.text.tokens import split

NAME = r"(?:[A-Z]\.\s?)?[A-Z][\w'’-]+(?: (?:[A-Z]\.|[A-Z][\w'’-]+)){0,2}"
DOER = re.compile(rf"\bby (?P<by>{NAME})|\((?P<signed>{NAME})\)|(?:^|[.!?:] )(?P<first>{NAME})(?= [a-z]+(?:ed|t|k|ve|w)\b)")
ARTICLE = re.compile(r"^(?:the|a|an) ", re.IGNORECASE)
SPOT = re.compile(rf"\b(?:in|at|on|into|onto|from|near|to) (?:the )?(?P<spot>{NAME})")
INITIALS = 2  # letters; ICU is a ward
LEAST = 0.05  # of the probability of a reading's answers that must suit
HALF = 0.5  # where less of it suits, the entry is less relevant
OF_A_KIND = 0.4  # cosine of nouns of one kind of things
ENDS = " ,;:–—-("


class Names(NamedTuple):
    """How often names stand where somebody does something, and where a place does."""

    doers: Counter[str]
    spots: Counter[str]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Names:
        """Those of some entries.

        >>> names = Names.of(["Ann Lee towed it to Bay 2.", "Washed at Castle Square by Ann Lee.", "Left at Castle Square."])
        >>> names.is_person("Ann Lee"), names.is_person("Castle Square")
        (True, False)
        """
        doers = (next(filter(None, found.groups())) for text in texts for found in DOER.finditer(text))
        return cls(Counter(doers), Counter(found["spot"] for text in texts for found in SPOT.finditer(text)))

    def is_person(self, name: str) -> bool:
        """Whether a name stands more often where somebody does something."""
        name = ARTICLE.sub("", name)
        return self.doers[name] > self.spots[name]


def trimmed(answer: str) -> str:
    """Words of an entry without marks around them, and without half a parenthesis.

    >>> trimmed("air start unit (ASU-1"), trimmed(", K. Stubbs"), trimmed("tug 1 (TUG-01)"), trimmed("GSE Park)")
    ('air start unit', 'K. Stubbs', 'tug 1 (TUG-01)', 'GSE Park')
    """
    if answer.count("(") > answer.count(")"):
        answer = answer[: answer.rindex("(")]
    if answer.count(")") > answer.count("("):
        answer = answer[answer.index(")") + 1 :] if answer.index(")") < len(answer) / 2 else answer[: answer.index(")")]
    return answer.strip(ENDS)


def is_of_the_kind(name: str, noun: str) -> bool:
    """Whether a thing with a number may be what a noun says: its own noun is the same, short for it or near in meaning.

    >>> [is_of_the_kind(name, "regulator") for name in ("Reg 45", "R45", "jacket 63", "Sea Otter")]
    [True, True, False, True]
    """
    words = [word.lower() for word in split(name)]
    heads = [one for one, after in pairwise(words) if any(map(str.isdigit, after)) and one.isalpha() and is_noun(one)]
    return not noun or not heads or any(noun.startswith(one) or one == noun or cosine(one, noun) >= OF_A_KIND for one in heads)


def has_number(text: str) -> bool:
    """Whether a text has a number, in digits or a word."""
    return any(any(map(str.isdigit, word)) or word.lower() in NUMBERS for word in split(text))


class Suiting(NamedTuple):
    """What can answer a question."""

    kind: str
    things: tuple[Key, ...]  # the names of things that it asks about
    words: frozenset[str]  # which answer nothing; none of a choice, "Ann or Bo"
    names: Names
    listed: bool = False
    question: str = ""

    @classmethod
    def of(cls, question: str, texts: Sequence[str], listed: bool = False) -> Suiting:
        """What can answer a question of some entries."""
        coded, beside, _ = keys_of(question)
        kind = ANY if listed else kind_of(question)
        words = frozenset[str]() if " or " in question else frozenset(key_of(question))
        return cls(kind, (*coded, *beside), words, Names.of(texts if kind == PLACE else ()), listed, question)

    def holds(self, answer: str, text: str) -> bool:
        """Whether an answer from a text may be one."""
        if answer in CLASSES:
            return self.holds_class(answer)
        key = key_of(answer)
        if not key or {*key} <= self.words or is_of_another_kind(answer, self.question):
            return False
        if self.kind in (AMOUNT, WHEN):
            return has_number(answer) or (self.kind == WHEN and is_of_time(answer))
        is_code = len(key) == 1 and any(map(str.isdigit, answer))
        beside = is_code and any(has(key_of(text), (*thing, *key)) for thing in self.things)
        if self.kind == WHETHER or beside or any(has(key, thing) for thing in self.things):
            return False
        if self.kind == PERSON:
            return not any(map(str.isdigit, answer)) and not (answer.isupper() and "." not in answer and len(answer) > INITIALS)
        return not (self.kind == PLACE and self.names.is_person(answer))

    def holds_class(self, answer: str) -> bool:
        """The same of an answer that is no part of the text."""
        if answer in (YES, NO):
            return self.kind == WHETHER or self.listed
        if answer == TIME:
            return self.kind in (WHEN, ANY)
        if answer == COUNTED:
            return self.kind in (AMOUNT, ANY)
        return answer == NOTHING and self.kind not in (WHETHER, WHEN)

    def suited(self, text: str, reading: EntryReading) -> EntryReading:
        """A reading with the answers that suit, and as relevant as they are likely."""
        kept = dict[str, float]()
        for answer, chance in reading.answers:
            answer = answer if answer in CLASSES else trimmed(answer)
            if chance and answer and self.holds(answer, text):
                kept[answer] = kept.get(answer, 0.0) + chance
        whole = sum(kept.values())
        if whole < LEAST:
            return reading._replace(relevance=0.0)
        answers = sorted(((answer, chance / whole) for answer, chance in kept.items()), key=lambda one: -one[1])
        return reading._replace(relevance=reading.relevance * min(1.0, whole / HALF), answers=tuple(answers))
