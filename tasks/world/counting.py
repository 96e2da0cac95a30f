"""The families of statements with numbers and rules: how many somebody has, what holds of all of a kind.

counting: Ravi had four tickets. He gave one to Simone.   rules: Cats are afraid of dogs. Whiskers is a cat.
"""

from __future__ import annotations

from .cast import FACTS
from .entities import Entity, value
from .forms import plural
from .knowing import fact
from .lexicon import nouns
from .records import Count, Rule
from .telling import Teller, Telling, said, template


def counting(teller: Teller) -> Telling | None:
    """We had six eggs. I used two of them. Ravi gave one ticket to Simone. There are three apples in the basket."""
    world, cast = teller.world, teller.cast
    known = [(owner, noun) for owner, noun in world.counts if world.has_count(owner, noun)[0] is not None]
    if not known or teller.chance(0.4):
        owner = cast.person() if teller.chance(0.7) else cast.container()
        word = (
            teller.pick([noun for _, noun in known])
            if known and teller.chance(0.5)
            else plural(
                cast.noun(
                    teller.pick(
                        ("counted food", "counted thing", "counted thing", "counted animal")
                        if owner.kind == "person"
                        else ("counted food", "counted thing")
                    )
                )
            )
        )
        if owner.kind != "person" and _singular(word.split()[-1]) in nouns("counted animal"):
            return None
        if (owner, word.split()[-1]) in world.counts or (owner.kind == "person" and owner.plural and not owner.speaking):
            return None
        return _first_count(teller, owner, word)
    owner, noun = teller.pick(known)
    have, _ = world.has_count(owner, noun)
    assert have is not None
    return _change(teller, owner, noun, have)


def _first_count(teller: Teller, owner: Entity, word: str) -> Telling:
    number = teller.cast.number(2, 12)
    things = Entity("counted", word.split(), det="", plural=True)
    record = Count(owner, things, number.rank, word=number)
    names = {"x": owner, "n": number, "t": things}
    texts: tuple[str, ...]
    if owner.kind == "person":
        texts = (
            "<x> have~x <n> <t>",
            "<x> had <n> <t>",
            "<x> have~x got <n> <t>",
            "<x> own~x <n> <t>",
            "<x> had <n> <t> at first",
        )
    else:
        texts = ("there are <n> <t> <x.in>", "there were <n> <t> <x.in>", "<x.in> there are <n> <t>")
    return template(texts, record, names, teller.random)


def _change(teller: Teller, owner: Entity, noun: str, have: int) -> Telling | None:
    cast, last = teller.cast, teller.world.counts[owner, noun][-1]
    things = Entity("counted", last.noun.words, det="", plural=True)
    less = have > 1 and teller.chance(0.65)
    number = cast.number(1, have) if less else cast.number(1, 9)
    if not less and have + number.rank > 20:
        return None
    if number.rank == 1:
        number.words = ("one",)
        one = last.noun.words[-1]
        things = Entity("counted", [*last.noun.words[:-1], _singular(one)], det="")
    names = {"x": owner, "n": number, "t": things}
    other = None
    if owner.kind == "person" and less and teller.chance(0.4):
        other = cast.person(owner)
        if (
            other is owner
            or other.plural
            or (teller.world.has_count(other, noun)[0] is None and (other, noun) in teller.world.counts)
        ):
            return None
        texts = said("counts", "given")
    elif owner.kind == "person":
        kind = next((kind for kind in COUNTED.split("+") if _singular(last.noun.words[-1]) in nouns(kind)), "counted thing")
        texts = (
            (*said("counts", "less"), *said("counts", kind.replace("counted ", "less_"))) if less else said("counts", "more")
        )
    else:
        food = _singular(last.noun.words[-1]) in nouns("counted food")
        texts = (*said("counts", "out"), *(said("counts", "out_food") if food else ())) if less else said("counts", "in")
    if other is not None or owner.kind != "person":
        names["y"] = other or cast.person()
    fresh = teller.world.records and teller.world.records[-1] is last
    texts = tuple(text for text in texts if fresh or ("them" not in text.split() and "more =>" not in text and "<t>" in text))
    if number.rank == 1:
        texts = tuple(
            text for text in texts if "of the <t>" not in text and "of <x.g> <t>" not in text and "another" not in text
        )
    if not texts:
        return None
    text, _, question = teller.pick(texts).partition(" => ")
    record = Count(
        owner,
        Entity("counted", last.noun.words, det="", plural=True),
        number.rank,
        "-" if less else "+",
        other,
        number,
        question,
        names.get("y"),
    )
    return template((text,), record, names, teller.random)


