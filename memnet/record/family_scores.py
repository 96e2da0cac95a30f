"""Measurements on record of single families: dialogs, mixes of tasks, and whether answers about beliefs follow."""

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


@dataclass(frozen=True)
class DialogScore(Measurement):
    """How a network that was trained on a data set answers in the dialogs of a split; shares in percent.

    ``ranked`` is hits@1 among the candidates, of as many responses as are ranked; not a number where none is.
    """

    written_by = "memnet bench dialog --write"
    data: str
    split: str
    network: str
    seed: int
    epochs: int
    seconds: float  # of training
    questions: int  # responses
    responses: float  # that are right
    dialogs: float  # of which every response is right
    ranked: float

    @property
    def place(self) -> tuple[str, str, str, int]:
        """What it was measured of."""
        return self.data, self.split, self.network, self.seed


@dataclass(frozen=True)
class MixScore(Measurement):
    """How many questions of one split of a mix a reader of facts answers, in percent; ``all`` is of all splits.

    The reader learned the sentences of the mix's original tasks from their facts; the hops over facts are rules.
    """

    written_by = "memnet bench mixes --write"
    mix: str
    split: str
    seed: int
    steps: int  # of training
    questions: int
    right: float
