"""Questions about whereabouts, answered from a timeline: where, where before, who has, when, who moved it, how often.

answer(timeline, "Where was pump 7 before the yard?")   ->   FactAnswer("bay 3", evidence, superseded)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from memnet.facts.condition import OF_CONDITION
from memnet.facts.kinds import Fact
from memnet.facts.names import INDEFINITE, SEVERAL, Key, key_of, match
from memnet.facts.pronouns import resolve
from memnet.facts.results import FactAnswer, found, of_doer
from memnet.facts.sides import as_now, side_of
from memnet.facts.timeline import DEEPEST, END, FEW_READ, HOME, LAST, MOST_READ, Event, Holding, Stay, Timeline, is_same
from memnet.tasks.text.tokens import NUMBER_WORDS

SURE_OF_KIND = 0.5  # questions that are less likely of one of the kinds are left to other readers
DEEDS = {  # kinds of facts that a question of one kind may mean
    "put": ("put", "carry"),
    "carry": ("carry", "put"),
    "take": ("take",),
    "give": ("give",),
    "drop": ("drop", "put"),
    "go": ("go", "carry"),
    "leave": ("leave",),
    "at": ("at",),
    "has": ("has", "take"),
}
MOST_COUNTED = 5000  # sentences of one key that are counted
ASKED_ROLE = {"who did": "who", "to whom": "receiver", "what did": "what", "where did": "to", "when": "time"}


def answer(timeline: Timeline, question: str, before: Sequence[Fact] = ()) -> FactAnswer | None:
    """The answer to a question of whereabouts; ``None`` where it is none, or nothing is known of whom or what it asks.

    A pronoun of the question means whom the facts ``before`` it named, the last first.
    """
    now, ever = as_now(question)
    asked, deed = timeline.reader.question(now)
    of_condition, by_kind = OF_CONDITION.get(asked.kind), ANSWERS.get(asked.kind)
    if asked.probability < SURE_OF_KIND:
        return None
    asked = resolve(asked, before)
    if of_condition is not None:
        return of_condition(timeline, asked, question)
    if by_kind is None:
        return None
    said = has_been(timeline, asked, deed) if ever and asked.kind == "is in" else by_kind(timeline, asked, deed)
    if said is None or said.text.lower() in INDEFINITE:
        return None
    return said if ever else with_sides(said, asked, question)


def with_sides(said: FactAnswer, asked: Fact, question: str) -> FactAnswer:
    """The answer where statement and question name a side of the place: "under the bed" is not in it."""
    place = asked.roles.get("to") if asked.kind == "is in" else None
    wanted = place.text if place is not None else said.text if asked.kind == "where" else ""
    at = next((event for event in said.evidence if wanted and is_same(event.fact.text("to"), wanted)), None)
    if at is None:
        return said
    side, whole = side_of(at.text, at.fact.roles["to"])
    if place is None:
        return replace(said, text=whole) if side else said
    return replace(said, text="no") if said.text == "yes" and side != side_of(question, place)[0] else said


def where(timeline: Timeline, asked: Fact, deed: str) -> FactAnswer | None:
    """The last place."""
    key = key_of(asked.text("what"))
    last = timeline.last_stay(key) if key else None
    if timeline.of_times and key and (given := timeline.handed_over(key, last)) is not None:
        return found(f"with {given.fact.text('receiver')}", (given,), asked)
    if last is None:
        return None
    if not last.place:
        either = " or ".join(last.options)
        why = f"{asked.text('what')} may be in the {either}" if either else f"nothing says where {asked.text('what')} is now"
        return FactAnswer("", 0.0, last.by, why=why)
    return after(timeline, key, last, found(last.place, last.by, asked))


def after(timeline: Timeline, key: Key, last: Stay, said: FactAnswer) -> FactAnswer:
    """An answer with the places that sentences said before; of the few sentences that were read for the last."""
    events = timeline.events(key, FEW_READ, 0, LAST)
    return with_earlier(said, last, timeline.stays_of(key, events, END, 0))


def with_earlier(said: FactAnswer, last: Stay, stays: Sequence[Stay]) -> FactAnswer:
    """An answer with what other sentences than those of the last said before."""
    read = {event.number for event in last.by}
    earlier = {stay.when[0]: stay for stay in reversed(stays) if stay.place and stay.by and stay.when[0] not in read}
    return replace(said, value=last.place, earlier=tuple(earlier.values()))


def where_before(timeline: Timeline, asked: Fact, deed: str) -> FactAnswer | None:
    """The place before the last stay at a place, or before the last of all."""
    key, place = key_of(asked.text("what")), key_of(asked.text("to"))
    stays = apart([stay for stay in timeline.stays(key) if stay.place]) if key else []
    if not stays:
        return None
    at = len(stays) - 1
    if place:
        at = max((number for number, stay in enumerate(stays) if match(key_of(stay.place), place)), default=-1)
    if at < 1 or not stays[at - 1].place:
        return FactAnswer("", 0.0, stays[-1].by, why=f"nothing says where {asked.text('what')} was before")
    return found(stays[at - 1].place, (*stays[at - 1].by, *stays[at].by), asked)


def apart(stays: Sequence[Stay]) -> list[Stay]:
    """Stays without those that say again what the one before said."""
    told: list[Stay] = []
    for stay in stays:
        if not told or not stay.place or not match(key_of(told[-1].place), key_of(stay.place)):
            told.append(stay)
    return told


def who_has(timeline: Timeline, asked: Fact, deed: str) -> FactAnswer | None:
    """The last who took or got it."""
    holders = timeline.holders(key_of(asked.text("what")))
    if not holders:
        return None
    last = holders[-1]
    if last.event.fact.kind == "missing":
        return FactAnswer("", 0.0, (last.event,), why=f"{asked.text('what')} is missing")
    if not last.holder:  # where it was put somewhere it may still be somebody's, which a story may tell in other words
        owned = last.event.fact.kind not in ("drop", "leave") and any(one.holder for one in holders)
        return FactAnswer("nobody", asked.probability * last.event.fact.probability, (last.event,), alone=not owned)
    return after_holders(found(last.holder, (last.event,), asked), holders)


def after_holders(said: FactAnswer, holders: Sequence[Holding]) -> FactAnswer:
    """An answer with who had it before."""
    *before, last = [Stay(one.holder, one.event.when, (one.event,)) for one in holders]
    return with_earlier(said, last, before)


def had(which: str) -> Callable[[Timeline, Fact, str], FactAnswer | None]:
    """Who had it first, last or before somebody."""

    def answer(timeline: Timeline, asked: Fact, deed: str) -> FactAnswer | None:
        holders = [one for one in timeline.holders(key_of(asked.text("what"))) if one.holder]
        if not holders:
            return None
        at = 0 if which == "first" else len(holders) - 1
        if which == "before":
            who = key_of(asked.text("who"))
            at = max((number for number, one in enumerate(holders) if match(key_of(one.holder), who)), default=0) - 1
            if at < 0:
                return FactAnswer("", 0.0, (holders[0].event,), why="nothing says who had it before")
        return found(holders[at].holder, (holders[at].event,), asked)

    return answer


def had_last(timeline: Timeline, asked: Fact, deed: str) -> FactAnswer | None:
    """Who has it, or put it down."""
    key = key_of(asked.text("what"))
    for event in reversed(timeline.events(key)):
        role = "receiver" if event.fact.kind == "give" else "who"
        if (
            event.fact.kind in ("take", "give", "has", "drop", "put", "carry")
            and event.says("what", key)
            and event.fact.text(role)
            and event.fact.text(role).lower() not in HOME
        ):
            return found(event.fact.text(role), (event,), asked)
    return None


def is_in(timeline: Timeline, asked: Fact, deed: str) -> FactAnswer | None:
    """Whether the last place is this one, or is in this one."""
    key = key_of(asked.text("what"))
    last, place = timeline.last_stay(key) if key else None, asked.text("to")
    if last is None:
        return None
    if last.place:
        by, inner = list(last.by), last
        for _ in range(DEEPEST):
            outer = None if is_same(inner.place, place) else timeline.last_stay(key_of(inner.place))
            if outer is None or not outer.place:
                break
            by, inner = [*by, *outer.by], outer
        is_inside = is_same(inner.place, place)
        return after(timeline, key, last, found("yes" if is_inside else "no", by if is_inside else last.by, asked))
    if any(is_same(one, place) for one in last.options):
        return found("maybe", last.by, asked)
    return found("no", last.by, asked) if last.options or any(is_same(one, place) for one in last.never) else None


def has_been(timeline: Timeline, asked: Fact, deed: str) -> FactAnswer | None:
    """Whether any place was this one: "Has Ann ever been in Rome?" """
    key, place = key_of(asked.text("what")), asked.text("to")
    stays = [stay for stay in timeline.stays(key) if stay.place] if key else []
    if not stays:
        return None
    there = next((stay for stay in reversed(stays) if is_same(stay.place, place)), None)
    return found("no", stays[-1].by, asked) if there is None else found("yes", there.by, asked)


MOST_LISTED = 40  # people and things that are looked at one by one


def things_of(timeline: Timeline, who: str) -> list[tuple[str, Event]]:
    """What somebody has, with the event that gave it to them."""
    key = key_of(who)
    got = [event for event in timeline.events(key) if event.says("receiver" if event.fact.kind == "give" else "who", key)]
    things = dict.fromkeys(event.fact.text("what") for event in got if event.fact.kind in ("take", "has", "give"))
    found: list[tuple[str, Event]] = []
    for thing in list(things)[-MOST_LISTED:]:
        holders = timeline.holders(key_of(thing)) if thing else []
        if holders and match(key_of(holders[-1].holder), key):
            found.append((thing, holders[-1].event))
    return found


def what_has(timeline: Timeline, asked: Fact, deed: str) -> FactAnswer | None:
    """All that somebody has, or nothing; or how many that are."""
    key = key_of(asked.text("who"))
    if not key or not timeline.events(key):
        return None
    had_by = things_of(timeline, asked.text("who"))
    events = [event for _, event in had_by]
    if asked.kind == "how many has":
        return found(NUMBER_WORDS[len(had_by)] if 0 < len(had_by) < len(NUMBER_WORDS) else "none", events, asked)
    return found(",".join(thing for thing, _ in had_by) or "nothing", events, asked)


def does_have(timeline: Timeline, asked: Fact, deed: str) -> FactAnswer | None:
    """Whether the last holder is this one."""
    holders = timeline.holders(key_of(asked.text("what")))
    if not holders:
        return None
    last = holders[-1]
    has = last.holder and match(key_of(last.holder), key_of(asked.text("who")))
    return after_holders(found("yes" if has else "no", (last.event,), asked), holders)


def inside(role: str) -> Callable[[Timeline, Fact, str], FactAnswer | None]:
    """Who, or what, is in a place."""

    def answer(timeline: Timeline, asked: Fact, deed: str) -> FactAnswer | None:
        place = key_of(asked.text("to"))
        came = [event for event in timeline.events(place) if event.says("to", place)] if place else []
        if not came:
            return None
        persons = [event.fact.text("who") for event in came if event.fact.kind in ("go", "carry")]
        things = [event.fact.text("what") for event in came if event.fact.kind in ("at", "put", "carry")]
        names = persons + [text for event in came if event.fact.kind == "at" for text in [event.fact.text("what")]]
        told: list[str] = []
        evidence: list[Event] = []
        phrases = names if role == "who" else things
        for name in list(dict.fromkeys(one for phrase in phrases for one in SEVERAL.split(phrase)))[-MOST_LISTED:]:
            last = timeline.last_stay(key_of(name)) if name else None
            if last is not None and last.place and match(key_of(last.place), place):
                told.append(name)
                evidence += last.by
        return found(",".join(told) or ("nobody" if role == "who" else "nothing"), evidence or came[-1:], asked)

    return answer


def deeds(timeline: Timeline, asked: Fact, deed: str, newest: int = MOST_READ) -> list[Event]:
    """The events that a question means: of its kind, with what it names, ascending."""
    named = {role: key_of(asked.text(role)) for role in asked.roles if role not in ("time", "company")}
    key: Key = next((named[role] for role in ("what", "receiver", "who", "to", "source") if named.get(role)), ())
    kinds = DEEDS.get(deed, (deed,))
    return [
        event
        for event in (timeline.events(key, newest) if key else ())
        if event.fact.kind in kinds and all(event.says(role, one) for role, one in named.items())
    ]


def arrival(timeline: Timeline, asked: Fact, deed: str) -> FactAnswer | None:
    """When somebody or something last came to a place."""
    key, place = key_of(asked.text("what") or asked.text("who")), key_of(asked.text("to"))
    for stay in reversed(apart(timeline.stays(key)) if key else []):
        if stay.place and match(key_of(stay.place), place):
            return found(stay.by[-1].fact.text("time"), stay.by, asked, number=stay.when[0])
    if key and (last := timeline.last_stay(key)) is not None:
        why = f"nothing says that {asked.text('what') or asked.text('who')} was ever there"
        return FactAnswer("", 0.0, last.by, why=why)
    return None


def by_deed(timeline: Timeline, asked: Fact, deed: str) -> FactAnswer | None:
    """Who did it, when, to whom, where: the newest that has what is asked for."""
    if asked.kind == "when" and deed in ("go", "put", "carry") and asked.text("to"):
        return arrival(timeline, asked, deed)
    events = deeds(timeline, asked, deed)
    role = ASKED_ROLE[asked.kind]
    for event in reversed(events):
        text = event.fact.text(role) or (event.fact.text("source") if role == "to" else "")
        if text or role == "time":
            sure = of_doer(event) if role == "who" else event
            said = found(text, (sure,), asked, number=event.number if role == "time" else None)
            other = {key_of(one) for each in events if (one := each.fact.text(role))} - {key_of(text)}
            return replace(said, alone=not other)
    return None


def how_often(timeline: Timeline, asked: Fact, deed: str) -> FactAnswer | None:
    """How many events there are."""
    events = deeds(timeline, asked, deed, MOST_COUNTED)
    return found(str(len({event.number for event in events})), events, asked) if events else None


ANSWERS: dict[str, Callable[[Timeline, Fact, str], FactAnswer | None]] = {
    "where": where,
    "where before": where_before,
    "who has": who_has,
    "is in": is_in,
    "who is in": inside("who"),
    "what is in": inside("what"),
    "what has": what_has,
    "how many has": what_has,
    "does have": does_have,
    "had first": had("first"),
    "had last": had_last,
    "had before": had("before"),
    **dict.fromkeys(ASKED_ROLE, by_deed),
    "how often": how_often,
}
