"""Names in order: interchangeable words, named by where they stand rather than by what they are.

Where "Mary" and "John" may change places, a story about Mary is the same story about John, and one of the two is enough. Of
each group of interchangeable words the one met first takes the place of the group's first word, the next that of its second,
and so on; met first are the question's words, then those of the statements that share one with it, the latest statement
first, then those of the statements that share one with these. Questions that differ in nothing else become the same
question, so that its answer is learned once.

This is also how it is tested which words are interchangeable, beyond what counting their uses tells
(:mod:`memnet.tasks.text.interchangeable`): where questions become the same, their answers must be the same too.
"""

from __future__ import annotations

import math
import random
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain, combinations, permutations
from typing import Literal, NamedTuple

from . import Story, answer_entry, words
from .interchangeable import interchangeable_words

ENOUGH = 20  # questions that become the same as another, below which their answers may agree by chance
RARE = 1e-4  # how likely it is that answers depend on words so much by chance
CHANCE = 4.0  # standard errors by which words that are chosen anew are the same more or less often than by chance

Groups = Sequence[Sequence[str]]
Order = Literal["near", "story", "drawn"]  # which word is named first


def met_in_order(statements: Sequence[Sequence[str]], question: Iterable[str], names: Collection[str]) -> list[str]:
    """The ``names`` among the words of a question and its statements, in the order in which they are met.

    >>> story = [["john", "went", "kitchen"], ["mary", "went", "garden"], ["mary", "took", "milk"]]
    >>> met_in_order(story, ["where", "is", "milk"], {"john", "mary", "kitchen", "garden", "milk"})
    ['milk', 'mary', 'garden', 'john', 'kitchen']
    """
    met = dict.fromkeys(word for word in question if word in names)
    left = [[word for word in sentence if word in names] for sentence in reversed(statements)]
    left = [sentence for sentence in left if sentence]
    while left:
        linked = [not met.keys().isdisjoint(sentence) for sentence in left]
        linked[0] |= not any(linked)
        near = [sentence for sentence, is_near in zip(left, linked, strict=True) if is_near]
        left = [sentence for sentence, is_near in zip(left, linked, strict=True) if not is_near]
        met |= dict.fromkeys(chain(*near))
    return list(met)


def in_story_order(statements: Sequence[Sequence[str]], question: Iterable[str], names: Collection[str]) -> list[str]:
    """The same names as a reader meets them: from the first statement to the last, then in the question.

    >>> in_story_order([["john", "went"], ["mary", "took", "milk"]], ["where", "is", "milk"], {"john", "mary", "milk"})
    ['john', 'mary', 'milk']
    """
    return list(dict.fromkeys(word for word in chain(*statements, question) if word in names))


def in_drawn_order(statements: Sequence[Sequence[str]], question: Iterable[str], names: Collection[str]) -> list[str]:
    """The same names in an order that says nothing: drawn at random, the same for the same text."""
    asked = list(question)
    met = sorted(set(in_story_order(statements, asked, names)))
    random.Random(zlib.crc32("\n".join(map(" ".join, [*statements, asked])).encode())).shuffle(met)
    return met


ORDERS: Mapping[Order, Callable[[Sequence[Sequence[str]], Iterable[str], Collection[str]], list[str]]] = {
    "near": met_in_order,
    "story": in_story_order,
    "drawn": in_drawn_order,
}


@dataclass(frozen=True)
class Naming:
    """For one question: which word of a group stands for which, both ways."""

    place: Mapping[str, str]  # the word that a word becomes
    written: Mapping[str, str]  # the word that became it

    @classmethod
    def of(cls, statements: Sequence[Sequence[str]], question: Iterable[str], groups: Groups, order: Order = "near") -> Naming:
        """From the words of the statements before a question, and of the question; words that none has come last."""
        group_of = {word: number for number, group in enumerate(groups) for word in group}
        found: list[list[str]] = [[] for _ in groups]
        for word in ORDERS[order](statements, question, group_of):
            found[group_of[word]].append(word)
        place: dict[str, str] = {}
        for group, met in zip(groups, found, strict=True):
            place |= dict(zip([*met, *(word for word in group if word not in met)], group, strict=True))
        return cls(place, {name: word for word, name in place.items()})

    def asked(self, text: str) -> str:
        """A text with each word as it is named."""
        return " ".join(self.place.get(word, word) for word in words(text))

    def answered(self, answer: str) -> str:
        """An answer, whose words commas part, with each word as it is named."""
        return ",".join(self.place.get(part, part) for part in answer_entry(answer).split(","))

    def names(self, answer: str) -> str:
        """An answer of names as the text has it."""
        return ",".join(self.written.get(part, part) for part in answer.split(","))


