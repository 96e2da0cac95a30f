"""Logs: lines that begin with a time or a level, lines of key=value, lines of JSON."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from memnet.memory.entries.entry import Passage, Reading, single_spaced
from memnet.memory.entries.records import passages_of
from memnet.memory.entries.when import NAMED, Clock, Stamp, short_stamp, stamp
from memnet.tasks.text import FormatError, one_line
from memnet.tasks.text.english import in_dictionary

LEVEL = re.compile(
    r"[\[(<]?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|CRIT(?:ICAL)?|FATAL|SEVERE|ALERT|EMERG|VERBOSE"
    r"|(?<=[\[(<])(?:trace|debug|info|notice|warn(?:ing)?|err(?:or)?|crit(?:ical)?|fatal))\b[\])>]?(?:\s*[:|-](?=\s|\w)|\s)\s*"
)
SHORT_LEVEL = re.compile(r"[DIWEF](?P<month>\d\d)(?P<day>\d\d) (?=\d\d:\d\d:\d\d)")  # glog: I0301 09:12:33.123 4711 file.cc:12]
PLACE_IN_CODE = re.compile(r"(?:\d+\s+)?[\w./-]+:\d+\]\s+")
PREFIXES = (
    LEVEL,
    re.compile(r"\[[^\s\]]+\]:?\s+"),  # a thread, a process
    re.compile(r"(?:\d+\s+)?-{2,}\s+"),
    re.compile(r"\S+\s+[\w./-]+\[\d+\]:\s+"),  # host process[4711]:
    re.compile(r"[\w./-]+\[\d+\]:\s+"),
    re.compile(r"-?\s*[\w.$/-]+\s+-\s+(?=[\[(<]?(?:TRACE|DEBUG|INFO|NOTICE|WARN|ERR|CRIT|FATAL|SEVERE))"),  # logger - LEVEL
    re.compile(r"[a-zA-Z_]\w*(?:[.$/][\w$-]+)+(?::\d+)?\s*(?:-|:|\|)\s+"),  # com.shop.Stock:
    re.compile(r"[-|:]\s+"),
)
AFTER_LEVEL = re.compile(r"(?:[a-z_][\w-]*|[A-Z][a-z]+(?:[A-Z][a-z]+)+)\s*(?::\s*| - )(?=\S)")  # a logger's plain name
SYSLOG = re.compile(r"\S+\s+[\w./()-]+(?:\[\d+\])?:\s+")  # host process:
PAIR = re.compile(r"""(?:^|(?<=\s))([A-Za-z_@][\w.@-]*)=("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"']*)(?=\s|$)""")
SPEAKER = re.compile(r"([A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,2}):\s+(?=\S)")

OF_A_NAME = re.compile(
    r"(?:\b(?:by|to|from|with|for|of|and|than|,|\()\s*(?:[A-Z]\.\s*)?[A-Z]|^[A-Z]|\b(?:Mr|Mrs|Ms|Dr|St|Prof|Capt|Sgt))$"
)
SIGNED = re.compile(  # "Took the drill home, Ann", "Back on its shelf. Bob", "... - Cid"
    r"(?P<mark>\s+[–—-]\s*|[.!?]\s+|,\s+)(?:[Ss]till\s+)?(?P<name>[A-Z][^\W\d_]+(?: [A-Z][^\W\d_]+)?)[.!]?$"
)
STATION = re.compile(r"([A-Z][A-Z0-9]{1,7})\s+(?=[A-Z0-9])")  # "RAMP Tug 2 washed.", but not "UPS on"
STATIONS_KNOWN_BY, OF_A_STATION, BY_STATIONS = 200, 2, 0.9  # lines; lines of each; share of lines that begin with one
BEFORE_WORDS = 0.3  # of the lines of a station: a word behind it; "TUG 2" is a thing
OF_ONESELF = re.compile(r"\b(?:I|my|me|we|our|us)\b")


def key_values(text: str) -> dict[str, str] | None:
    """The fields of a line of key=value; None where it has anything else."""
    pairs = PAIR.findall(text)
    if len(pairs) < 2 or PAIR.sub("", text).strip():
        return None
    return {key: value[1:-1].replace('\\"', '"') if value[:1] in "\"'" and value else value for key, value in pairs}


def without_prefixes(text: str, syslog: bool = False) -> str:
    """A log's line behind its time, without level, host, process and logger."""
    if syslog and (match := SYSLOG.match(text)):
        text = text[match.end() :]
    level = False
    while match := next((match for prefix in PREFIXES if (match := prefix.match(text))), None):
        level = level or match.re is LEVEL
        if match.end() >= len(text):
            break
        text = text[match.end() :]
    if level and (match := AFTER_LEVEL.match(text)):
        text = text[match.end() :]
    return text


def leading(line: str) -> tuple[Stamp | None, str]:
    """The time at a line's beginning, also behind its level, and the line behind it."""
    if glog := SHORT_LEVEL.match(line):
        found = stamp(line[glog.end() :])
        if found is not None:
            rest = line[glog.end() + found.end :]
            found = found._replace(
                month=int(glog["month"]), day=int(glog["day"]), text=f"{glog['month']}-{glog['day']} {found.text}"
            )
            return found, PLACE_IN_CODE.sub("", rest, count=1)
    found, text = stamp(line) or short_stamp(line), line.strip()
    if found is None and (level := LEVEL.match(text)):
        text = text[level.end() :]
        found = stamp(text)
        return (found, text[found.end :]) if found else (None, "INFO " + text)
    return (found, line[found.end :]) if found else (None, text)


def signature(text: str) -> tuple[str, str]:
    """A line without the name of who wrote it at its end, and that name; behind a comma where a line speaks of its writer.

    >>> signature("Back on its shelf. Gus"), signature("taking the drill home, Bram"), signature("Lent to Ann, Bob and Gus")
    (('Back on its shelf.', 'Gus'), ('taking the drill home', 'Bram'), ('Lent to Ann, Bob and Gus', ''))
    >>> signature("Fitted under 2102 by K. Stubbs."), signature("Lent to Dr. Haines"), signature("Back on shelf A. Gus")
    (('Fitted under 2102 by K. Stubbs.', ''), ('Lent to Dr. Haines', ''), ('Back on shelf A.', 'Gus'))
    """
    found = SIGNED.search(text)
    if found is None or any(in_dictionary(word) or word[:3] in NAMED for word in found["name"].lower().split()):
        return text, ""
    if found["mark"].startswith(".") and OF_A_NAME.search(text[: found.start()]):  # "by K. Stubbs" is one name
        return text, ""
    if found["mark"].startswith(",") and not (text[:1].islower() or OF_ONESELF.search(text)):
        return text, ""
    end = found.start() + len(found["mark"].rstrip()) if found["mark"][0] in ".!?" else found.start()
    return text[:end], found["name"]


def has_stations(lines: Iterable[str]) -> bool:
    """Whether nearly every line of a log has a word in capitals behind its time that says where it was written.

    >>> has_stations(["10:05 LAB Ann left.", "10:09 ICU Bo came.", "10:10 LAB Cy left.", "10:12 ICU PM-05 is back."])
    True
    >>> has_stations(["10:05 UPS on.", "10:09 AHU off.", "10:10 UPS off.", "10:12 AHU on."])
    False
    >>> has_stations(["10:01 TUG 2 was washed by Ann.", "10:03 TUG 3 left.", "10:04 BUS 12 left.", "10:09 BUS 14 is back."])
    False
    """
    rests = [rest.strip() for found, rest in map(leading, lines) if found is not None]
    found = [label for rest in rests if (label := STATION.match(rest)) and not LEVEL.match(rest)]
    times, before_words = Counter(one[1] for one in found), Counter(one[1] for one in found if one.string[one.end()].isalpha())
    known = [count for label, count in times.items() if count >= OF_A_STATION and before_words[label] >= BEFORE_WORDS * count]
    return bool(rests) and sum(known) >= BY_STATIONS * len(rests)


def passages(lines: Iterable[tuple[int, str]], clock: Clock, reading: Reading) -> Iterator[Passage]:
    """Every line of a log; one without a time has that of the line before. A line of a date alone dates what follows."""
    last, lines = clock.current, iter(lines)
    begin = [*islice(lines, STATIONS_KNOWN_BY)]
    stationed = has_stations(line for _, line in begin)
    for number, line in chain(begin, lines):
        if not line.strip():
            continue
        found, text = leading(line)
        if found is not None:
            last = clock.when(found)
            if not text.strip():
                clock.heading(found, 0)
                reading.count.left_out["lines of a date alone"] += 1
                continue
        if (fields := key_values(text)) is not None:
            for one in passages_of(fields, number, clock, reading, technical=False):
                yield one._replace(when=last if one.when in (None, clock.current) else one.when)
            continue
        syslog = found is not None and found.month is not None and found.year is None and found.clock.count(":") > 1
        if stationed and found is not None and (label := STATION.match(text.lstrip())):
            text = text.lstrip()[label.end() :]
        text = single_spaced(without_prefixes(text, syslog))
        said = SPEAKER.match(text)
        if said:
            yield Passage(text[said.end() :], number, last, said[1])
        elif text:
            text, name = signature(text)
            yield Passage(text, number, last, name)


def of_json_lines(lines: Iterable[tuple[int, str]], name: str, clock: Clock, reading: Reading) -> Iterator[Passage]:
    """Every line of JSON as what it says. Raises :class:`~memnet.tasks.text.FormatError` at one that is none."""
    for number, line in lines:
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise FormatError(
                f"{name}:{number}: expected a line of JSON ({one_line(str(error), 100)}); mend it, or use --as lines"
            ) from error
        if isinstance(record, dict):
            yield from passages_of(record, number, clock, reading, technical=False)
        elif isinstance(record, str) and record.strip():
            yield Passage(single_spaced(record), number)
        else:
            reading.count.left_out["lines of JSON without fields"] += 1
