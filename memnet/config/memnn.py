"""The settings of a strongly supervised memory network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from memnet.config import Decoder, Positive, Selection, Share, Supervision, UpTo64, Width
from memnet.config.addressing import AttentionSettings
from memnet.config.parts import ALIGNS, SCORES
from memnet.config.settings import OneOf, Range


@dataclass(frozen=True, repr=False)
class MemNNConfig(AttentionSettings):
    """A strongly supervised memory network (Weston et al. 2014 and 2015): it learns what to find from supporting facts."""

    epochs: int = 60
    replacement: bool = False
    optimizer: Literal["sgd", "adam"] = "adam"
    lr: float = 0.005
    schedule: Literal["halve", "linear"] = "linear"
    selection: Selection = "validation"
    supervision: Supervision = "facts"
    memory_size: int = 1000
    decoder: Decoder = "words"
    dim: Width = 50
    hops: Annotated[UpTo64, "the most facts that are found for a question, never more than a training question lists"] = 10
    adaptive: Annotated[bool, "AM: learn when nothing more is to be found"] = False
    ngrams: Annotated[bool, "NG: sentences as bags of words, 2-grams and 3-grams"] = False
    nonlinear: Annotated[bool, "NL: a tanh layer in the match"] = False
    time: Annotated[Literal["pairs", "age", "none"], "which of two is newer, the age of one, or no time"] = "pairs"
    blocks: Annotated[int, Range(0, 64), "the first so many facts have a block of U each, besides the common one"] = 3
    margin: Annotated[Positive, "by which a fact's score must be above a rival's"] = 1.0
    negatives: Annotated[int, Range(0), "memories drawn as rivals of a fact; 0 for all"] = 10
    negative_words: Annotated[int, Range(0), "words drawn as rivals of the answer's; 0 for all"] = 0
    scheduled_sampling: Annotated[Share, "share of the hops in which R learns from the fact that O would find"] = 0.5
    init_std: Annotated[Positive, "standard deviation of the initial weights"] = 0.1
    align: Annotated[str, OneOf(ALIGNS)] = "tournament"

    default_restarts = 5
    excess_facts = "the first are learned"

    untrainable = property(lambda self: False)  # margins between scores are learned, whatever is picked by them

    def num_reads(self, answer: int) -> int:
        """Once a hop."""
        return self.hops

    def refusal(self, name: str) -> str | None:
        """Why it cannot take an alignment: one that reads more than one memory at once."""
        picks = name not in ALIGNS or ALIGNS[name].picks
        return None if picks else "a MemNN picks one memory a hop; use tournament, argmax or hard"

    @classmethod
    def dependent_settings(cls, chosen: Mapping[str, Any], every: Mapping[str, Any]) -> dict[str, Any]:
        """Besides, an alignment without a sense of which of two is newer goes with the age of each, and the other way round."""
        settings = super().dependent_settings(chosen, every)
        if every.get("align", "tournament") != "tournament" and "time" not in every:
            settings["time"] = "age"
        if every.get("time", "pairs") != "pairs" and "align" not in every:
            settings["align"] = "argmax"
        return settings

    def conflicts(self) -> Iterator[str]:
        """Besides: of what it learns from, and of what picks one memory a hop."""
        yield from super().conflicts()
        if self.supervision != "facts" and not self.draws:
            yield (
                "a MemNN learns what to find from supporting facts and from nothing else: set supervision=facts, "
                "or align=hard, which learns from answers by trial"
            )
        if (self.align == "tournament") != (self.time == "pairs"):
            yield (
                f"align=tournament compares pairs of memories by time, and needs time=pairs; time={self.time} needs argmax "
                f"or hard, not {self.align}"
            )
        if SCORES[self.score].context:
            yield f"what a MemNN has found is part of its query; score={self.score} compares with two things"
        if self.softmax_epochs > 0:
            yield "a MemNN picks one memory a hop, so softmax_epochs=0"
        if self.permute:
            yield "permute is for networks that know a sentence by its words alone; a MemNN knows n-grams too"
