"""Entities of a text: the names of people, places and things, one word or several, told from the words that are known.

A word that is not known is a name, or part of one. Unknown words side by side are one name ("red square"), and so are two
that "of" joins ("box of chocolates"); a name in capitals ends before a word in small letters ("gave John | milk").

Replacing names by markers that are drawn anew for every story is the entity anonymisation of Hermann et al. 2015 (arXiv
1506.03340, section 2.2): what a network learns of a marker holds for any name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import NamedTuple

from .text import Question, Story, written_words

DETERMINERS = frozenset({"the", "a", "an", "this", "that", "his", "her", "my", "your", "their", "its", "our", "some"})
PLURAL_VERBS = frozenset({"are", "were", "fear", "like", "hate"})  # after a plural
IRREGULAR = {"mice": "mouse", "wolves": "wolf", "people": "person", "children": "child", "men": "man", "women": "woman"}
IRREGULAR |= {"geese": "goose", "teeth": "tooth", "feet": "foot", "knives": "knife", "leaves": "leaf", "calves": "calf"}


class Unit(NamedTuple):
    """A word of a text, or a name that may have several."""

    text: str  # in small letters; a name in the singular where its plural stands for the kind ("mice are afraid")
    is_entity: bool


def singular(word: str) -> str:
    """The singular of an English plural; other words stay.

    >>> singular("mice"), singular("puppies"), singular("cats"), singular("sheep"), singular("glass")
    ('mouse', 'puppy', 'cat', 'sheep', 'glass')
    """
    if word in IRREGULAR:
        return IRREGULAR[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("xes", "ches", "shes", "sses")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 2 else word


@dataclass(frozen=True)
class EntityReader:
    """Tells names from the words that are ``known``, in small letters."""

    known: frozenset[str]

    def units(self, text: str) -> tuple[Unit, ...]:
        """The words and names of a text, in order.

        >>> reader = EntityReader(frozenset({"the", "is", "above", "a"}))
        >>> [unit.text for unit in reader.units("The red square is above the box of pens.") if unit.is_entity]
        ['red square', 'box of pens']
        """
        return short_units(self, text) if len(text) <= 200 else split_units(self, text)


def split_units(reader: EntityReader, text: str) -> tuple[Unit, ...]:
    """See :meth:`EntityReader.units`."""
    words = written_words(text)
    small = [word.lower() for word in words]
    known = [word in reader.known for word in small]
    units: list[Unit] = []
    name: list[int] = []  # places of the name's words

    def end() -> None:
        if name:
            units.append(Unit(written(words, small, name), True))
            name.clear()

    for place, word in enumerate(small):
        if not known[place]:
            if name and name[-1] > 0 and words[name[-1]][0].isupper() and not words[place][0].isupper():
                end()
            name.append(place)
        elif word == "of" and name and place + 1 < len(small) and not known[place + 1]:
            name.append(place)
        else:
            end()
            units.append(Unit(word, False))
    end()
    return tuple(units)


def written(words: Sequence[str], small: Sequence[str], name: Sequence[int]) -> str:
    """A name as it is remembered: a plural that stands for its kind, without a determiner, in the singular."""
    first, last = name[0], name[-1]
    before, after = small[first - 1] if first else "", small[last + 1] if last + 1 < len(small) else ""
    of_kind = before not in DETERMINERS and (after in PLURAL_VERBS or before == "of") and (
        first == 0 or not words[first][0].isupper()
    )
    parts = [small[place] for place in name]
    return " ".join([*parts[:-1], singular(parts[-1])] if of_kind else parts)


short_units = lru_cache(maxsize=1 << 15)(split_units)  # long texts are not kept: what others type must not fill the memory


def names_in(reader: EntityReader, texts: Iterable[str]) -> list[str]:
    """Every name of these texts, once, in the order in which they first appear."""
    return list(dict.fromkeys(unit.text for text in texts for unit in reader.units(text) if unit.is_entity))


class Anonymized(NamedTuple):
    """A story whose names are markers, and the names that they stand for."""

    story: Story
    names: dict[str, str]  # marker -> name


def anonymize(story: Story, reader: EntityReader, markers: Sequence[str], draw: Random | None = None) -> Anonymized:
    """The story with a marker for each name, drawn at random, or else in order, the names of the last question first.

    An answer that is such a name, or a list of them, is answered by the markers; one of a kind that was told in the plural by
    the kind's. Names beyond the ``markers`` stay as they are: nobody knows them.
    """
    free = draw.sample(markers, len(markers)) if draw else list(markers)
    found: dict[str, str] = {}
    first: dict[str, int] = {}  # the statement, or the question after so many, that has a name first

    def replaced(text: str, place: int) -> str:
        parts = []
        for name, is_entity in reader.units(text):
            if is_entity:
                first[name] = min(place, first.get(name, place))
                if name not in found and len(found) < len(free):
                    found[name] = free[len(found)]
            parts.append(found.get(name, name) if is_entity else name)
        return " ".join(parts)

    def answered(question: Question) -> Question:
        parts = (" ".join(part.split()) for part in question.answer.lower().split(","))
        names = [(part, part if part in found else singular(part)) for part in parts]
        said = [found[name] if name in found and first[name] < question.after else part for part, name in names]
        return replace(question, text=texts[question], answer=",".join(said))

    if draw is None:  # where there are too few markers, what is asked about and what was told last have them
        for text in [*(question.text for question in reversed(story.questions)), *reversed(story.statements)]:
            replaced(text, len(story.statements))
        first.clear()
    statements = [replaced(text, place) for place, text in enumerate(story.statements)]
    texts = {question: replaced(question.text, question.after - 1) for question in story.questions}
    return Anonymized(Story(tuple(statements), tuple(map(answered, story.questions))), {marker: name for name, marker in found.items()})
