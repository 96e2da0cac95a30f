"""What a paper declares: its citation, the presets that are its rows, its tables, and studies with the runs they need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from memnet.config import Training

FIRST_THOUSAND = "babi"  # the family with 1,000 questions a task
SIZES = {"babi": "1k", "babi-10k": "10k"}  # families whose figures papers print -> as results/published.csv calls them
QUESTIONS = {"babi": 1000, "babi-10k": 10_000}  # to learn a task from
TEXT = "published bAbI v1.2 text (en"  # that the tables are of
SIMULATED = {"babi": "sim", "babi-10k": "sim-10k"}  # the family that simulates another
NOT_AT_HAND: dict[str, tuple[str, ...]] = {"babi": (), "babi-10k": ("qa3",)}  # tasks whose published text could not be had
TASKS = {
    family: tuple(task for task in (f"qa{number}" for number in range(1, 21)) if task not in missing)
    for family, missing in NOT_AT_HAND.items()
}  # the published tasks that a table has


def text_of(family: str = "", within: bool = True) -> str:
    """The text that a table is of, in words; ``within`` its brackets how many questions it has to learn a task from."""
    return f"{TEXT}{f', {SIZES[family]}' if family and within else ''})"


def task_of(number: str) -> str:
    """The task that results/published.csv calls by its number."""
    return f"qa{number}"


@dataclass(frozen=True)
class Citation:
    """A published paper."""

    authors: tuple[str, ...]  # given name first
    year: int
    title: str
    arxiv: str  # its id, such as 1503.08895

    def __str__(self) -> str:
        """Authors (year). Title. arXiv:id."""
        return f"{', '.join(self.authors)} ({self.year}). {self.title}. arXiv:{self.arxiv}"

    @property
    def short(self) -> str:
        """The first author's family name and the year."""
        return f"{self.authors[0].split()[-1]} {self.year}"


@dataclass(frozen=True)
class Column:
    """A preset trained on every task of a family, and the published row that it stands beside.

    What is declared here holds wherever the preset's runs of that family are used, in studies too. So a column that several
    tables show is the same in all of them.
    """

    preset: str
    published: str | None = None  # ``model`` of the row in results/published.csv
    paper: str | None = None  # whose line that is, as that file begins its name; where several papers print such a row
    published_size: str | None = None  # where that file lists it, if its paper does not say how many questions it had
    joint: bool = False  # one network for all tasks; else one a task
    restarts: int | None = None  # networks trained, of which one is chosen; as many as the model has by default
    simulated: tuple[str, ...] | None = None  # trained on simulated stories of NOT_AT_HAND too, with these settings changed
    stands_for: str | None = None  # the preset for 1,000 questions that this one, for 10,000, stands for

    @property
    def reimplemented(self) -> bool:
        """Whether the published row is of somebody's re-implementation, where the paper prints none."""
        return self.published is not None and "re-implementation" in self.published

    @property
    def regime(self) -> str:
        """As results/published.csv calls it: joint or single."""
        return "joint" if self.joint else "single"


@dataclass(frozen=True)
class Table:
    """A result table: our test errors task by task, beside the paper's where it has the row."""

    name: str  # as the command line and the files in results/tables call it
    title: str
    family: str
    columns: tuple[Column, ...]
    tasks: tuple[str, ...] | None = None  # all of TASKS unless named
    variants: tuple[Runs, ...] = ()  # of its presets, which the table's page quotes beside the columns

    @property
    def presets(self) -> tuple[str, ...]:
        """Its columns' presets, in order."""
        return tuple(column.preset for column in self.columns)


