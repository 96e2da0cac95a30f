"""Tables as files in memories, and what is expected of an answer about one."""

from pathlib import Path

from memnet.ask.answer import Answer
from memnet.memory import Entry, Memory
from memnet.memory.entries import Reading, entries


def take_in(memory: Memory, path: Path) -> None:
    """Take in a file."""
    memory.add(Entry(*one) for one in entries(path, Reading()))


def says(answer: Answer, right: str) -> None:
    """Check that an answer is given, and is this."""
    assert answer.answerable, answer.reason
    assert answer.text == right, answer.text


def refuses(answer: Answer, why: str) -> None:
    """Check that no answer is given, for this reason."""
    assert not answer.answerable, answer.text
    assert answer.reason == why, answer.reason
