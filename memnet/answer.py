"""A trained network answering free text: the one path under ``ask``."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch

from memnet.batch import UNKNOWN, Batch, Examples, Vocabulary, cut, examples
from memnet.checkpoint import load_network
from memnet.decode import counted, prediction
from memnet.evaluate import answers, drawing
from memnet.hub import find_network
from memnet.models import Network
from memnet.models.network import Remembering, mean_answer
from memnet.tasks.text import Question, Story, is_number, words


class AskError(ValueError):
    """A question cannot be answered; the message says why, to the person who asked."""


@dataclass(frozen=True)
class Read:
    """A sentence that a hop read: its number in the story (from 1), its text and its weight."""

    number: int
    sentence: str
    weight: float


@dataclass(frozen=True)
class Answer:
    """An answer with its probability, the runners-up, and the evidence of each hop.

    ``absent`` is the probability that the story holds no evidence, of a network that has learned when there is none
    (``memnet train --set absent=``), else about 0.
    """

    answer: str
    probability: float
    runners_up: list[tuple[str, float]]
    hops: list[list[Read]]  # every sentence in memory, the most read first
    nothing: list[float]  # the weight of reading nothing, a hop
    unknown: dict[str, list[str]]  # unknown words and the nearest known ones
    forgotten: int  # statements older than the memory reaches
    steps: float | None = None  # of adaptive halting, the mean over the story's sentences and the question
    absent: float = 0.0

    @property
    def known(self) -> bool:
        """Whether the network found evidence: the answer is likelier than that there is none."""
        return self.absent <= self.probability * (1 - self.absent)

    @property
    def evidence(self) -> list[Read]:
        """The statements that it relied on: what each hop read most, where it did not rather read nothing; in story order."""
        most = [hop[0] for hop, nothing in zip(self.hops, self.nothing, strict=True) if hop and hop[0].weight >= nothing]
        return sorted({read.number: read for read in most}.values(), key=lambda read: read.number)

    def as_json(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self) | {"known": self.known, "evidence": [asdict(read) for read in self.evidence]}


@dataclass(frozen=True)
class Remembered:
    """A story that a network has taken in."""

    told: list[str]
    forgotten: int
    unknown: dict[str, list[str]]
    batch: Batch | None = None
    encoded: Sequence[torch.Tensor] = ()


class Answerer:
    """A network with its vocabulary."""

    def __init__(self, net: Network, vocabulary: Vocabulary) -> None:
        self.net, self.vocabulary = net, vocabulary

    @classmethod
    def load(cls, folder: Path | str) -> Answerer:
        """From a run's folder. Raises :class:`~memnet.checkpoint.NetworkError`."""
        net, vocabulary, _ = load_network(Path(folder))
        return cls(net, vocabulary)

    @classmethod
    def named(cls, name: Path | str | None = None) -> Answerer:
        """See :func:`memnet.load`."""
        return cls.load(find_network(name))

    def unknown(self, text: str) -> dict[str, list[str]]:
        """The words of a text that the network does not know, and the nearest that it does."""
        known = [entry for entry in self.vocabulary.entries if entry != UNKNOWN]
        strange = [word for word in words(text) if word not in self.vocabulary.number]
        return {word: difflib.get_close_matches(word, known, 3) for word in strange}

    @torch.no_grad()
    def remember(self, story: Sequence[str]) -> Remembered:
        """Take in a story of statements, oldest first, to be asked about. Raises :class:`AskError`.

        A MemN2N encodes it once and for all; the other networks read a story anew with every question.
        """
        told = [sentence for sentence in story if words(sentence)]
        if not told:
            raise AskError("The story is empty: tell me something first, for example 'Mary went to the kitchen.'")
        forgotten = max(0, len(told) - self.net.config.capacity)
        unknown: dict[str, list[str]] = {}
        for text in told[forgotten:]:
            unknown |= self.unknown(text)
        if not isinstance(self.net, Remembering):
            return Remembered(told, forgotten, unknown)
        data, batch = self.numbers(told, "")
        return Remembered(told, forgotten, unknown, batch, self.net.remember(batch, self.net.codes(data)))

    def numbers(self, told: Sequence[str], question: str) -> tuple[Examples, Batch]:
        """A story and its question as numbers."""
        one = Story(tuple(told), (Question(question, UNKNOWN, (), len(told)),))
        data = examples([[one]], self.vocabulary, self.net.config.capacity)
        return data, next(cut(data, torch.zeros(1, 1, 1, dtype=torch.long), self.net.sizes.ages))

    @torch.no_grad()
    def ask(self, story: Sequence[str] | Remembered, question: str, runners_up: int = 3, reads: int | None = None) -> Answer:
        """Answer a question about a story of statements, oldest first, or one that is remembered. Raises :class:`AskError`.

        The evidence is the ``reads`` sentences that each hop read most, all of them without.
        """
        memory = story if isinstance(story, Remembered) else self.remember(story)
        told, asked = memory.told, words(question)
        if not asked:
            raise AskError("That is no question: it has no words.")
        if not any(word in self.vocabulary.number for word in asked):
            raise AskError(f"I know none of the words of that question ({', '.join(asked)}).")
        if isinstance(self.net, Remembering) and memory.batch is not None:
            data, _ = self.numbers((), question)
            codes = self.net.codes(data)
            output = self.net.recall(memory.encoded, memory.batch, codes, *drawing(self.net))
            logits = mean_answer(output.logits)
        else:
            data, batch = self.numbers(told, question)
            codes = self.net.codes(data)
            logits, output = answers(self.net, batch, codes)
        if not bool(logits.isfinite().all()):
            raise AskError("This network's numbers overflow; it cannot answer.")
        first = logits[0, 0, 0]  # (V,)  of the answer, or of its first word
        absent = 0.0 if self.vocabulary.stop is not None else float(first.softmax(0)[0])
        first[: 1 if self.vocabulary.stop is None else 2] = float("-inf")  # the unknown word and a stop answer nothing
        chance, entry = first.softmax(0).topk(min(1 + runners_up, len(first)))
        if logits.shape[2] == 1:
            ranked = [(self.vocabulary.entries[e], p) for e, p in zip(entry.tolist(), chance.tolist(), strict=True) if p > 0]
        elif output.beams is not None:
            found, log = (part[0, 0, : 1 + runners_up] for part in output.beams)
            likely = zip(found.tolist(), log.exp().tolist(), strict=True)
            ranked = [(self.vocabulary.answer_text(one), p) for one, p in likely if p > 0]
        else:
            ranked = self.spelled(self.numbers(told, question)[0], entry[chance > 0])
        forgotten = memory.forgotten
        hops = []
        for trace in output.traces:
            weights = trace.weights[0, 0].mean(0)[: len(told) - forgotten]
            most = weights.argsort(descending=True, stable=True) if reads is None else weights.topk(min(reads, len(weights)))[1]
            hops.append([Read(forgotten + i + 1, told[forgotten + i], float(weights[i])) for i in most.tolist()])
        nothing = [0.0 if trace.null is None else float(trace.null[0, 0].mean()) for trace in output.traces]
        steps = None if output.steps is None else float(output.steps[0, 0])
        unknown = memory.unknown | self.unknown(question)
        return Answer(ranked[0][0], ranked[0][1], ranked[1:], hops, nothing, unknown, forgotten, steps, absent)

    def spelled(self, data: Examples, first: torch.Tensor) -> list[tuple[str, float]]:
        """The whole answers that begin with the words ``first (K,)`` and their probabilities: the decoder's own, then by these.

        Each is told word by word; its probability is the product of its words' and of the stop's after them.
        """
        batch = next(cut(data, torch.zeros(1, 1, len(first), dtype=torch.long), self.net.sizes.ages))
        given = torch.full((1, len(first), self.net.sizes.answer), -1)
        given[0, :, 0] = first
        logits = mean_answer(self.net(batch, self.net.codes(data), given=given).logits)[0]  # (K, A, V)
        words = prediction(logits)
        words[:, 0] = first
        chances = logits.softmax(-1).gather(2, words.unsqueeze(2)).squeeze(2)
        whole = chances.where(counted(words), 1.0).prod(1)
        own, *others = [(self.vocabulary.answer_text(row), p) for row, p in zip(words.tolist(), whole.tolist(), strict=True)]
        return [own, *sorted(others, key=lambda answer: -answer[1])]