@dataclass(frozen=True)
class Runs:
    """Runs of presets with the same changes, one network a task or a joint one."""

    presets: Sequence[str]
    family: str = "babi"
    tasks: tuple[str, ...] | None = None  # all of TASKS unless named
    joint: bool = False
    settings: tuple[str, ...] = ()  # changed ones, as --set takes them
    story_seed: int = 0  # which stories, of a family that has several
    restarts: int | None = None  # as the preset's column declares, else as many as its model has by default
    seed: int = 0

    @property
    def all_tasks(self) -> tuple[str, ...]:
        """Those named, else all that are published."""
        return TASKS.get(self.family, TASKS["babi"]) if self.tasks is None else self.tasks

    @property
    def labels(self) -> list[str]:
        """The members of its data sets, with the seed of their stories: what its errors are of."""
        return [name.partition("/")[2] for names in self.data for name in names.split()]

    @property
    def data(self) -> list[str]:
        """What each network learns from: full names of data sets, with spaces between those of a joint one."""
        seed = f"@{self.story_seed}" if self.story_seed else ""
        names = [f"{self.family}/{task}{seed}" for task in self.all_tasks]
        return [" ".join(names)] if self.joint else names


@dataclass(frozen=True)
class Study:
    """A table that answers one question, and the runs that it is made from. What makes it is in memnet.reports."""

    name: str
    title: str
    runs: tuple[Runs, ...]
    in_turn: bool = False  # of a task and seed each preset is tried after those before it, until one makes no validation error
    parts: tuple[Study, ...] = ()  # studies that it is made of, each with presets that are tried in turn or not
    grows: bool = False  # not all of its runs need be on record: its table says which are lacking

    @property
    def takes_turns(self) -> bool:
        """Whether what is trained next depends on what was trained before."""
        return self.in_turn or any(part.takes_turns for part in self.parts)

    @property
    def presets(self) -> list[str]:
        """Whose runs these are, in order."""
        return list(dict.fromkeys(preset for part in self.runs for preset in part.presets))

    @property
    def seeds(self) -> list[int]:
        """Of the runs, in order."""
        return sorted({part.seed for part in self.runs})

    @property
    def joint(self) -> bool:
        """Whether one network learns all the tasks."""
        return all(part.joint for part in self.runs)

    @property
    def family(self) -> str:
        """Of the first runs."""
        return self.runs[0].family

    @property
    def tasks(self) -> list[str]:
        """What they are trained on, in order."""
        return sorted({task for part in self.runs for task in part.all_tasks}, key=lambda task: (len(task), task))


class Printed(NamedTuple):
    """A line of results/published.csv that a table is held against."""

    label: str
    model: str
    paper: str | None = None  # as that file begins its name, where several print such a line
    supervision: str | None = None  # where the model is printed with facts and without


class Shown(NamedTuple):
    """How a study is shown."""

    what: str  # what its networks learn from
    column: Printed  # its errors stand in the table
    heading: str  # of that column
    over_seeds: tuple[Printed, ...] = ()  # means over seeds
    once: tuple[Printed, ...] = ()  # one network a task, or of several the best
    renamed: bool = True  # whether words are renamed first, which leaves a constant answer less to do


def number_of(task: str) -> str:
    """A task's number, as words have it.

    >>> number_of("qa16")
    '16'
    """
    return task.removeprefix("qa")


@dataclass(frozen=True)
class Paper:
    """What is known of one paper, or, without a citation, of our own work."""

    citation: Citation | None
    presets: Mapping[str, Training]
    tables: tuple[Table, ...] = ()
    studies: tuple[Study, ...] = ()
    other_columns: Mapping[str, tuple[Column, ...]] = field(default_factory=dict)  # family -> those that no table shows
    about: Mapping[str, str] = field(default_factory=dict)  # preset -> what it is, in a phrase

    def __repr__(self) -> str:
        source = f"{self.citation.authors[0]} and others, {self.citation.year}" if self.citation else "ours"
        return f"<Paper ({source}): presets: {len(self.presets)}, tables: {len(self.tables)}, studies: {len(self.studies)}>"

    def columns(self) -> list[tuple[str, Column]]:
        """Every column that is declared here, with its family."""
        shown = [(table.family, column) for table in self.tables for column in table.columns]
        return shown + [(family, column) for family, columns in self.other_columns.items() for column in columns]
