"""Two questions in one sentence, which "and" or a comma joins, each a question by itself.

    Where is the milk and who has the ball?     Where is the milk? Who has the ball?
    Are Ann and Bob at home?                    one: no question begins after "and"
    Who is at home and has a dog?               one: "has a dog" says more of who is asked for
    Tell me where Ann is and where Bob is.      Tell me where Ann is? Tell me where Bob is?
    Where is Ann, where is Bob?                 two: both are questions by themselves
    Do you know where Ann is and what she has?  one: of whom "what she has" asks is not said by itself

What is not sure to be two questions stays one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from memnet.ask.quoted import quotations
from memnet.ask.untold import REQUEST as ASKED_OF_SOMEBODY
from memnet.tasks.text import QUESTION_MARKS, STOPS
from memnet.tasks.text.english import (
    AUXILIARIES,
    COMMON_VERBS,
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    QUESTION_WORDS,
    SPEAKERS,
    of_class,
)

LONGEST = 300  # characters of a sentence that is taken apart
AND = re.compile(r",?\s+(?:and|&)\s+(?:(?:also|then)\s+)?(?=\w)", re.IGNORECASE)
COMMA = re.compile(r",\s+(?=(?:where|what|when|why|how)\b)", re.IGNORECASE)
MORE = re.compile(rf"{AND.pattern}|{COMMA.pattern}", re.IGNORECASE)
LEADING = re.compile(r"^(?:(?:so|and|but|now|then|ok|okay|well|please|hey|hi|hello|also|sorry),?\s+)+", re.IGNORECASE)
REQUEST = re.compile(
    rf"{ASKED_OF_SOMEBODY.pattern}|^(?:please\s+)?(?:show\s+me|let\s+me\s+know|i(?:\s+want|['’]d\s+like|\s+would\s+like)\s+to\s+know)\s+",
    re.IGNORECASE,
)
NEXT_ASKED = re.compile(  # the next thing that somebody wants to know
    r"(?:,\s+(?:and\s+)?|\s+(?:and|&)\s+)(?:(?:also|then)\s+)?(?:(?:tell|show)\s+me\s+)?"
    r"(?=(?:where|what|when|why|how|who|whose|which)\b)",
    re.IGNORECASE,
)
CHOICE = re.compile(r",\s[^,]+\s(?:or|and)\s[^,]+$")  # "who is older, Ann or Bob": of both halves
CONTRACTED = re.compile(r"^(\w+)'(?:s|re|d|ll|ve)$", re.IGNORECASE)
NOT = of_class("isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't can't won't couldn't wouldn't shouldn't")
AUXILIARY = AUXILIARIES | NOT
SUBJECTS = PRONOUNS | SPEAKERS | of_class("we there this that these those anyone anybody someone somebody everyone everybody")
OBJECTS = of_class("it this that these those me someone somebody")  # "... and do it well?"
POINTING = DETERMINERS | of_class("these those any every all both each no")
INVERTED = of_class("where when why whom")  # an auxiliary follows where they ask
RELATIVE = of_class("who whom whose which what that")  # begin clauses that say more of somebody, or are asked for within
BARE = of_class("do have")  # also the end of "Does Ann live here and have a dog?"
DONE = BARE | of_class("did had has")  # also verbs of what somebody did: "and did it well"
NAMES = of_class("will may")  # of people too
WITHIN = QUESTION_WORDS | of_class("that if whether because after before while until since")  # begin a clause in a clause
NO_SUBJECT = PREPOSITIONS | AUXILIARIES | of_class("on of with by for about under over near not never and or still now very")
OF_ANOTHER = of_class("he she it they him her them his hers its their theirs")  # somebody that was named before
MOST_BEFORE_VERB = 4  # words: "how many red cars"


def joined_questions(text: str) -> list[str]:
    """The questions that a question consists of: itself, or those that "and" or a comma joins.

    >>> joined_questions("Where is the milk, and where do I live?")
    ['Where is the milk?', 'Where do I live?']
    >>> [joined_questions(one) == [one] for one in ("Where are the keys and the phone?", "What happened and why?")]
    [True, True]
    """
    if len(text) > LONGEST or not MORE.search(text):
        return [text]
    body = text.rstrip(QUESTION_MARKS + STOPS + " ")
    end = text.rstrip()[len(body) :].strip(STOPS + " ") or "?"
    found = requested(body) or parted(body, AND)
    if len(found) > 1:
        found = [part for one in found for part in parted(one, COMMA)]
    elif asks_with_verb(body):
        found = parted(body, COMMA)
    return [text] if len(found) == 1 else [f"{part[:1].upper()}{part[1:]}{end}" for part in found]


def requested(text: str) -> list[str]:
    """The questions of a sentence that asks to be told several things, each with the request; none where it is another.

    >>> requested("Tell me where Ann is, where the keys are and who left"), requested("Tell me where Ann is and where she was")
    (['Tell me where Ann is', 'Tell me where the keys are', 'who left'], [])
    """
    begin = LEADING.match(text)
    request = REQUEST.match(text[begin.end() if begin else 0 :])
    if request is None or quotations(text):
        return []
    start = (begin.end() if begin else 0) + request.end()
    parts = [spoken(part) for part in NEXT_ASKED.split(text[start:])]
    if len(parts) < 2 or not all(is_asked_for(part) for part in parts):
        return []
    if any(not OF_ANOTHER.isdisjoint(word.lower() for word in part) for part in parts[1:]):
        return []
    first, *others = NEXT_ASKED.split(text[start:])
    told = [other if is_question(spoken(other)) else f"{request[0]}{other}" for other in others]
    return [text[:start] + first, *told]


def is_asked_for(told: Sequence[str]) -> bool:
    """Whether words are what somebody wants to know, and no more: "where the keys are", not "where the keys"."""
    if is_question(told):
        return WITHIN.isdisjoint(word.lower() for word in told[1:])
    if len(told) < 3 or told[0].lower() not in QUESTION_WORDS or not WITHIN.isdisjoint(word.lower() for word in told[1:]):
        return False
    return any(word.lower() in AUXILIARY or (before not in POINTING and is_verb(word)) for before, word in pairwise(told[1:]))


def asks_with_verb(text: str) -> bool:
    """Whether a sentence begins with a question word and an auxiliary, after "so" and the like."""
    told = [word.lower() for word in spoken(LEADING.sub("", text))[:2]]
    return len(told) == 2 and told[0] in QUESTION_WORDS and told[1] in AUXILIARY


def goes_on_asking(text: str) -> str:
    """A question without the words that link it to what was said; the text where it is none, or begins with none.

    >>> goes_on_asking("and where do I live"), goes_on_asking("Well, tell me where Ann is"), goes_on_asking("So is Ann")
    ('where do I live', 'tell me where Ann is', 'So is Ann')
    >>> goes_on_asking("and is Bob at work"), goes_on_asking("and is at work"), goes_on_asking("and when I came, Ann left")
    ('is Bob at work', 'and is at work', 'and when I came, Ann left')
    """
    asked = LEADING.sub("", text)
    told = spoken(asked)
    if asked == text or len(told) < 2:
        return text
    if REQUEST.match(" ".join(told)) or (told[0].lower() in QUESTION_WORDS and is_question(told)):
        return asked
    first, subject = told[0].lower(), told[1]
    is_subject = subject.lower() in PRONOUNS | SPEAKERS or (subject[:1].isupper() and not subject.endswith(("'s", "s'")))
    does = first in AUXILIARY - NAMES and not (first in DONE and subject.lower() in OBJECTS)
    return asked if does and is_subject and is_question(told) else text


def parted(text: str, joint: re.Pattern[str]) -> list[str]:
    """A sentence cut at each joint that has a question on both of its sides."""
    quoted, found, start = quotations(text), list[str](), 0
    for mark in joint.finditer(text):
        before, after = text[start : mark.start()], text[mark.end() :]
        nearest = AND.split(after)[0]  # a third question may follow
        within = any(begin < mark.start() < end for begin, end in quoted)
        if not within and asks_first(before) and any(asks_second(before, one) for one in (nearest, after)):
            found.append(before)
            start = mark.end()
    return [*found, text[start:]]


def asks_first(text: str) -> bool:
    """Whether the first of two clauses is a question, or asks to be told."""
    told = spoken(LEADING.sub("", text))
    if REQUEST.match(" ".join(told)):
        return not QUESTION_WORDS.isdisjoint(word.lower() for word in told)
    return is_question(told)


def asks_second(before: str, text: str) -> bool:
    """Whether the second of two clauses is a question by itself, and no part of the first."""
    told, earlier = spoken(text), spoken(LEADING.sub("", before))
    if REQUEST.match(text):
        return asks_first(text)
    if not is_question(told) or CHOICE.search(text) or text.split()[0].endswith(","):
        return False
    first, subject, within = told[0].lower(), told[1].lower(), {word.lower() for word in earlier[1:]}
    if first in QUESTION_WORDS:  # not that of "the man who left and who ..."
        return first in INVERTED | {"how"} or within.isdisjoint(RELATIVE)
    if subject in SUBJECTS:
        return (told[0] == first or first not in NAMES) and (first not in BARE or subject not in OBJECTS)
    is_name = told[1] != subject or before[1:].islower()
    if first in BARE | NAMES or not within.isdisjoint(WITHIN) or not (is_name or subject in POINTING):
        return False
    return told[1] != subject or earlier[0].lower() in AUXILIARY | INVERTED or asks_of_another(earlier)


def asks_of_another(told: Sequence[str]) -> bool:
    """Whether somebody else than who is asked for is the subject: "what did Ann do", not "who has a big dog"."""
    return told[0].lower() != "who" and is_question(told[1:]) and told[1].lower() in AUXILIARY


def spoken(text: str) -> list[str]:
    """The words of a clause, without marks; of "where's" both words."""
    found: list[str] = []
    for word in text.split():
        word = word.strip(',;:()"“”').replace("’", "'")
        short = CONTRACTED.match(word)
        if short is not None and short[1].lower() in QUESTION_WORDS:
            found += [short[1], "is"]
        elif word:
            found.append(word)
    return found


def is_question(told: Sequence[str]) -> bool:
    """Whether words are a question: a question word and a verb in a question's order, or an auxiliary, a subject and more."""
    if len(told) < 2:
        return False
    small = [word.lower() for word in told]
    first, second = small[:2]
    if first in AUXILIARY:
        return rest_after_subject(told[1:]) > 0
    if first not in QUESTION_WORDS:
        return False
    if second in AUXILIARY:
        return len(small) > 2
    if first in INVERTED:
        return False
    if first == "who":
        started = 1 + (second == "else")
        return len(told) > started and may_be_verb(told[started])
    return first != second and verb_follows(told)


