"""Words that stories use alike, found by counting: names, places, objects, whose exchange leaves the text as likely as before.

What a word of a kind does is counted once a story where it is told, and once a question where it is asked or answers:
its neighbours, the words beside it, before it and after it, what is asked and answered of it, and what the story
tells then. Two words are alike where no such share of one differs from the same share of the other, each the other's
in its place, by :data:`LIMIT` standard errors.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import combinations

from memnet.tasks.text import Story, words

LIMIT = 5.5  # standard errors: of thousands of shares of words that are alike, hardly one differs by so much
FEWEST = 40  # uses, told and asked for or about, below which too little is known of a word

Context = tuple[str, ...]  # what stands where, the words last


def answer_words(answer: str) -> list[str]:
    """The words of an answer, which commas part."""
    return [" ".join(words(part)) for part in answer.split(",")]


def pairs(sentence: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Neighbours, the sentence's edges among them."""
    return zip(("", *sentence), (*sentence, ""), strict=True)


def contexts(stories: Iterable[Story]) -> Iterator[tuple[str, str, set[Context]]]:
    """Every use of a word: ``told``, ``asked`` or ``answers``, the word and what stands around it."""
    for story in stories:
        told = [words(text) for text in story.statements]
        around = defaultdict[str, set[Context]](set)
        for number, sentence in enumerate(told):
            before = {("before", word) for word in told[number - 1]} if number else set()
            after = {("after", word) for word in told[number + 1]} if number + 1 < len(told) else set()
            for place, word in enumerate(sentence):
                around[word] |= before | after | beside(sentence, place)
        for word, found in around.items():
            yield "told", word, found
        for question in story.questions:
            asked, answer = words(question.text), answer_words(question.answer)
            known: set[Context] = {("known", word) for sentence in told[: question.after] for word in sentence}
            known |= {("known", *pair) for sentence in told[: question.after] for pair in pairs(sentence)}
            for place, word in enumerate(asked):
                yield "asked", word, known | beside(asked, place) | {("answer", other) for other in answer}
            for word in answer:
                yield "answers", word, known | {("asked", other) for other in asked} | {("too", other) for other in answer}


def beside(sentence: Sequence[str], place: int) -> set[Context]:
    """What the rest of a sentence is to a word of it."""
    left, right = ("", *sentence)[place], (*sentence, "")[place + 1]
    rest = (*sentence[:place], *sentence[place + 1 :])
    return {("left", left), ("right", right), *(("beside", word) for word in rest)}


class Uses:
    """How often the words of some stories are used, and in what contexts."""

    def __init__(self, stories: Iterable[Story]) -> None:
        self.number = defaultdict[str, Counter[str]](Counter)  # of uses, by word and kind
        self.found = defaultdict[tuple[str, str], Counter[Context]](Counter)  # by kind and word
        for kind, word, found in contexts(stories):
            self.number[word][kind] += 1
            self.found[kind, word].update(found)

    def candidates(self) -> list[str]:
        """Words that are told, and asked for or asked about, often enough to be compared."""
        many = {word: min(kinds["told"], kinds["asked"] + kinds["answers"]) for word, kinds in self.number.items()}
        return sorted(word for word, uses in many.items() if uses >= FEWEST)

    def difference(self, one: str, other: str) -> float:
        """The largest difference between a share of the uses of one word and the other's, in standard errors."""
        change = {one: other, other: one}
        worst = 0.0
        for kind in ("told", "asked", "answers"):
            uses, others = self.number[one][kind], self.number[other][kind]
            if not uses and not others:
                continue
            if not uses or not others:
                return math.inf
            changed = {changed_by(context, change): number for context, number in self.found[kind, other].items()}
            mine = self.found[kind, one]
            for context in mine.keys() | changed.keys():
                first, second = mine[context], changed.get(context, 0)
                share = (first + second) / (uses + others)
                variance = share * (1 - share) * (1 / uses + 1 / others)
                if variance > 0:
                    worst = max(worst, abs(first / uses - second / others) / math.sqrt(variance))
        return worst


def changed_by(context: Context, change: dict[str, str]) -> Context:
    """A context in which words have changed places."""
    return (context[0], *(change.get(word, word) for word in context[1:]))


def alike(stories: Iterable[Story]) -> list[Set[str]]:
    """Groups of two or more words of which each is used like each other, in alphabetical order.

    The likest two groups are joined first, as long as all their words are alike (complete linkage).
    """
    uses = Uses(stories)
    apart = {frozenset(pair): uses.difference(*pair) for pair in combinations(uses.candidates(), 2)}
    groups = [frozenset({word}) for word in uses.candidates()]

    def distance(one: Set[str], other: Set[str]) -> float:
        return max(apart[frozenset({a, b})] for a in one for b in other)

    while len(groups) > 1:
        one, other = min(combinations(groups, 2), key=lambda pair: (distance(*pair), sorted(pair[0]), sorted(pair[1])))
        if distance(one, other) >= LIMIT:
            break
        groups = [group for group in groups if group not in (one, other)] + [one | other]
    return sorted((group for group in groups if len(group) > 1), key=sorted)
