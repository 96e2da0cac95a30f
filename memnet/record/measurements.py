"""Measurements on record: CSV files in which every number names the code, the machine, the versions and the command behind it.

:mod:`memnet.measure` makes them, :mod:`memnet.reports` words them; what a line of each file holds is declared here.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar, TypeVar, get_type_hints

from memnet.errors import NetworkError
from memnet.record.maker import ANSWERED_BY, EVERY, HERE, MAKER, NOT_RECORDED, Maker, columns_of
from memnet.record.provenance import ASKING, REMEMBERING, asking_hash, code_name

LOG, FACTS, TEXT, CONVERSATIONS = "log of movements", "facts that change", "BABILong, plain text", "LoCoMo"  # of memories
DISTRACTORS = 5  # in a training story of the networks whose memory grows


@dataclass(frozen=True)
class Measurement:
    """A line of a file; one that is made now is made here."""

    written_by: ClassVar[str]  # the command
    asks: ClassVar[tuple[str, ...]] = ()  # the packages that answer, where answers are measured
    maker: Maker = field(default=HERE, kw_only=True)

    def __post_init__(self) -> None:
        if self.maker is HERE:
            object.__setattr__(self, "maker", Maker.here(self.asks))

    @property
    def age(self) -> str:
        """Whether it is of today's code: ``today``, ``older``, or unknown, as it is from before that was recorded."""
        if self.asks and self.maker.asking == NOT_RECORDED:
            return f"older, or unknown: what answered was {NOT_RECORDED}"
        now = code_name(self.maker.code) == code_name() and (not self.asks or self.maker.asking == asking_hash(self.asks))
        return "today" if now else "older"


@dataclass(frozen=True)
class TrainingSpeed(Measurement):
    """Examples a second summed over restarts, the process's peak of memory so far in MiB; of a step milliseconds, its floor's
    and how often they contain it, operations of matrix products, and bytes of weights.
    """

    written_by = "memnet bench train --write"
    preset: str
    task: str
    batch: int
    restarts: int
    examples: float
    milliseconds: float
    floor: float
    times_floor: float
    operations: float
    bytes: float
    peak: float

    @property
    def shape(self) -> str:
        """Of a batch."""
        return f"{self.batch} x {self.restarts}"


@dataclass(frozen=True)
class AnswerSpeed(Measurement):
    """Of questions about a long story: seconds to take it in, milliseconds an answer (the median), peak so far in MiB."""

    written_by = "memnet bench answer --write"
    asks = ASKING
    statements: int
    encoding: float
    milliseconds: float
    peak: float


@dataclass(frozen=True)
class AttentionCost(Measurement):
    """Of one attention forward and backward: milliseconds (the median), and what is kept for the backward pass in MiB."""

    written_by = "memnet bench attention --write"
    parts: str  # score, alignment, read
    memories: int
    milliseconds: float
    kept: float


@dataclass(frozen=True)
class GradientEstimate(Measurement):
    """Of the gradient of hard attention, over many estimates; lengths are relative to the exact gradient's."""

    written_by = "memnet bench reinforce --write"
    memories: int
    baseline: str
    samples: int
    estimates: int
    bias: float  # length of the mean error
    chance: float  # the length that an unbiased mean of so many would have on average
    deviation: float  # root mean squared length of one estimate's error
    milliseconds: float  # one estimate


@dataclass(frozen=True)
class AnswerCost(Measurement):
    """Of a network for one task: its parameters; of an answer the median over test questions that are asked one by one.

    ``width`` is that of its embeddings. ``flops`` are the multiplications and additions of matrix products alone, as PyTorch
    counts them.
    """

    written_by = "memnet bench models --write"
    preset: str
    width: int
    parameters: int
    milliseconds: float
    flops: float

    @property
    def figures(self) -> list[str]:
        """As tables have them: parameters, milliseconds, millions of operations."""
        return [f"{self.parameters:,}", f"{self.milliseconds:.2f}", f"{self.flops / 1e6:.2f}"]


@dataclass(frozen=True)
class ScalingPoint(Measurement):
    """Of questions about stories of so many statements: percent of wrong answers, ms an answer, the process's peak in MiB."""

    written_by = "memnet bench memory --write"
    preset: str
    statements: int
    questions: int
    error: float
    milliseconds: float
    peak: float


@dataclass(frozen=True)
class LongTextCell(Measurement):
    """Of a task at a length: percent of the questions that are answered right, and of their supporting facts that are kept."""

    written_by = "memnet bench babilong --write"
    asks = REMEMBERING
    task: str
    length: str
    names: str
    confusing: float  # share of the background
    questions: int
    right: float
    facts_kept: float
    sentences_kept: float  # a question, the mean
    others_kept: float  # of these, how many are of the background

    @property
    def place(self) -> tuple[str, str, str, float]:
        """What it was measured of."""
        return self.task, self.length, self.names, self.confusing


@dataclass(frozen=True)
class PrintedFigure:
    """A figure of somebody else's paper: percent right in a task, or the mean of tasks 1 to 5."""

    written_by = "a person who reads papers"
    system: str
    trained: str
    task: str
    length: str
    right: float
    source: str


@dataclass(frozen=True)
class ReadingCost(Measurement):
    """Of a text of a length: seconds to take it in, milliseconds an answer (the median), and the process's peak in MiB."""

    written_by = "memnet bench reading --write"
    asks = REMEMBERING
    length: str
    sentences: int
    seconds: float
    milliseconds: float
    peak: float


@dataclass(frozen=True)
class WayToLearn(Measurement):
    """Of a way, a seed and so many sentences of novels: percent of questions answered right, and what is kept."""

    written_by = "memnet bench supervision --write"
    way: str
    seed: int
    steps: int
    seconds: float  # of training
    sentences: int
    questions: int
    right: float  # percent
    facts_kept: float  # percent
    others_kept: float  # of 1,000 sentences of the novels


