"""Ways to say one fact or to ask one question, filled with the names of the world: what a network of facts learns to read.

The forms are in ``tasks/world/lexicon/ways``, which a language model wrote; slots stand for who, what and where.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from memnet.facts.examples import ENDED, Sentence, Span, sentence
from memnet.tasks.text.tokens import WORD
from memnet.tasks.world.log_forms import LISTS, SLOT, Names
from memnet.tasks.world.log_forms import ways as forms

ROLES = {"who": "who", "what": "what", "source": "source", "to": "to", "receiver": "receiver"}
STATEMENTS = {"at thing": "at", "at side": "at", "at person": "at", "not at": "not at"}  # section -> kind, where it is another
QUESTIONS = {  # section -> kind of question, of fact
    "who put": ("who did", "put"),
    "who took": ("who did", "take"),
    "who gave": ("who did", "give"),
    "to whom": ("to whom", "give"),
    "what gave": ("what did", "give"),
    "when put": ("when", "put"),
    "when took": ("when", "take"),
    "when go": ("when", "go"),
    "how often": ("how often", "put"),
}
PRONOUNS = {"who": ("he", "she", "they", "I", "we"), "what": ("it", "it", "them"), "receiver": ("him", "her", "them", "me")}
CASTS = 30  # sentences that share people, things and places
ASKED, ASIDE, PRONOUN = 0.3, 0.25, 0.1  # shares: of questions, of statements with an opening or an end, of pronouns
SEVERAL = 0.06  # share of things that are several


def filled(form: str, names: Names, random: Random, pronouns: bool) -> tuple[str, dict[str, Span]]:
    """A form with names in its slots, and the characters at which each stands, without its article."""
    text, places = "", dict[str, Span]()
    given: dict[str, str] = {}
    for number, part in enumerate(SLOT.split(form)):
        if not number % 2:
            text += part
            continue
        name = given.get(part) or (names.several() if part == "what" and random.random() < SEVERAL else names.of(part))
        while name in given.values() and part not in given:
            name = names.of(part)
        first = part not in given
        if pronouns and part in PRONOUNS and first and random.random() < PRONOUN:
            name = random.choice(PRONOUNS[part])
        given[part] = name
        text += name
        bare = re.sub(r"^(?:the|a|an|my|our|your|his|her|their) ", "", name)
        if first and part in ROLES:
            places[part] = len(text) - len(bare), len(text)
    return text, places


def spans_of(text: str, places: dict[str, Span]) -> dict[str, Span] | None:
    """Ranges of characters as ranges of words; ``None`` where a name is no whole words."""
    words = [word.span() for word in WORD.finditer(text)]
    begins, ends = {first: at for at, (first, _) in enumerate(words)}, {last: at + 1 for at, (_, last) in enumerate(words)}
    if any(first not in begins or last not in ends for first, last in places.values()):
        return None
    return {ROLES[slot]: (begins[first], ends[last]) for slot, (first, last) in places.items()}


def of_ways(seed: int) -> Iterator[Sentence]:
    """Sentences without end, the same for the same seed."""
    random = Random(f"ways {seed}")
    asked = [section for section in forms() if section.startswith("?")]
    told = [section for section in forms() if section not in LISTS and not section.startswith("?")]
    weights = [3.0 if section == "none" else 1.0 for section in told]
    while True:
        names = Names(random)
        for _ in range(CASTS):
            asks = random.random() < ASKED
            section = random.choice(asked) if asks else random.choices(told, weights)[0]
            text, places = filled(random.choice(forms()[section]), names, random, not asks)
            if not asks and random.random() < ASIDE:
                text, places = with_aside(text, places, names, random)
            text = text[:1].upper() + text[1:] if random.random() < 0.8 else text
            if (spans := spans_of(text, places)) is not None:
                yield labelled([word.group() for word in WORD.finditer(text)], section, spans)


def with_aside(text: str, places: dict[str, Span], names: Names, random: Random) -> tuple[str, dict[str, Span]]:
    """With an opening before it or an end behind it."""
    which = random.choice([name for name in ("opening", "end") if forms().get(name)] or [""])
    if not which:
        return text, places
    aside, _ = filled(random.choice(forms()[which]), names, random, False)
    if which == "end":
        return text.rstrip(".") + aside, places
    aside = aside if aside.endswith(" ") else aside + " "
    return aside + text, {slot: (first + len(aside), last + len(aside)) for slot, (first, last) in places.items()}


def labelled(words: list[str], section: str, spans: dict[str, Span]) -> Sentence:
    """A sentence of a section with its facts."""
    if section.startswith("? "):
        kind, deed = QUESTIONS.get(section[2:], (section[2:], ""))
        if kind == "none":
            return sentence(words, True, ())
        spans = as_what(spans) if kind in ("where", "where before", "is in") else spans
        return sentence(words, True, [(kind, spans), *([(deed, dict[str, Span]())] if deed else [])])
    if section == "none":
        return sentence(words, False, ())
    kind = STATEMENTS.get(section, section)
    spans = as_what(spans) if section in ("at person", "not at") else spans
    if kind == "not at" and not ENDED.isdisjoint(words):
        kind = "no longer at"
    return sentence(words, False, [(kind, spans)])


def as_what(spans: dict[str, Span]) -> dict[str, Span]:
    """A person whose place is stated takes the role ``what``, as a thing does."""
    if "who" not in spans or "what" in spans:
        return spans
    return {"what": spans["who"], **{role: span for role, span in spans.items() if role != "who"}}
