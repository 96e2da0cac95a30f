"""An answer: how probable it is, the runners-up, and what each hop read; as JSON, as one line and for notebooks."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from textwrap import shorten
from typing import Any

SHOWN = 60  # characters of a sentence in the short form of an answer


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

    def __repr__(self) -> str:
        """The answer, its probability and its evidence, in a line; every number is in the fields and in :meth:`as_json`."""
        best = f"{self.answer!r} ({self.probability:.0%})"
        if not self.answerable:
            return f"<Answer: no evidence; best guess {best}>"
        read = ", ".join(f"{one.number} {shorten(one.sentence, SHOWN, placeholder='…')!r}" for one in self.evidence)
        return f"<Answer {best}, evidence: {read or 'none'}>"

    def _repr_html_(self) -> str:
        """For notebooks: the answer, and what each hop read as a table."""
        from memnet.ask.notebook import answer_html

        return answer_html(self)

    def as_json(self) -> dict[str, Any]:
        """As JSON values: the fields, ``answerable`` and ``evidence``."""
        return asdict(self) | {"answerable": self.answerable, "evidence": [asdict(read) for read in self.evidence]}
