"""What a question about a log may mean: the newest entry that tells it, the first, how many there are, their sum, a list.

Each candidate is an answer with the entries that it was read from. An operation makes several, by how likely an entry must be
to count. What is known otherwise, and a refusal, come after them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnet.ask.answer import spaced
from memnet.facts.names import Key, key_of, sought
from memnet.memory.entrywise.amounts import amounts, in_digits, is_amount, of_one_unit
from memnet.memory.entrywise.answers import A_CODE, NOBODY, SPOKEN, in_words
from memnet.memory.entrywise.candidates import has
from memnet.memory.entrywise.operations import BEFORE, COUNT, EVERY, FIRST, LEAST, LISTED, MOST, NEWEST, SUM
from memnet.memory.entrywise.ranked.relevance import Readings
from memnet.memory.entrywise.reader import CLASSES, COUNTED, NO, NOTHING, TIME, YES
from memnet.memory.values import Held
from memnet.memory.wanted import kind_of
from memnet.tasks.text.tokens import split

Array = NDArray[np.float32]
EVER, KNOWN, REFUSAL = "ever", "known", "refusal"  # yes where any entry says so; what facts and stories say; that nothing does
LEVELS = (0.3, 0.5, 0.7)  # how likely an entry must be to count
TURNS, OTHERS = 4, 2  # answers of the newest entry that tells it; of the first, and of what was before
HARDLY = 0.02  # how likely an answer of one entry must be
MOST_PARTS = 40  # of a list


@dataclass(frozen=True)
class Candidate:
    """An answer in parts, and how it came about."""

    parts: tuple[str, ...]
    operation: str
    chance: float  # by the entries that it was read from
    behind: tuple[int, ...] = ()  # places among the readings; the first is that of an answer of one entry
    level: float = 0.5
    rest: float = 0.0  # the probability that no entry tells it


class Entry(NamedTuple):
    """An entry that may tell it: its place among the readings, how likely it is, and its answers."""

    place: int
    chance: float
    answers: tuple[tuple[str, float], ...]
    held: Held
    text: str


def entries_of(readings: Readings, chances: Array) -> list[Entry]:
    """The entries, the newest first."""
    every = zip(chances.tolist(), readings.readings, readings.held, readings.texts, strict=True)
    found = [Entry(at, chance, reading.answers, held, text) for at, (chance, reading, held, text) in enumerate(every)]
    return found[::-1]


def candidates_of(readings: Readings, chances: Array, question: str) -> list[Candidate]:
    """All candidates but what is known and the refusal; the probability of each entry is in ``chances (R,)``."""
    newest = entries_of(readings, chances)
    found = [*by_turns(newest, NEWEST, TURNS), *by_turns(newest[::-1], FIRST, OTHERS), *before(newest, question)]
    for level in LEVELS:
        told = [one for one in newest if one.chance >= level and one.answers]
        if told:
            found += reckoned(told, level, question)
            found += lists(newest, told, level)
    return list(dict.fromkeys(found))


def by_turns(entries: Sequence[Entry], operation: str, most: int) -> Iterator[Candidate]:
    """The likeliest answers of the first entry as far as it tells it, then of the next (stick-breaking, Sethuraman 1994)."""
    total, best, left = dict[tuple[str, ...], float](), dict[tuple[str, ...], tuple[float, str, int]](), 1.0
    for one in entries:
        share = left * one.chance
        for answer, chance in one.answers if share > HARDLY / 10 else ():
            text = in_words(answer, one.held)
            key = (answer,) if answer in CLASSES and answer != TIME else key_of(text) or (text,)
            total[key] = total.get(key, 0.0) + share * chance
            best[key] = max(best.get(key, (-1.0, "", 0)), (share * chance, text, one.place))
        left *= 1.0 - one.chance
    for key in sorted(total, key=lambda each: -total[each])[:most]:
        _, text, place = best[key]
        if text and text != COUNTED and total[key] >= HARDLY:
            yield Candidate((text,), operation, total[key], (place,), rest=left)


def states(entries: Sequence[Entry]) -> list[tuple[str, Entry]]:
    """The answers of entries that likely tell it, without those that say the same as the one before."""
    found = list[tuple[str, Entry]]()
    for one in entries:
        text = in_words(one.answers[0][0], one.held) if one.answers else ""
        if text and text not in CLASSES and (not found or key_of(found[-1][0]) != key_of(text)):
            found.append((text, one))
    return found


def before(newest: Sequence[Entry], question: str) -> Iterator[Candidate]:
    """What was so before the newest answer, and before that which is named behind "before"."""
    told = states([one for one in newest if one.chance >= LEVELS[1]])
    told = [(text, one) for text, one in told if text != SPOKEN[NOTHING]] or told
    named = {*key_of(question.partition(" before ")[2])}
    at = next((place for place, (text, _) in enumerate(told) if key_of(text) and {*key_of(text)} <= named), None)
    for number, place in enumerate(dict.fromkeys(one for one in (at, 0) if one is not None)):
        if place + 1 < len(told):
            text, one = told[place + 1]
            level = 0.0 if number else LEVELS[2]
            chance = one.chance * told[place][1].chance
            yield Candidate((text,), BEFORE, chance, (one.place, told[place][1].place), level)


def reckoned(told: Sequence[Entry], level: float, question: str) -> Iterator[Candidate]:
    """How many entries tell it, the sum of their amounts, the greatest and the smallest of them, what has these, and when."""
    behind = tuple(one.place for one in told)
    counted = [one for one in told if one.answers[0][0] not in (NO, NOTHING)]
    if counted:
        sure = min(one.chance for one in counted)
        yield Candidate((str(len(counted)),), COUNT, sure, behind, level)
        yield Candidate((YES,), EVER, max(one.chance for one in counted), behind, level)
    answers = [(next((a for a, _ in one.answers if a not in CLASSES and amounts(a)), ""), one) for one in told]
    there = [(answer, one) for answer, one in answers if answer]
    of_unit = of_one_unit([(answer, one.text) for answer, one in there], question, False)
    known = [(amount, one) for amount, (_, one) in zip(of_unit, there, strict=True) if amount]
    if known:
        sure = min(one.chance for _, one in known)
        if len(known) > 1:
            total = in_digits(sum(amount.number for amount, _ in known))
            yield Candidate((total,), SUM, sure, tuple(one.place for _, one in known), level)
        for operation, end in ((MOST, max), (LEAST, min)):
            amount, one = end(known, key=lambda each: each[0].number)
            yield Candidate((amount.text,), operation, one.chance, (one.place,), level)
            if one.held.when:
                yield Candidate((spaced(one.held.when),), operation, one.chance, (one.place,), level)
    things = [(next((a for a, _ in one.answers if a not in CLASSES and not is_amount(a)), ""), one) for one in told]
    of_things = [(answer, one) for answer, one in things if answer]
    beside = of_one_unit([(answer, one.text) for answer, one in of_things], question, True)
    named = [(amount, answer, one) for amount, (answer, one) in zip(beside, of_things, strict=True) if amount]
    if len(named) > 1:
        for operation, end in ((MOST, max), (LEAST, min)):
            _, answer, one = end(named, key=lambda each: each[0].number)
            yield Candidate((answer,), operation, one.chance, (one.place,), level)


def lists(newest: Sequence[Entry], told: Sequence[Entry], level: float) -> Iterator[Candidate]:
    """Every thing that entries name, and those of which no later one says that it is no more."""
    every, there = dict[Key, tuple[str, Entry]](), dict[Key, tuple[str, Entry]]()
    for one in reversed(told):
        name = one.answers[0][0]
        if name in (NO, NOTHING):
            words = key_of(one.text)
            there = {key: value for key, value in there.items() if not has(words, key)}
        elif name not in CLASSES and not is_amount(name):
            code = next((word for word in split(name) if A_CODE.fullmatch(word)), name)
            if key := sought(key_of(code)):
                every.setdefault(key, (code, one))
                there[key] = (code, one)
    for operation, some in ((EVERY, every), (LISTED, there)):
        if some and len(some) <= MOST_PARTS:
            names, behind = zip(*some.values(), strict=True)
            yield Candidate(names, operation, min(one.chance for one in behind), tuple(one.place for one in behind), level)


def said(candidate: Candidate, question: str) -> tuple[str, ...]:
    """The parts of an answer, as people say them."""
    nothing = NOBODY.get(kind_of(question), SPOKEN[NOTHING])
    return tuple(nothing if part in (SPOKEN[NOTHING], NOTHING) else SPOKEN.get(part, part) for part in candidate.parts)
