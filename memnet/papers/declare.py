"""What a paper declares: its citation, the presets that are its rows, its tables, and studies with the runs they need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memnet.config import Training

NOT_AT_HAND: dict[str, tuple[str, ...]] = {"1k": (), "10k": ("qa3",)}  # size -> tasks whose published text could not be had
TASKS = {
    size: tuple(task for task in (f"qa{number}" for number in range(1, 21)) if task not in missing)
    for size, missing in NOT_AT_HAND.items()
}  # size -> the published tasks that a table has


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
    """A preset trained on every task of a size, and the published row that it stands beside.

    What is declared here holds wherever the preset's runs of that size are used, in studies too. So a column that several
    tables show is the same in all of them.
    """

    preset: str
    published: str | None = None  # ``model`` of the row in results/published.csv
    paper: str | None = None  # whose line that is, as that file begins its name; where several papers print such a row
    published_size: str | None = None  # where that file lists it, if its paper does not say how many questions it had
    joint: bool = False  # one network for all tasks; else one a task
    restarts: int | None = None  # networks trained, of which one is chosen; as many as the model has by default
    simulated: tuple[str, ...] | None = None  # trained on simulated stories of NOT_AT_HAND too, with these settings changed
    preset_1k: str | None = None  # the preset for 1,000 questions that this one, for 10,000, stands for

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
    size: str  # 1k or 10k
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

    presets: tuple[str, ...]
    size: str = "1k"
    tasks: tuple[str, ...] | None = None  # all of TASKS unless named
    joint: bool = False
    settings: tuple[str, ...] = ()  # changed ones, as --set takes them
    source: str = "published"
    story_seed: int = 0
    restarts: int | None = None  # as the preset's column declares, else as many as its model has by default
    seed: int = 0

    @property
    def all_tasks(self) -> tuple[str, ...]:
        """Those named, else all that are published at this size."""
        return TASKS[self.size] if self.tasks is None else self.tasks


@dataclass(frozen=True)
class Study:
    """A table that answers one question, and the runs that it is made from. What makes it is in memnet.reports."""

    name: str
    title: str
    runs: tuple[Runs, ...]
    in_turn: bool = False  # of a task and seed each preset is tried after those before it, until one makes no validation error

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
    def size(self) -> str:
        """1k or 10k: of the first runs."""
        return self.runs[0].size

    @property
    def tasks(self) -> list[str]:
        """What they are trained on, in order."""
        return sorted({task for part in self.runs for task in part.all_tasks}, key=lambda task: (len(task), task))


@dataclass(frozen=True)
class Paper:
    """What is known of one paper, or, without a citation, of our own work."""

    citation: Citation | None
    presets: Mapping[str, Training]
    tables: tuple[Table, ...] = ()
    studies: tuple[Study, ...] = ()
    other_columns: Mapping[str, tuple[Column, ...]] = field(default_factory=dict)  # size -> those that no table shows
    about: Mapping[str, str] = field(default_factory=dict)  # preset -> what it is, in a phrase

    def __repr__(self) -> str:
        of = f"{self.citation.authors[0]} and others, {self.citation.year}" if self.citation else "ours"
        return f"<Paper ({of}): presets: {len(self.presets)}, tables: {len(self.tables)}, studies: {len(self.studies)}>"

    def columns(self) -> list[tuple[str, Column]]:
        """Every column that is declared here, with its size."""
        shown = [(table.size, column) for table in self.tables for column in table.columns]
        return shown + [(size, column) for size, columns in self.other_columns.items() for column in columns]
