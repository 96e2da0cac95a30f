"""What a person should know of their own stories before a network learns from them."""

from __future__ import annotations

from collections.abc import Iterator

from ..simulator import shared_questions
from ..text import answer_entry, words
from ..text.english import ARTICLES
from .family import Task, questions_of

MOST = 5  # groups of answers that are named


def remarks(task: Task) -> Iterator[str]:
    """That held-out questions stand in training too, and which answers are several for a network and one for a person."""
    for part, stories in {"test": task.test, "validation": task.valid or []}.items():
        asked, shared = len(questions_of(stories)), shared_questions(task.train, stories)
        if shared:
            which = "all" if shared == asked else f"{shared:,} of the {asked:,}"
            stand, them = ("stands", "it") if shared == 1 < asked else ("stand", "them")
            little = f": the {part} error says little about new stories" if 2 * shared >= asked else ""
            yield f"{which} {part} questions also {stand} in training, with the same statements before {them}{little}"
    several = same_answers(task)
    if several:
        named = "; ".join(" and ".join(map(repr, entries)) for entries in several[:MOST])
        more = f"; and {len(several) - MOST:,} more" if len(several) > MOST else ""
        yield f"answers that differ in no more than an article, a full stop or quotes are different answers, {named}{more}"


def same_answers(task: Task) -> list[list[str]]:
    """Answers that are entries of their own in the vocabulary and differ in nothing but articles and punctuation."""
    groups: dict[tuple[str, ...], set[str]] = {}
    for question in questions_of([*task.train, *(task.valid or []), *task.test]):
        entry = answer_entry(question.answer)
        if "," not in entry and (plain := words(entry)):
            groups.setdefault(plain[plain[0] in ARTICLES and len(plain) > 1 :], set()).add(entry)
    return [sorted(entries) for entries in groups.values() if len(entries) > 1]
