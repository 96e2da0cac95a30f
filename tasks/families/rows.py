"""A story as a row of a data set, in the schema of ``facebook/babi_qa``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..text import FormatError, Question, Story, parse, write

KINDS = ("context", "question")


def row(story: Story) -> dict[str, list[dict[str, Any]]]:
    """A story as a row: its lines in order, numbered from 1, with supporting facts as the ids of lines."""
    lines: list[dict[str, Any]] = []
    ids: list[str] = []  # of the statements

    def add(kind: str, text: str, facts: Iterable[int] = (), answer: str = "") -> None:
        supporting = [ids[fact] for fact in facts]
        number = str(len(lines) + 1)
        lines.append({"id": number, "type": kind, "text": text, "supporting_ids": supporting, "answer": answer})

    questions = list(story.questions)
    for stated in range(len(story.statements) + 1):
        while questions and questions[0].after == stated:
            question = questions.pop(0)
            add("question", question.text, question.supporting_facts, question.answer)
        if stated < len(story.statements):
            add("context", story.statements[stated])
            ids.append(str(len(lines)))
    return {"story": lines}


def story(row: Mapping[str, Any]) -> Story:
    """A row as a story. Its ``story`` is a list of lines, or, as older rows of the hub are, a dict of columns.

    ``type`` is "context" / "question" or 0 / 1. Raises :class:`~memnet.tasks.text.FormatError` where it is
    no story, for what the text format does not allow too.
    """
    try:
        given = row["story"]
        if isinstance(given, Mapping):
            lengths = {len(column) for column in given.values()}
            if len(lengths) > 1:
                raise FormatError(f"a row's columns have different lengths: {sorted(lengths)}")
            given = [dict(zip(given, values, strict=True)) for values in zip(*given.values(), strict=True)]
        statements: list[str] = []
        questions: list[Question] = []
        place: dict[str, int] = {}
        for line in given:
            number, text, kind = str(line["id"]), line["text"], line["type"]
            kind = KINDS[kind] if type(kind) is int and 0 <= kind < len(KINDS) else kind
            if kind not in KINDS or not isinstance(text, str) or number in place:
                raise FormatError(
                    f"a line of a row is {dict(line)!r}; expected an id of its own, type context or question, and text"
                )
            if kind == "context":
                place[number] = len(statements)
                statements.append(text)
                continue
            if not isinstance(line["answer"], str) or not isinstance(line["supporting_ids"], list):
                raise FormatError(f"a line of a row is {dict(line)!r}; expected an answer and a list of supporting ids")
            facts = tuple(place[str(one)] for one in line["supporting_ids"])
            questions.append(Question(text, line["answer"], facts, len(statements)))
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(
            "a row is not a story: expected 'story' with id, type, text, supporting_ids and answer of each line, and ids that "
            f"name statements told before ({type(error).__name__}: {error})"
        ) from error
    found = Story(tuple(statements), tuple(questions))
    if parse(write([found]), "a row, as text") != [found]:
        raise FormatError("a row is not a story: its texts hold line ends or tabs")
    return found
