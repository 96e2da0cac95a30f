"""Things with two names in a log."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from memnet.memory import Entry, Memory
from memnet.memory.aliases import Alias, Rewriting, aliases_in, aliases_of
from memnet.memory.entries import Reading, entries
from memnet.memory.numbering import Numbering

LOG = (
    "Start of log: belt loader 6 (BL-06) is at the GSE Park.",
    "Ann took belt loader 6 (BL-06) to stand 4.",
    "Bo left BL-06 in the charging bay.",
    "Cid took belt loader 5 (BL-05) to stand 9.",
    "Dee parked belt loader 5 (BL-05) at the hangar.",
)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    with Memory.open(tmp_path / "memory") as memory:
        memory.add([Entry(text, f"2026-03-0{day}T10:00", "log.txt", day) for day, text in enumerate(LOG, 1)])
    return Memory.open(tmp_path / "memory")


@pytest.mark.parametrize("name", ["belt loader 6", "BL-06"])
def test_a_thing_is_found_by_either_name(memory: Memory, name: str):
    answer = memory.ask(f"Where is {name}?")
    assert answer.text.removeprefix("the ") == "charging bay"
    assert "Bo left BL-06 in the charging bay." in [read.sentence for read in answer.evidence]  # as the log has it


def test_names_are_known_again_when_more_is_told(memory: Memory):
    known = Alias("belt loader 5", "BL-05"), Alias("belt loader 6", "BL-06")
    assert aliases_of(memory.long) == known
    memory.add([Entry("Opening check: tug 2 (TUG-02) is in.", "2026-03-09", "log.txt", 9)])
    assert aliases_of(memory.long) == (*known, Alias("tug 2", "TUG-02"))


@pytest.mark.parametrize(
    "texts",
    [
        ["Ann took tug 1 (TUG-01) out."],  # "took tug 1" may be its name
        ["Tug 1 (T-1) is in.", "Crane 4 (T-1) is in."],  # of two things
        ["Tug 1 (T-1) is in.", "Tug 1 (T-2) is in."],  # two codes
        ["Job J24 (SP-03) opened.", "Job J24 (SP-03) closed."],  # a code of its own
        ["Tug 1 (Ann) is in."],
        ["Ann took (V-12) out.", "Bo took (V-12) out."],
    ],
)
def test_what_is_not_clear_is_no_second_name(texts: list[str]):
    assert aliases_in(texts) == ()


def test_a_verb_is_no_part_of_a_name():
    assert aliases_in(["Ann took the van (V-12).", "Bo took the van (V-12)."]) == (Alias("van", "V-12"),)


def test_a_log_of_things_in_capitals_keeps_them(tmp_path: Path):
    lines = ["TUG 2 was washed by Ann.", "TUG 3 left.", "BUS 12 left.", "BUS 14 is back."]
    log = tmp_path / "log.txt"
    log.write_text("".join(f"2026-03-01 10:0{minute} {line}\n" for minute, line in enumerate(lines)), encoding="utf-8")
    assert [entry.text for entry in entries(log, Reading())] == lines


def test_a_name_inside_another_is_not_read_as_it():
    found = Rewriting.of(Alias("tug 1", "T-1"), "Where is tug 1?")
    assert found is not None
    assert found.read("T-1 and T-12, tug 1 and tug 12, x-T-1.") == "Tug 1 and T-12, tug 1 and tug 12, x-T-1."
    assert found.of_the_others(("tug", "2")) == []
    assert Rewriting.of(Alias("tug 1", "T-1"), "Where is tug 12?") is None


def test_a_station_before_each_line_is_no_part_of_what_was_done(tmp_path: Path):
    lines = ["RAMP Ann took tug 1 to stand 4.", "WKSP Bo repaired tug 2.", "RAMP Tug 1 is at the hangar.", "WKSP Cid left."]
    log = tmp_path / "log.txt"
    log.write_text("".join(f"2026-03-01 10:0{minute} {line}\n" for minute, line in enumerate(lines)), encoding="utf-8")
    texts = [entry.text for entry in entries(log, Reading())]
    assert texts == ["Ann took tug 1 to stand 4.", "Bo repaired tug 2.", "Tug 1 is at the hangar.", "Cid left."]


def test_a_code_that_no_sentence_has_is_refused(memory: Memory):
    answer = memory.ask("Where is belt loader BL-31?")
    assert not answer.answerable
    assert "BL-31" in answer.reason


CELLAR = (
    "K-115 washed.",
    "Keg 115 filled with batch 403.",
    "Keg 116 in the cold room.",
    "K-116 washed.",
    "Raj put keg 117 in the cold room.",
    "Owen took K-117 to the Fox.",
    "Tap 9 cleaned at 4.5 C.",
)


def test_a_numbered_thing_is_found_by_its_code(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add([Entry(text, f"2026-03-0{day}T10:00", "log.txt", day) for day, text in enumerate(CELLAR, 1)])
        for name in ("keg 117", "K-117"):
            assert "Owen took K-117 to the Fox." in [read.sentence for read in memory.ask(f"Where is {name}?").evidence]


@pytest.mark.parametrize(
    ("texts", "question", "others"),
    [
        (CELLAR, "Where is keg 116?", ["K-116"]),
        (CELLAR, "Where is keg 200?", []),  # of which the log knows nothing
        (CELLAR, "What is on tap 9?", []),
        ([f"Cyl {n} filled, C{n} out." for n in (101, 102, 103)], "Where is cylinder 102?", ["C102", "cyl 102"]),
        ([f"Cyl {n} in, tank {n} out." for n in range(101, 110)], "Who has tank 104?", ["cyl 104"]),
        ([f"Cyl {n} in, tank {n} out." for n in range(1, 10)], "Who has tank 4?", []),  # small numbers are of anything
        ([f"Bench {n} is full, valve {n} is shut." for n in range(1, 9)], "Who shut valve 3?", []),
        ([f"Moved B{n}, batch {n} is on bench 7." for n in range(101, 105)], "Where is batch 102?", ["B102"]),
        ([f"Tank {n} full, tanker {n} left." for n in range(1, 9)], "Where is tank 3?", []),  # words of their own
        ([f"Pump {n} hums, P-{n} too." for n in range(1, 4)], "Where is pump 2?", []),  # three small numbers are chance
        (["Press 1, P-1.", "Press 2, P-2.", "Press 7, P-7.", "Press 4, P-4.", "Pump 7 hums."], "Where is pump 7?", []),
        (["Took 5 out.", "Took 6 out.", "Took 7 out.", "T5, T6 and T7."], "Who took 5?", []),  # a verb names nothing
    ],
)
def test_which_numbered_things_are_the_same(texts: Sequence[str], question: str, others: list[str]):
    found = Numbering.of(texts).names_in(question)
    assert [name for _, names in found for name in names] == others
