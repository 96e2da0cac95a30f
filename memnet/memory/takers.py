"""Who took, borrowed or got something: the last or first line that says so, not who moved it."""

from __future__ import annotations

import re
from collections.abc import Container
from functools import cache

from memnet.facts.names import key_of
from memnet.facts.results import FactAnswer, found, of_doer
from memnet.facts.timeline import Event, Timeline
from memnet.memory.verbs import MOVING, verbs_of
from memnet.tasks.text.tokens import split
from memnet.tasks.world.lexicon import table

WHO_TOOK = re.compile(
    r"\s*who\s+(?:was\s+it\s+(?:who|that)\s+)?(?:has\s+)?(?:(?P<end>last|first)\s+)?(?P<verb>[^\W\d_]+)\s", re.I
)
TAKERS = ("taker", "receiver")  # who does it, in senses.toml
ANY = "take"  # the verb that means each of them


@cache
def taking() -> frozenset[str]:
    """The verbs of taking, by their first words."""
    frames = (frame.split("|") for sense in MOVING for frame in table("senses.toml")[sense]["frames"])
    told = (verbs for who, verbs, *_ in frames if who.strip() in TAKERS)
    return frozenset(verb.split()[0] for verbs in told for verb in re.split(r"[,/]\s*", verbs.strip()) if verb)


def who_took(timeline: Timeline, question: str) -> FactAnswer | None:
    """Who took a thing last, or first; None where a question asks for something else, or no line says so."""
    asked, _ = timeline.reader.question(question)
    form, key = WHO_TOOK.match(question), key_of(asked.text("what"))
    verbs = verbs_of(form["verb"].lower()) & taking() if form else frozenset[str]()
    if form is None or not verbs or not key or asked.kind not in ("had last", "had first", "who did") or moved(asked.roles):
        return None
    took = [(event, who) for event in timeline.events(key) if event.says("what", key) and (who := taker(event, verbs))]
    named = [one for one in took if ANY not in verbs and has_verb(one[0].text, verbs)]
    took = named or [one for one in took if one[0].fact.kind != "carry" or ANY in verbs]
    if not took:
        return None
    first = "first" in {word.lower() for word in split(question)}
    event, who = took[0 if first else -1]
    return found(who, (of_doer(event),), asked)


def moved(roles: Container[str]) -> bool:
    """Whether a question names from where or to where: "Who took it to the shed?" asks who moved it."""
    return "to" in roles or "source" in roles or "receiver" in roles


def taker(event: Event, verbs: frozenset[str]) -> str:
    """Who took it, as an event says: in "Ann got it from Bob" Ann; empty where it says no taking."""
    fact = event.fact
    if fact.kind == "take" or (fact.kind in ("carry", "drop") and has_verb(event.text, verbs)):
        return fact.text("who")
    gets = fact.roles.get("receiver")
    others = [one.first for role, one in fact.roles.items() if role in ("who", "what")]
    return gets.text if fact.kind == "give" and gets is not None and all(gets.first < one for one in others) else ""


def has_verb(text: str, verbs: frozenset[str]) -> bool:
    """Whether a sentence has one of these verbs."""
    return any(not verbs.isdisjoint(verbs_of(word.lower())) for word in split(text))
