"""What a reader of English answers, the sizes of one, and what its layers look at: without torch."""

from __future__ import annotations

from dataclasses import asdict, dataclass

CONFIG, MODEL = "config.json", "model.safetensors"  # of a reader's folder
MOST_SPANS, MOST_NUMBER = 6, 20
SPANS = tuple(f"{count} spans" for count in range(1, MOST_SPANS + 1))
ANSWERS = (*SPANS, "yes", "no", "maybe", "untold", "nothing", *map(str, range(MOST_NUMBER + 1)))
REASONS = (
    "where",
    "who",
    "when",
    "why",
    "what",
    "price",
    "giver",
    "company",
    "whether",
    "not so",
    "only meant",
    "how",
    "how many",
)
POINTERS = ("start", "end", "evidence")
WIDEST = 16  # words of a span
FAR, NEVER = 20, -1e4
NEIGHBOURS = 2  # words on each side that a word sees before any attention


@dataclass(frozen=True)
class ReaderConfig:
    """Sizes of a reader."""

    dim: int = 128
    heads: int = 4
    layers: int = 6
    hops: int = 2  # of the layers: those in which only the question's first word reads on
    hidden: int = 384
    marker_dim: int = 64
    pointer_dim: int = 64
    phrase_dim: int = 32
    vectors: int = 100

    def as_dict(self) -> dict[str, int]:
        """For config.json."""
        return asdict(self)
