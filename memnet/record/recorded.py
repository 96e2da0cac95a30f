"""Where the results on record are: in a checkout its folder ``results``, else the copy that the package brings."""

from __future__ import annotations

from pathlib import Path

from memnet.errors import NetworkError

RUNS_CSV, PAPERS_CSV = "runs.csv", "published.csv"
HERE = Path("results")  # in the folder that a command is called from
PACKAGE = Path(__file__).parent.parent
PACKAGED = (PACKAGE / "results", PACKAGE.parent / "results")  # installed, or in a checkout


def recorded(name: str) -> Path:
    """The file ``name`` of the results on record. Raises :class:`~memnet.errors.NetworkError` where this memnet has none.

    A folder ``results`` with the papers' figures is a checkout's, and taken first; that of a sweep of your own has runs alone.
    """
    for folder in (HERE, *PACKAGED):
        if (folder / PAPERS_CSV).is_file() and (folder / name).is_file():
            return folder / name
    raise NetworkError(
        f"this memnet was installed without the results on record: {name} is in the folder results of a checkout, call the "
        "command there or name the file by an option"
    )


def own_or_recorded() -> Path:
    """The file of runs of the folder that one is in, made by ``memnet sweep``, else the runs on record."""
    here = HERE / RUNS_CSV
    return here if here.is_file() else recorded(RUNS_CSV)
