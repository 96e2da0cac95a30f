"""What a log book says so far: who has each thing, where it is, what is wrong with it, and what happened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

UNWELL = ("fault", "missing", "mended", "checked")  # kinds that say nothing of where a thing is


@dataclass
class Event:
    """What an entry says: its kind, who and what by role, and the statements that say it."""

    kind: str
    roles: dict[str, str]
    statements: tuple[int, ...]


@dataclass
class State:
    """Who has each thing, where each thing and person is, and what is wrong with it, as entries say; and what happened."""

    holder: dict[str, str | None] = field(default_factory=dict)  # None: nobody, as was said
    place: dict[str, str | None] = field(default_factory=dict)  # None: not there any more
    fault: dict[str, str | None] = field(default_factory=dict)  # None: it works; "": nobody says what it is
    missing: set[str] = field(default_factory=set)
    holders: dict[str, list[str]] = field(default_factory=dict)
    places: dict[str, list[str]] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)

    def held(self, what: str, who: str | None) -> None:
        """Somebody has it, or nobody."""
        self.holder[what] = who
        if who is not None and self.holders.get(what, [""])[-1] != who:
            self.holders.setdefault(what, []).append(who)

    def is_at(self, what: str, where: str | None) -> None:
        """It is there, or not where it was."""
        self.place[what] = where
        if where is not None and self.places.get(what, [""])[-1] != where:
            self.places.setdefault(what, []).append(where)

    def apply(self, kind: str, roles: dict[str, str], statements: tuple[int, ...]) -> None:
        """What an entry changes."""
        self.events.append(Event(kind, roles, statements))
        what, who, to = roles.get("what", ""), roles.get("who"), roles.get("to")
        source = roles.get("source")
        moves = what or (who if kind in ("go", "leave") else None)
        if moves and source and self.place.get(moves) is None:
            self.is_at(moves, source)
        if what and kind not in UNWELL:
            self.missing.discard(what)
        if kind in ("take", "has", "carry"):
            self.held(what, who)
            self.is_at(what, to if kind == "carry" else None)
        if kind == "give":
            if who is not None:
                self.held(what, who)
            self.held(what, roles.get("receiver"))
            self.is_at(what, None)
        if kind == "drop":
            if who is not None:
                self.held(what, who)
            self.held(what, None)
            self.is_at(what, to)
        if kind in ("put", "at"):
            self.held(what, None)
            self.is_at(what, to)
        if kind in ("go", "carry") and who:
            self.is_at(who, to)
        if kind == "leave" and who:
            self.is_at(who, None)
        if kind in ("not at", "no longer at") and self.place.get(what) == to:
            self.is_at(what, None)
        if kind == "fault":
            self.fault[what] = roles.get("other", "")
        if kind == "mended":
            self.fault[what] = None
        if kind == "missing":
            self.missing.add(what)
            self.holder.pop(what, None)
            self.is_at(what, None)

    def allows(self, kind: str, roles: dict[str, str]) -> bool:
        """Whether an entry may say this now."""
        what, who, to, source = (roles.get(role, "") for role in ("what", "who", "to", "source"))
        holder = self.holder.get(what)
        if kind in ("give", "drop") and who and holder not in (None, who):
            return False
        if (kind == "take" and who == holder) or (kind == "give" and roles.get("receiver") == holder):
            return False
        if kind in ("put", "carry") and to and self.place.get(what) == to:
            return False
        if kind == "go" and self.place.get(who) == to:
            return False
        if source and (holder is not None or self.place.get(what or who, source) != source or source == to):
            return False
        if kind in ("not at", "no longer at") and self.place.get(what, to) != to:
            return False
        if kind == "fault" and self.fault.get(what) is not None:
            return False
        return kind != "drop" or what not in self.missing

    def happened(self, kinds: tuple[str, ...], **roles: str) -> Iterator[Event]:
        """The events of some kinds that have these roles, newest first."""
        for event in reversed(self.events):
            if event.kind in kinds and all(event.roles.get(role) == name for role, name in roles.items()):
                yield event
