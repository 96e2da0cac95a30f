"""A trained network answering free text: the one path under ``ask``."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch

from memnet.batch import UNKNOWN, Vocabulary, cut, examples
from memnet.checkpoint import load_network
from memnet.decode import counted, prediction
from memnet.evaluate import answers
from memnet.models import Network
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
    """An answer with its probability, the runners-up, and the evidence of each hop."""

    answer: str
    probability: float
    runners_up: list[tuple[str, float]]
    hops: list[list[Read]]  # every sentence in memory, the most read first
    nothing: list[float]  # the weight of reading nothing, a hop
    unknown: dict[str, list[str]]  # unknown words and the nearest known ones
    forgotten: int  # statements older than the memory reaches

    def as_json(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)


class Answerer:
    """A network with its vocabulary."""

    def __init__(self, net: Network, vocabulary: Vocabulary) -> None:
        self.net, self.vocabulary = net, vocabulary

    @classmethod
    def load(cls, folder: Path | str) -> Answerer:
        """From a run's folder. Raises :class:`~memnet.checkpoint.NetworkError`."""
        net, vocabulary, _ = load_network(Path(folder))
        return cls(net, vocabulary)

    def unknown(self, text: str) -> dict[str, list[str]]:
        """The words of a text that the network does not know, and the nearest that it does."""
        known = [entry for entry in self.vocabulary.entries if entry != UNKNOWN]
        strange = [word for word in words(text) if word not in self.vocabulary.number]
        return {word: difflib.get_close_matches(word, known, 3) for word in strange}

    def ranked(self, logits: torch.Tensor, runners_up: int) -> list[tuple[str, float]]:
        """The answer told by scores (A, V) and its probability, then the next likeliest first words with theirs."""
        chances = logits.softmax(-1)
        told = prediction(logits)
        whole = float(chances.gather(1, told.unsqueeze(1)).squeeze(1)[counted(told)].prod())
        entries = self.vocabulary.entries
        known = len(entries) - 1 - (self.vocabulary.stop is not None)
        chance, entry = chances[0].topk(min(1 + runners_up, known))
        others = [(entries[e], p) for e, p in zip(entry.tolist(), chance.tolist(), strict=True) if e != int(told[0])]
        return [(self.vocabulary.answer_text(told.tolist()), whole), *others[:runners_up]]

    @torch.no_grad()
    def ask(self, story: Sequence[str], question: str, runners_up: int = 3) -> Answer:
        """Answer a question about a story of statements, oldest first. Raises :class:`AskError`."""
        told = [sentence for sentence in story if words(sentence)]
        asked = words(question)
        if not told:
            raise AskError("The story is empty: tell me something first, for example 'Mary went to the kitchen.'")
        if not asked:
            raise AskError("That is no question: it has no words.")
        if not any(word in self.vocabulary.number for word in asked):
            raise AskError(f"I know none of the words of that question ({', '.join(asked)}).")
        one = Story(tuple(told), (Question(question, UNKNOWN, (), len(told)),))
        capacity = self.net.config.capacity
        data = examples([[one]], self.vocabulary, capacity)
        batch = next(cut(data, torch.zeros(1, 1, 1, dtype=torch.long), self.net.sizes.ages))
        logits, traces = answers(self.net, batch, self.net.codes(data))
        logits = logits[0, 0]  # (A, V)
        logits[:, 0] = float("-inf")  # the unknown word answers nothing
        if self.vocabulary.stop is not None:
            logits[0, self.vocabulary.stop] = float("-inf")  # and an answer has a word
        if not bool(logits.isfinite().sum() >= logits.numel() - len(logits) - 1):
            raise AskError("This network's numbers overflow; it cannot answer.")
        ranked = self.ranked(logits, runners_up)
        forgotten = max(0, len(told) - capacity)
        hops = []
        for trace in traces:
            weights = trace.weights[0, 0].mean(0)
            order = weights.argsort(descending=True, stable=True).tolist()
            hops.append([Read(forgotten + i + 1, told[forgotten + i], float(weights[i])) for i in order])
        nothing = [0.0 if trace.null is None else float(trace.null[0, 0].mean()) for trace in traces]
        unknown: dict[str, list[str]] = {}
        for text in (*told[forgotten:], question):
            unknown |= self.unknown(text)
        return Answer(ranked[0][0], ranked[0][1], ranked[1:], hops, nothing, unknown, forgotten)


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
    lines = [f"{answer.answer}  ({answer.probability:.0%}{'; then ' + others if others else ''})"]
    for number, (hop, nothing) in enumerate(zip(answer.hops, answer.nothing, strict=True), 1):
        reads = [f"{read.weight:4.0%}  {read.number}. {read.sentence}" for read in hop[:top] if abs(read.weight) >= 0.005]
        if nothing >= 0.005:
            reads.append(f"{nothing:4.0%}  (nothing)")
        lines += [f"  hop {number} read {reads[0] if reads else 'nothing'}", *(f"             {read}" for read in reads[1:])]
    for word, near in answer.unknown.items():
        lines.append(f"  I do not know the word {word!r}" + (f"; near it are {', '.join(near)}" if near else ""))
    if answer.forgotten:
        lines.append(f"  {answer.forgotten} older sentence(s) are beyond my memory")
    return "\n".join(lines)
