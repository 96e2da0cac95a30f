"""Odd text, times and folders for a memory: an answer, or a sentence that says what is wrong; never a stack trace."""

from pathlib import Path

import pytest

from memnet.errors import ConfigError, NetworkError
from memnet.memory import Entry, Memory
from memnet.memory.entries import entries
from memnet.tasks.text import FormatError

ENDS = ["9999-12-31", "9999", "9999-12", "9999-12-31T23:59:59.999999", "9999-12-31T23:00:00-14:00", "0001-01-01T00:00:00+14:00"]


@pytest.mark.parametrize("when", ENDS)
def test_a_time_at_an_end_of_the_calendar_is_a_time(tmp_path: Path, when: str):
    later = when.startswith("9999")
    with Memory.open(tmp_path / "memory") as memory:
        memory.add([Entry("Mary went to the kitchen.", when), Entry("Mary went to the garden.", "2026-01-01")])
        assert memory.ask("Where is Mary?").text == ("kitchen" if later else "garden")
        assert memory.ask("Where is Mary?", until="2026-06-01").text == "garden"
        assert memory.ask("Where is Mary?", until=when).text == "kitchen"
        assert len(memory.forget(before="2026-01-01")) == (not later)


def test_half_of_a_character_is_refused_before_anything_is_written(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add("Mary went to the kitchen.")
        with pytest.raises(ConfigError, match="half of a character"):
            memory.add("John went to the \ud800 garden.")
        with pytest.raises(ConfigError, match="half of a character"):
            memory.add([Entry("John left.", "2026-01-01", "a\udfff")])
        with pytest.raises(ConfigError, match="half of a character"):
            memory.ask("Where is \ud800?")
        assert len(memory) == 1


def test_characters_that_show_nothing_part_no_word(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add(["Mary\u200b went to the kit\u200bchen.", Entry("\u202eJohn\u202c took the foot\u00adball.")])
        assert memory.ask("Where is Ma\u200bry?").text == "kitchen"
        assert [one.text for one in memory] == ["Mary went to the kitchen.", "John took the football."]
        memory.add("می‌روم is a word. 👩‍🔧 left.")
        assert "می‌روم" in memory[2].text


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"])
def test_a_name_that_no_folder_can_have_is_said(tmp_path: Path, name: str):
    with pytest.raises(NetworkError, match="can be no folder"):
        Memory.open(f"{tmp_path}/{name}")


@pytest.mark.parametrize("end", ["", "Bob,garden\n", "Bob,garden\nAnn,hall\n"])
def test_a_quotation_mark_that_is_not_closed_swallows_no_rows(tmp_path: Path, end: str):
    table = tmp_path / "places.csv"
    table.write_text(f'name,place\nJohn,hall\n"Mary,kitchen\n{end}')
    with pytest.raises(FormatError, match=r"places.csv:3: a quotation mark that opens a field is not closed"):
        [*entries(table)]
    table.write_text('name,place\n"Mary\nAnn","the ""big"" kitchen"\nJohn,5" pipe\n')
    assert [one.text for one in entries(table)] == [
        "A table by name with the columns name | place.",
        'The place of Mary Ann is the "big" kitchen.',
        'The place of John is 5" pipe.',
    ]
