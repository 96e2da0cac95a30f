"""Statements of several facts taken apart, a fact each: the networks learn from sentences that say one thing.

    Mary went home and took the milk.           Mary went home. Mary took the milk.
    Mary went home and John left.               Mary went home. John left.
    Mary got the milk, a pen and the apple.     Mary got the milk. Mary got a pen. Mary got the apple.
    Bob, Alice and Carol went home.             Bob went home. Alice went home. Carol went home.

"Mary and John went home." stays: two that go somewhere together are in the published stories.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memnet.tasks.text.english import DETERMINERS, PARTICLES, PEOPLE_PRONOUNS, PREPOSITIONS, of_class

LONGEST = 300  # characters of a sentence that is taken apart
BE = {"is": "is", "was": "was", "are": "is", "were": "was"}  # and the singular
GIVING = of_class("gave handed passed lent sold threw brought")
HANDLING = GIVING | of_class(
    "picked dropped grabbed took got put discarded fetched collected lifted bought carried placed left"
)
MOVING = of_class(
    "went ran came walked moved travelled traveled journeyed returned headed hurried rushed drove flew climbed sat entered"
)
VERBS = HANDLING | MOVING
UNUSUAL = of_class("who which that when where because if either or not no never while")
AFTER_VERB = PARTICLES | {"away"}
WHERE = PREPOSITIONS | of_class("on there under with")
MOST_OF_SUBJECT, MOST_OF_NAME = 12, 4  # words


class Word(NamedTuple):
    """A word as it is written, without the comma that may follow it."""

    written: str
    comma: bool

    @property
    def small(self) -> str:
        """In small letters."""
        return self.written.lower()

    @property
    def joins(self) -> bool:
        """Whether it joins clauses, or the parts of a list."""
        return self.small == "and"


Words = Sequence[Word]


def single_facts(text: str) -> list[str]:
    """The facts of a statement, each a statement with the full stop of the whole; of what is no such statement, itself.

    >>> single_facts("Mary went home and took the milk."), single_facts("Mary and John went home.")
    (['Mary went home.', 'Mary took the milk.'], ['Mary and John went home.'])
    """
    body = text.strip().rstrip(".!")
    words = [Word(word.rstrip(",") or word, word.endswith(",")) for word in body.split()] if len(text) <= LONGEST else []
    if not any(word.joins for word in words) or any(word.small in UNUSUAL or "n't" in word.small for word in words):
        return [text]
    found = facts(words)
    if len(found) == 1:
        return [text]
    return [
        " ".join(word.written + "," * (word.comma and word is not fact[-1]) for word in fact) + end_of(text) for fact in found
    ]


def end_of(text: str) -> str:
    """The full stop of a statement."""
    return text.strip()[len(text.strip().rstrip(".!")) :]


def facts(words: Words) -> list[Words]:
    """The facts of a statement, as words."""
    verb = first_verb(words)
    if not verb:
        return [words]
    for place in range(verb + 1, len(words)):
        if (after := clause_after(words, place)) is not None:
            rest = words[after:]
            again = rest[0].small in PEOPLE_PRONOUNS and words[verb].small not in GIVING  # gave: he may be who was given
            subject = words[:verb] if again or not has_subject(rest) else ()
            return [*facts(words[:place]), *facts([*subject, *(rest[1:] if again else rest)])]
    if listed := objects(words, verb):
        return [fact for one in listed for fact in facts(one)]
    return subjects(words, verb) or [words]


def first_verb(words: Words) -> int:
    """The place of the first verb, 0 where the first words have none."""
    places = (place for place, word in enumerate(words[: MOST_OF_SUBJECT + 1]) if word.small in VERBS or word.small in BE)
    return next(places, 0)


def clause_after(words: Words, place: int) -> int | None:
    """Where the clause that an "and" at a place, or a comma before it, joins begins; None where there is no clause."""
    if not (words[place].joins or words[place - 1].comma):
        return None
    start = place + words[place].joins
    start += start < len(words) and words[start].small == "then"
    rest = words[start:]
    compound = len(rest) > 1 and rest[1].small == "of"  # "to the right and left of"
    return start if rest and not compound and (rest[0].small in VERBS or has_subject(rest)) else None


def has_subject(words: Words) -> bool:
    """Whether a clause begins with somebody and a verb."""
    named = 1 + (words[0].small in DETERMINERS)
    return words[0].small not in VERBS and len(words) > named and words[named].small in VERBS | BE.keys()


def objects(words: Words, verb: int) -> list[Words]:
    """A fact for each of the things that somebody handles; none where there is no list of them, each with a determiner."""
    if words[verb].small not in HANDLING:
        return []
    start = verb + 1 + (words[verb + 1].small in AFTER_VERB if verb + 1 < len(words) else 0)
    if words[verb].small in GIVING and start < len(words) and words[start].small not in DETERMINERS:
        start += 1  # gave John the milk and the apple
    end = next((place for place in range(start, len(words)) if words[place].small in WHERE), len(words))
    things = parts(words[start:end])
    if len(things) < 2 or not all(thing[0].small in DETERMINERS and 2 <= len(thing) <= MOST_OF_NAME for thing in things):
        return []
    return [[*words[:start], *thing, *words[end:]] for thing in things]


def subjects(words: Words, verb: int) -> list[Words]:
    """A fact for each of three or more that do something together, or of two that handle things; none for fewer."""
    people = parts(words[:verb])
    handle = words[verb].small in HANDLING - {"left"} and not any(word.small in WHERE for word in words[verb + 1 : verb + 2])
    if len(people) < (2 if handle else 3) or not all(1 <= len(person) <= MOST_OF_NAME for person in people):
        return []
    does = words[verb]._replace(written=BE.get(words[verb].small, words[verb].written))
    return [[*person, does, *words[verb + 1 :]] for person in people]


def parts(words: Words) -> list[list[Word]]:
    """The parts of a list with commas and "and"; empty ones are left out."""
    found: list[list[Word]] = [[]]
    for word in words:
        if word.joins:
            found.append([])
        else:
            found[-1].append(word._replace(comma=False))
            if word.comma:
                found.append([])
    return [part for part in found if part]
