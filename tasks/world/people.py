"""The people of a story: names of many cultures, relatives, people by what they do, I and we.

people.person()   ->   one of the story's people, often one named of late: Selime, my sister, the plumber, Mr Osei, I
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from .dials import Dials
from .entities import Entity
from .lexicon import names, nouns
from .values import Values

PUBLISHED_PEOPLE = {"m": ("John", "Daniel", "Bill", "Fred", "Jeff"), "f": ("Mary", "Sandra", "Julie")}
FEMALE = frozenset({"queen", "princess", "woman", "girl", "actress", "bride"})
MALE = frozenset({"king", "prince", "man", "boy", "groom"})
TITLES = (("Mr", "m"), ("Mrs", "f"), ("Ms", "f"), ("Miss", "f"), ("Dr", "m"), ("Dr", "f"), ("Professor", "f"))


class People(Values):
    """Draws people so that no two share a name; keeps what the story has used."""

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
            if made.head in FEMALE | MALE:
                made.gender, made.sure = "f" if made.head in FEMALE else "m", True
            return made
        if roll < 0.43:
            title, gender = self.pick(TITLES)
            family = self.pick(self.pick(names("family", self.dials.words)))
            return Entity("person", [title, family], det="", gender=gender, sure=title not in ("Dr", "Professor"))
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
