"""A person's own files as other programs write them, and what is said of them before training."""

import os
import re
import shlex
from pathlib import Path

import pytest
import torch

from memnet.encode.vectors import read_vectors
from memnet.encode.vocabulary import Vocabulary
from memnet.measure.babilong import read_samples
from memnet.tasks.families import DataError, Task, find
from memnet.tasks.families.remarks import remarks
from memnet.tasks.table import read_table
from memnet.tasks.template import from_stories
from memnet.tasks.text import parse, write
from memnet.training.settings_file import read_settings
from tests.conftest import memnet, ran, refused, tell, wander

BOM = "\ufeff"


def one(answer: str) -> str:
    """A story whose question has this answer."""
    return f"1 Ann went to the attic.\n2 Where is Ann?\t{answer}\t1\n"


def told_of(train: str, test: str, valid: str | None = None) -> list[str]:
    """The remarks on a task with these stories."""
    return list(remarks(Task.of("own/mine", parse(train), parse(test), valid=parse(valid) if valid else None)))


@pytest.mark.parametrize("other", ["attic.", "the attic", '"attic"', "‘The Attic’!", "An attic"])
def test_answers_that_a_person_takes_for_one_are_named(other: str):
    test = one("attic").replace("Ann", "Ben")
    (said,) = told_of(one("attic") + one(other), test)
    assert "are different answers" in said
    assert repr("attic") in said
    assert told_of(one("attic") + one("Attic"), test) == []  # letters of either case are one answer
    assert told_of(one("attic") + one("roof"), test) == []
    assert told_of(one("attic,the roof") + one("attic"), test) == []  # a list


def test_of_many_answers_some_are_named():
    train = "".join(one(f"{form}{place}") for place in "bcdefgh" for form in ("", "the "))
    (said,) = told_of(train, one("b").replace("Ann", "Ben"))
    assert said.count("'the ") == 5
    assert "and 2 more" in said


def test_what_tests_and_teaches_is_named():
    train, test = write(wander(1, 4)), write(wander(2, 4))
    assert told_of(train, test) == []
    (said,) = told_of(train, train)
    assert said.startswith("all test questions also stand in training")
    assert said.endswith("the test error says little about new stories")
    (said,) = told_of(train + "".join(write(wander(2, 1))), test)
    assert said == "3 of the 12 test questions also stand in training, with the same statements before them"
    (said,) = told_of(train, test, train)
    assert said.startswith("all validation questions also stand in training")


def test_training_says_it(tmp_path: Path):
    stories = wander(1)
    folder = tell(tmp_path / "mine", stories, stories)
    done = ran("train", folder, "--preset", "bow", "--restarts", 1, "--set", "epochs=1", "--out", tmp_path / "run")
    assert "own/moves: all test questions also stand in training" in done.stdout


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("moves_eval.txt", "expected train, test, valid or candidates in its name, such as moves_test_eval.txt"),
        ("more.txt", "expected train, test, valid or candidates in its name, such as moves_test_more.txt"),
        ("moves_dev.csv", "memnet data make reads tables"),
        ("moves_valid.docx", "write it as .txt, .jsonl, .ndjson, .json or .parquet"),
        ("rooms_candidates.txt", "there are no rooms_train and rooms_test files here"),
        ("README.txt", ""),
        ("moves.png", ""),
        ("moves_candidates.txt", ""),
        ("moves_val.txt", ""),
    ],
)
def test_a_file_beside_own_data_that_is_not_read_is_named(name: str, why: str, tmp_path: Path):
    folder = tell(tmp_path / "mine", wander(1, 4), wander(2, 4))
    rooms = "bathroom\nbedroom\ngarden\nhallway\nkitchen\noffice\n"
    (folder / name).write_text(rooms if "candidates" in name else write(wander(3, 2)), encoding="utf-8")
    (task,) = find([str(folder)])
    assert [*remarks(task)] == ([f"{name} is not read: {why}"] if why else [])


