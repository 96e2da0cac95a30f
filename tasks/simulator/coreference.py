"""Task 11, basic coreference: who is "he"?

1 Mary moved to the bathroom.
2 Afterwards she went to the hallway.
3 Where is Mary?        hallway         1 2
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .world import Dials, walks

DIALS = frozenset({"people", "places", "statements"})


def story(draw: Random, dials: Dials) -> Story:
    """A move by name, then one by pronoun; asked after each such pair."""
    return walks(draw, dials, 1, pronouns=True)
