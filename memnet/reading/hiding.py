"""Which words training may hide, or put near ones in place of: names and things, whose meaning no answer hangs on.

Near vectors are not near meanings: "sold" is next to "bought", "youngest" to "oldest", "uncle" to "aunt". Who learns from
stories in which these are exchanged learns to take no notice of them.
"""

from __future__ import annotations

from functools import lru_cache

from memnet.tasks.text.english import TIMES, function_words, of_class
from memnet.tasks.text.tokens import NUMBER_WORDS

MEANT = TIMES | of_class(  # nouns on which answers hang
    "aunt uncle mother father mum dad mom grandmother grandfather grandma grandpa granny nan sister brother niece nephew"
    " daughter son wife husband cousin twin parent grandparent grandson granddaughter stepmother stepfather widow widower"
    " boy girl man woman winner loser morning evening afternoon noon midnight night day week month year half pair dozen"
)


@lru_cache(maxsize=100_000)
def may_hide(text: str) -> bool:
    """Whether a word is a noun and nothing else, or a name; kin and times excepted.

    >>> [word for word in "kitchen Yusuf bought taller aunts cakes Nobody twelve Monday".split() if may_hide(word)]
    ['kitchen', 'Yusuf']
    """
    from lemminflect import getAllLemmas

    low = text.lower()
    found = getAllLemmas(low)
    if low in function_words() or low in NUMBER_WORDS or not MEANT.isdisjoint({low, *found.get("NOUN", ())}):
        return False
    return set(found) <= {"NOUN", "PROPN"} if found else text[0].isupper()
