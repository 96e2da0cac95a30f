"""Logs with the answers of each line: how they are read, and the lines that are drawn to learn from."""

import json
from random import Random

import pytest

from memnet.tasks.world.answered_logs import AnsweredLog, LogError, answer, answered_logs, draw_line, parse
from memnet.tasks.world.event_books import NOT_TOLD

LOG = {
    "about": "a yard",
    "lines": ["Marsh borrowed the meter", "meter back in the crib", "Ade and Lou lifted Kestrel", "tea is up"],
    "questions": [
        {"ask": "Who's got the meter?", "says": {"0": "Marsh", "1": "nothing"}, "more": ["whose hands is the meter in"]},
        {"ask": "Who lifted Kestrel?", "says": {"2": ["Ade", "Lou"]}},
        {"ask": "When did Kestrel come out?", "says": {"2": "@time"}},
        {"ask": "Who owns Kestrel?", "says": {}},
    ],
}


def read(log: dict[str, object]) -> AnsweredLog:
    (found,) = parse(json.dumps(log), "yards")
    return found


def test_a_log_is_read_with_what_each_line_tells():
    log = read(LOG)
    assert (log.about, log.file, log.asks[0]) == ("a yard", "yards", ("Who's got the meter?", "whose hands is the meter in"))
    assert [{line: (one.kind, one.spans) for line, one in says.items()} for says in log.says] == [
        {0: ("span", ((0, 0, 1),)), 1: ("nothing", ())},
        {2: ("span", ((0, 0, 1), (0, 2, 3)))},
        {2: ("maybe", ())},
        {},
    ]
    assert log.told == [[0], [0], [1, 2], []]
    assert log.telling == [0, 1, 2]
    assert log.near == [[], [], [3], []]


@pytest.mark.parametrize(
    ("says", "message"),
    [
        ({"0": "Ann"}, "line 1: .*'Ann' is not in 'Marsh borrowed the meter'"),
        ({"9": "yes"}, "line 1: expected a log with lines and questions"),
        ({"x": "yes"}, "line 1: "),
        ({"-1": "yes"}, "line 1: .*below 0"),
        ({"0": []}, "line 1: .*no answer from 'Marsh borrowed the meter'"),
    ],
)
def test_what_is_no_log_is_named(says: dict[str, str], message: str):
    with pytest.raises(LogError, match=message):
        read({**LOG, "questions": [{"ask": "Who?", "says": says}]})


def test_a_count_and_a_time_are_classes():
    assert answer("@count", "x").number == 1
    assert answer("@time", "x").kind == "maybe"
    assert answer("no", "there is no x").kind == "no"


def test_a_line_is_drawn_with_questions_that_it_tells_and_others():
    log, told, untold = read(LOG), 0, 0
    for seed in range(50):
        story = draw_line(Random(seed), [log])
        line = log.lines.index(story.statements[0].text)
        for question in story.questions:
            asks = [at for at, wordings in enumerate(log.asks) if question.text.lower() in map(str.lower, wordings)]
            assert question.answer == log.says[asks[0]].get(line, NOT_TOLD)
            assert question.evidence == (() if question.answer is NOT_TOLD else (0,))
            told, untold = told + bool(question.evidence), untold + (not question.evidence)
        assert len({question.text for question in story.questions}) == len(story.questions)
    assert told > 40
    assert untold > 20


def test_the_lexicon_has_logs_that_tell_most_of_their_questions():
    logs = answered_logs()
    assert len(logs) >= 24
    for log in logs:
        assert sum(map(bool, log.says)) > 0.8 * len(log.asks), log.about
        long = len(log.lines) > 500  # drawn by programs, with a quarter of lines that nobody asks about
        assert len(log.telling) > (0.3 if long else 0.5) * len(log.lines), log.about
