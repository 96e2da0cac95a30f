"""A retriever: the first hop over a memory of any size, which keeps the few sentences that are of a story.

sentence   h = relu(V [norm(sum of words x learned masks of their places), norm(sum of words x W their followers)])
score      a . h + b, the dot product with a learned query
align      sigmoid: every sentence for itself, so that other sentences change nothing (the gate of Kumar et al. 2016)
read       the sentences of which a weight is above one half, in their order
later hops ask with the names of the question, then with those of what was found, and so on; at most ``keep`` are read

It knows the words and marks around the names, and takes every word that it does not know for a name, or for whose something
is. A reader answers from what it keeps: any network that answers questions about a story.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from memnet.attention import SCORES, Attention, sigmoid, weighted_sum
from memnet.config import OneOrMore, Width, check_values
from memnet.config.settings import Range
from memnet.errors import NetworkError
from memnet.files import read_tensors, write_atomically, write_json, write_tensors
from memnet.models.checkpoint import CARD, CONFIG, MODEL
from memnet.nn.modules import LayerNorm, Linear
from memnet.nn.random import Random
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


class Retriever(nn.Module):
    """One network (R = 1): ``embedding (1, V, D)`` of the words, four special first; ``masks (1, L, D)`` of their places."""

    def __init__(self, config: RetrieverConfig, known: Sequence[str], random: Random) -> None:
        super().__init__()
        self.config = config
        self.number: Mapping[str, int] = {word: place for place, word in enumerate(known, SPECIAL)}
        self.of_word = lru_cache(WORDS_KEPT)(self.number_of)
        self.embedding = nn.Parameter(random.normal(len(known) + SPECIAL, config.dim, std=0.5))
        self.masks = nn.Parameter(random.normal(config.longest, config.dim, std=0.5, mean=1.0))
        self.norm = LayerNorm(config.dim, random)
        self.follow = nn.Parameter(random.normal(config.dim, config.dim, std=config.dim**-0.5))
        self.inner = Linear(2 * config.dim, config.hidden, random, std=(2 * config.dim) ** -0.5)
        self.query = nn.Parameter(random.normal(1, config.hidden, std=config.hidden**-0.5))
        self.bias = nn.Parameter(random.normal(1, std=0.0))
        self.attend = Attention(SCORES["dot"](config.hidden, config.hidden, random), sigmoid, weighted_sum)

    def __repr__(self) -> str:
        return f"<Retriever that knows {len(self.number):,} words>"

    def number_of(self, word: str) -> int:
        """The number of a word or a mark, as it is written."""
        small = word.lower()
        if small in self.number:
            return self.number[small]
        if small.endswith(OWNERS):
            return POSSESSIVE
        return CAPITAL if small != word else UNKNOWN

    def numbers(self, sentences: Sequence[str]) -> Tensor:
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
        return torch.from_numpy(found)

    def forward(self, numbers: Tensor) -> Tensor:
        """The scores of sentences (N, L) -> (N,)."""
        there = (numbers >= 0).unsqueeze(2)
        number, words = numbers.clamp(min=0), self.embedding[0]
        word = words[number] * there  # (N, L, D)
        follower = (words @ self.follow[0])[number[:, 1:]] * there[:, 1:]  # (N, L - 1, D)
        sums = torch.stack([(word * self.masks[0]).sum(1), (word[:, :-1] * follower).sum(1)])
        state = self.inner(torch.cat([*self.norm(sums)], 1).unsqueeze(0)).relu()  # (1, N, H)
        memory = self.attend.prepare(state)
        return memory.score(self.query)[0, 0] + self.bias[0]

    @torch.no_grad()
    def scores(self, sentences: Sequence[str]) -> Tensor:
        """The scores of sentences, (N,); above zero is of a story."""
        parts = [self(self.numbers(sentences[start : start + CHUNK])) for start in range(0, len(sentences), CHUNK)]
        return torch.cat(parts) if parts else torch.zeros(0)

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
        kept = [(place, sentences[place]) for place in (self.scores(sentences) > 0).nonzero().flatten().tolist()]
        return [kept[number][1] for number in self.related(question, kept)]

    def save(self, folder: Path, card: str, facts: Mapping[str, object]) -> None:
        """As a folder: its configuration with the words and ``facts`` of its training, its weights and its card."""
        folder.mkdir(parents=True, exist_ok=True)
        write_tensors(folder / MODEL, self.state_dict())
        saved = {"format": FORMAT, "model": NAME, **asdict(self.config), **facts, "words": list(self.number)}
        write_json(folder / CONFIG, saved)
        write_atomically(folder / CARD, card)

    @classmethod
    def load(cls, folder: Path) -> Retriever:
        """A saved one. Raises :class:`~memnet.errors.NetworkError`."""
        path = folder / CONFIG
        try:
            saved = json.loads(path.read_text(encoding="utf-8"))
            if saved["format"] != FORMAT or saved["model"] != NAME:
                raise ValueError(f"{path} is of something else")
            config = RetrieverConfig(**{field.name: saved[field.name] for field in fields(RetrieverConfig)})
            known = [str(word) for word in saved["words"]]
            found = cls(config, known, Random(0, 1, "weights"))
            found.load_state_dict(read_tensors(folder / MODEL)[0])
        except (OSError, KeyError, TypeError, ValueError, RuntimeError) as error:
            raise NetworkError(f"{folder} holds no retriever that can be read: {error}") from error
        return found
