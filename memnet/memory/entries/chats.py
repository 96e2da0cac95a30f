"""Chats: a message becomes "Ann: I moved the bike to the shed.", each of its sentences with who says it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from memnet.memory.entries.entry import Passage, Reading, single_spaced
from memnet.memory.entries.records import TEXTS, first_of, passages_of
from memnet.memory.entries.when import Clock, stamp
from memnet.tasks.text import FormatError, one_line

WORD = r"[^\W\d_][\w.'’-]*"
NAMED = re.compile(  # a name of up to five words, of which the last begins with a capital where there are several; a number
    rf"(?P<name>~?\s?(?:{WORD} ){{0,4}}[^\W\d_a-zà-ÿ][\w.'’-]*(?: \([^)]*\))?|{WORD}|~?\s?\+?[\d\s()-]{{7,20}}):\s+(?=\S)"
)
LEVELS = frozenset(
    re.findall(
        r"\w+", "trace debug info notice warn warning error err crit critical fatal note todo re fw fwd subject http https"
    )
)
MARKS = re.compile("[\u200e\u200f\u202a-\u202e\ufeff]")
NO_WORDS = re.compile(
    r"<Media omitted>|<attached: .*>|(?:image|video|audio|sticker|GIF|document|Contact card) omitted"
    r"|This message was deleted\.?|You deleted this message\.?|Messages and calls are end-to-end encrypted.*|null",
    re.IGNORECASE,
)
MENTION = re.compile(r"<@([A-Z0-9]+)(?:\|([^>]*))?>")
LINK = re.compile(r"<(?:[a-z]+:)?([^|>\s]+)(?:\|([^>]*))?>")
HEADING = re.compile(  # a line of a weekday alone: "--- Monday ---", "## Tuesday, week 2"
    r"\W*(?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:[\s,]+(?:week|day|shift|morning|afternoon|"
    r"evening|night)\b(?: \d+)?)?)\W*",
    re.IGNORECASE,
)
RULES = "-=#*_~— "  # that stand around a heading
SESSION = re.compile(r"session_(\d+)")


def of_lines(lines: Iterable[tuple[int, str]], clock: Clock, reading: Reading) -> Iterator[Passage]:
    """Messages of lines, with a time in front or without; a line that begins as no message goes on with the one before."""
    held: Passage | None = None
    day = ""
    for number, line in lines:
        line = MARKS.sub("", line).strip()
        if (heading := heading_of(line, clock)) is not None:
            day = heading
            reading.count.left_out["lines of a date alone"] += 1
            if held is not None:
                yield from with_words(held, reading)
            held = None
            continue
        found = stamp(line)
        rest = line[found.end :] if found else line
        said = NAMED.match(rest)
        if not line:
            continue
        if held is not None and found is None and (said is None or held.when is not None):
            held = held._replace(text=f"{held.text} {single_spaced(line)}", breaks=[*held.breaks, len(held.text) + 1])
            continue
        if held is not None:
            yield from with_words(held, reading)
        when = clock.when(found) if found else day or None
        if day and found is not None and found.month is None:
            when = f"{day} {found.clock}"
        text = single_spaced(rest[said.end() :] if said else rest)
        held = Passage(text, number, when, single_spaced(said["name"]) if said else "")
    if held is not None:
        yield from with_words(held, reading)


def heading_of(line: str, clock: Clock) -> str | None:
    """The weekday of a line that is one alone; empty of a date, which what follows has; None of any other line."""
    if (heading := HEADING.fullmatch(line)) is not None:
        return " ".join(heading["day"].split())
    bare = line.strip(RULES)
    found = stamp(bare)
    return "" if found is not None and clock.heading(found, len(bare)) else None


def with_words(message: Passage, reading: Reading) -> Iterator[Passage]:
    """A message, unless it stands for a picture or says nothing."""
    if message.text and not NO_WORDS.fullmatch(message.text):
        yield message
    else:
        reading.count.left_out["messages without words"] += 1


def looks(lines: list[str]) -> bool:
    """Whether lines look like a chat: most begin with who speaks, and those who speak do so again."""
    names, stamped, told, small = list[str](), 0, 0, 0
    for line in lines:
        line = MARKS.sub("", line).strip()
        if not line or HEADING.fullmatch(line):
            continue
        told += 1
        found = stamp(line)
        stamped += found is not None
        if (said := NAMED.match(line[found.end :] if found else line)) and said["name"].lower() not in LEVELS:
            names.append(said["name"])
            small += said["name"].islower()
    plain = all(len(name.split()) <= 4 for name in names)
    often = len({*names}) <= max(2, len(names) // 2)
    if stamped > 0.5 * told:
        return len(names) > 0.6 * stamped and (often or len({*names}) <= 3) and small < 0.5 * len(names)
    return told > 1 and len(names) >= 0.7 * told and often and plain


def of_json(text: str, name: str, clock: Clock, reading: Reading) -> Iterator[Passage]:
    """Messages of JSON: of Slack, of Telegram, of sessions as LoCoMo has them, or any list of records.

    Raises :class:`~memnet.tasks.text.FormatError` where it is no JSON.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{name} is not JSON: {one_line(str(error), 100)}; mend it, or use --as text") from error
    users = users_of(value)
    for number, (record, when) in enumerate(records(value, clock, reading), 1):
        message = {**record, "text": plain_text(record["text"])} if isinstance(record.get("text"), list) else record
        if "ts" in message and "text" in message:
            message = of_slack(message, users)
        if "text" in message and "from" in message and "date_unixtime" in message:
            message = {one: message[one] for one in ("text", "from", "date")}
        if not isinstance(text_of(message), str):
            told = passages_of(message, number, clock, reading)
        else:
            told = (part for one in passages_of(message, number, clock, reading) for part in with_words(one, reading))
        for one in told:
            yield one._replace(when=one.when or when)


