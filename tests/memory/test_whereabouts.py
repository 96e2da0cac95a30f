"""Which sentences of a memory are read for a question of whereabouts: of a book those that pass the gate, of a log all."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from memnet.memory import Entry, Memory
from memnet.memory.sentences import FEW, LITTLE, Sentences, unquoted

WHO = ("The old man", "Dorothea", "Her brother", "The widow", "Nobody in the family")
DOES = ("was weary of", "had never forgiven", "remembered with a sigh", "could not bear the thought of", "was proud of")
WHAT = ("such a marriage", "those long summers", "the honour of the house", "her own happiness")
PROSE = [f"{who} {does} {what}." for who, does, what in product(WHO, DOES, WHAT)]  # made up
LOG = [
    f"{what} was moved from the {first} to the {last} by {who}."
    for what, (first, last), who in product(
        ("Pump 7", "The ladder", "Crate 12", "The drill"),
        (("office", "shed"), ("shed", "cellar"), ("cellar", "yard")),
        ("Helen", "Tom", "Oscar"),
    )
]
MOVED = Entry("Dorothea went to the library.", source="book", line=41)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "memory") as memory:
        yield memory


def told(memory: Memory, *parts: list[str] | list[Entry]) -> Sentences:
    for part in parts:
        memory.add(part)
    return Sentences(memory.long)


def test_of_a_book_what_passes_the_gate_is_read(memory: Memory):
    sentences = told(memory, PROSE, [MOVED], PROSE)
    assert sentences.gated is True
    found = sentences.find(["dorothea"], 50)
    assert [one.text for one in found if one.number not in sentences.doubtful] == [MOVED.text]
    assert len(sentences.holding(["dorothea"])) == 1 + 2 * sum("Dorothea" in text for text in PROSE)
    answer = memory.ask("Where is Dorothea?")
    assert (answer.answer, [(one.source, one.line) for one in answer.evidence]) == ("library", [("book", 41)])


def test_of_a_log_all_is_read(memory: Memory):
    sentences = told(memory, LOG)
    assert sentences.gated is False
    assert len(sentences.find(["ladder"], 50)) == sum("ladder" in text for text in LOG)


def test_a_log_with_some_remarks_is_no_book(memory: Memory):
    remarks = PROSE[: round(len(LOG) * (1 / LITTLE - 1) / 2)]  # half as many as make a book of it
    assert told(memory, LOG, remarks).gated is False


def test_the_newest_are_found_in_the_order_of_telling(memory: Memory):
    sentences = told(memory, LOG)
    numbers = [number for number, text in enumerate(LOG) if "ladder" in text]
    assert [one.number for one in sentences.find(["ladder"], 3)] == numbers[-3:]
    assert [one.number for one in sentences.find(["ladder"], 50, numbers[1], numbers[3])] == numbers[1:4]
    assert sentences.find(["spectrometer"], 3) == []
    assert sentences.holds(["ladder"])
    assert not sentences.holds(["spectrometer"])


def test_a_story_stands_after_what_is_remembered(memory: Memory):
    memory.add(LOG)
    sentences = Sentences(memory.long, ["The ladder is in the attic.", "It rained."])
    found = sentences.find(["ladder"], 2)
    assert [one.number for one in found][-1] == len(LOG)
    assert found[-1].text == "The ladder is in the attic."
    assert sentences.following(len(LOG) - 1) == found[-1]
    assert sentences.preceding(len(LOG) + 1) == found[-1]


def test_what_is_struck_is_found_no_more(memory: Memory):
    memory.add(LOG)
    numbers = [number for number, text in enumerate(LOG) if "ladder" in text]
    memory.forget(number=numbers[1:])
    assert [one.number for one in Sentences(memory.long).find(["ladder"], 50)] == numbers[:1]


def test_what_is_struck_is_not_read_with_the_sentence_before_it(memory: Memory):
    memory.add(["Dorothea took the key.", "She went to the library."])
    assert memory.ask("Where is Dorothea?").answer == "library"
    memory.forget(1)
    assert memory.ask("Where is Dorothea?").answer != "library"
    assert Sentences(memory.long).following(0) is None


def test_a_book_is_crowded_by_a_name_that_many_sentences_have(memory: Memory):
    sentences = told(memory, PROSE * 120, [MOVED])
    many = sum("Dorothea" in text for text in PROSE * 120) + 1
    assert many > FEW
    assert sentences.crowded(["dorothea"]) is True
    assert sentences.crowded(["library"]) is False
    memory.add([f"Dorothea moved crate {number} to the shed." for number in range(2 * len(PROSE) * 120)])
    assert Sentences(memory.long).crowded(["dorothea"]) is False  # no book any more


def test_of_a_crowded_book_a_story_of_a_task_is_read_by_its_network(memory: Memory):
    story = ["Mary went to the kitchen.", "Mary got the football there.", "Mary travelled to the garden."]
    others = [text.replace("Dorothea", "Mary") for text in PROSE]
    memory.add([*others * 60, *story, *others * 60])
    assert Sentences(memory.long).crowded(["mary"]) is True
    answer = memory.ask("Where is the football?")
    assert answer.answer == "garden"
    assert {read.sentence for hop in answer.hops for read in hop} <= {*story}


def test_quotation_marks_are_left_out():
    assert unquoted('"Ann went to the hall."') == unquoted("“Ann went to the hall.”") == "Ann went to the hall."


@pytest.mark.parametrize(
    "said",
    [
        "Is the camera in the studio?",
        "Please take the camera to the studio.",
        "TODO bring the camera to the studio",
        "- [ ] bring the camera to the studio",
        "Could somebody bring the camera to the studio?",
        "Let's put the camera in the studio.",
    ],
)
def test_what_is_asked_or_wanted_is_no_fact(memory: Memory, said: str):
    memory.add(["The camera is in the office.", said])
    assert memory.ask("Where is the camera?").answer == "office"


def test_who_only_asks_whether_somebody_took_it_says_nothing_of_who_has_it(memory: Memory):
    memory.add(["The camera is in the office.", "Did Ann take the camera?"])
    assert memory.ask("Who has the camera?").answer != "Ann"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who had the key in May?", "Ann and Bob"),
        ("Who had the key in April?", "Zoe"),
        ("Who had the key last in May?", "Bob"),
        ("Who had the key in 2024?", "Zoe, Ann, Bob and Eve"),
    ],
)
def test_everybody_who_had_a_thing_in_a_month_is_named(memory: Memory, question: str, answer: str):
    log = {"04-03": "Zoe took", "04-09": "Zoe returned", "05-03": "Ann took", "05-09": "Ann returned", "05-10": "Bob took"}
    for day, did in (log | {"05-12": "Bob returned", "06-01": "Eve took"}).items():
        memory.add(f"{did} the key.", when=f"2024-{day}")
    assert memory.ask(question).text == answer
