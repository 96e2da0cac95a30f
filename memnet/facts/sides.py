"""On which side of a place something is: "under the bed" is not in it. What is denied: "Mary never went to the kitchen".

And what only asks or bids: "Is the camera in the studio?", "Please take it to the studio."
"""

from __future__ import annotations

import re

from memnet.facts.kinds import Fact, Phrase
from memnet.facts.names import DETERMINERS
from memnet.tasks.text.english import of_class
from memnet.tasks.text.tokens import WORD

SIDES = {
    "under": of_class("under beneath below underneath"),
    "behind": of_class("behind"),
    "beside": of_class("beside near by alongside opposite"),
    "outside": of_class("outside"),
    "above": of_class("above over"),
    "between": of_class("between"),
}
OF_TWO = {("next", "to"): "beside", ("close", "to"): "beside", ("front", "of"): "front", ("outside", "of"): "outside"}
SIDE = {word: side for side, words in SIDES.items() for word in words}
DENIES = of_class("never not n't n’t")
NOBODY = re.compile(r"\b(?:nobody|no one|no-one|none of (?:us|them|you)|neither \w+ nor \w+)\s", re.IGNORECASE)  # does it
ASKS = re.compile(r"\?[\s\"'”’)*]*$")
BIDS = re.compile(
    r"\W*(?:to[- ]?dos?\b|to be done\b|reminder\s*:|remember to\b|do ?n[o'’]t forget\b|please\b|pls\b|let['’]?s\b|"
    r"(?:can|could|would|will|should|shall|may|must) (?:you|someone|somebody|anyone|anybody|we|one of you)\b)"
    r"|\s*(?:[-*•]\s*)?\[ ?\]",
    re.IGNORECASE,
)
RELATED = re.compile(r"\bin the (?:field|city|continent|country|nation|state|region|sport|genre|language) of\b", re.IGNORECASE)
EVER = re.compile(r"\s*ha(?:s|ve)\s+(.+?)\s+(?:ever\s+)?been\s+(?:in|at|on|to|inside)\s+(.+)$", re.IGNORECASE)
LONGEST = 300  # characters of a question that is looked at
SAYS_NOT = ("not at", "no longer at", "either")  # kinds of facts that say what is not so


def as_now(question: str) -> tuple[str, bool]:
    """A question whether somebody was ever somewhere, as whether they are there now; and whether it is such a question.

    >>> as_now("Has Mary ever been to the hall?"), as_now("Is Mary in the hall?")
    (('Is Mary in the hall?', True), ('Is Mary in the hall?', False))
    """
    found = EVER.match(question) if len(question) <= LONGEST else None
    return (f"Is {found[1]} in {found[2]}", True) if found else (question, False)


def only_asks(text: str) -> bool:
    """Whether a sentence says nothing of what is: it asks, or wants something to be done.

    >>> [only_asks(text) for text in ("Is it in the shed?", "TODO: put it in the shed", "Ann asked: where?", "It is here.")]
    [True, True, True, False]
    >>> only_asks("- [ ] move the saw to the shed"), only_asks("- [x] moved the saw to the shed")
    (True, False)
    """
    return ASKS.search(text) is not None or BIDS.match(text) is not None


def says_a_relation(text: str) -> bool:
    """Whether a sentence says a relation to a named field, city or the like, and of nobody's whereabouts now.

    >>> says_a_relation("Ann Lee works in the field of botany."), says_a_relation("Ann works in the field.")
    (True, False)
    """
    return RELATED.search(text) is not None


def side_of(text: str, phrase: Phrase) -> tuple[str, str]:
    """On which side of a place of a text something is, "" in it or at it, and the place with the words that say so.

    >>> side_of("The cat is under the bed.", Phrase(5, 6, "bed")), side_of("He sat in the car.", Phrase(4, 5, "car"))
    (('under', 'under the bed'), ('', 'car'))
    """
    marks = list(WORD.finditer(text))
    words = [mark.group().lower() for mark in marks]
    place = min(phrase.first, len(words)) - 1
    while place >= 0 and words[place] in DETERMINERS:
        place -= 1
    if place < 0 or phrase.last > len(words):
        return "", phrase.text
    first, side = place, SIDE.get(words[place], "")
    if place and (two := OF_TWO.get((words[place - 1], words[place]))):
        first, side = place - 1 - (two == "front" and words[place - 2 : place - 1] == ["in"]), two
    return side, text[marks[first].start() : marks[phrase.last - 1].end()] if side else phrase.text


def is_denied(fact: Fact, text: str) -> bool:
    """Whether a word between what a fact speaks of and where it ends says that it is not so.

    >>> who, to = Phrase(0, 1, "Mary"), Phrase(5, 6, "kitchen")
    >>> is_denied(Fact("go", {"who": who, "to": to}), "Mary never went to the kitchen.")
    True
    >>> is_denied(Fact("no longer at", {"what": who, "to": to}), "Mary is not in the kitchen.")
    False
    >>> is_denied(Fact("go", {"what": who, "to": to}), "Nobody moved it to the kitchen.")
    True
    """
    phrases = sorted(fact.roles.values())
    if fact.kind in SAYS_NOT or len(phrases) < 2:
        return False
    if NOBODY.match(text) and "to" in fact.roles:
        return True
    words = [word.lower() for word in WORD.findall(text)]
    return not DENIES.isdisjoint(words[phrases[0].last : phrases[-1].first])
