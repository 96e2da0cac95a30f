"""A retriever in numpy: which sentences of a text of any length are of a story, and those that a question leads to.

The network is that of :mod:`memnet.models.retriever`, which trains it. Only words that there are cost anything here: the sums
over a sentence's words run over one list of the words of all sentences.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np

from memnet.config import OneOrMore, Width, check_values
from memnet.config.settings import Range
from memnet.encode.saved import CONFIG, MODEL
from memnet.errors import NetworkError
from memnet.infer.attention import Floats, Integers, dot
from memnet.infer.layers import Linear, Norm, Shapes, check_shapes, linear_shapes, norm_shapes, relu
from memnet.packing import read_weights
from memnet.tasks.text import words
from memnet.tasks.text.english import PEOPLE_PRONOUNS, of_class, singular

CHUNK = 512  # sentences that are encoded at once: so many fit into a cache
UNKNOWN, CAPITAL, POSSESSIVE = range(3)  # the numbers of a word that is not known, of one in capitals, and of one with 's
MORE = 3  # the number of what stands where a sentence goes on, and is not read on
SPECIAL = 4  # numbers before those of the words that are known
ABSENT = -1  # the number of no word
OWNERS = ("'s", "’s")
PART = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[^\w\s.,]")  # a word, or a mark other than a full stop and a comma
WORDS_KEPT = 1 << 17  # words of texts whose numbers are kept
GOING_ON = of_class("after afterwards following later next then")  # first words of what goes on
REACH = 3  # statements before one that goes on
NAME, FORMAT = "retriever", 2


@dataclass(frozen=True)
class RetrieverConfig:
    """The sizes of a retriever."""

    dim: Width = 48
    hidden: Annotated[int, Range(1, 4096), "width of what is scored"] = 96
    longest: Annotated[int, Range(1, 1000), "words of a sentence that are read"] = 24
    keep: Annotated[OneOrMore, "the most sentences that a question's hops find"] = 500

    def __post_init__(self) -> None:
        check_values(self)


class Links(NamedTuple):
    """Which statements open with which others, for "he", "she" and "they": pairs of (this, opens that)."""

    always: list[tuple[int, int]]
    by_name: list[tuple[int, int]]  # where this one has a name that is asked for

    @classmethod
    def of(cls, statements: Sequence[tuple[int, str]]) -> Links:
        """Of statements with their places in a text."""
        found = cls([], [])
        for number in range(1, len(statements)):
            (before, _), (place, one) = statements[number - 1 : number + 1]
            said = words(one)
            if PEOPLE_PRONOUNS.isdisjoint(said):
                continue
            if place == before + 1:
                found.always.extend([(number, number - 1), (number - 1, number)])
            elif said[0] in GOING_ON:
                found.always.extend((other, number) for other in range(max(0, number - REACH), number))
                found.by_name.append((number, number - 1))
        return found


def without_owner(word: str) -> str:
    """A word without its 's.

    >>> without_owner("mary's"), without_owner("boys")
    ('mary', 'boys')
    """
    return word[:-2] if word.endswith(OWNERS) else word


class RetrieverBase(ABC):
    """What a retriever knows of words, and how a question's hops go on; what scores sentences is left to numpy or torch."""

    config: RetrieverConfig

    def know(self, known: Sequence[str]) -> None:
        """Number the words that are known."""
        self.number: Mapping[str, int] = {word: place for place, word in enumerate(known, SPECIAL)}
        self.of_word = lru_cache(WORDS_KEPT)(self.number_of)

    def __repr__(self) -> str:
        return f"<Retriever that knows {len(self.number):,} words>"

    @abstractmethod
    def scores(self, sentences: Sequence[str]) -> Any:
        """The scores of sentences, (N,); above zero is of a story."""

    def number_of(self, word: str) -> int:
        """The number of a word or a mark, as it is written."""
        small = word.lower()
        if small in self.number:
            return self.number[small]
        if small.endswith(OWNERS):
            return POSSESSIVE
        return CAPITAL if small != word else UNKNOWN

    def word_numbers(self, sentences: Sequence[str]) -> Integers:
        """The words and marks of sentences as numbers, (N, L), :data:`ABSENT` after a sentence's end."""
        longest = self.config.longest
        parts = [PART.findall(sentence) for sentence in sentences]
        read = [one if len(one) <= longest else one[: longest - 1] for one in parts]
        lengths = np.fromiter(map(len, read), np.int64, len(read))
        found = np.full((len(sentences), longest), ABSENT, dtype=np.int64)
        found[np.arange(longest) < lengths[:, None]] = np.fromiter(
            map(self.of_word, chain.from_iterable(read)), np.int64, lengths.sum()
        )
        found[[len(one) > longest for one in parts], -1] = MORE
        return found

    def names(self, sentence: str) -> frozenset[str]:
        """The words that it does not know, in small letters and the singular."""
        return frozenset(singular(without_owner(word)) for word in words(sentence) if self.of_word(word) < MORE)

    def related(self, question: str, statements: Sequence[tuple[int, str]]) -> list[int]:
        """Later hops: of statements with their places in a text, oldest first, those that a question leads to, ascending.

        A hop asks with the names found so far; its score is how many of them a statement has, its alignment a gate for each
        statement, its read all their names. A statement with "he", "she" or "they" and the sentence just before it open
        together; one that goes on with "then" or "after that" opens with any of the three before it, however far away, and the
        one before it opens where it has a name that is asked for. There are at most ``keep``, the newest; where the question
        has no name that a statement has, the newest of all.
        """
        names = [self.names(one) for _, one in statements]
        links = Links.of(statements)
        asked, found = set(self.names(question)), set[int]()
        while len(found) < self.config.keep:
            new = {number for number in range(len(statements)) if not asked.isdisjoint(names[number])}
            new.update([other for number, other in links.by_name if number in new])
            new.update(other for number, other in links.always if number in found)
            if new <= found:
                break
            found.update(sorted(new - found)[len(found) - self.config.keep :])
            asked.update(name for number in found for name in names[number])
        return sorted(found or range(len(statements))[-self.config.keep :])

    def found(self, question: str, sentences: Sequence[str]) -> list[str]:
        """All hops over the sentences of a text: those to answer a question from, in their order."""
        kept = [(place, sentences[place]) for place in np.flatnonzero(np.asarray(self.scores(sentences)) > 0).tolist()]
        return [kept[number][1] for number in self.related(question, kept)]


