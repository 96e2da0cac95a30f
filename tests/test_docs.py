"""Examples in docstrings run as they stand."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

import memnet.ask.arguments
import memnet.ask.description
import memnet.ask.pairs
import memnet.ask.parser
import memnet.attention
import memnet.markdown
import memnet.prompt.commands
import memnet.serve.labels
import memnet.show.rows
import memnet.tasks.text
import memnet.tasks.text.english
import memnet.tasks.text.entities
import memnet.tasks.text.names


@pytest.mark.parametrize(
    "module",
    [
        memnet.ask.arguments,
        memnet.prompt.commands,
        memnet.serve.labels,
        memnet.show.rows,
        memnet.ask.description,
        memnet.ask.pairs,
        memnet.ask.parser,
        memnet.attention,
        memnet.markdown,
        memnet.tasks.text.english,
        memnet.tasks.text.entities,
        memnet.tasks.text.names,
        memnet.tasks.text,
    ],
    ids=lambda module: module.__name__,
)
def test_docstring_examples(module: ModuleType):
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0
