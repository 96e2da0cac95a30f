"""Which statement read which, layer by layer, before a network answered: what stands behind a single hop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from memnet.ask.predictor import Predictor
from memnet.ask.torch_engine import TorchEngine
from memnet.errors import AskError
from memnet.models import model_of
from memnet.tasks.text import visible

SHARE = 0.1  # of what a layer read: less is not listed
MOST = 3  # statements that are listed of what one reader read in a layer


@dataclass(frozen=True)
class Layers:
    """A story of statements, a question about it, and what each layer read, as shares of 0 to 1 over all heads."""

    statements: Sequence[str]  # those in memory, oldest first
    question: str
    reads: list[list[list[float]]]  # layer, reader, statement read; the last reader is the question
    first: int = 1  # the number of the first statement in memory

    def of_reader(self, reader: int) -> Iterator[tuple[int, list[tuple[int, float]]]]:
        """The layers, from 1, in which a reader read others with :data:`SHARE` or more, and the numbers of these with shares.

        Readers are numbered from 0; the last is the question. What a statement read of itself is left out.
        """
        for number, layer in enumerate(self.reads, 1):
            shares = [(self.first + place, share) for place, share in enumerate(layer[reader]) if place != reader]
            listed = sorted((one for one in shares if one[1] >= SHARE), key=lambda one: (-one[1], one[0]))
            if listed:
                yield number, listed[:MOST]

    def __str__(self) -> str:
        """For a terminal: each statement with the layers in which it read others, last the question."""
        lines = []
        for reader, text in enumerate([*self.statements, self.question]):
            lines.append(f"{self.first + reader if reader < len(self.statements) else '?'} {visible(text)}")
            lines += [
                f"    layer {number} read {', '.join(f'{read} ({share:.0%})' for read, share in listed)}"
                for number, listed in self.of_reader(reader)
            ]
        return "\n".join(lines)


@torch.no_grad()
def read_layers(network: Predictor, story: str | Sequence[str], question: str) -> Layers:
    """What statements, and the question, read of each other in every layer. Raises :class:`~memnet.errors.AskError`.

    That is where a network's statements do not read each other, or another reader reads the story.
    """
    encoded, asked = network.read_pair(story, question)
    if network.english is not None and not network.english.is_task(encoded.statements, asked):
        raise AskError("The reader of ordinary English reads this story, and its layers are not shown; use simpler sentences.")
    net = network.net
    data, batch = TorchEngine(net, network.vocabulary).as_batch([network.as_asked(encoded, asked)])
    encoded_data = net.encode_data(data)
    layers = net.statement_reads(batch, encoded_data)
    if not layers:
        kind = model_of(net.config)
        raise AskError(f"In a network of the kind {kind} statements do not read each other; each hop reads them as they are.")
    asking = net(batch, encoded_data).traces
    count = len(encoded.in_memory)
    reads = [
        [*layer[0, 0, :count, :count].tolist(), trace.weights[0, 0].mean(0)[:count].tolist()]
        for layer, trace in zip(layers, asking, strict=False)  # the last trace is the answer's own
    ]
    return Layers(encoded.in_memory, question, reads, encoded.truncated + 1)
