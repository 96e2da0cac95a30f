"""A trained network answering free text: the one path under ``ask``."""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import torch
from huggingface_hub import ModelHubMixin

from memnet.batch import STOP, UNKNOWN, Batch, Examples, Vocabulary, cut, examples
from memnet.checkpoint import FACTS, NetworkError, load_network, read_card, save_network
from memnet.config import model_of
from memnet.decode import counted, prediction, spoken
from memnet.evaluate import answers, drawing
from memnet.hub import fetched, find_network
from memnet.models import Network
from memnet.models.network import Output, Remembering, mean_answer
from memnet.tasks.evidence import content
from memnet.tasks.text import Question, Story, is_number, visible, words

SUGGESTED, NEAREST = 20, 3  # unknown words of a text that get suggestions, and how many each


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

    The probabilities of the answer and the runners-up are those if there is evidence. ``absent`` is the probability that
    the story holds none, of a network that has learned when there is none (``memnet train --set absent=``), else about 0.
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
    heads: list[list[list[float]]] = field(default_factory=list)  # of several heads: hop, head, statement in memory
    aside: list[list[float]] = field(default_factory=list)  # and the weight of reading nothing: hop, head
    unheard: list[str] = field(default_factory=list)  # words of the question that the network does not know nor the story has
    passes: int | None = None  # hops taken before the end, where that is learned; the hop that ends it is the last of ``hops``

    @property
    def known(self) -> bool:
        """Whether there is evidence: no word of the question is unheard, and the answer is likelier than that there is none."""
        return not self.unheard and self.absent <= self.probability * (1 - self.absent)

    @property
    def doubt(self) -> str:
        """How sure the network is that there is no evidence, in brackets; nothing where a word is unheard of."""
        return "" if self.unheard else f" ({self.absent:.0%})"

    @property
    def null(self) -> str:
        """What :attr:`nothing` is the weight of: reading nothing, or the end of the passes."""
        return "(nothing)" if self.passes is None else "(end)"

    @property
    def spent(self) -> list[str]:
        """How many steps or passes it took, where it may choose: one line or none."""
        steps = [] if self.steps is None else [f"{self.steps:.1f} steps"]
        return steps if self.passes is None else [f"{self.passes} pass{'' if self.passes == 1 else 'es'}"]

    @property
    def evidence(self) -> list[Read]:
        """The statements that it relied on, in story order; none where it is not :attr:`known`.

        They are what each hop read most, where it did not rather read nothing.
        """
        if not self.known:
            return []
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


