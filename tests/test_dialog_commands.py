"""Settings, conversations and commands of networks that compose, and the published files."""

import json
import shutil
from dataclasses import replace
from math import isnan
from pathlib import Path
from random import Random

import pytest
from filelock import FileLock

from memnet.composing.bot import Bot, Trained, knowledge_base, read_config
from memnet.composing.lexicon import Lexicon
from memnet.composing.making import make
from memnet.composing.training import Course, train, with_distractors
from memnet.errors import BusyError, ConfigError, NetworkError, TrainingError
from memnet.measure import dialogs
from memnet.record.family_scores import DialogScore
from memnet.record.measurements import read_csv, write_csv
from memnet.reports.dialog_page import scores
from memnet.tasks import find
from memnet.tasks.families import Task
from memnet.tasks.families.family import NotAtHand
from tests.conftest import ran, read_json, refused
from tests.test_dialog import boats, made_up, write_set


def test_distractors_stand_before_turns_and_are_not_asked():
    story, lexicon = made_up(1, 0)[0], Lexicon.of(made_up(60, 0))
    more = with_distractors(story, 1.0, lexicon, Random(0))
    assert len(more.statements) == len(story.statements) + 2 * 4  # not before <SILENCE>
    for one, other in zip(story.questions, more.questions, strict=True):
        assert more.statements[other.after] == story.statements[one.after]
        assert other.answer == one.answer
    assert with_distractors(story, 0.0, lexicon, Random(0)) == story


def test_a_folder_of_settings_before_a_new_one_is_known_again():
    saved = Course(seed=3).as_dict()
    assert Course(seed=3).is_of({name: value for name, value in saved.items() if name != "distractors"})
    assert not Course(seed=3, distractors=0.5).is_of(saved)
    assert not Course(seed=3).is_of("much")


def test_settings_are_checked():
    assert Course().changed(["epochs=3", "lr=0.1"]) == Course(epochs=3, lr=0.1)
    for wrong, message in (
        ("epoch=3", "no setting 'epoch=3'"),
        ("epochs=x", "no whole number"),
        ("lr=x", "no number"),
        ("epochs=0", "epochs has an impossible value"),
        ("hide=2", "hide has an impossible value"),
        ("dim=10", "dim has an impossible value"),
    ):
        with pytest.raises(ConfigError, match=message):
            Course().changed([wrong])


def test_a_folder_is_made_once_and_no_other_is_touched(composer: tuple[Path, Task], tmp_path: Path):
    folder, task = composer
    saved = read_config(folder)
    assert saved is not None
    assert make(task, Course(**saved["course"]), folder) == saved
    assert "memnet chat" in (folder / "README.md").read_text()
    with pytest.raises(TrainingError, match="holds another network"):
        make(task, Course(**saved["course"] | {"seed": 1}), folder)
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(TrainingError, match=r"holds other files, such as thesis\.txt"):
        make(task, Course(), tmp_path)
    (tmp_path / "busy").mkdir()
    with FileLock(tmp_path / "busy" / ".lock"), pytest.raises(BusyError, match="another process"):
        make(task, Course(), tmp_path / "busy")
    with pytest.raises(NetworkError, match="holds no network that composes"):
        Trained.load(tmp_path)


def test_a_data_set_without_enough_dialogs_is_refused():
    task = replace(boats(4), valid=[])
    with pytest.raises(TrainingError, match="4 dialogs to learn from and 0 to choose by"):
        next(train(task, Course()))


