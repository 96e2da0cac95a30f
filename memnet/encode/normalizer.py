"""How a network's texts are normalized: phrases as one word each, and interchangeable words named in the order they come in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from memnet.config import Training
from memnet.errors import ConfigError
from memnet.tasks.text import Story, words
from memnet.tasks.text.canonical import ORDERS, Groups, Naming, Order, consistent_groups, named_stories, synonyms
from memnet.tasks.text.interchangeable import FEWEST, QUESTIONS, interchangeable_words
from memnet.tasks.text.phrases import JOIN, NO_PHRASES, Phrases


def common(groups: Sequence[Sequence[Set[str]]]) -> list[Set[str]]:
    """Words that are interchangeable in every one of several tasks."""
    met: list[Set[str]] = [frozenset(group) for group in groups[0]]
    for others in groups[1:]:
        met = [both for one in met for other in others if len(both := one & other) > 1]
    return met


def interchangeable(tasks: Sequence[Sequence[Story]], config: Training, setting: str) -> list[list[str]]:
    """Groups of words that are interchangeable in each of several tasks, found as the ``consistent`` setting says.

    Raises :class:`~memnet.errors.ConfigError` where there are none, which names the ``setting`` that needs them.
    """
    find = consistent_groups if config.consistent else interchangeable_words
    found = common([find(stories) for stories in tasks])
    if not found:
        raise ConfigError(
            f"{setting}=true, but no two words are interchangeable in every task, as far as its training questions tell (it "
            f"takes {QUESTIONS} without those held out, and words that {FEWEST} stories tell); set {setting}=false"
        )
    return [sorted(group) for group in found]


@dataclass(frozen=True)
class Bound:
    """How one question and its story are read, and back."""

    normalizer: Normalizer
    naming: Naming

    is_full = False

    @property
    def written(self) -> Mapping[str, str]:
        """The word that a name stands for."""
        return self.naming.written

    def asked(self, text: str) -> str:
        """A text as it is read."""
        return self.naming.asked(self.normalizer.normalize(text))

    def names(self, answer: str) -> str:
        """An answer of names as the text has it."""
        return self.naming.names(answer)


@dataclass(frozen=True)
class Normalizer:
    """Phrases that are read as words, the ``same`` words as one, and ``groups`` of interchangeable words, named in order."""

    phrases: Phrases = NO_PHRASES
    groups: Groups = ()
    same: Groups = ()
    order: Order = "near"  # which word of a group is named first
    met: Set[str] | None = None  # the words of its training stories, where the network knows those of others too

    @classmethod
    def learned(cls, tasks: Sequence[Sequence[Story]], config: Training) -> Normalizer:
        """From the training stories of one or several tasks. Raises :class:`~memnet.errors.ConfigError`."""
        phrases = Phrases.learned([story for stories in tasks for story in stories]) if config.phrases else NO_PHRASES
        if not (config.canonical or config.synonyms):
            return cls(phrases)
        read = [[phrases.read_story(story) for story in stories] for stories in tasks]
        groups = interchangeable(read, config, "canonical" if config.canonical else "synonyms")
        same = synonyms([story for stories in read for story in stories], groups) if config.synonyms else []
        named = [tuple(group) for group in groups if group not in same] if config.canonical else []
        return cls(phrases, tuple(named), tuple(map(tuple, same)), config.name_order)

    def describe(self) -> list[str]:
        """What is read as one word, and what is named in order, a line each; none where words are read as they are."""

        def listed(groups: Groups) -> str:
            return "; ".join(" ".join(group) for group in groups)

        phrases = [f"phrases: {self.phrases.describe()}"] if self.phrases.pairs else []
        same = [f"synonyms: {listed(self.same)}"] if self.same else []
        return phrases + same + ([f"named in order: {listed(self.groups)}"] if self.groups else [])

    @cached_property
    def word_for(self) -> dict[str, str]:
        """The word that stands for another that says the same."""
        return {word: group[0] for group in self.same for word in group}

    def normalize(self, text: str) -> str:
        """A text with its phrases as words, and one word for those that say the same."""
        read = self.phrases.read(text) if self.phrases.pairs else text
        return " ".join(self.word_for.get(word, word) for word in words(read)) if self.same else read

    def stories(self, story: Story) -> list[Story]:
        """The story as it is read: one, or, where words are named for each question anew, one a question, in their order."""
        asked = (replace(question, text=self.normalize(question.text)) for question in story.questions)
        read = Story(tuple(map(self.normalize, story.statements)), tuple(asked))
        return list(named_stories(read, self.groups, self.order)) if self.groups else [read]

    @property
    def per_question(self) -> bool:
        """Whether a story is read for each question anew."""
        return bool(self.groups)

    @property
    def named(self) -> Groups:
        """Groups of interchangeable words."""
        return self.groups

    def about(self, statements: Sequence[str], question: str) -> Normalizer:
        """How a question about statements is read: as any other (:class:`~memnet.encode.normalizers.Normalizers` choose)."""
        return self

    def unknown(self, text: str, known: Mapping[str, int]) -> list[str]:
        """The words of a text, as it is read, that are neither known nor named by another; a phrase with spaces in it."""
        named = {word for group in self.groups for word in group}
        read = words(self.normalize(text))
        return [self.shown(word) for word in read if not (word in named or (word in known and self.has_met(word)))]

    def has_met(self, word: str) -> bool:
        """Whether the training stories of this normalizer have a word, or the words of a phrase."""
        return self.met is None or word in self.met or set(word.split(JOIN)) <= self.met

    def shown(self, word: str) -> str:
        """A word for people: a phrase as its words."""
        return word.replace(JOIN, " ") if word in self.joined else word

    @cached_property
    def joined(self) -> Set[str]:
        """The phrases, and their parts of several words, as they are read."""
        return {JOIN.join(pair) for pair in self.phrases.pairs}

    def bind(self, statements: Sequence[str], question: str) -> Bound:
        """The normalizer with what words are named for a question about statements."""
        stated = [words(self.normalize(text)) for text in statements]
        return Bound(self, Naming.of(stated, words(self.normalize(question)), self.groups, self.order))

    def saved(self) -> dict[str, Any]:
        """As JSON values, for a configuration."""
        pairs = {"phrase_pairs": [list(pair) for pair in self.phrases.pairs]} if self.phrases.pairs else {}
        lists = {"interchangeable": self.groups, "synonyms_of": self.same}
        order = {"name_order": self.order} if self.order != "near" else {}
        return pairs | order | {name: [list(group) for group in groups] for name, groups in lists.items() if groups}

    @classmethod
    def of_saved(cls, saved: Mapping[str, Any]) -> Normalizer:
        """From a saved configuration. Raises ValueError."""
        pairs, groups, same = (saved.get(name, []) for name in ("phrase_pairs", "interchangeable", "synonyms_of"))
        lists = [*pairs, *groups, *same] if all(isinstance(one, list) for one in (pairs, groups, same)) else [None]
        if not all(isinstance(one, list) and one and all(isinstance(word, str) for word in one) for one in lists):
            raise ValueError("phrase_pairs, interchangeable and synonyms_of must be lists of lists of words")
        if not all(len(pair) == 2 for pair in pairs):
            raise ValueError("phrase_pairs must be lists of two words")
        grouped = [word for group in (*groups, *same) for word in group]
        if len(set(grouped)) < len(grouped):
            raise ValueError("a word is in one group of interchangeable words")
        if (order := saved.get("name_order", "near")) not in ORDERS:
            raise ValueError(f"name_order must be one of {', '.join(ORDERS)}")
        phrases = Phrases(tuple((first, second) for first, second in pairs))
        return cls(phrases, tuple(map(tuple, groups)), tuple(map(tuple, same)), order)


PLAIN = Normalizer()
