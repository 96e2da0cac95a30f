"""Entities of a text: the names of people, places and things, one word or several, told from the words that are known.

A word that is not known is a name, or part of one. Unknown words side by side are one name ("red square"), and so are two
that "of" joins ("box of chocolates"); a name in capitals ends before a word in small letters ("gave John | milk"), unless it
follows a determiner ("the New York office"), and a comma ends a name. A few known words are parts of names where they stand
so: "living room", "room 12", "the top drawer"; Will and May are people ("Where is Will?"), and so are I and you ("I left").

Replacing names by markers that are drawn anew for every story is the entity anonymisation of Hermann et al. 2015 (arXiv
1506.03340, section 2.2): what a network learns of a marker holds for any name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from random import Random
from typing import NamedTuple

from . import Question, Story, one_line, written_words
from .english import COMMON_VERBS, DETERMINERS, PARTICLES, PREPOSITIONS, SPEAKERS, of_class, singular, spelled_out
from .remembered import remembered
from .scripts import is_emoji, joined

TOWARD = PREPOSITIONS | PARTICLES | of_class("there over out through")
PLURAL_VERBS = of_class("are were fear like hate")  # after a plural
ROOMS = of_class("room floor")  # known words that end a name: "living room", "ground floor"
SIDES = of_class("top left right north south east west back lower upper end")
NAMES = of_class("will may")  # of people
OF_PEOPLE = COMMON_VERBS | {"and"}
FILLERS = of_class(  # say nothing of who or what, and are left out where they are not known
    "today tonight already also again quickly slowly quietly finally suddenly soon really very quite please too"
)
BRACKETED = re.compile(r"\[([^\[\]]+)\]")  # a text with names in brackets has no others: "[Ann] and her son [Bob]"
COMMA = re.compile(r"[,;:]\s+")


class Unit(NamedTuple):
    """A word of a text, or a name that may have several."""

    text: str  # in small letters; a name in the singular where its plural stands for the kind ("mice are afraid")
    is_entity: bool
    written: str = ""  # a name in the letters of the text, in the singular too


@dataclass(frozen=True)
class EntityReader:
    """Tells names from the words that are ``known``, in small letters."""

    known: frozenset[str]

    def __repr__(self) -> str:
        return f"<EntityReader: {len(self.known):,} known words>"

    def units(self, text: str) -> tuple[Unit, ...]:
        """The words and names of a text, in order.

        >>> reader = EntityReader(frozenset({"the", "is", "above", "a"}))
        >>> [unit.text for unit in reader.units("The red square is above the box of pens.") if unit.is_entity]
        ['red square', 'box of pens']
        """
        return units_of(self, text)

    def names(self, text: str) -> tuple[str, ...]:
        """The names among them, in order."""
        return names_of(self, text)


@remembered(1 << 15)
def units_of(reader: EntityReader, text: str) -> tuple[Unit, ...]:
    """See :meth:`EntityReader.units`."""
    if BRACKETED.search(text):
        return bracketed_units(text)
    clauses = [without_fillers(reader, spelled_out(written_words(clause))) for clause in COMMA.split(text)]
    words = [word for clause in clauses for word in clause]
    begins = set(accumulate(map(len, clauses)))  # the places after commas
    small = [word.lower() for word in words]
    known = known_words(reader, words, small)
    units: list[Unit] = []
    name: list[int] = []  # places of the name's words

    def end() -> None:
        if name:
            kind = stands_for_kind(words, small, name)
            units.append(Unit(named(small, name, kind), True, named(words, name, kind)))
            name.clear()

    for place, word in enumerate(small):
        if not known[place]:
            if name and is_emoji(word):  # beside a name it adds nothing to it
                continue
            if name and all(is_emoji(small[part]) for part in name):
                name.clear()
            if place in begins or (name and ends_before(words, small, known, name, place)):
                end()
            name.append(place)
        elif word == "of" and name and place + 1 < len(small) and not known[place + 1]:
            name.append(place)
        else:
            end()
            units.append(Unit(word, False))
    end()
    return tuple(units)


def bracketed_units(text: str) -> tuple[Unit, ...]:
    """The words of a text, and its names, which stand in brackets.

    >>> [unit.text for unit in bracketed_units("[A] is at a corner of [B].") if unit.is_entity]
    ['a', 'b']
    """
    units: list[Unit] = []
    for number, part in enumerate(BRACKETED.split(text)):
        said = written_words(part)
        if number % 2 and said:
            units.append(Unit(joined(said).lower(), True, joined(said)))
        elif not number % 2:
            units += [Unit(word.lower(), False) for word in said]
    return tuple(units)


def bracketed_names(texts: Iterable[str]) -> frozenset[str]:
    """The words in small letters of all names in brackets, without those that say no more than "a" or "I"."""
    found = {word.lower() for text in texts for name in BRACKETED.findall(text) for word in written_words(name)}
    return frozenset(found - DETERMINERS - SPEAKERS)


def without_fillers(reader: EntityReader, words: Sequence[str]) -> list[str]:
    """The words but for fillers that are not known: "Mary quickly left" as "Mary left"."""
    return [word for word in words if word.lower() not in FILLERS - reader.known]


def known_words(reader: EntityReader, words: Sequence[str], small: Sequence[str]) -> list[bool]:
    """Which words of a text are no parts of names: the known ones, but for those that stand as parts of names do."""
    known = [word in reader.known and not names_a_person(words, small, place) for place, word in enumerate(small)]
    for place, word in enumerate(small):
        before = small[place - 1] if place else ""
        if word in ROOMS and place:
            if not known[place - 1]:
                known[place] = False
            elif before not in DETERMINERS and place > 1 and small[place - 2] in DETERMINERS:  # "the waiting room"
                known[place - 1] = known[place] = False
        if word in ROOMS and place + 1 < len(small) and small[place + 1].isdigit():
            known[place] = known[place + 1] = False
        if word in SIDES and before in DETERMINERS and place + 1 < len(small) and not known[place + 1]:
            known[place] = False
    return known


def names_a_person(words: Sequence[str], small: Sequence[str], place: int) -> bool:
    """Whether "will" or "may" is a person: with a capital inside a sentence, before a verb, or after one at the end.

    "I", "you" and "me" are, but for "how do I", "do you know", "can I find" and "tell me".
    """
    if small[place] in SPEAKERS:
        around = {*small[max(0, place - 1) : place], *small[place + 1 : place + 2]}
        return "how" not in small and around.isdisjoint(("know", "tell", "show", "wonder", "find", "can", "would", "could"))
    if small[place] not in NAMES:
        return False
    if place == 0:
        after = small[1] if len(small) > 1 else ""
        return after in OF_PEOPLE or after.endswith("ed")
    capital = words[place][0].isupper() and not all(map(str.isupper, words))
    return capital or (place == len(small) - 1 and small[place - 1] in OF_PEOPLE | TOWARD)


def ends_before(words: Sequence[str], small: Sequence[str], known: Sequence[bool], name: Sequence[int], place: int) -> bool:
    """Whether a name ends before an unknown word: "gave John | milk", but not "the New York office"."""
    if not SPEAKERS.isdisjoint((small[name[-1]], small[place])):
        return True
    if not words[name[-1]][0].isupper() or words[place][0].isupper():
        return False
    if name[0] > 0:
        return small[name[0] - 1] not in DETERMINERS
    return name[-1] > 0 or stands_like_a_verb(small, known, place)


def stands_like_a_verb(small: Sequence[str], known: Sequence[bool], place: int) -> bool:
    """Whether an unknown word after the first of a sentence is what somebody does: "Mary | zorped to", not "Red square is"."""
    after = next((word for word, is_known in zip(small[place:], known[place:], strict=True) if is_known), "")
    return after in DETERMINERS or after in TOWARD


def stands_for_kind(words: Sequence[str], small: Sequence[str], name: Sequence[int]) -> bool:
    """Whether a name, by the places of its words, is a plural that stands for its kind: "mice are afraid of cats"."""
    first, last = name[0], name[-1]
    before, after = small[first - 1] if first else "", small[last + 1] if last + 1 < len(small) else ""
    bare = before not in DETERMINERS and (after in PLURAL_VERBS or before == "of")
    return bare and (first == 0 or not words[first][0].isupper())


def named(words: Sequence[str], name: Sequence[int], kind: bool) -> str:
    """The words of a name, the last in the singular where it stands for its kind."""
    parts = [words[place] for place in name]
    return joined([*parts[:-1], singular(parts[-1])] if kind else parts)


@remembered(1 << 15)
def names_of(reader: EntityReader, text: str) -> tuple[str, ...]:
    """See :meth:`EntityReader.names`."""
    return tuple(unit.text for unit in reader.units(text) if unit.is_entity)


def names_in(reader: EntityReader, texts: Iterable[str]) -> list[str]:
    """Every name of these texts, once, in the order in which they first appear."""
    return list(dict.fromkeys(name for text in texts for name in reader.names(text)))


def names_about(reader: EntityReader, statements: Sequence[str], question: str) -> list[str]:
    """The names of a question, then those of the statements with one of these, the latest first, then those of the others.

    >>> reader = EntityReader(frozenset("went to the took where is".split()))
    >>> names_about(reader, ["Bob took the milk", "Ann went to the hall", "Bob went to the attic"], "Where is the milk?")
    ['milk', 'bob', 'attic', 'ann', 'hall']
    """
    asked = set(reader.names(question))
    order = sorted(range(len(statements)), key=lambda place: (asked.isdisjoint(reader.names(statements[place])), -place))
    return names_in(reader, [question, *(statements[place] for place in order)])


class Binding:
    """Which marker stands for which name of a story; names have markers in the order in which they are met."""

    def __init__(self, reader: EntityReader, markers: Sequence[str], first: Iterable[str] = ()) -> None:
        """Names that are ``first`` have the first markers, whether they are met or not."""
        self.reader, self.free = reader, list(markers)
        self.marker = dict(zip(first, markers, strict=False))  # of a name
        self.written: dict[str, str] = {}  # a marker's name as the text writes it
        self.capital: set[str] = set()  # markers whose name is written as a sentence's first word is

    def __repr__(self) -> str:
        return one_line(f"<Binding of {len(self.marker)} names: {', '.join(self.marker)}>")

    def copy(self) -> Binding:
        """One that can meet more names."""
        other = Binding(self.reader, self.free)
        other.marker, other.written, other.capital = dict(self.marker), dict(self.written), set(self.capital)
        return other

    def replaced(self, text: str) -> str:
        """A text with markers for its names; names beyond the markers stay as they are: nobody knows them."""
        parts = []
        for place, unit in enumerate(self.reader.units(text)):
            if unit.is_entity and unit.text not in self.marker and not self.is_full:
                self.marker[unit.text] = self.free[len(self.marker)]
            marker = self.marker.get(unit.text) if unit.is_entity else None
            if marker and (marker not in self.written or (marker in self.capital and place > 0 and not text.islower())):
                self.written[marker] = unit.written
                (self.capital.add if place == 0 else self.capital.discard)(marker)
            parts.append(marker or unit.text)
        return " ".join(parts)

    def marker_of(self, unit: Unit) -> str | None:
        """The marker of a name, or of the only name told that it is a part of: "umbrella" of "red umbrella"; else None.

        In small letters it is the end of a name without "of", with a capital ("Arthur") any part of it. A plural is told by its
        singular: "how many books" of "a book".
        """
        for form in (str, singular):
            if (name := form(unit.text)) in self.marker:
                return self.marker[name]
        part, capital = f" {unit.text} ", unit.written[:1].isupper()
        names = ((f" {name} ", marker) for name, marker in self.marker.items())
        found = [marker for name, marker in names if (part in name if capital else name.endswith(part) and " of " not in name)]
        return found[0] if len(found) == 1 else None

    @property
    def is_full(self) -> bool:
        """Whether every marker stands for a name, so that further names have none."""
        return len(self.marker) >= len(self.free)

    def asked(self, question: str) -> str:
        """A question with markers for its names, of which some may be parts of the names told."""
        other = self.copy()
        for unit in self.reader.units(question):
            if unit.is_entity and (marker := self.marker_of(unit)):
                other.marker.setdefault(unit.text, marker)
        return other.replaced(question)

    def names(self, answer: str) -> str:
        """An answer of markers with their names, as the text writes them."""
        return ",".join(self.written.get(part, part) for part in answer.split(","))


def names_for(answer: str) -> tuple[str, ...]:
    """The names that an answer may be: as it is, in the singular, and without a determiner."""
    first, _, rest = answer.partition(" ")
    return (answer, singular(answer), *((rest, singular(rest)) if first in DETERMINERS else ()))


def anonymize(story: Story, reader: EntityReader, markers: Sequence[str], draw: Random | None = None) -> Story:
    """The story with a marker for each name, drawn at random, or else in order: see :func:`anonymized`."""
    return anonymized(story, reader, markers, draw)[0]


def anonymized(
    story: Story, reader: EntityReader, markers: Sequence[str], draw: Random | None = None, first_names: Iterable[str] = ()
) -> tuple[Story, Binding]:
    """The story with a marker for each name, and which is whose; ``first_names`` have the first markers.

    An answer that is a name told before, or a list of them, is answered by the markers, with a determiner too ("the hall"); one
    of a kind that was told in the plural by the kind's.
    """
    binding = Binding(reader, draw.sample(markers, len(markers)) if draw else markers, first_names)
    first: dict[str, int] = {}  # the statement that has a name first, or the last before the question that has

    def heard(text: str, place: int) -> str:
        for unit in reader.units(text):
            if unit.is_entity:
                first.setdefault(unit.text, place)
        return binding.replaced(text)

    def answered(question: Question) -> Question:
        for unit in reader.units(question.text):
            first[unit.text] = min(first.get(unit.text, question.after), question.after - 1)
        parts = [" ".join(part.split()) for part in question.answer.lower().split(",")]
        names = [next((name for name in names_for(part) if name in binding.marker), "") for part in parts]
        said = [
            binding.marker[name] if name and first[name] < question.after else part
            for part, name in zip(parts, names, strict=True)
        ]
        return replace(question, text=binding.replaced(question.text), answer=",".join(said))

    statements = [heard(text, place) for place, text in enumerate(story.statements)]
    for question in story.questions:
        heard(question.text, question.after - 1)
    return Story(tuple(statements), tuple(map(answered, story.questions))), binding
