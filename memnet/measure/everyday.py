"""Stories in everyday words, with questions and every answer that is right: how many a network answers.

A file of them has blocks with an empty line between: ``# kind 7``, then lines as they are typed, statements and at their end a
question, then a tab and the answers that are right with `` | `` between.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from memnet.ask.parser import StoryParser
from memnet.ask.predictor import Predictor
from memnet.errors import AskError, NetworkError
from memnet.tasks.text.tokens import NUMBER_WORDS

KIND = re.compile(r"# kind (\d+)")
SEPARATORS = re.compile(r",|\band\b|\bthen\b")
DETERMINERS = re.compile(r"\b(?:the|an?)\b")
LEADING = re.compile(
    r"^(?:\s*(?:in|on|at|to|by|from|into|under|with|for|because|since|of|as|near|behind|inside|my|your|his|her|our|their|its|some)"
    r"\b)+"
)
NUMBERS = {"none": "0"} | {word: str(number) for number, word in enumerate(NUMBER_WORDS)}
DIRECTIONS = {"n": "north", "s": "south", "e": "east", "w": "west"}  # as task 19 answers


@dataclass(frozen=True)
class EverydayStory:
    """A story as a person would type it, what is asked about it at its end, and the answers that are right."""

    kind: int  # of question: the task that it is like
    statements: tuple[str, ...]
    question: str
    answers: tuple[str, ...]


def read_everyday(path: Path) -> list[EverydayStory]:
    """The stories of a file. Raises :class:`~memnet.errors.NetworkError` where it is missing or not of the form.

    The message names a story by its number alone: nobody should read what a network is tested on.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NetworkError(f"{path} cannot be read as stories in everyday words: {error}") from error
    stories = []
    for number, block in enumerate(re.split(r"\n\s*\n", text.strip()), 1):
        first, _, rest = block.partition("\n")
        typed, tab, answers = rest.rpartition("\t")
        sentences = StoryParser().parse(typed)[-1].sentences
        kind = KIND.fullmatch(first.strip())
        if kind is None or not tab or len(sentences) < 2:
            raise NetworkError(
                f"{path}: story {number} is not of the form: '# kind' and a number, then statements, a question, a tab, and "
                "its answers"
            )
        statements = tuple(one.text for one in sentences[:-1] if not one.is_question)
        stories.append(EverydayStory(int(kind[1]), statements, sentences[-1].text, tuple(answers.split(" | "))))
    return stories


def parts_of(answer: str) -> Sequence[str]:
    """The parts of an answer for comparison: no case, determiners, prepositions; a list in any order, a path in its own.

    >>> parts_of("The milk and a football"), parts_of("s,e"), parts_of("South, then east")
    (['football', 'milk'], ['south', 'east'], ['south', 'east'])
    >>> parts_of("under your bed"), parts_of("because his gutter was leaking"), parts_of("four eggs")
    (['bed'], ['gutter was leaking'], ['4 eggs'])
    """
    said = (DETERMINERS.sub(" ", part).strip(" .!?") for part in SEPARATORS.split(answer.lower().replace("’", "'")))
    parts = [" ".join(NUMBERS.get(word, word) for word in LEADING.sub("", part).split()) for part in said if part.strip()]
    path = [DIRECTIONS.get(part, part) for part in parts]
    return path if parts and set(path) <= set(DIRECTIONS.values()) else sorted(parts)


def is_right(said: str, answers: Sequence[str]) -> bool:
    """Whether an answer is one of those that are right."""
    return any(parts_of(said) == parts_of(answer) for answer in answers)


def ask_everyday(predictor: Predictor, story: EverydayStory) -> tuple[bool, bool]:
    """Ask about a story as at the prompt and in Python; whether it is answered right, or refused (then nothing is right).

    What cannot be asked at all counts as refused.
    """
    try:
        answer = predictor.ask(story.statements, story.question, runners_up=0, reads=1)
    except AskError:
        return False, True
    return answer.answerable and is_right(answer.answer, story.answers), not answer.answerable
