"""A retriever learns to tell statements from the sentences of books."""

import json
from pathlib import Path
from random import Random as Draw

import pytest
import torch

from memnet.errors import NetworkError, TrainingError
from memnet.infer.retriever import CAPITAL, MORE, POSSESSIVE, SPECIAL, UNKNOWN, RetrieverConfig
from memnet.memory.long_memory import RETRIEVER
from memnet.models.retriever import Retriever
from memnet.nn.random import Random
from memnet.tasks.simulator import BackgroundLines, Dials, simulate
from memnet.tasks.simulator import book_lines as lines_of_books
from memnet.tasks.text import words
from memnet.training import retrieve
from memnet.training.retrieve import Lesson, most_like_statements, retriever_card, train_retriever

WORDS = ["evening", "candle", "letter", "whisper", "never", "upon", "though", "carriage", "winter", "silence", "answered"]
TURNED = [" ".join(WORDS[start:] + WORDS[:start]) for start in range(len(WORDS))]
BOOKS = [f"The {one} Kitty number {number}" for number in range(20) for one in TURNED]


def knowing(*known: str, **settings: int) -> Retriever:
    """One that has learned nothing."""
    return Retriever(RetrieverConfig(**settings), known, Random(0, 1, "weights"))


def test_words_that_are_not_known_are_names_or_what_belongs_to_one_and_marks_are_words():
    retriever = knowing("went", "to", "?", longest=5)
    went, to, mark = range(SPECIAL, SPECIAL + 3)
    assert retriever.numbers(["Priya's aunt went, to it?", "To.", "Mary went to the zoo today"]).tolist() == [
        [POSSESSIVE, UNKNOWN, went, to, MORE],
        [to, -1, -1, -1, -1],
        [CAPITAL, went, to, UNKNOWN, MORE],
    ]
    assert retriever.numbers(["went to?"]).tolist() == [[went, to, mark, -1, -1]]
    first, second = retriever(retriever.numbers(["Priya went to", "Boris went to"])).tolist()
    assert first == second


def test_the_order_of_words_counts_beyond_their_places():
    retriever = knowing("went", "to")
    with torch.no_grad():
        retriever.masks.fill_(1.0)
    one, other = retriever(retriever.numbers(["Mary went to", "to Mary went"])).tolist()
    assert one != other
    with torch.no_grad():
        retriever.follow.zero_()
    one, other = retriever(retriever.numbers(["Mary went to", "to Mary went"])).tolist()
    assert one == pytest.approx(other, abs=1e-5)


TOLD = [
    (0, "Kitty went to the brig."),  # 0: leads nowhere
    (10, "Mary took the milk."),  # 1
    (20, "John went to the office."),  # 2
    (30, "Mary went to the office."),  # 3
    (31, "She went to the park."),  # 4: next to 3
    (50, "Then he went to the barn."),  # 5: goes on
    (60, "He went to the quay."),  # 6: nobody knows who
    (70, "Rose went to the brig."),  # 7
]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Where is the milk?", [1, 2, 3, 4, 5]),  # milk, then Mary and who is where she is, with what goes on
        ("Where is Kitty?", [0, 7]),
        ("Where is the park?", [1, 2, 3, 4, 5]),  # "she" opens the sentence before it
        ("Where is the quay?", [6]),
        ("Where is Bob?", list(range(8))),  # nobody told of him: all
    ],
)
def test_a_question_leads_to_what_shares_names_hop_by_hop(question: str, found: list[int]):
    retriever = knowing("where", "is", "the", "went", "to", "took", "she", "he", "then")
    assert retriever.related(question, TOLD) == found
    assert retriever.related(question, []) == []


def test_where_more_is_found_than_is_read_the_newest_of_the_last_hop_stay():
    retriever = knowing("where", "is", "the", "went", "to", keep=3)
    told = [(place, f"Mary went to the {room}.") for place, room in enumerate(("hall", "attic", "barn", "quay"))]
    assert retriever.related("Where is Mary?", told) == [1, 2, 3]
    assert retriever.related("Where is the hall?", told) == [0, 2, 3]
    assert retriever.related("Where is Bob?", told) == [1, 2, 3]


