"""The settings of an LSTM that reads and one that answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from memnet.config import BUCKETS, BelowOne, ClipPer, Decoder, Optimizer, Schedule, Selection, Width
from memnet.config.addressing import TOURNAMENT, AttentionSettings
from memnet.config.parts import ALIGNS, SCORES
from memnet.config.settings import OneOf, Range


@dataclass(frozen=True, repr=False)
class LSTMConfig(AttentionSettings):
    """An LSTM that reads and one that answers, with attention (Luong et al. 2015) or, by default, without."""

    epochs: int = 100
    batch: int = 50
    replacement: bool = False
    optimizer: Optimizer = "adam"
    lr: float = 0.002
    schedule: Schedule = "linear"
    clip: float = 5.0
    clip_per: ClipPer = "network"
    selection: Selection = "validation"
    restore_best: bool = True
    patience: int = 20
    memory_size: int = 1000
    decoder: Decoder = "words"
    dim: Annotated[Width, "width of the embeddings and recurrent networks"] = 64
    align: Annotated[str, OneOf(ALIGNS, ("none",)), "how scores become weights; none: no attention"] = "none"
    beam: Annotated[int, Range(1, 100), "answers are decoded by a beam of so many; 1 is greedy"] = 1
    dropout: Annotated[BelowOne, "share dropped of embeddings and of what answers"] = 0.1

    default_restarts = 3
    refused: ClassVar[Mapping[str, str]] = {
        "tournament": TOURNAMENT,
        "gradient": "gradient=exact sums over every word of a story; use gradient=reinforce",
    }

    def num_reads(self, answer: int) -> int:
        """Once for each word of the answer."""
        return answer

    def conflicts(self) -> Iterator[str]:
        """Besides: of what has no attention, and of beams."""
        yield from super().conflicts()
        if self.replacement:
            yield BUCKETS
        if self.beam > 1 and self.decoder == "class":
            yield "an answer of one class needs no beam; set decoder=words"
        if SCORES[self.score].context:
            yield "an LSTM's query is its state alone; its score compares with two things"
        if self.align == "none" and self.score != "dot":
            yield "score is of the attention, and align=none has none"
        if self.align == "none" and self.supervision == "facts":
            yield "facts are for attention to learn, and align=none has none"
