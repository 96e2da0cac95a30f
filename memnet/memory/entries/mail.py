"""E-mail: messages of an mbox, or one in a file of its own; who writes, when, and the text without what is quoted."""

from __future__ import annotations

import email
import email.policy
import mailbox
from collections.abc import Iterable, Iterator
from email.message import EmailMessage
from email.utils import parseaddr, parsedate_to_datetime
from pathlib import Path

from memnet.memory.entries.entry import Passage, Reading
from memnet.memory.entries.html import passages as of_html
from memnet.memory.entries.layout import Layout
from memnet.memory.entries.when import Clock

SIGNATURE = "-- "


def messages(path: Path) -> Iterator[EmailMessage]:
    """The messages of a file, one after another."""
    with open(path, "rb") as file:
        several = file.read(5) == b"From "
    if not several:
        yield parsed(path.read_bytes())
        return
    box = mailbox.mbox(path, create=False)
    try:
        for key in box.keys():  # noqa: SIM118, a mailbox is no dict
            yield parsed(box.get_bytes(key))
    finally:
        box.close()


def parsed(message: bytes) -> EmailMessage:
    """A message of these bytes."""
    return email.message_from_bytes(message, EmailMessage, policy=email.policy.default)


def passages(path: Path, clock: Clock, reading: Reading) -> Iterator[Passage]:
    """Of every message its text; the line is the number of the message."""
    for number, message in enumerate(messages(path), 1):
        name, address = parseaddr(str(message.get("From", "")))
        try:
            when = parsedate_to_datetime(str(message.get("Date"))).isoformat()
        except (TypeError, ValueError):
            when = None
        body = message.get_body(("plain", "html"))
        if body is None:
            reading.count.left_out["messages without words"] += 1
            continue
        try:
            text = str(body.get_content())
        except (LookupError, ValueError):
            reading.count.left_out["messages in an unknown encoding"] += 1
            continue
        told: Iterable[Passage]
        if body.get_content_type() == "text/html":
            told = of_html(text, clock, reading)
        else:
            told = Layout().passages(own_words(text, reading), 1)
        for one in told:
            yield one._replace(line=number, when=when, speaker=name or address, breaks=())


def own_words(text: str, reading: Reading) -> str:
    """A message's text without quoted lines and the signature."""
    lines = text.replace("\r\n", "\n").split("\n")
    if SIGNATURE in lines:
        end = lines.index(SIGNATURE)
        reading.count.left_out["lines of signatures"] += len(lines) - end
        lines = lines[:end]
    kept = [line for line in lines if not line.startswith(">")]
    reading.count.left_out["quoted lines"] += len(lines) - len(kept)
    return "\n".join(kept)
