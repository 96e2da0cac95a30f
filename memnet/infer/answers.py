"""Answers, one entry or word by word, in numpy (Kumar et al. 2016, section 2.4; beams as in :mod:`memnet.models.decoders`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from memnet.encode.vocabulary import STOP_NUMBER
from memnet.infer.attention import NEVER, Floats, Integers, likeliest, log_normalized
from memnet.infer.layers import GRU

Step = Callable[[Floats, Integers | None], Floats]  # a state (..., D) and the word before, None at the start -> the next state


def mask_special(score: Floats, place: int, length: int) -> Floats:
    """The scores (..., V) of a word of answers decoded word by word, never the unknown word or a stop before the first."""
    if length == 1:
        return score
    return np.where(np.arange(score.shape[-1]) <= (STOP_NUMBER if place == 0 else 0), NEVER, score)


def next_state(step: Step, state: Floats, said: Integers) -> Floats:
    """The state (..., D) before the next word of answers, after those ``said (..., W)``; the first is the same for all."""
    state = step(state, None)
    for place in range(said.shape[-1]):
        state = step(state, said[..., place])
    return state


def likeliest_words(logits: Floats) -> Integers:
    """The likeliest words of answers, each for itself: (N, A, V) -> (N, A)."""
    length = logits.shape[-2]
    return np.stack([mask_special(logits[:, place], place, length).argmax(-1) for place in range(length)], -1)


def beam_search(first: Floats, more: Callable[[Integers], Floats], length: int, width: int) -> tuple[Integers, Floats]:
    """The likeliest answers that a beam of ``width`` finds, (N, K, A), and their log-probabilities (N, K), best first.

    ``first (N, V)`` are the scores of first words; ``more`` gives those of the next, (N, K, V), of words (N, K, words so far).
    An answer ends with its first stop symbol.
    """
    words = first.shape[-1]
    score = log_normalized(mask_special(first, 0, length))
    best = likeliest(score, min(width, words))
    total, decoded = np.take_along_axis(score, best, 1), best[..., None]
    for place in range(1, length):
        score = log_normalized(mask_special(more(decoded), place, length))  # (N, K, V)
        ended = (decoded == STOP_NUMBER).any(2, keepdims=True)
        score = np.where(ended, np.where(np.arange(words) == STOP_NUMBER, np.float32(0), NEVER), score)
        every = (total[..., None] + score).reshape(len(score), -1)
        best = likeliest(every, min(width, every.shape[1]))
        total, parent = np.take_along_axis(every, best, 1), best // words
        decoded = np.concatenate([np.take_along_axis(decoded, parent[..., None], 1), (best % words)[..., None]], 2)
    return decoded, total


class WordByWord(NamedTuple):
    """A GRU that tells an answer: h_0 = state, h_j = GRU([word_{j-1}; context], h_{j-1}), scores W h_j."""

    cell: GRU

    @classmethod
    def of(cls, weights: Mapping[str, Floats], name: str = "decoder") -> WordByWord:
        """By its name."""
        return cls(GRU.of(weights, f"{name}.cell"))

    def __call__(self, state: Floats, words: Floats, said: Integers) -> Floats:
        """``state (..., 1, D)``, ``words (V, D)``, words ``said (..., K, W)`` -> scores of the next (..., K, V)."""

        def step(h: Floats, word: Integers | None) -> Floats:
            return self.cell(np.zeros_like(h) if word is None else words[word], h)

        return next_state(step, state, said) @ words.T
