"""Completion, history, and conversations in a real terminal (tmux)."""

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memnet.prompt.conversation import Conversation
from memnet.prompt.line_editing import completions, history, history_file
from tests.ask.serving import STORY


def test_completions(talk: Conversation):
    assert completions(talk, "/st") == [("/story", 3)]
    assert completions(talk, "/lo") == [("/load ", 3)]
    assert [text for text, _ in completions(talk, "/task 1")] == ["1", *map(str, range(10, 20))]
    assert completions(talk, "Mary went to the kit") == [("kitchen", 3)]
    assert completions(talk, "Mar") == [("Mary", 3)]
    assert completions(talk, "Mary ") == []
    assert completions(talk, "") == []
    assert completions(talk, "\x1b") == []


def test_history_is_kept_and_never_in_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert history_file() == tmp_path / "memnet" / "history"
    kept = history(history_file())
    kept.store_string("Where is Mary?")
    assert list(history(history_file()).load_history_strings()) == ["Where is Mary?"]
    assert history_file().stat().st_mode & 0o077 == 0
    for number in range(2500):
        kept.store_string(str(number))
    assert list(history(history_file()).load_history_strings()) == [str(number) for number in range(2499, 1499, -1)]
    (tmp_path / "file").write_text("")
    nowhere = history(tmp_path / "file" / "history")
    nowhere.store_string("x")
    assert list(nowhere.load_history_strings()) == ["x"]  # for now alone


TMUX = shutil.which("tmux")


@pytest.fixture
def screen(network: Path, tmp_path: Path) -> Iterator[Callable[..., object]]:
    """A terminal of a size in which ``memnet ask`` runs: types keys and waits until the screen shows a text."""
    if TMUX is None:
        pytest.skip("tmux is not installed")
    tmux = [TMUX, "-L", f"memnet-{os.getpid()}-{time.monotonic_ns()}", "-f", os.devnull]  # a server of its own

    def start(width: int, height: int, **environment: str) -> tuple[Callable[..., None], Callable[[str], str]]:
        environment = {"XDG_STATE_HOME": str(tmp_path / "state"), "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8", **environment}
        sets = " ".join(f"{name}={shlex.quote(value)}" for name, value in environment.items())
        command = f"cd {shlex.quote(str(tmp_path))}; ln -sfn {shlex.quote(str(network))} net; "
        command += f"{sets} {shlex.quote(sys.executable)} -m memnet ask net; echo left with $?; sleep 600"
        subprocess.run(
            [*tmux, "-u", "new-session", "-d", "-x", str(width), "-y", str(height), command],
            check=True,
            env={**os.environ, "PYTHONPATH": os.getcwd()},
        )

        def captured(*how: str) -> str:
            return subprocess.run([*tmux, "capture-pane", "-p", *how], capture_output=True, text=True).stdout

        def keys(*names: str, text: str = "") -> None:
            ready()
            if text:
                subprocess.run([*tmux, "send-keys", "-l", text], check=True)
            if names:
                subprocess.run([*tmux, "send-keys", *names], check=True)

        def ready() -> None:
            """Wait for the prompt: what is typed before it is echoed elsewhere."""
            until = time.monotonic() + 60
            while time.monotonic() < until:
                got = captured()
                if got.rstrip().splitlines()[-1:] and got.rstrip().splitlines()[-1].startswith(">"):
                    time.sleep(0.1)
                    return
                time.sleep(0.05)
            raise AssertionError(f"there is no prompt:\n{got}")

        def shows(text: str) -> str:
            until = time.monotonic() + 60
            while time.monotonic() < until:
                got = captured("-e")
                if text in got:
                    return got
                time.sleep(0.1)
            raise AssertionError(f"{text!r} is not on the screen:\n{got}")

        return keys, shows

    yield start
    subprocess.run([*tmux, "kill-server"], capture_output=True)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(60, 24), (30, 20)])
@pytest.mark.parametrize("environment", [{"TERM": "screen-256color"}, {"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_in_a_real_terminal(screen: Callable[..., tuple], width: int, height: int, environment: dict[str, str]):
    keys, shows = screen(width, height, **environment)
    edited = environment.get("TERM") != "dumb"
    shows("Ctrl-D")
    for line in STORY:
        keys("Enter", text=line)
    shows("> Mary went to the office.")
    if edited:
        keys("Tab", text="/st")
        shows("> /story")
        keys("C-c")
        keys("Tab", text="Mary went to the kit")
        shows("> Mary went to the kitchen")
        keys("C-c")
    keys("Enter", text="where is Mary")
    got = shows("%;")
    assert "office" in got.partition("where is Mary")[2]
    assert "█" in got
    assert ("\x1b[32m" in got) == ("TERM" in environment and edited)
    keys("Enter", text="/why")
    got = shows("where is Mary? office")
    assert "███" in got.replace(" ", "")
    assert "Traceback" not in got
    keys("C-c", text="half a line" if edited else "")
    keys("C-c")
    shows("Ctrl-D or /quit leaves.")
    if edited:
        keys("Up", "Up")
        shows("> where is Mary")
        keys("C-c")
    keys("C-d")
    shows("left with 0")


@pytest.mark.slow
def test_a_terminal_that_is_quit_and_asked_again(screen: Callable[..., tuple], tmp_path: Path):
    keys, shows = screen(60, 24)
    shows("Ctrl-D")
    keys("Enter", text="/task 1")
    shows("ight")  # right, or wrong and what is right
    keys("Tab")
    keys("Enter")
    shows("not know the words")
    keys("Enter", text="/save story.txt")
    shows("in story.txt.")
    keys("Enter", text="/qiut")
    shows("did you mean /quit?")
    keys("Enter", text="/quit")
    shows("left with 0")
    assert (tmp_path / "story.txt").is_file()
    assert "/qiut" in (tmp_path / "state" / "memnet" / "history").read_text()
