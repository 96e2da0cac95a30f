"""A question beside the sentences of a memory, as numbers: what a search looks at.

    compared = compare(candidates, "Where did Ann camp?")
    compared.features  (C, F)     what each sentence has to do with the question, :data:`FEATURES`
    compared.similarity     (2, C, C)  how much each two sentences have in common: in words, and in the vectors of their words

A word counts by how rare it is in the memory, and not at all where it is common in English. Forms of a word are one ("camped",
"camping"). Where a word of the question is missing, the nearest word of the sentence stands in: the question's words read the
sentence's by an attention, with the vectors of :mod:`memnet.reading.words` (as in ColBERT, Khattab & Zaharia 2020).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from datetime import date
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnet.infer.attention import argmax, dot, read
from memnet.reading.words import Word, Words
from memnet.tasks.text.english import of_class

Floats = NDArray[np.float32]
PART = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
OWNER = re.compile(r"['’]s$", re.IGNORECASE)
ISO_DAY = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?")
CLOCK = re.compile(r"\d{1,2}:\d\d")
LONGEST = 64  # words of a sentence that vectors are compared of
SATURATION, BY_LENGTH = 1.2, 0.5  # k1 and b of BM25 (Robertson & Zaragoza 2009)
SAYS_LITTLE = 0.25  # the weight from which a word may stand in for another
OFFSETS = (-1, 1, -2, 2)  # neighbours that are looked at
TEXTS_KEPT = 1 << 15

OF_WORDS = ("bm25", "share", "rarest", "how many", "bm25 below the best", "share below the best")
OF_VECTORS = ("near", "best words", "mean vector", "best words below the best", "mean vector below the best")
OF_SPEAKERS = ("said by who is named", "name in the text")
OF_TIME = ("date",)
OF_FORM = ("length", "asks", "has a question", "time word", "digit", "first person")
NEIGHBOUR = ("bm25", "share", "best words", "mean vector", "asks")
OF_NEIGHBOURS = tuple(f"{name} of {offset:+d}" for offset in OFFSETS for name in NEIGHBOUR)
ASKED = ("when", "where", "who", "what", "which", "why", "how", "many", "long", "would", "do", "have", "be", "much", "kind")
OF_QUESTION = ("weight", "words", "speakers named", "date named", "words that say something", *ASKED)
GROUPS = {
    "words": OF_WORDS,
    "vectors": OF_VECTORS,
    "neighbours": OF_NEIGHBOURS,
    "speaker": OF_SPEAKERS,
    "time": OF_TIME,
    "form": OF_FORM,
    "question": OF_QUESTION,
}
FEATURES = tuple(f"{group}: {name}" for group, names in GROUPS.items() for name in names)
TIME_WORDS = of_class(
    "yesterday today tomorrow ago last next week month year weekend day night morning recently soon since just monday tuesday "
    "wednesday thursday friday saturday sunday january february march april may june july august september october november "
    "december"
)
FIRST_PERSON = of_class("i me my we us our i've i'm i'd i'll we're we've we'll")


class Candidate(NamedTuple):
    """A sentence of a memory. Sentences of one ``source`` whose ``number`` is one more or less are neighbours."""

    text: str
    number: int = 0
    speaker: str = ""
    when: str = ""
    source: str = ""


class Compared(NamedTuple):
    """C sentences and a question."""

    features: Floats  # (C, F)
    similarity: Floats  # (2, C, C)


class Asked(NamedTuple):
    """The words of a question, each once; Q words."""

    words: list[Word]
    place: dict[str, int]  # of each lemma
    weight: Floats  # (Q,) by rarity, zero for names of speakers
    named: NDArray[np.bool_]  # (Q,) names of speakers


@lru_cache(TEXTS_KEPT)
def words_of(text: str) -> tuple[Word, ...]:
    """The words of a text, without the 's of owners."""
    find = Words.load().find
    return tuple(find(OWNER.sub("", part)) for part in PART.findall(text))


@lru_cache(TEXTS_KEPT)
def form_of(text: str) -> tuple[float, ...]:
    """:data:`OF_FORM` of a text."""
    low = {part.replace("’", "'") for part in PART.findall(text.lower())}
    asks = text.rstrip().endswith("?")
    return (
        math.log1p(len(words_of(text))),
        float(asks),
        float("?" in text),
        float(not low.isdisjoint(TIME_WORDS)),
        float(any(letter.isdigit() for letter in text)),
        float(not low.isdisjoint(FIRST_PERSON)),
    )


