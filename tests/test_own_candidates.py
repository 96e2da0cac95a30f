"""Answers to choose among in a person's own files, and the faults of such files that would pass in silence."""

import json
from pathlib import Path

import pytest

from memnet.config import override
from memnet.papers import PRESETS
from memnet.tasks.families import DataError, find
from memnet.tasks.families.remarks import remarks
from memnet.tasks.text import FormatError
from memnet.training.candidates import needed_to_rank, ranking
from tests.conftest import ran, refused

VOICES = ("alto", "bass", "tenor")


def story(name: str, voice: str) -> str:
    """A story of two lines, the second of which asks."""
    return f"1 {name} sings {voice}.\n2 What does {name} sing?\t{voice}\t1\n"


def choir(folder: Path, **files: str) -> Path:
    """A folder of files, by what follows the name of the data set."""
    told = {"train": "".join(story("Lea", voice) for voice in VOICES), "test": story("Tom", "bass")}
    told |= {"candidates": "\n".join(VOICES) + "\n"} | files
    folder.mkdir(exist_ok=True)
    for part, text in told.items():
        (folder / f"choir_{part}.txt").write_text(text, encoding="utf-8")
    return folder


def said_of(folder: Path) -> str:
    """What is said of a folder's faults, as a sentence that refuses it or as remarks."""
    try:
        return "\n".join(remarks(find([str(folder)])[0]))
    except (DataError, FormatError) as error:
        return f"refused: {error}"


def test_each_question_has_the_answers_of_the_folder_to_choose_among(tmp_path: Path):
    (task,) = find([str(choir(tmp_path))])
    assert {one.candidates for each in (*task.train, *task.test) for one in each.questions} == {VOICES}
    assert said_of(tmp_path) == ""
    assert said_of(choir(tmp_path, test=story("Tom", "Bass"))) == ""  # letters of either case are one answer


@pytest.mark.parametrize("part", ["train", "test", "test_far", "valid"])
def test_an_answer_that_is_no_candidate_is_refused_with_its_line(part: str, tmp_path: Path):
    text = story("Lea", "alto") + story("Tom", "soprano")
    folder = choir(tmp_path, **{part: text})
    assert said_of(folder) == (
        f"refused: {folder}/choir_{part}.txt:4: the answer 'soprano' is none of the 3 candidates of "
        f"{folder}/choir_candidates.txt (alto, bass, tenor); write it as one of them, or add it there"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "choir_candidates.txt:1: the file is empty; expected answers to choose among, one a line, or no such file"),
        (" \n\n", "choir_candidates.txt:1: the file is empty"),
        ("alto\n\nbass\ntenor\nALTO\n", "choir_candidates.txt:5: 'ALTO' stands in line 1 too; expected each answer once"),
    ],
)
def test_candidates_that_are_none_or_are_there_twice_are_refused(text: str, said: str, tmp_path: Path):
    assert said in said_of(choir(tmp_path, candidates=text))


@pytest.mark.parametrize(("lines", "more"), [(1, ""), (3, " (so in 2 more lines)")])
def test_a_question_where_the_answer_belongs_is_named(lines: int, more: str, tmp_path: Path):
    turned = "1 Lea sings alto.\n2 alto\tWhat does Lea sing?\t1\n" * lines
    folder = choir(tmp_path, train=story("Lea", "bass") + turned)
    (folder / "choir_candidates.txt").unlink()
    assert said_of(folder) == (
        f"{folder}/choir_train.txt:4: the question is 'alto' and its answer 'What does Lea sing?'{more}; "
        "expected the question before the tab and its answer after it"
    )


def test_an_answer_with_a_question_mark_is_one_where_the_question_has_its_own(tmp_path: Path):
    folder = choir(tmp_path, train=story("Lea", "alto") + "1 Lea sings alto.\n2 What does Lea ask?\twho sings bass?\t1\n")
    (folder / "choir_candidates.txt").unlink()
    assert said_of(folder) == ""


@pytest.mark.parametrize("name", ["tst_far", "tset_far", "trian", "vaild"])
def test_a_file_of_questions_whose_part_is_misspelled_is_refused(name: str, tmp_path: Path):
    folder = choir(tmp_path, **{name: story("Ida", "alto")})
    meant = {"tst_far": "test_far", "tset_far": "test_far", "trian": "train", "vaild": "valid"}[name]
    assert f"call it choir_{meant}.txt, or take it out of {folder}" in said_of(folder)
    (folder / f"choir_{name}.txt").write_text("What we sang in May.\n", encoding="utf-8")
    assert said_of(folder).startswith(f"choir_{name}.txt is not read: ")


def test_what_lacks_a_test_file_is_the_training_file(tmp_path: Path):
    folder = choir(tmp_path)
    (folder / "choir_test.txt").unlink()
    assert said_of(folder).startswith(f"refused: {folder}/choir_train.txt has no test file beside it")


def records(folder: Path, *asked: dict[str, object]) -> Path:
    """A folder of records with these keys besides the usual ones."""
    usual = {"passage": "Lea sings alto.", "question": "What does Lea sing?", "answer": "alto"}
    text = "".join(json.dumps({**usual, **more}) + "\n" for more in asked)
    for part in ("train", "test"):
        (folder / f"choir_{part}.jsonl").write_text(text, encoding="utf-8")
    return folder


