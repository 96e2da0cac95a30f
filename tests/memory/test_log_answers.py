"""Logs as people keep them, asked whole: which are ranked, what is answered, and how questions are learned from."""

import json
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from memnet.measure.log_training import OF_CANDIDATES, OF_ENTRIES, asked_as, example, parts_of, read_asked, train_entries
from memnet.memory import Entry, Memory
from memnet.memory.entrywise.ranked.answering import SURE, chances_of, ranked
from memnet.memory.entrywise.ranked.lines import Log
from memnet.memory.entrywise.ranked.plain import is_plain
from memnet.memory.entrywise.ranked.relevance import missing_of, words_of
from memnet.memory.values import Held
from memnet.tasks.asked_logs import parse
from tests.memory.asked import take_in

CHATTER = (
    *("tea at {}", "rain again, bucket {} under the leak", "somebody parked across gate {}", "radio {} crackles, never mind"),
    *("visitors: party of {}", "who ate sandwich {}", "lamp {} flickers a bit", "quiet hour, {} cars past"),
)
KEPT = (
    "Petra walked off with the long borescope",
    "borescope back on its hook, thanks",
    "compressor C-9 tripped, no pressure",
    "C-9 running again after Olaf swapped the belt",
    "Olaf has got the borescope in his van",
)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Memory]:
    """A log as people keep it: five lines that tell something among 75 that hardly do."""
    with Memory.open(tmp_path / "memory") as memory:
        told = [CHATTER[at % len(CHATTER)].format(at + 2) for at in range(75)]
        for at, text in enumerate(KEPT):
            told.insert(15 * (at + 1), text)
        memory.add(
            [Entry(text, f"2026-03-{1 + at // 10:02} 08:{at % 10:02}", "log.txt", at + 1) for at, text in enumerate(told)]
        )
        yield memory


def test_a_log_as_people_keep_it_is_ranked(kept: Memory):
    assert not is_plain(kept.long)
    answer = kept.ask("Who has the borescope?")
    assert answer.answerable
    assert answer.text == "Olaf"
    assert answer.unanswerable == 0.0
    assert answer.chance >= SURE
    assert [read.sentence for read in answer.evidence] == [KEPT[4]]


def test_what_is_less_likely_than_asked_for_is_no_answer(kept: Memory):
    asked = asked_as(kept, "Who has the borescope?")
    assert asked is not None
    sentences, question, known = asked
    chance = ranked(sentences, question, question, known, 0.0).chance
    assert ranked(sentences, question, question, known, chance - 0.01).answerable
    assert not ranked(sentences, question, question, known, min(1.0, chance + 0.01)).answerable


def test_a_date_may_leave_few_entries_or_none(kept: Memory):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for since, until in (
            ("2026-03-01", "2026-03-01"),
            ("2026-03-08 08:04", "2026-03-08 08:05"),
            ("2027-01-01", "2027-01-02"),
        ):
            assert kept.ask("Who polished the zeppelin?", since=since, until=until).answerable is False
    for count in (1, 2, 3):
        few = Log.of([Held(at, text) for at, text in enumerate(KEPT[:count])])
        assert np.isfinite(words_of(few, "Who polished the zeppelin?")).all()
        assert np.isfinite(missing_of(few, "Who polished the zeppelin?")).all()


def test_cells_and_what_is_forgotten_make_no_log(kept: Memory, tmp_path: Path):
    plain = Memory.open(tmp_path / "plain")
    plain.add([Entry(f"Ann took pump {at}.", f"2026-03-01 08:{at:02}", "log.txt", at + 1) for at in range(20)])
    (tmp_path / "t.csv").write_text("item,place\n" + "".join(f"drill {at},shed\n" for at in range(60)), encoding="utf-8")
    take_in(plain, tmp_path / "t.csv")
    assert is_plain(plain.long)
    for number in range(30):
        kept.forget(number=number)
    assert is_plain(kept.long)  # fifty are left


def test_questions_are_read_to_learn_from(tmp_path: Path):
    lines = [f"2026-03-{1 + at // 10:02} 08:{at % 10:02} {CHATTER[at % 8].format(at)}" for at in range(70)]
    lines[20], lines[50] = "2026-03-03 08:00 Petra walked off with the borescope", "2026-03-06 08:00 Olaf got the borescope"
    asked = [
        {
            "ask": ["Who has the borescope?", "borescope, who"],
            "kind": "newest",
            "answers": ["Olaf"],
            "says": {"20": "Petra", "50": "Olaf"},
        },
        {"ask": ["Who has the lathe?"], "kind": "untold", "answers": [], "says": {}},
    ]
    every = [*read_asked(parse(json.dumps({"about": "x", "lines": lines, "questions": asked}), "x 1"))]
    assert [(one.question, one.answerable) for one in every] == [
        ("Who has the borescope?", True),
        ("borescope, who", True),
        ("Who has the lathe?", False),
    ]
    assert every[0].telling is not None
    assert {one.line for one, tells in zip(every[0].readings.held, every[0].telling, strict=True) if tells} == {21, 51}
    course = replace(OF_ENTRIES, members=1, epochs=8, batch=1)
    chances = chances_of(train_entries(every * 4, course), every[0].readings.x)
    assert chances[every[0].telling].min() > np.median(chances)
    made_of = example(every[0], chances, OF_CANDIDATES)
    assert made_of.right.any()
    assert made_of.good.any()
    refused = example(every[2], chances_of(train_entries(every, course), every[2].readings.x), OF_CANDIDATES)
    assert refused.right[-1]
    assert not refused.good.any()
    assert parts_of({"a", "b", "c"}, 3) != parts_of({"a", "b"}, 2)
