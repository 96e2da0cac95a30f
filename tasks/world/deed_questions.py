"""Deeds as questions: for any of their roles, active or passive, and for yes or no.

Who bought the bike?   What did Ann sell to Bob?   When did Bob buy the bike?   By whom was the bike sold?   Did Ann sell it?
"""

from __future__ import annotations

from .clauses import ADDED_BEFORE, may_be_passive, place_after, say_added, say_rest, say_time
from .entities import Entity
from .forms import asked_group, group
from .lexicon import table
from .lines import Line
from .modes import mode_phrase
from .senses import Frame
from .values import DAYS

BEFORE_QUESTION = {
    "company": "Who",
    "for": "Who",
    "hearer": "Who",
    "tool": "What",
    "topic": "What",
    "favour": "What",
    "event": "What",
    "game": "What",
}


def ask_deed(line: Line, frame: Frame, roles: dict[str, Entity], asked: str, verb: str, tense: str, mode: str = "") -> None:
    """Add a question for a role of a deed; ``asked`` is "" for yes or no. ``roles`` has it too, and what else is said."""
    subject = roles.get(frame.subject)
    if asked == frame.subject or subject is None:
        _ask_subject(line, frame, roles, asked, verb, tense, mode)
    else:
        _question_word(line, frame, roles, asked)
        _aux_and_rest(line, frame, roles, asked, verb, tense, mode, subject)
    say_added(line, frame, roles, skip=asked)
    if asked in BEFORE_QUESTION and asked not in frame.roles() and line.words[0] not in ("With", "About"):
        line.put(*ADDED_BEFORE[asked].split())
    if "time" in roles and asked != "time":
        say_time(line, roles["time"])


def _aux_and_rest(
    line: Line, frame: Frame, roles: dict[str, Entity], asked: str, verb: str, tense: str, mode: str, subject: Entity
) -> None:
    if mode:
        phrase = tuple(table("modes.toml")[mode]["asks"][0].split())
        first, rest = phrase[0], phrase[1:]
        if first in ("might",):
            line.put(first)
            line.noun(subject, "subject")
            after = mode_phrase(line, rest, subject.agree, verb, asking=True)
        else:
            line.put("did" if first.endswith("^") else "does" if subject.agree == "3" else "do")
            line.noun(subject, "subject")
            line.put(first.rstrip("~^"))
            after = mode_phrase(line, rest, subject.agree, verb, asking=True)
    else:
        before, after = asked_group(verb, tense, subject.agree)
        line.put(*before)
        line.noun(subject, "subject")
    say_rest(line, frame, roles, verb, after, skip=asked)


def _ask_subject(line: Line, frame: Frame, roles: dict[str, Entity], asked: str, verb: str, tense: str, mode: str) -> None:
    """Who painted the fence? By whom was it painted? Was it painted on Monday? (where nobody is said to have done it)"""
    target = roles.get(frame.object) if frame.object else None
    if asked != frame.subject:  # nobody said who: the passive
        assert target is not None
        _question_word(line, frame, roles, asked)
        before, after = asked_group(verb, tense, target.agree, passive=True)
        if asked == frame.object:
            before, after = group(verb, tense, "3", passive=True)
            line.put(*before, *after)
        else:
            line.put(*before)
            line.noun(target, "subject")
            line.put(*after)
        for preposition, role, _ in frame.marked:
            if role in roles and role != asked:
                place_after(line, roles[role], preposition, role)
        return
    word = "who" if roles[asked].animate else "what"
    if (
        target is not None
        and not line.plain
        and not mode
        and not target.speaking
        and may_be_passive(frame, roles)
        and line.chance(0.12)
        and not frame.marked
    ):
        before, after = asked_group(verb, tense, target.agree, passive=True)
        line.put(*(("by", "whom") if line.chance(0.3) and word == "who" else (word,)))
        line.put(*before)
        line.noun(target, "subject")
        line.put(*after)
        if line.words[0] != "by":
            line.put("by")
        return
    line.put(word)
    if mode:
        phrase = tuple(table("modes.toml")[mode]["asks"][0].split())
        after = mode_phrase(line, phrase, "3", verb)
    else:
        before, after = group(verb, tense, "3")
        line.put(*before)
    say_rest(line, frame, roles, verb, after)


def _question_word(line: Line, frame: Frame, roles: dict[str, Entity], asked: str) -> None:
    if not asked:
        return
    entity = roles[asked]
    if asked == "source" and asked == frame.object:
        line.put("which", "place")
    elif asked == "time":
        line.put(*_when(line, entity))
    elif asked == "reason":
        line.put("why")
    elif asked == "amount":
        line.put("how", "much", *roles["theme"].words)
    elif asked == "number":
        line.put("how", "many", *roles["theme"].words)
    elif asked in ("long", "for_long"):
        line.put("how", "long")
    elif asked == "often":
        line.put("how", "often")
    elif asked in ("vehicle", "manner"):
        line.put("how")
    elif asked == "price":
        line.put("how", "much")
    elif asked == "colour":
        line.put("what", line.random.choice(("colour", "color")))
    elif (
        asked in ("location", "spot")
        or (asked == "source" and asked != frame.object)
        or (entity.kind == "place" and (asked != frame.object or asked in ("place", "source")))
    ):
        line.put("where")
    elif entity.animate:
        line.put("who" if asked != "receiver" or line.chance(0.9) else "whom")
    else:
        line.put("what")


def _when(line: Line, time: Entity) -> tuple[str, ...]:
    if not line.chance(0.3):
        return ("when",)
    if time.words[0] in DAYS and len(time.words) == 1:
        return line.random.choice((("on", "which", "day"), ("what", "day"), ("which", "day")))
    if time.prep == "at":
        return line.random.choice((("at", "what", "time"), ("what", "time")))
    if time.words[0].isdigit() and len(time.words) == 1 and time.prep == "in":
        return line.random.choice((("in", "which", "year"), ("what", "year")))
    return ("when",)
