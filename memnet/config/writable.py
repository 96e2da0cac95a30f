"""The settings of a memory network that writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from memnet.config import BUCKETS, BelowOne, ClipPer, Decoder, Optimizer, Schedule, Selection, Share, UpTo64, Width
from memnet.config.addressing import TOURNAMENT, AttentionSettings, Dropout, Heads, Hidden
from memnet.config.parts import SCORES
from memnet.config.settings import OneOf


@dataclass(frozen=True, repr=False)
class WritableConfig(AttentionSettings):
    """A memory network whose sentences rewrite its memories."""

    epochs: int = 60
    batch: int = 32
    replacement: bool = False
    optimizer: Optimizer = "adamw"
    lr: float = 0.003
    schedule: Schedule = "cosine"
    warmup: float = 0.05
    clip: float = 1.0
    clip_per: ClipPer = "network"
    decay: float = 0.01
    selection: Selection = "validation"
    monitor: Literal["loss", "error"] = "error"
    restore_best: bool = True
    decoder: Decoder = "words"
    dim: Width = 64
    hidden: Hidden = 192
    heads: Heads = 4
    layers: Annotated[UpTo64, "layers of attention between slots and words"] = 3
    dropout: Dropout = 0.1
    word_dropout: Annotated[BelowOne, "share of the words that are read as unknown while training"] = 0.05
    own_states: Annotated[Share, "share of the training stories that go on from the states that the network wrote"] = 0.0
    score: Annotated[str, OneOf(SCORES)] = "scaled_dot"

    default_restarts = 1
    refused: ClassVar[Mapping[str, str]] = {
        "linear": "self-attention needs weights that are normalised",
        "sigmoid": "self-attention needs weights that are normalised",
        "tournament": TOURNAMENT,
        "hard": "the questions of a story share what its instructions read, and so would share every address drawn",
        "local_m": "slots stand in no order of time",
        "local_p": "slots stand in no order of time",
    }

    def num_reads(self, answer: int) -> int:
        """The last layer's attention is what is shown."""
        return 1

    def conflicts(self) -> Iterator[str]:
        """Besides: of heads, and of how it answers."""
        yield from super().conflicts()
        yield from self.heads_conflict(self.heads)
        if self.replacement:
            yield BUCKETS
        if SCORES[self.score].context:
            yield "an element asks with itself alone; its score compares with two things"
        if self.decoder == "class":
            yield "it writes word by word: decoder=words"
