"""The settings of an end-to-end memory network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from memnet.config import Count, Noise, Positive, UpTo64, Width, ZeroOrMore
from memnet.config.addressing import AttentionSettings
from memnet.config.parts import ALIGNS, READS
from memnet.config.settings import OneOf, Range

OPEN_DIM = 50  # width with an open vocabulary: in 20 dimensions its 40 markers are mistaken for each other


@dataclass(frozen=True, repr=False)
class MemN2NConfig(AttentionSettings):
    """An end-to-end memory network (Sukhbaatar et al. 2015)."""

    dim: Width = 20
    hops: Annotated[UpTo64, "how often the memory is read"] = 3
    tying: Annotated[Literal["adjacent", "layerwise"], "which hops share embeddings"] = "adjacent"
    encoding: Annotated[Literal["bow", "pe", "pe_code", "self_attention"], "a sentence from its words"] = "pe_code"
    temporal: Annotated[bool, "memories carry their age"] = True
    noise: Noise = 0.0
    null: Annotated[Literal["none", "unused"], "reading nothing: never, or as often as the paper's unused slots"] = "unused"
    relu: Annotated[bool, "a ReLU after each hop, as in the paper's larger network"] = False
    init_std: Annotated[Positive, "standard deviation of the initial weights"] = 0.1
    linear_start: Annotated[Count, "at most so many epochs without softmax come first"] = 0
    linear_until: Annotated[Literal["epochs", "validation"], "its end: so many epochs, or when held-out loss rises"] = "epochs"
    read: Annotated[str, OneOf(READS), "what becomes of the memories that are read"] = "weighted_sum"
    attention_rows: Annotated[int, Range(0, 64), "encoding=self_attention: rows of attention over a sentence's words"] = 0
    penalty: Annotated[ZeroOrMore, "encoding=self_attention: cost of rows that attend to the same words"] = 0.0
    fused: Annotated[bool, "where numba is installed, steps are one compiled loop: equal within rounding"] = True

    def conflicts(self) -> Iterator[str]:
        """Besides: of the linear phase, of reading nothing and of self-attention over words."""
        yield from super().conflicts()
        validated = self.linear_until == "validation"
        if self.null != "none" and not ALIGNS[self.align].null:
            yield f"align={self.align} cannot read nothing: its weights share no sum with a null memory; set null=none"
        if validated and self.linear_start == 0:
            yield "linear_until=validation says when the linear phase ends, and linear_start=0 has none"
        if validated and self.draws:
            yield (
                "linear_until=validation ends the linear phase of each replica at a time of its own; "
                f"align={self.align} needs epochs"
            )
        if validated and self.optimizer != "sgd":
            yield "linear_until=validation gives each replica a schedule, and adam has one for all; use optimizer=sgd"
        yield from self.gates_conflict(self.read)
        if READS[self.read].gates and self.linear_start > 0:
            yield (
                f"read={self.read} takes its weights as gates between 0 and 1, and linear ones are not: "
                "set linear_start=0 and another alignment"
            )
        if (self.attention_rows > 0) != (self.encoding == "self_attention"):
            yield "attention_rows, 1 or more, and encoding=self_attention go together"
        if self.penalty > 0 and self.encoding != "self_attention":
            yield f"penalty is for encoding=self_attention, not {self.encoding}"

    @property
    def linear_epochs(self) -> int:
        """Epochs of a linear start."""
        return self.linear_start

    @property
    def linear_to_validation(self) -> bool:
        """Whether a linear start ends when the validation loss stops falling."""
        return self.linear_until == "validation"

    @property
    def fusible(self) -> bool:
        """Whether the compiled loop has all that is set: softmax over dot products, descent, answers alone, a class each."""
        parts = self.score, self.align, self.read, self.decoder, self.optimizer, self.supervision
        usual = ("dot", "softmax", "weighted_sum", "class", "sgd", "answers")
        return self.fused and parts == usual and self.encoding != "self_attention" and self.l2 == 0

    def num_reads(self, answer: int) -> int:
        """Once a hop."""
        return self.hops

    def lower_the_loss(self) -> str:
        """What to try when the loss does not stay finite."""
        return f"{super().lower_the_loss()} or the initial weights (--set init_std=...)"

    @classmethod
    def dependent_settings(cls, chosen: Mapping[str, Any], every: Mapping[str, Any]) -> dict[str, Any]:
        """Besides: what cannot read nothing is not asked to, gated reads have no linear phase, and markers get room."""
        settings = super().dependent_settings(chosen, every)
        if every.get("open_vocabulary") is True:
            settings["dim"] = OPEN_DIM
        align, read = chosen.get("align", "softmax"), chosen.get("read", "weighted_sum")
        if align in ALIGNS and not ALIGNS[align].null:
            settings["null"] = "none"
        if read in READS and READS[read].gates:
            settings["linear_start"] = 0
        return settings
