"""Where somebody or something was, and who had it, in order: hops over the facts of a memory, each asked with what was found.

    find("milk")   ->  Ann took the milk; Ann handed the milk to Bob        hop 1: who has it
    find("Bob")    ->  Bob went to the kitchen; Bob went to the garden      hop 2: where they were, then and since

A fact is a key and a value: whom or what it is about, and the place or the holder. A hop reads the newest fact of one key, by
rules; a holder that is read is the key of the next hop (Miller et al. 2016, key-value memories).
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

from memnet.facts.kinds import Fact
from memnet.facts.meant import as_meant
from memnet.facts.names import OTHER, SAME, Key, is_called_less, key_of, keys_of, match, may_be_called_less, sought
from memnet.facts.pronouns import resolve
from memnet.facts.reader import FactReader
from memnet.tasks.text.english import leans, of_class

MOST_READ, FEW_READ = 400, 40  # sentences of one key, the newest
MOST_CONCLUDED = 16  # times that where somebody is may be concluded from what they took or were given, for one question
LOOKED_INTO = 5  # of the newest events of a thing: whether the place that it came to is one, or somebody who has it
DEEPEST = 4  # hops from a thing to what has it, to what that is in
MOVERS = {"go": ("who", "company"), "carry": ("who", "company"), "leave": ("who", "company")}
PLACED = ("at", "put", "carry")
MOVED = {"put": "what", "at": "what", "go": "who"}  # who or what is moved
HOLDS = {"take": ("who",), "has": ("who",), "drop": ("who",), "give": ("who", "receiver")}  # who had or has something
HOME = of_class("us we")  # who gets a thing back, of whom a log is
UNSURE, DOUBTFUL = 0.45, 0.9  # facts less likely are passed over, the second in sentences that are doubtful


class Held(Protocol):
    """A sentence of a memory, by its number in it."""

    @property
    def number(self) -> int:
        """Its place in the order of telling."""

    @property
    def text(self) -> str:
        """The sentence."""


class Source(Protocol):
    """What a memory offers: the sentences that hold words, those beside them, and which look like no statements."""

    @property
    def doubtful(self) -> Container[int]:
        """The numbers of sentences whose facts must be surer than others."""

    def find(self, words: Sequence[str], newest: int, first: int, last: int) -> Sequence[Held]:
        """Of the sentences from number ``first`` to ``last`` those that hold all the words, the newest so many, ascending."""

    def following(self, number: int) -> Held | None:
        """The next statement, if it speaks of somebody that was named before."""

    def preceding(self, number: int) -> Held | None:
        """The statement before."""

    def newest(self, most: int) -> Sequence[Held]:
        """The last statements, so many, ascending."""


class Event(NamedTuple):
    """A fact with the sentence that says it; ``part`` is which of its facts."""

    number: int
    part: int
    fact: Fact
    text: str

    @property
    def when(self) -> tuple[int, int]:
        """Its place in the order of the story."""
        return self.number, self.part

    def says(self, role: str, key: Key) -> int:
        """How well a role's words match a key."""
        return max((match(key, one) for one in keys_of(self.fact.text(role))), default=OTHER)


class Stay(NamedTuple):
    """Somewhere from some event on; ``place`` is empty where that is not known. ``by`` are the events that say so.

    Where it is not known, it is one of ``options``, where there are any, and in none of ``never``.
    """

    place: str
    when: tuple[int, int]
    by: tuple[Event, ...]
    options: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


class Holding(NamedTuple):
    """Somebody has something from an event on; nobody where ``holder`` is empty."""

    holder: str
    event: Event


LAST = 1 << 62
END = (LAST, 0)