def named_stories(story: Story, groups: Groups, order: Order = "near") -> Iterator[Story]:
    """A story for each question of a story, with interchangeable words named in order."""
    stated = [words(text) for text in story.statements]
    for question in story.questions:
        naming = Naming.of(stated[: question.after], words(question.text), groups, order)
        asked = replace(question, text=naming.asked(question.text), answer=naming.answered(question.answer))
        yield Story(tuple(map(naming.asked, story.statements[: question.after])), (asked,))


class Classes(NamedTuple):
    """Questions that differ in nothing but interchangeable words, as one."""

    number: int
    answers_differ: bool  # whether some that are one have different answers


class Questions:
    """Questions with the statements before them, as words."""

    def __init__(self, stories: Iterable[Story]) -> None:
        self.asked: list[tuple[list[tuple[str, ...]], tuple[str, ...], str]] = []
        for story in stories:
            stated = [words(text) for text in story.statements]
            self.asked += [(stated[: one.after], words(one.text), one.answer) for one in story.questions]
        self.words = sorted({word for stated, asked, _ in self.asked for sentence in (*stated, asked) for word in sentence})

    def in_any_order(self, groups: Groups) -> bool:
        """Whether the order of statements makes no difference: without it more questions are equal, and no answers differ."""
        sorted_ones = self.classes(groups, ordered=False)
        return not sorted_ones.answers_differ and self.classes(groups).number - sorted_ones.number >= ENOUGH

    def asked_words(self) -> set[str]:
        """The words that questions ask for or about."""
        return {word for _, asked, answer in self.asked for word in (*asked, *answer_entry(answer).split(","))}

    def decides_answers(self, group: Collection[str]) -> bool:
        """Whether answers depend on which word of a group the latest statement with one has, by a chi-squared test."""
        from scipy.stats import chi2_contingency

        seen = Counter[tuple[str, str]]()
        for stated, _, answer in self.asked:
            word = next((word for sentence in reversed(stated) for word in sentence if word in group), None)
            seen.update([(word, answer)] if word is not None else [])
        answers = sorted({answer for _, answer in seen})
        rows = [[seen[word, answer] for answer in answers] for word in sorted(group)]
        rows = [row for row in rows if sum(row)]
        return len(rows) > 1 and len(answers) > 1 and bool(chi2_contingency(rows).pvalue < RARE)

    def replaced(self, change: Mapping[str, str]) -> Questions:
        """The same with other words in statements and questions."""
        other = Questions([])
        for stated, asked, answer in self.asked:
            sentences = [tuple(change.get(word, word) for word in sentence) for sentence in (*stated, asked)]
            other.asked.append((sentences[:-1], sentences[-1], answer))
        return other

    def in_equal_places(self, groups: Groups) -> set[tuple[str, str]]:
        """Pairs of words, both ways, that stand in the same place of sentences which are otherwise the same, but for groups."""
        group_of = {word: f"{number}" for number, group in enumerate(groups) for word in group}
        sentences = {sentence for stated, asked, _ in self.asked for sentence in (*stated, asked)}
        found = defaultdict[tuple[str, ...], set[str]](set)
        for sentence in sentences:
            kinds = tuple(group_of.get(word, word) for word in sentence)
            for place, word in enumerate(sentence):
                found[(*kinds[:place], "", *kinds[place + 1 :])].add(word)
        return {pair for same in found.values() for pair in permutations(same, 2)}

    def classes(self, groups: Groups, ordered: bool = True) -> Classes:
        """With these words interchangeable, and statements that may stand in any order or not."""
        answer_of: dict[object, str] = {}
        differ = False
        for stated, asked, answer in self.asked:
            naming = Naming.of(stated, asked, groups)
            place = naming.place
            named = [tuple(place.get(word, word) for word in sentence) for sentence in stated]
            key = (tuple(named if ordered else sorted(named)), tuple(place.get(word, word) for word in asked))
            said = naming.answered(answer)
            differ |= answer_of.setdefault(key, said) != said
        return Classes(len(answer_of), differ)


