"""Run the notebook in docs/ from its first cell to its last, and write it with its outputs.

The outputs are committed: the site and GitHub show them without running anything. What differs from run to run
(execution times, progress bars) is not kept.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

NOTEBOOK = Path(__file__).resolve().parent.parent / "docs" / "tutorial.ipynb"
SECONDS = 600  # of a cell, at most


def run(notebook: NotebookNode, folder: Path) -> NotebookNode:
    """The notebook with the outputs of a new run in a folder. Raises ``CellExecutionError`` where a cell fails."""
    client = NotebookClient(
        notebook, timeout=SECONDS, kernel_name="python3", coalesce_streams=True, resources={"metadata": {"path": str(folder)}}
    )
    client.execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


def main() -> None:
    """Run it as somebody would who has the package and no published data."""
    os.environ.pop("MEMNET_DATA", None)
    with tempfile.TemporaryDirectory() as folder:
        notebook = run(nbformat.read(NOTEBOOK, as_version=4), Path(folder))
    part = NOTEBOOK.with_suffix(".tmp")
    nbformat.write(notebook, part)
    part.replace(NOTEBOOK)
    print(f"{NOTEBOOK}: {NOTEBOOK.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    sys.exit(main())
