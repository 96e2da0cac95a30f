"""What a story is when it is told: statements, questions, answers as spans of words, and why some are not told."""

from __future__ import annotations

from dataclasses import dataclass, field

from .entities import Entity
from .lexicon import WORDS
from .records import Record

Span = tuple[int, int, int]
Mention = tuple[Entity, int, int]  # what the words from one place up to another name, also by a pronoun


@dataclass(frozen=True)
class Statement:
    """One sentence of a story; ``idle`` where it means nothing."""

    words: tuple[str, ...]
    text: str
    idle: bool = False


@dataclass(frozen=True)
class Answer:
    """A question's answer.

    kind: "span" (``spans``: one for each thing asked for; ``mentions``: for each, every span that names it), "yes",
    "no", "maybe", "number" (``number``), "path" (``path``: directions), "nothing", or "untold" (``reason``: a sentence).
    """

    kind: str
    text: str
    spans: tuple[Span, ...] = ()
    mentions: tuple[tuple[Span, ...], ...] = ()
    number: int = 0
    path: tuple[str, ...] = ()
    reason: str = ""
    also: tuple[Span, ...] = ()  # of "where": what it is in beyond that, the shelf of the box and the room of the shelf


@dataclass(frozen=True)
class Question:
    """A question, asked when ``after`` statements have been told; ``evidence`` are the statements that its answer takes."""

    words: tuple[str, ...]
    text: str
    answer: Answer
    evidence: tuple[int, ...]
    kind: str
    after: int
    query: tuple[object, ...] = field(default=(), compare=False, repr=False)  # what it asks of the state, for checks
    mentions: tuple[Mention, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True)
class Story:
    """Statements in order and questions among them; ``records`` is what each statement says."""

    statements: tuple[Statement, ...]
    questions: tuple[Question, ...]
    records: tuple[Record, ...] = field(default=(), compare=False, repr=False)
    leaning: frozenset[int] = frozenset()  # statements with a pronoun, whose meaning hangs on the one before
    mentions: tuple[tuple[Mention, ...], ...] = field(default=(), compare=False, repr=False)  # of each statement

    def words(self) -> list[list[str]]:
        """The words of each statement."""
        return [list(statement.words) for statement in self.statements]


REASONS: dict[str, str] = WORDS["not_told"]
