"""A date in a question: of a deed only that day counts, of what was so what was said up to then."""

from pathlib import Path

import pytest

from memnet.memory import Entry, Memory
from memnet.memory.entries import entries

WARD = """\
2025-12-30 08:00 Nurse Ida checked the infusion pump.
2026-02-03 08:00 Dr Bo took the wheelchair to ward 2.
2026-02-03 09:00 Ida signed for the bandages.
2026-02-03 10:00 The bed lift broke down.
2026-02-03 11:00 Bo repaired the bed lift.
2026-02-04 08:00 Omar signed for the bandages.
2026-02-04 09:00 The blood warmer broke down.
2026-02-04 10:00 Bo repaired the blood warmer, all fine.
2026-02-05 08:00 Lea moved the wheelchair to ward 5.
2026-02-05 09:00 The bed lift broke down.
2026-02-05 10:00 Lea signed for the bandages.
2026-02-06 10:00 On 5 February Omar cleaned the bed lift.
2026-02-07 10:00 Ida checked the infusion pump.
"""
ASKED = [
    ("Who signed for the bandages on 3 February?", "Ida"),
    ("Who signed for the bandages on 2026-02-04?", "Omar"),
    ("On 4 Feb, who signed for the bandages?", "Omar"),
    ("Who signed for the bandages on 03.02.2026?", "Ida"),
    ("Who signed for the bandages on 6 February?", None),
    ("Which device broke down on 4 February?", "blood warmer"),
    ("What did Bo repair on 3 February?", "bed lift"),
    ("What did Bo repair on 5 February?", None),
    ("Who repaired the bed lift on 4 February?", None),
    ("Who repaired the bed lift on 3 February 2026?", "Bo"),
    ("How often was the bandages signed for on 7 February?", None),
    ("Who cleaned the bed lift on 5 February?", "Omar"),
    ("Who cleaned the bed lift on 6 February?", None),
    ("Who checked the infusion pump on 30 December?", "Nurse Ida"),
    ("How often was the infusion pump checked after 1 February?", "1"),
    ("How often was the infusion pump checked before 1 February?", "1"),
    ("Where was the wheelchair on 4 February?", "ward 2"),
    ("Where was the wheelchair on 6 February at noon?", "ward 5"),
]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    folder = tmp_path_factory.mktemp("dates")
    (folder / "ward.log").write_text(WARD)
    memory = Memory.open(folder / "memory")
    memory.add(entries(folder / "ward.log"))
    return memory


@pytest.mark.parametrize(("question", "right"), ASKED, ids=[question for question, _ in ASKED])
def test_a_date_in_a_question_is_kept_to(memory: Memory, question: str, right: str | None):
    answer = memory.ask(question)
    assert (answer.text.removeprefix("the ").removeprefix("The ") if answer.answerable else None) == right


def test_a_refusal_says_of_which_day_nothing_answers(memory: Memory):
    assert memory.ask("Who repaired the bed lift on 4 February?").reason == "nothing of 2026-02-04 answers it"
    assert memory.ask("Who repaired the ventilator on 5 February?").reason == "the memory does not mention ventilator"


VAN = """\
2026-03-02 08:10 Tom took the van to Lund.
2026-03-02 09:30 The printer broke down.
2026-03-03 12:40 Bo repaired the printer.
2026-03-03 17:20 Tom signed for the paper.
2026-03-05 10:00 Ida repaired the freezer.
2026-03-09 08:00 Lea took the van to Lund.
2026-03-09 13:30 Ida signed for the paper.
2026-03-09 17:10 The printer broke down.
2026-03-09 17:40 Lea moved the projector to room 4.
2026-03-10 06:30 Tom took the van to Malmo.
2026-03-10 18:00 Lea moved the projector to the hall.
2026-03-11 11:00 Bo took the van to Ystad.
2026-03-12 09:00 The freezer is due for service on Friday.
2026-03-12 09:30 Zoe wrote that the lift had failed before noon.
2026-03-12 15:30 Max always opens the gate before noon.
"""
OF_WEEKDAYS = [
    ("Who took the van on Tuesday?", "Tom"),
    ("On Monday, who took the van?", "Lea"),
    ("Who took the van last Monday?", "Lea"),
    ("Who took the van on Tuesday 3 March?", None),
    ("Who took the van on Monday, 2 March?", "Tom"),
    ("Who took the van on Saturday?", None),
    ("Where was the projector on Monday?", "room 4"),
    ("Where was the projector on Tuesday?", "hall"),
    ("What broke down on Monday?", "printer"),
    ("What broke down on Tuesday?", None),
    ("What broke down on Monday morning?", None),
    ("When did the printer break down on Monday?", "2026-03-09 17:10"),
    ("Who signed for the paper before Monday?", "Tom"),
    ("Who signed for the paper since Monday?", "Ida"),
    ("What is due for service on Friday?", "freezer"),
]
OF_TIMES = [
    ("Who took the van before 7:00?", "Tom"),
    ("Who took the van between 8:00 and 8:10?", "Lea"),
    ("Who took the van in the afternoon?", None),
    ("Who signed for the paper after 17:00?", "Tom"),
    ("Who signed for the paper before 5 o'clock?", "Ida"),
    ("Who repaired the freezer before noon?", "Ida"),
    ("Who repaired the freezer after noon?", None),
    ("When did the printer break down after 5 pm?", "2026-03-09 17:10"),
    ("Who opens the gate before noon?", "Max"),
    ("Who took the van on Monday before noon?", "Lea"),
    ("What broke down after 17:00 on Monday?", "printer"),
    ("What broke down before noon on Monday?", None),
    ("Where was the projector before 5 pm on Tuesday?", "room 4"),
    ("Where was the projector after 17:00?", "hall"),
]


