"""Examples in docstrings run as they stand."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

import memnet.attention
import memnet.tasks.text


@pytest.mark.parametrize("module", [memnet.attention, memnet.tasks.text], ids=lambda module: module.__name__)
def test_docstring_examples(module: ModuleType):
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0
