"""Templates: sentences as data, with places for what they are about.

    "<x> be~x (|now) <place.in>"       ->  The keys are now in the drawer
    "Do~x <x> speak <v> ?"             ->  Does Selime speak Greek ?
    "<x> grow^ up in <v>"              ->  Kofi grew up in Accra

``<x>`` is a subject, ``<x.o>`` an object, ``<x.g>`` "x's", ``<x.own>`` "hers", ``<x.new>`` "a ..." where x is new,
``<x.full>`` no pronoun, ``<x.in>`` "in x" with x's own preposition, ``<x.into>`` the same for going there, ``<x.head>`` its
noun alone, ``<x.plain>`` its words without "the", ``<x.pl>`` its plural, ``<x.p>`` and ``<x.po>`` pronouns. ``verb~x`` agrees
with x, ``was_x`` too; ``verb^`` is past. ``(a|b|)`` is one of these. "not" after an auxiliary may be shortened.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import product

from .entities import Entity
from .forms import agreeing, form, plural
from .lines import Line

CHOICE = re.compile(r"\(([^()]*)\)")
SLOT = re.compile(r"<(\w+)(?:\.(\w+))?>$")
Op = tuple[str, str, str]


def alternatives(template: str) -> list[str]:
    """Every sentence that a template with choices stands for: at most 64."""
    parts = CHOICE.split(template)
    choices = [part.split("|") if place % 2 else [part] for place, part in enumerate(parts)]
    return [" ".join("".join(chosen).split()) for chosen in product(*choices)][:64]


def _op(word: str) -> Op:
    slot = SLOT.match(word)
    if slot:
        return ("noun", slot.group(1), slot.group(2) or "")
    if "~" in word:
        verb, _, name = word.partition("~")
        return ("agree", verb.lower(), name)
    if word.endswith("^"):
        return ("put", form(word[:-1], "VBD"), "")
    if word.endswith("%"):
        return ("put", form(word[:-1], "VBG"), "")
    if word.startswith("was_"):
        return ("was", "be", word[4:])
    return ("put", word, "")


@cache
def compiled(template: str) -> tuple[tuple[Op, ...], ...]:
    """The alternatives of a template, each as steps."""
    return tuple(
        _objects([_op(word) for word in text.replace("?", "").split()])
        for text in alternatives(template.replace("Was_", "was_"))
    )


def _objects(steps: list[Op]) -> tuple[Op, ...]:
    """The same where a value is an object unless a verb beside it agrees with it: "What is from me", "Do you own it"."""
    found = list(steps)
    for place, (kind, name, how) in enumerate(steps):
        beside = [steps[near] for near in (place - 1, place + 1) if 0 <= near < len(steps)]
        if (
            kind == "noun"
            and name == "v"
            and not how
            and place
            and not any(one[0] in ("agree", "was") and one[2] == "v" for one in beside)
        ):
            found[place] = (kind, name, "o")
    return tuple(found)


def _noun(line: Line, entity: Entity, how: str) -> None:
    if how == "":
        line.noun(entity, "subject" if line.subject is None else "object")
    elif how == "full":
        line.noun(entity, "subject" if not line.words else "object", full=True)
    elif how == "s":
        line.noun(entity, "subject")
    elif how == "o":
        line.noun(entity)
    elif how == "own":
        _own(line, entity)
    elif how == "g":
        if entity.speaking or (entity is line.subject and not entity.members):
            start = len(line.words)
            line.put(entity.pronouns()[2])
            if not entity.speaking:
                line.referred.append(entity)
                return
            line.name(entity, start, start + 1)
        else:
            line.noun(entity, "genitive")
    elif how == "p":
        line.put(entity.pronouns()[0])
    elif how == "pg":
        line.put(entity.pronouns()[2])
    elif how == "po":
        line.put(entity.pronouns()[1])
    elif how == "new":
        line.noun(entity, new=True, full=True)
    elif how in ("in", "into"):
        if how == "in" and not line.names_place() and line.there(entity):
            return
        if how == "in" or entity.into != "bare":
            line.put(*(entity.prep if how == "in" else entity.into).split())
        line.noun(entity, full=True)
    elif how == "head":
        line.put(entity.head)
    else:
        start = len(line.words)
        words = plural(" ".join(entity.words)).split() if how == "pl" and not entity.plural else entity.words
        line.put(*words)
        line.name(entity, start, len(line.words))


def _own(line: Line, entity: Entity) -> None:
    """Mine, ours, hers, Nora's."""
    if entity.speaking:
        line.put({"I": "mine", "we": "ours", "you": "yours"}[entity.speaking])
        line.name(entity, len(line.words) - 1, len(line.words))
    else:
        line.noun(entity, "genitive", full=True)


def fill(line: Line, template: str, names: Mapping[str, Entity]) -> None:
    """Add the sentence of a template to a line."""
    choices = compiled(template)
    steps = choices[int(line.random.random() * len(choices))] if len(choices) > 1 and not line.plain else choices[0]
    skip = False
    for place, (kind, word, name) in enumerate(steps):
        if skip:
            skip = False
        elif kind == "put":
            line.put(word)
        elif kind == "noun":
            _noun(line, names[word], name)
        else:
            verb = agreeing(word, names[name].agree, "past" if kind == "was" else "present")
            skip = place + 1 < len(steps) and steps[place + 1][1] == "not"
            if skip:
                line.negate(verb)
            else:
                line.put(verb)
