"""The settings of a network's attention, checked by what its parts say they can and cannot do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from memnet.attention import ALIGNS, READS, SCORES, Attention, MultiHead, weighted_sum
from memnet.attention.align import Align, Scheduled
from memnet.attention.reinforce import BASELINES
from memnet.config import MOST, OneOf, Training, check_rules, require
from memnet.nn.random import Random

WINDOW, SAMPLES = 5.0, 5  # of a local and of a hard alignment, unless said otherwise
TOURNAMENT = "which of two memories is the newer is learned by margins, in a MemNN alone; use argmax"


@dataclass(frozen=True, repr=False)
class AttentionSettings(Training):
    """How a network addresses its memory: any score and alignment of the core, but for those that ``refused`` names."""

    score: Annotated[str, OneOf(SCORES)] = "dot"  # how a question is compared with a memory
    align: Annotated[str, OneOf(ALIGNS)] = "softmax"  # how scores become weights
    window: float = 0.0  # align=local_m, local_p: memories to each side of the centre
    samples: int = 0  # align=hard: addresses drawn for a question while training
    baseline: Annotated[str, OneOf(BASELINES)] = "none"  # align=hard: what is subtracted from the loss of a drawn address
    gradient: Literal["reinforce", "exact"] = "reinforce"  # align=hard: from drawn addresses, or over all
    entropy: float = 0.0  # align=hard: reward for undecided addresses
    softmax_epochs: int = 0  # epochs of softmax before another alignment
    test_samples: int = 0  # align=hard: answers are averaged over so many drawn addresses; 0 for the likeliest address

    refused: ClassVar[Mapping[str, str]] = {
        "tournament": TOURNAMENT
    }  # an alignment or a setting of hard ones -> why this network cannot take it

    def refusal(self, name: str) -> str | None:
        """Why this network cannot take an alignment or a setting of hard ones, None where it can."""
        return self.refused.get(name)

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

    def __post_init__(self) -> None:
        super().__post_init__()
        require(0 <= self.window <= MOST, "window", f"0 to {MOST}", self.window)
        require(0 <= self.samples <= 1000, "samples", "0 to 1000", self.samples)
        require(0 <= self.test_samples <= 1000, "test_samples", "0 to 1000", self.test_samples)
        require(self.entropy >= 0, "entropy", "0 or more", self.entropy)
        require(0 <= self.softmax_epochs <= MOST, "softmax_epochs", f"0 to {MOST}", self.softmax_epochs)
        align, exact = self.align, self.gradient == "exact"
        local = align in ALIGNS and ALIGNS[align].window
        windows = " and ".join(name for name, kind in ALIGNS.items() if kind.window)
        of_drawing = {"samples": 0, "baseline": "none", "entropy": 0, "test_samples": 0, "gradient": "reinforce"}
        drawn = [name for name, none in of_drawing.items() if getattr(self, name) != none]
        refused = [f"{name}: {why}" for name in (align, *drawn) if (why := self.refusal(name)) is not None]
        check_rules(
            [
                (refused, "; ".join(refused[:1])),
                (local and self.window <= 0, f"align={align} needs a window: how many memories to each side, as window=5"),
                (not local and self.window > 0, f"window is for {windows}; align={align} reads the whole memory"),
                (
                    not self.draws and drawn,
                    f"{' and '.join(drawn)}: only align=hard draws addresses, not {align}",
                ),
                (
                    self.draws and not exact and self.samples < 1,
                    f"align={align} learns from drawn addresses: set samples=1 or more, or gradient=exact",
                ),
                (
                    exact and (self.samples > 0 or self.baseline != "none"),
                    "gradient=exact reads every address: it draws no samples and subtracts no baseline",
                ),
                (
                    self.baseline == "loo" and self.samples < 2,
                    "baseline=loo is the mean over the other samples: set samples=2 or more",
                ),
                (
                    self.decoder == "words" and self.test_samples > 0,
                    "test_samples averages answers of one class; decoder=words decodes each of them word by word",
                ),
                (
                    0 < self.epochs <= self.softmax_epochs,
                    f"softmax_epochs must be less than the {self.epochs} epochs, or {align} would never be trained",
                ),
                (
                    self.softmax_epochs > 0 and (align in ("softmax", "linear") or self.untrainable),
                    f"softmax_epochs is softmax before another alignment, not before {align}",
                ),
                (
                    self.supervision == "facts" and local,
                    f"align={align} cannot learn from facts: its window may not reach them; set supervision=answers",
                ),
            ]
        )

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

    def make_align(self, query_dim: int, random: Random) -> Align:
        """The alignment, with its window."""
        return ALIGNS[self.align](query_dim, random, self.window)


def refuse_gates(config: AttentionSettings, read: str) -> tuple[object, str]:
    """The rule that a read which takes its weights as gates has weights between 0 and 1."""
    gates, share = READS[read].gates, config.align not in ALIGNS or ALIGNS[config.align].share
    return gates and not share, f"read={read} takes its weights as gates between 0 and 1, and those of {config.align} are not"


def make_heads(config: AttentionSettings, dim: int, heads: int, random: Random, max_relative_distance: int = 0) -> MultiHead:
    """Multi-head self-attention of width ``dim``, with any score and alignment of the core."""
    width = dim // heads
    score = SCORES[config.score](width, width, random)
    align = Scheduled(config.make_align(width, random), random.replicas)
    one = Attention(score, align, weighted_sum)
    return MultiHead(dim, heads, one, random, std=dim**-0.5, max_relative_distance=max_relative_distance)
