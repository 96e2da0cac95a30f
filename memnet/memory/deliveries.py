"""Who delivered something: "Brico delivered paper", "Paper arrived from Brico" and "Ann got paper from Brico" say one thing.

The latest line that says a delivery answers; who signed for it is not who delivered it. Written by hand.
"""

from __future__ import annotations

import re
from dataclasses import replace

from memnet.ask.answer import Answer
from memnet.ask.untold import why_untold
from memnet.facts.names import DETERMINERS, INDEFINITE, NAMELESS, Key, key_of
from memnet.memory.clauses import BEFORE_NAMES, UNREAL, before, behind, in_words
from memnet.memory.deeds import MOST, answered
from memnet.memory.said import begins_with, ends_with, is_helped
from memnet.memory.sentences import Sentences
from memnet.memory.verbs import verbs_of
from memnet.tasks.text.english import of_class
from memnet.tasks.text.tokens import join, split

BRINGS = of_class("deliver supply bring ship send drop")  # a supplier does it to goods
SURELY = of_class("deliver supply")  # the others are done by anybody
COMES = of_class("arrive come")  # goods do it
GETS = of_class("receive accept get")  # somebody of us does it to goods, "from" the supplier
ASKS = re.compile(
    r"\s*(?:(?:which|what)\s+(?P<kind>company|firm|supplier|dealer|shop|carrier|courier|vendor)|who)\s+(?:last\s+)?"
    r"(?:delivered|supplied|brought us|dropped off|has delivered)\s+(?P<what>.+?)\s*\?*\s*$"
    r"|\s*(?:from\s+(?:whom|which\s+(?:company|firm|supplier))|where)\s+did\s+(?P<goods>.+?)\s+(?:last\s+)?(?:come|arrive)(?:\s+from)?"
    r"(?P<last>\s+last)?\s*\?*\s*$",
    re.IGNORECASE,
)
END = re.compile(r"\s+(?:last|most recently|first)$", re.IGNORECASE)


def goods_of(question: str) -> str:
    """The goods of a question who delivered them; empty where it is none."""
    found = ASKS.match(question)
    if found is None or (found["goods"] and "from" not in split(question.lower())):
        return ""
    goods = END.sub("", found["what"] or found["goods"])
    return "" if BEFORE_NAMES - {"of"} & {word.lower() for word in split(goods)} else goods


def names_company(question: str) -> bool:
    """Whether a question asks for a company."""
    found = ASKS.match(question)
    return found is not None and bool(found["kind"])


def delivered(text: str, goods: Key) -> tuple[bool, str] | None:
    """Whether a sentence surely says a delivery of goods, and by whom, "" where it names nobody; None where it says none.

    >>> goods = ("paper",)
    >>> delivered("Brico delivered paper, Ann signed.", goods), delivered("Paper arrived from Brico.", goods)
    ((True, 'Brico'), (True, 'Brico'))
    >>> delivered("Ann accepted a delivery of paper from Brico.", goods), delivered("Ann will get paper from Brico.", goods)
    ((True, 'Brico'), None)
    """
    said = supplier_of(in_words(text), goods)
    if said is None or not said[1]:
        return said
    written = re.search(r"\W+".join(map(re.escape, split(said[1]))), text)  # "Haug & Sons", whose mark is no word
    return said[0], written[0] if written else said[1]


def supplier_of(words: list[str], goods: Key) -> tuple[bool, str] | None:
    """The same of a sentence's words."""
    for at, word in enumerate(words):
        verbs, lead, after = verbs_of(word.lower()), before(words, at), behind(words, at)
        low = [one.lower() for one in lead[-4:]]
        if "take" in verbs and after[:1] == ["in"]:
            verbs = GETS
        if not UNREAL.isdisjoint(low):
            continue
        helped = is_helped(low)
        if verbs & COMES and ends_with(lead, goods):
            return True, name_in(after, "from")
        if verbs & BRINGS and helped and ends_with(lead, goods):
            by = name_in(after, "by") or name_in(after, "from")
            return not verbs.isdisjoint(SURELY), by
        if helped or verbs.isdisjoint(BRINGS | GETS) or not begins_with(contents(after), goods):
            continue
        if verbs & GETS:
            supplier = name_in(after, "from")
            return (True, supplier) if supplier else None
        return not verbs.isdisjoint(SURELY), named([one for one in lead if one.lower() not in ("has", "have")])
    return None


def contents(after: list[str]) -> list[str]:
    """What is delivered: of "off a delivery of paper", "in the paper" and "11 boxes of paper" the paper."""
    after = after[1:] if after[:1] and after[0].lower() in ("off", "in") else after
    return after[after.index("of") + 1 :] if "of" in after[:4] else after


def name_in(after: list[str], preposition: str) -> str:
    """The name behind a preposition; empty where there is none."""
    low = [word.lower() for word in after]
    if preposition not in low:
        return ""
    told = after[low.index(preposition) + 1 :]
    end = next((place for place, word in enumerate(told) if word.lower() in BEFORE_NAMES | {","}), len(told))
    return named(told[:end])


def named(words: list[str]) -> str:
    """Words as a name; empty where they are none."""
    shown = words[1:] if words and words[0].lower() in DETERMINERS else words
    return join(shown) if shown and shown[0].lower() not in NAMELESS | INDEFINITE and shown[0][0].isupper() else ""


def from_deliveries(sentences: Sentences, question: str) -> Answer | None:
    """The answer to who delivered goods: of the latest line that says so, or the first.

    None where something else is asked, or nobody's deliveries of them are known and "who" may mean one of us.
    """
    goods = key_of(goods_of(question))
    if not goods:
        return None
    told = [(one, said) for one in sentences.naming(goods, MOST) if (said := delivered(one.text, goods)) is not None]
    sure = {said[1] for _, said in told if said[0]}
    told = [(one, said) for one, said in told if said[0] or said[1] in sure]  # who brings it may be one of us
    if not told:
        return refusal(question) if names_company(question) and sentences.holds(goods) else None
    one, (_, supplier) = told[0 if "first" in split(question.lower()) else -1]
    return answered(question, supplier, [one]) if supplier else refusal(question)


def refusal(question: str) -> Answer:
    """That no line says who delivered it."""
    return replace(answered(question, "", []), reason=why_untold(question))
