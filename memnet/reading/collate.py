"""Stories and questions as one batch of a reader."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from memnet.reading.network import Batch
from memnet.reading.tokens import OVERLAPS, SUMMARY, Encoded


def collate(encoded: Sequence[Encoded], random: np.random.Generator, marker_dim: int) -> Batch:
    """Stories and questions in one batch; padded."""
    count, words = len(encoded), max(len(one.story) for one in encoded)
    asked, longest = max(len(one.after) for one in encoded), max(len(one.owner) for one in encoded)
    story = np.zeros((count, words, 6), np.int64)
    statement, weight = np.full((count, words), -1, np.int64), np.zeros((count, words), np.float32)
    questions, owner = np.zeros((count, longest, 6), np.int64), np.full((count, longest), -1, np.int64)
    present = np.zeros((count, longest), np.int64)
    begin, after = np.zeros((count, asked), np.int64), np.zeros((count, asked), np.int64)
    overlap = np.zeros((count, len(OVERLAPS), asked, words), np.float32)
    summary = np.zeros((count, asked, len(SUMMARY)), np.float32)
    for row, one in enumerate(encoded):
        s, w, q = len(one.story), len(one.owner), len(one.after)
        story[row, :s], statement[row, :s], weight[row, :s] = one.story, one.statement, one.weight
        questions[row, :w], owner[row, :w], present[row, :w] = one.questions, one.owner, one.present
        begin[row, :q], after[row, :q], summary[row, :q] = one.begin, one.after, one.summary
        overlap[row, :, :q, :s] = one.overlap.transpose(2, 0, 1)
    markers = random.standard_normal((count, max(one.markers for one in encoded), marker_dim), np.float32)
    markers[:, 0] = 0
    arrays: tuple[NDArray[np.generic], ...] = (
        *(story, statement, weight, questions, owner, present, begin, after, overlap, summary, markers),
    )
    return Batch(*map(torch.from_numpy, arrays))
