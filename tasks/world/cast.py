"""Who and what a story is about: draws people, things, places, times and values, each with words of its own.

cast.person()     one of the story's people, mostly one that was named of late: Selime, my sister, the plumber, Mr Osei, I
cast.thing("food"), cast.container(), cast.place(), cast.time(), cast.value("price")
"""

from __future__ import annotations

from collections.abc import Callable

from .entities import Entity, value
from .forms import ALWAYS_PLURAL, plural
from .lexicon import WORDS, nouns, table
from .people import People
from .values import DAYS, SMALL_NUMBERS

PUBLISHED_PLACES = ("kitchen", "garden", "office", "hallway", "bathroom", "bedroom", "cinema", "park", "school")
PUBLISHED_THINGS = ("football", "milk", "apple")
THINGS = (
    *(
        "tool",
        "gadget",
        "paper",
        "kitchenware",
        "clothing",
        "jewel",
        "toy",
        "music",
        "personal",
        "personal",
        "food",
        "artefact",
    ),
)
PORTABLE = frozenset(THINGS) | {"toy", "garment", "written", "sharp", "packed"}
BIG = frozenset(nouns("big thing"))
SMALL = frozenset(nouns("small container"))
UNCOUNTED = frozenset(nouns("uncounted"))


class Cast(People):
    """Draws from the lexicon so that no two entities of a story share a name."""

    # ---- things, containers, places

    def thing(self, kind: str = "") -> Entity:
        """Something of the story, or something new."""
        fitting = self.things if not kind else [one for one in (*self.things, *self.others) if one.noun in kind.split("+")]
        if fitting and (len(self.things) >= self.most["things"] or self.chance(0.6)) and not (kind and self.chance(0.5)):
            return self.recall(fitting)
        if self.things and self.chance(0.08) and not kind and not self.dials.published:
            like = self.pick(self.things)
            if (
                len(like.words) > 1
                and like.owner is None
                and like.det == "the"
                and not like.mass
                and len({one.head for one in self.things}) == len(self.things)
            ):
                made = self.twin(like)
                made.tint = self.tint(made)
                self.things.append(made)
                return made
        made = self.new_thing(kind)
        (self.things if made.noun in PORTABLE or self.dials.published else self.others).append(made)
        return self.enter(made)

    def new_thing(self, kind: str = "") -> Entity:
        """Something that the story does not have."""
        if self.dials.published:
            left = [word for word in PUBLISHED_THINGS if word not in self.used] or list(PUBLISHED_THINGS)
            return Entity("thing", [self.pick(left)])
        if kind == "any":
            kind = "artefact" if self.chance(0.5) else self.pick(THINGS)
        chosen = self.pick((kind or self.pick(THINGS)).split("+"))
        word = self.noun(chosen)
        many = (
            word.split()[-1] in ALWAYS_PLURAL
            or chosen in PLURAL_CLASSES
            or (chosen in MIXED and word.endswith("s") and not word.endswith("ss") and " of " not in word)
        )
        if not many and chosen in THINGS and word not in UNCOUNTED and " " not in word and self.chance(0.12):
            word, many = plural(word), True
        made = Entity("thing", [*self.adjectives(chosen), *word.split()], plural=many)
        made.tint = self.tint(made)
        made.noun = chosen
        made.mass = (
            chosen in ("mass food", "drink")
            or word in UNCOUNTED
            or (chosen in MIXED and not many and word in nouns("mass food+drink+mass"))
        )
        self.possess(made)
        return made

    def adjectives(self, kind: str) -> list[str]:
        """None, mostly, or a colour or another property."""
        if not self.chance(0.28) or kind in BARE:
            return []
        classes = {"paper": ("quality paper",), "food": ("quality food",)}.get(kind, ("colour", "colour", "quality", "size"))
        return self.pick(nouns(self.pick(classes), self.dials.words)).split()

    def tint(self, made: Entity) -> Entity | None:
        """Its colour, where its words begin with one."""
        for count in (2, 1):
            if len(made.words) > count and " ".join(made.words[:count]) in nouns("colour"):
                return value("value", " ".join(made.words[:count]))
        return None

    def possess(self, made: Entity) -> None:
        """Make it somebody's, now and then."""
        roll = self.random.random() if "of" not in made.words else 1.0
        if roll < 0.14 and self.dials.speakers:
            made.det = "my" if self.chance(0.8) else self.pick(("our", "your"))
        elif roll < 0.24:
            owners = [one for one in self.people if not one.speaking and one.owner is None]
            if owners:
                made.owner = self.pick(owners)

    def twin(self, thing: Entity) -> Entity:
        """Another of the kind, told apart by an adjective: the red box, the blue box."""
        words = [
            word
            for word in nouns(self.pick(("colour", "which")), self.dials.words)
            if word not in thing.words and " " not in word
        ]
        made = Entity(thing.kind, [self.pick(words), thing.head], prep=thing.prep, plural=thing.plural)
        made.into = thing.into
        made.noun = thing.noun
        return self.enter(made)

    def container(self) -> Entity:
        """Something that things lie in, on or under."""
        if self.containers and (len(self.containers) >= self.most["spots"] or self.chance(0.5)):
            return self.recall(self.containers)
        described = [one for one in self.containers if len(one.words) > 1]
        if described and self.chance(0.25):
            made = self.twin(self.pick(described))
            if len({one.words for one in (*self.containers, made)}) > len(self.containers):
                self.containers.append(made)
                return made
        kind, prep, into = self.pick(
            (("container in", "in", "in"), ("container in", "in", "into"), ("container in", "inside", "inside"))
            if self.chance(0.5)
            else (("container on", "on", "on"), ("container on", "on", "onto"), ("container on", "on", "on"))
            if self.chance(0.65)
            else tuple(
                ("container near", word, word)
                for word in ("under", "behind", "next to", "beside", "near", "in front of", "underneath", "on top of")
            )
        )
        words = self.noun(kind).split()
        if len(words) == 1 and self.chance(0.25):
            words = [*self.pick(nouns(self.pick(("colour", "which", "quality")), self.dials.words)).split(), *words]
        made = Entity("container", words, prep=prep, plural=words[-1] == "stairs")
        made.into, made.noun = into, kind
        self.possess(made)
        self.containers.append(self.enter(made))
        return made

    def place(self, *others: Entity, kind: str = "") -> Entity:
        """A room, a building or a city of the story."""
        fitting = [one for one in self.places if one not in others]
        if not kind and fitting and (len(self.places) >= self.most["spots"] or self.chance(0.45)):
            return self.recall(fitting)
        made = self.new_place(kind)
        if not kind:
            self.places.append(made)
        return self.enter(made)

    def new_place(self, kind: str = "") -> Entity:
        """A place that the story does not have."""
        general = not kind
        if self.dials.published:
            left = [word for word in PUBLISHED_PLACES if word not in self.used] or list(PUBLISHED_PLACES)
            made = Entity("place", [self.pick(left)], prep="in")
            made.into, made.level = "to", "house"
            return made
        if not kind and self.scene != "world" and self.chance(0.05):
            word, prep = self.pick(
                (
                    ("Room", "in"),
                    ("Gate", "at"),
                    ("Platform", "on"),
                    ("Lab", "in"),
                    ("Hall", "in"),
                    ("Apartment", "in"),
                    ("Studio", "in"),
                )
            )
            made = Entity("place", [word, str(self.random.randint(1, 40))], det="", prep=prep)
            made.into, made.level, made.open, made.noun = "to", "town", word in ("Gate", "Platform"), "numbered"
            return made
        kind = (
            kind or {"home": "room", "town": "building", "both": self.pick(("room", "building")), "world": "city"}[self.scene]
        )
        if general and self.scene != "world" and self.chance(0.05):
            return self._bare()
        kind = self.pick(kind.split("+"))
        made = Entity("place", self.noun(kind).split(), det="" if kind in ("city", "country", "street") else "the")
        made.level = {"room": "house", "building": "town"}.get(kind, "world")
        made.noun = kind
        made.prep = "at" if kind == "building" and not self.chance(0.35) else "in"
        if made.head in ON_PLACES:
            made.prep = "on"
        elif made.head in AT_PLACES:
            made.prep = "at"
        made.into, made.open = "to", made.head in OPEN_AIR
        return made

    def _bare(self) -> Entity:
        """Home, work, upstairs: places without "the"."""
        word, prep, into = self.pick(BARE_PLACES)
        made = Entity("place", [word], det="", prep=prep)
        made.into, made.level, made.open, made.noun = into, "house", True, "bare"
        return made

    # ---- values

    def value(self, kind: str) -> Entity:
        """A value of a class: price, clock, date, year, person, a class of nouns."""
        kind = self.pick(kind.split("+"))
        if kind == "post":
            return Entity("value", self.noun(kind).split(), det="the")
        if kind in MAKERS:
            return MAKERS[kind](self)
        if kind in ("building", "room", "city", "country", "street", "sleeping place"):
            return self._place_value(kind)
        made = Entity("value", self.noun(kind).split(), det="the" if kind in WITH_THE else "")
        made.plural = made.head.endswith("s") and not made.head.endswith("ss")
        made.noun = kind
        return made

    def _place_value(self, kind: str) -> Entity:
        if kind == "sleeping place":
            made = Entity("place", self.noun(kind).split(), prep="in")
            made.noun = kind
            return made
        made = self.new_place(kind)
        if kind == "street":
            made.prep = "in"
        self.used.add(" ".join(made.words))
        return made

    def _quantity(self, kind: str) -> Entity:
        unit = self.pick(SMALL_NUMBERS[kind].split())
        return value("value", f"{self.number(2, 60).words[0]} {unit}")

    def _outfit(self) -> Entity:
        words = self.noun("clothing").split()
        if self.chance(0.6):
            words = [*self.pick(nouns("colour", self.dials.words)).split(), *words]
        made = Entity("value", words, det="")
        made.tint = self.tint(made)
        return made

    def _code(self) -> Entity:
        if self.chance(0.6):
            return value("value", str(self.random.randint(1000, 99999)))
        return value("value", f"{self.noun('animal').replace(' ', '')}{self.random.randint(1, 99)}")

    def _name(self) -> Entity:
        return value("value", self.noun("creature name") if self.chance(0.5) else self.named().words[0])

    def _wanted(self) -> Entity:
        made = self.new_thing(self.pick(THINGS))
        made.owner, made.det = None, "the"
        return self.enter(made)

    def _days(self) -> Entity:
        return value("time", self.pick(DAYS) + "s", "on")


