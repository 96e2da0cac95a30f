"""From files and streams to entries: what is there is recognised, taken apart, and split into sentences."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from memnet.errors import ConfigError, no_file
from memnet.memory.entries import chats, documents, html, logs, mail, markdown, recognise, tables
from memnet.memory.entries.decoding import PART, decoded, lines_of
from memnet.memory.entries.entry import Entry, Passage, Reading
from memnet.memory.entries.layout import LONGEST, PAUSE, Layout, pieces
from memnet.memory.entries.sentences import of_paragraphs
from memnet.memory.entries.when import Clock, Order, stamp
from memnet.memory.times import moment
from memnet.tasks.text import FormatError

HEAD = 1 << 16  # characters by which a format and the order of dates are recognised
BATCH = 1 << 16  # characters whose sentences are found at once
DATED = 0.2  # of the paragraphs of a text; where so many begin with a date or time, it is taken off
RECORDS = ("csv", "jsonl", "json", "log", "markdown", "html", "docx")


def entries(path: Path | str, reading: Reading | None = None) -> Iterator[Entry]:
    """The sentences of a file, with its name as their source.

    Raises :class:`~memnet.tasks.text.FormatError` where it is no text or ends being one, after what came before; and
    :class:`~memnet.errors.ConfigError` where a package is missing or a template does not fit.
    """
    path, reading = Path(path), reading or Reading()
    name = reading.count.file = str(path)
    if not path.is_file():
        raise FormatError(f"{no_file(path)}; expected a text, a log, a table, a page, a chat or a document")
    with open(path, "rb") as file:
        head = file.read(PART)
        kind = reading.kind if reading.kind != "auto" else recognise.of_bytes(head, name)
        if kind in ("pdf", "docx", "mail"):
            yield from sentences(of_document(path, name, kind, reading), reading.source or name, kind, reading)
            return
        file.seek(0)
        yield from entries_of_text(decoded(file.read, name), name, reading, path)


def of_document(path: Path, name: str, kind: str, reading: Reading) -> Iterator[Passage]:
    """The passages of a file that is no plain text."""
    clock = Clock(Order(reading.day_first), reading.when)
    if kind == "pdf":
        return documents.of_pdf(path, name, reading)
    if kind == "docx":
        return documents.of_docx(path, name, clock, reading)
    return mail.passages(path, clock, reading)


def entries_of_text(
    parts: Iterable[str], name: str, reading: Reading | None = None, path: Path | None = None
) -> Iterator[Entry]:
    """The sentences of a text that comes in parts; ``name`` is their source. Where there is a ``path`` it may be read twice.

    Raises what :func:`entries` raises.
    """
    reading = reading or Reading()
    reading.count.file = name
    first, parts, broken = beginning(iter(parts))
    head = first[:HEAD]
    if not first.strip():
        raise broken or FormatError(f"{name} is empty: line 1 has no word; give a file that has text")
    kind = reading.kind if reading.kind != "auto" else recognise.of_text(head, name)
    if kind in ("pdf", "docx", "mail"):
        raise ConfigError(f"{name}: {kind} is read from a file, not from a pipe; save it and name the file")
    if reading.template is not None and kind not in RECORDS:
        raise ConfigError(f"--template is for records, and {name} was read as {kind}; leave it out, or use --as csv")
    clock = Clock(order_of(head, name, kind, reading, path), reading.when)
    yield from sentences(
        passages(chain([first], parts), name, kind, head, clock, reading), reading.source or name, kind, reading
    )


def beginning(parts: Iterator[str]) -> tuple[str, Iterator[str], FormatError | None]:
    """The first characters of a text, as many as come in a moment, the rest, and an error between, which the rest raises."""
    held, length, started = list[str](), 0, time.monotonic()
    try:
        for part in parts:
            held.append(part)
            length += len(part)
            if length >= HEAD or (length and part.count("\n") and time.monotonic() - started > PAUSE):
                break
    except FormatError as error:
        return "".join(held), raising(error), error
    return "".join(held), parts, None


def raising(error: FormatError) -> Iterator[str]:
    """No text, and an error."""
    yield ""
    raise error


def order_of(head: str, name: str, kind: str, reading: Reading, path: Path | None) -> Order:
    """Whether the day comes first in the dates of a text: by its beginning, and by all of a file where that is not clear."""
    order = Order(reading.day_first)
    if kind == "csv" and (mark := tables.delimiter(head, "\t" if name.endswith((".tsv", ".tab")) else ",")):
        tables.learn(head, mark, order)
    else:
        for line in head.split("\n"):
            if found := logs.leading(chats.MARKS.sub("", line))[0]:
                order.learn(found)
    if order.seen and not order.clear and path is not None and kind in ("log", "chat", "lines", "text"):
        order = Order(reading.day_first)
        with open(path, "rb") as file:
            try:
                for _, line in lines_of(decoded(file.read, name)):
                    if found := logs.leading(chats.MARKS.sub("", line))[0]:
                        order.learn(found)
            except FormatError:
                pass  # said when it is read
    if order.seen and not order.clear:
        first = "the day" if order.day_first(order.mark) else "the month"
        reading.count.note(
            f"{name}: dates such as {order.example} are read with {first} first; --day-first or --month-first decides"
        )
    return order


def passages(parts: Iterator[str], name: str, kind: str, head: str, clock: Clock, reading: Reading) -> Iterator[Passage]:
    """A text taken apart by its format."""
    if kind in ("text", "prose", "lines"):
        return of_plain_text(parts, Layout({"prose": False, "lines": True}.get(kind)), clock, reading)
    if kind == "markdown":
        return (one for line, text in pieces(parts, Layout()) for one in markdown.passages(text, line, clock, reading))
    if kind == "html":
        return (one for text in whole(parts) for one in html.passages(text, clock, reading))
    if kind == "json":
        return (one for text in whole(parts) for one in chats.of_json(text, name, clock, reading))
    lines = lines_of(parts)
    if kind == "jsonl":
        return logs.of_json_lines(lines, name, clock, reading)
    if kind == "chat":
        return chats.of_lines(lines, clock, reading)
    if kind == "log":
        return logs.passages(lines, clock, reading)
    mark = tables.delimiter(head, "\t" if name.endswith((".tsv", ".tab")) else ",") or ","
    return tables.passages(lines, mark, name, clock, reading)


def whole(parts: Iterator[str]) -> Iterator[str]:
    """All of a text at once; of one that breaks off, what came before, and then the error."""
    held = list[str]()
    try:
        for part in parts:
            held.append(part)
    except FormatError:
        yield "".join(held)
        raise
    yield "".join(held)


def of_plain_text(parts: Iterator[str], layout: Layout, clock: Clock, reading: Reading) -> Iterator[Passage]:
    """Paragraphs or lines; dates and times before many of them are taken off, and a line that is a date dates what follows."""
    for line, text in pieces(parts, layout):
        found = [(one, stamp(one.text)) for one in layout.passages(text, line)]
        dated = sum(at is not None and at.end < len(one.text) for one, at in found) >= DATED * len(found)
        for one, at in found:
            if clock.current is not None and at is None:
                one = one._replace(when=clock.current)
            if at is None:
                yield one
            elif clock.heading(at, len(one.text)):
                reading.count.left_out["lines of a date alone"] += 1
            elif dated and at.end < len(one.text):
                yield Passage(one.text[at.end :], one.line, clock.when(at), breaks=[place - at.end for place in one.breaks])
            else:
                yield one


def sentences(told: Iterable[Passage], source: str, kind: str, reading: Reading) -> Iterator[Entry]:
    """The sentences of passages; those that came before an error come before it."""
    held, length, last = list[Passage](), 0, time.monotonic()
    try:
        for one in told:
            held.append(one)
            length += len(one.text)
            if length >= BATCH or time.monotonic() - last > PAUSE:
                yield from of_passages(held, source, kind, reading)
                held, length, last = [], 0, time.monotonic()
    except (FormatError, ConfigError):
        yield from of_passages(held, source, kind, reading)
        raise
    yield from of_passages(held, source, kind, reading)


def of_passages(told: Sequence[Passage], source: str, kind: str, reading: Reading) -> Iterator[Entry]:
    """The sentences of some passages, counted."""
    told = [one for one in told if one.text]
    if not told:
        return
    count, timed = 0, 0
    split = of_paragraphs([one.text for one in told if not one.whole])
    for one in told:
        found = [one.text] if one.whole else next(split)
        when, line, place = one.when or reading.when, one.line, 0
        if tables.is_head_of_table(one.text):  # it names the columns, and is no entry
            yield Entry(one.text, None, source, line)
            continue
        count += len(found)
        timed += len(found) * (is_date := when is not None and moment(when) is not None)
        for _ in found if when and not is_date else ():
            reading.count.met(reading.count.undated, kind, line, repr(when))
        for text in found:
            if one.breaks:
                line = one.line + bisect_right(one.breaks, place)
                place += len(text)
                place += one.text.startswith(" ", place)
            yield Entry(f"{one.speaker}: {text}" if one.speaker else text, when, source, line)
    reading.count.entries[kind] += count
    reading.count.timed[kind] += timed


def batches(told: Iterable[Entry], size: int = LONGEST, seconds: float = PAUSE) -> Iterator[list[Entry]]:
    """Entries, some at a time: a megabyte, or what came in a second; those that came before an error come before it."""
    held, length, last = list[Entry](), 0, time.monotonic()
    try:
        for one in told:
            held.append(one)
            length += len(one.text)
            if length >= size or time.monotonic() - last > seconds:
                yield held
                held, length, last = [], 0, time.monotonic()
    except (FormatError, ConfigError):
        if held:
            yield held
        raise
    if held:
        yield held
