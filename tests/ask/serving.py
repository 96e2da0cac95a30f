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


TAGS = {"section", "h3", "p", "strong", "span", "small", "div", "table", "thead", "tbody", "tr", "th", "td"}


def asked(client: Any, **value: object) -> tuple[int, Any]:
    """Status and JSON value of a request."""
    answer = client.post("/api/ask", content=json.dumps(value))
    return answer.status_code, answer.json()


class Parsed(HTMLParser):
    """The tags of HTML, and its table as rows of (text, whether it is evidence)."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.rows: list[list[str]] = []
        self.marked: list[bool] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not {name for name, _ in attrs} - {"class", "style", "scope", "aria-live"}
        if tag == "tr":
            self.rows.append([])
            self.marked.append(dict(attrs).get("class") == "evidence")
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def event(client: Any, number: int, data: list[object]) -> str:
    """What the page's own event answers, as its lines."""
    joined = client.post("/gradio_api/queue/join", json={"fn_index": number, "data": data, "session_hash": "tested"})
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
