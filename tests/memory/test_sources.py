"""Two sources that say different things are both shown, where no time says which of them is later."""

import json
from pathlib import Path

import pytest

from memnet.memory import Entry, Memory
from tests.conftest import memnet

NOTES = [
    Entry("The drill is in the shed.", None, "notes.md", 1),
    Entry("Ann has the blue key.", None, "notes.md", 2),
    Entry("The landlord of flat 3 is Mr Osei.", None, "notes.md", 3),
    Entry("The condition of bed scale 3 is worn.", None, "notes.md", 4),
]
LIST = [
    Entry("The drill is in the garage.", None, "list.csv", 1),
    Entry("Bob has the blue key.", None, "list.csv", 2),
    Entry("The landlord of flat 3 is Mrs Lund.", None, "list.csv", 3),
    Entry("The condition of bed scale 3 is new.", None, "list.csv", 4),
]
ASKED = [
    ("Where is the drill?", "garage"),
    ("Who has the blue key?", "Bob"),
    ("Who is the landlord of flat 3?", "Mrs Lund"),
    ("What condition is bed scale 3 in?", "new"),
]


def dated(told: list[Entry], *when: str) -> list[Entry]:
    """The same, each with a time."""
    return [one._replace(when=at) for one, at in zip(told, when * len(told), strict=False)]


def shown(memory: Memory, question: str) -> tuple[str, list[str], list[str]]:
    """The answer, and of which sources that is what contradicts it and what is superseded."""
    answer = memory.ask(question)
    return answer.text, [one.source for one in answer.contradicting], [one.source for one in answer.superseded]


@pytest.mark.parametrize(("place", "asked"), [*enumerate(ASKED, 1)], ids=[question for question, _ in ASKED])
@pytest.mark.parametrize("times", [(), ("2026-03-01",), ("2026-03-01", "2026-03-01T10:00")])
def test_both_are_shown(tmp_path: Path, place: int, asked: tuple[str, str], times: tuple[str, ...]):
    first, second = NOTES[place - 1 : place], LIST[place - 1 : place]
    if times:
        first, second = dated(first, times[0]), dated(second, times[-1])
    with Memory.open(tmp_path / "memory") as memory:
        memory.add(first)
        memory.add(second)
        answer = memory.ask(asked[0])
        assert shown(memory, asked[0]) == (asked[1], ["notes.md"], [])
        assert [(one.sentence, one.line) for one in answer.contradicting] == [(NOTES[place - 1].text, place)]
        assert {answer.story[one.number - 1] for one in (*answer.evidence, *answer.contradicting)} == {*answer.story}


@pytest.mark.parametrize(("place", "asked"), [*enumerate(ASKED, 1)], ids=[question for question, _ in ASKED])
def test_the_later_of_two_sources_supersedes(tmp_path: Path, place: int, asked: tuple[str, str]):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add(dated(LIST[place - 1 : place], "2026-03-02"))
        memory.add(dated(NOTES[place - 1 : place], "2026-03-01"))
        assert shown(memory, asked[0]) == (asked[1], [], ["notes.md"])


@pytest.mark.parametrize("source", ["", "list.csv"])
def test_one_source_or_none_changes_its_mind(tmp_path: Path, source: str):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add("The drill is in the shed.", source=source)
        memory.add(LIST[:1])
        assert shown(memory, "Where is the drill?") == ("garage", [], [source])


def test_a_source_that_came_to_agree_contradicts_no_more(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add(["The drill is in the attic.", *NOTES[:1], "The drill is in the garage."], source="notes.md")
        memory.add(LIST[:1])
        assert shown(memory, "Where is the drill?") == ("garage", [], ["notes.md", "notes.md"])


def test_yes_and_no_have_what_contradicts_them(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add(NOTES[:2])
        memory.add(LIST[:2])
        assert shown(memory, "Is the drill in the shed?") == ("no", ["notes.md"], [])
        assert shown(memory, "Does Bob have the blue key?") == ("yes", ["notes.md"], [])


def test_the_command_and_json_show_both(tmp_path: Path):
    for name, told in (("notes.txt", "The drill is in the shed.\n"), ("list.txt", "The drill is in the garage.\n")):
        (tmp_path / name).write_text(told)
        assert memnet("remember", tmp_path / name, "--out", tmp_path / "memory").returncode == 0
    asked = "ask", "--memory", tmp_path / "memory", "--question", "Where is the drill?"
    assert f"contradicted by: The drill is in the shed. ({tmp_path / 'notes.txt'}:1)" in memnet(*asked).stdout
    found = json.loads(memnet(*asked, "--json").stdout)
    assert [(one["sentence"], one["source"]) for one in found["contradicting"]] == [
        ("The drill is in the shed.", str(tmp_path / "notes.txt"))
    ]
    assert "superseded" not in found
