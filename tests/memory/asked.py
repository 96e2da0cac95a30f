"""Tables as files in memories, and what is expected of an answer about one."""

from pathlib import Path

from memnet.ask.answer import Answer
from memnet.memory import Entry, Memory
from memnet.memory.entries import Reading, entries
from memnet.memory.tables.stored import tables_of
from memnet.memory.tables.table import Table


def take_in(memory: Memory, path: Path) -> None:
    """Take in a file."""
    memory.add(Entry(*one) for one in entries(path, Reading()))


def table_of(text: str, folder: Path) -> Table:
    """The table of a CSV text, taken into a memory in a new folder."""
    (folder / "table.csv").write_text(text, encoding="utf-8")
    memory = Memory.open(folder / "memory")
    take_in(memory, folder / "table.csv")
    (found,) = tables_of(memory.long)
    return found


def says(answer: Answer, right: str) -> None:
    """Check that an answer is given, and is this."""
    assert answer.answerable, answer.reason
    assert answer.text == right, answer.text


def refuses(answer: Answer, why: str) -> None:
    """Check that no answer is given, for this reason."""
    assert not answer.answerable, answer.text
    assert answer.reason == why, answer.reason
