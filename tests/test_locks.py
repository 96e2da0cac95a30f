"""Locks: a plain file, or a sentence that says what to remove."""

import os
from pathlib import Path

import pytest

from memnet.errors import BusyError, ConfigError
from memnet.locks import locked
from tests.conftest import refused, tell, wander

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links need a right there")


def link(path: Path) -> None:
    """A link to a file that must stay as it is."""
    (target := path.parent.with_name("letter")).write_text("Dear Mary")
    path.symlink_to(target.absolute())


def test_one_process_at_a_time(tmp_path: Path) -> None:
    with locked(tmp_path / ".lock"), pytest.raises(BusyError, match="it is held"), locked(tmp_path / ".lock", "it is held"):
        pass


@pytest.mark.parametrize("what", ["link", "link to nothing", "folder"])
def test_a_lock_that_is_no_plain_file_is_named(what: str, tmp_path: Path) -> None:
    (path := tmp_path / "out" / ".lock").parent.mkdir()
    if what == "folder":
        path.mkdir()
    else:
        link(path)
    if what == "link to nothing":
        path.resolve().unlink()
    with pytest.raises(ConfigError, match=r"\.lock is a .*; remove it and give the command again"), locked(path):
        pass


SMALL = ("--preset", "bow", "--restarts", 1, "--set", "epochs=1")
COMMANDS = {  # whose lock is a link
    "remember": ("remember", "letter", "--out", "out"),
    "train": ("train", "mine", *SMALL, "--out", "out"),
    "train with dialogs": ("train", "dialog/task1", "--out", "out"),
    "sweep": ("sweep", "mine", *SMALL, "--jobs", 1, "--results", "out/r.csv"),
    "serve": ("serve", "memn2n", "--port", 0, "--memories", "out"),
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_every_command_says_so(
    words: tuple[object, ...], tmp_path: Path, published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tell(Path("mine"), wander(1), wander(2))
    name = ".lock" if "out/r.csv" not in words else "r.csv.lock"
    Path("out").mkdir()
    link(Path("out", name))
    assert f"{Path('out', name)} is a link, and a lock is a plain file; remove it" in refused(*words)
    assert Path("letter").read_text() == "Dear Mary"
