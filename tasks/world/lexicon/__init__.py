"""The lexicon: words and grammar as text and TOML files that anyone can edit, and what reads them.

    nouns.txt    "room: kitchen, bedroom, ..."                      nouns by what they are
    names.txt    "woman turkish: Selime, ..."                       names of people by culture
    deeds.txt    "repair, fix, mend : clothing ; tool for"          verbs that change nothing else that is asked for
    senses.toml  deeds with effects: who does what to whom, with which prepositions, and what it changes
    modes.toml   "might", "wants to", "forgot to": what says nothing of what is
    facts.toml   what may be said and asked of one person or thing: jobs, prices, colours, times ...
    asking.toml  questions about where things are and who has them
    words.toml   words that rules name one by one: irregular forms, prepositions of roles, kin, directions
    talk.txt     small talk that means nothing;  reasons.txt  why people do things
    told/ answered/ events/ entries/ ways/    what readers learn from; in the source alone, no part of an installed package

A word belongs to one of two parts, by its letters: ``kept`` words (a quarter) are left out where dials say ``words="train"``,
so that one can measure how well words that training never had are understood.
"""

from __future__ import annotations

import tomllib
import zlib
from functools import cache
from importlib import resources
from typing import Any

from ...files import DataError

KEPT_SHARE = 4  # one word in so many is kept from training


def _text(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _lines(name: str) -> list[str]:
    return [line.strip() for line in _text(name).splitlines() if line.strip() and not line.startswith("#")]


def training_texts(folder: str) -> dict[str, str]:
    """The texts of a folder that only training reads, by the names of their files without endings, in order.

    They are in the source alone, since they are larger than all that answers. Raises :class:`~memnet.tasks.files.DataError`
    where they are not.
    """
    found = resources.files(__package__).joinpath(folder)
    if not found.is_dir():
        raise DataError(
            f"the texts of tasks/world/lexicon/{folder}, which readers learn from, are not part of an installed package: "
            "run this in a checkout of the source, installed with pip install -e ."
        )
    files = sorted((file.name, file) for file in found.iterdir() if file.name.endswith((".txt", ".jsonl")))
    return {name.rpartition(".")[0]: file.read_text(encoding="utf-8") for name, file in files}


def kept(word: str) -> bool:
    """Whether a word is kept from training."""
    return zlib.crc32(word.encode()) % KEPT_SHARE == 0


def part_of(words: tuple[str, ...], part: str) -> tuple[str, ...]:
    """The words of a part: "all", "train" or "kept"; all of them where the part has none."""
    if part == "all":
        return words
    return tuple(word for word in words if kept(word) == (part == "kept")) or words


@cache
def _lists(name: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for line in _lines(name):
        head, _, rest = line.partition(":")
        found.setdefault(head.strip(), {}).update(dict.fromkeys(word.strip() for word in rest.split(",") if word.strip()))
    return {head: tuple(words) for head, words in found.items()}


@cache
def nouns(kind: str, part: str = "all") -> tuple[str, ...]:
    """The nouns of a class, or of several joined by "+"; ``KeyError`` where there is no such class."""
    words = dict.fromkeys(word for one in kind.split("+") for word in _lists("nouns.txt")[one])
    return part_of(tuple(words), part)


def noun_classes() -> tuple[str, ...]:
    """Every class of nouns."""
    return tuple(_lists("nouns.txt"))


@cache
def names(kind: str, part: str = "all") -> tuple[tuple[str, ...], ...]:
    """Names of a kind (woman, man, family), a tuple for each culture."""
    lists = _lists("names.txt")
    return tuple(part_of(words, part) for head, words in lists.items() if head.split()[0] == kind)


@cache
def table(name: str) -> dict[str, Any]:
    """A TOML file of the lexicon."""
    return tomllib.loads(_text(name))


WORDS = table("words.toml")


@cache
def talk() -> dict[str, tuple[str, ...]]:
    """Lines of talk.txt by their kind: small talk, corrections and so on."""
    found: dict[str, list[str]] = {}
    kind = "idle"
    for line in _lines("talk.txt"):
        if line.startswith("["):
            kind = line.strip("[]")
        else:
            found.setdefault(kind, []).append(line)
    return {kind: tuple(lines) for kind, lines in found.items()}


@cache
def reasons() -> tuple[str, ...]:
    """Clauses that say why: templates."""
    return tuple(_lines("reasons.txt"))


@cache
def deed_lines() -> tuple[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]], ...]:
    """The lines of deeds.txt: verbs, classes of what they are done to, additions."""
    found = []
    for line in _lines("deeds.txt"):
        verbs, _, rest = line.partition(" : ")
        done_to, _, additions = rest.partition(";")
        split = [tuple(word.strip() for word in text.split(",")) for text in (verbs, done_to)]
        found.append((split[0], split[1], tuple(additions.split())))
    return tuple(found)
