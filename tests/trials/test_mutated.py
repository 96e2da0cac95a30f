"""Mutated networks, stories, parquet files and lines of a conversation: an answer or a sentence, never a traceback."""

import io
import json
import os
import shutil
from pathlib import Path
from random import Random

import pyarrow
import pyarrow.parquet
import pytest

from memnet.ask.hub import BUNDLED
from memnet.models import MODELS
from memnet.papers import PRESETS
from memnet.prompt.commands import COMMANDS, SYNONYMS
from memnet.prompt.conversation import Conversation, Quit
from memnet.tasks.families.rows import row
from memnet.tasks.text import write
from tests.conftest import memnet, ran, tell, wander
from tests.trials.trial import mutate, run_trial

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="POSIX signals")]
VALUES = (None, True, -1, 0, 1, 2**31, 2**63, 10**400, 0.5, -0.0, 1e300, "", "ä\0", "softmax", [], [[]], ["a"], {}, {"a": 1})
QUICK = ["--preset", "bow", "--restarts", "1", "--set", "epochs=1"]
ASKED = "Mary went to the kitchen. Where is Mary?"
STORIES = 5
ENOUGH = 200  # stories that show which words are interchangeable


def change(value: object, draw: Random) -> object:
    """A JSON value with one value in it replaced."""
    if isinstance(value, dict | list) and value and draw.random() < 0.8:
        key = draw.choice(list(value) if isinstance(value, dict) else range(len(value)))
        changed = dict(value) if isinstance(value, dict) else list(value)
        changed[key] = change(changed[key], draw)  # type: ignore[index]
        return changed
    return draw.choice(VALUES)


def tiny_networks(folder: Path) -> list[Path]:
    """One network of every kind, trained for an epoch on a few stories."""
    tell(folder / "tasks", wander(1, STORIES), wander(2, STORIES))
    tell(folder / "many", wander(1, ENOUGH), wander(2, STORIES))
    for name, kind in MODELS.items():
        tasks = folder / ("many" if PRESETS[kind.presets[0]].canonical else "tasks")
        settings = [] if kind.Config.fitted else ["--set", "epochs=1", "--set", "dim=8"]
        ran("train", tasks, "--model", name, "--restarts", "1", *settings, "--out", folder / name)
    return [folder / name for name in MODELS]


def test_networks(tmp_path: Path):
    packaged = sorted(folder for folder in BUNDLED.parent.iterdir() if folder.is_dir())
    networks = packaged + tiny_networks(tmp_path)

    def case(draw: Random) -> None:
        shutil.rmtree(tmp_path / "net", ignore_errors=True)
        folder = draw.choice(networks)
        shutil.copytree(folder, tmp_path / "net", ignore=shutil.ignore_patterns("run.json", "metrics.jsonl", ".lock"))
        path = draw.choice(sorted((tmp_path / "net").iterdir()))
        if path.suffix == ".json" and draw.random() < 0.6:
            path.write_text(json.dumps(change(json.loads(path.read_text()), draw)))
        else:
            content = path.read_bytes()
            head = draw.choice((len(content), 2000))  # where a file of tensors says what it holds
            path.write_bytes(mutate(content[:head], draw) + content[head:])
        memnet("ask", tmp_path / "net", "--question", ASKED)

    run_trial("networks", case)


def use(folder: Path, run: Path, draw: Random) -> None:
    """What is done with files of one's own: most often a training, else they are shown, or a network is tested on them."""
    what = draw.choice(("train", "train", "train", "train", "show", "names", "interchangeable", "eval"))
    if what == "train":
        shutil.rmtree(run, ignore_errors=True)
        memnet("train", folder, *QUICK, "--out", run)
    elif what == "eval":
        memnet("eval", BUNDLED.parent / "memn2n", folder)
    else:
        memnet("data", what, folder)


def test_stories(tmp_path: Path):
    good = {part: write(wander(seed, STORIES)).encode() for part, seed in (("train", 1), ("test", 2))}
    folder = tmp_path / "tasks"
    folder.mkdir()

    def case(draw: Random) -> None:
        for part, text in good.items():
            (folder / f"moves_{part}.txt").write_bytes(text)
        part = draw.choice(("train", "train", "test"))
        (folder / f"moves_{part}.txt").write_bytes(mutate(good[part], draw))
        use(folder, tmp_path / "run", draw)

    run_trial("stories", case)


def parquet(value: object) -> bytes:
    """Rows as a parquet file."""
    content = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(value), content)
    return content.getvalue()


def changed_rows(rows: list[object], draw: Random) -> bytes:
    """A parquet file of rows with one value replaced, of the first such that a file can hold."""
    while True:
        try:
            return parquet(change(rows, draw))
        except (pyarrow.ArrowException, TypeError, AttributeError, KeyError, OverflowError, ValueError):
            continue


def test_parquet(tmp_path: Path):
    rows: list[object] = [row(story) for story in wander(1, STORIES)]
    folder = tmp_path / "tasks"
    folder.mkdir()
    (folder / "moves_test.txt").write_text(write(wander(2, STORIES)))

    def case(draw: Random) -> None:
        content = mutate(parquet(rows), draw) if draw.random() < 0.5 else changed_rows(rows, draw)
        (folder / "moves_train.parquet").write_bytes(content)
        use(folder, tmp_path / "run", draw)

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