ON_PLACES = frozenset(nouns("on place"))
AT_PLACES = frozenset(nouns("at place"))
OPEN_AIR = frozenset(nouns("open place"))
PLURAL_CLASSES = frozenset({"collected", "wearable pair"})
MIXED = frozenset({"dish", "baked", "fried", "boiled", "sliced", "peeled", "parcel", "contents"})
BARE = frozenset(WORDS["bare"])
WITH_THE = frozenset({"task"})
BARE_PLACES: tuple[tuple[str, ...], ...] = tuple(map(tuple, WORDS["bare_places"]))
MAKERS: dict[str, Callable[[Cast], Entity]] = {
    "price": Cast.price,
    "clock": Cast.clock,
    "date": Cast.date,
    "amount": lambda cast: value("value", f"{cast.number(2, 20).words[0]} {cast.pick(nouns('unit'))}"),
    "person": lambda cast: cast.person(),
    "age": lambda cast: cast.number(2, 99),
    "year": lambda cast: value("time", str(cast.random.randint(1900, 2025)), "in"),
    "day": lambda cast: value("time", cast.pick(DAYS), "on"),
    "days": Cast._days,
    "digits": lambda cast: value("value", str(cast.random.randint(2, 9999))),
    "code": Cast._code,
    "name": Cast._name,
    "outfit": Cast._outfit,
    "a thing": Cast._wanted,
    "weight": lambda cast: cast._quantity("weight"),
    "height": lambda cast: value(
        "value",
        cast.pick(
            (f"1.{cast.random.randint(40, 99)} metres", f"{cast.random.randint(140, 205)} centimetres", "six feet", "five feet")
        ),
    ),
    "length": lambda cast: cast._quantity("length"),
    "distance": lambda cast: cast._quantity("distance"),
}
FACTS = table("facts.toml")
