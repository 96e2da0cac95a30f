"""LoCoMo (Maharana et al. 2024, arXiv 2402.17753): ten long conversations, questions, and the turns that answer them.

CC BY-NC 4.0 of its authors: it is read where somebody has it, and shipped by nobody here. ``$MEMNET_DATA/families/locomo`` or
``--conversations`` holds ``locomo10.json`` as their repository has it, or a zip file of a conversation a file.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from .archive import places
from .family import NotAtHand

ADDRESS = "https://github.com/snap-research/locomo"
KINDS = {1: "several hops", 2: "time", 3: "open domain", 4: "single hop", 5: "adversarial"}
SEVERAL_HOPS, ADVERSARIAL = KINDS[1], KINDS[5]
TURN = re.compile(r"D:?(\d+):(\d+)")  # of the evidence one is written D:11:26, another D30:05
FOLDER = Path("families") / "locomo"


class Turn(NamedTuple):
    """What a speaker says; ``when`` as the session has it, such as "1:56 pm on 8 May, 2023"."""

    name: str  # such as D1:3
    speaker: str
    text: str
    when: str
    caption: str = ""  # of a photo that is shared

    @property
    def line(self) -> str:
        """As a memory is told it."""
        return f"{self.speaker}: {self.text}"


@dataclass(frozen=True)
class Question:
    """A question; an adversarial one has no answer, and its evidence is about somebody else. ``evidence`` are turns from 0."""

    text: str
    kind: str
    answer: str | None
    evidence: tuple[int, ...]


@dataclass(frozen=True)
class Conversation:
    """Turns in their order, and questions that are asked after the last."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


def conversation(name: str, saved: Mapping[str, Any]) -> Conversation:
    """One of the file's. Raises KeyError, TypeError or ValueError where it is something else."""
    told = saved.get("conversation", saved)
    sessions = sorted(int(key.removeprefix("session_")) for key in told if re.fullmatch(r"session_\d+", key))
    if not sessions:
        raise ValueError("it has no session_1")
    turns = tuple(
        Turn(
            one["dia_id"],
            one["speaker"],
            " ".join(one["text"].split()),
            told[f"session_{number}_date_time"],
            one.get("blip_caption") or "",
        )
        for number in sessions
        for one in told[f"session_{number}"]
    )
    place = {place_of(turn.name): number for number, turn in enumerate(turns)}
    questions = []
    for one in saved["qa"]:
        named = [(int(session), int(turn)) for session, turn in TURN.findall(" ".join(one.get("evidence", ())))]
        kind = KINDS[one["category"]]
        answer = None if kind == ADVERSARIAL else str(one["answer"])
        evidence = tuple(sorted({place[turn] for turn in named if turn in place}))
        questions.append(Question(one["question"], kind, answer, evidence))
    return Conversation(name, turns, tuple(questions))


def place_of(name: str) -> tuple[int, int]:
    """The session and the turn of a name, such as D1:3. Raises ValueError for another."""
    found = TURN.fullmatch(name)
    if found is None:
        raise ValueError(f"a turn is called {name}")
    return int(found[1]), int(found[2])


def saved_in(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The conversations of a JSON file or a zip file, with their names."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            for name in sorted(one for one in archive.namelist() if one.endswith(".json")):
                yield Path(name).stem, json.loads(archive.read(name))
    else:
        for number, one in enumerate(json.loads(path.read_text(encoding="utf-8"))):
            yield str(one.get("sample_id", number)), one


def file_of(data: Path | None) -> Path:
    """The file of LoCoMo, given or found. Raises :class:`NotAtHand`."""
    looked = [data] if data is not None else []
    looked += [folder / FOLDER for _, folder in places(data)]
    for place in looked:
        candidates = [place] if place.is_file() else [place / "locomo10.json", place / "locomo10.zip"]
        for path in candidates:
            if path.is_file():
                return path
    found = " or ".join(map(str, looked))
    raise NotAtHand(f"LoCoMo is not here (looked in {found}): get data/locomo10.json from {ADDRESS} and put it there")


def conversations(data: Path | None = None) -> list[Conversation]:
    """All of them. Raises :class:`NotAtHand` where there is no file, or another one."""
    path = file_of(data)
    try:
        return [conversation(name, saved) for name, saved in saved_in(path)]
    except (OSError, KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
        raise NotAtHand(f"{path} is not LoCoMo's file ({type(error).__name__}: {error}); get it from {ADDRESS}") from error
