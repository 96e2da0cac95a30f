"""The clause of a verb: what stands before it and behind it, without asides and other clauses of its sentence.

Bob fixed the lathe, it runs again.          the lathe
Bob fixed the lathe (two hours) - finally    the lathe
Bob fixed the lathe, the saw and the press.  the lathe, the saw and the press
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memnet.facts.names import DETERMINERS, NAMELESS
from memnet.facts.sides import only_asks
from memnet.memory.verbs import is_verb
from memnet.tasks.text.english import of_class
from memnet.tasks.text.tokens import split

BE, HAVE = of_class("is are was were be been being 's got gets"), of_class("has have had 've")
UNREAL = of_class("not n't n’t never will would shall should must may might can could to 'll if unless until whether being")
PLANNED = of_class("will 'll ’ll would may might should wants")
IS_NOT = PLANNED | of_class("not n't n’t never won't want forgot asked whether nobody neither")
IF, REACH = of_class("if unless"), 8  # words before a name that tell whether it is so
CLAUSE_END = re.compile(r"(?:^|.* )[,;:.!?] ")
SENTENCE_END = re.compile(r"(?:^|.* )[;:.!?] ")
LINKS = of_class("and then also again just already finally later immediately quickly first last now once twice")
BEFORE_NAMES = of_class("of in on at to from with without for by near under behind beside after before about than like")
DASH = re.compile(r"\s+[-–—]+(?=\s|$)|\s*[—…]\s*|\.{2,}")
MARKS = frozenset(";:()")
JOINS = of_class("and or but so because as while when though although which who since")


def in_words(text: str) -> list[str]:
    """The words of a sentence, in which a dash between them is a semicolon.

    >>> in_words("Bob fixed the lathe - finally")
    ['Bob', 'fixed', 'the', 'lathe', ';', 'finally']
    """
    return split(DASH.sub(" ; ", text))


def behind(words: Sequence[str], at: int) -> list[str]:
    """What stands behind the verb at a place, up to the end of its clause, without brackets.

    >>> behind(in_words("Bob fixed the lathe, new belt (an hour)."), 1), behind(in_words("Bob fixed the saw and the van."), 1)
    (['the', 'lathe'], ['the', 'saw', 'and', 'the', 'van'])
    """
    found, depth = list[str](), 0
    for place in range(at + 1, len(words)):
        word = words[place].lower()
        depth += word == "("
        if not depth and (word in MARKS or (word in JOINS | {","} and ends_clause(word, words[place + 1 :]))):
            break
        if not depth:
            found.append(words[place])
        depth -= word == ")" and depth > 0
    return found


def ends_clause(joint: str, after: Sequence[str]) -> bool:
    """Whether a comma or a word such as "and" ends a clause, by what stands after it: no other name of a list."""
    if joint not in (",", "and", "or"):
        return True
    item = list[str]()
    for word in after:
        if word.lower() in JOINS | MARKS | {","}:
            break
        item.append(word.lower())
    end = after[len(item)].lower() if len(item) < len(after) else ""
    if not item:
        return end not in ("and", "or")  # "the lathe, and the saw"
    if item[0] in BEFORE_NAMES | LINKS or item[0].endswith("ly"):
        return any(map(is_verb, item))
    if item[0] in NAMELESS or any(word in BE | HAVE | UNREAL or is_verb(word) for word in item):
        return True
    is_last = joint != ","
    return not is_last and (end not in (",", "and", "or") or ends_clause(end, after[len(item) + 1 :]))


def before(words: Sequence[str], at: int) -> list[str]:
    """What stands before the verb at a place, from the beginning of its clause.

    >>> before(in_words("After lunch, Bob fixed it."), 4), before(in_words("The lathe stopped, Bob fixed it."), 5)
    (['Bob'], ['Bob'])
    """
    start = max((place + 1 for place in range(at) if words[place] in MARKS), default=0)
    lead = [*words[start:at]]
    while "," in lead and lead[0].lower() in BEFORE_NAMES:
        lead = lead[lead.index(",") + 1 :]
    last = max((place for place, word in enumerate(lead) if word == ","), default=-1)
    head, after = lead[: max(last, 0)], [word for word in lead[last + 1 :] if word.lower() not in LINKS | BE | HAVE]
    has_verb = any(word.lower() in BE | UNREAL or (place and is_verb(word)) for place, word in enumerate(head))
    named = bool(after) and lead[-1].lower() not in ("and", "or") and (after[0][0].isupper() or after[0].lower() in DETERMINERS)
    return lead[last + 1 :] if has_verb and named else lead


def is_real(text: str, name: str) -> bool:
    """Whether a text says of a name what is or was so: no "not" or "will" stands before it in its clause, nor "if" before that.

    What only asks or bids says nothing of what is so.

    >>> [is_real(f"The tank {text} lab A", "lab A") for text in ("went to", "was not moved to", "won't fit, so it went to")]
    [True, False, True]
    >>> is_real("If it rains, the tank goes to lab A.", "lab A"), is_real("Is the tank in lab A?", "lab A")
    (False, False)
    """
    if only_asks(text):
        return False
    words, wanted = [word.lower() for word in split(text)], [word.lower() for word in split(name)]
    places = [place for place in range(len(words)) if words[place : place + len(wanted)] == wanted]
    return not places or any(map(is_so, (words[:place] for place in places)))


def is_so(before: list[str]) -> bool:
    """Whether the words before a name say that what follows is so."""
    clause = CLAUSE_END.sub("", " ".join(before[-REACH:])).split()
    sentence = SENTENCE_END.sub("", " ".join(before)).split()
    return IS_NOT.isdisjoint(clause) and IF.isdisjoint(sentence)
