"""Questions about deeds: who, what, to whom, where, when, why, how, with whom, and whether.

Who sold the bike? Why did Tom go to the bank? How many pies did Grandpa bake? Did Felix take the charger?
"""

from __future__ import annotations

from . import deed_answers
from .ask_facts import about_fact, about_tint
from .ask_places import having, in_place, of_place
from .asker import Asked, Asker
from .deed_lines import tell_deed
from .deed_questions import ask_deed
from .entities import Entity, members, value
from .lexicon import WORDS
from .lines import Line
from .records import Deed
from .senses import SENSES, Frame

UNASKED = frozenset({"nobody", "not", "nearly", "perhaps", "condition", "maybe"})


KEPT = frozenset({"location", "spot", "date", "colour", "title", "other", "purpose", "part"})
SOMEBODY = Entity("person", ["somebody"], det="")


STAND_INS = {
    "time": value("time", "then"),
    "place": Entity("place", ["there"]),
    "shop": Entity("place", ["there"]),
    "reason": value("reason", "so"),
    "price": value("price", "so much"),
}
KIND_OF_ROLE: dict[str, str] = WORDS["asked_of_role"]


def about_deed(asker: Asker, record: Deed, wrong: bool) -> Asked | None:
    """Questions about a record of deed."""
    does = SENSES[record.sense].does
    roll = asker.random.random()
    seen = record.roles.get("theme")
    if seen is not None and seen.tint is not None and not wrong and asker.chance(0.25):
        return about_tint(asker, seen, None, record.statement)
    if does != "none" and roll < 0.55:
        theme = record.roles.get("theme")
        person = (
            record.roles.get("receiver")
            or record.roles.get("taker")
            or record.roles.get("holder")
            or record.roles.get("mover")
            or record.roles.get("putter")
        )
        if does in ("go", "leave"):
            person = record.roles["mover"]
            if "place" in record.roles and asker.chance(0.15):
                return in_place(asker, record.roles["place"])
            return of_place(asker, asker.pick(members(person)), wrong)
        if does in ("set", "colour") and theme is not None:
            return about_fact(asker, "colour" if does == "colour" else SENSES[record.sense].sets[0], theme, wrong)
        if (theme is not None and theme.kind in ("thing", "container")) or (theme is not None and theme.members):
            thing = asker.pick(members(theme))
            if asker.chance(0.35) and person is not None and does in ("take", "drop", "give", "carry"):
                return of_place(asker, asker.pick(members(person)), wrong)
            if ("location" in record.roles or "spot" in record.roles) and asker.chance(0.15):
                return in_place(asker, record.roles.get("location") or record.roles["spot"])
            giver = record.roles.get("giver")
            who = giver if giver is not None and asker.chance(0.35) else person
            return (
                having(asker, thing, asker.pick(members(who)) if who is not None else None, wrong)
                if asker.chance(0.5)
                else of_place(asker, thing, wrong)
            )
    return _did(asker, record, wrong) if roll < 0.66 or record.mode in UNASKED else _role(asker, record, wrong)


def _frames(record: Deed, asked: str) -> list[Frame]:
    """Frames of a deed's sense in which a role can be asked for."""
    sense = SENSES[record.sense]
    roles = {**record.roles, **({asked: SOMEBODY} if asked and asked not in record.roles else {})}
    found = [
        frame
        for frame in sense.frames
        if frame.fits(roles)
        and not (asked == "source" and any(before == "of" for before, _, _ in frame.marked))
        and (not asked or asked in frame.roles() or asked in sense.adds or asked in ("number", "amount"))
    ]
    if not found and sense.frames[0].subject not in record.roles:
        found = [sense.frames[0]]
    return found


def _given(asker: Asker, record: Deed, frame: Frame, asked: str) -> dict[str, Entity]:
    """What a question says of a deed: subject and object, some of the rest."""
    given = {}
    stranded = [one for before, one, _ in frame.marked if before not in ("", "-")]
    for role, entity in record.roles.items():
        if role in (asked, "number", "amount") or (role == "reason"):
            continue
        core = role in (frame.subject, frame.object) or role in KEPT
        told = role in frame.roles()
        free = any(one == role and (may or role in ("receiver", "giver")) for _, one, may in frame.marked)
        if asked in stranded and (not told or (asked == "source" and role == "place")):
            continue
        share = 1.0 if core or (told and not free) else 0.55 if told else 0.2
        if (told or role in SENSES[record.sense].adds) and role not in ("manner",) and asker.chance(share):
            given[role] = entity
    return given


def _verb(asker: Asker, record: Deed, frame: Frame) -> str:
    return asker.pick(frame.plain)


def _asked_tense(asker: Asker, record: Deed) -> str:
    if record.mode in ("maybe", "condition"):
        return "future"
    if record.tense == "present" and "often" in record.roles:
        return "present"
    if record.tense in ("perfect", "earlier", "present") and not SENSES[record.sense].tense:
        return "past" if asker.chance(0.6) or record.tense == "present" else record.tense
    return record.tense


MAY_BE_MISSING = ("time", "reason", "place", "company", "giver", "price")  # roles that are asked for where nothing says them


