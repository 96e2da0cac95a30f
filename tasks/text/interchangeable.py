"""Interchangeable words, found by counting: names, places, synonyms that may be swapped and leave the text as likely as before.

A use of a word is counted once for each story that states it, and once for each question that asks or answers it, with its
context: its neighbours, the other words of its sentence, those of the sentences before and after, the latest earlier sentence
with one of them, and what the question asks and answers of it. A word that is neither asked for nor about is also counted with
every question after it, by its place relative to the question's words and to the answer. Two words are interchangeable where
no share of the one's uses differs much from the same share of the other's, with the two words swapped, and all shares
together do not differ either.

Hardly more than pairs of words are counted, so a rule among more words may go unseen. Words that are neither asked for nor
about are left alone where a story's answer is a word that other stories state and it does not: words of the story stand for it
there ("wolves" for "wolf").
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import chain, combinations

import numpy as np

from . import Question, Story, answer_entry, words

LIMIT = 5.5  # standard errors, of the share that differs most
MEAN = 2.4  # the mean square of all differences, in standard errors
FEWEST = 40  # stories that state a word, below which too little is known of it; and questions, of what is asked
FAR = 1e9  # between words that are not interchangeable
OFTEN = 8  # uses of both in a context, that it counts in the mean
QUESTIONS = 500  # with fewer of them words cannot be told apart

Context = tuple[str | int, ...]  # what stands where, the words last
Use = tuple[str, str, set[Context]]  # of what kind, of which word, and what stands around it


def answer_words(answer: str) -> list[str]:
    """The words of an answer, which commas part."""
    return answer_entry(answer).split(",")


def beside(sentence: Sequence[str], place: int) -> set[Context]:
    """What the rest of a sentence is to a word of it."""
    left, right = ("", *sentence)[place], (*sentence, "")[place + 1]
    rest = (*sentence[:place], *sentence[place + 1 :])
    return {("left", left), ("right", right), *(("beside", word) for word in rest)}


def tellings(sentences: Sequence[Sequence[str]]) -> Iterator[Use]:
    """A story's words among themselves."""
    around = defaultdict[str, set[Context]](set)
    last = dict[str, int]()  # the most recent sentence with a word
    for number, sentence in enumerate(sentences):
        before = {("before", word) for word in sentences[number - 1]} if number else set()
        after = {("after", word) for word in sentences[number + 1]} if number + 1 < len(sentences) else set()
        linked = {
            other: {("since", word) for word in sentences[last[other]]} if other in last else {("new",)} for other in sentence
        }
        for place, word in enumerate(sentence):
            around[word] |= before | after | beside(sentence, place)
            for other in {*sentence} - {word}:
                around[word] |= linked[other]
        last |= dict.fromkeys(sentence, number)
    for word, found in around.items():
        yield "stated", word, found


def askings(sentences: Sequence[Sequence[str]], question: Question) -> Iterator[Use]:
    """The words of a question and its answer, and those of the statements before it."""
    asked, answer = words(question.text), answer_words(question.answer)
    known: set[Context] = {("known", word) for sentence in sentences for word in sentence}
    known |= {("known", *pair) for sentence in sentences for pair in zip(("", *sentence), (*sentence, ""), strict=True)}
    for place, word in enumerate(asked):
        yield "asked", word, known | beside(asked, place) | {("answer", other) for other in answer}
    for word in answer:
        yield "answers", word, known | {("asked", other) for other in asked} | {("too", other) for other in answer}
    of_all = {("asked", word) for word in asked} | {("answer", word) for word in answer}
    around = defaultdict[str, set[Context]](set)
    for sentence in sentences:
        for place, word in enumerate(sentence):
            around[word] |= of_all
            for where, other in enumerate(sentence):
                if other in answer:
                    around[word].add(("answer is", where - place))
                for number in (number for number, one in enumerate(asked) if one == other):
                    around[word] |= {("asked is", number, where - place, *said) for said in enumerate(answer)}
    for word, found in around.items():
        yield "serves", word, found


