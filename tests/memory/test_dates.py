"""A date in a question: of a deed only that day counts, of what was so what was said up to then."""

import pytest

from memnet.memory import Memory
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
