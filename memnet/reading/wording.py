"""An answer in the form that its question asks for: a clause to "why", "yours" to "whose", "on" to "where is".

A reader points at words of the story. To "What happened to the snow?" it may point at "melted overnight" alone, where a person
says "it melted overnight". The words around what it points at are in the sentence: none is added but a pronoun.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from functools import lru_cache

from memnet.tasks.text.english import (
    ARTICLES,
    BE_DO_HAVE,
    DETERMINERS,
    TIMES,
    function_words,
    kinds_of_word,
    of_class,
    singular,
)

ASKS_EVENT = re.compile(r"what (?:(?:has|had) )?happened\b")
ASKS_STATE = re.compile(r"what (?:'s|is|was) (?:wrong|the matter)\b")
ASKS_REASON = re.compile(r"why\b|how come\b")
WHERE_IS = re.compile(r"where (?:'s|is|are|was|were)\b")
SUBJECT = re.compile(r"\b(?:to|with) (?:the|this|that) ([^?]+)")  # of a question for what happened to it
BETWEEN = of_class("because since as when while where that so but and or if although , ; : – —")  # clauses
RELATIVE = of_class("who which")
NO_CLAUSE = of_class("for to by with from of due out in on at so without through because since not") | DETERMINERS
PREPOSITIONS = of_class("with through on in at to by from into onto under over for about of behind near against across along")
SIDES = "top|bottom|back|front|side|end|edge|foot|corner|middle|left|right"
BESIDE = re.compile(  # what says where, before what is pointed at: "on top of the"
    rf"\b((?:on top|in front|(?:at|on|in) the (?:{SIDES})) of|(?:next|close) to|"
    r"under(?:neath)?|behind|above|below|beneath|beside|between|opposite) (?:(?:the|an?|my|your|his|her|its|our|their) )?$"
)
MONTHS = {name.lower() for name in (*calendar.month_name, *calendar.month_abbr) if name}
TIME = TIMES | MONTHS | {name.lower() for name in calendar.day_abbr} | of_class("am pm o'clock tues weds thurs")
BEFORE_TIME = of_class(", on at in the of")
LONGEST_BESIDE = 5  # words
MOTION = {"onto": "on", "into": "in"}


@lru_cache(maxsize=1 << 12)
def is_past(word: str) -> bool:
    """Whether a word in small letters is a form of a verb that follows its subject, and no plural: "has", "melted", "shrank".

    >>> is_past("has"), is_past("melted"), is_past("shrank"), is_past("choir"), is_past("walking"), is_past("shelves")
    (True, True, True, False, False, False)
    """
    from lemminflect import getAllLemmas

    return word in BE_DO_HAVE or (word not in getAllLemmas(word).get("VERB", (word,)) and not word.endswith(("ing", "s")))


def may_be_done(word: str) -> bool:
    """Whether a word in small letters may say what was done: "melted", and "burst", which a noun is too."""
    return is_past(word) or "VERB" in kinds_of_word(word)


def is_label(words: Sequence[str], place: int) -> bool:
    """Whether a word is a letter that means nothing without the noun before it: "workshop C"."""
    letter, noun = words[place], words[place - 1].lower() if place else ""
    return len(letter) == 1 and letter.isupper() and letter != "I" and noun.isalpha() and noun not in function_words()


def is_numbered(words: Sequence[str], place: int) -> bool:
    """Whether a noun has its number behind it, which counts nothing: "room B12", "bay 3"."""
    number, behind = (words[place + more] if place + more < len(words) else "" for more in (1, 2))
    is_number = any(map(str.isdigit, number)) and number.replace("-", "").isalnum()
    return is_number and "NOUN" in kinds_of_word(words[place].lower()) and (not behind.isalpha() or behind in function_words())


def in_time(words: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """The words from first to last, and what says the same time beside them: "5:30 pm on Friday, 3 May".

    >>> in_time("He comes by Friday , 3 May at noon on foot".split(), 2, 3), in_time("on Friday 2 left".split(), 1, 1)
    ((2, 8), (1, 1))
    """
    low = [word.lower() for word in words]
    place = last + 1
    while place < len(low) and (low[place] in BEFORE_TIME or is_time(low[place]) or low[place].isdigit()):
        is_day = low[place].isdigit() and low[place - 1] in MONTHS
        last, place = (place if is_time(low[place]) or is_day else last), place + 1
    while first and is_time(low[first - 1]):
        first -= 1
    return first, last


def is_time(word: str) -> bool:
    """Whether a word in small letters says a time by itself: "friday", "23:59"."""
    return word in TIME or (word[0].isdigit() and ":" in word)


def is_title(words: Sequence[str], place: int) -> bool:
    """Whether a word is a noun with a name behind it: "Auntie Folake"."""
    title, name = words[place], words[place + 1] if place + 1 < len(words) else ""
    return title[0].isupper() and name[:1].isupper() and name != "I" and "NOUN" in kinds_of_word(title.lower())


def beside(words: Sequence[str], first: int) -> int:
    """How many words before the first of a place say where beside it something is.

    >>> beside("It is on top of the fridge".split(), 6), beside("It is in the fridge".split(), 4)
    (4, 0)
    """
    before = " ".join(word.lower() for word in words[max(0, first - LONGEST_BESIDE) : first]) + " "
    found = BESIDE.search(before)
    return len(before[found.start() :].split()) if found else 0


class Wording:
    """What a question, as its words, asks for."""

    def __init__(self, asked: Sequence[str]) -> None:
        self.asked = " ".join(asked).lower().replace("’", "'")
        self.is_place, self.is_time = self.asked.startswith("where"), self.asked.startswith("when")
        self.is_owner = "whose" in self.asked.split()
        self.is_person = self.asked.startswith("who")
        self.is_event = bool(ASKS_EVENT.match(self.asked))
        self.is_reason = bool(ASKS_REASON.match(self.asked))
        self.is_clause = self.is_event or self.is_reason or bool(ASKS_STATE.match(self.asked))

    def span(self, words: Sequence[str], first: int, last: int) -> tuple[int, int]:
        """The words of a sentence that are the answer, where its reader points at those from ``first`` to ``last``.

        >>> Wording(["Why", "was", "he", "late", "?"]).span("They say that his car was too slow".split(), 6, 7)
        (3, 7)
        >>> Wording(["Why", "did", "she", "tiptoe", "?"]).span("She tiptoed so the baby slept".split(), 4, 5)
        (2, 5)
        >>> Wording(["What", "happened", "at", "noon", "?"]).span("At noon the alarm rang loudly".split(), 3, 3)
        (3, 5)
        >>> Wording(["What", "happened", "at", "noon", "?"]).span("A pipe burst at noon".split(), 3, 4)
        (1, 2)
        >>> Wording(["Who", "was", "late", "?"]).span("Tom was too late".split(), 2, 3)
        (2, 3)
        >>> asks_who = Wording(["Who", "has", "it", "?"])
        >>> asks_who.span("The wrench is in workshop C".split(), 5, 5), asks_who.span("Captain Reyes has it".split(), 0, 0)
        ((4, 5), (0, 1))
        >>> asks_who.span("The wrench is in workshop C".split(), 4, 4)
        (4, 5)
        """
        if not self.is_clause:
            begin = first - ((self.is_place and beside(words, first)) or (first == last and is_label(words, first)))
            labelled = last + 1 < len(words) and is_label(words, last + 1)
            end = last + (labelled or (is_title(words, last) if self.is_person else is_numbered(words, last)))
            return in_time(words, begin, end) if self.is_time else (begin, end)
        low = [word.lower() for word in words]
        if self.is_event and set(low[first : last + 1]) <= set(self.asked.split()) and any(map(may_be_done, low[:first])):
            last = first - 1  # what the question names is not what happened: that stands before it
            last -= low[last] in PREPOSITIONS
            while first and low[first - 1] not in BETWEEN:
                first -= 1
            return first + (low[first] in ARTICLES), last
        is_part = is_past(low[first]) or (first > 0 and is_past(low[first - 1]) and low[first] not in NO_CLAUSE)
        begin = first
        while is_part and begin and low[begin - 1] not in BETWEEN and low[begin] not in RELATIVE:
            begin -= 1
        if self.is_reason and begin > 1:  # "so the baby", where the baby is no cause
            aim = begin - 1 - (low[begin - 1] in ARTICLES)
            begin = aim if aim and low[aim] == "so" else begin
        if self.is_event and not any(map(is_past, low[begin : last + 1])) and last + 1 < len(low) and is_past(low[last + 1]):
            known, last = set(self.asked.split()), last + 1
            while last + 1 < len(low) and low[last + 1] not in BETWEEN and low[last + 1] not in known:
                last += 1
        return begin, last

    def text(self, said: str) -> str:
        """What is said of it, in the form that is asked for.

        >>> Wording(["Whose", "hat", "is", "it", "?"]).text("your"), Wording(["Where", "is", "it", "?"]).text("onto the shelf")
        ('yours', 'on the shelf')
        >>> Wording(["What", "happened", "to", "the", "snow", "?"]).text("The snow melted overnight")
        'it melted overnight'
        >>> Wording(["What", "is", "he", "under", "?"]).text("under the sofa"), Wording(["Which", "jar", "?"]).text("jar C")
        ('the sofa', 'jar C')
        """
        begins, _, rest = said.partition(" ")
        if rest and begins.lower() in PREPOSITIONS and self.asked.rstrip(" ?").endswith(f" {begins.lower()}"):
            return rest
        if self.is_owner and said == "your":
            return "yours"
        if rest and begins.lower() in MOTION and WHERE_IS.match(self.asked):
            return f"{MOTION[begins.lower()]} {rest}"
        subject = SUBJECT.search(self.asked) if self.is_clause else None
        return said if subject is None else self._with_pronoun(said, subject[1].strip())

    def _with_pronoun(self, said: str, subject: str) -> str:
        """With a pronoun in place of what the question names."""
        words = said.split(" ")
        start = words[0].lower() in ARTICLES
        end = start + len(subject.split())
        if " ".join(words[start:end]).lower() != subject or end == len(words):
            return said
        noun = subject.split()[-1]
        return " ".join(["it" if singular(noun) == noun else "they", *words[end:]])
