"""An answer: how probable it is, the runners-up, and what each hop read; as JSON and as plain text."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from memnet.tasks.text import visible


@dataclass(frozen=True)
class Read:
    """A sentence that a hop read: its number in the story (from 1), its text and its attention weight."""

    number: int
    sentence: str
    weight: float


@dataclass(frozen=True)
class Answer:
    """An answer with its probability, the runners-up, and the evidence of each hop.

    The probabilities of the answer and the runners-up are those if the question is answerable. ``unanswerable`` is the
    probability that it is not, of a network trained on such questions (``memnet train --set unanswerable=``), else about 0.
    """

    answer: str
    probability: float
    runners_up: list[tuple[str, float]]
    hops: list[list[Read]]  # every sentence in memory, the most read first
    null_weights: list[float]  # the weight of reading nothing, a hop
    unknown_words: dict[str, list[str]]  # words that the network does not know, and the nearest that it does
    truncated: int  # statements older than the memory reaches
    steps: float | None = None  # of adaptive halting, the mean over the story's sentences and the question
    unanswerable: float = 0.0
    head_weights: list[list[list[float]]] = field(default_factory=list)  # of several heads: hop, head, statement in memory
    head_null_weights: list[list[float]] = field(default_factory=list)  # and the weight of reading nothing: hop, head
    out_of_story_words: list[str] = field(
        default_factory=list
    )  # of the question: neither known to the network nor in the story
    passes: int | None = None  # hops taken before the end, where that is learned; the hop that ends it is the last of ``hops``

    @property
    def answerable(self) -> bool:
        """Whether there is evidence: no word is out of the story, and the answer is likelier than that there is none."""
        return not self.out_of_story_words and self.unanswerable <= self.probability * (1 - self.unanswerable)

    @property
    def unanswerable_note(self) -> str:
        """The probability that there is no evidence, in brackets; "" where a word is out of the story."""
        return "" if self.out_of_story_words else f" ({self.unanswerable:.0%})"

    @property
    def null_label(self) -> str:
        """What :attr:`null_weights` are the weights of: reading nothing, or the end of the passes."""
        return "(nothing)" if self.passes is None else "(end)"

    @property
    def effort_notes(self) -> list[str]:
        """How many steps or passes it took, where the network decides that: one line or none."""
        steps = [] if self.steps is None else [f"{self.steps:.1f} steps"]
        return steps if self.passes is None else [f"{self.passes} pass{'' if self.passes == 1 else 'es'}"]

    @property
    def evidence(self) -> list[Read]:
        """The statements that the answer relies on, in story order; none where it is not :attr:`answerable`.

        They are what each hop read most, unless it read nothing with more weight.
        """
        if not self.answerable:
            return []
        most = [hop[0] for hop, null in zip(self.hops, self.null_weights, strict=True) if hop and hop[0].weight >= null]
        return sorted({read.number: read for read in most}.values(), key=lambda read: read.number)

    def as_json(self) -> dict[str, Any]:
        """As JSON values: the fields, ``answerable`` and ``evidence``."""
        return asdict(self) | {"answerable": self.answerable, "evidence": [asdict(read) for read in self.evidence]}


def render(answer: Answer, top: int = 3) -> str:
    """An answer in plain text, with the ``top`` sentences that each hop read most; no control characters."""
    others = ", ".join(f"{name} {chance:.0%}" for name, chance in answer.runners_up)
    best = f"{answer.answer}  ({answer.probability:.0%}{'; then ' + others if others else ''})"
    if not answer.answerable:
        best = f"I have no evidence for that{answer.unanswerable_note}; if I had to answer: {best}"
    lines = [best]
    for number, (hop, null) in enumerate(zip(answer.hops, answer.null_weights, strict=True), 1):
        reads = [f"{read.weight:4.0%}  {read.number}. {read.sentence}" for read in hop[:top] if abs(read.weight) >= 0.005]
        if null >= 0.005:
            reads.append(f"{null:4.0%}  {answer.null_label}")
        lines += [f"  hop {number} read {reads[0] if reads else 'nothing'}", *(f"             {read}" for read in reads[1:])]
    for word, near in answer.unknown_words.items():
        lines.append(f"  I do not know the word {word!r}" + (f"; near it are {', '.join(near)}" if near else ""))
    lines += [f"  {note}" for note in answer.effort_notes]
    if answer.truncated:
        lines.append(f"  {answer.truncated} older sentence(s) are beyond my memory")
    return "\n".join(map(visible, lines))
