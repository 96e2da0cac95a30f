"""Questions about a story, drawn apart from how it was told: whatever the state answers, and what it does not.

    draw_question(asker, records)   ->   Asked(kind="where_thing", query=("where", key), found=Found("span", [drawer]), say=...)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import answers, fact_answers
from .cast import FACTS
from .deed_lines import ask_deed
from .entities import Entity, members, value
from .found import Found
from .lexicon import table
from .lines import Line
from .records import At, Being, Beside, Count, Deed, Has, Kin, More, Record, Rule
from .senses import SENSES, Frame
from .telling import Teller
from .templates import fill

Query = tuple[Any, ...]


@dataclass
class Asked:
    """A question: its kind, what it asks of the state, its answer, and how it is said."""

    kind: str
    query: Query
    found: Found
    say: Callable[[Line], None]
    hint: str = ""  # of what is not told: what nothing says


QUESTIONS: dict[str, Callable[..., Found | None]] = {  # a query's first word -> who answers it
    "where": answers.where,
    "which_place": answers.which_place,
    "where_before": answers.where_before,
    "is_in": answers.is_in,
    "who_in": answers.who_in,
    "what_in": answers.what_in,
    "who_has": answers.who_has,
    "does_have": answers.does_have,
    "list_carried": answers.list_carried,
    "count_carried": answers.count_carried,
    "had": answers.had,
    "deed": answers.deed,
    "did": answers.did,
    "fact_value": fact_answers.fact_value,
    "fact_who": fact_answers.fact_who,
    "fact_is": fact_answers.fact_is,
    "is_more": fact_answers.is_more,
    "which_more": fact_answers.which_more,
    "more_than": fact_answers.more_than,
    "most": fact_answers.most,
    "beside": fact_answers.beside,
    "of_what": fact_answers.of_what,
    "is_beside": fact_answers.is_beside,
    "where_beside": fact_answers.where_beside,
    "path": fact_answers.path,
    "kin": fact_answers.kin,
    "is_kin": fact_answers.is_kin,
}
HINTS = {
    "where": "where <x> be~x",
    "who_has": "who has <x.o>",
    "who_in": "who is <x.in>",
    "what_in": "what is <x.in>",
    "list_carried": "what <x> have~x",
}


class Asker:
    """Draws questions about a teller's story."""

    def __init__(self, teller: Teller):
        self.teller = teller
        self.pick, self.chance, self.random = teller.pick, teller.chance, teller.random

    def template(self, kind: str, section: str, query: Query, names: dict[str, Entity], key: str = "asks") -> Asked | None:
        """A question of a template of asking.toml, where the state has one answer or none."""
        texts = table("asking.toml")[section][key]
        return self.text(kind, texts, query, names)

    def text(self, kind: str, texts: list[str], query: Query, names: dict[str, Entity]) -> Asked | None:
        """A question of one of several templates."""
        if not texts:
            return None
        found = QUESTIONS[query[0]](self.teller.world, *query[1:]) if query[0] in QUESTIONS else OTHERS[query[0]](self.teller, *query[1:])
        if found is None:
            return None
        text = texts[0] if self.teller.dials.published else self.pick(texts)
        return Asked(kind, query, found, lambda line: fill(line, text, names), HINTS.get(query[0], ""))

    # ---- which things

    def other(self, entity: Entity) -> Entity:
        """Another of its kind: of the story, mostly."""
        cast = self.teller.cast
        if entity.kind == "person":
            people = [one for one in cast.people if one is not entity]
            return self.pick(people) if people else cast.person(entity)
        pool = {"place": cast.places, "container": cast.containers, "thing": cast.things}.get(entity.kind, [])
        others = [one for one in pool if one is not entity and one.kind == entity.kind]
        if others and self.chance(0.75):
            return self.pick(others)
        made = cast.new_place() if entity.kind == "place" else cast.new_thing()
        made.owner = None
        return made if entity.kind in ("place", "thing") else entity


# ---- questions about one record: functions of the asker, the record and whether it is to be unanswerable


