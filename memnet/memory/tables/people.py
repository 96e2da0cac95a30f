"""How much a column is one of people: by what it is called, and by how near its cells are to the names of people.

A cell's words have vectors (GloVe's), and so have first names; a column of people is one
whose cells are, in the mean, near these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import numpy as np

from memnet.memory.columns import KIND_LIKE, PLACES, cosine, is_place, person_like
from memnet.reading.words import Words
from memnet.tasks.text.english import kinds_of_word
from memnet.tasks.world.lexicon import names, nouns

NEAR = 0.4  # cosine of cells to first names, in the mean
PLACES_LIKE = 0.5  # cosine of cells to nouns of places, in the mean
LOOKED_AT = 200  # cells
TIE = 0.1  # what the cells count where two columns are called by people


@cache
def first_names() -> np.ndarray:
    """The mean vector of first names (100,), of length 1."""
    words = Words.load()
    rows = [
        words.rows[name.lower()]
        for kind in ("woman", "man")
        for some in names(kind)
        for name in some
        if name.lower() in words.rows
    ]
    return unit(np.mean(words.units[rows], axis=0))


@cache
def places() -> np.ndarray:
    """The mean vector of nouns of places (100,), of length 1."""
    words = Words.load()
    rows = [words.rows[noun.split()[-1]] for noun in nouns(PLACES) if noun.split()[-1] in words.rows]
    return unit(np.mean(words.units[rows], axis=0))


def are_places(cells: Sequence[str]) -> bool:
    """Whether cells are like the names of places: "Mill Lane", "Store A"."""
    return float(mean_of_cells(cells) @ places()) >= PLACES_LIKE


def unit(vector: np.ndarray) -> np.ndarray:
    """A vector at length 1; zeros stay."""
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-6))


def mean_of_cells(cells: Sequence[str]) -> np.ndarray:
    """The mean vector of the words of cells (100,), of length 1."""
    words = Words.load()
    rows = [
        words.rows[one] for cell in cells[:LOOKED_AT] for one in re.findall(r"[^\W\d_]{2,}", cell.lower()) if one in words.rows
    ]
    return unit(np.mean(words.units[rows or [0]], axis=0))


def likeness_to_people(header: Sequence[str], cells: Sequence[str]) -> float:
    """How much a column of names is one of people: 0 where it is not, else the more the likelier."""
    near = float(mean_of_cells(cells) @ first_names())
    called = max(person_like(tuple(header)), KIND_LIKE * is_agent(header[-1]))
    if (is_place(tuple(header)) and near < NEAR) or cosine(header[-1], "animal") > max(cosine(header[-1], "person"), called):
        return 0.0
    return called + TIE * near if called >= KIND_LIKE or near >= NEAR else 0.0


def is_agent(noun: str) -> bool:
    """Whether a noun is of who does something: "maker", "keeper", "editor".

    >>> is_agent("maker"), is_agent("editor"), is_agent("number"), is_agent("colour")
    (True, True, False, False)
    """
    noun = next(
        (noun[at:] for at in range(len(noun) - 5) if at > 2 and noun[at:].endswith("er") and kinds_of_word(noun[at:])), noun
    )
    stems = [noun[:-1], noun[:-2], noun[:-3]] if noun.endswith(("er", "or")) and len(noun) > 4 else []
    return any("VERB" in kinds_of_word(stem) for stem in stems if len(stem) > 2) and "VERB" not in kinds_of_word(noun)


@cache
def as_agent(verb: str) -> frozenset[str]:
    """Nouns of who does what a verb says, of those that have vectors.

    >>> sorted(as_agent("teaches")), sorted(as_agent("drove")), sorted(as_agent("is"))
    (['teacher'], ['driver'], [])
    """
    from lemminflect import getAllLemmas

    found = {lemma.removesuffix("e") + end for lemma in getAllLemmas(verb).get("VERB", ()) for end in ("er", "or")}
    return frozenset(one for one in found if one in Words.load().rows and "NOUN" in kinds_of_word(one) and is_agent(one))
