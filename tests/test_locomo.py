"""LoCoMo as a measure: how it is read, BM25's printed figures, and what the search that ships finds."""

import json
import os
import zipfile
from pathlib import Path

import pytest

from memnet.measure import locomo
from memnet.measure.lexical import BM25, LexicalIndex
from memnet.measure.search import lessons, plain, results, searched, summary
from memnet.memory.search import Searcher
from memnet.tasks.files import DataError

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
        {"question": "What did Ann sell in May?", "category": 4, "evidence": ["D2:1"]},
        {"question": "Who bought and sold boats?", "category": 1, "evidence": ["D1:2; D2:01", "D9:9", "D"]},
        {"question": "Where did Ann buy a boat?", "category": 5, "evidence": ["D:1:2"]},
        {"question": "Why?", "category": 3, "evidence": []},
    ],
}


def test_a_conversation_is_read_in_order_with_odd_names_of_turns():
    found = locomo.conversation("a", WHOLE)
    assert [turn.text for turn in found.turns] == ["Hello!", "I bought a boat in Oslo.", "I sold the boat. a red boat"]
    assert found.plain[2] == 'Ann said, "I sold the boat."'
    assert found.turns[2].when == "1:56 pm on 8 May, 2023"
    assert [question.evidence for question in found.questions] == [(2,), (1, 2), (1,), ()]
    assert found.narrowed(["oslo"]) == [0, 1, 2]
    assert found.narrowed(["oslo"], 1) == [1]
    assert [one.answered for one in lessons(found)] == [True, True, False]  # no word of "Why?" is looked up


def test_shares_are_of_a_questions_evidence():
    questions = locomo.conversation("a", WHOLE).questions
    found = results(questions, lambda question: ([0, 3, 4, 5, 6, 1], 0.25, question.kind == 5))
    assert [one.shares for one in found] == [(0.0, 0.0), (0.0, 0.5), (0.0, 1.0)]
    assert [one.refused for one in found] == [False, False, True]


def test_an_archive_of_something_else_is_refused_in_a_sentence(tmp_path: Path):
    with pytest.raises(DataError, match="not LoCoMo's archive"):
        locomo.read(tmp_path / "none.zip")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.json", json.dumps({"qa": [{"question": "?"}]}))
    with pytest.raises(DataError, match="not LoCoMo's archive"):
        locomo.read(tmp_path / "a.zip")


def test_bm25_by_hand_and_by_sqlite_agree_on_the_best():
    texts = ["the old violin", "a violin and a violin", "a lamp"]
    assert BM25(texts).rank("Which violin?", 2) == [1, 0]
    assert sorted(LexicalIndex(texts).rank(["violin", '"'], 3)) == [0, 1]
    assert LexicalIndex(texts).rank(["?"], 3) == []


@pytest.fixture(scope="module")
def conversations() -> list[locomo.Conversation]:
    path = Path(os.environ.get("MEMNET_DATA") or ".") / locomo.FILE
    if not path.exists():
        pytest.skip("LoCoMo is not at hand: set MEMNET_DATA to the folder that holds families/locomo")
    return locomo.read(path)


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
