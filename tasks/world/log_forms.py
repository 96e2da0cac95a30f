"""Forms of entries of log books, with what they say, and names to put into them.

    {who} brought {what} back and {who2} took it out again. | drop who what; take who=who2 what
    Who got {what} going again? | who did:mended what

The forms are in ``lexicon/entries``, which a language model wrote for the log books of many fields, and more names in
``lexicon/ways``; a slot stands for somebody, something, a place or a fault, of the lists of the same file or of the world.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from random import Random

from .cast import Cast
from .dials import Dials
from .entities import Entity
from .lexicon import names, table, training_texts

SLOT = re.compile(r"\{(\w+)\}")
LISTS = ("opening", "end", "person", "thing", "place")  # sections of the ways that list names
ROLE_OF = {"from": "source"}  # where a slot or a role has another name than among the facts
KIND_OF = {"who": "who", "who2": "who", "who3": "who", "what": "what", "what2": "what", "to": "to", "to2": "to", "from": "to"}
LISTED = ("fault", "flaw")
OWN = 0.6  # share of names that the file lists
NAMED, BY_NAME, CODED = 0.06, 0.1, 0.14  # things up to there have a name of their own; one and what they are; a code
ARTICLE = re.compile(r"^(?:the|a|an|my|our|your|his|her|their) ", re.IGNORECASE)


@dataclass
class Form:
    """A sentence with slots, and what it says or asks: kinds, each with the slot of every role."""

    text: str
    facts: list[tuple[str, dict[str, str]]]


@dataclass
class Forms:
    """Those of one file, and the names that it lists for slots."""

    told: list[Form] = field(default_factory=list)
    asked: list[Form] = field(default_factory=list)
    lists: dict[str, list[str]] = field(default_factory=dict)


def fact_of(text: str) -> tuple[str, dict[str, str]]:
    """A fact as a form has it, "give what receiver=who2", as a kind and the slot of each role."""
    kind, *roles = text.removeprefix("not ").split()
    named = dict(role.partition("=")[::2] for role in roles)
    slots = {ROLE_OF.get(role, role): slot or role for role, slot in named.items()}
    if kind == "at" and "what" not in slots:
        slots["what"] = slots.pop("who")
    return ("not at" if text.startswith("not ") else kind), slots


def asked_of(text: str) -> list[tuple[str, dict[str, str]]]:
    """What a question asks for: its kind with the slots that it names, and the kind of deed, where it asks of one."""
    if not text:
        return []
    kind, _, deed = text.partition(":")
    deed, *roles = deed.split() or [""]
    if not deed:
        asks = text.split()
        while asks[-1] in KIND_OF or "=" in asks[-1]:
            roles.insert(0, asks.pop())
        kind = " ".join(asks)
    _, slots = fact_of(" ".join(["asked", *roles]))
    if kind in ("where", "where before", "is in") and "what" not in slots:
        slots["what"] = slots.pop("who")
    return [(kind, slots), *([(deed, {})] if deed else [])]


@cache
def all_forms() -> tuple[Forms, ...]:
    """Those of every file."""
    return tuple(map(read_forms, training_texts("entries").values()))


def read_forms(text: str) -> Forms:
    """The forms of a file: entries, questions and lists, each part after its heading."""
    found, part, listed = Forms(), "entries", ""
    for line in text.splitlines():
        if line.startswith("---"):
            part = line.strip("- ")
        elif line.strip() and part == "lists":
            if line.startswith("["):
                listed = line.strip("[] ")
            else:
                found.lists.setdefault(listed, []).append(line.strip())
        elif "|" in line:
            text, facts = (one.strip() for one in line.rsplit("|", 1))
            if part == "questions":
                found.asked.append(Form(text, asked_of(facts)))
            else:
                found.told.append(Form(text, [fact_of(one.strip()) for one in facts.split(";") if one.strip()]))
    return found


@cache
def all_faults() -> dict[str, list[str]]:
    """What may be wrong with a thing, of all files: as clauses and as noun phrases."""
    return {kind: [text for forms in all_forms() for text in forms.lists.get(kind, [])] for kind in LISTED}


@cache
def given_names() -> tuple[str, ...]:
    """Names of women and men of all cultures."""
    return tuple(name for kind in ("woman", "man") for culture in names(kind) for name in culture)


def capital(text: str) -> str:
    """The first letter large."""
    return text[:1].upper() + text[1:]


@cache
def ways() -> dict[str, list[str]]:
    """Ways to say one fact, and lists of names, of each section of all files."""
    found: dict[str, list[str]] = {}
    section = ""
    for text in training_texts("ways").values():
        for line in text.splitlines():
            if line.startswith("[") and line.rstrip().endswith("]"):
                section = line.strip().strip("[]")
            elif line.strip():
                found.setdefault(section, []).append(line if section in LISTS else line.strip())
    return found


class Names:
    """Who, what and where a few sentences are about."""

    def __init__(self, random: Random) -> None:
        self.random, self.cast = random, Cast(random, Dials(speakers=False))

    def of(self, slot: str) -> str:
        """A name for a slot, with its article."""
        kind = {"who": "person", "receiver": "person", "what": "thing"}.get(slot, "place")
        listed = ways().get(kind)
        if listed and self.random.random() < 0.4:
            return self.random.choice(listed).strip()
        entity = self.cast.person() if kind == "person" else self.cast.thing() if kind == "thing" else self.place()
        return " ".join(filter(None, [entity.det, *entity.words])) if not entity.speaking else self.of(slot)

    def several(self) -> str:
        """Two or three things that are named together: "pump 3, the saw and a lamp", "pumps 3, 4 and 5"."""
        count = self.random.randint(2, 3)
        if self.random.random() < 0.4:
            noun, numbers = (
                self.random.choice(table("asides.toml")["equipment"]),
                sorted(self.random.sample(range(1, 40), count)),
            )
            each = self.random.random() < 0.5  # "pump 3 and pump 4", not "pumps 3 and 4"
            name = noun if each else f"{noun}s"
            told = [f"{name} {number}" if each or not at else str(number) for at, number in enumerate(numbers)]
        else:
            told = [self.of("what") for _ in range(count)]
        return " and ".join([", ".join(told[:-1]), told[-1]])

    def place(self) -> Entity:
        """A place or a container."""
        return self.cast.place() if self.random.random() < 0.6 else self.cast.container()


class OwnNames(Names):
    """The same with those that a file of entries lists, and names and codes of animals and machines."""

    def __init__(self, random: Random, lists: dict[str, list[str]]) -> None:
        super().__init__(random)
        self.lists = lists

    def of(self, slot: str) -> str:
        """A name for a slot, or what is wrong with a thing."""
        kind, roll = KIND_OF.get(slot, slot), self.random.random()
        if kind == "what" and roll < CODED:
            return self.own_name(roll)
        if self.lists.get(kind) and self.random.random() < OWN:
            return self.random.choice(self.lists[kind])
        return self.random.choice(all_faults()[kind]) if kind in LISTED else super().of(kind)

    def own_name(self, roll: float) -> str:
        """Of an animal, a machine or a parcel: "Bella", "Bella the goat", "LT-041"."""
        if roll >= BY_NAME:
            letters = "".join(self.random.choices("ABCDEFGHKLMNPRSTVW", k=self.random.randint(1, 3)))
            number = str(self.random.randint(1, 999)).zfill(self.random.randint(1, 3))
            return f"{letters}{self.random.choice(('-', '', '-'))}{number}"
        given = self.random.choice(given_names())
        return given if roll < NAMED else f"{given} the {ARTICLE.sub('', super().of('what')).split()[-1]}"
