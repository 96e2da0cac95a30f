"""Names as markers: which words are names, how they are replaced, and what training and saving make of them."""

import dataclasses
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

from memnet.ask.encoded import EncodedStory
from memnet.encode.saved import saved_sizes
from memnet.encode.vocabulary import NO_EVIDENCE, OpenVocabulary, markers
from memnet.errors import ConfigError, TrainingError
from memnet.models.causal import CausalConfig
from memnet.tasks import simulator
from memnet.tasks.families import FAMILIES, Task
from memnet.tasks.simulator import PUBLISHED_TASKS, Dials, simulate
from memnet.tasks.text import Question, Story
from memnet.tasks.text.entities import Binding, EntityReader, anonymize
from memnet.tasks.text.renaming import rename_story
from memnet.training.dataset import DataSet
from memnet.training.stream import OF_MIXES, Stream

KNOWN = "the a is in to of where went gave are afraid above put not his and what"
READER = EntityReader(frozenset(KNOWN.split()))
SMALL = CausalConfig(epochs=1, dim=16, heads=2, hidden=16, steps=2, open_vocabulary=True, stream=20, supervision="facts")


def names_of(text: str) -> list[str]:
    return [unit.text for unit in READER.units(text) if unit.is_entity]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Mary went to the kitchen.", ["mary", "kitchen"]),
        ("The red square is above the box of chocolates.", ["red square", "box of chocolates"]),
        ("Mary gave John milk.", ["mary", "john", "milk"]),
        ("Mary zorped to the kitchen.", ["mary", "zorped", "kitchen"]),
        ("Red square is above the box", ["red square", "box"]),
        ("New York is in the U.S.", ["new york", "u s"]),
        ("Mice are afraid of wolves.", ["mouse", "wolf"]),
        ("Sumit put the pajamas in the bedroom", ["sumit", "pajamas", "bedroom"]),
        ("What is Gertrude afraid of?", ["gertrude"]),
        ("Where's Tom's hat?", ["tom", "hat"]),
        ("Tom isn't in the lab.", ["tom", "lab"]),
        ("Bob, Alice went to the pub.", ["bob", "alice", "pub"]),
        ("Alice moved to the New York office", ["alice", "moved", "new york office"]),
        ("Mary already went to the lab too.", ["mary", "lab"]),
        ("I'm in the lab", ["i", "lab"]),
        ("😀 Mary went to the kitchen 🍳", ["mary", "kitchen"]),
        ("👩‍🚀 went to the 🏠.", ["👩‍🚀", "🏠"]),
        ("is the the", []),
        ("", []),
    ],
)
def test_names_are_what_is_not_known(text: str, names: list[str]):
    assert names_of(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Mary went to the living room.", ["mary", "living room"]),
        ("Mary is in the waiting room", ["mary", "waiting room"]),
        ("what room is Mary in", ["mary"]),
        ("Mary went to room 12", ["mary", "room 12"]),
        ("The key is in the top drawer.", ["key", "top drawer"]),
        ("The lab is to the left of the den", ["lab", "den"]),
        ("Will is in the den.", ["will", "den"]),
        ("Where will Mary go", ["mary"]),
        ("Where is Will?", ["will"]),
        ("WHERE WILL MARY GO", ["mary"]),
        ("where is will", ["will"]),
        ("May gave Will milk", ["may", "will", "milk"]),
        ("Where am I?", ["i"]),
        ("You gave me milk", ["you", "me", "milk"]),
        ("how do I get to the den", ["den"]),
        ("tell me where Mary is", ["mary"]),
    ],
)
def test_known_words_are_parts_of_names_where_they_stand_so(text: str, names: list[str]):
    known = ["room", "waiting", "top", "left", "will", "may", "i", "you", "me", "how", "tell", "do", "get", "go"]
    reader = EntityReader(READER.known | frozenset(known))
    assert [unit.text for unit in reader.units(text) if unit.is_entity] == names


def test_a_question_may_name_a_part_of_a_name():
    binding = Binding(READER, markers(9))
    for text in ("Sir Arthur Doyle went to the red square.", "Ann gave Bob Smith a box of pens", "Tom Smith went in"):
        binding.replaced(text)
    assert binding.asked("Where is Arthur?") == "where is entity1"
    assert binding.asked("where is arthur") == "where is entity7"  # in small letters only the end of a name
    assert binding.asked("where is doyle") == "where is entity1"
    assert binding.asked("where is the square") == "where is the entity2"
    assert binding.asked("Where is Smith?") == "where is entity7"  # of two
    assert binding.asked("where is the pens") == "where is the entity7"
    assert binding.asked("Where are the Anns?") == "where are the entity3"
    assert "arthur" not in binding.marker


