"""Stories from a table of one's own: by templates with a column's name in braces, or from a table that holds stories.

    statement   {who} took the {thing} to the {place}.
    question    Where is the {thing}?
    answer      {place}

A row is a fact. A story tells some rows in order; a question asks about one of them and is answered by the newest row told
that agrees with it in every column of the question. That row is the supporting fact.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from .files import DataError, new_folder
from .simulator import shared_questions
from .table import Row, read_table
from .text import FormatError, Question, Story, words, write
from .text.names import may_name

COLUMN = re.compile(r"\{([^{}]*)\}")
TEST_SHARE = 5  # of one's own rows or stories the last fifth is for the test questions
FEWEST = 2  # rows of a story, and rows or stories of a part
NAMES = "names.txt"
STORY_COLUMNS = ("story", "text", "answer")


@dataclass(frozen=True)
class Template:
    """A text with the names of columns in braces.

    >>> Template("{who} took the {thing}.").fill({"who": "Ann", "thing": "drill"})
    'Ann took the drill.'
    """

    text: str

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it names, lower-cased as a table's are."""
        return tuple(name.strip().lower() for name in COLUMN.findall(self.text))

    def fill(self, cells: Mapping[str, str]) -> str:
        """The text of a row."""
        return COLUMN.sub(lambda found: cells[found[1].strip().lower()], self.text)


@dataclass(frozen=True)
class Asked:
    """A question about a row, and its answer, as templates."""

    question: Template
    answer: Template

    def of(self, rows: Sequence[Row], about: Row) -> Question:
        """The question about a row, when these are told: the newest that agrees with it in the question's columns answers."""
        key = [about.cells[name] for name in self.question.columns]
        fact = max(place for place, row in enumerate(rows) if [row.cells[name] for name in self.question.columns] == key)
        return Question(self.question.fill(about.cells), self.answer.fill(rows[fact].cells), (fact,), len(rows))


@dataclass(frozen=True)
class Templates:
    """How rows are told, in any of several ways, and what is asked of them."""

    statements: tuple[Template, ...]
    asked: tuple[Asked, ...]

    @classmethod
    def of(cls, statements: Sequence[str], questions: Sequence[str], answers: Sequence[str]) -> Templates:
        """From texts: an answer a question, in the same order. Raises :class:`DataError` where they make no sense."""
        if not statements or not questions or len(questions) != len(answers):
            raise DataError("a table of facts needs a statement or more, a question or more, and an answer for each question")
        asked = tuple(Asked(Template(one), Template(other)) for one, other in zip(questions, answers, strict=True))
        for text in (*statements, *questions, *answers):
            if re.search(r"[{}]", COLUMN.sub("", text)):
                raise DataError(f"{text!r} has a brace without its partner; a column is written {{name}}")
        for text in statements:
            if text.rstrip().endswith("?"):
                raise DataError(f"the statement {text!r} is a question; a statement ends with a full stop")
        for each in asked:
            if not set(each.answer.columns) - set(each.question.columns):
                raise DataError(
                    f"the answer {each.answer.text!r} must name a column in braces that its question {each.question.text!r}"
                    " does not"
                )
        return cls(tuple(map(Template, statements)), asked)

    def columns(self) -> dict[str, str]:
        """Every column that is named, with the first text that names it."""
        texts = (*self.statements, *(part for each in self.asked for part in (each.question, each.answer)))
        return {name: template.text for template in reversed(texts) for name in template.columns}

    def story(self, rows: Sequence[Row], draw: Random) -> Story:
        """These rows told in order, and a question about one of them."""
        told = tuple(draw.choice(self.statements).fill(row.cells) for row in rows)
        return Story(told, (draw.choice(self.asked).of(rows, draw.choice(rows)),))


def facts(path: Path, templates: Templates) -> list[Row]:
    """The rows of a table that templates are filled with.

    Raises :class:`FormatError`, which names file and line, for a column that is not there and a cell that cannot be told.
    """
    columns, rows = read_table(path, ())
    for name, text in templates.columns().items():
        if name not in columns:
            raise FormatError(f"{path}:1: there is no column {name!r}, which {text!r} names; there are {', '.join(columns)}")
    for row in rows:
        for name in templates.columns():
            cell = row.cells[name]
            if not words(cell):
                raise FormatError(f"{path}:{row.line}: the column {name!r} is empty or has no word in it")
            if set(cell) & set("\t\r\n?"):
                raise FormatError(f"{path}:{row.line}: {cell!r} has a tab, a line break or a question mark in it")
    return rows


def stories_of_rows(rows: Sequence[Row], templates: Templates, number: int, longest: int, draw: Random) -> list[Story]:
    """Stories of 2 to ``longest`` rows that follow each other in the table, each with a question."""
    stories = []
    for _ in range(number):
        length = draw.randint(FEWEST, min(longest, len(rows)))
        first = draw.randrange(len(rows) - length + 1)
        stories.append(templates.story(rows[first : first + length], draw))
    return stories


