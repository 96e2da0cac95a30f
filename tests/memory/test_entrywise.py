"""Entries read one by one: which are read, what their answers make together."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from memnet.memory.entrywise.answers import OF_COUNT, OF_LIST, Belief, ReadEntry, from_entrywise
from memnet.memory.entrywise.candidates import about, having_most, keys_of, newest
from memnet.memory.entrywise.operations import BEFORE, COUNT, EVERY, FIRST, LEAST, LISTED, MOST, NEWEST, SUM, operation_of
from memnet.memory.entrywise.reader import COUNTED, NO, NOTHING, TIME, EntryReader, EntryReading
from memnet.memory.memory import Memory
from memnet.memory.sentences import Sentences
from memnet.memory.values import Entry, Held

LOG = (
    ("2026-03-01T08:00", "Ann signed out pump 7."),
    ("2026-03-01T09:00", "Pump 7 back in the hall."),
    ("2026-03-02T08:00", "Ben signed out pump 7."),
    ("2026-03-02T10:00", "Cid asked about pump 7."),
    ("2026-03-03T10:00", "Pump 8: 120 hours."),
    ("2026-03-04T10:00", "Pump 8: 95 hours."),
    ("2026-03-05T10:00", "Cid signed out pump 70."),
)


@pytest.fixture
def sentences(tmp_path: Path) -> Sentences:
    """Those of the log."""
    with Memory.open(tmp_path / "memory") as memory:
        memory.add([Entry(text, when, "log.txt", line) for line, (when, text) in enumerate(LOG, 1)])
        return Sentences(memory.long)


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, EntryReading]], list[str]]:
    """In place of the network: what it says of the entries that have some words; what was read, as it is read."""

    def told(said: dict[str, EntryReading]) -> list[str]:
        read = list[str]()

        class Scripted:
            def read(self, texts: Sequence[str], question: str) -> list[EntryReading]:
                read.extend(texts)
                return [next((one for words, one in said.items() if words in text), EntryReading(0.0)) for text in texts]

        monkeypatch.setattr(EntryReader, "load", staticmethod(Scripted))
        return read

    return told


def test_the_newest_entry_answers_as_far_as_it_tells_it():
    held = Held(0, "an entry", "2026-03-01")
    belief = Belief()
    belief.add(ReadEntry(held, EntryReading(0.6, (("Ann", 0.5), ("Bo", 0.5)))))
    belief.add(ReadEntry(held, EntryReading(0.5, (("the hall", 1.0),))))
    belief.add(ReadEntry(held, EntryReading(1.0, (("Ann", 1.0),))))
    assert belief.chances[("ann",)] == pytest.approx(0.6 * 0.5 + 0.4 * 0.5 * 1.0)
    assert belief.chances[("bo",)] == pytest.approx(0.3)
    assert belief.chances[("hall",)] == pytest.approx(0.4 * 0.5)
    assert belief.untold == 0.0
    assert sum(belief.chances.values()) == pytest.approx(1.0)


def test_entries_are_found_by_what_a_question_names(sentences: Sentences):
    assert [one.line for one in about(sentences, "Who has pump 7?")] == [4, 3, 2, 1]
    assert [one.line for one in about(sentences, "Who has pump 70?")] == [7]
    assert about(sentences, "Who has pump 9?") == []
    assert [one.line for one in about(sentences, "What did Ann do?")] == [1]
    assert [one.line for one in newest(sentences, 2)] == [7, 6]


def test_entries_are_found_by_a_name_rather_than_by_a_noun(sentences: Sentences):
    assert [one.line for one in about(sentences, "Which hours did Cid work?")] == [7, 4]
    assert [one.line for one in about(sentences, "What hours were there in the hall?")] == [6, 5, 2]  # by any of its nouns
    assert [one.line for one in about(sentences, "What is in the hall at the moment?")] == [2]  # "moment" names nothing
    assert [one.line for one in having_most(sentences, [("hall",), ("hour",)], [], 2)] == [6, 2]  # "hall" is the rarer one


def test_what_is_counted_has_all_names_of_a_question(sentences: Sentences, reading: Callable[..., list[str]]):
    reading({"signed out": EntryReading(1.0, ((COUNTED, 1.0),))})
    assert from_entrywise(sentences, "How often did Ann sign out pump 7?").answer == "1"
    assert from_entrywise(sentences, "How often did Zed sign out pump 7?").answer == "2"  # a name that no entry has
    reading({"signed out": EntryReading(OF_COUNT - 0.01, ((COUNTED, 1.0),))})
    assert from_entrywise(sentences, "How often did Ann sign out pump 7?") is None


def test_things_of_another_kind_are_not_listed(sentences: Sentences, reading: Callable[..., list[str]]):
    reading({"120": EntryReading(1.0, (("Pump 8", 1.0),)), "95": EntryReading(1.0, (("bench 4", 1.0),))})
    assert str(from_entrywise(sentences, "Which pumps are in the hall?")) == "Pump 8"
    reading({"120": EntryReading(1.0, (("Pump 8", 1.0),)), "95": EntryReading(OF_LIST - 0.01, (("Pump 9", 1.0),))})
    assert str(from_entrywise(sentences, "Which pumps are in the hall?")) == "Pump 8"


def test_a_list_of_now_drops_what_left_without_a_word_of_the_place(sentences: Sentences, reading: Callable[..., list[str]]):
    reading({"Ann signed": EntryReading(1.0, (("pump 7", 1.0),)), "back": EntryReading(0.6, ((NO, 1.0),))})
    assert from_entrywise(sentences, "Which pumps are with Ann?") is None


def test_an_entry_of_several_sentences_is_read_whole(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add([Entry("Ann took pump 7.", "2026-03-01", "a.txt", 1), Entry("She left early.", "2026-03-01", "a.txt", 1)])
        (found,) = about(Sentences(memory.long), "Who took pump 7?")
    assert found.text == "Ann took pump 7. She left early."


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who has pump 7?", NEWEST),
        ("Who was the first to use pump 7?", FIRST),
        ("How often was pump 7 cleaned?", COUNT),
        ("How many times did Ann take it?", COUNT),
        ("How many litres did pump 7 get in all?", SUM),
        ("What was the highest reading of pump 7?", MOST),
        ("What was the most recent reading of pump 7?", NEWEST),
        ("Is pump 7 at least half full?", NEWEST),
        ("Where is Max?", NEWEST),
        ("Where is the first aid kit?", NEWEST),
        ("Where was pump 7 before?", BEFORE),
        ("Where was pump 7 previously?", BEFORE),
        ("How often was it cleaned before the audit?", COUNT),
        ("Which day had the lowest level?", LEAST),
        ("Where was pump 7 before the hall?", BEFORE),
        ("Which pumps are in the hall?", LISTED),
        ("What is in the hall now?", LISTED),
        ("Which pumps did Ann repair?", EVERY),
        ("Which pump is in the hall?", NEWEST),
        ("What is the hottest it got in house 4?", MOST),
        ("When was house 2 at its coldest?", LEAST),
        ("Which tram has the shortest way?", LEAST),
        ("What was the latest reading?", NEWEST),
        ("Who did the last test?", NEWEST),
    ],
)
def test_what_a_question_makes_of_entries(question: str, kind: str):
    assert operation_of(question).kind == kind


def test_the_clause_behind_before_is_not_asked_of_entries():
    assert operation_of("Who had pump 7 just before Ben took it?")[1:] == ("Who had pump 7?", "Ben took it")


def test_the_newest_answer_is_given_with_its_entry(sentences: Sentences, reading: Callable[..., list[str]]):
    reading({"signed out": EntryReading(0.9, (("Ben", 1.0),)), "asked": EntryReading(0.1, (("Cid", 1.0),))})
    found = from_entrywise(sentences, "Who has pump 7?")
    assert found is not None
    assert found.answer == "Ben"
    assert [(read.line, read.when, read.source) for read in found.evidence] == [(3, "2026-03-02T08:00", "log.txt")]
    assert found.chance == pytest.approx(0.9 * 0.9 + 0.9 * 0.1 * 0.9)  # line 3, then line 1
    assert found.unanswerable == pytest.approx(0.9 * 0.1 * 0.1)


def test_nobody_and_times_are_said_as_people_say_them(sentences: Sentences, reading: Callable[..., list[str]]):
    reading({"": EntryReading(1.0, ((NOTHING, 1.0),))})
    assert [from_entrywise(sentences, f"{word} is pump 7?").answer for word in ("Who", "Where", "What")] == [
        "nobody",
        "nowhere",
        "nothing",
    ]
    reading({"signed out": EntryReading(1.0, ((TIME, 1.0),))})
    assert from_entrywise(sentences, "When was pump 7 lent?").answer == "2026-03-02 08:00"
    assert from_entrywise(sentences, "When was pump 7 lent first?").answer == "2026-03-01 08:00"


def test_entries_are_counted_and_numbers_reckoned_with(sentences: Sentences, reading: Callable[..., list[str]]):
    reading({"signed out": EntryReading(0.9, ((COUNTED, 1.0),))})
    assert from_entrywise(sentences, "How often was pump 7 lent?").answer == "2"
    reading({"120": EntryReading(1.0, (("120 hours", 1.0),)), "95": EntryReading(1.0, (("95 hours", 1.0),))})
    asked = {"What was the most of pump 8?": "120 hours", "What was the least of pump 8?": "95 hours"}
    assert {question: from_entrywise(sentences, question).answer for question in asked} == asked
    assert str(from_entrywise(sentences, "How many hours did pump 8 run in all?")) == "215"
    assert from_entrywise(sentences, "How many hours did pump 8 run?").answer == "95 hours"  # the newest


def test_the_thing_with_the_most_is_found_by_the_number_beside_it(sentences: Sentences, reading: Callable[..., list[str]]):
    reading({"120": EntryReading(1.0, (("Pump 8", 1.0),)), "95": EntryReading(0.9, (("the old pump", 1.0),))})
    assert from_entrywise(sentences, "Which pump had the most hours?").answer == "Pump 8"
    assert from_entrywise(sentences, "Which pump had the fewest hours?").answer == "the old pump"


def test_what_was_so_before(sentences: Sentences, reading: Callable[..., list[str]]):
    reading(
        {
            "Ann": EntryReading(1.0, (("Ann", 1.0),)),
            "Ben": EntryReading(1.0, (("Ben", 1.0),)),
            "back": EntryReading(1.0, ((NOTHING, 1.0),)),
        }
    )
    assert from_entrywise(sentences, "Who had pump 7 before Ben got it?").answer == "nobody"
    assert from_entrywise(sentences, "Who had pump 7 before Ann?") is None
    assert from_entrywise(sentences, "Who had pump 7 before Zed?") is None
    assert from_entrywise(sentences, "Who had pump 7 before?").answer == "nobody"


def test_a_list_of_now_drops_what_has_left(sentences: Sentences, reading: Callable[..., list[str]]):
    said = {
        "back": EntryReading(1.0, (("Pump 7", 1.0),)),
        "Ben signed": EntryReading(1.0, ((NO, 1.0),)),
        "120": EntryReading(1.0, (("Pump 8", 0.9), ("Pump 9", 0.1))),
    }
    reading(said)
    found = from_entrywise(sentences, "Which pumps are in the hall?")
    assert str(found) == "Pump 8"
    assert found.probability == pytest.approx(0.9)
    assert str(from_entrywise(sentences, "Which pumps were seen?")) == "Pump 7 and Pump 8"
    assert found.story == sorted(found.story, key=[text for _, text in LOG].index)


def test_where_nothing_is_named_nothing_is_read(sentences: Sentences, reading: Callable[..., list[str]]):
    read = reading({})
    assert from_entrywise(sentences, "Who has pump 9?") is None
    assert read == []
    assert keys_of("Where is it?") == ([], [], [])


def test_words_of_an_entry_are_not_taken_for_what_it_says():
    assert EntryReading(1.0, (("no", 1.0),)).answers[0][0] != NO


def test_an_entry_of_the_package_is_read_alike_alone_and_beside_others():
    reader, texts = (
        EntryReader.load(),
        ["Ann signed out pump 7.", "The drill is broken, says Ben of the night shift.", "", "Tea."],
    )
    together = reader.read(texts, "Who has pump 7?")
    for text, said in zip(texts, together, strict=True):
        (alone,) = reader.read([text], "Who has pump 7?")
        assert alone.relevance == pytest.approx(said.relevance, abs=1e-4)
        assert [answer for answer, _ in alone.answers[:1]] == [answer for answer, _ in said.answers[:1]]
    assert together[0].relevance > 0.5
    assert together[0].answers[0][0] == "Ann"
    assert together[2] == EntryReading(0.0)
    assert max(said.relevance for said in together[1:]) < 0.5


def test_newest_entries_are_those_of_the_time_that_is_asked_for(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add([Entry(text, when, "log.txt", line) for line, (when, text) in enumerate(LOG, 1)])
        early = Sentences(memory.long, until="2026-03-02")
        assert [one.line for one in newest(early, 2)] == [4, 3]


def test_when_it_was_the_most_is_a_time(sentences: Sentences, reading: Callable[..., list[str]]):
    reading({"120": EntryReading(1.0, ((TIME, 1.0),)), "95": EntryReading(1.0, ((TIME, 1.0),))})
    found = from_entrywise(sentences, "When had pump 8 run the most hours?")
    assert str(found) == "2026-03-03 10:00"


def test_amounts_of_one_kind_are_of_one_unit(sentences: Sentences, reading: Callable[..., list[str]]):
    reading({"120": EntryReading(1.0, (("90 min", 1.0),)), "95": EntryReading(1.0, (("95 hours", 1.0),))})
    assert str(from_entrywise(sentences, "How many hours did pump 8 run in total?")) == "96.5"


def test_amounts_of_a_time_are_added_up(sentences: Sentences, reading: Callable[..., list[str]]):
    reading({"120": EntryReading(1.0, (("120 hours", 1.0),)), "95": EntryReading(1.0, (("95 hours", 1.0),))})
    asked = "How many hours did pump 8 run?"
    assert str(from_entrywise(sentences, asked)) == "95 hours"
    assert str(from_entrywise(replace(sentences, since="2026-03-02"), asked)) == "215"
