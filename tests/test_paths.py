"""StepGame and CLUTRR: their files on made-up instances, what breaks them, and the published ones where they are at hand."""

import csv
import json
import zipfile
from pathlib import Path

import pytest

from memnet.tasks import DataError
from memnet.tasks.families import FAMILIES, NotAtHand
from memnet.tasks.families.clutrr import sentences

TESTS = {
    "523348e6": ["3.2_test.csv", "1.3_test.csv", "2.3_test.csv", "3.3_test.csv", "4.3_test.csv"],
}
STEPS = [
    (["X is left of K.", "K is below I."], "What is the relation of the agent X to the agent I?", "lower-left"),
    (["A is at a corner of B.", "C's left is B."], "What is the relation of the agent A to the agent C?", "left"),
]
ROW = {
    "id": "1",
    "story": "[Ann] has a son. His name is [Bob] [Cid] and his dad [Bob] went home. She\u00b4s happy.",
    "query": "('Cid', 'Ann')",
    "target": "grandmother",
    "story_edges": "[(0, 1), (1, 2)]",
    "edge_types": "['father', 'mother']",
    "genders": "Cid:male,Bob:male,Ann:female",
}


def put_steps(folder: Path) -> Path:
    for part in ("train", "valid", "original-test", "corrected"):
        (folder / part).mkdir(parents=True)
    saved = {
        str(number): {"story": told, "question": asked, "label": label} for number, (told, asked, label) in enumerate(STEPS)
    }
    for part, name, most in (("train", "train", 5), ("valid", "valid", 5), ("original-test", "test", 1)):
        for steps in range(1, most + 1):
            (folder / part / f"qa{steps}_{name}.json").write_text(json.dumps(saved), encoding="utf-8")
    lines = [
        line
        for told, asked, label in STEPS
        for line in (*(f"{n} {text}" for n, text in enumerate(told, 1)), f"{len(told) + 1} {asked}\t{label}\t1")
    ]
    for steps in (1, 2):
        (folder / "corrected" / f"qa{steps}_test.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def put_kin(folder: Path, rows: list[dict[str, str]], name: str = "089907f8") -> Path:
    path = folder / f"data_{name}"
    path.mkdir(parents=True)
    for file in ("1.2,1.3_train.csv", *TESTS.get(name, [f"1.{steps}_test.csv" for steps in range(2, 11)])):
        with open(path / file, "w", newline="", encoding="utf-8") as opened:
            writer = csv.DictWriter(opened, list(ROW))
            writer.writeheader()
            writer.writerows(rows)
    return path


def test_stepgame_has_its_names_in_brackets_and_a_split_a_file(tmp_path: Path):
    task = FAMILIES["stepgame"].task("clean", folder=put_steps(tmp_path))
    assert list(task.splits) == ["corrected 1", "corrected 2", "original 1"]
    first, second = task.splits["corrected 2"]
    assert first.statements == ("[X] is left of [K].", "[K] is below [I].")
    assert first.questions[0].text == "What is the relation of the agent [X] to the agent [I]?"
    assert (first.questions[0].answer, first.questions[0].after) == ("lower-left", 2)
    assert second.statements == ("[A] is at a corner of [B].", "[C]'s left is [B].")
    assert task.valid is not None
    assert task.splits["original 1"] == [first, second]
    assert task.train == task.valid == [first, second] * 5
    assert FAMILIES["stepgame"].task("clean", folder=tmp_path, first=3).train == task.train[:3]


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("train/qa1_train.json", "[1]", "qa1_train.json has no stories; expected stories by number"),
        ("train/qa3_train.json", "{}", "qa3_train.json has no stories; expected stories by number"),
        ("train/qa3_train.json", '{"7": {"story":', r"qa3_train.json is no file of JSON \(.* line 1"),
        ("train/qa3_train.json", '{"7": 3}', "qa3_train.json, story 7: "),
        ("train/qa3_train.json", '{"7": {"story": [], "question": "A?", "label": "left"}}', "story 7: it needs a list"),
        ("train/qa3_train.json", '{"7": {"story": ["A"], "question": " ", "label": "left"}}', "story 7: it needs a question"),
        ("train/qa3_train.json", '{"7": {"story": ["A"], "question": "A?", "label": "lef"}}', "its answer is 'lef', expected"),
        ("corrected/qa2_test.txt", "1 A is left of B.\n2 Where is A?\tleft\n1 C is left", "line 3: the file ends without a qu"),
        ("corrected/qa2_test.txt", "1 Where is A?\tleft\n", "line 1: the story before this question: it needs a list"),
        ("corrected/qa2_test.txt", "1 A is left of B.\n2 Where is A?\tlef\n", "line 2: .* its answer is 'lef', expected"),
        ("corrected/qa2_test.txt", "1 A is left of B.\n1 C is left of D.\n", "line 2: expected 2 and a statement"),
        ("corrected/qa2_test.txt", "1" * 5000 + " A is left of B.\n", "line 1: expected 1 and a statement"),
        ("corrected/qa2_test.txt", "", "the file ends without a question"),
        ("valid/qa1_valid.json", '{"0": {"story": [], "question": ""}}', "story 0: it lacks 'label'"),
        ("original-test/qa1_test.json", '{"0": {"story": "X", "question": "", "label": "a"}}', "story 0: it needs a list"),
        (
            "corrected/qa2_test.txt",
            "1 A is left of B.\n3 C is left of D.\n",
            "qa2_test.txt, line 2: expected 2 and a statement",
        ),
        ("corrected/qa2_test.txt", "A is left of B.\n", "line 1: expected 1 and a statement"),
    ],
)
def test_a_broken_file_of_stepgame_is_named(file: str, content: str, said: str, tmp_path: Path):
    (put_steps(tmp_path) / file).write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=said):
        FAMILIES["stepgame"].task("clean", folder=tmp_path)


