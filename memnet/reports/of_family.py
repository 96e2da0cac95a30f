"""The results of a family: networks of every kind on its members, several of each, as one declared table.

``memnet bench family NAME`` trains what a file of runs lacks and prints the table. A row is a preset with changed settings,
and a name for people. Its networks are runs of several seeds, or the restarts of one run, side by side: each has its own
initial weights and data order. All are in the table and none is chosen, but in a row that says ``best``: there validation
chooses one of a run's restarts. Where a training takes more than ten minutes there is one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from memnet.papers.declare import Runs
from memnet.record.runs import Row
from memnet.reports.select import configs_of, select
from memnet.tasks.families import find
from memnet.training.sweep import Job, plan


@dataclass(frozen=True)
class TableRow:
    """A row of the table: its preset, what is changed, and how many networks of it are trained on a member."""

    preset: str
    settings: tuple[str, ...] = ()
    seeds: int = 5  # runs on a member
    restarts: int = 1  # networks of a run
    once: tuple[str, ...] = ()  # members of which it takes more than ten minutes: the first seed alone
    best: bool = False  # of each run only the network that validation chose is in the table

    def runs(self, family: str, members: Sequence[str]) -> list[Runs]:
        """Its runs, one a member and seed: first those of the first seed."""
        found = []
        for seed in range(self.seeds):
            these = tuple(one for one in members if seed == 0 or one not in self.once)
            found.append(Runs((self.preset,), family, these, settings=self.settings, restarts=self.restarts, seed=seed))
        return found


@dataclass(frozen=True)
class FamilyTable:
    """What a family's results are: rows by their names, and the members they are trained on."""

    family: str
    members: tuple[str, ...]
    rows: Mapping[str, TableRow]
    by: Literal["kind", "split"] = "kind"  # what its columns are

    def jobs(
        self, results: Path, work: Path, names: Sequence[str], members: Sequence[str], data: Path | None
    ) -> tuple[list[Job], int]:
        """The runs that ``results`` lacks, and how many it has; of some rows and members alone where any are named.

        Raises what :func:`memnet.tasks.families.find` does.
        """
        found = {task.member: task for task in find([f"{self.family}/{one}" for one in members or self.members], data)}
        todo: list[Job] = []
        there = 0
        for name, row in self.rows.items():
            if names and name not in names:
                continue
            for part in row.runs(self.family, list(found)):
                groups = [[found[member]] for member in part.all_tasks]
                new, known = plan(groups, configs_of(part).items(), [part.seed], part.restarts, results, work)
                todo, there = todo + new, there + known
        return todo, there

    def of_row(self, name: str, rows: Sequence[Row]) -> list[Row]:
        """The rows of a file that are of a row of the table."""
        row = self.rows[name]
        of_it = select(rows, *row.runs(self.family, self.members))
        return [one for one in of_it if one["chosen"] == "1"] if row.best else of_it


BELIEFS = {
    "MemN2N": TableRow("pe-ls-rn", ("selection=validation",), seeds=1, restarts=5),
    "DMN+": TableRow("dmn-plus-10k", ("epochs=16",)),
    "Universal Transformer": TableRow("universal-10k", ("epochs=16",)),
    "causal reader": TableRow("causal", ("epochs=16",)),
    "causal reader, any names": TableRow("causal-open", once=("order-2",)),
    "the same without gaps between markers": TableRow("causal-open", ("marker_gaps=0.0",), seeds=1, restarts=3),
    "markers in the story's order": TableRow("causal-open", ("marker_order=story",)),
    "drawn markers": TableRow("causal-open", ("marker_order=drawn", "marker_gaps=0.0")),
}
SHORT = ("epochs=4", "questions=14000")  # of networks that read a slot's question and nothing of the other slots
WRITES = ("alchemy", "scene", "tangrams")
STATES = {
    "memory network that writes": TableRow("writable-states", once=WRITES),
    "the same, twice as long, more dropout": TableRow("writable-states", ("epochs=24", "dropout=0.2"), once=("scene",)),
    "MemN2N": TableRow("pe-ls-rn", ("linear_start=0", *SHORT)),
    "DMN+": TableRow("dmn-plus", SHORT),
    "Universal Transformer": TableRow("universal", SHORT),
    "causal reader": TableRow("causal", SHORT),
}


def beside(
    first: dict[str, TableRow], epochs: int, once: Mapping[str, tuple[str, ...]] = MappingProxyType({})
) -> dict[str, TableRow]:
    """Rows with those of four networks below them, which learn for so many epochs; ``once`` has members that take long."""
    others = {
        "MemN2N": "pe-ls-rn",
        "DMN+": "dmn-plus",
        "Universal Transformer": "universal",
        "causal reader": "causal",
    }
    return first | {name: TableRow(preset, (f"epochs={epochs}",), once=once.get(name, ())) for name, preset in others.items()}


STEPS = beside({"walk, vectors are added": TableRow("walk-sum")}, 4)
TEXT, EDGES, GRAPH = "089907f8", "089907f8-edges", "089907f8-graph"  # members of clutrr without noise
NOISY = ("06b8f2a1", "523348e6", "d83ecc3e")  # and with it
WALKS = {
    "walk, the best of four by validation": TableRow("walk", restarts=4, best=True, once=(TEXT, EDGES, *NOISY)),
    "walk, a learned table": TableRow("walk"),
}
KIN = beside(WALKS, 12, {"Universal Transformer": (TEXT,), "causal reader": (EDGES,)})
KIN |= {"linear, of the question alone": TableRow("ngram", ("features=question", "ngrams=4"))}
FAMILY_TABLES = {
    table.family: table
    for table in (
        FamilyTable("tomi", ("order-2", "order-1"), BELIEFS),
        FamilyTable("tom-babi", ("easy", "noise", "noise-at-test", "order-1"), BELIEFS),
        FamilyTable("scone", ("alchemy", "scene", "tangrams"), STATES),
        FamilyTable("stepgame", ("clean",), STEPS, "split"),
        FamilyTable("dyna", ("T7-concat", "T12-concat"), beside({}, 8), "split"),
        FamilyTable("clutrr", (TEXT, EDGES, GRAPH, *NOISY), KIN, "split"),
    )
}
