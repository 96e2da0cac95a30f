"""The sizes of a network of relations, and what its pointers, its gates and its windows are."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from memnet.memory.relations.words import AFTER, BEFORE

NEIGHBOURS = 2
HOPS = 4  # the most relations that a question names
SUBJECT, OBJECT = range(2)  # pointers: the name that a question or a sentence is about, what a fact says of it
FACT, KIND, ANY_FACT = range(3)  # gates: a fact about the name; a question of this kind; a fact, by the whole sentence
WINDOW = BEFORE + AFTER  # words around a name that are glanced at


@dataclass(frozen=True)
class Sizes:
    """Sizes of the network."""

    dim: int = 64
    heads: int = 4
    layers: int = 2
    hidden: int = 128
    meaning: int = 100  # width of keys and queries
    glance: int = 24
    distance: int = 6  # the farthest that heads tell apart
    vectors: int = 100
    newer: float = 2.0  # what being the newer of two facts is worth, in logits

    def as_dict(self) -> dict[str, int]:
        """For config.json."""
        return asdict(self)
