"""What kind of answer a question asks for, by its words: "where ..." a place, "how many ..." a number, "is ..." yes or no."""

from __future__ import annotations

import re

from . import words
from .english import AUXILIARIES, QUESTION_WORDS, of_class, spelled_out
from .remembered import remembered

REQUEST = re.compile(
    r"(?:please )?(?:(?:can|could|would|will) you (?:please )?tell me|do you know|tell me|guess|i wonder|"
    r"(?:does|do) (?:any|some)(?:one|body) know|(?:can|could) (?:any|some)(?:one|body) tell me|i (?:want|would like) to know) "
)
PRECISE = of_class("how which what")  # the word after these matters: "how many", "which way"
WHETHER = "whether"


@remembered(1 << 14)
def kinds_of(question: str) -> tuple[str, ...]:
    """The kinds of a question, the most precise first; none where its words do not say.

    >>> kinds_of("Where is Mary?"), kinds_of("How many apples are there?"), kinds_of("Do you know if he left?")
    (('where',), ('how many', 'how'), ('whether',))
    """
    told = " ".join(spelled_out(words(question)))
    request = REQUEST.match(told)
    asked = told[request.end() :].split() if request else told.split()
    if not asked:
        return ()
    if asked[0] in AUXILIARIES or asked[0] in ("if", "whether"):
        return (WHETHER,)
    for place, word in enumerate(asked):
        if word in QUESTION_WORDS:
            after = asked[place + 1 : place + 2] if word in PRECISE else []
            return (*(f"{word} {other}" for other in after), word)
    return ()
