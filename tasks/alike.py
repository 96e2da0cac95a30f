"""Words that stories use alike, found by counting: names, places, synonyms, whose exchange leaves the text as likely as before.

A use of a word is counted once a story where it is told, and once a question where it is asked or answers, with what
stands around it: its neighbours, the words beside it, before it and after it, what is asked and answered of it, and what
the story tells then. A word that is neither asked for nor about is counted with every question that comes after it
too, and with how it stands to the question's words and to the answer. Two words are alike where no such share of one
differs from the same share of the other, each the other's in its place, by :data:`LIMIT` standard errors.

What is counted are pairs of words, so a rule among three may go unseen. Words that are neither asked for nor about are
left alone where a story's answer is a word that is told elsewhere and not in it: words of the story stand for it there
("wolves" for "wolf").
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import combinations

from memnet.tasks.text import Question, Story, words

LIMIT = 5.5  # standard errors: of thousands of shares of words that are alike, hardly one differs by so much
FEWEST = 40  # stories that tell a word, below which too little is known of it; and questions, of what is asked

Context = tuple[str | int, ...]  # what stands where, the words last
Use = tuple[str, str, set[Context]]  # of what kind, of which word, and what stands around it


def answer_words(answer: str) -> list[str]:
    """The words of an answer, which commas part."""
    return [" ".join(words(part)) for part in answer.split(",")]


def beside(sentence: Sequence[str], place: int) -> set[Context]:
    """What the rest of a sentence is to a word of it."""
    left, right = ("", *sentence)[place], (*sentence, "")[place + 1]
    rest = (*sentence[:place], *sentence[place + 1 :])
    return {("left", left), ("right", right), *(("beside", word) for word in rest)}


def tellings(told: Sequence[Sequence[str]]) -> Iterator[Use]:
    """A story's words among themselves."""
    around = defaultdict[str, set[Context]](set)
    for number, sentence in enumerate(told):
        before = {("before", word) for word in told[number - 1]} if number else set()
        after = {("after", word) for word in told[number + 1]} if number + 1 < len(told) else set()
        for place, word in enumerate(sentence):
            around[word] |= before | after | beside(sentence, place)
    for word, found in around.items():
        yield "told", word, found


def askings(told: Sequence[Sequence[str]], question: Question) -> Iterator[Use]:
    """The words of a question and its answer, and those that were told before."""
    asked, answer = words(question.text), answer_words(question.answer)
    known: set[Context] = {("known", word) for sentence in told for word in sentence}
    known |= {("known", *pair) for sentence in told for pair in zip(("", *sentence), (*sentence, ""), strict=True)}
    for place, word in enumerate(asked):
        yield "asked", word, known | beside(asked, place) | {("answer", other) for other in answer}
    for word in answer:
        yield "answers", word, known | {("asked", other) for other in asked} | {("too", other) for other in answer}
    of_all = {("asked", word) for word in asked} | {("answer", word) for word in answer}
    around = defaultdict[str, set[Context]](set)
    for sentence in told:
        for place, word in enumerate(sentence):
            around[word] |= of_all
            for where, other in enumerate(sentence):
                if other in answer:
                    around[word].add(("answer is", where - place))
                for number in (number for number, one in enumerate(asked) if one == other):
                    around[word] |= {("asked is", number, where - place, said) for said in answer}
    for word, found in around.items():
        yield "serves", word, found


class Uses:
    """How often the words of some stories are used, and in what contexts."""

    def __init__(self, stories: Iterable[Story]) -> None:
        self.number = defaultdict[str, Counter[str]](Counter)  # of uses, by word and kind
        self.found = defaultdict[tuple[str, str], Counter[Context]](Counter)  # by kind and word
        derived = set[str]()  # answers that their story does not tell
        for story in stories:
            told = [words(text) for text in story.statements]
            self.count(tellings(told))
            for question in story.questions:
                self.count(askings(told[: question.after], question))
                derived |= set(answer_words(question.answer)).difference(*told[: question.after])
        self.derived = any(self.number[word]["told"] for word in derived)

    def count(self, uses: Iterable[Use]) -> None:
        """Once more."""
        for kind, word, found in uses:
            self.number[word][kind] += 1
            self.found[kind, word].update(found)

    def asked(self, word: str) -> int:
        """How many questions ask for a word or about it."""
        return self.number[word]["asked"] + self.number[word]["answers"]

    def candidates(self) -> list[str]:
        """Words that are told, and asked for or about, often enough to be compared, or neither asked for nor about."""
        told = [word for word, kinds in self.number.items() if kinds["told"] >= FEWEST]
        return sorted(word for word in told if self.asked(word) >= FEWEST or not (self.asked(word) or self.derived))

    def difference(self, one: str, other: str) -> float:
        """The largest difference between a share of the uses of one word and the other's, in standard errors."""
        change = {one: other, other: one}
        worst = 0.0
        kinds = (
            ("told", "asked", "answers") if self.asked(one) and self.asked(other) else ("told", "asked", "answers", "serves")
        )
        for kind in kinds:
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
    return (context[0], *(change.get(part, part) if isinstance(part, str) else part for part in context[1:]))


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
