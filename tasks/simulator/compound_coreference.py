"""Task 13, compound coreference: who are "they"?

1 Mary and Daniel went to the bathroom.
2 Then they journeyed to the hallway.
3 Where is Daniel?      hallway         1 2
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .world import Dials, walks

DIALS = frozenset({"people", "places", "statements"})


def story(draw: Random, dials: Dials) -> Story:
    """A pair moves by name, then by pronoun."""
    return walks(draw, dials, 2, pronouns=True)