def _of_place(asker: Asker, entity: Entity, wrong: bool) -> Asked | None:
    """Where somebody or something is."""
    person = entity.kind == "person"
    if wrong:
        entity = asker.other(entity)
    roll = asker.random.random()
    names = {"x": entity}
    if person or entity.kind == "person":
        if roll < 0.5:
            return asker.template("where", "where_person", ("where", entity), names)
        return _is_in(asker, entity) if roll < 0.8 else _before(asker, entity)
    if roll < 0.4:
        return asker.template("where_thing", "where_thing", ("where", entity), names)
    if roll < 0.5:
        found = answers.which_place(asker.teller.world, entity)
        if found is not None and found.items[0].noun in ("room", "building"):
            return asker.template("which_place", "which_place", ("which_place", entity), names)
    return _is_in(asker, entity) if roll < 0.78 else _before(asker, entity)


def _before(asker: Asker, entity: Entity) -> Asked | None:
    steps = answers.trail(asker.teller.world, entity)
    if len(steps) < 2:
        return None
    if entity in asker.teller.world.diary or asker.chance(0.65) or asker.teller.dials.published:
        place = asker.pick(steps[1:])[0]
        if place is answers.UNKNOWN or place.kind != "place":
            return None
        return asker.template("where_before", "where_before", ("where_before", entity, place), {"x": entity, "p": place})
    return asker.template("where_before", "where_earlier", ("where_before", entity, None), {"x": entity})


def _is_in(asker: Asker, entity: Entity) -> Asked | None:
    world = asker.teller.world
    places: list[Entity] = []
    spot, _ = world.places.top(entity)
    places += [spot.place] if spot.place is not None and asker.chance(0.6) else []
    places += spot.options + tuple(spot.never) if asker.chance(0.6) else ()
    position = world.places.positions.get(entity)
    if position is not None and position.how == "in" and position.by is not None and asker.chance(0.5):
        places.append(position.by)
    places += list(world.not_in.get(entity, ()))
    if not places or asker.chance(0.35):
        places = [*asker.teller.cast.places, *(asker.teller.cast.containers if entity.kind == "thing" else [])]
    if not places:
        return None
    place = asker.pick(places)
    return None if place is entity else asker.template("is_in", "is_in", ("is_in", entity, place), {"x": entity, "p": place})


def _in_place(asker: Asker, place: Entity) -> Asked | None:
    if place.kind == "place":
        return asker.template("who_in", "who_in", ("who_in", place), {"p": place, "x": place})
    return asker.template("what_in", "what_in", ("what_in", place), {"p": place, "x": place})


def _having(asker: Asker, thing: Entity, person: Entity | None, wrong: bool) -> Asked | None:
    """Who has a thing; whether somebody has it; who had it."""
    if wrong:
        thing = asker.other(thing)
    roll = asker.random.random()
    if roll < 0.35:
        return asker.template("who_has", "who_has", ("who_has", thing), {"t": thing, "x": thing})
    if roll < 0.6:
        options = asker.teller.world.maybe_has.get(thing, ((), 0))[0]
        denied = tuple(asker.teller.world.has_not.get(thing, ()))
        who = asker.pick(options) if options and asker.chance(0.8) else asker.pick(denied) if denied else person
        if who is None or asker.chance(0.4):
            who = asker.teller.cast.person()
        return asker.template("does_have", "does_have", ("does_have", who, thing), {"x": who, "t": thing})
    if roll < 0.75 and person is not None:
        kind = "list_carried" if asker.chance(0.6) else "count_carried"
        return asker.template(kind, kind, (kind, person), {"x": person})
    if roll < 0.85:
        which = asker.pick(("first", "last", "before"))
        return asker.template(f"had_{which}", f"had_{which}", ("had", thing, which, person), {"t": thing, "x": person or thing})
    return _of_place(asker, thing, wrong)


def _about_at(asker: Asker, record: At, wrong: bool) -> Asked | None:
    subject = asker.pick(members(record.subject))
    if record.place is not None and asker.chance(0.2):
        return _in_place(asker, record.place)
    if subject.kind != "person" and asker.chance(0.15):
        return _having(asker, subject, None, wrong)
    return _of_place(asker, subject, wrong)


