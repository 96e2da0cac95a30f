"""Sentences and questions as words of which some are a name, and as the numbers that a network reads.

words = split("Rex's vet is Dr Lund.")         Rex 's vet is Dr Lund .
same_name("The Thames", "thames")              names are equal whatever their case, article and marks
number(words, START_FACT, name=(0, 1))         (W, 4): [START] [NAME] 's vet is Dr Lund .
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnet.reading.words import EMBEDDINGS, Words

WORD = re.compile(r"['’]s(?!\w)|\d+(?:[.,:]\d+)+|[^\W_]+|[^\w\s]|_")  # "12.4" is one
SPOKEN = re.compile(r"[^\W_]+")
ARTICLES = frozenset(("the", "a", "an"))
OWNER = re.compile(r"['’]s(?!\w)")
ROW, EMBEDDING, ENDING, SHAPE = range(4)
START_FACT, START_QUESTION, NAME = range(EMBEDDINGS, EMBEDDINGS + 3)  # what is no word
ROWS = EMBEDDINGS + 3
CAPITAL, GLUED, DIGIT = 1, 2, 4  # bits of a word's shape
SHAPES = 8
LONGEST = 96  # words that are read, the rest is cut off


class Part(NamedTuple):
    """A word or a mark and where it stands in its sentence."""

    text: str
    start: int
    end: int


Span = tuple[int, int]  # from a word to the word before another


def split(text: str) -> list[Part]:
    """The words and marks of a text, at most :data:`LONGEST`."""
    return [Part(found.group(), found.start(), found.end()) for found in WORD.finditer(text)][:LONGEST]


@lru_cache(maxsize=100_000)
def name_of(text: str) -> tuple[str, ...]:
    """What makes two names equal: their words in small letters, without an article before them and without marks.

    >>> name_of("The Old Mill"), name_of("AC/DC"), name_of("Macy's")
    (('old', 'mill'), ('ac', 'dc'), ('macy', 's'))
    """
    words = tuple(SPOKEN.findall(text.lower()))
    return words[1:] if len(words) > 1 and words[0] in ARTICLES else words


def same_name(one: str, other: str) -> bool:
    """Whether two texts are the same name."""
    return name_of(one) == name_of(other)


def asked_words(name: str) -> list[str]:
    """The words by which sentences with a name are found: all but its article and the ending 's.

    >>> asked_words("the King's Head")
    ['king', 'head']
    """
    return list(name_of(OWNER.sub(" ", name)))


@lru_cache(maxsize=4096)
def pattern(name: str) -> re.Pattern[str]:
    """What finds a name in a sentence, in any case and with other marks between its words, with its article if it has one.

    >>> [bool(pattern("flat 12").search(text)) for text in ("The owner of Flat 12.", "flat 12.4 is Ann's", "flat 120")]
    [True, False, False]
    """
    words, article = name_of(name), ""
    if len(SPOKEN.findall(name)) > len(words):
        article = rf"(?:(?:{'|'.join(sorted(ARTICLES))})[\W_]+)?"
    text = r"[\W_]+".join(map(re.escape, words))
    return re.compile(
        rf"(?<![^\W_])(?<!\d[.,:]){article}{text}(?![^\W_]|[.,:]\d)", re.IGNORECASE
    )  # "flat 12" is not "flat 12.4"


def mention(name: str, text: str) -> tuple[int, int] | None:
    """Where a name first stands in a text, in characters; None where it does not, or has no words.

    >>> mention("Oz Inc.", "The owner of Oz Inc. is Reed."), mention("Oz Inc.", "Reed owns Oz Inc.")
    ((13, 20), (10, 16))
    """
    found = pattern(name).search(text) if name_of(name) else None
    if found is None:
        return None
    start, end = found.span()
    marks = name[len(re.sub(r"[\W_]+$", "", name)) :]  # "Inc.", "C++"; the full stop of the sentence is not the name's
    marked = text.startswith(marks, end) and text[end + len(marks) :].strip() != ""
    return start, end + len(marks) * marked


def of_characters(parts: Sequence[Part], start: int, end: int) -> Span:
    """The words that a part of a text in characters has something of."""
    inside = [place for place, part in enumerate(parts) if part.start < end and part.end > start]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


@lru_cache(maxsize=100_000)
def of_word(text: str) -> tuple[int, int, int, int]:
    """The row, the embedding, the ending and the shape of a word, without what stands before it."""
    word = Words.load().find(text)
    shape = CAPITAL * text[0].isupper() + DIGIT * any(map(str.isdigit, text))
    return word.row, word.embedding, word.ending, shape


def number(parts: Sequence[Part], start: int, name: Span | None = None) -> NDArray[np.int32]:
    """A sentence as numbers, (1 + W, 4), after a ``start``; the words of a ``name`` are one, of which nothing is known."""
    rows = [(0, start, 0, 0)]
    for place, part in enumerate(parts):
        row, embedding, ending, shape = of_word(part.text)
        glued = GLUED * (place > 0 and parts[place - 1].end == part.start)
        if name is None or not name[0] <= place < name[1]:
            rows.append((row, embedding, ending, shape + glued))
        elif place == name[0]:
            rows.append((0, NAME, 0, 0))
    return np.array(rows, np.int32)


def places(parts: Sequence[Part], name: Span) -> list[int]:
    """Which word of a sentence each number after the first is of, with a name as one: its first word."""
    return [place for place in range(len(parts)) if not name[0] < place < name[1]]


def text_of(text: str, parts: Sequence[Part], span: Span) -> str:
    """The text of a span of words."""
    return text[parts[span[0]].start : parts[span[1] - 1].end] if span[1] > span[0] else ""


BEFORE, AFTER = 3, 2  # words around a name that are glanced at
REACH = 48  # characters around a name in which these are looked for
NO_WORD = (0, START_FACT, 0, 0)


def window(parts: Sequence[Part], name: Span) -> NDArray[np.int32]:
    """The words just before a name and just after it as numbers, (5, 4)."""
    around = [*range(name[0] - BEFORE, name[0]), *range(name[1], name[1] + AFTER)]
    return np.array([of_word(parts[at].text) if 0 <= at < len(parts) else NO_WORD for at in around], np.int32)


def glanced(text: str, start: int, end: int) -> NDArray[np.int32]:
    """:func:`window` of a name that stands at these characters of a text, without reading the rest of it."""
    before = WORD.findall(text[max(0, start - REACH) : start])[-BEFORE:]
    after = WORD.findall(text[end : end + REACH])[:AFTER]
    rows = [NO_WORD] * (BEFORE - len(before)) + [of_word(word) for word in before + after] + [NO_WORD] * (AFTER - len(after))
    return np.array(rows, np.int32)


def side_by_side(rows: Sequence[NDArray[np.int32]]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Sentences as numbers (B, W, 4), padded, and which are no padding (B, W)."""
    there = np.arange(max(map(len, rows))) < np.array([len(row) for row in rows])[:, None]
    numbers = np.zeros((*there.shape, 4), np.int64)
    for place, row in enumerate(rows):
        numbers[place, : len(row)] = row
    return numbers, there
