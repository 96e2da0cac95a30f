"""Rows of tables as stories, and questions that ask for one of their columns, to learn from.

A column is a statement: its header, then some of its cells. ``asks`` of a line of ``tasks/spreadsheets/columns`` ask for a cell
of it, ``filters`` mean rows by one of its cells; ``asks_all`` ask for something of the column of all rows.

    status : running ; stopped          "Is the one that came late still going?"  ->  "running"
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path
from random import Random

from memnet.errors import ConfigError
from memnet.memory.tables.ranked.column_reader import SHOWN, headed, shown
from memnet.memory.tables.table import Column
from memnet.tasks.text.tokens import split
from memnet.tasks.world.texts import Answer, Question, Statement, Story

SLOT = re.compile(r"\{\w+\}")  # stands for a name
FEWEST, MOST = 4, 13  # columns of a table
ASKED = 4  # questions about it, at most
MEANT, BY_CELL = 0.2, 0.15  # shares of the questions that mean a row by what a cell of it says, or by a cell
OF_OTHERS = 0.25  # of the questions that ask for a column that the table does not have
NAMED = 0.8  # of the tables that have a column of names
OF_NAMES = 0.3  # of these, that have a question that asks for names
OF_ALL = 0.25  # of the questions that ask for all rows, where there are such
WHICH = (
    "which {} {}",
    "{} {}",
    "list the {} {}",
    "which of the {} are the ones {}",
    "who is the {} {}",
    "name of the {} {}",
    "any {} {}",
)
CALLED = ("name", "item", "title", "ref", "no.", "code", "id", "what", "who", "thing")
NAMES = (
    *(
        "Ann Lee",
        "Bo",
        "Mr Okafor",
        "Stubbs, K.",
        "Tilly",
        "the blue one",
        "PJ-03",
        "K-1005",
        "B24-0611",
        "2113",
        "Otter",
        "Elm",
    ),
    *("Oak Lane 4", "Harbour View", "Mrs Diaz", "pump 7", "Unit 12", "Fern", "the old van", "Lot 88", "Ibrahim", "Wave Study"),
    *("Dunton", "R. Vance", "Castle Street", "number 9", "Sunrise", "GH-20", "no. 14", "Priya Nair", "Heron", "Batch 31"),
    *("Santos", "big tent", "job 1088"),
)


@dataclass(frozen=True)
class AskedColumn:
    """A column, ways to ask for a cell of it, for something of all its cells, and ways to mean rows by a cell."""

    rows: tuple[str, ...]  # what they are called: "dog", "animal"
    headers: tuple[str, ...]  # any of which it may have
    cells: tuple[str, ...]
    asks: tuple[str, ...]
    asks_all: tuple[str, ...]
    means: tuple[str, ...]
    names: tuple[str, ...] = ()


def read_asked(path: Path) -> list[list[AskedColumn]]:
    """The tables of a file, each its columns. Raises :class:`~memnet.errors.ConfigError` for a line that is no column."""
    found: dict[str, list[AskedColumn]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            given = json.loads(line)
            means = [phrase for _, phrases in given["filters"] for phrase in phrases]
            asks, asks_all = (list(given.get(name, ())) for name in ("asks", "asks_all"))
            asks_all += [one for one in asks if not SLOT.search(one)]
            cells = tuple(cell for cell in given["cells"] if cell)
            asks = [one for one in asks if SLOT.search(one)]
            some = tuple(asks), tuple(asks_all), tuple(means), tuple(given.get("names", ()))
            heads = tuple(given.get("row", [given["about"]])), tuple(given.get("headers", [given["column"]]))
            found.setdefault(given["about"], []).append(AskedColumn(*heads, cells, *some))
        except (ValueError, KeyError, TypeError) as error:
            raise ConfigError(f"{path}:{number}: expected a column with cells, asks and filters as JSON: {error}") from error
    return list(found.values())


class Tables:
    """Tables as their columns; whole ones with names are drawn twice as often, and large ones more than small ones."""

    def __init__(self, every: Iterable[Sequence[AskedColumn]]) -> None:
        self.every = [*every]
        self.weights = [*accumulate(len(one) * (2.0 if one[0].names else 1.0) for one in self.every)]

    def draw(self, random: Random) -> Sequence[AskedColumn]:
        """One of them."""
        return random.choices(self.every, cum_weights=self.weights)[0]


@cache
def tables_of(folder: Path, apart: str = "") -> Tables:
    """The tables of all files of a folder but some, whose names stand in ``apart`` with commas between them."""
    paths = [path for path in sorted(folder.glob("*.jsonl")) if path.stem not in apart.split(",")]
    return Tables(table for path in paths for table in read_asked(path))


def draw_questions(random: Random, tables: Tables) -> Story:
    """Some columns of a table, and questions of which some ask for none of them."""
    table = tables.draw(random)
    size = random.randint(FEWEST, MOST)
    columns = random.sample(list(table), min(size, len(table)))
    while len(columns) < size and (len(table) < FEWEST or random.random() < 0.5):
        columns.append(random.choice(random.choice(tables.every)))
    columns = [*{one.headers[0].lower(): one for one in reversed(columns)}.values()]
    left = [one for one in columns[1:] if one.asks and random.random() < OF_OTHERS]
    seen = [one for one in columns if one not in left]
    random.shuffle(seen)
    names = next((one.names for one in table if one.names), NAMES)
    name = random.choice(names)
    told = [statement(random.choice(one.headers), one.cells, random) for one in seen]
    if random.random() < NAMED:
        cells = [name, *random.sample(names, 2)][random.randint(0, 1) :]
        told.insert(0, statement(random.choice(CALLED), cells, random))
    first = len(told) - len(seen)
    asked = [(one, first + at) for at, one in enumerate(seen) if one.asks] + [(one, -1) for one in left]
    asked = random.sample(asked, min(ASKED, len(asked)))
    questions = [question(one, at, told, name, seen, random) for one, at in asked]
    means = [(one.rows, phrase) for one in seen for phrase in one.means]
    if first and means and random.random() < OF_NAMES:
        rows, phrase = random.choice(means)
        text = random.choice(WHICH).format(random.choice((*rows, "ones")), phrase)
        questions.append(answered(text, 0, told, random))
    return Story(tuple(told), tuple(questions))


def statement(header: str, cells: Sequence[str], random: Random) -> Statement:
    """A column as a statement, with some of its cells."""
    some = random.sample(list(cells), min(len(cells), random.randint(1, SHOWN)))
    words = shown(header_words(header, tuple(cells)), some)
    return Statement(words, " ".join(words))


@lru_cache(1 << 16)
def header_words(header: str, cells: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a header over some cells."""
    return headed(Column(1, header, cells))


