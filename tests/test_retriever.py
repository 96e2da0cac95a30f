"""A retriever learns to tell statements from the sentences of books."""

from pathlib import Path

import pytest
import torch

from memnet.ask.long_memory import RETRIEVER
from memnet.errors import NetworkError, TrainingError
from memnet.models.retriever import POSSESSIVE, SPECIAL, UNKNOWN, Retriever, RetrieverConfig
from memnet.nn.random import Random
from memnet.tasks.simulator import Dials, simulate
from memnet.tasks.simulator import book_lines as lines_of_books
from memnet.training import retrieve
from memnet.training.retrieve import Lesson, most_like_statements, retriever_card, train_retriever

WORDS = ["evening", "candle", "letter", "whisper", "never", "upon", "though", "carriage", "winter", "silence", "answered"]
BOOKS = [f"{' '.join(WORDS[start:] + WORDS[:start])} number {number}" for number in range(20) for start in range(len(WORDS))]


def test_words_that_are_not_known_are_names_or_what_belongs_to_one():
    retriever = Retriever(RetrieverConfig(longest=4), ["went", "to"], Random(0, 1, "weights"))
    assert retriever.numbers(["Priya's aunt went to the zoo.", "To"]).tolist() == [
        [POSSESSIVE, UNKNOWN, SPECIAL, SPECIAL + 1],
        [SPECIAL + 1, -1, -1, -1],
    ]
    known, other = retriever(retriever.numbers(["Priya went to", "Boris went to"])).tolist()
    assert known == other


def test_a_sentence_has_the_same_score_whatever_stands_beside_it():
    retriever = Retriever.load(RETRIEVER)
    told = ["Mary went to the kitchen.", "It was the best of times, it was the worst of times."]
    alone = torch.cat([retriever.scores([one]) for one in told])
    torch.testing.assert_close(retriever.scores(told), alone)
    assert (alone > 0).tolist() == [True, False]
    assert retriever.scores([]).tolist() == []


def test_it_learns_and_comes_back_from_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(retrieve, "QUESTIONS", 4)
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


def test_sentences_of_books_stand_in_half_of_the_stories_and_facts_stay_the_same_sentences():
    stories, books = simulate("qa2", 500, 0, Dials(background=4)), set(lines_of_books())
    found = [sum(one in books for one in story.statements) for story in stories]
    assert max(found) <= 4
    assert 0.3 < sum(map(bool, found)) / len(found) < 0.7
    facts = [story.statements[fact] for story in stories for question in story.questions for fact in question.supporting_facts]
    assert books.isdisjoint(facts)
