"""Questions that a table does not answer: of a deed, a property or an amount that none of its columns is about.

Who painted Grey Heron?      where no column is of painters
How heavy is the drill?      where no column is a weight
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from random import Random

from memnet.memory.columns import cosine
from memnet.memory.tables.ranked.asked import Asked
from memnet.memory.tables.ranked.naming import label_of, people_of
from memnet.memory.tables.table import Table
from memnet.memory.tables.wording import Question

APART = 0.38  # cosine of a word to a header, and to what stands in the cells, from which it may be about it
TRIES = 40


def untold(table: Table, random: Random, number: int) -> Iterator[Question]:
    """So many of them, each of a cell that names a row, or of somebody."""
    columns, forms = [label_of(table), *people_of(table)[:1]], asked_forms()
    for _ in range(number * TRIES):
        column = random.choice(columns)
        form, words = random.choice(forms)
        word = random.choice(words)
        if not column.told or is_near(table, word):
            continue
        question = Question.of(form.replace("{name}", random.choice(column.told)).replace("{word}", word))
        if question.tokens and not speaks(Asked(table, question), word):
            yield question
            number -= 1
        if not number:
            return


@cache
def asked_forms() -> list[tuple[str, list[str]]]:
    """Every form of such a question, with the words that may stand in it."""
    found = tomllib.loads(resources.files(__package__).joinpath("untold.toml").read_text(encoding="utf-8"))
    return [(form, found["words"][kind].split()) for kind, forms in found["forms"].items() for form in forms]


def is_near(table: Table, word: str) -> bool:
    """Whether a word is near one of a header."""
    words = [one for column in table.columns for one in column.words if one.isalpha() and len(one) > 2]
    return any(cosine(word, one) >= APART for one in words)


def speaks(asked: Asked, word: str) -> bool:
    """Whether a question speaks of a column by a word: by its header, by what it is about, or by its cells."""
    places = {at for at, low in enumerate(asked.low) if low == word.lower()}
    return any(places & one.places or any(one.cells.get(at, 0.0) >= APART for at in places) for one in asked.heard.values())
