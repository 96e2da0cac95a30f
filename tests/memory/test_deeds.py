"""When and how often something was done that moves nothing: repairs, calls, checks, in the active and the passive."""

from pathlib import Path

import pytest

from memnet.memory import Entry, Memory
from memnet.memory.deeds import Deed, doer, says
from memnet.memory.entries import entries

LOG = """\
2026-03-02 08:05 INFO Ben repaired pump 7.
2026-03-02 09:00 INFO Ann called Bob from the office.
2026-03-03 10:00 INFO Pump 7 was moved to bay 3.
2026-03-04 11:00 INFO Pump 7 was repaired by Lena.
2026-03-04 12:00 INFO Ann called.
2026-03-05 07:30 INFO The oil filter was replaced by Ben.
2026-03-05 08:00 INFO Pump 7 will be repaired again next week.
2026-03-05 09:00 WARN Ben has not repaired pump 7 today.
2026-03-06 10:00 INFO Ben cleaned the van and repaired pump 7 again.
2026-03-06 11:00 INFO Ben repaired the seal of pump 9.
2026-03-07 12:00 INFO Filter housing replaced.
2026-03-07 13:00 INFO Valve 4 leaked twice during the night.
2026-03-08 13:00 INFO Valve 4 leaked.
2026-03-08 14:00 INFO Ann's brother called.
2026-03-09 14:00 INFO Omar and Ann inspected the boiler.
2026-03-10 15:00 INFO Bob asked if pump 9 was repaired.
2026-03-11 16:00 INFO The boiler has been inspected by Bob in the cellar.
2026-03-12 16:00 INFO Pump 12 was moved to bay 4.
"""
ASKED = [
    ("When was pump 7 repaired?", "2026-03-06 10:00"),
    ("When was pump 7 first repaired?", "2026-03-02 08:05"),
    ("When was pump 7 repaired by Lena?", "2026-03-04 11:00"),
    ("When did Ben last repair pump 7?", "2026-03-06 10:00"),
    ("When was the last time Ben repaired pump 7?", "2026-03-06 10:00"),
    ("On which day was the oil filter replaced?", "2026-03-05 07:30"),
    ("When was the filter replaced?", "2026-03-05 07:30"),
    ("When did Ann call?", "2026-03-04 12:00"),
    ("When did Ann call Bob?", "2026-03-02 09:00"),
    ("When did Ben clean the van?", "2026-03-06 10:00"),
    ("When did Omar inspect the boiler?", "2026-03-09 14:00"),
    ("When was the boiler inspected in the cellar?", "2026-03-11 16:00"),
    ("How often was pump 7 repaired?", "3"),
    ("How many times has pump 7 been repaired?", "3"),
    ("How often did Ben repair pump 7?", "2"),
    ("How often did anybody repair pump 7?", "3"),
    ("WHEN WAS PUMP 7 REPAIRED?", "2026-03-06 10:00"),
    ("when did ann call bob", "2026-03-02 09:00"),
    ("How many times did Ann call?", "2"),
    ("How often has valve 4 leaked?", "3"),
    ("How often was the boiler inspected?", "2"),
    ("How often was pump 7 moved?", "1"),
    ("When was pump 9 repaired?", None),
    ("How often was pump 9 repaired?", None),
    ("How often was pump 12 repaired?", None),
    ("When was pump 12 repaired?", None),
    ("How often did Omar call?", None),
    ("When was the spectrometer repaired?", None),
]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    folder = tmp_path_factory.mktemp("deeds")
    (folder / "plant.log").write_text(LOG)
    memory = Memory.open(folder / "memory")
    memory.add(entries(folder / "plant.log"))
    return memory


@pytest.mark.parametrize(("question", "right"), ASKED, ids=[question for question, _ in ASKED])
def test_a_log_says_when_and_how_often(memory: Memory, question: str, right: str | None):
    answer = memory.ask(question)
    assert (answer.text if answer.answerable else None) == right
    assert all(one.when and one.line for one in answer.evidence)


def test_the_evidence_is_what_was_counted(memory: Memory):
    answer = memory.ask("How often was pump 7 repaired?")
    assert [one.line for one in answer.evidence] == [1, 4, 9]
    assert memory.ask("How often was pump 7 repaired?", since="2026-03-03").text == "2"
    assert memory.ask("When was pump 7 repaired?", until="2026-03-05").text == "2026-03-04 11:00"
    assert memory.ask("How often was pump 7 repaired before 4 March?").text == "1"


