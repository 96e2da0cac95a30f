"""LoCoMo: ten long conversations, and which of their turns answer a question (Maharana et al. 2024, arXiv 2402.17753).

A turn is "Speaker said, "text"" to BM25, as the authors print it, and a :class:`~memnet.reading.compared.Candidate` to a
search: its text with the caption of its photo, its speaker, and the date of its session. Measured is the share of a
question's evidence among the first 5 and 10 turns, the mean over all questions that have evidence (1,982 of 1,986), kind 5
among them: a question about the wrong speaker, whose evidence is the turn that misleads. The data's licence (CC BY-NC 4.0)
lets nobody ship it.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from memnet.measure.lexical import LexicalIndex
from memnet.memory.search import NARROWED, with_neighbours
from memnet.reading.compared import Candidate, words_of
from memnet.tasks.files import DataError

SEVERAL_HOPS, WRONG_SPEAKER = 1, 5
KINDS = {SEVERAL_HOPS: "several hops", 2: "when", 3: "common sense", 4: "one hop", WRONG_SPEAKER: "wrong speaker"}
SESSION, PLACE = re.compile(r"session_(\d+)"), re.compile(r"D:?(\d+):(\d+)")
FILE = Path("families", "locomo", "locomo10.zip")


class Question(NamedTuple):
    """A question, its kind (1 to 5), and the turns that answer it."""

    text: str
    kind: int
    evidence: tuple[int, ...]


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


def read(path: Path) -> list[Conversation]:
    """The conversations of the authors' archive. Raises :class:`~memnet.errors.DataError`."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = sorted(name for name in archive.namelist() if name.endswith(".json"))
            return [conversation(Path(name).stem, json.loads(archive.read(name))) for name in names]
    except (OSError, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise DataError(f"{path} is not LoCoMo's archive of ten conversations ({error}); see snap-research/locomo") from error


def conversation(name: str, whole: dict[str, Any]) -> Conversation:
    """One conversation of the archive."""
    sessions = sorted((int(found[1]), key) for key in whole if (found := SESSION.fullmatch(key)))
    turns, plain, number = list[Candidate](), list[str](), dict[tuple[int, int], int]()
    for session, key in sessions:
        for turn in whole[key]:
            found = PLACE.fullmatch(turn["dia_id"])
            if found:
                number[int(found[1]), int(found[2])] = len(turns)
            text = f"{turn['text']} {turn.get('blip_caption') or ''}".strip()
            turns.append(Candidate(text, len(turns), turn["speaker"], whole.get(f"{key}_date_time", ""), str(session)))
            plain.append(f'{turn["speaker"]} said, "{turn["text"]}"')
    questions = [Question(one["question"], one["category"], evidence(one["evidence"], number)) for one in whole["qa"]]
    return Conversation(name, tuple(turns), tuple(plain), tuple(questions))


def evidence(named: Sequence[str], number: dict[tuple[int, int], int]) -> tuple[int, ...]:
    """The turns that are named, each once; some names hold several, six name no turn."""
    places = [(int(session), int(turn)) for one in named for session, turn in PLACE.findall(one)]
    return tuple(dict.fromkeys(number[place] for place in places if place in number))