class Answerer(ModelHubMixin):
    """A network with its vocabulary, and where it comes from: the facts of its configuration and its card.

    ``save_pretrained(folder)``, ``from_pretrained(folder or hub id)`` and ``push_to_hub(id)`` as for every model of the hub.
    """

    def __init__(
        self, net: Network, vocabulary: Vocabulary, facts: Mapping[str, Any] | None = None, card: str | None = None
    ) -> None:
        self.net, self.vocabulary, self.facts, self.card = net, vocabulary, dict(facts or {}), card
        self.known = [entry for entry in vocabulary.entries if entry not in (UNKNOWN, STOP)]
        self.near: dict[str, list[str]] = {}  # suggestions that were looked for

    @classmethod
    def load(cls, folder: Path | str) -> Answerer:
        """From a run's folder. Raises :class:`~memnet.checkpoint.NetworkError`."""
        net, vocabulary, saved = load_network(Path(folder))
        return cls(net, vocabulary, {name: saved[name] for name in FACTS if name in saved}, read_card(Path(folder)))

    @classmethod
    def from_pretrained(  # type: ignore[override]
        cls, pretrained_model_name_or_path: Path | str, *, revision: str | None = None
    ) -> Answerer:
        """From a folder, or from the hub by its id. Raises :class:`~memnet.checkpoint.NetworkError`."""
        name = pretrained_model_name_or_path
        return cls.load(name if Path(name).exists() else fetched(str(name), revision))

    def _save_pretrained(self, save_directory: Path) -> None:
        if self.card is None or not self.facts:
            raise NetworkError("this network was not loaded from a folder: it has no card to be saved with")
        save_network(save_directory, model_of(self.net.config), self.net, self.vocabulary, self.card, self.facts)

    @classmethod
    def named(cls, name: Path | str | None = None) -> Answerer:
        """See :func:`memnet.load`."""
        return cls.load(find_network(name))

    def unknown(self, *texts: str) -> dict[str, list[str]]:
        """The words of texts that the network does not know, and, of the first twenty, the nearest that it does."""
        strange = dict.fromkeys(word for text in texts for word in words(text) if word not in self.vocabulary.number)
        if len(self.near) > 10_000:
            self.near.clear()
        for word in itertools.islice(strange, SUGGESTED):
            if word not in self.near:
                self.near[word] = difflib.get_close_matches(word, self.known, NEAREST)
        return {word: self.near.get(word, []) for word in strange}

    @torch.no_grad()
    def remember(self, story: Sequence[str]) -> Remembered:
        """Take in a story of statements, oldest first, to be asked about. Raises :class:`AskError`.

        A MemN2N encodes it once and for all; the other networks read a story anew with every question.
        """
        memory = self.taken(story)
        if not isinstance(self.net, Remembering):
            return memory
        data, batch = self.numbers([(memory.told, "")])
        return replace(memory, batch=batch, encoded=self.net.remember(batch, self.net.codes(data)))

    def taken(self, story: Sequence[str]) -> Remembered:
        """The statements of a story, not yet encoded; of a text, its sentences. Raises :class:`AskError` without any."""
        if isinstance(story, str):
            listener = Listener()
            story = [line.text for part in story.splitlines() for line in listener.hear(part) if not line.question]
        told = [sentence for sentence in story if words(sentence)]
        if not told:
            raise AskError("The story is empty: tell me something first, for example 'Mary went to the kitchen.'")
        forgotten = max(0, len(told) - self.net.config.capacity)
        unknown = self.unknown(*told[forgotten:])
        return Remembered(told, forgotten, unknown)

    def numbers(self, asked: Sequence[tuple[Sequence[str], str]]) -> tuple[Examples, Batch]:
        """Stories, each with its question, as numbers."""
        stories = [Story(tuple(told), (Question(question, UNKNOWN, (), len(told)),)) for told, question in asked]
        data = examples([stories], self.vocabulary, self.net.config.capacity)
        return data, next(cut(data, torch.arange(len(stories)).view(1, 1, -1), self.net.sizes.ages))

    def check(self, question: str) -> None:
        """Raise :class:`AskError` where a question cannot be understood at all."""
        if not isinstance(question, str):
            raise AskError(f"A question is a text, not {question!r}.")
        asked = words(question)
        if not asked:
            raise AskError("That is no question: it has no words.")
        if not any(word in self.vocabulary.number for word in asked):
            raise AskError(f"I know none of the words of that question ({', '.join(asked)}).")

    @torch.no_grad()
    def ask(self, story: Sequence[str] | Remembered, question: str, runners_up: int = 3, reads: int | None = None) -> Answer:
        """Answer a question about a story of statements, oldest first, or one that is remembered. Raises :class:`AskError`.

        The evidence is the ``reads`` sentences that each hop read most, all of them without.
        """
        memory = story if isinstance(story, Remembered) else self.remember(story)
        self.check(question)
        if isinstance(self.net, Remembering) and memory.batch is not None:
            codes = self.net.codes(self.numbers([((), question)])[0])
            output = self.net.recall(memory.encoded, memory.batch, codes, *drawing(self.net))
            logits = mean_answer(output.logits)
        else:
            data, batch = self.numbers([(memory.told, question)])
            logits, output = answers(self.net, batch, self.net.codes(data))
        return self.answer(memory, question, logits, output, 0, runners_up, reads)

    @torch.no_grad()
    def ask_many(
        self,
        asked: Sequence[tuple[Sequence[str] | Remembered, str]],
        runners_up: int = 0,
        reads: int | None = 1,
        batch: int = 128,
    ) -> list[Answer]:
        """Answer many questions, (story, question) each, ``batch`` of them at once; otherwise as :meth:`ask`.

        Raises :class:`AskError`, which names the question by its number from 1.
        """
        found: list[Answer] = []
        if batch < 1:
            raise AskError(f"A batch holds 1 question or more, not {batch}.")
        for start in range(0, len(asked), batch):
            part, memories = asked[start : start + batch], []
            for number, (story, question) in enumerate(part, start + 1):
                try:
                    memories.append(story if isinstance(story, Remembered) else self.taken(story))
                    self.check(question)
                except AskError as error:
                    raise AskError(f"question {number}: {error}") from error
            data, numbers = self.numbers(
                [(memory.told, question) for memory, (_, question) in zip(memories, part, strict=True)]
            )
            logits, output = answers(self.net, numbers, self.net.codes(data))
            found += [
                self.answer(memory, question, logits, output, place, runners_up, reads)
                for place, (memory, (_, question)) in enumerate(zip(memories, part, strict=True))
            ]
        return found

    def answer(
        self,
        memory: Remembered,
        question: str,
        logits: torch.Tensor,
        output: Output,
        place: int,
        runners_up: int,
        reads: int | None,
    ) -> Answer:
        """What a network made of the question at a place in a batch: ``logits (1, B, A, V)`` and the rest of its output."""
        if not bool(logits[0, place].isfinite().all()):
            raise AskError("This network's numbers overflow; it cannot answer.")
        if runners_up < 0 or (reads is not None and reads < 0):
            raise AskError("Runners-up and reads are 0 or more.")
        told, forgotten = memory.told, memory.forgotten
        first = logits[0, place, 0].clone()  # (V,)  of the answer, or of its first word
        absent = 0.0 if self.vocabulary.stop is not None else float(first.softmax(0)[0])
        first[: 1 if self.vocabulary.stop is None else 2] = float("-inf")  # the unknown word and a stop answer nothing
        chance, entry = first.softmax(0).topk(min(1 + runners_up, len(first)))
        if logits.shape[2] == 1:
            ranked = [(self.vocabulary.entries[e], p) for e, p in zip(entry.tolist(), chance.tolist(), strict=True) if p > 0]
        elif output.beams is not None:
            found, log = (part[0, place, : 1 + runners_up] for part in output.beams)
            likely = zip(found.tolist(), log.exp().tolist(), strict=True)
            ranked = [(self.vocabulary.answer_text(one), p) for one, p in likely if p > 0]
        else:
            ranked = self.spelled(self.numbers([(told, question)])[0], entry[chance > 0])
        hops, here, traces = [], len(told) - forgotten, output.traces
        if self.net.reads_by_word:  # what was read after the last word is no evidence
            entries = prediction(logits) if output.beams is None else output.beams[0][:, :, 0]
            traces = traces[: int(spoken(entries[0, place]).sum())]
        passes = None if output.passes is None else int(output.passes[0, place])
        if passes is not None:
            traces = traces[: passes + 1]
        for trace in traces:
            weights = trace.weights[0, place].mean(0)[:here]
            most = weights.argsort(descending=True, stable=True) if reads is None else weights.topk(min(reads, here))[1]
            shown = zip(most.tolist(), weights[most].tolist(), strict=True)
            hops.append([Read(forgotten + i + 1, told[forgotten + i], weight) for i, weight in shown])
        nothing = [0.0 if trace.null is None else float(trace.null[0, place].mean()) for trace in traces]
        heads = [part[0, place, :, :here].tolist() for part in output.heads]
        aside = [part[0, place, :, -1].tolist() for part in output.heads]
        steps = None if output.steps is None else float(output.steps[0, place])
        strange = self.unknown(question)
        unheard = content(" ".join(strange)).difference(*map(words, told)) if strange else set()
        unknown = memory.unknown | strange
        best, *others = ranked
        return Answer(*best, others, hops, nothing, unknown, forgotten, steps, absent, heads, aside, sorted(unheard), passes)

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
        if tab:
            return [Line(text, True)] if words(text) else []
        parts = re.split(r"(?<=[.!?])(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)(?<!\bMrs\.)\s+", text)
        return [Line(part, "?" in part) for part in parts if words(part)]


def render(answer: Answer, top: int = 3) -> str:
    """An answer in plain text, with the sentences that each hop read most."""
    others = ", ".join(f"{name} {chance:.0%}" for name, chance in answer.runners_up)
    told = f"{answer.answer}  ({answer.probability:.0%}{'; then ' + others if others else ''})"
    lines = [told if answer.known else f"I have no evidence for that{answer.doubt}; if I had to answer: {told}"]
    for number, (hop, nothing) in enumerate(zip(answer.hops, answer.nothing, strict=True), 1):
        reads = [f"{read.weight:4.0%}  {read.number}. {read.sentence}" for read in hop[:top] if abs(read.weight) >= 0.005]
        if nothing >= 0.005:
            reads.append(f"{nothing:4.0%}  {answer.null}")
        lines += [f"  hop {number} read {reads[0] if reads else 'nothing'}", *(f"             {read}" for read in reads[1:])]
    for word, near in answer.unknown.items():
        lines.append(f"  I do not know the word {word!r}" + (f"; near it are {', '.join(near)}" if near else ""))
    lines += [f"  {spent}" for spent in answer.spent]
    if answer.forgotten:
        lines.append(f"  {answer.forgotten} older sentence(s) are beyond my memory")
    return "\n".join(map(visible, lines))
