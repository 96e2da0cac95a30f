"""How long sentences and stories may be, said with file and line, and raised by ``--set``."""

import dataclasses
import json
from pathlib import Path

import pytest

from memnet.ask.predictor import Predictor
from memnet.errors import ConfigError, TrainingError
from memnet.models.memn2n import MemN2NConfig
from memnet.tasks.families import Task
from memnet.tasks.families.dataset import export
from memnet.tasks.families.folder import own_tasks
from memnet.tasks.text import Question, Story, parse, write
from memnet.training.dataset import DataSet
from memnet.training.limits import check_lengths
from memnet.training.run import RUN
from tests.conftest import memnet, ran, read_json, refused, wander

FIRST = Story(("Mary went home.", "John left."), (Question("Where is Mary?", "home", (0,), 1),))  # 3 words, 3, 2: 8 in all
QUICK = ["--preset", "bow", "--restarts", 1, "--set", "epochs=1"]


def two(statement: str, question: str = "Where?", answer: str = "home") -> list[Story]:
    """Two stories; the second has a statement at line 4 and a question at line 5."""
    return [FIRST, Story((statement,), (Question(question, answer, (0,), 1),))]


@pytest.mark.parametrize(
    ("second", "settings", "said"),
    [
        (two("one two three four"), {"sentence_words": 3}, "own, train story 2, line 1: a sentence of 4 words, at most 3"),
        (two("one", "who is that there?"), {"sentence_words": 3}, "own, train story 2, line 2: a sentence of 4 words"),
        (two("one", answer="a b c d"), {"sentence_words": 3}, "own, train story 2, line 2: a sentence of 4 words"),
        (two("one", answer=",,,"), {"sentence_words": 3}, "own, train story 2, line 2: a sentence of 4 words"),
        (two("one"), {"story_words": 7}, "own, train story 1, line 1: a story of 8 words, at most 7 are read"),
    ],
)
def test_what_is_longer_than_the_settings_say_is_refused(second: list[Story], settings: dict[str, int], said: str):
    task, config = Task.of("own/own", second, [FIRST], "0"), dataclasses.replace(MemN2NConfig(), **settings)
    with pytest.raises(TrainingError, match=said):
        check_lengths(task, config)
    ((name, most),) = settings.items()
    check_lengths(task, dataclasses.replace(config, **{name: most + 1}))


@pytest.mark.parametrize("part", ["train", "valid", "test"])
def test_every_part_is_looked_at(part: str):
    parts = {"train": [FIRST], "valid": [FIRST], "test": [FIRST], part: two("one two three four")}
    with pytest.raises(TrainingError, match=f"own, {part} story 2"):
        check_lengths(Task.of("own/own", **parts), dataclasses.replace(MemN2NConfig(), sentence_words=3))


def test_a_word_said_a_million_times_is_refused_with_file_and_line(own_folder: Path, tmp_path: Path):
    file = own_folder / "moves_train.txt"
    lines = file.read_text().count("\n")
    with open(file, "a") as stories:
        stories.write("1 Mary went home.\n2 " + "word " * 1_000_000 + "\n3 Where is Mary? \thome\t1\n")
    said = refused("train", own_folder, *QUICK, "--out", tmp_path / "run")
    assert f"{file}:{lines + 2}: a sentence of 1,000,000 words, at most 1,000 are read; shorten it, or allow more" in said
    assert "--set sentence_words=1000000" in said
    assert not (tmp_path / "run").exists()


def test_a_row_of_a_parquet_file_is_named(tmp_path: Path):
    export([Task.of("own/own", [*two("one two " * 600), *wander(1)], wander(2), "0")], tmp_path / "out")
    (task,) = own_tasks(tmp_path / "out" / "own")
    with pytest.raises(TrainingError, match=r"own.train\.parquet, row 1, line 1: a sentence of 1,200 words"):
        DataSet.of([task], MemN2NConfig())


def test_set_allows_more(own_folder: Path, tmp_path: Path):
    (own_folder / "moves_train.txt").write_text(write([*two("very " * 1500 + "far", "Where?", "kitchen"), *wander(1)]))
    out = ["--out", tmp_path / "run"]
    assert "moves_train.txt:4: a sentence of 1,501 words" in refused("train", own_folder, *QUICK, *out)
    ran("train", own_folder, *QUICK, "--set", "sentence_words=1501", *out)


