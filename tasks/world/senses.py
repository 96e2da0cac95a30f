"""Senses of verbs: the ways to tell one deed, read from senses.toml and deeds.txt.

    "giver | give, hand | theme | to receiver | dative"   ->   Frame("giver", ("give", "hand"), "theme", ...)

Frames of one sense tell the same event: Ann sold Bob the bike; Bob bought the bike from Ann.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from .entities import Entity, value
from .lexicon import deed_lines, part_of, table

ADDED = {  # additions of deeds.txt, by another name of senses.toml
    "with": "company",
    "about": "topic",
    "long": "long",
    "favour": "favour",
    "event": "event",
    "to": "hearer",
}
FLAGS = frozenset({"dative", "active", "far", "near", "where", "exact", "inside", "box", "ground"})


@dataclass(frozen=True)
class Frame:
    """One way to tell a deed: who is the subject, which verbs, what is the object, which prepositions mark the rest."""

    subject: str
    verbs: tuple[str, ...]
    object: str | None
    marked: tuple[tuple[str, str, bool], ...]  # preposition ("" for the role's own), role, whether it may be left out
    flags: frozenset[str]
    plain: tuple[str, ...] = ()  # verbs that say what all of them say

    def roles(self) -> tuple[str, ...]:
        """The roles that it can name."""
        return (self.subject, *((self.object,) if self.object else ()), *(role for _, role, _ in self.marked))

    def fits(self, roles: dict[str, Entity]) -> bool:
        """Whether roles that are told suffice for it."""
        needed = [self.subject, *([self.object] if self.object else []), *(role for _, role, free in self.marked if not free)]
        if any(role not in roles for role in needed):
            return False
        place = roles.get("place") or roles.get("source")
        if place is not None and place.noun == "bare" and (self.object in ("place", "source")):
            return False
        if "far" in self.flags:
            return place is not None and place.level == "world"
        if "location" in roles and {"box", "ground"} & self.flags:
            return ("ground" in self.flags) == (roles["location"].kind == "place")
        if "inside" in self.flags:
            return place is not None and place.level != "world" and not place.open
        if "near" in self.flags:
            return place is None or place.level != "world"
        return True


@dataclass(frozen=True)
class Sense:
    """What verbs of one meaning have in common."""

    name: str
    frames: tuple[Frame, ...]
    does: str
    once: bool
    adds: tuple[str, ...]
    tense: str
    needs: dict[str, str]  # classes of nouns of its roles
    sets: tuple[str, str]

    def state(self, word: str) -> Entity:
        """The value that a deed sets: "open" of opened doors."""
        return state(word)

    def __hash__(self) -> int:
        return hash(self.name)


@cache
def state(word: str) -> Entity:
    """A state as a value."""
    return value("value", word)


def _frame(text: str) -> Frame:
    subject, verbs, *rest = (part.strip() for part in text.split("|"))
    flags = frozenset(part for part in rest if part in FLAGS)
    rest = [part for part in rest if part not in FLAGS]
    target = rest[0] if rest and rest[0] != "-" else None
    marked = []
    for part in rest[1:]:
        free = part.startswith("[")
        *preposition, role = part.strip("[]").split()
        joined = " ".join(preposition).replace("_", " ")
        marked.append(("" if joined == "" else joined, role, free))
    plain, _, others = verbs.partition("/")
    neutral = tuple(verb.strip() for verb in plain.split(","))
    return Frame(
        subject,
        (*neutral, *(verb.strip() for verb in others.split(",") if verb.strip())),
        target,
        tuple(marked),
        flags,
        neutral,
    )


def _deed_sense(verbs: tuple[str, ...], done_to: str, adds: tuple[str, ...]) -> Sense:
    target = None if done_to == "-" else "patient" if done_to == "person" or done_to == "role" else "theme"
    name = f"{verbs[0].replace(' ', '_')}:{done_to.replace(' ', '_')}"
    frame = Frame("agent", verbs, target, (), frozenset(), verbs)
    needs = {} if target is None else {target: done_to}
    renamed = tuple(ADDED.get(add, add) for add in adds)
    return Sense(name, (frame,), "none", False, (*renamed, "time", "reason", "manner", "often"), "", needs, ("", ""))


def _read() -> dict[str, Sense]:
    found = {}
    settings: dict[str, Any]
    for name, settings in table("senses.toml").items():
        needs = {key: text for key, text in settings.items() if key not in KEYS}
        found[name] = Sense(
            name,
            tuple(_frame(text) for text in settings["frames"]),
            settings["does"],
            settings.get("once", False),
            tuple(settings.get("adds", "").split()),
            settings.get("tense", ""),
            needs,
            tuple(settings.get("sets", ("", ""))),
        )
    for name, sense in list(found.items()):
        if "exact" in sense.frames[0].flags:
            del found[name]
            for verb in sense.frames[0].verbs:
                frame = replace(sense.frames[0], verbs=(verb,), plain=(verb,))
                found[f"{name}_{verb}"] = replace(sense, name=f"{name}_{verb}", frames=(frame,))
    for verbs, classes, adds in deed_lines():
        for done_to in classes:
            sense = _deed_sense(verbs, done_to, adds)
            found.setdefault(sense.name, sense)
    return found


KEYS = frozenset({"frames", "does", "once", "adds", "tense", "sets"})
SENSES: dict[str, Sense] = _read()


@cache
def frame_verbs(frame: Frame, part: str) -> tuple[str, ...]:
    """The verbs of a frame that belong to a part of the lexicon."""
    return part_of(frame.verbs, part)


@cache
def by_effect(effect: str) -> tuple[str, ...]:
    """The names of the senses that do something."""
    return tuple(name for name, sense in SENSES.items() if sense.does == effect)
