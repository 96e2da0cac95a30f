"""Questions about the condition of things: what is wrong with them, whether they work; and which things people have.

"The pump leaks." "Ann fixed the pump."   ->   What was wrong with the pump? it leaks.   Does the pump work? yes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memnet.facts.kinds import Fact
from memnet.facts.names import NAMELESS, SEVERAL, Key, is_called_less, key_of
from memnet.facts.results import FactAnswer, found
from memnet.facts.timeline import Event, Timeline

WORKS = {"fault": "no", "mended": "yes", "checked": "yes"}
WORKS_NOT = {"fault": "yes", "mended": "no", "checked": "no"}
ASKS_OF_A_FAULT = re.compile(
    r"\b(?:broken|bust|defective|faulty|out of (?:order|action|service)|"
    r"(?:anything|something) (?:wrong|the matter)|trouble with|a (?:fault|problem) with)\b",
    re.IGNORECASE,
)
OR_NOT = re.compile(r"\bor\b|\bdealt with\b|\bcan\b|\bcould\b|\bmay\b", re.IGNORECASE)
HOLDS = ("take", "give", "has")
PAST = re.compile(r"\s*what\s+(?:was|were|had|did)\b", re.IGNORECASE)
NEWEST = 2000  # sentences that are looked at for what people have
MOST_LISTED = 40  # things


def of_condition(timeline: Timeline, asked: Fact) -> list[Event]:
    """What is said of the condition of a thing, ascending."""
    key = key_of(asked.text("what"))
    return [event for event in (timeline.events(key) if key else ()) if event.fact.kind in WORKS and event.says("what", key)]


def what_is_wrong(timeline: Timeline, asked: Fact, question: str) -> FactAnswer | None:
    """The newest fault of a thing; nothing where it was mended since, unless the question is of the past."""
    events = of_condition(timeline, asked)
    faults = [event for event in events if event.fact.kind == "fault" and event.fact.text("other")]
    if not faults:
        return None
    if events[-1].fact.kind == "mended" and not PAST.match(question):
        return found("nothing", (events[-1],), asked)
    return found(faults[-1].fact.text("other"), (faults[-1],), asked)


def does_work(timeline: Timeline, asked: Fact, question: str) -> FactAnswer | None:
    """Whether what was said last of a thing is that it was mended or checked, or that something is wrong with it.

    "Is the pump broken?" asks the other way round.
    """
    events = of_condition(timeline, asked)
    says = WORKS_NOT if ASKS_OF_A_FAULT.search(question) and not OR_NOT.search(question) else WORKS
    return found(says[events[-1].fact.kind], events[-1:], asked) if events else None


def what_is_out(timeline: Timeline, asked: Fact, question: str) -> FactAnswer | None:
    """The things that people have, of what the newest sentences speak of."""
    if any(word[0].isupper() for word in question.split()[1:]):
        return None  # it names somebody, and so asks for something else
    things = dict[Key, str]()
    for name in told_of(timeline):
        things.setdefault(key_of(name), name)
    if not things:
        return None
    whole = [name for key, name in things.items() if not any(is_called_less(other, key) for other in things)]
    last = [(name, holders[-1]) for name in whole[-MOST_LISTED:] if (holders := timeline.holders(key_of(name)))]
    out = [(thing, holding.event) for thing, holding in last if holding.holder]
    events = [event for _, event in out] or [holding.event for _, holding in last[-1:]]
    return found(",".join(thing for thing, _ in out) or "nothing", events, asked)


def told_of(timeline: Timeline) -> Iterator[str]:
    """The things of which the newest sentences say that somebody has them, ascending."""
    for fact in timeline.newest(NEWEST):
        if fact.kind in HOLDS:
            yield from (name for name in SEVERAL.split(fact.text("what")) if key_of(name) and name.lower() not in NAMELESS)


OF_CONDITION: dict[str, Callable[[Timeline, Fact, str], FactAnswer | None]] = {
    "what is wrong": what_is_wrong,
    "does work": does_work,
    "what is out": what_is_out,
}
