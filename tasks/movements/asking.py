"""Questions about a log and their answers, from what it lets one conclude; only those that have one clear answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from ..text.lists import read_lists
from ..text.tokens import NUMBER_WORDS
from .names import Cast, Named
from .state import Known, Thing
from .telling import Line, read_when

FORMS = read_lists(__package__, "questions.txt")
KINDS = ("where", "has", "nobody has", "before", "when", "mover", "had", "often", "person", "never mentioned", "never there")
PLAIN = 0.5  # share of the questions that are asked in the plain way of both halves
NOBODY = frozenset(["nobody", "none", "noone", "nothing"])
ARTICLE = re.compile(r"\b(?:the|a|an)\b")


@dataclass(frozen=True)
class Question:
    """A question about the whole log. ``accepted`` are right, too; without an ``answer`` it is to be refused."""

    kind: str
    text: str
    answer: str | None
    accepted: tuple[str, ...] = ()
    evidence: tuple[int, ...] = ()  # lines, from 0


class Case(NamedTuple):
    """What may be asked: the thing or person and place, the answer, further ones, and the lines that say so."""

    name: str
    place: str | None
    answer: str | None
    accepted: tuple[str, ...]
    evidence: tuple[int, ...]


def arrival(thing: Thing) -> Iterator[int]:
    """Of the stays of a thing those whose place is plain to ask about: where it is, and where it was once only."""
    often = Counter(stay.place for stay in thing.stays)
    last = len(thing.stays) - 1
    for number, stay in enumerate(thing.stays):
        is_plain = number == last or (often[stay.place] == 1 and stay.place not in thing.perhaps)
        if stay.place is not None and is_plain:
            yield number


def where(name: str, thing: Thing) -> Iterator[Case]:
    """Where it is: nobody has it, or who has it went somewhere since."""
    stay = thing.stays[-1] if thing.stays else None
    if stay is None or stay.place is None:
        return
    if thing.holder is None:
        yield Case(name, None, stay.place, (), (stay.line,))
    elif stay.kind in ("go", "at") and stay.line > thing.held_since:
        yield Case(name, None, stay.place, (thing.holder,), (thing.held_since, stay.line))


def has(name: str, thing: Thing) -> Iterator[Case]:
    """Who has it."""
    if thing.holder is not None:
        yield Case(name, None, thing.holder, (), (thing.held_since,))


def nobody_has(name: str, thing: Thing) -> Iterator[Case]:
    """Nobody has it: it was put down."""
    line, fact = thing.facts[-1]
    if fact.kind == "drop":
        yield Case(name, None, None, ("nobody",), (line,))


def before(name: str, thing: Thing) -> Iterator[Case]:
    """Where it was before it came to a place."""
    for number in arrival(thing):
        if number and (earlier := thing.stays[number - 1]).place is not None:
            stay = thing.stays[number]
            yield Case(name, stay.place, earlier.place, (), tuple(sorted({earlier.line, stay.line})))


def had(name: str, thing: Thing) -> Iterator[Case]:
    """Who had it last: its last fact is that somebody put it down."""
    line, fact = thing.facts[-1]
    if fact.kind == "drop" and thing.last_holder is not None:
        yield Case(name, None, thing.last_holder, (), tuple(sorted({thing.held_since, line} - {-1})))


def mover(name: str, thing: Thing) -> Iterator[Case]:
    """Who moved it last; nobody had it since."""
    for line, fact in reversed(thing.facts):
        if fact.kind != "at":
            if fact.kind == "move" and fact.who is not None and thing.stays[-1].line == line:
                yield Case(name, None, fact.who, (), (line,))
            return


def often(name: str, thing: Thing) -> Iterator[Case]:
    """How often it was moved: nothing else ever happened to it."""
    found = tuple(line for line, fact in thing.facts if fact.kind == "move")
    only = all(fact.kind in ("move", "at") for _, fact in thing.facts)
    if found and only and all(stay.kind == "move" for stay in thing.stays[1:]):
        yield Case(name, None, str(len(found)), (number_word(len(found)),), found)


def number_word(number: int) -> str:
    """A small number as a word."""
    small = ["zero", "once", "twice", *NUMBER_WORDS[3:13]]
    return small[number] if number < len(small) else str(number)


def when(lines: list[Line]) -> Callable[[str, Thing], Iterator[Case]]:
    """When it was moved to a place."""

    def cases(name: str, thing: Thing) -> Iterator[Case]:
        for number in arrival(thing):
            stay = thing.stays[number]
            time = lines[stay.line].when
            if stay.kind == "move" and time is not None and lines[stay.line].fact.to == stay.place:
                yield Case(name, stay.place, time.isoformat(" ", "minutes"), (lines[stay.line].stamp,), (stay.line,))

    return cases


def person(known: Known) -> list[Case]:
    """Where somebody is: the newest line with the person says so."""
    return [
        Case(name, None, one.place, (), (one.line,))
        for name, one in known.people.items()
        if one.plain and one.place is not None
    ]


def never_there(known: Known, cast: Cast, dated: bool) -> list[tuple[str, Case]]:
    """Things that are known, and places where they never were."""
    found = []
    for name, thing in known.things.items():
        been = {stay.place for stay in thing.stays} | thing.perhaps
        other = next((place.name for place in cast.places if place.name not in been), None)
        if other is not None and None not in been:
            found.append(("before", Case(name, other, None, (), ())))
            found += [("when", Case(name, other, None, (), ()))] * dated
    return found


def never_mentioned(cast: Cast) -> list[tuple[str, Case]]:
    """Things and people that the log does not have."""
    asked = [(kind, one.name) for one in cast.never for kind in ("where", "has", "mover", "had")]
    asked += [("person", one.name) for one in cast.strangers]
    return [(kind, Case(name, None, None, (), ())) for kind, name in asked]


def cases_of(known: Known, cast: Cast, lines: list[Line], dated: bool) -> dict[str, list[tuple[str, Case]]]:
    """All that may be asked, by kind, each with the list of forms that asks so."""
    ways: dict[str, Callable[[str, Thing], Iterator[Case]]] = {
        "where": where,
        "has": has,
        "nobody has": nobody_has,
        "before": before,
        "mover": mover,
        "had": had,
        "often": often,
        "when": when(lines),
    }
    found: dict[str, list[tuple[str, Case]]] = {kind: [] for kind in KINDS}
    for kind, way in ways.items():
        asked = "has" if kind == "nobody has" else kind
        found[kind] = [(asked, case) for name, thing in known.things.items() if thing.facts for case in way(name, thing)]
    found["person"] = [("person", case) for case in person(known)]
    found["never mentioned"] = never_mentioned(cast)
    found["never there"] = never_there(known, cast, dated)
    return found


def questions(draw: Random, half: str, known: Known, cast: Cast, lines: list[Line], number: int) -> list[Question]:
    """So many questions of each kind, fewer where there are no more cases."""
    named: dict[str, Named] = {
        one.name: one for part in (cast.people, cast.things, cast.places, cast.never, cast.strangers) for one in part
    }
    found = []
    for kind, cases in cases_of(known, cast, lines, bool(lines and lines[0].stamp)).items():
        for asked, case in draw.sample(cases, min(number, len(cases))):
            form = draw.choice(FORMS[f"plain {asked}"] if draw.random() < PLAIN else FORMS[f"{half} {asked}"])
            name = named[case.name].text
            to = named[case.place].text if case.place is not None else ""
            found.append(Question(kind, form.format(what=name, who=name, to=to), case.answer, case.accepted, case.evidence))
    return found


def plain(text: str) -> str:
    """An answer without articles, marks and capitals."""
    return " ".join(re.sub(r"[^\w:/-]+", " ", ARTICLE.sub(" ", text.lower())).split())


def right(question: Question, answer: str | None) -> bool:
    """Whether an answer is right; None is a refusal."""
    if question.answer is None:
        return answer is None or plain(answer) in map(plain, question.accepted) or plain(answer).replace(" ", "") in NOBODY
    if answer is None:
        return False
    if question.kind == "when":
        said, wanted = read_when(answer), read_when(question.answer)
        if said is not None and wanted is not None:
            return said.replace(second=0) == wanted
    return plain(answer) in {plain(one) for one in (question.answer, *question.accepted)}
