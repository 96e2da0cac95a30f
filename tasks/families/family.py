"""What a data set is: a task is its stories, a family is the tasks that are made and judged in one way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ..files import DataError
from ..scores import RANKED, SCORES
from ..text import Question, Story, divide, one_line
from .loaded import loaded

MEMBER = re.compile(r"(?P<family>[\w.-]+)/(?P<member>[\w.+ -]+?)(?:@(?P<seed>\d+))?")
FAILS_ABOVE = 5.0  # error in percent above which a data set fails (Weston et al. 2015), unless its family says otherwise
ALL = "all"  # in a member's place


class Name(NamedTuple):
    """A data set's name, ``family/member@seed``; a seed of 0 is not written.

    >>> str(Name.read("sim/qa1@3")), Name.read("babi-10k/qa2").member, Name.read("qa1")
    ('sim/qa1@3', 'qa2', None)
    """

    family: str
    member: str
    seed: int = 0

    @classmethod
    def read(cls, text: str) -> Name | None:
        """The parts of a name, None where it is no full name."""
        match = MEMBER.fullmatch(text)
        return cls(match["family"], match["member"], int(match["seed"] or 0)) if match else None

    def __str__(self) -> str:
        return f"{self.family}/{self.member}" + (f"@{self.seed}" if self.seed else "")


@dataclass(frozen=True)
class Task:
    """The stories of one data set: to learn from, to choose by (where it has such), and to test on, in one or more splits."""

    name: str  # family/member@seed
    train: list[Story]
    splits: Mapping[str, list[Story]]  # of test stories, by name
    hash: str  # of the files' bytes, or of the stories where they come from no file
    valid: list[Story] | None = None
    files: Mapping[str, Path] = field(default_factory=dict)  # of one's own: by part, or by part and split
    unused: tuple[str, ...] = ()  # sentences on the files beside them that are not read
    doubts: tuple[str, ...] = ()  # sentences on what stands in them

    @classmethod
    def of(cls, name: str, train: list[Story], test: list[Story], hash: str = "0", valid: list[Story] | None = None) -> Task:
        """A data set of stories at hand, with one set of test stories."""
        return cls(name, train, {"test": test}, hash, valid)

    def __repr__(self) -> str:
        train, test = (sum(len(story.questions) for story in stories) for stories in (self.train, self.test))
        return one_line(f"<Task {self.name}: {train:,} training and {test:,} test questions>")

    @property
    def test(self) -> list[Story]:
        """The test stories of all splits."""
        return [story for stories in self.splits.values() for story in stories]

    @property
    def family(self) -> str:
        """The first part of its name."""
        return self.name.partition("/")[0]

    @property
    def member(self) -> str:
        """Its name in its family, without a seed."""
        return self.name.partition("/")[2].partition("@")[0]

    @property
    def seed(self) -> int:
        """Which stories these are, where they are drawn."""
        return int(self.name.partition("@")[2] or 0)

    def split(self, share: float) -> tuple[list[Story], list[Story]]:
        """Training and validation stories: its own to validate with, or the last ``share`` of the training questions."""
        if self.valid is not None:
            return self.train, self.valid
        total = sum(len(story.questions) for story in self.train)
        left = total - max(1, round(total * share))
        if left < 1:
            raise DataError(f"{self.name} has {total} training question(s); at least 2 are needed, one to validate with")
        return divide(self.train, left)


class NotAtHand(DataError):
    """A data set is nowhere on this machine."""


class Fetch(NamedTuple):
    """Where a family's files come from: they are fetched, never shipped."""

    address: str  # a page that people can open
    size: str  # of the download, in words
    checksum: str  # of it, or the file that lists those of its parts