def test_a_conversation_with_rows_that_it_looks_up(composer: tuple[Path, Task]):
    rows = knowledge_base(
        "1 boat_x R_colour\tpink\n1 boat_x R_harbour kiel\n1 boat_x R_stars 8\n1 boat_x R_phone boat_x_phone", "f"
    )
    bot = Bot(Trained.load(composer[0]), rows)
    assert [reply.text for reply in bot.replies("hello")] == ["which colour"]
    assert [reply.text for reply in bot.replies("pink please")] == ["in which harbour"]
    talk = bot.replies("in kiel")
    called = [next(talk)]
    assert bot.found == rows["boat_x"]  # as soon as it has called
    called += talk
    assert called[0].text == "api_call pink kiel"
    assert ("pink", "user: pink please") in called[0].copied
    assert called[1].text == "what about boat_x"
    assert bot.found == []
    assert Bot(bot.trained).call("api_call pink R_harbour") == []
    with pytest.raises(NetworkError, match="f:1: expected a row"):
        knowledge_base("1 boat_x pink", "f")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"lexicon": {"known": [], "names": [], "spoken": ["</s>"]}}, "its words are not the"),
        ({"course": []}, "cannot be opened"),
        ({"course": {"hide": "much"}}, "cannot be opened: could not convert"),
        ({"again": 5}, "cannot be opened: 'int' object is not iterable; train it again"),
        ({"network": None}, "cannot be opened"),
        ({"lexicon": {}}, r"cannot be opened: config\.json has no 'known'"),
        ({"model": [["deep"]]}, "holds no network that composes"),
    ],
)
def test_a_folder_with_another_configuration_is_refused(
    changed: dict[str, object], said: str, composer: tuple[Path, Task], tmp_path: Path
):
    run = tmp_path / "run"
    shutil.copytree(composer[0], run)
    (run / "config.json").write_text(json.dumps(read_json(run / "config.json") | changed))
    with pytest.raises(NetworkError, match=said):
        Trained.load(run)
    (run / "config.json").write_text("[" * 100_000)
    assert "holds no network that composes" in refused("chat", run)


@pytest.mark.parametrize("command", [("ask", "--question", "hello"), ("serve",), ("plot",)])
def test_what_asks_about_stories_names_the_command_that_talks_to_a_composer(
    command: tuple[str, ...], composer: tuple[Path, Task]
):
    assert f"talk to it with 'memnet chat {composer[0]}'" in refused(command[0], composer[0], *command[1:])


def test_a_composer_answers_no_questions_about_stories(composer: tuple[Path, Task]):
    said = refused("eval", composer[0], "sim/qa1")
    assert "sim/qa1 has no dialogs" in said
    assert "name one such as dialog/task5" in said


@pytest.mark.parametrize(
    "line", ["a boat for ² please", "① and ³", "\x00\x1b[31m", "\u202egnol", "9" * 5000, "x" * 100_000, "/help"]
)
def test_odd_lines_are_answered(line: str, composer: tuple[Path, Task]):
    assert ran("chat", composer[0], "--show", stdin=line + "\n").stdout.strip()


def test_rows_that_are_no_text_or_none_are_refused(composer: tuple[Path, Task], tmp_path: Path):
    rows = tmp_path / "rows.txt"
    for content, said in (
        (b"1 a R_b c\n\xff\xfe", "rows.txt:2: byte 0xff is not UTF-8 text"),
        (b"\n", "rows.txt:1: the file is empty; expected rows such as"),
    ):
        rows.write_bytes(content)
        assert said in refused("chat", composer[0], "--rows", rows)


def test_the_command_line_trains_evaluates_and_talks(tmp_path: Path):
    write_set(tmp_path)
    run = tmp_path / "run"
    small = ("--set", "epochs=1", "--set", "dim=16", "--data", tmp_path)
    said = ran("train", "dialog/task5", *small, "--out", run).stdout
    assert "of responses right" in said
    assert "memnet chat" in said
    report = json.loads(ran("eval", run, "--data", tmp_path, "--json").stdout)
    assert report["tasks"]["dialog/task5"]["oov"]["questions"] == 7
    table = ran("eval", run, "--data", tmp_path, "--predictions", tmp_path / "said.jsonl").stdout
    assert "dialogs right" in table
    assert len((tmp_path / "said.jsonl").read_text().splitlines()) == 14
    assert ran("chat", run, "--show", stdin="hello\n\n").stdout.strip()
    assert "--restarts is not for a composer" in refused("train", "dialog/task5", *small, "--restarts", 2)
    assert "--evidence has no use beside" in refused("eval", run, "--evidence")
    assert "holds no network that composes" in refused("chat", tmp_path)


