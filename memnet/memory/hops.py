"""The later hops of a retriever over a memory of any size: statements are looked up by their names, and read when found.

What is found is what :meth:`~memnet.infer.retriever.RetrieverBase.related` finds over the list of all statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import merge
from itertools import chain, islice

import numpy as np

from memnet.infer.retriever import GOING_ON, REACH
from memnet.memory.checked import CheckedFolder
from memnet.memory.index import Index, phrase
from memnet.reading.words import Words
from memnet.tasks.text import words
from memnet.tasks.text.english import PEOPLE_PRONOUNS, SINGULAR, plurals
from memnet.tasks.text.remembered import remembered

LISTED = 1000  # statements: so many are read as a list, which takes less time than looking names up
Names = Callable[[str], frozenset[str]]
TOGETHER = 100  # names that are looked up at once, and statements that are read at once


@remembered(1 << 14)
def forms(name: str) -> frozenset[str]:
    """The forms in which a text may have a name: it, and the plurals of its last word.

    >>> sorted(forms("puppy"))
    ['puppies', 'puppy', 'puppyes', 'puppys']
    """
    *before, last = name.replace("-", " ").split() or [""]
    found = {last, last + "s", last + "es", *plurals(last), *(many for many, one in SINGULAR.items() if one == last)}
    return frozenset(" ".join([*before, form]) for form in found)


@remembered(1 << 14)
def written(word: str) -> frozenset[str]:
    """The words that a text may have where a key has a lemma: its forms, and others of a verb, which may be nouns, too.

    >>> sorted(written("see"))
    ['saw', 'see', 'seees', 'seeing', 'seen', 'sees']
    """
    return forms(word) | Words.load().inflected.get(word, frozenset())


def matching(index: Index, names: Iterable[str], kept: bool = False) -> Iterator[np.ndarray]:
    """The numbers of sentences, or of those ``kept``, that may have one of these names, newest first, some at a time."""
    asked = [phrase(form) for name in sorted(names) for form in sorted(forms(name))]
    return index.newest_first(" OR ".join(asked), kept=kept) if asked else iter(())


def holding(files: CheckedFolder, index: Index, names_of: Names, names: frozenset[str], most: int) -> list[int]:
    """The numbers of the newest sentences that have one of these names."""
    found = list[int]()
    for numbers in map(np.ndarray.tolist, matching(index, names)):
        for number, text in zip(numbers, files.texts(numbers), strict=True):
            if not names.isdisjoint(names_of(text)):
                found.append(number)
                if len(found) == most:
                    return found
    return found


class Statements:
    """The statements of a memory at ``places``, ascending, and those of a story after them; each has a position.

    The places are those that are kept, ascending, and ``more``.
    """

    def __init__(
        self,
        files: CheckedFolder,
        index: Index,
        names_of: Names,
        kept: np.ndarray,
        story: Sequence[str],
        more: Sequence[int] = (),
    ) -> None:
        self.files, self.index, self.names_of, self.more = files, index, names_of, sorted(more, reverse=True)
        self.places, self.story, self.after = np.union1d(kept, np.array(more, np.int64)), story, files.known.sentences
        places = self.places
        self.texts = dict[int, str](enumerate(story, len(places)))

    def __len__(self) -> int:
        return len(self.places) + len(self.story)

    def place(self, position: int) -> int:
        """Where a statement stands in the text."""
        known = len(self.places)
        return int(self.places[position]) if position < known else self.after + position - known

    def text(self, position: int) -> str:
        """A statement's text."""
        if position not in self.texts:
            self.read([position])
        return self.texts[position]

    def read(self, positions: Iterable[int]) -> None:
        """Have the texts of statements, those of them that there are, at hand."""
        new = sorted({one for one in positions if 0 <= one < len(self.places)} - self.texts.keys())
        self.texts.update(zip(new, self.files.texts(self.places[new].tolist()), strict=True))

    def names(self, position: int) -> frozenset[str]:
        """A statement's names."""
        return self.names_of(self.text(position))

    def listed(self) -> list[tuple[int, str]]:
        """All statements, with their places."""
        self.read(range(len(self.places)))
        return [(self.place(position), self.text(position)) for position in range(len(self))]

    def missing(self, names: frozenset[str]) -> frozenset[str]:
        """Of these names, those that no statement has."""
        if len(self) > LISTED:
            return frozenset(name for name in names if not self.naming(frozenset({name}), 1))
        return names.difference(*(self.names_of(text) for _, text in self.listed()))

    def naming(self, names: frozenset[str], most: int) -> list[int]:
        """The positions of the newest statements that have one of these names, newest first."""
        found = list[int]()
        for position in self.candidates(names):
            if not names.isdisjoint(self.names(position)):
                found.append(position)
                if len(found) == most:
                    break
        return found

    def candidates(self, names: frozenset[str]) -> Iterator[int]:
        """The positions of statements that may have one of these names, newest first."""
        yield from range(len(self) - 1, len(self.places) - 1, -1)
        if not len(self.places):
            return
        kept = chain.from_iterable(map(np.ndarray.tolist, matching(self.index, names, kept=True)))
        numbers = merge(self.more, kept, reverse=True)
        while part := list(islice(numbers, TOGETHER)):
            at = np.searchsorted(self.places, part).clip(max=len(self.places) - 1)
            there = at[self.places[at] == part].tolist()
            self.read(there)
            yield from there

    # Statements that open with others, as memnet.infer.retriever.Links says

    def opens_before(self, position: int) -> bool:
        """Whether a statement with "he", "she" or "they" opens together with the one just before it."""
        return self.has_pronoun(position) and self.place(position) == self.place(position - 1) + 1

    def goes_on(self, position: int) -> bool:
        """Whether a statement with "he", "she" or "they" goes on with "then" from others that stand further away."""
        if not self.has_pronoun(position) or self.place(position) == self.place(position - 1) + 1:
            return False
        return words(self.text(position))[0] in GOING_ON

    def has_pronoun(self, position: int) -> bool:
        """Whether a statement that is not the first speaks of "he", "she" or "they"."""
        return 0 < position < len(self) and not PEOPLE_PRONOUNS.isdisjoint(words(self.text(position)))

    def opened_by(self, position: int) -> Iterator[int]:
        """The statements that open where this one is found."""
        if self.opens_before(position):
            yield position - 1
        if self.opens_before(position + 1):
            yield position + 1
        yield from (other for other in range(position + 1, position + 1 + REACH) if self.goes_on(other))


def related(question: frozenset[str], told: Statements, keep: int) -> list[int]:
    """The positions of the statements that the names of a question lead to, ascending; at most ``keep``, the newest.

    Where it leads to none, the newest of all.
    """
    asked, new_names, found, named = set(question), set(question), set[int](), set[int]()
    while len(found) < keep:
        names = sorted(new_names)
        for start in range(0, len(names), TOGETHER):
            named.update(told.naming(frozenset(names[start : start + TOGETHER]), keep))
        told.read(position + ahead for position in found for ahead in range(-1, REACH + 1))
        new = {*named, *(position - 1 for position in named if told.goes_on(position))}
        new.update(other for position in found for other in told.opened_by(position))
        if new <= found:
            break
        more = sorted(new - found)[len(found) - keep :]
        found.update(more)
        new_names = {name for position in more for name in told.names(position)} - asked
        asked |= new_names
    return sorted(found or range(len(told))[-keep:])
