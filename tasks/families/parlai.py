r"""Stories in ParlAI's text format: a line an exchange, fields between tabs, ``\n`` between the lines of a text.

    text:Mary moved to the bathroom.\nJohn went home.\nWhere is Mary?<TAB>labels:bathroom
    text:John left.\nWhere is John?<TAB>labels:outside|street<TAB>label_candidates:bathroom|outside<TAB>episode_done:True

The last line of a text asks, those before it tell; a story ends where its episode does. Of several labels, which are ways to
say one answer, the first is learned. Candidates are answers to choose among, of which the labels must be some.
"""

from __future__ import annotations

import re

from ..text import FormatError, Question, Story, words
from ..text.sentences import line_ends
from .choices import Reading

LABELS = ("labels", "eval_labels")
CANDIDATES = "label_candidates"
ENDS = "episode_done"
UNSAID = ("id", "episode_idx", "reward")  # fields that ParlAI writes and nobody misses
ESCAPE = re.compile(r"\\([nt\\])")
ESCAPED = {"n": "\n", "t": " ", "\\": "\\"}


def is_parlai(text: str) -> bool:
    """Whether a file's text is in this format: its first line that is not blank says so."""
    return text.lstrip().startswith("text:")


def read_parlai(text: str, name: str, reading: Reading | None = None) -> list[Story]:
    """The stories of a file's text, an episode each. Raises :class:`FormatError` with file and line."""
    reading = reading or Reading()
    found: list[Story] = []
    statements: list[str] = []
    questions: list[Question] = []
    for number, line in enumerate(line_ends(text).split("\n"), 1):
        if not line.strip():
            continue
        where = f"{name}:{number}"
        fields = fields_of(line, where)
        *told, asked = [" ".join(part.split()) for part in fields["text"].split("\n") if words(part)] or [""]
        statements += told
        if not asked or not statements:
            raise FormatError(rf"{where}: expected text:, statements, \n and a question, found {line[:60]!r}")
        answers = next((fields[key] for key in LABELS if fields.get(key, "").strip()), "").split("|")
        if not words(answers[0]):
            raise FormatError(f"{where}: expected a tab, labels: and an answer after the text, found {line[:60]!r}")
        candidates = tuple(" ".join(one.split()) for one in fields.get(CANDIDATES, "").split("|") if one.strip())
        question = Question(asked, " ".join(answers[0].split()), (), len(statements), candidates)
        reading.keys(fields, ("text", *LABELS, CANDIDATES, ENDS, *UNSAID), where)
        questions.append(reading.question(question, where))
        if fields.get(ENDS, "").strip().lower() == "true":
            found.append(Story(tuple(statements), tuple(questions)))
            statements, questions = [], []
    return [*found, *([Story(tuple(statements), tuple(questions))] if questions else [])]


def fields_of(line: str, where: str) -> dict[str, str]:
    """The fields of a line by their names. Raises :class:`FormatError`."""
    fields: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in line.split("\t"))):
        key, colon, value = part.partition(":")
        if not colon:
            raise FormatError(f"{where}: a field has a name and a colon, such as labels:, found {part[:40]!r}")
        fields[key] = ESCAPE.sub(lambda found: ESCAPED[found[1]], value).replace("__PIPE__", " ")
    if "text" not in fields:
        raise FormatError(f"{where}: expected text: and what is told and asked, found {line[:60]!r}")
    return fields
