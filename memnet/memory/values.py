"""What goes into a memory and what comes out of it, a sentence each."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """One sentence to remember.

    >>> Entry("Mary went to the kitchen.", when="2026-03-01", source="log.txt", line=7).source
    'log.txt'
    """

    text: str
    when: str | None = None  # ISO 8601, or what stood there
    source: str = ""  # a file's name, or what a caller says
    line: int = 0  # of the source, from 1; of a PDF the page, of a DOCX the paragraph, of JSON the number of the record


class Held(NamedTuple):
    """One sentence in a memory."""

    number: int  # from 0, in the order of telling
    text: str
    when: str | None = None
    source: str = ""
    line: int = 0


class Found(NamedTuple):
    """One sentence in a memory that fits a query, and how well: the higher, the better."""

    number: int
    text: str
    when: str | None
    source: str
    line: int
    score: float
