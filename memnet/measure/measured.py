"""``results/open.csv``: everything that ``memnet bench unseen-names`` measured of one network, a line a number."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from memnet.ask.predictor import Predictor
from memnet.errors import NetworkError
from memnet.measure.latency import answer_times, start_seconds
from memnet.measure.unseen_names import Row
from memnet.models.checkpoint import MODEL
from memnet.record.provenance import processor
from memnet.tasks.families import FAILS_ABOVE
from memnet.tasks.families.old_names import old_parts
from memnet.training.start import weights_hash
from memnet.version import VERSION

BYTES, PARAMETERS, STORY, QUESTION, START = "bytes", "parameters", "ms story", "ms question", "s start"  # of the network
OF_NETWORK = "network"


@dataclass(frozen=True)
class About:
    """Which network was measured, and where."""

    preset: str
    size: str  # of its training data: 1k or 10k
    source: str  # published or simulated
    weights: str  # the beginning of the SHA-256 of its file
    memnet: str  # the version
    processor: str

    @classmethod
    def of(cls, predictor: Predictor, folder: Path) -> About:
        """Of a loaded network and its folder."""
        known = predictor.metadata
        _, size, _, source = old_parts(known["data"])
        return cls(str(known["preset"]), size, source, weights_hash(folder), VERSION, processor())


@dataclass(frozen=True)
class Measured:
    """The rows of one network."""

    about: About
    rows: Sequence[Row]

    def by_task(self, measure: str) -> dict[str, float]:
        """The values of a measure, by task or kind."""
        return {row.of: row.value for row in self.rows if row.measure == measure}

    def questions(self, measure: str) -> int:
        """How many questions a measure stands on, over all tasks."""
        return sum(row.questions for row in self.rows if row.measure == measure)

    def mean(self, measure: str, tasks: Sequence[str] | None = None) -> float | None:
        """The mean over tasks of those that have it, None where none has."""
        found = [value for task, value in self.by_task(measure).items() if tasks is None or task in tasks]
        return sum(found) / len(found) if found else None

    def failed(self, measure: str) -> int:
        """Tasks with an error above 5 %."""
        return sum(value > FAILS_ABOVE for value in self.by_task(measure).values())

    def of_network(self, measure: str) -> float | None:
        """A number that is of no task."""
        return self.by_task(measure).get(OF_NETWORK)


def of_network(predictor: Predictor, folder: Path) -> list[Row]:
    """The size of a network and how long it lets a person wait."""
    wait = answer_times(predictor)
    values = {
        BYTES: (folder / MODEL).stat().st_size,
        PARAMETERS: sum(parameter.numel() for parameter in predictor.net.parameters()),
        STORY: round(wait.story, 2),
        QUESTION: round(wait.question, 2),
        START: round(start_seconds(folder), 2),
    }
    return [Row(measure, OF_NETWORK, 1, value) for measure, value in values.items()]


ABOUT = tuple(About.__dataclass_fields__)


def as_csv(measured: Measured) -> str:
    """All of it, a line a number."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*ABOUT, *Row._fields])
    network = [getattr(measured.about, name) for name in ABOUT]
    writer.writerows([*network, row.measure, row.of, row.questions, f"{row.value:.10g}"] for row in measured.rows)
    return text.getvalue()


def read_measured(path: Path) -> Measured:
    """What :func:`as_csv` wrote. Raises :class:`~memnet.errors.NetworkError`."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            lines = list(csv.DictReader(file))
        abouts = {About(*(line[name] for name in ABOUT)) for line in lines}
        rows = [Row(line["measure"], line["of"], int(line["questions"]), float(line["value"])) for line in lines]
    except OSError as error:
        raise NetworkError(f"{path} cannot be read ({error.strerror}); 'memnet bench unseen-names' writes it") from error
    except (KeyError, TypeError, ValueError, csv.Error) as error:
        raise NetworkError(f"{path} is not what 'memnet bench unseen-names' writes: {type(error).__name__} {error}") from error
    if len(abouts) != 1:
        raise NetworkError(f"{path}: expected the rows of one network, found {len(abouts)}")
    return Measured(abouts.pop(), rows)
