"""What training, evaluation and asking need of a network, whatever it is."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from memnet.attention import Trace
from memnet.attention.reinforce import MovingMean, baseline, joint_log_prob, surrogate
from memnet.batch import Batch, Examples, Sizes, Vocabulary
from memnet.config import ConfigError, Training
from memnet.decode import counted, prediction
from memnet.replicated import Random, Replicated
from memnet.supervision import fact_loss
from memnet.vectors import Vectors


class Output(NamedTuple):
    """What a network makes of a batch. T is the number of addresses drawn for each question, 1 where none is drawn."""

    logits: Tensor  # (R, B, T, A, V)  of the words of the answer, A = 1 for one class
    traces: list[Trace]  # one a hop, with T queries
    penalty: Tensor | None = None  # (R,)  added to the loss of a batch
    entropy: Tensor | None = None  # (R, B, T)  of the addresses, summed over hops
    steps: Tensor | None = None  # (R, B)  of adaptive halting, the mean over a question's elements
    beams: tuple[Tensor, Tensor] | None = None  # (R, B, K, A), (R, B, K)  the likeliest answers and their log-probabilities
    alike: Tensor | None = None  # (R, B, hops)  how alike the heads of each hop read, 1 where all read the same
    heads: Sequence[Tensor] = ()  # of each hop what its heads read, nothing last, (R, B, H, M + 1)
    nulls: Sequence[Tensor | None] = ()  # of each hop the logit of reading nothing, (R, B, T), if it can
    passes: Tensor | None = None  # (R, B)  how many hops were taken before the end, where that is learned; of all traces


class Step(NamedTuple):
    """What a network makes of a training batch."""

    objective: Tensor  # (R,)  to be made small
    loss: Tensor  # (R,)  of the answers, summed over the batch
    wrong: Tensor  # (R,)  answers
    rewards: Tensor | None = None  # (2, R)  hard attention: variance of the loss over samples, mean square of the advantage


class Network(Replicated, ABC):
    """R networks of one kind.

    A kind has a ``Config`` and is made from a configuration, the sizes of its training questions and random
    numbers. It encodes a data set as far as no parameter is needed (``codes``) and answers a batch (``forward``).
    """

    Config: ClassVar[type[Training]]
    config: Training
    sizes: Sizes
    samples = 0  # addresses drawn for a question while training, now
    test_samples = 0  # and when asked
    noisy = False  # whether training draws other numbers in the forward pass
    by_length = False  # whether a batch's stories should be about as long as each other
    reads_by_word = False  # whether it reads once for each word of the answer, as it tells it
    word_rows: ClassVar[dict[str, int]] = {}  # parameters that have a row for every word, and in which dimension

    def __init__(self, config: Training, sizes: Sizes, random: Random) -> None:
        super().__init__()
        self.config, self.sizes = config, sizes

    @property
    def replicas(self) -> int:
        """R."""
        return len(next(self.parameters()))

    @classmethod
    def measure(cls, config: Training, data: Examples, vocabulary: Vocabulary) -> Sizes:
        """What a network of this kind must know of the questions that it learns from."""
        return data.sizes(vocabulary)

    @abstractmethod
    def codes(self, data: Examples) -> Any:
        """What :meth:`forward` needs to know of a data set, made once."""

    @abstractmethod
    def forward(
        self, batch: Batch, codes: Any, random: Random | None = None, samples: int = 1, given: Tensor | None = None
    ) -> Output:
        """Answers, told after the words of the answers ``given (R, B, A)`` or after their own, and each hop's trace."""

    def lengths(self, data: Examples) -> Tensor:
        """How long each question's story is to this network, (N,): batches of like length are cut by it."""
        return data.count

    def start_from(self, vectors: Vectors) -> None:
        """Take the words' vectors from a file. Raises :class:`~memnet.config.ConfigError` where there is no use for them."""
        raise ConfigError("word vectors are for the model dmn")

    def phase(self, linear: Tensor, warm: Tensor) -> None:
        """Which replicas (R,) are in a linear start, which in the softmax phase before their own alignment."""

    def phase_of(self, replica: int) -> str:
        """Of which kind a replica's present training is."""
        return "training"

    def objective(self, batch: Batch, codes: Any, random: Random, mean: MovingMean) -> Step:
        """Cross-entropy of the answers, by REINFORCE where addresses are drawn, and of the facts where they supervise."""
        config, samples = self.config, max(1, self.samples)
        output = self(batch, codes, random if self.samples or self.noisy else None, samples, batch.answer)
        loss = answer_loss(output.logits, batch.answer.unsqueeze(2).expand(-1, -1, samples, -1))  # (R, B, T)
        objective, rewards = loss.mean(2).sum(1), None
        log_prob = joint_log_prob(output.traces) if output.traces else None
        if log_prob is not None:
            cost = loss if output.entropy is None else loss - config.entropy * output.entropy  # type: ignore[attr-defined]
            subtract = baseline(config.baseline, cost, mean)  # type: ignore[attr-defined]
            objective = surrogate(cost, log_prob, subtract).sum(1)
            mean.see(cost, self.drawing())
            spread = loss.detach().var(2) if samples > 1 else loss.new_zeros(loss.shape[:2])
            rewards = torch.stack([spread.mean(1), (cost - subtract).detach().square().mean((1, 2))])
        if config.supervision == "facts":
            nulls = output.nulls or [None] * len(output.traces)
            told = fact_loss(output.traces, batch.facts, nulls, output.passes)
            objective = objective + told.mean(2).sum(1)
        if output.penalty is not None:
            objective = objective + batch.answer.shape[1] * output.penalty
        wrong = (prediction(mean_answer(output.logits.detach())) != batch.answer).any(-1).sum(1)
        return Step(objective, loss.detach().mean(2).sum(1), wrong, rewards)

    def drawing(self) -> Tensor:
        """Which replicas draw addresses now, (R,) bool."""
        return torch.full((self.replicas,), self.samples > 0)

    def loss(self, logits: Tensor, answer: Tensor) -> Tensor:
        """What answers cost, (..., A, V) and (..., A) -> (...): their cross-entropy."""
        return answer_loss(logits, answer)


class Remembering(Network):
    """Networks whose memory of a story does not depend on the question: it is made once, and asked again and again."""

    @abstractmethod
    def remember(self, batch: Batch, codes: Any) -> Sequence[Tensor]:
        """The memories of stories, (R, B, M, D) each."""

    @abstractmethod
    def recall(
        self, memory: Sequence[Tensor], batch: Batch, codes: Any, random: Random | None = None, samples: int = 1
    ) -> Output:
        """What :meth:`forward` gives; ``batch`` tells the questions and which memories there are, ``codes`` the questions."""


def answer_loss(logits: Tensor, answer: Tensor) -> Tensor:
    """Cross-entropy of answers, summed over their words: (..., A, V), (..., A) -> (...)."""
    each = F.cross_entropy(logits.flatten(0, -2), answer.flatten(), reduction="none").view_as(answer)
    return each.sum(-1) if answer.shape[-1] == 1 else (each * counted(answer)).sum(-1)


def mean_answer(logits: Tensor) -> Tensor:
    """One answer of T samples, by the mean of their probabilities: (R, B, T, A, V) -> logits (R, B, A, V)."""
    if logits.shape[2] == 1:
        return logits[:, :, 0]
    return logits.log_softmax(-1).logsumexp(2) - math.log(logits.shape[2])