@pytest.fixture(scope="module")
def of_van(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    folder = tmp_path_factory.mktemp("weekdays")
    (folder / "van.log").write_text(VAN)
    memory = Memory.open(folder / "memory")
    memory.add(entries(folder / "van.log"))
    return memory


@pytest.mark.parametrize(("question", "right"), [*OF_WEEKDAYS, *OF_TIMES])
def test_a_weekday_is_the_last_such_day_and_a_time_of_day_is_kept_to(of_van: Memory, question: str, right: str | None):
    answer = of_van.ask(question)
    assert (answer.text.removeprefix("the ").removeprefix("The ") if answer.answerable else None) == right


def test_a_refusal_says_of_which_time_of_day_nothing_answers(of_van: Memory):
    assert of_van.ask("Who repaired the freezer after noon?").reason == "nothing after noon answers it"
    assert of_van.ask("What broke down before noon on Monday?").reason == "nothing of 2026-03-09 before noon answers it"


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("Where was the projector before 17:00?", "hall"),
        ("Where was the projector after 17:00?", "room 4"),
        ("What broke down before noon?", "printer"),
        ("Who moved the projector after 5 o'clock?", "Tom"),
    ],
)
def test_times_of_day_of_a_log_without_dates(tmp_path: Path, question: str, right: str):
    (tmp_path / "day.log").write_text(
        "07:50 The van came back.\n09:30 The printer broke down.\n15:30 Ida moved the projector to the hall.\n"
        "16:45 The freezer broke down.\n17:20 Tom moved the projector to room 4.\n"
    )
    memory = Memory.open(tmp_path / "memory")
    memory.add(entries(tmp_path / "day.log"))
    assert memory.ask(question).text.removeprefix("the ") == right


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("Who took the van on Monday?", "Tom"),
        ("Who took the van on Tuesday?", "Ida"),
        ("Who took the van on Tuesday morning?", None),
        ("What broke down on Wednesday?", "printer"),
        ("Where was the van on Monday?", "Lund"),
        ("What broke down before noon on Wednesday?", None),
    ],
)
def test_weekdays_of_a_log_without_dates(tmp_path: Path, question: str, right: str | None):
    (tmp_path / "week.log").write_text(
        "Mon 08:10 Tom took the van to Lund.\nMon 09:30 The printer broke down.\nTue 12:40 Bo repaired the printer.\n"
        "Tue 15:30 Ida took the van to Malmo.\nWed 16:45 The printer broke down.\nWed 17:20 Tom moved the projector.\n"
    )
    memory = Memory.open(tmp_path / "memory")
    memory.add(entries(tmp_path / "week.log"))
    answer = memory.ask(question)
    assert (answer.text.removeprefix("the ") if answer.answerable else None) == right


def test_times_that_no_entry_has_are_words_of_its_text(tmp_path: Path):
    memory = Memory.open(tmp_path / "memory")
    memory.add("Ann left for Lund at 17:10. Bo left for Ystad in the morning.", when="2026-03-02")
    assert memory.ask("Who left in the morning?").text == "Bo"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where was the drill in 2022?", "barn"),
        ("Who moved the drill in 2022?", "Ann"),
        ("Who moved the drill in May?", "Bob"),  # of the latest year
        ("Who moved the drill in May 2023?", "Carl"),
        ("Where was the drill before May 2024?", "shed"),
        ("Where was the drill by the end of May 2022?", "barn"),
        ("Who moved the drill after 2023?", "Bob"),
        ("Who moved the drill in June 2023?", ""),
    ],
)
def test_a_month_or_a_year_is_a_time(tmp_path: Path, question: str, expected: str):
    with Memory.open(tmp_path / "memory") as memory:
        told = [("Ann", "barn", "2022-05-02"), ("Carl", "shed", "2023-05-02"), ("Bob", "van", "2024-05-03")]
        memory.add([Entry(f"{who} moved the drill to the {place}.", day) for who, place, day in told])
        found = memory.ask(question)
        assert found.text == expected or (not expected and found.reason == "nothing in June 2023 answers it")


def test_nobody_does_nothing_and_a_place_that_no_sentence_has_is_no_answer(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add("Nobody has moved the tent to the barn. Ann put the pump in the lab.")
        assert not memory.ask("Where is the tent?").answerable
        assert not memory.ask("Where was the pump before the lab?").answerable
        assert memory.ask("Where is the pump?").text == "lab"
