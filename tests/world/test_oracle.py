"""Every answer again, by a slow oracle that replays what each statement says."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from memnet.tasks.text.tokens import join
from memnet.tasks.world import MIXES, Dials, Question, Story, draw
from memnet.tasks.world.forms import plural
from tests.world.oracle import Replay
from tests.world.scanned import text

CHECKED = frozenset(name for name in dir(Replay) if not name.startswith("_"))


def seen(story: Story, question: Question) -> list[Any]:
    """The records that were told when a question was asked; one that was corrected later counts as told."""
    return [record for record in story.records if record.statement < question.after]


def expected(story: Story, question: Question) -> Any:
    name, *arguments = question.query
    if name not in CHECKED:
        return None
    return getattr(Replay(seen(story, question)), str(name))(*arguments)


def agrees(story: Story, question: Question, answer: Any) -> bool:
    given = question.answer
    if given.kind in ("yes", "no", "maybe", "untold", "nothing"):
        return bool(answer == given.kind)
    if given.kind == "number" and isinstance(answer, int):
        return answer == given.number
    names = {text(one).lower() if not isinstance(one, str) else one.lower() for one in answer}
    told = {join(story.statements[at].words[first:last]).lower() for at, first, last in given.spans}
    mine = {"i": {"i", "me", "my", "mine"}, "we": {"we", "us", "our", "ours"}}
    for word, forms in mine.items():
        if word in names and told & forms:
            told = (told - forms) | {word}
    return len(told) == len(names) and all(any(name in span or plural(name) in span for span in told) for name in names)


@pytest.mark.parametrize("mix", ["", "T7", "T12", "qa3", "qa7", "qa14", "qa16", "qa17", "qa18"])
def test_the_oracle_finds_the_same_answers(mix: str):
    random = Random(11)
    wrong, checked = [], Counter[str]()
    for _ in range(1200 if not mix else 60):
        story = draw(random, MIXES[mix] if mix else Dials(corrections=0))
        for question in story.questions:
            answer = expected(story, question)
            if answer is None:
                continue
            checked[str(question.query[0])] += 1
            if not agrees(story, question, answer):
                wrong.append(
                    (question.text, question.answer.text, answer, [s.text for s in story.statements[: question.after]])
                )
    assert not wrong, f"{len(wrong)} of {sum(checked.values())}: {wrong[:3]}"
    assert checked
