"""What a question's answer is: things that the story names, yes, no, maybe, a number, a path, nothing, or not told and why.

Found("span", [kitchen], why={0, 3})     Found("number", number=2, why={1, 4})     Found("untold", reason="when")
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .entities import Entity

KINDS = ("span", "yes", "no", "maybe", "number", "nothing", "path", "untold")


@dataclass(slots=True)
class Found:
    """An answer before its words are looked up. ``items`` are what is named, in order; ``why`` the statements that say so."""

    kind: str
    items: list[Entity] = field(default_factory=list)
    number: int = 0
    why: frozenset[int] = frozenset()
    path: tuple[str, ...] = ()
    reason: str = ""


def span(items: Iterable[Entity], why: Iterable[int]) -> Found | None:
    """What is named, where it is one to three."""
    found = list(dict.fromkeys(items))
    return Found("span", found, why=frozenset(why)) if 1 <= len(found) <= 3 else None


def untold(reason: str, why: Iterable[int] = ()) -> Found:
    """The story does not say; ``reason`` is "who", "when", "where" ..."""
    return Found("untold", reason=reason, why=frozenset(why))


def same(one: Entity, other: Entity) -> bool:
    """Whether two entities are one: values and places are the same where their words are."""
    if one is other:
        return True
    return one.kind == other.kind and one.kind not in ("person", "thing", "container") and one.words == other.words
