"""What columns of tables are about, and how people ask for it in other words than the header's."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from memnet.memory.columns import GRAMMAR, lemmas
from memnet.memory.tables.table import Column
from memnet.memory.tables.wording import is_word

Phrase = tuple[str, ...]
LONGER = 0.3  # what each further word of a phrase counts
WHOLE, LAST = 1.0, 0.8  # how much a column is of a concept: its header is called so, or a word of it is


class Concept(NamedTuple):
    """What a column may be about."""

    name: str
    headers: tuple[Phrase, ...]
    asks: tuple[Phrase, ...]
    without: tuple[Phrase, ...]  # that say that there is none of it

    def fits(self, column: Column) -> float:
        """How much a column is about it, by its header."""
        words = column.words
        if not words:
            return 0.0
        if words in self.headers:
            return WHOLE
        parts = [one for one in self.headers if len(one) < len(words) and one in (words[-len(one) :], words[: len(one)])]
        return LAST if parts else 0.0


@cache
def concepts() -> tuple[Concept, ...]:
    """All that are known."""
    text = resources.files(__package__).joinpath("concepts.toml").read_text(encoding="utf-8")
    return tuple(
        Concept(name, *(phrases(said.get(part, "")) for part in ("headers", "asks", "without")))
        for name, said in tomllib.loads(text).items()
    )


def phrases(text: str) -> tuple[Phrase, ...]:
    """Phrases of a text, whose words an underscore joins."""
    return tuple(tuple(one.split("_")) for one in text.split())


def said_at(low: Sequence[str], phrase: Phrase) -> set[int]:
    """The places of the words of a phrase where a question has it, its words in any form; empty where it has not."""
    for first in range(len(low) - len(phrase) + 1):
        if all(is_form(low[first + at], word) for at, word in enumerate(phrase)):
            return {*range(first, first + len(phrase))}
    return set()


def is_form(word: str, other: str) -> bool:
    """Whether a word of a question is one of a phrase, or a form of it."""
    return word == other or (len(other) > 3 and other in lemmas(word))


def how_asked(column: Column, low: Sequence[str]) -> float:
    """How much a question speaks of a column: words of its header, and phrases of what it is about."""
    return asked_of(column, low)[0]


def asked_of(column: Column, low: Sequence[str]) -> tuple[float, frozenset[int]]:
    """The same, and the places of the words that do."""
    words = {at: word for at, word in enumerate(low) if len(word) > 1 and word.isalnum()}
    content = [one for one in column.words if one not in GRAMMAR]
    named = {one: [at for at, word in words.items() if is_word(word, one)] for one in content}
    found = {at for places in named.values() for at in places}
    about = 0.0
    for one in concepts():
        if fit := one.fits(column):
            said = [places for phrase in one.asks if (places := said_at(low, phrase))]
            about = max([about, *(fit * (1.0 + LONGER * (len(places) - 1)) for places in said)])
            found = found.union(*said)
    share = sum(map(bool, named.values())) / max(1, len(content))
    return 1.5 * share + about, frozenset(found)


__all__ = ["Concept", "asked_of", "concepts", "how_asked", "said_at"]
