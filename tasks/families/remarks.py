"""What a person should know of their own stories before a network learns from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..simulator import shared_questions
from ..text import Story, answer_entry, words
from ..text.english import ARTICLES
from .family import Task, questions_of

MOST = 5  # groups of answers, and files, that are named


def remarks(task: Task) -> Iterator[str]:
    """Which files and keys are not read, what looks misplaced, which held-out questions stand in training too, and which
    answers a person takes for one."""
    yield from task.unused[:MOST]
    if len(task.unused) > MOST:
        yield f"{len(task.unused) - MOST:,} more files beside them are not read"
    yield from task.doubts
    valid, train, test = map(in_small_letters, (task.valid or [], task.train, task.test))
    if valid and (chosen_by := shared_questions(test, valid)):
        asked = len(questions_of(valid))
        yield f"{chosen_by:,} of the {asked:,} validation questions, by which is chosen, also stand in the test set"
    for part, stories in {"test": test, "validation": valid}.items():
        asked, shared = len(questions_of(stories)), shared_questions(train, stories)
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


def in_small_letters(stories: Iterable[Story]) -> list[Story]:
    """The same stories: letters of either case are one."""
    return [
        replace(
            story,
            statements=tuple(text.casefold() for text in story.statements),
            questions=tuple(replace(one, text=one.text.casefold()) for one in story.questions),
        )
        for story in stories
    ]


def same_answers(task: Task) -> list[list[str]]:
    """Answers that are entries of their own in the vocabulary and differ in nothing but articles and punctuation."""
    groups: dict[tuple[str, ...], set[str]] = {}
    for question in questions_of([*task.train, *(task.valid or []), *task.test]):
        entry = answer_entry(question.answer)
        if "," not in entry and (plain := words(entry)):
            groups.setdefault(plain[plain[0] in ARTICLES and len(plain) > 1 :], set()).add(entry)
    return [sorted(entries) for entries in groups.values() if len(entries) > 1]
