"""What the state of a log book answers to a question, as spans of its entries; ``None`` where it is not clear.

Who has a thing is who had it last and did not give it back; nobody, where it came back. What is wrong with it is the fault that
nobody mended. When something happened is what stands before the entry that says it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..text.tokens import split
from .log_forms import ARTICLE
from .log_state import Event, State
from .texts import Answer, Span, Statement
from .told import mentions_of, reason_of

MOST = 6  # things of a list
KINDS_OF = {"put": ("put", "carry"), "take": ("take",), "go": ("go", "carry")}  # of a deed, where it has several
Fact = tuple[str, dict[str, str]]
Told = list[str] | str | int | bool | None  # names; a kind of answer; a count; whether it is so; None: it is not told
# questions whether something works that ask the other way round, or for more than yes or no
OTHER_WAY_ROUND = re.compile(
    r"broken|\bbust\b|out of order\?|wrong|\bmatter\b|trouble|\bhow\b|condition|poorly|[dc]own\?|or off|u/s", re.I
)
NOTHING, UNCLEAR = "nothing", "unclear"


class Log(NamedTuple):
    """What was told so far."""

    state: State
    statements: Sequence[Statement]
    stamps: dict[int, str]  # when an entry was written, by its first statement
    names: dict[str, list[str]]  # of people ("who"), things ("what") and places ("to")
    short: dict[str, str]  # of things that are called less


def answer_to(log: Log, asked: Sequence[Fact], text: str) -> tuple[Answer, tuple[int, ...]] | None:
    """The answer and the statements that it takes; ``None`` where there is no clear one."""
    if not asked:
        return Answer("untold", "", reason=reason_of(text)), ()
    (kind, roles), *deed = asked
    told: Told
    events: list[Event]
    if kind == "when":
        return when(log, deed[0][0], roles, text)
    if kind in DEEDS:
        told, events = DEEDS[kind](log.state, KINDS_OF.get(deed[0][0], (deed[0][0],)), roles, text)
    elif kind in STATES and (kind != "does work" or not OTHER_WAY_ROUND.search(text)):
        told = STATES[kind](log.state, roles, log.names)
        events = behind(log.state, roles, told)
    else:
        return None
    answer = None if told == UNCLEAR else as_answer(told, text, log.statements, log.short)
    evidence = tuple(number for event in events for number in event.statements)
    return None if answer is None else (answer, evidence if answer.kind != "untold" else ())


def behind(state: State, roles: dict[str, str], told: Told) -> list[Event]:
    """The last event of whom or what is asked about that names the answer, too, where it is a name."""
    about = [event for event in state.events if {*roles.values()} & {*event.roles.values()}]
    names = {*told} if isinstance(told, list) else {*roles.values()}
    return ([event for event in about if names & {*event.roles.values()} - {*roles.values()}] or about)[-1:]


def when(log: Log, deed: str, roles: dict[str, str], text: str) -> tuple[Answer, tuple[int, ...]] | None:
    """When something happened, if it was once, or the first or last time is asked for."""
    events = list(log.state.happened(KINDS_OF.get(deed, (deed,)), **roles))
    asked = {*text.lower().split()}
    if len(events) > 1 and not asked & {"first", "last"}:
        return None
    if not events or not log.stamps:
        return Answer("untold", "", reason=reason_of(text)), ()
    event = events[-1 if "first" in asked else 0]
    first = event.statements[0]
    found = tuple(span for span in mentions_of(tuple(split(log.stamps[first])), list(log.statements)) if span[0] == first)[:1]
    return (Answer("span", log.stamps[first], found, (found,)), event.statements) if found else None


def as_answer(told: Told, text: str, statements: Sequence[Statement], short: dict[str, str]) -> Answer | None:
    """What was found as an answer; ``None`` where the entries do not have its words."""
    if told is None:
        return Answer("untold", "", reason=reason_of(text))
    if isinstance(told, bool):
        return Answer("yes" if told else "no", "yes" if told else "no")
    if isinstance(told, int):
        return Answer("number", str(told), number=told)
    if isinstance(told, str):
        return Answer(told, told)
    if not told or len(told) > MOST:
        return None
    found = [places_of(name, statements, short) for name in told]
    if not all(found):
        return None
    bare = ", ".join(ARTICLE.sub("", name) for name in told)
    return Answer("span", bare, tuple(each[-1] for each in found), tuple(found))


def places_of(name: str, statements: Sequence[Statement], short: dict[str, str]) -> tuple[Span, ...]:
    """Where statements name somebody or something, in full and by a short name."""
    words = tuple(split(ARTICLE.sub("", name)))
    found = mentions_of(words, list(statements))
    if name not in short:
        return found
    ends = {(at, last) for at, _, last in found}
    shorter = mentions_of(tuple(split(short[name])), list(statements))
    return tuple(sorted((*found, *(span for span in shorter if (span[0], span[2]) not in ends))))


def where(state: State, roles: dict[str, str], _: dict[str, list[str]]) -> Told:
    """In which place it is, or with whom."""
    what = roles.get("what") or roles.get("who", "")
    found = None if what in state.missing else state.place.get(what) or state.holder.get(what)
    return None if found is None else [found]


def where_before(state: State, roles: dict[str, str], _: dict[str, list[str]]) -> Told:
    """In which place it was before another, or before the one where it is."""
    places = state.places.get(roles.get("what") or roles.get("who", ""), [])
    to = roles.get("to") or (places[-1] if places else "")
    if places.count(to) != 1:
        return UNCLEAR if places.count(to) > 1 else None
    at = places.index(to)
    return [places[at - 1]] if at else None


def who_has(state: State, roles: dict[str, str], _: dict[str, list[str]]) -> Told:
    """Who has it."""
    what = roles["what"]
    if what not in state.holder:
        return None
    holder = state.holder[what]
    return NOTHING if holder is None else [holder]


def is_in(state: State, roles: dict[str, str], _: dict[str, list[str]]) -> Told:
    """Whether it is in a place."""
    what = roles.get("what") or roles.get("who", "")
    place = state.place.get(what)
    if place is not None:
        return place == roles["to"]
    return UNCLEAR if state.holder.get(what) is None else False


def what_is_in(state: State, roles: dict[str, str], names: dict[str, list[str]]) -> Told:
    """Which things are in a place."""
    return those(state, names["what"], roles["to"])


def who_is_in(state: State, roles: dict[str, str], names: dict[str, list[str]]) -> Told:
    """Who is in a place."""
    return those(state, names["who"], roles["to"])


def those(state: State, names: Sequence[str], place: str) -> Told:
    """Of those the ones in a place; nothing where they left it."""
    found = [name for name in names if state.place.get(name) == place]
    left = any(place in state.places.get(name, ()) for name in names)
    return found or (NOTHING if left else None)


def what_has(state: State, roles: dict[str, str], names: dict[str, list[str]]) -> Told:
    """Which things somebody has."""
    found = [name for name in names["what"] if state.holder.get(name) == roles["who"]]
    return found or (NOTHING if any(roles["who"] in each for each in state.holders.values()) else None)


def how_many(state: State, roles: dict[str, str], names: dict[str, list[str]]) -> Told:
    """How many of them."""
    found = what_has(state, roles, names)
    return len(found) if isinstance(found, list) else 0 if found == NOTHING else None


def does_have(state: State, roles: dict[str, str], _: dict[str, list[str]]) -> Told:
    """Whether somebody has it."""
    if roles["what"] in state.holder:
        return state.holder[roles["what"]] == roles["who"]
    return None


def had_first(state: State, roles: dict[str, str], _: dict[str, list[str]]) -> Told:
    """Who had it first."""
    return state.holders.get(roles["what"], [])[:1] or None


def had_last(state: State, roles: dict[str, str], _: dict[str, list[str]]) -> Told:
    """Who had it last, or has it."""
    return state.holders.get(roles["what"], [])[-1:] or None


def had_before(state: State, roles: dict[str, str], _: dict[str, list[str]]) -> Told:
    """Who had it just before somebody, or before who has it."""
    holders, who = state.holders.get(roles["what"], []), roles.get("who")
    if who is None:
        who = state.holder.get(roles["what"]) or ""
        return UNCLEAR if not who else [holders[-2]] if len(holders) > 1 else None
    if holders.count(who) != 1:
        return UNCLEAR if who in holders else None
    at = holders.index(who)
    return [holders[at - 1]] if at else None


def what_is_out(state: State, _: dict[str, str], names: dict[str, list[str]]) -> Told:
    """Which things somebody has."""
    found = [name for name in names["what"] if state.holder.get(name) is not None]
    return found or (NOTHING if state.holder else None)


def what_is_wrong(state: State, roles: dict[str, str], _: dict[str, list[str]]) -> Told:
    """The fault that nobody mended."""
    if roles["what"] not in state.fault:
        return None
    fault = state.fault[roles["what"]]
    return NOTHING if fault is None else [fault] if fault else None


def does_work(state: State, roles: dict[str, str], _: dict[str, list[str]]) -> Told:
    """Whether it works: nobody says that it does not, and somebody mended or checked it."""
    what = roles["what"]
    if what in state.fault:
        return state.fault[what] is None
    return True if any(state.happened(("checked",), what=what)) else None


def who_did(state: State, kinds: tuple[str, ...], roles: dict[str, str], text: str) -> tuple[Told, list[Event]]:
    """Who did it, as far as it was one or the last is asked for."""
    return one_of(state, kinds, roles, text, "who")


def to_whom(state: State, kinds: tuple[str, ...], roles: dict[str, str], text: str) -> tuple[Told, list[Event]]:
    """Who got it."""
    return one_of(state, kinds, roles, text, "receiver")


def one_of(state: State, kinds: tuple[str, ...], roles: dict[str, str], text: str, wanted: str) -> tuple[Told, list[Event]]:
    """Who played a role in what happened, newest first; unclear where several did and the last is not asked for."""
    events = list(state.happened(kinds, **roles))
    told = [event.roles[wanted] for event in events if wanted in event.roles]
    if len(told) != len(events) or (len({*told}) > 1 and "last" not in text.lower().split()):
        return (None if not told else UNCLEAR), events
    return told[:1] or None, events[:1]


def how_often(state: State, kinds: tuple[str, ...], roles: dict[str, str], _: str) -> tuple[Told, list[Event]]:
    """How often it happened."""
    events = list(state.happened((*kinds, "give") if "take" in kinds else kinds, **roles))
    return len(events) or None, events


STATES: dict[str, Callable[[State, dict[str, str], dict[str, list[str]]], Told]] = {
    "where": where,
    "where before": where_before,
    "who has": who_has,
    "is in": is_in,
    "what is in": what_is_in,
    "who is in": who_is_in,
    "what has": what_has,
    "how many has": how_many,
    "does have": does_have,
    "had first": had_first,
    "had last": had_last,
    "had before": had_before,
    "what is out": what_is_out,
    "what is wrong": what_is_wrong,
    "does work": does_work,
}
DEEDS: dict[str, Callable[[State, tuple[str, ...], dict[str, str], str], tuple[Told, list[Event]]]] = {
    "who did": who_did,
    "to whom": to_whom,
    "how often": how_often,
}
