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
WHAT_IT_IS = re.compile(r"([A-Z]\S*) the [^\W\d_]+$")  # behind a name: "Bella the goat"
CODE = re.compile(r"(?=.*[^\W\d_])(?=.*\d)[\w-]{3,}")  # letters and digits
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
    """A phrase as a key, and each part of one that names several, or a name without what it is.

    >>> keys_of("Ann and Bob"), keys_of("Bella the goat")
    ((('ann', 'and', 'bob'), ('ann',), ('bob',)), (('bella', 'goat'), ('bella',)))
    """
    parts = [part for part in SEVERAL.split(phrase) if part]
    named = WHAT_IT_IS.match(phrase)
    found = [key_of(phrase), *(map(key_of, parts) if len(parts) > 1 else ()), *([key_of(named[1])] if named else [])]
    return tuple(dict.fromkeys(one for one in found if one))


def sought(key: Key) -> Key:
    """The words of a key by which sentences are found: a code stands for the whole, which others may call otherwise.

    >>> sought(("laptop", "lt-041")), sought(("pump", "7")), sought(())
    (('lt-041',), ('pump', '7'), ())
    """
    return key[-1:] if key and CODE.fullmatch(key[-1]) else key


def match(asked: Key, told: Key) -> int:
    """Whether two keys are the same, one is the other with less before its last word, or neither.

    >>> match(("blue", "pump"), ("pump",)), match(("orange", "cable", "reel"), ("orange", "reel")), match(("red",), ("reel",))
    (1, 1, 0)
    """
    if asked == told:
        return SAME
    shorter, longer = sorted((asked, told), key=len)
    return PART if shorter and shorter[-1] == longer[-1] and set(shorter) <= set(longer) else OTHER


def is_called_less(asked: Key, told: Key) -> bool:
    """Whether a phrase has less before its last word than what is asked for.

    >>> is_called_less(("blue", "pump"), ("pump",)), is_called_less(("pump",), ("blue", "pump"))
    (True, False)
    """
    return len(told) < len(asked) and match(asked, told) == PART


def may_be_called_less(key: Key) -> bool:
    """Whether a thing has a noun as its last word, by which a log may speak of it; a number alone names nothing.

    >>> may_be_called_less(("chip", "scanner")), may_be_called_less(("pump", "7")), may_be_called_less(("scanner",))
    (True, False, False)
    """
    return len(key) > 1 and len(key[-1]) > 2 and key[-1].isalpha()


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
