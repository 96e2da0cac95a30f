"""Kinds of facts and of questions about them, and the roles that words play.

"After lunch Ann moved pump 7 from bay 3 to the yard."   ->   Fact("put", who=Ann, what=pump 7, source=bay 3, to=yard)
"Where was the milk before the kitchen?"                ->   Fact("where before", what=milk, to=kitchen)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

NONE = "none"
FACTS = (
    *("go", "leave", "at", "not at", "no longer at", "either", "take", "drop", "put", "carry", "give", "has"),
    *("fault", "mended", "checked", "missing"),
)
QUESTIONS = (
    *("where", "where before", "who has", "is in", "who is in", "what is in", "what has", "how many has", "does have"),
    *("had first", "had last", "had before", "who did", "to whom", "what did", "where did", "when", "how often"),
    *("what is out", "what is wrong", "does work"),
)
KINDS = (NONE, *FACTS, *QUESTIONS)
ROLES = ("who", "what", "source", "to", "other", "receiver", "company", "time")
SLOTS = 2  # facts of one sentence; of a question the second is the kind of fact that it asks for


class Phrase(NamedTuple):
    """Words of a sentence: from ``first`` up to ``last``, and as it stands there."""

    first: int
    last: int
    text: str


@dataclass(frozen=True)
class Fact:
    """What a sentence, or a part of it, says or asks."""

    kind: str
    roles: dict[str, Phrase] = field(default_factory=dict)
    probability: float = 1.0
    of_any: float = 1.0  # how likely the part says or asks something of whereabouts, whatever of

    def is_sure(self, least: float) -> bool:
        """Whether its kind is so likely; "Ann left the ball" is of leaving or of dropping, and its story tells of which."""
        if self.kind in ("leave", "drop") and "who" in self.roles:
            return self.of_any >= least
        return self.kind != "leave" and self.probability >= least

    @property
    def is_in_itself(self) -> bool:
        """Whether words of the thing are words of its place, too, which no sentence means."""
        thing, place = self.roles.get("what"), self.roles.get("to")
        return thing is not None and place is not None and thing.first < place.last and place.first < thing.last

    def text(self, role: str) -> str:
        """The words in a role; empty where there are none."""
        return self.roles[role].text if role in self.roles else ""