def test_a_folder_beside_those_of_the_parts_that_is_not_read_is_named(tmp_path: Path):
    for part in ("train", "test", "eval", "scripts"):
        (tmp_path / part).mkdir()
        (tmp_path / part / ("make.py" if part == "scripts" else "a.txt")).write_text(one("attic"), encoding="utf-8")
    (task,) = find([str(tmp_path)])
    assert [*task.unused] == ["eval/a.txt is not read: expected a folder named train, test or valid"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (
            ("a_train.txt", "a_eval.txt"),
            "a_test*.txt; a_eval.txt is not read: expected train, test, valid or candidates in its",
        ),
        (("train_a.txt", "a_test.txt"), "a_train*.txt; train_a.txt has nothing before train, where a_ is expected"),
        (("A_train.txt", "a_test.txt"), "A_test*.txt; a_test.txt has a_ before test, where A_ is expected"),
    ],
)
def test_where_a_part_is_missing_the_file_that_may_be_it_is_named(names: tuple[str, ...], said: str, tmp_path: Path):
    for name in names:
        (tmp_path / name).write_text(one("attic"), encoding="utf-8")
    with pytest.raises(DataError, match=re.escape(said)):
        find([str(tmp_path)])


@pytest.mark.parametrize("name", ["own", "own/all", "own/family"])
def test_own_stories_are_named_by_their_folder_also_where_it_is_called_own(name: str, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for command in (("train", name), ("sweep", name), ("data", "show", name)):
        assert "your own stories are named by their folder, such as ./stories" in refused(*command)
    tell(Path(name), wander(1), wander(2))
    assert [task.name for task in find([name])] == ["own/moves"]


def test_a_folder_whose_name_no_file_format_can_hold_is_refused_before_training(tmp_path: Path):
    folder = tell(tmp_path / "mine", wander(1), wander(2))
    out = tmp_path / os.fsdecode(b"\xff\xfe")
    said = refused("train", folder, "--preset", "bow", "--restarts", 1, "--set", "epochs=1", "--out", out)
    assert "\\udcff\\udcfe is no name in UTF-8; choose another --out" in said
    assert not out.exists()


def test_what_to_give_next_is_quoted_for_a_shell(tmp_path: Path):
    out = tmp_path / "$(touch pwn); 'a"
    (table := tmp_path / "mine.csv").write_text(STORIES, encoding="utf-8")
    hint = ran("data", "make", table, "--out", out).stdout.splitlines()[-1].removeprefix("try: ")
    assert shlex.split(hint) == ["memnet", "train", str(out), "--open-vocabulary"]
    assert "$(" not in hint.replace(shlex.quote(str(out)), "")


@pytest.mark.parametrize("name", ["dev", "val", "validation", "valid", "Development"])
def test_what_chooses_a_network_has_several_names(name: str, tmp_path: Path):
    folder = tell(tmp_path / "mine", wander(1, 4), wander(2, 4))
    (folder / f"moves_{name}.txt").write_text(write(wander(3, 2)), encoding="utf-8")
    (task,) = find([str(folder)])
    assert task.valid == wander(3, 2)


STORIES = (
    "story,text,answer\n1,Ann is in.,\n2,Ben is out.,\n1,Where is Ann?,in\n2,Where is Ben?,out\n1,Ann is out.,\n"
    "1,Where is Ann?,out\n"
)


def test_rows_of_a_story_belong_together_wherever_they_stand(tmp_path: Path):
    path = tmp_path / "mine.csv"
    path.write_text(STORIES, encoding="utf-8")
    parts = from_stories(path)
    (first,), (second,) = parts["train"], parts["test"]
    assert first.statements == ("Ann is in.", "Ann is out.")
    assert [(asked.answer, asked.after) for asked in first.questions] == [("in", 1), ("out", 2)]
    assert (second.statements, second.questions[0].answer) == (("Ben is out.",), "out")


@pytest.mark.parametrize("between", [";", "\t", ","])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", BOM])
def test_a_table_as_other_programs_write_it(between: str, end: str, mark: str, tmp_path: Path):
    path = tmp_path / "mine.csv"
    rows = ["story,text,answer", '1,"Ann, and Ben; are in.",', "1,Where is Ann?,in"]
    rows = [rows[0].replace(",", between), f'1{between}"Ann, and Ben; are in."{between}', f"1{between}Where is Ann?{between}in"]
    path.write_bytes((mark + end.join(rows) + end).encode())
    columns, found = read_table(path, ("story", "text", "answer"))
    assert columns == ["story", "text", "answer"]
    assert [row.cells["text"] for row in found] == ["Ann, and Ben; are in.", "Where is Ann?"]


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path):
    (vectors := tmp_path / "v.txt").write_text(f"{BOM}attic 1 2\nann 3 4\n", encoding="utf-8")
    vocabulary = Vocabulary.of(parse(one("attic")))
    found = read_vectors(vectors, vocabulary, 2)
    assert torch.equal(found.values[vocabulary["attic"]], torch.tensor([1.0, 2.0]))
    (samples := tmp_path / "s.jsonl").write_text(f'{BOM}{{"input": "a", "question": "b", "target": "c"}}\n', encoding="utf-8")
    assert [*read_samples(samples)] == [{"input": "a", "question": "b", "target": "c"}]
    (settings := tmp_path / "c.toml").write_text(f"{BOM}epochs = 3\n", encoding="utf-8")
    assert read_settings(settings).values == {"epochs": 3}


