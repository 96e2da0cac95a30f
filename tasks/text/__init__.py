"""The bAbI text format: numbered lines, a story starts at 1, questions stand among the statements.

    1 Mary moved to the bathroom.
    2 John went to the hallway.
    3 Where is Mary? <TAB>bathroom<TAB>1

A question line is ``number question<TAB>answer<TAB>numbers of the supporting lines``; the last tab may be left out. Reading and
writing are lossless: every published file is written back byte for byte. Of one's own files a byte
order mark and carriage returns are dropped, lines may end with carriage returns alone, and a last line gets its line end.
A question of two fields has a question mark, or asks as :data:`ASKS` says: the other lines with a tab are mistaken statements.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from .scripts import apart_from_emoji, needs_segmenting, segmented

JOINERS = "'’-\u200c\u200d"  # belong to a word when they stand inside it

QUESTION_MARKS = "?？؟\u037e"  # the last is Greek
STOPS = ".!。！।۔"
TYPED_TAB = re.compile(  # after a question's mark: a tab as other keys type it, or an answer without a full stop
    rf"[{QUESTION_MARKS}](?:\s*(?:\\t|[,;|])|\s\s)\s*\w|[{QUESTION_MARKS}]\s+\w[^{QUESTION_MARKS}{STOPS}]*(?<![\s\"'”’)])\s*$"
)
ASKS = re.compile(  # a question without its mark: a request, or a gap to fill
    r"\s*(?:please|tell|name|say|give|list|find|show|guess|choose|wh\w+|how)\b|.*(?:__|\.\.\.|…|XX|[<\[{])", re.IGNORECASE
)

BEGINS = re.compile(  # as questions do
    r"\s*(?:wh(?:o|om|ose|at|ere|en|y|ich)|how|is|are|was|were|do|does|did|has|have|had|can|will)\b", re.IGNORECASE
)
MARK = re.compile(f"([{QUESTION_MARKS}])")
FIELDS = re.compile(r"\\t|(?:\s{2,}|[,;|]\s*)\w+(?:\s{2,}|[,;|]\s*)\d+\s*$")  # an answer and a line number, apart
NUMBERED = re.compile(r"(?:\s{2,}|[,;]\s*)(\d+)\s*$")  # an answer that ends with one
SHORT = 1  # words of an answer; more may be a sentence: "Who knows? Mary left."

LINE = 100  # characters of an object's short form, at most

TURNING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})  # marks that reorder the text after them


class FormatError(ValueError):
    """A file is not in the format; the message is ``file:line: what is wrong, what was expected``."""


@dataclass(frozen=True)
class Question:
    """A question, asked when ``after`` statements of its story have been told.

    ``supporting_facts`` are indices into the story's statements, from 0, in the order listed.
    """

    text: str
    answer: str
    supporting_facts: tuple[int, ...]
    after: int
    candidates: tuple[str, ...] = ()  # answers to choose among, where a data set names them
    kind: str = ""  # by which results are split, where a data set has several
    also: tuple[str, ...] = ()  # other answers that are right

    def __repr__(self) -> str:
        facts = ", ".join(str(fact + 1) for fact in self.supporting_facts)
        return one_line(f"<Question {self.text.strip()!r} {self.answer!r}, facts: {facts or 'none'}>")


@dataclass(frozen=True)
class Story:
    """Statements in order, and the questions among them."""

    statements: tuple[str, ...]
    questions: tuple[Question, ...]

    def __repr__(self) -> str:
        first = f"; {one_line(self.statements[0], 40)!r} ..." if self.statements else ""
        return one_line(f"<Story of {len(self.statements)} statements, {len(self.questions)} questions{first}>")

    def in_order(self) -> Iterator[str | Question]:
        """Statements and questions, as the lines of the text format."""
        questions = list(self.questions)
        for number, statement in enumerate((*self.statements, None)):
            while questions and questions[0].after == number:
                yield questions.pop(0)
            if statement is not None:
                yield statement

    def by_question(self) -> Iterator[Story]:
        """A story for each of its questions, of the statements before it."""
        for question in self.questions:
            yield Story(self.statements[: question.after], (question,))

    def lines(self) -> Iterator[str]:
        """The story in the text format, without line ends."""
        numbers: list[int] = []  # of the statements
        for number, line in enumerate(self.in_order(), 1):
            if isinstance(line, Question):
                facts = " ".join(str(numbers[fact]) for fact in line.supporting_facts)
                yield f"{number} {line.text}\t{line.answer}\t{facts}"
            else:
                numbers.append(number)
                yield f"{number} {line}"


def words(text: str) -> tuple[str, ...]:
    """Lower-cased Unicode words of ``text``, without punctuation.

    Letters, marks and digits make words; an apostrophe or a hyphen does inside one. An emoji is a word, and so is each
    character of a script that has no spaces (:mod:`memnet.tasks.text.scripts`).

    >>> words("Where is Mary? ")
    ('where', 'is', 'mary')
    """
    return short_words(text) if len(text) <= 100 else split(text)


def split(text: str) -> tuple[str, ...]:
    """See :func:`words`."""
    return written_words(text.lower())


def written_words(text: str) -> tuple[str, ...]:
    """The words of ``text``, in the letters in which they are written."""
    text = unicodedata.normalize("NFC", text)
    if not needs_segmenting(text):
        return between_spaces(text)
    found: list[str] = []
    for place, part in enumerate(apart_from_emoji(text)):
        found += [part] if place % 2 else [piece for word in between_spaces(part) for piece in segmented(word)]
    return tuple(found)


def between_spaces(text: str) -> tuple[str, ...]:
    """What stands between spaces and punctuation."""
    return tuple(word for word in (part.strip(JOINERS) for part in text.translate(KEPT).split()) if word)


class Kept(dict[int, int]):
    """What becomes of a character, by its number: those of words and joiners stay, any other is a space."""

    def __missing__(self, code: int) -> int:
        one = chr(code)
        self[code] = code if unicodedata.category(one)[0] in "LMN" or one in JOINERS else ord(" ")
        return self[code]


KEPT = Kept()
short_words = lru_cache(maxsize=1 << 16)(split)  # long texts are not kept: what others type must not fill the memory


def visible(text: str) -> str:
    """Text without control characters: a terminal would obey them; they are written as Python escapes them."""
    return "".join(
        one.encode("unicode_escape").decode()
        if unicodedata.category(one) in ("Cc", "Cs", "Zl", "Zp") or unicodedata.bidirectional(one) in TURNING
        else one
        for one in text
    )


def one_line(text: str, width: int = LINE) -> str:
    """Text without control characters, at most ``width`` characters of it; an ellipsis stands where it was cut.

    >>> one_line("Mary went\\nhome."), one_line("Mary went home.", 10)
    ('Mary went\\\\nhome.', 'Mary went…')
    """
    shown = visible(text)
    return shown if len(shown) <= width else shown[: width - 1].rstrip() + "…"


def answer_entry(answer: str) -> str:
    """An answer as the vocabulary writes it: lower case, single spaces, none around commas."""
    parts = unicodedata.normalize("NFC", answer.lower()).split(",")
    return ",".join(" ".join(part.split()) for part in parts)


def is_number(text: str) -> bool:
    """Whether it is a line number: at most nine digits."""
    return text.isascii() and text.isdigit() and len(text) <= 9


def split_line(line: str) -> tuple[str, list[str]]:
    """The line number of a line in the format, as it is written ("" where there is none), and its fields between tabs.

    >>> split_line("3 Where is Mary? \\tbathroom\\t1")
    ('3', ['Where is Mary? ', 'bathroom', '1'])
    >>> split_line("Mary went home.")
    ('', ['Mary went home.'])
    """
    digits, space, rest = line.partition(" ")
    return (digits, rest.split("\t")) if space and is_number(digits) else ("", line.split("\t"))


def is_told(question: str, answer: str) -> bool:
    """Whether the fields of a line with tabs look like a statement: a full stop ends one, and nothing asks.

    >>> is_told("Mary went home.", "late"), is_told("Mary went", "home."), is_told("Where is Mary", "home")
    (True, True, False)
    """
    stopped = question.rstrip().endswith(tuple(STOPS)) or answer.rstrip().endswith(tuple(STOPS))
    return stopped and not set(question) & set(QUESTION_MARKS) and not ASKS.match(question)


def lacks_a_tab(line: str) -> bool:
    """Whether a line without a tab looks like a question with its answer: a tab as other keys type it, or a short answer.

    >>> all(map(lacks_a_tab, ("Where is Ann? attic.", 'Where is Ann? "attic"', "Where is Ann, attic, 1")))
    True
    >>> any(map(lacks_a_tab, ("Ann asked: where is it? Nobody knew.", "What a day, said Ann, and left.")))
    False
    """
    if TYPED_TAB.search(line):
        return True
    if not BEGINS.match(line):
        return False
    asked, mark, answer = (part or "" for part in (*MARK.split(line, maxsplit=1), "", "")[:3])
    short = bool(mark) and 0 < len(words(answer)) <= SHORT and MARK.search(answer) is None and not set(asked) & set('"“”')
    return short or FIELDS.search(line) is not None


def decode(data: bytes, name: str) -> str:
    """UTF-8 text of a file's bytes; a :class:`FormatError` names the line that is not."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(f"{name}:{line}: byte 0x{data[error.start]:02x} is not UTF-8 text; save the file as UTF-8") from error