@pytest.mark.parametrize(
    "told", [["Mice are afraid of wolves.", "Rose is a mouse."], ["The cat's bowl is big.", "Rose has a cat"]]
)
def test_plurals_and_owners_are_the_same_names(told: list[str]):
    retriever = knowing("are", "afraid", "of", "is", "a", "the", "big", "has", "what")
    assert retriever.related("What is Rose?", list(enumerate(told))) == [0, 1]


def test_a_sentence_has_the_same_score_whatever_stands_beside_it():
    retriever = Retriever.load(RETRIEVER)
    told = ["Mary went to the kitchen.", "It was the best of times, it was the worst of times."]
    alone = torch.cat([retriever.scores([one]) for one in told])
    torch.testing.assert_close(retriever.scores(told), alone)
    assert (alone > 0).tolist() == [True, False]
    assert retriever.scores([]).tolist() == []


def test_it_learns_and_comes_back_from_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(retrieve, "QUESTIONS", 4)
    monkeypatch.setattr(retrieve, "STATEMENTS", 50)
    monkeypatch.setattr(retrieve, "CONFUSING", 50)
    with pytest.raises(TrainingError, match="too few different words"):
        train_retriever(BOOKS, Lesson(), RetrieverConfig())
    monkeypatch.setattr(retrieve, "GRAMMAR", 3)
    lesson, seen = Lesson(steps=200, batch=64, known=10), list[int]()
    retriever = train_retriever(BOOKS, lesson, RetrieverConfig(), lambda step, loss: seen.append(step))
    assert seen == [100, 200]
    told = [one for story in simulate("qa1", 20, 5) for one in story.statements]
    assert (retriever.scores(told) > 0).float().mean() > 0.9
    assert (retriever.scores(BOOKS) > 0).float().mean() < 0.1
    retriever.save(tmp_path, retriever_card(lesson, len(BOOKS)), {"steps": lesson.steps})
    torch.testing.assert_close(Retriever.load(tmp_path).scores(told), retriever.scores(told))
    scores = retriever.scores(BOOKS)
    assert {BOOKS[int(place)] for place in scores.topk(3).indices} == set(most_like_statements(retriever, BOOKS, 3))


@pytest.mark.parametrize("text", ["{}", "[]", "no", '{"format": 1, "model": "memn2n"}', '{"format": 1, "model": "retriever"}'])
def test_a_folder_without_a_retriever_is_one_sentence(tmp_path: Path, text: str):
    (tmp_path / "config.json").write_text(text)
    with pytest.raises(NetworkError, match="no retriever"):
        Retriever.load(tmp_path)


@pytest.mark.parametrize("setting", ["dim", "hidden", "longest", "keep"])
@pytest.mark.parametrize("value", [0, -1, 10**12, 1.5, "many", None, True])
def test_sizes_that_cannot_be_are_one_sentence(tmp_path: Path, setting: str, value: object):
    knowing("to").save(tmp_path, "", {})
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {setting: value}))
    with pytest.raises(NetworkError, match=setting):
        Retriever.load(tmp_path)


def test_sentences_of_books_stand_in_half_of_the_stories_and_facts_stay_the_same_sentences():
    stories, books = simulate("qa2", 500, 0, Dials(background=4)), set(lines_of_books())
    found = [sum(one in books for one in story.statements) for story in stories]
    assert max(found) <= 4
    assert 0.3 < sum(map(bool, found)) / len(found) < 0.7
    facts = [story.statements[fact] for story in stories for question in story.questions for fact in question.supporting_facts]
    assert books.isdisjoint(facts)


def test_lines_beside_a_story_are_of_books_with_its_names_or_in_its_words():
    statements = ["Mary went to the kitchen.", "John took the milk."]
    beside, books = BackgroundLines(Draw(0), statements), set(lines_of_books())
    lines = [beside() for _ in range(2000)]
    plain = [line for line in lines if line in books]
    confusing = [line for line in lines if any(told.rstrip(".").split(" ", 1)[1] in line for told in statements)]
    named = [line for line in lines if line not in books and line not in confusing]
    assert len(confusing) / len(lines) == pytest.approx(0.15, abs=0.03)
    assert len(named) / (len(named) + len(plain)) == pytest.approx(0.3, abs=0.05)
    assert all({"mary", "john", "kitchen", "milk"} & set(words(line)) for line in named)
    assert not set(statements) & set(lines)
    assert BackgroundLines(Draw(0), [])() in books