def test_stepgame_says_what_is_not_there(tmp_path: Path):
    (tmp_path / "train").mkdir()
    with pytest.raises(
        NotAtHand, match=r"lacks train/qa1_train.json, .*, train/qa5_train.json of StepGame: get them from http"
    ):
        FAMILIES["stepgame"].task("clean", folder=tmp_path)


@pytest.mark.parametrize("lost", ["train/qa3_train.json", "valid/qa5_valid.json", "corrected/qa1_test.txt"])
def test_stepgame_without_some_of_its_steps_is_refused(lost: str, tmp_path: Path):
    (put_steps(tmp_path) / lost).unlink()
    with pytest.raises(NotAtHand, match=f"lacks {lost} of StepGame: get them from https"):
        FAMILIES["stepgame"].task("clean", folder=tmp_path)


def test_stepgame_without_tests_is_refused(tmp_path: Path):
    for path in put_steps(tmp_path).glob("*/*_test.*"):
        path.unlink()
    with pytest.raises(NotAtHand, match="has no test stories of StepGame: get them from https"):
        FAMILIES["stepgame"].task("clean", folder=tmp_path)


def test_a_sentence_ends_where_a_name_follows_another():
    assert sentences("[Ann] has  a son. His name is [Bob] [Cid] is here! no. Yes.") == (
        "[Ann] has a son.",
        "His name is [Bob]",
        "[Cid] is here! no.",
        "Yes.",
    )


def test_clutrr_from_text_and_from_its_graph(tmp_path: Path):
    put_kin(tmp_path, [ROW])
    text = FAMILIES["clutrr"].task("089907f8", folder=tmp_path)
    graph = FAMILIES["clutrr"].task("089907f8-graph", folder=tmp_path)
    assert list(text.splits) == list(graph.splits) == [f"clean {steps}" for steps in range(2, 11)]
    assert text.train[0].statements == (
        "[Ann] has a son.",
        "His name is [Bob]",
        "[Cid] and his dad [Bob] went home.",
        "She\u00b4s happy.",
    )
    assert graph.train[0].statements == ("[Bob] is the father of [Cid].", "[Ann] is the mother of [Bob].")
    for story in (*text.train, *graph.train):
        [question] = story.questions
        assert (question.text, question.answer) == ("How is [Ann] related to [Cid]?", "grandmother")
        assert question.after == len(story.statements)


def test_edges_are_asked_for_in_training_alone_in_place_of_the_question(tmp_path: Path):
    put_kin(tmp_path, [ROW, ROW, ROW, ROW | {"story_edges": "[]"}])
    task = FAMILIES["clutrr"].task("089907f8-edges", folder=tmp_path)
    asked = [(one.text, one.answer) for story in task.train for one in story.questions]
    query = ("How is [Ann] related to [Cid]?", "grandmother")
    father, mother = ("How is [Bob] related to [Cid]?", "father"), ("How is [Ann] related to [Bob]?", "mother")
    assert asked == [query, father, mother, query]
    assert {one.text for split in task.splits.values() for story in split for one in story.questions} == {query[0]}


