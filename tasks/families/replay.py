"""A reader of the twenty tasks' stories: it answers from what was told, and names the statements that it takes.

Written from the rules of the tasks and apart from the simulator, to check both the simulated stories and the published ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ..simulator import task_name
from ..text import Story, words


class Reading(NamedTuple):
    """An answer that the story gives, and its statements in the order in which they are listed."""

    answer: str
    facts: tuple[int, ...]


class Act(NamedTuple):
    """Somebody does something: ``kind`` is move, get, drop or give."""

    line: int
    kind: str
    person: str
    thing: str  # or the place moved to
    receiver: str = ""


KINDS = {
    **dict.fromkeys(("went to", "went back to", "moved to", "journeyed to", "travelled to"), "move"),
    **dict.fromkeys(("got", "took", "grabbed", "picked up"), "get"),
    **dict.fromkeys(("dropped", "left", "discarded", "put down"), "drop"),
    **dict.fromkeys(("gave", "handed", "passed"), "give"),
}
MOVES = "|".join(verb for verb, kind in KINDS.items() if kind == "move")
ACT = re.compile(rf"(\w+) ({'|'.join(sorted(KINDS, key=len, reverse=True))}) the (\w+)(?: there)?(?: to (\w+))?")
TIMES = ("yesterday", "this morning", "this afternoon", "this evening")
OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}
SINGULAR = {"mice": "mouse", "wolves": "wolf", "cats": "cat", "sheep": "sheep"}
STEP = {"above": (0, 1), "below": (0, -1), "to the right of": (1, 0), "to the left of": (-1, 0)}
SHAPE = r"(triangle|red square|blue square|yellow square|pink rectangle|red sphere)"
SIDE = f"({'|'.join(STEP)})"


def acts(statements: Sequence[str]) -> list[Act]:
    """What is done in these statements; one that tells of nothing done is left out."""
    found = []
    for line, text in enumerate(statements):
        if match := ACT.fullmatch(text):
            person, verb, thing, receiver = match.groups()
            found.append(Act(line, KINDS[verb], person, thing, receiver or ""))
    return found


def groups(pattern: str, text: str) -> tuple[str, ...]:
    """The parts of a text that must look like this."""
    match = re.fullmatch(pattern, text)
    if match is None:
        raise ValueError(f"{text!r} is no {pattern!r}")
    return match.groups()


def where_is(statements: Sequence[str], ask: str, further: int = 0) -> Iterator[Reading]:
    """Tasks 1 and 12: the last sentence that names the person; of 11 and 13, ``further`` goes on with a pronoun."""
    person = ask.split()[-1]
    last = max(line for line, text in enumerate(statements) if person in text.split())
    yield Reading(statements[last + further].split()[-1], tuple(range(last, last + further + 1)))


where_are_they = partial(where_is, further=1)


def where_is_object(statements: Sequence[str], ask: str) -> Iterator[Reading]:
    """Task 2: where its last holder is, or was when it was dropped."""
    done = acts(statements)
    last = [act for act in done if act.thing == ask.split()[-1]][-1]
    moves = [act for act in done if act.kind == "move" and act.person == last.person]
    if last.kind == "drop":
        move = [act for act in moves if act.line < last.line][-1]
    else:
        move = next(act for act in reversed(moves) if act.line > last.line)
    yield Reading(move.thing, (last.line, move.line))


def where_was_object(statements: Sequence[str], ask: str) -> Iterator[Reading]:
    """Task 3: the rooms of its last journey in somebody's hands."""
    thing, place = groups(r"where was the (\w+) before the (\w+)", ask)
    done = acts(statements)
    handled = [act for act in done if act.thing == thing]
    last = handled[-1]
    got = handled[-2].line if last.kind == "drop" else last.line
    end = last.line if last.kind == "drop" else len(statements)
    rooms = [act for act in done if act.kind == "move" and act.person == last.person and got < act.line < end]
    visit = max(number for number in range(1, len(rooms)) if rooms[number].thing == place)
    yield Reading(rooms[visit - 1].thing, (last.line, rooms[visit].line, rooms[visit - 1].line))


def compass(statements: Sequence[str]) -> Iterator[tuple[str, str, str, int]]:
    """What is on which side of what, both ways round."""
    for line, text in enumerate(statements):
        a, side, b = groups(r"the (\w+) is (\w+) of the (\w+)", text)
        yield a, side, b, line
        yield b, OPPOSITE[side], a, line


def beside(statements: Sequence[str], ask: str) -> Iterator[Reading]:
    """Task 4: one statement relates the two rooms."""
    for a, side, b, line in compass(statements):
        if ask in (f"what is {side} of the {b}", f"what is the {b} {OPPOSITE[side]} of"):
            yield Reading(a, (line,))