def _about_has(asker: Asker, record: Has, wrong: bool) -> Asked | None:
    return _having(asker, record.theme, record.holder, wrong)


def _about_deed(asker: Asker, record: Deed, wrong: bool) -> Asked | None:
    does = SENSES[record.sense].does
    roll = asker.random.random()
    if does != "none" and roll < 0.55:
        theme = record.roles.get("theme")
        person = record.roles.get("receiver") or record.roles.get("taker") or record.roles.get("holder") or record.roles.get("mover") or record.roles.get("putter")
        if does in ("go", "leave"):
            person = record.roles["mover"]
            if "place" in record.roles and asker.chance(0.15):
                return _in_place(asker, record.roles["place"])
            return _of_place(asker, asker.pick(members(person)), wrong)
        if does in ("set", "colour") and theme is not None:
            return _about_fact_of(asker, "colour" if does == "colour" else SENSES[record.sense].sets[0], theme, wrong)
        if theme is not None and theme.kind in ("thing", "container") or (theme is not None and theme.members):
            thing = asker.pick(members(theme))
            if asker.chance(0.35) and person is not None and does in ("take", "drop", "give", "carry"):
                return _of_place(asker, asker.pick(members(person)), wrong)
            if ("location" in record.roles or "spot" in record.roles) and asker.chance(0.15):
                return _in_place(asker, record.roles.get("location") or record.roles["spot"])
            giver = record.roles.get("giver")
            who = giver if giver is not None and asker.chance(0.35) else person
            return _having(asker, thing, asker.pick(members(who)) if who is not None else None, wrong) if asker.chance(0.5) else _of_place(asker, thing, wrong)
    return _did(asker, record, wrong) if roll < 0.66 or record.mode in UNASKED else _role(asker, record, wrong)


UNASKED = frozenset({"not", "nearly", "perhaps", "condition", "maybe"})
KEPT = frozenset({"location", "spot", "date", "colour", "title", "other", "purpose", "part"})
ASKABLE_ADDS = frozenset(
    {"time", "reason", "place", "shop", "company", "tool", "vehicle", "topic", "for", "favour", "event", "long", "for_long", "hearer", "destination", "manner", "material", "surface"}
)
SOMEBODY = Entity("person", ["somebody"], det="")


def _frames(record: Deed, asked: str) -> list[Frame]:
    """Frames of a deed's sense in which a role can be asked for."""
    sense = SENSES[record.sense]
    roles = {**record.roles, **({asked: SOMEBODY} if asked and asked not in record.roles else {})}
    found = [frame for frame in sense.frames if frame.fits(roles) and (not asked or asked in frame.roles() or asked in sense.adds or asked == "number")]
    if not found and sense.frames[0].subject not in record.roles:
        found = [sense.frames[0]]
    return found


def _given(asker: Asker, record: Deed, frame: Frame, asked: str) -> dict[str, Entity]:
    """What a question says of a deed: subject and object, some of the rest."""
    given = {}
    for role, entity in record.roles.items():
        if role in (asked, "number") or (role == "reason"):
            continue
        core = role in (frame.subject, frame.object) or role in KEPT
        told = role in frame.roles()
        free = any(one == role and (may or role in ("receiver", "giver")) for _, one, may in frame.marked)
        share = 1.0 if core or (told and not free) else 0.55 if told else 0.2
        if (told or role in SENSES[record.sense].adds) and role not in ("manner",) and asker.chance(share):
            given[role] = entity
    if asked == "number":
        given.pop("number", None)
    return given


def _verb(asker: Asker, record: Deed, frame: Frame) -> str:
    return asker.pick(frame.plain)


def _asked_tense(asker: Asker, record: Deed) -> str:
    if record.mode in ("maybe", "condition"):
        return "future"
    if record.tense in ("perfect", "earlier", "present") and not SENSES[record.sense].tense:
        return "past" if asker.chance(0.6) or record.tense == "present" else record.tense
    return record.tense


