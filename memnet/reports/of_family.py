"""The results of a family: networks of every kind on its members, several of each, as one declared table.

``memnet bench family NAME`` trains what a file of runs lacks and prints the table. A row is a preset with changed settings,
and a name for people. Its networks are the restarts of one run, side by side: each with initial weights and a data order of its
own. All are in the table, none is chosen. They are fewer where a training takes long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from memnet.papers.declare import Runs
from memnet.record.runs import Row
from memnet.reports.select import configs_of, select
from memnet.tasks.families import find
from memnet.training.sweep import Job, plan


@dataclass(frozen=True)
class TableRow:
    """A row of the table: its preset, what is changed, and how many networks of it are trained."""

    preset: str
    settings: tuple[str, ...] = ()
    networks: int = 5

    def runs(self, family: str, members: Sequence[str]) -> Runs:
        """Its runs, one a member."""
        return Runs((self.preset,), family, tuple(members), settings=self.settings, restarts=self.networks)


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
            part = row.runs(self.family, list(found))
            groups = [[task] for task in found.values()]
            new, known = plan(groups, configs_of(part).items(), [part.seed], part.restarts, results, work)
            todo, there = todo + new, there + known
        return todo, there

    def of_row(self, name: str, rows: Sequence[Row]) -> list[Row]:
        """The rows of a file that are of a row of the table."""
        return select(rows, self.rows[name].runs(self.family, self.members))


BELIEFS = {
    "MemN2N": TableRow("pe-ls-rn", ("selection=validation",)),
    "DMN+": TableRow("dmn-plus-10k", ("epochs=16",), networks=1),
    "Universal Transformer": TableRow("universal-10k", ("epochs=16",), networks=1),
    "causal reader": TableRow("causal", ("epochs=16",), networks=1),
    "causal reader, any names": TableRow("causal-open", networks=1),
    "the same without gaps between markers": TableRow("causal-open", ("marker_gaps=0.0",), networks=3),
    "markers in the story's order": TableRow("causal-open", ("marker_order=story",), networks=1),
    "drawn markers": TableRow("causal-open", ("marker_order=drawn", "marker_gaps=0.0"), networks=1),
}
SHORT = ("epochs=4", "questions=14000")  # of networks that read a slot's question and nothing of the other slots
STATES = {
    "memory network that writes": TableRow("writable-states", networks=1),
    "the same, twice as long, more dropout": TableRow("writable-states", ("epochs=24", "dropout=0.2"), networks=1),
    "MemN2N": TableRow("pe-ls-rn", ("linear_start=0", *SHORT), networks=1),
    "DMN+": TableRow("dmn-plus", SHORT, networks=1),
    "Universal Transformer": TableRow("universal", SHORT, networks=1),
    "causal reader": TableRow("causal", SHORT, networks=1),
}


def beside(first: dict[str, TableRow], epochs: int) -> dict[str, TableRow]:
    """Rows with those of four networks below them, which learn for so many epochs."""
    others = {
        "MemN2N": "pe-ls-rn",
        "DMN+": "dmn-plus",
        "Universal Transformer": "universal",
        "causal reader": "causal",
    }
    return first | {name: TableRow(preset, (f"epochs={epochs}",), networks=1) for name, preset in others.items()}


STEPS = beside({"walk, vectors are added": TableRow("walk-sum", networks=1)}, 4)
WALKS = {
    "walk, a learned table": TableRow("walk", networks=1),
    "the same, three times as long": TableRow("walk", ("epochs=24",), networks=1),
}
KIN = beside(WALKS, 12) | {"linear, of the question alone": TableRow("ngram", ("features=question", "ngrams=4"), networks=1)}
NOISY = ("06b8f2a1", "523348e6", "d83ecc3e")  # members of clutrr with noise
FAMILY_TABLES = {
    table.family: table
    for table in (
        FamilyTable("tomi", ("order-2", "order-1"), BELIEFS),
        FamilyTable("tom-babi", ("easy", "noise", "noise-at-test", "order-1"), BELIEFS),
        FamilyTable("scone", ("alchemy", "scene", "tangrams"), STATES),
        FamilyTable("stepgame", ("clean",), STEPS, "split"),
        FamilyTable("dyna", ("T7-concat", "T12-concat"), beside({}, 8), "split"),
        FamilyTable("clutrr", ("089907f8", "089907f8-edges", "089907f8-graph", *NOISY), KIN, "split"),
    )
}