def test_noise_names_the_splits_and_edges_of_noise_are_left_out(tmp_path: Path):
    put_kin(tmp_path, [ROW | {"story_edges": "[(0, 1), (1, 2), (0, 3)]"}], "523348e6")
    task = FAMILIES["clutrr"].task("523348e6-graph", folder=tmp_path)
    assert list(task.splits) == ["clean 3", "disconnected 3", "irrelevant 2", "irrelevant 3", "supporting 3"]
    assert len(task.train[0].statements) == 2


@pytest.mark.parametrize(
    "changed",
    [
        {"query": "Cid"},
        {"query": "('Cid', 'Dan')"},
        {"query": "(" * 5000},
        {"story_edges": "[(0, 9)]"},
        {"target": ""},
        {"edge_types": "open("},
    ],
)
def test_a_broken_row_of_clutrr_is_named(changed: dict[str, str], tmp_path: Path):
    put_kin(tmp_path, [ROW, ROW | changed])
    with pytest.raises(DataError, match=r"line 3: expected CLUTRR's columns"):
        FAMILIES["clutrr"].task("089907f8-graph", folder=tmp_path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda text: text.replace("story_edges", "edges"),
            "line 1: it lacks story_edges; expected CLUTRR's columns id, story",
        ),
        (lambda text: text.replace("id,", "number,"), "line 1: it also has 'number'; expected CLUTRR's columns id"),
        (lambda text: text[: text.rindex(',"[')], "line 3: 5 fields, expected 7; get the file anew from https"),
        (lambda text: text.rstrip() + ",more\n", "line 3: 8 fields, expected 7; get the file anew"),
        (lambda text: text[: text.rindex("Ann:")], "line 3: it is no table"),
        (lambda text: text.replace("1,[Ann]", '1,"[Ann]' + "a" * 140_000), "line [12]: it is no table .*expected CLUTRR's"),
        (lambda text: text.partition("\n")[0], "line 1: the file has no row"),
        (lambda text: "", "line 1: it lacks story"),
    ],
)
def test_a_table_of_clutrr_that_is_cut_short_or_another_is_named(change, said: str, tmp_path: Path):
    file = put_kin(tmp_path, [ROW, ROW]) / "1.4_test.csv"
    with open(file, encoding="utf-8", newline="") as opened:
        text = opened.read()
    file.write_text(change(text), encoding="utf-8", newline="")
    with pytest.raises(DataError, match=rf"1\.4_test\.csv, {said}"):
        FAMILIES["clutrr"].task("089907f8", folder=tmp_path)


def test_a_set_of_clutrr_without_one_of_its_tests_is_refused(tmp_path: Path):
    (put_kin(tmp_path, [ROW]) / "1.7_test.csv").unlink()
    with pytest.raises(DataError, match=r"089907f8 has no file 1\.7_test\.csv; get data_089907f8\.zip anew from https"):
        FAMILIES["clutrr"].task("089907f8", folder=tmp_path)


def test_a_set_of_clutrr_that_is_no_zip_file_or_lacks_a_part_is_refused(tmp_path: Path):
    (tmp_path / "data_089907f8.zip").write_text("no")
    with pytest.raises(NotAtHand, match="no zip file"):
        FAMILIES["clutrr"].task("089907f8", folder=tmp_path)
    with zipfile.ZipFile(tmp_path / "data_d83ecc3e.zip", "w") as archive:
        archive.writestr("4.2_test.csv", ",".join(ROW) + "\n" + ",".join(f'"{field}"' for field in ROW.values()) + "\n")
    with pytest.raises(DataError, match=r"no file that ends with _train\.csv"):
        FAMILIES["clutrr"].task("d83ecc3e", folder=tmp_path)


@pytest.mark.parametrize(("name", "questions"), [("clutrr/089907f8", 10_094), ("clutrr/06b8f2a1-graph", 10_154)])
def test_the_published_sets_where_they_are_at_hand(name: str, questions: int):
    family, member = name.split("/")
    try:
        task = FAMILIES[family].task(member)
    except NotAtHand as error:
        pytest.skip(f"its licence lets nobody ship it: {error}")
    assert sum(len(story.questions) for story in task.train) == questions