def _role(asker: Asker, record: Deed, wrong: bool) -> Asked | None:
    """Who did it, what, to whom, when, where, why."""
    sense = SENSES[record.sense]
    told = [role for role in record.roles if role not in ("manner",)]
    asked = asker.pick(told)
    changed: dict[str, Entity] = {}
    if wrong:
        missing = [role for role in ("time", "reason", "place", "company", "tool", "giver", "receiver", "price", *sense.adds) if role not in record.roles]
        missing = [role for role in missing if role in ("time", "reason", "place", "giver", "price", "company") and (role in sense.adds or role in ("time", "reason") or role in [r for f in sense.frames for r in f.roles()])]
        if missing and asker.chance(0.55):
            asked = asker.pick(missing)
        elif "theme" in record.roles and asked != "theme" and not record.roles["theme"].members:
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
    if len({id(one) for one in given.values()}) < len(given):
        return None
    if asked == frame.object and record.roles.get(asked) is not None and record.roles[asked].kind == "value" and asked == "title":
        return None
    mode, future = record.mode, record.tense in ("future", "going")
    query = ("deed", record.sense, given, asked, mode, future)
    found = answers.deed(asker.teller.world, *query[1:])
    if found is None:
        return None
    verb, tense = _verb(asker, record, frame), _asked_tense(asker, record)
    shown = {**given, asked: record.roles.get(asked, STAND_INS.get(asked, SOMEBODY))}
    if "number" in record.roles and asked != "theme" and "number" not in shown and frame.object == "theme" and "theme" in shown:
        shown["theme"] = _many(shown["theme"])

    def say(line: Line) -> None:
        ask_deed(line, frame, shown, asked, verb, tense, mode)

    return Asked(KIND_OF_ROLE.get(asked, "what" if not shown[asked].animate else "who"), query, found, say, "deed")


def _many(theme: Entity) -> Entity:
    made = Entity(theme.kind, theme.words, det="the", plural=True)
    made.known = True
    return made


STAND_INS = {"time": value("time", "then"), "place": Entity("place", ["there"]), "shop": Entity("place", ["there"]), "reason": value("reason", "so"), "price": value("price", "so much")}
KIND_OF_ROLE = {"time": "when", "reason": "why", "place": "where_deed", "shop": "where_deed", "location": "where_deed", "spot": "where_deed", "price": "how_much", "number": "how_many", "long": "how_long", "for_long": "how_long", "vehicle": "how", "company": "with_whom", "purpose": "what_to_do"}


def _did(asker: Asker, record: Deed, wrong: bool) -> Asked | None:
    """Did Ann sell the bike? Did Felix take it? Will it?"""
    frames = [frame for frame in SENSES[record.sense].frames if frame.fits(record.roles)]
    if not frames or record.tense in ("now", "then") and wrong or "number" in record.roles:
        return None
    frame = asker.pick(frames)
    given = _given(asker, record, frame, "")
    roll = asker.random.random()
    if roll < 0.35 and not record.mode:
        given[frame.subject] = asker.other(given[frame.subject])
    elif (wrong or roll < 0.45) and frame.object is not None and not record.mode and given.get(frame.object) is not None and given[frame.object].kind in ("thing", "person"):
        given[frame.object] = asker.other(given[frame.object])
    if len({id(one) for one in given.values()}) < len(given):
        return None
    future = record.tense in ("future", "going") or record.mode in ("maybe", "condition")
    query = ("did", record.sense, given, frame.subject, future)
    found = answers.did(asker.teller.world, *query[1:])
    if found is None:
        return None
    verb, tense = _verb(asker, record, frame), _asked_tense(asker, record)
    return Asked("did", query, found, lambda line: ask_deed(line, frame, given, "", verb, tense), "whether")


# ---- facts