def consistent_groups(stories: Sequence[Story]) -> list[Set[str]]:
    """Groups of interchangeable words: those that counting finds, parted or joined so that equal questions have equal answers.

    A group that makes questions equal whose answers differ is split. Then two groups, or words, are joined, those first that
    make the most questions equal, as long as they make twenty or more equal and no two of these have different answers.
    Where no questions become equal, as in long stories, the groups are those that counting finds, but for words that no
    question asks for or about and that decide answers: other words stand for them there, inflected ones perhaps.
    """
    questions = Questions(stories)
    asked = questions.asked_words()
    found = (sorted(group) for group in interchangeable_words(stories))
    counted = [group for group in found if not (asked.isdisjoint(group) and questions.decides_answers(group))]
    if questions.classes([]).number - questions.classes([questions.words], ordered=False).number < ENOUGH:
        return [frozenset(group) for group in counted]
    groups: list[list[str]] = []
    for group in counted:
        groups += parts(questions, groups, group)
    ordered = not questions.in_any_order(groups)
    now = questions.classes(groups, ordered)
    while True:
        alone = [[word] for word in questions.words if not any(word in group for group in groups)]
        similar = questions.in_equal_places(groups)
        joins: list[tuple[int, list[list[str]]]] = []
        for one, other in combinations([*groups, *alone], 2):
            if similar.isdisjoint((a, b) for a in one for b in other):
                continue
            joined = [*(group for group in groups if group not in (one, other)), sorted(one + other)]
            classes = questions.classes(joined, ordered)
            if now.number - classes.number >= ENOUGH and not classes.answers_differ:
                joins.append((classes.number, joined))
        if not joins:
            return sorted((frozenset(group) for group in groups), key=sorted)
        groups = min(joins)[1]
        now = questions.classes(groups, ordered)


def synonyms(stories: Sequence[Story], groups: Groups) -> list[list[str]]:
    """Those of the groups of interchangeable words whose words all say the same: any is used where any was before.

    No question asks for them or about them. Where sentences share a word of another group ("Mary took the milk", "Mary dropped
    the milk"), the later has the same word of this group no more and no less often than by chance. And one word in the place of
    all makes no questions equal whose answers differ. And answers do not depend on which of them the latest statement has.
    """
    questions = Questions(stories)
    asked = questions.asked_words()
    ordered = not questions.in_any_order(groups)
    found: list[list[str]] = []
    for group in groups:
        others = [other for other in groups if other not in (group, *found)]
        if asked.isdisjoint(group) and chosen_anew(stories, group, {word for other in others for word in other}):
            as_one = questions.replaced({word: same[0] for same in (*found, group) for word in same})
            if not as_one.classes(others, ordered).answers_differ and not questions.decides_answers(group):
                found.append(list(group))
    return found


def chosen_anew(stories: Sequence[Story], group: Collection[str], others: Collection[str]) -> bool:
    """Whether sentences have the word of a group that the last one with the same of ``others`` had, as often as by chance."""
    count, pairs, same = Counter[str](), 0, 0
    for story in stories:
        last: dict[str, str] = {}
        for sentence in map(words, story.statements):
            linked = [word for word in sentence if word in others]
            for word in (word for word in sentence if word in group):
                count[word] += 1
                before = [last[other] for other in linked if other in last]
                pairs += len(before)
                same += before.count(word)
                last |= dict.fromkeys(linked, word)
    total = sum(count.values())
    chance = sum((times / total) ** 2 for times in count.values()) if total else 1.0
    return pairs >= ENOUGH and abs(same - pairs * chance) < CHANCE * math.sqrt(pairs * chance * (1 - chance))


def parts(questions: Questions, groups: Groups, group: Sequence[str]) -> list[list[str]]:
    """A group, with others, in as few parts as equal answers to equal questions allow; parts of one word are left out."""
    found: list[list[str]] = []
    for word in group:
        for part in found:
            rest = [other for other in found if other is not part]
            if not questions.classes([*groups, *rest, [*part, word]]).answers_differ:
                part.append(word)
                break
        else:
            found.append([word])
    return [part for part in found if len(part) > 1]
