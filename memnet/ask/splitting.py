"""The sentences of a line as a person types it: a full stop after "J." or "a.m." ends none.

Ann met J. R. Tolkien at 7 a.m. on Monday. He left.    two sentences
1. Mary went home.                                     one, without the number of its list
Mary said "Where is it? I need it." and left.          one, with what is said in it
"""

from __future__ import annotations

import re
from bisect import bisect_right

from memnet.ask.quoted import goes_on_after_speech, quotations
from memnet.tasks.text import words
from memnet.tasks.text.english import function_words, in_dictionary
from memnet.tasks.text.sentences import SENTENCE_END

LIST_NUMBER = re.compile(r"^\s*(?:\d{1,3}[.)]|[-*•])\s+(?=[^\W\d_])")
LETTERS = re.compile(r"(?:^|[\s(\"“])(?:[^\W\d_]\.){2,}$")  # "U.S.", "a.m."
INITIAL = re.compile(r"(?:^|(?P<before>\S+)\s+)[A-ZÀ-ÖØ-Þ]\.$")
SHORT = re.compile(r"\b(?:vs|e\.g|i\.e|cf|approx|incl|Prof|Gen|Capt|Sgt|Rev)\.$", re.IGNORECASE)
NUMBERED = re.compile(r"\b(?:No|Nr|Vol|Fig|Ch|pp?)\.$", re.IGNORECASE)
ENDING, AFTER = 80, 100  # characters in which an abbreviation is looked for, and what follows it
END = re.compile(rf"{SENTENCE_END.pattern}|(?<=…)\s+")


def parts_of(line: str) -> list[str]:
    """A line cut where its sentences end; a number before it, as of a list, is dropped.

    >>> parts_of("Ann met J. R. Tolkien at 7 a.m. on Monday. He left.")
    ['Ann met J. R. Tolkien at 7 a.m. on Monday.', 'He left.']
    >>> parts_of("He works at the U.S. Embassy. It is in room B. She sings."), parts_of("1. Take No. 5.")
    (['He works at the U.S. Embassy.', 'It is in room B.', 'She sings.'], ['Take No. 5.'])
    """
    line = LIST_NUMBER.sub("", line)
    quoted = quotations(line)
    begins = [begin for begin, _ in quoted]
    found, start = list[str](), 0
    for end in END.finditer(line):
        place = bisect_right(begins, end.start()) - 1
        within = place >= 0 and end.start() < quoted[place][1]
        if not within and not goes_on(
            line[max(start, end.start() - ENDING) : end.start()], line[end.end() : end.end() + AFTER]
        ):
            found.append(line[start : end.start()])
            start = end.end()
    return [*found, line[start:]]


def goes_on(before: str, after: str) -> bool:
    """Whether a sentence that seems to end goes on: its last full stop is that of an abbreviation, or of what is said in it."""
    if SHORT.search(before) or goes_on_after_speech(before, after):
        return True
    if NUMBERED.search(before):
        return after[:1].isdigit()
    first, *_ = (*words(after), "")
    if LETTERS.search(before):
        return after[:1].islower() or (in_dictionary(first) and first not in function_words())
    initial = INITIAL.search(before)
    if initial is None or not after[:1].isupper():
        return False
    name = initial["before"]
    return name is None or name[:1].isupper() or INITIAL.match(after[:2]) is not None
