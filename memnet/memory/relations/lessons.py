"""What the network for relations learns from: facts and questions with made-up names, of which every word is labelled.

A relation is one of ``phrases.toml`` or invented: any noun ("the varnish of X"), any two ("the spare varnish of X") or any verb
("X was varnished by Y"). Names are of many shapes. What is asked is nested, up to four relations deep.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import NamedTuple

from memnet.memory.relations.names import Names
from memnet.reading.words import Words

PHRASES = Path(__file__).with_name("phrases.toml")
MQUAKE = "P"  # relations of MQuAKE begin with this letter
HELD_OUT = 4  # every fourth of them in the order of its templates
SUBJECT, OBJECT = -1, -2  # labels; hops are 1, 2, ...; 0 is neither
WRAPPED = 0.06  # share of "the person who is the coach of X"
WHO = ("person who", "one who", "one that", "place that", "thing that")
AGENTS = ("person", "one", "man", "woman", "company", "firm", "artist", "group")
PLACES = ("place", "city", "town", "country", "building", "year", "room", "region")


class Labelled(NamedTuple):
    """A text in pieces, each with a label."""

    pieces: tuple[tuple[str, int], ...]

    @property
    def text(self) -> str:
        """The whole."""
        return "".join(piece for piece, _ in self.pieces)


class Relation(NamedTuple):
    """How a relation is said and asked, with [X] for its subject and [Y] for its object."""

    name: str
    kind: tuple[str, str]
    fact: tuple[str, ...]
    ask: tuple[str, ...]
    inner: tuple[str, ...]
    like: tuple[str, ...] = ()

    def unlike(self, other: Relation) -> bool:
        """Whether none of this one's words may say the other."""
        return self.name != other.name and other.name not in self.like


def phrases(path: Path = PHRASES) -> list[Relation]:
    """The relations of a file, in its order."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return [Relation(name, **{key: tuple(value) for key, value in table.items()}) for name, table in tables.items()]


def held_out(relations: Sequence[Relation]) -> list[Relation]:
    """A quarter of MQuAKE's relations."""
    return [one for one in relations if one.name.startswith(MQUAKE)][HELD_OUT - 1 :: HELD_OUT]


def words_of(relations: Sequence[Relation]) -> frozenset[str]:
    """All words by which relations are said and asked, in small letters."""
    texts = (text for one in relations for text in (*one.fact, *one.ask, *one.inner))
    return frozenset(word for text in texts for word in re.findall(r"[a-z]+", text.lower()))


def fill(template: str, label: int, subject: Labelled, obj: Labelled | None = None) -> Labelled:
    """A template with its subject and object; its own words get a label."""
    pieces: list[tuple[str, int]] = []
    rest = template
    if subject.text.lower().startswith("the "):
        rest = rest.replace("the [X]", "[X]").replace("The [X]", "[X]")
    while rest:
        places = [(rest.find(mark), what) for mark, what in (("[X]", subject), ("[Y]", obj)) if mark in rest]
        if not places:
            pieces.append((rest, label))
            break
        at, what = min(places, key=lambda place: place[0])
        assert what is not None, template
        pieces += [(rest[:at], label)] if at else []
        pieces += what.pieces
        rest = rest[at + 3 :]
    first = pieces[0][0]
    pieces[0] = (first[0].upper() + first[1:], pieces[0][1])
    return Labelled(tuple(pieces))