@dataclass(frozen=True)
class Family:
    """Data sets that are made, named and judged in one way. ``load(member, seed, folder)`` gives the stories of one."""

    name: str
    title: str
    members: Mapping[str, str]  # name -> title, in the order of tables; none: ``load`` says what a name means
    load: Callable[[str, int, Path | None], Task]
    made: str  # whence its stories are: published, simulated, transfer, resampled, own ...; tables never mix two of these
    score: str = "exact"  # how an answer is judged, a name in tasks.scores.SCORES
    fails_above: float = FAILS_ABOVE
    seeds: Sequence[int] | None = None  # that a name may end with; None: its stories are one set
    drawn: bool = False  # whether the simulator draws its stories, and training can have fresh ones (stream)
    fresh: Callable[[str, int, int], list[Story]] | None = None  # another way to draw some: member, questions, seed
    training: Callable[[str, int, Path | None], Iterable[Story]] | None = None  # the training stories one by one, of what
    # ``load`` takes; for a look, where all stories of a member take long to make
    names: Callable[[], frozenset[str]] | None = None  # the words of its stories that are of names, where they are known
    symmetric: Mapping[str, Sequence[Sequence[str]]] = field(default_factory=dict)  # member -> groups of words that its world
    # treats alike, where they are known: swapped in a whole story they leave it true
    fetch: Fetch | None = None
    licence: str = ""
    learned_by: str = ""  # the kind of network that learns it where nobody names one; empty: that of a preset

    def __post_init__(self) -> None:
        """Raise :class:`DataError` where a plugin's file has it wrong."""
        for wrong in self.faults():
            raise DataError(f"the family {self.name!r} {wrong}")

    def faults(self) -> Iterator[str]:
        """What is wrong with it, each the end of a sentence."""
        members = self.members if isinstance(self.members, Mapping) else {}
        if not (isinstance(self.name, str) and Name.read(f"{self.name}/x")):
            yield "has a name that nobody can type; use letters, digits, '-', '_' and '.'"
        for what in ("title", "made"):
            if not (isinstance(text := getattr(self, what), str) and text.strip()):
                yield f"has the {what} {text!r}; expected words"
        if members is not self.members:
            yield "needs members that are a dict of titles by name, such as {'qa1': 'One fact'}; without any, {}"
        for member, title in members.items():
            if not (isinstance(member, str) and (name := Name.read(f"x/{member}")) and name.member == member.strip() != ALL):
                yield f"has the member {member!r}; use letters, digits, '-', '_', '+' and '.', and not {ALL!r}"
            if not (isinstance(title, str) and title.strip()):
                yield f"lacks the title of its member {member!r}"
        for what in ("load", "fresh", "names"):
            if not callable(given := getattr(self, what)) and (given is not None or what == "load"):
                yield f"needs a function as {what}, not {given!r}"
        if self.score not in SCORES:
            yield f"has the score {self.score!r}; expected {', '.join(SCORES)}"
        if not (isinstance(self.fails_above, int | float) and 0 <= self.fails_above <= 100):
            yield f"fails above {self.fails_above!r} %; expected 0 to 100"
        if self.seeds is not None and not (isinstance(self.seeds, Sequence) and self.seeds):
            yield f"has the seeds {self.seeds!r}; expected some, such as range(10)"
        if unknown := [member for member in self.symmetric if member not in members]:
            yield f"has no member {unknown[0]!r}, of which symmetric speaks"

    def __repr__(self) -> str:
        return one_line(f"<Family {self.name}: {self.title}; {len(self.members)} members>")

    @property
    def trained_on(self) -> str:
        """How its training stories are made: those of one to transfer from are simulated."""
        return "simulated" if self.drawn or self.fresh else self.made

    def task(self, member: str, seed: int = 0, folder: Path | None = None, first: int | None = None) -> Task:
        """One data set; with ``first`` it may have no more than so many training stories, and no others, if that is faster.

        Raises :class:`DataError` for a member or seed that there is not, and where it is not at hand.
        """
        if self.members and member not in self.members:
            raise DataError(f"{self.name} has no {member!r}: expected {listed(self.members)}, or {ALL}")
        if seed and self.seeds is None:
            raise DataError(f"{self.name}/{member}@{seed}: these stories are one set and take no seed; leave @{seed} out")
        if self.seeds is not None and seed not in self.seeds:
            raise DataError(f"{self.name}/{member} has stories @{self.seeds[0]} to @{self.seeds[-1]}, not @{seed}")
        if first is not None and self.training is not None:
            return Task(str(Name(self.name, member, seed)), list(islice(self.training(member, seed, folder), first)), {}, "")
        found = loaded(self.load, Task, str(Name(self.name, member, seed)), member, seed, folder)
        if self.score in RANKED:
            for one in questions_of(found.test):
                if not one.candidates:
                    raise DataError(f"{found.name}: {one.text!r} has no candidates, among which {self.score} ranks answers")
        return found


def listed(members: Iterable[str]) -> str:
    """Names for a message: the first and the last of many."""
    names = list(members)
    return f"{names[0]} to {names[-1]}" if len(names) > 12 else ", ".join(names)


def questions_of(stories: Iterable[Story]) -> list[Question]:
    """Every question of stories, in order."""
    return [question for story in stories for question in story.questions]
