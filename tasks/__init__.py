"""The tasks: the bAbI text format, the published data, the simulator. Knows no model."""

from memnet.tasks.published import DataError, Task, find
from memnet.tasks.text import FormatError, Question, Story, parse, read, words, write

__all__ = ["DataError", "FormatError", "Question", "Story", "Task", "find", "parse", "read", "words", "write"]
