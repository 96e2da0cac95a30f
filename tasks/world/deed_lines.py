"""Deeds as statements, in any tense, active or passive, with additions before and after.

Deed("sell", {giver: Ann, theme: bike, receiver: Bob, time: Monday})
->  On Monday Ann sold Bob the bike.   The bike was sold to Bob by Ann on Monday.   Bob bought the bike from Ann on Monday.
"""

from __future__ import annotations

from functools import cache
from random import Random

from .entities import Entity
from .forms import agreeing, form, group
from .lexicon import table
from .lines import Line
from .senses import Frame, frame_verbs
from .templates import fill

ADDED_BEFORE = {  # prepositions of additions; "" is the entity's own
    "company": "with",
    "tool": "with",
    "vehicle": "by",
    "topic": "about",
    "for": "for",
    "favour": "for",
    "event": "to",
    "hearer": "to",
    "destination": "to",
    "long": "for",
    "for_long": "for",
    "shop": "",
    "place": "",
    "surface": "on",
    "material": "out of",
    "game": "at",
    "often": "",
    "manner": "",
}


MOVABLE = frozenset(["up", "down", "out", "off", "back", "away", "over", "on", "in"])  # she picked it up
FIXED = frozenset(("call on", "come upon", "stumble upon", "run into", "look for", "get back", "quarrel about", "take on"))


NOBODY = Entity("person", ["nobody"], det="", sure=False)
STILL = frozenset(  # she kept it in the box; she put it into the box
    (
        "keep",
        "store",
        "hide",
        "stash",
        "leave",
        "place",
        "set",
        "lay",
        "conceal",
        "position",
        "park",
        "deposit",
        "perch",
        "nestle",
        "arrange",
        "hang",
        "prop",
        "prop up",
        "leave behind",
        "stow",
        "stow away",
    )
)
ORDER = (
    *(
        "manner",
        "hearer",
        "company",
        "tool",
        "for",
        "favour",
        "topic",
        "event",
        "game",
        "material",
        "surface",
        "destination",
        "vehicle",
    ),
    *("shop", "place", "long", "for_long", "often"),
)


def place_after(line: Line, entity: Entity, preposition: str, role: str) -> None:
    """Add a preposition and a noun phrase: "to the park", "there", "into the box", "home"."""
    if preposition == "-":
        line.noun(entity)
        return
    if entity.kind == "place" and preposition in ("to", "") and line.there(entity):
        return
    if not preposition:
        moving = role == "location" and entity.into != "to" and line.verb not in STILL
        preposition = entity.into if moving and line.chance(0.5) else entity.prep
    elif preposition == "to" and entity.kind != "person" and role in ("place", "location") and entity.into not in ("", "to"):
        preposition = entity.into
    line.put(*preposition.split())
    line.noun(entity, new=role in ("tool", "other"), full=entity.kind == "place")


def _object_first(verb: str, line: Line, entity: Entity, full: bool) -> tuple[list[str], bool]:
    """The verb's particle where it comes after the object, and whether the object must be no pronoun."""
    words = verb.split()
    if len(words) == 2 and words[1] in MOVABLE and verb not in FIXED:
        if line.chance(0.4):
            return words[1:], full
        return [], True
    return [], full


def say_rest(
    line: Line, frame: Frame, roles: dict[str, Entity], verb: str, after: tuple[str, ...], skip: str = "", passive: bool = False
) -> None:
    """Add what follows the auxiliaries: verb, object and what is marked by prepositions; ``skip`` is a role that is asked for."""
    line.put(*after[: len(after) - len(verb.split()) + 1])
    line.verb = verb
    particle = verb.split()[1:]
    target = frame.object if frame.object != skip and not passive and skip not in ("number", "amount") else None
    marked = [(preposition, role) for preposition, role, _ in frame.marked if role in roles]
    asked = next(((preposition, role) for preposition, role in marked if role == skip), None)
    marked = [(preposition, role) for preposition, role in marked if role != skip]
    indirect = (
        "dative" in frame.flags
        and marked
        and marked[0][0] == "to"
        and target is not None
        and not particle
        and line.chance(0.45)
    )
    if target is not None:
        if indirect:
            line.noun(roles[marked[0][1]])
            marked = marked[1:]
        moved, full = _object_first(verb, line, roles[target], bool(indirect))
        if not moved:
            line.put(*particle)
        _object(line, roles, target, full)
        line.put(*moved)
    else:
        line.put(*particle)
    for preposition, role in marked:
        place_after(line, roles[role], preposition, role)
    if (
        asked is not None
        and asked[0] not in ("", "-")
        and (roles[asked[1]].kind != "place" or skip == "source")
        and asked[1] not in ("purpose",)
    ):
        line.put(*asked[0].split())
    if skip == "purpose":
        line.put("to", "do")


