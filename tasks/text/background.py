"""Books as background: text among which the statements of a story are scattered, sentence by sentence."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path

from . import decode

TOKENS_PER_WORD = 127_695 / 88_592  # GPT-2 tokens a word of a book, as BABILong's authors count both of one sample
SHORTEST = 10  # tokens; shorter sentences of a book are left out (Kuratov et al. 2024, arXiv 2406.10149)


RUN_ON = re.compile(r"(?<=[a-z]{4}[.!?]) (?=[a-z])")


class BackgroundError(ValueError):
    """There is no background, or not enough of it; the message says what to do."""


def tokens(text: str) -> float:
    """About how many GPT-2 tokens a text has, by its words."""
    return TOKENS_PER_WORD * len(text.split())


def sentences(text: str) -> list[str]:
    """The sentences of a text, each on one line; one that ends in a whole word ends there, whatever letter follows."""
    split = splitter()(" ".join(text.split()))
    return [one for one in RUN_ON.sub("\n", split).split("\n") if one]


def splitter() -> Callable[[str], str]:
    """Splits a line into sentences, a line each. Raises :class:`BackgroundError` where its package is missing."""
    try:
        from blingfire import text_to_sentences
    except ImportError as error:
        raise BackgroundError("sentences of books are split by blingfire: pip install 'memnet-qa[long]'") from error
    split: Callable[[str], str] = text_to_sentences
    return split


class Background:
    """Sentences of books, one book after another; ``offsets[i]`` tokens stand before sentence i."""

    def __init__(self, books: Sequence[Sequence[str]]) -> None:
        self.books = books
        self.sentences = [one for book in books for one in book]
        self.offsets = [0.0, *accumulate(map(tokens, self.sentences))]

    def __repr__(self) -> str:
        return f"<Background of {len(self.sentences):,} sentences, about {self.tokens:,.0f} tokens>"

    @classmethod
    def read(cls, folder: Path, shortest: float = SHORTEST) -> Background:
        """Every ``.txt`` file of a folder, a book each, in the order of their names. Raises :class:`BackgroundError`."""
        if not folder.is_dir():
            raise BackgroundError(f"{folder} is no folder; expected one of books as .txt files")
        paths = sorted(folder.glob("*.txt"))
        if not paths:
            raise BackgroundError(f"{folder} has no .txt file; expected books, such as those of Project Gutenberg")
        books = []
        for path in paths:
            try:
                text = decode(path.read_bytes(), str(path))
            except (OSError, ValueError) as error:
                raise BackgroundError(f"{path} cannot be read: {error}") from error
            books.append([one for one in sentences(text) if tokens(one) >= shortest])
        return cls(books)

    @property
    def tokens(self) -> float:
        """Of all sentences."""
        return self.offsets[-1]

    def span(self, first: int, budget: float, repeat: bool = False) -> int:
        """How many sentences from ``first`` on, the first again after the last, have at most ``budget`` tokens.

        Raises :class:`BackgroundError` where all of them have fewer, unless they may ``repeat``.
        """
        if budget > self.tokens and not repeat:
            raise BackgroundError(
                f"{budget:,.0f} tokens of background are asked for, and there are {self.tokens:,.0f}: add books, ask for less, "
                "or let them begin again (--repeat)"
            )
        rounds, end = divmod(self.offsets[first] + budget, self.tokens)
        return int(rounds) * len(self.sentences) + bisect_right(self.offsets, end) - 1 - first

    def from_place(self, first: int, count: int) -> Iterator[str]:
        """So many sentences from ``first`` on, the first again after the last."""
        size = len(self.sentences)
        return (self.sentences[place % size] for place in range(first, first + count))
