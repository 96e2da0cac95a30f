"""A measurement on record: whether the answers of stories about beliefs follow from them."""

from __future__ import annotations

from dataclasses import dataclass

from memnet.record.measurements import Measurement


@dataclass(frozen=True)
class Consistency(Measurement):
    """Of the training and validation questions of one kind about beliefs: their forms, and percent right.

    ``most`` is what the best function of forms has right, ``seen`` and ``labelled`` are two rules.
    """

    written_by = "memnet bench beliefs --write"
    data: str
    kind: str
    questions: int
    forms: int
    most: float
    seen: float
    labelled: float
