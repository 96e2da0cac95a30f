"""Stories as records of JSON files and of the hub's tables: a passage, questions and answers, flat or nested as SQuAD's are.

    {"passage": "Mary went home. John left.", "question": "Where is Mary?", "answer": "home"}
    {"story": "Mary went home.", "question": "Where is Mary?", "answer": "home", "candidates": ["home", "out"], "kind": "one"}
    {"context": ["Mary went home."], "question": "Where is Mary?", "answers": {"text": ["home"], "answer_start": [10]}}
    {"data": [{"paragraphs": [{"context": "...", "qas": [{"question": "...", "answers": [{"text": "home"}]}]}]}]}

A passage that is one text is told sentence by sentence, a list is told as it stands. Of several answers, which are ways to say
one, the first is learned.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..text import FormatError, Question, Story, one_line, words
from ..text.sentences import line_ends, sentences
from .choices import Reading
from .rows import story

PASSAGES = ("passage", "context", "story")
NESTED = ("data", "paragraphs")
ASKED = ("question", "answer", "answers", "candidates", "kind")  # keys of a question
UNSAID = ("id", "title", "is_impossible", "plausible_answers")  # keys that SQuAD has and nobody misses
EXPECTED = 'expected {"passage": ..., "question": ..., "answer": ...}, or context, or the nested form of SQuAD'


def read_records(text: str, name: str, reading: Reading | None = None) -> list[Story]:
    """The stories of a file of JSON or of JSON lines. Raises :class:`FormatError` with file and line, or place."""
    reading = reading or Reading()
    return [found for where, value in values(text, name) for found in stories(value, where, reading)]


def values(text: str, name: str) -> Iterator[tuple[str, Any]]:
    """The values of a file, and where each stands: one value, or one a line."""
    text = line_ends(text)
    try:
        yield f"{name}:1" if "\n" not in text.strip() else name, loaded(text, f"{name}:1")
        return
    except json.JSONDecodeError as error:
        first = next((line for line in text.split("\n") if line.strip()), "")
        if not first:
            raise FormatError(f"{name}:1: the file is empty; {EXPECTED}") from error
        if first.strip()[:1] == "[" or first.strip() == "{":  # one value, over several lines
            raise FormatError(f"{name}:{error.lineno}: this is no JSON ({error.msg}); {EXPECTED}") from error
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield f"{name}:{number}", loaded(line, f"{name}:{number}")
            except json.JSONDecodeError as error:
                raise FormatError(f"{name}:{number}: this line is no JSON ({error.msg}); {EXPECTED}") from error


def loaded(text: str, where: str) -> Any:
    """A JSON value. Raises :class:`FormatError` where it is nested too deep or its numbers are too long."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise FormatError(f"{where}: this JSON is nested too deep; {EXPECTED}") from error
    except json.JSONDecodeError:
        raise
    except ValueError as error:
        raise FormatError(f"{where}: this JSON has a number that is too long; {EXPECTED}") from error


def stories(value: Any, where: str, reading: Reading) -> Iterator[Story]:
    """The stories of a record, of a list of such, or of what is nested as SQuAD is. Raises :class:`FormatError`."""
    nested = next((key for key in NESTED if isinstance(value, Mapping) and isinstance(value.get(key), list)), "")
    if isinstance(value, list) or nested:
        for number, one in enumerate(value[nested] if nested else value):
            yield from stories(one, f"{where}{', ' if nested else ''}{nested}[{number}]", reading)
    elif isinstance(value, Mapping) and (is_row(value.get("story")) or "supporting_ids" in value):
        yield row(value, where, reading)
    else:
        yield record(value, where, reading)


def row(value: Mapping[str, Any], where: str, reading: Reading) -> Story:
    """A story in the schema of ``facebook/babi_qa``. Raises :class:`FormatError` with ``where`` it stands."""
    try:
        found = story(value)
    except FormatError as error:
        raise FormatError(f"{where}: {error}") from error
    return replace(found, questions=tuple(reading.question(one, where) for one in found.questions))


def is_row(value: Any) -> bool:
    """Whether a value is a story in the schema of ``facebook/babi_qa``: lines, or columns of lines."""
    return isinstance(value, Mapping) or (isinstance(value, list) and any(isinstance(line, Mapping) for line in value))


