"""Task 12, conjunction: two people move together.

1 Mary and Daniel went to the bathroom.
2 John and Mary moved to the garden.
3 Where is Daniel?      bathroom        1
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .world import Dials, walks

DIALS = frozenset({"people", "places", "statements"})


def story(draw: Random, dials: Dials) -> Story:
    """Pairs of people move."""
    return walks(draw, dials, 2)
