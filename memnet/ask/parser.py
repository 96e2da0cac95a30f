"""A story taken apart: statements and questions, from plain sentences or from lines of the bAbI format.

    Mary went home. Where is Mary?          two sentences, the second a question
    Where is Mary                           so does one that begins like a question and has no full stop
    2 John left.                            a line number that follows the one before it is dropped
    3 Where is Mary? <TAB>home<TAB>1        a line with a tab is a question; its answer is dropped
    1 Sandra left.                          number 1 after other numbers begins a new story

Nothing is refused: what a person types is a story. The strict parser of the file format is :func:`memnet.tasks.text.parse`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from memnet.tasks.text import split_line, words

LONGEST_QUESTION = 1_000  # characters
SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)(?<!\bMrs\.)\s+")


ASKING = frozenset(["where", "what", "who", "whom", "whose", "how", "why", "which", "when"])
ASKING |= {f"{word}'s" for word in ASKING} | {
    "is",
    "are",
    "was",
    "were",
    "do",
    "does",
    "did",
    "has",
    "have",
    "had",
    "could",
    "would",
}
ASKING |= {"should", "isn't", "aren't", "wasn't", "doesn't", "didn't", "hasn't", "can", "will", "may", "might", "shall"}
NAMES = frozenset({"will", "may", "can"})  # words that may be names
OF_NAMES = frozenset(["is", "was", "has", "had", "went", "and", "got", "took", "gave", "put", "left", "ran", "came", "isn't"])
REQUESTS = ("tell me ", "do you ", "show me ", "i wonder ", "guess ")


def begins_like_a_question(text: str) -> bool:
    """Whether a sentence without a question mark asks: it begins as a question does, and no full stop ends it.

    >>> [begins_like_a_question(text) for text in ("Where is Mary", "Will is in the kitchen", "Will he go", "Is it.")]
    [True, False, True, False]
    """
    told = words(text[:LONGEST_QUESTION])
    if not told or text.rstrip().endswith((".", "!", ":")):
        return False
    if " ".join(told).startswith(REQUESTS):
        return True
    named = told[0] in NAMES and len(told) > 1 and (told[1] in OF_NAMES or told[1].endswith("ed"))
    return told[0].replace("’", "'") in ASKING and not named and len(told) > 1


class Sentence(NamedTuple):
    """A sentence of a story, and whether it is a question."""

    text: str
    is_question: bool


class ParsedLine(NamedTuple):
    """The sentences of a line, and whether a new story begins with it."""

    sentences: list[Sentence]
    new_story: bool


@dataclass
class ParsedStory:
    """The sentences of one story, in order."""

    sentences: list[Sentence] = field(default_factory=list)

    @property
    def statements(self) -> list[str]:
        """The sentences that are no questions, oldest first."""
        return [sentence.text for sentence in self.sentences if not sentence.is_question]

    @property
    def questions(self) -> list[str]:
        """The questions, first asked first."""
        return [sentence.text for sentence in self.sentences if sentence.is_question]

    def before_last_question(self) -> list[str]:
        """The statements before the last question. Raises IndexError where nothing is asked."""
        last = [place for place, sentence in enumerate(self.sentences) if sentence.is_question][-1]
        return ParsedStory(self.sentences[:last]).statements


class StoryParser:
    """Takes a text apart line by line; it remembers the number of the last numbered line, from which the next one follows."""

    def __init__(self) -> None:
        self.number = 0

    def parse_line(self, line: str) -> ParsedLine:
        """The sentences of a line that have words. Without a tab each with a question mark, or like a question, is one."""
        digits, fields = split_line(line.strip())
        text, number = fields[0], int(digits or 0)
        new_story = False
        if digits and text and number in (1, self.number + 1):
            new_story = number == 1 and self.number > 0
            self.number, text = number, text.strip()
        elif digits:  # a number that is a word of the sentence
            text = f"{digits} {text}"
        if len(fields) > 1:
            return ParsedLine([Sentence(text, True)] if words(text) else [], new_story)
        parts = SENTENCE_END.split(text)
        return ParsedLine(
            [Sentence(part, "?" in part or begins_like_a_question(part)) for part in parts if words(part)], new_story
        )

    def parse(self, text: str | Iterable[str]) -> list[ParsedStory]:
        """The stories of a whole text, or of its lines; one at least, which may be empty."""
        stories = [ParsedStory()]
        for line in text.splitlines() if isinstance(text, str) else text:
            parsed = self.parse_line(line)
            if parsed.new_story:
                stories.append(ParsedStory())
            stories[-1].sentences += parsed.sentences
        return stories


def parse_story(text: str) -> ParsedStory:
    """The last story of a text: statements and questions.

    >>> parse_story("1 Mary went home.\\n2 Where is Mary?\\thome\\t1\\n3 John left. He sings.").statements
    ['Mary went home.', 'John left.', 'He sings.']
    """
    return StoryParser().parse(text)[-1]