@dataclass(frozen=True)
class Invented:
    """Relations of any nouns and verbs but those that are ``kept`` for tests."""

    words: Words
    kept: frozenset[str]

    @cached_property
    def verbs(self) -> list[tuple[str, str]]:
        """Verbs with their participle."""
        texts, lemmas = self.words.texts, self.words.lemmas
        pairs = [(texts[lemmas[row]], text) for text, row in self.words.rows.items() if text.endswith("ed") and row > 500]
        return [(lemma, text) for lemma, text in pairs if lemma != text and not {lemma, text} & self.kept and lemma.isalpha()]

    @cached_property
    def nouns(self) -> list[str]:
        """Words that have a plural and are no name."""
        rows, texts, lemmas = self.words.rows, self.words.texts, self.words.lemmas
        verbs = {lemma for lemma, _ in self.verbs}
        plural = {texts[lemmas[row]] for text, row in rows.items() if text.endswith("s") and texts[lemmas[row]] != text}
        found = [text for text in plural if 300 < rows[text] < 22000 and text.isalpha() and len(text) > 2]
        return sorted(set(found) - verbs - self.kept)

    def relation(self, random: Random) -> Relation:
        """A relation of a noun or a verb."""
        return self.of_noun(self.noun(random), random) if random.random() < 0.6 else self.of_verb(random)

    def noun(self, random: Random) -> str:
        """A noun, now and then with another before it."""
        nouns = self.nouns
        return f"{random.choice(nouns)} {random.choice(nouns)}" if random.random() < 0.3 else random.choice(nouns)

    def doer(self, verb: str) -> str | None:
        """Who does what a verb says: "developer" of "develop"; None where no word is known."""
        stem = verb[:-1] if verb.endswith("e") else verb
        known = (stem + ending for ending in ("er", "or") if stem + ending in self.words.rows)
        return next((word for word in known if word not in self.kept), None)

    def of_noun(self, noun: str, random: Random) -> Relation:
        """ "The N of X is Y"."""
        which, new = random.choice(("who", "what", "what")), random.choice(("", "", "", "current ", "official "))
        wh, be, prep = which.capitalize(), random.choice(("is", "is", "was")), random.choice(("of", "of", "of", "for", "at"))
        fact = [
            f"The {new}{noun} {prep} [X] {be} [Y]",
            f"[X]'s {noun} {be} [Y]",
            f"[Y] {be} the {noun} {prep} [X]",
            f"The name of the {new}{noun} {prep} [X] is [Y]",
            f"[X] has [Y] as its {noun}",
        ]
        ask = [
            f"{wh} {be} the {noun} {prep} [X]?",
            f"{wh} {be} [X]'s {noun}?",
            f"{wh} {be} the {new}{noun} {prep} [X]?",
            f"What is the name of the {new}{noun} {prep} [X]?",
            f"Which {noun} does [X] have?",
            f"Tell me the {noun} {prep} [X].",
        ]
        inner = [f"the {noun} {prep} [X]", f"[X]'s {noun}", f"the {new}{noun} {prep} [X]", f"the {noun} {prep} [X]"]
        return Relation(noun, ("any", "any"), tuple(fact), tuple(ask), tuple(inner))

    def of_verb(self, random: Random) -> Relation:
        """ "X was V by Y", "X was V in Y", "X Vs with Y"."""
        verb, participle = random.choice(self.verbs)
        be, agent, form = random.choice(("was", "is")), random.choice(AGENTS), random.random()
        if form < 0.45:
            fact = [f"[X] {be} {participle} by [Y]", f"[Y] {participle} [X]", f"The {agent} that {participle} [X] is [Y]"]
            ask = [
                f"Who {participle} [X]?",
                f"Who {be} [X] {participle} by?",
                f"By whom {be} [X] {participle}?",
                f"Which {agent} {participle} [X]?",
                f"Which {agent} {be} [X] {participle} by?",
            ]
            inner = [
                f"the {agent} who {participle} [X]",
                f"the {agent} that {participle} [X]",
                f"the {agent} [X] {be} {participle} by",
            ]
        elif form < 0.75:
            prep, place = random.choice(("in", "in", "at", "on", "near", "from")), random.choice(PLACES)
            fact = [f"[X] {be} {participle} {prep} the {place} of [Y]", f"[X] {be} {participle} {prep} [Y]"]
            fact.append(f"The {place} where [X] {be} {participle} is [Y]")
            ask = [
                f"Which {place} {be} [X] {participle} {prep}?",
                f"{prep.capitalize()} which {place} {be} [X] {participle}?",
                f"Where {be} [X] {participle}?",
            ]
            inner = [f"the {place} where [X] {be} {participle}", f"the {place} [X] {be} {participle} {prep}"]
            inner.append(f"the {place} {prep} which [X] {be} {participle}")
        else:
            prep, ending = (
                random.choice(("with", "for", "at", "from", "to", "")),
                "es" if verb.endswith(("s", "h", "x")) else "s",
            )
            prep, kind = f" {prep}" if prep else "", random.choice(AGENTS + PLACES)
            fact = [f"[X] {verb}{ending}{prep} [Y]", f"The {kind} that [X] {verb}{ending}{prep} is [Y]"]
            ask = [f"Who does [X] {verb}{prep}?", f"What does [X] {verb}{prep}?", f"Which {kind} does [X] {verb}{prep}?"]
            inner = [f"the {kind} that [X] {verb}{ending}{prep}", f"the {kind} [X] {verb}{ending}{prep}"]
        return Relation(f"{participle} {form < 0.45} {form < 0.75}", ("any", "any"), tuple(fact), tuple(ask), tuple(inner))


