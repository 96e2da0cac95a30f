"""What is asked for with a "not" is not what is asked for without it: "Where isn't Mary?" is not where she is.

A reader takes little notice of a "not" in a question. So such a question is asked without it, too: what would answer both
answers neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from memnet.reading.answers import Reply, TrainedReader, plain
from memnet.tasks.text.english import of_class
from memnet.tasks.text.tokens import split

ASKS = of_class("who what which where")
NOT = of_class("not never n't")
WHOLE = {"wo": "will", "ca": "can", "sha": "shall", "ai": "is"}  # of "won't", "can't", "shan't", "ain't"
LOOKED_AT = 8  # answers that may be right in place of the one that is excluded
LEAST = 0.02  # what is less probable than this is no answer


def affirmed(question: str) -> str:
    """The question without its "not"; empty where it has none, or asks for something else than who, what, which or where.

    >>> affirmed("Where isn't Mary?"), affirmed("Which door is not locked?"), affirmed("Who won't come?")
    ('Where is Mary', 'Which door is locked', 'Who will come')
    >>> affirmed("Why isn't Mary here?"), affirmed("Where is Mary?")
    ('', '')
    """
    words = [word.replace("\u2019", "'") for word in split(question)]
    low = [word.lower() for word in words]
    if not ASKS.issuperset(low[:1]) or NOT.isdisjoint(low):
        return ""
    follows = dict(pairwise(low))
    said = (WHOLE.get(one, word) if follows.get(one) == "n't" else word for one, word in zip(low, words, strict=True))
    return " ".join(word for word in said if word.lower() not in NOT)


def answer_apart(reader: TrainedReader, statements: Sequence[str], question: str, runners_up: int) -> Reply:
    """A reader's reply. To a question with a "not" it is none of what answers the question without it."""
    reply, without = reader.answer(statements, question, runners_up), affirmed(question)
    if not without or len(reply.spans) != 1:
        return reply
    other = reader.answer(statements, without, LOOKED_AT)
    excluded = {plain(text): chance for text, chance in other.runners_up} | {plain(text): 1.0 for text in other.spans}
    if plain(reply.text) not in map(plain, other.spans):
        return reply
    found = reader.answer(statements, question, LOOKED_AT).runners_up
    left = [(text, chance * (1 - excluded.get(plain(text), 0.0))) for text, chance in found]
    text, chance = max(left, key=lambda one: one[1], default=("", 0.0))
    if chance < LEAST:
        return replace(reply, kind="untold", text="", spans=(), untold=max(reply.untold, other.probability), runners_up=())
    share = chance / sum(chance for _, chance in left)
    others = tuple(one for one in left if one[0] != text)[:runners_up]
    return replace(reply, text=text, spans=(text,), probability=other.probability * share, runners_up=others)
