"""The families of statements that set two in relation: kin, comparisons, directions, layouts.

kin: Jack is Emma's father.   comparing: Ben is taller than Ann.   directions: The library is north of the park.
"""

from __future__ import annotations

from .entities import Entity, value
from .fact_answers import COMPASS, KIN_WORDS, MUTUAL, OPPOSITE, related
from .lexicon import WORDS, table
from .records import Beside, Kin, More
from .telling import Teller, Telling, said, template


def _person_by_name(teller: Teller, *others: Entity) -> Entity | None:
    people = [
        one
        for one in teller.cast.people
        if one.sure and one.det == "" and not one.speaking and not one.plural and one.owner is None and one not in others
    ]
    if people and teller.chance(0.7):
        return teller.cast.recall(people)
    made = teller.cast.named()
    if " ".join(made.words) in teller.cast.used:
        return None
    teller.cast.people.append(teller.cast.enter(made))
    return made


def kin(teller: Teller) -> Telling | None:
    """Jack is Emma's father. Emma has a son called Noah."""
    tied = [one for record in teller.world.kin for one in (record.one, record.other)]
    one = teller.pick(tied) if tied and teller.chance(0.85) else _person_by_name(teller)
    if one is None:
        return None
    other = _person_by_name(teller, *tied, one)
    if other is None or other is one or other in tied:
        return None
    relation = teller.pick(("parent", "parent", "child", "sibling", "spouse"))
    if relation == "spouse" and (one.gender == other.gender or related(teller.world, "spouse", one)):
        return None
    if relation == "sibling" and (related(teller.world, "parent", one) or related(teller.world, "sibling", one)):
        return None
    if relation == "child" and (len(related(teller.world, "parent", one)) > 0 or related(teller.world, "sibling", one)):
        return None
    record = {"parent": Kin("parent", one, other), "child": Kin("parent", other, one)}.get(relation) or Kin(
        relation, one, other
    )
    if record.relation == "parent" and related(teller.world, "spouse", record.one):
        return None
    return _say_kin(teller, record)


def _say_kin(teller: Teller, record: Kin) -> Telling:
    if record.relation == "spouse" and teller.chance(0.5):
        return template(said("kin", "married"), record, {"x": record.one, "y": record.other}, teller.random)
    turned = teller.chance(0.5)
    x, y = (record.other, record.one) if turned else (record.one, record.other)
    name = "child" if turned and record.relation == "parent" else record.relation
    word = value("value", KIN_WORDS[name][x.gender == "m"])
    return template(
        [text.replace("<r>", "<r.words>") for text in said("kin", "says")], record, {"x": x, "y": y, "r": word}, teller.random
    )


def comparing(teller: Teller) -> Telling | None:
    """Maya is taller than Sam. The ring fits in the box."""
    scales = table("asking.toml")["scales"]
    used = list(teller.world.scales)
    scale = teller.pick(used) if used and teller.chance(0.8) else teller.pick(list(scales))
    settings = scales[scale]
    order = _order(teller, scale)
    one = _compared(teller, settings["of"], order)
    if one is None or one in order:
        return None
    if not order:
        other = _compared(teller, settings["of"], [one])
        if other is None or other is one:
            return None
        high, low = one, other
    else:
        ends = (order[0], order[-1])
        high, low = teller.pick(((one, ends[0]), (ends[1], one)))
    record = More(scale, high, low)
    if settings.get("fits") and teller.chance(0.3):
        return template(said("comparing", "fits"), record, {"x": low, "y": high}, teller.random)
    x, y, word = (high, low, "high") if teller.chance(0.6) else (low, high, "low")
    return template(said("comparing", "says"), record, {"x": x, "y": y, "c": value("value", settings[word])}, teller.random)


def _order(teller: Teller, scale: str) -> list[Entity]:
    """What is compared on a scale so far, the highest first."""
    records = teller.world.scales.get(scale, [])
    if not records:
        return []
    order = [records[0].high, records[0].low]
    for record in records[1:]:
        if record.low is order[0]:
            order.insert(0, record.high)
        elif record.high is order[-1]:
            order.append(record.low)
    return order


def _compared(teller: Teller, kind: str, others: list[Entity]) -> Entity | None:
    if kind == "people":
        person = teller.cast.person(*others)
        return None if person.plural or person.members else person
    if kind == "places":
        place = teller.cast.place(*others)
        return place if place not in others else None
    thing = teller.cast.container() if teller.chance(0.3) else teller.cast.thing()
    return thing if thing not in others else None


def _spread(teller: Teller, relation: str) -> Telling | None:
    """A statement that puts something new beside what is laid out already."""
    laid = list(dict.fromkeys(one for record in teller.world.beside for one in (record.one, record.other)))
    if teller.places_laid is None:
        teller.places_laid = relation in COMPASS or teller.chance(0.4)
    draw = teller.cast.place if teller.places_laid or relation in COMPASS else teller.cast.thing
    old = teller.pick(laid) if laid and teller.chance(0.9) else draw()
    new = draw()
    if new is old or new in laid or old.kind != new.kind or (laid and old not in laid):
        return None
    grid = teller.grid
    x, y = grid.setdefault(old, (0, 0))
    dx, dy = STEPS.get(relation, (0, 0))
    spot = (x + dx, y + dy)
    if (dx or dy) and spot in grid.values():
        return None
    grid[new] = spot if dx or dy else (x + 0.5 + len(grid), y + 0.5)
    record = Beside(relation, new, old)
    if relation in OPPOSITE and teller.chance(0.4):
        record = Beside(OPPOSITE[relation], old, new)
    third = [one for one in laid if one is not old and one.kind == new.kind]
    if relation in MUTUAL and third and teller.chance(0.25):
        record = Beside("between", new, old, teller.pick(third))
        assert record.third is not None
        return template(said("relations", "between"), record, {"x": new, "y": old, "z": record.third}, teller.random)
    return template(
        said("relations", "says"),
        record,
        {"x": record.one, "y": record.other, "r": value("value", record.relation)},
        teller.random,
    )


STEPS: dict[str, tuple[int, ...]] = {words: tuple(step) for words, step in WORDS["steps"].items()}


def directions(teller: Teller) -> Telling | None:
    """The library is north of the park."""
    return _spread(teller, teller.pick(tuple(COMPASS)))


def layout(teller: Teller) -> Telling | None:
    """The bakery is next to the bank. The lamp is to the left of the computer."""
    used = [record.relation for record in teller.world.beside if record.relation != "between"]
    pairs = table("asking.toml")["relations"]["opposites"]
    if used and teller.chance(0.75):
        relation = used[0]
        relation = teller.pick((relation, OPPOSITE.get(relation, relation)))
    else:
        relation = teller.pick((*teller.pick(pairs), teller.pick(tuple(sorted(MUTUAL)))))
    return _spread(teller, relation)
