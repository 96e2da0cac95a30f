"""Engineers' questions about maintenance logs: several numbered things at once, verbs that say the same, corrections, readings.

Logs and right answers were written before they were asked. A question that is still answered otherwise is named below.
"""

from pathlib import Path

import pytest

from memnet.memory import Entry, Memory
from memnet.memory.deeds import from_deeds, may_say
from memnet.memory.entries import entries
from memnet.memory.sentences import Sentences

LOGS = Path(__file__).with_name("logs")
OPEN = {"When were pumps 3 and 4 inspected?"}  # told by verbs that the lexicon does not know to say the same
ASKED = [(file.stem, *line.split("\t")) for file in sorted(LOGS.glob("*.tsv")) for line in file.read_text().splitlines()]


@pytest.fixture(scope="module")
def memories(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Memory]:
    found = dict[str, Memory]()
    for name in ("plant", "boilers", "works"):
        found[name] = Memory.open(tmp_path_factory.mktemp("memories") / name)
        for log in sorted(LOGS.glob(f"{name}*.log"), key=lambda path: len(path.name)):
            found[name].add(entries(log))
    return found


@pytest.mark.parametrize(("name", "question", "right"), ASKED, ids=[question for _, question, _ in ASKED])
def test_a_log_answers_an_engineer(memories: dict[str, Memory], name: str, question: str, right: str):
    answer = memories[name].ask(question)
    said = answer.text.removeprefix("The ") if answer.answerable else "-"
    assert (said == right) != (question in OPEN)


def test_what_was_read_stands_as_the_log_has_it(memories: dict[str, Memory]):
    assert [one.sentence for one in memories["plant"].ask("When was valve 22 calibrated?").evidence] == [
        "Valves 21, 22 and 23 were calibrated by Petra."
    ]


@pytest.mark.parametrize(
    ("text", "question", "right"),
    [
        ("Pumps 3 to 5 were moved to bay 9.", "Where is pump 4?", "bay 9"),
        ("Pumps A and B were moved to bay 9.", "Where is pump B?", "bay 9"),
        ("Pumps 3 and 4 are in bay 1. Both pumps were moved to bay 9.", "Where is pump 4?", "bay 9"),
        ("Feed pumps 3 and 4 were tested. Pump 9 was tested.", "Which feed pumps were tested?", "feed pump 3 and feed pump 4"),
        ("Pump 3 is old. Pump 4 is new. Ann cleaned all pumps.", "Who cleaned pump 4?", "Ann"),
        ("Ann fixed the kettle. Bob mended the kettle.", "How often was the kettle repaired?", "2"),
        ("Ann repaired the door. Bob fixed the door.", "Who last repaired the door?", "Bob"),
        ("Ann repaired the door. Bob fixed the door.", "Who repaired the door?", "Ann"),
        ("The bearings of fan 2 were replaced by Ann.", "Who replaced the bearings of fan 2?", "Ann"),
        ("Omar, Ann and Bob repaired the gate.", "Who repaired the gate?", "Omar, Ann and Bob"),
        ("Ann oiled motor 2. Correction: motor 1.", "Who oiled motor 1?", "Ann"),
        ("Ann put the drill in store room B.\n\nCorrection: store room C.", "Where is the drill?", "store room C"),
    ],
)
def test_it_is_read_as_it_is_meant(tmp_path: Path, text: str, question: str, right: str):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add(text)
        assert memory.ask(question).text == right


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Ann repaired pump 3 and cleaned pump 4.", "When was pump 3 painted?"),
        ("Ann repaired pump 3.", "Who painted pump 3?"),
        ("Ann did not paint pump 3.", "Who painted pump 3?"),
        ("Ann fixed the lamp to the wall.", "When was the lamp repaired?"),
        ("The seals of pumps 3 and 4 were replaced.", "When was pump 4 replaced?"),
        ("Pumps 3 and 4 were tested. The pumps of hall 2 were painted.", "When was pump 4 painted?"),
        ("Pumps 3, 4 and 5 are old. Both pumps were painted.", "When was pump 4 painted?"),
        ("Ann turned pump 3 on.", "When was pump 3 turned off?"),
        ("Ann postponed the meeting.", "When was the pump changed?"),
        ("Conveyor 5 slipped.", "When did conveyor 5 trip?"),
    ],
)
def test_another_deed_is_no_answer(tmp_path: Path, text: str, question: str):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add([Entry(text, "2026-03-01")])
        assert not memory.ask(question).answerable


def test_a_list_of_numbers_costs_no_answer_to_others(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add("Ann read pages 3 and 4. Pump 3 was cleaned.", when="2026-03-01")
        assert from_deeds(Sentences(memory.long), "When was pump 4 cleaned?") is None
    assert may_say("Who repaired pump 3?", ["Ann fixed pump 3."])
    assert not may_say("Who repaired pump 3?", ["Ann will repair pump 3.", "Ann stopped pump 3."])
