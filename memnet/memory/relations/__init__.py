"""Relations between names that a text states in single sentences; see :mod:`.reader`."""

from memnet.memory.relations.reader import (
    FOLDER,
    Find,
    HeldSentence,
    Hop,
    Relation,
    RelationAnswer,
    RelationReader,
    Superseded,
)

__all__ = ["FOLDER", "Find", "HeldSentence", "Hop", "Relation", "RelationAnswer", "RelationReader", "Superseded"]
