"""The settings of a dynamic memory network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from memnet.config import BUCKETS, BelowOne, Optimizer, Schedule, Selection, UpTo64, Width
from memnet.config.addressing import AttentionSettings
from memnet.config.parts import ALIGNS, READS
from memnet.config.settings import OneOf


@dataclass(frozen=True, repr=False)
class DMNConfig(AttentionSettings):
    """A dynamic memory network (Kumar et al. 2016, Xiong et al. 2016); the defaults are DMN+."""

    epochs: int = 256
    batch: int = 100
    replacement: bool = False
    optimizer: Optimizer = "adam"
    lr: float = 0.001
    schedule: Schedule = "constant"
    selection: Selection = "validation"
    restore_best: bool = True
    patience: int = 20
    l2: float = 0.001
    memory_size: int = 1000
    dim: Annotated[Width, "width of the embeddings and recurrent networks"] = 80
    passes: Annotated[UpTo64, "passes over the facts; at most so many with stop=true"] = 3
    input: Annotated[Literal["words", "fusion"], "a GRU over the words, or encoded sentences and a GRU both ways"] = "fusion"
    features: Annotated[Literal["kumar", "xiong"], "what the gate sees: the terms of Kumar's or of Xiong's paper"] = "xiong"
    score: Annotated[str, "the gate is interaction; others do not see the question again"] = "interaction"
    read: Annotated[str, OneOf(READS), "how the facts of a pass become an episode"] = "attention_gru"
    update: Annotated[Literal["gru", "relu"], "update of the memory: one GRU, or a layer for each pass"] = "relu"
    stop: Annotated[bool, "an end-of-passes signal stands among the facts: reading it ends the passes"] = False
    dropout: Annotated[BelowOne, "share dropped of encoded sentences and of what answers"] = 0.1
    vectors: Annotated[Literal["none", "train", "keep"], "word vectors from a file: none, trained on, or kept"] = "none"

    default_restarts = 4

    def num_reads(self, answer: int) -> int:
        """Once a pass."""
        return self.passes

    def conflicts(self) -> Iterator[str]:
        """Besides: of the end of the passes, and of word vectors."""
        yield from super().conflicts()
        if self.replacement:
            yield BUCKETS
        yield from self.gates_conflict(self.read)
        if self.stop and not ALIGNS[self.align].null:
            null = ", ".join(name for name, kind in ALIGNS.items() if kind.null)
            yield (
                f"stop needs an alignment that can read nothing ({null}), not {self.align}: the end of the passes is "
                "chosen in place of the facts"
            )
        if self.stop and self.draws:
            yield "stop ends passes that are the same for all samples; align=hard draws its own"
        if self.permute and self.vectors != "none":
            yield "permute gives words the vectors of others, and vectors gives each its own: set one of them"
