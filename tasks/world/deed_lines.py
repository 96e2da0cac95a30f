"""Deeds as statements, in any tense, active or passive, with additions before and after.

Deed("sell", {giver: Ann, theme: bike, receiver: Bob, time: Monday})
->  On Monday Ann sold Bob the bike.   The bike was sold to Bob by Ann on Monday.   Bob bought the bike from Ann on Monday.
"""

from __future__ import annotations

from random import Random

from .clauses import may_be_passive, place_after, say_added, say_rest, say_time
from .entities import Entity
from .forms import group
from .lexicon import WORDS
from .lines import Line
from .modes import mode_phrase, mode_phrases
from .senses import Frame, frame_verbs
from .templates import fill

NOBODY = Entity("person", ["nobody"], det="", sure=False)
UNPASSIVE = frozenset(WORDS["unpassive"])
CONDITIONS = (
    "it rains",
    "it does not rain",
    "the weather is fine",
    "there is time",
    "the bus comes",
    "the shop is open",
    "nobody minds",
    "all goes well",
)


def choose_verb(random: Random, frame: Frame, part: str, unusual: float) -> str:
    """A verb of a frame: one of the plain ones, or any."""
    verbs = frame.plain if random.random() > unusual else frame_verbs(frame, part)
    return verbs[int(random.random() * len(verbs))]


def tell_deed(
    line: Line,
    frame: Frame,
    roles: dict[str, Entity],
    verb: str,
    tense: str,
    mode: str = "",
    front: str = "",
    no_subject: bool = False,
) -> None:
    """Add a statement of a deed. ``front``: a word before it ("then"); ``no_subject``: "... and went home"."""
    time, reason = roles.get("time"), roles.get("reason")
    subject = NOBODY if mode == "nobody" else roles.get(frame.subject)
    if subject is None and frame.object is not None and line.chance(0.4) and not line.plain:
        subject = Entity("person", [line.random.choice(("somebody", "someone"))], det="", sure=False)
    reason_place = _place_of_reason(line, reason, front)
    named = _say_reason_first(line, reason, subject, reason_place)
    time_first = time is not None and reason_place in ("", "back") and not no_subject and not front and line.chance(0.25)
    if time is not None and time_first:
        say_time(line, time)
        if line.chance(0.4):
            line.put(",")
    line.put(*front.split())
    free = not (named or line.plain or mode or no_subject) and verb not in UNPASSIVE
    if subject is None or (free and not subject.speaking and may_be_passive(frame, roles) and line.chance(0.13)):
        _passive(line, frame, roles, verb, tense)
    else:
        if named and not subject.speaking:
            line.put(subject.pronouns()[0])
            line.subject = subject
        _active(line, frame, roles, subject, verb, tense, mode, no_subject or (named and not subject.speaking), named)
    say_added(line, frame, roles)
    if time is not None and not time_first:
        say_time(line, time)
    if reason is not None and reason_place == "back":
        words = (
            ("because of", "because of", "due to", "because of")
            if reason.noun == "cause"
            else ("because", "because", "as", "since")
        )
        line.put(*line.random.choice(words).split())
        _say_reason(line, reason, subject)
    if mode == "condition":
        line.put("if")
        fill(line, line.random.choice(CONDITIONS), {})


def _place_of_reason(line: Line, reason: Entity | None, front: str) -> str:
    """Where a reason is told: "front" (because ..., he went), "so" (..., so he went), "back", or "" where there is none."""
    if reason is None:
        return ""
    roll = line.random.random()
    if reason.noun == "cause" and roll > 0.15:
        return "back"
    return "back" if front or roll > 0.4 else "front" if roll < 0.15 else "so"


def _say_reason_first(line: Line, reason: Entity | None, subject: Entity | None, place: str) -> bool:
    """Add a reason that comes first; whether it names the subject."""
    if reason is None or place not in ("front", "so"):
        return False
    if place == "front":
        line.put(*(("because", "of") if reason.noun == "cause" else ("because",)))
    named = _say_reason(line, reason, subject, first=True)
    line.put(*((",",) if place == "front" else (",", "so") if line.chance(0.7) else ("so",)))
    return named


def _say_reason(line: Line, reason: Entity, subject: Entity | None, first: bool = False) -> bool:
    """Add the reason; whether it names the subject, as it comes first."""
    start = len(line.words)
    named = first and reason.head == "template" and "<x.p>" in reason.words[0]
    if reason.head == "template":
        text = reason.words[0].replace("<x.p>", "<x>") if named else reason.words[0]
        fill(line, text, {"x": subject} if subject is not None else {})
        reason.words = tuple(line.words[start:])
        reason.head = ""
    else:
        line.put(*reason.words)
    line.name(reason, start, len(line.words))
    return named


def _passive(line: Line, frame: Frame, roles: dict[str, Entity], verb: str, tense: str) -> None:
    assert frame.object is not None
    target = roles[frame.object]
    line.verb = verb
    line.noun(target, "subject", new=True)
    if target.kind != "person":
        line.objects.extend(target.members or (target,))
    before, after = group(verb, tense, target.agree, passive=True)
    line.put(*before)
    line.put(*after)
    agent_last = line.chance(0.25)
    if frame.subject in roles and not agent_last:
        line.put("by")
        line.noun(roles[frame.subject])
    for preposition, role, _ in frame.marked:
        if role in roles:
            place_after(line, roles[role], preposition, role)
    if frame.subject in roles and agent_last:
        line.put("by")
        line.noun(roles[frame.subject])


def _active(
    line: Line,
    frame: Frame,
    roles: dict[str, Entity],
    subject: Entity,
    verb: str,
    tense: str,
    mode: str,
    no_subject: bool,
    named: bool = False,
) -> None:
    if mode == "nobody":
        line.put(*line.random.choice(("nobody", "no one")).split())
        line.subject = subject
    elif no_subject:
        line.subject = subject
    else:
        line.noun(subject, "subject", new=line.chance(0.3) and subject.noun == "")
        if line.apposition is not None:
            line.put(",")
            line.noun(line.apposition)
            line.put(",")
            line.apposition = None
    if mode:
        phrases = mode_phrases(mode)
        after = mode_phrase(line, phrases[int(line.random.random() * len(phrases))], subject.agree, verb)
    else:
        before, after = group(verb, tense, subject.agree)
        if no_subject and not named:
            before = ()
        line.put(*before)
        if roles.get("manner") is not None and len(roles["manner"].words) == 1 and tense != "going" and line.chance(0.5):
            line.noun(roles["manner"])
    say_rest(line, frame, roles, verb, after)