def given(statements: Sequence[str], ask: str) -> Iterator[Reading]:
    """Task 5: the latest giving of an object, among those that the question may mean."""
    latest = {act.thing: act for act in acts(statements) if act.kind == "give"}
    for give in latest.values():
        giver, thing, receiver = give.person, give.thing, give.receiver
        forms = {
            f"what did {giver} give to {receiver}": thing,
            f"who gave the {thing}": giver,
            f"who gave the {thing} to {receiver}": giver,
            f"who received the {thing}": receiver,
            f"who did {giver} give the {thing} to": receiver,
        }
        if ask in forms:
            yield Reading(forms[ask], (give.line,))


def is_there(statements: Sequence[str], ask: str) -> Iterator[Reading]:
    """Tasks 6, 9 and 10: what was told last of where the person is, or is not."""
    person, place = groups(r"is (\w+) in the (\w+)", ask)
    for line in range(len(statements) - 1, -1, -1):
        if match := re.fullmatch(rf"{person} is (?:not|no longer) in the (\w+)", statements[line]):
            yield Reading("no" if match[1] == place else "unknown", (line,))
        elif match := re.fullmatch(rf"{person} is either in the (\w+) or the (\w+)", statements[line]):
            yield Reading("maybe" if place in match.groups() else "no", (line,))
        elif match := re.fullmatch(rf"{person} (?:is in|{MOVES}) the (\w+)", statements[line]):
            yield Reading("yes" if match[1] == place else "no", (line,))
        else:
            continue
        return


def hands(statements: Sequence[str], ask: str, counted: bool) -> Iterator[Reading]:
    """Tasks 7 and 8: what somebody holds, by number or by name; facts are all that was done with what they ever had."""
    person = groups(r"(?:how many objects|what) is (\w+) carrying", ask)[0]
    held: set[str] = set()
    lines: dict[str, list[int]] = {}  # of each object, in the order of the first having
    for act in acts(statements):
        if act.kind != "move" and person in (act.person, act.receiver):
            lines.setdefault(act.thing, []).append(act.line)
            (held.add if act.kind == "get" or act.receiver == person else held.discard)(act.thing)
    facts = [line for those in lines.values() for line in those]
    if counted:
        yield Reading(("none", "one", "two", "three")[len(held)], tuple(sorted(facts)))
    else:
        yield Reading(",".join(thing for thing in lines if thing in held) or "nothing", tuple(facts))


def before(statements: Sequence[str], ask: str) -> Iterator[Reading]:
    """Task 14: the place at the time before the latest visit."""
    person, place = groups(r"where was (\w+) before the (\w+)", ask)
    visits: dict[int, tuple[str, int]] = {}
    for line, text in enumerate(statements):
        time = next(time for time in TIMES if time in text)
        act = acts([text.replace(time, "").strip()])[0]
        if act.person == person:
            visits[TIMES.index(time)] = act.thing, line
    latest = max(time for time, (where, _) in visits.items() if where == place and time - 1 in visits)
    yield Reading(visits[latest - 1][0], (visits[latest][1], visits[latest - 1][1]))


def afraid(statements: Sequence[str], ask: str) -> Iterator[Reading]:
    """Task 15: the kind somebody is of, and what that kind fears."""
    (person,) = groups(r"what is (\w+) afraid of", ask)
    kind = next(line for line, text in enumerate(statements) if text.startswith(f"{person} is a "))
    for line, text in enumerate(statements):
        if " are afraid of " in text and SINGULAR[text.split()[0]] == statements[kind].split()[-1]:
            yield Reading(SINGULAR[text.split()[-1]], (kind, line))


def colour(statements: Sequence[str], ask: str) -> Iterator[Reading]:
    """Task 16: the colour of those of its kind; the one whose kind was told last comes first."""
    (person,) = groups(r"what color is (\w+)", ask)
    kinds: dict[str, tuple[str, int]] = {}
    colours: dict[str, tuple[str, int]] = {}
    for line, text in enumerate(statements):
        name, what = text.split(" is ")
        (kinds if what.startswith("a ") else colours)[name] = what, line
    kin = [name for name, (kind, _) in kinds.items() if kind == kinds[person][0] and name != person and name in colours]
    for name in sorted(kin, key=lambda name: -kinds[name][1]):
        yield Reading(colours[name][0], (kinds[person][1], kinds[name][1], colours[name][1]))