def test_a_plural_is_asked_by_the_singular():
    binding = Binding(READER, markers(9))
    binding.replaced("Mary gave a book")
    assert binding.asked("where are the books") == "where are the entity2"


def test_a_story_is_told_with_markers_and_its_answers_follow():
    story = Story(
        ("Mary went to the kitchen.", "Mice are afraid of wolves."),
        (
            Question("Where is Mary?", "kitchen", (0,), 1),
            Question("What is the mouse afraid of?", "wolf", (1,), 2),
            Question("Where is Mary?", "yes", (), 2),
        ),
    )
    told = anonymize(story, READER, markers(9))
    assert told.statements == ("entity1 went to the entity2", "entity3 are afraid of entity4")
    assert [question.answer for question in told.questions] == ["entity2", "entity4", "yes"]
    assert told.questions[0].text == "where is entity1"
    assert [question.supporting_facts for question in told.questions] == [(0,), (1,), ()]


def test_names_are_written_as_they_stand_inside_a_sentence():
    binding = Binding(READER, markers(5))
    for text in (
        "Kitchen is in the hall",
        "Is the kitchen in Rome",
        "what is in rome",
        "John went to the hall",
        "where is john",
    ):
        binding.replaced(text)
    assert binding.names("entity1,entity2,entity3,entity4") == "kitchen,hall,Rome,John"


def test_a_list_has_no_name_twice():
    binding = Binding(READER, markers(5))
    binding.replaced("Mary went to Rome")
    story = EncodedStory([], 0, {}, [], {}, binding)
    ranked = [("entity1,entity1", 0.5), ("entity1,entity2", 0.3), ("rome", 0.1), ("entity2", 0.05), ("n,n", 0.01)]
    assert story.merged(ranked) == [("Mary,Rome", 0.3), ("rome", 0.1), ("Rome", 0.05), ("n,n", 0.01)]
    assert story.merged(ranked[:1]) == [("Mary,Mary", 0.5)]


def test_a_name_that_is_told_later_answers_as_itself():
    """Where will the hungry one go, before anybody has named the kitchen?"""
    story = Story(
        ("Mary is not in the lab.", "Mary went to the kitchen."),
        (Question("Where is Mary?", "kitchen", (), 1), Question("Where is Mary?", "kitchen", (1,), 2)),
    )
    assert [question.answer for question in anonymize(story, READER, markers(9)).questions] == ["kitchen", "entity3"]


def test_too_many_names_stay_themselves():
    binding = Binding(READER, markers(1))
    assert binding.replaced("Mary went to the kitchen") == "entity1 went to the kitchen"
    other = binding.copy()
    other.replaced("Tom")
    assert binding.names("entity1,lab") == "Mary,lab"


@given(st.integers(0, 10**6), st.sampled_from(PUBLISHED_TASKS))
def test_what_people_and_things_are_called_changes_nothing(seed: int, name: str):
    """The same story with every name exchanged for another is the same story to a network."""
    story = simulate(name, 3, seed)[0]
    known = EntityReader(frozenset(of_the_twenty_tasks().reader.known))
    found = list(dict.fromkeys(u.text for text in story.statements for u in known.units(text) if u.is_entity))
    found = [part for part in found if part.isalpha() and part not in ("mouse", "wolf", "cat", "sheep")]
    assume(not any(" " in unit.text for text in story.statements for unit in known.units(text)))  # names of one word
    changed = rename_story(story, {part: f"Q{number}x" for number, part in enumerate(found)})
    mine, others = (anonymize(one, known, markers(40), Random(seed)) for one in (story, changed))
    assert mine.statements == others.statements
    assert [q.text for q in mine.questions] == [q.text for q in others.questions]
    same = [q.answer for q in mine.questions if q.answer.startswith("entity")]
    assert same == [q.answer for q, p in zip(others.questions, mine.questions, strict=True) if p.answer.startswith("entity")]


def tasks_of(*names: str) -> list[Task]:
    return [Task.of(f"sim/{name}", simulate(name, 60, 0), simulate(name, 30, 1), name) for name in names]


@pytest.fixture(scope="module")
def opened() -> OpenVocabulary:
    """The vocabulary of the twenty tasks."""
    return of_the_twenty_tasks()


@cache
def of_the_twenty_tasks() -> OpenVocabulary:
    """The same, drawn once."""
    stories = [story for name in PUBLISHED_TASKS for story in simulate(name, 200, 0)]
    return OpenVocabulary.open(stories, simulator.entity_words(), by_word=True)


