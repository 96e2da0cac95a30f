"""The reader of columns: what it sees of a table, the questions that it learns from, and that the package's knows a column."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

from memnet.errors import ConfigError
from memnet.measure.column_questions import CALLED, AskedColumn, Tables, draw_questions, header_words, read_asked, tables_of
from memnet.memory.tables.ranked.column_reader import ColumnReader, described
from memnet.memory.tables.table import Column
from memnet.reading.examples import example
from memnet.reading.words import Words

COLUMNS = Path(__file__).parents[2] / "tasks" / "spreadsheets" / "columns"
KENNELS = [
    Column(0, "Name", ("Truffle", "Oscar", "Fern")),
    Column(1, "Owner", ("Swift, G", "Hargrave, N", "Bagshaw, B")),
    Column(2, "Vacc. due", ("19-Jan-25", "11-Aug-25", "02-Feb-25")),
    Column(3, "Kennel/Ward", ("K8", "K2", "Isolation")),
    Column(4, "Bill £", ("195.00", "154.50", "488.50")),
]
DOG = {
    "about": "dogs",
    "row": ["dog"],
    "names": ["Rex", "Bo", "Fay"],
    "column": "Owner",
    "headers": ["Owner", "Belongs to"],
    "cells": ["Ann Lee", "Cid Day", ""],
    "asks": ["whose is {row}", "the best owner"],
    "asks_all": ["who owns most"],
    "filters": [["", ["that nobody owns"]]],
}


def test_a_column_is_its_header_and_some_cells():
    assert described(KENNELS[2]) == ("vacc", "due", ":", "19-Jan-25", ";", "11-Aug-25", ";", "02-Feb-25")
    assert described(Column(0, "Wt (kg)", ("4.5", "", "4.5"))) == ("wt", "kg", ":", "4.5")
    assert described(Column(0, "?", ("", ""))) == ("column", ":")
    long = Column(0, "x", tuple(f"a b c d e f g h{number}" for number in range(9)))
    assert len(described(long)) == 2 + 3 * 6 + 2


def test_the_packages_reader_knows_which_column_is_asked_for():
    reader = ColumnReader.load()
    for question, right in (
        ("When does Truffle need the next jab ?", 2),
        ("Whose dog is Oscar ?", 1),
        ("where did we put Fern ?", 3),
        ("What does the family of Oscar still have to pay ?", 4),
    ):
        (chances,) = reader.asked([question.split()], KENNELS)
        assert chances.shape == (5,)
        assert chances.argmax() == right, (question, chances)
        assert 0.0 <= chances.min() <= chances.sum() <= 1.0 + 1e-5


def test_chances_do_not_hang_on_what_cells_are_not_shown():
    reader, questions = ColumnReader.load(), [["Whose", "dog", "is", "Oscar", "?"]]
    longer = [Column(one.place, one.name, (*one.cells, "other")) for one in KENNELS]
    assert reader.asked(questions, longer).argmax() == 1
    assert np.allclose(reader.asked(questions, KENNELS), reader.asked(questions, longer), atol=1e-6)
    assert reader.asked([], KENNELS).shape == (0, 5)
    assert reader.asked(questions, []).shape == (1, 0)


def test_a_file_of_columns_is_read_by_table(tmp_path: Path):
    path = tmp_path / "dogs.jsonl"
    path.write_text("".join(f"{json.dumps({**DOG, 'about': about})}\n" for about in ("dogs", "cats", "dogs")), encoding="utf-8")
    tables = read_asked(path)
    assert [len(one) for one in tables] == [2, 1]
    one = tables[0][0]
    assert (one.cells, one.asks, one.asks_all) == (
        ("Ann Lee", "Cid Day"),
        ("whose is {row}",),
        ("who owns most", "the best owner"),
    )
    assert (one.headers, one.means, one.names) == (("Owner", "Belongs to"), ("that nobody owns",), ("Rex", "Bo", "Fay"))
    path.write_text('{"about": "dogs"}\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"dogs.jsonl:1: expected a column with cells"):
        read_asked(path)


def asked_columns() -> list[AskedColumn]:
    """Five columns, each of other cells."""
    return [
        AskedColumn(("dog",), (f"head{at}",), (f"cell{at}a x", f"cell{at}b"), (f"ask{at} {{row}}",), (), (f"with mark {at}",))
        for at in range(5)
    ]


def test_questions_are_answered_by_the_cell_of_their_column():
    tables, answered, untold, of_names = Tables([asked_columns()]), 0, 0, 0
    for seed in range(60):
        story = draw_questions(Random(seed), tables)
        for question in story.questions:
            if not question.words[0].lower().startswith("ask"):  # "which dogs with mark 3" asks for names
                assert question.evidence == (0,)
                assert story.statements[0].words[0] in {word for called in CALLED for word in header_words(called, ())}
                of_names += 1
                continue
            number = question.words[0].lower().removeprefix("ask")
            if question.answer.kind == "untold":
                untold += 1
                assert not any(f"head{number}" in one.words for one in story.statements)
                continue
            answered += 1
            ((at, first, last),) = question.answer.spans
            assert question.evidence == (at,)
            assert story.statements[at].words[0] == f"head{number}"
            said = story.statements[at].words[first:last]
            assert said in ((f"cell{number}a", "x"), (f"cell{number}b",))
    assert answered > 100
    assert untold > 5
    assert of_names > 5


def test_a_table_with_names_is_drawn_twice_as_often():
    plain = asked_columns()
    named = [AskedColumn(one.rows, one.headers, one.cells, one.asks, (), (), ("Rex", "Bo", "Fay")) for one in plain]
    tables, random = Tables([plain, named]), Random(1)
    drawn = [tables.draw(random) is named for _ in range(3000)]
    assert np.mean(drawn) == pytest.approx(2 / 3, abs=0.03)


@pytest.mark.parametrize("path", sorted(COLUMNS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_file_of_columns_can_be_learned_from(path: Path):
    tables, random, made = Tables(read_asked(path)), Random(3), 0
    for _ in range(20):
        made += example(draw_questions(random, tables), Words.load(), random) is not None
    assert made >= 18


def test_files_may_be_left_out():
    every, some = tables_of(COLUMNS), tables_of(COLUMNS, "workshops,pumps_rescue")
    assert len(every.every) > len(some.every) > 1000
    assert not any(one[0].names and "Millbrook" in one[0].names for one in some.every)


def test_the_words_of_a_header_are_those_of_a_column_with_these_cells():
    assert header_words("Wt (kg)", ("4.5", "7")) == ("wt", "kg")