@lru_cache(TEXTS_KEPT)
def date_lemmas(when: str) -> frozenset[str]:
    """What a question may say of a time: the year, the month's name, the day.

    >>> sorted(date_lemmas("2023-05-08T13:56")), sorted(date_lemmas("1:56 pm on 8 May, 2023"))
    (['2023', 'eight', 'may'], ['2023', 'eight', 'may', 'on', 'pm'])
    """
    iso = ISO_DAY.match(when)
    if iso:
        year, month, day = int(iso[1]), int(iso[2]), int(iso[3] or 0)
        name = date(2000, month, 1).strftime("%B") if 1 <= month <= 12 else ""
        when = f"{year} {name} {day or ''}"
    return frozenset(word.lemma for word in words_of(CLOCK.sub(" ", when)))


def idf(sentences: int, count: float) -> float:
    """How rare a word is that ``count`` of so many sentences have: ln(1 + (N - n + 1/2) / (n + 1/2)), as in BM25."""
    return math.log(1 + max(sentences - count + 0.5, 0.5) / (count + 0.5))


class Told:
    """Sentences as numbers; V different words among them."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self.candidates = candidates
        self.words = [words_of(candidate.text) for candidate in candidates]
        self.number: dict[str, int] = {}
        places, owners, weights, rows = list[int](), list[int](), list[float](), list[int]()
        for owner, told in enumerate(self.words):
            for word in told:
                place = self.number.get(word.lemma)
                if place is None:
                    place = self.number[word.lemma] = len(weights)
                    weights.append(word.weight)
                    rows.append(word.row)
                places.append(place)
                owners.append(owner)
        self.weights, self.rows = np.array(weights, np.float32), np.array(rows, np.int64)
        flat = np.bincount(np.array(owners, np.int64) * len(weights) + np.array(places, np.int64), minlength=self.size)
        self.counts = flat.reshape(len(candidates), -1).astype(np.float32)  # (C, V)

    def count(self, lemma: str) -> float:
        """How many sentences have a lemma."""
        place = self.number.get(lemma)
        return 0.0 if place is None else float((self.counts[:, place] > 0).sum())

    @property
    def size(self) -> int:
        """C x V."""
        return len(self.candidates) * len(self.weights)

    @cached_property
    def speakers(self) -> list[frozenset[str]]:
        """The words of each speaker's name."""
        return [frozenset(word.lemma for word in words_of(candidate.speaker)) for candidate in self.candidates]

    @cached_property
    def vectors(self) -> Floats:
        """The words of each sentence as vectors of length 1, zeros where there is none or it says little, (C, L, 100)."""
        longest = max(1, min(LONGEST, max(map(len, self.words), default=1)))
        rows = np.zeros((len(self.words), longest), np.int64)
        for place, told in enumerate(self.words):
            said = [word.row if word.weight > SAYS_LITTLE else 0 for word in told[:longest]]
            rows[place, : len(said)] = said
        return Words.load().units[rows]

    @cached_property
    def bags(self) -> Floats:
        """The words of each sentence by their rarity, names of speakers left out, (C, V)."""
        have = self.counts > 0
        rare = np.array([idf(len(have), count) for count in have.sum(0).tolist()], np.float32) * self.weights
        names = {self.number[name] for name in frozenset().union(*self.speakers) if name in self.number}
        rare[sorted(names)] = 0
        return np.asarray(have * rare, np.float32)

    @cached_property
    def means(self) -> Floats:
        """The direction of the mean vector of each sentence's words, (C, 100)."""
        return unit(self.bags @ Words.load().units[self.rows])


def unit(vectors: Floats) -> Floats:
    """Rows at length 1; of zeros, zeros."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-6), np.float32)


def asked(told: Told, query: str, count: Callable[[str], float] | None, sentences: int | None) -> Asked:
    """A question's words; ``count`` says how many of so many ``sentences`` of the whole memory have a lemma."""
    found = list({word.lemma: word for word in words_of(query)}.values())
    speakers = frozenset().union(*told.speakers) if told.speakers else frozenset()
    size = len(told.candidates) if sentences is None else sentences
    rare = [idf(size, (count or told.count)(word.lemma)) for word in found]
    named = np.array([word.lemma in speakers for word in found], bool)
    weight = np.array([word.weight for word in found], np.float32) * np.array(rare, np.float32) * ~named
    return Asked(found, {word.lemma: place for place, word in enumerate(found)}, np.asarray(weight, np.float32), named)


def nearest(told: Told, question: Asked) -> Floats:
    """The cosine of each word of the question and the nearest word of each sentence, 0 at least, (C, Q)."""
    query = Words.load().units[[word.row for word in question.words]]  # (Q, 100)
    trace = read(dot(query, told.vectors), query, lambda weights: weights, argmax)
    return np.asarray(np.maximum((trace.weights * trace.logits).sum(-1), np.float32(0)))