COUNTED = "counted food+counted thing+counted animal"


def _singular(word: str) -> str:
    for noun in nouns(COUNTED):
        if plural(noun).split()[-1] == word:
            return noun.split()[-1]
    return word


RULES = {
    "fears": "animal",
    "eats": "mass food",
    "likes": "mass food",
    "lives": "room+building",
    "coloured": "colour",
    "can": "able animal",
}


def rules(teller: Teller, wanted: str = "") -> Telling | None:
    """Cats are afraid of dogs. Whiskers is a cat. Snowball is white."""
    world, cast = teller.world, teller.cast
    kinds = list(
        dict.fromkeys(
            [record.kind.head for record in world.rules if record.relation != "goes"]
            + [being.value.head for beings in world.facts.get("kind_of", {}).values() for being in beings]
        )
    )
    roll = teller.random.random()
    if (roll < 0.4 or not kinds) and wanted != "colours":
        return _rule(teller, kinds, wanted)
    creatures = list(world.facts.get("kind_of", {}))
    if creatures and roll < 0.62 and wanted != "fears":
        one = teller.pick(creatures)
        if one in world.facts.get("colour", {}):
            return None
        return fact(teller, "colour", FACTS["colour"], one, cast.value("colour"), True)
    word = teller.pick(kinds) if kinds and teller.chance(0.85) else cast.noun("animal")
    made = Entity(
        "person",
        [cast.noun("creature name") if not teller.dials.published else cast.named().words[0]],
        det="",
        gender=cast.pick("mf"),
        sure=False,
    )
    cast.enter(made)
    kind = value("value", word)
    return fact(teller, "kind_of", FACTS["kind_of"], made, kind, True)


def rule_fears(teller: Teller) -> Telling | None:
    """Cats are afraid of dogs. Gertrude is a cat."""
    return rules(teller, "fears")


def rule_colours(teller: Teller) -> Telling | None:
    """Lily is a swan. Lily is white. Greg is a swan."""
    return rules(teller, "colours")


def _rule(teller: Teller, kinds: list[str], wanted: str) -> Telling | None:
    world, cast = teller.world, teller.cast
    word = teller.pick(kinds) if kinds and teller.chance(0.6) else cast.noun("animal")
    relation = "fears" if wanted == "fears" else teller.pick(tuple(RULES))
    if any(record.relation == relation and record.kind.head == word for record in world.rules):
        return None
    made = cast.value(RULES[relation])
    if made.head == word:
        return None
    record = Rule(relation, Entity("value", word.split(), det=""), made)
    return template(said("rules", relation), record, {"k": record.kind, "v": made}, teller.random)


def motives(teller: Teller) -> Telling | None:
    """Whoever is hungry goes to the kitchen. Tom is hungry."""
    world = teller.world
    rules_of = [record for record in world.rules if record.relation == "goes"]
    if not rules_of or teller.chance(0.3):
        feeling = teller.cast.value("motive")
        if any(record.kind.head == feeling.head for record in rules_of):
            return None
        record = Rule("goes", feeling, teller.cast.place())
        return template(said("rules", "goes"), record, {"k": feeling, "v": record.value}, teller.random)
    person = teller.cast.person()
    if person in world.facts.get("feeling", {}) or person.plural:
        return None
    feeling = value("value", teller.pick(rules_of).kind.head)
    return fact(teller, "feeling", FACTS["feeling"], person, feeling, True)
