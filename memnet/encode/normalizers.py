"""Several normalizers for one network of several tasks, each for one kind of text, recognized by neighbouring words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from typing import Any

import numpy as np

from memnet.config import Training
from memnet.encode.normalizer import Normalizer
from memnet.errors import ConfigError
from memnet.tasks.text import Story, words
from memnet.tasks.text.canonical import Groups

SMOOTHING = 0.01  # added to every count
MOST = 10**9  # questions of a kind
WITHOUT_GROUPS: dict[str, Any] = {"canonical": False, "synonyms": False, "consistent": False, "cloze": 0.0}
ASKED = "?"  # before pairs of neighbours in a question


def neighbours(statements: Sequence[str], question: str) -> set[str]:
    """The pairs of neighbours in the sentences of a text, with their ends: those of statements, and those of its question.

    >>> sorted(neighbours(["Mary left."], "Who?"))
    [' mary', '? who', '?who ', 'left ', 'mary left']
    """

    def pairs(text: str) -> Iterator[str]:
        return (" ".join(pair) for pair in pairwise(("", *words(text), "")))

    return {*chain(*map(pairs, statements)), *(ASKED + pair for pair in pairs(question))}


@dataclass(frozen=True)
class Normalizers:
    """Normalizers, and for each in how many of its training questions' texts a pair of neighbours stands.

    A question is read as its likeliest kind is, by naive Bayes over the pairs that its text has and lacks (McCallum and Nigam
    1998, "A comparison of event models for naive Bayes text classification", the multi-variate Bernoulli model), each kind as
    likely as any other.
    """

    of_kind: tuple[Normalizer, ...]
    counts: tuple[Mapping[str, int], ...]
    questions: tuple[int, ...]  # of each kind

    per_question = True

    @property
    def named(self) -> Groups:
        """Groups of interchangeable words, those of all kinds."""
        return [group for normalizer in self.of_kind for group in normalizer.groups]

    @classmethod
    def learned(cls, tasks: Sequence[Sequence[Story]], config: Training) -> Normalizers:
        """A normalizer of each task's training stories: of one without interchangeable words its phrases alone.

        Raises :class:`~memnet.errors.ConfigError` where no task has any.
        """
        counts, questions, found, plain = [], [], [], replace(config, **WITHOUT_GROUPS)
        for stories in tasks:
            asked = [(story.statements[: one.after], one.text) for story in stories for one in story.questions]
            counts.append(Counter(chain.from_iterable(neighbours(*one) for one in asked)))
            questions.append(len(asked))
            try:
                found.append(Normalizer.learned([stories], config))
            except ConfigError:
                found.append(Normalizer.learned([stories], plain))
        if not any(normalizer.groups for normalizer in found):
            raise ConfigError("canonical=true, but no task has interchangeable words to be named in order; set canonical=false")
        return cls(tuple(found), tuple(counts), tuple(questions))

    @cached_property
    def with_words(self) -> tuple[Normalizer, ...]:
        """The normalizers, each with the words that its training stories have."""
        met = (frozenset(word for pair in counts for word in pair.removeprefix(ASKED).split()) for counts in self.counts)
        return tuple(replace(normalizer, met=known) for normalizer, known in zip(self.of_kind, met, strict=True))

    @cached_property
    def likelihoods(self) -> tuple[dict[str, int], np.ndarray, np.ndarray]:
        """Pairs by number; what each adds to the log-likelihood of each kind, (K, F), and that of a text with none, (K,)."""
        number = {pair: place for place, pair in enumerate(sorted(set().union(*self.counts)))}
        share = np.full((len(self.counts), len(number)), SMOOTHING)
        for kind, counts in enumerate(self.counts):
            for pair, count in counts.items():
                share[kind, number[pair]] += count
        share /= np.array(self.questions)[:, None] + 2 * SMOOTHING
        return number, np.log(share / (1 - share)), np.log(1 - share).sum(1)

    def kind(self, statements: Sequence[str], question: str) -> int:
        """The likeliest kind of a question about statements."""
        number, present, none = self.likelihoods
        there = [number[pair] for pair in neighbours(statements, question) if pair in number]
        return int((none + present[:, there].sum(1)).argmax())

    def about(self, statements: Sequence[str], question: str) -> Normalizer:
        """How a question about statements is read."""
        return self.with_words[self.kind(statements, question)]

    def normalize(self, text: str) -> str:
        """A text before its question is known: as it is."""
        return text

    def unknown(self, text: str, known: Mapping[str, int]) -> list[str]:
        """The words of a text that are not known, by the normalizer that knows the most."""
        return min((normalizer.unknown(text, known) for normalizer in self.with_words), key=len)

    def shown(self, word: str) -> str:
        """A word for people: a phrase of any kind as its words."""
        return next((shown for normalizer in self.of_kind if (shown := normalizer.shown(word)) != word), word)

    def stories(self, story: Story) -> list[Story]:
        """The story as it is read, one a question, in their order."""
        read = []
        for question in story.questions:
            normalizer = self.about(story.statements[: question.after], question.text)
            read += normalizer.stories(Story(story.statements, (question,)))
        return read

    def describe(self) -> list[str]:
        """How many kinds of text are read in ways of their own."""
        return [f"{len(self.of_kind)} kinds of text are read in ways of their own, recognized by pairs of neighbours"]

    def saved(self) -> dict[str, Any]:
        """As JSON values, for a configuration."""
        kinds = zip(self.of_kind, self.counts, self.questions, strict=True)
        return {
            "readings": [
                {**normalizer.saved(), "counts": dict(counts), "questions": asked} for normalizer, counts, asked in kinds
            ]
        }

    @classmethod
    def of_saved(cls, saved: Mapping[str, Any]) -> Normalizers:
        """From a saved configuration. Raises ValueError."""
        kinds = saved["readings"]
        if not isinstance(kinds, list) or not kinds or not all(isinstance(kind, dict) for kind in kinds):
            raise ValueError("readings must be a list of one reading or more")
        data = saved.get("data")
        if isinstance(data, list) and len(data) != len(kinds):
            raise ValueError(f"readings must be one for each of the {len(data)} data sets")
        counts, questions = [kind.get("counts") for kind in kinds], [kind.get("questions") for kind in kinds]
        for found, asked in zip(counts, questions, strict=True):
            if type(asked) is not int or not 1 <= asked <= MOST or not isinstance(found, dict):
                raise ValueError(f"each reading must have counts, and a number of questions from 1 to {MOST}")
            if not all(type(count) is int and 0 <= count <= asked for count in found.values()):
                raise ValueError("counts of a reading must be whole numbers, at most that of its questions")
        return cls(tuple(map(Normalizer.of_saved, kinds)), tuple(counts), tuple(questions))


def learned_normalizer(tasks: Sequence[Sequence[Story]], config: Training) -> Normalizer | Normalizers:
    """How a network of these tasks reads, from their training stories. Raises :class:`~memnet.errors.ConfigError`."""
    return Normalizers.learned(tasks, config) if config.canonical and len(tasks) > 1 else Normalizer.learned(tasks, config)


def saved_normalizer(saved: Mapping[str, Any]) -> Normalizer | Normalizers:
    """From a saved configuration. Raises ValueError."""
    found = Normalizers.of_saved(saved) if "readings" in saved else Normalizer.of_saved(saved)
    groups = [
        group for normalizer in (found.of_kind if isinstance(found, Normalizers) else (found,)) for group in normalizer.groups
    ]
    if saved.get("canonical") and not groups:
        raise ValueError("canonical is true, and no words are named in order: interchangeable or readings is lacking")
    if lacking := [group[0] for group in groups if group[0] not in saved.get("vocabulary", [])]:
        raise ValueError(f"words are named in order by words of the vocabulary, and it lacks {lacking[0]!r}")
    return found