def _about_being(asker: Asker, record: Being, wrong: bool) -> Asked | None:
    subject = asker.pick(members(record.subject))
    if record.relation == "kind_of" and asker.chance(0.6):
        return _about_rule(asker, subject, wrong)
    if record.relation == "feeling" and asker.chance(0.5):
        asked = _motive(asker, subject)
        if asked is not None:
            return asked
    return _about_fact_of(asker, record.relation, subject, wrong, record)


def _about_fact_of(asker: Asker, relation: str, subject: Entity, wrong: bool, record: Being | None = None) -> Asked | None:
    settings = FACTS[relation]
    roll = asker.random.random()
    denied = record is not None and not record.positive and asker.chance(0.7)
    end = "_denied" if denied and "asks_denied" in settings else ""
    thing_value = record.value if record is not None else None
    if wrong:
        told = relation
        subject, relation, settings = _elsewhere(asker, subject, relation, settings)
        if relation != told:
            end = ""
            thing_value = None if "poles" in settings or settings["value"] == "person" else asker.teller.cast.value(settings["value"])
    if roll < 0.4 and settings["asks"]:
        query = ("fact_value", relation, settings, subject, not end)
        return asker.text("fact", settings["asks" + end], query, {"x": subject, "v": subject})
    if thing_value is None:
        beings = asker.teller.world.facts.get(relation, {}).get(subject, [])
        thing_value = beings[-1].value if beings else None
    if thing_value is None:
        return None
    if roll < 0.65 and settings["whom"] and not wrong:
        end = "_denied" if denied and "whom_denied" in settings else ""
        if any("head>" in text or "kind>" in text for text in settings["whom"]) and subject.head != "":
            return _which(asker, relation, settings, subject, thing_value, not end)
        return asker.text("fact_who", settings["whom" + end], ("fact_who", relation, settings, thing_value, not end), {"x": subject, "v": thing_value})
    if asker.chance(0.45):
        thing_value = _other_value(asker, relation, settings, thing_value)
    return asker.text("fact_is", settings["checks"], ("fact_is", relation, settings, subject, thing_value), {"x": subject, "v": thing_value})


def _elsewhere(asker: Asker, subject: Entity, relation: str, settings: Any) -> tuple[Entity, str, Any]:
    """Another person or thing, or something else about the same: what nothing tells."""
    same_kind = [name for name, other in FACTS.items() if other["of"] == settings["of"] and other["asks"]]
    if same_kind and asker.chance(0.5):
        relation = asker.pick(same_kind)
        return subject, relation, FACTS[relation]
    if subject.kind in ("person", "thing") and settings["of"] in ("person", "thing"):
        return asker.other(subject), relation, settings
    known = list(asker.teller.world.facts.get(relation, {}))
    return (asker.pick(known) if known else subject), relation, settings


def _which(asker: Asker, relation: str, settings: Any, subject: Entity, said: Entity, positive: bool) -> Asked | None:
    """Which door is locked? where there are two doors."""
    texts = [text for text in settings["whom"] if "head>" not in text and "kind>" not in text]
    twins = [one for one in asker.teller.world.facts.get(relation, {}) if one.head == subject.head]
    if len(twins) > 1:
        texts = [text for text in settings["whom"] if "head>" in text] or texts
    return asker.text("fact_who", texts, ("fact_who", relation, settings, said, positive), {"x": subject, "v": said})


def _other_value(asker: Asker, relation: str, settings: Any, said: Entity) -> Entity:
    others = [being.value for beings in asker.teller.world.facts.get(relation, {}).values() for being in beings if being.value.words != said.words]
    if "poles" in settings:
        return value("value", asker.pick([word for word in settings["poles"] if (word,) != said.words]))
    if others and asker.chance(0.7):
        return asker.pick(others)
    made = asker.teller.cast.value(settings["value"])
    return said if made.kind != said.kind else made


# ---- more, beside, kin, counts, rules