@dataclass
class Timeline:
    """The facts of a memory, read as they are asked for."""

    source: Source
    reader: FactReader
    facts: dict[int, tuple[Fact, ...]] = field(default_factory=dict)  # of every sentence that was read, by its number
    known: dict[tuple[Key, int, int, int], list[Event]] = field(default_factory=dict)  # of every key that was asked for
    conclusions: int = MOST_CONCLUDED
    of_times: bool = False  # whether time goes by between sentences, as in a log, and not in one scene

    def read(self, held: Sequence[Held]) -> None:
        """Read the facts of sentences that were not read yet, all at once."""
        new = [one for one in held if one.number not in self.facts]
        for one, found in zip(new, self.reader.facts([one.text for one in new]), strict=True):
            least = DOUBTFUL if one.number in self.source.doubtful else UNSURE
            self.facts[one.number] = tuple(fact for fact in found if fact.probability >= least)

    def events(self, key: Key, newest: int = MOST_READ, first: int = 0, last: int = LAST) -> list[Event]:
        """The facts in which a key plays a role, ascending; those that match it whole, where some do.

        Of the sentences from number ``first`` to ``last``, the ``newest`` so many that name it.
        """
        asked = key, newest, first, last
        if asked not in self.known:
            self.known[asked] = self.found(*asked)
        return self.known[asked]

    def found(self, key: Key, newest: int, first: int, last: int) -> list[Event]:
        """The same, from the sentences; of a log, those too that call it by its last word alone, "the scanner"."""
        words = sought(key)
        before = self.source.find(words, 1, 0, first - 1) if first else ()  # a pronoun in what is asked for may mean it
        told = [*before, *self.source.find(words, newest, first, last)]
        loosely = self.of_times and may_be_called_less(key)
        if loosely and len(more := self.source.find(key[-1:], newest, first, last)) < newest:
            told += more
        found: list[tuple[int, Event]] = []
        named: list[Fact] = []
        meant = True  # whether who named it last with more than its last word meant this one
        for one in self.with_neighbours(told):
            facts = [resolve(as_meant(fact, one.text), named) for fact in self.facts[one.number]]
            named = [*facts, *named][:4] if facts else named
            for part, fact in enumerate(facts):
                event = Event(one.number, part, fact, one.text)
                best = max((event.says(role, key) for role in fact.roles if role != "time"), default=OTHER)
                if loosely:
                    less, meant = called(key, fact, meant)
                    best = SAME if less and meant else best
                if best and first <= event.number <= last:
                    found.append((best, event))
        best = max((how for how, _ in found), default=OTHER)
        return [event for how, event in found if how == best]

    def with_neighbours(self, told: Sequence[Held]) -> list[Held]:
        """Sentences with those beside them whose pronouns may speak of the same, read and in order."""
        held = {one.number: one for one in told}
        for one in list(held.values()):
            after = self.source.following(one.number)
            while after is not None and after.number not in held and leans(after.text):
                held[after.number] = after
                after = self.source.following(after.number)
            while leans(one.text) and (prior := self.source.preceding(one.number)) is not None and prior.number not in held:
                held[prior.number] = one = prior
        ordered = [held[number] for number in sorted(held)]
        self.read(ordered)
        return ordered

    def newest(self, most: int) -> list[Fact]:
        """What the last statements say, so many, ascending."""
        held = self.source.newest(most)
        self.read(held)
        return [as_meant(fact, one.text) for one in held for fact in self.facts[one.number]]

    # ---- where

    def stays(self, key: Key) -> list[Stay]:
        """Where somebody or something was, one place after another."""
        return self.stays_of(key, self.events(key), END, 0)

    def last_stay(self, key: Key, until: tuple[int, int] = END, depth: int = 0) -> Stay | None:
        """The last of them before some event, from as few sentences as tell it."""
        for newest in (FEW_READ, MOST_READ):
            events = [event for event in self.events(key, newest, 0, until[0]) if event.when < until]
            if found := self.stays_of(key, events, until, depth):
                return found[-1]
        return None

    def stays_of(self, key: Key, events: Sequence[Event], until: tuple[int, int], depth: int) -> list[Stay]:
        """Where events say that a key was."""
        found: list[Stay] = []
        holder: Holding | None = None
        for number, told in enumerate(events):
            event = put_down(key, told, holder)
            upto = events[number + 1].when if number + 1 < len(events) else until
            found += self.of_event(key, event, holder, found, depth)
            holder = held_after(key, event, holder)
            if holder is not None and holder.holder and depth < DEEPEST:
                lies = found[-1].place if found else ""
                found += self.with_holder(holder, lies, event.when, upto, depth)
        return found

    def of_event(self, key: Key, event: Event, holder: Holding | None, before: Sequence[Stay], depth: int) -> Iterator[Stay]:
        """Where an event says that the key is."""
        fact = event.fact
        moves = any(event.says(role, key) for role in MOVERS.get(fact.kind, ()))
        if fact.kind == "leave" and moves:
            if not before or before[-1].place == "" or match(key_of(before[-1].place), key_of(fact.text("source"))) != OTHER:
                yield Stay("", event.when, (event,))
        elif moves or (fact.kind in PLACED and event.says("what", key)):
            source = fact.text("source")
            if source and not (before and match(key_of(before[-1].place), key_of(source))):
                yield Stay(source, event.when, (event,))
            yield Stay(fact.text("to"), event.when, (event,))
        elif event.says("what", key):
            known = bool(before) and bool(before[-1].place)  # it lies where it was with who had it
            if fact.kind == "drop" and depth < DEEPEST and not known:
                who = fact.text("who") or (holder.holder if holder is not None else "")
                there = self.last_stay(key_of(who), event.when, depth + 1) if who else None
                if there is not None and there.place:
                    yield Stay(there.place, event.when, (event, *there.by))
            elif fact.kind == "take" and fact.text("source"):
                if not known or not match(key_of(before[-1].place), key_of(fact.text("source"))):
                    yield Stay(fact.text("source"), event.when, (event,))
            elif fact.kind == "missing":
                yield Stay("", event.when, (event,))
            elif fact.kind in ("not at", "no longer at", "either"):
                yield from unsure(event, before[-1] if before else None)
        elif event.says("who", key) or event.says("receiver", key):
            yield from self.with_others(key, event, before, depth)

    def with_others(self, key: Key, event: Event, before: Sequence[Stay], depth: int) -> Iterator[Stay]:
        """Where somebody must be, if nothing tells it: who takes a thing is where it lies, who gets one with who gives it."""
        fact = event.fact
        if (before and before[-1].place) or depth >= DEEPEST or fact.kind not in ("take", "give") or not self.conclusions:
            return
        self.conclusions -= 1
        if fact.kind == "take":
            there = None if fact.text("source") else self.last_stay(key_of(fact.text("what")), event.when, depth + 1)
        else:
            other = fact.text("receiver" if event.says("who", key) else "who")
            there = self.last_stay(key_of(other), event.when, depth + 1) if other else None
        place = fact.text("source") if there is None else there.place
        if place:
            yield Stay(place, event.when, (event, *(there.by if there is not None else ())))

    def with_holder(
        self, holder: Holding, lies: str, since: tuple[int, int], upto: tuple[int, int], depth: int
    ) -> Iterator[Stay]:
        """Where who has it went until they gave it away, and, where nothing says where it lay, where they were before."""
        key = key_of(holder.holder)
        before = None if lies else self.last_stay(key, since, depth + 1)
        if before is not None and (before.place or before.options or before.never):
            yield before._replace(when=since, by=(holder.event, *before.by))
        events = [event for event in self.events(key, MOST_READ, since[0], upto[0]) if since < event.when < upto]
        for stay in self.stays_of(key, events, upto, depth + 1):
            yield stay._replace(by=(holder.event, *stay.by))

    # ---- who has it

    def handed_over(self, key: Key, last: Stay | None) -> Event | None:
        """Who got something last from somebody, where nothing says where it came since."""
        holders = self.holders(key)
        given = holders[-1].event if holders and holders[-1].holder else None
        if given is None or given.fact.kind != "give" or not given.fact.text("receiver"):
            return None
        return given if last is None or max(event.when for event in last.by) <= given.when else None

    def holders(self, key: Key) -> list[Holding]:
        """Who had something, one after another; nobody in between."""
        found: list[Holding] = []
        events = self.events(key)
        for number, event in enumerate(events, 1):
            last = found[-1] if found else None
            receiver = self.receiver(key, event) if number > len(events) - LOOKED_INTO else ""
            after = Holding(receiver, event) if receiver else held_after(key, put_down(key, event, last), last)
            if after is not None and after is not last:
                found.append(after)
        return found

    def receiver(self, key: Key, event: Event) -> str:
        """Who has something after it went to a place that takes and gives as people do: "The cart went to the college." """
        fact = event.fact
        to = fact.text("to") if event.says(MOVED.get(fact.kind, ""), key) else ""
        others = self.events(key_of(to), FEW_READ) if to else ()
        return to if any(one.says(role, key_of(to)) for one in others for role in HOLDS.get(one.fact.kind, ())) else ""