def question(
    column: AskedColumn, at: int, told: Sequence[Statement], name: str, seen: Sequence[AskedColumn], random: Random
) -> Question:
    """A question that asks for a column, which is statement ``at``, or none of them."""
    if column.asks_all and random.random() < OF_ALL:
        return answered(random.choice(column.asks_all), at, told, random)
    others, roll = [one for one in seen if one is not column], random.random()
    means, cells = ([part for one in others for part in getattr(one, which)] for which in ("means", "cells"))
    if roll < MEANT and means:
        name = f"the {random.choice(('one', 'ones', *column.rows))} {random.choice(means)}"
    elif roll < MEANT + BY_CELL and cells:
        name = f"{random.choice(('the ', '', f'the {column.rows[0]} '))}{random.choice(cells)}"
    return answered(SLOT.sub(lambda _: name, random.choice(column.asks)), at, told, random)


def answered(text: str, at: int, told: Sequence[Statement], random: Random) -> Question:
    """A question with its answer, the first cell of statement ``at``; that it is not told where there is none."""
    text = text[:1].upper() + text[1:] if random.random() < 0.5 else text
    words = tuple(split(text))
    if at < 0:
        return Question(words, text, Answer("untold", "not told"), (), "ask", len(told))
    first = told[at].words.index(":") + 1
    last = next((place for place, word in enumerate(told[at].words) if word == ";" and place > first), len(told[at].words))
    span = (at, first, last) if first < last else (at, 0, first)
    return Question(words, text, Answer("span", "", spans=(span,), mentions=((span,),)), (at,), "ask", len(told))
