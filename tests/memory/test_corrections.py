"""What later sentences take back or put right, in many wordings."""

from pathlib import Path

import pytest

from memnet.memory import Entry, Memory
from memnet.memory.corrections import correction, replaced, without_contrast

FIRST = "Pump 7 was moved to bay 1. Nadia moved pump 7 to bay 3."
IN_BAY_4 = [
    "Correction: pump 7 was moved to bay 4.",
    "Correction: bay 4.",
    "Correction: bay 4, not bay 3.",
    "Correction: that should read bay 4.",
    "Actually, pump 7 is in bay 4.",
    "Actually, it is in bay 4.",
    "Actually pump 7 is in bay 4, not in bay 3.",
    "No, pump 7 is in bay 4, not bay 3.",
    "No, bay 4.",
    "Sorry, I meant bay 4.",
    "I meant bay 4, not bay 3.",
    "Make that bay 4.",
    "I was wrong, pump 7 is in bay 4.",
    "I was wrong: it is in bay 4.",
    "Scratch that, pump 7 is in bay 4.",
    "Scratch that: it is in bay 4.",
    "Scratch that. It is in bay 4.",
    "That should read bay 4.",
    "The last entry should read bay 4 instead of bay 3.",
    "Bay 3 should read bay 4.",
    "For bay 3, read bay 4.",
    "That was wrong. Pump 7 is in bay 4.",
    "Pump 7 is not in bay 3 but in bay 4.",
    "Pump 7 is not in bay 3, it is in bay 4.",
    "Pump 7 isn't in bay 3; it's in bay 4.",
    "Pump 7 was not moved to bay 3 but to bay 4.",
    "My mistake, pump 7 went to bay 4.",
    "UPDATE: pump 7 is now in bay 4.",
]
TAKEN_BACK = [
    "Scratch that.",
    "Please disregard the last entry.",
    "That was wrong.",
    "Ignore my last message.",
    "I take that back.",
    "Correction: that was a mistake.",
]


def where(folder: Path, *told: str) -> tuple[str, list[str]]:
    """Where pump 7 is, and what is superseded."""
    with Memory.open(folder / "memory") as memory:
        memory.add(told)
        answer = memory.ask("Where is pump 7?")
        return answer.text, [one.sentence for one in answer.superseded]


@pytest.mark.parametrize("text", IN_BAY_4)
def test_a_place_is_put_right(tmp_path: Path, text: str):
    assert where(tmp_path, FIRST, text, "It rained.")[0] == "bay 4"


@pytest.mark.parametrize("text", TAKEN_BACK)
def test_what_is_taken_back_counts_no_more(tmp_path: Path, text: str):
    assert where(tmp_path, FIRST, text, "It rained.") == ("bay 1", [])


def test_what_stands_there_is_shown_as_it_was_told(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add(FIRST, when="2026-03-01", source="plant.log")
        memory.add("That should read bay 4.", when="2026-03-02", source="plant.log")
        answer = memory.ask("Where is pump 7?")
        assert [one.sentence for one in answer.evidence] == ["Nadia moved pump 7 to bay 3. That should read bay 4."]
        assert memory.ask("What is in bay 4?").text == "pump 7"
        assert memory.ask("Where was pump 7 before bay 4?").text == "bay 1"
        memory.forget(number=2)
        assert memory.ask("Where is pump 7?").text == "bay 3"


def test_who_did_it_is_put_right(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add("Bob took the key. Correction: Ann took the key, not Bob.")
        assert memory.ask("Who has the key?").text == "Ann"
        memory.add("It was Lena, not Ann, who took the key.")
        assert memory.ask("Who has the key?").text == "Lena"
        memory.add("Correction to the last line: it was Greta, not Lena, who took the key.")
        assert memory.ask("Who has the key?").text == "Greta"
        memory.add("The landlord of flat 3 is Mr Osei. Mr Osei should read Mrs Lund.")
        assert memory.ask("Who is the landlord of flat 3?").text == "Mrs Lund"
        memory.add("Bob repaired the gate. Scratch that.", when="2026-03-01")
        assert not memory.ask("When did Bob repair the gate?").answerable


def test_in_a_chat_it_is_of_the_same_person_and_in_files_of_the_same_source(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add(["Ann: The bike is in the shed.", "Bob: The van is in the yard.", "Ann: Sorry, I meant the garage."])
        assert (memory.ask("Where is the bike?").text, memory.ask("Where is the van?").text) == ("garage", "yard")
        memory.add([Entry("The drill is in the attic.", None, "a.txt"), Entry("Scratch that.", None, "b.txt")])
        assert memory.ask("Where is the drill?").text == "attic"


@pytest.mark.parametrize(
    "text",
    [
        "No one saw the pump.",
        "Ann was not tired.",
        "Ann scratched that door.",
        "She should be in the garden.",
        "Read the book about pumps.",
        "Wait for Ann in the hall.",
        "Nobody was wrong about it.",
        "Update: Ann grabbed the key.",
        "Edit: Ben picked up two crates.",
    ],
)
def test_what_only_looks_like_one(text: str):
    assert correction(text) is None
    assert without_contrast(text) == text


def test_words_that_name_nothing_change_nothing():
    assert replaced("Pump 7 was moved to bay 3.", "", "10:30") == "Pump 7 was moved to bay 3."
    assert replaced("Pump 7 was moved to bay 3.", "bay 9", "bay 4") == "Pump 7 was moved to bay 3."
