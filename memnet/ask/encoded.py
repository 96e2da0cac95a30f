"""A story that a network has taken in, and what its hops read of it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from memnet.ask.answer import Read
from memnet.attention import Trace
from memnet.encode.batch import Batch
from memnet.encode.normalizer import Bound, Normalizer
from memnet.encode.vocabulary import Vocabulary
from memnet.errors import AskError
from memnet.models import Network
from memnet.models.decoders import prediction, spoken_words
from memnet.models.network import Output
from memnet.tasks.text import one_line
from memnet.tasks.text.entities import Binding


@dataclass(frozen=True)
class EncodedStory:
    """A story that a network has taken in: its statements and, where a network makes it before a question, their memory."""

    statements: list[str]
    truncated: int  # the oldest statements, which the memory does not reach
    unknown_words: dict[str, list[str]]
    as_read: list[str]  # the statements as the network reads them: names may be markers
    typing_errors: dict[str, list[str]]
    binding: Binding | Bound | None = None  # which marker is whose, where names are, or which word is named how
    batch: Batch | None = None  # a batch of this story alone
    memory: Any = None  # what the network makes of it, see Network.encode_story
    network: str = ""  # which network took it in, see network_identity

    def __getstate__(self) -> dict[str, Any]:
        """Without what a network makes of it, which may hold functions: it is made again of what is read."""
        return {**vars(self), "batch": None, "memory": None}

    def __repr__(self) -> str:
        known = ", encoded" if self.batch is not None else ""
        return f"<EncodedStory of {len(self.statements):,} statements{known}; {one_line(self.statements[0], 40)!r} ...>"

    @property
    def in_memory(self) -> list[str]:
        """The statements that the memory reaches."""
        return self.statements[self.truncated :]

    @property
    def normalizer(self) -> Normalizer | None:
        """How its question and it are read, where that is another way for each question."""
        return self.binding.normalizer if isinstance(self.binding, Bound) else None

    @property
    def markers(self) -> Binding | None:
        """Which marker is whose, where names are markers."""
        return self.binding if isinstance(self.binding, Binding) else None

    def named(self, answer: str) -> str:
        """An answer with its names as the story writes them."""
        return answer if self.binding is None else self.binding.names(answer)

    def repeats(self, answer: str) -> bool:
        """Whether an answer has a marker twice."""
        markers = [part for part in answer.split(",") if self.binding is not None and part in self.binding.written]
        return len(set(markers)) < len(markers)

    def merged(self, ranked: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
        """Answers with their names and probabilities: a name that is also an answer of its own counts once.

        Lists that have a name twice are left out, unless there is nothing else.
        """
        chances: dict[str, float] = {}
        for answer, chance in [one for one in ranked if not self.repeats(one[0])] or ranked:
            name = self.named(answer)
            chances[name] = chances.get(name, 0.0) + chance
        return list(chances.items())


def network_identity(net: Network, vocabulary: Vocabulary) -> str:
    """The same for the same settings, words and weights, also in another process."""
    found = hashlib.sha256(repr((net.config, vocabulary.entries)).encode())
    for tensor in net.state_dict().values():
        found.update(tensor.detach().cpu().contiguous().view(-1).view(torch.uint8).numpy())
    return found.hexdigest()


def encoded_by(network: str, story: object) -> EncodedStory | None:
    """A story, where it is encoded. Raises :class:`~memnet.errors.AskError` where another network took it in."""
    if not isinstance(story, EncodedStory):
        return None
    if story.network != network:
        raise AskError("Another network took that story in: pass its statements, or encode them with this one.")
    return story


def with_markers(statements: Sequence[str], binding: Binding | None, question: str = "") -> list[str]:
    """Statements with markers for their names, where names have such.

    Of more names than markers those of the question have one, then those of the statements that these are in, then those
    of the latest statements.
    """
    if binding is None:
        return list(statements)
    binding.replaced(question)
    names = [{unit.text for unit in binding.reader.units(text) if unit.is_entity} for text in statements]
    asked = set(binding.marker)
    order = sorted(range(len(statements)), key=lambda place: (names[place].isdisjoint(asked), -place))
    replaced = {place: binding.replaced(statements[place]) for place in order}
    return [replaced[place] for place in range(len(statements))]


def hop_reads(trace: Trace, row: int, story: EncodedStory, reads: int | None) -> list[Read]:
    """What a hop read of the story in a row of a batch, the most read first, ``reads`` sentences at most."""
    older, in_memory = story.truncated, len(story.statements) - story.truncated
    weights = trace.weights[0, row].mean(0)[:in_memory]  # the mean over samples
    most = weights.argsort(descending=True, stable=True) if reads is None else weights.topk(min(reads, in_memory))[1]
    shown = zip(most.tolist(), weights[most].tolist(), strict=True)
    return [Read(older + place + 1, story.statements[older + place], weight) for place, weight in shown]


def evidence_traces(net: Network, logits: torch.Tensor, output: Output, row: int) -> list[Trace]:
    """The hops that the answer came from: none after its last word, and none after the hop that ended the passes."""
    traces = output.traces
    if net.reads_by_word:
        entries = prediction(logits) if output.beams is None else output.beams[0][:, :, 0]
        traces = traces[: int(spoken_words(entries[0, row]).sum())]
    return traces[net.answer_traces] if output.passes is None else traces[: int(output.passes[0, row]) + 1]
