"""What a statement says, as records: what the world learns from, and what a slow check can learn from again.

"Mary handed the ball to John on Monday."  ->  Deed("give", {giver: Mary, theme: ball, receiver: John, time: Monday})
"The keys are not in the drawer."           ->  At(keys, drawer, positive=False)
"Mary is either in the park or the school." ->  At(Mary, options=(park, school))
"Selime speaks Greek."                      ->  Being("speaks", Selime, Greek)
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .entities import Entity


@dataclass(slots=True, eq=False)
class Record:
    """What one statement, or a part of it, says; ``statement`` is its number, from 0."""

    statement: int = field(default=-1, kw_only=True)
    void: bool = field(default=False, kw_only=True)  # corrected since


@dataclass(slots=True, eq=False)
class Deed(Record):
    """Somebody did something; ``mode`` is "" where it is so, or "not", "maybe", "wish" ... (modes.toml)."""

    sense: str
    roles: dict[str, Entity]
    tense: str = "past"
    mode: str = ""


@dataclass(slots=True, eq=False)
class At(Record):
    """Somebody or something is somewhere, is not, or is in one of two places."""

    subject: Entity
    place: Entity | None = None
    positive: bool = True
    options: tuple[Entity, ...] = ()
    rank: int | None = None  # of a diary: its time; a story may tell a later time first


@dataclass(slots=True, eq=False)
class Has(Record):
    """Somebody has something, or one of two has it; ``carried`` where it goes where they go."""

    holder: Entity | None
    theme: Entity
    positive: bool = True
    options: tuple[Entity, ...] = ()
    carried: bool = True


@dataclass(slots=True, eq=False)
class Being(Record):
    """A fact of facts.toml: ``relation`` of ``subject`` is, or is not, ``value``."""

    relation: str
    subject: Entity
    value: Entity
    positive: bool = True


@dataclass(slots=True, eq=False)
class More(Record):
    """``high`` is more than ``low`` on a scale: taller, older, bigger."""

    scale: str
    high: Entity
    low: Entity


@dataclass(slots=True, eq=False)
class Beside(Record):
    """``one`` is north of, above, next to ``other``; between two where there is a third."""

    relation: str
    one: Entity
    other: Entity
    third: Entity | None = None


@dataclass(slots=True, eq=False)
class Kin(Record):
    """``one`` is the parent, spouse or sibling of ``other``."""

    relation: str
    one: Entity
    other: Entity


@dataclass(slots=True, eq=False)
class Count(Record):
    """Somebody has a number of things (``change`` is ""), gets more ("+") or fewer ("-"); ``other`` is to whom or from whom."""

    owner: Entity
    noun: Entity
    number: int
    change: str = ""
    other: Entity | None = None
    word: Entity | None = None  # how the number was written
    question: str = ""  # a template that asks for the change
    actor: Entity | None = None


@dataclass(slots=True, eq=False)
class Nobody(Record):
    """Nobody is in a place."""

    place: Entity


@dataclass(slots=True, eq=False)
class Rule(Record):
    """What holds of all of a kind: cats are afraid of dogs; who is hungry goes to the kitchen."""

    relation: str
    kind: Entity
    value: Entity
