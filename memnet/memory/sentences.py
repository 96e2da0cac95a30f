"""The sentences of a memory as answers are read from them: in the order of time, put right, things that are many one by one.

The words of a question's names find sentences in the index, and in a book a gate passes over those that say nothing of
whereabouts. Sentences of a story that is given beside the memory come after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, reduce

import numpy as np

from memnet.ask.answer import Answer, Read
from memnet.facts.names import key_of
from memnet.facts.reader import GATE
from memnet.facts.timeline import LAST
from memnet.infer.retriever import Retriever
from memnet.memory.aliases import Rewriting
from memnet.memory.clocks import Clock
from memnet.memory.corrections import Corrections
from memnet.memory.dates import dated
from memnet.memory.entries.tables import is_head_of_table
from memnet.memory.files import NOTE, NOTES, TIMES, mapped
from memnet.memory.hops import forms, written
from memnet.memory.index import FIRST, MORE, phrase
from memnet.memory.long_memory import LongMemory
from memnet.memory.notes import labels
from memnet.memory.several import LIST, OF_PLURALS, Groups, noun_of, spread
from memnet.memory.times import moment, moment_after
from memnet.memory.values import Held
from memnet.tasks.text.english import leans
from memnet.tasks.text.tokens import split

LOOKED_AT = 20_000  # sentences with the words of a name that are looked at, the newest
FEW = 400  # of a book's, that are read though they do not pass the gate
SAMPLED, LITTLE = 200, 0.2  # sentences by which a memory is judged, and the share that must pass the gate to do without it


@cache
def gate() -> Retriever:
    """The gate of the package."""
    return Retriever.load(GATE)


@dataclass
class Sentences:
    """The sentences of a memory and of a story after it, as :class:`~memnet.facts.timeline.Timeline` asks for them.

    Their numbers here are their places in time (:mod:`~memnet.memory.order`): the later one has the greater number.
    ``since`` and ``until``, of ISO 8601, leave out what was said before or after a time, which may be a day, a month or a year;
    what has no time stays, unless a question is of one ``day`` alone.
    """

    memory: LongMemory
    story: Sequence[str] = ()
    since: str | None = None
    until: str | None = None
    day: str | None = None  # which the question names
    clock: Clock | None = None  # and the time of day
    aliases: tuple[Rewriting, ...] = ()  # how things with two names are read
    held: dict[int, Held] = field(default_factory=dict)  # those that were found, by their numbers
    read: dict[int, Held] = field(default_factory=dict)  # those of the memory that were looked at
    as_told: dict[str, str] = field(default_factory=dict)  # what was put right, by how it is read
    doubtful: set[int] = field(default_factory=set)  # those of a book that do not pass the gate
    groups: dict[str, Groups] = field(default_factory=dict)  # the numbered things of a noun
    collective: dict[str, dict[int, str]] = field(default_factory=dict)  # of a noun: how "both pumps" is read, by places

    def __post_init__(self) -> None:
        extent = self.memory.extent()
        self.told, self.order = extent.sentences, self.memory.order(extent)
        self.corrections = Corrections.of(self.memory, extent)
        self.kept = self.memory.kept_places()
        self.later = [Held(at, self.noted(text, self.one_by_one(at, text))) for at, text in enumerate(self.story, self.told)]

    def find(self, words: Sequence[str], newest: int, first: int = 0, last: int = LAST) -> list[Held]:
        """From ``first`` to ``last`` the newest sentences that hold all the words; of many those that pass the gate."""
        story = [one for one in self.later if first <= one.number <= last and set(words) <= set(key_of(one.text))]
        found = [*self.in_memory(words, newest, first, last), *story]
        self.held.update((one.number, one) for one in found)
        return found

    def in_memory(self, words: Sequence[str], newest: int, first: int, last: int) -> list[Held]:
        """The same of the memory alone."""
        numbers, looked_at = list[int](), 0
        for part in self.newest_first(self.query_of(words), min(last + 1, self.told)) if words else ():
            named = part[part >= first].tolist()
            numbers += self.likely(named, looked_at) if self.gated else named
            looked_at += len(part)
            sure = [number for number in numbers if number not in self.doubtful]
            if len(sure) >= newest or looked_at >= LOOKED_AT or len(named) < len(part):
                break
        chosen = {*sorted(number for number in numbers if number not in self.doubtful)[-newest:]}
        found = sorted(number for number in numbers if number in self.doubtful or number in chosen)
        if self.corrections.changed:
            right = self.with_corrected(self.order.number(one) for one in found)
            found = [one for one in map(self.order.place, right) if first <= one <= last]
        found = sorted({*found, *(one for one in self.naming_all(words) if first <= one <= last)})
        self.fetch([*found, *(self.beside(number) for number in found)])
        return [self.read[number] for number in found if number in self.read and self.is_in_time(self.read[number])]

    def newest_first(self, query: str, below: int) -> Iterator[np.ndarray]:
        """The sentences of the memory ``below`` a place that match a query of FTS5, newest first, some at a time."""
        if not self.told:
            return
        if self.order.numbers is None:
            yield from self.memory.index.newest_first(query, below=below)
            return
        every = [self.order.places_of(part) for part in self.memory.index.newest_first(query, below=self.told)]
        found = np.sort(np.concatenate([np.zeros(0, np.int64), *every]))[::-1]
        found, size = found[found < below], FIRST
        while len(found):
            yield found[:size]
            found, size = found[size:], size * MORE

    def fetch(self, numbers: Iterable[int]) -> None:
        """Read sentences of the memory, all at once, but for those that were read before, and those that are struck."""
        new = self.order.numbers_of(sorted({one for one in numbers if 0 <= one < self.told} - self.read.keys()))
        live = new[self.memory.files.marks.alive(new)].tolist()
        self.read.update((one.number, one) for one in self.in_time(self.memory.held(live)))

    def in_time(self, held: Iterable[Held]) -> list[Held]:
        """Sentences of the memory with their places in time, ascending."""
        found = list[Held]()
        for one in held:
            place, right = self.order.place(one.number), self.corrections.corrected(one).text
            text = self.noted(one.text, self.one_by_one(place, right), self.corrections.told.get(one.number))
            if right and not is_head_of_table(right):
                found.append(one._replace(number=place, text=text))
        return sorted(found)

    def one_by_one(self, place: int, text: str) -> str:
        """A sentence at a place in which numbered things that it names together are named one by one."""
        text = next((read[place] for read in self.collective.values() if place in read), None) or spread(text)
        return reduce(lambda told, alias: alias.read(told), self.aliases, text)

    def query_of(self, words: Sequence[str]) -> str:
        """A query for sentences with all the words of a key, also where they name a thing by its other name."""
        others = (other for alias in self.aliases for other in alias.of_the_others(words))
        return " OR ".join(f"({query_of(one)})" for one in (words, *others))

    def noted(self, text: str, read: str, told: str | None = None) -> str:
        """A text as it is read, whose own words are kept for the evidence, or what is ``told`` of its correction."""
        if read != text:
            self.as_told[read] = told or text
        return read

    def naming_all(self, key: Sequence[str]) -> list[int]:
        """The sentences that name a numbered thing with others of its kind: "both pumps", "all pumps"; their places."""
        noun = noun_of(key)
        if not noun or not self.told:
            return []
        if noun not in self.collective:
            self.collective[noun] = self.read_together(noun)
        read = self.collective[noun].items()
        return [place for place, text in read if key[-1] in map(str.casefold, self.numbered(noun).one.findall(text))]

    def read_together(self, noun: str) -> dict[int, str]:
        """How the sentences with "both pumps", "all pumps" and the like are read, by their places."""
        many = sorted(forms(noun) - {noun})
        every = " OR ".join(phrase(f"{word} {form}") for form in many for word in OF_PLURALS)
        every += "".join(f" OR {phrase(f'{word} {noun}')}" for word in ("every", "each"))
        several = {*next(self.newest_first(every, self.told), np.zeros(0, np.int64)).tolist()}
        ranges = self.with_ranges(many)
        if not several | ranges:
            return {}
        told = self.in_time(self.memory.held(self.order.numbers_of(sorted(several | ranges)).tolist()))
        read = {one.number: self.numbered(noun).read(one.text, one.number) for one in told}
        found = {one.number: read[one.number] for one in told if read[one.number] != one.text or one.number in ranges}
        self.read = {place: one for place, one in self.read.items() if place not in found}
        return found

    def with_ranges(self, plurals: Iterable[str]) -> set[int]:
        """The newest sentences with a plural and a range of numbers, "sensors 31 to 34"; their places."""
        named = self.newest_first(" OR ".join(map(phrase, plurals)), self.told)
        places = next(named, np.zeros(0, np.int64)).tolist()
        texts = self.memory.files.texts(self.order.numbers_of(places).tolist())
        return {place for place, text in zip(places, texts, strict=True) if (found := LIST.search(text)) and found["first"]}

    def numbered(self, noun: str) -> Groups:
        """The numbered things of a noun."""
        if noun not in self.groups:
            places = self.named_by(noun.split(), LOOKED_AT // 4) if self.told else []
            told = self.in_time(self.memory.held(self.order.numbers_of(places).tolist()))
            self.groups[noun] = Groups(noun, ((one.number, one.text) for one in [*told, *self.later]))
        return self.groups[noun]

    def as_it_was_told(self, answer: Answer) -> Answer:
        """The answer with the sentences that it read as they stood before a correction."""
        if not self.as_told:
            return answer

        def told(reads: Iterable[Read]) -> list[Read]:
            return [read._replace(sentence=self.as_told.get(read.sentence, read.sentence)) for read in reads]

        hops, story = [told(hop) for hop in answer.hops], [self.as_told.get(text, text) for text in answer.story]
        superseded, contradicting = told(answer.superseded), told(answer.contradicting)
        return replace(answer, hops=hops, story=story, superseded=superseded, contradicting=contradicting)

    def with_corrected(self, numbers: Iterable[int]) -> list[int]:
        """Sentences of the memory by their numbers, and those that some of them put right; ascending."""
        found = {*numbers}
        return sorted(found | {self.corrections.changed[one] for one in found if one in self.corrections.changed})

    def beside(self, number: int) -> int:
        """Where in time the next sentence stands that was added after this one."""
        return self.order.place(self.added_beside(number, 1))

    def added_beside(self, number: int, step: int) -> int:
        """The sentence that was added after this one, or before it, with a step of -1; not one that only puts others right."""
        added = self.order.number(number) + step
        while self.corrections.texts.get(added) == "":
            added += step
        return added

    def likely(self, numbers: list[int], before: int) -> list[int]:
        """Of sentences in a book those that pass the gate; the first few all, which are doubtful where they do not pass."""
        passed = self.passed(numbers)
        few = numbers[: max(0, FEW - before)]
        self.doubtful.update({*few} - {*passed})
        return [*few, *(number for number in passed if number not in self.doubtful and number not in few)]

    @cached_property
    def gated(self) -> bool:
        """Whether little of the memory says anything of whereabouts, as in a book: then only what passes the gate is read."""
        some = np.linspace(0, self.told - 1, min(SAMPLED, self.told)).astype(np.int64)
        live = self.order.places_of(some[self.memory.files.marks.alive(some)]).tolist()
        return len(self.passed(live)) < LITTLE * len(live)

    def crowded(self, names: Iterable[str]) -> bool:
        """Whether so many sentences of a book have one of these names that some are statements of another."""
        return self.gated and any(self.memory.index.is_in_more(query_of([name]), FEW) for name in sorted(names))

    def passed(self, numbers: list[int]) -> list[int]:
        """Those of the sentences that pass the gate."""
        texts = self.memory.files.texts(self.order.numbers_of(numbers).tolist())
        opened = gate().scores([unquoted(text) for text in texts]) > 0
        return [number for number, is_open in zip(numbers, opened.tolist(), strict=True) if is_open]

    def holding(self, words: Sequence[str]) -> list[Held]:
        """Sentences that hold all the words, ascending, whatever they say."""
        asked = {word.lower() for word in words}
        told = self.memory.held(self.with_corrected(self.memory.index.find(words, LOOKED_AT))) if self.told else []
        story = [one for one in self.later if asked <= {word.lower() for word in split(one.text)}]
        return [*filter(self.is_in_time, self.in_time(told)), *story]

    def naming(self, key: Sequence[str], most: int) -> list[Held]:
        """The newest sentences that hold all words of a key in one of their forms, ascending, whatever they say."""
        right = (one for one in {*self.corrections.changed.values()} if {*key} <= {*key_of(self.corrections.texts[one])})
        found = [*self.named_by(key, most), *self.naming_all(key), *map(self.order.place, right if key else ())]
        told = self.in_time(self.memory.held(self.with_corrected(self.order.numbers_of(found).tolist())))
        story = [one for one in self.later if {*key} <= {*key_of(one.text)}]
        return [*filter(self.is_in_time, told), *story]

    def named_by(self, key: Sequence[str], most: int) -> list[int]:
        """The places of the newest sentences that hold all words of a key in one of their forms, newest first."""
        found = list[int]()
        for part in self.newest_first(self.query_of(key), self.told) if key else ():
            found += part.tolist()
            if len(found) >= most:
                break
        return found[:most]

    def saying(self, part: str) -> list[Held]:
        """Sentences that have these words side by side, ascending; of the story those that have all of them."""
        places = [int(one) for some in self.newest_first(phrase(part), self.told) for one in some]
        told = self.in_time(self.memory.held(self.order.numbers_of(places[:LOOKED_AT]).tolist()))
        asked = {word.lower() for word in split(part)}
        return [*filter(self.is_in_time, told), *(one for one in self.later if asked <= {*map(str.lower, split(one.text))})]

    def is_in_time(self, one: Held) -> bool:
        """Whether it was said between the times that are asked for."""
        of_day = self.day is not None and self.since is not None
        if self.clock is not None and not self.clock.holds(one.when):
            return False
        if one.when is None or (at := moment(one.when)) is None:
            return not of_day
        if of_day and (named := dated(one.text, at.date())) is not None and named.day:
            return named.day == self.day
        first, end = moment(self.since or ""), moment_after(self.until or "")
        return (first is None or at >= first) and (end is None or at < end)

    def of_its_day(self) -> Sentences:
        """The same of the day alone that the question names, for readers that know of no states."""
        if self.day is None or self.since:
            return self
        return Sentences(self.memory, self.story, self.day, self.until, self.day, aliases=self.aliases)

    def numbers_in_time(self) -> np.ndarray:
        """The numbers of the sentences of the memory whose times are between those that are asked for, ascending."""
        extent, folder = self.memory.extent(), self.memory.folder
        found = [place for place, when in labels(folder, TIMES, extent.times) if self.is_in_time(Held(0, "", when))]
        numbers: np.ndarray = np.flatnonzero(np.isin(mapped(folder / NOTES, NOTE, extent.sentences)["when"], found))
        return numbers

    def following(self, number: int) -> Held | None:
        """The sentence after this one, or the next statement, if it speaks of somebody that was named before."""
        added = self.added_beside(number, 1)
        if added >= self.told:
            place = added - self.told
            return self.later[place] if place < len(self.later) else None
        after = int(np.searchsorted(self.kept, added, "left"))
        for next_one in dict.fromkeys([added, *self.kept[after : after + 1].tolist()]):
            if (found := self.one(self.order.place(next_one))) is not None and leans(found.text):
                return found
        return None

    def preceding(self, number: int) -> Held | None:
        """The sentence before this one, or the statement before it, where that speaks of somebody, too."""
        if number > self.told:
            return self.later[number - 1 - self.told]
        added = self.order.number(number)
        before = int(np.searchsorted(self.kept, added, "left"))
        prior = int(self.kept[before - 1]) if before else self.added_beside(number, -1)
        return self.one(self.order.place(prior)) if prior >= 0 else None

    def newest(self, most: int) -> list[Held]:
        """The last statements that were said in time, ascending."""
        places = range(max(self.told - most, 0), self.told)
        self.fetch(places)
        held = [self.read[place] for place in places if place in self.read and self.is_in_time(self.read[place])]
        found = [*held, *self.later][-most:]
        self.held.update((one.number, one) for one in found)
        return found

    def one(self, number: int) -> Held | None:
        """A sentence by its number, if it is not struck and was said in time."""
        self.fetch([number])
        found = self.read.get(number)
        if found is None or not self.is_in_time(found):
            return None
        self.held[number] = found
        return found

    def holds(self, words: Sequence[str]) -> bool:
        """Whether any sentence holds all the words."""
        if not words or any(set(words) <= set(key_of(one.text)) for one in self.later):
            return True
        return any(len(part) for part in self.memory.index.newest_first(self.query_of(words), 1)) if self.told else False


def query_of(words: Sequence[str]) -> str:
    """A query for sentences with all the words of a key, each in one of its forms."""
    return " AND ".join(f"({' OR '.join(map(phrase, sorted(written(word))))})" for word in words)


def unquoted(text: str) -> str:
    """A sentence without quotation marks."""
    return text.strip().strip("\"'“”‘’«»").replace('"', "").replace("“", "").replace("”", "")