def _about_more(asker: Asker, record: More, wrong: bool) -> Asked | None:
    scales = table("asking.toml")["scales"]
    settings = scales[record.scale]
    world = asker.teller.world
    everyone = fact_answers._scaled(world, record.scale)
    one, other = asker.pick(everyone), asker.pick(everyone)
    if wrong:
        other = asker.other(one)
    if one is other:
        return None
    high = asker.chance(0.5)
    word = value("value", settings["high" if high else "low"])
    names = {"x": one, "y": other, "c": word}
    roll = asker.random.random()
    if roll < 0.4:
        if settings.get("fits") and asker.chance(0.3):
            return asker.template("is_more", "comparing", ("is_more", record.scale, other, one), names, "checks_fit")
        query = ("is_more", record.scale, *((one, other) if high else (other, one)))
        return asker.template("is_more", "comparing", query, names, "checks")
    texts = table("asking.toml")["comparing"]
    animate = settings["of"] == "people"
    if roll < 0.6:
        return asker.text("which_more", _who_or_which(texts["which"], animate), ("which_more", record.scale, one, other, high), names)
    if roll < 0.75:
        return asker.text("more_than", _who_or_which(texts["than"], animate), ("more_than", record.scale, one, high), {"y": one, "c": word})
    names["c"] = value("value", settings["top" if high else "bottom"])
    return asker.text("most", _who_or_which(texts["most"], animate), ("most", record.scale, high), names)


def _who_or_which(texts: list[str], animate: bool) -> list[str]:
    return [text.replace("(Who|Which)", "Who" if animate else "Which").replace("(Who|What)", "Who" if animate else "What") for text in texts]


def _about_beside(asker: Asker, record: Beside, wrong: bool) -> Asked | None:
    if record.relation == "between":
        return None
    laid = list(dict.fromkeys(one for beside in asker.teller.world.beside for one in (beside.one, beside.other)))
    one = asker.pick((record.one, record.other))
    relation = record.relation if asker.chance(0.5) else fact_answers.OPPOSITE.get(record.relation, record.relation)
    if wrong:
        relation = asker.pick(tuple(fact_answers.COMPASS)) if relation in fact_answers.COMPASS else relation
    word = value("value", relation)
    roll = asker.random.random()
    if roll < 0.3:
        return asker.template("direction", "relations", ("beside", relation, one), {"y": one, "r": word}, "what")
    if roll < 0.5:
        return asker.template("direction", "relations", ("of_what", one, relation), {"x": one, "r": word}, "of_what")
    if roll < 0.6 and relation not in fact_answers.COMPASS and record.one not in asker.teller.world.places.positions and record.one.kind != "person":
        return asker.template("where_beside", "relations", ("where_beside", record.one), {"x": record.one}, "where") if not wrong else None
    other = asker.pick(laid)
    if other is one:
        return None
    if roll < 0.8 or record.relation not in fact_answers.COMPASS:
        return asker.template("is_beside", "relations", ("is_beside", relation, one, other), {"x": one, "y": other, "r": word}, "checks")
    return asker.template("path", "relations", ("path", one, other), {"x": one, "y": other}, "path")


def _about_kin(asker: Asker, record: Kin, wrong: bool) -> Asked | None:
    everyone = list(dict.fromkeys(one for kin in asker.teller.world.kin for one in (kin.one, kin.other)))
    person = asker.pick(everyone)
    options = [(relation, one) for relation in fact_answers.RELATED for one in fact_answers.related(asker.teller.world, relation, person)]
    if wrong or not options:
        relation, one = asker.pick(tuple(fact_answers.RELATED)), asker.pick(everyone)
    else:
        relation, one = asker.pick(options)
    if one is person:
        return None
    gender = one.gender if not asker.chance(0.15) else asker.pick("mf")
    word = value("value", fact_answers.KIN_WORDS[relation][gender == "m"])
    names = {"x": one, "y": person, "r": word}
    texts = table("asking.toml")["kin"]
    if asker.chance(0.7):
        return asker.text("kin", [text.replace("<r>", "<r.words>") for text in texts["who"]], ("kin", relation, gender, person), names)
    one = one if asker.chance(0.6) else asker.pick(everyone)
    if one is person:
        return None
    return asker.text("is_kin", [text.replace("<r>", "<r.words>") for text in texts["checks"]], ("is_kin", relation, gender, one, person), {**names, "x": one})


