"""What a question says beside whom it names, and how much of it an entry says, too: "cleaned" of "Who cleaned PJ-03 last?"."""

from __future__ import annotations

from collections.abc import Sequence

from memnet.facts.names import key_of, lemma_of
from memnet.memory.entrywise.candidates import keys_of
from memnet.memory.unmentioned import is_noun
from memnet.tasks.text.english import function_words, of_class
from memnet.tasks.text.tokens import split

STEM = 5  # letters by which words of one stem are known: calibrate, calibration
LIGHT = of_class(  # that say nothing of what was done
    "last latest now moment present time first right current currently today still often many much most recent recently all far"
    " do find person thing get go"
)


def content_of(question: str, names: bool = True) -> frozenset[str]:
    """The stems of a question's words but for codes, numbered things and words that say little, with its ``names`` or without.

    >>> sorted(content_of("Who was the last person to calibrate meter 3?"))
    ['calib']
    """
    coded, _, _ = keys_of(question)
    named = {word for key in coded for word in key} | nouns_of_codes(split(question))
    every = (word for word in split(question)[1:] if word[0].isalnum() and word.lower() not in function_words())
    words = (word for word in every if names or not word[0].isupper())
    return frozenset(stem(word) for word in words if lemma_of(word) not in LIGHT and not {*key_of(word)} <= named)


def nouns_of_codes(words: Sequence[str]) -> set[str]:
    """The nouns right before a code or a number, which entries may leave out: "laptop" of "laptop LT-214".

    >>> sorted(nouns_of_codes("Who cleaned the belt loader 3 or PJ-03".split()))
    ['belt', 'loader']
    """
    found = set[str]()
    for at, word in enumerate(words):
        before = at - 1
        while any(map(str.isdigit, word)) and before > 0 and is_thing(words[before]):
            found |= {*key_of(words[before])}
            before -= 1
    return found


def is_thing(word: str) -> bool:
    """Whether a word may be a noun and is no form of a verb that says what was done."""
    low = word.lower()
    return low.isalpha() and low not in function_words() and is_noun(low) and not low.endswith(("ed", "ing"))


def stem(word: str) -> str:
    """The beginning of a word's lemma.

    >>> stem("Calibrated"), stem("washed"), stem("PJ-03")
    ('calib', 'wash', 'pj-03')
    """
    lemma = (lemma_of(word) if word[0].isalpha() else word).lower()
    return lemma[:STEM] if lemma.isalpha() else lemma


def shared(texts: Sequence[str], question: str, names: bool = True) -> list[int]:
    """How many stems of a question each text has, with its ``names`` or without."""
    content = content_of(question, names)
    return [len(content & {stem(word) for word in split(text) if word[0].isalnum()}) for text in texts]
