"""Where a sentence of a text ends, in several scripts: a passage as statements."""

from __future__ import annotations

import re

from . import QUESTION_MARKS, STOPS, words

ABBREVIATIONS = ("Mr", "Ms", "Dr", "St", "Mrs")
NO_ABBREVIATION = "".join(rf"(?<!\b{short}\.)" for short in ABBREVIATIONS)
ENDS = STOPS + QUESTION_MARKS
AFTER_SPACE = rf"(?:(?<=[{ENDS};])|(?<=[{ENDS}][\"'”’)]))" + NO_ABBREVIATION + r"\s+"
WITHOUT_SPACE = r"(?<=[^\W\dA-Z_][.!?])" + NO_ABBREVIATION + r"(?=[A-ZÀ-ÖØ-Þ][\w'’]*\s)|(?<=[?؟;。！？])(?=\w)"
SENTENCE_END = re.compile(f"{AFTER_SPACE}|{WITHOUT_SPACE}")


def line_ends(text: str) -> str:
    """The text with a line feed at each line's end, for those of Windows and of old Macs.

    >>> line_ends("one\\r\\ntwo\\rthree\\n")
    'one\\ntwo\\nthree\\n'
    """
    return text.replace("\r\n", "\n").replace("\r", "\n")


def sentences(text: str) -> list[str]:
    """The sentences of a text that have words, one line each; a line end ends one too.

    >>> sentences("Dr. Osei came.  John left.\\nMary\\tsang")
    ['Dr. Osei came.', 'John left.', 'Mary sang']
    """
    parts = (" ".join(part.split()) for line in text.splitlines() for part in SENTENCE_END.split(line))
    return [part for part in parts if words(part)]
