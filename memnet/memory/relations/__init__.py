"""Relations between names that a text states in single sentences; see :mod:`.reader`."""

from memnet.memory.relations.reader import (
    Find,
    HeldSentence,
    Hop,
    Relation,
    RelationAnswer,
    RelationReader,
    Superseded,
)
from memnet.memory.relations.saved import FOLDER

__all__ = ["FOLDER", "Find", "HeldSentence", "Hop", "Relation", "RelationAnswer", "RelationReader", "Superseded"]
