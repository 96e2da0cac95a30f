"""The settings of a network that walks relations from name to name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from memnet.config import ClipPer, Optimizer, Schedule, Selection, Width
from memnet.config.addressing import AttentionSettings, Dropout
from memnet.config.settings import Range


@dataclass(frozen=True, repr=False)
class WalkConfig(AttentionSettings):
    """A network that walks relations from name to name; questions are about two names."""

    epochs: int = 20
    batch: int = 64
    replacement: bool = False
    optimizer: Optimizer = "adam"
    lr: float = 0.003
    schedule: Schedule = "cosine"
    clip: float = 1.0
    clip_per: ClipPer = "network"
    selection: Selection = "validation"
    restore_best: bool = True
    memory_size: int = 100
    open_vocabulary: bool = True
    dim: Width = 48
    compose: Annotated[Literal["table", "sum"], "a learned table of relations, or sums of their vectors"] = "table"
    states: Annotated[
        int, Range(2, 1000), "compose=table: relations besides the answers; compose=sum: width of the vectors"
    ] = 3
    rows: Annotated[int, Range(1, 64), "rows of attention over the words of a statement"] = 4
    span: Annotated[int, Range(1, 2), "a relation is read from so many neighbouring statements"] = 1
    dropout: Annotated[Dropout, "share of what is learned of single words that is dropped, and of what is read"] = 0.0
    package_vectors: Annotated[bool, "words have the package's vectors (GloVe), and what is learned of each is added"] = False

    default_restarts = 1
    redraws = False
    refused: ClassVar[Mapping[str, str]] = dict.fromkeys(
        ("linear", "sigmoid", "local_m", "local_p", "tournament", "hard"),
        "the ways from one name to another share what is read, in no order",
    )

    def num_reads(self, answer: int) -> int:
        """The evidence, once."""
        return 1

    def conflicts(self) -> Iterator[str]:
        """Besides: what it walks along are names, which only an open vocabulary tells from words."""
        yield from super().conflicts()
        if not self.open_vocabulary:
            yield "it walks from name to name, and only an open vocabulary tells names from words: set open_vocabulary=true"
        if self.decoder == "words":
            yield "its answer is one relation: decoder=class"
        if self.score != "dot":
            yield f"it compares how sure relations are, which are numbers: score=dot, not {self.score}"
