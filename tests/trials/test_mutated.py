"""Mutated networks, stories, parquet files and lines of a conversation: an answer or a sentence, never a traceback."""

from __future__ import annotations

import io
import json
import os
import shutil
from pathlib import Path
from random import Random

import pyarrow
import pyarrow.parquet
import pytest

from memnet.ask.commands import COMMANDS, SYNONYMS
from memnet.ask.conversation import Conversation, Quit
from memnet.ask.hub import BUNDLED
from memnet.tasks.rows import row
from memnet.tasks.text import write
from tests.conftest import memnet, wander
from tests.trials.trial import mutate, run_trial

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="POSIX signals")]
VALUES = (None, True, -1, 0, 1, 2**31, 2**63, 10**400, 0.5, -0.0, 1e300, "", "ä\0", "softmax", [], [[]], ["a"], {}, {"a": 1})
QUICK = ["--preset", "bow", "--restarts", "1", "--set", "epochs=1"]
ASKED = "Mary went to the kitchen. Where is Mary?"


def change(value: object, draw: Random) -> object:
    """A JSON value with one value in it replaced."""
    if isinstance(value, dict | list) and value and draw.random() < 0.8:
        key = draw.choice(list(value) if isinstance(value, dict) else range(len(value)))
        changed = dict(value) if isinstance(value, dict) else list(value)
        changed[key] = change(changed[key], draw)  # type: ignore[index]
        return changed
    return draw.choice(VALUES)


@pytest.mark.parametrize("name", sorted(folder.name for folder in BUNDLED.parent.iterdir() if folder.is_dir()))
def test_networks(name: str, tmp_path: Path):
    folder = BUNDLED.parent / name
    files = sorted(path.name for path in folder.iterdir())

    def case(draw: Random) -> None:
        shutil.rmtree(tmp_path / "net", ignore_errors=True)
        shutil.copytree(folder, tmp_path / "net")
        path = tmp_path / "net" / draw.choice(files)
        if path.suffix == ".json" and draw.random() < 0.6:
            path.write_text(json.dumps(change(json.loads(path.read_text()), draw)))
        else:
            head = draw.choice((len(path.read_bytes()), 2000))  # where a file of tensors says what it holds
            path.write_bytes(mutate(path.read_bytes()[:head], draw) + path.read_bytes()[head:])
        memnet("ask", tmp_path / "net", "--question", ASKED)

    run_trial(f"networks-{name}", case)


def test_stories(tmp_path: Path):
    good = write(wander(1)).encode()
    (tmp_path / "moves_test.txt").write_text(write(wander(2)))

    def case(draw: Random) -> None:
        shutil.rmtree(tmp_path / "run", ignore_errors=True)
        (tmp_path / "moves_train.txt").write_bytes(mutate(good, draw))
        memnet("train", tmp_path, *QUICK, "--out", tmp_path / "run")

    run_trial("stories", case)


def test_parquet(tmp_path: Path):
    rows = [row(story) for story in wander(1)]
    (tmp_path / "moves_test.txt").write_text(write(wander(2)))

    def parquet(value: object) -> bytes:
        content = io.BytesIO()
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(value), content)
        return content.getvalue()

    def case(draw: Random) -> None:
        shutil.rmtree(tmp_path / "run", ignore_errors=True)
        content = parquet(rows)
        if draw.random() < 0.5:
            content = mutate(content, draw)
        else:
            try:
                content = parquet(change(rows, draw))
            except (pyarrow.ArrowException, TypeError, AttributeError, KeyError, OverflowError, ValueError):
                return  # rows that no such file can hold
        (tmp_path / "moves_train.parquet").write_bytes(content)
        memnet("train", tmp_path, *QUICK, "--out", tmp_path / "run")

    run_trial("parquet", case)


def test_lines_of_a_conversation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    (tmp_path / "story.txt").write_text(write(wander(2)))
    lines = [ASKED, "Mary got the milk there.", "1 John left. 2 Where is John?\tgarden\t1", "/load story.txt", "/task 3"]
    lines += [f"/{name} {'x' * bool(takes)}" for name, (takes, _) in COMMANDS.items() if name != "quit"]
    conversation = Conversation.with_network(None)

    def case(draw: Random) -> None:
        line = mutate(draw.choice(lines).encode(), draw).decode("utf-8", draw.choice(("replace", "surrogateescape")))
        name, _, argument = line.strip()[1:].partition(" ")
        if SYNONYMS.get(name.lower(), name.lower()) in ("save", "load", "model") and set("/~\\") & set(argument):
            return  # nothing outside the folder of the trial
        try:
            reply = conversation.respond(line)
        except Quit:
            return
        assert "\x1b" not in reply, repr(reply)

    run_trial("lines", case)
