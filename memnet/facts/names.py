"""Phrases as keys of a memory: what two phrases must share to name the same.

Key.of("the blue forklift 7")   ->   words ("blue", "forklift", "7")
match(Key.of("forklift 7"), Key.of("the blue forklift 7"))   ->   a part of it, from its head on
"""

from __future__ import annotations

import re
from functools import lru_cache

from memnet.reading.words import Words
from memnet.tasks.text.english import kinds_of_word, of_class, singular
from memnet.tasks.text.tokens import split

Key = tuple[str, ...]

DETERMINERS = frozenset({*of_class("the a an some any this that these those my your his her its our their"), "’s", "'s"})
PRONOUNS = of_class("he she it they him her them there who himself herself themselves itself")
INDEFINITE = of_class("somebody someone something somewhere anybody anyone anything anywhere")  # who they mean is not told
SPEAKERS = of_class("i me myself mine")
NAMELESS = PRONOUNS | SPEAKERS | of_class("we us you")
SPEAKER = re.compile(r"([^\W\d_][\w.'’-]*(?: [\w.'’-]+){0,2}): ")  # before what somebody says in a chat
SEVERAL = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*")
SAME, PART, OTHER = 2, 1, 0


@lru_cache(maxsize=1 << 16)
def key_of(phrase: str) -> Key:
    """The words of a phrase that tell it from others: lemmas in small letters, without determiners.

    >>> key_of("The milk"), key_of("shelf A")
    (('milk',), ('shelf', 'a'))
    """
    words = split(phrase)
    told = [word for at, word in enumerate(words) if word.lower() not in DETERMINERS or (at and word == "A")]
    return tuple((lemma_of(word) if word[0].isalpha() else word).casefold() for word in told)


@lru_cache(maxsize=1 << 16)
def lemma_of(word: str) -> str:
    """The lemma of a word that names something: a noun's where it may be one, as keys name things, not what is done.

    >>> lemma_of("Suitcases"), lemma_of("saw"), lemma_of("railings"), lemma_of("gave")
    ('suitcase', 'saw', 'railing', 'give')
    """
    lemma = Words.load().find(word).lemma
    if lemma == word.lower():
        return lemma  # without lemminflect's dictionary, which takes longer to read than an answer
    noun = singular(word.lower())
    return noun if "NOUN" in kinds_of_word(noun) else lemma


@lru_cache(maxsize=1 << 16)
def keys_of(phrase: str) -> tuple[Key, ...]:
    """A phrase as a key, and each part of one that names several."""
    parts = [part for part in SEVERAL.split(phrase) if part]
    found = [key_of(phrase), *(map(key_of, parts) if len(parts) > 1 else ())]
    return tuple(dict.fromkeys(one for one in found if one))


def match(asked: Key, told: Key) -> int:
    """Whether two keys are the same, one ends with the other, or neither."""
    if asked == told:
        return SAME
    shorter, longer = sorted((asked, told), key=len)
    return PART if shorter and longer[-len(shorter) :] == shorter else OTHER


def is_pronoun(phrase: str) -> bool:
    """Whether a phrase is a word that means what was named before."""
    return phrase.lower() in PRONOUNS


def speaker_of(text: str) -> str:
    """Who says a line of a chat; empty where nobody is named.

    >>> speaker_of("Ann: I moved the bike."), speaker_of("The bike is in the shed.")
    ('Ann', '')
    """
    said = SPEAKER.match(text)
    return said[1] if said and said[1][:1].isupper() else ""
