"""The sentences of a memory that fit a question best: an index narrows what a searcher ranks."""

from __future__ import annotations

from functools import cache
from itertools import islice

import numpy as np

from memnet.memory.search import NARROWED, Searcher, candidate, terms_of, with_neighbours
from memnet.memory.sentences import Sentences
from memnet.memory.values import Found, Held


@cache
def searcher() -> Searcher:
    """The one of the package."""
    return Searcher.load()


def ranked(sentences: Sentences, question: str, k: int) -> list[Found]:
    """The ``k`` sentences that fit best, best first, each with its score."""
    memory, total = sentences.memory, sentences.told
    index = memory.index
    terms = terms_of(question) or [question]
    if (sentences.day and sentences.since) or sentences.clock:  # few of the best of all may be of the day
        of_day = {*sentences.numbers_in_time().tolist()}
        near = (number for number, _ in index.rank(terms, total) if number in of_day)
        found = sorted({*islice(near, NARROWED)}) if len(of_day) > NARROWED else sorted(of_day)
    else:
        found = with_neighbours((number for number, _ in index.rank(terms, NARROWED)), total)
    alive = memory.files.marks.alive(np.array(found, np.int64))
    held = [one for one, lives in zip(memory.held(found), alive, strict=True) if lives and sentences.is_in_time(one)]
    held += sentences.later

    def count(lemma: str) -> float:
        return float(len(index.find([lemma])))

    best = searcher().rank([candidate(one) for one in held], question, k, count, total + len(sentences.later))
    return [Found(*held[place], score) for place, score in best]


def best_of(sentences: Sentences, question: str, k: int) -> list[Held]:
    """The same in the order in which they were said."""
    found = {one.number: Held(*one[:-1]) for one in ranked(sentences, question, k)}
    told = [found.pop(number) for number in sentences.with_corrected(found) if number in found and number < sentences.told]
    return [*sentences.in_time(told), *(found[number] for number in sorted(found))]
