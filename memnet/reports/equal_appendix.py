"""The appendix of the page on equal terms: errors, differences in pairs and costs, a table each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from memnet.markdown import markdown_table
from memnet.papers import equal as terms
from memnet.papers.declare import number_of
from memnet.record.measurements import measured_by, read_costs
from memnet.reports.equal import costs_of, seconds, task_cell
from memnet.reports.equal_page import FACTS, PERMUTED, PLAIN, Cells, cells_of, least_first
from memnet.reports.pairs import Pairs, in_pairs
from memnet.reports.pivot import Networks
from memnet.reports.templates import render

TAUGHT_PERMUTED = "facts, permuted"
UNIVERSAL, MEMNN = terms.NAMES["equal-universal"], terms.NAMES[terms.MEMNN]
OTHERS = tuple(terms.NAMES[model] for model in ("equal-memn2n", "equal-dmn-plus", "equal-transformer"))
WAYS: dict[str, tuple[str, ...]] = {  # heads of columns -> a table, and what its line says after the model
    "words as they are": ("equal", PLAIN),
    "words permuted": ("equal", PERMUTED),
    "facts taught": ("equal", FACTS),
    "facts, permuted": ("equal", TAUGHT_PERMUTED),
    "10,000 questions": ("equal-10k",),
    "one network for all": ("equal-joint",),
}
FROM_FACTS = tuple(head for head, (_, *label) in WAYS.items() if not label)  # in which the MemNN learns from facts, others not
OPERATIONS = "million operations"


class Appendix:
    """Its tables, whose comparisons ``pairs`` makes."""

    def __init__(self, cells: Cells, pairs: Pairs) -> None:
        self.cells, self.pairs = cells, pairs

    def of(self, name: str, head: str) -> Networks | None:
        """The networks of a name that learned in a way, if there are any that may stand beside the others."""
        table, *label = WAYS[head]
        return None if name == MEMNN and head in FROM_FACTS else self.cells.get((table, name, *label))

    def table(self, heads: Sequence[str], names: Iterable[str], cell: Callable[[str, str], str]) -> str:
        """A row a name, a column each of the heads but the first."""
        return markdown_table(heads, [[name, *(cell(name, head) for head in heads[1:])] for name in names])

    def errors(self) -> str:
        """Of the chosen networks, in brackets of all restarts."""

        def cell(name: str, head: str) -> str:
            found = self.of(name, head)
            return f"{found.mean:.1f} ({found.all_restarts})" if found else ""

        return self.table(["network", *WAYS], least_first(self.cells), cell)

    def less_universal(self) -> str:
        """Three networks, and from facts the MemNN, less the Universal Transformer that learned in the same way."""

        def cell(name: str, head: str) -> str:
            one, other = self.of(name, head), self.of(UNIVERSAL, head)
            return self.pairs.difference(one, other) if one and other and (name != MEMNN or head == "facts taught") else ""

        return self.table([f"less {UNIVERSAL}", *WAYS], (*OTHERS, MEMNN), cell)

    def memnn_less(self) -> str:
        """The MemNN from facts less the two networks that have permuted words besides."""
        mine = self.cells["equal", MEMNN, FACTS]
        names = (terms.NAMES["equal-dmn-plus"], UNIVERSAL)
        found = [(name, self.pairs.difference(mine, self.cells["equal", name, TAUGHT_PERMUTED])) for name in names]
        return markdown_table(["MemNN, facts taught, less", "facts, permuted"], found)

    def gains(self) -> str:
        """What facts alone, and permuted words alone, change of the error from answers."""
        ways = {"facts alone": FACTS, "permuted words alone": PERMUTED}

        def cell(name: str, head: str) -> str:
            return self.pairs.difference(self.cells["equal", name, ways[head]], self.cells["equal", name, PLAIN])

        return self.table(["network", *ways], [name for name in least_first(self.cells) if name != MEMNN], cell)

    def own(self) -> str:
        """Each network by its own recipe: the error of all restarts, and the seconds of one."""
        heads = [head for way in ("words as they are", "words permuted") for head in (way, f"{way}, seconds")]
        rows = []
        for name in (*OTHERS, UNIVERSAL):
            found = [self.cells["equal-own", name, way] for way in (PLAIN, PERMUTED)]
            rows.append([name, *(text for one in found for text in (one.all_restarts, f"{seconds(one):.1f}"))])
        return markdown_table(["its own recipe", *heads], rows)

    def own_less(self) -> str:
        """MemN2N by its own recipe less the Universal Transformer by either."""
        ways = {"words as they are": PLAIN, "words permuted": PERMUTED}
        recipes = {f"{UNIVERSAL}, on equal terms": "equal", f"{UNIVERSAL}, so trained": "equal-own"}

        def cell(name: str, head: str) -> str:
            mine = self.cells["equal-own", OTHERS[0], ways[head]]
            return self.pairs.difference_of_all(mine, self.cells[recipes[name], UNIVERSAL, ways[head]])

        return self.table(["MemN2N so trained, less", *ways], recipes, cell)

    def times(self) -> str:
        """MemN2N and the Universal Transformer with less time and more: errors and seconds."""
        rows = []
        for time in dict.fromkeys(time for _, time in terms.TIMES):
            one, other = (self.cells["equal-time", name, time] for name in (OTHERS[0], UNIVERSAL))
            found = [
                text for part in (one, other) for text in (f"{part.mean:.1f} ({part.all_restarts})", f"{seconds(part):.0f}")
            ]
            rows.append([time, *found, self.pairs.difference(one, other)])
        return markdown_table(["epochs", OTHERS[0], "seconds", UNIVERSAL, "seconds", "difference"], rows)

    def tasks(self) -> str:
        """Tasks that one network alone learns, or none."""
        heads = {f"task {number_of(task)}, {what}": task for task, what in terms.NOT_LEARNED.items()}

        def cell(name: str, head: str) -> str:
            return task_cell(self.cells["equal", name, FACTS if name == MEMNN else PERMUTED], heads[head])

        return self.table(["network", *heads], (*OTHERS[:2], UNIVERSAL, MEMNN), cell)

    def aligned(self) -> str:
        """What it changes to read one memory instead of a weighted sum."""

        def cell(name: str, head: str) -> str:
            return self.pairs.difference(self.cells["equal-align", name, head], self.cells["equal-align", name, "softmax"])

        names = dict.fromkeys(terms.NAMES[model] for model, _ in terms.ALIGNED)
        return self.table(["network", "argmax", "REINFORCE"], names, cell)

    def costs(self, costs: Path) -> str:
        """What an answer costs, and what half and double the width change of the error."""
        found = costs_of(costs, [terms.WIDTHS[model, "as it is"] for model in terms.NAMES])
        cost = dict(zip(terms.NAMES.values(), found, strict=True))

        def cell(name: str, head: str) -> str:
            if head in (OPERATIONS, "ms"):
                return cost[name][2 if head == OPERATIONS else 1]
            width = head.removesuffix(" width")
            return self.pairs.difference(self.cells["equal-width", name, width], self.cells["equal-width", name, "as it is"])

        names = sorted(cost, key=lambda name: float(cost[name][2]))
        return self.table(["network", OPERATIONS, "ms", "half width", "double width"], names, cell)


def appendix(runs: Path, costs: Path) -> str:
    """Every table of it, each with a sentence or two. Raises :class:`~memnet.errors.NetworkError` where a run is lacking."""
    cells = cells_of(runs)
    measured = measured_by(read_costs(costs).values())

    facts = {name: cells["equal", name, FACTS].facts_read.split(",")[0] for name in (MEMNN, OTHERS[1], UNIVERSAL)}
    return in_pairs(
        lambda pairs: render("equal-terms", tables=Appendix(cells, pairs), costs=costs, facts=facts, measured=measured)
    )
