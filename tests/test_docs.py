"""Examples in docstrings run as they stand."""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WITH_EXAMPLES = [
    path.relative_to(ROOT)
    for folder in ("memnet", "tasks")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=str)
def test_docstring_examples(path: Path):
    name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    found = doctest.testmod(importlib.import_module(name if name.startswith("memnet") else f"memnet.{name}"))
    assert found.attempted > 0
    assert found.failed == 0
