"""Which words training may hide, or put near ones in place of: names and things, whose meaning no answer hangs on.

Near vectors are not near meanings: "sold" is next to "bought", "youngest" to "oldest", "uncle" to "aunt". Who learns from
stories in which these are exchanged learns to take no notice of them.
"""

from __future__ import annotations

from functools import lru_cache

from memnet.tasks.text.english import of_class

KIN = of_class(
    "aunt uncle mother father mum dad mom grandmother grandfather grandma grandpa sister brother niece nephew daughter son wife"
    " husband cousin twin parent grandparent grandson granddaughter stepmother stepfather widow widower"
)


@lru_cache(maxsize=100_000)
def may_hide(text: str) -> bool:
    """Whether a word is a noun and nothing else, or a name; kin excepted.

    >>> [word for word in "kitchen Yusuf bought taller aunt aunts cakes closed".split() if may_hide(word)]
    ['kitchen', 'Yusuf']
    """
    from lemminflect import getAllLemmas

    found = getAllLemmas(text.lower())
    return set(found) <= {"NOUN", "PROPN"} and KIN.isdisjoint({text.lower(), *found.get("NOUN", ())})
