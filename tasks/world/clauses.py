"""Parts of sentences about deeds: objects, prepositions, additions, times; for statements and questions.

say_rest(line, frame, roles, "pick up", ("picked", "up"))   ->   picked the lamp up in the attic
"""

from __future__ import annotations

from .entities import Entity
from .lexicon import WORDS
from .lines import Line
from .senses import Frame

ADDED_BEFORE: dict[str, str] = WORDS["added_before"]  # prepositions of additions; "" is the entity's own


MOVABLE = frozenset(["behind", "up", "down", "out", "off", "back", "away", "over", "on", "in"])  # she picked it up


FIXED = frozenset(("call on", "come upon", "stumble upon", "run into", "look for", "get back", "quarrel about", "take on"))


STILL = frozenset(WORDS["still"])  # she kept it in the box; she put it into the box


ORDER: tuple[str, ...] = tuple(WORDS["order"])


def place_after(line: Line, entity: Entity, preposition: str, role: str) -> None:
    """Add a preposition and a noun phrase: "to the park", "there", "into the box", "home"."""
    if preposition == "-":
        line.noun(entity)
        return
    if entity.kind == "place" and preposition in ("to", "") and not line.names_place() and line.there(entity):
        return
    if preposition == "to" and entity.into == "bare":
        preposition = "-"
    if preposition == "-":
        line.noun(entity)
        return
    if not preposition:
        moving = role == "location" and entity.into != "to" and line.verb not in STILL
        preposition = entity.into if moving and entity.into != "bare" and line.chance(0.5) else entity.prep
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
    """Add what follows the auxiliaries: verb, object and what prepositions mark; ``skip`` is a role that is asked for."""
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


def may_be_passive(frame: Frame, roles: dict[str, Entity]) -> bool:
    """Whether a deed may be told by what it was done to."""
    if frame.object is not None and frame.subject in roles and roles[frame.object].owner is roles[frame.subject]:
        return False
    if frame.object is None or "active" in frame.flags or roles[frame.object].kind in ("price", "value"):
        return False
    return not roles[frame.object].speaking and "number" not in roles and "amount" not in roles
