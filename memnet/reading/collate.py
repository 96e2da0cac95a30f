"""Stories and questions as one batch of a reader that is trained."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from memnet.reading.arrays import Arrays
from memnet.reading.network import Batch
from memnet.reading.tokens import Encoded


def collate(encoded: Sequence[Encoded], random: np.random.Generator, marker_dim: int) -> Batch:
    """Stories and questions in one batch; padded."""
    return Batch(*map(torch.from_numpy, Arrays.of(encoded, random, marker_dim)))
