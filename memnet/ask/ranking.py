"""The likeliest answers to the questions of a batch, with probabilities that are calibrated."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from memnet.encode.vocabulary import NO_EVIDENCE, Vocabulary
from memnet.models.decoders import beam_search

NEVER = float("-inf")
BEAMS = 4  # answers that are followed, word by word
Again = Callable[[Tensor], Tensor]  # answers' first words (1, B, K, A), -1 after them -> scores (1, B, K, A, V)
Beams = tuple[Tensor, Tensor]  # answers (1, B, K, A) and their log-probabilities (1, B, K)


class Ranking(NamedTuple):
    """What a network answers to a question."""

    answers: list[tuple[str, float]]  # the likeliest first, with their probabilities if there is an answer
    nothing: float  # the probability that there is none


class Ranker(NamedTuple):
    """How a network's scores are read: by its words and its temperature."""

    vocabulary: Vocabulary
    temperature: float

    def rank(
        self, logits: Tensor, allowed: Tensor, most: int, again: Again, beams: Beams | None = None, greedy: bool = False
    ) -> list[Ranking]:
        """The ``most`` likeliest answers of each question of ``logits (B, A, V)`` among the entries ``allowed (B, V)``.

        ``greedy``: the first answer is decoded greedily, as by a network that reads with each word.
        """
        nothing = self.nothing(self.scores(logits, allowed.unsqueeze(1))[:, 0])
        named = allowed.index_fill(1, torch.tensor(self.vocabulary.no_answers), False)
        if logits.shape[1] == 1:
            chance, entry = self.scores(logits[:, 0], named).softmax(1).topk(min(most, logits.shape[2]))  # (B, K)
            found = entry.unsqueeze(2), chance
        elif beams is not None:
            found = beams[0][0], beams[1][0].exp()
        else:
            found = self.decoded(logits, named, again, max(most, BEAMS))
            if greedy:
                first = self.decoded(logits, named, again, 1)
                others = found[1].masked_fill((found[0] == first[0]).all(2), 0.0)
                found = torch.cat([first[0], found[0]], 1), torch.cat([first[1], others], 1)
        answers = self.named(found[0][:, :most], found[1][:, :most])
        return [Ranking(*one) for one in zip(answers, nothing.tolist(), strict=True)]

    def scores(self, logits: Tensor, allowed: Tensor) -> Tensor:
        """Scores over the temperature, minus infinity where nothing may answer so."""
        return (logits / self.temperature).masked_fill(~allowed, NEVER)

    def nothing(self, scores: Tensor) -> Tensor:
        """The probability that there is no evidence, (B,), of the scores of the answers or of their first words (B, V)."""
        entry = self.vocabulary.number.get(NO_EVIDENCE) if self.vocabulary.stop is not None else 0
        return scores.new_zeros(len(scores)) if entry is None else scores.softmax(1)[:, entry]

    def decoded(self, logits: Tensor, allowed: Tensor, again: Again, width: int) -> tuple[Tensor, Tensor]:
        """The likeliest answers word by word, (B, K, A), by a beam of that width, and their probabilities (B, K).

        One is the product of its words' probabilities and of the stop's after them.
        """
        later = allowed.clone()
        later[:, self.vocabulary.stop] = True

        def step(state: tuple[Tensor, ...], word: Tensor | None) -> tuple[Tensor, tuple[Tensor, ...]]:
            if word is None:
                return self.scores(logits[:, 0], allowed).view(1, len(logits), 1, -1), state
            words = torch.cat([state[0], word.unsqueeze(3)], 3)  # (1, B, K, words so far)
            given = F.pad(words, (0, self.vocabulary.answer - words.shape[3]), value=-1)
            after = again(given)[:, :, :, words.shape[3]]
            return self.scores(after, later.unsqueeze(0).unsqueeze(2)), (words,)

        nothing_said = torch.zeros(1, len(logits), 1, 0, dtype=torch.long)
        entries, log = beam_search(step, (nothing_said,), self.vocabulary.answer, width)
        return entries[0], log[0].exp()

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