def shapes(statements: Sequence[str], ask: str) -> Iterator[Reading]:
    """Task 17: all shapes on a unit grid."""
    first, side, second = groups(f"is the {SHAPE} {SIDE} the {SHAPE}", ask)
    links = [groups(f"the {SHAPE} is {SIDE} the {SHAPE}", text) for text in statements]
    place = {links[0][2]: (0, 0)}
    for _ in range(3):
        for a, way, b in links:
            for known, other, sign in ((b, a, 1), (a, b, -1)):
                if known in place and other not in place:
                    place[other] = (place[known][0] + sign * STEP[way][0], place[known][1] + sign * STEP[way][1])
    (x, y), (right, up) = (place[first][i] - place[second][i] for i in (0, 1)), STEP[side]
    lines = (next(line for line, link in enumerate(links) if shape in link) for shape in (first, second))
    yield Reading("yes" if x * right + y * up > 0 else "no", tuple(lines))


def bigger(statements: Sequence[str], ask: str) -> Iterator[Reading]:
    """Task 18: two statements make a chain from the bigger to the smaller."""
    sizes = []  # bigger, smaller
    for text in statements:
        if "bigger" in text:
            sizes.append(groups(r"the ([\w ]+) is bigger than the ([\w ]+)", text))
        else:
            small, big = groups(r"the ([\w ]+) fits inside the ([\w ]+)", text)
            sizes.append((big, small))
    if ask.startswith("does"):
        small, big = groups(r"does the ([\w ]+) fit in the ([\w ]+)", ask)
    else:
        big, small = groups(r"is the ([\w ]+) bigger than the ([\w ]+)", ask)
    for line, (a, b) in enumerate(sizes):
        for other, (c, d) in enumerate(sizes):
            if b == c and (a, d) == (big, small):
                yield Reading("yes", (line, other))
            elif b == c and (a, d) == (small, big):
                yield Reading("no", (other, line))


def path(statements: Sequence[str], ask: str) -> Iterator[Reading]:
    """Task 19: two steps from room to room."""
    start, end = groups(r"how do you go from the (\w+) to the (\w+)", ask)
    edges = list(compass(statements))
    for middle, way, here, line in edges:
        for there, onward, between, other in edges:
            if (here, between, there) == (start, middle, end):
                yield Reading(f"{way[0]},{onward[0]}", (line, other))


MOTIVES = {"hungry": "kitchen", "thirsty": "kitchen", "bored": "garden", "tired": "bedroom"}


def motive(statements: Sequence[str], ask: str) -> Iterator[Reading]:
    """Task 20: what somebody was said to be explains what they do."""
    person = (
        re.fullmatch(r"where will (\w+) go", ask) or re.fullmatch(r"why did (\w+) (?:go to|get) the \w+", ask) or [""] * 2
    )[1]
    for line, text in enumerate(statements):
        if (match := re.fullmatch(rf"{person} is (\w+)", text)) and match[1] in MOTIVES:
            yield Reading(MOTIVES[match[1]] if ask.startswith("where") else match[1], (line,))


READERS: dict[str, Callable[[Sequence[str], str], Iterator[Reading]]] = {
    "single_fact": where_is,
    "two_facts": where_is_object,
    "three_facts": where_was_object,
    "two_relations": beside,
    "three_relations": given,
    "yes_no": is_there,
    "counting": partial(hands, counted=True),
    "lists": partial(hands, counted=False),
    "negation": is_there,
    "indefinite": is_there,
    "coreference": where_are_they,
    "conjunction": where_is,
    "compound_coreference": where_are_they,
    "time_order": before,
    "deduction": afraid,
    "induction": colour,
    "position": shapes,
    "size": bigger,
    "path": path,
    "motivation": motive,
}


def readings(name: str, story: Story, number: int) -> list[Reading]:
    """What a reader of the story would answer to its question of that number; none where it cannot be told."""
    question = story.questions[number]
    statements = [" ".join(words(text)) for text in story.statements[: question.after]]
    try:
        return list(READERS[task_name(name)](statements, " ".join(words(question.text))))
    except (ValueError, IndexError, StopIteration, KeyError, RuntimeError):
        return []


def replay(name: str, stories: Sequence[Story]) -> tuple[int, int, int]:
    """How many questions there are, how many have the answer and the supporting facts that a reader finds,
    and how many could be answered in another way too (task 5: another gift between the two; task 16: kin of two colours).
    """
    asked = confirmed = ambiguous = 0
    for story in stories:
        for number, question in enumerate(story.questions):
            found = readings(name, story, number)
            right = found[:1] if task_name(name) == "induction" else found
            asked += 1
            confirmed += Reading(question.answer.lower(), question.supporting_facts) in right
            ambiguous += len({reading.answer for reading in found}) > 1
    return asked, confirmed, ambiguous