WALKS = {  # a statement and a question with places for a name and a room; names and rooms
    "ar": ("ذهبت {} إلى {}.", "أين {}؟", ("ماري", "سارة", "ليلى"), ("المطبخ", "الحديقة", "المكتب")),
    "zh": ("{}去了{}。", "{}在哪里？", ("玛丽", "约翰", "桑德拉"), ("厨房", "花园", "办公室")),
    "hi": ("{} {} में गई।", "{} कहाँ है?", ("मैरी", "सीता", "लीला"), ("रसोई", "बगीचे", "दफ़्तर")),
    "fr": ("{} est allée à l’{}.", "Où est {} ?", ("Zoé", "Noël", "Aimée"), ("école", "hôtel", "étable")),
    "ja": ("{}は{}へ行った。", "{}はどこ？", ("メアリー", "花子", "太郎"), ("台所", "庭", "事務所")),
    "emoji": ("{} went to the {}.", "Where is {}?", ("👩‍🚀", "🧑🏽", "🦊"), ("🏠", "🏖️", "🏥")),
    "de": ("{} ging in die {}.", "Wo ist {}?", ("Jürgen", "Zoë", "Ärmel"), ("Küche", "Straße", "Höhle")),
}


def walks(language: str, stories: int) -> str:
    """Stories of two people who went to two rooms, and a question about one."""
    statement, question, names, rooms = WALKS[language]
    lines = []
    for number in range(stories):
        first, second = names[number % 3], names[(number + 1 + number // 3 % 2) % 3]
        here, there = rooms[number // 6 % 3], rooms[number // 18 % 3]
        lines += [f"1 {statement.format(first, here)}", f"2 {statement.format(second, there)}"]
        lines += [f"3 {question.format(first)}\t{here}\t1", f"4 {question.format(second)}\t{there}\t2"]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("language", WALKS)
def test_stories_in_other_scripts_are_learned_and_asked_through_a_pipe(language: str, tmp_path: Path):
    (folder := tmp_path / "mine").mkdir()
    (folder / "a_train.txt").write_text(walks(language, 270), encoding="utf-8")
    (folder / "a_test.txt").write_text(walks(language, 54), encoding="utf-8")
    ran("train", folder, "--restarts", 1, "--set", "epochs=30", "--set", "linear_start=0", "--out", tmp_path / "run")
    statement, question, names, rooms = WALKS[language]
    told = f"{statement.format(names[0], rooms[1])}\n{statement.format(names[1], rooms[2])}\n"
    done = ran("ask", tmp_path / "run", stdin=f"{told}{question.format(names[0])}\n", COLUMNS="80")
    assert done.stdout.startswith(rooms[1].lower())
    assert "is no sentence" not in done.stderr
    on_a_line = told.replace("\n", "" if language in ("zh", "ja") else " ") + question.format(names[1])
    assert ran("ask", tmp_path / "run", stdin=f"{on_a_line}\n").stdout.startswith(rooms[2].lower())


@pytest.mark.parametrize(("language", "name", "room"), [("emoji", "🐸", "⛺"), ("zh", "美琳", "车站")])
def test_names_in_other_scripts_may_be_new(language: str, name: str, room: str, tmp_path: Path):
    (folder := tmp_path / "mine").mkdir()
    (folder / "a_train.txt").write_text(walks(language, 270), encoding="utf-8")
    (folder / "a_test.txt").write_text(walks(language, 54), encoding="utf-8")
    statement, question, names, rooms = WALKS[language]
    (known := tmp_path / "names.txt").write_text("\n".join([*names, *rooms]), encoding="utf-8")
    options = ["--restarts", 1, "--set", "epochs=30", "--open-vocabulary", "--names", known]
    ran("train", folder, *options, "--out", tmp_path / "run")
    told = f"{statement.format(names[0], rooms[1])}\n{statement.format(name, room)}\n"
    assert ran("ask", tmp_path / "run", stdin=f"{told}{question.format(name)}\n").stdout.startswith(room)
    assert f"does not mention {names[1]}" in memnet("ask", tmp_path / "run", stdin=told + question.format(names[1])).stdout
