"""Questions about a log in other words: which hall, who took it last, who delivered it, where it is once handed over."""

import pytest

from memnet.memory import Memory
from memnet.memory.deliveries import delivered
from memnet.memory.entries import entries
from memnet.memory.related import is_plain
from memnet.memory.relations import RelationAnswer
from memnet.memory.relations.reader import Hop
from memnet.memory.values import Held

PIER = """\
2026-06-01 08:00 Lars carried the diving bell to the boat house.
2026-06-01 09:00 Noor brought the sounding line to hold 2.
2026-06-01 10:00 Vik delivered rope, Lars signed for it.
2026-06-01 11:00 Lars borrowed the diving bell, back by noon.
2026-06-02 08:00 sounding line now in the chart room (Noor)
2026-06-02 09:00 Noor collected the diving bell from the boat house.
2026-06-02 10:00 Rope arrived from Haug & Sons.
2026-06-02 11:00 Diving bell is back in hold 2, thanks Tess
2026-06-03 08:00 Noor brought rope to hold 2.
2026-06-03 09:00 Sounding line is back in hold 2, cheers Lars
2026-06-03 10:00 Tess accepted a delivery of paint from Vik.
2026-06-03 11:00 Tess took the sextant home.
2026-06-03 12:00 Tess handed the sextant to Noor.
2026-06-04 08:00 Noor went to the chart room.
2026-06-04 09:00 Lars took the tide table home.
2026-06-05 09:00 Lars gave Tess the tide table, at last.
2026-06-05 10:00 The crane oil smells of fish.
"""
ASKED = [
    ("Which hold is the diving bell in?", "hold 2"),
    ("In which room is the diving bell now?", "hold 2"),
    ("Where did we leave the sounding line?", "hold 2"),
    ("Who brought the sounding line to hold 2?", "Lars"),
    ("Who borrowed the diving bell last?", "Lars"),
    ("Who took the diving bell last?", "Noor"),
    ("Which company delivered rope last?", "Haug & Sons"),
    ("Who delivered the rope first?", "Vik"),
    ("Which supplier delivered paint?", "Vik"),
    ("Which company delivered crane oil?", None),
    ("Where is the tide table?", "with Tess"),
    ("Where is the sextant?", "chart room"),
]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    folder = tmp_path_factory.mktemp("pier")
    (folder / "pier.log").write_text(PIER)
    memory = Memory.open(folder / "memory")
    memory.add(entries(folder / "pier.log"))
    return memory


@pytest.mark.parametrize(("question", "right"), ASKED, ids=[question for question, _ in ASKED])
def test_a_log_is_asked_in_other_words(memory: Memory, question: str, right: str | None):
    answer = memory.ask(question)
    assert (answer.text if answer.answerable else None) == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Vik dropped off the rope at the pier.", (False, "Vik")),
        ("Noor received rope from Haug & Sons, all fine.", (True, "Haug & Sons")),
        ("Noor took in the rope from Haug & Sons.", (True, "Haug & Sons")),
        ("Noor took the rope from Kai.", None),
        ("Vik delivered 11 coils of rope.", (True, "Vik")),
        ("The rope was delivered by Vik.", (True, "Vik")),
        ("Rope arrived.", (True, "")),
        ("Noor received rope.", None),
        ("Vik will deliver rope tomorrow.", None),
        ("Vik delivered paint, the rope is late.", None),
    ],
)
def test_deliveries_are_told_from_either_side(text: str, right: tuple[bool, str] | None):
    assert delivered(text, ("rope",)) == right


def test_a_refusal_shows_no_piece_of_a_sentence():
    line = Held(0, "Dag gave Ingrid the buoy.")
    told = [Hop("buoy", name, line, (), 0.9) for name in ("Dag gave Ingrid the", "the mayor of Vestby", "Ingrid Holm")]
    assert [is_plain(RelationAnswer("Nothing says so.", True, (hop,), 0.9)) for hop in told] == [False, True, True]
