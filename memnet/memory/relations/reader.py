"""Questions about relations, answered from single sentences: "What is the capital of the country where X was born?"

A key-value memory (Miller et al. 2016, arXiv 1606.03126). Its facts are the sentences about the name that is reached: the key
is a sentence's relation, the value its object. Hop h addresses them with what the question's words for this hop say,

    p_hi = align_i(t q_h . k_i; null n),   name_{h+1} = sum_i p_hi value_i,   q_{h+1} = R_{h+1}(q + o_h)

where Miller's q + o_h is here the pair of the question and the name read, and R picks the question's words for the next hop.
The alignment is a tournament from the oldest fact to the newest (Weston et al. 2014): of facts that answer about equally well
the newest is read. Where the null wins, nothing says so. The hops end where no word of the question speaks of a further one.

    reader = RelationReader.load()
    reader.fact("The landlord of flat 3 is Mr Osei.")         Relation(subject="flat 3", relation=..., object="Mr Osei", ...)
    reader.answer("Who is the landlord of flat 3?", find)     find(words) gives the sentences that hold all of these words
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import nlargest
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from memnet.infer.attention import Floats, sigmoid
from memnet.memory.relations.in_numpy import RelationNetwork
from memnet.memory.relations.reasons import nothing_says
from memnet.memory.relations.saved import FOLDER, load
from memnet.memory.relations.sizes import FACT, HOPS, KIND, OBJECT, SUBJECT
from memnet.memory.relations.words import (
    START_FACT,
    START_QUESTION,
    Part,
    Span,
    asked_words,
    glanced,
    mention,
    number,
    of_characters,
    places,
    same_name,
    side_by_side,
    split,
    text_of,
)

CHUNK = 64  # sentences that are read at once
JOINING = frozenset(":;,")  # marks that are no part of what is said
MOST = 512  # facts about a name that are read, the newest
CACHED = 50_000  # facts that are kept as they were read
GLANCE = -3.0  # log-odds below which a sentence is not read
SPANS, NEAR = 4, 4.0  # names of a question that are tried, and how much less likely than the likeliest
WIDEST, SURE = 16, 8.0  # words of a name; log-odds that one word may count


class HeldSentence(Protocol):
    """A sentence in a memory; a later one has a greater number."""

    @property
    def number(self) -> int:
        """In the order of telling."""

    @property
    def text(self) -> str:
        """As the sentence has it."""


Find = Callable[[Sequence[str]], Sequence[HeldSentence]]


class Relation(NamedTuple):
    """What a sentence says; spans are places in its characters, from one to another."""

    subject: str
    relation: str
    object: str
    subject_span: tuple[int, int]
    object_span: tuple[int, int]


class Superseded(NamedTuple):
    """An older fact of the same relation."""

    object: str
    held: HeldSentence


class Hop(NamedTuple):
    """One address: of the facts about ``subject`` the one that was read."""

    subject: str
    object: str
    held: HeldSentence
    earlier: tuple[Superseded, ...]  # what was said before, the oldest first, the same object too
    probability: float

    @property
    def superseded(self) -> tuple[Superseded, ...]:
        """The older facts that say another thing."""
        return tuple(one for one in self.earlier if not same_name(one.object, self.object))


class RelationAnswer(NamedTuple):
    """``text`` is the answer, or, where it is ``refused``, a sentence that says what nothing says."""

    text: str
    refused: bool
    hops: tuple[Hop, ...]
    probability: float

    @property
    def evidence(self) -> tuple[int, ...]:
        """The number of the sentence that each hop read."""
        return tuple(hop.held.number for hop in self.hops)

    @property
    def superseded(self) -> tuple[Superseded, ...]:
        """The older facts that are no longer so, of all hops."""
        return tuple(one for hop in self.hops for one in hop.superseded)


class About(NamedTuple):
    """A fact about a name, as it was read: its key (K,) and its object; ``object`` is empty where it is none."""

    key: Floats
    object: str


class Asked(NamedTuple):
    """A question with its name: what each hop asks (H, K), each with the hop before (H - 1, K), and the words of each hop."""

    queries: Floats
    joined: Floats
    parts: Sequence[Part]
    name: Span
    hops: list[list[int]]


class RelationReader:
    """See the module's docstring."""

    def __init__(self, net: RelationNetwork) -> None:
        self.net = net
        self.known: dict[tuple[str, str], About] = {}

    def __repr__(self) -> str:
        return f"<RelationReader of {sum(one.size for one in self.net.weights.values()):,} weights>"

    @classmethod
    def load(cls, folder: Path = FOLDER) -> RelationReader:
        """The one of the package, or of a folder. Raises :class:`~memnet.errors.NetworkError`."""
        return cls(load(folder))

    def fact(self, sentence: str) -> Relation | None:
        """What a sentence says of what, None where it is no such fact."""
        parts = split(sentence)
        if not parts:
            return None
        read = self.net.read(*side_by_side([number(parts, START_FACT)]))
        (_, subject), *_ = likeliest(read.pointers[0, SUBJECT, 1:].tolist(), 1)
        if subject[0] == subject[1]:
            return None
        read = self.net.read(*side_by_side([number(parts, START_FACT, subject)]))
        said = object_of(read.pointers[0, OBJECT], parts, subject)
        if read.gates[0, FACT] < 0 or said[0] == said[1]:
            return None
        inside = {*range(*subject), *range(*said)}
        rest = [part.text for place, part in enumerate(parts) if place not in inside and part.text[0].isalnum()]
        spans = ((parts[first].start, parts[last - 1].end) for first, last in (subject, said))
        return Relation(text_of(sentence, parts, subject), " ".join(rest), text_of(sentence, parts, said), *spans)

    def answer(self, question: str, find: Find) -> RelationAnswer | None:
        """An answer, or a refusal; None where the question is of another kind or nothing is known about its name.

        ``find(words)`` gives the sentences that hold all of the words, in any case.
        """
        parts = split(question)
        if not parts:
            return None
        read = self.net.read(*side_by_side([number(parts, START_QUESTION)]))
        if read.gates[0, KIND] < 0:
            return None
        refusal: RelationAnswer | None = None
        spans, tried = likeliest(read.pointers[0, SUBJECT, 1:].tolist(), SPANS), (0, 0)
        for likely, name in spans:
            wider = name[0] <= tried[0] and tried[1] <= name[1]
            if likely < spans[0][0] - NEAR or name[0] == name[1] or (refusal and not wider):
                continue
            facts = self.about(text_of(question, parts, name), find)
            if facts:
                answer = self.follow(question, self.asked(parts, name), facts, find)
                if answer is not None and (answer.hops or not answer.refused):
                    return answer
                refusal, tried = refusal or answer, name
        return refusal

    def asked(self, parts: Sequence[Part], name: Span) -> Asked:
        """What each hop of a question asks of its name."""
        read = self.net.read(*side_by_side([number(parts, START_QUESTION, name)]))
        weights = self.net.alignment(read)
        of_hop: list[list[int]] = []
        shown = places(parts, name)
        for hop in range(HOPS):
            words = [shown[place] for place in np.flatnonzero(weights[0, 1:, hop] > 0.5).tolist()]
            if not words:
                break
            of_hop.append(words)
        joined = self.net.queries(read, weights[..., 1:] + weights[..., :-1])[0]
        return Asked(self.net.queries(read, weights)[0], joined, parts, name, of_hop)

    def follow(self, question: str, asked: Asked, facts: list[tuple[HeldSentence, About]], find: Find) -> RelationAnswer | None:
        """All hops, from the facts about the question's name."""
        subject, hops, probability = text_of(question, asked.parts, asked.name), list[Hop](), 1.0
        for place, _ in enumerate(asked.hops):
            before, facts = facts, self.about(subject, find) if place else facts
            hop, chance = self.address(asked.queries[place], subject, facts)
            if hop is None and place:  # its words may be the rest of what the hop before asked, which then answers better
                again, sure = self.address(asked.joined[place - 1], hops[-1].subject, before)
                if again is not None and again.held == hops[-1].held and sure > hops[-1].probability:
                    facts = before
                    continue
            probability *= chance
            if hop is None:
                reason = nothing_says(asked.parts, asked.name, asked.hops, place, subject)
                return RelationAnswer(reason, True, tuple(hops), probability)
            hops.append(hop)
            subject = hop.object
        return RelationAnswer(subject, False, tuple(hops), probability) if hops else None

    def address(self, query: Floats, subject: str, facts: list[tuple[HeldSentence, About]]) -> tuple[Hop | None, float]:
        """One hop, and how likely it is right: the newest of the facts that answer a query (K,), None where none does."""
        if not facts:
            return None, 1.0
        trace, scores = self.net.address(query, np.stack([about.key for _, about in facts]))
        chosen, sure = np.flatnonzero(trace.weights[0]).tolist(), sigmoid(scores - self.net.nothing).tolist()
        if not chosen:
            return None, 1 - max(sure)
        held, about = facts[chosen[0]]
        logits = scores.tolist()
        least = max(logits[chosen[0]] - self.net.sizes.newer, self.net.nothing)
        rivals = (facts[at] for at in range(chosen[0]) if logits[at] > least)
        older = tuple(Superseded(one.object, other) for other, one in rivals)
        return Hop(subject, about.object, held, older, sure[chosen[0]]), sure[chosen[0]]

    def about(self, name: str, find: Find) -> list[tuple[HeldSentence, About]]:
        """The facts about a name among the sentences that have it, oldest first."""
        key, words = name.lower(), asked_words(name)
        if not words:
            return []
        told = sorted(find(words), key=lambda one: one.number)
        found = [(one, span) for one in told if (span := mention(name, one.text))]
        unread = [pair for pair in found if (key, pair[0].text) not in self.known]
        if len(unread) > 1:
            likely = self.net.glance(np.stack([glanced(one.text, *span) for one, span in unread])) > GLANCE
            near = {one.number for (one, _), may in zip(unread, likely.tolist(), strict=True) if may}
            found = [pair for pair in found if pair[0].number in near or (key, pair[0].text) in self.known]
        found = found[-MOST:]
        self.read([(one.text, span) for one, span in found if (key, one.text) not in self.known], key)
        facts = [(one, self.known[key, one.text]) for one, _ in found]
        return [(one, about) for one, about in facts if about.object]

    def read(self, sentences: Sequence[tuple[str, tuple[int, int]]], key: str) -> None:
        """Read sentences with the places of a name, and keep what they say."""
        if len(self.known) > CACHED:
            self.known.clear()
        for start in range(0, len(sentences), CHUNK):
            texts = [(text, split(text), span) for text, span in sentences[start : start + CHUNK]]
            spans = [of_characters(parts, *span) for _, parts, span in texts]
            rows = [number(parts, START_FACT, span) for (_, parts, _), span in zip(texts, spans, strict=True)]
            read = self.net.read(*side_by_side(rows))
            keys = self.net.keys(read)
            for place, ((text, parts, _), span) in enumerate(zip(texts, spans, strict=True)):
                said = object_of(read.pointers[place, OBJECT, : len(rows[place])], parts, span)
                fact = bool(read.gates[place, FACT] > 0)
                self.known[key, text] = About(keys[place], text_of(text, parts, said) if fact else "")


