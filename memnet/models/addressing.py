"""Makes the attention that a network's settings name."""

from __future__ import annotations

from memnet.attention import SCORES, Attention, MultiHead, weighted_sum
from memnet.attention.align import Scheduled
from memnet.config.addressing import AttentionSettings
from memnet.nn.random import Random


def make_heads(config: AttentionSettings, dim: int, heads: int, random: Random, max_relative_distance: int = 0) -> MultiHead:
    """Multi-head self-attention of width ``dim``, with any score and alignment of the core."""
    width = dim // heads
    score = SCORES[config.score](width, width, random)
    align = Scheduled(config.make_align(width, random), random.replicas)
    one = Attention(score, align, weighted_sum)
    return MultiHead(dim, heads, one, random, std=dim**-0.5, max_relative_distance=max_relative_distance)
