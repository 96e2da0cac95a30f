"""Text to words and back: the words that spans count.

    split("I didn't see Nora's cat at 7:15.")  ->  I, did, n't, see, Nora, 's, cat, at, 7:15
    join(those words)                           ->  "I didn't see Nora's cat at 7:15"

A mark that ends a sentence is no word. For every text that the world writes, ``split(text)`` gives its words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

WORD = re.compile(
    r"""\d+(?:[.:,]\d+)+                                      # 7:15, 1,200
    | n['’]t(?!\w) | ['’](?:s|m|re|ve|ll|d)(?!\w)             # did n't, Nora 's
    | (?:(?!n['’]t(?!\w))[^\W_])+                             # a word ...
      (?:-(?=[^\W_])[^\W_]+ | ['’](?!(?:s|m|re|ve|ll|d|t)(?!\w))(?=[^\W_])[^\W_]+)*  # ... well-known, o'clock
    | ['’](?=\s|$|[,.;?!])                                          # the neighbours '
    | [,;:$€£%()]""",
    re.VERBOSE | re.IGNORECASE,
)
GLUED = frozenset({"n't", "'s", "'m", "'re", "'ve", "'ll", "'d", "'", ",", ";", ":"})  # no space stands before these
VOWELS = "aeiouAEIOUÁÉÍÓÚÖÜÄØÅ"
NUMBER_WORDS = (  # what stands at a place is the word of that number
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
SAID_WITH_VOWEL = ("hour", "honest", "honour", "heir")
SAID_WITH_CONSONANT = ("uni", "use", "usu", "eu", "uk", "one", "once", "ukulele", "uten", "unicorn")


def split(text: str) -> list[str]:
    """The words of a text; see the module's docstring."""
    return WORD.findall(text)


def join(words: Sequence[str]) -> str:
    """One text of words, without the mark at its end."""
    parts: list[str] = []
    for word in words:
        if parts and word not in GLUED:
            parts.append(" ")
        parts.append(word)
    return "".join(parts)


def article(next_word: str) -> str:
    """``a`` or ``an``, by how the next word begins."""
    low = next_word.lower()
    if low.startswith(SAID_WITH_VOWEL):
        return "an"
    if low.startswith(SAID_WITH_CONSONANT) and low not in ("uninteresting", "unimportant"):
        return "a"
    if low[:2] in ("8", "11", "18") or low.startswith(("8", "11:", "18:")):
        return "an"
    return "an" if next_word[0] in VOWELS else "a"