def record(value: Any, where: str, reading: Reading) -> Story:
    """A passage with one question, or with several in ``qas``. Raises :class:`FormatError`."""
    keys = [key for key in PASSAGES if isinstance(value, Mapping) and value.get(key) is not None]
    if len(keys) != 1 or not ("question" in value or isinstance(value.get("qas"), list)):
        raise FormatError(f"{where}: {EXPECTED}; found {one_line(repr(value), 60)}")
    told = value[keys[0]]
    lines = told if isinstance(told, list) else sentences(told) if isinstance(told, str) else None
    if lines is None or not all(isinstance(line, str) for line in lines):
        raise FormatError(f"{where}: the {keys[0]} is {one_line(repr(told), 60)}; expected a text, or a list of sentences")
    statements = tuple(filter(words, (plain(line, where) for line in lines)))
    if not statements:
        raise FormatError(f"{where}: the {keys[0]} has no sentence; expected what the question is about")
    if not isinstance(value.get("qas"), list):
        return Story(statements, (question(value, where, len(statements), reading, PASSAGES),))
    reading.keys((key for key in value if value[key] is not None), (*PASSAGES, "qas", *UNSAID), where)
    places = {f"{where}, qas[{number}]": one for number, one in enumerate(value["qas"])}
    return Story(statements, tuple(question(one, place, len(statements), reading) for place, one in places.items()))


def question(value: Any, where: str, after: int, reading: Reading, others: tuple[str, ...] = ()) -> Question:
    """A question with its answer, or the first of its answers; ``others`` are keys that are read besides its own.

    Raises :class:`FormatError`.
    """
    text = value.get("question") if isinstance(value, Mapping) else None
    if not isinstance(text, str) or not words(text):
        raise FormatError(f"{where}: the question is {one_line(repr(text), 60)}; expected a text")
    found = value.get("answer")
    if isinstance(found, list):
        raise FormatError(
            f"{where}: the answer is a list; write one of several words as 'milk,apple', ways to say one as answers"
        )
    found = value.get("answers") if found is None else found
    found = found.get("text") if isinstance(found, Mapping) else found
    if isinstance(found, list):
        found = next((one.get("text") if isinstance(one, Mapping) else one for one in found), None)
    if found is None or found == "":
        raise FormatError(
            f"{where}: the question has no answer; leave such questions out (--set unanswerable=0.5 makes some of the others)"
        )
    if not isinstance(found, str) or not words(found):
        raise FormatError(f"{where}: the answer is {one_line(repr(found), 60)}; expected a text with words")
    reading.keys((key for key in value if value[key] is not None), (*ASKED, *others, *UNSAID), where)
    asked = Question(plain(text, where), plain(found, where), (), after, candidates(value, where), kind(value, where))
    return reading.question(asked, where)


def candidates(value: Mapping[str, Any], where: str) -> tuple[str, ...]:
    """The answers that a question has to choose among; none where it has no such key. Raises :class:`FormatError`."""
    found = value.get("candidates")
    if found is None:
        return ()
    if not (isinstance(found, list) and found and all(isinstance(one, str) and words(one) for one in found)):
        raise FormatError(f"{where}: the candidates are {one_line(repr(found), 60)}; expected a list of answers")
    return tuple(plain(one, where) for one in found)


def kind(value: Mapping[str, Any], where: str) -> str:
    """The kind of a question, by which results are split; nothing where it has none. Raises :class:`FormatError`."""
    found = value.get("kind")
    if found is None:
        return ""
    if not (isinstance(found, str | int) and words(str(found))):
        raise FormatError(f"{where}: the kind is {one_line(repr(found), 60)}; expected a word")
    return plain(str(found), where)


def plain(text: str, where: str) -> str:
    """A text on one line. Raises :class:`FormatError` where it has half of a character, as only JSON can."""
    if any("\ud800" <= one <= "\udfff" for one in text):
        raise FormatError(f"{where}: {one_line(text, 60)!r} has half of a character (a \\u escape without its other half)")
    return " ".join(text.split())
