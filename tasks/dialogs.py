r"""Dialogs in the format of dialog bAbI (Bordes, Boureau & Weston 2017): what a user says, a tab, and what the bot says.

    1 hi<TAB>hello what can i help you with today
    2 <SILENCE><TAB>api_call thai tokyo six cheap
    3 resto_tokyo R_phone resto_tokyo_phone
    4 <SILENCE><TAB>what do you think of this option: resto_tokyo

A line without a tab is told: a row of the knowledge base (who, relation, value), or that there is none. A dialog is read as a
story: what each speaker says is a statement that begins with :data:`USER` or :data:`BOT`, and what a user says asks for what
the bot says. Of several utterances between bars, each is right, and the first was said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from unicodedata import digit

from .text import FormatError, Question, Story, is_number
from .text.sentences import line_ends

USER, BOT = "user:", "bot:"
SILENCE = "<SILENCE>"  # where the bot speaks again, or nothing of what the user says was understood
BAR = "|"
NO_RESULT = "api_call no result"  # in place of rows, where none was found
ROW, SOME_ROW = re.compile(r"\S+ R_\S+ \S+"), "resto_rome R_price cheap"  # who, relation, value
EXPECTED = "expected a number, a space and what the user says, a tab, what the bot says"


def parse_dialogs(text: str, name: str, several: bool = False) -> list[Story]:
    """The dialogs of a file's text; with ``several``, a bar parts utterances that are all right.

    Raises :class:`~memnet.tasks.text.FormatError` with file and line.
    """
    if not text.strip():
        raise FormatError(f"{name}:1: the file is empty; {EXPECTED}")
    found: list[Story] = []
    statements: list[str] = []
    questions: list[Question] = []
    previous = 0
    for at, line in enumerate(line_ends(text).split("\n"), 1):
        if not line.strip():
            continue
        digits, _, rest = line.partition(" ")
        if not is_number(digits) or not rest.strip():
            raise FormatError(f"{name}:{at}: {EXPECTED}; found {line[:40]!r}")
        number = int(digits)
        if number == 1 and previous:
            check_turns(questions, f"{name}:{at - 1}")
            found.append(Story(tuple(statements), tuple(questions)))
            statements, questions = [], []
        elif number != previous + 1:
            follow = f"{previous + 1}, or 1 for a new dialog" if previous else "1"
            raise FormatError(f"{name}:{at}: line number {number} is out of order; expected {follow}")
        previous = number
        said, *answers = rest.split("\t")
        if not answers:
            if not (ROW.fullmatch(one_space(said)) or one_space(said) == NO_RESULT):
                raise FormatError(f"{name}:{at}: {EXPECTED}, or a row such as {SOME_ROW!r} without a tab; found {line[:60]!r}")
            statements.append(one_space(said))
            continue
        if len(answers) > 1 or not answers[0].strip():
            raise FormatError(f"{name}:{at}: {EXPECTED}; found {line[:60]!r}")
        right = [one_space(answer) for answer in (answers[0].split(BAR) if several else answers)]
        if not all(right):
            raise FormatError(f"{name}:{at}: an utterance between bars is empty; found {line[:60]!r}")
        question = Question(one_space(said) or SILENCE, right[0], (), len(statements), also=tuple(right[1:]))
        questions.append(question)
        statements += [f"{USER} {question.text}", f"{BOT} {question.answer}"]
    check_turns(questions, f"{name}:{at}")
    return [*found, Story(tuple(statements), tuple(questions))]


def check_turns(questions: Sequence[Question], place: str) -> None:
    """Raise :class:`~memnet.tasks.text.FormatError` for a dialog of which nobody says anything."""
    if not questions:
        raise FormatError(f"{place}: a dialog ends here that has rows alone; {EXPECTED}")


def parse_candidates(text: str, name: str) -> tuple[str, ...]:
    """The utterances that a bot chooses among, a line each after its number. Raises FormatError with file and line."""
    found = []
    for at, line in enumerate(line_ends(text).split("\n"), 1):
        if not line.strip():
            continue
        digits, _, rest = line.partition(" ")
        if not is_number(digits) or not rest.strip():
            raise FormatError(f"{name}:{at}: expected a number, a space and what the bot may say, found {line[:40]!r}")
        found.append(one_space(rest))
    if not found:
        raise FormatError(f"{name}:1: the file is empty; expected lines such as '1 hello what can i help you with today'")
    return tuple(dict.fromkeys(found))


def one_space(text: str) -> str:
    """Text with single spaces between its words, and none at its ends; a raised or circled digit is a plain one.

    >>> one_space(" a  table for \u00b2 ")
    'a table for 2'
    """
    if not text.isascii():
        text = "".join(str(digit(one)) if one.isdigit() and not one.isdecimal() else one for one in text)
    return " ".join(text.split())


def speaker(statement: str) -> tuple[str, str]:
    """Who says a statement, :data:`USER`, :data:`BOT` or nobody (""), and the rest of it.

    >>> speaker("user: hello"), speaker("resto_rome R_price cheap")
    (('user:', 'hello'), ('', 'resto_rome R_price cheap'))
    """
    for who in (USER, BOT):
        if statement.startswith(f"{who} "):
            return who, statement[len(who) + 1 :]
    return "", statement


def utterances(stories: Sequence[Story]) -> tuple[str, ...]:
    """Everything that the bot says, once each."""
    right = (answer for story in stories for one in story.questions for answer in (one.answer, *one.also))
    return tuple(dict.fromkeys(right))