def likeliest(odds: Sequence[float], most: int) -> list[tuple[float, Span]]:
    """The likeliest spans by the log-odds of their words, each with their sum, the best first; an empty one counts 0."""
    sure = [max(-SURE, min(SURE, one)) for one in odds]
    sums = [0.0]
    for one in sure:
        sums.append(sums[-1] + one)
    spans = ((first, last) for first in range(len(odds)) for last in range(first + 1, min(first + WIDEST, len(odds)) + 1))
    return nlargest(most, ((sums[last] - sums[first], (first, last)) for first, last in spans)) or [(0.0, (0, 0))]


def object_of(odds: Floats, parts: Sequence[Part], name: Span) -> Span:
    """The likeliest object of a fact whose name is one word, in words; it has nothing of the name (Bentley 1984)."""
    shown = places(parts, name)
    best, span, total, first = 0.0, (0, 0), 0.0, 0
    for at, one in enumerate(odds[1 : 1 + len(shown)].tolist()):
        if total <= 0 or shown[at] == name[0]:
            total, first = 0.0, at + (shown[at] == name[0])
        if shown[at] == name[0]:
            continue
        total += max(-SURE, min(SURE, one))
        if total > best:
            best, span = total, (shown[first], shown[at] + 1)
    begin, end = span
    begin = max((at + 1 for at in range(begin, end) if parts[at].text == "="), default=begin)  # "tank level = 12.4"
    while begin < end and parts[begin].text in JOINING:
        begin += 1
    while begin < end and parts[end - 1].text in JOINING:
        end -= 1
    return begin, end
