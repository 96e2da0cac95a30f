"""What stories are about: people, things, containers, places, and values such as times and prices.

    Entity("person", ("Mary",), det="", gender="f")             Mary, she, her
    Entity("thing", ("red", "box"))                              the red box, a red box, it
    Entity("thing", ("bike",), owner=mary)                       Mary's bike, her bike
    Entity("time", ("Monday",), prep="on", det="")               on Monday

An answer is a span of the story that names an entity: without articles, with "my" of people ("my sister").
"""

from __future__ import annotations

from collections.abc import Iterable

from ..text.tokens import split

PRONOUNS = {  # subject, object, possessive
    "m": ("he", "him", "his"),
    "f": ("she", "her", "her"),
    "n": ("it", "it", "its"),
    "p": ("they", "them", "their"),
}
SPEAKING = {"I": ("I", "me", "my"), "we": ("we", "us", "our"), "you": ("you", "you", "your")}
VALUES = frozenset({"time", "price", "number", "value", "reason", "manner", "long", "often", "vehicle", "purpose", "topic"})


class Entity:
    """Anything that a story names."""

    __slots__ = (
        *(
            "det",
            "gender",
            "head",
            "into",
            "kind",
            "known",
            "level",
            "mass",
            "members",
            "noun",
            "open",
            "owner",
            "plural",
            "prep",
            "rank",
        ),
        *("speaking", "sure", "tint", "words"),
    )

    def __init__(
        self,
        kind: str,
        words: Iterable[str],
        *,
        det: str = "the",
        owner: Entity | None = None,
        gender: str = "n",
        sure: bool = True,
        plural: bool = False,
        prep: str = "",
        noun: str = "",
    ):
        self.kind = kind
        given = tuple(words)
        self.words = tuple(split(" ".join(given))) if any("'" in word for word in given) else given  # butcher 's
        self.det = det  # "the", "my", "our", "your", "" of names and values; with an owner it is not used
        self.owner = owner
        self.gender = gender
        self.sure = sure  # whether a hearer knows the gender from the name
        self.plural = plural
        self.prep = prep  # of a place or container: where things are; of a time: "on", "at"
        self.into = prep  # where things go
        self.noun = noun  # the class in nouns.txt
        self.head = given[-1] if given else ""
        self.level = ""  # of a place: house, town or world
        self.members: tuple[Entity, ...] = ()  # of a group: Mary and John
        self.speaking = ""  # "I", "we", "you"
        self.open = False  # a place that one does not enter by a door
        self.mass = False  # "some bread", not "a bread"
        self.tint: Entity | None = None  # its colour, where its words begin with one
        self.known = False  # whether it has been named
        self.rank = 0  # of a time: its place in the order

    @property
    def agree(self) -> str:
        """How a verb agrees with it as a subject: "1", "3" or "p"."""
        if self.speaking:
            return "1" if self.speaking == "I" else "p"
        return "p" if self.plural or self.members else "3"

    @property
    def animate(self) -> bool:
        """Whether it is asked for by "who"."""
        return self.kind == "person"

    def pronouns(self) -> tuple[str, str, str]:
        """Subject, object and possessive pronoun."""
        if self.speaking:
            return SPEAKING[self.speaking]
        return PRONOUNS["p" if self.plural or self.members else self.gender]

    def __repr__(self) -> str:
        if self.members:
            return " and ".join(map(repr, self.members))
        return f"<{self.kind} {' '.join(self.words)}>"


def group(members: Iterable[Entity]) -> Entity:
    """Several as one: Mary and John, the milk and the bread."""
    members = tuple(members)
    both = Entity(members[0].kind, (), plural=True)
    both.members = members
    return both


def value(kind: str, text: str, prep: str = "", rank: int = 0) -> Entity:
    """A time, a price, a colour ...: ``value("time", "Monday", "on")``."""
    made = Entity(kind, text.split(), det="", prep=prep)
    made.rank = rank
    return made


def members(entity: Entity) -> tuple[Entity, ...]:
    """The members of a group, or the one."""
    return entity.members or (entity,)
