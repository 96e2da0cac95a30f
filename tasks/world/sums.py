"""Answers of written templates that hang on numbers: sums, and what holds where one number is more than another.

= {n} - {n2} + 1               a number that is computed; without answer where it is not 0 to 20
{n} > {n2} ? {p} : {p2}        the first where the number is more (or <: less), else the second; equal ones have no answer
"""

from __future__ import annotations

import re

from ..text.tokens import NUMBER_WORDS

MOST = len(NUMBER_WORDS) - 1
CONDITION = re.compile(r"([^<>?]+) ([<>]) ([^<>?]+) \? (.+) : (.+)")
TERM = re.compile(r"([+-]?)\s*([^\s+*-]+(?:\s*\*\s*[^\s+*-]+)*)\s*")


def depends(answer: str) -> bool:
    """Whether an answer hangs on numbers."""
    return answer.startswith("= ") or CONDITION.fullmatch(answer) is not None


def resolved(answer: str) -> str | None:
    """An answer whose slots are filled, as one of its kind that hangs on none; ``None`` where there is no such answer.

    Raises ``ValueError`` for what is neither a number nor a number word.

    >>> resolved("= seven - 2 * 3"), resolved("two > 12 ? Ann : Bo"), resolved("= one - two"), resolved("the attic")
    ('1', 'Bo', None, 'the attic')
    """
    if answer.startswith("= "):
        value = total(answer[2:])
        return str(value) if 0 <= value <= MOST else None
    found = CONDITION.fullmatch(answer)
    if not found:
        return answer
    one, sign, other, first, second = found.groups()
    difference = total(one) - total(other)
    if difference == 0:
        return None
    return first if (difference > 0) == (sign == ">") else second


def total(text: str) -> int:
    """A sum of products of numbers or number words."""
    text = text.strip()
    if not re.fullmatch(rf"(?:{TERM.pattern})+", text):
        raise ValueError(f"{text!r} is no sum: write numbers or slots with + - * between them")
    value = 0
    for sign, term in TERM.findall(text):
        product = 1
        for factor in term.split("*"):
            product *= number(factor.strip())
        value += -product if sign == "-" else product
    return value


def number(word: str) -> int:
    """The value of digits or of a number word to twenty."""
    if word.isdigit():
        return int(word)
    if word.lower() not in NUMBER_WORDS:
        raise ValueError(f"{word!r} is no number: expected digits or a number word to twenty")
    return NUMBER_WORDS.index(word.lower())
