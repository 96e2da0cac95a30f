"""What says nothing of what is: "might go", "wants to go", "forgot to go", "never went" (modes.toml)."""

from __future__ import annotations

from functools import cache

from .forms import agreeing, form
from .lexicon import table
from .lines import Line


@cache
def mode_phrases(mode: str) -> tuple[tuple[str, ...], ...]:
    """The phrases of a mode, as words."""
    return tuple(tuple(phrase.split()) for phrase in table("modes.toml")[mode]["phrases"])


def _verb_form(verb: str, how: str) -> list[str]:
    head, *particle = verb.split()
    tag = {"+base": "", "+ing": "VBG", "+done": "VBN", "+past": "VBD"}[how]
    return [form(head, tag) if tag else head, *particle]


def mode_phrase(line: Line, phrase: tuple[str, ...], agree: str, verb: str, asking: bool = False) -> tuple[str, ...]:
    """Add the words of a mode before the verb; the verb in its form comes back."""
    for place, word in enumerate(phrase):
        if word.startswith("+"):
            return tuple(_verb_form(verb, word))
        if word == "be_past":
            line.put("were" if agree == "p" else "was")
        elif word == "not" and not asking and place == 0:
            line.negate("did")
        elif word in ("be~", "have~"):
            line.put(agreeing(word[:-1], agree))
        elif word.endswith("~"):
            line.put(form(word[:-1], "VBZ") if agree == "3" else word[:-1])
        elif word.endswith("^"):
            line.put(form(word[:-1], "VBD"))
        else:
            line.put(word)
    return tuple(verb.split())
