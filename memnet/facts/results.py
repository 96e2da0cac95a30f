"""What is answered from facts, and the events that it was read from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memnet.facts.kinds import Fact
from memnet.facts.timeline import Event, Stay, is_same

MOST_SUPERSEDED = 3  # places before the last that are named


@dataclass(frozen=True)
class FactAnswer:
    """What is answered; ``text`` is empty where nothing says it, and ``why`` says what."""

    text: str
    probability: float = 0.0
    evidence: tuple[Event, ...] = ()  # in the order of the hops
    value: str = ""  # the place or holder that was said last, of which others may be said before
    earlier: tuple[Stay, ...] = ()  # the places or holders that were said before, the newest first, the same ones too
    why: str = ""
    number: int | None = None  # of the sentence whose time is asked for
    alone: bool = True  # whether no other event gives another answer, as where two went to the place and "who" is asked

    def says_otherwise(self, stay: Stay) -> bool:
        """Whether a place or holder that was said before is another one."""
        return not is_same(stay.place, self.value)

    @property
    def superseded(self) -> tuple[Stay, ...]:
        """What was so before, the newest first."""
        return tuple(filter(self.says_otherwise, self.earlier))[:MOST_SUPERSEDED]


def of_doer(event: Event) -> Event:
    """An event as sure as that somebody did something there: who took it to Lund may have carried or put it."""
    return event._replace(fact=replace(event.fact, probability=event.fact.of_any))


def found(text: str, evidence: Sequence[Event], asked: Fact, number: int | None = None) -> FactAnswer:
    """An answer that is as sure as the least sure of what it is read from."""
    once = {event.when: event for event in evidence}
    chance = min([asked.probability, *(event.fact.probability for event in once.values())])
    return FactAnswer(text, chance, tuple(once.values()), number=number)
