"""The sentences of a memory that fit a question best: an index narrows what a searcher ranks."""

from __future__ import annotations

from functools import cache

from memnet.memory.search import Candidate, Searcher, terms_of
from memnet.memory.values import Found, Held
from memnet.memory.whereabouts import Sentences

NARROWED = 200  # sentences that the index finds, and the searcher ranks


@cache
def searcher() -> Searcher:
    """The one of the package."""
    return Searcher.load()


def ranked(sentences: Sentences, question: str, k: int) -> list[Found]:
    """The ``k`` sentences that fit best, best first, each with its score."""
    memory = sentences.memory
    numbers = [number for number, _ in memory.index.rank(terms_of(question) or [question], NARROWED)]
    held = [*filter(sentences.is_in_time, memory.held(sorted(numbers))), *sentences.later]
    candidates = [Candidate(one.text, one.number, speaker_of(one.text), one.when or "", one.source) for one in held]
    return [Found(*held[place], score) for place, score in searcher().rank(candidates, question, k)]


def speaker_of(text: str) -> str:
    """Who says a line of a chat.

    >>> speaker_of("Ann: I moved the bike."), speaker_of("Nobody said a word.")
    ('Ann', '')
    """
    name, colon, _ = text.partition(": ")
    return name if colon and len(name.split()) <= 3 and name[:1].isupper() else ""


def best_of(sentences: Sentences, question: str, k: int) -> list[Held]:
    """The same in the order of telling."""
    found = sorted(ranked(sentences, question, k), key=lambda one: one.number)
    return [Held(*one[:-1]) for one in found]
