"""The settings of a causal Universal Transformer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from memnet.config import BUCKETS, ClipPer, Decoder, Optimizer, Schedule, Selection, UpTo64, Width
from memnet.config.addressing import TOURNAMENT, AttentionSettings, Dropout, Heads, Hidden, MaskStd
from memnet.config.parts import SCORES
from memnet.config.settings import OneOf, Range


@dataclass(frozen=True, repr=False)
class CausalConfig(AttentionSettings):
    """A causal Universal Transformer (Dehghani et al. 2019, with the statements' self-attention causal)."""

    epochs: int = 100
    batch: int = 128
    replacement: bool = False
    optimizer: Optimizer = "adamw"
    lr: float = 0.003
    schedule: Schedule = "cosine"
    warmup: float = 0.02
    clip: float = 1.0
    clip_per: ClipPer = "network"
    decay: float = 0.01
    selection: Selection = "validation"
    memory_size: int = 1000
    decoder: Decoder = "words"
    dim: Width = 128
    hidden: Hidden = 256
    heads: Heads = 4
    steps: Annotated[UpTo64, "how often the layer is used"] = 5
    position_mask_std: MaskStd = 0.5
    max_relative_distance: Annotated[int, Range(1, 10_000), "each head learns which distances it prefers, up to this"] = 64
    dropout: Dropout = 0.0
    score: Annotated[str, OneOf(SCORES)] = "scaled_dot"

    default_restarts = 1
    refused: ClassVar[Mapping[str, str]] = {
        "linear": "self-attention needs weights that are normalised",
        "tournament": TOURNAMENT,
        "hard": "the questions of a story share what its statements read, and so would share every address drawn",
    }

    def num_reads(self, answer: int) -> int:
        """Once a step, and the evidence."""
        return self.steps + 1

    def conflicts(self) -> Iterator[str]:
        """Besides: of heads, and of how it answers."""
        yield from super().conflicts()
        yield from self.heads_conflict(self.heads)
        if self.replacement:
            yield BUCKETS
        if SCORES[self.score].context:
            yield "a statement asks with itself alone; its score compares with two things"
        if self.decoder == "class":
            yield "it answers word by word: decoder=words"
