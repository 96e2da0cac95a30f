"""The statements of bAbI's stories as people may write them: in small letters, with other verbs, in clauses, quoted, as speech.

    plain         Mary went to the kitchen.
    small         mary went to the kitchen.
    paraphrased   Mary walked over to the kitchen.
    clause        After a long pause, Mary went to the kitchen.    Mary went to the kitchen, humming softly.
    quoted        "Mary went to the kitchen."
    dialogue      Ann said: "Mary went to the kitchen."            “Mary went to the kitchen,” said Ann.

Its lists are two disjoint halves: what learns takes ``train`` alone, a benchmark asks ``test``. Statements that tell of nothing
that somebody does stay as they are where they are to be paraphrased.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random

from .english import PRONOUNS
from .lists import read_lists

LISTS = read_lists(__package__, "styles.txt")
HALVES = ("train", "test")
WHO = r"(?P<before>(?:After that|Following that|Afterwards|After|Then|This \w+|Yesterday),? )?(?P<who>\w+(?: and \w+)?)"
WAYS = {  # what bAbI's sentences do -> how it says so
    "go": rf"{WHO} (?:went back to|went to|moved to|journeyed to|travelled to) (?P<place>the \w+)",
    "take": rf"{WHO} (?:got|took|grabbed|picked up) (?P<thing>the \w+)(?: there)?",
    "drop": rf"{WHO} (?:dropped|left|discarded|put down) (?P<thing>the \w+)(?: there)?",
    "give": rf"{WHO} (?:gave|handed|passed) (?P<thing>the \w+) to (?P<other>\w+)",
}
SAID = {kind: re.compile(way) for kind, way in WAYS.items()}
OPENING = re.compile(r"(?:The|He|She|They|It|After|Then|Following|Afterwards|This|Yesterday|Either|All|If|In|There)\b")
PEOPLE = frozenset(("Mary", "John", "Daniel", "Sandra", "Fred", "Jeff", "Bill", "Julie"))
THINGS = frozenset(("football", "milk", "apple"))
ROOMED = ("qa1", "qa2", "qa3", "qa5", "qa6", "qa7", "qa8")  # of whose stories others may be told in the same rooms


def body(statement: str) -> str:
    """Without its full stop."""
    return statement.strip().rstrip(".")


def lowered(said: str) -> str:
    """As it stands after a comma: with a capital only where it begins with a name."""
    return said[:1].lower() + said[1:] if OPENING.match(said) else said


def capital(said: str) -> str:
    """With a capital at its begin."""
    return said[:1].upper() + said[1:]


def small(draw: Random, half: str, statement: str) -> str:
    """All in small letters."""
    return statement.lower()


def paraphrased(draw: Random, half: str, statement: str) -> str:
    """With another verb of the half."""
    said = body(statement)
    for kind, way in SAID.items():
        if match := way.fullmatch(said):
            parts = {name: part or "" for name, part in match.groupdict().items()}
            several = " and " in parts["who"] or parts["who"].lower() == "they"
            has, was = ("have", "were") if several else ("has", "was")
            forms = LISTS[f"{half} {kind}"]
            if parts["who"].lower() in PRONOUNS:
                forms = tuple(form for form in forms if not form.endswith("by {who}"))
            form = draw.choice(forms).replace("{thing} {was}", "{thing} was")
            before = parts.pop("before")
            told = form.format(**parts, has=has, was=was)
            return f"{before}{told if before else capital(told)}."
    return statement


def clause(draw: Random, half: str, statement: str) -> str:
    """With a clause before it or behind it."""
    if draw.random() < 0.5:
        return f"{draw.choice(LISTS[f'{half} before'])} {lowered(body(statement))}."
    return f"{body(statement)}, {draw.choice(LISTS[f'{half} behind'])}."


def quoted(draw: Random, half: str, statement: str) -> str:
    """In quotation marks, straight or curly."""
    opening, closing = draw.choice(('""', "“”"))
    return f"{opening}{body(statement)}.{closing}"


def dialogue(draw: Random, half: str, statement: str) -> str:
    """What somebody says who has no part in the story."""
    opening, closing = draw.choice(('""', "“”"))
    speaker, says = draw.choice(LISTS[f"{half} speakers"]), draw.choice(LISTS[f"{half} says"])
    if draw.random() < 0.5:
        return f"{speaker} {draw.choice((says, 'said'))}: {opening}{body(statement)}.{closing}"
    says = "said" if says == "told us" else says
    return f"{opening}{body(statement)},{closing} {says} {speaker}."


def plain(draw: Random, half: str, statement: str) -> str:
    """As it is."""
    return statement


STYLES: dict[str, Callable[[Random, str, str], str]] = {
    "plain": plain,
    "small": small,
    "paraphrased": paraphrased,
    "clause": clause,
    "quoted": quoted,
    "dialogue": dialogue,
}


def styled(draw: Random, statements: Sequence[str], style: str, half: str = "test") -> list[str]:
    """Statements in a style of one half. Raises ValueError for another style or half."""
    if style not in STYLES or half not in HALVES:
        raise ValueError(f"expected a style of {', '.join(STYLES)} and a half of {' or '.join(HALVES)}, not {style}, {half}")
    return [STYLES[style](draw, half, statement) for statement in statements]


def renamed(statement: str, names: Mapping[str, str]) -> str:
    """A statement with other names."""
    return re.sub(r"\w+", lambda word: names.get(word[0], word[0]), statement)


def of_others(draw: Random, stories: Sequence[Sequence[str]], number: int, half: str = "test") -> list[str]:
    """So many statements of other people with other things in the same rooms: of stories in which these are renamed."""
    found: list[str] = []
    while len(found) < number:
        names = dict(zip(sorted(PEOPLE), draw.sample(LISTS[f"{half} others"], len(PEOPLE)), strict=True))
        names |= dict(zip(sorted(THINGS), draw.sample(LISTS[f"{half} things"], len(THINGS)), strict=True))
        found += [renamed(one, names) for one in draw.choice(stories)]
    return found[:number]
