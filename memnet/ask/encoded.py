"""A story that a network has taken in, and what its hops read of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from memnet.ask.answer import Read
from memnet.ask.engine import Engine
from memnet.encode.normalizer import Bound, Normalizer
from memnet.encode.vocabulary import STOP_NUMBER
from memnet.errors import AskError
from memnet.infer.answers import likeliest_words
from memnet.infer.attention import likeliest
from memnet.infer.network import Hop, Output
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
    memory: Any = None  # what the network makes of it, see Engine.read
    kept_by: str = ""  # the engine that made it
    network: str = ""  # which network took it in, see Engine.identity

    def __getstate__(self) -> dict[str, Any]:
        """Without what a network makes of it, which may hold functions: it is made again of what is read."""
        return {**vars(self), "memory": None}

    def __repr__(self) -> str:
        known = ", encoded" if self.memory is not None else ""
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


def encoded_by(network: str, story: object) -> EncodedStory | None:
    """A story, where it is encoded. Raises :class:`~memnet.errors.AskError` where another network took it in."""
    if not isinstance(story, EncodedStory):
        return None
    if story.network != network:
        raise AskError("Another network took that story in: pass its statements, or encode them with this one.")
    return story


def with_markers(statements: Sequence[str], binding: Binding | None, question: str = "") -> list[str]:
    """Statements with markers for their names, where names have such.

    They are numbered in the order of telling, so that a story that goes on reads as before. Of more names than markers those
    of the question have one, then those of the statements that these are in, then those of the latest statements.
    """
    if binding is None:
        return list(statements)
    names = {text: binding.reader.names(text) for text in statements}
    if not question and len(set().union(*names.values())) <= len(binding.free):
        read = {text: binding.replaced(text) for text in names}
        return [read[text] for text in statements]
    binding.replaced(question)
    asked = set(binding.marker)
    order = sorted(range(len(statements)), key=lambda place: (asked.isdisjoint(names[statements[place]]), -place))
    replaced = {place: binding.replaced(statements[place]) for place in order}
    return [replaced[place] for place in range(len(statements))]


def hop_reads(hop: Hop, row: int, story: EncodedStory, reads: int | None) -> list[Read]:
    """What a hop read of the story in a row of a batch, the most read first, ``reads`` sentences at most."""
    older, in_memory = story.truncated, len(story.statements) - story.truncated
    weights = hop.weights[row, :in_memory]
    most = likeliest(weights, in_memory if reads is None else min(reads, in_memory))
    shown = zip(most.tolist(), weights[most].tolist(), strict=True)
    return [Read(older + place + 1, story.statements[older + place], weight) for place, weight in shown]


def evidence_hops(engine: Engine, output: Output, row: int) -> list[Hop]:
    """The hops that the answer came from: none after its last word, and none after the hop that ended the passes."""
    if engine.reads_by_word:
        return output.hops[: int(spoken_words(output, row))]
    return output.hops if output.passes is None else output.hops[: int(output.passes[row]) + 1]


def spoken_words(output: Output, row: int) -> int:
    """How many words the answer in a row of a batch has."""
    said = likeliest_words(output.logits)[row] if output.beams is None else output.beams[0][row, 0]
    return int(1 + np.cumprod(said[1:] != STOP_NUMBER).sum())
