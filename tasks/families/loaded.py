"""What a family's ``load`` gives, looked over once: a plugin's file may have it wrong, and is told so in a sentence."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from ..files import DataError
from ..text import FormatError, Question, Story, one_line
from .choices import among, entries_of, some_of, twice

T = TypeVar("T")
Load = Callable[[str, int, Path | None], T]


def loaded(load: Load[T], kind: type[T], name: str, member: str, seed: int, folder: Path | None) -> T:
    """What a family loads under a full name, of its ``kind``: a data set.

    Raises :class:`DataError` where it cannot be loaded, or is not what it must be.
    """
    family = name.partition("/")[0]
    try:
        found = load(member, seed, folder)
    except (DataError, FormatError, OSError, MemoryError):
        raise
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{type(error).__name__}: {one_line(str(error))} ({place.filename}:{place.lineno})"
        raise DataError(f"the family {family!r} cannot load {member!r}: {why}") from error
    for wrong in faults(found, kind, name):
        raise DataError(f"the family {family!r} loads {member!r} wrongly: {wrong}")
    return found


def faults(found: Any, kind: type[Any], name: str) -> Iterator[str]:
    """What is wrong with a data set of this name, a sentence each."""
    if not isinstance(found, kind):
        yield f"load gives {one_line(repr(found), 60)}; expected a {kind.__name__}"
        return
    if found.name != name:
        yield f"its Task is named {found.name!r}; expected {name!r}"
    if not (isinstance(found.hash, str) and found.hash.split() == [found.hash]):
        yield f"its hash is {found.hash!r}; expected a word that is another where its stories are"
    if not (isinstance(found.splits, Mapping) and found.splits):
        yield f"its splits are {one_line(repr(found.splits), 60)}; expected test stories by name, such as {{'test': stories}}"
        return
    parts = {"training": found.train, **({} if found.valid is None else {"validation": found.valid})}
    parts |= {f"the split {split!r} of its test": stories for split, stories in found.splits.items()}
    for part, stories in parts.items():
        yield from faults_of(stories, part)


def faults_of(stories: Any, part: str) -> Iterator[str]:
    """What is wrong with the stories of one part."""
    if not isinstance(stories, Sequence) or not all(isinstance(story, Story) for story in stories):
        yield f"{part} stories are {one_line(repr(stories), 60)}; expected a list of Story"
        return
    if not any(story.questions for story in stories):
        yield f"{part} stories have no question; expected some, or no such part"
    seen: dict[int, frozenset[str]] = {}  # candidates, often thousands and the same of many questions
    for number, story in enumerate(stories, 1):
        told = story.statements
        if not (isinstance(told, tuple) and all(isinstance(one, str) and one.strip() for one in told)):
            yield f"{part} story {number} has the statements {one_line(repr(told), 60)}; expected a tuple of sentences"
            return
        for question in story.questions:
            for wrong in faults_of_question(question, story, seen):
                yield f"{part} story {number}, {one_line(repr(getattr(question, 'text', question)), 60)}: {wrong}"


def faults_of_question(question: Any, story: Story, seen: dict[int, frozenset[str]]) -> Iterator[str]:
    """What is wrong with one question; ``seen`` has the entries of candidates that were looked over."""
    if not isinstance(question, Question):
        yield "expected a Question"
        return
    for what in ("text", "answer"):
        if not (isinstance(given := getattr(question, what), str) and given.strip()):
            yield f"its {what} is {given!r}; expected words"
            return
    told, after = len(story.statements), question.after
    if not (type(after) is int and 0 <= after <= told):
        yield f"after={after!r}; expected 0 to {told}, so many statements the story has"
        return
    if not isinstance(question.supporting_facts, tuple):
        yield f"its supporting facts are {question.supporting_facts!r}; expected a tuple of numbers"
        return
    for fact in question.supporting_facts:
        if not (type(fact) is int and 0 <= fact < after):
            yield f"its supporting fact {fact!r} is none of the {after} statements before it, which are counted from 0"
    if not isinstance(question.kind, str):
        yield f"its kind is {question.kind!r}; expected a word"
    if (place := id(question.candidates)) not in seen:
        if not (isinstance(question.candidates, tuple) and all(isinstance(one, str) for one in question.candidates)):
            yield f"its candidates are {one_line(repr(question.candidates), 60)}; expected a tuple of answers"
            return
        seen[place] = entries_of(question.candidates)
        if len(seen[place]) < len(question.candidates):
            yield f"{twice(question.candidates)!r} is twice among its candidates; expected each answer once"
    if not among(question, seen[place]):
        yield (
            f"its answer {question.answer!r} is none of its {len(question.candidates)} candidates "
            f"({some_of(question.candidates)})"
        )
