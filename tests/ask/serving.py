"""A story, requests, and a server in a process of its own, for the tests of this folder."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

STORY = ["Mary went to the kitchen.", "John went to the garden.", "Mary went to the office."]
STORY_TEXT = "\n".join(STORY)


TAGS = {"section", "h3", "p", "strong", "em", "u", "a", "span", "small", "div", "details", "summary", "button"}
ATTRIBUTES = {
    "class",
    "style",
    "title",
    "aria-live",
    "aria-label",
    "aria-pressed",
    "role",
    "type",
    "hidden",
    "href",
    "download",
}


def asked(client: Any, **value: object) -> tuple[int, Any]:
    """Status and JSON value of a request."""
    answer = client.post("/api/ask", content=json.dumps(value))
    return answer.status_code, answer.json()


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
        assert not {name for name in found if not name.startswith("data-")} - ATTRIBUTES
        assert (found.get("href") or "#").startswith(("#", "data:image/svg+xml;base64,"))
        kind = (found.get("class") or "").split()
        if tag == "div":
            self.in_line = "line" in kind and "head" not in kind
            if self.in_line:
                self.lines.append([])
                self.folded.append(self.in_fold)
        if tag == "details" and "fold" in kind:
            self.in_fold = True
        if self.in_line and (kind in (["mark"], ["number"], ["text"]) or "data-column" in found):
            self.lines[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self.in_line = self.in_line and tag != "div"
        self.in_fold = self.in_fold and tag != "details"

    def handle_data(self, data: str) -> None:
        if self.in_line and self.lines[-1]:
            self.lines[-1][-1] += data


def event(client: Any, number: int, data: list[object]) -> str:
    """What the page's own event answers, as its lines."""
    sent = json.dumps({"fn_index": number, "data": data, "session_hash": "tested"})
    joined = client.post("/gradio_api/queue/join", content=sent, headers={"content-type": "application/json"})
    if joined.status_code != 200:
        return str(joined.text)
    return str(client.get("/gradio_api/queue/data", params={"session_hash": "tested"}).text)


class Served:
    """The command, running as a process of its own, and the address that it says."""

    def __init__(self, runs: list[Path], folder: Path) -> None:
        arguments = [sys.executable, "-m", "memnet", "serve", *map(str, runs), "--port", "0"]
        self.process = subprocess.Popen(arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("memnet is at http://127.0.0.1:"), self.process.communicate()
        self.address = line.split()[3]

    def end(self) -> tuple[int, str]:
        """Press Ctrl-C; the exit status and what was said."""
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out + err
