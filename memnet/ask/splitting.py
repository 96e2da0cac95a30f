"""The sentences of a line as a person types it: a full stop after "J." or "a.m." ends none.

"Ann met J. R. Tolkien at 7 a.m. on Monday. He left."    two sentences
"1. Mary went home."                                     one, without the number of its list
"""

from __future__ import annotations

import re

from memnet.tasks.text import words
from memnet.tasks.text.english import function_words, in_dictionary
from memnet.tasks.text.sentences import SENTENCE_END

LIST_NUMBER = re.compile(r"^\s*(?:\d{1,3}[.)]|[-*•])\s+(?=[^\W\d_])")
LETTERS = re.compile(r"(?:^|[\s(\"“])(?:[^\W\d_]\.){2,}$")  # "U.S.", "a.m."
INITIAL = re.compile(r"(?:^|(?P<before>\S+)\s+)[A-ZÀ-ÖØ-Þ]\.$")
SHORT = re.compile(r"\b(?:vs|e\.g|i\.e|cf|approx|incl|Prof|Gen|Capt|Sgt|Rev)\.$", re.IGNORECASE)
NUMBERED = re.compile(r"\b(?:No|Nr|Vol|Fig|Ch|pp?)\.$", re.IGNORECASE)
ENDING = 80  # characters in which an abbreviation is looked for
ELLIPSIS = re.compile(r"(?<=…)\s+")


def parts_of(line: str) -> list[str]:
    """A line cut where its sentences end; a number before it, as of a list, is dropped.

    >>> parts_of("Ann met J. R. Tolkien at 7 a.m. on Monday. He left.")
    ['Ann met J. R. Tolkien at 7 a.m. on Monday.', 'He left.']
    >>> parts_of("He works at the U.S. Embassy. It is in room B. She sings."), parts_of("1. Take No. 5.")
    (['He works at the U.S. Embassy.', 'It is in room B.', 'She sings.'], ['Take No. 5.'])
    """
    found: list[str] = []
    pieces = (piece for part in SENTENCE_END.split(LIST_NUMBER.sub("", line)) for piece in ELLIPSIS.split(part))
    for part in pieces:
        if found and goes_on(found[-1], part):
            found[-1] = f"{found[-1]} {part}"
        else:
            found.append(part)
    return found


def goes_on(before: str, after: str) -> bool:
    """Whether a sentence that seems to end goes on: its last full stop is that of an abbreviation."""
    before = before[-ENDING:]
    if SHORT.search(before):
        return True
    if NUMBERED.search(before):
        return after[:1].isdigit()
    first, *_ = (*words(after[:80]), "")
    if LETTERS.search(before):
        return after[:1].islower() or (in_dictionary(first) and first not in function_words())
    initial = INITIAL.search(before)
    if initial is None or not after[:1].isupper():
        return False
    name = initial["before"]
    return name is None or name[:1].isupper() or INITIAL.match(after[:2]) is not None