def _count_have(teller: Teller, owner: Entity, noun: Entity) -> Found | None:
    total, why = teller.world.has_count(owner, noun.head)
    return None if total is None else Found("number", number=total, why=why)


def _count_both(teller: Teller, one: Entity, other: Entity, noun: Entity) -> Found | None:
    first, second = _count_have(teller, one, noun), _count_have(teller, other, noun)
    if first is None or second is None or one is other or first.number + second.number > 20:
        return None
    return Found("number", number=first.number + second.number, why=first.why | second.why)


def _count_more(teller: Teller, one: Entity, other: Entity, noun: Entity) -> Found | None:
    first, second = _count_have(teller, one, noun), _count_have(teller, other, noun)
    if first is None or second is None or one is other or first.number == second.number:
        return None
    return Found("span", [one if first.number > second.number else other], why=first.why | second.why)


def _count_change(teller: Teller, owner: Entity, noun: Entity, question: str, actor: Entity | None) -> Found | None:
    told = [count for count in teller.world.counts.get((owner, noun.head), ()) if count.question == question and count.actor is actor]
    return Found("span", [told[0].word], why=frozenset({told[0].statement})) if len(told) == 1 and told[0].word is not None else None


def _count_unknown(teller: Teller, owner: Entity, noun: Entity) -> Found | None:
    return Found("untold", reason="how many") if (owner, noun.head) not in teller.world.counts else None


def _about_count(asker: Asker, record: Count, wrong: bool) -> Asked | None:
    world = asker.teller.world
    noun = Entity("counted", record.noun.words, det="", plural=True)
    names = {"x": record.owner, "n": noun}
    if wrong:
        if asker.chance(0.5):
            names["x"] = asker.other(record.owner) if record.owner.kind == "person" else record.owner
        else:
            from .forms import plural

            names["n"] = noun = Entity("counted", plural(asker.teller.cast.noun("counted")).split(), det="", plural=True)
        key = "asks" if names["x"].kind == "person" else "there"
        return asker.template("count", "count_have", ("count_unknown", names["x"], noun), names, key)
    if record.question and record.word is not None and asker.chance(0.4):
        names = {"x": record.owner, "n": noun, **({"y": record.actor} if record.actor is not None else {})}
        return asker.text("count_change", [record.question], ("count_change", record.owner, noun, record.question, record.actor), names)
    owner = record.owner if record.other is None or record.other.kind != "person" or asker.chance(0.6) else record.other
    names["x"] = owner
    others = [other for other, word in world.counts if word == record.noun.head and other is not owner and other.kind == "person"]
    if others and owner.kind == "person" and asker.chance(0.4):
        other = asker.pick(others)
        names["y"] = other
        if asker.chance(0.5):
            return asker.template("count_both", "count_have", ("count_both", owner, other, noun), names, "both")
        texts = [text for text in table("asking.toml")["count_have"]["more"] if "<x>" in text or len(others) == 1]
        return asker.text("count_more", texts, ("count_more", owner, other, noun), names)
    less = any(count.change == "-" for count in world.counts.get((owner, record.noun.head), ()))
    key = "there" if owner.kind != "person" else "left" if less and asker.chance(0.6) else "asks"
    if key == "left" and len({one for one, word in world.counts if word == record.noun.head}) > 1:
        return asker.text("count", ["How many <n.pl> do~x <x> have left ?"], ("count_have", owner, noun), names)
    return asker.template("count", "count_have", ("count_have", owner, noun), names, key)


def _rule_value(teller: Teller, creature: Entity, relation: str) -> Found | None:
    kinds = teller.world.facts.get("kind_of", {}).get(creature, [])
    if not kinds:
        return None
    kind = kinds[-1].value.head
    why = {kinds[-1].statement}
    if relation == "coloured":
        own = answers.current(teller.world, "colour", creature, True)
        if own:
            return Found("span", [own[-1].value], why=frozenset({own[-1].statement}))
    for rule in teller.world.rules:
        if rule.relation == relation and rule.kind.head == kind:
            return Found("span", [rule.value], why=frozenset({*why, rule.statement}))
    if relation == "coloured":
        return _induced(teller, creature, kind, why)
    return Found("untold", reason="what", why=frozenset(why))


