"""Questions that give two states to choose from: for "Is the gate open or locked?" each state is asked by itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from memnet.ask.answer import Answer
from memnet.memory.weighing import last_read
from memnet.tasks.text.english import kinds_of_word

CHOICE = re.compile(
    r"^(?P<asked>(?:is|are|was|were)\b.+?)\s+(?P<one>[a-z-]+),?\s+or\s+(?:(?:is|are) (?:it|they|he|she) )?(?P<other>[a-z-]+)"
    r"(?P<rest>\s+(?:now|today|at the moment|right now|at present))?\s*\?*$",
    re.IGNORECASE,
)
OTHERWISE = re.compile(r",|\b(?:or|not|there)\b|n't\b", re.IGNORECASE)  # in a question of three states, or that denies one
STATES = frozenset(("ADJ", "VERB"))


class Choice(NamedTuple):
    """Two states that a question gives, and the question whether it is the first or the second."""

    one: str
    other: str
    asked: tuple[str, str]


def choice_of(question: str) -> Choice | None:
    """The states that a question gives to choose from; None for one that gives names, or none.

    >>> choice_of("Is the yard gate open or locked?").asked
    ('Is the yard gate open?', 'Is the yard gate locked?')
    >>> choice_of("Is it in the shed or the yard?"), choice_of("Is it with Ann or Bo?")
    (None, None)
    """
    found = CHOICE.match(question.strip())
    if found is None or not all(found[name].islower() for name in ("one", "other")) or OTHERWISE.search(found["asked"]):
        return None
    if not all(found[name].endswith("ed") or STATES & {*kinds_of_word(found[name])} for name in ("one", "other")):
        return None
    asked, rest = found["asked"], found["rest"] or ""
    return Choice(found["one"], found["other"], (f"{asked} {found['one']}{rest}?", f"{asked} {found['other']}{rest}?"))


def either(question: str, ask: Callable[[str], Answer]) -> Answer | None:
    """Which of two states is so, by asking whether each is; of two that are said to be so the one that was read of later.

    None where a question gives none, or neither answer says it.
    """
    choice = choice_of(question)
    if choice is None:
        return None
    first, second = map(ask, choice.asked)
    if first.text == second.text == "yes" and last_read(first) != last_read(second):
        later, said = (first, choice.one) if last_read(first) > last_read(second) else (second, choice.other)
        return replace(later, answer=said, parts=(said,), question=question)
    for answer, said, denied in ((first, choice.one, choice.other), (second, choice.other, choice.one)):
        others = second if answer is first else first
        if answer.text == "yes" and others.text != "yes":
            return replace(answer, answer=said, parts=(said,), question=question)
        if answer.text == "no" and not others.answerable:
            return replace(answer, answer=denied, parts=(denied,), question=question)
    return None
