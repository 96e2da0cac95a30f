"""A trained network of facts: sentences in, facts out.

reader = FactReader.load()
reader.facts(["After lunch Ann moved pump 7 to the yard."])   ->   [[Fact("put", who=Ann, what=pump 7, to=yard)]]
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memnet.errors import NetworkError
from memnet.facts.in_numpy import FactNetwork
from memnet.facts.kinds import FACTS, KINDS, NONE, QUESTIONS, ROLES, SLOTS, Fact, Phrase
from memnet.facts.meant import together, without_thanks
from memnet.facts.numbers import LONGEST, FactConfig, Numbers, padded
from memnet.facts.sides import DENIES, is_denied, only_asks, says_a_relation
from memnet.files import write_arrays, write_json
from memnet.infer.attention import log_normalized, normalized
from memnet.packing import packed, read_weights
from memnet.reading.words import Words
from memnet.tasks.text.english import function_words, of_class
from memnet.tasks.text.tokens import WORD

READER = Path(__file__).with_name("reader_network")  # made by scripts/make_facts.py, and so is the other
GATE = Path(__file__).with_name("gate_network")  # which sentences may say something of whereabouts at all
CONFIG, MODEL = "config.json", "model.safetensors"
AT_ONCE = 256  # sentences
ARTICLE, CLEAR, OUTSIDE = "The ", 0.8, Phrase(-1, -1, "")
MOST_KNOWN = 20_000  # sentences whose facts are kept
MOST_ASKED = 1000  # questions that are remembered
LONGEST_PHRASE = 10  # words
OTHERWISE = {  # words with which a question that looks of a kind asks for something else
    "where": of_class("first"),
    "where before": of_class("after first"),
    "how often": of_class("much"),
}
YES_OR_NO, REASONS = ("is in", "does have"), of_class("why how when since")
ASKS = np.array([kind in QUESTIONS for kind in KINDS])
SAME = {  # kinds that say what another says, too: who carries a thing there has taken it, and it is there
    kind: [KINDS.index(one) for one in kinds]
    for kind, kinds in (("put", ("put", "carry")), ("carry", ("put", "carry", "take")))
}
SAYS = np.array([kind in FACTS for kind in KINDS])


class FactReader:
    """Reads facts out of single sentences."""

    def __init__(self, network: FactNetwork, metadata: dict[str, Any] | None = None) -> None:
        self.network, self.metadata = network, metadata or {}
        self.known: dict[str, list[Fact]] = {}  # of statements that were read
        self.asked: dict[str, tuple[Fact, str]] = {}  # of questions, each of which is looked at several times for one answer

    @classmethod
    def load(cls, folder: Path = READER) -> FactReader:
        """From a folder that :meth:`save` wrote. Raises :class:`~memnet.errors.NetworkError`."""
        return _loaded(folder)

    def save(self, folder: Path, levels: int = 127) -> None:
        """Weights in 8 bits of so many levels either way with a scale for each row, and what is known of them."""
        folder.mkdir(parents=True, exist_ok=True)
        write_arrays(folder / MODEL, packed(self.network.weights, levels=levels))
        write_json(folder / CONFIG, {**self.metadata, "network": self.network.config.as_dict()})

    def facts(self, sentences: Sequence[str]) -> list[list[Fact]]:
        """What each sentence says of whereabouts, in its order; nothing where it says nothing of them."""
        known = self.known if len(self.known) < MOST_KNOWN else {}
        new = [text for text in dict.fromkeys(sentences) if text not in known]
        for text, found in zip(new, self.statements([*map(without_thanks, new)]) if new else [], strict=True):
            said = [] if only_asks(text) or says_a_relation(text) else found
            known[text] = together([fact for fact in said if is_said(fact, text)], text)
        self.known = known
        return [known[text] for text in sentences]

    def statements(self, texts: Sequence[str]) -> list[list[Fact]]:
        """All slots of every statement; of one that says nothing so, read again with the article that it may lack."""
        found = self.read(texts, False)
        bare = [at for at, facts in enumerate(found) if facts[0].kind == NONE and may_lack_article(texts[at])]
        for at, facts in zip(bare, self.read([ARTICLE + texts[at] for at in bare], False) if bare else [], strict=True):
            if facts[0].kind in FACTS and facts[0].probability >= CLEAR and facts[0].roles.get("what", OUTSIDE).first == 1:
                found[at] = [replace(fact, roles={role: before(one) for role, one in fact.roles.items()}) for fact in facts]
        return found

    def question(self, text: str) -> tuple[Fact, str]:
        """What a question asks, and the kind of fact that it asks about, "none" where it is of no kind."""
        known = self.asked if len(self.asked) < MOST_ASKED else {}
        if text not in known:
            known[text] = self.read_question(text)
        self.asked = known
        return known[text]

    def read_question(self, text: str) -> tuple[Fact, str]:
        """The same, read anew."""
        ((asked, *more),) = self.read([text], True)
        said = {word.lower() for word in WORD.findall(text)}
        if "or" in said or not DENIES.isdisjoint(said):
            return Fact(NONE), NONE  # "Is Ann in Rome or in Oslo?", "Where isn't Ann?"
        if not said.isdisjoint(OTHERWISE.get(asked.kind, ())):
            return Fact(NONE), NONE  # "Where was Ann after the lab?", "Where was Ann first?"
        if asked.kind in YES_OR_NO and not REASONS.isdisjoint(text.lower().split()[:1]):
            return Fact(NONE), NONE  # "Why is Ann in the lab?"
        return asked, more[0].kind if more else NONE

    def read(self, sentences: Sequence[str], asks: bool) -> list[list[Fact]]:
        """All slots of every sentence; longer ones are read up to their first words."""
        marks = [list(WORD.finditer(text))[:LONGEST] for text in sentences]
        numbers = Numbers()
        order = sorted(range(len(marks)), key=lambda number: len(marks[number]))
        found: list[list[Fact]] = [[] for _ in marks]
        for first in range(0, len(order), AT_ONCE):
            part = order[first : first + AT_ONCE]
            rows = [numbers.sentence([mark.group() for mark in marks[number]], asks) for number in part]
            reading = self.network(padded(rows))
            kinds = normalized(reading.kind)
            start, end = log_normalized(reading.start), log_normalized(reading.end)
            for row, number in enumerate(part):
                text, places = sentences[number], [mark.span() for mark in marks[number]]
                found[number] = [
                    fact_of(kinds[row, slot], start[row, slot], end[row, slot], text, places, asks and slot == 0)
                    for slot in range(SLOTS)
                ]
        return found


def is_said(fact: Fact, text: str) -> bool:
    """Whether a statement says that of whereabouts."""
    return fact.kind in FACTS and not fact.is_in_itself and not is_denied(fact, text)


def may_lack_article(text: str) -> bool:
    """Whether a statement may begin with a noun without its article: "Sounding line is back in hold 2"."""
    words = [word.lower() for word in WORD.findall(text)[:2]]
    return len(words) == 2 and words[0].isalpha() and function_words().isdisjoint(words)


def before(one: Phrase) -> Phrase:
    """A phrase one word further to the left."""
    return one._replace(first=one.first - 1, last=one.last - 1)


@cache
def _loaded(folder: Path) -> FactReader:
    try:
        metadata = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        weights = read_weights(folder / MODEL)
        network = FactNetwork(FactConfig(**metadata["network"]), Words.load().vectors, weights)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NetworkError(f"{folder} holds no reader of facts that can be opened: {error}") from error
    return FactReader(network, metadata)


def fact_of(
    kinds: NDArray[np.float32],
    start: NDArray[np.float32],
    end: NDArray[np.float32],
    text: str,
    places: Sequence[tuple[int, int]],
    asks: bool,
) -> Fact:
    """One slot: the likeliest kind, and for each role the likeliest words, if they are likelier than none."""
    fits = kinds * np.where(ASKS if asks else SAYS, 1.0, 0.0)
    fits[0] = kinds[0]
    best = int(fits.argmax())
    of_kind = float(fits[SAME.get(KINDS[best], [best])].sum())
    fact = Fact(KINDS[best], {}, of_kind, float(fits[1:].sum()) if best else 0.0)
    words = len(places) + 1
    both = start[:, :words, None] + end[:, None, :words] + outside(words)
    for role, place in zip(ROLES, both.reshape(len(ROLES), -1).argmax(-1).tolist(), strict=True):
        first, last = divmod(place, words)
        if first:
            fact.roles[role] = Phrase(first - 1, last, text[places[first - 1][0] : places[last - 1][1]])
    return fact


@cache
def outside(words: int) -> NDArray[np.float32]:
    """(words, words), from the first word to the last of a phrase: 0 where there may be one, else minus infinity.

    Place 0 is that of no phrase; others have at most :data:`LONGEST_PHRASE` words.
    """
    both = np.ones((words, words), np.float32)
    both = np.where(np.triu(np.tril(both, LONGEST_PHRASE - 1)) > 0, np.float32(0), np.float32(-np.inf))
    both[0, 1:] = -np.inf
    return both
