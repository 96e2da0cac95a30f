"""Measurements on record: read as they were written, and each of them names what made it."""

import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from memnet.errors import NetworkError
from memnet.record import measurements, provenance
from memnet.record.ages import ages, kind_of
from memnet.record.maker import NOT_RECORDED, Maker
from memnet.record.measurements import (
    AnswerCost,
    EnglishScore,
    ScalingPoint,
    measured_by,
    read_costs,
    read_csv,
    write_csv,
)
from memnet.record.provenance import ASKING, REMEMBERING, asking_hash, code_hash, machine, versions
from tests.conftest import ran

RESULTS = Path(__file__).parent.parent / "results"
PRINTED = {"published.csv", "published_sources.csv", "babilong_published.csv", "dialog_published.csv", "memories_published.csv"}
OTHERS = {"runs.csv", "codes.csv", *PRINTED}  # networks, their code, figures that are printed
ON_RECORD = sorted(path for path in RESULTS.glob("*.csv") if path.name not in OTHERS)
COST = AnswerCost("bow", 20, 1234, 1.5, 5e4)


def test_what_is_measured_is_read_as_it_was_written(tmp_path: Path):
    path, lines = tmp_path / "models.csv", [COST, AnswerCost("pe", 20, 7, 0.123457, 1234567.0, maker=Maker("c0de"))]
    path.write_text(write_csv(lines))
    assert read_csv(path, AnswerCost) == lines
    assert read_costs(path)["bow", 20].maker == Maker(code_hash(), command=COST.maker.command, **versions())
    path.write_text("preset,width,parameters,milliseconds,flops\nbow,20,1234,1.5,5e4\n")
    assert read_csv(path, AnswerCost) == [replace(COST, maker=Maker())]  # of a file from before what made it was kept
    path.write_text("preset,width\nbow,20\n")
    with pytest.raises(NetworkError, match=r"models.csv is not what 'memnet bench models --write' writes: KeyError"):
        read_csv(path, AnswerCost)
    with pytest.raises(NetworkError, match=r"missing; 'memnet bench memory --write' writes it"):
        read_csv(tmp_path / "nothing.csv", ScalingPoint)


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        (["/home/me/bin/memnet", "bench", "models", "a b"], "memnet bench models 'a b'"),
        (["/x/memnet/__main__.py", "bench"], "memnet bench"),
        (["scripts/compare.py", "--write", "x.csv"], "python scripts/compare.py --write x.csv"),
    ],
)
def test_a_measurement_names_the_command_that_runs(typed: list[str], command: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "argv", typed)
    made = replace(COST, maker=Maker.here()).maker
    assert (made.command, made.code, made.machine) == (command, code_hash(), machine())


def test_a_table_says_what_measured_it():
    known = replace(COST, maker=Maker("c0de", "AMD; avx2", "0.2.0", "2.1", "2.0", "3.11", "memnet"))
    assert measured_by([known] * 2) == "measured by code c0de on AMD; avx2; memnet 0.2.0, torch 2.1, numpy 2.0, python 3.11"
    old = replace(COST, maker=Maker("commit 1234567", memnet="0.2.0"))
    assert measured_by([old]) == (
        "measured by commit 1234567 on a machine that was not recorded; memnet 0.2.0, torch, numpy, python not recorded"
    )
    assert measured_by([known, known, old]).startswith(
        "measured by code c0de (2), commit 1234567 (1) on AMD; avx2 (2), a machine that was not recorded (1); memnet 0.2.0, "
    )


@pytest.mark.parametrize("path", ON_RECORD, ids=lambda path: path.stem)
def test_every_file_on_record_names_what_made_each_line(path: Path):
    kind = kind_of(path)
    assert kind is not None
    lines = read_csv(path, kind)
    for line in lines:
        assert NOT_RECORDED not in (line.maker.code, line.maker.memnet, line.maker.command)
        assert not any(Path(word).is_absolute() for word in shlex.split(line.maker.command))
    assert path.read_text(encoding="utf-8") == write_csv(lines)


def test_answers_name_the_code_and_the_networks_that_gave_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    new = EnglishScore("x", 1, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert new.maker.asking == asking_hash(ASKING) != asking_hash(REMEMBERING)
    assert COST.maker.asking == NOT_RECORDED, "a cost is not of answers"
    old = replace(new, maker=replace(new.maker, asking=NOT_RECORDED))
    (tmp_path / "english.csv").write_text(write_csv([new, old]))
    assert read_csv(tmp_path / "english.csv", EnglishScore) == [new, old]
    assert f"code {code_hash()}, answered by {asking_hash(ASKING)}, on " in measured_by([new, old])
    assert "asking" not in write_csv([old]), "files from before are as they were"
    unknown = "older, or unknown: what answered was not recorded"
    assert dict(ages(tmp_path)) == {"english.csv": f"today (1), {unknown} (1)"}
    assert {new.age, COST.age, replace(COST, maker=Maker("c0de")).age} == {"today", "older"}
    monkeypatch.setattr(measurements, "asking_hash", lambda packages: "others")
    assert new.age == "older"
    (tmp_path / "runs.csv").write_text("a,b\n1,2\n")
    assert [*dict(ages(tmp_path))] == ["english.csv"]
    said = dict(line.split(maxsplit=1) for line in ran("bench", "older").stdout.splitlines())
    assert said.keys() == {path.name for path in ON_RECORD}


def test_the_hash_of_what_answers_is_of_its_networks_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "ask").mkdir()
    code, weights = tmp_path / "ask" / "a.py", tmp_path / "ask" / "model.safetensors"
    code.write_text("x = 1  # one\n")
    weights.write_bytes(b"1")
    monkeypatch.setattr(provenance, "PACKAGE", tmp_path)
    found = []
    for path, content in ((code, "x = 1\n"), (code, "x = 2\n"), (weights, "2")):
        path.write_text(content)
        found.append(asking_hash.__wrapped__(("ask",)))
    assert len(set(found)) == 3
    code.write_text("x = 2  # two\n")
    assert asking_hash.__wrapped__(("ask",)) == found[-1]


def test_a_command_on_record_names_no_place_of_a_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "samples.json").write_text("[]", encoding="utf-8")
    words = ["--background", str(tmp_path), f"--samples={tmp_path / 'samples.json'}", "--write", "results/memories.csv"]
    monkeypatch.setattr("sys.argv", ["/anywhere/bin/memnet", "bench", "memory-texts", *words])
    expected = "memnet bench memory-texts --background FOLDER --samples=samples.json --write results/memories.csv"
    assert Maker.here().command == expected
