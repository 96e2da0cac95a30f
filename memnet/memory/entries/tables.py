"""Tables: rows of CSV, of TSV, and of tables in other formats, as sentences."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence

from memnet.memory.entries.entry import Passage, Reading, single_spaced
from memnet.memory.entries.records import passages_of
from memnet.memory.entries.when import Clock, Order, stamp
from memnet.tasks.text import FormatError

DELIMITERS = "\t;,|"
LONGEST_FIELD = 1 << 20  # characters
LONGEST_ROW = 200  # lines; a quotation mark that is not closed takes all that follows


def delimiter(head: str, given: str = "") -> str | None:
    """What stands between the fields of a table that begins so; None where it is none. ``given`` is what a file's name says."""
    lines, found = [line for line in head.split("\n")[:50] if line.strip()], dict[str, float]()
    for mark in DELIMITERS:
        try:
            rows = [row for row in csv.reader(lines, delimiter=mark) if row]
        except csv.Error:  # a field as long as no table has it
            return given or None
        if not rows or len(rows[0]) < 2 or (len(rows) < 2 and not given):
            continue
        found[mark] = same = sum(len(row) == len(rows[0]) for row in rows) / len(rows)
        spaced = sum(field.startswith(" ") for row in rows for field in row[1:])
        prose = mark == "," and spaced > 0.5 * sum(len(row) - 1 for row in rows)
        if not given and (same < 0.9 or prose or not is_head(rows[0])):
            del found[mark]
    return max(found, key=lambda mark: (found[mark], mark == given), default=given or None)


def is_head(row: Sequence[str]) -> bool:
    """Whether a row names the columns: short, different, without numbers, dates and the ends of sentences."""
    names = [name.strip() for name in row]
    plain = all(0 < len(name) <= 40 and not stamp(name) and name[-1] not in ".!?" and len(name.split()) <= 4 for name in names)
    return plain and len({*names}) == len(names) and not any(name.replace(".", "").isdigit() for name in names)


def of_rows(
    head: Sequence[str], rows: Iterable[tuple[int, Sequence[str]]], clock: Clock, reading: Reading
) -> Iterator[Passage]:
    """The sentences of a table's rows."""
    names = [single_spaced(name) or f"column {place}" for place, name in enumerate(head, 1)]
    for line, row in rows:
        if len(row) > len(names):
            reading.count.met(reading.count.left_out, "rows of more fields than the first", line)
            continue
        if any(field.strip() for field in row):
            if len(row) < len(names):
                reading.count.met(reading.count.empty, "the last cells of rows of fewer fields than the first", line)
            fields = [*map(single_spaced, row), *[""] * (len(names) - len(row))]
            yield from passages_of(dict(zip(names, fields, strict=True)), line, clock, reading)


def passages(lines: Iterable[tuple[int, str]], mark: str, name: str, clock: Clock, reading: Reading) -> Iterator[Passage]:
    """The sentences of a file's rows; the first row names the columns. Raises :class:`~memnet.tasks.text.FormatError`."""
    csv.field_size_limit(LONGEST_FIELD)
    read = list[str]()  # the lines of a row

    def reading_lines() -> Iterator[str]:
        for _, line in lines:
            read.append(line)
            yield f"{line}\n"

    reader = csv.reader(reading_lines(), delimiter=mark)

    def rows() -> Iterator[tuple[int, Sequence[str]]]:
        line = 1
        try:
            for row in reader:
                if reader.line_num - line > LONGEST_ROW or is_open(row, read):
                    raise FormatError(
                        f"{name}:{line}: a quotation mark that opens a field is not closed; mend it, or use --as lines"
                    )
                if row:
                    yield line, row
                line = reader.line_num + 1
                read.clear()
        except csv.Error as error:
            raise FormatError(
                f"{name}:{reader.line_num}: expected a row of a table ({error}); mend it, or use --as lines"
            ) from error

    told = rows()
    first = next(told, None)
    if first is None:
        return
    if is_head(first[1]) or reading.template is not None:
        yield from of_rows(first[1], told, clock, reading)
        return
    reading.count.note(f"{name}: the first row names no columns, so rows are taken as they stand")
    for line, row in (first, *told):
        text = ", ".join(single_spaced(field) for field in row if field.strip())
        if text:
            yield Passage(text, line)


def is_open(row: Sequence[str], lines: Sequence[str]) -> bool:
    """Whether a row of these lines ends in a quotation mark that is not closed: so it takes the end of its last line, too."""
    return bool(row) and row[-1].endswith("\n") and sum(line.count('"') for line in lines) % 2 == 1


def learn(head: str, mark: str, order: Order) -> None:
    """Let the dates in a table's fields say whether the day comes first."""
    for row in csv.reader(head.split("\n")[:-1], delimiter=mark):
        for field in row:
            if found := stamp(field):
                order.learn(found)
