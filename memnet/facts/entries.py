"""Entries of log books, diaries and shared lists with their facts, of up to two facts each, and questions about them.

    {who} brought {what} back and {who2} took it out again. | drop who what; take who=who2 what
    Who got {what} going again? | who did:mended what

The forms are in ``tasks/world/lexicon/entries``, which a language model wrote for the log books of many fields; slots stand for
names, places and faults, of the lists of the same file or of the world.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

import memnet.tasks.world.lexicon
from memnet.facts.examples import ENDED, Sentence, Span, given_names, sentence, shifted
from memnet.facts.kinds import NONE, QUESTIONS, SLOTS
from memnet.facts.ways import SLOT, Names
from memnet.tasks.text.tokens import WORD

FOLDER = Path(memnet.tasks.world.lexicon.__file__).with_name("entries")
KIND_OF = {"who": "who", "who2": "who", "who3": "who", "what": "what", "what2": "what", "to": "to", "to2": "to", "from": "to"}
SPEAKER = {"i": ("I", "I", "we"), "me": ("me", "me", "us")}  # whoever writes the entry
ROLE_OF = {"from": "source"}  # where a slot or a role has another name than among the facts
ARTICLE = re.compile(r"^(?:the|a|an|my|our|your|his|her|their) ", re.IGNORECASE)
CASTS = 20  # entries of one file that follow each other
ASKED, OWN = 0.3, 0.6  # shares: of questions; of names that the file lists
SPEAKS, WRITES = 0.06, 0.15  # shares: of people who are "I" or "we"; of entries with who writes them before them
NAMED, BY_NAME, CODED = 0.06, 0.1, 0.14  # things up to there have a name of their own; one and what they are; a code
LISTED = ("fault", "flaw")
JOINS = frozenset((",", "and", "&", "the", "both", "my", "our"))  # words between two that are named together
SUBJECT = re.compile(r"(?:^|[.,;:] |\b(?:and|that|when|as|so|then|because) )$")
OBJECT = re.compile(r"\b(?:to|from|with|by|for|gave|lent|handed) $")
PRESENT = re.compile(r"\s?(?:'s|’s|is|was|has|[a-z]+s)\b")  # "I has" is no English


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
        kind = next(one for one in sorted(QUESTIONS, key=len, reverse=True) if f"{text} ".startswith(f"{one} "))
        roles = text.removeprefix(kind).split()
    _, slots = fact_of(" ".join([NONE, *roles]))
    if kind in ("where", "where before", "is in") and "what" not in slots:
        slots["what"] = slots.pop("who")
    return [(kind, slots), *([(deed, {})] if deed else [])]


@cache
def all_forms() -> tuple[Forms, ...]:
    """Those of every file."""
    return tuple(read_forms(path) for path in sorted(FOLDER.glob("*.txt")))


def read_forms(path: Path) -> Forms:
    """The forms of a file: entries, questions and lists, each part after its heading."""
    found, part, listed = Forms(), "entries", ""
    for line in path.read_text(encoding="utf-8").splitlines():
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


class Filling:
    """Names for the slots of a few forms, each slot another name."""

    def __init__(self, random: Random, lists: dict[str, list[str]]) -> None:
        self.random, self.lists, self.names = random, lists, Names(random)

    def name(self, slot: str) -> str:
        """One for a slot."""
        if slot in SPEAKER:
            return self.random.choice(SPEAKER[slot])
        kind, roll = KIND_OF.get(slot, slot), self.random.random()
        if kind == "what" and roll < CODED:
            return self.own_name(roll)
        if self.lists.get(kind) and self.random.random() < OWN:
            return self.random.choice(self.lists[kind])
        return self.random.choice(all_faults()[kind]) if kind in LISTED else self.names.of(kind)

    def own_name(self, roll: float) -> str:
        """Of an animal, a machine or a parcel: "Bella", "Bella the goat", "LT-041"."""
        if roll >= BY_NAME:
            letters = "".join(self.random.choices("ABCDEFGHKLMNPRSTVW", k=self.random.randint(1, 3)))
            number = str(self.random.randint(1, 999)).zfill(self.random.randint(1, 3))
            return f"{letters}{self.random.choice(('-', '', '-'))}{number}"
        given = self.random.choice(given_names())
        return given if roll < NAMED else f"{given} the {ARTICLE.sub('', self.names.of('what')).split()[-1]}"

    def speaker(self, before: str, after: str) -> str:
        """ "I", "we", "me" or "us" where somebody stands; empty where it would be no English."""
        if SUBJECT.search(before) and not PRESENT.match(after):
            return self.random.choice(SPEAKER["i"])
        return self.random.choice(SPEAKER["me"]) if OBJECT.search(before) and not after.startswith(("'", "’")) else ""

    def filled(self, text: str) -> tuple[str, dict[str, Span]]:
        """The text with names, and the characters at which the first of each slot stands, without its article."""
        parts = SLOT.split(text)
        made, places, given = "", dict[str, Span](), dict[str, str]()
        for number, part in enumerate(parts):
            if not number % 2:
                made += part
                continue
            name = given.get(part) or self.another(part, given.values())
            if part == "who" and parts.count("{who}") + parts.count(part) == 1 and self.random.random() < SPEAKS:
                name = self.speaker(made, parts[number + 1]) or name
            bare = name if part in LISTED else ARTICLE.sub("", name)
            if not made or made.endswith((". ", "! ", "? ")):
                name, bare = capital(name), capital(bare) if bare == name else bare
            made += name
            if part not in given:
                places[part] = len(made) - len(bare), len(made)
            given[part] = name
        return made, places

    def another(self, slot: str, given: Collection[str]) -> str:
        """A name for a slot that no other has, as far as there are so many."""
        name = self.name(slot)
        for _ in range(10):
            if name not in given:
                break
            name = self.name(slot)
        return name


def capital(text: str) -> str:
    """The first letter large."""
    return text[:1].upper() + text[1:]


def spans_of(text: str, places: dict[str, Span]) -> dict[str, Span]:
    """Ranges of characters as ranges of words; without those that are no whole words."""
    words = [word.span() for word in WORD.finditer(text)]
    begins, ends = {first: at for at, (first, _) in enumerate(words)}, {last: at + 1 for at, (_, last) in enumerate(words)}
    return {slot: (begins[first], ends[last]) for slot, (first, last) in places.items() if first in begins and last in ends}


def entry_of(form: Form, asks: bool, filling: Filling) -> Sentence | None:
    """A form with names in it, and its facts; ``None`` where a name is no whole words."""
    text, places = filling.filled(form.text)
    spans = spans_of(text, places)
    words = [word.group() for word in WORD.finditer(text)]
    found: list[tuple[str, dict[str, Span]]] = []
    for kind, slots in form.facts:
        if not set(slots.values()) <= set(spans):
            return None
        ended = kind == "not at" and not ENDED.isdisjoint(words)
        found.append(("no longer at" if ended else kind, {role: spans[slot] for role, slot in slots.items()}))
    return sentence(words, asks, grouped(words, found[:SLOTS]))


def grouped(words: Sequence[str], found: list[tuple[str, dict[str, Span]]]) -> list[tuple[str, dict[str, Span]]]:
    """Two facts of one kind about two that "and" joins as one fact about both, as other sentences have them."""
    if len(found) < SLOTS or found[0][0] != found[1][0]:
        return found
    (kind, one), (_, other) = found
    apart = [role for role in {*one, *other} if one.get(role) != other.get(role)]
    if len(apart) != 1 or apart[0] not in one.keys() & other.keys():
        return found
    (first, end), (begin, last) = sorted((one[apart[0]], other[apart[0]]))
    if not JOINS.issuperset(word.lower() for word in words[end:begin]):
        return found
    return [(kind, {**one, apart[0]: (first, last)})]


def with_writer(one: Sentence, random: Random) -> Sentence:
    """With the name of who writes it before it, as in a chat."""
    before = [*random.choice(given_names()).split(), ":"]
    return shifted(one, [*before, *one.words], len(before))


def of_entries(seed: int) -> Iterator[Sentence]:
    """Sentences without end, the same for the same seed."""
    random = Random(f"entries {seed}")
    while True:
        forms = random.choice(all_forms())
        filling = Filling(random, forms.lists)
        for _ in range(CASTS):
            asks = bool(forms.asked) and random.random() < ASKED
            found = entry_of(random.choice(forms.asked if asks else forms.told), asks, filling)
            if found is not None:
                yield found if asks or random.random() >= WRITES else with_writer(found, random)
