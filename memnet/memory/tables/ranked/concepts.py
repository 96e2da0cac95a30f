"""What columns of tables are about, and how people ask for it in other words than the header's."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

from memnet.memory.columns import lemmas
from memnet.memory.tables.table import Column

Phrase = tuple[str, ...]
LONGER = 0.3  # what each further word of a phrase counts
WHOLE, LAST = 1.0, 0.8  # how much a column is of a concept: its header is called so, or begins or ends so
DENIED = "no "  # before the name of a concept: phrases that say that there is none of it


class Concept(NamedTuple):
    """What a column may be about."""

    name: str
    headers: frozenset[Phrase]
    asks: tuple[Phrase, ...]
    without: tuple[Phrase, ...]  # that say that there is none of it


@cache
def concepts() -> tuple[Concept, ...]:
    """All that are known."""
    text = resources.files(__package__).joinpath("concepts.toml").read_text(encoding="utf-8")
    return tuple(
        Concept(name, frozenset(phrases(said["headers"])), phrases(said["asks"]), phrases(said.get("without", "")))
        for name, said in tomllib.loads(text).items()
    )


def phrases(text: str) -> tuple[Phrase, ...]:
    """Phrases of a text, whose words an underscore joins."""
    return tuple(tuple(one.split("_")) for one in text.split())


@cache
def by_first_word() -> dict[str, list[tuple[Phrase, str]]]:
    """All phrases with the concept that they ask for, or deny, by their first word."""
    found = dict[str, list[tuple[Phrase, str]]]()
    for one in concepts():
        for name, said in ((one.name, one.asks), (DENIED + one.name, one.without)):
            for phrase in said:
                found.setdefault(phrase[0], []).append((phrase, name))
    return found


@lru_cache(maxsize=1 << 14)
def forms(word: str) -> frozenset[str]:
    """A word of a question, and the words of which it may be a form."""
    return frozenset({word}) | (lemmas(word) if word.isalpha() and len(word) > 2 else frozenset())


def phrases_in(low: Sequence[str]) -> dict[str, dict[frozenset[int], float]]:
    """The concepts that a question asks for, or denies, with the places of the words that do and how much they say."""
    found = dict[str, dict[frozenset[int], float]]()
    known = [forms(word) for word in low]
    for first, words in enumerate(known):
        for word in words:
            for phrase, name in by_first_word().get(word, ()):
                last = first + len(phrase)
                if last <= len(low) and all(one in known[first + at] for at, one in enumerate(phrase)):
                    found.setdefault(name, {})[frozenset(range(first, last))] = 1.0 + LONGER * (len(phrase) - 1)
    return found


@lru_cache(maxsize=1 << 10)
def of_header(words: Phrase) -> dict[str, float]:
    """The concepts that a header is of, and how much."""
    fits = dict[str, float]()
    for one in concepts():
        if words in one.headers:
            fits[one.name] = WHOLE
        elif any(len(part) < len(words) and part in (words[-len(part) :], words[: len(part)]) for part in one.headers):
            fits[one.name] = LAST
    return fits


def about(column: Column) -> dict[str, float]:
    """The concepts that a column is of, and how much, by its header."""
    return of_header(tuple(column.words))


def is_about(column: Column, *names: str) -> bool:
    """Whether a column is about one of some concepts."""
    return not about(column).keys().isdisjoint(names)


__all__ = ["DENIED", "about", "concepts", "is_about", "phrases_in"]
