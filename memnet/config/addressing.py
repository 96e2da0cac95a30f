"""The settings of a network's attention, checked by what its parts say they can and cannot do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from memnet.config import MOST, BelowOne, Count, Training, UpTo64, UpTo1000, ZeroOrMore
from memnet.config.parts import ALIGNS, BASELINES, READS, SCORES
from memnet.config.settings import OneOf, Range

WINDOW, SAMPLES = 5.0, 5  # of a local and of a hard alignment, unless said otherwise
TOURNAMENT = "which of two memories is the newer is learned by margins, in a MemNN alone; use argmax"


Hidden = Annotated[int, Range(1, 65_536), "width of the feed-forward networks"]
Heads = Annotated[UpTo64, "heads of self-attention"]
MaskStd = Annotated[ZeroOrMore, "standard deviation of the masks of words' places before training; their mean is 1"]
Dropout = Annotated[BelowOne, "share dropped of embeddings and of what attention and feed-forward networks add"]


@dataclass(frozen=True, repr=False)
class AttentionSettings(Training):
    """How a network addresses its memory: any score and alignment of the core, but for those that ``refused`` names."""

    score: Annotated[str, OneOf(SCORES), "how a question is compared with a memory"] = "dot"
    align: Annotated[str, OneOf(ALIGNS), "how scores become weights"] = "softmax"
    window: Annotated[float, Range(0, MOST), "align=local_m, local_p: memories to each side of the centre"] = 0.0
    samples: Annotated[UpTo1000, "align=hard: addresses drawn for a question while training"] = 0
    baseline: Annotated[str, OneOf(BASELINES), "align=hard: what is subtracted from the loss of a drawn address"] = "none"
    gradient: Annotated[Literal["reinforce", "exact"], "align=hard: from drawn addresses, or over all"] = "reinforce"
    entropy: Annotated[ZeroOrMore, "align=hard: reward for undecided addresses"] = 0.0
    softmax_epochs: Annotated[Count, "epochs of softmax before another alignment"] = 0
    test_samples: Annotated[UpTo1000, "align=hard: answers are averaged over so many drawn addresses; 0: the likeliest one"] = 0

    group = "attention"
    refused: ClassVar[Mapping[str, str]] = {"tournament": TOURNAMENT}

    @property
    def warm_epochs(self) -> int:
        """Epochs of softmax before another alignment."""
        return self.softmax_epochs

    @property
    def untrainable(self) -> bool:
        """Whether the alignment gives the scores no gradient, so that softmax trains in its place to the end."""
        return self.align in ALIGNS and not ALIGNS[self.align].learns

    @property
    def draws(self) -> bool:
        """Whether training draws addresses."""
        return self.align in ALIGNS and ALIGNS[self.align].draws

    def conflicts(self) -> Iterator[str]:
        """Besides: what this network refuses, and what its alignment needs or has no use for."""
        yield from super().conflicts()
        align, exact = self.align, self.gradient == "exact"
        local = align in ALIGNS and ALIGNS[align].window
        windows = " and ".join(name for name, kind in ALIGNS.items() if kind.window)
        of_drawing = {"samples": 0, "baseline": "none", "entropy": 0, "test_samples": 0, "gradient": "reinforce"}
        drawn = [name for name, none in of_drawing.items() if getattr(self, name) != none]
        yield from (f"{name}: {why}" for name in (align, *drawn) if (why := self.refusal(name)) is not None)
        if local and self.window <= 0:
            yield f"align={align} needs a window: how many memories to each side, as window=5"
        if not local and self.window > 0:
            yield f"window is for {windows}; align={align} reads the whole memory"
        if not self.draws and drawn:
            yield f"{' and '.join(drawn)}: only align=hard draws addresses, not {align}"
        if self.draws and not exact and self.samples < 1:
            yield f"align={align} learns from drawn addresses: set samples=1 or more, or gradient=exact"
        if exact and (self.samples > 0 or self.baseline != "none"):
            yield "gradient=exact reads every address: it draws no samples and subtracts no baseline"
        if self.baseline == "loo" and self.samples < 2:
            yield "baseline=loo is the mean over the other samples: set samples=2 or more"
        if self.decoder == "words" and self.test_samples > 0:
            yield "test_samples averages answers of one class; decoder=words decodes each of them word by word"
        if 0 < self.epochs <= self.softmax_epochs:
            yield f"softmax_epochs must be less than the {self.epochs} epochs, or {align} would never be trained"
        if self.softmax_epochs > 0 and (align in ("softmax", "linear") or self.untrainable):
            yield f"softmax_epochs is softmax before another alignment, not before {align}"
        if self.supervision == "facts" and local:
            yield f"align={align} cannot learn from facts: its window may not reach them; set supervision=answers"

    def gates_conflict(self, read: str) -> Iterator[str]:
        """A read that takes its weights as gates has weights between 0 and 1."""
        if READS[read].gates and not (self.align not in ALIGNS or ALIGNS[self.align].share):
            yield f"read={read} takes its weights as gates between 0 and 1, and those of {self.align} are not"

    def heads_conflict(self, heads: int) -> Iterator[str]:
        """Heads share the width, and a signal of time takes two of it."""
        if self.dim % (2 * heads):
            yield f"dim must be a multiple of {2 * heads} (heads={heads}), not {self.dim}"

    @classmethod
    def dependent_settings(cls, chosen: Mapping[str, Any], every: Mapping[str, Any]) -> dict[str, Any]:
        """A local alignment gets a window, one that draws gets samples and a baseline."""
        align = chosen.get("align")
        kind = ALIGNS.get(align or "")
        settings = super().dependent_settings(chosen, every)
        if kind is not None and kind.window:
            settings["window"] = WINDOW
        if kind is not None and kind.draws and every.get("gradient") != "exact":
            settings["samples"] = SAMPLES
            samples = every.get("samples", SAMPLES)
            settings["baseline"] = "loo" if isinstance(samples, int) and samples > 1 else "mean"
        return settings

    def make_align(self, query_dim: int, random: Any) -> Any:
        """The alignment, with its window: an ``Align`` of :mod:`memnet.attention`."""
        return ALIGNS[self.align](query_dim, random, self.window)
