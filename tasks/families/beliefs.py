"""The files of stories about beliefs: bAbI's format in a folder or a zip file, a story copied for each of its questions.

    1 Carter entered the porch.
    2 Abigail entered the porch.
    3 The potato is in the green_suitcase.
    4 Abigail exited the porch.
    5 Carter moved the potato to the green_envelope.
    6 Where will Abigail look for the potato? <TAB>green_suitcase<TAB>1

Copies become one story again. An underscore is read as a hyphen, so that ``green-suitcase`` is one word. The supporting line
of a question is always 1 and says nothing, so questions have no supporting facts.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from ..files import DataError
from ..text import FormatError, Question, Story, decode, parse
from .archive import DAMAGED_ZIP, places
from .family import NotAtHand

MEMORY, REALITY, FIRST, SECOND = "memory", "reality", "first order", "second order"
TRUE, FALSE = "true belief", "false belief"  # whether what is believed is so, and whether a story has somebody mistaken
SECOND_FALSE = "second-order false belief"
FORMS = (  # of questions, by what they begin with
    (re.compile(r"Where was the \S+ at the beginning\?"), MEMORY),
    (re.compile(r"Where is the \S+ really\?"), REALITY),
    (re.compile(r"Where will \w+ look for the \S+\?"), FIRST),
    (re.compile(r"Where does \w+ think that \w+ searches for the \S+\?"), SECOND),
)
NO_FORM = (
    "none of the questions of these data: expected Where was the THING at the beginning?, Where is the THING really?, "
    "Where will NAME look for the THING? or Where does NAME think that NAME searches for the THING?"
)
OBSERVERS = re.compile(r"(?m)(?<=\.)\t[\d ]*$")  # numbers of those who see it, after a statement of some files


@dataclass(frozen=True)
class Files:
    """Files of one data set, read whole, and where they come from."""

    source: Path
    address: str  # of who publishes them
    content: dict[str, bytes]  # by name

    @property
    def hash(self) -> str:
        """Of all of them."""
        return hashlib.sha256(b"".join(self.content[name] for name in sorted(self.content))).hexdigest()[:12]

    def name(self, file: str) -> str:
        """Of a file, for messages."""
        return str(self.source / file)

    def text(self, file: str) -> str:
        """Raises :class:`~memnet.tasks.text.FormatError` where it is no UTF-8."""
        return decode(self.content[file], self.name(file))

    def stories(self, file: str, each: int = 1) -> list[Story]:
        """The stories of a file, copies as one, with a multiple of ``each`` questions.

        Raises :class:`~memnet.tasks.text.FormatError` with the line.
        """
        name, text = self.name(file), OBSERVERS.sub("", self.text(file)).replace("_", "-")
        found: list[Story] = []
        line = 1
        for statements, group in groupby(parse(text, name), key=lambda story: story.statements):
            copies = list(group)
            questions = tuple(replace(one, supporting_facts=()) for copy in copies for one in copy.questions)
            if not questions or len(questions) % each:
                raise FormatError(
                    f"{name}:{line}: the story that begins here has {len(questions)} question(s), expected {each}; get the "
                    f"file again from {self.address}"
                )
            line += len(copies) * len(statements) + len(questions)
            found.append(Story(statements, questions))
        for at, (asked, tab, _) in enumerate((line.partition("\t") for line in text.split("\n")), 1):
            if tab and not form_of(asked.partition(" ")[2]):
                raise FormatError(
                    f"{name}:{at}: {asked.partition(' ')[2][:60]!r} is {NO_FORM}; get the file again from {self.address}"
                )
        return found


def find_files(
    names: Sequence[str], inside: str, archive: str, folder: str, title: str, address: str, data: Path | None
) -> Files:
    """Files called ``inside/NAME`` in a zip file, or in a folder that was unpacked from it, below ``families/folder``.

    Raises :class:`NotAtHand` where there is neither, or one of the files is missing.
    """
    looked = [place / "families" / folder for _, place in places(data)]
    looked = [*([data] if data is not None else []), *looked]
    for place in looked:
        if (place / archive).is_file():
            return Files(place / archive, address, unzipped(place / archive, inside, names, address))
        for root in (place / archive.removesuffix(".zip") / inside, place / inside):
            if root.is_dir():
                return Files(root, address, read_folder(root, names, address))
    found = " or ".join(map(str, looked))
    raise NotAtHand(f"{title} is not here (looked for {archive} in {found}): get it from {address} and put it there")


def unzipped(path: Path, inside: str, names: Iterable[str], address: str) -> dict[str, bytes]:
    """Files of a zip file. Raises :class:`NotAtHand` where it is none or lacks one."""
    try:
        with zipfile.ZipFile(path) as archive:
            there = set(archive.namelist())
            if missing := [name for name in names if f"{inside}/{name}" not in there]:
                raise NotAtHand(f"{path} has no file {inside}/{missing[0]}; get it again from {address}")
            return {name: archive.read(f"{inside}/{name}") for name in names}
    except DAMAGED_ZIP as error:
        raise NotAtHand(f"{path} cannot be read as a zip file ({error}); get it again from {address}") from error


def read_folder(root: Path, names: Iterable[str], address: str) -> dict[str, bytes]:
    """Files of a folder. Raises :class:`NotAtHand` where one is missing or cannot be read."""
    try:
        return {name: (root / name).read_bytes() for name in names}
    except OSError as error:
        raise NotAtHand(f"{error.filename} cannot be read ({error.strerror}); get it from {address}") from error


def form_of(text: str) -> str:
    """What the text of a question asks for, nothing where it is of no known form."""
    return next((kind for form, kind in FORMS if form.fullmatch(text.strip())), "")


def order_of(question: Question) -> str:
    """What a question asks for. Raises :class:`~memnet.tasks.files.DataError`."""
    if found := form_of(question.text):
        return found
    raise DataError(f"{question.text.strip()!r} is {NO_FORM}")


def without_second(stories: Iterable[Story]) -> list[Story]:
    """The stories without their questions of the second order; those that have no other are left out."""
    kept = (replace(one, questions=tuple(q for q in one.questions if order_of(q) != SECOND)) for one in stories)
    return [story for story in kept if story.questions]
