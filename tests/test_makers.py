"""A run that was stopped and goes on by other code or versions: that is said, and the record names both."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memnet.papers import PRESETS
from memnet.record.maker import NOT_RECORDED
from memnet.record.provenance import code_hash, versions
from memnet.training import makers
from memnet.training.run import execute, opened, rows
from tests.training import a_run, interrupted_at

SPEC, DATA = a_run(replace(PRESETS["pe-ls-rn"], epochs=3, fused=False))


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    """A run that was stopped after its first epoch."""
    with opened(tmp_path / "run", SPEC, False), pytest.raises(KeyboardInterrupt):
        execute(SPEC, DATA, tmp_path / "run", progress=interrupted_at(2), every=0)
    assert (tmp_path / "run" / "checkpoint.safetensors").exists()
    return tmp_path / "run"


def resumed(folder: Path) -> tuple[dict[str, Any], list[str]]:
    said: list[str] = []
    with opened(folder, SPEC, True):
        return execute(SPEC, DATA, folder, tell=said.append), said


def noted(folder: Path, *made: object) -> None:
    """Make it one that these began; of memnet 0.1.0, which noted nothing, where there are none."""
    run = json.loads((folder / "run.json").read_text())
    del run[makers.MAKERS]
    (folder / "run.json").write_text(json.dumps(run | ({makers.MAKERS: [*made]} if made else {})))


def test_a_checkpoint_of_version_0_1_0_is_said_and_recorded(stopped: Path):
    noted(stopped)
    run, said = resumed(stopped)
    assert len(said) == 1
    assert f"{stopped} goes on with a checkpoint of other versions" in said[0]
    assert f"code {NOT_RECORDED}, memnet {NOT_RECORDED}" in said[0]
    assert f"memnet {versions()['memnet']}" in said[0]
    for row in rows(SPEC, run):
        assert row["code"].startswith(f"{NOT_RECORDED} then ")
        assert row["memnet"] == f"{NOT_RECORDED} then {versions()['memnet']}"


def test_each_of_several_is_named(stopped: Path):
    now = {"code": code_hash(), **versions()}
    noted(stopped, now | {"code": "0123456789ab", "torch": "2.1"}, now)
    run, said = resumed(stopped)
    assert said == [], "today's code made the last checkpoint"
    assert run["versions"]["code"].startswith("0123456789ab then ")
    assert run["versions"] | {"code": ""} == now | {"code": "", "torch": f"2.1 then {now['torch']}"}


def test_by_the_same_code_nothing_is_said(stopped: Path):
    run, said = resumed(stopped)
    assert (run["versions"], said) == ({"code": code_hash(), **versions()}, [])


def test_code_that_is_declared_equal_is_the_same(stopped: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(makers, "code_name", lambda code: "recorded")
    noted(stopped, {"code": "0123456789ab", **versions()})
    run, said = resumed(stopped)
    assert (run["versions"]["code"], said) == (code_hash(), [])


@pytest.mark.parametrize("forged", [None, 1, "x", {}, {"code": [1]}])
def test_a_note_that_is_none_is_not_recorded(stopped: Path, forged: object):
    noted(stopped, forged)
    run, said = resumed(stopped)
    assert len(said) == 1
    assert run["versions"]["python"] == f"{NOT_RECORDED} then {versions()['python']}"


def test_a_plugin_that_is_loaded_stands_beside_the_version(stopped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    plugin, version = tmp_path / "mine.py", versions()["memnet"]
    plugin.write_text("x = 1\n")
    monkeypatch.setattr(makers.plugins, "LOADED", [plugin])
    run, said = resumed(stopped)
    (source,) = makers.sources()
    assert f"memnet {version}, {source})" in said[0].replace("; ", ")")
    assert source.startswith("plugin mine.py ")
    assert run["versions"]["memnet"] == f"{version} then {version}, {source}"
    assert run["versions"]["code"] == code_hash()
    plugin.write_text("x = 1  # one\n")
    assert makers.sources() == [source]
    plugin.write_text("x = 2\n")
    assert makers.sources() != [source]
