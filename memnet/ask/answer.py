"""An answer: how probable it is, the runners-up, and what each hop read; as JSON, as one line and for notebooks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pkgutil import resolve_name
from typing import Any, NamedTuple

from memnet.tasks.text import one_line

SURELY_NONE = 0.95  # from which a refusal names no guess
READ = 0.1  # the weight from which a statement that a single hop read is evidence
SHOWN = 40  # characters of a sentence in the short form of an answer
IN_NOTEBOOKS = "memnet.show.html:notebook_html"  # by name: what draws answers stands on this module
MAX_NAMED = 10  # words named at once
DIRECTIONS = {"n": "north", "s": "south", "e": "east", "w": "west"}  # as task 19 writes them


def listed(parts: Sequence[str]) -> str:
    """Words as people list them.

    >>> listed(["milk"]), listed(["milk", "apple", "football"])
    ('milk', 'milk, apple and football')
    """
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def in_words(answer: str) -> str:
    """A raw answer as people say it.

    >>> in_words("milk,football"), in_words("e,s"), in_words("kitchen")
    ('milk and football', 'east, then south', 'kitchen')
    """
    parts = answer.split(",")
    if all(part in DIRECTIONS for part in parts):
        return ", then ".join(DIRECTIONS[part] for part in parts)
    return listed(parts)


def apart(less: float, more: float) -> tuple[str, str]:
    """Two different shares in percent, with as many decimals as they need to look different.

    >>> apart(0.7, 0.9), apart(0.99996, 1.0), apart(0.994, 0.999)
    (('70%', '90%'), ('99.996%', '100.000%'), ('99.4%', '99.9%'))
    """
    shown = ((f"{less:.{decimals}%}", f"{more:.{decimals}%}") for decimals in range(16))
    differ = (two for two in shown if two[0] != two[1] and (more == 1 or not two[1].startswith("100")))
    return next(differ, (f"{less!r}", f"{more!r}"))


def typing_note(errors: Mapping[str, Sequence[str]]) -> str:
    """Words that look like typing errors, with what may be meant; "" where there are none.

    >>> typing_note({"teh": ["the"]})
    'teh -> the? It was taken for a name.'
    """
    meant = [f"{word} -> {' or '.join(near)}?" for word, near in list(errors.items())[:MAX_NAMED]]
    taken = "It was taken for a name." if len(meant) == 1 else "They were taken for names."
    return " ".join([*meant, taken]) if meant else ""


def spaced(when: str) -> str:
    """A time as a person writes it.

    >>> spaced("2024-03-05T08:14"), spaced("Tuesday 08:14")
    ('2024-03-05 08:14', 'Tuesday 08:14')
    """
    return re.sub(r"(?<=\d)T(?=\d)", " ", when)


class Read(NamedTuple):
    """A sentence that a hop read: its number in the story (from 1), its text and its attention weight."""

    number: int
    sentence: str
    weight: float
    when: str = ""  # of a memory: the time that stands with it, and the source and line that it came from
    source: str = ""
    line: int = 0

    @property
    def place(self) -> str:
        """Where and when it was said: "log.txt:12, 2024-03-05 08:14"; empty where that is not known."""
        where = f"{self.source}:{self.line}" if self.source and self.line else self.source
        return ", ".join(filter(None, [where, spaced(self.when)]))

    def as_json(self) -> dict[str, Any]:
        """As JSON values; where and when it was said only where that is known."""
        return {name: value for name, value in self._asdict().items() if value or name in ("number", "sentence", "weight")}

    def __repr__(self) -> str:
        return f"Read(number={self.number}, sentence={one_line(self.sentence, SHOWN)!r}, weight={self.weight:.4g})"


@dataclass(frozen=True)
class Answer:
    """An answer with its probability, the runners-up, and the evidence of each hop.

    ``str(answer)`` is what it says: the answer, or that it cannot tell and why. Where it is not :attr:`answerable`, ``answer``
    holds what was found likeliest and is not given.

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
    out_of_story_words: list[str] = field(default_factory=list)  # of the question: neither known nor in the story
    passes: int | None = None  # hops taken before the end, where that is learned; the hop that ends it is the last of ``hops``
    calibrated_on: str = ""  # held-out questions on which the probabilities were made to be as often right as they say
    typing_errors: dict[str, list[str]] = field(default_factory=dict)  # words taken for names, and the words that may be meant
    reason: str = ""  # why it is not :attr:`answerable`, as the clause of a sentence
    longest_story: int = 0  # statements of the longest story of training, where that is known
    superseded: list[Read] = field(default_factory=list)  # of a memory: what said otherwise before, the newest first
    contradicting: list[Read] = field(default_factory=list)  # what other sources say, where nothing says which is later
    parts: tuple[str, ...] = ()  # of :attr:`answer`, where its commas do not part them
    sure: float = 0.0  # the least probability, the question's being answerable counted, at which it is given
    question: str = field(default="", compare=False)  # what was asked, as the network reads it
    story: Sequence[str] = field(default=(), compare=False)  # its statements, oldest first

    @property
    def answerable(self) -> bool:
        """Whether there is evidence: no word is out of the story, and the answer is likelier than that there is none.

        And it is as likely as was asked for.
        """
        return not self.out_of_story_words and max(self.unanswerable, self.sure) <= self.chance

    @property
    def chance(self) -> float:
        """The probability that the answer is right: that there is one, and that it is this."""
        return self.probability * (1 - self.unanswerable)

    @property
    def length_notes(self) -> list[str]:
        """That the story is longer than any of training: one line or none."""
        told = len(self.story)
        return [f"{told:,} statements; training had at most {self.longest_story:,}"] if told > self.longest_story > 0 else []

    @property
    def text(self) -> str:
        """The answer as people say it: "milk and football", "east, then south"; ``answer`` is raw.

        Where it is not :attr:`answerable`, both are the answer that is not given.
        """
        return listed(self.parts) if self.parts else in_words(self.answer)

    @property
    def refusal(self) -> str:
        """That there is no answer, how sure that is in one percentage, and why; empty where it answers."""
        if self.answerable:
            return ""
        if not self.out_of_story_words and self.unanswerable <= self.chance:
            chance, sure = apart(self.chance, self.sure)
            return f"I am not sure: {self.text} ({chance}, less than {sure})"
        sure = "" if self.out_of_story_words else f" ({self.unanswerable:.0%})"
        return f"I cannot tell{sure}: {self.reason}"

    @property
    def guess(self) -> str:
        """What it would answer if it had to, as :attr:`text`; empty where it answers, lacks a word, or surely has none."""
        none = self.answerable or self.out_of_story_words or self.unanswerable >= SURELY_NONE
        return "" if none else self.text

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

        They are what each hop read most, unless it read nothing with more weight; of a single hop, all that it read with a
        tenth of its weight or more.
        """
        if not self.answerable:
            return []
        most = [hop[0] for hop, null in zip(self.hops, self.null_weights, strict=True) if hop and hop[0].weight >= null]
        if most and len(self.hops) == 1:
            most = [read for read in self.hops[0] if read.weight >= min(READ, most[0].weight)]
        return sorted({read.number: read for read in most}.values(), key=lambda read: read.number)

    def __repr__(self) -> str:
        """The answer, its probability and its evidence, in a line; every number is in the fields and in :meth:`as_json`."""
        if not self.answerable:
            guess = f"; my guess: {self.guess!r}" if self.guess else ""
            return one_line(f"<Answer: {self.refusal}{guess}>")
        read = ", ".join(f"{one.number} {one_line(one.sentence, SHOWN)!r}" for one in self.evidence)
        return one_line(f"<Answer {self.answer!r} ({self.probability:.0%}), evidence: {read or 'none'}>")

    def __str__(self) -> str:
        """What it says, as ``print`` shows it: :attr:`text`, or the :attr:`refusal` where it is not :attr:`answerable`."""
        return self.text if self.answerable else self.refusal

    def _repr_html_(self) -> str:
        """For notebooks: question, answer, and the story with what each hop read of every sentence."""
        html: str = resolve_name(IN_NOTEBOOKS)(self)
        return html

    def ranked(self, most: int) -> list[Answer]:
        """This answer and its runners-up, each as an answer of its own; ``most`` of them at most."""
        others = [replace(self, answer=text, parts=(), probability=chance, runners_up=[]) for text, chance in self.runners_up]
        return [self, *others][:most]

    def keys(self) -> list[str]:
        """Those of :meth:`as_json`, and ``score``: what a pipeline calls :attr:`chance`."""
        return [*self.as_json(), "score"]

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __getitem__(self, name: str) -> Any:
        """As the dict of a pipeline: ``answer["answer"]``, ``answer["score"]``. Raises KeyError with the names."""
        if name not in self.keys():
            raise KeyError(f"an answer has no {name!r}; it has {', '.join(self.keys())}")
        return self.chance if name == "score" else self.as_json()[name]

    def as_json(self) -> dict[str, Any]:
        """As JSON values: the fields but for what was asked, ``text``, ``answerable`` and ``evidence``."""
        fields = asdict(replace(self, question="", story=(), hops=[], superseded=[], contradicting=[], parts=()))
        others = {"superseded": self.superseded, "contradicting": self.contradicting}
        more = {name: [read.as_json() for read in some] for name, some in others.items() if some}
        return {name: value for name, value in fields.items() if name not in ("question", "story", "parts", *others)} | {
            "hops": [[read.as_json() for read in hop] for hop in self.hops],
            "text": self.text,
            "answerable": self.answerable,
            "evidence": [read.as_json() for read in self.evidence],
            **more,
        }