@dataclass(frozen=True)
class Trial(Measurement):
    """Of a hard trial: its cases and failures, seconds of all cases and of the slowest, bytes beyond those before the first."""

    written_by = "python -m tests.trials"
    trial: str
    cases: int
    failures: int
    seconds: float
    slowest: float
    memory: int


@dataclass(frozen=True)
class NetworkNumber(Measurement):
    """A measured number of a network: of ``subject``, a task, a kind of story, or the network itself.

    Percent of the ``questions``, or in the unit that ``measure`` names.
    """

    written_by = "memnet bench unseen-names --write"
    asks = ASKING
    preset: str
    family: str  # of its training data
    weights: str  # the beginning of the SHA-256 of its file
    measure: str
    subject: str
    questions: int
    value: float


@dataclass(frozen=True)
class EnglishScore(Measurement):
    """How a network answers one set of questions in ordinary English; all but the counts in percent."""

    written_by = "memnet bench everyday --write"
    asks = ASKING
    set: str
    questions: int
    right: float
    wrong: float
    refused: float  # though the story says
    wrong_and_sure: float  # at more than 90 %
    unanswerable_refused: float  # of the questions that the story does not answer
    answerable_refused: float  # of those that it does
    calibration: float  # expected calibration error of what was answered


@dataclass(frozen=True)
class MemoryScore(Measurement):
    """How a memory does in one kind of question of a benchmark; shares in percent, not a number where there is nothing to say.

    ``right``, ``wrong`` and ``refused`` are of the questions that have an answer, ``rightly_refused`` of those that have none.
    """

    written_by = "memnet bench memory-log --write"
    asks = REMEMBERING
    benchmark: str
    set: str
    system: str
    kind: str
    questions: int
    right: float
    wrong: float
    refused: float
    rightly_refused: float
    in_first: float  # of the questions that have an answer: those that the first entry found has
    found_5: float  # of the evidence, in the first five entries that are found
    found_10: float
    seconds: float  # to take everything in
    milliseconds: float  # an answer, the median; a search of what only finds
    megabytes: float  # on disk

    @property
    def place(self) -> tuple[str, str, str, str]:
        """What it was measured of."""
        return self.benchmark, self.set, self.system, self.kind


Line = TypeVar("Line", bound="Measurement | PrintedFigure")


def numbers_of(kind: type[Any]) -> dict[str, Any]:
    """The columns that are measured, and their types."""
    types = get_type_hints(kind)
    return {one.name: types[one.name] for one in fields(kind) if one.name != "maker"}


def write_csv(lines: Sequence[Line]) -> str:
    """A line a measurement, below their names; six digits of what is not whole."""
    made = [one.maker for one in lines if isinstance(one, Measurement)]
    text, names = io.StringIO(), [*numbers_of(type(lines[0])), *columns_of(made)]
    writer = csv.DictWriter(text, names, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for line in lines:
        row = vars(line) | (vars(line.maker) if isinstance(line, Measurement) else {})
        writer.writerow({name: shortest(one) if isinstance(one, float) else one for name, one in row.items()})
    return text.getvalue()


def shortest(value: float) -> str:
    """A whole number as such, another with six digits."""
    return f"{value:.0f}" if value.is_integer() else f"{value:.6g}"


def read_csv(path: Path, kind: type[Line]) -> list[Line]:
    """What :func:`write_csv` wrote; what made a line may be lacking. Raises :class:`~memnet.errors.NetworkError`."""
    numbers, command, found = numbers_of(kind), kind.written_by, list[Line]()
    try:
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                values = {name: convert(row[name]) for name, convert in numbers.items()}
                if issubclass(kind, Measurement):
                    values["maker"] = Maker(**{name: row.get(name) or NOT_RECORDED for name in EVERY})
                found.append(kind(**values))
    except FileNotFoundError as error:
        raise NetworkError(f"{path} is missing; '{command}' writes it") from error
    except (OSError, KeyError, TypeError, ValueError, csv.Error) as error:
        raise NetworkError(f"{path} is not what '{command}' writes: {type(error).__name__} {error}") from error
    return found


def read_costs(path: Path) -> dict[tuple[str, int], AnswerCost]:
    """What was written of costs, by preset and width. Raises :class:`~memnet.errors.NetworkError`."""
    return {(row.preset, row.width): row for row in read_csv(path, AnswerCost)}


def measured_by(lines: Collection[Measurement]) -> str:
    """What measured them, in a clause: codes, machines and versions, the most frequent first."""
    found = {name: [getattr(line.maker, name) for line in lines] for name in EVERY}
    codes = counted([name if name.startswith("commit") else f"code {name}" for name in found["code"]])
    machines = counted([f"a machine that was {name}" if name == NOT_RECORDED else name for name in found["machine"]])
    known = {name: counted(values) for name, values in found.items() if name in MAKER[2:-1] and {*values} != {NOT_RECORDED}}
    lacking = [name for name in MAKER[2:-1] if name not in known]
    versions_ = [f"{name} {values}" for name, values in known.items()]
    versions_ += [f"{', '.join(lacking)} {NOT_RECORDED}"] if lacking else []
    asked = [name for name in found[ANSWERED_BY] if name != NOT_RECORDED]
    codes += f", answered by {counted(asked)}," * bool(asked)
    return f"measured by {codes} on {machines}; {', '.join(versions_)}"


def counted(values: Sequence[str]) -> str:
    """Values, the most frequent first; how often each is there, where there are several."""
    found = Counter(values).most_common()
    return ", ".join(f"{value} ({number:,})" if len(found) > 1 else value for value, number in found)
