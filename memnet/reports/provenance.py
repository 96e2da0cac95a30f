"""What code, machines and versions made the networks of a study, so that its table says whether they are the same for all."""

from __future__ import annotations

from collections.abc import Sequence

from memnet.papers import STUDIES
from memnet.papers.declare import Study
from memnet.record.measurements import counted
from memnet.reports.cascade import tried
from memnet.reports.select import Row, labels, select


def rows_of(study: Study, rows: Sequence[Row]) -> list[Row]:
    """Those of the networks that a study declares; of presets that are tried in turn, those that were tried."""
    found = select(rows, *study.runs)
    if not study.in_turn:
        return found
    taken = {(row["preset"], *place) for place, networks in tried(found, study).items() for row in networks}
    return [row for row in found if (row["preset"], labels(row)[0], int(row["seed"])) in taken]


def made_by(name: str, rows: Sequence[Row]) -> str:
    """The line below a study's table; nothing where there is no study of that name or no network."""
    found = rows_of(STUDIES[name], rows) if name in STUDIES else []
    if not found:
        return ""
    code = counted([row["code"] for row in found])
    machines = counted([row["machine"] or "a machine that was not recorded" for row in found])
    versions = (f"{library} {counted([row[library] for row in found])}" for library in ("torch", "numpy", "python"))
    return f"{len(found):,} networks, made by code {code} on {machines}; {', '.join(versions)}."
