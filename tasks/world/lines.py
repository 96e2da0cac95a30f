"""One sentence in the making: its words, and where it names what.

    line.noun(mary, "subject"); line.put("has"); line.noun(ball)    ->   Mary has a ball  /  She has it
    line.mentions                                                   ->   [(mary, 0, 1), (ball, 3, 4)]

A noun phrase is a name, "the ball", "a ball" where it is new, "her ball",
or a pronoun where the sentence before leaves no doubt.
"""

from __future__ import annotations

from random import Random

from ..text.tokens import article
from .entities import Entity

CASES = {"subject": 0, "object": 1, "genitive": 2}
SHORT = {"will not": ("wo", "n't"), "can not": ("ca", "n't")}
SHORTENED = {
    **{(word, "is"): "'s" for word in ("he", "she", "it", "where", "who", "what", "how", "when", "there", "that")},
    **{(word, "are"): "'re" for word in ("we", "you", "they")},
    **{(word, "will"): "'ll" for word in ("i", "he", "she", "it", "we", "you", "they")},
    ("i", "am"): "'m",
}
CONTRACTED = frozenset(
    ["is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "would", "could", "should", "must"]
)


class Focus:
    """What the last sentence named, for pronouns: people, the one thing, the place."""

    def __init__(self) -> None:
        self.people: list[Entity] = []
        self.subject: Entity | None = None
        self.thing: Entity | None = None
        self.place: Entity | None = None
        self.pair: Entity | None = None


class Line:
    """Words of a statement or question, and what they name."""

    def __init__(
        self,
        random: Random,
        focus: Focus,
        heads: dict[str, int],
        pronouns: float = 0.0,
        *,
        question: bool = False,
        plain: bool = False,
    ):
        self.plain = plain  # in the words of the published tasks: no "a", no passive
        self.random = random
        self.focus = focus
        self.heads = heads  # how many entities of the story end with a word: "box" alone must be clear
        self.pronouns = pronouns
        self.question = question
        self.words: list[str] = []
        self.mentions: list[tuple[Entity, int, int]] = []
        self.referred: list[Entity] = []  # named by a pronoun
        self.pronoun_places: list[tuple[Entity, int, int]] = []  # the same, with where the pronoun stands
        self.objects: list[Entity] = []  # things as subject or object
        self.subject: Entity | None = None
        self.verb = ""  # of the clause in the making
        self.apposition: Entity | None = None  # "Sasha, the new intern, ..."

    def chance(self, share: float) -> bool:
        """True in a share of cases."""
        return self.random.random() < share

    def put(self, *words: str) -> None:
        """Add words."""
        self.words.extend(words)

    def name(self, entity: Entity, start: int, end: int) -> None:
        """Say that words name an entity."""
        self.mentions.append((entity, start, end))

    # ---- noun phrases

    def noun(self, entity: Entity, case: str = "object", *, new: bool = False, full: bool = False) -> None:
        """Add a noun phrase. ``new``: "a box" where it was not named yet; ``full``: no pronoun."""
        if case == "subject" and self.subject is None:
            self.subject = entity
        if entity.speaking:
            self._speaker(entity, case)
        elif not full and self._pronoun(entity, case):
            return
        elif entity.members:
            self._members(entity, case, new)
        else:
            self._named(entity, case, new)

    def _speaker(self, entity: Entity, case: str) -> None:
        start = len(self.words)
        self.put(entity.pronouns()[CASES[case]])
        self.name(entity, start, start + 1)

    def _members(self, entity: Entity, case: str, new: bool) -> None:
        *first, last = entity.members
        if last.speaking != "I" and any(one.speaking == "I" for one in first):  # Tom and I
            first, last = (
                [one for one in entity.members if one.speaking != "I"],
                next(one for one in entity.members if one.speaking == "I"),
            )
        inner = "object" if case == "genitive" else case
        for place, member in enumerate(first):
            self.noun(member, inner, new=new, full=True)
            if place < len(first) - 1:
                self.put(",")
        self.put("and")
        self.noun(last, inner, new=new, full=True)
        if case == "genitive":
            self.put("'s")

    def _named(self, entity: Entity, case: str, new: bool) -> None:
        start = len(self.words)
        words = entity.words
        if (
            self.question
            and len(words) > 1
            and entity.kind in ("thing", "container")
            and self._clear(entity)
            and self.chance(0.25)
        ):
            words = words[-1:]
        if entity.owner is not None:
            start = self._owner(entity, start)
        elif entity.det:
            self._determiner(entity, new)
            if entity.det not in ("my", "our", "your") or entity.kind not in ("person", "place"):
                start = len(self.words)
        if entity.kind == "price" and words[0] in ("a", "an"):
            self.put(*words)
        else:
            self.words.extend(words)
        self.name(entity, start, len(self.words))
        if entity.tint is not None and len(words) == len(entity.words):
            self.name(entity.tint, len(self.words) - len(words), len(self.words) - len(words) + len(entity.tint.words))
        if case == "genitive":
            self.put("'" if entity.plural and entity.head.endswith("s") else "'s")

    def _clear(self, entity: Entity) -> bool:
        return self.heads.get(entity.head, 0) <= 1 and entity.words[0][0].islower() and "of" not in entity.words

    def _owner(self, entity: Entity, start: int) -> int:
        owner = entity.owner
        assert owner is not None
        if owner.speaking or (self.subject is owner and self.chance(0.95)):
            self.put(owner.pronouns()[2])
            return start if entity.kind in ("person", "place") else start + 1
        self.noun(owner, "genitive", full=self.subject is not entity or self.question)
        return start

    def _determiner(self, entity: Entity, new: bool) -> None:
        if entity.mass and entity.det == "the" and new and not self.plain and not entity.known:
            if self.chance(0.4):
                self.put("some")
        elif entity.det == "the" and new and not self.plain and not entity.known and entity.kind != "place":
            if not entity.plural:
                self.put("a")
            elif self.chance(0.5):
                self.put("some")
        else:
            self.put(entity.det)

    # ---- pronouns

    def _pronoun(self, entity: Entity, case: str) -> bool:
        """Whether a pronoun is clear and wanted here; adds it."""
        if not self.pronouns or self.question or not self.chance(self.pronouns) or not self._may_be_pronoun(entity, case):
            return False
        self.put(entity.pronouns()[CASES[case]])
        self.refer(entity)
        return True

    def _may_be_pronoun(self, entity: Entity, case: str) -> bool:
        focus = self.focus
        if entity.members:
            return entity.members == getattr(focus.pair, "members", None) and len(focus.people) == len(entity.members)
        if entity.kind != "person":
            if entity is not focus.thing or case == "genitive":
                return False
            return not entity.plural or not any(one.plural for one in focus.people)
        if entity not in focus.people or self._named_here(entity):
            return False
        if entity.plural:
            return len(focus.people) == 1 and (focus.thing is None or not focus.thing.plural)
        rivals = [one for one in (*focus.people, *self._people_here()) if one is not entity and not one.speaking]
        if not entity.sure:
            return not rivals
        return all((one.sure and one.gender != entity.gender) or one.plural for one in rivals)

    def _named_here(self, entity: Entity) -> bool:
        return any(named is entity for named, _, _ in self.mentions)

    def _people_here(self) -> list[Entity]:
        return [named for named, _, _ in self.mentions if named.kind == "person"]

    def names_place(self) -> bool:
        """Whether a place stands in this line already."""
        return any(named.kind == "place" for named, _, _ in self.mentions)

    def there(self, place: Entity) -> bool:
        """Add "there" for the place of the last sentence, where wanted."""
        if self.question or place is not self.focus.place or not self.chance(self.pronouns):
            return False
        self.put("there")
        self.refer(place)
        return True

    def refer(self, entity: Entity) -> None:
        """Say that the last word is a pronoun of an entity."""
        self.referred.append(entity)
        self.pronoun_places.append((entity, len(self.words) - 1, len(self.words)))

    # ---- at the end

    def finish(self) -> None:
        """Choose a or an, shorten some "not", and write the first letter large."""
        words = self.words
        for place in range(len(words) - 1):
            if words[place] == "a":
                words[place] = article(words[place + 1])
        if not self.plain:
            self._contract()
        if words:
            words[0] = words[0][0].upper() + words[0][1:]

    def _contract(self) -> None:
        """Shorten some "she is", "where is", "Mary is": I'm, where's."""
        words = self.words
        ends = {end for _, start, end in self.mentions if start <= 1}
        for place in range(1, len(words) - 1):
            short = SHORTENED.get((words[place - 1].lower(), words[place]))
            if short is None and words[place] == "is" and place in ends and words[place - 1][-1] not in "sxz'":
                short, share = "'s", 0.05
            else:
                share = 0.2
            if short is not None and self.chance(share) and words[place + 1] != "n't":
                words[place] = short

    def negate(self, before: str) -> None:
        """Add an auxiliary and "not", short or long."""
        if before == "am" or not self.chance(0.6):
            self.put(before, "not")
        elif before in CONTRACTED:
            self.put(before, "n't")
        else:
            self.put(*SHORT.get(f"{before} not", (before, "not")))

    def move_focus(self) -> None:
        """Make what this sentence named the focus of the next."""
        focus = self.focus
        named = [entity for entity, _, _ in self.mentions] + self.referred
        focus.people = list(dict.fromkeys(one for one in named if one.kind == "person" and not one.members))
        focus.people += [m for one in self.referred for m in one.members if m not in focus.people]
        focus.subject = self.subject
        focus.pair = (
            self.subject if self.subject is not None and self.subject.members and self.subject.kind == "person" else None
        )
        things = list(dict.fromkeys(self.objects))
        focus.thing = things[0] if len(things) == 1 and not things[0].members else None
        places = list(dict.fromkeys(one for one in named if one.kind == "place"))
        focus.place = places[0] if len(places) == 1 else None
        for entity, _, _ in self.mentions:
            entity.known = True
