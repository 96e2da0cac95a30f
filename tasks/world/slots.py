"""The slots of written templates: what stands in braces, and names and nouns that are slots without.

{name:example}    another word of its type now and then, the same in the whole story    {name}    it again
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from .lexicon import names, nouns
from .values import DAYS

SLOT = re.compile(r"\{([a-z]+\d*)(?::([^{}]*)| ([A-Za-z']+))?\}")
UNTOLD = "not told"


@dataclass(frozen=True)
class Line:
    """A line of a template: a statement, ``idle`` where it does not matter, or a question with its answer."""

    text: str
    answer: str | None = None
    idle: bool = False


@dataclass(frozen=True)
class Template:
    """A story with slots."""

    kind: str
    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(f"{line.text} {line.answer or ''}" for line in self.lines)


CLASSES = (  # nouns that are slots wherever they stand after a determiner, and days and months anywhere
    *("room", "public", "shop", "tool", "gadget", "garment", "kitchenware", "jewel", "toy", "animal", "pet", "job", "colour"),
    *("small container", "container in", "furnished", "city", "country", "month", "day"),
)
WORD = re.compile(r"(?<![\w{:'-])(?:(the|a|an|my|our|your|his|her|their|The|A|An|My|Our|His|Her) )?([A-Za-zÀ-ÿ]+)(?![\w'’-])")


@cache
def classes() -> dict[str, str]:
    """Nouns of one class, by themselves: the slot's type."""
    found: dict[str, str] = {}
    for kind in CLASSES:
        for noun in DAYS if kind == "day" else nouns(kind):
            found[noun] = "" if noun in found else f"of{kind.replace(' ', '')}"
    return {noun: kind for noun, kind in found.items() if kind and " " not in noun}


def slotted(template: Template) -> Template:
    """A template whose names, and nouns after a determiner, are slots too, so that few of its words are always the same.

    Such a word is a slot wherever it stands, "a new kettle" and "Mina's" too. It is none where it also stands in another form.
    """
    texts = [text for line in template.lines for text in (line.text, line.answer or "") if text not in FIXED]
    outside = [part for text in texts for part in SLOT.split(text)[:: SLOT.groups + 1]]
    given = {example: name for name, example, _ in SLOT.findall(template.text) if example and name[0] not in COUNTED}
    names, inside = dict(given), {word for example in given for word in example.split()}
    for before, word in (found for part in outside for found in WORD.findall(part)):
        kind = (gender_of(word) if word.istitle() else None) or classes().get(word, "")
        may_be = before or word[0].isupper() or kind in ("ofcolour", "ofcity", "ofcountry")
        if kind and may_be and word not in {*names, *inside}:
            names[word] = f"{kind}{900 + len(names)}"
    names = {word: name for word, name in names.items() if word.isalpha() and not any(map(_inflected(word).search, outside))}
    if not names:
        return template
    anywhere = re.compile(rf"(?<![\w{{:'-])(?:{'|'.join(names)})(?![\w-])")
    told = {word for word, name in names.items() if not name[-3:].isdigit()}  # where its slot has it

    def slot(found: re.Match[str]) -> str:
        word = found[0]
        first = word not in told
        told.add(word)
        return f"{{{names[word]}:{word}}}" if first else f"{{{names[word]}}}"

    def with_slots(text: str) -> str:
        parts, end = list[str](), 0
        for kept in SLOT.finditer(text):
            parts += [anywhere.sub(slot, text[end : kept.start()]), kept[0]]
            end = kept.end()
        return "".join([*parts, anywhere.sub(slot, text[end:])])

    lines = []
    for line in template.lines:
        text = with_slots(line.text)
        lines.append(replace(line, text=text, answer=line.answer if line.answer in (None, *FIXED) else with_slots(line.answer)))
    return Template(template.kind, tuple(lines))


COUNTED = "nqx"  # slots that are no words: numbers, prices, and those that are never replaced
FIXED = (UNTOLD, "yes", "no", "maybe", "nothing")  # answers that quote nothing


def _inflected(word: str) -> re.Pattern[str]:
    """What finds a word with another ending or another case, or after "to": a slot would not change with it."""
    others = rf"(?i:{word})(?:s|es|ed|ing|y)?(?![\w-])"
    return re.compile(rf"(?<![\w])(?:[Tt]o {word}(?![\w-])|(?!{word}(?![\w-])){others}|{word}-|\w+-{word}(?!\w))")


@cache
def members(kind: str) -> tuple[str, ...]:
    """The nouns of the class of a slot's type, "ofroom"."""
    return next(DAYS if one == "day" else nouns(one) for one in CLASSES if f"of{one.replace(' ', '')}" == kind)


@cache
def gender_of(name: str) -> str | None:
    """Whether a name is a woman's ("f") or a man's ("m"); None where it is both or none."""
    found = {gender for kind, gender in (("woman", "f"), ("man", "m")) if any(name.title() in each for each in names(kind))}
    return found.pop() if len(found) == 1 else None
