"""The networks, by name."""

from memnet.models.memn2n import MemN2N

__all__ = ["MODELS", "MemN2N"]

MODELS: dict[str, type[MemN2N]] = {"memn2n": MemN2N}
