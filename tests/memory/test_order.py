"""The newest is the latest in time, in whatever order things were added; what has no time counts as it was added."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from memnet.memory import Entry, Memory
from memnet.memory.order import Order

MARCH = [
    Entry("Omar moved pump 7 from bay 3 to the test bench.", "2026-03-04T16:30", "march.log", 1),
    Entry("Omar took the torque wrench.", "2026-03-05T11:00", "march.log", 2),
    Entry("The landlord of flat 3 is Mr Osei.", "2026-03-06", "march.log", 3),
    Entry("The condition of bed scale 3 is worn.", "2026-03-07", "march.log", 4),
]
FEBRUARY = [
    Entry("Nadia moved pump 7 to bay 3.", "2026-02-02T08:40", "february.log", 1),
    Entry("Nadia took the torque wrench.", "2026-02-03T10:20", "february.log", 2),
    Entry("The landlord of flat 3 is Mrs Lund.", "2026-02-04", "february.log", 3),
    Entry("The condition of bed scale 3 is new.", "2026-02-05", "february.log", 4),
]
Make = Callable[..., Memory]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """A memory of texts that are added one after another."""

    def made(*told: object) -> Memory:
        memory = Memory.open(tmp_path / "memory")
        for one in told:
            memory.add(one)  # type: ignore[arg-type]
        return memory

    return made


ASKED = [
    ("Where is pump 7?", {}, "test bench"),
    ("Where was pump 7 before the test bench?", {}, "bay 3"),
    ("Where was pump 7 on 10 February?", {}, "bay 3"),
    ("Where is pump 7?", {"until": "2026-02"}, "bay 3"),
    ("Who had the torque wrench last?", {}, "Omar"),
    ("Who had the torque wrench first?", {}, "Nadia"),
    ("Who has the torque wrench?", {}, "Omar"),
    ("Who is the landlord of flat 3?", {}, "Mr Osei"),
    ("What condition is bed scale 3 in?", {}, "worn"),
    ("When was pump 7 moved to the test bench?", {}, "2026-03-04 16:30"),
]


def test_an_older_file_that_is_added_later_changes_nothing(make: Make):
    memory = make(MARCH, FEBRUARY)
    assert [memory.ask(question, **limits).text for question, limits, _ in ASKED] == [right for *_, right in ASKED]
    answer = memory.ask("Where is pump 7?")
    assert [(one.source, one.line) for one in answer.evidence] == [("march.log", 1)]
    assert [(one.source, one.line) for one in answer.superseded] == [("february.log", 1)]
    for question, line in [("Who is the landlord of flat 3?", 3), ("What condition is bed scale 3 in?", 4)]:
        answer = memory.ask(question)
        assert [(one.source, one.line) for one in (*answer.evidence, *answer.superseded)] == [
            ("march.log", line),
            ("february.log", line),
        ]
    assert [one.number for one in memory.search("Omar pump test bench", k=1)] == [0]


def test_a_log_whose_newest_line_comes_first(make: Make):
    lines = [Entry(f"Omar moved pump 7 to bay {day}.", f"2026-03-{day:02}T08:00", "turned.log") for day in range(28, 0, -1)]
    memory = make(lines)
    assert memory.ask("Where is pump 7?").text == "bay 28"
    assert memory.ask("Where was pump 7 before bay 9?").text == "bay 8"
    assert memory.ask("Where is pump 7?").superseded[0].sentence == "Omar moved pump 7 to bay 27."


def test_a_story_of_the_tasks_is_read_in_its_time(make: Make):
    memory = make(Entry("Mary went to the kitchen.", "2026-03-02"), Entry("Mary went to the garden.", "2026-03-01"))
    assert memory.ask("Where is Mary?").text == "kitchen"


def test_what_has_no_time_comes_after_what_was_added_before_it(make: Make):
    memory = make(MARCH[:1], "Lena took pump 7 to the paint shop.", FEBRUARY[:1])
    assert memory.ask("Where is pump 7?").text == "paint shop"
    memory.add("Omar moved pump 7 to bay 9.", when="2026-03-08")
    assert memory.ask("Where is pump 7?").text == "bay 9"
    memory.forget(number=3)
    assert memory.ask("Where is pump 7?").text == "paint shop"


def test_without_times_what_was_added_last_is_the_newest(make: Make):
    told = [one._replace(when=None) for one in (*MARCH, *FEBRUARY)]
    memory = make(told[:4], told[4:])
    assert memory.ask("Where is pump 7?").text == "bay 3"
    assert memory.ask("Who is the landlord of flat 3?").text == "Mrs Lund"


def test_a_day_is_not_before_its_own_minutes(make: Make):
    memory = make(MARCH[:1])
    memory.add("Pump 7 is in the paint shop.", when="2026-03-04")
    assert memory.ask("Where is pump 7?").text == "paint shop"
    memory.add("Pump 7 is in bay 1.", when="2026-03-03")
    assert memory.ask("Where is pump 7?").text == "paint shop"


def test_times_of_several_zones(make: Make):
    memory = make(
        Entry("Pump 7 is in bay 1.", "2026-03-04T10:00+02:00"),
        Entry("Pump 7 is in bay 2.", "2026-03-04T09:30Z"),
        Entry("Pump 7 is in bay 3.", "2026-03-04T11:00+02:00"),
    )
    assert memory.ask("Where is pump 7?").text == "bay 2"


def test_a_struck_slip_of_the_pen_moves_nothing(make: Make):
    memory = make(Entry("Pump 7 is in bay 1.", "2062-03-04"), "Pump 7 is in bay 2.", MARCH[:1])
    assert memory.ask("Where is pump 7?").text == "bay 2"
    memory.forget(number=0)
    assert memory.ask("Where is pump 7?").text == "test bench"


def test_places_are_those_of_every_pair_that_times_decide(make: Make):
    """Against a plain count: of two dated sentences the later one is later, and nothing else is turned round."""
    random = np.random.default_rng(7)
    days = random.integers(1, 29, 60).tolist()
    memory = make([Entry(f"Omar moved pump {day}.", f"2026-02-{day:02}" if day % 3 else None) for day in days])
    order = Order.of(memory.long.folder, memory.long.extent())
    for one, (earlier, day) in enumerate(zip(range(60), days, strict=True)):
        assert order.number(order.place(one)) == one
        for two in range(earlier + 1, 60):
            if day % 3 and days[two] % 3:
                assert (order.place(one) < order.place(two)) == (day <= days[two])
            elif not days[two] % 3:
                assert order.place(one) < order.place(two)
    assert sorted(order.places_of(np.arange(60)).tolist()) == [*range(60)]