def called(key: Key, fact: Fact, meant: bool) -> tuple[bool, bool]:
    """Whether a fact calls a thing by less than its key, and whether the last that was called by more is the thing."""
    keys = [one for role in fact.roles for one in keys_of(fact.text(role)) if one[-1] == key[-1]]
    longer = [one for one in keys if len(one) > 1]
    if longer:
        meant = any(match(key, one) for one in longer)
    return any(is_called_less(key, one) for one in keys), meant


def unsure(event: Event, last: Stay | None) -> Iterator[Stay]:
    """What is left when somebody is not somewhere, or in one of two places, by where they were last."""
    fact = event.fact
    told = [one for role in ("to", "other") if (one := fact.text(role))]
    options, never = (last.options, last.never) if last is not None else ((), ())
    here = last is not None and any(is_same(last.place, one) for one in told)
    by = (event,) if last is None or last.place else (event, *last.by)
    if fact.kind == "no longer at" and not here and told and not any(is_same(one, told[0]) for one in options):
        yield Stay(told[0], event.when, (event,))
        yield Stay("", event.when, (event,), (), tuple(told))
    elif fact.kind in ("not at", "no longer at"):
        left = [one for one in options if not any(is_same(one, other) for other in told)]
        if len(left) == 1 < len(options):
            yield Stay(left[0], event.when, by)
        elif last is None or here or not last.place:
            yield Stay("", event.when, by, tuple(left), (*never, *told))
    else:
        left = [one for one in told if not any(is_same(one, other) for other in never)]
        yield Stay(left[0] if len(left) == 1 else "", event.when, (event,), tuple(left) if len(left) > 1 else ())


def is_same(one: str, other: str) -> bool:
    """Whether two phrases may name the same place."""
    return bool(one and other) and match(key_of(one), key_of(other)) != OTHER


def put_down(key: Key, event: Event, before: Holding | None) -> Event:
    """The event; one of leaving what somebody has, "Ann left the ball", is one of putting it down."""
    fact = event.fact
    if fact.kind not in ("leave", "drop") or before is None or not before.holder or not event.says("source", key):
        return event
    return event._replace(fact=replace(fact, kind="drop", roles={**fact.roles, "what": fact.roles["source"]}))


def held_after(key: Key, event: Event, before: Holding | None) -> Holding | None:
    """Who has something after an event."""
    fact = event.fact
    if not event.says("what", key):
        return before
    if fact.kind in ("take", "has"):
        return Holding(fact.text("who"), event)
    if fact.kind == "give":
        return Holding("" if fact.text("receiver").lower() in HOME else fact.text("receiver"), event)
    if fact.kind in ("drop", "put", "carry", "at", "missing"):
        return Holding("", event)
    return before
