"""Who and what a story is about: draws people, things, places, times and values, each with words of its own.

cast.person()     one of the story's people, mostly one that was named of late: Selime, my sister, the plumber, Mr Osei, I
cast.thing("food"), cast.container(), cast.place(), cast.time(), cast.value("price")
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from .dials import Dials
from .entities import Entity, value
from .forms import ALWAYS_PLURAL, plural
from .lexicon import names, nouns, table
from .values import DAYS, SMALL_NUMBERS, Values

PUBLISHED_PEOPLE = {"m": ("John", "Daniel", "Bill", "Fred", "Jeff"), "f": ("Mary", "Sandra", "Julie")}
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
BIG = frozenset(
    [
        "ladder",
        "wheelbarrow",
        "lawnmower",
        "trampoline",
        "piano",
        "cello",
        "harp",
        "canoe",
        "kayak",
        "surfboard",
        "pram",
        "pushchair",
        "stroller",
        "mattress",
        "tent",
        "tuba",
        "sledge",
        "bagpipes",
        "organ",
        "tractor",
        "treadmill",
        "statue",
        "sculpture",
        "tricycle",
        "wheelchair",
        "scarecrow",
        "cannon",
        "chariot",
        "sarcophagus",
        "jukebox",
        "television",
        "carousel",
        "hammock",
        "raft",
        "parachute",
        "plough",
        "loom",
    ]
)
SMALL = frozenset(
    [
        "drawer",
        "purse",
        "pocket",
        "envelope",
        "jar",
        "tin",
        "pouch",
        "case",
        "teapot",
        "mailbox",
        "letterbox",
        "handbag",
        "basket",
        "bowl",
        "lunch",
        "box",
        "folder",
        "caddy",
        "glove",
        "compartment",
        "till",
        "safe",
        "microwave",
        "cooler",
        "peg",
        "hook",
        "pillow",
        "plate",
        "vase",
        "tray",
    ]
)
UNCOUNTED = frozenset(
    ("milk", "homework", "soap", "toothpaste", "shampoo", "perfume", "lipstick", "salt", "water", "mail", "equipment")
)


class Cast(Values):
    """Draws from the lexicon so that no two entities of a story share a name."""

    def __init__(self, random: Random, dials: Dials):
        super().__init__(random)
        self.dials = dials
        self.used: set[str] = set()
        self.heads: dict[str, int] = {}
        self.people: list[Entity] = []
        self.things: list[Entity] = []
        self.containers: list[Entity] = []
        self.places: list[Entity] = []
        self.others: list[Entity] = []  # things that nobody carries
        self.topics: list[Entity] = []  # events
        self.recent: list[Entity] = []
        self.scene = self.pick(("home", "home", "town", "town", "both", "world"))
        self.most = {name: random.randint(*getattr(dials, name)) for name in ("people", "things", "spots")}
        self.me: Entity | None = None

    # ---- drawing

    def noun(self, kind: str) -> str:
        """A noun of a class that the story has not used."""
        words = nouns(kind, self.dials.words)
        word = self.pick(words)
        for _ in range(20):
            if word not in self.used and (" " not in word or word.split()[-1] not in self.used):
                break
            word = self.pick(words)
        return word

    def enter(self, entity: Entity) -> Entity:
        """Note the words of a new entity as used."""
        self.used.add(" ".join(entity.words))
        self.used.add(entity.head)
        self.heads[entity.head] = self.heads.get(entity.head, 0) + 1
        return entity

    def recall(self, entities: Sequence[Entity]) -> Entity:
        """One of the story's entities, more often one of the last few named."""
        if self.recent and self.chance(0.5):
            late = [one for one in self.recent[-6:] if one in entities]
            if late:
                return self.pick(late)
        return self.pick(entities)

    # ---- people

    def person(self, *others: Entity) -> Entity:
        """Somebody of the story who is none of the others."""
        there = [one for one in self.people if one not in others]
        if there and (len(self.people) >= self.most["people"] or self.chance(0.55)):
            return self.recall(there)
        for _ in range(30):
            made = self.new_person()
            if " ".join(made.words) not in self.used or made.speaking:
                if made.speaking and any(one.speaking == made.speaking for one in self.people):
                    continue
                self.people.append(self.enter(made))
                return made
        return self.recall(there or self.people)

    def new_person(self) -> Entity:
        """A person that the story does not have."""
        if self.dials.published:
            gender = self.pick(("m", "m", "m", "f", "f"))
            return Entity("person", [self.pick(PUBLISHED_PEOPLE[gender])], det="", gender=gender)
        roll = self.random.random()
        if roll < 0.12 and self.dials.speakers:
            return self.speaker("I" if self.chance(0.75) else "we")
        if roll < 0.26:
            return self.relative()
        if roll < 0.36:
            made = Entity("person", self.noun("role").split(), gender=self.pick("mf"), sure=False)
            made.sure = made.head in (
                "king",
                "queen",
                "prince",
                "princess",
                "man",
                "woman",
                "girl",
                "boy",
                "actress",
                "bride",
                "groom",
            )
            if made.sure:
                made.gender = "f" if made.head in ("queen", "princess", "woman", "girl", "actress", "bride") else "m"
            return made
        if roll < 0.43:
            title, gender, sure = self.pick(
                (
                    ("Mr", "m", True),
                    ("Mrs", "f", True),
                    ("Ms", "f", True),
                    ("Miss", "f", True),
                    ("Dr", "m", False),
                    ("Dr", "f", False),
                    ("Professor", "f", False),
                )
            )
            return Entity(
                "person", [title, self.pick(self.pick(names("family", self.dials.words)))], det="", gender=gender, sure=sure
            )
        if roll < 0.46:
            return Entity(
                "person",
                [self.noun("people")],
                det=self.pick(("the", "the", "my")) if self.dials.speakers else "the",
                plural=True,
            )
        if roll < 0.465:
            made = Entity("person", self.noun("pet").split(), gender=self.pick("mf"), sure=False)
            made.det = self.pick(("the", "the", "my", "our")) if self.dials.speakers else "the"
            made.noun = "pet"
            return made
        return self.named()

    def named(self) -> Entity:
        """Somebody with a first name."""
        gender = self.pick("mf")
        cultures = names("man" if gender == "m" else "woman", self.dials.words)
        return Entity("person", [self.pick(cultures[0] if self.chance(0.45) else self.pick(cultures))], det="", gender=gender)

    def speaker(self, word: str) -> Entity:
        """I or we."""
        made = Entity("person", [word], det="", gender="n", plural=word == "we")
        made.speaking = word
        made.known = True
        return made

    def relative(self) -> Entity:
        """My sister, Tom's uncle, Grandma, my brother Leo."""
        kind = self.pick(("woman", "man", "both"))
        word = self.noun(f"kin {kind}")
        gender = {"woman": "f", "man": "m"}.get(kind) or self.pick("mf")
        if word in ("mum", "dad", "mom", "grandma", "grandpa") and self.chance(0.6):
            return Entity("person", [word.capitalize()], det="", gender=gender)
        owners = [
            one for one in self.people if not one.speaking and not one.plural and one.owner is None and one.kind == "person"
        ]
        made = Entity("person", word.split(), gender=gender, sure=kind != "both")
        if owners and (self.chance(0.35) or not self.dials.speakers):
            made.owner = self.pick(owners)
        elif self.dials.speakers:
            made.det = "my" if self.chance(0.85) else "our"
        if kind != "both" and made.owner is None and made.det == "my" and self.chance(0.15):
            cultures = names(kind, self.dials.words)
            made.words = (*made.words, self.pick(cultures[0]))
            made.head = made.words[-1]
        return made

    def people_list(self, count: int) -> list[Entity]:
        """Several people."""
        found: list[Entity] = []
        for _ in range(count):
            made = self.person(*found)
            if made not in found:
                found.append(made)
        return found

    # ---- things, containers, places

    def thing(self, kind: str = "") -> Entity:
        """Something of the story, or something new."""
        fitting = self.things if not kind else [one for one in (*self.things, *self.others) if one.noun in kind.split("+")]
        if fitting and (len(self.things) >= self.most["things"] or self.chance(0.6)) and not (kind and self.chance(0.5)):
            return self.recall(fitting)
        if self.things and self.chance(0.08) and not kind and not self.dials.published:
            like = self.pick(self.things)
            if (
                like.owner is None
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
        roll = self.random.random()
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
        if self.containers and self.chance(0.2):
            made = self.twin(self.pick(self.containers))
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

    # ---- values

    def value(self, kind: str) -> Entity:
        """A value of a class: price, clock, date, year, person, a class of nouns."""
        kind = self.pick(kind.split("+"))
        if kind in ("price", "clock", "date"):
            return getattr(self, kind)()
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


ON_PLACES = frozenset(
    [
        "balcony",
        "porch",
        "patio",
        "terrace",
        "island",
        "pier",
        "farm",
        "beach",
        "landing",
        "driveway",
        "riverbank",
        "quay",
        "dock",
        "bridge",
    ]
)
AT_PLACES = frozenset(
    (
        "lake",
        "river",
        "canal",
        "mountain",
        "pond",
        "station",
        "airport",
        "university",
        "stop",
        "butcher's",
        "tailor's",
        "jeweller's",
        "dentist",
        "vet",
        "hairdresser",
        "florist",
    )
)
OPEN_AIR = frozenset(
    [
        "stop",
        "square",
        "pier",
        "beach",
        "lake",
        "river",
        "mountain",
        "bridge",
        "island",
        "valley",
        "desert",
        "meadow",
        "riverbank",
        "quay",
        "canal",
        "dock",
        "cemetery",
        "marina",
        "playground",
        "park",
        "campsite",
        "market",
        "pitch",
        "court",
        "course",
        "dentist",
        "vet",
        "butcher's",
        "florist",
        "jeweller's",
        "tailor's",
        "hairdresser",
        "fair",
        "circus",
        "village",
        "harbour",
        "garden",
        "yard",
        "balcony",
        "porch",
        "patio",
        "terrace",
        "driveway",
        "orchard",
        "courtyard",
        "backyard",
        "farm",
        "site",
        "forest",
        "vineyard",
        "quarry",
        "racetrack",
    ]
)
PLURAL_CLASSES = frozenset({"collected", "wearable pair"})
MIXED = frozenset({"dish", "baked", "fried", "boiled", "sliced", "peeled", "parcel", "contents"})
BARE = frozenset(
    [
        "dish",
        "baked",
        "fried",
        "boiled",
        "sliced",
        "peeled",
        "contents",
        "subject",
        "event",
        "appointment",
        "travel",
        "vehicle",
        "body",
        "prize",
        "role",
        "drink",
        "food",
        "purpose",
        "mass",
        "ball",
        "game",
    ]
) | {"mass food", "a thing"}
WITH_THE = frozenset({"task"})
MAKERS = {
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
