"""Records of named fields, such as rows of a table and lines of JSON, as sentences."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping
from typing import Any

from memnet.errors import ConfigError
from memnet.memory.entries.entry import Passage, Reading, single_spaced
from memnet.memory.entries.when import Clock, iso_of
from memnet.tasks.text.english import DETERMINERS

TIMES = ("@timestamp", "timestamp", "ts", "datetime", "asctime", "date", "time", "when", "created_at", "created", "at")
TEXTS = ("message", "msg", "text", "body", "content", "event")
SPEAKERS = ("speaker", "author", "sender", "from", "user", "username", "name", "role")
TECHNICAL = frozenset(
    re.findall(
        r"\S+",
        """level severity lvl levelname loglevel logger host hostname pid process thread threadname trace_id span_id request_id
    id uuid guid module lineno filename file line caller version @version funcname app service env""",
    )
)
WORDS = 3  # of a message that says all by itself
ARTICLE = re.compile(r"\b(?:the|an?)\s+$", re.IGNORECASE)  # before a field
NUMBERED = re.compile(r"[^\W\d_][\w-]*(?: [\w-]+)* (?:\d[\w./-]*|[A-Z])")  # such as "bay 3" and "dock A"
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
MARKS = re.compile(r"[_-]|[.?!:](?=\W|$)")  # of a name that are no part of its words: "Room no.", "Sink?"


def flat(record: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """The fields of a record, and of the records in it, that hold something."""
    for name, value in record.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{before}{name} ")
        elif isinstance(value, list):
            if plain := [str(one) for one in value if isinstance(one, str | int | float)]:
                yield f"{before}{name}", ", ".join(plain)
        elif value is not None and str(value).strip():
            yield f"{before}{name}", value


def first_of(names: tuple[str, ...], fields: Mapping[str, Any]) -> str | None:
    """The first of these names that a record has, in the letters in which it has it."""
    by_small = {name.lower(): name for name in fields}
    return next((by_small[name] for name in names if name in by_small), None)


def time_of(fields: Mapping[str, Any], clock: Clock) -> tuple[str | None, set[str]]:
    """The time of a record, and the fields that say it: one, or a date and a time beside it."""
    name = first_of(TIMES, fields)
    if name is None:
        return None, set()
    beside = first_of(("time", "hour"), fields) if name.lower() == "date" else None
    if beside is None:
        return iso_of(fields[name], clock), {name}
    return iso_of(f"{fields[name]} {fields[beside]}", clock), {name, beside}


def filled(template: str, fields: Mapping[str, Any]) -> str:
    """A template with the fields of a record; nothing where one of them is empty.

    An article before a field is left out where the field has a word of its kind, or is a name with a number.
    Raises :class:`~memnet.errors.ConfigError` where the template names no field, or another.

    >>> filled("The {part} is in the {room}.", {"part": "pump 7", "room": "cold store"})
    'Pump 7 is in the cold store.'
    """
    by_small, parts, named = {name.strip().lower(): value for name, value in fields.items()}, list[str](), False
    known = ", ".join("{" + name + "}" for name in fields)
    try:
        for before, name, form, _ in string.Formatter().parse(template):
            parts.append(before)
            if name is not None:
                if form or name.strip().lower() not in by_small:
                    raise KeyError(name)
                value, named = by_small[name.strip().lower()], True
                if not (said := single_spaced("" if value is None else str(value))):
                    return ""
                parts[-1:] = with_article(before, said)
    except (ValueError, KeyError) as error:
        raise ConfigError(f"--template {template!r} does not fit ({error}); there are {known}") from error
    if not named:
        raise ConfigError(f"--template {template!r} names no column, so every row would say the same; there are {known}")
    return "".join(parts)


def with_article(before: str, said: str) -> tuple[str, str]:
    """What stands before a field, without its article where the field needs none, and the field.

    >>> with_article("is in the ", "the shed"), with_article("The ", "pump 7"), with_article("in a ", "red box")
    (('is in ', 'the shed'), ('', 'Pump 7'), ('in a ', 'red box'))
    """
    article, (first, *others) = ARTICLE.search(before), said.split()
    has_its_own = bool(others) and (first.lower() in DETERMINERS or (first[0].isupper() and first.endswith(("'s", "’s"))))
    if article is None or not (has_its_own or NUMBERED.fullmatch(said)):
        return before, said
    return before[: article.start()], said[:1].upper() + said[1:] if article[0][0].isupper() else said


def words_of(name: str) -> str:
    """A field's name as words: "storage_place" and "storagePlace" as "storage place"."""
    return " ".join(MARKS.sub(" ", HUMP.sub(" ", name)).split()).lower()


