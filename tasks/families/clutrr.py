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
from .archive import DAMAGED_ZIP, places
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
NOISE = {"06b8f2a1": "2", "523348e6": "3", "d83ecc3e": "4"}  # of the sets that train with it
NEEDED = ("story", "query", "target", "story_edges", "edge_types", "genders")
COLUMNS = (
    *("", "id", "story", "query", "text_query", "target", "text_target", "clean_story", "proof_state", "f_comb", "task_name"),
    *("story_edges", "edge_types", "query_edge", "genders", "syn_story", "node_mapping", "task_split"),
)
ANEW = f"get the file anew from {ADDRESS}"
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


def rows(name: str, text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a file with their lines. Raises :class:`DataError` for other columns, and for a row that is cut short."""
    reader, empty = csv.reader(io.StringIO(text), strict=True), True
    try:
        columns = next(reader, [])
        strange = [f"lacks {one}" for one in NEEDED if one not in columns]
        strange += [f"also has {one[:40]!r}" for one in columns if one not in COLUMNS]
        if strange:
            raise DataError(f"{name}, line 1: it {strange[0]}; expected CLUTRR's columns {', '.join(COLUMNS[1:])}; {ANEW}")
        for fields in filter(None, reader):
            if len(fields) != len(columns):
                raise DataError(f"{name}, line {reader.line_num}: {len(fields)} fields, expected {len(columns)}; {ANEW}")
            empty = False
            yield reader.line_num, dict(zip(columns, fields, strict=True))
    except csv.Error as error:
        raise DataError(
            f"{name}, line {reader.line_num}: it is no table ({error}); expected CLUTRR's columns; {ANEW}"
        ) from error
    if empty:
        raise DataError(f"{name}, line 1: the file has no row; {ANEW}")


def stories(name: str, text: str, kind: str) -> list[Story]:
    """The stories of a file, one a row. Of kind ``EDGES`` they ask in turn for what is asked and for each edge.

    Raises :class:`DataError`.
    """
    found: list[Story] = []
    for line, row in rows(name, text):
        try:
            gold = edges(row) if kind else ()
            told = tuple(one.statement for one in gold) if kind == GRAPH else sentences(row["story"])
            first, second = ast.literal_eval(row["query"])
            answer = row["target"]
            if not (told and answer and isinstance(first, str) and isinstance(second, str)):
                raise ValueError("a field is empty")
            if lost := [who for who in (first, second) if f"[{who}]" not in row["story"]]:
                raise ValueError(f"it asks about {lost[0]}, who is not in the story")
        except (AttributeError, IndexError, MemoryError, RecursionError, SyntaxError, TypeError, ValueError) as error:
            raise DataError(
                f"{name}, line {line}: expected CLUTRR's columns story, query, target, story_edges, edge_types and "
                f"genders ({type(error).__name__}: {error}); {ANEW}"
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
            except DAMAGED_ZIP as error:
                raise NotAtHand(f"{archive} is no zip file that can be read ({error}); get it from {ADDRESS}") from error
            return
    found = " or ".join(map(str, looked))
    raise NotAtHand(
        f"CLUTRR's set {member} is not here (looked in {found}): get data_{member}.zip from {ADDRESS} and put it there"
    )


def tests_of(name: str) -> list[tuple[str, int]]:
    """The tests that a set has, by noise and steps."""
    kind_of_set = KINDS[NOISE.get(name, "1")]
    return (
        [(kind_of_set, steps) for steps in range(2, 11)]
        if name not in NOISE
        else [(kind_of_set, 2), *((kind, 3) for kind in KINDS.values())]
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
    if not train:
        raise DataError(f"CLUTRR's set {plain} has no file that ends with _train.csv; get data_{plain}.zip anew from {ADDRESS}")
    if lacks := [test for test in tests_of(plain) if test not in splits]:
        noise = {title: digit for digit, title in KINDS.items()}
        names = ", ".join(f"{noise[kind]}.{steps}_test.csv" for kind, steps in lacks)
        raise DataError(f"CLUTRR's set {plain} has no file {names}; get data_{plain}.zip anew from {ADDRESS}")
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
