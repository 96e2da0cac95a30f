"""The kind of answer that a question asks for, and whether an answer may be one: "when" is answered by no name.

kind_of("When did the paper arrive?")   ->   time       "Delmar" is none
kind_of("Has the lathe been oiled?")    ->   whether    "Oskar" is none
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from memnet.ask.untold import REQUEST
from memnet.memory.columns import COUNT, OTHER, kind_of_value
from memnet.reading.words import Words
from memnet.tasks.text.english import AUXILIARIES, QUESTION_WORDS, TIMES, of_class
from memnet.tasks.text.tokens import split

TIME, PLACE, PERSON, WHETHER, AMOUNT, ANY = "time", "place", "person", "whether", "amount", ""
BY_WORD = {"when": TIME, "where": PLACE, "who": PERSON, "whom": PERSON, "whose": PERSON}
MANY = ("much", "many")
SIZES = of_class("heavy hot warm cold tall high deep wide old fast thick big large")  # behind "how"
MEASURES = of_class("temperature weight pressure depth speed mileage humidity height width voltage percentage")
LAST = of_class("the its his her their our my last latest most recent current highest lowest newest first average 's")
BEHIND = of_class("of in at on for now today last when yesterday ?")  # a measure, which is no "temperature probe"
CLOCK_OR_DAY = re.compile(r"\d{1,2}:\d\d|0\d/\d{1,2}|\d{1,2}/0\d|(?:19|20)\d\d-\d\d(?:-\d\d)?")  # 12/07, no share of twelve
WHETHER_ANSWERS = frozenset(("yes", "no", "maybe"))
TIME_LIKE = 0.5  # cosine of a word to the nearest word of times


def kind_of(question: str) -> str:
    """What a question asks for; "" where that is anything, or is not clear.

    >>> kind_of("When was it?"), kind_of("Is Ann in?"), kind_of("Do you know where Ann is?"), kind_of("Is it red or blue?")
    ('time', 'whether', 'place', '')
    >>> kind_of("How heavy was Rex when last weighed?"), kind_of("What is its last temperature?"), kind_of("How is Rex?")
    ('amount', 'amount', '')
    """
    words = [word.lower() for word in split(without_request(question))]
    if not words:
        return ANY
    if words[0] in AUXILIARIES:
        return WHETHER if QUESTION_WORDS.isdisjoint(words) and "or" not in words else ANY
    if words[0] == "how" and words[1:2] and (words[1] in MANY or words[1] in SIZES):
        return AMOUNT
    if measure_asked(question):
        return AMOUNT
    return BY_WORD.get(words[0], ANY) if QUESTION_WORDS.isdisjoint(words[1:]) else ANY


def measure_asked(question: str) -> str:
    """The measure that a question asks for behind "what is", or the adjective behind "how"; empty where it asks for none.

    >>> measure_asked("What was Rex's last temperature?"), measure_asked("How hot is it?"), measure_asked("How much hot water?")
    ('temperature', 'hot', '')
    >>> measure_asked("What percentage of it is oxygen?"), measure_asked("Which temperature probe failed?")
    ('percentage', '')
    >>> measure_asked("What is stored at room temperature?"), measure_asked("What is wrong with the pressure?")
    ('', '')
    """
    told = split(without_request(question))
    words = [word.lower() for word in told]
    if words[:1] == ["how"]:
        return words[1] if words[1:2] and words[1] in SIZES else ""
    if words[:1] != ["what"] or not words[1:2] or words[1] not in AUXILIARIES:
        by_noun = words[:1] in (["what"], ["which"]) and words[1:2] and words[1] in MEASURES
        return words[1] if by_noun and words[2:3] and words[2] in BEHIND | AUXILIARIES else ""
    at = next((at for at, word in enumerate(words) if at > 1 and word in MEASURES), 0)
    ends = at and (not words[at + 1 :] or words[at + 1] in BEHIND)
    named = all(
        words[place] in LAST
        or not told[place].islower()
        or words[place + 1] == "'s"
        or (place == at - 1 and words[place - 1] in LAST)
        for place in range(2, at)
    )
    return words[at] if ends and named else ""


def without_request(question: str) -> str:
    """A question without what asks for an answer: "Can you tell me"."""
    return REQUEST.sub("", question.strip()) or question


def may_answer(question: str, text: str) -> bool:
    """Whether a text may answer a question, by the kind of answer that it asks for.

    >>> may_answer("When did it arrive?", "Delmar"), may_answer("When did it arrive?", "that day"), may_answer("Where?", "no")
    (False, True, False)
    >>> may_answer("How much is left?", "12/07"), may_answer("How much is left?", "12 kg")
    (False, True)
    """
    kind, low = kind_of(question), text.lower().strip(". ")
    if kind == ANY or not text:
        return True
    if kind == WHETHER:
        return low in WHETHER_ANSWERS
    if kind == AMOUNT:
        return low not in WHETHER_ANSWERS and not all(map(CLOCK_OR_DAY.fullmatch, low.split()))
    if kind == TIME:
        return low not in WHETHER_ANSWERS and (not is_name(text) or is_of_time(text))
    return low not in WHETHER_ANSWERS and kind_of_value(text) in ((OTHER, COUNT) if kind == PLACE else (OTHER,))


def is_name(text: str) -> bool:
    """Whether a text is a name: each of its words has a capital, and none has a digit."""
    told = split(text)
    return bool(told) and all(word[0].isupper() and not re.search(r"\d", word) for word in told if word[0].isalnum())


def is_of_time(text: str) -> bool:
    """Whether a text says a time: a digit, or a word that is like those of times."""
    units, find = Words.load().units, Words.load().find
    told = [word for word in split(text) if word[0].isalnum()]
    return any(word[0].isdigit() or float((times() @ units[find(word).row]).max()) >= TIME_LIKE for word in told)


@cache
def times() -> np.ndarray:
    """The vectors of words of times (N, 100)."""
    return np.stack([Words.load().units[Words.load().find(word).row] for word in sorted(TIMES)])
