"""Text as a reader takes it: sentences, and words that know where they stand.

sentences("Mr. Osei left at 8 a.m. on Monday. He is in Rome!")  ->  two, with their words and where each word begins and ends
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .tokens import WORD

ABBREVIATIONS = r"(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<!\bProf)(?<!\bNo)(?<!(?<!['’])\b[A-Za-z])"
LONGEST = 80  # words of a sentence
SENTENCE_END = re.compile(rf"{ABBREVIATIONS}\.(?=\s|$|[A-Z])|[!?;]+|\.{{2,}}|\n+|…")


@dataclass(frozen=True)
class Sentence:
    """A sentence of a text: its words, where each begins and ends in ``line``, and which statement it is of."""

    words: tuple[str, ...]
    places: tuple[tuple[int, int], ...]
    line: str
    statement: int

    def quote(self, first: int, last: int) -> str:
        """The text from the first word to the last, with the signs that belong to them: "-5", "C++", "30°"."""
        begin, end = self.places[first][0], self.places[last][1]
        signed = self.line[max(0, begin - 2) : begin]
        if self.line[begin].isdigit() and signed[-1:] in ("-", "−", "+") and not signed[:-1].strip():
            begin -= 1
        while self.line[end : end + 1] in ("+", "#", "°"):
            end += 1
        return self.line[begin:end]


def sentences(statements: Sequence[str]) -> list[Sentence]:
    """The sentences of statements; a statement may be of several. Those without a word are left out.

    One of more than :data:`LONGEST` words is taken for several: no person says it, and it would take minutes to read.
    """
    found: list[Sentence] = []
    for number, line in enumerate(statements):
        begin = 0
        for end in [*(mark.start() for mark in SENTENCE_END.finditer(line)), len(line)]:
            whole = list(WORD.finditer(line, begin, end))
            for first in range(0, len(whole), LONGEST):
                words = whole[first : first + LONGEST]
                while words and words[-1].group() in ",;:":
                    words.pop()
                while words and words[0].group() in ",;:":
                    words.pop(0)
                if any(character.isalnum() for word in words for character in word.group()):
                    texts, places = zip(*((word.group(), word.span()) for word in words), strict=True)
                    found.append(Sentence(texts, places, line, number))
            begin = end
    return found
