"""CLUTRR (Sinha et al. 2019, arXiv 1908.06177): how two people are related, of stories that the crowd has worded.

Learned from two and three steps (one set also from four), asked up to ten. Three sets have noise: facts that support the way,
that lead away from it, or that are of others. ``-graph`` has the same questions after the edges of the gold graph, a statement
each; ``-edges`` has the text, and most training stories ask for an edge of their gold graph in place of their question. Names
stand in brackets, as published. CC BY-NC 4.0 of its authors: it is read where somebody has it, and not shipped.
"""

from __future__ import annotations

import ast
import csv
import hashlib
import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from ..files import DataError
from ..text import Question, Story
from .archive import places
from .family import Family, Fetch, NotAtHand, Task

ADDRESS = "https://github.com/uclnlp/ctp"
FOLDER = Path("families") / "clutrr"
SETS = {
    "089907f8": "two and three steps, clean",
    "db9b8f04": "two to four steps, clean",
    "06b8f2a1": "two and three steps, with facts that support the way",
    "523348e6": "two and three steps, with facts that lead away",
    "d83ecc3e": "two and three steps, with facts about others",
}
GRAPH, EDGES = "-graph", "-edges"
MEMBERS = {
    name + kind: title + source
    for kind, source in {"": ", from text", GRAPH: ", from the gold graph", EDGES: ", from text, edges asked for"}.items()
    for name, title in SETS.items()
}
KINDS = {"1": "clean", "2": "supporting", "3": "irrelevant", "4": "disconnected"}
TEST = re.compile(r"(?P<kind>[1-4])\.(?P<steps>\d+)_test\.csv")
END = re.compile(r"(?<=[.!?])\s+(?=\[|[A-Z])|(?<=\])\s+(?=\[)")  # of a sentence; where one name follows another, too


def sentences(story: str) -> tuple[str, ...]:
    """The sentences of a story, which are its statements.

    >>> sentences("[Ann] has a son. His name is [Bob] [Cid] is a friend.")
    ('[Ann] has a son.', 'His name is [Bob]', '[Cid] is a friend.')
    """
    return tuple(text for part in END.split(" ".join(story.split())) if (text := part.strip()))


class Edge(NamedTuple):
    """An edge of a gold graph: who is the ``kind`` of ``whom``."""

    who: str
    kind: str
    whom: str

    @property
    def statement(self) -> str:
        """As a statement of a story."""
        return f"[{self.who}] is the {self.kind} of [{self.whom}]."

    def question(self, after: int) -> Question:
        """As a question about a story, after so many statements."""
        return Question(f"How is [{self.who}] related to [{self.whom}]?", self.kind, (), after)


def edges(row: Mapping[str, str]) -> tuple[Edge, ...]:
    """The edges of the gold graph that are named: (a, father, b) says that b is the father of a."""
    people = [person.partition(":")[0] for person in row["genders"].split(",")]
    kinds, pairs = ast.literal_eval(row["edge_types"]), ast.literal_eval(row["story_edges"])
    return tuple(Edge(people[b], kind, people[a]) for (a, b), kind in zip(pairs, kinds, strict=False))


def stories(name: str, text: str, kind: str) -> list[Story]:
    """The stories of a file, one a row. Of kind ``EDGES`` they ask in turn for what is asked and for each edge.

    Raises :class:`DataError`.
    """
    reader = csv.DictReader(io.StringIO(text))
    found: list[Story] = []
    for row in reader:
        try:
            gold = edges(row) if kind else ()
            told = tuple(one.statement for one in gold) if kind == GRAPH else sentences(row["story"])
            first, second = ast.literal_eval(row["query"])
            answer = row["target"]
            if not (told and answer and isinstance(first, str) and isinstance(second, str)):
                raise ValueError("a field is empty")
        except (AttributeError, IndexError, KeyError, SyntaxError, TypeError, ValueError) as error:
            raise DataError(
                f"{name}, line {reader.line_num}: expected CLUTRR's columns story, query, target, story_edges, edge_types and "
                f"genders ({type(error).__name__}: {error}); get the file anew"
            ) from error
        known = [Edge(second, answer, first)]
        if kind == EDGES:
            known += gold
        asked = known[len(found) % len(known)]
        found.append(Story(told, (asked.question(len(told)),)))
    return found


def files(member: str, data: Path | None) -> Iterator[tuple[str, bytes]]:
    """The files of a set, of its folder or zip file. Raises :class:`NotAtHand` where it is nowhere, or broken."""
    looked = [*([data] if data is not None else []), *(folder / FOLDER for _, folder in places(data))]
    for folder in looked:
        path = folder / f"data_{member}"
        if path.is_dir():
            yield from ((str(file), file.read_bytes()) for file in sorted(path.glob("*.csv")))
            return
        archive = path.with_suffix(".zip")
        if archive.is_file():
            try:
                with zipfile.ZipFile(archive) as opened:
                    yield from (
                        (f"{archive}: {one}", opened.read(one)) for one in sorted(opened.namelist()) if one.endswith(".csv")
                    )
            except (OSError, zipfile.BadZipFile) as error:
                raise NotAtHand(f"{archive} is no zip file that can be read ({error}); get it from {ADDRESS}") from error
            return
    found = " or ".join(map(str, looked))
    raise NotAtHand(
        f"CLUTRR's set {member} is not here (looked in {found}): get data_{member}.zip from {ADDRESS} and put it there"
    )


def load(member: str, seed: int = 0, data: Path | None = None) -> Task:
    """One set, from text or from its graph; a split for each test file, by its noise and number of steps."""
    plain, minus, last = member.partition("-")
    kind = minus + last
    train: list[Story] = []
    splits: dict[tuple[str, int], list[Story]] = {}
    digest = hashlib.sha256()
    for name, content in files(plain, data):
        digest.update(content)
        try:
            file = re.split(r"[/\\ ]", name)[-1]
            test = TEST.fullmatch(file)
            found = stories(name, content.decode("utf-8"), "" if test and kind == EDGES else kind)
        except UnicodeDecodeError as error:
            raise DataError(f"{name} is not UTF-8 text ({error}); get the file anew") from error
        if test:
            splits[KINDS[test["kind"]], int(test["steps"])] = found
        elif file.endswith("_train.csv"):
            train += found
    if not (train and splits):
        lacks = "_train.csv" if not train else "_test.csv"
        raise DataError(f"CLUTRR's set {plain} has no file that ends with {lacks}; get data_{plain}.zip anew from {ADDRESS}")
    order = {f"{kind} {steps}": splits[kind, steps] for kind, steps in sorted(splits)}
    return Task(f"clutrr/{member}", train, order, digest.hexdigest()[:12])


FAMILIES = (
    Family(
        "clutrr",
        "how people are related, two to ten steps, in the words of the crowd",
        MEMBERS,
        load,
        "published",
        fetch=Fetch(ADDRESS, "5 MB", "of the files' bytes, in a run's record"),
        licence="CC BY-NC 4.0",
    ),
)
