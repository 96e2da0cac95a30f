"""The answer that entries give together, each read by itself: the newest that tells it, how many do, their sum, every thing.

The newest entry answers as far as it tells what is asked, the next one as far as that did not, and so on: an attention that
reads from the end and stops where it has found (stick-breaking, Sethuraman 1994). What is left over is that nobody tells it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from memnet.ask.answer import Answer, Read, spaced
from memnet.ask.untold import why_untold
from memnet.facts.names import Key, key_of
from memnet.memory.entrywise.candidates import MOST as MOST_READ
from memnet.memory.entrywise.candidates import about, newest
from memnet.memory.entrywise.operations import (
    BEFORE,
    COUNT,
    EVERY,
    FIRST,
    IN_ALL,
    LEAST,
    LISTED,
    MOST,
    SUM,
    Operation,
    operation_of,
)
from memnet.memory.entrywise.reader import COUNTED, NO, NOTHING, TIME, YES, EntryReader, Said
from memnet.memory.sentences import Sentences
from memnet.memory.values import Held

AT_ONCE, LEFT = 16, 0.03  # entries that are read before the next are; what may be left untold when reading stops
TELLS = 0.5  # an entry that is so likely to tell it counts
NUMBER = re.compile(r"(?<![\w-])\d[\d,]*(?:\.\d+)?(?!\d*[-\w]*\d)")  # no part of a code
EVERY_ONE = 500  # entries that are read where all of them count
SHOWN = 5  # entries behind a count or a list
NOBODY = {"who": "nobody", "whom": "nobody", "where": "nowhere"}


class Telling(NamedTuple):
    """An entry with what it says."""

    held: Held
    said: Said


@dataclass
class Belief:
    """What entries say together: the chance of each answer, as people write it, and the entry that says it most."""

    chances: dict[Key, float] = field(default_factory=dict)
    texts: dict[Key, tuple[float, str, Held]] = field(default_factory=dict)
    untold: float = 1.0

    def add(self, telling: Telling) -> None:
        """The next entry, from the newest on."""
        share = self.untold * telling.said.told
        for answer, chance in telling.said.answers:
            text = spaced(telling.held.when or "") if answer == TIME else answer
            key = ("", text) if answer in (YES, NO, NOTHING, COUNTED, TIME) else key_of(text) or (text,)
            self.chances[key] = self.chances.get(key, 0.0) + share * chance
            self.texts[key] = max(self.texts.get(key, (-1.0, "", telling.held)), (share * chance, text, telling.held))
        self.untold *= 1.0 - telling.said.told


def from_entrywise(sentences: Sentences, question: str) -> Answer | None:
    """The answer of entries that are read one by one; None where there are none to read, or it is not asked of them."""
    wanted = operation_of(question)
    if wanted.kind in (LISTED, EVERY):
        return listed(sentences, wanted, question)
    of_all = wanted.kind in (COUNT, SUM, MOST, LEAST)
    found = about(sentences, question, EVERY_ONE if of_all else MOST_READ)
    if not found:
        return None
    if of_all:
        return reckoned([one for one in read(found, wanted.asked) if one.said.told >= TELLS], wanted, question)
    if wanted.kind == BEFORE:
        return earlier([one for one in read(found, wanted.asked) if one.said.told >= TELLS], wanted, question)
    return by_turns(found[::-1] if wanted.kind == FIRST else found, wanted, question)


def read(found: Sequence[Held], question: str) -> list[Telling]:
    """Entries with what each says to a question."""
    return [*map(Telling, found, EntryReader.load().read([one.text for one in found], question))]


def by_turns(found: Sequence[Held], wanted: Operation, question: str) -> Answer:
    """The answer of the first entry that tells it, as far as it does, then of the next."""
    belief = Belief()
    for first in range(0, len(found), AT_ONCE):
        for telling in read(found[first : first + AT_ONCE], wanted.asked):
            belief.add(telling)
        if belief.untold < LEFT:
            break
    if not belief.chances:
        return answered("", 0.0, [], question)
    key = max(belief.chances, key=lambda each: belief.chances[each])
    _, text, held = belief.texts[key]
    return answered(text, belief.chances[key], [held], question)


def answered(text: str, chance: float, evidence: Sequence[Held], question: str) -> Answer:
    """An answer with its chance that it is right and told, and the entries behind it."""
    text = NOBODY.get(question.split()[0].lower(), text) if text == NOTHING else text
    hops = [[Read(place, one.text, 1.0, one.when or "", one.source, one.line)] for place, one in enumerate(evidence, 1)]
    why = "" if text else why_untold(question)
    story = [one.text for one in evidence]
    return Answer(text, chance, [], hops, [0.0] * len(hops), {}, 0, reason=why, question=question, story=story)


def reckoned(told: Sequence[Telling], wanted: Operation, question: str) -> Answer | None:
    """How many entries tell it, their sum, or the greatest or smallest of what they say."""
    if not told:
        return None
    best = [one.said.answers[0] for one in told]
    counted = sum(name == COUNTED for name, _ in best)
    of_things = question.split()[0].lower() in ("which", "who", "whose")  # not of what was measured, but of what
    numbers = [number_in(name, one.held.text, of_things) for one, (name, _) in zip(told, best, strict=True)]
    shown = [one.held for one in told[:SHOWN]]
    sure = min(one.said.told * chance for one, (_, chance) in zip(told, best, strict=True))
    if wanted.kind == COUNT or (wanted.kind == SUM and 2 * counted >= len(told)):
        return answered(str(len(told) if wanted.kind == COUNT else counted), sure, shown, question)
    there = [(number, one.held, name) for number, one, (name, _) in zip(numbers, told, best, strict=True) if number is not None]
    if not there:
        return None
    if wanted.kind == SUM:
        if not IN_ALL.search(question) and len(there) > 1:
            return answered(there[0][2], sure, [there[0][1]], question)
        return answered(in_digits(sum(number for number, _, _ in there)), sure, shown, question)
    _, held, name = (max if wanted.kind == MOST else min)(there, key=lambda one: one[0])
    return answered(name, sure, [held], question)


def number_in(answer: str, entry: str, beside: bool = False) -> float | None:
    """The number in an answer, or the last one ``beside`` it in its entry, of a thing.

    >>> number_in("1,200 L", "Pump 7: 1,200 L"), number_in("2108", "2108: 510011 km", beside=True), number_in("oil", "oil in")
    (1200.0, 510011.0, None)
    """
    found = NUMBER.findall(entry.replace(answer, " ") if beside else answer)
    return float(found[-1].replace(",", "")) if found else None


def in_digits(number: float) -> str:
    """A number as people write it.

    >>> in_digits(12.0), in_digits(0.1 + 0.2)
    ('12', '0.3')
    """
    return f"{round(number, 6):g}" if number != int(number) else str(int(number))


def earlier(told: Sequence[Telling], wanted: Operation, question: str) -> Answer | None:
    """What was so before that: of the answers, newest first, the one after what the question names, or after the newest."""
    stays = list[tuple[str, float, Held]]()
    for one in told:
        name, chance = one.said.answers[0]
        text = spaced(one.held.when or "") if name == TIME else name
        if not stays or key_of(stays[-1][0]) != key_of(text):
            stays.append((text, one.said.told * chance, one.held))
    named = {*key_of(wanted.rest)}
    at = next((place for place, (text, _, _) in enumerate(stays) if {*key_of(text)} <= named), 0)
    if at + 1 >= len(stays):
        return None
    text, chance, held = stays[at + 1]
    return answered(text, min(chance, stays[at][1]), [stays[at][2], held], question)


def listed(sentences: Sentences, wanted: Operation, question: str) -> Answer | None:
    """Every thing that entries say to be so; of a question of now, but those of which a later one says that it is no more."""
    there = dict[Key, tuple[str, float, Held]]()
    for one in reversed(read(newest(sentences), wanted.asked)):
        if one.said.told < TELLS:
            continue
        name, chance = one.said.answers[0]
        if name in (NO, NOTHING):
            if wanted.kind == LISTED:
                told = {*key_of(one.held.text)}
                there = {key: value for key, value in there.items() if not {*key} <= told}
        elif name not in (YES, TIME, COUNTED):
            key = key_of(name)[-1:] if any(map(str.isdigit, name.split()[-1])) else key_of(name)
            there[key] = (name, one.said.told * chance, one.held)
    if not there:
        return None
    chance = 1.0
    for _, each, _ in there.values():
        chance = min(chance, each)
    found = answered(
        ", ".join(name for name, _, _ in there.values()), chance, [held for _, _, held in there.values()][:SHOWN], question
    )
    return found
