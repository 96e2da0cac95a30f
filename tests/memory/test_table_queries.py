"""Questions about tables in other words than their headers and cells have: conditions, a column, what is made of the rows."""

from copy import copy
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memnet.memory import Memory
from memnet.memory.answering import ask_memory
from memnet.memory.memory import network_of_tasks
from memnet.memory.tables.ranked.answering import SURE_OF_STRICT, ranked
from memnet.memory.tables.ranked.candidates import Candidates
from memnet.memory.tables.ranked.features import AT, FEATURES
from memnet.memory.tables.ranked.naming import label_of
from memnet.memory.tables.ranked.scorer import Scorer, score
from memnet.memory.tables.said import Said
from memnet.memory.tables.stored import tables_of
from memnet.memory.tables.wording import Question
from tests.memory.asked import says, take_in

TOOLS = """Part no,Item,Machine,Bin,Qty,Unit price,Vendor,Lead time,Last ordered,Critical,Remarks
PX11,Fan belt,Dryer,C4,12,£8.50,Harrow Supplies,6 weeks,2024-03-02,no,
PX12,Heater coil,Dryer,C4,0,£140.00,Harrow Supplies,5 days,2023-11-20,yes,reconditioned
PX13,Door seal,Oven,D1,3,£22.00,Lindt & Sons,2 weeks,2024-05-11,yes,
PX14,Feed pump,Boiler,D2,1,£310.00,Lindt & Sons,6 weeks,2022-07-30,yes,fits the old frame only
PX15,Sight glass,Boiler,A1,40,£4.75,Okafor Glass,3 days,2024-01-15,no,
"""
LOANS = """Tag,Item,Section,Make,Bought,Value,Kept in,Out to,Due back,Insured
T1,violin 1,strings,Gewa,2019-04-01,£270,Rack B,Yasmin Farouk,2025-07-18,yes
T2,violin 2,strings,Hofner,2014-08-09,£345,Rack B,,,no
T3,tuba,brass,Besson,2009-01-30,£1900,Stage store,Omar Reyes,2025-06-01,yes
T4,cello 1,strings,Hofner,2016-10-12,£820,Stage store,,,yes
"""

UNSURE = pytest.mark.xfail(strict=True, reason="39 % likely, and an answer needs 50")


@pytest.fixture(scope="module")
def memories(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Memory]:
    found = dict[str, Memory]()
    for name, text in (("tools", TOOLS), ("loans", LOANS)):
        folder: Path = tmp_path_factory.mktemp(name)
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
        found[name] = Memory.open(folder / "memory")
        take_in(found[name], folder / f"{name}.csv")
    return found


@pytest.mark.parametrize(
    ("table", "question", "right"),
    [
        ("tools", "How much is a new feed pump?", "£310.00"),
        ("tools", "how many fan belts have we got left", "12"),
        ("tools", "Whereabouts is the sight glass kept?", "A1"),
        ("tools", "how long does a heater coil take to come", "5 days"),
        ("tools", "When did we last buy a door seal?", "2024-05-11"),
        ("tools", "what's in D2?", "Feed pump"),
        ("tools", "Which part is PX13?", "Door seal"),
        ("tools", "What have we run out of?", "Heater coil"),
        pytest.param("tools", "what stuff comes from harrow?", "Fan belt and Heater coil", marks=UNSURE),
        ("tools", "which items come from Harrow Supplies?", "Fan belt and Heater coil"),
        ("tools", "What is the second dearest part?", "Heater coil"),
        ("tools", "what percentage of the parts are critical", "60 %"),
        ("tools", "How many parts come with a six week wait?", "2"),
        ("tools", "what's the most expensive thing we have", "Feed pump"),
        ("loans", "What brand is the tuba?", "Besson"),
        ("loans", "when's the tuba supposed to come back to us?", "2025-06-01"),
        ("loans", "what has Yasmin Farouk borrowed?", "violin 1"),
        ("loans", "is violin 2 covered by the insurance?", "no"),
        ("loans", "Which strings has nobody borrowed?", "violin 2 and cello 1"),
        ("loans", "which violin have we had the longest?", "violin 2"),
        ("loans", "Which violin was bought first?", "violin 2"),
        ("loans", "total value of the strings please", "£1435"),
        ("loans", "how much more is the tuba worth than cello 1", "£1080"),
    ],
)
def test_what_is_asked_in_other_words_is_answered(memories: dict[str, Memory], table: str, question: str, right: str):
    says(memories[table].ask(question), right)


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("tools", "Who painted the feed pump?"),
        ("tools", "What does the sight glass weigh?"),
        ("tools", "How much is the olive press?"),
        ("loans", "What colour is the tuba?"),
        ("loans", "What's Omar Reyes's phone number?"),
        ("loans", "When was the harp bought?"),
    ],
)
def test_what_no_column_or_cell_has_is_refused(memories: dict[str, Memory], table: str, question: str):
    assert not memories[table].ask(question).answerable


