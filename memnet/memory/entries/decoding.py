"""Bytes as text: UTF-8, UTF-16 and UTF-32, by their marks or their zeros; where a file is none, and in which line."""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable, Iterator

from memnet.tasks.text import FormatError

PART = 1 << 16  # bytes that are read at once
HEAD = 4096  # bytes by which an encoding is recognised
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins as that of UTF-16 does
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
CONTROL = bytes({*range(32)} - {*b"\t\n\v\f\r\x08\x1b\x1a"})  # bytes that stand in no text
MOST_CONTROL = 0.02  # of a head
ADVICE = "expected UTF-8 or UTF-16: save it as one of these, or leave it out"


def encoding(head: bytes, name: str) -> str:
    """The encoding of what begins so. Raises :class:`~memnet.tasks.text.FormatError` where it is no text."""
    for mark, found in MARKS:
        if head.startswith(mark):
            return found
    if b"\0" in head:
        even, odd = head[::2].count(0), head[1::2].count(0)
        if max(even, odd) > 0.3 * len(head) / 2 and min(even, odd) < 0.05 * len(head) / 2:
            return "utf-16-le" if odd > even else "utf-16-be"
    if len(head) - len(head.translate(None, CONTROL)) > MOST_CONTROL * len(head):
        place = min(place for place, byte in enumerate(head) if byte in CONTROL)
        line = head.count(b"\n", 0, place) + 1
        raise FormatError(f"{name} is no text: line {line} has a byte {head[place]}; {ADVICE}")
    return "utf-8-sig"


def decoded(read: Callable[[int], bytes], name: str) -> Iterator[str]:
    """The text of what is read, as it comes, with plain line ends.

    Raises :class:`~memnet.tasks.text.FormatError` where it is none, after the lines before that place.
    """
    part = read(PART)
    kind = encoding(part[:HEAD], name)
    decoder = codecs.getincrementaldecoder(kind)()
    ends, line = io.IncrementalNewlineDecoder(None, translate=True), 1
    while True:
        try:
            text, error = decoder.decode(part, final=not part), None
        except UnicodeDecodeError as found:
            text, error = found.object[: found.start].decode("utf-8" if kind == "utf-8-sig" else kind, "ignore"), found
        text = ends.decode(text, final=not part)
        if "\0" in text:
            text = text[: text.index("\0")]
            error = error or UnicodeDecodeError(kind, b"\0", 0, 1, "a character 0")
        if error:
            line += text.count("\n")
            yield text[: text.rfind("\n") + 1]
            named = "UTF-8" if kind == "utf-8-sig" else kind.upper()
            raise FormatError(f"{name} is not {named} text: {error.reason} in line {line}; {ADVICE}") from error
        line += text.count("\n")
        if text:
            yield text
        if not part:
            return
        part = read(PART)


def lines_of(parts: Iterator[str], longest: int = 1 << 20) -> Iterator[tuple[int, str]]:
    """The lines of a text with their numbers from 1, without their ends; one that is too long comes in several."""
    held, number = "", 1
    for part in parts:
        *whole, held = (held + part).split("\n")
        for line in whole:
            yield number, line
            number += 1
        while len(held) > longest:
            cut = held.rfind(" ", 0, longest) + 1 or longest
            yield number, held[:cut]
            held = held[cut:]
    if held:
        yield number, held
