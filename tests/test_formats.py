"""Own files in the formats that people have: lines of JSON, SQuAD, ParlAI, the hub's folders and pieces."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memnet.tasks.families import DataError, find
from memnet.tasks.families.layout import grouped
from memnet.tasks.families.parlai import read_parlai
from memnet.tasks.families.records import read_records
from memnet.tasks.families.rows import row
from memnet.tasks.text import Question, Story, parse, words, write
from memnet.tasks.text.sentences import sentences
from tests.conftest import ran, wander
from tests.trials.test_formats import CASES, RECORD, Case, lines, run_case, table

LONG = ("a line of a million words", "a word of ten million letters")


@pytest.mark.parametrize("case", [case for case in CASES if case.name not in LONG], ids=lambda case: case.name)
def test_odd_formats(case: Case, tmp_path: Path):
    run_case(case, tmp_path)


line_text = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=20).filter(
    lambda text: bool(words(text)) and sentences(text) == [text]
)
told = st.builds(
    Story,
    st.lists(line_text, min_size=1, max_size=4).map(tuple),
    st.lists(line_text, min_size=1, max_size=1).map(tuple),
).flatmap(
    lambda story: st.builds(
        lambda asked, answer: Story(story.statements, (Question(asked, answer, (), len(story.statements)),)),
        line_text,
        line_text,
    )
)


@given(st.lists(told, min_size=1, max_size=4), st.booleans(), st.booleans())
def test_stories_come_back_from_json(stories: list[Story], by_line: bool, nested: bool):
    asked = [{"question": story.questions[0].text, "answers": [{"text": story.questions[0].answer}]} for story in stories]
    passages = [{"context": list(story.statements)} for story in stories]
    records = [
        {**passage, "qas": [question]} if nested else {**passage, **question}
        for passage, question in zip(passages, asked, strict=True)
    ]
    whole = json.dumps({"data": [{"paragraphs": records}]} if nested else records, indent=1)
    text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records) if by_line else whole
    assert read_records(text, "x.json") == stories


@given(st.lists(told, min_size=1, max_size=4))
def test_stories_come_back_from_parlai(stories: list[Story]):
    def escaped(text: str) -> str:
        return text.replace("\\", "\\\\")

    def line(story: Story) -> str:
        text = "\\n".join(map(escaped, (*story.statements, story.questions[0].text)))
        return f"text:{text}\tlabels:{escaped(story.questions[0].answer)}|another\tepisode_done:True\n"

    stories = [story for story in stories if "|" not in story.questions[0].answer]
    assert read_parlai("".join(map(line, stories)), "x.txt") == stories


def test_a_story_of_parlai_goes_on_to_the_end_of_its_episode():
    text = "text:Mary went home.\\nWhere is Mary?\tlabels:home\ntext:Mary left.\\nWhere is Mary?\tlabels:out|away\t"
    text += "label_candidates:home|out\tepisode_done:True\ntext:John left.\\nWhere is John?\teval_labels:out\n"
    first, second = read_parlai(text, "x.txt")
    assert first.statements == ("Mary went home.", "Mary left.")
    assert [(one.answer, one.after, one.candidates) for one in first.questions] == [
        ("home", 1, ()),
        ("out", 2, ("home", "out")),
    ]
    assert second.statements == ("John left.",)


def test_pieces_of_the_hub_are_one_part(tmp_path: Path):
    (folder := tmp_path / "data").mkdir()
    stories = wander(1, 6)
    for piece in range(3):
        content = table(*map(row, stories[2 * piece : 2 * piece + 2]))
        (folder / f"train-{piece:05d}-of-00003.parquet").write_bytes(content)
    (folder / "test-00000-of-00001-0123456789abcdef.parquet").write_bytes(table(*map(row, wander(2, 2))))
    (task,) = find([str(tmp_path)])
    assert (task.name, task.train, task.test) == (f"own/{tmp_path.name}", stories, wander(2, 2))
    (folder / "train-00001-of-00003.parquet").unlink()
    with pytest.raises(DataError, match="is one of 3 pieces, and piece 00001 is not beside it"):
        find([str(tmp_path)])


def test_the_hubs_folders_are_a_data_set_each(tmp_path: Path):
    for config in ("en-qa1", "en-qa2"):
        for part in ("train", "validation", "test"):
            (folder := tmp_path / config / part).mkdir(parents=True)
            (folder / "0000.parquet").write_bytes(table(*map(row, wander(len(part), 2))))
    tasks = find([str(tmp_path)])
    assert [task.name for task in tasks] == ["own/en-qa1", "own/en-qa2"]
    assert tasks[0].valid == wander(len("validation"), 2)
    (alone,) = find([str(tmp_path / "en-qa1")])
    assert alone.train == tasks[0].train


def test_what_memnet_exports_is_a_folder_that_it_reads(tmp_path: Path):
    ran("data", "export", "sim/qa1", "--out", tmp_path / "out")
    (task,) = find([str(tmp_path / "out")])
    assert task.name == "own/qa1"


def test_files_beside_folders_are_what_is_meant(tmp_path: Path):
    for folder in (tmp_path, tmp_path / "older"):
        folder.mkdir(exist_ok=True)
        for part in ("train", "test"):
            (folder / f"a_{part}.txt").write_text(write(wander(1, 1)), encoding="utf-8")
    assert grouped(tmp_path) == {"a_": {"train": [tmp_path / "a_train.txt"], "test": [tmp_path / "a_test.txt"]}}


def test_two_fields_are_what_three_are():
    text = "1 Mary went home.\n2 Where is Mary?\thome\n3 Mary left.\n4 Where is Mary?\tout\n"
    assert parse(text) == parse(text.replace("home\n", "home\t\n").replace("out\n", "out\t\n"))


def test_a_network_learns_from_lines_of_json(tmp_path: Path):
    (folder := tmp_path / "mine").mkdir()
    texts = {"train": "".join(lines(answer=place, passage=f"Mary went {place}.") for place in ("home", "out") * 5)}
    texts["test"] = lines(answer="out", passage="Ann sang. Mary went out.")
    for part, text in texts.items():
        (folder / f"a_{part}.jsonl").write_text(text, encoding="utf-8")
    done = ran("train", folder, "--preset", "bow", "--restarts", 1, "--set", "epochs=1", "--out", tmp_path / "run")
    assert "own/a: error %" in done.stdout
    assert RECORD["question"] in ran("data", "show", folder).stdout