def _object(line: Line, roles: dict[str, Entity], role: str, full: bool) -> None:
    entity = roles[role]
    counted = roles.get("number") or roles.get("amount")
    if role == "theme" and counted is not None and line.words:
        line.noun(counted)
        if "amount" in roles:
            line.put("of")
        start = len(line.words)
        line.put(*entity.words)
        line.name(entity, start, len(line.words))
        return
    line.noun(entity, new=not line.question, full=full)
    if entity.kind != "person":
        line.objects.extend(entity.members or (entity,))


def say_added(line: Line, frame: Frame, roles: dict[str, Entity], skip: str = "") -> None:
    """Add company, tools, places and so on, at the end; times and reasons are added elsewhere."""
    told = frame.roles()
    for role in ORDER:
        if (
            role in roles
            and role not in told
            and role != skip
            and not any(named is roles[role] for named, _, _ in line.mentions)
        ):
            place_after(line, roles[role], ADDED_BEFORE[role], role)


def say_time(line: Line, time: Entity) -> None:
    """Add "on Monday"."""
    line.put(*time.prep.split())
    line.noun(time)


@cache
def _mode_phrases(mode: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(phrase.split()) for phrase in table("modes.toml")[mode]["phrases"])


def _verb_form(verb: str, how: str) -> list[str]:
    head, *particle = verb.split()
    tag = {"+base": "", "+ing": "VBG", "+done": "VBN", "+past": "VBD"}[how]
    return [form(head, tag) if tag else head, *particle]


def mode_phrase(line: Line, phrase: tuple[str, ...], agree: str, verb: str, asking: bool = False) -> tuple[str, ...]:
    """Add the words of a mode before the verb; the verb in its form comes back."""
    for place, word in enumerate(phrase):
        if word.startswith("+"):
            return tuple(_verb_form(verb, word))
        if word == "be_past":
            line.put("were" if agree == "p" else "was")
        elif word == "not" and not asking and place == 0:
            line.negate("did")
        elif word in ("be~", "have~"):
            line.put(agreeing(word[:-1], agree))
        elif word.endswith("~"):
            line.put(form(word[:-1], "VBZ") if agree == "3" else word[:-1])
        elif word.endswith("^"):
            line.put(form(word[:-1], "VBD"))
        else:
            line.put(word)
    return tuple(verb.split())


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
    named = False
    if subject is None and frame.object is not None and line.chance(0.4) and not line.plain:
        subject = Entity("person", [line.random.choice(("somebody", "someone"))], det="", sure=False)
    reason_place = (
        ""
        if reason is None
        else "front"
        if line.chance(0.15) and not front
        else "so"
        if line.chance(0.3) and not front
        else "back"
    )
    if reason is not None and reason_place == "front":
        line.put("because")
        named = _say_reason(line, reason, roles.get(frame.subject), first=True)
        line.put(",")
    elif reason is not None and reason_place == "so":
        named = _say_reason(line, reason, subject, first=True)
        line.put(*((",", "so") if line.chance(0.7) else ("so",)))
    time_first = time is not None and reason_place in ("", "back") and not no_subject and not front and line.chance(0.25)
    if time is not None and time_first:
        say_time(line, time)
        if line.chance(0.4):
            line.put(",")
    if front:
        line.put(*front.split())
    passive = subject is None or (
        not named
        and not line.plain
        and verb not in UNPASSIVE
        and not mode
        and not no_subject
        and not subject.speaking
        and may_be_passive(frame, roles)
        and line.chance(0.13)
    )
    if passive:
        _passive(line, frame, roles, verb, tense)
    else:
        assert subject is not None
        if named and not subject.speaking:
            line.put(subject.pronouns()[0])
            line.subject = subject
        _active(line, frame, roles, subject, verb, tense, mode, no_subject or (named and not subject.speaking), named)
    say_added(line, frame, roles)
    if time is not None and not time_first:
        say_time(line, time)
    if reason is not None and reason_place == "back":
        line.put(line.random.choice(("because", "because", "because", "as", "since")))
        _say_reason(line, reason, subject)
    if mode == "condition":
        line.put("if")
        fill(line, line.random.choice(CONDITIONS), {})


UNPASSIVE = frozenset(("get", "have", "leave", "let go of", "come", "go", "reach", "miss", "make a mess of"))
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


def may_be_passive(frame: Frame, roles: dict[str, Entity]) -> bool:
    """Whether a deed may be told by what it was done to."""
    if frame.object is not None and frame.subject in roles and roles[frame.object].owner is roles[frame.subject]:
        return False
    if frame.object is None or "active" in frame.flags or roles[frame.object].kind in ("price", "value"):
        return False
    return not roles[frame.object].speaking and "number" not in roles and "amount" not in roles


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
        phrases = _mode_phrases(mode)
        after = mode_phrase(line, phrases[int(line.random.random() * len(phrases))], subject.agree, verb)
    else:
        before, after = group(verb, tense, subject.agree)
        if no_subject and not named:
            before = ()
        line.put(*before)
        if roles.get("manner") is not None and len(roles["manner"].words) == 1 and tense != "going" and line.chance(0.5):
            line.noun(roles["manner"])
    say_rest(line, frame, roles, verb, after)