def test_evaluation_reads_as_long_stories_as_training(own_folder: Path, tmp_path: Path):
    """With the network's own limits: what training may have read is not refused."""
    long, short = ["--set", "sentence_words=1501"], ["--out", tmp_path / "short"]
    ran("train", own_folder, *QUICK, *short)
    ran("train", own_folder, *QUICK, *long, "--out", tmp_path / "long")
    (own_folder / "moves_test.txt").write_text(write([*two("very " * 1500 + "far", "Where?", "kitchen"), *wander(1)]))
    said = refused("eval", tmp_path / "short", own_folder)
    assert "moves_test.txt:4: a sentence of 1,501 words, at most 1,000 are read; shorten it, or train a network that" in said
    assert "memnet train --set sentence_words=1501" in said
    ran("eval", tmp_path / "long", own_folder)


def test_a_limit_is_a_number_above_zero():
    for name in ("sentence_words", "story_words"):
        with pytest.raises(ConfigError, match=name):
            MemN2NConfig(**{name: 0})


def test_a_run_from_before_a_setting_goes_on(own_folder: Path, tmp_path: Path):
    """A setting that the folder does not know had its default value; another value is another run."""
    command = ["train", own_folder, *QUICK, "--out", tmp_path / "run"]
    ran(*command)
    saved = read_json(tmp_path / "run" / RUN)
    del saved["spec"]["config"]["sentence_words"]
    (tmp_path / "run" / RUN).write_text(json.dumps(saved))
    assert "is finished already" in memnet(*command, "--resume").stdout
    assert "holds another run" in refused(*command, "--resume", "--set", "sentence_words=999")


def test_statements_and_questions_stand_in_order_as_their_lines_do():
    for story in (FIRST, *wander(3), *parse("1 A b.\n2 C d?\te\t1\n3 F g?\th\t\n4 I.\n")):
        texts = [line if isinstance(line, str) else f"{line.text}\t{line.answer}" for line in story.in_order()]
        assert [line.split(" ", 1)[1].rpartition("\t")[0] or line.split(" ", 1)[1] for line in story.lines()] == texts


def far_away(folder: Path, distance: int, stories: int = 12) -> Path:
    """Stories whose question is about their first statement, which is so many statements back."""
    for part, offset in (("train", 0), ("test", 1)):
        told = []
        for number in range(stories):
            room = ("kitchen", "garden", "office")[(number + offset) % 3]
            statements = (f"Ann left the key in the {room}.", *["Bob sang."] * (distance - 1))
            told.append(Story(statements, (Question("Where is the key?", room, (0,), distance),)))
        (folder / f"far_{part}.txt").write_text(write(told), encoding="utf-8")
    return folder


def test_facts_beyond_the_memory_are_counted(tmp_path: Path):
    folder = far_away(tmp_path, 61)
    said = refused("train", folder, *QUICK, "--supervision", "facts", "--out", tmp_path / "run")
    assert "the supporting facts of 11 of the 11 training questions of own/far are further back than the 50 statements" in said
    assert "set memory_size=61" in said
    done = ran("train", folder, *QUICK, "--out", tmp_path / "run")
    assert "own/far: 12 of the 12 training questions follow more than the 50 statements that the memory holds" in done.stdout
    assert "the supporting facts of 12 are up to 61 statements back; --set memory_size=61 would hold them" in done.stdout
    assert "memory holds" not in ran("train", far_away(tmp_path, 50), *QUICK, "--out", tmp_path / "all").stdout


def test_a_key_beyond_the_memory_is_not_called_unmentioned(tmp_path: Path):
    folder = far_away(tmp_path, 5)
    ran("train", folder, *QUICK, "--open-vocabulary", "--out", tmp_path / "run")
    predictor = Predictor.load(tmp_path / "run")
    predictor.english = None  # what reads ordinary English has a memory of its own
    refused_one = predictor.ask(["Ann left the key in the kitchen.", *["Ann sang."] * 50], "Where is Key?")
    assert refused_one.refusal.endswith("Key was last mentioned before the 50 statements that my memory holds")
    closed = Predictor.load(ran_on(tmp_path, folder))
    about_key = closed.ask(["Ann left the key in the kitchen.", *["Bob sang."] * 50], "Where is the key?")
    assert about_key.refusal.endswith("key was last mentioned before the 50 statements that my memory holds")


def ran_on(out: Path, folder: Path) -> Path:
    """The folder of a network of the words of these stories."""
    ran("train", folder, *QUICK, "--out", out / "closed")
    return out / "closed"