class Uses:
    """How often the words of some stories are used, and in what contexts."""

    def __init__(self, stories: Iterable[Story]) -> None:
        self.number = defaultdict[str, Counter[str]](Counter)  # of uses, by word and kind
        self.found = defaultdict[tuple[str, str], Counter[Context]](Counter)  # by kind and word
        derived = set[str]()  # answers that their story does not state
        for story in stories:
            sentences = [words(text) for text in story.statements]
            self.count(tellings(sentences))
            for question in story.questions:
                self.count(askings(sentences[: question.after], question))
                derived |= set(answer_words(question.answer)).difference(*sentences[: question.after])
        self.derived = any(self.number[word]["stated"] for word in derived)

    def count(self, uses: Iterable[Use]) -> None:
        """Once more."""
        for kind, word, found in uses:
            self.number[word][kind] += 1
            self.found[kind, word].update(found)

    def asked(self, word: str) -> int:
        """How many questions ask for a word or about it."""
        return self.number[word]["asked"] + self.number[word]["answers"]

    def candidates(self) -> list[str]:
        """Words that are stated, and asked for or about, often enough to be compared, or neither asked for nor about."""
        stated = [word for word, kinds in self.number.items() if kinds["stated"] >= FEWEST]
        return sorted(word for word in stated if self.asked(word) >= FEWEST or not (self.asked(word) or self.derived))

    def difference(self, one: str, other: str) -> float:
        """The largest difference between a share of the uses of one word and the other's, in standard errors; inf if unlike."""
        from statistics import fmean  # here: asking a network needs none, and it is slow to import

        change, worst, squares = {one: other, other: one}, 0.0, [0.0]
        both = self.asked(one) and self.asked(other)
        for kind in ("stated", "asked", "answers", *(() if both else ("serves",))):
            uses, others = self.number[one][kind], self.number[other][kind]
            if not uses and not others:
                continue
            if not uses or not others:
                return math.inf
            mine, theirs = self.found[kind, one], self.found[kind, other]
            alone = (changed for context in theirs if (changed := changed_by(context, change)) not in mine)
            for context in chain(mine, alone):
                first, second = mine.get(context, 0), theirs.get(changed_by(context, change), 0)
                share = (first + second) / (uses + others)
                variance = share * (1 - share) * (1 / uses + 1 / others)
                square = (first / uses - second / others) ** 2 / variance if variance > 0 else 0.0
                if square >= LIMIT**2:
                    return math.inf
                worst = max(worst, square)
                if first + second >= OFTEN:
                    squares.append(square)
        return math.sqrt(worst) if fmean(squares) < MEAN else math.inf


def changed_by(context: Context, change: dict[str, str]) -> Context:
    """A context in which words have changed places."""
    return (context[0], *(change.get(part, part) if isinstance(part, str) else part for part in context[1:]))


def interchangeable_words(stories: Sequence[Story]) -> list[Set[str]]:
    """Groups of two or more words of which each is used like each other, in alphabetical order; none of too few questions.

    The likest two groups are joined first, as long as all their words are interchangeable (complete linkage).
    """
    from scipy.cluster.hierarchy import fcluster, linkage

    if sum(len(story.questions) for story in stories) < QUESTIONS:
        return []
    uses = Uses(stories)
    candidates = uses.candidates()
    if len(candidates) < 2:
        return []
    apart = np.array([uses.difference(*pair) for pair in combinations(candidates, 2)])
    cluster = fcluster(linkage(np.minimum(apart, FAR), "complete"), LIMIT, "distance")
    groups = [
        frozenset(word for word, number in zip(candidates, cluster, strict=True) if number == one)
        for one in sorted(set(cluster))
    ]
    return sorted((group for group in groups if len(group) > 1), key=sorted)
