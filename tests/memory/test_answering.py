"""What a memory answers from facts and relations: who and what is where, was where, who has it and when, with the evidence."""

import json
from datetime import date
from pathlib import Path

import pytest

from memnet.ask.answer import Answer
from memnet.memory import Entry, Memory

TOLD = [
    Entry("Helen took the ladder from the shed.", "2026-03-01T08:00", "log.txt", 1),
    Entry("The printer was moved from the office to the archive by Tom.", "2026-03-02T09:30", "log.txt", 2),
    Entry("It rained all morning.", "2026-03-02T10:00", "log.txt", 3),
    Entry("Helen gave the ladder to Oscar.", "2026-03-03T08:00", "log.txt", 4),
    Entry("Oscar went to the garage.", "2026-03-04T12:00", "notes.md", 7),
    Entry("The printer was moved from the archive to the cellar by Anna.", "2026-03-05T14:15", "notes.md", 9),
    Entry("The capital of Norland is Vestby.", "2026-03-06", "facts.txt", 1),
    Entry("The mayor of Vestby is Ingrid Holm.", "2026-03-06", "facts.txt", 2),
    Entry("The mayor of Vestby is Olaf Lind.", "2026-04-06", "facts.txt", 3),
]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    memory = Memory.open(tmp_path_factory.mktemp("answering") / "memory")
    memory.add(TOLD)
    return memory


def read(answer: Answer) -> list[int]:
    """The numbers in :data:`TOLD` of what an answer relies on."""
    texts = [one.text for one in TOLD]
    return [texts.index(one.sentence) for one in answer.evidence]


ASKED = [
    ("Where is the printer?", "cellar", [5]),
    ("Where was the printer before the cellar?", "archive", [1, 5]),
    ("Where was the printer before the archive?", "office", [1]),
    ("Who has the ladder?", "Oscar", [3]),
    ("Who had the ladder before Oscar?", "Helen", [0]),
    ("Where is the ladder?", "garage", [3, 4]),
    ("Who moved the printer to the cellar?", "Anna", [5]),
    ("How often was the printer moved?", "2", [1, 5]),
]


@pytest.mark.parametrize(("question", "right", "evidence"), ASKED, ids=[question for question, *_ in ASKED])
def test_the_newest_fact_answers(memory: Memory, question: str, right: str, evidence: list[int]):
    answer = memory.ask(question)
    assert answer.answerable
    assert (answer.answer, read(answer)) == (right, evidence)


def test_evidence_and_what_it_supersedes_say_where_and_when(memory: Memory):
    answer = memory.ask("Where is the printer?")
    [said], [before] = answer.evidence, answer.superseded
    assert (said.source, said.line, said.when) == ("notes.md", 9, "2026-03-05T14:15")
    assert (before.sentence, before.source, before.line, before.when) == (TOLD[1].text, "log.txt", 2, "2026-03-02T09:30")
    assert said.place == "notes.md:9, 2026-03-05 14:15"
    assert list(answer.story) == [TOLD[1].text, TOLD[5].text]
    assert answer.story[said.number - 1] == said.sentence


def test_when_is_answered_by_the_time_of_the_sentence(memory: Memory):
    assert memory.ask("When was the printer moved to the archive?").answer == "2026-03-02 09:30"
    assert memory.ask("When did Oscar go to the garage?").answer == "2026-03-04 12:00"


