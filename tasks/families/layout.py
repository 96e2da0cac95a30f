"""Which files of a folder are which part of which data set, as people and hubs lay them out.

family_train.txt  family_test.txt                         side by side
train-00000-of-00002.parquet  train-00001-of-00002...     in pieces
train/0000.parquet  test/0000.parquet                     a folder a part, in which other names name other data sets
en-qa1/train/0000.parquet                                 and a folder a data set, where the folder itself has no file
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from ..files import DataError

PARTS = ("train", "test")
NAMES = {  # of the parts
    **dict.fromkeys(("train", "training"), "train"),
    **dict.fromkeys(("test", "testing"), "test"),
    **dict.fromkeys(("valid", "validation", "val", "dev", "development", "devel"), "valid"),  # what chooses a network
    "candidates": "candidates",
}
WORD = re.compile(rf"(?<![a-z])({'|'.join(NAMES)})(?![a-z])", re.IGNORECASE)  # as a word of its own
PART = re.compile(r"train|test|valid", re.IGNORECASE)
KINDS = (".txt", ".jsonl", ".ndjson", ".json", ".parquet")  # endings of files that are read
PIECE = re.compile(r"[-_.](\d{4,6})-of-(\d{4,6})(?:-[0-9a-f]{8,})?$")
FOLDERS = "expected a folder named train, test or valid"
NEAR = 0.75  # how near a word is that may be meant for the name of a part, as difflib counts it
DEPTH = 2  # folders below the one that is named
UNNAMED = ("data", "default")  # folders that name no data set
ABOUT = re.compile(r"(readme|licen[cs]e|notice|changelog|requirements)\b", re.IGNORECASE)  # files that nobody takes for stories
MADE = ("names.txt", "story.txt")  # what memnet data make writes beside them: names for --names, a story to ask about
READ_OTHERWISE = {".csv": "memnet data make reads tables", ".tsv": "memnet data make reads tables"}
PACKED = (".gz", ".zip", ".bz2", ".xz", ".zst", ".tar", ".tgz", ".7z")

Groups = dict[str, dict[str, list[Path]]]  # by what stands before the part's name; by part, "test near" a split of tests


class Found(NamedTuple):
    """A file of a data set."""

    path: Path
    before: str
    part: str
    after: str


def part_of(name: str) -> tuple[str, str, str] | None:
    """What stands before ``train`` / ``test`` / ``valid`` / ``candidates`` in a file's name, which it is, and what follows."""
    stem, dot, kind = name.rpartition(".")
    stem = PIECE.sub("", stem)
    found = list(WORD.finditer(stem)) or list(PART.finditer(stem))
    if (dot + kind).lower() not in KINDS or not found:
        return None
    part = found[-1][0].lower()
    return stem[: found[-1].start()], named_part(part), stem[found[-1].end() :].strip("_-. ")


def named_part(name: str) -> str:
    """The part that a word names."""
    return NAMES.get(name.lower(), name.lower())


def files_in(folder: Path) -> Iterator[Found]:
    """The files of data sets in a folder, and in its folders that are named as a part is."""
    for path in sorted(folder.iterdir()):
        if path.is_file() and (found := part_of(path.name)):
            yield Found(path, *found)
        elif path.is_dir() and (part := named_part(path.name)) in (*PARTS, "valid"):
            for inner in sorted(path.iterdir()):
                if inner.is_file() and inner.suffix.lower() in KINDS:
                    stem = PIECE.sub("", inner.stem)
                    before, _, after = part_of(inner.name) or ("" if stem.isdigit() else stem, "", "")
                    yield Found(inner, before, part, after)


def grouped(folder: Path, depth: int = DEPTH) -> Groups:
    """The files of a folder by data set and part; of its folders where it has none. Raises :class:`DataError`."""
    groups: Groups = {}
    for path, before, part, after in files_in(folder):
        key = f"{part} {after}".strip() if part == "test" else part
        groups.setdefault(before, {}).setdefault(key, []).append(path)
    groups = {before: parts for before, parts in groups.items() if parts.keys() - {"candidates"}}
    for parts in groups.values():
        for key, paths in parts.items():
            check_pieces(key, paths)
    if groups or not depth:
        return groups
    for inner in sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")):
        for before, parts in grouped(inner, depth - 1).items():
            groups["-".join(filter(None, ["" if inner.name in UNNAMED else inner.name, before]))] = parts
    return groups


