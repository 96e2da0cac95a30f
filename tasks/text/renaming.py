"""Stories told with other names: in statements, questions and answers together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from . import Story

Names = Mapping[str, str]


@lru_cache
def pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Any of these names, whole, the longest first ("box of chocolates" before "box")."""
    longest = sorted(names, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})\b", re.IGNORECASE)


def rename_text(text: str, names: Names) -> str:
    """A text with other names: ``names`` has the new one by the old one in small letters. A capital stays a capital.

    >>> rename_text("Mice are afraid of cats.", {"mice": "polar bears", "cats": "geese"})
    'Polar bears are afraid of geese.'
    """

    def other(match: re.Match[str]) -> str:
        new = names[match[0].lower()]
        return new[0].upper() + new[1:] if match[0][0].isupper() else new[0].lower() + new[1:]

    return pattern(tuple(names)).sub(other, text) if names else text


def rename_story(story: Story, names: Names) -> Story:
    """A story with other names in its statements, questions and answers, those of lists ("milk,football") too."""
    small = {old.lower(): new for old, new in names.items()}
    questions = tuple(
        replace(one, text=rename_text(one.text, small), answer=rename_text(one.answer, small)) for one in story.questions
    )
    return Story(tuple(rename_text(text, small) for text in story.statements), questions)