def combined_stories(rows: Sequence[Row], templates: Templates, number: int, longest: int, draw: Random) -> list[Story]:
    """Stories of 2 to ``longest`` rows whose cells are drawn, each column by itself, from a few of its values."""
    values = {name: list(dict.fromkeys(row.cells[name] for row in rows)) for name in templates.columns()}
    stories = []
    for _ in range(number):
        length = draw.randint(FEWEST, longest)
        few = {name: draw.sample(found, min(len(found), max(FEWEST, length // 2 + 1))) for name, found in values.items()}
        drawn = [Row(0, {name: draw.choice(found) for name, found in few.items()}) for _ in range(length)]
        stories.append(templates.story(drawn, draw))
    return stories


def from_facts(
    path: Path, templates: Templates, train: int, test: int, longest: int, combine: bool, seed: int
) -> dict[str, list[Story]]:
    """Training and test stories of a table of facts, and all its rows as one story.

    The test stories are of the last fifth of the rows, and the others of the rest; where the columns are combined, both are
    drawn from all values. Raises :class:`FormatError` and :class:`DataError`.
    """
    rows, draw = facts(path, templates), Random(seed)
    last = len(rows) // TEST_SHARE
    if not combine and last < FEWEST:
        raise DataError(
            f"{path} has {len(rows)} rows; expected {FEWEST * TEST_SHARE} or more, the last fifth for testing; "
            "--combine draws any number of stories from the values of each column"
        )
    if not rows:
        raise DataError(f"{path} has no row below its first line")
    make = combined_stories if combine else stories_of_rows
    parts = (rows, rows) if combine else (rows[:-last], rows[-last:])
    train_stories, test_stories = (
        make(part, templates, number, longest, draw) for part, number in zip(parts, (train, test), strict=True)
    )
    whole = Story(tuple(templates.statements[0].fill(row.cells) for row in rows), ())
    return {"train": train_stories, "test": test_stories, "story": [whole]}


def from_stories(path: Path) -> dict[str, list[Story]]:
    """Training and test stories of a table with the columns story, text and answer: a row with an answer is a question.

    Rows with the same ``story`` are one story, wherever they stand. A column ``facts``, where there is one, has the numbers
    of the statements that a question rests on, counted from 1 in its story. The last fifth of the stories is for testing.
    Raises :class:`FormatError`, which names file and line, and :class:`DataError`.
    """
    _, rows = read_table(path, STORY_COLUMNS)
    told: dict[str, tuple[list[str], list[Question]]] = {}  # by story, in the order in which they begin
    for row in rows:
        statements, asked = told.setdefault(row.cells["story"], ([], []))
        said = line_of(path, row, len(statements))
        if isinstance(said, Question):
            asked.append(said)
        else:
            statements.append(said)
    stories = [Story(tuple(statements), tuple(asked)) for statements, asked in told.values()]
    last = max(1, len(stories) // TEST_SHARE)
    parts = {"train": stories[:-last], "test": stories[-last:]}
    for part, found in parts.items():
        if not any(story.questions for story in found):
            raise DataError(f"{path} has {len(stories)} stories; expected two or more, with questions in the {part} part")
    return parts


def line_of(path: Path, row: Row, told: int) -> str | Question:
    """The statement of a row, or its question, where it has an answer, after so many ``told``. Raises :class:`FormatError`."""
    text, answer, listed = row.cells["text"], row.cells["answer"], row.cells.get("facts", "").split()

    def expect(holds: bool, otherwise: str) -> None:
        if not holds:
            raise FormatError(f"{path}:{row.line}: {otherwise}")

    kind = "question" if answer else "sentence"
    one_line = words(text) and not set(text + answer) & set("\t\r\n")
    expect(bool(one_line), f"expected a {kind} in the column 'text', on one line, found {text[:40]!r}")
    if not answer:
        expect(not text.endswith("?"), "a question needs its answer in the column 'answer'")
        return text
    expect(told > 0, "a question before any statement of its story; expected a statement first")
    for number in listed:
        known = number.isascii() and number.isdigit() and 1 <= int(number) <= told
        expect(known, f"the supporting fact {number[:20]!r} is no statement told before; expected 1 to {told}")
    return Question(text, answer, tuple(int(number) - 1 for number in listed), told)


def names_of(path: Path, templates: Templates) -> list[str]:
    """The cells of a table that templates name, each once, without those of numbers and times alone: what an open vocabulary
    takes for names."""
    cells = {row.cells[name] for row in facts(path, templates) for name in templates.columns()}
    return sorted(cell for cell in cells if any(map(may_name, words(cell))))


def write_own(parts: Mapping[str, list[Story]], name: str, out: Path, names: Sequence[str] = ()) -> tuple[int, int, int]:
    """Write ``NAME_train.txt``, ``NAME_test.txt`` and, where there are such, ``story.txt`` and ``names.txt`` into a new folder,
    all or nothing.

    Returns the training questions, the test questions, and how many of these also stand in training.
    """
    train, test = parts["train"], parts["test"]
    with new_folder(out) as folder:
        for part in ("train", "test"):
            (folder / f"{name}_{part}.txt").write_bytes(write(parts[part]).encode())
        for story in parts.get("story", ()):
            (folder / "story.txt").write_bytes("".join(f"{text}\n" for text in story.statements).encode())
        if names:
            (folder / NAMES).write_bytes("".join(f"{one}\n" for one in names).encode())
    asked = [sum(len(story.questions) for story in stories) for stories in (train, test)]
    return asked[0], asked[1], shared_questions(train, test)