def _induced(teller: Teller, creature: Entity, kind: str, why: set[int]) -> Found | None:
    """The colour of the others of its kind, where all of them have one colour."""
    colours = []
    for other, beings in teller.world.facts.get("kind_of", {}).items():
        own = answers.current(teller.world, "colour", other, True)
        if other is not creature and beings[-1].value.head == kind and own:
            colours.append((own[-1].value, {beings[-1].statement, own[-1].statement}))
    if not colours:
        return Found("untold", reason="what", why=frozenset(why))
    if len({colour.words for colour, _ in colours}) > 1:
        return None
    return Found("span", [colours[-1][0]], why=frozenset(why.union(*(numbers for _, numbers in colours))))


def _about_rule(asker: Asker, creature: Entity, wrong: bool) -> Asked | None:
    world = asker.teller.world
    kinds = world.facts.get("kind_of", {}).get(creature, [])
    if not kinds:
        return None
    known = [rule.relation for rule in world.rules if rule.kind.head == kinds[-1].value.head and rule.relation != "goes"]
    if asker.teller.dials.published:
        known = known or ["coloured"]
    relation = asker.pick(known) if known and not wrong and asker.chance(0.7) else asker.pick(("fears", "eats", "likes", "lives", "coloured", "coloured", "can"))
    texts = table("asking.toml")["rules"][f"ask_{relation}"]
    return asker.text("rule", texts, ("rule", creature, relation), {"x": creature})


def _about_a_rule(asker: Asker, record: Rule, wrong: bool) -> Asked | None:
    world = asker.teller.world
    if record.relation == "goes":
        people = [one for one, beings in world.facts.get("feeling", {}).items() if beings[-1].value.head == record.kind.head]
        return _motive(asker, asker.pick(people)) if people else None
    creatures = [one for one, beings in world.facts.get("kind_of", {}).items() if beings[-1].value.head == record.kind.head]
    return _about_rule(asker, asker.pick(creatures), wrong) if creatures else None


def _goes(teller: Teller, person: Entity) -> Found | None:
    feelings = answers.current(teller.world, "feeling", person, True)
    for rule in teller.world.rules:
        if rule.relation == "goes" and feelings and rule.kind.head == feelings[-1].value.head:
            return Found("span", [rule.value], why=frozenset({rule.statement, feelings[-1].statement}))
    return None


def _motive(asker: Asker, person: Entity) -> Asked | None:
    return asker.template("motive", "rules", ("goes", person), {"x": person}, "ask_goes")


OTHERS: dict[str, Callable[..., Found | None]] = {
    "count_have": _count_have,
    "count_both": _count_both,
    "count_more": _count_more,
    "count_unknown": _count_unknown,
    "count_change": _count_change,
    "rule": _rule_value,
    "goes": _goes,
}
ABOUT: dict[type[Record], Callable[..., Asked | None]] = {
    Deed: _about_deed,
    At: _about_at,
    Has: _about_has,
    Being: _about_being,
    More: _about_more,
    Beside: _about_beside,
    Kin: _about_kin,
    Count: _about_count,
    Rule: _about_a_rule,
}


def draw(asker: Asker, wrong: bool) -> Asked | None:
    """A question about something that was told, long ago or of late; ``wrong`` where it is to be unanswerable."""
    records = asker.teller.world.records
    if not records:
        return None
    record = asker.pick(records[-5:]) if asker.chance(0.45) else asker.pick(records)
    if record.void:
        return None
    asked = ABOUT[type(record)](asker, record, wrong)
    if asked is None or (asked.found.kind == "untold") != wrong:
        return None
    if asker.teller.dials.published and asked.kind == "where_thing" and asked.found.items and asked.found.items[0].kind == "person":
        return None
    wanted = asker.teller.dials.asks
    return None if wanted and asked.kind not in wanted else asked
