"""What a line of ``results/dialog.csv`` holds."""

from __future__ import annotations

from dataclasses import dataclass

from memnet.record.measurements import Measurement


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
