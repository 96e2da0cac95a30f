"""What somebody in a story says: a question in it is the speaker's, and its marks end no sentence.

Mary said "Where is my hat?" and left.    a statement, of one sentence
Is it cold? asked Tom.                    another
Eva asked: where is my charger?           and another
"Where is Mary?"                          a question in quotation marks
"""

from __future__ import annotations

import re

from memnet.tasks.text import QUESTION_MARKS, STOPS, words
from memnet.tasks.text.english import AUXILIARIES, DETERMINERS, QUESTION_WORDS, of_class

LONGEST = 300  # characters of what stands in quotation marks or brackets; what is longer is cut where its sentences end
SHORT = 100  # characters in which is looked who speaks
ENDS = STOPS + QUESTION_MARKS
QUOTED = re.compile(  # a mark after a digit is one of inches, one between letters an apostrophe
    rf'(?<!\w)"(?=\S)[^"]{{1,{LONGEST}}}(?<=\S)"(?!\w)|“[^“”]{{1,{LONGEST}}}”|«[^«»]{{1,{LONGEST}}}»'
    rf"|„[^„“”]{{1,{LONGEST}}}[“”]|\([^()]{{1,{LONGEST}}}\)"
    rf"|(?<!\w)'(?=\w)[^'\"]{{1,{LONGEST}}}(?:'\w[^'\"]{{1,{LONGEST}}}){{0,3}}(?<=[{ENDS},])'(?!\w)"
    rf"|(?<!\w)‘(?=\w)[^‘\"]{{1,{LONGEST}}}?(?<=[{ENDS},])’(?!\w)"
)
SPEAKING = of_class(
    "asked asks said says wondered wonders replied replies answered answers shouted shouts cried cries whispered whispers "
    "inquired inquires enquired enquires yelled yells exclaimed exclaims muttered mutters demanded demands repeated repeats"
)
ASKING = of_class("asked wondered inquired enquired")
MOST_OF_SUBJECT, MOST_OF_OBJECT = 4, 2  # words
SPEAKER = re.compile(rf"[\s,]*(?:\w[\w.'’-]*\s+){{0,{MOST_OF_SUBJECT}}}(?:{'|'.join(sorted(SPEAKING))})\b", re.IGNORECASE)
MARK = re.compile(f"[{QUESTION_MARKS}]")
ASKED, CLOSING = f"{QUESTION_MARKS}!", "\"'”’»)"
CAPITAL = re.compile(r"\b(?!I\b)[A-ZÀ-ÖØ-Þ]")  # who types none begins sentences with small letters
GOES_ON = of_class("and but then while as when before after so because or to in at from with")
SPOKEN = re.compile(r"[^,:]{2,80}?[,:]\s*|[^\"“«„‘']{2,80}?\s[\"“«„‘']")  # what stands before what is said
OBJECTS = of_class("me him her us them you himself herself")
NAMES = of_class("will may can")
NO_SPEAKER = (QUESTION_WORDS | AUXILIARIES | of_class("tell show please if and but")) - NAMES


def quotations(text: str) -> list[tuple[int, int]]:
    """Where something stands in quotation marks or brackets: begin and end, with the marks.

    >>> [text[a:b] for text in ('He said "Is it cold?" and left.', "A 5\\" pipe, a 6\\" pipe.") for a, b in quotations(text)]
    ['"Is it cold?"']
    """
    return [found.span() for found in QUOTED.finditer(text)]


def speaks(text: str, verbs: frozenset[str] = SPEAKING) -> bool:
    """Whether a clause names who speaks, a verb of ``verbs`` and at most whom to: "Tom asked Ann", "asked the man".

    >>> [speaks(text) for text in ("Tom asked.", "asked the old man.", "Mary said hello", "Who asked?")]
    [True, True, False, False]
    """
    if len(text) > SHORT or not SPEAKER.match(text):
        return False
    said = words(text)
    place = next((place for place, word in enumerate(said[: MOST_OF_SUBJECT + 1]) if word in verbs), None)
    if place is None or not NO_SPEAKER.isdisjoint(said):
        return False
    if place == 0:
        return 1 < len(said) <= 1 + MOST_OF_SUBJECT
    others = re.findall(r"[^\W_][\w'’-]*", text)[place + 1 :]
    named = others[others[:1] == ["to"] :]
    is_person = not named or named[0][:1].isupper() or named[0].lower() in DETERMINERS or named[0].lower() in OBJECTS
    return len(others) <= MOST_OF_OBJECT + 1 and is_person


def is_speech_tag(text: str) -> bool:
    """Whether a text after a question only says who asked it, as in "Is it cold? asked Tom." and "Is it cold? Tom asked."."""
    if not SPEAKER.match(text := text[:SHORT]):
        return False
    text = re.split(rf"(?<=[{ENDS}])\s", text.strip())[0]
    first, *_ = (*words(text), "")
    return speaks(text, SPEAKING if text[:1].islower() and first in SPEAKING else ASKING)


def goes_on_after_speech(before: str, after: str) -> bool:
    """Whether a sentence that ends with what is said goes on: with who says it, or with what happens then.

    >>> goes_on_after_speech('Mary said "Is it cold?"', "and left."), goes_on_after_speech('"Is it cold?"', "Tom said.")
    (True, True)
    >>> goes_on_after_speech("Is it cold?", "asked Tom."), goes_on_after_speech("Is it cold?", "Tom left.")
    (True, False)
    """
    end = before.rstrip(CLOSING)
    if not after or not end.endswith(tuple(ENDS)):
        return False
    if before == end:
        return end.endswith(tuple(ASKED)) and is_speech_tag(after)
    first, second, *_ = (*words(after[:SHORT]), "", "")
    is_small = after[:1].islower() and (CAPITAL.search(before) or first in GOES_ON or first in SPEAKING)
    asks = first in QUESTION_WORDS and second in AUXILIARIES
    return (is_small and not asks) or speaks(re.split(rf"[{ENDS},]", after[:SHORT])[0])


def teller_words(text: str) -> str:
    """A sentence with "it" for what somebody says in it or stands in brackets; all of a sentence in marks stays.

    >>> teller_words('Who said "Is it cold?"?'), teller_words("Is it cold? asked Tom."), teller_words('"Where is Mary?"')
    ('Who said it?', 'it asked Tom.', '"Where is Mary?"')
    >>> [teller_words(text) for text in ("Eva asked: where is my charger?", "Tom asked, is it cold?", "Tell me: is it cold?")]
    ['Eva asked: it', 'Tom asked, it', 'Tell me: is it cold?']
    """
    teller = QUOTED.sub("it", text)
    if words(teller) == ("it",):
        return text
    for mark in MARK.finditer(teller):
        if is_speech_tag(teller[mark.end() :]):
            return f"it {teller[mark.end() :].strip()}"
    said = SPOKEN.match(teller) if SPEAKER.match(teller) else None
    return f"{said[0]}it" if said and speaks(said[0].rstrip("\"“«„‘' ,:")) else teller
