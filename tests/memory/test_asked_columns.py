"""Which column a question of a table asks for, found by its answer, and what is drawn of such questions to learn from."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from memnet.errors import ConfigError
from memnet.measure.asked_columns import (
    MOST_OF_ONE,
    Asked,
    AskedTable,
    AskedTables,
    asked_tables,
    read_asked_tables,
    story_of,
    write_asked,
)

DOGS = "Name,Owner,Vacc. due,Bill\nTruffle,Ann Swift,2025-01-19,195.00\nOscar,Bo Hargrave,2025-08-11,154.50\n"
QUESTIONS = [
    {"question": "What is the bill of Oscar?", "answers": ["154.50"]},
    {"question": "Who is the owner of Truffle?", "answers": ["Ann Swift"]},
    {"question": "Which dog has the highest bill?", "answers": ["Truffle"]},
    {"question": "What colour is Oscar?", "answers": []},
    {"question": "What is the bill of Truffle?", "answers": ["9999"]},
]
TABLE = AskedTable(
    "dogs.csv",
    tuple((f"head{at}",) for at in range(8)),
    tuple((f"cell{at}a x", f"cell{at}b", f"cell{at}c", f"cell{at}d") for at in range(8)),
    (*(Asked((f"Ask{at}", "Rex"), (f"Ask{at}", "PJ-03"), at) for at in range(1, 8)), Asked(("Colour",), ("Colour",), -1)),
)


def test_the_column_is_that_of_the_likeliest_query_with_the_answer(tmp_path: Path):
    (tmp_path / "dogs.csv").write_text(DOGS, encoding="utf-8")
    lines = "".join(f"{json.dumps(one)}\n" for one in QUESTIONS)
    (tmp_path / "dogs.questions.jsonl").write_text(lines, encoding="utf-8")
    out = tmp_path / "asked.jsonl"
    assert write_asked(out, asked_tables(tmp_path)) == 4  # no query has 9999
    [table] = read_asked_tables(out)
    assert table.headers[2] == ("vacc", "due")
    assert table.cells[3] == ("195.00", "154.50")
    assert [one.column for one in table.questions] == [3, 1, 3, -1]  # the biggest is asked for by what it is measured by
    bill = table.questions[0]
    assert (bill.words[-1], bill.named[-1]) == ("Oscar", "PJ-03")


def test_questions_are_answered_in_their_column_and_those_of_none_nowhere():
    tables, left_out, told, lower = AskedTables([TABLE]), 0, 0, 0
    for seed in range(100):
        story = tables.draw(Random(seed))
        left_out += len(story.statements) < len(TABLE.headers)
        for question in story.questions:
            lower += question.words[0].islower()
            if question.words[0].lower() == "colour":
                assert question.answer.kind == "untold"
                continue
            number = int(question.words[0][-1])
            ((at, first, last),) = question.answer.spans
            assert story.statements[at].words[0] == f"head{number}"
            assert story.statements[at].words[first].startswith(f"cell{number}")
            assert question.evidence == (at,)
            told += last > first
    assert left_out > 10
    assert told > 200
    assert 50 < lower < 300


def test_what_is_judged_shows_the_cells_that_are_shown_where_it_is_asked():
    story = story_of(replace(TABLE, questions=TABLE.questions * 20))
    assert story.statements[0].text == "head0 : cell0a x ; cell0b ; cell0c"
    assert len(story.questions) == MOST_OF_ONE
    assert story.questions[0].words == ("Ask1", "PJ-03")


def test_a_table_is_in_one_half_and_without_questions_in_none(tmp_path: Path):
    tables = [replace(TABLE, file=f"{number}.csv") for number in range(12)]
    write_asked(tmp_path / "asked.jsonl", [*tables, replace(TABLE, file="none.csv", questions=())])
    halves = [{one.file for one in read_asked_tables(tmp_path / "asked.jsonl", half)} for half in (0, 1)]
    assert halves[0] | halves[1] == {one.file for one in tables}
    assert not halves[0] & halves[1]
    assert read_asked_tables(tmp_path / "asked.jsonl") == tables
    (tmp_path / "asked.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"asked.jsonl:1: expected a table with its questions as JSON"):
        read_asked_tables(tmp_path / "asked.jsonl")