def test_what_has_no_time_is_not_dated(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add("Oscar went to the garage.")
        answer = memory.ask("When did Oscar go to the garage?")
        assert not answer.answerable
        assert answer.reason == "nothing says when"


@pytest.mark.parametrize(
    ("question", "limits", "right"),
    [
        ("Where is the printer?", {"until": "2026-03-03"}, "archive"),
        ("Where is the printer?", {"until": date(2026, 3, 2)}, "archive"),
        ("Where is the printer?", {"since": "2026-03-05"}, "cellar"),
        ("Where is the printer?", {"since": "2026-03-06"}, None),
        ("Where is the printer?", {"until": "2026-03-01"}, None),
        ("Who has the ladder?", {"until": "2026-03-02"}, "Helen"),
        ("Who is the mayor of Vestby?", {"until": "2026-03"}, "Ingrid Holm"),
    ],
)
def test_what_was_said_before_or_after_a_time_is_left_out(memory: Memory, question: str, limits, right: str | None):
    answer = memory.ask(question, **limits)
    assert (answer.answer if answer.answerable else None) == right


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("Where is the spectrometer?", "spectrometer"),
        ("Who has the violin?", "violin"),
        ("Where is Gerda?", "Gerda"),
        ("When was the piano moved to the archive?", "piano"),
    ],
)
def test_what_is_never_mentioned_is_refused(memory: Memory, question: str, missing: str):
    answer = memory.ask(question)
    assert not answer.answerable
    assert (answer.answer, answer.evidence) == ("", [])
    assert answer.reason.lower() == f"the memory does not mention {missing.lower()}"


def test_relations_over_two_hops_say_the_newest(memory: Memory):
    answer = memory.ask("Who is the mayor of the capital of Norland?")
    assert answer.answerable
    assert (answer.answer, read(answer)) == ("Olaf Lind", [6, 8])
    assert [(one.sentence, one.line) for one in answer.superseded] == [(TOLD[7].text, 2)]


def test_a_story_after_the_memory_counts_as_newer(memory: Memory):
    from memnet.memory.answering import ask_memory
    from memnet.memory.memory import network_of_tasks

    told = ["The printer was moved to the hall."]
    assert ask_memory(memory.long, network_of_tasks(), "Where is the printer?", told).answer == "hall"
    assert memory.ask("Where is the printer?").answer == "cellar"


