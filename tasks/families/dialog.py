"""Dialogs with a restaurant's bot (Bordes, Boureau & Weston 2017, arXiv 1605.07683), and two variants of task 5.

    bot: where should it be        user: in tokyo        bot: api_call thai tokyo six cheap

``dialog/task1`` to ``task6``; of the first five, the split ``oov`` has cities and cuisines that training has not. A turn of
``dialog-permuted`` has up to four right utterances (Rajendran et al. 2018). ``dialog-naturalistic`` is trained on task 5 and
tested on the same dialogs with what people say in between (Ganhotra et al. 2020); what training has no answer to is told, not
asked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ..dialogs import one_space, parse_candidates, parse_dialogs, utterances
from ..files import DataError
from ..text import FormatError, Story, decode
from .archive import places
from .family import Family, Fetch, NotAtHand, Task

TITLES = {
    "task1": "issuing API calls",
    "task2": "updating API calls",
    "task3": "displaying options",
    "task4": "providing extra information",
    "task5": "full dialogs",
    "task6": "dialogs with people (DSTC2)",
}
FULL = {"task5": TITLES["task5"]}
ADDRESS = "https://github.com/HLTCHKUST/Mem2Seq, data/dialog-bAbI-tasks"
PERMUTED = "https://github.com/IBM/permuted-bAbI-dialog-tasks"
NATURAL = "https://github.com/IBM/naturalistic-variation-goal-oriented-dialog-datasets"
PLAIN, LONG = "dialog-babi-{}{}.txt", "dialog-babi-task5-full-dialogs-{}.txt"


def folder_of(name: str, wanted: str, address: str, data: Path | None) -> Path:
    """The folder of one of the three sets. Raises :class:`NotAtHand`."""
    looked = [place for _, folder in places(data) for place in (folder / "families" / name, folder / name, folder)]
    for place in looked:
        if (place / wanted).is_file():
            return place
    raise NotAtHand(
        f"{wanted} is not here (looked in {' and '.join(map(str, looked))}): get it from {address} and put it in "
        f"families/{name} of the folder that --data or $MEMNET_DATA names"
    )


def content(path: Path) -> bytes:
    """A file's bytes. Raises :class:`DataError`."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); the folder must hold the data set's files") from error


def with_candidates(stories: list[Story], candidates: tuple[str, ...]) -> list[Story]:
    """Each turn with what the bot may say."""
    return [
        replace(story, questions=tuple(replace(one, candidates=candidates) for one in story.questions)) for story in stories
    ]


def plain_files(member: str, data: Path | None) -> tuple[dict[str, Path], Path]:
    """The files of a member by their part, and its candidates. Raises :class:`NotAtHand`."""
    folder = folder_of("dialog-babi", PLAIN.format(member, "trn"), ADDRESS, data)
    parts = {"train": "trn", "valid": "dev", "test": "tst"} | ({} if member == "task6" else {"oov": "tst-OOV"})
    files = {part: folder / PLAIN.format(member, name) for part, name in parts.items()}
    return files, folder / f"dialog-babi-{'task6-dstc2-' if member == 'task6' else ''}candidates.txt"


def made(name: str, files: Mapping[str, Path], candidates: Path | None, several: bool = False) -> Task:
    """A data set of files. Raises :class:`DataError`."""
    read = {part: content(path) for part, path in files.items()}
    try:
        told = {part: parse_dialogs(decode(read[part], str(path)), str(path), several) for part, path in files.items()}
        if candidates is None:
            among = utterances([story for stories in told.values() for story in stories])
        else:
            among = parse_candidates(decode(content(candidates), str(candidates)), str(candidates))
    except FormatError as error:
        raise DataError(str(error)) from error
    if name.startswith("dialog/"):
        for part, stories in told.items():
            check_candidates(stories, among, files[part], candidates)
    if name.startswith("dialog-naturalistic"):  # what training has no answer to is told alone
        told["naturalistic"] = [asked_of(story, frozenset(among)) for story in told["naturalistic"]]
    told = {part: with_candidates(stories, among) for part, stories in told.items()}
    digest = hashlib.sha256(b"".join(read.values())).hexdigest()[:12]
    train, valid = told.pop("train"), told.pop("valid")
    return Task(name, train, told, digest, valid)


def check_candidates(stories: list[Story], among: Sequence[str], path: Path, candidates: Path | None) -> None:
    """Raise :class:`DataError` where the bot says what is no candidate: one of the two files is cut short or of another set."""
    known = frozenset(among)
    answers = (one.answer for story in stories for one in story.questions)
    if said := next((answer for answer in answers if answer not in known), None):
        lines = decode(content(path), str(path)).split("\n")
        at = next((at for at, line in enumerate(lines, 1) if one_space(line.partition("\t")[2]) == said), 1)
        raise DataError(f"{path}:{at}: {said[:60]!r} is no candidate of {candidates}; get both files anew from {ADDRESS}")


def asked_of(story: Story, among: frozenset[str]) -> Story:
    """A story without the turns that no candidate answers; they are told."""
    return replace(story, questions=tuple(one for one in story.questions if one.answer in among))


def plain(member: str, seed: int = 0, data: Path | None = None) -> Task:
    """A task of dialog bAbI."""
    files, candidates = plain_files(member, data)
    return made(f"dialog/{member}", files, candidates)


def permuted(member: str, seed: int = 0, data: Path | None = None) -> Task:
    """Task 5 with every right utterance of a turn; its candidates are those of its files."""
    folder = folder_of("permuted-dialog", LONG.format("trn"), PERMUTED, data)
    files = {part: folder / LONG.format(name) for part, name in (("train", "trn"), ("valid", "dev"), ("test", "tst"))}
    return made(f"dialog-permuted/{member}", files, None, several=True)


def naturalistic(member: str, seed: int = 0, data: Path | None = None) -> Task:
    """Task 5, tested on its own test dialogs and on the same with what people say in between."""
    files, candidates = plain_files(member, data)
    folder = folder_of("naturalistic-dialog", LONG.format("tst_updated"), NATURAL, data)
    files = {part: files[part] for part in ("train", "valid", "test")}
    return made(f"dialog-naturalistic/{member}", files | {"naturalistic": folder / LONG.format("tst_updated")}, candidates)


FAMILIES = (
    Family(
        "dialog",
        "dialogs with a restaurant's bot",
        TITLES,
        plain,
        "published",
        fetch=Fetch(ADDRESS, "34 MB", "none is printed"),
        licence="CC BY 3.0",
        learned_by="composer",
    ),
    Family(
        "dialog-permuted",
        "the same, with several right utterances a turn",
        FULL,
        permuted,
        "published",
        fetch=Fetch(PERMUTED, "8 MB", "none is printed"),
        licence="CC BY-SA 4.0",
        learned_by="composer",
    ),
    Family(
        "dialog-naturalistic",
        "the same, with what people say in between",
        FULL,
        naturalistic,
        "published",
        fetch=Fetch(NATURAL, "3 MB", "none is printed"),
        licence="Apache-2.0",
        learned_by="composer",
    ),
)
