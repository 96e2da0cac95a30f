"""What the pronouns of a fact mean, by the facts before it: "Ann gave Bob the lamp. She went home."

Whether a name goes with "she" or with "he" is read off the words' vectors, as how far it lies to one side of the direction from
words for men to words for women (Bolukbasi et al. 2016): no list of names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from memnet.facts.kinds import Fact, Phrase
from memnet.facts.names import SEVERAL, is_pronoun
from memnet.reading.words import Words
from memnet.tasks.text.english import of_class

WOMEN, MEN = "she her woman mother daughter sister wife", "he his man father son brother husband"
SIDE = 0.05  # so far to one side a name goes with one pronoun alone
SHE, HE = of_class("she her herself"), of_class("he him himself")
SUBJECTS, SEVERAL_OF = of_class("he she they"), of_class("they them")


def unit(word: str) -> NDArray[np.float32] | None:
    """A word's vector with length 1; ``None`` for a word without one."""
    words = Words.load()
    vector = np.asarray(words.vectors[words.find(word).row], np.float32)
    length = float(np.linalg.norm(vector))
    return vector / np.float32(length) if length else None


@cache
def direction() -> NDArray[np.float32]:
    """From words for men to words for women."""
    sides = [np.sum([one for word in text.split() if (one := unit(word)) is not None], 0) for text in (WOMEN, MEN)]
    women, men = (side / np.linalg.norm(side) for side in sides)
    return np.asarray(women - men, np.float32)


@lru_cache(maxsize=1 << 14)
def side(phrase: str) -> int:
    """1 for a name that goes with "she", -1 for one that goes with "he", 0 where that is not known.

    >>> side("Mary"), side("my uncle"), side("the lamp"), side("Mary and John")
    (1, -1, 0, 0)
    """
    words = phrase.split()
    vector = None if not words or SEVERAL.search(phrase) else unit(words[0] if words[0][:1].isupper() else words[-1])
    far = 0.0 if vector is None else float(vector @ direction())
    return 0 if abs(far) < SIDE else 1 if far > 0 else -1


def resolve(fact: Fact, before: Sequence[Fact]) -> Fact:
    """The fact with what its pronouns mean: whom, what and which place the facts just before it named, the last first."""
    roles = dict(fact.roles)
    for role, phrase in fact.roles.items():
        if is_pronoun(phrase.text):
            meant = meaning(role, phrase.text.lower(), before, roles.get("who") if role != "who" else None)
            if meant is not None:
                roles[role] = meant
    return replace(fact, roles=roles) if roles != fact.roles else fact


def meaning(role: str, pronoun: str, before: Sequence[Fact], subject: Phrase | None) -> Phrase | None:
    """What a pronoun in a role means; not the ``subject`` of its own sentence, where that is known."""
    named: tuple[str, ...]
    if pronoun in ("it", "there"):
        named = ("to",) if role in ("to", "source") else ("what",)
    elif pronoun in ("them", "they") and role == "what":
        named = ("what", "who")
    elif pronoun in SUBJECTS:
        named = ("who", "receiver", "company", "what")
    else:
        named = ("receiver", "who", "company") if pronoun in SHE | HE | SEVERAL_OF else ("who",)
    found = [earlier.roles[one] for earlier in before for one in named if one in earlier.roles]
    found = [phrase for phrase in found if not is_pronoun(phrase.text)]
    if pronoun in SEVERAL_OF and role != "what":
        return several(found, before)
    if pronoun not in SHE | HE:
        return next(iter(found), None)
    wanted = 1 if pronoun in SHE else -1
    other = [one for one in found if subject is None or one.text != subject.text]
    people = [one for one in other if one.text[:1].isupper() or side(one.text)]
    return next((one for one in people if side(one.text) != -wanted), next(iter(people or other), None))


def several(found: Sequence[Phrase], before: Sequence[Fact]) -> Phrase | None:
    """What "they" means: those who were last named together, else the two who were last named."""
    together = next((one for one in found if SEVERAL.search(one.text)), None)
    if together is not None:
        return together
    people = [one for fact in before for role in ("who", "company", "receiver") if (one := fact.roles.get(role)) is not None]
    two = list({one.text: one for one in people if not is_pronoun(one.text)}.values())[:2]
    return two[0]._replace(text=" and ".join(one.text for one in two)) if two else next(iter(found), None)
