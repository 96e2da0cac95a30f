"""A story taken apart: statements and questions, from plain sentences or from lines of the bAbI format.

    Mary went home. Where is Mary?          two sentences, the second a question
    Where is Mary                           so is one that begins like a question and has no full stop
    أين ماري؟  玛丽在哪里？                 question marks of other scripts ask too
    Where is Mary.                          and one that cannot be anything else
    Mary left.Where is Mary?                a space after a full stop may be left out before a capital
    Mary left, John came, where is she      commas may stand for full stops
    Mary ran home John went to the garden   and so may nothing
    Where is Mary and who has the ball?     two questions that "and" joins (memnet.ask.joined)
    Did you know that Mary left?            tells that Mary left
    Mary said "Where is it?" and left.      tells it too: what somebody says is asked by nobody (memnet.ask.quoted)
    Mary came and took the milk.            a statement of several facts is taken apart (memnet.ask.clauses)
    2 John left.                            a line number that follows the one before it is dropped
    3 Where is Mary? <TAB>home<TAB>1        a line with a tab is a question, unless a full stop ends it; its answer is dropped
    1 Sandra left.                          number 1 after other numbers begins a new story

Nothing is refused: what a person types is a story. The strict parser of the file format is :func:`memnet.tasks.text.parse`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from memnet.ask.clauses import single_facts
from memnet.ask.joined import goes_on_asking, joined_questions
from memnet.ask.quoted import SPEAKING, quotations, speaks, teller_words
from memnet.ask.splitting import parts_of
from memnet.tasks.text import QUESTION_MARKS, is_told, split_line, words
from memnet.tasks.text.english import (
    ARTICLES,
    AUXILIARIES,
    BE_DO_HAVE,
    COMMON_VERBS,
    DETERMINERS,
    PREPOSITIONS,
    QUESTION_WORDS,
    kinds_of_word,
    of_class,
)

LONGEST_QUESTION = 1_000  # characters
CLAUSE_BEGIN = re.compile(r",\s+(?:(?:and|so|then|now|but)\s+)*")
ASKING_CLAUSE = re.compile(  # the last of a sentence
    r"(?:where|what|who|how many)(?:['’]s|\s+(?:am|is|are|was|were|do|does|did|have|has|had))\s[^,]*$", re.IGNORECASE
)
NEXT_MOVE = re.compile(  # after a place: a name, and where it goes
    r"(?<=[a-z])\s+(?=[A-Z][\w'’-]+ (?:went|moved|travelled|traveled|walked|ran|came|journeyed) (?:back )?(?:to|into) )"
)
SHORT = 100  # characters that hold the first three words of a clause

OUTRIGHT = QUESTION_WORDS - {"which"}
ASKING = QUESTION_WORDS | {f"{word}'s" for word in QUESTION_WORDS} | of_class("wheres whats whos hows") | AUXILIARIES
ASKING |= of_class("isn't aren't wasn't doesn't didn't hasn't")
NAMES = of_class("will may can")  # words that may be names
AFTER_QUESTION_WORD = BE_DO_HAVE | of_class("many much")
VERBS = COMMON_VERBS | of_class("sat isn't")
OF_NAMES = VERBS | {"and"}
COMMANDING = (("have", "a"), ("have", "an"), ("have", "some"), ("do", "not"))  # no question begins so
BEFORE_CLAUSES = of_class("when where")  # also before the clause of a statement: "When I came, ..."
NEWS = re.compile(rf"^did\s+you\s+know\s+(?:that\s+)?(?!{'|'.join(sorted(QUESTION_WORDS))}|if\b|whether\b)", re.IGNORECASE)
DOING = VERBS | BE_DO_HAVE | SPEAKING
ASKING_WORDS = ASKING - AUXILIARIES
REQUESTING = of_class("name list tell give say find show describe count explain guess choose identify state and")
GAP = DETERMINERS | PREPOSITIONS | of_class("of on is are was were has")  # behind which a gap may be, and no verb is
REQUESTS = ("tell me ", "do you ", "show me ", "i wonder ", "guess ")


def begins_like_a_question(text: str) -> bool:
    """Whether a sentence without a question mark asks: it begins as a question does, and no full stop ends it.

    One that begins with a question word and an auxiliary verb, or asks to be told, asks with a full stop too.

    >>> [begins_like_a_question(text) for text in ("Where is Mary", "Will is in the kitchen", "Will he go", "Is it.")]
    [True, False, True, False]
    >>> [begins_like_a_question(text) for text in ("Where is Mary.", "Who's there.", "When Mary left, John came.")]
    [True, True, False]
    >>> begins_like_a_question("Please tell me where Mary is."), begins_like_a_question("Tell me.")
    (True, False)
    >>> begins_like_a_question("And where do I live"), begins_like_a_question("and is at home")
    (True, False)
    >>> [begins_like_a_question(text) for text in ("When I got home, the cat was gone", "Have a nice day", "Do not touch it")]
    [False, False, False]
    """
    text = goes_on_asking(text[:LONGEST_QUESTION])
    told = words(text)
    told = told[told[:1] == ("please",) :]
    if not told or text.rstrip().endswith(":"):
        return False
    if text.rstrip().endswith((".", "!")):
        if " ".join(told).startswith(REQUESTS) and not OUTRIGHT.isdisjoint(told[2:4]):
            return True
        word, _, verb = told[0].replace("’", "'").partition("'")
        return word in OUTRIGHT and (verb == "s" or not AFTER_QUESTION_WORD.isdisjoint(told[1:2]))
    if " ".join(told).startswith(REQUESTS):
        return True
    if told[:2] in COMMANDING or (told[0] in BEFORE_CLAUSES and "," in text and AFTER_QUESTION_WORD.isdisjoint(told[1:2])):
        return False
    named = told[0] in NAMES and len(told) > 1 and (told[1] in OF_NAMES or told[1].endswith("ed"))
    return told[0].replace("’", "'") in ASKING and not named and len(told) > 1


def asks(text: str) -> bool:
    """Whether a sentence is a question: it has a question mark, or begins as questions do; not one that somebody in it asks.

    >>> [asks(text) for text in ("Mary left?", 'Who said "Is it cold?"', 'Mary said "Is it cold?"', "Is it cold? asked Tom.")]
    [True, True, False, False]
    """
    teller = teller_words(text)
    return not set(QUESTION_MARKS).isdisjoint(teller) or begins_like_a_question(teller)


def surely_tells(text: str) -> bool:
    """Whether a sentence is a statement for sure: with a verb, without a question's words, neither a request nor with a gap.

    >>> [surely_tells(text) for text in ("Mary is home.", "mary is home", "My hat is here.", "Bob asked: is it cold?")]
    [True, True, True, True]
    >>> [surely_tells(text) for text in ("mary is where", "the capital of France.", "List the colours.", "Mary is in the")]
    [False, False, False, False]
    """
    told = words(teller_words(text)[:LONGEST_QUESTION])
    if len(told) < 2 or asks(text) or not ASKING_WORDS.isdisjoint(told) or told[0] in REQUESTING or told[-1] in GAP:
        return False
    verbs = (word for before, word in pairwise(told) if before not in GAP and (word in DOING or "VERB" in kinds_of_word(word)))
    return has_subject_and_verb(text) or (text.rstrip(" \"'”’»").endswith((".", "!", "?")) and any(verbs))


def has_subject_and_verb(text: str) -> bool:
    """Whether a clause begins like a sentence: a word, with an article or without, and a verb.

    >>> [has_subject_and_verb(text) for text in ("Mary went home", "the milk is there", "the milk", "who is hungry")]
    [True, True, False, False]
    """
    first, second, third = (*words(text[:SHORT])[:3], "", "", "")[:3]
    subject, verb = (second, third) if first in ARTICLES else (first, second)
    return subject not in ASKING and (verb in VERBS or (verb.endswith("ed") and first not in ARTICLES))


def split_clauses(text: str) -> list[str]:
    """The statements of a sentence, and the question that may be its last clause, where commas stand for full stops.

    >>> split_clauses("Mary went home, john left, and where is Mary")
    ['Mary went home', 'john left', 'where is Mary']
    >>> [split_clauses(text) == [text] for text in ("John, who is hungry, went home.", "Tell me, where is Mary?")]
    [True, True]
    """
    found, start, ended = [], 0, text.rstrip().endswith((".", "!"))
    if not has_subject_and_verb(text):
        return [text]
    quoted = quotations(text)
    for comma in CLAUSE_BEGIN.finditer(text):
        if speaks(text[start : comma.start()]) or any(begin < comma.end() < end for begin, end in quoted):
            continue
        asks = not ended and ASKING_CLAUSE.match(text, comma.end()) is not None
        if asks or has_subject_and_verb(text[comma.end() : comma.end() + SHORT]):
            found.append(text[start : comma.start()])
            start = comma.end()
    return [part for clause in (*found, text[start:]) for part in run_on(clause)]


def run_on(clause: str) -> list[str]:
    """The statements of a clause in which somebody goes somewhere without any mark before it.

    >>> run_on("Mary went to the kitchen John went to the garden"), run_on("I know the day Mary went to Rome")
    (['Mary went to the kitchen', 'John went to the garden'], ['I know the day Mary went to Rome'])
    """
    found, start = [], 0
    for mark in NEXT_MOVE.finditer(clause):
        if has_subject_and_verb(clause[start : min(mark.start(), start + SHORT)]):
            found.append(clause[start : mark.start()])
            start = mark.end()
    return [*found, clause[start:]]


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
        if len(fields) > 1 and not is_told(text, fields[1]):
            return ParsedLine([Sentence(text, True)] if words(text) else [], new_story)
        text = " ".join([text, *fields[1:]])
        parts = [clause for part in parts_of(text) for clause in split_clauses(part)]
        found: list[Sentence] = []
        for part in filter(words, parts):
            part = NEWS.sub("", part).rstrip("?") + "." if NEWS.match(part) else part
            is_question = asks(part)
            if is_question:
                found += [Sentence(question, True) for question in joined_questions(part)]
            else:
                found += [Sentence(fact, False) for fact in ([part] if quotations(part) else single_facts(part))]
        return ParsedLine(found, new_story)

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
