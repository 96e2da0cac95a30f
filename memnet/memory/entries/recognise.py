"""Which format something is in: by its first bytes, its name, and how its first lines look."""

from __future__ import annotations

import json
import re
from pathlib import PurePath

from memnet.memory.entries import chats, html, logs, markdown, tables
from memnet.tasks.text import FormatError

KINDS = ("auto", "text", "prose", "lines", "log", "jsonl", "json", "chat", "csv", "markdown", "html", "mail", "pdf", "docx")
SUFFIXES = {
    ".pdf": "pdf",
    ".docx": "docx",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".mbox": "mail",
    ".eml": "mail",
}
OTHERS = {  # first bytes of what is no text
    b"PK\x03\x04": "a ZIP archive: unpack it",
    b"\x1f\x8b": "compressed: unpack it with gunzip",
    b"BZh": "compressed: unpack it with bunzip2",
    b"\xfd7zXZ": "compressed: unpack it with unxz",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"\xd0\xcf\x11\xe0": "an old document of Office: save it as DOCX or as text",
    b"{\\rtf": "RTF: save it as DOCX or as text",
    b"SQLite format 3": "a database: write its table as CSV",
    b"PAR1": "a Parquet file: write it as CSV or lines of JSON",
    b"\x7fELF": "a program",
}
HEADERS = re.compile(r"(?:From .*\n)?(?:[A-Z][A-Za-z-]*: .*\n(?:[ \t].*\n)*){3,}")
LOG_SHARE, TRACES_SHARE = 0.6, 0.15  # of lines that are logged; in a log with traces, whose first line is


def of_bytes(head: bytes, name: str) -> str | None:
    """The format of what begins so, where bytes say it: PDF, DOCX or mail. Raises :class:`~memnet.tasks.text.FormatError`."""
    suffix = PurePath(name).suffix.lower()
    if head.startswith(b"%PDF-"):
        return "pdf"
    if head.startswith(b"PK\x03\x04") and (suffix == ".docx" or b"word/" in head or b"[Content_Types].xml" in head):
        if suffix not in (".docx", ".docm", ""):
            raise FormatError(
                f"{name} is no text: expected a text, PDF or DOCX, found another document of Office; save it as one of these"
            )
        return "docx"
    if (what := next((what for first, what in OTHERS.items() if head.startswith(first)), None)) is not None:
        raise FormatError(f"{name} is no text: line 1 begins as {what}")
    if SUFFIXES.get(suffix) == "mail" or (head.startswith(b"From ") and HEADERS.match(head.decode("latin-1"))):
        return "mail"
    return None


def of_text(head: str, name: str) -> str:
    """The format of a text that begins so."""
    suffix = PurePath(name).suffix.lower()
    if (kind := SUFFIXES.get(suffix)) not in (None, "pdf", "docx", "mail"):
        return str(kind)
    lines = [line for line in head.split("\n")[:200] if line.strip()]
    if kind_of_json := json_kind(head, lines):
        return kind_of_json
    if html.looks(head):
        return "html"
    if chats.looks(lines):
        return "chat"
    if is_log(lines):
        return "log"
    if tables.delimiter(head[: head.rfind("\n") + 1] or head) is not None and len(lines) > 2:
        return "csv"
    return "markdown" if markdown.is_markdown(head) else "text"


def json_kind(head: str, lines: list[str]) -> str | None:
    """``json`` or ``jsonl`` where a text is that, by its first lines."""
    if not lines or lines[0].lstrip()[:1] not in ("{", "["):
        return None
    try:
        first = json.loads(lines[0])
    except (ValueError, RecursionError):
        rest = head.lstrip()[1:].lstrip()
        return "json" if rest[:1] in ('"', "{", "[") and ('":' in rest or '" :' in rest) else None
    if isinstance(first, dict) and (len(lines) > 1 or not any(isinstance(one, list | dict) for one in first.values())):
        return "jsonl"
    return "json" if isinstance(first, dict | list) and len(lines) == 1 else None


def is_log(lines: list[str]) -> bool:
    """Whether most lines that are not indented begin with a time or a level, or consist of key=value."""
    told = [line for line in lines if not line[:1].isspace()]
    logged = list[bool]()
    for line in told:
        found, text = logs.leading(line)
        logged.append(found is not None or logs.LEVEL.match(line) is not None or logs.key_values(text) is not None)
    first = logs.leading(told[0])[0] if told else None
    traces = first is not None and first.month is not None and bool(first.clock) and sum(logged) > 1
    return bool(told) and sum(logged) >= (TRACES_SHARE if traces else LOG_SHARE) * len(told)