def text_of(record: Mapping[str, Any]) -> Any:
    """What a record has for its message."""
    name = first_of(TEXTS, record)
    return record[name] if name else None


def records(value: Any, clock: Clock, reading: Reading, when: str | None = None) -> Iterator[tuple[dict[str, Any], str | None]]:
    """The messages of a value of JSON in order, with the time of their session."""
    if isinstance(value, list):
        for one in value:
            yield from records(one, clock, reading, when)
    elif isinstance(value, dict):
        inner = next(
            (
                name
                for name in ("conversation", "messages", "chats", "list", "data")
                if isinstance(value.get(name), list | dict)
            ),
            None,
        )
        sessions = sorted(
            (name for name in value if SESSION.fullmatch(name) and isinstance(value[name], list)), key=session_number
        )
        if sessions:
            for name in sessions:
                at = value.get(f"{name}_date_time")
                found = stamp(str(at)) if at else None
                when = clock.when(found) if found else at
                yield from ((one, when) for one in value[name] if isinstance(one, dict))
        elif inner is not None and first_of(TEXTS, value) in (None, inner):
            reading.count.left_out["fields beside messages"] += sum(name != inner for name in value)
            yield from records(value[inner], clock, reading, when)
        else:
            yield value, when


def session_number(name: str) -> int:
    """Of session_3: 3."""
    return int(name.removeprefix("session_"))


def plain_text(parts: Any) -> str:
    """Telegram's text: a list of texts and of marked texts."""
    return "".join(
        part if isinstance(part, str) else str(part.get("text", "")) for part in parts if isinstance(part, str | dict)
    )


def users_of(value: Any) -> dict[str, str]:
    """Slack's names of users, as their messages' profiles have them."""
    found = dict[str, str]()
    for one in value if isinstance(value, list) else value.get("messages", ()) if isinstance(value, dict) else ():
        profile = one.get("user_profile") if isinstance(one, dict) else None
        if isinstance(profile, dict) and "user" in one:
            found[str(one["user"])] = (
                profile.get("real_name") or profile.get("display_name") or profile.get("name") or str(one["user"])
            )
    return found


def of_slack(message: Mapping[str, Any], users: Mapping[str, str]) -> dict[str, Any]:
    """Slack's message with names in place of numbers, its time, and links as they are called."""
    text = MENTION.sub(lambda found: users.get(found[1], found[2] or found[1]), str(message["text"]))
    text = LINK.sub(lambda found: found[2] or found[1], text)
    for mark, plain in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        text = text.replace(mark, plain)
    user = str(message.get("user") or "")
    told = {"speaker": users.get(user) or message.get("username") or user, "text": text}
    try:
        told["ts"] = datetime.fromtimestamp(float(message["ts"]), UTC).isoformat(timespec="seconds")
    except (ValueError, TypeError, OverflowError, OSError):
        told["ts"] = str(message["ts"])
    return told
