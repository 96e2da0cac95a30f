"""Search: the sentences of a memory that answer a question in ordinary English, best first, and whether any does.

    searcher = Searcher.load()
    searcher.rank([Candidate("We camped by the lake."), Candidate("The lamp is on.")], "Where did you go camping?", k=1)

In a memory of any size an index finds what is compared, by the forms of the question's words:

    found = with_neighbours(index.rank(searcher.terms(query), 200), len(memory))
    searcher.rank([candidate(memory[number]) for number in found], query, 10, count, len(memory))

:class:`~memnet.infer.finder.Finder` is what ranks, :func:`~memnet.reading.compared.compare` what it sees.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Protocol

from memnet.encode.saved import CONFIG
from memnet.errors import NetworkError
from memnet.infer.attention import likeliest
from memnet.infer.finder import Finder
from memnet.reading.compared import FEATURES, Candidate, compare, words_of
from memnet.reading.words import Words

FOLDER = Path(__file__).with_name("searcher")
NARROWED = 200  # sentences that are compared
SPEAKER = re.compile(r"([A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,2}): +(?=\S)")
LEAST = 0.05  # the weight of a word, by how common it is in English, from which it is looked up

__all__ = ["Candidate", "Ranked", "Searcher", "candidate", "forms_of", "terms_of", "with_neighbours"]


class Ranked(NamedTuple):
    """The places of candidates and their scores, best first; ``nothing`` is the chance that none answers."""

    best: list[tuple[int, float]]
    nothing: float


class Searcher:
    """Ranks sentences for a question. It keeps nothing of them, and may be used by threads."""

    def __init__(self, net: Finder, refuses_from: float = 0.5) -> None:
        unknown = sorted(set(net.features) - set(FEATURES))
        if unknown:
            raise NetworkError(f"a network that searches sees {unknown[0]!r}, which this version does not know; load another")
        self.net, self.refuses_from = net, refuses_from
        self.only = [FEATURES.index(name) for name in net.features]

    @classmethod
    def load(cls, folder: Path | None = None) -> Searcher:
        """The one that ships, or that of a folder. Raises :class:`~memnet.errors.NetworkError`."""
        return _read(FOLDER if folder is None else folder)

    def rank(
        self,
        candidates: Sequence[Candidate],
        query: str,
        k: int = 10,
        count: Callable[[str], float] | None = None,
        sentences: int | None = None,
    ) -> list[tuple[int, float]]:
        """The places of the ``k`` best candidates and their scores, best first; a score of 0 is as good as nothing at all.

        Where the candidates are but some of a memory's ``sentences``, ``count`` says how many of these have a lemma.
        """
        return self.search(candidates, query, k, count, sentences).best

    def search(
        self,
        candidates: Sequence[Candidate],
        query: str,
        k: int = 10,
        count: Callable[[str], float] | None = None,
        sentences: int | None = None,
    ) -> Ranked:
        """As :meth:`rank`, with the chance that no candidate answers: 1 where there are no candidates or no words."""
        if not candidates or not words_of(query):
            return Ranked([], 1.0)
        compared = compare(candidates, query, count, sentences)
        found = self.net(compared.features[:, self.only], compared.similarity)
        places = likeliest(found.logits, k)
        scores = [round(logit - found.null, 4) for logit in found.logits[places].tolist()]
        return Ranked(list(zip(places.tolist(), scores, strict=True)), found.nothing)

    def answers(self, found: Ranked) -> bool:
        """Whether what was found is taken for an answer."""
        return found.nothing < self.refuses_from

    def terms(self, query: str) -> list[str]:
        """:func:`terms_of` a question."""
        return terms_of(query)


class HeldLike(Protocol):
    """A sentence in a memory, such as :class:`~memnet.memory.Held`."""

    @property
    def number(self) -> int:
        """Its number in the order of telling."""

    @property
    def text(self) -> str:
        """The text of the sentence."""

    @property
    def when(self) -> str | None:
        """Its time."""

    @property
    def source(self) -> str:
        """Where it is from."""


def candidate(held: HeldLike) -> Candidate:
    """A sentence of a memory as a candidate; what stands before a colon at its beginning, with a capital, is its speaker.

    >>> from collections import namedtuple
    >>> Held = namedtuple("Held", "number text when source")
    >>> candidate(Held(3, "Ann: I sold the boat.", None, "chat.txt"))
    Candidate(text='I sold the boat.', number=3, speaker='Ann', when='', source='chat.txt')
    """
    said = SPEAKER.match(held.text)
    text = held.text[said.end() :] if said else held.text
    return Candidate(text, held.number, said[1] if said else "", held.when or "", held.source)


def with_neighbours(numbers: Iterable[int], sentences: int, most: int = NARROWED) -> list[int]:
    """Of ``sentences`` those that an index found, best first, each with the one after and the one before, ascending.

    >>> with_neighbours([7, 2], 9, most=5)
    [2, 3, 6, 7, 8]
    """
    kept: dict[int, None] = {}
    for number in numbers:
        for place in (number, number + 1, number - 1):
            if 0 <= place < sentences and len(kept) < most:
                kept[place] = None
    return sorted(kept)


def terms_of(query: str) -> list[str]:
    """The words of a question that say something, each with its other forms, to look up in an index.

    >>> terms_of("The camp?")
    ['camp', 'camps', 'camping', 'camped']
    """
    said = {word.lemma: word.weight for word in words_of(query)}
    kept = [lemma for lemma, weight in said.items() if weight >= LEAST] or list(said)
    return list(dict.fromkeys(form for lemma in kept for form in forms_of(lemma)))


@lru_cache(maxsize=2)
def _read(folder: Path) -> Searcher:
    net, saved = Finder.load(folder)
    refuses_from = saved.get("refuses_from")
    if not isinstance(refuses_from, float):
        raise NetworkError(f"{folder / CONFIG} lacks 'refuses_from', the chance from which a search refuses")
    return Searcher(net, refuses_from)


@lru_cache(maxsize=1)
def _all_forms() -> dict[str, list[str]]:
    words, found = Words.load(), dict[str, list[str]]()
    for row, lemma in enumerate(words.lemmas.tolist()):
        if row:
            found.setdefault(words.texts[lemma], []).append(words.texts[row])
    return found


def forms_of(lemma: str) -> list[str]:
    """The words that are forms of a lemma, itself first."""
    return list(dict.fromkeys([lemma, *_all_forms().get(lemma, [])]))
