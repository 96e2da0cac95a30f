"""Entries of log books, diaries and shared lists with their facts, of up to two facts each, and questions about them.

    {who} brought {what} back and {who2} took it out again. | drop who what; take who=who2 what
    Who got {what} going again? | who did:mended what

The forms are in ``tasks/world/lexicon/entries``, which a language model wrote for the log books of many fields; slots stand for
names, places and faults, of the lists of the same file or of the world.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from random import Random

from memnet.facts.examples import ENDED, Sentence, Span, sentence, shifted
from memnet.facts.kinds import SLOTS
from memnet.tasks.text.tokens import WORD
from memnet.tasks.world.log_forms import ARTICLE, LISTED, SLOT, Form, OwnNames, all_forms, capital, given_names

SPEAKER = {"i": ("I", "I", "we"), "me": ("me", "me", "us")}  # whoever writes the entry
CASTS = 20  # entries of one file that follow each other
ASKED = 0.3  # share of questions
SPEAKS, WRITES = 0.06, 0.15  # shares: of people who are "I" or "we"; of entries with who writes them before them
JOINS = frozenset((",", "and", "&", "the", "both", "my", "our"))  # words between two that are named together
SUBJECT = re.compile(r"(?:^|[.,;:] |\b(?:and|that|when|as|so|then|because) )$")
OBJECT = re.compile(r"\b(?:to|from|with|by|for|gave|lent|handed) $")
PRESENT = re.compile(r"\s?(?:'s|’s|is|was|has|[a-z]+s)\b")  # "I has" is no English


class Filling:
    """Names for the slots of a few forms, each slot another name."""

    def __init__(self, random: Random, lists: dict[str, list[str]]) -> None:
        self.random, self.names = random, OwnNames(random, lists)

    def name(self, slot: str) -> str:
        """One for a slot."""
        return self.random.choice(SPEAKER[slot]) if slot in SPEAKER else self.names.of(slot)

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