def _role(asker: Asker, record: Deed, wrong: bool) -> Asked | None:
    """Who did it, what, to whom, when, where, why."""
    sense = SENSES[record.sense]
    told = [role for role in record.roles if role not in ("manner",)]
    asked = asker.pick(told)
    changed: dict[str, Entity] = {}
    if wrong:
        possible = {"time", "reason", *sense.adds, *(role for frame in sense.frames for role in frame.roles())}
        missing = [role for role in (*MAY_BE_MISSING, *sense.adds) if role in possible and role not in record.roles]
        missing = [role for role in missing if role in MAY_BE_MISSING]
        if missing and asker.chance(0.55):
            asked = asker.pick(missing)
        elif "theme" in record.roles and asked not in ("theme", "number", "amount") and not record.roles["theme"].members:
            changed = {"theme": asker.other(record.roles["theme"])}
        else:
            role = asker.pick([one for one in told if record.roles[one].kind == "person"] or [""])
            if not role or role == asked:
                return None
            changed = {role: asker.other(record.roles[role])}
    frames = _frames(record, asked)
    if not frames or (asked == "reason" and record.tense == "future"):
        return None
    frame = asker.pick(frames)
    given = {**_given(asker, record, frame, asked), **changed}
    if _overlap(given):
        return None
    if asked == frame.object == "title" and asked in record.roles and record.roles[asked].kind == "value":
        return None
    mode, future = record.mode, record.tense in ("future", "going")
    query = ("deed", record.sense, given, asked, mode, future)
    found = deed_answers.deed(asker.teller.world, *query[1:])
    if found is None:
        return None
    verb, tense = _verb(asker, record, frame), _asked_tense(asker, record)
    shown = {**given, asked: record.roles.get(asked, STAND_INS.get(asked, SOMEBODY))}
    if "number" in record.roles and asked != "theme" and "number" not in shown and frame.object == "theme" and "theme" in shown:
        shown["theme"] = _many(shown["theme"])

    def say(line: Line) -> None:
        ask_deed(line, frame, shown, asked, verb, tense, mode)

    def untold(line: Line) -> None:
        _missing(line, frame, shown, asked, verb, tense, found.reason)

    return Asked(
        KIND_OF_ROLE.get(asked, "what" if not shown[asked].animate else "who"),
        query,
        found,
        say,
        missing=None if mode else untold,
    )


def _missing(line: Line, frame: Frame, shown: dict[str, Entity], asked: str, verb: str, tense: str, reason: str) -> None:
    """What nothing says: why Rex left; that anybody sold the bike."""
    roles = dict(shown)
    line.put("nothing", "says")
    if reason == "not so":
        line.put("that")
        if asked in (frame.subject, frame.object):
            roles[asked] = ANYBODY if shown[asked].animate else ANYTHING
        else:
            roles.pop(asked, None)
    else:
        line.put(*WHAT_IS_MISSING.get(asked, ("that",)))
        roles.pop(asked, None)
    tell_deed(line, frame, roles, verb, tense)


ANYTHING = Entity("thing", ["anything"], det="")
WHAT_IS_MISSING = {
    "time": ("when",),
    "reason": ("why",),
    "place": ("where",),
    "shop": ("where",),
    "company": ("with", "whom"),
    "price": ("for", "how", "much"),
    "giver": ("from", "whom"),
}


def _overlap(given: dict[str, Entity]) -> bool:
    """Whether somebody is in two roles."""
    everyone = [member for entity in given.values() for member in members(entity)]
    return len({id(one) for one in everyone}) < len(everyone)


def _many(theme: Entity) -> Entity:
    made = Entity(theme.kind, theme.words, det="the", plural=True)
    made.known = True
    return made


def _nobody(asker: Asker, record: Deed) -> Asked | None:
    """Did anybody eat the cake? Who ate it? Did Tom?"""
    frame = SENSES[record.sense].frames[0]
    given = dict(record.roles)
    verb = _verb(asker, record, frame)
    if asker.chance(0.4):
        shown = {**given, frame.subject: SOMEBODY}
        found = deed_answers.deed(asker.teller.world, record.sense, given, frame.subject)
        query: tuple[object, ...] = ("deed", record.sense, given, frame.subject, "", False)
        asked, kind = frame.subject, "who"
    else:
        person = asker.pick((ANYBODY, asker.teller.cast.person()))
        shown = {**given, frame.subject: person}
        query = ("did", record.sense, shown, frame.subject, False)
        found = deed_answers.did(asker.teller.world, record.sense, shown, frame.subject)
        asked, kind = "", "did"
    if found is None:
        return None
    return Asked(kind, query, found, lambda line: ask_deed(line, frame, shown, asked, verb, "past"))


ANYBODY = Entity("person", ["anybody"], det="")


def _did(asker: Asker, record: Deed, wrong: bool) -> Asked | None:
    """Did Ann sell the bike? Did Felix take it? Will it?"""
    if record.mode == "nobody":
        return _nobody(asker, record)
    frames = [frame for frame in SENSES[record.sense].frames if frame.fits(record.roles)]
    if not frames or (record.tense in ("now", "then") and wrong) or "number" in record.roles:
        return None
    frame = asker.pick(frames)
    given = _given(asker, record, frame, "")
    roll = asker.random.random()
    if roll < 0.35 and not record.mode:
        given[frame.subject] = asker.other(given[frame.subject])
    elif (
        (wrong or roll < 0.45)
        and frame.object is not None
        and not record.mode
        and given.get(frame.object) is not None
        and given[frame.object].kind in ("thing", "person")
    ):
        given[frame.object] = asker.other(given[frame.object])
    if _overlap(given):
        return None
    future = record.tense in ("future", "going") or record.mode in ("maybe", "condition")
    query = ("did", record.sense, given, frame.subject, future)
    found = deed_answers.did(asker.teller.world, *query[1:])
    if found is None:
        return None
    verb, tense = _verb(asker, record, frame), _asked_tense(asker, record)
    return Asked("did", query, found, lambda line: ask_deed(line, frame, given, "", verb, tense))
