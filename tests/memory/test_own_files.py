"""Questions about files of one's own, as ``memnet bench memory-files`` asks them."""

from pathlib import Path

from memnet.measure.own_files import FileQuestion, is_right
from tests.conftest import ran, refused

TABLE = "Tool,Shelf,Held by\ndrill,A1,Ann\nsaw,B2,\nplane,A1,Bo\n"
QUESTIONS = """{"question": "Who has the drill?", "answers": ["Ann"]}
{"question": "Which shelf is the saw on?", "answers": ["C3"]}
{"question": "Which tools are on shelf A1?", "all": ["plane", "drill"]}
{"question": "How heavy is the drill?", "answers": []}
"""


def test_each_file_is_asked_the_questions_beside_it(tmp_path: Path):
    (tmp_path / "tools.csv").write_text(TABLE)
    (tmp_path / "tools.questions.jsonl").write_text(QUESTIONS)
    lines = ran("bench", "memory-files", str(tmp_path), "--missed").stdout.splitlines()
    assert lines[1].split() == ["tools.csv", "4", "3", "1", "0"]
    assert lines[2].strip() == "Which shelf is the saw on? B2; expected C3"
    assert lines[3].split() == ["all", "4", "3", "1", "0"]


def test_what_is_missing_is_said(tmp_path: Path):
    assert "put one beside each file" in refused("bench", "memory-files", str(tmp_path))
    (tmp_path / "a.questions.jsonl").write_text('{"question": 3}\n')
    assert "asks about 0 files" in refused("bench", "memory-files", str(tmp_path))
    (tmp_path / "a.txt").write_text("Ann went home.\n")
    assert "line 1: expected" in refused("bench", "memory-files", str(tmp_path))


def test_lists_are_right_as_a_whole_and_answers_in_whole_words():
    tools = FileQuestion("Which tools?", all=["drill", "saw"])
    assert is_right(tools, "the saw, drill")
    assert not is_right(tools, "saw")
    assert is_right(FileQuestion("When?", ["2024-03-05", "5 March"]), "5 March")
    assert not is_right(FileQuestion("Who?", ["Ann"]), "Anna")
    assert not is_right(FileQuestion("Who?", ["Ann"]), "")
