"""The likeliest answers to the questions of a batch, with probabilities that are calibrated."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from memnet.data.vocabulary import NO_EVIDENCE, UNKNOWN, Vocabulary
from memnet.models.decoders import answer_mask, prediction

NEVER = float("-inf")
Again = Callable[[Tensor], Tensor]  # answers' first words (1, B, K, A), -1 after them -> scores (1, B, K, A, V)
Beams = tuple[Tensor, Tensor]  # answers (1, B, K, A) and their log-probabilities (1, B, K)


class Ranking(NamedTuple):
    """What a network answers to a question."""

    answers: list[tuple[str, float]]  # its own first, then the likeliest, with their probabilities if there is an answer
    nothing: float  # the probability that there is none


class Ranker(NamedTuple):
    """How a network's scores are read: by its words and its temperature."""

    vocabulary: Vocabulary
    temperature: float

    def rank(self, logits: Tensor, allowed: Tensor, most: int, again: Again, beams: Beams | None = None) -> list[Ranking]:
        """The ``most`` likeliest answers of each question of ``logits (B, A, V)`` among the entries ``allowed (B, V)``."""
        scores = (logits / self.temperature).masked_fill(~allowed.unsqueeze(1), NEVER)
        nothing = self.nothing(scores[:, 0])
        first = scores[:, 0].index_fill(1, torch.tensor(self.vocabulary.no_answers), NEVER)
        chance, entry = first.softmax(1).topk(min(most, first.shape[1]))  # (B, K)
        if logits.shape[1] == 1:
            answers = self.named(entry.unsqueeze(2), chance)
        elif beams is not None:
            answers = self.named(beams[0][0, :, :most], beams[1][0, :, :most].exp())
        else:
            answers = self.decoded(entry, chance, allowed, again)
        return [Ranking(*one) for one in zip(answers, nothing.tolist(), strict=True)]

    def nothing(self, scores: Tensor) -> Tensor:
        """The probability that there is no evidence, (B,), of the scores of the answers or of their first words (B, V)."""
        entry = self.vocabulary.number.get(NO_EVIDENCE) if self.vocabulary.stop is not None else 0
        return scores.new_zeros(len(scores)) if entry is None else scores.softmax(1)[:, entry]

    def decoded(self, first: Tensor, chance: Tensor, allowed: Tensor, again: Again) -> list[list[tuple[str, float]]]:
        """The whole answers that begin with the words ``first (B, K)``: the decoder's own, then the likeliest.

        Each is decoded word by word; its probability is the product of its words' and of the stop's after them, and 0 where
        its first word has ``chance (B, K)`` 0.
        """
        given = first.new_full((*first.shape, self.vocabulary.answer), -1)
        given[:, :, 0] = first
        logits = again(given.unsqueeze(0))[0] / self.temperature  # (B, K, A, V)
        scores = logits.masked_fill(~allowed.unsqueeze(1).unsqueeze(2), NEVER)
        scores[:, :, 0, self.vocabulary.no_answers] = NEVER
        scores[:, :, 1:, [self.vocabulary.number[UNKNOWN], self.vocabulary.no_evidence]] = NEVER  # said first, or not at all
        entries = prediction(scores)
        entries[:, :, 0] = first
        each = scores.softmax(-1).gather(3, entries.unsqueeze(3)).squeeze(3)
        whole = each.where(answer_mask(entries), 1.0).prod(2) * (chance > 0)
        others = whole[:, 1:].argsort(dim=1, descending=True, stable=True) + 1
        order = torch.cat([torch.zeros_like(first[:, :1]), others], 1)
        return self.named(entries.gather(1, order.unsqueeze(2).expand_as(entries)), whole.gather(1, order))

    def named(self, entries: Tensor, chance: Tensor) -> list[list[tuple[str, float]]]:
        """Answers (B, K, A) in words with their probabilities (B, K), without those that have none but for the first."""
        return [
            [
                (self.vocabulary.answer_text(one), p)
                for place, (one, p) in enumerate(zip(answers, chances, strict=True))
                if p > 0 or place == 0
            ]
            for answers, chances in zip(entries.tolist(), chance.tolist(), strict=True)
        ]
