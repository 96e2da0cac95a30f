"""A disk that is full in the middle of a command: one sentence, nothing half-written, and the command goes on with more room.

The disk is simulated, so that it is full after any byte; where one can be mounted, it is a small file system too.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import pytest

from memnet.record.index import INDEX, read_index
from memnet.record.runs import append_rows, read_rows
from memnet.training.run import LOCK, RUN
from memnet.training.state import CHECKPOINT, METRICS
from tests.conftest import memnet, ran, tell, wander
from tests.trials.disk import Disk
from tests.trials.test_crashes import apart, contents
from tests.trials.trial import Draw, run_trial

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="POSIX processes")]
ROOT = Path(__file__).parents[2]
PAGE = 4096  # bytes: what a small file system gives at once
BEGUN = {METRICS, RUN, CHECKPOINT, LOCK, "runs.csv.lock", "runs.failed.jsonl"}  # what an unfinished run's folder has

SHOP = ["--combine", "--statement", "The {thing} is in the {place}.", "--question", "Where is the {thing}?"]
SHOP += ["--answer", "{place}"]
Command = Callable[[Path], list[object]]  # what it is given, where it writes into a folder


def commands(given: Path) -> dict[str, Command]:
    """Commands that write files; ``given`` holds what they read."""
    tasks, quick = given / "tasks", ["--preset", "bow", "--restarts", 2, "--set", "epochs=3"]
    numbers = ["--train", 8, "--test", 4]
    runs = ["--results", given / "runs.csv"]

    def train(folder: Path) -> list[object]:
        resume = ["--resume"] * (folder / "run").exists()
        return ["train", tasks, *quick, "--out", folder / "run", *resume]

    def sweep(folder: Path) -> list[object]:
        where = ["--results", folder / "runs.csv", "--work", folder / "work", "--jobs", 1]
        return ["sweep", tasks, *quick, "--seed", 0, "--seed", 1, *where]

    return {
        "train": train,
        "sweep": sweep,
        "table": lambda folder: ["table", *runs, "--write", folder / "tables"],
        "data simulate": lambda folder: ["data", "simulate", "qa1", "qa2", *numbers, "--out", folder / "stories"],
        "data export": lambda folder: ["data", "export", tasks, "--out", folder / "rows"],
        "data make": lambda folder: ["data", "make", given / "shop.csv", *numbers, "--out", folder / "shop", *SHOP],
        "plot attention": lambda folder: ["plot", "memn2n", folder / "map.svg", "--story", given / "story.txt"],
        "plot curves": lambda folder: ["plot", "curves", given / "run", "--out", folder / "curves.png"],
    }


def give(folder: Path) -> None:
    """What the commands read."""
    tell(folder / "tasks", wander(1, 5), wander(2, 5))
    (folder / "shop.csv").write_text("thing,place\nhammer,cellar\nsaw,attic\nnail,garage\ndrill,garden\n")
    (folder / "story.txt").write_text("Mary went to the kitchen.\nWhere is Mary?\n")
    ran("train", folder / "tasks", "--preset", "bow", "--restarts", 1, "--set", "epochs=3", "--out", folder / "run")
    known = [row for row in read_rows(ROOT / "results" / "runs.csv") if row["preset"] == "lstm"]
    append_rows(folder / "runs.csv", known)


class Done:
    """What a command did in a process of its own: its exit code, what it said, and the most bytes that there were."""

    def __init__(self, arguments: list[object], folder: Path, room: int | None = None) -> None:
        said = folder.parent / "said"
        said.unlink(missing_ok=True)

        def do() -> None:
            with mock.patch("time.monotonic", return_value=0.0), Disk(folder, room=room).attached() as disk:
                done = memnet(*arguments)
            said.write_text(json.dumps([done.returncode, done.stdout, done.stderr, disk.most]))

        died = apart(do)
        assert not died, f"{arguments[:2]}: {died}"
        self.code, self.out, self.error, self.most = json.loads(said.read_text())


def check_full(done: Done, folder: Path, whole: dict[str, bytes]) -> None:
    """One sentence, and every file that is there is as at the end, or of a run that goes on."""
    assert done.code == 1, done.error or done.out
    sentences = [line for line in done.error.splitlines() if line.startswith("memnet: ")]
    assert len(sentences) == 1, done.error
    assert "No space left on device; make room" in done.error or " failed, see" in done.error, done.error
    for name, content in contents(folder).items():
        path = Path(name)
        assert not path.name.endswith(".tmp"), name
        if name == "runs.csv":
            read_rows(folder / name)
        elif path.name == INDEX:  # of the runs that are over, failed ones too
            assert content.endswith(b"\n"), f"{name} is half-written"
            assert all(row["folder"] and row["seed"] for row in read_index((folder / name).parent).values()), name
        elif path.name not in BEGUN:
            assert content == whole.get(name), f"{name} is half-written"


@contextmanager
def small_disk(folder: Path, room: int) -> Iterator[None]:
    """A file system of so many bytes at ``folder``, which has more room once :func:`more_room` was called."""
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={room}", "tmpfs", folder], check=True, capture_output=True)
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


def more_room(folder: Path) -> None:
    """Make a mounted file system larger."""
    subprocess.run(["mount", "-o", "remount,size=100m", folder], check=True)


def mountable(folder: Path) -> bool:
    """Whether this user may mount a file system here."""
    try:
        with small_disk(folder, PAGE):
            return True
    except (OSError, subprocess.CalledProcessError):
        return False


@pytest.mark.parametrize("kind", ["simulated", "mounted"])
def test_full_disk(kind: str, tmp_path: Path):
    import datasets  # noqa: F401  what commands import is imported once, not in each case
    import matplotlib.figure  # noqa: F401

    if kind == "mounted" and not mountable(tmp_path / "disk"):
        pytest.skip("no file system can be mounted")
    give(tmp_path / "given")
    known = commands(tmp_path / "given")
    wholes, most = {}, {}
    for name, command in known.items():
        folder = tmp_path / "whole"
        folder.mkdir()
        done = Done(command(folder), folder)
        assert done.code == 0, done.error
        wholes[name], most[name] = contents(folder), done.most
        shutil.rmtree(folder)
    folder = tmp_path / "disk"

    def goes_on(name: str, room: int) -> None:
        """Full at first, and then not."""
        mounted = kind == "mounted"
        done = Done(known[name](folder), folder, None if mounted else room)
        check_full(done, folder, wholes[name])
        if mounted:
            more_room(folder)
        done = Done(known[name](folder), folder)
        assert done.code == 0, done.error
        there = {path: content for path, content in contents(folder).items() if Path(path).name != "runs.failed.jsonl"}
        assert there == wholes[name], sorted(path for path, _ in there.items() ^ wholes[name].items())

    def case(draw: Draw) -> None:
        name = draw.choice(sorted(known))
        room = draw.randrange(most[name])
        if kind == "mounted":
            with small_disk(folder, max(1, room // PAGE) * PAGE):
                goes_on(name, room)
            return
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        goes_on(name, room)

    run_trial(f"full-disk-{kind}", case, seconds=120)
