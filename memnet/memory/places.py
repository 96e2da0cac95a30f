"""Questions that ask for a place in other words: "Which hall is the drill in?", "Where did we leave the drill?"

Both ask where it is. Which nouns mean places is written by hand: "What condition is the drill in?" asks for none.
"""

from __future__ import annotations

import re
from functools import cache

from memnet.tasks.text.english import of_class, singular
from memnet.tasks.world.lexicon import nouns

PLACES = of_class(
    "place location spot area site building room floor level house hall bay zone section sector corner store storage depot "
    "warehouse ward wing deck cabin hold shelf rack aisle locker cabinet cupboard drawer box bin crate case container bag tray "
    "field paddock pen yard vehicle van truck lorry"
)
IN = r"(?:in|on|at|inside|under|kept in|kept on|stored in|stored on|kept|stored)"
WHICH = re.compile(
    rf"\s*(?:(?:in|on|at)\s+)?(?:which|what)\s+(?:[^\W\d_]+\s+)?(?P<noun>[^\W\d_]+)\s+(?P<be>is|are|was|were)\s+(?P<what>.+?)"
    rf"(?P<end>\s+{IN})?(?P<now>\s+(?:now|right now|at the moment|currently|again))?\s*\?*\s*$",
    re.IGNORECASE,
)
LEFT = re.compile(
    r"\s*where\s+did\s+(?:we|you|they|i|people)\s+(?:last\s+)?(?:leave|put|place|store|keep)\s+(?P<what>.+?)\s*\?*\s*$", re.I
)


def as_where(question: str) -> str:
    """The same question with "where"; as it stands where it asks for no place.

    >>> as_where("Which hall is the drill in now?"), as_where("What condition is the drill in?")
    ('Where is the drill now?', 'What condition is the drill in?')
    >>> as_where("On which shelf are the nails?"), as_where("Where did we leave the drill?")
    ('Where are the nails?', 'Where is the drill?')
    """
    if left := LEFT.match(question):
        return f"Where is {left['what']}?"
    found = WHICH.match(question)
    if found is None or singular(found["noun"].lower()) not in places():
        return question
    before = re.match(r"\s*(?:in|on|at)\s", question, re.IGNORECASE)
    if not (before or found["end"]):
        return question
    return f"Where {found['be'].lower()} {found['what']}{found['now'] or ''}?"


@cache
def places() -> frozenset[str]:
    """Nouns that mean a place, each as one word."""
    return PLACES | {noun for kind in ("building", "room", "storage", "furnished") for noun in nouns(kind) if " " not in noun}
