"""What people have, as entries: one sentence each, with its time, its source and its line.

| file | what it holds |
| --- | --- |
| `entry` | an entry, a passage, how something is read, a count of what was understood |
| `taken` | files and streams from beginning to end |
| `decoding`, `recognise` | bytes as text; which format it is |
| `layout`, `sentences` | whether a line is an entry; where a sentence ends |
| `when` | dates and times at the beginning of a line |
| `logs`, `tables`, `records`, `chats`, `mail` | lines, rows, fields and messages |
| `markdown`, `html`, `documents` | texts with marks; PDF and DOCX |
"""

from __future__ import annotations

from memnet.memory.entries.entry import Count, Entry, Reading
from memnet.memory.entries.taken import batches, entries, entries_of_text

__all__ = ["Count", "Entry", "Reading", "batches", "entries", "entries_of_text"]
