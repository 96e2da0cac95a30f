"""The settings of a Transformer over a story."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from memnet.config import BUCKETS, ClipPer, Noise, Optimizer, Schedule, Selection, UpTo64, Width, ZeroOrMore
from memnet.config.addressing import TOURNAMENT, AttentionSettings, Dropout, Heads, Hidden, MaskStd
from memnet.config.parts import SCORES
from memnet.config.settings import OneOf, Range


@dataclass(frozen=True, repr=False)
class TransformerConfig(AttentionSettings):
    """A Transformer over the story, universal unless said otherwise (Vaswani et al. 2017, Dehghani et al. 2019)."""

    epochs: int = 100
    batch: int = 50
    replacement: bool = False
    optimizer: Optimizer = "adamw"
    lr: float = 0.002
    schedule: Schedule = "cosine"
    warmup: float = 0.05
    clip: float = 1.0
    clip_per: ClipPer = "network"
    decay: float = 0.01
    selection: Selection = "validation"
    restore_best: bool = True
    memory_size: int = 1000
    dim: Width = 64
    hidden: Hidden = 128
    heads: Heads = 4
    layers: Annotated[UpTo64, "layers, or steps of the universal one; at most so many with adaptive halting"] = 3
    universal: Annotated[bool, "one layer is used again and again, with a signal of the step"] = True
    halting: Annotated[Literal["fixed", "act"], "depth: fixed, or each element's own (ACT)"] = "fixed"
    ponder: Annotated[ZeroOrMore, "halting=act: cost of a step"] = 0.01
    elements: Annotated[Literal["sentences", "words"], "what attends to itself"] = "sentences"
    time: Annotated[Literal["age", "absolute", "both", "none"], "places counted from the question, the start, or both"] = "age"
    position_mask_std: MaskStd = 0.0
    max_relative_distance: Annotated[
        int, Range(0, 10_000), "each head learns which distances it prefers, up to this; 0 for none"
    ] = 0
    dropout: Dropout = 0.3
    noise: Noise = 0.0
    score: Annotated[str, OneOf(SCORES)] = "scaled_dot"
    head_diversity: Annotated[ZeroOrMore, "cost of heads that read the same for the question"] = 0.0

    default_restarts = 3
    refused: ClassVar[Mapping[str, str]] = {
        "linear": "self-attention needs weights that are normalised",
        "tournament": TOURNAMENT,
        "gradient": "gradient=exact would sum over what every element and head reads; use gradient=reinforce",
        "entropy": "it is that of one address a hop, and every element and head draws its own",
        "test_samples": "every element and head draws its own; asked, they read the likeliest",
    }

    def num_reads(self, answer: int) -> int:
        """Once a layer or step, and once for the answer."""
        return self.layers + 1

    def conflicts(self) -> Iterator[str]:
        """Besides: of heads, of adaptive halting and of ages."""
        yield from super().conflicts()
        yield from self.heads_conflict(self.heads)
        if self.replacement:
            yield BUCKETS
        if SCORES[self.score].context:
            yield "an element asks with itself alone; its score compares with two things"
        if self.head_diversity > 0 and self.heads == 1:
            yield "head_diversity is a cost of heads that read the same, and heads=1 has one"
        if self.halting == "act" and not self.universal:
            yield "halting=act repeats one layer: it needs universal=true"
        if self.halting == "fixed" and self.ponder != TransformerConfig.ponder:
            yield "ponder is the cost of a step of halting=act, and halting=fixed takes all of them"
        if self.noise > 0 and not (self.elements == "sentences" and self.time in ("age", "both")):
            yield "noise stretches the ages of sentences: it needs time=age and elements=sentences"