def parse(text: str, name: str = "<text>") -> list[Story]:
    """Stories of a whole file's text. ``name`` is the file's, for the errors (:class:`FormatError`)."""
    if not text.strip():
        raise FormatError(f"{name}:1: the file is empty; expected numbered lines such as '1 Mary went home.'")
    stories: list[Story] = []
    statements: list[str] = []
    questions: list[Question] = []
    fact_of_line: dict[int, int] = {}
    previous = 0

    def wrong(at: int, what: str) -> FormatError:
        return FormatError(f"{name}:{at}: {what}")

    lines = (text if "\n" in text else text.replace("\r", "\n")).split("\n")
    if lines[-1] == "":
        lines.pop()
    for at, line in enumerate((line.removesuffix("\r") for line in lines), 1):
        digits, fields = split_line(line)
        if not digits:
            raise wrong(at, f"expected a line number, a space and text, found {line[:40]!r}")
        number = int(digits)
        if number == 1 and previous:
            stories.append(Story(tuple(statements), tuple(questions)))
            statements, questions, fact_of_line = [], [], {}
        elif number != previous + 1:
            follow = f"{previous + 1}, or 1 for a new story" if previous else "1"
            raise wrong(at, f"line number {number} is out of order; expected {follow}")
        previous = number
        if len(fields) == 1:
            rest = fields[0]
            if rest.rstrip().endswith(tuple(QUESTION_MARKS)):
                raise wrong(at, "a question needs a tab, its answer, a tab and the numbers of its supporting lines")
            if lacks_a_tab(rest):
                raise wrong(at, f"a question and its answer with no tab between them, {rest[:60]!r}; put one there")
            if not rest.strip():
                raise wrong(at, "expected a sentence after the line number")
            fact_of_line[number] = len(statements)
            statements.append(rest)
            continue
        if len(fields) > 3:
            expected = "expected question<TAB>answer<TAB>supporting line numbers (these may be left out)"
            raise wrong(at, f"{expected}, found {len(fields)} fields; a statement has no tab")
        question, answer, support = (*fields, "")[:3]
        if not statements:
            raise wrong(at, "a question before any statement of its story; expected a statement first")
        if not words(question):
            raise wrong(at, "expected a question before the first tab")
        if not answer.strip():
            raise wrong(at, "expected an answer after the first tab; a statement has no tab")
        asks = bool(set(question) & set(QUESTION_MARKS) or ASKS.match(question))
        if not support.strip() and (is_told(question, answer) or not (asks or len(fields) == 3)):
            raise wrong(at, f"a statement has no tab, found {line[:60]!r}; a question ends with a question mark")
        if not support.strip() and (number_after := NUMBERED.search(answer)) and int(number_after[1]) in fact_of_line:
            raise wrong(at, f"{answer[:60]!r} ends with the number of a statement; put a tab before it")
        facts = []
        for reference in support.split():
            if not (is_number(reference) and int(reference) in fact_of_line):
                raise wrong(at, f"supporting line {reference[:20]!r} is no statement of this story told before the question")
            facts.append(fact_of_line[int(reference)])
        questions.append(Question(question, answer, tuple(facts), len(statements)))
    stories.append(Story(tuple(statements), tuple(questions)))
    return stories


def read(path: Path | str) -> list[Story]:
    """The stories of a file. Raises :class:`FormatError` with the line, or OSError."""
    return parse(decode(Path(path).read_bytes(), str(path)), str(path))


def write(stories: Iterable[Story]) -> str:
    """The stories in the text format."""
    return "".join(line + "\n" for story in stories for line in story.lines())


def texts_of(story: Story) -> tuple[str, ...]:
    """Statements and questions."""
    return (*story.statements, *(question.text for question in story.questions))


def divide(stories: Sequence[Story], questions: int) -> tuple[list[Story], list[Story]]:
    """The stories of the first so many questions, and those of the rest.

    A story on the border is told in both parts, with its own questions in each.
    """
    first, rest = [], []
    for story in stories:
        here = min(questions, len(story.questions))
        questions -= here
        if here:
            first.append(replace(story, questions=story.questions[:here]))
        if here < len(story.questions):
            rest.append(replace(story, questions=story.questions[here:]))
    return first, rest
