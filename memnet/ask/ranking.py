"""The likeliest answers to the questions of a batch, with probabilities that are calibrated."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from memnet.encode.vocabulary import NO_EVIDENCE, Vocabulary
from memnet.infer.answers import beam_search
from memnet.infer.attention import NEVER, Bools, Floats, Integers, likeliest, normalized
from memnet.infer.network import Output

BEAMS = 4  # answers that are followed, word by word


class Ranking(NamedTuple):
    """What a network answers to a question."""

    answers: list[tuple[str, float]]  # the likeliest first, with their probabilities if there is an answer
    nothing: float  # the probability that there is none


class Ranker(NamedTuple):
    """How a network's scores are read: by its words and its temperature."""

    vocabulary: Vocabulary
    temperature: float

    def rank(self, output: Output, allowed: Bools, most: int, greedy: bool = False) -> list[Ranking]:
        """The ``most`` likeliest answers of each question among the entries ``allowed (N, V)``.

        ``greedy``: the first answer is decoded greedily, as by a network that reads with each word.
        """
        logits = output.logits
        nothing = self.nothing(self.scores(logits[:, 0], allowed))
        named = allowed.copy()
        named[:, self.vocabulary.no_answers] = False
        if self.vocabulary.answer == 1:
            chances = normalized(self.scores(logits[:, 0], named))
            best = likeliest(chances, most)
            found = best[..., None], np.take_along_axis(chances, best, 1)
        elif output.beams is not None:
            found = output.beams[0], np.exp(output.beams[1])
        else:
            found = self.decoded(output, named, max(most, BEAMS))
            if greedy:
                first = self.decoded(output, named, 1)
                others = np.where((found[0] == first[0]).all(2), np.float32(0), found[1])
                found = np.concatenate([first[0], found[0]], 1), np.concatenate([first[1], others], 1)
        answers = self.named(found[0][:, :most], found[1][:, :most])
        return [Ranking(*one) for one in zip(answers, nothing.tolist(), strict=True)]

    def scores(self, logits: Floats, allowed: Bools) -> Floats:
        """Scores over the temperature, minus infinity where nothing may answer so."""
        return np.where(allowed, logits / np.float32(self.temperature), NEVER)

    def nothing(self, scores: Floats) -> Floats:
        """The probability that there is no evidence, (N,), of the scores of the answers or of their first words (N, V)."""
        entry = self.vocabulary.number.get(NO_EVIDENCE) if self.vocabulary.stop is not None else 0
        return np.zeros(len(scores), np.float32) if entry is None else normalized(scores)[:, entry]

    def decoded(self, output: Output, allowed: Bools, width: int) -> tuple[Integers, Floats]:
        """The likeliest answers word by word, (N, K, A), by a beam of that width, and their probabilities (N, K).

        One is the product of its words' probabilities and of the stop's after them.
        """
        assert output.more is not None
        after, later = output.more, allowed.copy()
        later[:, self.vocabulary.stop] = True

        def more(said: Integers, parent: Integers) -> Floats:
            return self.scores(after(said, parent), later[:, None])

        entries, log = beam_search(self.scores(output.logits[:, 0], allowed), more, self.vocabulary.answer, width)
        return entries, np.exp(log)

    def named(self, entries: Integers, chance: Floats) -> list[list[tuple[str, float]]]:
        """Answers (N, K, A) in words with their probabilities (N, K), without those that have none but for the first."""
        return [
            [
                (self.vocabulary.answer_text(one), p)
                for place, (one, p) in enumerate(zip(answers, chances, strict=True))
                if p > 0 or place == 0
            ]
            for answers, chances in zip(entries.tolist(), chance.tolist(), strict=True)
        ]
