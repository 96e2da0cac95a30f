"""Tables: rows of CSV, of TSV, and of tables in other formats, as sentences."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from memnet.memory.entries.entry import Passage, Reading, single_spaced
from memnet.memory.entries.records import (
    SPEAKERS,
    TECHNICAL,
    TEXTS,
    TIMES,
    first_of,
    passages_of,
    subject_of,
    time_of,
    words_of,
)
from memnet.memory.entries.when import Clock, Order, stamp
from memnet.tasks.text import FormatError
from memnet.tasks.text.english import in_dictionary

DELIMITERS = "\t;,|"
LONGEST_FIELD = 1 << 20  # characters
LONGEST_NAME, MOST_WORDS, SHORT = 50, 6, 4  # characters and words of a column's name, letters of a word cut short in it
PARENTHESES = re.compile(r"[(\[][^)\]]*[)\]]")
HEAD_OF_TABLE = re.compile(r"A table by (?P<subject>[^|]+?) with the columns (?P<columns>.+)\.")
MESSAGES = frozenset(("message", "msg", "body"))  # columns whose texts are messages, whatever stands beside them
NUMBER = re.compile(r"[^\w\s]?\d[\d.,:/-]*")
FEWEST, MOSTLY = 3, 0.9  # cells of a column of numbers that are numbers, and their share
LOOKED_AT = 50  # rows
LONGEST_ROW = 200  # lines; a quotation mark that is not closed takes all that follows


def delimiter(head: str, given: str = "") -> str | None:
    """What stands between the fields of a table that begins so; None where it is none. ``given`` is what a file's name says."""
    lines, found = [line for line in head.split("\n")[: LOOKED_AT + 1] if line.strip()], dict[str, float]()
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
        if not given and (same < 0.9 or prose or not is_head(rows[0], rows[1:])):
            del found[mark]
    return max(found, key=lambda mark: (found[mark], mark == given), default=given or None)


def is_head(row: Sequence[str], below: Sequence[Sequence[str]] = ()) -> bool:
    """Whether a row names the columns: short, different, without numbers, dates and, but over numbers, ends of sentences.

    >>> is_head(["Job No.", "Quote ex VAT etc."]), is_head(["Job No.", "Quote ex VAT etc."], [["J1", "4.50"]] * 3)
    (False, True)
    """
    names = [name.strip() for name in row]
    plain = all(0 < len(name) <= LONGEST_NAME and not stamp(name) for name in names)
    plain = plain and len({*names}) == len(names) and not any(name.replace(".", "").isdigit() for name in names)
    columns = [*zip(*(row for row in below if len(row) == len(names)), strict=True)] or [()] * len(names)
    return plain and all(is_name_of_column(name) or are_numbers(cells) for name, cells in zip(names, columns, strict=True))


def are_numbers(cells: Sequence[str]) -> bool:
    """Whether nearly all cells of a column are numbers, three at least.

    >>> are_numbers(["4.50", "£3", "", "1,200"]), are_numbers(["4", "5"]), are_numbers(["4", "5", "6", "J1"])
    (True, False, False)
    """
    told = [cell for cell in cells if cell.strip()]
    numbers = sum(NUMBER.fullmatch(cell.strip()) is not None for cell in told)
    return numbers >= FEWEST and numbers > MOSTLY * len(told)


def is_name_of_column(name: str) -> bool:
    """Whether a short text may name a column, and is no sentence: "Room no.", "Sink?", "Dimensions (cm)".

    >>> [is_name_of_column(name) for name in ("Room no.", "Cons.", "Fee (incl. VAT)", "Ann left.", "Is it dry now?")]
    [True, True, True, False, False]
    """
    words = [word for word in PARENTHESES.sub("", name).split() if any(map(str.isalnum, word))]
    if not words or len(words) > MOST_WORDS or name[-1] == "!":
        return False
    last = words[-1].rstrip(".")
    short = len(words) < 3 and (len(last) < SHORT + (len(words) == 1) or not in_dictionary(last.lower()))
    return not (name[-1] == "." and not short) and not (name[-1] == "?" and len(words) > 3)


def head_of_table(names: Sequence[str], subject: str) -> str:
    """A sentence that says which columns a table has, and which of them names a row.

    >>> head_of_table(["Room no.", "Doctor"], "Room no.")
    'A table by Room no. with the columns Room no. | Doctor.'
    """
    plain = [name.replace("|", "/") for name in (subject, *names)]
    return f"A table by {plain[0]} with the columns {' | '.join(plain[1:])}."


def is_head_of_table(text: str) -> bool:
    """Whether a sentence is one of :func:`head_of_table`."""
    return HEAD_OF_TABLE.fullmatch(text) is not None


def tells_messages(head: Sequence[str]) -> bool:
    """Whether the rows of a table are messages: it has a column of texts, and, of one called "event", nothing else to tell."""
    name = first_of(TEXTS, dict.fromkeys(head))
    others = {one.lower() for one in head if one != name} - {*TIMES} - {*SPEAKERS} - TECHNICAL
    return name is not None and (name.lower() in MESSAGES or not others)


def fields_of(fields: Mapping[str, str], subject: str, line: int, clock: Clock) -> Iterator[Passage]:
    """A row as a sentence for each of its fields: "The place of drill is shed."."""
    when, used = time_of({name: value for name, value in fields.items() if value}, clock)
    kept = {name: value.rstrip(".") for name, value in fields.items() if name not in used and value.rstrip(".")}
    name = kept.pop(subject, "")
    about = name or f"row {line}"
    if name and not kept:
        yield Passage(f"The {words_of(subject)} is {name}.", line, when or clock.current, whole=True)
    for column, value in kept.items():
        yield Passage(f"The {words_of(column)} of {about} is {value}.", line, when or clock.current, whole=True)


def of_rows(
    head: Sequence[str], rows: Iterable[tuple[int, Sequence[str]]], clock: Clock, reading: Reading
) -> Iterator[Passage]:
    """The sentences of a table's rows."""
    names, subject = [single_spaced(name) or f"column {place}" for place, name in enumerate(head, 1)], ""
    messages = reading.template is not None or tells_messages(names)
    for line, row in rows:
        if len(row) > len(names):
            reading.count.met(reading.count.left_out, "rows of more fields than the first", line)
            continue
        if any(field.strip() for field in row):
            if len(row) < len(names):
                reading.count.met(reading.count.empty, "the last cells of rows of fewer fields than the first", line)
            values = [*map(single_spaced, row), *[""] * (len(names) - len(row))]
            fields = dict(zip(names, values, strict=True))
            if messages:
                yield from passages_of(fields, line, clock, reading)
                continue
            if not subject and (subject := subject_of(fields, time_of(fields, clock)[1])):
                yield Passage(head_of_table(names, subject), line, whole=True)
            yield from fields_of(fields, subject, line, clock)


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
    second = [*islice(told, LOOKED_AT)]
    told = chain(second, told)
    if is_head(first[1], [row for _, row in second]) or reading.template is not None:
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
