"""Answers, one entry or word by word, in numpy (Kumar et al. 2016, section 2.4; beams as in :mod:`memnet.models.decoders`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from memnet.encode.vocabulary import STOP_NUMBER
from memnet.infer.attention import NEVER, Floats, Integers, likeliest, log_normalized
from memnet.infer.layers import GRU

Step = Callable[[Floats, Integers | None], Floats]  # a state (..., D) and the word before, None at the start -> the next state
More = Callable[[Integers, Integers], Floats]  # words of answers (N, K, W), whom each goes on from (N, K) -> scores (N, K, V)


def mask_special(score: Floats, place: int, length: int) -> Floats:
    """The scores (..., V) of a word of answers decoded word by word, never the unknown word or a stop before the first."""
    if length == 1:
        return score
    masked = score.copy()
    masked[..., : STOP_NUMBER + 1 if place == 0 else 1] = NEVER  # the unknown word has the first number
    return masked


class Said:
    """Answers, word by word: how well each word goes on after K answers so far, whose states it keeps."""

    def __init__(self, step: Step, state: Floats, scores: Callable[[Floats], Floats]) -> None:
        """``state (N, 1, D)`` is that before the first word; ``scores``: (N, K, D) -> (N, K, V)."""
        self.step, self.scores, self.states = step, scores, [step(state, None)]

    def first(self) -> Floats:
        """The scores of first words, (N, 1, V)."""
        return self.scores(self.states[0])

    def __call__(self, said: Integers, parent: Integers) -> Floats:
        """Of the words after those ``said (N, K, W)``, W at least 1, (N, K, V).

        Their words but for the last are those that the ``parent (N, K)`` had of the call before, which had so many words.
        """
        place = said.shape[-1]
        before = self.states[place - 1]
        if place > 1:  # the first state is that of all
            before = before[np.arange(len(said))[:, None], parent]
        self.states[place:] = [self.step(before, said[..., -1])]
        return self.scores(self.states[-1])


def likeliest_words(logits: Floats) -> Integers:
    """The likeliest words of answers, each for itself: (N, A, V) -> (N, A)."""
    length = logits.shape[-2]
    return np.stack([mask_special(logits[:, place], place, length).argmax(-1) for place in range(length)], -1)


def beam_search(first: Floats, more: More, length: int, width: int) -> tuple[Integers, Floats]:
    """The likeliest answers that a beam of ``width`` finds, (N, K, A), and their log-probabilities (N, K), best first.

    ``first (N, V)`` are the scores of first words; ``more`` gives those of the next, (N, K, V), of words (N, K, words so far)
    and of which answer so far each went on from, (N, K). An answer ends with its first stop symbol.
    """
    row, entry = np.arange(len(first))[:, None], np.arange(first.shape[-1])
    score = log_normalized(mask_special(first, 0, length))
    best = likeliest(score, min(width, len(entry)))
    total, decoded, parent = score[row, best], best[..., None], np.zeros_like(best)
    only_stop = np.where(entry == STOP_NUMBER, np.float32(0), NEVER)
    for place in range(1, length):
        ended = (decoded == STOP_NUMBER).any(2, keepdims=True)
        if ended.all():
            rest = np.full((*total.shape, length - place), STOP_NUMBER)
            return np.concatenate([decoded, rest], 2), total
        score = log_normalized(mask_special(more(decoded, parent), place, length))  # (N, K, V)
        score = np.where(ended, only_stop, score)
        every = (total[..., None] + score).reshape(len(score), -1)
        best = likeliest(every, min(width, every.shape[1]))
        total, (parent, word) = every[row, best], np.divmod(best, len(entry))
        decoded = np.concatenate([decoded[row, parent], word[..., None]], 2)
    return decoded, total


class WordByWord(NamedTuple):
    """A GRU that tells an answer: h_0 = state, h_j = GRU([word_{j-1}; context], h_{j-1}), scores W h_j."""

    cell: GRU
    words: Floats  # (V, D)
    products: Floats  # what the cell's gates get of each word, and last of none, before the first: (V + 1, 3 D)

    @classmethod
    def of(cls, weights: Mapping[str, Floats], words: Floats, name: str = "decoder") -> WordByWord:
        """By its name, in ``words (V, D)``."""
        cell = GRU.of(weights, f"{name}.cell")
        # joined after the product: the C library keeps as much memory as was once freed, and a question takes it from there
        return cls(cell, words, np.concatenate([cell.input(words), cell.input(np.zeros_like(words[:1]))]))

    def __call__(self, state: Floats) -> Said:
        """After ``state (N, 1, D)``."""

        def step(h: Floats, word: Integers | None) -> Floats:
            return self.cell.step(self.products[-1 if word is None else word], h)

        return Said(step, state, lambda h: h @ self.words.T)
