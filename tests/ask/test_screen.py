"""Answers laid out for a terminal: widths, bars, heat maps, colours."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from memnet.show.terminal import Layout, answer_text, bar, bars, ellipsize, fold, heat_map
from memnet.tasks.text import visible
from tests.ask.serving import Terminal, answered


@pytest.mark.parametrize("width", [20, 40, 200])
@pytest.mark.parametrize("hops", [1, 3, 7, 64])
@pytest.mark.parametrize("blocks", [True, False])
def test_no_line_is_wider_than_the_terminal(width: int, hops: int, blocks: bool):
    answer = answered(
        [[0.9 if i == h % 30 else 0.1 / 29 for i in range(30)] for h in range(hops)], sentence="Mary 玛丽 went to the kitchen."
    )
    shown = Layout(width, blocks=blocks)
    for text in (answer_text(answer, shown), heat_map(answer, "Where is Mary?", shown)):
        assert max(map(cell_len, text.splitlines())) <= width
        assert blocks or text.replace("玛丽", "").isascii()
        assert any(line.startswith("*") for line in text.splitlines())
    begun = [line for line in bars(answer, shown) if line[:5].strip()]  # not what a sentence goes on with
    assert 12 <= len(begun) <= 16


def test_bars_say_how_much_was_read():
    shown = Layout(80)
    assert [bar(weight, 1, shown) for weight in (0, 0.001, 0.01, 0.5, 1.0)] == [" ", " ", "▁", "▄", "█"]
    assert [bar(weight, 2, shown) for weight in (0.0, 0.01, 0.5, 1.0, -1.0, 3.0)] == ["  ", "▏ ", "█ ", "██", "██", "██"]
    assert bar(0.5, 4, Layout(80, blocks=False)) == "##  "
    assert bar(float("nan"), 2, shown) == "  "


def test_a_long_story_shows_what_was_read_most_in_order():
    weights = [0.001] * 100
    weights[3], weights[70], weights[99] = 0.5, 0.3, 0.1
    lines = bars(answered([weights]), Layout(80))
    numbers = [int(line.lstrip("* ").split()[0]) for line in lines[1:-1]]
    assert len(numbers) == 12
    assert numbers == sorted(numbers)
    assert {4, 71, 100} <= set(numbers)
    assert lines[-1].strip() == "(88 other statements were read less)"


def test_what_an_answer_relies_on_is_shown_whole_with_its_source():
    told = "Pump 7 was moved from bay 3 to the test bench in the long hall by Omar. (plant.log:6, 2026-03-04 16:30)"
    [_, first, second, other, *_] = bars(answered([[0.9, 0.001]], sentence=told), Layout(80))
    assert f"{first[10:]} {second[10:]}" == told
    assert second[:10].strip() == ""
    assert other.endswith("…")


@given(st.text(), st.integers(1, 100))
def test_text_is_cut_and_folded_to_a_width(text: str, width: int):
    shown = visible(text)
    assert all(one.isprintable() or not one.isascii() for one in shown)
    assert cell_len(ellipsize(shown, Layout(width), width)) <= width
    lines = fold(shown, width, "  ").split("\n")
    assert max(map(cell_len, lines)) <= max(width, 2)
    assert "".join("".join(lines).split()) == "".join(shown.split())


def test_colours_and_blocks_are_for_terminals_that_have_them():
    xterm = {"TERM": "xterm-256color"}
    assert Layout.of(Terminal(), environment=xterm).colour
    assert not Layout.of(io.StringIO(), environment=xterm).colour
    assert not Layout.of(Terminal(), environment=xterm | {"NO_COLOR": "1"}).colour
    assert not Layout.of(Terminal(), environment={"TERM": "dumb"}).colour
    assert not Layout.of(Terminal(), environment={}).colour
    plain = Terminal()
    plain.encoding = "ascii"
    assert not Layout.of(plain, environment=xterm).blocks


@pytest.mark.parametrize(("columns", "width"), [("", 80), ("40", 40), ("0", 80), ("-5", 80), ("wide", 80), ("²", 80)])
def test_a_pipe_has_no_colour_and_80_columns(columns: str, width: int):
    environment = {"TERM": "xterm-256color", "COLUMNS": columns}
    assert Layout.of(Terminal(), True, environment) == Layout(width, colour=False, blocks=True)
    plain = Terminal()
    plain.encoding = "ascii"
    assert Layout.of(plain, True, environment) == Layout(width, colour=False, blocks=False)