class Line(NamedTuple):
    """A line that was told: a sentence, and whether it is a question."""

    text: str
    question: bool


class Listener:
    """Takes a story line by line: plain sentences, or lines of the bAbI format (numbers, tabs and answers are dropped).

    ``fresh`` says that the last line was number 1 after others: a new story starts with it.
    """

    def __init__(self) -> None:
        self.number = 0  # of the last numbered line
        self.fresh = False

    def hear(self, line: str) -> list[Line]:
        """The sentences of a line; a line with a question mark is one question."""
        text, tab, _ = line.strip().partition("\t")
        digits, _, rest = text.partition(" ")
        self.fresh = digits == "1" and bool(rest) and self.number > 0
        if is_number(digits) and rest and int(digits) in (1, self.number + 1):
            self.number, text = int(digits), rest.strip()
        if tab or "?" in text:
            return [Line(text, True)] if words(text) else []
        parts = re.split(r"(?<=[.!])(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)(?<!\bMrs\.)\s+", text)
        return [Line(part, False) for part in parts if words(part)]


def render(answer: Answer, top: int = 3) -> str:
    """An answer in plain text, with the sentences that each hop read most."""
    others = ", ".join(f"{name} {chance:.0%}" for name, chance in answer.runners_up)
    told = f"{answer.answer}  ({answer.probability:.0%}{'; then ' + others if others else ''})"
    lines = [told if answer.known else f"I have no evidence for that  ({answer.absent:.0%}; if I had to answer: {told})"]
    for number, (hop, nothing) in enumerate(zip(answer.hops, answer.nothing, strict=True), 1):
        reads = [f"{read.weight:4.0%}  {read.number}. {read.sentence}" for read in hop[:top] if abs(read.weight) >= 0.005]
        if nothing >= 0.005:
            reads.append(f"{nothing:4.0%}  (nothing)")
        lines += [f"  hop {number} read {reads[0] if reads else 'nothing'}", *(f"             {read}" for read in reads[1:])]
    for word, near in answer.unknown.items():
        lines.append(f"  I do not know the word {word!r}" + (f"; near it are {', '.join(near)}" if near else ""))
    if answer.steps is not None:
        lines.append(f"  {answer.steps:.1f} steps")
    if answer.forgotten:
        lines.append(f"  {answer.forgotten} older sentence(s) are beyond my memory")
    return "\n".join(lines)
