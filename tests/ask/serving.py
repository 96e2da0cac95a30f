"""A story, requests, and a server in a process of its own, for the tests of this folder."""

import io
import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import IO, Any, Self

from memnet.ask.answer import Answer, Read
from memnet.serve.gate import EVENTS

STORY = ["Mary went to the kitchen.", "John went to the garden.", "Mary went to the office."]
STORY_TEXT = "\n".join(STORY)


HTML = "section h3 p strong em u a span small div details summary button table thead tbody tr th td"
TAGS = {*HTML.split()}
ATTRIBUTES = "class style title aria-live aria-label aria-pressed role type hidden href colspan"


def answered(hops: list[list[float]], null: list[float] | None = None, sentence: str = "Mary left.", **more: Any) -> Answer:
    """An answer whose hops read so much of the statements 1, 2, ..."""
    reads = [[Read(i, sentence, weight) for i, weight in enumerate(hop, 1)] for hop in hops]
    reads = [sorted(hop, key=lambda read: -read.weight) for hop in reads]
    given: dict[str, Any] = {"answer": "kitchen", "probability": 0.98765, "runners_up": [("garden", 0.01)]} | more
    return Answer(hops=reads, null_weights=null or [0.0] * len(hops), unknown_words={}, truncated=0, **given)


def asked(client: Any, **value: object) -> tuple[int, Any]:
    """Status and JSON value of a request."""
    answer = client.post("/api/ask", content=json.dumps(value))
    return answer.status_code, answer.json()


class Terminal(io.StringIO):
    """What is printed, as on a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class Parsed(HTMLParser):
    """The tags of HTML, and the lines of the story in it: mark, number, sentence, and a cell a hop; and which are folded."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.lines: list[list[str]] = []
        self.folded: list[bool] = []
        self.in_fold = self.in_line = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        found = dict(attrs)
        assert not {name for name in found if not name.startswith("data-")} - {*ATTRIBUTES.split()}
        assert (found.get("href") or "#").startswith("#")
        kind = (found.get("class") or "").split()
        if tag == "tr":
            self.in_line = "line" in kind
            if self.in_line:
                self.lines.append([])
                self.folded.append(self.in_fold)
        if tag == "details" and "fold" in kind:
            self.in_fold = True
        if self.in_line and (kind in (["mark"], ["number"], ["text"]) or "data-column" in found):
            self.lines[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self.in_line = self.in_line and tag != "tr"
        self.in_fold = self.in_fold and tag != "details"

    def handle_data(self, data: str) -> None:
        if self.in_line and self.lines[-1]:
            self.lines[-1][-1] += data


def event(client: Any, number: int, data: list[object]) -> str:
    """What the page's own event answers, as text."""
    answer = client.post(EVENTS, json={"fn_index": number, "data": data, "session_hash": "tested"})
    assert (answer.status_code, answer.headers["content-type"]) in ((200, "application/json"), (400, "application/json"))
    return str(answer.text)


class Served:
    """The command, running as a process of its own, and the address that it says; what it logs may go into a file.

    One of the ``programs`` of :mod:`tests.forked`, if they are given, begins at once.
    """

    def __init__(
        self,
        runs: Sequence[object],
        folder: Path,
        log: IO[str] | int = subprocess.PIPE,
        *more: object,
        programs: Path | None = None,
    ) -> None:
        command = [sys.executable, "-m", "memnet"] if programs is None else [programs / "memnet"]
        arguments = [*command, "serve", *map(str, runs), "--port", "0", *map(str, more)]
        self.process = subprocess.Popen(arguments, cwd=folder, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("memnet is at http://127.0.0.1:"), self.process.communicate()
        self.address = line.split()[3]

    def end(self) -> tuple[int, str]:
        """Press Ctrl-C; the exit status and what was said."""
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out + err

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End it at once, whatever it does."""
        self.process.kill()
        assert self.process.stdout is not None
        if not self.process.stdout.closed:
            self.process.stdout.read()  # to the end of what was forked, too
        self.process.wait()