@dataclass(frozen=True)
class Told:
    """A fact and what its relation is."""

    sentence: Labelled
    relation: Relation
    template: str


@dataclass(frozen=True)
class Asked:
    """A question about a chain of facts."""

    question: Labelled
    facts: tuple[Told, ...]


class Lessons:
    """Makes questions with the facts that answer them, one after another."""

    def __init__(self, relations: Sequence[Relation], invented: Invented, names: Names, share_invented: float = 0.4) -> None:
        self.relations, self.invented, self.names, self.share = relations, invented, names, share_invented

    def relation(self, kind: str, random: Random) -> Relation:
        """Any relation, rather one of which the subject is of a kind."""
        if random.random() < self.share:
            return self.invented.relation(random)
        fitting = [one for one in self.relations if one.kind[0] == kind] if random.random() < 0.6 else []
        return random.choice(fitting or self.relations)

    def told(self, relation: Relation, subject: str, obj: str, random: Random) -> Told:
        """A fact; those of MQuAKE rather in its own words."""
        first = relation.name.startswith(MQUAKE) and random.random() < 0.5
        template = relation.fact[0] if first else random.choice(relation.fact)
        said = fill(template, 0, Labelled(((subject, SUBJECT),)), Labelled(((obj, OBJECT),)))
        end = "" if said.text.endswith(".") or random.random() < 0.05 else "."
        before = ((before_fact(random), 0),) if random.random() < 0.12 else ()
        return Told(Labelled((*before, *said.pieces, (end, 0))), relation, template)

    def asked(self, hops: int, random: Random) -> Asked:
        """A question of so many hops."""
        kind = random.choice(("person", "work", "org", "place", "country", "thing", "city", "any"))
        chain = [self.relation(kind, random)]
        while len(chain) < hops:
            chain.append(self.relation(chain[-1].kind[1], random))
        names = [self.names.make(chain[0].kind[0], random)]
        names += [self.names.make(one.kind[1], random) for one in chain]
        facts = tuple(self.told(one, names[at], names[at + 1], random) for at, one in enumerate(chain))
        phrase, owner = Labelled(((names[0], SUBJECT),)), True
        for hop, one in enumerate(chain, 1):
            forms = one.ask if hop == hops else one.inner
            template = forms[0] if hop == hops and random.random() < 0.3 else random.choice(forms)
            while "[X]'s" in template and not owner:  # "the author of X's child" may be either
                template = random.choice([form for form in forms if "[X]'s" not in form] or [f"the {one.name} of [X]"])
            if hop < hops and template.startswith("the ") and random.random() < WRAPPED:
                template = (
                    f"the {random.choice(('person', 'one', 'place', 'thing'))} {random.choice(('who', 'that'))} is {template}"
                )
            owner = owner and template.startswith("[X]'s")
            phrase = fill(template, hop, phrase) if hop == hops else inner(template, hop, phrase)
        return Asked(phrase, facts)


def before_fact(random: Random) -> str:
    """What may stand before a fact: a number, a bullet, a date."""
    number, month = random.randint(0, 20000), random.randint(10, 12)
    return random.choice(
        (f"{number}. ", f"{number}) ", "- ", "* ", f"2024-{month}-{number % 19 + 10} ", "As of now, ", "Note: ")
    )


def inner(template: str, hop: int, phrase: Labelled) -> Labelled:
    """A template within a question: it does not begin with a capital."""
    filled = fill(template, hop, phrase)
    first, label = filled.pieces[0]
    small = template[0] if not template.startswith("[X]") else phrase.pieces[0][0][0]
    return Labelled(((small + first[1:], label), *filled.pieces[1:]))
