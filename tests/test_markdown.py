"""Tables in Markdown: written as they are read."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memnet.markdown import markdown_table, tables_as_csv

CELLS = st.text(st.sampled_from("ab1 ,.%±"), max_size=6).map(str.strip)


def test_numbers_stand_right_and_names_left():
    assert markdown_table(["a", "b", "c"], [["1", "", "3"]]) == "| a | b | c |\n| --- | ---: | ---: |\n| 1 |  | 3 |"
    assert markdown_table(["a", "b"], [], "rl") == "| a | b |\n| ---: | --- |"


@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n), min_size=1, max_size=5)))
def test_a_table_is_read_as_it_was_written(lines: list[list[str]]):
    read = csv.reader(io.StringIO(tables_as_csv(f"Words.\n\n{markdown_table(lines[0], lines[1:])}\n\nMore.")))
    assert [row or [""] for row in read] == lines


@pytest.mark.parametrize(("rows", "align"), [([["1"]], ""), ([["1", "2", "3"]], ""), ([["1", "2"]], "l")])
def test_a_row_of_another_length_is_refused(rows: list[list[str]], align: str):
    with pytest.raises(ValueError, match="expected 2 cells, one for each of a, b"):
        markdown_table(["a", "b"], rows, align)
