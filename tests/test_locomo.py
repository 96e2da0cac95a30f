"""LoCoMo as a measure: how it is read, BM25's printed figures, and what the search that ships finds."""

import pytest

from memnet.measure import locomo
from memnet.measure.lexical import BM25, LexicalIndex
from memnet.measure.search import lessons, plain, results, searched, summary
from memnet.memory.search import Searcher
from memnet.tasks.families.family import NotAtHand
from memnet.tasks.families.locomo import ADVERSARIAL
from memnet.tasks.families.locomo import conversation as read_conversation

WHOLE = {
    "session_2": [{"speaker": "Ann", "dia_id": "D2:1", "text": "I sold the boat.", "blip_caption": "a red boat"}],
    "session_2_date_time": "1:56 pm on 8 May, 2023",
    "session_1": [
        {"speaker": "Ann", "dia_id": "D1:1", "text": "Hello!"},
        {"speaker": "Bo", "dia_id": "D1:2", "text": "I bought a boat in Oslo."},
    ],
    "session_1_date_time": "1 pm on 1 May, 2023",
    "session_1_summary": "They talk.",
    "qa": [
        {"question": "What did Ann sell in May?", "category": 4, "answer": "the boat", "evidence": ["D2:1"]},
        {"question": "Who bought and sold boats?", "category": 1, "answer": "both", "evidence": ["D1:2; D2:01", "D9:9", "D"]},
        {"question": "Where did Ann buy a boat?", "category": 5, "evidence": ["D:1:2"]},
        {"question": "Why?", "category": 3, "answer": "?", "evidence": []},
    ],
}


def test_a_conversation_is_read_in_order_with_odd_names_of_turns():
    found = locomo.searchable(read_conversation("a", WHOLE))
    assert [turn.text for turn in found.turns] == ["Hello!", "I bought a boat in Oslo.", "I sold the boat. a red boat"]
    assert found.plain[2] == 'Ann said, "I sold the boat."'
    assert found.turns[2].when == "1:56 pm on 8 May, 2023"
    assert [question.evidence for question in found.questions] == [(2,), (1, 2), (1,), ()]
    assert found.narrowed(["oslo"]) == [0, 1, 2]
    assert found.narrowed(["oslo"], 1) == [1]
    assert [one.answered for one in lessons(found)] == [True, True, False]  # no word of "Why?" is looked up


def test_shares_are_of_a_questions_evidence():
    questions = read_conversation("a", WHOLE).questions
    found = results(questions, lambda question: ([0, 3, 4, 5, 6, 1], 0.25, question.kind == ADVERSARIAL))
    assert [one.shares for one in found] == [(0.0, 0.0), (0.0, 0.5), (0.0, 1.0)]
    assert [one.refused for one in found] == [False, False, True]


def test_bm25_by_hand_and_by_sqlite_agree_on_the_best():
    texts = ["the old violin", "a violin and a violin", "a lamp"]
    assert BM25(texts).rank("Which violin?", 2) == [1, 0]
    assert sorted(LexicalIndex(texts).rank(["violin", '"'], 3)) == [0, 1]
    assert LexicalIndex(texts).rank(["?"], 3) == []


@pytest.fixture(scope="module")
def conversations() -> list[locomo.Conversation]:
    try:
        return locomo.read(None)
    except NotAtHand as error:
        pytest.skip(f"its licence lets nobody ship it: {error}")


@pytest.mark.slow
def test_bm25_has_its_printed_figures(conversations: list[locomo.Conversation]):
    found = summary([one for each in conversations for one in plain(each)])
    assert found.recall == pytest.approx((46.2, 54.1), abs=0.2)
    assert found.several == pytest.approx((14.3, 21.2), abs=0.6)


@pytest.mark.slow
def test_the_search_that_ships_finds_what_answers(conversations: list[locomo.Conversation]):
    found = summary([one for each in conversations for one in searched(each, Searcher.load())])
    assert found.recall[1] >= 62
    assert found.several[1] >= 35
