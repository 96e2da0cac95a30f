"""Lines of a log that say what else a thing is called."""

from pathlib import Path

import pytest

from memnet.memory import Entry, Memory
from memnet.memory.aliases import Coded, coded_of, rewritings
from memnet.memory.called import called_in, groups_of

OTHERS = (  # each name stands in a line of its own, too
    "Ann took Goliath to the yard",
    "Bo left TW-2 in the van",
    "the big torque wrench is bent",
    "Cid oiled the north lift",
    "lift 2 stuck again",
    "Rita Moss was late",
    "RM swept the yard",
    "the tank is full, dip 12.3",
    "the tank is empty",
    "stuck without lenses once more",
    "Tom painted gate 3 in red, Sue painted gate 4",
    "gate 3 and gate 4 locked by Tom on Friday",
    "Sue called Tom about payday and the status",
    "Mum came, the printer jammed, the status was open",
)


def names(line: str) -> list[set[str]]:
    return [{*pair} for pair in called_in([*OTHERS, line])]


@pytest.mark.parametrize(
    "line",
    [
        "Goliath is our name for TW-2",
        "Goliath is what the old hands call TW-2, mind you",
        "For the new ones: Goliath = TW-2.",
        "TW-2, also known as Goliath (Ann)",
        "TW-2 goes by the name Goliath around here",
        "when somebody says Goliath they mean TW-2",
        "If you hear Goliath, it's TW-2",
        "By Goliath we mean TW-2 - Bo",
        "Goliath and TW-2: same thing",
        "same thing Goliath / TW-2",
        "Just so nobody asks again, we call TW-2 Goliath.",
        "Goliath is also called TW-2. Thanks all.",
        "the TW-2, alias Goliath /bo",
    ],
)
def test_a_line_says_that_two_names_are_of_one_thing(line: str):
    assert names(line) == [{"goliath", "tw-2"}]


@pytest.mark.parametrize(
    "line",
    [
        "level of the tank = 12.3",
        "Correction: Goliath = RM, not Rita Moss",
        "TW-2 means trouble",  # nobody else speaks of trouble
        "Ann called about TW-2",
        "Goliath means TW-2 is bent",
        "the north lift = in the tank",
        "Mon: same thing for Tom and Sue",
        "Tom and Sue: same shift",
        "same day Tom and Sue",
        "gate 3 = locked",
        "status = open",
        "printer = jammed",
        "Can we call Tom Friday",
        "we call Mum payday",
        "Friday means payday for Mum",
        "Tom stands for Mum",
        "Is TW-2 = Goliath?",
        "a printer, called Mum",
        "Mum is what we call a printer",
        "TW-2 no longer means Goliath",
        "don't say Goliath = TW-2",
        "x" * 400 + " Goliath is our name for TW-2",
    ],
)
def test_a_line_that_says_something_else_gives_no_names(line: str):
    assert names(line) == []


def test_what_a_thing_equals_in_turn_is_no_name_of_it():
    told = [*OTHERS, "update: TW-2 = stuck without lenses", "TW-2 = Rita Moss", "TW-2 = RM"]
    assert called_in(told) == []
    assert called_in(told[:-1]) == called_in([*OTHERS, "TW-2 = Rita Moss"]) != []


def test_two_numbered_things_never_become_one():
    assert called_in([*OTHERS, "gate 3 = locked", "gate 4 = locked"]) == []
    assert groups_of([("bertha", "crane 1"), ("bertha", "crane 2")]) == []


def test_letters_with_two_small_forms_are_read():
    coded = Coded.of((), [("bx2", "shed")])
    assert coded.read("Ann took the ſhed key and the shed") == "Ann took the ſhed key and the BX2"


def test_a_code_in_brackets_and_what_is_said_go_together(tmp_path: Path):
    told = ["tug 1 (TUG-01) towed", "tug 1 (TUG-01) parked", "Old Tom = tug 1", "Old Tom refuelled", "Bo took Old Tom to bay 4"]
    with Memory.open(tmp_path / "memory") as memory:
        memory.add([Entry(text, f"2026-03-{day:02}T10:00", "log.txt", day) for day, text in enumerate(told, 1)])
        assert memory.ask("Where is TUG-01?").text.removeprefix("the ") == "bay 4"
        assert coded_of(memory.long).read("Old Tom and tug 1") == "TUG-01 and TUG-01"


def test_a_line_that_says_only_a_name_is_not_read_for_other_questions(tmp_path: Path):
    told = ("Goliath is our name for TW-2", "Ann took TW-2 to bay 4", "Cid left Goliath in the van", "Dee made tea")
    with Memory.open(tmp_path / "memory") as memory:
        memory.add([Entry(text, f"2026-03-{day:02}T10:00", "log.txt", day) for day, text in enumerate(told, 1)])
        (of_place,), (of_name,) = (rewritings(memory.long, f"{what} is TW-2?") for what in ("Where", "What"))
    assert [of_place.read(text) for text in told[:3]] == ["Names.", "Ann took TW-2 to bay 4", "Cid left TW-2 in the van"]
    assert of_name.read(told[0]) == "TW-2 is our name for TW-2"


def test_only_entries_with_a_time_say_what_else_a_thing_is_called(tmp_path: Path):
    told = ["Goliath is our name for TW-2", *OTHERS]
    for name, times in (("log", True), ("book", False)):
        with Memory.open(tmp_path / name) as memory:
            memory.add([Entry(text, f"2026-03-{day:02}T10:00" if times else "", name, day) for day, text in enumerate(told, 1)])
            assert bool(rewritings(memory.long, "Where is Goliath?")) is times


def test_names_that_share_one_are_of_one_thing_unless_they_are_many():
    chain = [("a1", "b1"), ("b1", "c1")]
    assert groups_of(chain) == [("a1", "b1", "c1")]
    assert groups_of([("hub", f"name {number}") for number in range(9)]) == []


@pytest.mark.parametrize("name", ["Goliath", "TW-2", "the big torque wrench"])
def test_a_thing_is_found_by_each_of_its_names(name: str, tmp_path: Path):
    told = ["Goliath is our name for TW-2", "TW-2 = the big torque wrench", *OTHERS]
    with Memory.open(tmp_path / "memory") as memory:
        memory.add([Entry(text, f"2026-03-{day:02}T10:00", "log.txt", day) for day, text in enumerate(told, 1)])
        answer = memory.ask(f"Where did Bo leave {name}?")
    assert answer.text.removeprefix("the ") == "van"
    assert [read.sentence for read in answer.evidence] == ["Bo left TW-2 in the van"]  # as the log has it