class Retriever(RetrieverBase):
    """A trained retriever; ``weights`` are its parameters by name, without the dimension of replicas."""

    def __init__(self, config: RetrieverConfig, known: Sequence[str], weights: Mapping[str, Floats]) -> None:
        self.config, self.weights = config, weights
        self.know(known)
        check_shapes(weights, shapes(config, len(known)))
        self.norm, self.inner = Norm.of(weights, "norm"), Linear.of(weights, "inner")
        self.followers = weights["embedding"] @ weights["follow"]  # (V, D) of each word as the one that follows

    def states(self, numbers: Integers) -> Floats:
        """Sentences (N, L) as they are scored, (N, H)."""
        there = numbers >= 0
        sentence, place = there.nonzero()
        word = numbers[there]  # (T,) of all sentences, one after another
        vector = self.weights["embedding"][word]
        pairs = np.zeros_like(vector)
        goes_on = sentence[1:] == sentence[:-1]
        np.multiply(vector[:-1], self.followers[word[1:]], out=pairs[:-1], where=goes_on[:, None])
        sums = np.stack([summed(part, there.sum(1)) for part in (vector * self.weights["masks"][place], pairs)])
        return relu(self.inner(np.concatenate([*self.norm(sums)], 1)))

    def scores(self, sentences: Sequence[str]) -> Floats:
        """The scores of sentences, (N,); above zero is of a story."""
        found = [np.zeros(0, np.float32)]
        for start in range(0, len(sentences), CHUNK):
            states = self.states(self.word_numbers(sentences[start : start + CHUNK]))
            found.append(dot(self.weights["query"], states)[0] + self.weights["bias"])
        return np.concatenate(found)

    @classmethod
    def load(cls, folder: Path) -> Retriever:
        """A saved one. Raises :class:`~memnet.errors.NetworkError`."""
        try:
            config, known = read_config(folder)
            return cls(config, known, {name: value[0] for name, value in read_weights(folder / MODEL).items()})
        except (OSError, KeyError, TypeError, ValueError, IndexError) as error:
            raise NetworkError(f"{folder} holds no retriever that can be read: {error}") from error


def read_config(folder: Path) -> tuple[RetrieverConfig, list[str]]:
    """The sizes and the words of a saved one. Raises what reading it does, or ValueError where it is of something else."""
    path = folder / CONFIG
    saved = json.loads(path.read_text(encoding="utf-8"))
    if saved["format"] != FORMAT or saved["model"] != NAME:
        raise ValueError(f"{path} is of something else")
    config = RetrieverConfig(**{field.name: saved[field.name] for field in fields(RetrieverConfig)})
    return config, [str(word) for word in saved["words"]]


def summed(rows: Floats, lengths: Integers) -> Floats:
    """Sums of so many rows (T, D) after one another, (N, D)."""
    found, some = np.zeros((len(lengths), rows.shape[1]), np.float32), lengths > 0
    if some.any():
        found[some] = np.add.reduceat(rows, (np.cumsum(lengths) - lengths)[some], 0)
    return found


def shapes(config: RetrieverConfig, known: int) -> Shapes:
    """The names and shapes of a retriever's weights, without the dimension of replicas."""
    dim, hidden = config.dim, config.hidden
    found: Shapes = {"embedding": (known + SPECIAL, dim), "masks": (config.longest, dim), "follow": (dim, dim)}
    found |= {"query": (1, hidden), "bias": (1,)} | norm_shapes("norm", dim)
    return found | linear_shapes("inner", 2 * dim, hidden)