def test_what_is_forgotten_answers_no_more(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add(TOLD)
        memory.forget(number=5)
        answer = memory.ask("Where is the printer?")
        assert (answer.answer, read(answer)) == ("archive", [1])


def test_as_json(memory: Memory):
    found = json.loads(json.dumps(memory.ask("Where is the ladder?").as_json()))
    assert found["answer"] == found["text"] == "garage"
    assert found["answerable"] is True
    assert [[one["line"] for one in hop] for hop in found["hops"]] == [[4], [7]]
    given = {"number", "sentence", "weight", "when", "source", "line"}
    assert [one.keys() for one in (*found["evidence"], *found["superseded"])] == [given] * 3
    [before] = found["superseded"]
    assert (before["sentence"], before["when"]) == (TOLD[0].text, "2026-03-01T08:00")
    refused = memory.ask("Where is the spectrometer?").as_json()
    assert (refused["answer"], refused["evidence"], refused["unanswerable"]) == ("", [], 1.0)
    assert "superseded" not in refused


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where was the pump on 4 March at noon?", "bay 3"),
        ("Where was the pump on March 4th?", "test bench"),
        ("Where was the pump before 2026-03-04?", "bay 3"),
        ("Where was the pump on 6 March?", "test bench"),
        ("Where is the pump?", "paint shop"),
        ("Where was the pump on 1 March?", None),
    ],
)
def test_a_date_at_the_end_of_a_question_says_until_when_it_asks(question: str, expected: str | None, tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add("The pump is in bay 3.", when="2026-03-02T08:00")
        memory.add("Omar moved the pump to the test bench.", when="2026-03-04T16:30")
        memory.add("Omar moved the pump to the paint shop.", when="2026-03-10T09:00")
        said = memory.ask(question)
    assert (said.text if said.answerable else None) == expected


@pytest.mark.parametrize("until", ["2026-03-03T11:00", "2026-03-03 11:00", "20260303T1100", "2026-03-03T13:00+02:00"])
def test_times_are_compared_as_times_not_as_texts(until: str, tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add("The pump is in bay 3.", when="2026-03-03T10:00")
        memory.add("The pump is in the yard.", when="2026-03-03T12:00")
        assert memory.ask("Where is the pump?", until=until).text == "bay 3"
        assert memory.ask("Where is the pump?", since="2026-03-03T11:30").text == "yard"


@pytest.mark.parametrize(
    ("told", "question", "wrong"),
    [("Mary lost the key.", "Where is the key?", "kitchen"), ("Bob fixed the tap.", "Where is the tap?", "fixed")],
)
def test_sentences_that_no_task_has_are_not_answered_by_the_network_of_the_tasks(
    told: str, question: str, wrong: str, tmp_path: Path
):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add(told)
        said = memory.ask(question)
    assert said.text != wrong
    assert not said.answer or said.answer in told


def test_a_memory_that_says_nothing_of_it_refuses_and_names_no_pronoun(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add("Mary went to the kitchen.")
        assert memory.ask("Where did we put the multimeter?").reason == "the memory does not mention multimeter"


@pytest.mark.parametrize(
    ("question", "right", "reason"),
    [
        ("Who has drone 19 at the moment?", "nobody", ""),
        ("When was drone 19 moved to dock A?", "2026-03-06 11:31", ""),
        ("When was drone 19 moved to the basement?", "", "nothing says that drone 19 was ever there"),
    ],
)
def test_what_facts_tell_is_left_to_no_other_reader(question: str, right: str, reason: str, tmp_path: Path):
    memory = Memory.open(tmp_path / "memory")
    memory.add(
        [Entry("Thandi handed Dmitri drone 19.", "2026-03-06T10:00"), Entry("Kim left for the basement.", "2026-03-06T10:30")]
    )
    memory.add([Entry("Dmitri deposited drone 19 in dock A.", "2026-03-06T11:31")])
    answer = memory.ask(question)
    assert (answer.answer, answer.reason) == (right, reason)
    assert answer.answerable == bool(right)


VERBS = (
    *("saw", "bat", "left", "felt", "rose", "found", "ground", "wound", "bore", "lead", "lay"),
    *("spoke", "bit", "fell", "shot", "cut", "put", "set", "stand", "leaves", "painting"),
)
ROOMS = ("attic", "cellar", "garage", "kitchen", "office", "pantry", "shed")


def test_a_thing_whose_name_is_also_a_form_of_a_verb_is_found(tmp_path: Path):
    rooms = {noun: ROOMS[place % len(ROOMS)] for place, noun in enumerate(VERBS)}
    are = {noun: "are" if noun == "leaves" else "is" for noun in VERBS}
    with Memory.open(tmp_path / "memory") as memory:
        memory.add([Entry(f"The {noun} {are[noun]} in the {room}.") for noun, room in rooms.items()])
        assert {noun: memory.ask(f"Where {are[noun]} the {noun}?").text for noun in VERBS} == rooms
        assert memory.ask("Where is the drawing?").reason == "the memory does not mention drawing"


def test_a_thing_is_not_what_has_its_name_from_the_same_verb(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add("The painting is in the hall. The paint is in the shed. The roses are in the attic. The paintings are old.")
        said = [memory.ask(f"Where is the {noun}?").text for noun in ("painting", "paint", "rose")]
    assert said == ["hall", "shed", "attic"]


@pytest.mark.parametrize(
    ("told", "question", "reason"),
    [
        ("Mary saw John. Mary went to the garden.", "Where is the saw?", "nothing says where the saw is"),
        ("Mary painted the wall. Tom went to the shop.", "Where is the painting?", "the memory does not mention painting"),
        ("Mary went to the garden. Tom went to the shop.", "Where is the saw?", "the memory does not mention saw"),
        ("Mary went to the garden. Tom went to the shop.", "Where is Rose?", "the memory does not mention Rose"),
    ],
)
def test_a_verb_tells_of_no_thing(told: str, question: str, reason: str, tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add(told)
        answer = memory.ask(question)
    assert (answer.answerable, answer.reason) == (False, reason)
