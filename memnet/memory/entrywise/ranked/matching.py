"""How well each entry of a log fits a question, in whatever words: each word of it reads the word that fits best.

words   x of question and entry, each with the vectors of its neighbours; a layer that both share, h = relu(W x);
        queries q = A x + A' h (N, D), keys k = B x + B' h (L, W, D)
score   q . k / sqrt(D), more where two words have one lemma or one stem
align   hard: the one word of the entry with the greatest score
read    that score, as tanh(s / 2); the words of a question are added up by gates, which know how rare each word is

A match of both texts as wholes is added: the question, read by one query, against the entry, read by another. It is late
interaction (Khattab & Zaharia 2020) over fixed vectors. Learned from lines of logs that tell what is asked, by
``scripts/make_logs.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memnet.errors import NetworkError
from memnet.infer.attention import normalized
from memnet.memory.entrywise.ranked.lines import FLAGS, Log, Told, told_of
from memnet.packing import read_weights
from memnet.reading.words import Words

Array = NDArray[np.float32]
WEIGHTS = Path(__file__).with_name("matcher.safetensors")  # made by scripts/make_logs.py
VECTOR = 100
WORD = 3 * VECTOR + len(FLAGS)  # a word with its neighbours
OF_A_WORD = 2  # how rare it is in the log, whether the log has it
NAMES = (
    *(f"{side}.{part}" for side in ("words", "asked", "told", "gate", "combine") for part in ("weight", "bias")),
    *("asked_more.weight", "told_more.weight", "same", "whole_asked.weight", "whole_told.weight", "across.weight"),
)
TOGETHER = 256  # entries
GREATEST = 8.0  # score of two words
NEVER = np.float32(-1e4)


def features_of(every: Sequence[Told]) -> tuple[Array, NDArray[np.bool_]]:
    """Texts as arrays of words with their neighbours (L, W, WORD), and which of these are words (L, W)."""
    width = max((len(told.rows) for told in every), default=1) or 1
    rows = np.zeros((len(every), width), np.int64)
    flags = np.zeros((len(every), width, len(FLAGS)), np.float32)
    there = np.zeros((len(every), width), bool)
    for at, told in enumerate(every):
        count = len(told.rows)
        rows[at, :count], there[at, :count] = told.rows, True
        if count:
            flags[at, :count] = told.flags
    vectors = Words.load().units_of(rows) * there[..., None]
    beside = np.pad(vectors, ((0, 0), (1, 1), (0, 0)))
    return np.concatenate([vectors, beside[:, :-2], beside[:, 2:], flags], -1), there


def shared(asked: Told, every: Sequence[Told], width: int) -> Array:
    """Whether each word of a question has the lemma, and the stem, of each word of texts: (2, N, L, W)."""
    found = np.zeros((2, len(asked.rows), len(every), width), np.float32)
    for kind, words in enumerate((asked.lemmas, asked.stems)):
        places = dict[str, list[int]]()
        for at, word in enumerate(words):
            places.setdefault(word, []).append(at)
        for number, told in enumerate(every):
            for at, word in enumerate(told.stems if kind else told.lemmas):
                if word in places:
                    found[kind, places[word], number, at] = 1.0
    return found


class EntryMatcher:
    """A trained matcher. ``weights`` as :data:`NAMES` has them."""

    def __init__(self, weights: Mapping[str, Array]) -> None:
        self.weights = weights

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> EntryMatcher:
        """From a file of weights. Raises :class:`~memnet.errors.NetworkError`."""
        return _loaded(path)

    def linear(self, name: str, x: Array) -> Array:
        """A layer."""
        found: Array = x @ self.weights[f"{name}.weight"].T
        return found + self.weights[f"{name}.bias"] if f"{name}.bias" in self.weights else found

    def encoded(self, side: str, features: Array) -> Array:
        """Words (..., WORD) of a side, "asked" or "told", as queries or keys (..., D)."""
        return self.linear(side, features) + self.linear(f"{side}_more", np.maximum(self.linear("words", features), 0))

    def match(self, log: Log, question: str) -> Array:
        """The log-odds that each entry tells it (L,)."""
        asked = told_of(question)
        if not asked.rows or not log.told:
            return np.full(len(log.told), NEVER)
        rare = np.array([[log.weight(one), log.counts[one] > 0] for one in asked.stems], np.float32)
        parts = (log.told[at : at + TOGETHER] for at in range(0, len(log.told), TOGETHER))
        return np.concatenate([self.match_part(asked, rare, part) for part in parts])

    def match_part(self, asked: Told, rare: Array, every: Sequence[Told]) -> Array:
        """The same of some entries; how rare each word of the question is in the log is in ``rare (N, OF_A_WORD)``."""
        features, there = features_of(every)
        keys, query = self.encoded("told", features), self.encoded("asked", features_of([asked])[0])[0]
        root = np.float32(query.shape[1] ** 0.5)
        scores = np.einsum("nd,lwd->nlw", query, keys, optimize=True) / root
        scores += np.tensordot(self.weights["same"], shared(asked, every, keys.shape[1]), 1)
        best = np.clip(np.where(there, scores, NEVER).max(-1), -GREATEST, GREATEST)  # (N, L)
        gates = np.logaddexp(0, self.linear("gate", np.concatenate([query, rare], -1)))[:, 0]
        added = gates @ np.tanh(best / 2)
        whole_asked = normalized(self.linear("whole_asked", query)[:, 0]) @ query
        told = normalized(np.where(there, self.linear("whole_told", keys)[..., 0], NEVER))
        whole = np.einsum("lw,lwd->ld", told, keys, optimize=True) @ self.linear("across", whole_asked) / root
        return self.linear("combine", np.stack([added, added / gates.sum() * np.float32(GREATEST), whole], -1))[:, 0]


@cache
def _loaded(path: Path) -> EntryMatcher:
    arrays = read_weights(path)
    if {*arrays} != {*NAMES}:
        raise NetworkError(f"{path} holds no matcher of entries: expected the tensors {', '.join(NAMES)}")
    return EntryMatcher({name: arrays[name] for name in NAMES})
