"""A question in the order that tables read: what is said before it stands behind it, and phrases of one meaning are one word.

"We have a van. Could it park here?"          could it park here, we have a van
"I've never sung before, is it OK for me?"    is it OK for me, a beginner
"What day of the week is it?"                 what day is it
"Name the two cheapest ones."                 what are the two cheapest ones
"the one that opened before all the others"   the one that opened earliest
"""

from __future__ import annotations

import re

from memnet.tasks.text.english import AUXILIARIES, QUESTION_WORDS

STATEMENT = re.compile(r"(?P<said>(?:I|We|My|Our)\b[^?!.]*?)\s*[.!,;]\s*(?:and |so |but )?(?P<asked>[^.!]+\?)", re.IGNORECASE)
BEGINNING = re.compile(
    r"\b(?:I|we)(?:'ve|’ve|\s+have)\s+never\s+[^,.?!]*\bbefore\b|\bI(?:'m| am) new to (?:this|it)\b", re.IGNORECASE
)
DAY = re.compile(r"\bday of the week\b", re.IGNORECASE)
OTHERS = r"(?:all|any of|every one of)\s+(?:the\s+)?(?:others?|rest)\b|any\s+other(?:\s+one)?\b|every(?:one|thing)\s+else\b"
ENDS = (
    (re.compile(rf"\bbefore\s+(?:{OTHERS})", re.IGNORECASE), "earliest"),
    (re.compile(rf"\bafter\s+(?:{OTHERS})", re.IGNORECASE), "latest"),
)


EXCEPT = re.compile(r"\b(?:other than|apart from|except for)\b", re.IGNORECASE)
A_TIME = r"(?=\s+(?:in|on|before|after|during|since|between)\s+(?:the\s+)?(?:[A-Z]|\d|last\b|this\b))"
MONEY = r"(?!paid|pay|spent|spend|earned|earn|charged|charge|due|owed)"
DONE = (  # "What was bought in March?" asks which things were
    (re.compile(rf"^what\s+(?:was|were)\s+(?={MONEY}\w+{A_TIME})", re.IGNORECASE), "Which things were "),
    (re.compile(rf"^what\s+(?=did\s+(?:we|I|you|they)\s+{MONEY}\w+{A_TIME})", re.IGNORECASE), "Which things "),
)
LISTING = re.compile(r"^(?:please\s+)?(?:name|list|show|give)\s+(?:me\s+)?(?:all\s+)?(?:of\s+)?(?=the\s)", re.IGNORECASE)


def recast(text: str) -> str:
    """A question with what is said before it behind it.

    >>> recast("We have a van. Could we park there?"), recast("What day of the week is it?")
    ('Could we park there, we have a van?', 'What day is it?')
    >>> recast("What was bought in March?"), recast("What was spent in March?"), recast("What did we sell on 3 May?")
    ('Which things were bought in March?', 'What was spent in March?', 'Which things did we sell on 3 May?')
    """
    plain = EXCEPT.sub("except", text.strip())
    plain = LISTING.sub("What are ", DAY.sub("day", BEGINNING.sub("we are a beginner", plain)))
    for form, instead in (*ENDS, *DONE):
        plain = form.sub(instead, plain)
    found = STATEMENT.fullmatch(plain)
    if found is None or found["asked"].split()[0].lower() not in AUXILIARIES | QUESTION_WORDS:
        return plain
    said = found["said"] if found["said"].startswith("I ") else found["said"][0].lower() + found["said"][1:]
    return f"{found['asked'].rstrip('? ')}, {said}?"
