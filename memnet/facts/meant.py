"""A fact as its sentence means it: without "there", with the name of who speaks, with whom a sentence thanks."""

from __future__ import annotations

import re
from dataclasses import replace

from memnet.facts.kinds import Fact, Phrase
from memnet.facts.names import SPEAKERS, speaker_of
from memnet.tasks.text.tokens import WORD

THANKS = re.compile(
    r"(?i:\b(?:many thanks|thanks|thank you|thx|cheers|ta)\b(?:\s+(?:again|to))*),?\s+(?P<name>[A-Z][\w'’-]+)[\s.!)]*$"
)
JOINS = frozenset((",", "and", "&", "the", "both"))
HERE = ("there", "here")
MOVED = re.compile(r"(?i)\b(?:moved|shifted|relocated)\b[^.,;]*\bto the\b")
OWN_DEEDS = ("take", "has", "carry", "go")  # kinds that somebody does; who writes "Took the saw home" took it


def as_meant(fact: Fact, text: str) -> Fact:
    """What a fact of a sentence means."""
    return thanked(spoken(plain(moved(fitting(fact), text)), text), text)


def moved(fact: Fact, text: str) -> Fact:
    """The fact with a place where something is "moved to the coach": things are moved to places, and handed to people."""
    receiver = fact.roles.get("receiver")
    if fact.kind != "give" or receiver is None or not MOVED.search(text) or receiver.text[:1].isupper():
        return fact
    roles = {role: one for role, one in fact.roles.items() if role != "receiver"}
    return replace(fact, kind="put", roles={**roles, "to": receiver})


def together(found: list[Fact], text: str) -> list[Fact]:
    """Two facts of one kind about two that a sentence names together, as one about both."""
    if len(found) != 2 or found[0].kind != found[1].kind:
        return found
    one, other = (fact.roles for fact in found)
    apart = [role for role in one.keys() | other.keys() if one.get(role) != other.get(role)]
    if len(apart) != 1 or apart[0] not in one or apart[0] not in other:
        return found
    first, last = sorted((one[apart[0]], other[apart[0]]))
    marks = list(WORD.finditer(text))
    between = [mark.group().lower() for mark in marks[first.last : last.first]]
    named = {*first.text.lower().split(), *last.text.lower().split()}
    if "and" not in between or not all(word in JOINS or word in named or word.isdigit() for word in between):
        return found
    whole = Phrase(first.first, last.last, text[marks[first.first].start() : marks[last.last - 1].end()])
    sure = min(found, key=lambda fact: fact.probability)
    return [replace(sure, roles={**one, apart[0]: whole})]


def plain(fact: Fact) -> Fact:
    """The fact without "there" and "here", where it says where somebody is who does it: what is put there is put down."""
    told = {role: phrase for role, phrase in fact.roles.items() if phrase.text.lower() not in HERE}
    if len(told) == len(fact.roles) or "who" not in told or fact.kind not in ("take", "drop", "put", "carry", "give"):
        return fact
    return replace(fact, kind={"put": "drop", "carry": "take"}.get(fact.kind, fact.kind), roles=told)


def fitting(fact: Fact) -> Fact:
    """The fact with the kind that its roles have: what has a receiver is given, what is handed in at a place is put there."""
    roles = dict(fact.roles)
    if fact.kind == "give" and fact.text("who") == fact.text("receiver"):
        roles.pop("who", None)
    if fact.kind in ("put", "carry") and {"what", "receiver"} <= roles.keys():
        return replace(fact, kind="give", roles={role: one for role, one in roles.items() if role != "to"})
    if fact.kind == "drop" and {"what", "to"} <= roles.keys():
        return replace(fact, kind="put")
    return replace(fact, roles=roles) if roles != fact.roles else fact


def spoken(fact: Fact, text: str) -> Fact:
    """The fact with the name of who says it in the place of "I" and "me", and of nobody: "Took the saw home." """
    speaker = speaker_of(text)
    if not speaker:
        return fact
    roles = {role: one._replace(text=speaker) if one.text.lower() in SPEAKERS else one for role, one in fact.roles.items()}
    if "who" not in roles and fact.kind in OWN_DEEDS:
        roles["who"] = Phrase(0, 0, speaker)
    return replace(fact, roles=roles)


def without_thanks(text: str) -> str:
    """A sentence up to the thanks at its end, whose name is of nobody who is there.

    >>> without_thanks("The saw is back in the shed, thanks Ann"), without_thanks("Thanks Ann")
    ('The saw is back in the shed', 'Thanks Ann')
    """
    found = THANKS.search(text)
    before = "" if found is None else text[: found.start()].rstrip(" ,;-–—")
    return before or text


def thanked(fact: Fact, text: str) -> Fact:
    """A fact of where something is, as one of who put it there, where its sentence ends with thanks to somebody."""
    found = THANKS.search(text)
    if fact.kind != "at" or found is None or "who" in fact.roles:
        return fact
    at = len(WORD.findall(text[: found.start("name")]))
    return replace(fact, kind="put", roles={**fact.roles, "who": Phrase(at, at + 1, found["name"])})