def check_pieces(key: str, paths: list[Path]) -> None:
    """Refuse two files of one part that are no pieces of one, and pieces that are not all there. Raises :class:`DataError`."""
    pieces = [PIECE.search(path.stem) for path in paths]
    numbered = len({path.parent for path in paths}) == 1 and all(path.stem.isdigit() for path in paths)
    if len(paths) > 1 and not (all(pieces) or numbered):
        raise DataError(
            f"{paths[0]} and {paths[1]} are both '{key}' of one task; name them so that what stands before train / test differs"
        )
    there = {(int(piece[1]), int(piece[2])) for piece in pieces if piece}
    for count in {total for _, total in there}:
        if missing := sorted(set(range(count)) - {number for number, _ in there}):
            raise DataError(f"{paths[0]} is one of {count} pieces, and piece {missing[0]:05d} is not beside it")
    if len({total for _, total in there}) > 1 or len(there) < sum(map(bool, pieces)):
        raise DataError(f"{paths[0]} and the files beside it are pieces of several files; keep those of one")


def unused(folder: Path, groups: Groups) -> list[str]:
    """The files beside those of data sets that are not read though somebody may have meant them: of each why."""
    first, others = min(groups, default=""), beside(folder, used_by(groups))
    expected = "expected train, test, valid or candidates in its name, such as"
    return [
        f"{path.relative_to(folder)} is not read: "
        f"{reason(path) or (FOLDERS if path.parent in others else f'{expected} {meant_name(path, first)}')}"
        for path in files_beside(folder, groups)
    ]


def used_by(groups: Groups) -> set[Path]:
    """The files of data sets."""
    return {path for parts in groups.values() for paths in parts.values() for path in paths}


def files_beside(folder: Path, groups: Groups) -> list[Path]:
    """The files beside those of data sets that somebody may have meant."""
    used = used_by(groups)
    places = {folder, *(path.parent for path in used), *beside(folder, used)}
    return [
        path
        for place in sorted(places)
        for path in sorted(place.iterdir())
        if path.is_file() and path not in used and may_be_meant(path)
    ]


def meant_name(path: Path, before: str) -> str:
    """The name of a file that is not read as one of a data set whose files' names begin so: a misspelled part as it is spelt,
    else that of one more split of test stories.

    >>> [meant_name(Path(name), "kin_") for name in ("kin_tst_four.txt", "kin_far.txt", "far.txt")]
    ['kin_test_four.txt', 'kin_test_far.txt', 'kin_test_far.txt']
    """
    kind = path.suffix if path.suffix.lower() in KINDS else KINDS[0]
    if word := misspelled(path):
        return path.stem.replace(*word, 1) + kind
    return f"{before}test_{path.stem.removeprefix(before)}{kind}"


def misspelled(path: Path) -> tuple[str, str] | None:
    """A word of a file's name that is nearly the name of a part, and that name; None where there is none."""
    for word in re.findall(r"[^\W\d_]+", path.stem):
        if word.lower() not in NAMES and (near := get_close_matches(word.lower(), (*PARTS, "valid", "candidates"), 1, NEAR)):
            return word, near[0]
    return None


def beside(folder: Path, used: set[Path]) -> set[Path]:
    """The folders beside those that are named as parts are, where stories are laid out so."""
    parts = {path.parent for path in used if path.parent != folder and named_part(path.parent.name) in NAMES.values()}
    around = {path for place in {part.parent for part in parts} for path in place.iterdir()}
    return {path for path in around - parts if path.is_dir() and not path.name.startswith(".")}


def may_be_meant(path: Path) -> bool:
    """Whether a person may have meant a file to be one of a data set: by its ending, or by a word in its name."""
    if path.name.startswith(".") or path.name in MADE or ABOUT.match(path.name):
        return False
    return path.suffix.lower() in KINDS or bool(WORD.search(path.stem) or PART.search(path.stem))


def reason(path: Path) -> str:
    """Why a file is not read whose name says what it is, and what to do; nothing where its name does not say it."""
    kind, found = path.suffix.lower(), part_of(path.name)
    if kind not in KINDS:
        return READ_OTHERWISE.get(
            kind, "unpack it" if kind in PACKED else f"write it as {', '.join(KINDS[:-1])} or {KINDS[-1]}"
        )
    return "" if found is None else f"there are no {found[0]}train and {found[0]}test files here"
