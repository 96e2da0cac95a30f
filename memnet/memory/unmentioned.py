"""Whom or what a question speaks of, and no sentence of a memory."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from memnet.facts.names import key_of
from memnet.memory.hops import forms
from memnet.memory.long_memory import LongMemory
from memnet.memory.sentences import Sentences
from memnet.memory.several import noun_of
from memnet.memory.wanted import is_of_time
from memnet.tasks.text import words
from memnet.tasks.text.english import DETERMINERS, kinds_of_word, singular
from memnet.tasks.text.tokens import split

CODE = re.compile(r"[A-Z]+-?\d[\w-]*")
LONGEST_NOUN = 3  # words behind an article that may name a thing


def unmentioned(memory: LongMemory, question: str, story: Sequence[str]) -> list[str]:
    """Whom or what a question speaks of, where no sentence of the memory has it, nor the story after it.

    That are its names, words with a capital that do not begin it, and the nouns behind its last article.
    """
    told = {word for text in story for word in words(text)}
    if not memory.extent().sentences:
        return []
    asked = split(question)
    named = [word for word in asked[1:] if word[0].isupper() and word != "I"]
    last = max((place for place, word in enumerate(asked) if word.lower() in DETERMINERS), default=len(asked))
    nouns = [word for word in asked[last + 1 : last + 1 + LONGEST_NOUN] if word[0].isalpha() and is_noun(word.lower())]
    missing = [word for word in named if not is_there(memory, word, told)]
    return missing or (nouns if nouns and not any(is_there(memory, word, told) for word in nouns) else [])


def is_noun(word: str) -> bool:
    """Whether a word may be a noun, or is in no dictionary."""
    return "NOUN" in (kinds_of_word(word) or ("NOUN",))


def is_there(memory: LongMemory, word: str, told: Container[str]) -> bool:
    """Whether a sentence of a memory has a word, in one of its forms, or a story beside it."""
    low = word.lower()
    return low in told or any(memory.index.find([form], 1) for form in sorted(forms(singular(low)) | {low}))


def codes_nowhere(sentences: Sentences, question: str) -> list[str]:
    """The codes of a question, "IP-31", that no sentence has: who knows of IP-04 knows nothing of them."""
    return [word for word in split(question) if CODE.fullmatch(word) and not sentences.holds(key_of(word))]


def is_nowhere(sentences: Sentences, names: Sequence[str]) -> bool:
    """Whether a noun of one of these names is in no sentence, nor a numbered thing: what nobody can answer about.

    "The spare key for the cage" may be called otherwise where a key and a cage are known; "at the moment" names nothing.
    """
    for name in names:
        key = [word for word in key_of(name) if not is_of_time(word) or word[0].isdigit()]
        if any((is_noun(word) or any(map(str.isdigit, word))) and not sentences.holds([word]) for word in key):
            return True
        if noun_of(key) and not sentences.holds(key[-2:]):
            return True
    return False
