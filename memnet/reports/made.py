"""What code, machines and versions made the networks of a study, so that its table says whether they are the same for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memnet.papers import STUDIES
from memnet.papers.declare import Study
from memnet.record.measurements import counted
from memnet.reports.in_turn import tried
from memnet.reports.reproduce import configs_of, reports
from memnet.training.spec import config_hash

Row = Mapping[str, str]
RUN = ("preset", "config", "tasks", "size", "source", "variant", "seed", "restarts")


def rows_of(study: Study, rows: Sequence[Row]) -> list[Row]:
    """Those of the networks that a study declares; of presets that are tried in turn, those that were tried."""
    declared = {
        (
            preset,
            config_hash(config),
            tasks,
            part.size,
            part.source,
            "en",
            str(part.seed),
            str(part.restarts or config.default_restarts),
        )
        for part in study.runs
        for preset, config in configs_of(part).items()
        for tasks in ([" ".join(part.all_tasks)] if part.joint else part.all_tasks)
    }
    found = [row for row in rows if tuple(row[name] for name in RUN) in declared]
    if not study.in_turn:
        return found
    taken = {(row["preset"], *cell) for cell, networks in tried(found, study).items() for row in networks}
    return [row for row in found if (row["preset"], row["tasks"].split()[0], int(row["seed"])) in taken]


def made_by(name: str, rows: Sequence[Row]) -> str:
    """The line below a study's table; nothing where there is no study of that name or no network."""
    own = rows_of(reports()[name], rows) if name in STUDIES else []
    if not own:
        return ""
    code = counted([row["code"] for row in own])
    machines = counted([row["machine"] or "a machine that was not recorded" for row in own])
    versions = (f"{of} {counted([row[of] for row in own])}" for of in ("torch", "numpy", "python"))
    return f"{len(own):,} networks, made by code {code} on {machines}; {', '.join(versions)}."
