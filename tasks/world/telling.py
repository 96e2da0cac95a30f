"""What families share: drawing a deed's additions, its frame, verb and tense, and wrapping records with the way they are said.

teller.deed("give", giver=ann, theme=key, receiver=bob)   ->   Telling(Deed(...), "Ann handed the key to Bob on Monday")
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

from .cast import Cast
from .clauses import place_after
from .deed_lines import choose_verb, tell_deed
from .dials import Dials
from .entities import Entity, group, value
from .lexicon import WORDS, nouns, reasons, table
from .lines import Focus, Line
from .records import Deed, Record
from .senses import SENSES, Frame, Sense
from .templates import fill
from .world import World

Say = Callable[[Line], None]
MANNERS = nouns("manner")
UNREAL: tuple[str, ...] = tuple(WORDS["unreal"])
CONTRASTED = frozenset({"receiver", "place", "location", "spot"})
LONG = ("hours", "minutes", "days", "weeks", "months")
PUBLISHED_VERBS = {  # of the published tasks
    "go": ("go", "go back", "move", "journey", "travel"),
    "take": ("get", "take", "grab", "pick up"),
    "drop": ("drop", "leave", "discard", "put down"),
    "give": ("give", "hand", "pass"),
}


@dataclass
class Telling:
    """What a statement is to say: its records, and how; ``subject`` where more of the same may follow ("and went home")."""

    records: list[Record]
    say: Say
    subject: Entity | None = None
    follow: Say | None = None  # the same without its subject


def template(texts: list[str] | tuple[str, ...], record: Record, names: dict[str, Entity], random: Random) -> Telling:
    """A record said by one of several templates."""
    text = texts[int(random.random() * len(texts))]
    return Telling([record], lambda line: fill(line, text, names))


@cache
def said(section: str, name: str) -> tuple[str, ...]:
    """Templates of asking.toml."""
    return tuple(table("asking.toml")[section][name])


class Teller:
    """Draws what families need; a story's state is in ``world``, its entities in ``cast``."""

    def __init__(self, random: Random, dials: Dials):
        self.random = random
        self.dials = dials
        self.cast = Cast(random, dials)
        self.world = World()
        self.focus = Focus()  # what the last sentence named
        self.grid: dict[Entity, tuple[float, float]] = {}  # where what is laid out stands, so that it fits together
        self.places_laid: bool | None = None  # whether places are laid out, or things
        self.diary_slots = 0
        self.chance = self.cast.chance
        self.pick = self.cast.pick
        self.narrative = "present" if random.random() < 0.07 and not dials.published else "past"

    # ---- deeds

    def deed(
        self,
        name: str,
        *,
        mode: str = "",
        front: str = "",
        roles: dict[str, Entity | None] | None = None,
        **named: Entity | None,
    ) -> Telling | None:
        """A deed with additions, in some frame, verb and tense; ``None`` where no frame fits."""
        sense = SENSES[name]
        told = {role: entity for role, entity in {**(roles or {}), **named}.items() if entity is not None}
        if {"I", "we"} <= {member.speaking for entity in told.values() for member in (entity, *entity.members)}:
            return None
        mode = mode or self.mode(sense)
        tense = "past" if mode else self.tense(sense, mode)
        front = front if not mode and tense in ("past", "present") else ""
        if tense == "present" and "often" in sense.adds and self.narrative == "past":
            told["often"] = value("often", self.pick(nouns("often")))
        self.add(sense, told, tense, mode)
        frames = [frame for frame in sense.frames if frame.fits(told)]
        if not frames:
            return None
        frame = frames[0] if self.dials.published or self.chance(0.4) else self.pick(frames)
        return self.told(sense, frame, told, tense, mode, front)

    def told(
        self, sense: Sense, frame: Frame, roles: dict[str, Entity], tense: str, mode: str = "", front: str = ""
    ) -> Telling:
        """A deed in a frame."""
        verb = self.pick(frame.plain) if mode and not self.dials.published else self.verb(sense, frame)
        if "vehicle" in roles and verb not in (
            "go",
            "travel",
            "come",
            "go back",
            "get",
            "get back",
            "come back",
            "return",
            "commute",
            "arrive",
        ):
            del roles["vehicle"]
        kept = {
            role: entity
            for role, entity in roles.items()
            if role in frame.roles() or role in sense.adds or role in ("number", "amount")
        }
        record = Deed(sense.name, kept, tense, mode)

        def say(line: Line) -> None:
            tell_deed(line, frame, kept, verb, tense, mode, front)

        def follow(line: Line) -> None:
            tell_deed(line, frame, {role: one for role, one in kept.items() if role != "reason"}, verb, tense, mode, "", True)

        if self.chance(self.dials.contrasts) and not mode and tense == "past" and not {"time", "reason"} & set(kept):
            contrast = self._contrast(frame, kept, record)
            if contrast is not None:
                return contrast(verb)
        plain = not mode and tense in ("past", "present") and frame.subject in kept and "reason" not in kept
        return Telling([record], say, kept.get(frame.subject), follow if plain else None)

    def _contrast(self, frame: Frame, roles: dict[str, Entity], record: Deed) -> Callable[[str], Telling] | None:
        """Ann gave the key to Bob, not to Cid: another who did not get it."""
        marked = [(before, role) for before, role, _ in frame.marked if role in CONTRASTED and role in roles]
        if not marked:
            return None
        before, role = marked[-1]
        old = roles[role]
        used = [member for one in roles.values() for member in (one, *one.members)]
        other = (
            self.cast.person(*used)
            if old.kind == "person"
            else self.cast.place(old)
            if old.kind == "place"
            else self.cast.container()
        )
        if other in used or other.speaking or other.level != old.level:
            return None
        flat = replace(frame, flags=(frame.flags | {"active"}) - {"dative"})
        kept = {name: one for name, one in roles.items() if name in frame.roles()}
        record.roles = kept

        def telling(verb: str) -> Telling:
            def say(line: Line) -> None:
                tell_deed(line, flat, kept, verb, record.tense)
                line.put(",", "not")
                line.verb = "keep"
                place_after(line, other, before, role)

            denied = Deed(record.sense, {**kept, role: other}, record.tense, "not")
            return Telling([record, denied], say, roles.get(frame.subject))

        return telling

    def verb(self, sense: Sense, frame: Frame) -> str:
        """A verb of a frame."""
        if self.dials.published and sense.name in PUBLISHED_VERBS:
            return self.pick(PUBLISHED_VERBS[sense.name])
        return choose_verb(self.random, frame, self.dials.words, self.dials.unusual)

    def mode(self, sense: Sense) -> str:
        """What a deed is: so, mostly; else denied, possible or wished."""
        if not self.chance(self.dials.unreal) or sense.tense or sense.name.startswith(("promise", "tell")):
            return ""
        return self.pick(UNREAL)

    def tense(self, sense: Sense, mode: str) -> str:
        """A tense; of deeds with effects one that says that it happened."""
        if sense.tense:
            return sense.tense
        roll = self.random.random()
        if ":" not in sense.name and sense.does == "none":
            return "future" if roll < 0.08 else "perfect" if roll < 0.16 else "past"
        if sense.does != "none" or self.dials.published:
            return "perfect" if roll < 0.08 and not self.dials.published else self.narrative
        for tense, share in (
            ("perfect", 0.08),
            ("now", 0.14),
            ("then", 0.19),
            ("future", 0.25),
            ("going", 0.3),
            ("earlier", 0.33),
            ("present", 0.38),
        ):
            if roll < share:
                return tense
        return "past"

    def add(self, sense: Sense, roles: dict[str, Entity], tense: str, mode: str) -> None:
        """Add times, reasons, company and so on, two at most."""
        for _ in range(2):
            if sense.adds and self.chance(self.dials.additions):
                role = self.pick(sense.adds)
                if role not in roles and self._may_add(role, sense, tense, mode):
                    made = self.addition(role, roles, tense)
                    if made is not None and not any(
                        made is one or made.words == one.words for one in roles.values() if made.words
                    ):
                        roles[role] = made

    def _may_add(self, role: str, sense: Sense, tense: str, mode: str) -> bool:
        if role == "time":
            return tense not in ("now", "perfect", "present") and not mode
        if role == "often" or ("often" in sense.adds and tense == "present"):
            return False
        return not (mode and role in ("reason", "company", "manner"))

    def addition(self, role: str, roles: dict[str, Entity], tense: str) -> Entity | None:
        """Something that a deed may be told with."""
        cast = self.cast
        if role == "time":
            return cast.time(tense)
        if role == "reason":
            made = Entity("reason", [self.pick(reasons())], det="")
            made.head = "template"
            if self.chance(0.15):
                made = Entity("reason", self.pick(nouns("cause")).split(), det="")
                made.noun = "cause"
            return made if tense in ("past", "then", "perfect", "earlier") else None
        if role in ("company", "for", "hearer"):
            used = [member for one in roles.values() for member in (one, *one.members)]
            person = cast.person(*used)
            return person if person not in used and not person.plural else None
        if role in ("place", "shop", "destination"):
            return self._place(role)
        if role in ("long", "for_long"):
            return value("long", f"{cast.number(2, 12).words[0]} {self.pick(LONG)}")
        if role == "manner":
            return value("manner", self.pick(MANNERS))
        if role == "material":
            return value("value", cast.noun("material"))
        if role == "vehicle":
            if roles["place"].level == "house":
                return None
            return value("vehicle", self.pick(nouns("vehicle", self.dials.words)))
        if role == "tool":
            return cast.enter(Entity("thing", cast.noun("handy").split()))
        kind = {"topic": "topic", "favour": "favour", "event": "event", "surface": "surface", "game": "game"}.get(role)
        return (
            Entity("value" if kind == "game" else "topic", cast.noun(kind).split(), det="" if kind == "game" else "the")
            if kind
            else None
        )

    def _place(self, role: str) -> Entity:
        if role == "shop":
            made = self.cast.new_place("building")
            self.cast.used.add(" ".join(made.words))
            return made
        return self.cast.place()

    # ---- people

    def somebody(self, *others: Entity, several: float = 0.0) -> Entity:
        """Somebody of the story; two of them in a share of cases."""
        person = self.cast.person(*others)
        if several and self.chance(several) and not person.plural:
            other = self.cast.person(person, *others)
            if other is not person and other not in others and not other.plural:
                third = self.cast.person(person, other, *others) if self.chance(0.2) else other
                if third not in (person, other, *others) and not third.plural:
                    return group((person, other, third))
                return group((person, other))
        return person

    def settings(self, relation: str) -> Any:
        """What facts.toml says of a relation."""
        return table("facts.toml")[relation]
