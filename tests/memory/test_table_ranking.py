"""What queries of tables are made of, and that a scorer learns from answers alone which of them is meant."""

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from memnet.measure.query_training import LITTLE, Course, Drawn, Example, decided, of_features, save, score, train
from memnet.memory.tables.ranked.amounts import bound_at, holds, number_at
from memnet.memory.tables.ranked.answering import SURE, SURE_OF_DEEDS, agree, least_of
from memnet.memory.tables.ranked.asked import Asked
from memnet.memory.tables.ranked.candidates import denies
from memnet.memory.tables.ranked.condition import BOUND, CUT, DAY, EMPTY, IS_NOT, MEANT
from memnet.memory.tables.ranked.conditions import conditions, of_meaning, sorts_of
from memnet.memory.tables.ranked.days import days
from memnet.memory.tables.ranked.features import AT, FEATURES
from memnet.memory.tables.ranked.linking import is_short
from memnet.memory.tables.ranked.matching import ANY, Matcher
from memnet.memory.tables.ranked.pairs import bits_of
from memnet.memory.tables.ranked.queries import Meant, sets_of
from memnet.memory.tables.ranked.scorer import Scorer
from memnet.memory.tables.ranked.untold import untold
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.wording import Question
from tests.memory.asked import table_of

PLAYERS = """Name,Pos,Born,Goals,Club,Paid,Left on
Ann Lund,GK,1999-05-03,0,Rovers,yes,
Bo Ek,FW,2001-06-12,14,Rovers,no,2024-02-01
Cy Dahl,FW,2003-05-06,9,United,yes,
Di Holm,DF,2000-01-30,2,United,no,2023-11-15
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return table_of(PLAYERS, tmp_path_factory.mktemp("players"))


@pytest.mark.parametrize(
    ("question", "kind", "column", "rows"),
    [
        ("Which goalkeepers do we have?", CUT, "Pos", {0}),
        ("Who scored more than 5 goals?", BOUND, "Goals", {1, 2}),
        ("who has 9 goals or more", BOUND, "Goals", {1, 2}),
        ("Who was born in May 2003?", DAY, "Born", {2}),
        ("Who was born before 2001?", DAY, "Born", {0, 3}),
        ("Who was born in 2001 or later?", DAY, "Born", {1, 2}),
        ("Who has not paid?", IS_NOT, "Paid", {1, 3}),
        ("Who has no date when they left?", EMPTY, "Left on", {0, 2}),
    ],
)
def test_words_are_conditions(table: Table, question: str, kind: str, column: str, rows: set[int]):
    found = conditions(Asked(table, Question.of(question)))
    assert rows in [{*one.rows} for one in found if one.kind == kind and one.column.name == column]


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("5 cows", (5, 1)),
        ("twenty five cows", (25, 2)),
        ("five hundred dollars", (500, 2)),
        ("45 grand", (45_000, 2)),
        ("a million people", (1_000_000, 2)),
        ("half a dozen eggs", (6, 3)),
        ("third floor", (3, 1)),
        ("22nd row", (22, 1)),
        ("fifty-five cows", (55, 1)),
        ("two thousand five hundred pounds", (2500, 4)),
        ("one hundred and fifty", (150, 4)),
        ("10k or more", (10_000, 1)),
        ("two grand pianos", (2, 1)),
        ("45 grand or more", (45_000, 2)),
        ("two and three", (2, 1)),
        ("5th of May", None),
        ("a cow", None),
        ("half past", None),
    ],
)
def test_numbers_in_letters_by_hand(said: str, number: tuple[float, int] | None):
    assert number_at(Question.of(said), 0) == number


def test_bounds_by_hand():
    assert bound_at(("more", "than", "3"), 2, 3) == (">", {0, 1})
    assert bound_at(("at", "least", "£", "3"), 3, 4) == (">=", {0, 1, 2})
    assert bound_at(("3", "or", "fewer"), 0, 1) == ("<=", {1, 2})
    assert bound_at(("two", "hundred", "or", "fewer"), 0, 2) == ("<=", {2, 3})
    assert bound_at(("stronger", "than", "3"), 2, 3) == (">", {0, 1})
    assert bound_at(("room", "3"), 1, 2) == ("", set())
    assert [holds(3, sign, 3) for sign in (">", ">=", "<", "<=", "")] == [False, True, False, True, True]


def test_two_days_of_one_month():
    assert [(day.month, day.day) for day in days(Question.of("Who leaves on the 5th or 6 May?"))] == [(5, 6), (5, 5)]


def test_a_cell_may_be_a_word_cut_short():
    assert is_short("GK", "goalkeepers")
    assert not is_short("GK", "keeper")
    assert not is_short("Rovers", "rover")


def test_no_two_conditions_of_a_set_read_one_word(table: Table):
    asked = Asked(table, Question.of("Which FW of Rovers born in 2001 scored more than 5 goals and has not paid?"))
    every = sets_of(asked, conditions(asked))
    assert any(not one.conditions for one in every)
    for one in every:
        assert one.mask.bit_count() == sum(len(each.places) for each in one.conditions)
        assert all(0 <= row < len(table) for row in one.rows)
    assert (1,) in [one.rows for one in every if len(one.conditions) == 4]


def test_questions_that_a_table_does_not_answer_speak_of_none_of_its_columns(table: Table):
    questions = [*untold(table, Random(3), 20)]
    assert len(questions) == 20
    headers = {word for column in table.columns for word in column.words}
    assert all(headers.isdisjoint(one.low) for one in questions)


def test_bits_are_counted():
    assert bits_of(np.array([0, 1, 255, 2**59 + 2], np.uint64)).tolist() == [0, 1, 8, 2]


def test_the_likeliest_answer_is_that_of_all_queries_that_have_it():
    probability = np.array([0.3, 0.25, 0.25, 0.1, 0.1], np.float32)
    best, sure = decided(probability, np.array([1, 2, 2, 0, 0]))  # the last is the refusal, 0 no answer
    assert best == 2
    assert sure == pytest.approx(0.5 / 0.9)


def test_a_scorer_learns_from_answers_which_query_is_meant(tmp_path: Path):
    random, some = np.random.default_rng(0), []
    for number in range(60):
        x = random.normal(size=(8, len(FEATURES))).astype(np.float32) * 0.01
        right = np.zeros(8, bool)
        place = 7 if number % 5 == 0 else number % 7  # every fifth is to be refused
        right[place] = True
        x[:7, AT["label"]], x[7, AT["refuse"]], x[7, AT["unlinked names"]] = 0, 1, number % 5 == 0
        x[place, AT["label"]] = place < 7
        answer = np.array([1, 2, 3, 4, 5, 6, 7, 0])
        some.append(Example("t", "q", x, right, right.copy(), answer, place < 7, 1.0))
    scorer = train(some, Course(members=2, hidden=8, epochs=60, batch=8, dropout=0.0))
    assert score(scorer, some, 0.4)[0] >= 57
    save(scorer, tmp_path / "scorer.safetensors")
    again = Scorer.load(tmp_path / "scorer.safetensors")
    assert again.probabilities(some[0].x) == pytest.approx(scorer.probabilities(some[0].x), abs=0.02)


def test_cells_of_places_and_people_are_meant_by_their_names_alone():
    def column(name: str, *cells: str) -> Column:
        return Column(1, name, cells)

    assert sorts_of(column("Result", "S", "US", "S", "WD", "US", "S")) == ["S", "US", "WD"]
    assert sorts_of(column("Place", "attic", "cellar", "attic", "cellar", "attic")) == []
    assert sorts_of(column("Returned", "2024-03-01", "", "2024-03-02")) == ["", ANY]
    assert sorts_of(column("Item", "saw", "vice", "drill")) == []  # each row has another


def test_a_cell_is_meant_by_what_the_matcher_reads(table: Table, monkeypatch: pytest.MonkeyPatch):
    """The cell that the matcher finds likeliest is a condition, of the words that it read; a "not" among these denies it."""

    class Stub:
        def meant(self, questions: np.ndarray, cells: list[tuple[Column, str]]) -> tuple[np.ndarray, np.ndarray]:
            match = np.array([[9.0 if (column.name, cell) == ("Pos", "FW") else 0.0 for column, cell in cells]])
            weights = np.zeros((1, len(cells), questions.shape[1]))
            weights[:, :, -2:] = 0.5
            return match, weights

    few = Column(1, "Pos", ("FW", "DF", "FW", "DF"))
    monkeypatch.setattr(Matcher, "load", lambda: Stub())
    asked = Asked(replace(table, columns=(few,)), Question.of("those that nobody stops"))
    found = [*of_meaning(asked, frozenset())]
    assert [(one.kind, one.column.name, {*one.rows}, {*one.places}) for one in found] == [(MEANT, "Pos", {0, 2}, {2, 3})]
    assert denies(Meant(tuple(found), (0, 2), 0), asked.low)
    assert not denies(Meant(tuple(found), (0, 2), 0), ("those", "that", "everybody", "stops"))


def test_drawn_queries_stand_for_all():
    """Of ten wrong queries four are drawn, each of which stands for ten fourths; right ones stand for themselves."""
    right = np.array([True] + [False] * 10 + [True])
    one = Example("t", "q", np.zeros((12, len(FEATURES)), np.float32), right, right, np.zeros(12, np.int64), True, 1.0)
    drawn = Drawn.of(one, 4, np.random.default_rng(0))
    assert drawn.right.tolist() == [True, True, False, False, False, False]
    assert np.exp(drawn.stands_for).tolist() == pytest.approx([1, 1, 2.5, 2.5, 2.5, 2.5])
    assert len(Drawn.of(one, 99, np.random.default_rng(0)).x) == 12


def test_means_and_deviations_are_of_all_queries():
    x = np.random.default_rng(1).normal(size=(9, len(FEATURES))).astype(np.float32)
    no, none = np.zeros(9, bool), np.zeros(9, np.int64)
    some = [Example("t", "q", x[one], no[one], no[one], none[one], True, 1.0) for one in (slice(4), slice(4, 9))]
    mean, scale = of_features(some)
    assert mean.numpy() == pytest.approx(x.mean(0), abs=1e-5)
    assert scale.numpy() == pytest.approx(x.std(0) + LITTLE, abs=1e-5)


def test_how_sure_an_answer_must_be():
    def least(question: str, **features: float) -> float:
        x = np.zeros(len(FEATURES), np.float32)
        for name, value in features.items():
            x[AT[name.replace("_", " ")]] = value
        return least_of(x, Question.of(question))

    assert least("Where is Ann?", left_others=1) == SURE
    assert least("Who has the pump?") == SURE
    assert least("Who painted the pump?", left_others=1) == SURE_OF_DEEDS
    assert least("How many items went to the attic?", left_others=1) == SURE_OF_DEEDS
    assert least("Where is it?", left_names=2) == SURE_OF_DEEDS  # "the one in Elm Street"


def test_an_answer_that_says_more_is_the_same():
    assert agree(("iris: 3.90", "fern: 5.50"), ("3.90", "5.50"))
    assert agree(("1984-04-14",), ("1984",))
    assert not agree(("1",), ("14",))
    assert not agree(("Ann",), ("Ann", "Bo"))