def test_rows_are_called_by_names_and_not_by_codes(memories: dict[str, Memory]):
    labels = {name: label_of(tables_of(memory.long)[0]).name for name, memory in memories.items()}
    assert labels == {"tools": "Item", "loans": "Item"}


def test_the_evidence_are_the_sentences_of_the_cells(memories: dict[str, Memory]):
    answer = memories["tools"].ask("Whereabouts is the sight glass kept?")
    assert [read.sentence for read in answer.evidence] == ["The bin of PX15 is A1."]


def test_an_answer_that_is_less_sure_than_is_asked_for_is_refused(memories: dict[str, Memory]):
    question = "Whereabouts is the sight glass kept?"
    careful = copy(network_of_tasks())
    careful.sure = 0.9999
    assert ask_memory(memories["tools"].long, network_of_tasks(), question).answer == "A1"
    refused = ask_memory(memories["tools"].long, careful, question)
    assert not refused.answerable
    assert refused.answer == "A1"


SMALL = "who what when where which how much many is are the of in on or not no most last first over than more total left may"
WORDS = [*SMALL.split(), "tuba", "strings", "violin", "£300", "2014", "5", "Monday", "Yasmin", "borrowed", "cost", "'s", ","]


@given(st.lists(st.sampled_from(WORDS), max_size=9))
def test_any_words_are_read_without_a_fault(memories: dict[str, Memory], words: list[str]):
    (table,) = tables_of(memories["loans"].long)
    question = Question.of(" ".join(words))
    found = ranked(table, question, Said.of(table, question).told) if question.tokens else None
    if found is not None:
        assert found.sure >= SURE_OF_STRICT or not found.told.parts
        assert all(found.told.parts)
        assert found.told.parts or found.told.reason


def test_every_candidate_is_a_query_and_the_last_two_are_the_strict_reading_and_a_refusal(memories: dict[str, Memory]):
    (table,) = tables_of(memories["loans"].long)
    question = Question.of("Which strings has nobody borrowed?")
    every = Candidates.of(table, question, Said.of(table, question).told)
    assert every.x.shape[1] == len(FEATURES)
    assert len(every) == len(every.meant) * len(every.heads) + 2
    assert every.x[-2, AT["strict"]] == every.x[-1, AT["refuse"]] == 1
    assert not every.told(len(every) - 1).parts
    assert any(every.told(at).parts == ("violin 2", "cello 1") for at in range(len(every) - 2))


def test_probabilities_are_a_softmax_of_scores_by_hand():
    member = {
        "mean": np.zeros(2, np.float32),
        "scale": np.ones(2, np.float32),
        "first.weight": np.array([[1, -1]], np.float32),
        "first.bias": np.zeros(1, np.float32),
        "second.weight": np.array([[2]], np.float32),
        "second.bias": np.array([-1], np.float32),
        "last.weight": np.array([[3]], np.float32),
        "last.bias": np.array([0.5], np.float32),
        "straight.weight": np.array([[0, 1]], np.float32),
    }
    x = np.array([[1, 0], [0, 1]], np.float32)
    assert score(member, x).tolist() == [3.5, 1.5]  # 3 relu(2 relu(1) - 1) + 0.5 and 0.5 + 1
    expected = np.exp([3.5, 1.5]) / np.exp([3.5, 1.5]).sum()
    assert Scorer([member]).probabilities(x) == pytest.approx(expected)
    assert Scorer(
        [member, {**member, "last.weight": np.zeros((1, 1), np.float32), "straight.weight": np.zeros((1, 2), np.float32)}]
    ).probabilities(x) == pytest.approx((expected + 0.5) / 2)