def test_names_of_the_twenty_tasks_are_no_words(opened: OpenVocabulary):
    known = {entry for entry in opened.entries if not entry.startswith("entity")}
    assert not known & (simulator.entity_words() - {"kitchen", "bedroom", "garden"})
    assert {"kitchen", "bedroom", "garden"} == opened.names
    assert {"went", "carrying", "yesterday", "hungry", "n", "two", NO_EVIDENCE} <= known


def test_markers_are_drawn_anew_for_every_story(opened: OpenVocabulary):
    story = simulate("qa1", 5, 0)[0]
    told = opened.prepare([story] * 20, 0)
    assert len({one.statements for one in told}) == 20
    assert opened.prepare([story] * 20, 0) == told


def test_an_open_vocabulary_is_saved_and_read(opened: OpenVocabulary):
    saved = {**opened.saved(), "ages": 5, "longest": 9, "answer": 3}
    vocabulary, sizes = saved_sizes(saved, 10)
    assert isinstance(vocabulary, OpenVocabulary)
    assert (vocabulary.entries, vocabulary.names) == (opened.entries, opened.names)
    assert sizes.entities == 40
    for wrong in ({"entities": -1}, {"entities": 5000}, {"names": ["zzz"]}, {"names": "x"}, {"entities": 41}):
        with pytest.raises(ValueError, match=r"entities|names|markers"):
            saved_sizes(saved | wrong, 10)


def test_an_epoch_of_a_stream_is_its_own_and_always_the_same():
    data = DataSet.of(tasks_of("qa1", "qa2"), dataclasses.replace(SMALL, unanswerable=0.5))
    assert data.stream is not None
    first, again, other = (data.stream.epoch(number, data.vocabulary) for number in (3, 3, 4))
    assert torch.equal(first.answer, again.answer)
    assert not torch.equal(first.answer[:20], other.answer[:20])
    assert first.unknown_words == first.unknown_answers == 0
    nothing = data.vocabulary.number[NO_EVIDENCE]
    assert 0 < int((first.answer[:, 0] == nothing).sum()) < len(first)


def test_a_stream_also_has_stories_that_a_family_draws():
    dyna = FAMILIES["dyna"].fresh
    assert dyna is not None
    task = Task.of("dyna/T12", dyna("T12", 40, 1), dyna("T12", 40, 2))
    stream = DataSet.of([task], SMALL).stream
    assert isinstance(stream, Stream)
    first, again, other = (stream.stories(number)[0] for number in (0, 0, 1))
    assert first == again != other
    asked = Counter(question.kind for story in first for question in story.questions)
    assert sum(asked.values()) >= SMALL.stream * OF_MIXES
    assert set(asked) == {"where", "where_thing", "where_before", "is_in", "count_carried", "list_carried"}


def test_a_stream_is_of_simulated_stories():
    published = dataclasses.replace(tasks_of("qa1")[0], name="babi/qa1")
    with pytest.raises(TrainingError, match="those of babi/qa1 cannot be drawn; name sim/qa1 or"):
        DataSet.of([published], dataclasses.replace(SMALL, open_vocabulary=False))
    with pytest.raises(ConfigError, match="set stream too"):
        CausalConfig(phrasing=0.5)
    with pytest.raises(ConfigError, match="choose one"):
        CausalConfig(open_vocabulary=True, permute=True)


@pytest.mark.parametrize("name", PUBLISHED_TASKS)
def test_everyday_words_tell_the_same_stories(name: str):
    """Every published sentence has another; who is asked for, and what proves it, stays."""
    plain = simulate(name, 200, 5)
    told = simulate(name, 200, 5, Dials(phrasing=1.0))
    assert simulate(name, 200, 5, Dials(phrasing=0.0)) == plain
    sentences = [(text, other) for one, new in zip(plain, told, strict=False) for text, other in [(one, new)]]
    assert sum(one != new for one, new in sentences) > 0.9 * len(sentences)
    for story in told:
        assert all(0 <= fact < question.after for question in story.questions for fact in question.supporting_facts)
        assert all(text[0].isupper() and text.endswith(".") and "{" not in text for text in story.statements)
        assert all(question.text.endswith("?") and "{" not in question.text for question in story.questions)


def test_no_phrasing_contradicts_who_has_what(tmp_path: Path):
    """The holder that is asked for took the thing, or was given it, in the statement that proves it."""
    seen = 0
    for story in simulate("qa5", 500, 9, Dials(phrasing=1.0)):
        for question in story.questions:
            if question.text.startswith(("Who has", "Who is holding", "Who is carrying")):
                seen += 1
                assert question.answer in story.statements[question.supporting_facts[0]]
    assert seen > 10
