"""A memory for what people write: sentences on disk that are searched and asked.

| file | what it holds |
| --- | --- |
| `memory` | `Memory`: add, search, ask, forget |
| `long_memory`, `hops` | what a retriever keeps of a text of any length, and what a question leads to |
| `folder`, `checked`, `files`, `notes`, `struck` | the files: written, checked and read; times and sources; deletions |
| `restored` | what a damaged file lacks, made again from the text |
| `index` | which sentences hold which words |
| `entries` | what people have, such as logs, chats and tables, as sentences with times |
| `sentences`, `several` | the sentences as they are read: in order, put right, "pumps 3 and 4" one by one |
| `whereabouts`, `answering` | answers from facts, or from what a network reads |
| `fields`, `columns`, `rows` | what tables without a template say: of one row, in which column, of which rows |
| `wanted` | the kind of answer that a question asks for |
| `deeds`, `said`, `verbs` | when, how often, by whom and to which things something was done |
| `relations` | "The capital of X is Y": what was said last of it, over several hops |
| `search`, `searcher` | what fits a question best, ranked by what was learned |
| `times`, `order` | a time of ISO 8601, or a part of one; in which order sentences were said |
| `values` | a sentence to remember, one that is held, one that was found |
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memnet.memory.values import Entry, Found, Held

if TYPE_CHECKING:
    from memnet.memory.memory import Memory

__all__ = ["Entry", "Found", "Held", "Memory"]


def __getattr__(name: str) -> Any:
    """The class :class:`~memnet.memory.memory.Memory`, imported where it is asked for: it brings the networks."""
    if name == "Memory":
        from memnet.memory.memory import Memory

        return Memory
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
