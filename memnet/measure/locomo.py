"""LoCoMo's conversations as a search sees them (Maharana et al. 2024, arXiv 2402.17753).

A turn is "Speaker said, "text"" to BM25, as the authors print it, and a :class:`~memnet.reading.compared.Candidate` to a
search: its text with the caption of its photo, its speaker, and the date of its session. It measures the share of a
question's evidence among the first 5 and 10 turns, the mean over all questions that have evidence (1,982 of 1,986),
adversarial ones among them, whose evidence is the turn that misleads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from memnet.measure.lexical import LexicalIndex
from memnet.memory.search import NARROWED, with_neighbours
from memnet.reading.compared import Candidate, words_of
from memnet.tasks.families import locomo
from memnet.tasks.families.locomo import Question


@dataclass(frozen=True)
class Conversation:
    """One conversation of two people over months."""

    name: str
    turns: tuple[Candidate, ...]
    plain: tuple[str, ...]  # the turns as they are printed, for BM25
    questions: tuple[Question, ...]

    @cached_property
    def index(self) -> LexicalIndex:
        """Of the turns' texts with their captions."""
        return LexicalIndex([turn.text for turn in self.turns])

    @cached_property
    def counts(self) -> Counter[str]:
        """How many turns have each lemma."""
        return Counter(lemma for turn in self.turns for lemma in {word.lemma for word in words_of(turn.text)})

    def narrowed(self, terms: Sequence[str], most: int = NARROWED) -> list[int]:
        """The turns to compare: those that an index finds, each with the turn before and the one after."""
        return with_neighbours(self.index.rank(terms, len(self.turns)), len(self.turns), most)


def searchable(told: locomo.Conversation) -> Conversation:
    """A conversation with its turns as candidates; the source of each is its session."""
    turns = [
        Candidate(f"{turn.text} {turn.caption}".strip(), number, turn.speaker, turn.when, turn.name.partition(":")[0])
        for number, turn in enumerate(told.turns)
    ]
    plain = [f'{turn.speaker} said, "{turn.text}"' for turn in told.turns]
    return Conversation(told.name, tuple(turns), tuple(plain), told.questions)


def read(data: Path | None) -> list[Conversation]:
    """All conversations. Raises :class:`~memnet.tasks.families.family.NotAtHand`."""
    return [searchable(one) for one in locomo.conversations(data)]