def of_words(told: Told, question: Asked) -> tuple[Floats, Floats]:
    """:data:`OF_WORDS` (C, 6), and how often each sentence has each word of the question (C, Q)."""
    known = [told.number.get(word.lemma, -1) for word in question.words]
    counts = np.where(np.array(known) >= 0, told.counts[:, known], 0)
    length = told.counts.sum(1)
    usual = SATURATION * (1 - BY_LENGTH + BY_LENGTH * length / max(float(length.mean()), 1e-3))
    weight, total = question.weight, max(float(question.weight.sum()), 1e-3)
    bm25 = counts * (SATURATION + 1) / (counts + usual[:, None]) @ weight
    have = (counts > 0) * weight
    share, rarest = have.sum(1) / total, have.max(1, initial=0) / max(float(weight.max(initial=0)), 1e-3)
    columns = [bm25, share, rarest, (have > 0).sum(1), bm25 - bm25.max(), share - share.max()]
    return np.stack(columns, 1).astype(np.float32), np.asarray(counts, np.float32)


def of_vectors(told: Told, question: Asked, counts: Floats) -> Floats:
    """:data:`OF_VECTORS`, (C, 5)."""
    weight, total = question.weight, max(float(question.weight.sum()), 1e-3)
    cosine, missing = nearest(told, question), counts == 0
    near = (np.maximum(cosine - 0.3, 0) * missing) @ weight / total
    best = np.where(missing, cosine**2, 1) @ weight / total
    mean = told.means @ unit(weight @ Words.load().units[[word.row for word in question.words]])
    return np.stack([near, best, mean, best - best.max(), mean - mean.max()], 1).astype(np.float32)


def of_speakers(told: Told, question: Asked, counts: Floats) -> Floats:
    """:data:`OF_SPEAKERS`, (C, 2)."""
    named = {word.lemma for word, name in zip(question.words, question.named, strict=True) if name}
    said = [float(not named.isdisjoint(speaker)) for speaker in told.speakers]
    return np.stack([np.array(said), (counts > 0) @ question.named], 1).astype(np.float32)


def of_time(told: Told, question: Asked) -> tuple[Floats, bool]:
    """:data:`OF_TIME` (C, 1): which share of the date that the question names; and whether it names one."""
    days = [date_lemmas(candidate.when) for candidate in told.candidates]
    known = frozenset().union(*days) & question.place.keys()
    asks = [(lemma, question.words[question.place[lemma]].weight) for lemma in sorted(known)]
    total = max(sum(weight for _, weight in asks), 1e-3)
    share = [sum(weight for lemma, weight in asks if lemma in day) / total for day in days]
    return np.array(share, np.float32).reshape(-1, 1), any(weight > 0 for _, weight in asks)


def of_neighbours(candidates: Sequence[Candidate], seen: Floats) -> Floats:
    """What is seen (C, 5) of those before and after, (C, 20): zeros where a neighbour is no candidate."""
    place = {(candidate.source, candidate.number): row for row, candidate in enumerate(candidates)}
    padded = np.concatenate([seen, np.zeros((1, seen.shape[1]), np.float32)])
    rows = [[place.get((one.source, one.number + offset), -1) for offset in OFFSETS] for one in candidates]
    return padded[np.array(rows, np.int64).reshape(-1, len(OFFSETS))].reshape(len(candidates), -1)


def of_question(question: Asked, dated: bool) -> list[float]:
    """:data:`OF_QUESTION`."""
    sizes = [question.weight.sum(), len(question.words), question.named.sum(), dated, (question.weight > 0).sum()]
    return [*map(float, sizes), *(float(word in question.place) for word in ASKED)]


def compare(
    candidates: Sequence[Candidate],
    query: str,
    count: Callable[[str], float] | None = None,
    sentences: int | None = None,
) -> Compared:
    """A question beside sentences. Where these are but some of a memory's ``sentences``, ``count`` says how many have a lemma.

    The order of the candidates changes the order of the rows, and nothing else.
    """
    told = Told(candidates)
    question = asked(told, query, count, sentences)
    words, counts = of_words(told, question)
    vectors = of_vectors(told, question, counts)
    form = np.array([form_of(candidate.text) for candidate in candidates], np.float32)
    time, dated = of_time(told, question)
    seen = np.concatenate([words[:, :2], vectors[:, 1:3], form[:, 1:2]], 1)
    parts = [words, vectors, of_neighbours(candidates, seen), of_speakers(told, question, counts), time, form]
    whole = np.broadcast_to(np.array(of_question(question, dated), np.float32), (len(candidates), len(OF_QUESTION)))
    bags = unit(told.bags)
    return Compared(np.concatenate([*parts, whole], 1), np.stack([bags @ bags.T, told.means @ told.means.T]))
