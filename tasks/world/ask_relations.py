"""Questions about what is more, what is beside what, who is whose kin, and how many.

Who is taller, Maya or Ali? What is east of the school? How do I get there? Who is Noah's grandfather? How many eggs are left?
"""

from __future__ import annotations

from . import fact_answers
from .asker import Asked, Asker
from .entities import Entity, group, value
from .forms import plural
from .lexicon import table
from .records import Beside, Count, Kin, More


def about_more(asker: Asker, record: More, wrong: bool) -> Asked | None:
    """Questions about a record of more."""
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
        return asker.text(
            "which_more", _who_or_which(texts["which"], animate), ("which_more", record.scale, one, other, high), names
        )
    if roll < 0.75:
        return asker.text(
            "more_than", _who_or_which(texts["than"], animate), ("more_than", record.scale, one, high), {"y": one, "c": word}
        )
    names["c"] = value("value", settings["top" if high else "bottom"])
    return asker.text("most", _who_or_which(texts["most"], animate), ("most", record.scale, high), names)


def _who_or_which(texts: list[str], animate: bool) -> list[str]:
    return [
        text.replace("(Who|Which)", "Who" if animate else "Which").replace("(Who|What)", "Who" if animate else "What")
        for text in texts
    ]


def about_beside(asker: Asker, record: Beside, wrong: bool) -> Asked | None:
    """Questions about a record of beside."""
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
    if (
        roll < 0.6
        and relation not in fact_answers.COMPASS
        and record.one not in asker.teller.world.places.positions
        and record.one.kind != "person"
    ):
        return (
            asker.template("where_beside", "relations", ("where_beside", record.one), {"x": record.one}, "where")
            if not wrong
            else None
        )
    other = asker.pick(laid)
    if other is one:
        return None
    if roll < 0.8 or record.relation not in fact_answers.COMPASS:
        return asker.template(
            "is_beside", "relations", ("is_beside", relation, one, other), {"x": one, "y": other, "r": word}, "checks"
        )
    return asker.template("path", "relations", ("path", one, other), {"x": one, "y": other}, "path")


def about_kin(asker: Asker, record: Kin, wrong: bool) -> Asked | None:
    """Questions about a record of kin."""
    everyone = list(dict.fromkeys(one for kin in asker.teller.world.kin for one in (kin.one, kin.other)))
    person = asker.pick(everyone)
    options = [
        (relation, one)
        for relation in fact_answers.RELATED
        for one in fact_answers.related(asker.teller.world, relation, person)
    ]
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
        return asker.text(
            "kin", [text.replace("<r>", "<r.words>") for text in texts["who"]], ("kin", relation, gender, person), names
        )
    one = one if asker.chance(0.6) else asker.pick(everyone)
    if one is person:
        return None
    return asker.text(
        "is_kin",
        [text.replace("<r>", "<r.words>") for text in texts["checks"]],
        ("is_kin", relation, gender, one, person),
        {**names, "x": one},
    )


def about_count(asker: Asker, record: Count, wrong: bool) -> Asked | None:
    """Questions about a record of count."""
    world = asker.teller.world
    noun = Entity("counted", record.noun.words, det="", plural=True)
    names = {"x": record.owner, "n": noun}
    if wrong:
        if asker.chance(0.5):
            names["x"] = asker.other(record.owner) if record.owner.kind == "person" else record.owner
        else:
            names["n"] = noun = Entity(
                "counted",
                plural(asker.teller.cast.noun(asker.pick(("counted food", "counted thing")))).split(),
                det="",
                plural=True,
            )
        key = "asks" if names["x"].kind == "person" else "there"
        return asker.template("count", "count_have", ("count_unknown", names["x"], noun), names, key)
    if record.question and record.word is not None and asker.chance(0.4):
        names = {"x": record.owner, "n": noun, **({"y": record.actor} if record.actor is not None else {})}
        return asker.text(
            "count_change", [record.question], ("count_change", record.owner, noun, record.question, record.actor), names
        )
    owner = record.owner if record.other is None or record.other.kind != "person" or asker.chance(0.6) else record.other
    names["x"] = owner
    others = [
        other for other, word in world.counts if word == record.noun.head and other is not owner and other.kind == "person"
    ]
    if others and owner.kind == "person" and asker.chance(0.4):
        other = asker.pick(others)
        names["y"], names["g"] = other, group((owner, other))
        if asker.chance(0.5):
            return asker.template("count_both", "count_have", ("count_both", owner, other, noun), names, "both")
        texts = [text for text in table("asking.toml")["count_have"]["more"] if "<x>" in text or len(others) == 1]
        return asker.text("count_more", texts, ("count_more", owner, other, noun), names)
    less = any(count.change == "-" for count in world.counts.get((owner, record.noun.head), ()))
    key = "there" if owner.kind != "person" else "left" if less and asker.chance(0.6) else "asks"
    if key == "left" and len({one for one, word in world.counts if word == record.noun.head}) > 1:
        return asker.text("count", ["How many <n.pl> do~x <x> have left ?"], ("count_have", owner, noun), names)
    return asker.template("count", "count_have", ("count_have", owner, noun), names, key)
