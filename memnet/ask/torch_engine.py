"""A torch network that answers under a predictor: what :mod:`memnet.infer` has not, such as networks of plugins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from memnet.ask.engine import Asked, Engine, identity
from memnet.attention import Trace
from memnet.encode.batch import Batch, batches
from memnet.encode.examples import Examples, examples
from memnet.encode.vocabulary import UNKNOWN, Vocabulary
from memnet.infer.attention import Floats, Integers
from memnet.infer.network import Hop, Output
from memnet.models import Network, model_of
from memnet.models.network import Output as NetworkOutput
from memnet.models.network import mean_answer
from memnet.tasks.text import Question, Story
from memnet.training.evaluate import answers, drawing


class Kept(NamedTuple):
    """A story that was read: a batch of it alone, and its memory."""

    batch: Batch
    memory: Any


class TorchEngine(Engine):
    """A network of :mod:`memnet.models`, R = 1."""

    name = "torch"

    def __init__(self, net: Network, vocabulary: Vocabulary) -> None:
        self.net, self.vocabulary = net, vocabulary
        self.model, self.settings, self.title = model_of(net.config), asdict(net.config), net.title
        self.keeps_stories, self.looks_back, self.reads_by_word = net.keeps_stories, False, net.reads_by_word
        self.parameters = sum(parameter.numel() for parameter in net.parameters())

    @property
    def memory_size(self) -> int:
        """How many statements are remembered."""
        return self.net.config.memory_size

    def identity(self) -> str:
        """See :class:`~memnet.ask.engine.Engine`."""
        weights = ((name, value.detach().cpu().numpy()) for name, value in self.net.state_dict().items())
        return identity(self.model, self.settings, self.vocabulary, weights)

    @torch.no_grad()
    def read(self, statements: Sequence[str]) -> Kept:
        """See :class:`~memnet.ask.engine.Engine`."""
        data, batch = self.as_batch([(statements, "")])
        return Kept(batch, self.net.encode_story(batch, self.net.encode_data(data)))

    @torch.no_grad()
    def answer(self, asked: Asked) -> Output:
        """See :class:`~memnet.ask.engine.Engine`."""
        data, batch = self.as_batch(asked)
        return self.in_numpy(*answers(self.net, batch, self.net.encode_data(data)), asked)

    @torch.no_grad()
    def answer_kept(self, memory: Kept, statements: Sequence[str], question: str) -> Output:
        """See :class:`~memnet.ask.engine.Engine`."""
        encoded_data = self.net.encode_data(self.as_batch([((), question)])[0])
        output = self.net.answer_from(memory.memory, memory.batch, encoded_data, *drawing(self.net))
        return self.in_numpy(mean_answer(output.logits), output, [(statements, question)])

    def as_batch(self, asked: Asked) -> tuple[Examples, Batch]:
        """Stories, each with its question, as numbers: a data set, and all of it as one batch (R = 1)."""
        stories = [
            Story(tuple(statements), (Question(question, UNKNOWN, (), len(statements)),)) for statements, question in asked
        ]
        data = examples([stories], self.vocabulary, self.net.config.memory_size)
        return data, next(batches(data, torch.arange(len(stories)).view(1, 1, -1), self.net.sizes.ages))

    def in_numpy(self, logits: Tensor, output: NetworkOutput, asked: Asked) -> Output:
        """What a network made of a batch, R = 1."""
        more = {name: getattr(output, name) for name in ("steps", "passes")}
        beams = output.beams
        return Output(
            logits[0].numpy(),
            [hop_of(trace) for trace in output.traces[self.net.answer_traces]],
            partial(next_word, output.decode or partial(self.ask_again, asked), self.vocabulary.answer),
            None if beams is None else (beams[0][0].numpy(), beams[1][0].numpy()),
            heads=[part[0].numpy() for part in output.heads],
            **{name: None if part is None else part[0].numpy() for name, part in more.items()},
        )

    def ask_again(self, asked: Asked, given: Tensor) -> Tensor:
        """Scores (1, N, K, A, V) of answers whose first words are ``given (1, N, K, A)``, -1 after them."""
        data, batch = self.as_batch(asked)
        encoded_data = self.net.encode_data(data)
        parts = [self.net(batch, encoded_data, given=given[:, :, one]).logits for one in range(given.shape[2])]
        return torch.stack([mean_answer(part) for part in parts], 2)


def hop_of(trace: Trace) -> Hop:
    """What a hop read, the mean over samples."""
    return Hop(trace.weights[0].mean(1).numpy(), None if trace.null is None else trace.null[0].mean(1).numpy())


@torch.no_grad()
def next_word(decode: Callable[[Tensor], Tensor], length: int, said: Integers, parent: Integers) -> Floats:
    """The scores (N, K, V) of the word after those ``said (N, K, W)``; ``decode`` gives those of all words of K answers."""
    given = F.pad(torch.from_numpy(said), (0, length - said.shape[2]), value=-1).unsqueeze(0)
    return np.asarray(decode(given)[0, :, :, said.shape[2]].numpy())
