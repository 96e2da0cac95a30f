"""The answer of entries that are read one by one: the newest relevant one, how many there are, their sum, every thing.

The newest entry answers as far as it is relevant, the next one as far as that was not, and so on: the weights of attention are
made by stick-breaking from the end (Sethuraman 1994). What is left over is the probability that there is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from memnet.ask.answer import Answer, Read, spaced
from memnet.ask.untold import why_untold
from memnet.facts.meant import without_thanks
from memnet.facts.names import Key, key_of, sought
from memnet.memory.aliases import coded_of
from memnet.memory.entrywise.amounts import in_digits, is_amount, of_one_unit, unit_asked
from memnet.memory.entrywise.candidates import MOST as MOST_READ
from memnet.memory.entrywise.candidates import about, has, newest, with_names
from memnet.memory.entrywise.operations import (
    BEFORE,
    COUNT,
    EVERY,
    FIRST,
    IN_ALL,
    LEAST,
    LISTED,
    MOST,
    NEWEST,
    SUM,
    Operation,
    noun_listed,
    operation_of,
)
from memnet.memory.entrywise.reader import CLASSES, COUNTED, NO, NOTHING, TIME, YES, EntryReader, EntryReading, without_labels
from memnet.memory.entrywise.suiting import Suiting, is_of_the_kind
from memnet.memory.sentences import Sentences
from memnet.memory.values import Held
from memnet.memory.wanted import PERSON, PLACE, kind_of
from memnet.memory.wanted import TIME as WHEN
from memnet.tasks.text.tokens import split

A_CODE = re.compile(r"(?=.*\d)[A-Z]+[\w-]*")
RELEVANT = 0.5  # the relevance from which on an entry counts
EVERY_ONE = 500  # entries that are read where all of them count; where there are more, nothing is answered
OF_COUNT = 0.9  # the same of entries that are counted or added up
OF_LIST = 0.8  # the same of things that are listed, for which the whole log is read
SHOWN = 5  # entries behind a count or a list
SPOKEN = {YES: "yes", NO: "no", NOTHING: "nothing"}
NOBODY = {PERSON: "nobody", PLACE: "nowhere"}


class ReadEntry(NamedTuple):
    """An entry with its reading."""

    held: Held
    reading: EntryReading

    @property
    def best(self) -> tuple[str, float]:
        """Its likeliest answer, and the probability that it is relevant and this is its answer."""
        answer, chance = self.reading.answers[0]
        return answer, self.reading.relevance * chance


@dataclass
class Belief:
    """The probability of each answer over all entries, the entry that supports it most, and that there is no answer."""

    chances: dict[Key, float] = field(default_factory=dict)
    sources: dict[Key, tuple[float, str, Held]] = field(default_factory=dict)
    untold: float = 1.0

    def add(self, entry: ReadEntry) -> None:
        """The next entry, from the newest on."""
        share = self.untold * entry.reading.relevance
        for answer, chance in entry.reading.answers:
            text = in_words(answer, entry.held)
            key = (answer,) if answer in CLASSES and answer != TIME else key_of(text) or (text,)
            self.chances[key] = self.chances.get(key, 0.0) + share * chance
            self.sources[key] = max(self.sources.get(key, (-1.0, "", entry.held)), (share * chance, text, entry.held))
        self.untold *= 1.0 - entry.reading.relevance


def in_words(answer: str, held: Held) -> str:
    """What an entry says, as people say it; a time is that of the entry."""
    return spaced(held.when or "") if answer == TIME else SPOKEN.get(answer, answer)


def from_entrywise(sentences: Sentences, question: str, after: tuple[str, int] | None = None) -> Answer | None:
    """The answer of entries that are read one by one; None where there are none to read, or more than can be.

    Where an answer is known that was read from an entry of this time and line, None where nothing ``after`` it is relevant.
    """
    wanted = operation_of(question)
    if after is not None:
        found = about(sentences, question) if wanted.kind == NEWEST else []
        later = [one for one in found if (one.when or "", one.line or 0) > after]
        return by_turns(found, wanted.asked, question) if later and relevant(later, wanted.asked) else None
    if wanted.kind in (LISTED, EVERY):
        every = newest(sentences)
        return listed(by_codes(sentences, with_names(every, question) if wanted.kind == EVERY else every), wanted, question)
    of_all = wanted.kind in (COUNT, SUM, MOST, LEAST, FIRST)
    found = about(sentences, question, EVERY_ONE + 1 if of_all else MOST_READ)
    if not found or (of_all and len(found) > EVERY_ONE):
        return None
    found = with_names(found, wanted.asked)
    if wanted.kind in (COUNT, SUM, MOST, LEAST):
        of_a_time = bool(sentences.since or sentences.until)
        return reckoned(relevant(found, wanted.asked), wanted, question, of_a_time)
    if wanted.kind == BEFORE:
        return earlier(relevant(found, wanted.asked), wanted, question)
    return by_turns(found[::-1] if wanted.kind == FIRST else found, wanted.asked, question)


def read(found: Sequence[Held], question: str, listed: bool = False) -> list[ReadEntry]:
    """Entries with their readings, of answers of the kind that is asked for; of things that are to be ``listed`` any."""
    texts = without_labels([without_thanks(one.text) for one in found])
    suiting = Suiting.of(question, texts, listed)
    return [*map(ReadEntry, found, map(suiting.suited, texts, EntryReader.load().read(texts, question)))]


def relevant(found: Sequence[Held], question: str, listed: bool = False) -> list[ReadEntry]:
    """The entries that answer a question."""
    return [
        one
        for one in read(found, question, listed)
        if one.reading.relevance >= RELEVANT and (one.best[0] != TIME or one.held.when)
    ]


def by_turns(found: Sequence[Held], asked: str, question: str) -> Answer:
    """The answer of the first entry as far as it is relevant, then of the next."""
    belief = Belief()
    for one in read(found, asked):
        belief.add(one)
    key = max(belief.chances, key=lambda each: belief.chances[each], default=())
    if not key or not belief.sources[key][1]:
        return answered([], 0.0, [], question)
    _, text, held = belief.sources[key]
    return answered([text], belief.chances[key], [held], question, belief.untold)


def answered(texts: Sequence[str], chance: float, read_from: Sequence[Held], question: str, untold: float = 0.0) -> Answer:
    """An answer of some parts: the probability that it is right, that there is none, and the entries that support it."""
    nothing = NOBODY.get(kind_of(question), SPOKEN[NOTHING])
    parts = tuple(nothing if text == SPOKEN[NOTHING] else text for text in texts)
    story = sorted({*read_from})
    place = {one.number: at for at, one in enumerate(story, 1)}
    hops = [[Read(place[one.number], one.text, 1.0, one.when or "", one.source, one.line)] for one in read_from]
    return Answer(
        ",".join(parts),
        min(1.0, chance / max(1.0 - untold, 1e-9)),
        [],
        hops,
        [0.0] * len(hops),
        {},
        0,
        unanswerable=untold if parts else 1.0,
        reason="" if parts else why_untold(question),
        question=question,
        story=[one.text for one in story],
        parts=parts,
    )


def reckoned(found: Sequence[ReadEntry], wanted: Operation, question: str, of_a_time: bool = False) -> Answer | None:
    """How many entries are relevant, the sum of their amounts, or the greatest or smallest of them.

    Amounts are added up where the question asks for all of them or for those ``of_a_time``; else the newest one is given.
    """
    found = [one for one in found if one.best[0] not in (YES, NO, NOTHING)]
    if wanted.kind in (COUNT, SUM):
        found = [one for one in found if one.reading.relevance >= OF_COUNT]
    if not found:
        return None
    counted = sum(one.best[0] == COUNTED for one in found)
    sure, shown = min(one.best[1] for one in found), [one.held for one in found[:SHOWN]]
    if wanted.kind == COUNT or (wanted.kind == SUM and 2 * counted >= len(found) and not unit_asked(question)):
        return answered([str(len(found) if wanted.kind == COUNT else counted)], sure, shown, question)
    of_things = kind_of(question) == PERSON or split(question)[0].lower() == "which"  # not of what was measured, but of what
    told = [one for one in found if one.best[0] not in CLASSES or not of_things]
    answers = [("" if one.best[0] in CLASSES else one.best[0], one.held.text) for one in told]
    there = [(amount, one) for amount, one in zip(of_one_unit(answers, question, of_things), told, strict=True) if amount]
    if not there:
        return None
    if wanted.kind == SUM:
        if not (of_a_time or IN_ALL.search(question)):
            return answered([there[0][0].text], sure, [there[0][1].held], question)
        return answered([in_digits(sum(amount.number for amount, _ in there))], sure, shown, question)
    amount, best = (max if wanted.kind == MOST else min)(there, key=lambda one: one[0].number)
    text = spaced(best.held.when or "") if kind_of(question) == WHEN else best.best[0] if of_things else amount.text
    return answered([text], sure, [best.held], question)


def earlier(found: Sequence[ReadEntry], wanted: Operation, question: str) -> Answer | None:
    """What was so before: of the answers, newest first, the one after what stands behind "before", or after the newest.

    None where a name stands there that is none of the answers.
    """
    stays = list[tuple[str, float, Held]]()
    for one in found:
        text = in_words(one.best[0], one.held)
        if not stays or key_of(stays[-1][0]) != key_of(text):
            stays.append((text, one.best[1], one.held))
    named = {*key_of(wanted.rest)}
    at = next((place for place, (text, _, _) in enumerate(stays) if key_of(text) and {*key_of(text)} <= named), None)
    if at is None and any(word[:1].isupper() or word[:1].isdigit() for word in split(wanted.rest)):
        return None
    at = at or 0
    if at + 1 >= len(stays):
        return None
    text, chance, held = stays[at + 1]
    return answered([text], min(chance, stays[at][1]), [stays[at][2], held], question)


def by_codes(sentences: Sentences, found: Sequence[Held]) -> list[Held]:
    """Entries in which things with several names have their codes, so that each is one thing."""
    coded = coded_of(sentences.memory)
    return [one._replace(text=sentences.noted(one.text, coded.read(one.text))) for one in found]


def listed(found: Sequence[Held], wanted: Operation, question: str) -> Answer | None:
    """Every thing that entries say to be so; of a question of now, but those of which a later one says that it is no more."""
    there = dict[Key, tuple[str, float, Held]]()
    noun = noun_listed([word.lower() for word in split(question)])
    for one in reversed(relevant(found, wanted.asked, listed=True)):
        name, chance = one.best
        if name in (NO, NOTHING) and wanted.kind == LISTED:
            words = key_of(one.held.text)
            there = {key: value for key, value in there.items() if not has(words, key)}
        elif name not in CLASSES and not is_amount(name) and one.reading.relevance >= OF_LIST and is_of_the_kind(name, noun):
            code = next((word for word in split(name) if A_CODE.fullmatch(word)), name)
            if key := sought(key_of(code)):
                there[key] = (code, chance, one.held)
    if not there:
        return None
    names, chances, behind = zip(*there.values(), strict=True)
    return answered(names, min(chances), behind[:SHOWN], question)