def may_be_verb(word: str) -> bool:
    """Whether a word that follows "who" may be what is done: no name, and no word that stands before a noun."""
    return word == word.lower() and word not in POINTING | SUBJECTS | PREPOSITIONS | of_class("of on else and or")


def verb_follows(told: Sequence[str]) -> bool:
    """Whether a verb follows "what", "which", "whose" or "how" and the noun that they ask of, and nobody stands between."""
    for place, word in enumerate(told[1 : MOST_BEFORE_VERB + 2], 1):
        small = word.lower()
        if small in AUXILIARY | COMMON_VERBS or (small.endswith("ed") and len(small) > 4):
            return place < len(told) - 1 or small not in AUXILIARY
        if small in POINTING | SUBJECTS or word != small:
            return False
        if place > 1 and told[0].lower() != "what" and is_verb(small):
            return True
    return False


def is_verb(word: str) -> bool:
    """Whether the dictionary has a word as a form of a verb."""
    from lemminflect import getAllLemmas

    return bool(getAllLemmas(word, "VERB"))


def rest_after_subject(told: Sequence[str]) -> int:
    """How many words follow the subject that words begin with; 0 where they begin with none."""
    place, small = 0, [word.lower() for word in told]
    while place < len(small):
        if small[place] in POINTING:
            place += 1
        if place >= len(small) or small[place] in NO_SUBJECT:
            return 0
        place += 1
        if place < len(small) and small[place] in ("of", "and", "or"):  # the mother of Ann, Ann and Bob
            place += 1
            continue
        return len(small) - place
    return 0