def test_a_chat_says_it_of_who_speaks(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add([Entry("Ann: I painted the fence.", "2026-05-02"), Entry("Bob: I painted the door.", "2026-05-03")])
        assert memory.ask("When did Ann paint the fence?").text == "2026-05-02"
        assert not memory.ask("When did Bob paint the fence?").answerable


def test_a_date_in_the_sentence_goes_before_its_own(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add("The bridge was painted in May 2019. The tower was painted on Monday.", when="2026-05-02")
        memory.add("The wall was painted on Friday. The gate was painted.")
        assert memory.ask("When was the bridge painted?").text == "in May 2019"
        assert memory.ask("When was the tower painted?").text == "2026-05-02"
        assert memory.ask("When was the wall painted?").text == "on Friday"
        answer = memory.ask("When was the gate painted?")
        assert (answer.answerable, answer.reason) == (False, "nothing says when")


@pytest.mark.parametrize(
    "text",
    [
        "Ben should repair pump 7.",
        "Ben never repaired pump 7.",
        "Ben was going to repair pump 7.",
        "Pump 7 is to be repaired by Ben.",
        "Has Ben repaired pump 7?",
        "If Ben repaired pump 7, it runs.",
        "Ben's brother repaired pump 7.",
        "Ben repaired pump 71.",
        "The filter of pump 7 was repaired by Ben.",
        "Ben called Lena and Lena repaired pump 7.",
        "Pump 7 repaired Ben.",
    ],
)
def test_what_is_not_so_is_no_deed(text: str):
    ben = Deed("repair", ("ben",), (("pump", "7"),), False)
    assert says("Ben quickly repaired pump 7.", ben)
    assert not says(text, ben)


SHIP = """\
2026-05-01 08:00 Sam fixed the winch, it turns again.
2026-05-01 09:00 Ola mended the winch; done at last
2026-05-01 10:00 The winch was repaired by Ida, thanks Sam.
2026-05-02 08:00 winch repaired by Ola (two hours)
2026-05-02 09:00 Ida has repaired the winch - finally
2026-05-02 10:00 After lunch, the winch was fixed by Sam, a bolt was loose.
2026-05-03 08:00 Ola can't come, Sam repaired the winch this morning.
2026-05-03 09:00 Ida repaired the anchor chain, winch still broken.
2026-05-03 10:00 Ida repaired the anchor chain, not the winch.
2026-05-03 11:00 Sam has not repaired the winch, no parts.
2026-05-03 12:00 Ida repaired the anchor chain and the winch is next.
2026-05-04 08:00 Sam repaired the tractor 1, new belt.
2026-05-04 09:00 Ola fixed the tractor 1.
"""


def test_a_clause_behind_a_deed_hides_it_not(tmp_path: Path):
    (tmp_path / "ship.log").write_text(SHIP)
    with Memory.open(tmp_path / "memory") as memory:
        memory.add(entries(tmp_path / "ship.log"))
        answer = memory.ask("How often was the winch repaired?")
        assert [one.line for one in answer.evidence] == [1, 2, 3, 4, 5, 6, 7]
        assert memory.ask("When was the winch last repaired?").text == "2026-05-03 08:00"
        assert memory.ask("Who repaired the winch last?").text == "Sam"
        assert memory.ask("Who repaired the winch first?").text == "Sam"
        assert memory.ask("Who repaired the anchor chain?").text == "Ida"
        assert memory.ask("How often was the tractor 1 fixed?").text == "2"


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Winch repaired by Sam (belt).", "Sam"),
        ("The pump stopped, Ola repaired the winch.", "Ola"),
        ("Ann and Bob repaired the winch, phew.", "Ann and Bob"),
        ("Power is back, the winch was repaired by Sam.", "Sam"),
        ("Sam repaired the saw, the winch and the pump.", "Sam"),
        ("Sam repaired the saw, the winch is next.", ""),
        ("Sam repaired the winch cover, fine.", ""),
    ],
)
def test_who_did_it_stands_in_the_clause_of_the_deed(text: str, right: str):
    assert doer(text, Deed("repair", (), (("winch",),), False)) == right
