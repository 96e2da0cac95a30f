"""Stories and questions side by side, padded: what a reader computes with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnet.reading.tokens import MARKER, OVERLAPS, SUMMARY, Encoded


class Arrays(NamedTuple):
    """Stories and their questions, padded; S words, Q questions of W words in all."""

    story: NDArray[np.int64]  # (B, S, 6)
    statement: NDArray[np.int64]  # (B, S), -1 where there is no word
    weight: NDArray[np.float32]  # (B, S)
    questions: NDArray[np.int64]  # (B, W, 6) one question after another; each begins with the word ASK
    owner: NDArray[np.int64]  # (B, W) which question each word is of, -1 where there is no word
    present: NDArray[np.int64]  # (B, W) 0 no word, 1 one that the story lacks, 2 one that it has
    begin: NDArray[np.int64]  # (B, Q) where each question begins
    after: NDArray[np.int64]  # (B, Q), 0 where there is no question
    overlap: NDArray[np.float32]  # (B, 8, Q, S)
    summary: NDArray[np.float32]  # (B, Q, 4)
    markers: NDArray[np.float32]  # (B, N, marker_dim), a random direction for every marker, zeros for 0

    @classmethod
    def of(cls, encoded: Sequence[Encoded], random: np.random.Generator, marker_dim: int) -> Arrays:
        """Stories and questions in one batch."""
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
        return cls(story, statement, weight, questions, owner, present, begin, after, overlap, summary, markers)


@dataclass(frozen=True)
class Told:
    """The stories of arrays: equal to others where a reader reads the same in them, whatever is asked."""

    content: tuple[tuple[int, ...], bytes]
    arrays: Arrays = field(compare=False, repr=False)

    @classmethod
    def of(cls, arrays: Arrays) -> Told:
        """Words, statements and weights, with the directions of the markers that stories have."""
        markers = arrays.markers[:, : 1 + int(arrays.story[..., MARKER].max(initial=0))]
        parts = (arrays.story, arrays.statement, arrays.weight, markers)
        return cls((arrays.story.shape, b"".join(part.tobytes() for part in parts)), arrays)
