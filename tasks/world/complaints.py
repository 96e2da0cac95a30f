"""What is wrong with written templates: each is drawn a few times, and its answers are looked for in its story."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from .told import draw_told, parse


def complaints(text: str, draws: int = 12) -> Iterator[str]:
    """What is wrong with the templates of a file."""
    for number, template in enumerate(parse(text), 1):
        about = f"story {number} ({template.kind}): "
        if not any(line.answer for line in template.lines):
            yield about + "nothing is asked"
        found: set[str] = set()
        for seed in range(draws):
            try:
                story = draw_told(Random(seed), template, strict=True)
            except (ValueError, IndexError, KeyError) as error:
                found.add(str(error))
                continue
            texts = [*(one.text for one in story.statements), *(one.text for one in story.questions)]
            left = [text for text in texts if set(text) & set("{}[]|")]
            found.update(f"a bracket is not closed, or a slot is not of the form: {each!r}" for each in left)
        yield from (about + each for each in sorted(found))
