"""Words where no spaces part them - Chinese, Japanese, Thai and the like - and emoji, as Unicode Annex 29 has them.

The library ``regex`` knows the annex; it is imported when a text needs it. An emoji is a word with all that belongs to it. A
sign that is text unless a selector follows it, such as the copyright sign, is none without it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

FIRST = "\u0e00"  # no character before it is of such a script, or an emoji by itself
UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\u30fc]"
EMOJI = r"((?:(?=\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F)\X))"


@cache
def pattern(text: str) -> Any:
    """A pattern of the library ``regex``, whose word boundaries are those of the annex."""
    import regex

    return regex.compile(text, regex.WORD | regex.V1)


def needs_segmenting(text: str) -> bool:
    """Whether a text may have words without spaces between them, or emoji."""
    return not text.isascii() and max(text) >= FIRST


def apart_from_emoji(text: str) -> list[str]:
    """The text before, between and after its emoji, and at the odd places these.

    >>> apart_from_emoji("I see 👩‍🚀 and ❤️.")
    ['I see ', '👩\u200d🚀', ' and ', '❤️', '.']
    """
    parts: list[str] = pattern(EMOJI).split(text)
    return parts


def is_emoji(word: str) -> bool:
    """Whether a word of a text is an emoji: it has no letter and no digit.

    >>> is_emoji("🏠"), is_emoji("家")
    (True, False)
    """
    return not word.isascii() and not any(map(str.isalnum, word))


def segmented(word: str) -> list[str]:
    """The words of what stands between spaces.

    >>> segmented("玛丽去了厨房"), segmented("o'clock"), segmented("iPhone手机")
    (['玛', '丽', '去', '了', '厨', '房'], ["o'clock"], ['iPhone', '手', '机'])
    """
    return [part for part in pattern(r"\b").split(word) if part] if pattern(UNSPACED).search(word) else [word]


def joined(words: Iterable[str]) -> str:
    """Words as one text, with a space between two unless both scripts have none.

    >>> joined(["厨", "房"]), joined(["red", "square"])
    ('厨房', 'red square')
    """
    text = " ".join(words)
    return pattern(f"(?<={UNSPACED}) (?={UNSPACED})").sub("", text) if needs_segmenting(text) else text
