"""The settings of a Universal Transformer over mentions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from memnet.config.settings import Range
from memnet.config.transformer import TransformerConfig


@dataclass(frozen=True, repr=False)
class MentionsConfig(TransformerConfig):
    """A Universal Transformer over mentions of interchangeable words, which it tells apart only by where they recur."""

    layers: int = 4
    time: Literal["age", "absolute", "both", "none"] = "none"
    distances: Annotated[int, Range(0, 1000), "biases of attention by how many statements lie between, up to so many"] = 16
    ranks: Annotated[int, Range(0, 1000), "how many mentions of a word that lie between two others are counted, at most"] = 4
    same_words: Annotated[bool, "biases of attention say where a word is said again"] = True

    def conflicts(self) -> Iterator[str]:
        """Besides: an element is a name of a statement, and an answer one entry."""
        yield from super().conflicts()
        if self.elements != "sentences" or self.noise > 0:
            yield "elements are the names of statements here, without noise: leave out elements and noise"
        if self.decoder == "words":
            yield "an answer points at words, it is not decoded; set decoder=class"
        if self.permute:
            yield "the network does not see which of interchangeable words one is; set permute=false, and canonical=true"
