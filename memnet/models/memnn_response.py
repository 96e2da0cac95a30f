"""What a strongly supervised memory network makes of the facts that it found: its read."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from memnet.attention import Rows, weighted_sum


class Found(NamedTuple):
    """The memory as facts that were found: in a block common to all of them, and of the first ones in one of their own."""

    common: Rows
    of_hops: list[Rows]  # a block a hop

    def read(self, weights: Tensor, hop: int = 0) -> Tensor:
        """What the facts read by ``weights (R, B, Q, M)`` in Q hops from ``hop`` on add to a question: (R, B, Q, D)."""
        total, blocks = weighted_sum(weights, self.common), self.of_hops[hop : hop + weights.shape[2]]
        parts = [weighted_sum(weights[:, :, i : i + 1], block) for i, block in enumerate(blocks)]
        return total if not parts else total + F.pad(torch.cat(parts, 2), (0, 0, 0, weights.shape[2] - len(parts)))

    def read_hop(self, weights: Tensor, hop: int) -> Tensor:
        """What the facts that T samples read in one hop, ``weights (R, B, T, M)``, add to the question: (R, B, T, D)."""
        total = weighted_sum(weights, self.common)
        return total + weighted_sum(weights, self.of_hops[hop]) if hop < len(self.of_hops) else total


class FactRead:
    """A read of the core: facts add what they are in the common block and in that of their hop."""

    @staticmethod
    def prepare(value: tuple[Found, int] | tuple[()]) -> Callable[[Tensor], Tensor]:
        """Of the found facts and the hop: (R, B, T, M) -> (R, B, T, D); of nothing, nothing."""
        if not value:
            return lambda weights: weights[..., :0]
        found, hop = value
        return lambda weights: found.read_hop(weights, hop)
