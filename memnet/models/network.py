"""What training, evaluation and asking need of a network, whatever it is."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from memnet.attention import Trace
from memnet.attention.align import Scheduled
from memnet.attention.reinforce import EveryAddress, MovingMean, baseline, entropy, expectation, joint_log_prob, surrogate
from memnet.config import Training
from memnet.encode.batch import Batch
from memnet.encode.examples import Examples, Sizes
from memnet.encode.vectors import Vectors
from memnet.encode.vocabulary import Vocabulary
from memnet.errors import ConfigError
from memnet.models.decoders import answer_mask, prediction
from memnet.models.supervision import fact_loss
from memnet.nn.modules import Replicated
from memnet.nn.random import Random

MOST_SEQUENCES = 4096  # of addresses, that gradient=exact sums over


class Output(NamedTuple):
    """What a network makes of a batch. T is the number of addresses drawn for each question, 1 where none is drawn."""

    logits: Tensor  # (R, B, T, A, V)  of the words of the answer, A = 1 for one class
    traces: list[Trace]  # one a hop, with T queries
    penalty: Tensor | None = None  # (R,)  added to the loss of a batch
    steps: Tensor | None = None  # (R, B)  of adaptive halting, the mean over a question's elements
    beams: tuple[Tensor, Tensor] | None = None  # (R, B, K, A), (R, B, K)  the likeliest answers and their log-probabilities
    head_similarity: Tensor | None = None  # (R, B, hops)  mean cosine between two heads' weights, a hop
    heads: Sequence[Tensor] = ()  # of each hop what its heads read, nothing last, (R, B, H, M + 1)
    nulls: Sequence[Tensor | None] = ()  # of each hop the logit of reading nothing, (R, B, T), if it can
    decode: Callable[[Tensor], Tensor] | None = None  # other answers' words, (R, B, K, A) -> their scores (R, B, K, A, V)
    passes: Tensor | None = None  # (R, B)  how many hops were taken before the end, where that is learned; of all traces

    def __repr__(self) -> str:
        return f"<Output: logits {tuple(self.logits.shape)}, {len(self.traces)} traces>"


class Step(NamedTuple):
    """What a network makes of a training batch."""

    objective: Tensor  # (R,)  to be made small
    loss: Tensor  # (R,)  of the answers, summed over the batch
    wrong: Tensor  # (R,)  answers
    rewards: Tensor | None = None  # (2, R)  hard attention: variance of the loss over samples, mean square of the advantage


class Network(Replicated, ABC):
    """R networks of one kind.

    A kind has a ``Config`` and is made from a configuration, the sizes of its training questions and random
    numbers. It encodes a data set as far as no parameter is needed (``encode_data``) and answers a batch (``forward``).
    Everything that is known of a kind stands in its class: adding one is one file and a line in ``MODELS``.
    """

    Config: ClassVar[type[Training]]
    title: ClassVar[str]  # "An end-to-end memory network", for its card
    presets: ClassVar[tuple[str, str]]  # its usual preset for one task, and for one network of several tasks
    config: Training
    sizes: Sizes
    keeps_stories: ClassVar[bool] = False  # whether it encodes a story once, to be asked again and again
    by_length = False  # whether a batch's stories should be about as long as each other
    by_story = False  # whether the questions of a story should stand side by side in a batch
    reads_by_word = False  # whether it reads once for each word of the answer, as it decodes it
    answer_traces: ClassVar[slice] = slice(None)  # the traces that the answer comes from
    word_rows: ClassVar[dict[str, int]] = {}  # parameters that have a row for every word, and in which dimension

    def __init__(self, config: Training, sizes: Sizes, random: Random) -> None:
        super().__init__()
        self.config, self.sizes = config, sizes

    def __repr__(self) -> str:
        parameters = sum(parameter[0].numel() for parameter in self.parameters())
        return f"<{type(self).__name__}, replicas: {self.replicas}, parameters of each: {parameters:,}>"

    @property
    def replicas(self) -> int:
        """R."""
        return len(next(self.parameters()))

    @classmethod
    def measure(cls, config: Training, data: Examples, vocabulary: Vocabulary) -> Sizes:
        """What a network of this kind must know of the questions that it learns from."""
        return data.sizes(vocabulary)

    @abstractmethod
    def encode_data(self, data: Examples) -> Any:
        """What :meth:`forward` needs to know of a data set, made once."""

    @abstractmethod
    def forward(
        self,
        batch: Batch,
        encoded_data: Any,
        random: Random | None = None,
        samples: int = 1,
        given: Tensor | None = None,
        noise: Random | None = None,
    ) -> Output:
        """Answers, each word after the words of the answers ``given (R, B, A)`` or after its own, and each hop's trace.

        ``random`` draws ``samples`` addresses a question, ``noise`` what is dropped; without them nothing is.
        """

    def lengths(self, data: Examples) -> Tensor:
        """How long each question's story is to this network, (N,): batches of similar length are made by it."""
        return data.count

    def start_from(self, vectors: Vectors) -> None:
        """Take the words' vectors from a file. Raises :class:`~memnet.errors.ConfigError` where there is no use for them."""
        raise ConfigError("word vectors are for the model dmn")

    def know_words(self, vocabulary: Vocabulary) -> None:
        """Before training: take what the package knows of the words, where it uses that."""

    def fit(self, data: Examples) -> None:
        """Learn from these questions in one piece, where that is how it learns."""
        raise ConfigError("this network is trained in epochs")

    @property
    def noisy(self) -> bool:
        """Whether training draws other numbers than addresses in the forward pass."""
        return False

    @property
    def schedules(self) -> list[Scheduled]:
        """The alignments that know which phase of its training each replica is in."""
        return [module for module in self.modules() if isinstance(module, Scheduled)]

    def set_schedule(self, linear: Tensor, softmax: Tensor) -> None:
        """Which replicas (R,) are in a linear start, which in the softmax phase before their own alignment."""
        for schedule in self.schedules:
            schedule.set_phases(linear, softmax)

    def phase_name(self, replica: int) -> str:
        """With which alignment a replica trains: "linear", "softmax" before another, or its own."""
        for schedule in self.schedules[:1]:
            if bool(schedule.linear[replica]):
                return "linear"
            if bool(schedule.softmax[replica]):
                return "softmax"
        return self.alignment or "training"

    @property
    def alignment(self) -> str | None:
        """The name of its alignment, if it has one."""
        return None

    def drawing(self) -> Tensor:
        """Which replicas draw addresses now: those of hard attention after their earlier phases, (R,) bool."""
        draws = torch.full((self.replicas,), self.config.draws)
        for schedule in self.schedules[:1]:
            draws = draws & ~(schedule.linear | schedule.softmax)
        return draws

    @property
    def samples(self) -> int:
        """Addresses drawn for a question while training, now."""
        return self.config.samples if self.config.draws and bool(self.drawing().any()) else 0

    @property
    def test_samples(self) -> int:
        """Addresses drawn for a question that is asked."""
        return self.config.test_samples

    @property
    def num_draws(self) -> int:
        """How often an address is drawn for a question."""
        return self.config.num_reads(self.sizes.answer)

    def num_choices(self, batch: Batch) -> int:
        """How many addresses there are to choose from in each hop, reading nothing among them."""
        raise ConfigError("gradient=exact is not for this network")

    def num_sequences(self, batch: Batch) -> int:
        """How many sequences of addresses gradient=exact sums over. Raises ConfigError where they are too many."""
        sequences: int = self.num_choices(batch) ** self.num_draws
        if sequences > MOST_SEQUENCES:
            raise ConfigError(
                f"gradient=exact sums over every sequence of addresses, and there are {sequences:,}; at most "
                f"{MOST_SEQUENCES:,}: use fewer hops, a smaller memory_size, or gradient=reinforce"
            )
        return sequences

    def objective(self, batch: Batch, encoded_data: Any, random: Random, mean: MovingMean) -> Step:
        """The loss of the answers, that of the facts where they supervise, and the gradient of addresses that are drawn."""
        config, samples = self.config, self.samples
        source, samples = random if samples else None, max(1, samples)
        exact = config.gradient == "exact" and bool(self.drawing().any())
        if exact:
            samples = self.num_sequences(batch)
            source = every = EveryAddress(self.replicas, self.num_choices(batch))
        output = self(batch, encoded_data, source, samples, batch.answer, random if self.noisy else None)
        loss = self.loss(output.logits, batch.answer.unsqueeze(2).expand(-1, -1, samples, -1))  # (R, B, T)
        objective, rewards = loss.mean(2).sum(1), None
        log_prob = joint_log_prob(output.traces) if output.traces else None
        nulls = output.nulls or [None] * len(output.traces)
        if log_prob is not None:
            log_prob = log_prob.masked_fill(every.again, -math.inf) if exact else log_prob
            cost = loss
            if config.entropy > 0:
                parts = (entropy(trace.logits, null) for trace, null in zip(output.traces, nulls, strict=True))
                cost = loss - config.entropy * torch.stack(list(parts)).sum(0)
            if exact:
                objective = expectation(cost, log_prob).sum(1)
                loss = loss.detach() * log_prob.detach().exp() * samples  # so that its mean is the expectation
            else:
                subtract = baseline(config.baseline, cost, mean)
                objective = surrogate(cost, log_prob, subtract).sum(1)
                mean.see(cost, self.drawing())
                spread = loss.detach().var(2) if samples > 1 else loss.new_zeros(loss.shape[:2])
                rewards = torch.stack([spread.mean(1), (cost - subtract).detach().square().mean((1, 2))])
        if config.supervision == "facts":
            objective = objective + self.fact_loss(output, batch).mean(2).sum(1)
        if output.penalty is not None:
            objective = objective + batch.answer.shape[1] * output.penalty
        answers = output.logits.detach()
        if exact and log_prob is not None:  # each by its chance
            answers = answers.log_softmax(-1) + log_prob.detach()[..., None, None] + math.log(samples)
        wrong = (prediction(mean_answer(answers)) != batch.answer).any(-1).sum(1)
        return Step(objective, loss.detach().mean(2).sum(1), wrong, rewards)

    def fact_loss(self, output: Output, batch: Batch) -> Tensor:
        """What it costs that the supporting facts were not read, (R, B, T)."""
        return fact_loss(output.traces, batch.facts, output.nulls or [None] * len(output.traces), output.passes)

    def loss(self, logits: Tensor, answer: Tensor) -> Tensor:
        """What answers cost, (..., A, V) and (..., A) -> (...): their cross-entropy."""
        return answer_loss(logits, answer)

    def encode_story(self, batch: Batch, encoded_data: Any) -> Any:
        """Where it ``keeps_stories``: what it makes of stories' statements, which no question changes."""
        raise ConfigError("this network reads a story anew with every question")

    def statement_reads(self, batch: Batch, encoded_data: Any) -> list[Tensor]:
        """What statements read of each other before the answer, where they do: a layer each, mean over heads, (R, B, M, M).

        Element [..., i, j] is how much statement i read of statement j.
        """
        return []

    def answer_from(
        self, memory: Any, batch: Batch, encoded_data: Any, random: Random | None = None, samples: int = 1
    ) -> Output:
        """What :meth:`forward` gives, of an encoded story.

        ``batch`` has the questions and which memories there are, ``encoded_data`` the questions.
        """
        raise ConfigError("this network reads a story anew with every question")


def answer_loss(logits: Tensor, answer: Tensor) -> Tensor:
    """Cross-entropy of answers, summed over their words: (..., A, V), (..., A) -> (...)."""
    each = F.cross_entropy(logits.flatten(0, -2), answer.flatten(), reduction="none").view_as(answer)
    return each.sum(-1) if answer.shape[-1] == 1 else (each * answer_mask(answer)).sum(-1)


def mean_answer(logits: Tensor) -> Tensor:
    """One answer of T samples, by the mean of their probabilities: (R, B, T, A, V) -> logits (R, B, A, V)."""
    if logits.shape[2] == 1:
        return logits[:, :, 0]
    return logits.log_softmax(-1).logsumexp(2) - math.log(logits.shape[2])