def test_a_record_has_candidates_and_a_kind_of_its_own(tmp_path: Path):
    (task,) = find([str(records(tmp_path, {"candidates": ["alto", "bass"], "kind": "voice"}, {"kind": 2}, {"kind": None}))])
    found = [(one.candidates, one.kind) for each in task.train for one in each.questions]
    assert found == [(("alto", "bass"), "voice"), ((), "2"), ((), "")]
    (tmp_path / "choir_candidates.txt").write_text("tenor\nalto\n", encoding="utf-8")
    (task,) = find([str(tmp_path)])
    found = [one.candidates for each in task.train for one in each.questions]
    assert found == [("alto", "bass"), ("tenor", "alto"), ("tenor", "alto")]  # those of a record come first


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"candidates": ["bass", "tenor"]}, "the answer 'alto' is none of the 2 candidates of its question (bass, tenor)"),
        ({"candidates": ["alto", "bass", "Alto"]}, "'alto' is twice among the candidates of its question"),
        ({"candidates": "alto"}, "the candidates are 'alto'; expected a list of answers"),
        ({"candidates": []}, "the candidates are []; expected a list of answers"),
        ({"kind": ["voice"]}, "the kind is ['voice']; expected a word"),
    ],
)
def test_candidates_and_kinds_of_records_that_are_none_are_refused(more: dict[str, object], said: str, tmp_path: Path):
    assert f"choir_train.jsonl:2: {said}" in said_of(records(tmp_path, {}, more))


def test_keys_that_nobody_reads_are_named(tmp_path: Path):
    said = said_of(records(tmp_path, {"id": "7"}, {"hops": 2, "label": None}, {"hops": 3}))
    assert f"these keys are not read: 'hops' ({tmp_path}/choir_train.jsonl:2)" in said
    for name in ("id", "label", "passage"):
        assert repr(name) not in said


def test_candidates_of_a_line_of_parlai_hold_its_label(tmp_path: Path):
    line = "text:Lea sings alto.\\nWhat does Lea sing?\tlabels:alto\tlabel_candidates:{}\tepisode_done:True\n"
    for part in ("train", "test"):
        (tmp_path / f"choir_{part}.txt").write_text(line.format("bass|alto") + line.format("bass|tenor"), encoding="utf-8")
    assert "choir_train.txt:2: the answer 'alto' is none of the 2 candidates of its question" in said_of(tmp_path)


ONE = ("--restarts", "1", "--set", "epochs=1")


@pytest.mark.parametrize("preset", ["causal", "walk", "mentions"])
def test_a_network_that_ranks_no_candidates_says_so_before_a_sweep_begins(preset: str, tmp_path: Path):
    folder, work = choir(tmp_path / "choir"), tmp_path / "work"
    for more in ((), ("--dry-run",)):
        files = ("--results", tmp_path / "runs.csv", "--work", work)
        said = refused("sweep", folder, "--preset", "bow", "--preset", preset, *ONE, *files, *more)
        assert "own/choir: its questions have candidates, and this network ranks none; leave the candidates away" in said
        assert "such as pe-ls-rn, " in said
        assert not work.exists()
    assert "this network ranks none" in refused("train", folder, "--preset", preset, *ONE, "--out", tmp_path / "run")


@pytest.mark.parametrize(
    ("preset", "setting"), [("lstm", "decoder=class"), ("memnn", "decoder=class"), ("pe-ls-rn-canonical", "canonical=false")]
)
def test_a_network_that_may_rank_candidates_says_by_which_setting(preset: str, setting: str, tmp_path: Path):
    folder, run = choir(tmp_path / "choir", train=story("Lea", "bass") * 20 + story("Tom", "alto")), tmp_path / "run"
    command = ("train", folder, "--preset", preset, *ONE, "--out", run)
    assert refused(*command).endswith(f"which are ranked as they are written; set {setting}\n")
    if preset == "pe-ls-rn-canonical":  # which needs more stories than these
        return
    ran(*command, "--set", setting)
    assert "of candidates: hits@1" in ran("eval", run, folder).stdout


def test_the_setting_that_is_named_is_enough_for_every_preset():
    for name, config in PRESETS.items():
        needed = needed_to_rank(config)
        assert needed is None or needed_to_rank(override(config, needed)) == {}, name
    assert {"yes", "with `--set decoder=class`"} < ranking().keys()


def test_how_much_there_is_in_ones_own_files_is_shown_and_checked(tmp_path: Path):
    folder = choir(tmp_path, test_far=story("Ida", "alto"), test_near=story("Lea", "alto"))
    (folder / "choir_test.txt").unlink()
    counts = (
        "own/choir: training 3 stories, 3 questions; test 'far' 1 story, 1 question; test 'near' 1 story, 1 question; "
        "3 answers, 3 candidates"
    )
    odd = "own/choir: 1 of the 2 test questions also stands in training, with the same statements before it"
    for command in (("data", "show"), ("data", "check")):
        said = ran(*command, folder).stdout.splitlines()
        assert said[-2] == counts, command
        assert said[-1].startswith(odd), command
    assert odd in ran("sweep", folder, *ONE, "--results", tmp_path / "runs.csv", "--dry-run").stderr
    (folder / "choir_candidates.txt").write_text("alto\n", encoding="utf-8")
    assert "the answer 'bass' is none of the 1 candidates" in refused("data", "check", folder)