def subject_of(fields: Mapping[str, Any], but: set[str] | frozenset[str] = frozenset()) -> str:
    """The name of the field that names a record: the first that is no number and not about a program; "" where all are empty.

    >>> subject_of({"no": "7", "item": "drill", "place": "shed"}), subject_of({"no": "7"}), subject_of({"no": ""})
    ('item', 'no', '')
    """
    kept = {name: value for name, value in fields.items() if name not in but and str(value).strip()}
    plain = [name for name, value in kept.items() if name.lower() not in TECHNICAL and not isinstance(value, int | float)]
    texts = [name for name in plain if not str(kept[name]).replace(".", "").replace(",", "").isdigit()]
    return next(iter([*texts, *plain, *kept]), "")


def told(fields: Mapping[str, Any], but: set[str], technical: bool) -> list[str]:
    """A record without a message as sentences: "The place of drill is shed." for each field after the first."""
    kept = {name: single_spaced(str(value)).rstrip(".") for name, value in fields.items() if name not in but}
    if not technical:
        kept = {name: value for name, value in kept.items() if name.lower() not in TECHNICAL}
    kept = {name: value for name, value in kept.items() if value}
    if not kept:
        return []
    by = subject_of({name: fields[name] if isinstance(fields[name], int | float) else value for name, value in kept.items()})
    subject = kept[by]
    others = [(words_of(name), value) for name, value in kept.items() if name != by]
    if not others:
        return [subject if " " in subject else f"The {words_of(by)} is {subject}."]
    return [f"The {name} of {subject} is {value}." for name, value in others]


def passages_of(
    record: Mapping[str, Any], line: int, clock: Clock, reading: Reading, technical: bool = True
) -> Iterator[Passage]:
    """A record as what it says: by the template, else its message, else a sentence for each of its fields.

    Of a log (``technical=False``) the fields about the program that wrote it are left out.
    """
    if reading.template is not None:
        when, _ = time_of(record, clock)
        if said := single_spaced(filled(reading.template, record)):
            yield Passage(said, line, when or clock.current)
        else:
            reading.count.met(reading.count.left_out, "rows with an empty cell that --template names", line)
        return
    fields = dict(flat(record))
    when, used = time_of(fields, clock)
    when = when or clock.current
    name = first_of(TEXTS, fields)
    if name is None or not isinstance(fields[name], str):
        for sentence in told(fields, used, technical):
            yield Passage(sentence, line, when)
        return
    text = single_spaced(fields[name])
    by = first_of(SPEAKERS, fields)
    level = first_of(("level", "levelname", "severity"), fields)
    by = None if by is not None and by.lower() == "name" and level is not None else by  # of the logger
    speaker = single_spaced(str(fields[by])) if by else ""
    rest = {one: value for one, value in fields.items() if one not in {*used, name, by} and one.lower() not in TECHNICAL}
    if rest and len(text.split()) < WORDS:
        text = f"{text} ({', '.join(f'{words_of(one)}: {single_spaced(str(value))}' for one, value in rest.items())})"
    elif rest:
        reading.count.left_out["fields beside a message"] += len(rest)
    yield Passage(text, line, when, speaker)
