"""The notebook in docs/ runs from its first cell to its last, without a download, and says what its text says."""

import runpy
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

ROOT = Path(__file__).parent.parent
NOTEBOOK = ROOT / "docs" / "tutorial.ipynb"
SAME = "same-everywhere"  # the tag of cells that are computed by hand in the text beside them


def written() -> NotebookNode:
    return nbformat.read(NOTEBOOK, as_version=4)


def code(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def text(cell: NotebookNode) -> str:
    """What a cell prints and gives, as plain text."""
    return "".join(output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs)


def kinds(cell: NotebookNode) -> list[list[str]]:
    """The forms in which each output is there."""
    return [sorted(output.get("data", {"stream": ""})) for output in cell.outputs]


@pytest.mark.slow
def test_the_notebook_runs_anew_to_the_same_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Nothing is compared that differs from machine to machine: of trained networks only that they answer."""
    monkeypatch.delenv("MEMNET_DATA", raising=False)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    before = code(written())
    after = code(runpy.run_path(str(ROOT / "scripts" / "run_notebook.py"))["run"](written(), tmp_path))
    by_hand = [cell.id for cell in before if SAME in cell.metadata.get("tags", ())]
    assert len(by_hand) > 8
    assert {cell.id: text(cell) for cell in after if cell.id in by_hand} == {
        cell.id: text(cell) for cell in before if cell.id in by_hand
    }
    assert [kinds(cell) for cell in after] == [kinds(cell) for cell in before], "run scripts/run_notebook.py and commit it"
    assert list(tmp_path.iterdir()) == []


def test_the_notebook_is_small_and_has_its_outputs_and_nothing_of_a_machine():
    assert NOTEBOOK.stat().st_size < 300_000
    content = NOTEBOOK.read_text(encoding="utf-8")
    assert not [part for part in (str(ROOT), str(Path.home()) + "/", "/tmp/", "stderr", "execution_state") if part in content]
    cells = code(written())
    assert sum("text/html" in str(kinds(cell)) for cell in cells) >= 5, "heat maps"
    assert all(cell.execution_count for cell in cells)