def test_the_bench_trains_what_is_not_trained_and_keeps_what_it_has(tmp_path: Path):
    write_set(tmp_path)
    command = (
        "bench",
        "dialog",
        "dialog/task5",
        "--data",
        tmp_path,
        "--runs",
        tmp_path / "runs",
        "--write",
        tmp_path / "d.csv",
    )
    printed = ran(*command, "--network", "composer", "--ranked", 3).stdout
    assert printed.count("composer") == 3
    ran(*command, "--network", "pe-ls-rn", "--epochs", 1)
    lines = read_csv(tmp_path / "d.csv", DialogScore)
    assert [line.network for line in lines] == ["composer"] * 3 + ["pe-ls-rn"] * 3
    assert {line.split for line in lines} == {"validation", "test", "oov"}
    assert all(line.questions == 7 for line in lines)
    ran(*command, "--network", "causal", "--epochs", 1)  # it decodes, and ranks nothing
    decoded = [line for line in read_csv(tmp_path / "d.csv", DialogScore) if line.network == "causal"]
    assert [(line.questions, isnan(line.ranked)) for line in decoded] == [(7, True)] * 3
    ran(*command, "--network", "composer", "--ranked", 3)  # what is trained is found, and its lines are replaced
    assert len(read_csv(tmp_path / "d.csv", DialogScore)) == 9


def test_all_networks_of_the_table_are_measured_where_none_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    write_set(tmp_path)
    asked: list[str] = []
    line = DialogScore("dialog/task5", "test", "", 0, 1, 1.0, 7, 50.0, 50.0, 50.0)

    def composed(task: Task, *_: object) -> list[DialogScore]:
        asked.append("composer")
        return [replace(line, network="composer")]

    def chosen(task: Task, preset: str, *_: object) -> list[DialogScore]:
        asked.append(preset)
        return [replace(line, network=preset)]

    monkeypatch.setattr(dialogs, "composed", composed)
    monkeypatch.setattr(dialogs, "chosen", chosen)
    printed = ran("bench", "dialog", "dialog/task5", "--data", tmp_path).stdout
    assert asked == ["composer", "pe-ls-rn", "dmn-plus", "universal", "causal"]
    assert all(name in printed for name in asked)


def test_the_tables_page_has_means_over_seeds_and_no_validation(tmp_path: Path):
    numbers = (("test", 0, 90.0, 50.0, 95.0), ("test", 1, 100.0, 60.0, float("nan")), ("validation", 0, 1.0, 1.0, 1.0))
    lines = [
        DialogScore("dialog/task5", split, "composer", seed, 6, 10.0, 7, right, whole, ranked)
        for split, seed, right, whole, ranked in numbers
    ]
    (tmp_path / "dialog.csv").write_text(write_csv(lines))
    page = scores(tmp_path)
    assert "| dialog/task5 | test | composer | 2 | 6 | 10 | 7 | 95.00 (least 90.00) | 55.0 (least 50.0) | 95.00 |" in page
    assert "validation" not in page


@pytest.mark.parametrize("name", ["dialog/task1", "dialog/task6", "dialog-permuted/task5", "dialog-naturalistic/task5"])
def test_the_published_files_are_read_whole(name: str):
    try:
        (task,) = find([name])
    except NotAtHand:
        pytest.skip("the published dialogs are not at hand")
    turns = {"train": 0} | {split: sum(len(story.questions) for story in stories) for split, stories in task.splits.items()}
    turns["train"] = sum(len(story.questions) for story in task.train)
    expected = {
        "dialog/task1": {"train": 6024, "test": 5936, "oov": 6020},
        "dialog/task6": {"train": 14404, "test": 11237},
        "dialog-permuted/task5": {"train": 18433, "test": 18506},
        "dialog-naturalistic/task5": {"train": 18340, "test": 18398, "naturalistic": 18398},
    }
    assert turns == expected[name]


def test_a_story_that_is_no_dialog_and_a_rate_that_is_no_number_are_refused(tmp_path: Path):
    said = refused("train", "sim/qa1", "--model", "composer", "--set", "epochs=1", "--out", tmp_path / "run")
    assert "answers the turns of a dialog" in said
    assert "lr has an impossible value" in refused(
        "train", "sim/qa1", "--model", "composer", "--set", "lr=nan", "--out", tmp_path
    )
