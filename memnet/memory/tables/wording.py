"""The words of a question as they are compared with cells and headers of a table.

Token("vans").forms                      {"vans", "van"}
is_cut_short("ext", "extension")         True: a word that is cut short, or left of its letters
Question.of("And who's got it, please?") who is got it
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from memnet.memory.columns import GRAMMAR, cosine, is_of, lemmas
from memnet.memory.tables.recast import recast
from memnet.memory.wanted import without_request
from memnet.tasks.text.english import (
    AUXILIARIES,
    BEFORE_IS,
    PREPOSITIONS,
    QUESTION_WORDS,
    TIMES,
    function_words,
    in_dictionary,
    of_class,
    singular,
)
from memnet.tasks.text.tokens import split

OPENING = of_class("and so but then ok okay well now please also or , hello hi")
FILLER = re.compile(
    r",?\s*(?:please|do you know|by the way|at the moment|right now|at present|of all|in all|for us|to us|of ours)\b", re.I
)
BESIDE = re.compile(
    r",\s*(?:and\s+)?not\s+[^,?]+|,\s*the\s+\w+\s+one\b", re.IGNORECASE
)  # "the plain one, not the folding chair"
SHORT = {"n't": "not", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "'m": "am"}
LIGHT = of_class(
    "have has had having get got gets getting keep keeps kept hold holds held take takes took taken taking use uses used using "
    "need needs make makes do does did done go goes going went gone come comes came coming be been being put puts give gives "
    "gave given giving "
    "want wants lie lies belong belongs stand stands sit sits stay stays find found look looks looked like see tell know "
    "work works working keeping show"
)
HOLDING = of_class("have has had got get gets keep keeps hold holds held use uses using own owns take takes took taken with")
GENERIC = of_class(
    "thing things item items piece pieces object objects one ones entry entries row rows record records something anything"
)
PERSONS = of_class("person people member members man woman men women anybody anyone somebody someone everybody everyone")
ADVERBS = of_class(
    "up out off down on back ahead along away over around about altogether total currently still yet already now today ever "
    "two three both exactly actually just only here there home left else again too together this that these those each "
    "any anything all of enough"
)
NUMBER_SIGNS = of_class("no nr num number numbers numero")
JOINING = PREPOSITIONS | of_class("on for by up since until with of back out due per under over about")
TIME_NOUNS = TIMES | of_class("date time day year month")
CUT = 4  # letters of a header's word that may be one cut short
UNITS = {
    "m": ("metre", "meter"),
    "g": ("gram", "gramme"),
    "l": ("litre", "liter"),
    "t": ("tonne", "ton"),
    "h": ("hour",),
    "kg": ("kilo", "kilogram"),
}
STARTING, ENDING = of_class("start begin open arrive come"), of_class("finish end close stop leave go depart")
MEASURED = 0.2  # cosine of a word to a longer one that begins with it
LEAST_COMPOUND = 3  # letters of a word that begins another: "bird" in "birdhouse"


@dataclass(frozen=True)
class Token:
    """A word of a question, where it stands, and whether a name owns what follows."""

    text: str
    place: int
    owning: bool = False

    @property
    def low(self) -> str:
        """In small letters."""
        return self.text.lower()

    @cached_property
    def forms(self) -> frozenset[str]:
        """The words of which it may be a form."""
        return forms_of(self.low) if self.low.isalpha() else frozenset({self.low, *self.low.split("-")})

    @property
    def is_name(self) -> bool:
        """Whether it has a capital or a digit, and does not begin the question."""
        return self.place > 0 and (self.text[0].isupper() or any(map(str.isdigit, self.text))) and self.low != "i"

    @cached_property
    def says(self) -> bool:
        """Whether it is no word of grammar."""
        return self.text[0].isalnum() and (
            self.is_name or self.low == "name" or self.low not in GRAMMAR | function_words() | ADVERBS | LIGHT
        )


@dataclass(frozen=True)
class Question:
    """The words of a question."""

    text: str
    tokens: tuple[Token, ...]

    @classmethod
    def of(cls, text: str) -> Question:
        """A question without what opens it and asks for an answer, short forms in full."""
        plain = FILLER.sub("", BESIDE.sub("", recast(without_request(text.strip()))))
        words, owning = list[str](), set[int]()
        for word in split(plain):
            low = word.lower().replace("’", "'")
            if low in ("'s", "'"):
                if words and (words[-1].lower() in BEFORE_IS | {"when"} or words[-1].lower() in QUESTION_WORDS):
                    words.append("is")
                elif words:
                    owning.add(len(words) - 1)
            elif low in SHORT:
                words.append(SHORT[low])
            elif words or low not in OPENING:
                words.append(word)
        return cls(text, tuple(Token(word, place, place in owning) for place, word in enumerate(words)))

    @cached_property
    def low(self) -> tuple[str, ...]:
        """Its words in small letters."""
        return tuple(one.low for one in self.tokens)

    def has(self, words: Iterable[str]) -> bool:
        """Whether it has one of these words."""
        return not frozenset(words).isdisjoint(self.low)


@lru_cache(maxsize=1 << 14)
def forms_of(word: str) -> frozenset[str]:
    """The words of which a word may be a form, in no dictionary too: "finches" of "finch"."""
    return lemmas(word) | {singular(word)}


@lru_cache(maxsize=1 << 14)
def is_unit(unit: str, word: str) -> bool:
    """Whether a word of a unit may be a word cut short: "sq" of "square", "m" of "metres"."""
    return (
        is_cut_short(unit, word) or unit == word or is_cut_short(singular(unit), word) or singular(word) in UNITS.get(unit, ())
    )


@lru_cache(maxsize=1 << 14)
def is_cut_short(short: str, word: str) -> bool:
    """Whether a word of a header may be another cut short: its beginning, or some of its letters from the first on.

    >>> is_cut_short("ext", "extension"), is_cut_short("qty", "quantity"), is_cut_short("no", "number")
    (True, True, True)
    >>> is_cut_short("size", "sized"), is_cut_short("tag", "tailor")
    (False, False)
    """
    if short in NUMBER_SIGNS and word in NUMBER_SIGNS:
        return True
    if len(short) > CUT or len(word) < len(short) + 2 or not short.isalpha():
        return False
    if word.startswith(short):
        return len(short) > 1 and not in_dictionary(short)
    letters = iter(word)
    return word[0] == short[0] and not in_dictionary(short) and len(short) > 1 and all(letter in letters for letter in short)


@lru_cache(maxsize=1 << 16)
def is_word(token: str, word: str) -> bool:
    """Whether a word of a question is one of a header, in another form, of its stem, or cut short."""
    return token == word or is_of(token, word) or is_cut_short(word, token) or is_measured(token, word)


@lru_cache(maxsize=1 << 14)
def is_measured(token: str, word: str) -> bool:
    """Whether a word of a header is a longer one for an amount of what a question says: "mileage" for "miles"."""
    one = singular(token)
    return len(one) >= CUT and word.startswith(one) and len(word) > len(one) and cosine(one, word) >= MEASURED


@lru_cache(maxsize=1 << 16)
def same_in_cell(asked: str, told: str, proper: bool) -> bool:
    """Whether a word of a question is one of a cell: as it stands in a ``proper`` name, else in any form of it.

    >>> same_in_cell("finches", "finch", False), same_in_cell("Wicks", "Wickes", True), same_in_cell("a", "A", False)
    (True, False, False)
    """
    if len(told) == 1:
        return asked == told
    low, word = asked.lower(), told.lower()
    if low == word:
        return True
    if proper or not low.isalpha() or not word.isalpha():
        return False
    return not forms_of(low).isdisjoint(forms_of(word))


@lru_cache(maxsize=1 << 16)
def begins_compound(asked: str, told: str) -> bool:
    """Whether a word of a question begins a longer one of a cell: "bird" and "birdhouse"."""
    word = told.lower()
    return any(
        len(one) >= LEAST_COMPOUND
        and word.startswith(one)
        and len(word) >= len(one) + LEAST_COMPOUND
        and in_dictionary(word[len(one) :])
        for one in lemmas(asked.lower())
    )


@lru_cache(maxsize=1 << 14)
def is_same_deed(token: str, word: str) -> bool:
    """Whether two words are of one end of a stay: "arrival" and "came", "left" and "departs"."""
    return any(
        any(is_of(token, verb) for verb in verbs) and any(is_of(word, verb) for verb in verbs) for verbs in (STARTING, ENDING)
    )


def words_of_cell(cell: str) -> tuple[str, ...]:
    """The words of a cell, marks and "'s" left out."""
    return tuple(word for word in split(cell) if word[0].isalnum())


def is_proper(cell: Sequence[str]) -> bool:
    """Whether the words of a cell are a proper name of several words with capitals, which has no plural."""
    return sum(word[0].isupper() for word in cell) > 1


__all__ = ["AUXILIARIES", "Question", "Token"]
