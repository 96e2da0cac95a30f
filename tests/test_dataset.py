"""The data set of the ``datasets`` library: schema, round trips, parquet, versions."""

import io
import sys
from pathlib import Path

import datasets
import pyarrow.parquet
import pytest

from memnet import tasks
from memnet.tasks import DataError, FormatError, find
from memnet.tasks.families.dataset import FEATURES, export
from memnet.tasks.families.parquet import read_parquet
from memnet.tasks.families.rows import row, story
from memnet.tasks.simulator import FILE_TITLES, simulate
from memnet.tasks.text import parse
from tests.conftest import memnet, ran, refused

TEXT = "1 Mary got the milk.\n2 Where is the milk? \tkitchen\t1\n3 John left.\n4 What is there?\tapple,milk\t3 1\n"


def older(new: dict) -> dict:
    """A row as the hub has it: a dict of columns."""
    lines = new["story"]
    return {"story": {key: [line[key] for line in lines] for key in lines[0]}}


def test_a_row_has_the_lines_of_the_file():
    lines = row(parse(TEXT)[0])["story"]
    assert [line["id"] for line in lines] == ["1", "2", "3", "4"]
    assert [line["type"] for line in lines] == ["context", "question", "context", "question"]
    assert lines[3] == {
        "id": "4",
        "type": "question",
        "text": "What is there?",
        "supporting_ids": ["3", "1"],
        "answer": "apple,milk",
    }


@pytest.mark.parametrize("name", FILE_TITLES)
def test_rows_of_both_forms_become_the_stories_again(name: str):
    for one in simulate(name, 60, 1):
        assert story(row(one)) == story(older(row(one))) == one


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"story": 3},
        {"story": [{"id": "1"}]},
        {"story": [{"id": "1", "type": "poem", "text": "", "supporting_ids": [], "answer": ""}]},
        {"story": [{"id": "1", "type": 1, "text": "?", "supporting_ids": ["7"], "answer": "a"}]},
        {"story": [{"id": "1", "type": 0, "text": None, "supporting_ids": [], "answer": ""}]},
        {"story": [{"id": "1", "type": -2, "text": "a", "supporting_ids": [], "answer": ""}]},
        {"story": [{"id": "1", "type": 0, "text": "a\tb", "supporting_ids": [], "answer": ""}]},
        {"story": [{"id": n, "type": n == "2", "text": "a", "supporting_ids": ["1"], "answer": "b"} for n in "12"]},
        {"story": [{"id": n, "type": int(n == "2"), "text": "a", "supporting_ids": [], "answer": ""} for n in "12"]},
        {"story": [{"id": "1", "type": 1, "text": "a?", "supporting_ids": [], "answer": "b"}]},
        {"story": []},
        {"story": {"id": ["1", "2"], "type": [0], "text": ["a"], "supporting_ids": [[]], "answer": [""]}},
    ],
)
def test_a_row_that_is_no_story_says_so(bad: dict):
    with pytest.raises(FormatError, match="a row"):
        story(bad)


def test_load_gives_the_parts_in_the_schema(tmp_path: Path):
    loaded = tasks.load("sim/qa5", cache=tmp_path)
    assert {part: sum(sum(line["type"] for line in one["story"]) for one in rows) for part, rows in loaded.items()} == {
        "train": 900,
        "validation": 100,
        "test": 1000,
    }
    assert loaded["train"].features == FEATURES
    task = find(["sim/qa5"])[0]
    assert [story(one) for one in loaded["test"]] == task.test
    assert [story(one) for part in ("train", "validation") for one in loaded[part]] == [s for p in task.split(0.1) for s in p]
    other = tasks.load("sim/qa5@4", cache=tmp_path)
    assert other["test"][0] != loaded["test"][0]


def test_load_published(tmp_path: Path, published: Path):
    loaded = tasks.load("qa1", data=published, cache=tmp_path)
    assert [story(one) for one in loaded["test"]] == find(["qa1"], data=published)[0].test


def test_load_of_what_is_not_there_is_a_sentence(tmp_path: Path):
    for arguments, said in [
        (("qa99",), "no data set is called 'qa99'"),
        (("babi-5k/qa1",), "no data set is called 'babi-5k/qa1'"),
        (("sim/all",), "holds 20 data sets; name one"),
        (("babi/qa1@3",), "are one set and take no seed"),
        (("qa1@3",), "name its family too, as in sim/qa1@3"),
        (("resampled/qa1",), "has stories @1 to @9, not @0"),
        (("babi/qa1", tmp_path), "is not in --data"),
    ]:
        with pytest.raises(DataError, match=said):
            tasks.load(*arguments, cache=tmp_path / "cache")


def test_parquet_goes_out_and_comes_back(tmp_path: Path):
    out = tmp_path / "all"
    ran("data", "export", "sim/qa4", "sim/qa20", "--out", out)
    assert sorted(path.name for path in (out / "qa4").iterdir()) == ["test.parquet", "train.parquet", "validation.parquet"]
    again = find([str(out / "qa4")])[0]
    first = find(["sim/qa4"])[0]
    assert (again.name, again.train, again.valid) == ("own/qa4", *first.split(0.1))
    assert again.test == first.test
    loaded = datasets.Dataset.from_parquet(str(out / "qa4" / "test.parquet"), cache_dir=str(tmp_path / "cache"))
    assert loaded.features == FEATURES
    quick = ["--restarts", 1, "--set", "epochs=2", "--set", "linear_start=1", "--out", tmp_path / "run"]
    ran("train", out / "qa4", *quick)
    assert "exists already" in memnet("data", "export", "sim/qa4", "--out", out).stderr
    (out / "qa4" / "train.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(FormatError, match="is not a parquet file"):
        find([str(out / "qa4")])


def test_export_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("memnet.tasks.families.dataset.row", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        export(find(["sim/qa4"]), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_without_its_extra_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("datasets", "pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "memnet.tasks.families.dataset")
    said = refused("data", "export", "sim/qa4", "--out", tmp_path / "out")
    assert said.startswith(
        "memnet: a data set as parquet files needs datasets, of the extra parquet: pip install 'memnet-qa[parquet]'"
    )
    with pytest.raises(ImportError, match=r"load needs the library datasets: pip install 'memnet-qa\[parquet\]'"):
        _ = tasks.load
    for part in ("train", "test"):
        (tmp_path / f"a_{part}.parquet").write_bytes(b"PAR1")
    said = refused("train", tmp_path, "--out", tmp_path / "run")
    assert "a_train.parquet is a parquet file, which pyarrow reads: pip install 'memnet-qa[parquet]'" in said


def test_text_of_a_parquet_file_that_is_not_utf8_is_named():
    latin = pyarrow.Array.from_buffers(pyarrow.utf8(), 1, pyarrow.array([b"M\xe4ry went home."], pyarrow.binary()).buffers())
    content = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table({"story": latin}), content)
    with pytest.raises(FormatError, match=r"^x\.parquet holds text with byte 0xe4, which is not UTF-8; write its"):
        read_parquet(content.getvalue(), "x.parquet")


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match=r"file cannot keep sim/qa1 \(File exists\); name a folder that can be written"):
        tasks.load("sim/qa1", cache=tmp_path / "file")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "file" / "inside"))
    with pytest.raises(DataError, match=r"inside cannot keep sim/qa1 \(Not a directory\)"):
        tasks.load("sim/qa1")
