"""Odd files for a memory: line ends, encodings, layouts, logs, tables and chats as people have them, and what is no text."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from memnet.memory.entries import Reading, entries
from memnet.tasks.text import FormatError
from tests.trials.trial import run_list

pytestmark = pytest.mark.slow

MOVES = "Mary went to the kitchen\nJohn moved to the garden\nAnn took the milk\n"
TOLD = MOVES.splitlines()
STOPPED = [f"{one}." for one in TOLD]


class Case(NamedTuple):
    """A file, and the entries that it has, or a part of the sentence that refuses it; entries before that are told, too."""

    name: str
    content: str | bytes
    expected: list[str]
    refused: str = ""
    file: str = "a.txt"
    times: list[str | None] | None = None


def log(form: str) -> str:
    """The moves as lines of a log."""
    return "".join(form.format(minute, text) + "\n" for minute, text in enumerate(TOLD, 10))


def at(form: str) -> list[str | None]:
    """The times of such a log."""
    return [form.format(minute) for minute in range(10, 13)]


CHAT = "".join(f"{who}: {text}\n" for who, text in zip(("Al", "Bo", "Al"), TOLD, strict=True))
SAID = CHAT.splitlines()
RECORDS = [{"from": who, "text": text} for who, text in zip(("Al", "Bo", "Al"), TOLD, strict=True)]
CASES = [
    Case("as it should be", MOVES, TOLD),
    Case("carriage returns alone", MOVES.replace("\n", "\r"), TOLD),
    Case("lines of Windows", MOVES.replace("\n", "\r\n"), TOLD),
    Case("byte order mark", "\ufeff" + MOVES, TOLD),
    Case("UTF-16", MOVES.encode("utf-16"), TOLD),
    Case("UTF-16 without its mark", MOVES.encode("utf-16-be"), TOLD),
    Case("UTF-32", MOVES.encode("utf-32"), TOLD),
    Case("no last line end", MOVES.strip(), TOLD),
    Case("empty lines", MOVES.replace("\n", "\n \n\t\n"), TOLD),
    Case("tabs and spaces", MOVES.replace(" ", " \t\u00a0"), TOLD),
    Case("small letters", MOVES.lower(), [one.lower() for one in TOLD]),
    Case("capitals alone", MOVES.upper(), [one.upper() for one in TOLD]),
    Case("full stops", MOVES.replace("\n", ".\n"), STOPPED),
    Case("one line", " ".join(STOPPED), STOPPED),
    Case("one line in small letters", " ".join(STOPPED).lower(), [one.lower() for one in STOPPED]),
    Case("bullets", "".join(f"- {one}\n" for one in TOLD), TOLD),
    Case("numbers", "".join(f"{number}. {one}\n" for number, one in enumerate(TOLD)), TOLD),
    Case("a long line", "word " * 300_000, ["word " * 209_715, "word " * 90_285]),
    Case("a curly quotation", "“Élodie left.” Ásta stayed. ‘Good.’", ["“Élodie left.”", "Ásta stayed.", "‘Good.’"]),
    Case(
        "abbreviations",
        "Mr. Lee met Prof. Ray of the U.S. Navy. Dr. Lee left.",
        ["Mr. Lee met Prof. Ray of the U.S. Navy.", "Dr. Lee left."],
    ),
    Case("ISO", log("2024-03-01T09:{}:00Z {}"), TOLD, times=at("2024-03-01T09:{}:00+00:00")),
    Case("a comma", log("2024-03-01 09:{}:00,123 INFO {}"), TOLD, times=at("2024-03-01T09:{}:00.123")),
    Case("brackets", log("[2024-03-01 09:{}:00] [INFO] {}"), TOLD, times=at("2024-03-01T09:{}:00")),
    Case("a web server's time", log("[01/Mar/2024:09:{}:00 +0000] {}"), TOLD, times=at("2024-03-01T09:{}:00+00:00")),
    Case("syslog", log("Mar  1 09:{}:00 host shop[1]: {}"), TOLD, times=at("Mar 1 09:{}:00")),
    Case("hours", log("09:{} {}"), TOLD, times=at("09:{}")),
    Case("German dates", log("{}.03.2024 {}"), TOLD, times=at("2024-03-{}")),
    Case("American dates", log("03/{}/2024 {}"), TOLD, times=at("2024-03-{}")),
    Case("written dates", log("March {}th, 2024, {}"), TOLD, times=at("2024-03-{}")),
    Case("a level alone", log("WARNING:stock:{1}"), TOLD),
    Case("lines of JSON", "".join(json.dumps({"level": "info", "msg": one}) + "\n" for one in TOLD), TOLD),
    Case("key=value", "".join(f'level=info msg="{one}"\n' for one in TOLD), TOLD),
    Case("a chat", CHAT, SAID),
    Case("a chat in JSON", json.dumps(RECORDS), SAID, file="a.json"),
    Case("a chat in a table", "from;text\n" + CHAT.replace(": ", ";"), SAID, file="a.csv"),
    Case("semicolons", "item;place\ndrill;shed\n", ["The place of drill is shed."], file="a.csv"),
    Case("tabs", "item\tplace\ndrill\tshed\nsaw\tattic\n", ["The place of drill is shed.", "The place of saw is attic."]),
    Case("Markdown", "# Moves\n\n" + "".join(f"* **{one}**\n" for one in TOLD), ["Moves", *TOLD]),
    Case("a page", "<html><body>" + "".join(f"<p>{one}<script>x</script>" for one in TOLD), TOLD, file="a.html"),
    Case("an empty file", b"", [], "is empty"),
    Case("spaces alone", b" \n\n", [], "is empty"),
    Case("a picture", b"\x89PNG\r\n\x1a\n", [], "line 1 begins as a picture"),
    Case("compressed", b"\x1f\x8b\x08", [], "unpack it"),
    Case("bytes", bytes(range(256)) * 9, [], "is no text"),
    Case("Latin-1 behind text", MOVES.encode() + b"Ren\xe9\n", TOLD, "in line 4"),
    Case("a zero behind text", MOVES.encode() + b"x\0\n", TOLD, "in line 4"),
    Case("broken JSON", '{"msg": "Mary went home"}\n{"msg"\n', ["Mary went home"], ":2: expected a line of JSON", "a.jsonl"),
]


def run_case(case: Case, folder: Path) -> None:
    """Take one in."""
    path = folder / case.file
    path.write_bytes(case.content if isinstance(case.content, bytes) else case.content.encode())
    found, said = [], ""
    try:
        for one in entries(path, Reading()):
            found.append(one)  # those before an error count
    except FormatError as error:
        said = str(error)
    assert [one.text for one in found] == [one.strip() for one in case.expected], (found, said)
    assert bool(said) == bool(case.refused), said
    assert case.refused in said, said
    assert not said or (said.startswith(str(path)) and len(said.splitlines()) == 1), said
    if case.times is not None:
        assert [one.when for one in found] == case.times, found


def test_entries(tmp_path: Path):
    run_list("entries", CASES, run_case, tmp_path)
